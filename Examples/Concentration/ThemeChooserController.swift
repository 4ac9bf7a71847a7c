import UIKit

/// Chooses a theme and keeps the game it led to, so that a change of theme loses no move.
final class ThemeChooserController: UIViewController, UISplitViewControllerDelegate {
    private var lastGame: ConcentrationController?

    override func viewDidLoad() {
        super.viewDidLoad()
        // Right: the split view is the parent by now.
        splitViewController?.delegate = self
    }

    @IBAction private func chooseTheme(_ sender: UIButton) {
        guard let theme = Theme.named(sender.currentTitle) else { return }
        if let game = splitViewController?.viewControllers.last as? ConcentrationController {
            game.theme = theme
        } else if let game = lastGame {
            game.theme = theme
            navigationController?.pushViewController(game, animated: true)
        } else {
            performSegue(withIdentifier: "Choose Theme", sender: sender)
        }
    }

    override func prepare(for segue: UIStoryboardSegue, sender: Any?) {
        super.prepare(for: segue, sender: sender)
        guard segue.identifier == "Choose Theme", let game = segue.destination as? ConcentrationController
        else { return }
        game.theme = Theme.named((sender as? UIButton)?.currentTitle)
        lastGame = game
    }

    func splitViewController(
        _ split: UISplitViewController, collapseSecondary secondary: UIViewController, onto primary: UIViewController
    ) -> Bool {
        lastGame == nil
    }
}

/// A chooser that does everything at the moment it wakes.
final class SleepwalkingChooserController: UIViewController, UISplitViewControllerDelegate {
    @IBOutlet private weak var hintLabel: UILabel!
    private var isFirstVisit = true

    override func awakeFromNib() {
        super.awakeFromNib()
        // The scene has no parent yet, so nobody becomes the delegate.
        splitViewController?.delegate = self // expect: context_before_available
        // The view is not loaded, so the outlet is nil and this ends the app.
        hintLabel.text = "Choose a theme" // expect: outlet_before_load
    }

    // The first visit returns before super.
    override func viewWillAppear(_ animated: Bool) { // expect: conditional_super_call
        if isFirstVisit {
            isFirstVisit = false
            return
        }
        super.viewWillAppear(animated)
        hintLabel.isHidden = true
    }

    // UIKit asks only the controller on top, which here is the navigation controller.
    override var supportedInterfaceOrientations: UIInterfaceOrientationMask { // pending: lifecycle_signature_mismatch - contained
        .portrait
    }

    func splitViewController(
        _ split: UISplitViewController, collapseSecondary secondary: UIViewController, onto primary: UIViewController
    ) -> Bool {
        true
    }
}

/// A scene of the storyboard that sets itself up where the storyboard never comes by.
final class DealtGameController: UIViewController {
    private var deck: [Card] = []

    // A storyboard calls init(coder:), so the deck of the scene stays empty.
    override init(nibName: String?, bundle: Bundle?) { // expect: storyboard_init_skipped
        super.init(nibName: nibName, bundle: bundle)
        deck = ConcentrationGame(pairs: 8).cards
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        navigationItem.prompt = "\(deck.count) cards"
    }
}

/// A scene of the storyboard that cannot be made by it.
final class TrapGameController: UIViewController {
    // The storyboard names this class, so opening the scene ends the app.
    required init?(coder: NSCoder) { // expect: storyboard_init_skipped
        fatalError("init(coder:) has not been implemented")
    }
}

/// A scene whose two ways of being made share one helper.
final class SharedDeckController: UIViewController {
    private var deck: [Card] = []

    override init(nibName: String?, bundle: Bundle?) {
        super.init(nibName: nibName, bundle: bundle)
        deal()
    }

    required init?(coder: NSCoder) {
        super.init(coder: coder)
        deal()
    }

    private func deal() {
        deck = ConcentrationGame(pairs: 8).cards
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        navigationItem.prompt = "\(deck.count) cards"
    }
}
