import ProgramModel
import RuleLibrary
import SourceText

/// How often an override calls super on its paths.
enum SuperCallCounts: Equatable {
    case never
    case exactlyOnce
    /// On some path never, on another at least once.
    case sometimes
    /// Twice on one path; the place of a second call.
    case twice(SourceSpan)
    /// The code is not understood well enough.
    case undecided
}

/// Follows the paths of one override and of the helpers and closures that it runs.
struct SuperCallFlow {
    let input: CheckInput
    let method: LifecycleClass.Method
    /// The type whose objects run the override; helpers are looked up on it.
    let owner: TypeID

    /// The calls of the overridden method on super in a body and its closures, in order of the text.
    func superCalls(in body: Body) -> [SourceSpan] {
        var spans: [SourceSpan] = []
        body.block.forEachStatement { statement in
            if let call = statement.call, isSuperCall(call) { spans.append(statement.span) }
        }
        return spans
    }

    /// Whether a body gives self a view, itself or in a closure.
    func assignsView(_ body: Body) -> Bool {
        var found = false
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .write(.name("view"), _), .write(.member(.selfObject, "view"), _): found = true
            default: break
            }
        }
        return found
    }

    /// How often the override calls super, over all its paths.
    func counts(of member: MemberFacts, body: Body) -> SuperCallCounts {
        let ends = PathWalker(flow: self, body: body, depth: 0).ends(under: member.condition.and(input.program[owner].condition))
        guard !ends.isEmpty else { return .undecided }  // every path traps or never ends
        if ends.allSatisfy({ $0.calls == 0 }) {
            return ends.contains { $0.metOpaque } ? .undecided : .never
        }
        if let second = ends.lazy.compactMap(\.secondCall).first { return .twice(second) }
        // A path that misses super only because of its configuration is another program, not another path.
        let groups = Dictionary(grouping: ends, by: \.configuration)
        for group in groups.values where group.contains(where: { $0.calls == 0 && !$0.metOpaque }) && group.contains(where: { $0.calls > 0 }) {
            return .sometimes
        }
        return .exactlyOnce
    }

    func isSuperCall(_ call: Call) -> Bool {
        guard case .superMember(let name) = call.callee, let full = call.fullName else { return false }
        return method.names.contains(full) || (name == method.baseName && !input.lifecycleNames.lifecycle.contains(full))
    }

    /// The project's functions that a call on self may run.
    func helpers(of call: Call) -> [(MemberFacts, Body)] {
        let name: String
        switch call.callee {
        case .name(let base), .member(.selfObject, let base): name = base
        default: return []
        }
        let members = input.program.members(named: name, on: owner).map { input.program[$0] }.filter { $0.kind == .function && $0.body != nil }
        let exact = members.filter { $0.fullName == call.fullName }
        return (exact.isEmpty ? members : exact).compactMap { member in member.body.map { (member, $0) } }
    }
}

/// Where a path stands: how often super was called, and what was assumed on the way.
struct PathState: Hashable {
    /// 0, 1, or 2 for more.
    var calls = 0
    /// The place of the call that made it two.
    var secondCall: SourceSpan?
    /// The outcomes of conditions met, by their text.
    var choices: [String: Bool] = [:]
    /// The configuration in which the path exists.
    var configuration = ConfigurationCondition.always
    /// Whether something on the path could not be read.
    var metOpaque = false
}

/// Walks the paths of one body.
final class PathWalker {
    private let flow: SuperCallFlow
    private let context: BodyContext
    private let depth: Int
    private var closures: [Register: Closure] = [:]
    private var localClosures: [LocalID: Closure] = [:]
    private var running: Set<LocalID> = []

    /// Beyond this many states the choices made on the way are forgotten.
    private static let mostStates = 64
    private static let deepestHelper = 5

    init(flow: SuperCallFlow, body: Body, depth: Int) {
        self.flow = flow
        self.depth = depth
        context = BodyContext(body: body, selfType: flow.owner, scope: Scope(file: flow.input.program[flow.owner].file, typeName: ""), isStatic: false)
    }

    /// The states in which the body ends without a trap.
    func ends(under condition: ConfigurationCondition) -> Set<PathState> {
        var start = PathState()
        start.configuration = condition
        let outcome = walk(context.body.block, [start])
        return outcome.falls.union(outcome.returns)
    }

