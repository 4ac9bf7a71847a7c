import Analysis
import Findings
import ProgramModel
import Replay
import RuleLibrary
import SwiftFrontEnd
import Testing

@testable import Simulation

/// What keeps the fixed point within its bounds on large classes, so that their places are decided.
@Suite struct DecidedPlacesTests {
    /// The verdicts on the class `A` of a text, as `line status reason`.
    private func verdicts(_ text: String, bounds: SimulationBounds = SimulationBounds()) -> [String] {
        study(text, bounds: bounds)?.verdicts.map { "\($0.site.span.start.line) \($0.status)" + ($0.reason.map { " \($0)" } ?? "") }.sorted() ?? ["no class A"]
    }

    /// What the states of the class `A` of a text show.
    private func study(_ text: String, bounds: SimulationBounds = SimulationBounds()) -> Simulation.Study? {
        let file = ProgramFile(path: "A.swift", facts: SwiftFrontEnd.facts(of: text), units: [0])
        let program = Analysis.link([file], units: [LinkUnit(name: "app")], library: AutomatonTests.library)
        return program.types.first { $0.name == "A" }.map {
            Simulation(Replay(program: program, library: AutomatonTests.library), bounds: bounds).study(of: $0.id)
        }
    }

    private static let add = "NotificationCenter.default.addObserver(self, selector: #selector(tick), name: .tick, object: nil)"
    private static let remove = "NotificationCenter.default.removeObserver(self, name: .tick, object: nil)"

    /// Twelve independent conditions: 4,096 ways where each is followed on each.
    private func questions(_ body: (Int) -> String) -> String { (0..<12).map { "if source.flag\($0) { \(body($0)) }" }.joined(separator: "\n") }

