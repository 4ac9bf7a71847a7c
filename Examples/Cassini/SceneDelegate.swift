import UIKit

/// Puts the pictures and the orbit side by side in tabs.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate, UISplitViewControllerDelegate {
    var window: UIWindow?

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        guard let windowScene = scene as? UIWindowScene else { return }
        let split = UISplitViewController(style: .doubleColumn)
        split.setViewController(PictureListController(), for: .primary)
        split.setViewController(ImageController(), for: .secondary)
        split.delegate = self
        split.tabBarItem = UITabBarItem(title: "Pictures", image: UIImage(systemName: "photo"), tag: 0)
        let tabs = UITabBarController()
        tabs.viewControllers = [split, OrbitController(), MissionLogController()]
        let window = UIWindow(windowScene: windowScene)
        window.rootViewController = tabs
        window.makeKeyAndVisible()
        self.window = window
    }

    // A compact width starts with the list, unless a picture was chosen before.
    func splitViewController(
        _ split: UISplitViewController,
        topColumnForCollapsingToProposedTopColumn proposed: UISplitViewController.Column
    ) -> UISplitViewController.Column {
        let shown = split.viewController(for: .secondary) as? ImageController
        return shown?.imageURL == nil ? .primary : proposed
    }
}

/// The third tab, which names itself when it is too late.
final class MissionLogController: UIViewController {
    private let logView = UITextView()
    private var entries: [String] = []

    override func loadView() {
        view = logView
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        logView.isEditable = false
        // An unselected tab is not loaded, so the bar shows an empty item until somebody taps it.
        tabBarItem = UITabBarItem(title: "Log", image: UIImage(systemName: "book"), tag: 2) // expect: tab_item_set_late
    }

    override func viewDidAppear(_ animated: Bool) {
        super.viewDidAppear(animated)
        // The user has seen the old text by now and watches it change.
        logView.text = entries.joined(separator: "\n") // expect: late_setup
    }

    // One letter off, so it overrides nothing and the entries are never removed.
    func viewWillDissapear(_ animated: Bool) { // expect: lifecycle_signature_mismatch
        entries.removeAll()
    }

    func add(_ entry: String) {
        entries.append(entry)
    }
}
