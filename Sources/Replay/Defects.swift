import Findings
import ProgramModel
import RuleLibrary

/// What the runs of one sequence say of a violation.
struct Outcome {
    let violation: Violation
    let events: [Automaton.Transition]
    let log: [LogEntry]
    /// Whether it happens whatever the undecided conditions are.
    let isCertain: Bool
    /// Why the run knows too little to say more than that it may be so.
    let reason: String?
}

/// The violations of all runs of a class: one defect is one finding, however many runs show it.
struct Defects {
    private struct Key: Hashable {
        let rule: String
        let site: Site
    }

    private let library: RuleLibrary
    private var outcomes: [Key: Outcome] = [:]
    private var order: [Key] = []

    init(library: RuleLibrary) {
        self.library = library
    }

    /// Takes the outcomes of one more sequence; the first certain one of a defect stands, else the first.
    mutating func add(_ found: [Outcome]) {
        for outcome in found {
            let key = Key(rule: outcome.violation.rule, site: outcome.violation.site)
            if let known = outcomes[key] {
                if !(outcome.isCertain && !known.isCertain), !(known.reason != nil && outcome.reason == nil) { continue }
            } else {
                order.append(key)
            }
            outcomes[key] = outcome
        }
    }

    func findings(on type: TypeID, in program: Program) -> [Finding] {
        order.filter { !isShadowed($0) }.compactMap { key in outcomes[key].map { finding($0, type, program) } }
    }

    /// Whether another state of the same registration comes before it in the family's order.
    private func isShadowed(_ key: Key) -> Bool {
        guard let own = outcomes[key]?.violation, let family = library.families.first(where: { $0.name == own.family }),
              let rank = family.precedence.firstIndex(of: own.state) else { return false }
        return outcomes.values.contains { other in
            other.violation.site == own.site && other.violation.family == own.family
                && (family.precedence.firstIndex(of: other.violation.state) ?? rank) < rank
        }
    }

    private func finding(_ outcome: Outcome, _ type: TypeID, _ program: Program) -> Finding {
        let violation = outcome.violation
        let family = library.families.first { $0.name == violation.family }
        let severity = family?.severities[violation.state] ?? library.rules[violation.rule]?.severity ?? .warning
        let path = program.files[violation.site.file].path
        let sites = Set([violation.site] + violation.related)
        let trace = outcome.log.filter { sites.contains($0.site) }.map { entry in
            TraceStep(
                event: entry.event == 0 ? "init" : outcome.events[entry.event - 1].event, path: program.files[entry.site.file].path,
                line: entry.site.span.start.line, note: entry.note)
        }
        var assumptions: [Assumption] = []
        if !outcome.isCertain, outcome.reason == nil {
            let called = outcome.events.filter { $0.event.hasPrefix("outside call") }.flatMap(\.calls)
            let text = called.isEmpty ? "conditions that the code leaves open turn out so" : "'\(called[0])' is called\(called.count > 1 ? " more than once" : "")"
            assumptions = [Assumption(path: path, line: violation.site.span.start.line, text: text)]
        }
        return Finding(
            rule: violation.rule, severity: severity, status: outcome.reason != nil ? .unconfirmed : outcome.isCertain ? .confirmed : .likely, message: violation.detail, path: path,
            span: violation.site.span, type: program[violation.site.type ?? type].name, member: violation.site.member, assumptions: assumptions,
            reason: outcome.reason, trace: trace)
    }
}
