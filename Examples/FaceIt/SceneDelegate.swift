import UIKit

/// Sets up the split view of the storyboard.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate, UISplitViewControllerDelegate {
    var window: UIWindow?

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        guard let split = window?.rootViewController as? UISplitViewController else { return }
        split.delegate = self
        split.preferredDisplayMode = .oneBesideSecondary
    }

    // A compact width starts with the list of emotions and not with a face that nobody chose.
    func splitViewController(
        _ split: UISplitViewController, collapseSecondary secondary: UIViewController, onto primary: UIViewController
    ) -> Bool {
        let face = (secondary as? UINavigationController)?.viewControllers.first as? FaceController
        return face?.isUntouched ?? false
    }
}

/// Finds the face beside a list, the right way and the wrong way.
struct DetailFinder {
    let split: UISplitViewController

    /// The face on show; nil while the split view is collapsed.
    var face: FaceController? {
        guard !split.isCollapsed, split.viewControllers.count > 1 else { return nil }
        return unwrapped(split.viewControllers[1]) as? FaceController
    }

    /// The last controller, whatever the number of columns.
    var last: UIViewController? {
        split.viewControllers.last.map(unwrapped)
    }

    /// The face, where two columns are taken for granted.
    var assumedFace: FaceController? {
        // A collapsed split view has one controller only, and the index ends the app.
        unwrapped(split.viewControllers[1]) as? FaceController // expect: split_index_assumed
    }

    private func unwrapped(_ controller: UIViewController) -> UIViewController {
        (controller as? UINavigationController)?.viewControllers.first ?? controller
    }
}
