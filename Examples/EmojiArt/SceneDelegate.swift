import UIKit

/// Shows one drawing, and finishes what it has begun when the app leaves the screen.
final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private let recents = RecentDrawings()
    private let slideshow = Slideshow()
    private var backgroundTask = UIBackgroundTaskIdentifier.invalid

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        guard let windowScene = scene as? UIWindowScene else { return }
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("Untitled.emojiart")
        recents.note(url)
        let window = UIWindow(windowScene: windowScene)
        let drawing = EmojiArtController(document: EmojiArtDocument(fileURL: url))
        window.rootViewController = UINavigationController(rootViewController: drawing)
        window.makeKeyAndVisible()
        self.window = window
    }

    func sceneWillResignActive(_ scene: UIScene) {
        slideshow.isPaused = true
    }

    func sceneDidBecomeActive(_ scene: UIScene) {
        slideshow.isPaused = false
    }

    func sceneDidEnterBackground(_ scene: UIScene) {
        recents.save()
        // The task keeps the app running until the list is on disk; every path ends it.
        backgroundTask = UIApplication.shared.beginBackgroundTask { [weak self] in
            self?.endBackgroundTask()
        }
        let folder = FileManager.default.temporaryDirectory
        DispatchQueue.global(qos: .utility).async { [weak self, recents] in
            recents.writeList(to: folder)
            DispatchQueue.main.async { self?.endBackgroundTask() }
        }
    }

    private func endBackgroundTask() {
        guard backgroundTask != .invalid else { return }
        UIApplication.shared.endBackgroundTask(backgroundTask)
        backgroundTask = .invalid
    }
}

/// The scene of a draft, which forgets that it can be interrupted.
final class DraftSceneDelegate: UIResponder, UIWindowSceneDelegate {
    static let activityType = "org.example.emojiart.draft"

    var window: UIWindow?
    private let recents = RecentDrawings()
    private let slideshow = Slideshow()

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        guard let windowScene = scene as? UIWindowScene else { return }
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("Draft.emojiart")
        let window = UIWindow(windowScene: windowScene)
        let draft = LeakyDocumentController(document: EmojiArtDocument(fileURL: url))
        window.rootViewController = UINavigationController(rootViewController: draft)
        window.makeKeyAndVisible()
        self.window = window
    }

    func sceneWillResignActive(_ scene: UIScene) {
        // Nothing resumes it in sceneDidBecomeActive, so one phone call stops the show for good.
        slideshow.isPaused = true // expect: app_lifecycle_unbalanced
    }

    func sceneDidEnterBackground(_ scene: UIScene) {
        recents.save()
        let folder = FileManager.default.temporaryDirectory
        // The process may be suspended before the block runs, because no background task asks for time.
        DispatchQueue.global(qos: .utility).async { [recents] in // expect: background_work_unprotected
            recents.writeList(to: folder)
        }
    }
}

/// Steps through the drawings; the scene pauses and resumes it.
final class Slideshow {
    var isPaused = false
    private(set) var page = 0

    func advance() {
        if !isPaused { page += 1 }
    }
}
