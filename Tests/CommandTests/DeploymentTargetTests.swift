import Foundation
import Testing

@testable import lifelint

/// What findings weigh on the oldest systems that the code runs on.
@Suite struct DeploymentTargetTests {
    private static let keeper = """
        final class ScoreKeeper {
            init() {
                NotificationCenter.default.addObserver(self, selector: #selector(count), name: .goal, object: nil)
            }

            @objc private func count() {}
        }
        """
    private static let list = """
        @interface ListController : UIViewController <UITableViewDelegate>
        @property (nonatomic, strong) UITableView *table;
        @end
        @implementation ListController
        - (void)viewDidLoad {
            [super viewDidLoad];
            self.table.delegate = self;
        }
        @end
        """

    /// The severities and messages of what one rule says with some flags.
    private func findings(_ rule: String, _ files: [String: String], _ flags: [String] = []) throws -> [(severity: String, message: String)] {
        try withFiles(files.mapValues { Array($0.utf8) }) { folder in
            Run.lint([folder], ["--only-rule", rule] + flags).findings.map { ($0["severity"] as? String ?? "", $0["message"] as? String ?? "") }
        }
    }

    @Test(arguments: [([], "note"), (["--deployment-target", "iOS=9.0"], "note"), (["--deployment-target", "iOS=8.4"], "warning"), (["--deployment-target", "osx=10.10"], "warning")] as [([String], String)])
    func anObserverThatStaysWeighsMoreOnOldSystems(_ pair: (flags: [String], severity: String)) throws {
        let found = try findings("observer_not_removed", ["A.swift": Self.keeper], pair.flags)
        #expect(found.map(\.severity) == [pair.severity])
        #expect(found.allSatisfy { $0.message.contains("the deployment target is") == (pair.severity == "warning") })
    }

    @Test func aClassOfUIKitDoesNotRunOnOldMacs() throws {
        let screen = Self.keeper.replacingOccurrences(of: "class ScoreKeeper {\n    init() {", with: "class ScoreController: UIViewController {\n    override func viewDidLoad() {\n        super.viewDidLoad()")
        #expect(screen.contains("UIViewController"))
        #expect(try findings("observer_not_removed", ["A.swift": screen], ["--deployment-target", "osx=10.10"]).map(\.severity) == ["note"])
        #expect(try findings("observer_not_removed", ["A.swift": screen], ["--deployment-target", "iOS=8.4"]).map(\.severity) == ["warning"])
    }

    @Test func theProjectSaysWhatNoFlagSays() throws {
        let files = ["A.swift": Self.keeper, "Podfile": "platform :ios, '8.0'\n"]
        #expect(try findings("observer_not_removed", files).map(\.severity) == ["warning"])
        #expect(try findings("observer_not_removed", files, ["--deployment-target", "iOS=12.0"]).map(\.severity) == ["note"])
    }

    @Test func delegatesOfTheSDKPointedBeforeTheyWereWeak() throws {
        #expect(try findings("delegate_not_cleared", ["A.m": Self.list]).isEmpty)
        let old = try findings("delegate_not_cleared", ["A.m": Self.list], ["--deployment-target", "iOS=8.0"])
        #expect(old.count == 1 && old.allSatisfy { $0.message.contains("weak since iOS 9.0") })
    }

    /// In Swift only of what belongs to somebody else: an object's own views go with it.
    @Test func delegatesOfWhatOnlyIsKnownPointedBeforeTheyWereWeak() throws {
        let former = """
            final class Former: NSObject, UITableViewDelegate {
                private weak var tableView: UITableView?
                init(tableView: UITableView) {
                    super.init()
                    self.tableView = tableView
                    self.tableView?.delegate = self
                }
            }
            """
        #expect(try findings("delegate_not_cleared", ["A.swift": former]).isEmpty)
        #expect(try findings("delegate_not_cleared", ["A.swift": former], ["--deployment-target", "iOS=8.0"]).map(\.severity) == ["note"])
        let own = former.replacingOccurrences(of: "weak var", with: "var")
        #expect(try findings("delegate_not_cleared", ["A.swift": own], ["--deployment-target", "iOS=8.0"]).isEmpty)
    }

    /// A list that is made in a local and kept in a variable; its class declares the delegate again.
    private static let ownList = """
        @interface WideList : UITableView
        @property (nonatomic, weak) id<UITableViewDelegate> delegate;
        @end
        @interface ListController : UIViewController
        @end
        @implementation ListController { WideList *_list; }
        - (void)viewDidLoad {
            [super viewDidLoad];
            WideList *list = [[WideList alloc] initWithFrame:self.view.bounds];
            list.delegate = self;
            _list = list;
        }
        - (void)dealloc {
            CLEAR
        }
        @end
        """

    @Test(arguments: [("", 1), ("_list.delegate = nil;", 0)]) func aPropertyThatIsDeclaredAgainIsStillTheSDKs(_ pair: (clearing: String, count: Int)) throws {
        let code = Self.ownList.replacing("CLEAR", with: pair.clearing)
        #expect(try findings("delegate_not_cleared", ["A.m": code], ["--deployment-target", "iOS=8.0"]).count == pair.count)
        #expect(try findings("delegate_not_cleared", ["A.m": code]).isEmpty)
    }

    @Test(arguments: ["iOS", "iOS=", "iOS=nine", "BeOS=5.0", "=9.0", "iOS=9.0=1"])
    func aTargetThatIsNoneIsRefused(_ value: String) {
        #expect(throws: Arguments.Misuse.self) { try Arguments.parse(["--deployment-target", value]) }
    }
}
