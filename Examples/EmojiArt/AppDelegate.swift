import UIKit

/// Chooses the scene, and counts which emoji are used most.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private let usage = EmojiUsage()

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        usage.restore()
        return true
    }

    func application(
        _ application: UIApplication,
        configurationForConnecting session: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let isDraft = options.userActivities.contains { $0.activityType == DraftSceneDelegate.activityType }
        return UISceneConfiguration(name: isDraft ? "Draft" : "Drawing", sessionRole: session.role)
    }

    // UIKit tells only the scene delegate once Info.plist has a scene manifest, so the cache is never emptied.
    func applicationDidEnterBackground(_ application: UIApplication) { // expect: app_delegate_event_unreachable
        URLCache.shared.removeAllCachedResponses()
    }

    // A suspended app is killed without a word, so the counts of most runs are lost.
    func applicationWillTerminate(_ application: UIApplication) { // expect: save_only_in_will_terminate
        usage.save()
    }
}

/// How often each emoji was dropped, kept in the user defaults.
final class EmojiUsage {
    private var counts: [String: Int] = [:]

    func restore() {
        counts = UserDefaults.standard.dictionary(forKey: "emojiUsage") as? [String: Int] ?? [:]
    }

    func count(_ emoji: String) {
        counts[emoji, default: 0] += 1
    }

    func save() {
        UserDefaults.standard.set(counts, forKey: "emojiUsage")
    }
}

/// The drawings opened lately; the scene delegate saves them each time the app leaves the screen.
final class RecentDrawings {
    private var urls: [URL] = []

    func note(_ url: URL) {
        urls.removeAll { $0 == url }
        urls.insert(url, at: 0)
    }

    func save() {
        UserDefaults.standard.set(urls.map(\.path), forKey: "recentDrawings")
    }

    /// Slow; called on a background queue only.
    func writeList(to folder: URL) {
        let text = urls.map(\.lastPathComponent).joined(separator: "\n")
        try? text.write(to: folder.appendingPathComponent("recent.txt"), atomically: true, encoding: .utf8)
    }
}
