import Analysis
import Findings
import Foundation
import ProgramModel
import Replay
import RuleLibrary
import SwiftFrontEnd
import Testing

@testable import Simulation

/// Random small controllers: what the fixed point says agrees with the enumeration of runs, which is its oracle.
@Suite struct DifferentialTests {
    private static let methods = [
        "override func viewDidLoad()", "override func viewWillAppear(_ animated: Bool)", "override func viewDidAppear(_ animated: Bool)",
        "override func viewWillDisappear(_ animated: Bool)", "override func viewDidDisappear(_ animated: Bool)", "deinit", "@objc func tap()",
    ]

    private static func code(_ chance: inout RandomControllerTests.Chance) -> String {
        switch chance.next(6) {
        case 0: "if source.isReady { \(RandomControllerTests.Step.random(&chance).code) }"
        case 1: "let word = source.isReady ? source.name : \"\"; title = word; if source.isEmpty { return }; \(RandomControllerTests.Step.random(&chance).code)"
        case 2: "if isOn { isOn = false; \(RandomControllerTests.Step.random(&chance).code) } else { isOn = true }"
        default: RandomControllerTests.Step.random(&chance).code
        }
    }

    /// A controller with a few statements in some of its methods.
    static func controller(_ chance: inout RandomControllerTests.Chance) -> String {
        var text = "class A: UIViewController {\nprivate var token0: Any?, token1: Any?, timer: Timer?, isOn = false\nvar source: Source!\n@objc func f() {}\n"
        for method in methods where chance.next(3) > 0 {
            text += "\(method) {\n\((0...chance.next(2)).map { _ in code(&chance) }.joined(separator: "\n"))\n}\n"
        }
        return text + "}"
    }

    private struct Disagreement: CustomStringConvertible {
        let description: String
    }

    /// What the two say differently of one text: a place refuted where a run goes wrong, or a finding confirmed that no run shows.
    private static func disagreements(_ text: String, fault: Widening.Fault? = nil, first: Exploration.Depth = .withAnswers, bounds: SimulationBounds = SimulationBounds()) -> (found: [Disagreement], refuted: Int, confirmed: Int, states: Int) {
        let file = ProgramFile(path: "A.swift", facts: SwiftFrontEnd.facts(of: text), units: [0])
        let program = Analysis.link([file], units: [LinkUnit(name: "app")], library: AutomatonTests.library)
        let replay = Replay(program: program, library: AutomatonTests.library)
        guard let type = program.types.first(where: { $0.name == "A" }) else { return ([Disagreement(description: "no class A")], 0, 0, 0) }
        let enumerated = replay.findings(of: type.id)
        let (study, exploration) = Simulation(replay, bounds: bounds, fault: fault, first: first).explored(type.id, goesOn: false)
        var found: [Disagreement] = []
        let refuted = study.verdicts.filter { $0.status == .refuted }
        for verdict in refuted {
            let rules = Set(AutomatonTests.library.family(named: verdict.family).map { Array($0.rules.values) } ?? [])
            for finding in enumerated where rules.contains(finding.rule) && finding.trace.contains(where: { $0.line == verdict.site.span.start.line }) {
                found.append(Disagreement(description: "line \(verdict.site.span.start.line) is refuted, and a run shows \(finding.rule)\n\(text)"))
            }
        }
        // What was explored to its end shows at least what a few runs show; of several defects of a place the first in the data's order.
        if let exploration, exploration.isComplete {
            // Several of one method are one finding.
            for finding in enumerated where !study.findings.contains(where: { $0.span == finding.span }) && !exploration.found.contains(where: { $0.violation.site.span == finding.span }) {
                found.append(Disagreement(description: "line \(finding.span.start.line): a run shows \(finding.rule), and no state does\n\(text)"))
            }
        }
        let confirmed = study.findings.filter { $0.status == .confirmed }
        // What is past the bounds of the enumeration (a third appearance) is run by itself, from the beginning and without widening.
        for finding in confirmed where !enumerated.contains(where: { $0.rule == finding.rule && $0.span == finding.span }) {
            let runs = exploration?.found.filter { $0.violation.rule == finding.rule && $0.violation.site.span == finding.span }.flatMap(\.runs) ?? []
            let isShown = runs.contains { run in
                replay.world(of: type.id, after: run.map(\.event))?.violations.contains { $0.rule == finding.rule && $0.site.span == finding.span } ?? false
            }
            guard !isShown else { continue }
            found.append(Disagreement(description: "line \(finding.span.start.line): \(finding.rule) is confirmed, and no run shows it\n\(text)"))
        }
        return (found, refuted.count, confirmed.count, study.states)
    }

