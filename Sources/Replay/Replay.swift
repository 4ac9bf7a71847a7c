import Findings
import ProgramModel
import RuleLibrary
import SourceText

/// Runs the objects of a class through the events of their lifecycle and reports what goes wrong.
public struct Replay: Sendable {
    private let program: Program
    private let library: RuleLibrary
    private let bounds: ReplayBounds
    /// The base names of the calls that acquire something.
    private let acquiringNames: Set<String>
    /// The base names of the calls that release something.
    private let releasingNames: Set<String>

    /// Makes the replay for a program.
    public init(program: Program, library: RuleLibrary, bounds: ReplayBounds = ReplayBounds()) {
        self.program = program
        self.library = library
        self.bounds = bounds
        // Initialisers are known by their class.
        acquiringNames = Set(library.families.flatMap(\.acquire).flatMap { operation in
            operation.names.map { name in name.hasPrefix("init(") ? operation.receiver ?? "" : Self.baseName(name) }
        })
        releasingNames = Set(library.families.flatMap(\.release).flatMap(\.names).map(Self.baseName))
    }

    /// The findings on a class of the project: each violation of any run, with its shortest run.
    public func findings(of type: TypeID) -> [Finding] {
        guard program[type].kind == .class, isCandidate(type), !livesAsLongAsTheApp(type) else { return [] }
        let automaton = self.automaton(of: type)
        let lookups = Lookups(program)
        var found: [Defect: (violation: Violation, outcome: Outcome)] = [:]
        var order: [Defect] = []
        let slice = ResourceSlice(program: program, names: acquiringNames.union(releasingNames), type: type)
        let sequences = automaton.sequences(within: bounds.sequences) { transition in
            Self.backbone.contains(transition.event) || transition.calls.contains(where: slice.isTouched)
        }
        let outside = OutsideCallers(program: program, library: library, type: type, automaton: automaton, slice: slice)
        let whole = sequences.filter { sequence in sequence.last?.event == "release" || sequence.count(where: { $0.event == "did_appear" }) == 2 }
        for sequence in whole + withOutsideCalls(outside.methods, in: whole) {
            for (violation, outcome) in explore(type, sequence, lookups, outside) {
                let defect = Defect(rule: violation.rule, site: violation.site)
                if let known = found[defect] {
                    if known.outcome.isCertain || !outcome.isCertain { continue }
                } else {
                    order.append(defect)
                }
                found[defect] = (violation, outcome)
            }
        }
        return order.filter { !isShadowed($0, by: found.mapValues(\.violation)) }.compactMap { defect in
            found[defect].map { finding($0.violation, $0.outcome, type) }
        }
    }

    /// The shortest whole life of an object, with one method called from outside while it is in use.
    private func withOutsideCalls(_ methods: [String], in sequences: [[Automaton.Transition]]) -> [[Automaton.Transition]] {
        guard let life = sequences.first(where: { sequence in
            sequence.last?.event == "release" && (!sequence.contains { $0.event == "load" } || sequence.contains { $0.event == "did_disappear" })
                && (sequences.allSatisfy { !$0.contains { $0.event == "load" } } || sequence.contains { $0.event == "load" })
        }) else { return [] }
        let place = life.firstIndex { $0.event == "did_appear" }.map { $0 + 1 } ?? max(0, life.count - 1)
        return methods.prefix(bounds.mostOutsideMethods).map { method in
            Array(life[..<place]) + [.outsideCall(of: method)] + Array(life[place...])
        }
    }

    /// One defect is one finding, however many runs show it.
    private struct Defect: Hashable {
        let rule: String
        let site: Site
    }

    /// Whether another state of the same registration comes before it in the family's order.
    private func isShadowed(_ defect: Defect, by all: [Defect: Violation]) -> Bool {
        guard let own = all[defect], let family = library.families.first(where: { $0.name == own.family }),
              let rank = family.precedence.firstIndex(of: own.state) else { return false }
        return all.values.contains { other in
            other.site == own.site && other.family == own.family && (family.precedence.firstIndex(of: other.state) ?? rank) < rank
        }
    }

    /// The events that lead through the states; others only matter where the class has a method for them.
    private static let backbone: Set<String> = [
        "load", "will_appear", "did_appear", "will_disappear", "did_disappear", "disappearance_cancelled", "release", "join_superview", "join_window",
        "leave_window", "leave_superview", "configure", "display", "end_display", "reuse",
    ]

