import UIKit

/// Gives all pictures one cache on disk.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        URLCache.shared = URLCache(memoryCapacity: 32 << 20, diskCapacity: 256 << 20)
        return true
    }

    func application(
        _ application: UIApplication,
        configurationForConnecting session: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        UISceneConfiguration(name: "Pictures", sessionRole: session.role)
    }
}

/// A picture that can be fetched.
struct SpacePicture {
    let name: String
    let url: URL

    static let all = ["Saturn", "Titan", "Enceladus", "Rings"].compactMap { name in
        URL(string: "https://example.org/\(name.lowercased()).jpg").map { SpacePicture(name: name, url: $0) }
    }
}

/// Fetches pictures off the main thread and answers on it.
struct PictureFetcher {
    func fetch(_ url: URL, completion: @escaping (UIImage?) -> Void) {
        URLSession.shared.dataTask(with: url) { data, _, _ in
            // Decoding may happen here: UIImage is safe on any thread.
            let image = data.flatMap(UIImage.init(data:))
            DispatchQueue.main.async { completion(image) }
        }.resume()
    }
}
