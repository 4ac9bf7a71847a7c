import Analysis
import Findings
import ProgramModel
import Testing

/// What nothing in an app names does not run, and what goes wrong in it is a note.
@Suite struct UnnamedClassTests {
    private static let app = """
        @main final class AppDelegate: UIResponder, UIApplicationDelegate {
            var window: UIWindow?
        }
        """
    private static let screen = """
        class Screen: UIViewController {
            private var timer: Timer?
            override func viewDidLoad() {
                super.viewDidLoad()
                timer = Timer.scheduledTimer(timeInterval: 1, target: self, selector: #selector(tick), userInfo: nil, repeats: true)
            }
            @objc private func tick() {}
        }
        """

    private func severity(_ files: [String], resources: ProjectResources = ProjectResources()) -> [Severity] {
        let named = files.enumerated().map { (path: "File\($0).swift", text: $1) }
        return InlineLint.report(named, resources: resources, selection: RuleSelection(only: ["timer_not_invalidated"])).findings.map(\.finding.severity)
    }

    @Test func whatNothingNamesIsANote() {
        #expect(severity([Self.app, Self.screen]) == [.note])
        #expect(severity([Self.app, Self.screen, "// A Screen is shown later."]) == [.note])
        #expect(severity([Self.app, Self.screen, "extension Screen { static func make() -> Screen { Screen() } }"]) == [.note])
    }

    @Test func whoIsGivenOneMakesNone() {
        #expect(severity([Self.app, Self.screen, "protocol ScreenDelegate: AnyObject {\n    func screenDidClose(_ screen: Screen)\n}"]) == [.note])
        #expect(severity([Self.app, Self.screen, "func show(\n    _ screen: Screen\n) {\n    present(Screen())\n}"]) == [.warning])
        #expect(severity([Self.app, Self.screen, "func show(_ screen: Screen) { present(Screen()) }"]) == [.warning])
    }

    @Test func whatTheContractAsksForIsOwedAllTheSame() {
        let screen = "final class Screen: UIViewController { override func viewWillAppear(_ animated: Bool) {} }"
        let report = InlineLint.report([("App.swift", Self.app), ("Screen.swift", screen)], selection: RuleSelection(only: ["missing_super_call"]))
        #expect(report.findings.map(\.finding.severity) == [.warning])
    }

    @Test func anyUseOfTheNameCounts() {
        #expect(severity([Self.app, Self.screen, "func show() { present(Screen()) }"]) == [.warning])
        #expect(severity([Self.app, Self.screen, "let name = \"Screen\""]) == [.warning])
        #expect(severity([Self.app, Self.screen, "final class Sub: Screen {}", "func show() { present(Sub()) }"]) == [.warning])
        #expect(severity([Self.app, Self.screen, "func make(_ name: String) -> AnyClass? { NSClassFromString(name) }"]) == [.warning])
        #expect(severity([Self.app, Self.screen, "final class Sub: Screen {}"]) == [.note])
    }

    @Test func librariesAndWhatIsUnknownAreNotJudged() {
        #expect(severity([Self.screen]) == [.warning])
        #expect(severity([Self.app, "public " + Self.screen]) == [.warning])
        #expect(severity([Self.app, "@objc(PlayerScreen) " + Self.screen]) == [.warning])
        #expect(severity([Self.app, Self.screen, "let board = UIStoryboard(name: \"Main\", bundle: nil)"]) == [.warning])
        #expect(severity([Self.app, Self.screen], resources: ProjectResources(areInterfacesWhole: false)) == [.warning])
    }

    @Test func storyboardsAndPropertyListsName() {
        var list = PropertyListFacts()
        list.classNames = ["Screen"]
        #expect(severity([Self.app, Self.screen], resources: ProjectResources(configurations: [0: UnitConfiguration(propertyLists: [list], isWhole: true)])) == [.warning])
    }

    @Test func theMessageSaysWhy() {
        let report = InlineLint.report([("App.swift", Self.app), ("Screen.swift", Self.screen)], selection: RuleSelection(only: ["timer_not_invalidated"]))
        #expect(report.findings.first?.finding.message.hasSuffix("nothing in the app names 'Screen', so this code does not run as it stands") ?? false)
    }
}