    static func baseName(_ name: String) -> String {
        String(name.replacing("static ", with: "").prefix { $0 != "(" })
    }

    /// Whether any code of the class itself acquires or releases something; what a base class does shows in its own runs.
    private func isCandidate(_ type: TypeID) -> Bool {
        program.members(of: type).contains { id in
            program[id].bodies.contains { ResourceSlice.mentions($0.body, acquiringNames.union(releasingNames)) }
        }
    }

    /// Whether there is one object of the class for the whole life of the app: a delegate of it, or a shared one.
    private func livesAsLongAsTheApp(_ type: TypeID) -> Bool {
        let delegates: Set<String> = ["UIApplicationDelegate", "NSApplicationDelegate", "WKApplicationDelegate", "WKExtensionDelegate", "UISceneDelegate", "UIWindowSceneDelegate"]
        if ([type] + program.ancestry(of: type).projectTypes).contains(where: { program[$0].conformances.contains { delegates.contains($0.name) } }) { return true }
        let shortName = program[type].name.split(separator: ".").last.map(String.init) ?? ""
        return program.members(of: type).contains { id in
            let member = program[id]
            guard member.kind == .property, member.isStatic, member.isStored else { return false }
            if let written = member.type { return written.name == shortName || written.name == program[type].name }
            guard case .exit(.returns(.register(let register)))? = member.body?.block.last?.kind, let body = member.body else { return false }
            return body.block.contains { statement in
                if case .initializer(let made)? = statement.call?.callee { return statement.call?.result == register && (made.name == shortName || made.name == "Self") }
                return false
            }
        }
    }

    private func automaton(of type: TypeID) -> Automaton {
        let ancestry = program.platformClass(of: type).map { program.platform.ancestry(of: $0) } ?? []
        let protocols = ([type] + program.ancestry(of: type).projectTypes).flatMap { program[$0].conformances.map(\.name) }
        guard let found = library.automaton(forAncestry: ancestry + protocols) else { preconditionFailure("the rule data has no automaton for plain objects") }
        return found
    }

    // MARK: Runs

    /// What the runs of one sequence say of a violation.
    struct Outcome {
        let events: [Automaton.Transition]
        let log: [LogEntry]
        /// Whether it happens whatever the undecided conditions are.
        let isCertain: Bool
    }

    /// Runs a sequence with every choice of the undecided conditions, up to the bound.
    private func explore(_ type: TypeID, _ sequence: [Automaton.Transition], _ lookups: Lookups, _ outside: OutsideCallers) -> [(Violation, Outcome)] {
        var pending: [[Bool]] = [[]]
        var runs: [(world: World, violations: Set<Violation>)] = []
        var isComplete = true
        while let given = pending.popLast() {
            guard runs.count < bounds.mostChoices else {
                isComplete = false
                break
            }
            guard let (world, taken) = run(type, sequence, given: given, lookups, outside) else {
                isComplete = false
                continue
            }
            runs.append((world, Set(world.violations)))
            for index in given.count..<max(given.count, taken.count) { pending.append(Array(taken[..<index]) + [!taken[index]]) }
        }
        var seen: Set<Violation> = []
        return runs.flatMap { run in run.world.violations.map { (run.world, $0) } }.compactMap { world, violation in
            guard seen.insert(violation).inserted else { return nil }
            let isCertain = isComplete && runs.allSatisfy { $0.violations.contains { $0.rule == violation.rule && $0.site == violation.site } }
                && !sequence.contains(where: \.isLikelyOnly)
            return (violation, Outcome(events: sequence, log: world.log, isCertain: isCertain))
        }
    }

    /// The world after one object has gone through the events, by name, with the first outcome of every undecided condition; nil
    /// when the automaton refuses the events, or the run traps or reaches a bound.  The object is the first of the world.
    public func world(of type: TypeID, after events: [String]) -> World? {
        let automaton = self.automaton(of: type)
        var run = AutomatonRun(automaton)
        var transitions: [Automaton.Transition] = []
        for event in events {
            guard let transition = automaton.transitions.first(where: { $0.event == event && $0.from.contains(run.state) }),
                  let next = run.after(transition, evidence: []) else { return nil }
            run = next
            transitions.append(transition)
        }
        let slice = ResourceSlice(program: program, names: acquiringNames.union(releasingNames), type: type)
        let outside = OutsideCallers(program: program, library: library, type: type, automaton: automaton, slice: slice)
        return self.run(type, transitions, given: [], Lookups(program), outside)?.0
    }

