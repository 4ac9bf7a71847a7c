import Analysis
import Findings
import ProgramModel
import ResourceFiles
import Testing

/// What keeps a screen that stays as long as the app costs nothing, and is a note; what keeps one that goes is a leak.
@Suite struct RootScreenTests {
    /// A controller that is never freed, for it keeps a closure that captures it.
    private static func screen(_ name: String, base: String = "UIViewController", more: String = "") -> String {
        """
        final class \(name): \(base) {
            private var reload: (() -> Void)?
            override func viewDidLoad() {
                super.viewDidLoad()
                reload = { self.title = "loaded" }
                \(more)
            }
        }
        """
    }

    private static func app(_ launch: String, more: String = "") -> String {
        """
        @main final class AppDelegate: UIResponder, UIApplicationDelegate {
            var window: UIWindow?
            func application(_ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {
                \(launch)
                return true
            }
            \(more)
        }
        """
    }

    private func severity(_ files: [String], storyboard: String? = nil) throws -> [Severity] {
        let named = files.enumerated().map { (path: "File\($0).swift", text: $1) }
        let interfaces = try storyboard.map { text in
            [ProjectResources.Interface(path: "Main.storyboard", facts: try InterfaceReader.facts(of: Array(text.utf8)).get())]
        } ?? []
        let resources = ProjectResources(interfaces: interfaces)
        return InlineLint.report(named, resources: resources, selection: RuleSelection(only: ["closure_retains_controller"])).findings.map(\.finding.severity)
    }

    @Test func theRootOfTheWindowStays() throws {
        let screen = Self.screen("Home")
        #expect(try severity([Self.app("window?.rootViewController = UINavigationController(rootViewController: Home())"), screen]) == [.note])
        #expect(try severity([Self.app("showRoot()", more: "private func showRoot() { let home = Home(); window?.rootViewController = home }"), screen]) == [.note])
    }

    @Test func aRootThatIsReplacedGoes() throws {
        let screen = Self.screen("Home")
        let launch = "window?.rootViewController = Home()"
        #expect(try severity([Self.app(launch), screen, "func logOut(_ window: UIWindow) { window.rootViewController = UIViewController() }"]) == [.warning])
        #expect(try severity([Self.app(launch, more: "func show() { window?.rootViewController?.present(Home(), animated: true) }"), screen]) == [.warning])
        #expect(try severity([Self.app("", more: "func showRoot() { window?.rootViewController = Home() }"), screen, "func logIn(_ app: AppDelegate) { app.showRoot() }"]) == [.warning])
        #expect(try severity([Self.app("showRoot()", more: "func showRoot() { window?.rootViewController = Home() }"), screen, "func logIn(_ app: AppDelegate) { app.showRoot() }"]) == [.warning])
    }

    /// What a screen makes, shows and does not keep is left behind each time anew, however long the screen stays.
    @Test(arguments: [("let picker = Picker()", Severity.warning), ("picker = Picker()", Severity.note)])
    func whatTheRootMakesAndLeavesIsALeak(_ pair: (making: String, severity: Severity)) throws {
        let picker = "final class Picker: UIViewController { var onPick: (() -> Void)? }"
        let home = """
            final class Home: UIViewController {
                private lazy var picker = Picker()
                override func viewDidLoad() {
                    super.viewDidLoad()
                    \(pair.making)
                    picker.onPick = { picker.dismiss(animated: true) }
                    present(picker, animated: true)
                }
            }
            """
        #expect(try severity([Self.app("window?.rootViewController = Home()"), picker, home]) == [pair.severity])
    }

    @Test func whatTheRootContainsStays() throws {
        let launch = Self.app("window?.rootViewController = Tabs()")
        let tabs = """
            final class Tabs: UITabBarController {
                override func viewDidLoad() {
                    super.viewDidLoad()
                    viewControllers = [UINavigationController(rootViewController: Home())]
                }
            }
            """
        #expect(try severity([launch, tabs, Self.screen("Home")]) == [.note])
        #expect(try severity([launch, tabs, Self.screen("Home"), "func open(_ from: UIViewController) { from.show(Home(), sender: nil) }"]) == [.warning])
        #expect(try severity([launch, tabs, Self.screen("Home", more: "navigationController?.pushViewController(Detail(), animated: true)"), Self.screen("Detail")]) == [.note, .warning])
        #expect(try severity([launch, tabs, "class Base: UIViewController {}", Self.screen("Home", base: "Base")]) == [.note])
        let container = """
            final class Tabs: UIViewController {
                override func viewDidLoad() { super.viewDidLoad(); addChild(Home()) }
                func close() { children.first?.removeFromParent() }
            }
            """
        #expect(try severity([launch, container, Self.screen("Home")]) == [.warning])
        #expect(try severity([launch, container.replacing("func close() { children.first?.removeFromParent() }", with: ""), Self.screen("Home")]) == [.note])
    }

    @Test func whatTheRootHandsToTheMethodThatTakesChildrenStays() throws {
        let launch = Self.app("window?.rootViewController = Tabs()")
        func tabs(_ helper: String) -> String {
            """
            final class Tabs: UITabBarController {
                override func viewDidLoad() {
                    super.viewDidLoad()
                    let home = Home()
                    add(home, title: "Home")
                }
                private func add(_ child: UIViewController, title: String) { \(helper) }
            }
            """
        }
        #expect(try severity([launch, tabs("addChild(UINavigationController(rootViewController: child))"), Self.screen("Home")]) == [.note])
        #expect(try severity([launch, tabs("take(child) }; private func take(_ child: UIViewController) { viewControllers = (viewControllers ?? []) + [child]"), Self.screen("Home")]) == [.note])
        #expect(try severity([launch, tabs("child.title = title"), Self.screen("Home")]) == [.warning])
        #expect(try severity([launch, tabs("addChild(child); present(child, animated: true)"), Self.screen("Home")]) == [.warning])
    }

