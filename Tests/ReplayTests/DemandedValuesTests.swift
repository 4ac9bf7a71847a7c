import Analysis
import ProgramModel
import Replay
import RuleLibrary
import SwiftFrontEnd
import Testing

@testable import Simulation

/// What runs only where somebody asks for its value, and what still runs.
@Suite struct DemandedValuesTests {
    /// The lines of the bodies that the exploration of the class `A` of a text runs, with what it says of the places that acquire something.
    private func explored(_ text: String) -> (lines: Set<Int>, verdicts: [String]) {
        let file = ProgramFile(path: "A.swift", facts: SwiftFrontEnd.facts(of: text), units: [0])
        let program = Analysis.link([file], units: [LinkUnit(name: "app")], library: AutomatonTests.library)
        guard let type = program.types.first(where: { $0.name == "A" }) else { return ([], ["no class A"]) }
        let (study, exploration) = Simulation(Replay(program: program, library: AutomatonTests.library)).explored(type.id, goesOn: false)
        return (Set(exploration?.entered.map(\.line) ?? []), study.verdicts.map { "\($0.site.span.start.line) \($0.status)" }.sorted())
    }

    private static let add = "NotificationCenter.default.addObserver(self, selector: #selector(tick), name: .tick, object: nil)"
    private static let remove = "NotificationCenter.default.removeObserver(self, name: .tick, object: nil)"

    @Test func aColourIsNotMadeWhereOnlyALookDependsOnIt() {
        let (lines, verdicts) = explored("""
            class A: UIViewController {
            override func viewWillAppear(_ a: Bool) { \(Self.add); view.backgroundColor = tint(1); title = caption }
            override func viewWillDisappear(_ a: Bool) { \(Self.remove) }
            func tint(_ number: Int) -> UIColor { number > 0 ? .red : .blue }
            var caption: String { String(describing: self) }
            @objc func tick() {} }
            """)
        #expect(lines.contains(2) && !lines.contains(4) && !lines.contains(5))
        #expect(verdicts == ["2 refuted"])
    }

    @Test func aValueThatDecidesIsMade() {
        let (lines, verdicts) = explored("""
            class A: UIViewController {
            override func viewWillAppear(_ a: Bool) { let wanted = isWanted(); if wanted { \(Self.add) } }
            override func viewWillDisappear(_ a: Bool) { \(Self.remove) }
            func isWanted() -> Bool { level > 0 }
            var level: Int { 1 }
            @objc func tick() {} }
            """)
        #expect(lines.isSuperset(of: [4, 5]))
        #expect(verdicts == ["2 refuted"])
    }

    @Test func aValueThatIsTheKeyIsMade() {
        let (lines, verdicts) = explored("""
            class A: UIViewController {
            override func viewWillAppear(_ a: Bool) { let name = named("a"); NotificationCenter.default.addObserver(self, selector: #selector(tick), name: name, object: nil) }
            override func viewWillDisappear(_ a: Bool) { NotificationCenter.default.removeObserver(self, name: named("b"), object: nil) }
            func named(_ text: String) -> Notification.Name { Notification.Name(text) }
            @objc func tick() {} }
            """)
        #expect(lines.contains(4))
        #expect(verdicts == ["2 confirmed"])
    }

    @Test func aValueThatGoesThroughALocalOrAClosureIsMade() {
        let (lines, _) = explored("""
            class A: UIViewController {
            override func viewWillAppear(_ a: Bool) { var on = false; if flag() { on = true }; guard on else { return }; \(Self.add) }
            override func viewWillDisappear(_ a: Bool) { let off = other(); [1].forEach { _ in if off { \(Self.remove) } } }
            func flag() -> Bool { true }
            func other() -> Bool { true }
            @objc func tick() {} }
            """)
        #expect(lines.isSuperset(of: [4, 5]))
    }