    /// The ways out of a block.
    private struct Outcome {
        var falls: Set<PathState> = []
        var returns: Set<PathState> = []
        var throwing: Set<PathState> = []
        var breaks: [String?: Set<PathState>] = [:]
        var continues: [String?: Set<PathState>] = [:]
        var fallsThrough: Set<PathState> = []

        /// Adds the ways out of another block, all but falling off its end.
        mutating func add(exitsOf other: Outcome) {
            returns.formUnion(other.returns)
            throwing.formUnion(other.throwing)
            breaks.merge(other.breaks) { $0.union($1) }
            continues.merge(other.continues) { $0.union($1) }
            fallsThrough.formUnion(other.fallsThrough)
        }
    }

    private func walk(_ block: Block, _ entry: Set<PathState>) -> Outcome {
        var outcome = Outcome()
        var states = entry
        var deferred: [Block] = []
        for statement in block {
            if states.isEmpty { break }
            if case .deferred(let inner) = statement.kind {
                deferred.append(inner)
                continue
            }
            let step = self.step(statement, states)
            outcome.add(exitsOf: step)
            states = limited(step.falls)
        }
        outcome.falls = states
        for inner in deferred.reversed() { outcome = leaving(outcome, through: inner) }
        return outcome
    }

    /// Runs a deferred block on every way out.
    private func leaving(_ outcome: Outcome, through block: Block) -> Outcome {
        func after(_ states: Set<PathState>) -> Set<PathState> {
            guard !states.isEmpty else { return [] }
            let inner = walk(block, states)
            return inner.falls.union(inner.returns)
        }
        return Outcome(
            falls: after(outcome.falls), returns: after(outcome.returns), throwing: after(outcome.throwing),
            breaks: outcome.breaks.mapValues(after), continues: outcome.continues.mapValues(after), fallsThrough: after(outcome.fallsThrough))
    }

    private func step(_ statement: Statement, _ states: Set<PathState>) -> Outcome {
        var outcome = Outcome()
        switch statement.kind {
        case .call(let call), .collection(_, let call):
            outcome.falls = perform(call, at: statement.span, states)
            if call.mayThrow { outcome.throwing = outcome.falls.union(states) }
        case .closure(let result, let closure):
            closures[result] = closure
            outcome.falls = states
        case .function(let local, let closure):
            localClosures[local] = closure
            outcome.falls = states
        case .spawn(_, let closure):
            outcome.falls = passing(closure, states, at: statement.span)
        case .declare(let local, let value):
            if let value, let closure = closure(value) { localClosures[local] = closure }
            outcome.falls = states
        case .write(let place, let value):
            outcome.falls = forget(place, stored(value, states, at: statement.span))
        case .read, .compute, .suspend:
            outcome.falls = states
        case .assign(_, let value):
            if let closure = closure(value), case .assign(let result, _) = statement.kind { closures[result] = closure }
            outcome.falls = states
        case .branch(let clauses, let then, let otherwise):
            let (taken, refused) = test(clauses, states)
            for part in [walk(then, taken), walk(otherwise, refused)] {
                outcome.add(exitsOf: part)
                outcome.falls.formUnion(part.falls)
            }
        case .select(let subject, let cases, let label):
            outcome = select(subject, cases, label, states)
        case .loop(let loop):
            outcome = repeated(loop, states)
        case .scope(let block, let label):
            outcome = walk(block, states)
            if let label { outcome.falls.formUnion(outcome.breaks.removeValue(forKey: label) ?? []) }
        case .attempt(let block, let catches, let label):
            outcome = attempt(block, catches, label, states)
        case .configuration(let condition, let then, let otherwise):
            for (arm, arms) in [(condition, then), (ConfigurationCondition.not(condition), otherwise)] {
                let entering = states.filter { $0.configuration.isCompatible(with: arm) }.map { state in
                    var state = state
                    state.configuration = state.configuration.and(arm)
                    return state
                }
                let part = walk(arms, Set(entering))
                outcome.add(exitsOf: part)
                outcome.falls.formUnion(part.falls)
            }
        case .exit(let exit):
            switch exit {
            case .returns(let value): outcome.returns = stored(value, states, at: statement.span)
            case .throwing: outcome.throwing = states
            case .breaks(let label): outcome.breaks[label] = states
            case .continues(let label): outcome.continues[label] = states
            case .fallsThrough: outcome.fallsThrough = states
            case .trap: break
            }
        case .opaque:
            outcome.falls = Set(states.map { state in
                var state = state
                state.metOpaque = true
                return state
            })
        case .deferred:
            outcome.falls = states
        }
        return outcome
    }

