import ProgramModel
import SourceText

/// Walks the paths of one body.
final class PathWalker {
    private let flow: SuperCallFlow
    private let context: BodyContext
    private let depth: Int
    private var closures: [Register: Closure] = [:]
    private var localClosures: [LocalID: Closure] = [:]
    private var running: Set<LocalID> = []
    /// The closures that call super, and those of them that were seen to run or to be handed on.
    private var callingClosures: Set<Register> = []
    private var handledClosures: Set<Register> = []

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
        let outcome = outcome(under: condition)
        let ends = outcome.falls.union(outcome.returns)
        // A closure that calls super and went where the walk does not look may run or not.
        guard callingClosures.isSubset(of: handledClosures) else {
            return opaque(ends)
        }
        return ends
    }

    private func outcome(under condition: ConfigurationCondition) -> Outcome {
        var start = PathState()
        start.configuration = condition
        return walk(context.body.block, [start])
    }

    /// The ways out of a block.
    private struct Outcome {
        var falls: Set<PathState> = []
        var returns: Set<PathState> = []
        var throwing: Set<PathState> = []
        var breaks: [String?: Set<PathState>] = [:]
        var continues: [String?: Set<PathState>] = [:]
        var fallsThrough: Set<PathState> = []

        /// Whether the block can be left other than at its end.
        var hasExits: Bool {
            !returns.isEmpty || !throwing.isEmpty || !breaks.isEmpty || !continues.isEmpty || !fallsThrough.isEmpty
        }

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
        walk(block[...], entry)
    }

    private func walk(_ block: ArraySlice<Statement>, _ entry: Set<PathState>) -> Outcome {
        var outcome = Outcome()
        var states = entry
        for (index, statement) in zip(block.indices, block) {
            if states.isEmpty { break }
            if case .deferred(let inner) = statement.kind {
                // What comes after runs it on every way out; what left before has not passed it.
                let rest = leaving(walk(block[(index + 1)...], states), through: inner)
                outcome.add(exitsOf: rest)
                outcome.falls = rest.falls
                return outcome
            }
            let step = self.step(statement, states)
            outcome.add(exitsOf: step)
            states = limited(step.falls)
        }
        outcome.falls = states
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
            if call.mayThrow { outcome.throwing = thrown(by: call, at: statement.span, states, outcome.falls) }
        case .closure(let result, let closure):
            closures[result] = closure
            if deltas(closure).contains(where: { $0 > 0 }) { callingClosures.insert(result) }
            outcome.falls = states
        case .function(let local, let closure):
            localClosures[local] = closure
            outcome.falls = states
        case .spawn(_, let closure):
            outcome.falls = passing(closure, states, at: statement.span)
        case .declare(let local, let value):
            if let value, let closure = closure(value) { localClosures[local] = closure }
            outcome.falls = remember(.local(local), value, states)
        case .write(.superMember(let property), let value) where flow.isSuperSetter(property):
            outcome.falls = add([1], to: stored(value, states, at: statement.span), at: statement.span)
        case .write(let place, let value):
            outcome.falls = remember(place, value, forget(place, stored(value, states, at: statement.span)))
        case .read(_, .superMember(let name)) where name == flow.method.baseName:
            // `let base = super.viewDidLoad`: what is handed on counts as called.
            outcome.falls = add([1], to: states, at: statement.span, countsTwice: false)
        case .read, .compute, .suspend:
            outcome.falls = states
        case .assign(_, let value):
            if let closure = closure(value), case .assign(let result, _) = statement.kind { closures[result] = closure }
            outcome.falls = states
        case .branch(let clauses, let then, let otherwise):
            var (taken, refused) = test(clauses, states)
            // An arm that leaves is one of two ways to do the work, and not a call for the systems that have the method.
            if asksForMethod(clauses, isNegated: false), then.lastExit == nil { refused = Set(refused.map(\.lackingMethod)) }
            if asksForMethod(clauses, isNegated: true), otherwise.lastExit == nil { taken = Set(taken.map(\.lackingMethod)) }
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
            // Arms that neither call super nor leave make no difference, and so no further states.
            if !outcome.hasExits, withoutConfiguration(outcome.falls) == withoutConfiguration(states) { outcome.falls = states }
        case .exit(let exit):
            switch exit {
            case .returns(let value): outcome.returns = stored(value, states, at: statement.span)
            case .throwing: outcome.throwing = states
            case .breaks(let label): outcome.breaks[label] = states
            case .continues(let label): outcome.continues[label] = states
            case .fallsThrough: outcome.fallsThrough = states
            case .trap: break
            }
        case .opaque(let part):
            outcome.falls = mayLead(part) ? opaque(states) : states
        case .deferred:
            outcome.falls = states
        }
        return outcome
    }

    private func withoutConfiguration(_ states: Set<PathState>) -> Set<PathState> {
        Set(states.map { state in
            var state = state
            state.configuration = .always
            return state
        })
    }

    // MARK: Calls

    private func perform(_ call: Call, at span: SourceSpan, _ states: Set<PathState>) -> Set<PathState> {
        var states = states
        for argument in call.arguments {
            if let closure = used(argument.value) { states = passing(closure, states, at: span) }
        }
        if flow.isSuperCall(call) { return add([1], to: states, at: span) }
        switch call.callee {
        case .local(let local):
            guard let closure = localClosures[local], running.insert(local).inserted else { return states }
            handledClosures.formUnion(closures.filter { $0.value == closure }.keys)
            defer { running.remove(local) }
            return add(deltas(closure), to: states, at: span)
        case .value(let value):
            return used(value).map { add(deltas($0), to: states, at: span) } ?? states
        default:
            guard depth < Self.deepestHelper else { return states }
            let helpers = flow.helpers(of: call)
            if helpers.isEmpty, flow.callsClosureOfProperty(call) { return opaque(states) }
            guard !helpers.isEmpty else { return states }
            let deltas = helpers.reduce(into: Set<Int>()) { all, helper in
                guard callsSuper(helper.1) else { all.insert(0); return }
                let ends = PathWalker(flow: flow, body: helper.1, depth: depth + 1).ends(under: .always)
                all.formUnion(ends.map(\.calls))
            }
            return add(deltas.isEmpty ? [0] : deltas, to: states, at: span)
        }
    }

    /// The states in which a call throws: super's own call was made, a helper may have called super or not.
    private func thrown(by call: Call, at span: SourceSpan, _ before: Set<PathState>, _ after: Set<PathState>) -> Set<PathState> {
        if flow.isSuperCall(call) { return after }
        let helpers = flow.helpers(of: call)
        guard !helpers.isEmpty, depth < Self.deepestHelper else { return before }
        let deltas = helpers.reduce(into: Set<Int>()) { all, helper in
            let outcome = PathWalker(flow: flow, body: helper.1, depth: depth + 1).outcome(under: .always)
            all.formUnion(outcome.throwing.map(\.calls))
        }
        return deltas.isEmpty ? [] : add(deltas, to: before, at: span)
    }

    /// Whether a body calls the method on super, directly or through calls that could lead there.
    private func callsSuper(_ body: Body) -> Bool {
        var found = false
        body.block.forEachStatement { statement in
            if !found, flow.callsSuper(statement) || statement.call.map({ !flow.helpers(of: $0).isEmpty }) == true { found = true }
        }
        return found
    }

    /// Whether code that could not be read may call the method on super: it says super, or names a member that does.
    private func mayLead(_ part: Opaque) -> Bool {
        part.reads.contains { name in
            name == "super" || flow.helpers(of: Call(result: Register(0), callee: .name(name), arguments: [])).contains { callsSuper($0.1) }
        }
    }

    private func opaque(_ states: Set<PathState>) -> Set<PathState> {
        Set(states.map { state in
            var state = state
            state.metOpaque = true
            return state
        })
    }

    /// A closure that is handed on: what it calls counts as called, for the tool knows no run in which it would not be.
    private func passing(_ closure: Closure, _ states: Set<PathState>, at span: SourceSpan) -> Set<PathState> {
        let most = deltas(closure).max() ?? 0
        return most == 0 ? states : add([1], to: states, at: span, countsTwice: false)
    }

    private func stored(_ value: Operand, _ states: Set<PathState>, at span: SourceSpan) -> Set<PathState> {
        used(value).map { passing($0, states, at: span) } ?? states
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

    /// The closure of a value that runs or is handed on here.
    private func used(_ value: Operand) -> Closure? {
        guard let closure = closure(value) else { return nil }
        handledClosures.formUnion(closures.filter { $0.value == closure }.keys)
        return closure
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
            if case .isPresent(let value) = clause.test, closure(value) != nil { continue }
            guard let atom = ConditionAtom(clause.test, in: context) else {
                refused.formUnion(taken)
                continue
            }
            refused.formUnion(choose(atom, false, taken))
            taken = choose(atom, true, taken)
        }
        return (limited(taken), limited(refused))
    }

    /// Whether a condition asks if the system is new enough, or the superclass able, so that its other outcome is of a program without the method.
    private func asksForMethod(_ clauses: [Clause], isNegated: Bool) -> Bool {
        clauses.contains { clause in
            if let question = clause.systemQuestion { return question.isNegated == isNegated }
            guard !isNegated, case .isTrue(.register(let register)) = clause.test,
                  let call = (clause.setup.first { $0.call?.result == register } ?? context.definition(of: register))?.call else { return false }
            return call.callee.baseName.map(Self.asking.contains) ?? false
        }
    }

    private static let asking: Set<String> = ["responds", "respondsToSelector", "instancesRespond", "instancesRespondToSelector"]

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

    /// A flag that is set to a constant answers later questions.
    private func remember(_ place: Place, _ value: Operand?, _ states: Set<PathState>) -> Set<PathState> {
        guard case .constant(.boolean(let constant))? = value, let name = ConditionAtom.name(of: place, in: context) else { return states }
        return Set(states.map { state in
            var state = state
            state.choices[name] = constant
            return state
        })
    }

    private func forget(_ place: Place, _ states: Set<PathState>) -> Set<PathState> {
        guard let name = ConditionAtom.name(of: place, in: context), states.contains(where: { !$0.choices.isEmpty }) else { return states }
        return Set(states.map { state in
            var state = state
            for key in state.choices.keys where ConditionAtom.mentions(name, in: key) { state.choices[key] = nil }
            return state
        })
    }

    private func select(_ subject: Operand, _ cases: [SelectCase], _ label: String?, _ states: Set<PathState>) -> Outcome {
        var outcome = Outcome()
        var through: Set<PathState> = []
        let names = cases.map(SelectKnowledge.names)
        let isSimple = names.allSatisfy { $0 != nil }
        let subjectText = isSimple ? ConditionAtom.text(of: subject, in: context) : nil
        for (index, one) in cases.enumerated() {
            var entering = through
            for state in states where state.configuration.isCompatible(with: one.condition) {
                guard let subjectText else {
                    entering.insert(state)
                    continue
                }
                // The same subject is the same case each time it is asked.
                var state = state
                let known = SelectKnowledge(state.choices, subjectText)
                guard let refined = known.taking(index, of: names.map { $0 ?? [] }) else { continue }
                refined.store(in: &state.choices, subjectText)
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
        let elements = literalCount(loop)
        for round in 0..<min(2, elements ?? 2) {
            var entering = reached
            switch loop.kind {
            case .whileTrue(let clauses):
                let (taken, refused) = test(clauses, reached)
                leaving.formUnion(refused)
                entering = taken
            case .forEach:
                if elements == nil { leaving.formUnion(reached) }
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

    /// How many elements an array literal has that a loop runs over without conditions; nil for anything else.
    private func literalCount(_ loop: Loop) -> Int? {
        guard case .forEach(let pattern, .register(let register), let guards, _) = loop.kind, guards.isEmpty,
              case .compute(_, .array, let operands)? = context.definition(of: register)?.kind, !operands.isEmpty else { return nil }
        switch pattern {
        case .bind, .wildcard: return operands.count
        default: return nil
        }
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
        if !catches.contains(where: { $0.items.isEmpty }) { outcome.throwing.formUnion(thrown) }
        return outcome
    }

    /// Forgets the choices when there are too many states to follow, and then the configurations, which leaves the rest undecided.
    private func limited(_ states: Set<PathState>) -> Set<PathState> {
        guard states.count > Self.mostStates else { return states }
        let plain = Set(states.map { state in
            var state = state
            state.choices = [:]
            return state
        })
        guard plain.count > Self.mostStates else { return plain }
        return Set(plain.map { state in
            var state = state
            state.configuration = .always
            state.metOpaque = true
            return state
        })
    }
}