    /// How many controllers: 30 by default, more where more random runs are asked for, as in CI; each is explored twice.
    static let controllers = ProcessInfo.processInfo.environment["LIFELINT_RANDOM_RUNS"].flatMap { Int($0) }.map { max(30, $0 / 1_000) } ?? 30

    @Test func theFixedPointAgreesWithTheEnumeration() {
        var chance = RandomControllerTests.Chance(state: 20_261_121)
        var totals = (refuted: 0, confirmed: 0, states: 0)
        var refutedByFamily = 0
        for _ in 0..<Self.controllers {
            let text = Self.controller(&chance)
            let (found, refuted, confirmed, states) = Self.disagreements(text)
            let ownCode = Self.disagreements(text, first: .ownCode).found
            #expect(ownCode.isEmpty, "by its own code: \(ownCode[0])")
            // What is too much as a whole is judged one family at a time.
            let byFamily = Self.disagreements(text, bounds: SimulationBounds(mostSteps: 60))
            #expect(byFamily.found.isEmpty, "by family: \(byFamily.found[0])")
            refutedByFamily += byFamily.refuted
            totals = (totals.refuted + refuted, totals.confirmed + confirmed, totals.states + states)
            #expect(found.isEmpty, "\(found[0])")
            if !found.isEmpty { return }
        }
        print("differential: \(Self.controllers) controllers, \(totals.states) states, \(totals.confirmed) confirmed, \(totals.refuted) refuted")
        #expect(totals.refuted > 5 && totals.confirmed > 10 && refutedByFamily > 0)
    }

    /// Controllers with one defect each, and one without.
    private static let defects = [
        "override func viewDidLoad() { \(observe) }\noverride func viewDidDisappear(_ a: Bool) { \(ignore) }",
        "override func viewWillAppear(_ a: Bool) { \(observe) }",
        "override func viewDidLoad() { \(tick) }\ndeinit { timer?.invalidate() }",
        "override func viewWillAppear(_ a: Bool) { \(tick) }\noverride func viewDidDisappear(_ a: Bool) { isOn = true }",
        "override func viewDidAppear(_ a: Bool) { if isOn { \(observe) } else { isOn = true } }",
        "override func viewDidLoad() { token = NotificationCenter.default.addObserver(forName: .n, object: nil, queue: nil) { _ in } }",
        "override func viewDidLoad() { \(observe) }\noverride func viewWillDisappear(_ a: Bool) { isOn = true }\nfunc stop() { if isOn { \(ignore) } }",
    ]
    private static let observe = "NotificationCenter.default.addObserver(self, selector: #selector(f), name: .n, object: nil)"
    private static let ignore = "NotificationCenter.default.removeObserver(self, name: .n, object: nil)"
    private static let tick = "timer = Timer.scheduledTimer(timeInterval: 1, target: self, selector: #selector(f), userInfo: nil, repeats: true)"

    /// Each mistake that a widening could have is one that the comparison catches.
    @Test(arguments: [nil] + Widening.Fault.allCases) func faultsAreCaught(_ fault: Widening.Fault?) {
        let found = Self.defects.flatMap { members in
            Self.disagreements("class A: UIViewController {\nprivate var token: Any?, timer: Timer?, isOn = false\n@objc func f() {}\n\(members)\n}", fault: fault).found
        }
        #expect(found.isEmpty == (fault == nil), "\(found)")
    }
}