    // MARK: Calls

    private func perform(_ call: Call, at span: SourceSpan, _ states: Set<PathState>) -> Set<PathState> {
        var states = states
        for argument in call.arguments {
            if let closure = closure(argument.value) { states = passing(closure, states, at: span) }
        }
        if flow.isSuperCall(call) { return add([1], to: states, at: span) }
        switch call.callee {
        case .local(let local):
            guard let closure = localClosures[local], running.insert(local).inserted else { return states }
            defer { running.remove(local) }
            return add(deltas(closure), to: states, at: span)
        case .value(let value):
            return closure(value).map { add(deltas($0), to: states, at: span) } ?? states
        default:
            guard depth < Self.deepestHelper else { return states }
            let helpers = flow.helpers(of: call)
            guard !helpers.isEmpty else { return states }
            let deltas = helpers.reduce(into: Set<Int>()) { all, helper in
                guard callsSuper(helper.1) else { all.insert(0); return }
                let ends = PathWalker(flow: flow, body: helper.1, depth: depth + 1).ends(under: .always)
                all.formUnion(ends.map(\.calls))
            }
            return add(deltas.isEmpty ? [0] : deltas, to: states, at: span)
        }
    }

    /// Whether a body calls the method on super, directly or through calls that could lead there.
    private func callsSuper(_ body: Body) -> Bool {
        var found = false
        body.block.forEachStatement { statement in
            if !found, let call = statement.call, flow.isSuperCall(call) || !flow.helpers(of: call).isEmpty { found = true }
        }
        return found
    }

    /// A closure that is handed on: what it calls counts as called, for the tool knows no run in which it would not be.
    private func passing(_ closure: Closure, _ states: Set<PathState>, at span: SourceSpan) -> Set<PathState> {
        let most = deltas(closure).max() ?? 0
        return most == 0 ? states : add([1], to: states, at: span, countsTwice: false)
    }

    private func stored(_ value: Operand, _ states: Set<PathState>, at span: SourceSpan) -> Set<PathState> {
        closure(value).map { passing($0, states, at: span) } ?? states
    }

    private func deltas(_ closure: Closure) -> Set<Int> {
        let outcome = walk(closure.block, [PathState()])
        return Set(outcome.falls.union(outcome.returns).map(\.calls))
    }

    private func closure(_ value: Operand) -> Closure? {
        guard case .register(let register) = value else { return nil }
        if let closure = closures[register] { return closure }
        if case .read(_, .local(let local))? = context.definition(of: register)?.kind { return localClosures[local] }
        return nil
    }

    private func add(_ deltas: Set<Int>, to states: Set<PathState>, at span: SourceSpan, countsTwice: Bool = true) -> Set<PathState> {
        if deltas == [0] { return states }
        return Set(states.flatMap { state in
            deltas.map { delta in
                var state = state
                if delta > 0, state.calls + delta >= 2, countsTwice, state.secondCall == nil { state.secondCall = span }
                state.calls = min(2, state.calls + delta)
                return state
            }
        })
    }

    // MARK: Branches

    /// The states in which all clauses hold, and those in which one fails.
    private func test(_ clauses: [Clause], _ states: Set<PathState>) -> (taken: Set<PathState>, refused: Set<PathState>) {
        var taken = states
        var refused: Set<PathState> = []
        for clause in clauses {
            taken = walk(clause.setup, taken).falls
            guard let atom = ConditionAtom(clause.test, in: context) else {
                refused.formUnion(taken)
                continue
            }
            refused.formUnion(choose(atom, false, taken))
            taken = choose(atom, true, taken)
        }
        return (limited(taken), limited(refused))
    }

    private func choose(_ atom: ConditionAtom, _ outcome: Bool, _ states: Set<PathState>) -> Set<PathState> {
        let value = outcome != atom.isNegated
        if let constant = atom.constant { return constant == value ? states : [] }
        return Set(states.compactMap { state in
            if let known = state.choices[atom.text] { return known == value ? state : nil }
            var state = state
            state.choices[atom.text] = value
            return state
        })
    }

