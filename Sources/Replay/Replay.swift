import Findings
import ProgramModel
import RuleLibrary
import SourceText

/// Runs the objects of a class through the events of their lifecycle and reports what goes wrong.
public struct Replay: Sendable {
    private let program: Program
    private let library: RuleLibrary
    private let inference: TypeInference
    private let bounds: ReplayBounds
    /// The base names of the calls that acquire something.
    private let acquiringNames: Set<String>

    /// Makes the replay for a program.
    public init(program: Program, library: RuleLibrary, bounds: ReplayBounds = ReplayBounds()) {
        self.program = program
        self.library = library
        self.bounds = bounds
        inference = TypeInference(program)
        acquiringNames = Set(library.families.flatMap(\.acquire).flatMap(\.names).map(Self.baseName))
    }

    /// The findings on a class of the project: each violation of any run, with its shortest run.
    public func findings(of type: TypeID) -> [Finding] {
        guard program[type].kind == .class, isCandidate(type) else { return [] }
        let automaton = self.automaton(of: type)
        var found: [Violation: Outcome] = [:]
        var order: [Violation] = []
        let overridden = Set(program.members(of: type).map { program[$0].fullName })
            .union(program.ancestry(of: type).projectTypes.flatMap { program.members(of: $0).map { program[$0].fullName } })
        let sequences = automaton.sequences(within: bounds.sequences) { transition in
            Self.backbone.contains(transition.event) || transition.calls.contains(where: overridden.contains)
        }
        for sequence in sequences where sequence.last?.event == "release" || sequence.last?.event == "did_appear" {
            for (violation, outcome) in explore(type, sequence) where found[violation] == nil || (!found[violation]!.isCertain && outcome.isCertain) {
                if found[violation] == nil { order.append(violation) }
                found[violation] = outcome
            }
        }
        return order.compactMap { violation in found[violation].map { finding(violation, $0, type) } }
    }

    /// The events that lead through the states; others only matter where the class has a method for them.
    private static let backbone: Set<String> = [
        "load", "will_appear", "did_appear", "will_disappear", "did_disappear", "disappearance_cancelled", "release", "join_superview", "join_window",
        "leave_window", "leave_superview", "configure", "display", "end_display", "reuse",
    ]

    static func baseName(_ name: String) -> String {
        String(name.replacing("static ", with: "").prefix { $0 != "(" })
    }

    /// Whether any code of the class or its project superclasses acquires something.
    private func isCandidate(_ type: TypeID) -> Bool {
        ([type] + program.ancestry(of: type).projectTypes).contains { link in
            program.members(of: link).contains { id in
                program[id].bodies.contains { _, body in
                    var found = false
                    body.block.forEachStatement { statement in
                        guard !found, let call = statement.call else { return }
                        if case .initializer(let made) = call.callee { found = made.name == "Timer" || made.name == "CADisplayLink" } else {
                            found = call.callee.baseName.map(acquiringNames.contains) ?? false
                        }
                    }
                    return found
                }
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
    private func explore(_ type: TypeID, _ sequence: [Automaton.Transition]) -> [(Violation, Outcome)] {
        var pending: [[Bool]] = [[]]
        var runs: [(world: World, violations: Set<Violation>)] = []
        var isComplete = true
        while let given = pending.popLast() {
            guard runs.count < bounds.mostChoices else {
                isComplete = false
                break
            }
            guard let (world, taken) = run(type, sequence, given: given) else {
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

    /// One run; nil when it traps or reaches a bound.
    private func run(_ type: TypeID, _ sequence: [Automaton.Transition], given: [Bool]) -> (World, [Bool])? {
        var machine = Machine(program: program, library: library, inference: inference, choices: Choices(given: given, configuration: bounds.configuration))
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
                    machine.watchTheEnd(of: object, releasedInDeinit: releasedInDeinit(of: type))
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

    /// The families that the class's `deinit` would release.
    private func releasedInDeinit(of type: TypeID) -> Set<String> {
        var families: Set<String> = []
        for link in [type] + program.ancestry(of: type).projectTypes {
            for id in program[link].membersByName["deinit"] ?? [] {
                program[id].body?.block.forEachStatement { statement in
                    guard let name = statement.call?.fullName else { return }
                    for family in library.families where family.release.contains(where: { $0.names.contains(name) }) { families.insert(family.name) }
                }
            }
        }
        return families
    }

    // MARK: Findings

    private func finding(_ violation: Violation, _ outcome: Outcome, _ type: TypeID) -> Finding {
        let severity = library.rules[violation.rule]?.severity ?? .warning
        let path = program.files[violation.site.file].path
        let sites = Set([violation.site] + violation.related)
        let trace = outcome.log.filter { sites.contains($0.site) }.map { entry in
            TraceStep(
                event: entry.event == 0 ? "init" : outcome.events[entry.event - 1].event, path: program.files[entry.site.file].path,
                line: entry.site.span.start.line, note: entry.note)
        }
        let assumptions = outcome.isCertain ? [] : [Assumption(path: path, line: violation.site.span.start.line, text: "conditions that the code leaves open turn out so")]
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
    /// The flags of conditional compilation that hold.
    public let configuration: Configuration

    /// Makes bounds; the configuration is that of an app on iOS.
    public init(
        sequences: SequenceBounds = SequenceBounds(longest: 10, mostSequences: 400), mostChoices: Int = 16,
        configuration: Configuration = Configuration(["os(iOS)", "canImport(UIKit)"])
    ) {
        self.sequences = sequences
        self.mostChoices = mostChoices
        self.configuration = configuration
    }
}