    @Test func aChoiceThatSetsWhatNobodyAsksForIsNotFollowed() {
        let questions = (0..<12).map { "if source.flag\($0) { colour = .red } else { colour = tint(\($0)) }" }.joined(separator: "\n")
        let (lines, verdicts) = explored("""
            class A: UIViewController { var source: Source!
            override func viewWillAppear(_ a: Bool) { \(Self.add); var colour = UIColor.black
            \(questions)
            view.backgroundColor = colour }
            override func viewWillDisappear(_ a: Bool) { \(Self.remove) }
            func tint(_ number: Int) -> UIColor { .blue }
            @objc func tick() {} }
            """)
        #expect(!lines.contains(17))
        #expect(verdicts == ["2 refuted"])
    }

    @Test func whoReadsAPropertyDoesNotRunItsObserver() {
        // What the observer of `active` adds matters to who sets it, not to who reads it.
        let text = { (use: String, property: String) in """
            class A: UIViewController { \(property)
            override func viewWillAppear(_ a: Bool) { \(Self.add); \(use) }
            override func viewWillDisappear(_ a: Bool) { \(Self.remove) }
            @objc func tick() {} }
            class Theme { static let shared = Theme()
            var active = 0 { didSet { NotificationCenter.default.addObserver(self, selector: #selector(changed), name: .theme, object: nil) } }
            @objc func changed() {}
            func draw() {
            _ = active + 1 }
            func change() {
            active = 1 } }
            """ }
        #expect(!explored(text("theme.draw()", "let theme = Theme()")).lines.contains(8))
        #expect(explored(text("theme.change()", "let theme = Theme()")).lines.isSuperset(of: [10, 6]))
        // What all share does for itself is not the object's.
        let (lines, verdicts) = explored(text("Theme.shared.change()", ""))
        #expect(lines.isDisjoint(with: [10, 6]))
        #expect(verdicts == ["2 refuted"])
    }

    @Test func whatChangesAListInPlaceRunsItsObserver() {
        let (lines, _) = explored("""
            class A: UIViewController { var list: [Int] = [] {
            didSet { \(Self.add) } }
            override func viewDidLoad() { super.viewDidLoad(); fill() }
            func fill() {
            list.append(1) }
            @objc func tick() {} }
            """)
        #expect(lines.isSuperset(of: [4, 2]))
    }

    @Test func aLongListOfNamesIsKeptWhole() {
        let names = (0..<12).map { "watch(Notification.Name(\"n\($0)\"))" }.joined(separator: "\n")
        let (_, verdicts) = explored("""
            class A: UIViewController { private var names: [Notification.Name] = []
            override func viewWillAppear(_ a: Bool) {
            \(names) }
            override func viewWillDisappear(_ a: Bool) { for name in names { NotificationCenter.default.removeObserver(self, name: name, object: nil) }
            names.removeAll() }
            func watch(_ name: Notification.Name) { if names.contains(name) { return }
            names.append(name)
            NotificationCenter.default.addObserver(self, selector: #selector(tick), name: name, object: nil) }
            @objc func tick() {} }
            """)
        #expect(verdicts.count == 12 && verdicts.allSatisfy { $0.hasSuffix(" refuted") })
    }

    /// Only where nobody is there to take it, is it lost.
    @Test func whatIsHandedOnIsHandedOn() {
        let (_, verdicts) = explored("""
            class A: UIViewController { var bag: Bag?; var source: Source!
            override func viewDidLoad() { super.viewDidLoad()
            let token = source.observe(\\.value) { [weak self] _, _ in self?.tick() }
            bag?.keep(token) }
            func tick() {} }
            """)
        #expect(verdicts == ["3 likely"])
    }

    @Test func aMessageToWhatHasEndedCounts() {
        let (_, verdicts) = explored("""
            class A: UIViewController { private var timer: Timer?
            override func viewDidLoad() { super.viewDidLoad()
            timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { _ in } }
            override func viewDidDisappear(_ a: Bool) { super.viewDidDisappear(a)
            timer?.invalidate()
            timer?.fire()
            timer = nil } }
            """)
        #expect(verdicts == ["3 confirmed"])
    }
}
