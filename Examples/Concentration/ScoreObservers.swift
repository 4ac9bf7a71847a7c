import UIKit

private var scoreContext = 0

/// Watches the score by key-value observing, and ends what it began.
final class ScoreChartController: UIViewController {
    private let game: ConcentrationGame
    private var changes: [Int] = []
    private var observation: NSKeyValueObservation?

    init(game: ConcentrationGame) {
        self.game = game
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("made in code only")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        game.addObserver(self, forKeyPath: "score", options: [.new], context: &scoreContext)
        observation = game.observe(\.score, options: [.old, .new]) { [weak self] _, change in
            self?.changes.append((change.newValue ?? 0) - (change.oldValue ?? 0))
        }
    }

    deinit {
        if isViewLoaded { game.removeObserver(self, forKeyPath: "score", context: &scoreContext) }
    }

    override func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {
        // Right: its own context stays here, every other one goes to super.
        if context == &scoreContext {
            navigationItem.title = "\(change?[.newKey] as? Int ?? 0)"
        } else {
            super.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
        }
    }
}

/// Watches the score of a game that outlives it.
final class DanglingChartController: UIViewController {
    private let game: ConcentrationGame
    private var observation: NSKeyValueObservation?

    init(game: ConcentrationGame) {
        self.game = game
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("made in code only")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        // The game outlives this controller, and its next point goes to an object that is gone.
        game.addObserver(self, forKeyPath: "score", options: [.new], context: &scoreContext) // expect: kvo_not_removed
        // Without .new in the options the new value is always nil.
        observation = game.observe(\.score, options: [.old]) { [weak self] _, change in self?.show(change.newValue) } // expect: kvo_option_missing
    }

    override func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {
        if context == &scoreContext {
            show(change?[.newKey] as? Int)
        } else {
            super.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
        }
    }

    private func show(_ score: Int?) {
        navigationItem.title = score.map(String.init)
    }
}

/// Watches the score once more with each appearance, and stops watching once.
final class DoubledChartController: UIViewController {
    private let game: ConcentrationGame

    init(game: ConcentrationGame) {
        self.game = game
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("made in code only")
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        // Every visit adds a registration and deinit removes one; without a visit that removal throws.
        game.addObserver(self, forKeyPath: "score", options: [.new], context: &scoreContext) // expect: kvo_unbalanced
    }

    deinit {
        game.removeObserver(self, forKeyPath: "score", context: &scoreContext)
    }

    override func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {
        if context == &scoreContext {
            navigationItem.title = "\(change?[.newKey] as? Int ?? 0)"
        } else {
            super.observeValue(forKeyPath: keyPath, of: object, change: change, context: context)
        }
    }
}

/// Watches the score while it is on screen, and stops watching twice when a swipe back is called off.
final class SwipedChartController: UIViewController {
    private let game: ConcentrationGame

    init(game: ConcentrationGame) {
        self.game = game
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("made in code only")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        game.addObserver(self, forKeyPath: "score", options: [.new], context: &scoreContext)
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        // A swipe back that is called off ends here, and the next one ends here again.
        game.removeObserver(self, forKeyPath: "score", context: &scoreContext) // expect: kvo_unbalanced
    }
}

/// Watches the score while it is on screen, from each appearance to each disappearance.
final class SteadyChartController: UIViewController {
    private let game: ConcentrationGame
    private var isWatching = false

    init(game: ConcentrationGame) {
        self.game = game
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("made in code only")
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        guard !isWatching else { return }
        isWatching = true
        game.addObserver(self, forKeyPath: "score", options: [.new], context: &scoreContext)
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        guard isWatching else { return }
        isWatching = false
        game.removeObserver(self, forKeyPath: "score", context: &scoreContext)
    }
}

/// Watches the score only where it counts, and stops watching wherever it is.
final class PracticeChartController: UIViewController {
    private let game: ConcentrationGame
    private let counts: Bool

    init(game: ConcentrationGame, counts: Bool) {
        self.game = game
        self.counts = counts
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("made in code only")
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        if counts { game.addObserver(self, forKeyPath: "score", options: [.new], context: &scoreContext) }
    }

    deinit {
        // In a game for practice there is nothing to remove, and the removal throws.
        game.removeObserver(self, forKeyPath: "score", context: &scoreContext) // expect: kvo_unbalanced
    }
}
