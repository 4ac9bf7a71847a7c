import UIKit

/// Shows the score of one game while it is on screen.
class ScoreController: UIViewController {
    let game: ConcentrationGame
    let scoreLabel = UILabel()

    init(game: ConcentrationGame) {
        self.game = game
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("made in code only")
    }

    override func loadView() {
        view = scoreLabel
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        // What happened while nobody listened is read again.
        showScore()
    }

    @objc func showScore() {
        scoreLabel.text = "Score: \(game.score)"
    }
}

/// Listens from the first load to the end of its life.
class SteadyScoreController: ScoreController {
    private var tokens: [NSObjectProtocol] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        NotificationCenter.default.addObserver(
            self, selector: #selector(showScore), name: ConcentrationGame.didScore, object: game)
        tokens.append(NotificationCenter.default.addObserver(
            forName: UIApplication.didBecomeActiveNotification, object: nil, queue: .main
        ) { [weak self] _ in
            self?.showScore()
        })
    }

    deinit {
        NotificationCenter.default.removeObserver(self)
        tokens.forEach { NotificationCenter.default.removeObserver($0) }
    }
}

/// Deafens its base class together with itself.
final class QuietScoreController: SteadyScoreController {
    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        NotificationCenter.default.addObserver(
            self, selector: #selector(dim), name: UIScene.willDeactivateNotification, object: nil)
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        // It also ends what the base class registered once in viewDidLoad.
        NotificationCenter.default.removeObserver(self) // expect: observer_blanket_removal
    }

    @objc private func dim() {
        scoreLabel.alpha = 0.5
    }
}

/// Registers with each appearance, and is notified once more each time.
final class EchoScoreController: ScoreController {
    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        // Only deinit removes it, so the third visit counts every point three times.
        NotificationCenter.default.addObserver( // expect: observer_unbalanced
            self, selector: #selector(count), name: ConcentrationGame.didScore, object: game)
    }

    deinit {
        NotificationCenter.default.removeObserver(self, name: ConcentrationGame.didScore, object: game)
    }

    // The base class counts appearances of its own and misses every end of one.
    override func viewWillDisappear(_ animated: Bool) { // expect: missing_super_call
        scoreLabel.text = nil
    }

    @objc private func count(_ notification: Notification) {
        let points = notification.userInfo?[ConcentrationGame.pointsKey] as? Int ?? 0
        scoreLabel.text = "\(points) points"
    }
}

/// Listens only while on screen, and trusts that nothing happens in between.
final class StaleScoreController: UIViewController {
    private let game: ConcentrationGame
    private let scoreLabel = UILabel()

    init(game: ConcentrationGame) {
        self.game = game
        super.init(nibName: nil, bundle: nil)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) {
        fatalError("made in code only")
    }

    override func loadView() {
        view = scoreLabel
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        // Points made while another screen covered this one are not sent again, and nothing reads them.
        NotificationCenter.default.addObserver( // expect: missed_updates_while_hidden
            self, selector: #selector(showScore), name: ConcentrationGame.didScore, object: game)
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        NotificationCenter.default.removeObserver(self, name: ConcentrationGame.didScore, object: game)
    }

    @objc private func showScore() {
        scoreLabel.text = "Score: \(game.score)"
    }
}

/// Listens to what is never said, and to everything else.
final class GossipController: UIViewController {
    private var heard = 0

    override func viewDidLoad() {
        super.viewDidLoad()
        let center = NotificationCenter.default
        // Neither name nor sender: the system sends hundreds of notifications a minute.
        center.addObserver(self, selector: #selector(hear), name: nil, object: nil) // expect: observer_too_broad
        // The application posts it; a controller never does, so this filter lets nothing through.
        center.addObserver(self, selector: #selector(hear), name: UIApplication.didBecomeActiveNotification, object: self) // expect: notification_object_filter
        // Nobody has switched proximity monitoring on, so the device stays silent.
        center.addObserver(self, selector: #selector(hear), name: UIDevice.proximityStateDidChangeNotification, object: nil) // expect: generation_not_begun
        // The centre sends one argument and the method wants two; the first point ends the app.
        center.addObserver(self, selector: #selector(overhear(_:from:)), name: ConcentrationGame.didScore, object: nil) // expect: selector_unresolved
    }

    deinit {
        NotificationCenter.default.removeObserver(self)
    }

    @objc private func hear(_ notification: Notification) {
        heard += 1
    }

    @objc private func overhear(_ notification: Notification, from sender: NSObject) {
        heard += 1
    }
}
