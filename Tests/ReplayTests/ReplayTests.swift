import Analysis
import Findings
import ProgramModel
import Replay
import RuleLibrary
import Simulation
import SwiftFrontEnd
import Testing

/// What the runs of small controllers show.
@Suite struct ReplayTests {
    /// The findings on the class `A` of a text, as `line rule status`.
    private func findings(_ text: String) -> [String] {
        let file = ProgramFile(path: "A.swift", facts: SwiftFrontEnd.facts(of: text), units: [0])
        let program = Analysis.link([file], units: [LinkUnit(name: "app")], library: AutomatonTests.library)
        guard let type = program.types.first(where: { $0.name == "A" }) else { return ["no class A"] }
        return Replay(program: program, library: AutomatonTests.library).findings(of: type.id).map { "\($0.span.start.line) \($0.rule) \($0.status)" }
    }

    private func controller(_ members: String) -> [String] {
        findings("class A: UIViewController {\n\(members)\n}")
    }

    @Test func observerAddedOnEveryAppearance() {
        let add = "NotificationCenter.default.addObserver(self, selector: #selector(tick), name: .tick, object: nil)"
        #expect(controller("override func viewWillAppear(_ a: Bool) { \(add) }") .contains("2 observer_unbalanced confirmed"))
        #expect(controller("""
            override func viewWillAppear(_ a: Bool) { \(add) }
            override func viewWillDisappear(_ a: Bool) { NotificationCenter.default.removeObserver(self) }
            """) == [])
        #expect(controller("""
            override func viewWillAppear(_ a: Bool) { listen() }
            func listen() { NotificationCenter.default.removeObserver(self, name: .tick, object: nil); \(add) }
            deinit { NotificationCenter.default.removeObserver(self) }
            """) == [])
        #expect(controller("override func viewDidLoad() { \(add) }\ndeinit { NotificationCenter.default.removeObserver(self) }") == [])
    }

    /// The findings of both engines on a cell, which must not differ.
    private func cell(_ members: String) -> Set<String> {
        let text = "class A: UITableViewCell {\n\(members)\n@objc func tick() {}\n}"
        let file = ProgramFile(path: "A.swift", facts: SwiftFrontEnd.facts(of: text), units: [0])
        let program = Analysis.link([file], units: [LinkUnit(name: "app")], library: AutomatonTests.library)
        let replay = Replay(program: program, library: AutomatonTests.library)
        let enumerated = Set(findings(text))
        #expect(Set(Simulation(replay).study(of: program.types[0].id).findings.map { "\($0.span.start.line) \($0.rule) \($0.status)" }) == enumerated)
        return enumerated
    }

    @Test func cellsArePreparedForEachUse() {
        let add = "NotificationCenter.default.addObserver(self, selector: #selector(tick), name: .tick, object: nil)"
        let remove = "NotificationCenter.default.removeObserver(self, name: .tick, object: nil)"
        #expect(cell("func configure(with name: String) { \(add) }") == ["2 observer_unbalanced likely"])
        #expect(cell("func setup() { start() }\nprivate func start() { \(add) }") == ["3 observer_unbalanced likely"])
        // Nobody prepares a cell by a method of another name, and not twice for one use.
        #expect(cell("func listen() { \(add) }") == ["2 observer_not_removed likely"])
        #expect(cell("func configure() { \(add) }\noverride func prepareForReuse() { super.prepareForReuse(); \(remove) }\ndeinit { \(remove) }") == [])
        #expect(cell("func configure() { \(remove); \(add) }\ndeinit { \(remove) }") == [])
    }

    @Test func observerDeafAfterComingBack() {
        #expect(controller("""
            override func viewDidLoad() { NotificationCenter.default.addObserver(self, selector: #selector(tick), name: .tick, object: nil) }
            override func viewDidDisappear(_ a: Bool) { NotificationCenter.default.removeObserver(self, name: .tick, object: nil) }
            """) == ["3 observer_unbalanced confirmed"])
    }

    @Test func timers() {
        let start = "Timer.scheduledTimer(timeInterval: 1, target: self, selector: #selector(tick), userInfo: nil, repeats: true)"
        #expect(controller("var timer: Timer?\noverride func viewDidLoad() { timer = \(start) }\ndeinit { timer?.invalidate() }") == ["3 timer_retains_controller confirmed"])
        #expect(controller("var timer: Timer?\noverride func viewDidLoad() { timer = \(start) }") == ["3 timer_not_invalidated confirmed"])
        #expect(controller("""
            var timer: Timer?
            override func viewWillAppear(_ a: Bool) { timer = \(start) }
            override func viewWillDisappear(_ a: Bool) { timer?.invalidate(); timer = nil }
            """) == [])
        #expect(controller("""
            var timer: Timer?
            override func viewWillAppear(_ a: Bool) { timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { [weak self] t in
                guard let self else { t.invalidate(); return }
                self.tick() } }
            override func viewWillDisappear(_ a: Bool) { stop() }
            func stop() { timer?.invalidate() }
            """) == [])
        #expect(controller("""
            var timer: Timer?
            override func viewWillAppear(_ a: Bool) { timer = \(start) }
            override func viewDidDisappear(_ a: Bool) { timer?.invalidate() }
            """).contains("3 timer_rescheduled confirmed"), "a cancelled pop appears again without a disappearance")
    }

    @Test func tokens() {
        let add = "NotificationCenter.default.addObserver(forName: .tick, object: nil, queue: .main) { [weak self] _ in self?.tick() }"
        #expect(controller("override func viewDidLoad() { _ = \(add) }").contains("2 observation_token_discarded confirmed"))
        #expect(controller("var token: Any?\noverride func viewDidLoad() { token = \(add) }") == ["3 observation_token_not_removed confirmed"])
        #expect(controller("""
            var tokens: [NSObjectProtocol] = []
            override func viewDidLoad() { tokens.append(\(add)); tokens += [\(add)] }
            deinit { tokens.forEach { NotificationCenter.default.removeObserver($0) } }
            """) == [])
        #expect(controller("var c: AnyCancellable?\noverride func viewDidLoad() { let x = subject.sink { _ in } }").contains("3 observation_token_discarded confirmed"))
        #expect(controller("var bag = Set<AnyCancellable>()\noverride func viewDidLoad() { subject.sink { [weak self] _ in self?.tick() }.store(in: &bag) }") == [])
    }

    @Test func closuresThatHoldTheirHolder() {
        #expect(controller("var bag = Set<AnyCancellable>()\noverride func viewDidLoad() { subject.sink { _ in self.tick() }.store(in: &bag) }\nfunc tick() {}")
            == ["3 closure_retains_controller confirmed"])
    }

    /// What a controller that lives as long as the app keeps is no leak; what its actions leave behind at each call is one.
    @Test func circlesBesideAnObjectThatLivesAsLongAsTheApp() {
        func findings(_ closure: String) -> [String] {
            self.findings("""
                class A: UIViewController { let button = UIButton(); var kept: Picker?
                override func viewDidLoad() { button.addTarget(self, action: #selector(pick), for: .touchUpInside) }
                @objc func pick() { let picker = Picker()
                \(closure)
                present(picker, animated: true) } }
                class Picker: UIViewController { var done: (() -> Void)? }
                class AppDelegate: UIResponder, UIApplicationDelegate { let screen = A() }
                """)
        }
        #expect(findings("picker.done = { picker.dismiss(animated: true) }") == ["4 closure_retains_controller confirmed"])
        #expect(findings("picker.done = { [weak picker] in picker?.dismiss(animated: true) }") == [])
        #expect(findings("kept = picker; picker.done = { self.dismiss(animated: true) }") == [])
    }

    @Test func keyValueObserving() {
        #expect(controller("""
            let player = AVPlayer()
            override func viewDidLoad() { player.addObserver(self, forKeyPath: "rate", options: [], context: nil) }
            override func viewWillDisappear(_ a: Bool) { player.removeObserver(self, forKeyPath: "rate") }
            """).contains("4 kvo_unbalanced confirmed"))
        #expect(controller("""
            let player = AVPlayer()
            override func viewDidLoad() { player.addObserver(self, forKeyPath: "rate", options: [], context: nil) }
            deinit { player.removeObserver(self, forKeyPath: "rate") }
            """) == [])
    }

    /// Code without end is bounded.
    @Test func boundsHold() {
        #expect(controller("override func viewDidLoad() { viewDidLoad(); subject.sink { _ in } }") == ["2 observation_token_discarded unconfirmed"])
        #expect(controller("override func viewDidLoad() { while true { x.sink { _ in } } }\nlazy var y: Int = { y }()") != ["hang"])
    }

    /// What nobody inside calls is called once from outside; what nobody inside runs may release from outside.
    @Test func outsideCallers() {
        let start = "Timer.scheduledTimer(timeInterval: 1, target: self, selector: #selector(tick), userInfo: nil, repeats: true)"
        #expect(controller("var timer: Timer?\nfunc start() { timer = \(start) }") == ["3 timer_not_invalidated likely"])
        #expect(controller("var timer: Timer?\nfunc start() { timer = \(start) }\nfunc stop() { timer?.invalidate() }") == [])
        #expect(controller("var timer: Timer?\nfunc start() { timer = \(start) }\ndeinit { stop() }\nprivate func stop() { timer?.invalidate() }")
            == ["3 timer_retains_controller likely"])
        #expect(findings("class A { var t: Any?\n func go() { t = NotificationCenter.default.addObserver(forName: .x, object: nil, queue: nil) { _ in } } }")
            == ["2 observation_token_not_removed likely"])
    }

    /// A class of the SDK that the project extends is run with the extension's members; what is associated with it is a field of it.
    @Test func extensionsOfTheSDK() {
        func findings(_ members: String) -> [String] {
            let file = ProgramFile(path: "A.swift", facts: SwiftFrontEnd.facts(of: "extension UIViewController {\n\(members)\n}"), units: [0])
            let program = Analysis.link([file], units: [LinkUnit(name: "app")], library: AutomatonTests.library)
            let replay = Replay(program: program, library: AutomatonTests.library)
            return program.extendedTypes.flatMap { replay.findings(of: $0.id) }.map { "\($0.span.start.line) \($0.rule) \($0.status)" }
        }
        let add = "NotificationCenter.default.addObserver(forName: .x, object: nil, queue: nil) { _ in }"
        #expect(findings("func watch() { _ = \(add) }") == ["2 observation_token_discarded likely"])
        #expect(findings("func watch() { objc_setAssociatedObject(self, &Keys.token, \(add), .OBJC_ASSOCIATION_RETAIN) }\n"
            + "func unwatch() { if let token = objc_getAssociatedObject(self, &Keys.token) { NotificationCenter.default.removeObserver(token) } }") == [])
    }

    @Test func olderSpellings() {
        #expect(controller("override func viewDidLoad() { NSNotificationCenter.defaultCenter().addObserverForName(X, object: nil, queue: nil) { _ in } }")
            == ["2 observation_token_discarded confirmed"])
    }
}
