import UIKit

/// Hands each window to the scene delegate.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private(set) var launchDate: Date?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        launchDate = Date()
        return true
    }

    func application(
        _ application: UIApplication,
        configurationForConnecting session: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        UISceneConfiguration(name: "Game", sessionRole: session.role)
    }
}

/// The pictures on the back of the cards and the name under which a player knows them.
struct Theme {
    let name: String
    let emojis: [String]

    static let all = [
        Theme(name: "Sports", emojis: "⚽️🏀🏈🎾🏐🏉🎱🏓".map(String.init)),
        Theme(name: "Animals", emojis: "🐶🐱🐭🦊🐻🐼🐸🐵".map(String.init)),
        Theme(name: "Faces", emojis: "😀😂🥰😎🤓😴🥶🤠".map(String.init)),
    ]

    /// The theme of that name, nil for a name that no theme has.
    static func named(_ name: String?) -> Theme? {
        all.first { $0.name == name }
    }
}
