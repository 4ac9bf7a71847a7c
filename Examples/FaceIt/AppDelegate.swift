import UIKit

/// Leaves the windows to the scene delegate.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    /// One counter for the whole app; it registers once and needs no removal.
    private let moodCounter = MoodCounter()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        NotificationCenter.default.addObserver(
            self, selector: #selector(countMood), name: FaceController.didChangeMood, object: nil)
        return true
    }

    func application(
        _ application: UIApplication,
        configurationForConnecting session: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        UISceneConfiguration(name: "Faces", sessionRole: session.role)
    }

    @objc private func countMood(_ notification: Notification) {
        guard let face = notification.object as? FaceController else { return }
        moodCounter.count(face.expression)
    }
}

/// How often faces changed their mood since the launch.
final class MoodCounter {
    private(set) var total = 0
    private(set) var happy = 0

    func count(_ expression: FacialExpression) {
        total += 1
        if expression.mouth == .smile { happy += 1 }
    }
}
