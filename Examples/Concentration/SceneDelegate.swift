import UIKit

/// Shows the storyboard's split view, and pauses the clock while the app is not in use.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private let clock = PlayClock()

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        clock.start()
    }

    func sceneWillResignActive(_ scene: UIScene) {
        clock.stop()
    }

    func sceneDidBecomeActive(_ scene: UIScene) {
        clock.start()
    }
}

/// Measures how long somebody has played.
final class PlayClock {
    private var startedAt: Date?
    private(set) var played: TimeInterval = 0

    func start() {
        if startedAt == nil { startedAt = Date() }
    }

    /// Forgets what was played and starts over when the clock runs.
    func reset() {
        played = 0
        if startedAt != nil { startedAt = Date() }
    }

    func stop() {
        guard let startedAt else { return }
        played += Date().timeIntervalSince(startedAt)
        self.startedAt = nil
    }
}