    @Test func viewsOfARootStay() throws {
        let bar = """
            final class PlayerBar: UIView {
                private var reload: (() -> Void)?
                override init(frame: CGRect) {
                    super.init(frame: frame)
                    reload = { self.setNeedsLayout() }
                }
            }
            """
        let launch = Self.app("window?.rootViewController = Home()")
        #expect(try severity([launch, "final class Home: UIViewController { private let bar = PlayerBar() }", bar]) == [.note])
        #expect(try severity([launch, "final class Home: UIViewController { private var bar: PlayerBar? = PlayerBar(); func end() { bar = nil } }", bar]) == [.warning])
        #expect(try severity([launch, "final class Home: UIViewController { func add() { view.addSubview(PlayerBar()) } }", bar]) == [.warning])
    }

    @Test func whatARootMakesOnceStays() throws {
        let model = """
            final class Model {
                private var reload: (() -> Void)?
                init() { reload = { self.load() } }
                func load() {}
            }
            """
        let launch = Self.app("window?.rootViewController = Home()")
        func home(_ member: String) -> String { "final class Home: UIViewController { private var model: Model?\n \(member) { model = Model() } }" }
        #expect(try severity([launch, home("override func viewDidLoad()"), model]) == [.note])
        #expect(try severity([launch, home("@IBAction func open()"), model]) == [.warning])
    }

    private static func storyboard(segue: String = "", identifier: String = "") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" initialViewController="tab">
          <scenes>
            <scene sceneID="s1"><objects>
              <tabBarController id="tab" sceneMemberID="viewController">
                <connections><segue destination="home" kind="relationship" relationship="viewControllers" id="r1"/></connections>
              </tabBarController>
            </objects></scene>
            <scene sceneID="s2"><objects>
              <viewController id="home" customClass="Home" \(identifier) sceneMemberID="viewController">
                <connections><segue destination="detail" kind="show" id="r2"/></connections>
              </viewController>
            </objects></scene>
            <scene sceneID="s3"><objects>
              <viewController id="detail" customClass="Detail" sceneMemberID="viewController">
                <connections>\(segue)</connections>
              </viewController>
            </objects></scene>
          </scenes>
        </document>
        """
    }

    @Test func theFirstScenesOfTheMainStoryboardStay() throws {
        let home = [Self.app(""), Self.screen("Home")]
        #expect(try severity(home, storyboard: Self.storyboard()) == [.note])
        #expect(try severity([Self.app(""), Self.screen("Detail")], storyboard: Self.storyboard()) == [.warning])
        #expect(try severity(home, storyboard: Self.storyboard(segue: #"<segue destination="home" kind="show" id="r3"/>"#)) == [.warning])
        #expect(try severity(home + ["func logOut(_ window: UIWindow) { window.rootViewController = UIViewController() }"], storyboard: Self.storyboard()) == [.warning])
        let identified = Self.storyboard(identifier: #"storyboardIdentifier="Home""#)
        #expect(try severity(home, storyboard: identified) == [.note])
        #expect(try severity(home + [#"func make(_ board: UIStoryboard) -> UIViewController { board.instantiateViewController(withIdentifier: "Home") }"#], storyboard: identified) == [.warning])
    }

    @Test(arguments: [("", Severity.note), ("deinit { print(\"gone\") }", .warning)])
    func whatIsLeftBehindMattersToAClassThatEnds(_ pair: (end: String, severity: Severity)) {
        let home = """
            final class Home: UIViewController {
                private let model = Model()
                override func viewDidLoad() {
                    super.viewDidLoad()
                    model.addObserver(self, forKeyPath: "name", options: [], context: nil)
                }
                \(pair.end)
            }
            final class Model: NSObject { @objc dynamic var name = "" }
            """
        let files = [(path: "App.swift", text: Self.app("window?.rootViewController = Home()")), (path: "Home.swift", text: home)]
        let report = InlineLint.report(files, selection: RuleSelection(only: ["kvo_not_removed"]))
        #expect(report.findings.map(\.finding.severity) == [pair.severity])
    }

    @Test func theMessageSaysWhy() {
        let files = [(path: "App.swift", text: Self.app("window?.rootViewController = Home()")), (path: "Home.swift", text: Self.screen("Home"))]
        let report = InlineLint.report(files, selection: RuleSelection(only: ["closure_retains_controller"]))
        #expect(report.findings.first?.finding.message.hasSuffix("the one 'Home' is kept as long as the app runs anyway, so nothing is lost") ?? false)
    }

    /// What the sample of a library keeps for good, other apps that use the library may let go.
    @Test func aSampleIsNotAllWhoUseALibrary() {
        let store = """
        import Foundation

        final class CloudStore {
            private var token: NSObjectProtocol?
            init() {
                token = NotificationCenter.default.addObserver(forName: .init("changed"), object: nil, queue: .main) { _ in self.refresh() }
            }
            func refresh() {}
            deinit { token.map(NotificationCenter.default.removeObserver) }
        }
        """
        func rules(appIn folder: String) -> [String] {
            let files = [("Sources/CloudStore.swift", store), ("\(folder)/AppDelegate.swift", Self.app("", more: "let store = CloudStore()"))]
            return InlineLint.report(files, selection: RuleSelection(only: ["closure_retains_controller"])).findings.filter { $0.finding.severity != .note }.map(\.finding.rule)
        }
        #expect(rules(appIn: "Examples/Shop") == ["closure_retains_controller"])
        #expect(rules(appIn: "Shop") == [])
    }
}
