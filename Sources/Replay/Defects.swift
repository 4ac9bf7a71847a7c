import Findings
import ProgramModel
import RuleLibrary

/// What the runs of one sequence say of a violation.
package struct Outcome {
    package let violation: Violation
    package let events: [Automaton.Transition]
    let log: [LogEntry]
    /// Whether it happens whatever the undecided conditions are.
    package let isCertain: Bool
    /// Whether all of the events come as they do, with nobody's help: those of the automaton, and calls that Cocoa makes.
    package let isOfItself: Bool
    /// Whether some run of the same events goes without it.
    package let isSpared: Bool
    /// The outcomes of undecided conditions on which it depends; empty where none of them decides alone.
    let conditions: [PendingChoices.Way]
    /// Where the run went on though it unwrapped nil; nil where it did not.
    let unwrapped: Site?
    /// Why the run knows too little to say more than that it may be so.
    package let reason: String?

    /// How a trace names an event.
    func title(of event: Automaton.Transition) -> String {
        if isOfItself, event.isFromOutside, event.from.isEmpty, let method = event.calls.first { "Cocoa calls \(method)" } else { event.event }
    }

    /// The same, where it is known to happen whatever the undecided conditions are.
    package var inevitable: Outcome {
        Outcome(violation: violation, events: events, log: log, isCertain: true, isOfItself: isOfItself, isSpared: false, conditions: [], unwrapped: unwrapped, reason: reason)
    }
}