    /// One run; nil when it traps or reaches a bound.
    private func run(_ type: TypeID, _ sequence: [Automaton.Transition], given: [Bool], _ lookups: Lookups, _ outside: OutsideCallers) -> (World, [Bool])? {
        var machine = Machine(program: program, library: library, lookups: lookups, choices: Choices(given: given, configuration: bounds.configuration))
        let object = machine.world.make(.project(type))
        let owner = Value.object(object)
        let (_, made) = machine.initialize(object, as: type, nil, [])
        guard made == .normal, settle(&machine, owner: owner) else { return nil }
        var appearances: [Int] = []
        var hasDisappeared = false
        for (number, transition) in sequence.enumerated() {
            machine.event = number + 1
            if transition.event == "release" {
                guard settle(&machine, owner: .null), settle(&machine, owner: .null) else { return nil }
                if hasDisappeared || !sequence.contains(where: { $0.event == "load" }) {
                    machine.watchTheEnd(of: object, outside)
                }
                break
            }
            for call in transition.calls where call != "deinit" {
                guard deliver(call, to: object, type, &machine) else { return nil }
            }
            guard settle(&machine, owner: owner) else { return nil }
            if transition.event == "did_disappear" { hasDisappeared = true }
            if transition.event == "did_appear" {
                appearances.append(machine.event)
                machine.watchDeafness(appearances: appearances)
            }
        }
        return (machine.world, machine.choices.taken)
    }

    /// Calls an overridden method as Cocoa does; arguments are unknown.
    private func deliver(_ name: String, to object: ObjectID, _ type: TypeID, _ machine: inout Machine) -> Bool {
        let base = Self.baseName(name)
        for link in [type] + program.ancestry(of: type).projectTypes {
            guard let id = program[link].membersByName[base]?.first(where: { program[$0].fullName == name && program[$0].body != nil }), let body = program[id].body else { continue }
            let flow = machine.run(
                body, file: id.declaration.file, member: name, selfValue: .object(object), declaringType: link,
                arguments: program[id].parameters.map { _ in machine.world.unknown() })
            return flow != .stopped && flow != .trapped
        }
        return true
    }

    /// Runs what waits, then frees what nothing holds.
    private func settle(_ machine: inout Machine, owner: Value) -> Bool {
        for _ in 0..<8 {
            let waiting = machine.world.queue
            machine.world.queue = []
            if waiting.isEmpty { break }
            for (closure, arguments) in waiting {
                let flow = machine.run(closure: closure, arguments: arguments)
                if flow == .stopped || flow == .trapped { return false }
            }
        }
        guard machine.collect(owner: owner) != .stopped else { return false }
        machine.watchDroppedTokens(owner: owner)
        return true
    }

    // MARK: Findings

    private func finding(_ violation: Violation, _ outcome: Outcome, _ type: TypeID) -> Finding {
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
        if !outcome.isCertain {
            let called = outcome.events.filter { $0.event.hasPrefix("outside call") }.flatMap(\.calls)
            let text = called.isEmpty ? "conditions that the code leaves open turn out so" : "'\(called[0])' is called from outside"
            assumptions = [Assumption(path: path, line: violation.site.span.start.line, text: text)]
        }
        return Finding(
            rule: violation.rule, severity: severity, status: outcome.isCertain ? .confirmed : .likely, message: violation.detail, path: path,
            span: violation.site.span, type: program[type].name, member: violation.site.member, assumptions: assumptions, trace: trace)
    }
}

/// How far a class is run.
public struct ReplayBounds: Sendable {
    public let sequences: SequenceBounds
    /// The most choices of undecided conditions for one sequence.
    public let mostChoices: Int
    /// The most methods of a class that are called from outside.
    public let mostOutsideMethods: Int
    /// The flags of conditional compilation that hold.
    public let configuration: Configuration

    /// Makes bounds; the configuration is that of an app on iOS.
    public init(
        sequences: SequenceBounds = SequenceBounds(longest: 10, mostSequences: 300), mostChoices: Int = 8, mostOutsideMethods: Int = 24,
        configuration: Configuration = Configuration(["os(iOS)", "canImport(UIKit)"])
    ) {
        self.sequences = sequences
        self.mostChoices = mostChoices
        self.mostOutsideMethods = mostOutsideMethods
        self.configuration = configuration
    }
}