    private func forget(_ place: Place, _ states: Set<PathState>) -> Set<PathState> {
        guard let name = ConditionAtom.name(of: place, in: context), states.contains(where: { !$0.choices.isEmpty }) else { return states }
        return Set(states.map { state in
            var state = state
            state.choices = state.choices.filter { !$0.key.contains(name) }
            return state
        })
    }

    private func select(_ subject: Operand, _ cases: [SelectCase], _ label: String?, _ states: Set<PathState>) -> Outcome {
        var outcome = Outcome()
        var through: Set<PathState> = []
        for one in cases {
            // Which case is taken is a choice of its own, except that the same subject always takes the same.
            var entering = through
            for state in states where state.configuration.isCompatible(with: one.condition) {
                guard let subjectText = ConditionAtom.text(of: subject, in: context) else {
                    entering.insert(state)
                    continue
                }
                let key = "switch \(subjectText)"
                let name = one.items.isEmpty ? "default" : one.items.map { ConditionAtom.text(of: $0.pattern) }.joined(separator: ",")
                let earlier = state.choices.first { $0.key.hasPrefix(key + " ~ ") && $0.value }
                if let earlier, earlier.key != "\(key) ~ \(name)" { continue }
                var state = state
                state.choices["\(key) ~ \(name)"] = true
                entering.insert(state)
            }
            let part = walk(one.body, limited(entering))
            through = part.fallsThrough
            var rest = part
            rest.fallsThrough = []
            outcome.falls.formUnion(rest.falls)
            outcome.falls.formUnion(rest.breaks.removeValue(forKey: nil) ?? [])
            if let label { outcome.falls.formUnion(rest.breaks.removeValue(forKey: label) ?? []) }
            outcome.add(exitsOf: rest)
        }
        return outcome
    }

    private func repeated(_ loop: Loop, _ states: Set<PathState>) -> Outcome {
        var outcome = Outcome()
        var reached = states
        var leaving: Set<PathState> = []
        // Two rounds suffice: the count saturates at two.
        for round in 0..<2 {
            var entering = reached
            switch loop.kind {
            case .whileTrue(let clauses):
                let (taken, refused) = test(clauses, reached)
                leaving.formUnion(refused)
                entering = taken
            case .forEach:
                leaving.formUnion(reached)
            case .repeatWhile:
                break
            }
            var part = walk(loop.body, entering)
            leaving.formUnion(part.breaks.removeValue(forKey: nil) ?? [])
            if let label = loop.label { leaving.formUnion(part.breaks.removeValue(forKey: label) ?? []) }
            var next = part.falls.union(part.continues.removeValue(forKey: nil) ?? [])
            if let label = loop.label { next.formUnion(part.continues.removeValue(forKey: label) ?? []) }
            if case .repeatWhile(let clauses) = loop.kind {
                let (again, done) = test(clauses, next)
                leaving.formUnion(done)
                next = again
            }
            outcome.add(exitsOf: part)
            // What the loop's conditions depend on may change from round to round.
            reached = Set(next.map { state in
                var state = state
                state.choices = [:]
                return state
            })
            if round == 1 || reached.isEmpty { break }
        }
        if case .whileTrue(let clauses) = loop.kind, clauses.allSatisfy({ $0.test == .isTrue(.constant(.boolean(true))) }) {
            outcome.falls = leaving
        } else {
            outcome.falls = limited(leaving.union(reached))
        }
        return outcome
    }

    private func attempt(_ block: Block, _ catches: [CatchClause], _ label: String?, _ states: Set<PathState>) -> Outcome {
        var outcome = walk(block, states)
        let thrown = outcome.throwing
        outcome.throwing = []
        if let label { outcome.falls.formUnion(outcome.breaks.removeValue(forKey: label) ?? []) }
        for clause in catches where !thrown.isEmpty {
            let part = walk(clause.body, limited(thrown))
            outcome.add(exitsOf: part)
            outcome.falls.formUnion(part.falls)
        }
        if !catches.contains(where: { $0.item == nil }) { outcome.throwing.formUnion(thrown) }
        return outcome
    }

    /// Forgets the choices when there are too many states to follow.
    private func limited(_ states: Set<PathState>) -> Set<PathState> {
        guard states.count > Self.mostStates else { return states }
        return Set(states.map { state in
            var state = state
            state.choices = [:]
            return state
        })
    }
}
