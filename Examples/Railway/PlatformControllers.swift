import Railway
import UIKit

/// One platform of a station: follows its next train while it is on screen.
final class PlatformController: StationController {
    private var subscription: TimetableToken?
    private let train: Train

    init(train: Train) {
        self.train = train
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("made in code only")
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        // Right: followed while it is seen, and no longer.
        subscription = Timetable.shared.follow(train) { [weak self] change in
            self?.title = change.text
        }
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        if let subscription { Timetable.shared.unfollow(subscription) }
        subscription = nil
    }

    override func trainDidArrive(_ train: Train) {
        super.trainDidArrive(train)
        title = "arrived"
    }

    // Right: whatever happens in between, the signal is released.
    func couple(_ wagons: [Wagon]) throws {
        Signal.main.hold()
        defer { Signal.main.release() }
        for wagon in wagons { try train.couple(wagon) }
    }
}

/// The same platform, by somebody who has not read the manual of the library.
final class CarelessPlatformController: StationController {
    private var subscription: TimetableToken?
    private let train: Train

    init(train: Train) {
        self.train = train
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("made in code only")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        // The timetable goes on telling a platform that is gone.
        subscription = Timetable.shared.follow(train) { [weak self] change in // expect: observation_token_not_removed
            self?.title = change.text
        }
    }

    // The station never clears the platform.
    override func trainDidArrive(_ train: Train) { // expect: missing_super_call
        title = "arrived"
    }

    func couple(_ wagons: [Wagon]) throws {
        Signal.main.hold()
        // One wagon that does not fit, and the line is closed.
        for wagon in wagons { try train.couple(wagon) } // expect: resource_unbalanced
        Signal.main.release()
    }
}
