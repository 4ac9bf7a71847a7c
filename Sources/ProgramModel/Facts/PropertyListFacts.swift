/// What an Info.plist says.
public struct PropertyListFacts: Hashable, Sendable {
    /// `UIApplicationSceneManifest`.
    public struct SceneManifest: Hashable, Sendable {
        /// The names of the scene delegates' classes, without their modules.
        public let delegates: [String]
        /// The storyboards of the scenes.
        public let storyboards: [String]

        /// Makes a manifest.
        public init(delegates: [String] = [], storyboards: [String] = []) {
            self.delegates = delegates
            self.storyboards = storyboards
        }
    }

    /// The keys at its top.
    public var keys: Set<String> = []
    public var sceneManifest: SceneManifest?
    /// The orientations by key: `UISupportedInterfaceOrientations`, and the same with `~ipad` or `~iphone`.
    public var orientations: [String: [String]] = [:]

    /// The orientations that the list gives a device, `iphone` or `ipad`; nil where it says nothing of them.
    public func orientations(of device: String) -> [String]? {
        orientations["UISupportedInterfaceOrientations~\(device)"] ?? orientations["UISupportedInterfaceOrientations"]
    }
    /// 1 iPhone, 2 iPad, 3 television, 4 watch, 6 Mac; nil where it does not say.
    public var deviceFamilies: Set<Int>?
    /// The classes that it names under any key, without their modules.
    public var classNames: Set<String> = []
    public var backgroundModes: [String] = []
    /// The storyboards that the app begins with, those of scenes left out.
    public var mainStoryboards: [String] = []
    /// `APPL`, `FMWK`, `XPC!` …; nil where it does not say, or where the build fills it in.
    public var packageType: String?
    /// Whether it belongs to an extension of an app.
    public var isExtension = false
    /// The keys whose values the build fills in.
    public var filledInKeys: Set<String> = []

    /// Makes the facts of a list that says nothing.
    public init() {}
}