/// The violations of all runs of a class: one defect is one finding, however many runs show it.
package struct Defects {
    private struct Key: Hashable {
        let rule: String
        let site: Site
    }

    private let library: RuleLibrary
    private var outcomes: [Key: Outcome] = [:]
    private var order: [Key] = []
    /// The defects that some run without rare events shows.
    private var common: Set<Key> = []

    package init(library: RuleLibrary) {
        self.library = library
    }

    /// Takes the outcomes of one more sequence; the first certain one of a defect stands, else the first, without rare events if it can be.
    package mutating func add(_ found: [Outcome]) {
        for outcome in found {
            let key = Key(rule: outcome.violation.rule, site: outcome.violation.site)
            if !outcome.events.contains(where: \.isRare) { common.insert(key) }
            if let known = outcomes[key] {
                let isPlainer = known.events.contains(where: \.isRare) && !outcome.events.contains(where: \.isRare) && outcome.isCertain == known.isCertain && (outcome.reason == nil) == (known.reason == nil)
                if !(outcome.isCertain && !known.isCertain), !(known.reason != nil && outcome.reason == nil), !isPlainer { continue }
            } else {
                order.append(key)
            }
            outcomes[key] = outcome
        }
    }

    /// The outcomes of events that need no caller's help, where the runs that there was time for all show the violation.
    package var perhapsInevitable: [Outcome] {
        order.compactMap { outcomes[$0] }.filter { outcome in
            !outcome.isCertain && outcome.reason == nil && outcome.unwrapped == nil && !outcome.isSpared && outcome.isOfItself
        }
    }

    /// Whether no further sequence can say more of a violation: one without rare events shows it whatever the undecided conditions are.
    package func isSettled(_ violation: Violation) -> Bool {
        let key = Key(rule: violation.rule, site: violation.site)
        return common.contains(key) && (outcomes[key].map { $0.isCertain && !$0.events.contains(where: \.isRare) } ?? false)
    }

    package func findings(on type: TypeID, in program: Program) -> [Finding] {
        let shown = order.filter { !isShadowed($0) }
        var heads: [Group: Key] = [:]
        var more: [Key: Int] = [:]
        let leading = shown.filter { key in
            guard let group = group(of: key) else { return true }
            if let head = heads[group] {
                more[head, default: 0] += 1
                return false
            }
            heads[group] = key
            return true
        }
        return leading.compactMap { key in outcomes[key].map { finding($0, more[key] ?? 0, isCommon: common.contains(key), type, program) } }
    }

    /// Registrations without a token, or constraints, that one method makes side by side, and that go wrong in the same way.
    private struct Group: Hashable {
        let rule: String
        let family: String
        let state: String
        let member: String
        let type: TypeID?
        /// What is said of them.
        let detail: String
        /// What runs without rare events show does not hide among what only those show.
        let isCommon: Bool
    }

    private func group(of key: Key) -> Group? {
        guard let violation = outcomes[key]?.violation else { return nil }
        let family = library.family(named: violation.family)
        guard violation.state == Addition.constrainedAgain || family.map({ $0.tokenEnd == .none }) ?? false else { return nil }
        return Group(rule: violation.rule, family: violation.family, state: violation.state, member: violation.site.member, type: violation.site.type, detail: violation.detail, isCommon: common.contains(key))
    }

    /// Whether another state of the same registration comes before it in the family's order, or leads to it.  What runs without rare
    /// events show comes before what only those show.
    private func isShadowed(_ key: Key) -> Bool {
        guard let own = outcomes[key], let family = library.family(named: own.violation.family),
              let rank = family.precedence.firstIndex(of: own.violation.state) else { return false }
        return outcomes.contains { otherKey, other in
            guard other.violation.site == own.violation.site, other.violation.family == own.violation.family else { return false }
            if Self.leads(other, to: own) { return true }
            if Self.leads(own, to: other) { return false }
            guard common.contains(otherKey) == common.contains(key) else { return common.contains(otherKey) }
            return (family.precedence.firstIndex(of: other.violation.state) ?? rank) < rank
        }
    }

    /// Whether something stays behind only because a second one took its place before: the run that shows the one holds all of the other's.
    private static func leads(_ first: Outcome, to second: Outcome) -> Bool {
        let (taking, states) = (["doubled", "piled"], [first.violation.state, second.violation.state])
        guard taking.contains(states[0]), !taking.contains(states[1]) else { return false }
        var rest = first.events.prefix(first.violation.event)
        for transition in second.events { if let next = rest.first, next.event == transition.event, next.calls == transition.calls { rest.removeFirst() } }
        return rest.isEmpty
    }

    /// What code outside does by a call of this name.
    private static func clause(_ call: String) -> String { Automaton.Transition.property(setBy: call).map { "'\($0)' is set" } ?? "'\(call)' is called" }

    private func finding(_ outcome: Outcome, _ more: Int, isCommon: Bool, _ type: TypeID, _ program: Program) -> Finding {
        let violation = outcome.violation
        let family = library.family(named: violation.family)
        let ordinary = family?.severities[violation.state] ?? library.rules[violation.rule]?.severity ?? .warning
        // What only a cancelled transition shows, or what the run could not follow to the end, is for those who ask.
        let severity = isCommon && outcome.reason == nil && !violation.isSlight ? ordinary : .note
        let others = more == 0 ? "" : "; the same holds for \(more) more in '\(violation.site.member)'"
        let path = program.files[violation.site.file].path
        let trace = steps(of: outcome, program)
        let base = foreignBase(of: family, type, program)
        var assumptions: [Assumption] = []
        if let base, outcome.reason == nil { assumptions.append(Assumption(path: path, line: violation.site.span.start.line, text: "'\(base)', which is not here, neither adds nor ends it")) }
        if !outcome.isCertain, outcome.reason == nil {
            let called = outcome.isOfItself ? [] : outcome.events.filter(\.isFromOutside).flatMap(\.calls)
            if let method = called.first {
                let other = outcome.events.filter(\.isFromOutside).compactMap(\.calls.first).first { $0 != method }
                let comesAgain = called.count { $0 == method } > 1
                let text = Self.clause(method) + (comesAgain ? " more than once" : "") + (other.map { comesAgain ? ", and \(Self.clause($0)) in between" : ", and then \(Self.clause($0))" } ?? "")
                assumptions.append(Assumption(path: path, line: violation.site.span.start.line, text: text))
            }
            assumptions += outcome.conditions.prefix(4).compactMap { way in
                way.fork.place.map { Assumption(path: program.files[$0.file].path, line: $0.line, text: way.fork.title(way.outcome)) }
            }
            if let site = outcome.unwrapped {
                assumptions.append(Assumption(path: program.files[site.file].path, line: site.span.start.line, text: "the value that is unwrapped is there"))
            }
            if assumptions.isEmpty { assumptions = [Assumption(path: path, line: violation.site.span.start.line, text: "conditions that the code leaves open turn out so")] }
        }
        var finding = Finding(
            rule: violation.rule, severity: severity, status: outcome.reason != nil ? .unconfirmed : outcome.isCertain && base == nil ? .confirmed : .likely, message: violation.detail + others, path: path,
            span: violation.site.span, type: program[violation.site.type ?? type].name, member: violation.site.member, assumptions: assumptions,
            reason: outcome.reason, trace: trace)
        finding.isStray = violation.isStray
        return finding
    }

    /// The base class that is not here and may add or end what the object itself stands for; nil where none can.
    private func foreignBase(of family: ResourceFamily?, _ type: TypeID, _ program: Program) -> String? {
        guard let family, family.tokenEnd == .none, case .foreign(let base) = program.ancestry(of: type).root else { return nil }
        return base
    }

    /// The events of the run with what each changes, from the first that matters to the one that is wrong.
    private func steps(of outcome: Outcome, _ program: Program) -> [TraceStep] {
        let violation = outcome.violation
        let sites = Set([violation.site] + violation.related)
        let entries = outcome.log.prefix(violation.logged).filter { sites.contains($0.site) && ($0.event <= violation.event || violation.event == 0) } + violation.steps
        var last: Int?
        // The order within one event is that in which things were noted.
        var seen: Set<LogEntry> = []
        return entries.filter { seen.insert($0).inserted }.enumerated().sorted { ($0.element.event, $0.offset) < ($1.element.event, $1.offset) }.flatMap { _, entry -> [TraceStep] in
            defer { last = entry.event }
            let silent = last.map { $0 + 1 < entry.event ? outcome.events[$0..<(entry.event - 1)].map(outcome.title) : [] } ?? []
            let between = silent.isEmpty ? [] : [TraceStep(event: silent.joined(separator: ", "), path: "", line: 0, note: "nothing changes it")]
            return between + [TraceStep(
                event: entry.event == 0 ? "init" : outcome.title(of: outcome.events[entry.event - 1]), path: program.files[entry.site.file].path,
                line: entry.site.span.start.line, note: entry.note)]
        }
    }
}