    @Test func conditionsThatOnlySetValuesAreJoined() {
        #expect(verdicts("""
            class A: UIViewController { var source: Source!
            override func viewWillAppear(_ a: Bool) { \(Self.add)
            var total = 0
            \(questions { "total += \($0)" })
            show(total) { [weak self] in self?.tick() } }
            override func viewWillDisappear(_ a: Bool) { \(Self.remove) }
            @objc func tick() {} }
            """) == ["2 refuted"])
    }

    @Test func waysThatLeadToTheSameStoreAreOne() {
        #expect(verdicts("""
            class A: UIViewController { var source: Source!; let label = UILabel()
            override func viewWillAppear(_ a: Bool) { \(Self.add)
            \(questions { _ in "view.addSubview(label)" }) }
            override func viewWillDisappear(_ a: Bool) { \(Self.remove) }
            @objc func tick() {} }
            """) == ["2 refuted"])
    }

    @Test func whatWasOnlyReadTellsNoStates() {
        /// The states where so many flags of something unknown are read on some ways.
        func states(_ count: Int) -> Int? {
            let reads = (0..<count).map { "if ask() { if source.flag\($0) { log { [weak self] in self?.tick() } } }" }.joined(separator: "\n")
            let file = ProgramFile(path: "A.swift", facts: SwiftFrontEnd.facts(of: """
                class A: UIViewController { var source: Source!
                override func viewWillAppear(_ a: Bool) { \(Self.add) }
                override func viewWillDisappear(_ a: Bool) { \(Self.remove) }
                override func viewDidAppear(_ a: Bool) { \(reads) }
                @objc func tick() { \(Self.remove) } }
                """), units: [0])
            let program = Analysis.link([file], units: [LinkUnit(name: "app")], library: AutomatonTests.library)
            guard let type = program.types.first(where: { $0.name == "A" }) else { return nil }
            return Simulation(Replay(program: program, library: AutomatonTests.library), fault: nil, first: .withoutAnswers).explored(type.id, goesOn: false).exploration?.nodes.count
        }
        #expect(states(1) != nil)
        #expect(states(1) == states(4))
    }

    @Test func whatOthersHaveAndEachEventMeetsAnewMakesNoStates() {
        let study = study("""
            class A: UIViewController { let app: App; let model: Model
            init(app: App, model: Model) { self.app = app; self.model = model; super.init(nibName: nil, bundle: nil) }
            override func viewWillAppear(_ a: Bool) { model.loader.start(); app.center.addObserver(self, selector: #selector(tick), name: .tick, object: nil) }
            override func viewWillDisappear(_ a: Bool) { app.center.removeObserver(self, name: .tick, object: nil) }
            @objc func tick() {} }
            protocol Model { var loader: Loader { get } }
            class Loader { let app: App
            init(app: App) { self.app = app }
            func start() { app.center.post(name: .tick, object: nil); app.tracker.track() } }
            class App { let center: NotificationCenter; let tracker: Tracker
            init(center: NotificationCenter, tracker: Tracker) { self.center = center; self.tracker = tracker } }
            class Tracker { var timer: Timer?
            func track() { timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in } } }
            """)
        #expect((study?.states).map { $0 < 100 } ?? false, "each appearance meets one more 'App', and another one says no more")
    }

    @Test func whatHappensOnAllWaysIsConfirmed() {
        #expect(verdicts("""
            class A: UIViewController { var source: Source!; let label = UILabel()
            override func viewWillAppear(_ a: Bool) {
            \(questions { _ in "view.addSubview(label)" })
            \(Self.add) }
            @objc func tick() {} }
            """) == ["15 confirmed"], "more ways than any number of runs takes, and none spares it")
        #expect(verdicts("""
            class A: UIViewController { var source: Source!; let label = UILabel()
            override func viewWillAppear(_ a: Bool) {
            \(questions { $0 == 11 ? "return" : "view.addSubview(label)" })
            \(Self.add) }
            @objc func tick() {} }
            """) == ["15 likely"], "the last of the twelve spares it")
    }

    @Test func whatIsFoundStandsThoughAMethodIsTooMuch() {
        // Only a view that a nib wakes adds one before somebody else calls; the call is too much to follow to its end.
        #expect(study("""
            class A: UIView { @IBOutlet weak var field: Field!
            override func awakeFromNib() { super.awakeFromNib(); configure() }
            func configure() { NotificationCenter.default.addObserver(self, selector: #selector(tick), name: UITextField.textDidChangeNotification, object: field) }
            func decorate(with theme: Theme) { configure()
            \((0..<4).map { "part\($0)?.tintColor = theme.color\($0)" }.joined(separator: "\n"))
            if let url = field.text?.address {}
            field.textColor = theme.text }
            @objc func tick() {} }
            """)?.findings.map(\.rule) == ["observer_unbalanced"])
    }

    @Test func waysThatLeadToDifferentStoresStayApart() {
        // The last of the twelve decides whether the observer is removed.
        let undecided = verdicts("""
            class A: UIViewController { var source: Source!; let label = UILabel(); var isLast = false
            override func viewWillAppear(_ a: Bool) { \(Self.add)
            \(questions { $0 == 11 ? "isLast = true" : "view.addSubview(label)" }) }
            override func viewWillDisappear(_ a: Bool) { if isLast { \(Self.remove) } }
            @objc func tick() {} }
            """)
        #expect(undecided == ["2 likely"])
    }

    @Test func aSwitchHasACaseForEveryValue() {
        #expect(verdicts("""
            class A: UIViewController { var source: Source!
            override func viewWillAppear(_ a: Bool) { \(Self.add) }
            override func viewWillDisappear(_ a: Bool) { switch source.kind {
            case .one: \(Self.remove)
            case .two: \(Self.remove) } }
            @objc func tick() {} }
            """) == ["2 refuted"])
    }

    @Test func aListOfConstantsIsKnownNotToHoldOthers() {
        #expect(verdicts("""
            class A: UIViewController { var names: [Notification.Name] = []
            override func viewWillAppear(_ a: Bool) { guard !names.contains(.tick) else { return }
            names.append(.tick)
            \(Self.add) }
            override func viewWillDisappear(_ a: Bool) { if names.contains(.tick) { \(Self.remove)
            names.removeAll() } }
            @objc func tick() {} }
            """) == ["4 refuted"])
    }

    @Test func whatNothingOfInterestFollowsNeedNotBeAsked() {
        #expect(verdicts("""
            class A: UIViewController { var source: Source!
            override func viewWillAppear(_ a: Bool) { \(Self.add)
            \(questions { _ in "return" }) }
            override func viewWillDisappear(_ a: Bool) { \(Self.remove) }
            @objc func tick() {} }
            """) == ["2 refuted"])
    }

    @Test func callsOnTheSDKAreNotThoseOfTheProjectByTheSameName() {
        // The list's `reloadData` is not the one below that adds an observer.
        #expect(verdicts("""
            class A: UITableViewController { var source: Source!
            override func viewWillAppear(_ a: Bool) { \(Self.add)
            \(questions { _ in "tableView.reloadData()" }) }
            override func viewWillDisappear(_ a: Bool) { \(Self.remove) }
            @objc func tick() {} }
            class Other: NSObject { @objc func tick() {}
            func reloadData() { \(Self.add) } }
            """) == ["2 refuted"])
    }

    @Test func aClassIsJudgedByItsOwnCodeWhereAllCodeIsTooMuch() {
        let text = """
            class A: UIViewController { var source: Source!; let helper = Helper()
            override func viewWillAppear(_ a: Bool) { \(Self.add)
            helper.work() }
            override func viewWillDisappear(_ a: Bool) { \(Self.remove) }
            @objc func tick() {} }
            class Helper: NSObject { var source: Source!; var tokens: [Any] = []
            func work() {
            \(questions { "tokens.append(NotificationCenter.default.addObserver(forName: .n\($0), object: nil, queue: nil) { _ in })" }) } }
            """
        #expect(verdicts(text).contains("2 refuted"))
        // What the helper acquires is the helper's to be judged.
        #expect(!verdicts(text).contains { $0.hasPrefix("8 refuted") })
    }

    @Test func aFamilyIsJudgedByItselfWhereTheClassIsTooMuch() {
        let names = (0..<12).map { "onEvent\($0)" }
        /// A class that keeps closures on 4,096 ways, which are nothing to its observer unless they are asked for.
        func text(_ condition: String) -> String {
            """
            class A: UIViewController { var source: Source!; var \(names.map { "\($0): (() -> Void)?" }.joined(separator: ", "))
            override func viewWillAppear(_ a: Bool) { \(Self.add)
            \(names.map { "if source.\($0) { \($0) = { [weak self] in self?.tick() } }" }.joined(separator: "\n")) }
            override func viewWillDisappear(_ a: Bool) { \(condition) \(Self.remove) }
            @objc func tick() {} }
            """
        }
        let bounds = SimulationBounds(mostSteps: 2_000)
        #expect(verdicts(text(""), bounds: bounds) == ["2 refuted"])
        #expect(verdicts(text("guard onEvent0 == nil else { return };"), bounds: bounds) == ["2 likely"])
    }

    @Test func aMethodThatIsTooMuchLeavesUndecidedOnlyWhatItMayTouch() {
        let found = verdicts("""
            class A: UIViewController { var source: Source!; var timer: Timer?
            override func viewWillAppear(_ a: Bool) { \(Self.add)
            timer = Timer.scheduledTimer(timeInterval: 1, target: self, selector: #selector(tick), userInfo: nil, repeats: true) }
            override func viewWillDisappear(_ a: Bool) { \(Self.remove)
            timer?.invalidate(); timer = nil }
            @objc func tick() {}
            @IBAction func tap() {
            \(questions { _ in "timer?.fire(); timer?.invalidate(); timer = nil" }) } }
            """, bounds: SimulationBounds(mostWays: 16))
        #expect(found.contains("2 refuted"))
        #expect(found.contains { $0.hasPrefix("3 ") && !$0.hasPrefix("3 refuted") })
    }

    @Test func whatAnUnknownObjectIsGivenAgainAndAgainIsMoreOfTheSame() {
        #expect(verdicts("""
            class A: UIViewController { var model: Model?; weak var other: Other?
            override func viewWillAppear(_ a: Bool) { \(Self.add)
            model?.onChange = { self.tick() }
            model?.helper = Helper(self)
            other?.model.any = Helper(self) }
            override func viewWillDisappear(_ a: Bool) { \(Self.remove) }
            @objc func tick() {} }
            class Model { var onChange: (() -> Void)?; var helper: Helper?; var any: AnyObject? }
            class Other { var model = Model() }
            class Helper { let owner: A; init(_ owner: A) { self.owner = owner } }
            """) == ["2 refuted"])
    }

    @Test func placesThatShareAFindingAreNotRefuted() {
        let other = Self.add.replacing(".tick,", with: ".tock,")
        #expect(verdicts("""
            class A: UIViewController {
            override func viewWillAppear(_ a: Bool) { \(Self.add)
            \(other) }
            @objc func tick() {} }
            """) == ["2 confirmed", "3 confirmed"])
    }

    @Test func howOftenDoesNotMatterWhereAgainAndAgainIsFine() {
        #expect(verdicts("""
            class A: UIViewController {
            func start() { \(Self.remove); \(Self.add) }
            override func viewWillDisappear(_ a: Bool) { \(Self.remove) }
            @objc func tick() {} }
            """).allSatisfy { !$0.contains("how often") })
        #expect(verdicts("""
            class A: UIViewController {
            func start() { \(Self.add) }
            override func viewWillDisappear(_ a: Bool) { \(Self.remove) }
            @objc func tick() {} }
            """).allSatisfy { $0.hasPrefix("2 unconfirmed") })
    }
}
