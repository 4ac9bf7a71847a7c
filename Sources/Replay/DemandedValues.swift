import ProgramModel

/// The registers and locals of one body whose values somebody asks for: what matters is done with them, or they decide whether it is done.
/// What makes another value need not run for it.
struct DemandedValues: Sendable {
    /// What is known of a register or of a choice: asked for in any case, asked for where the body's result is used, read from a plain place.
    private struct Flags: OptionSet, Sendable {
        let rawValue: UInt8
        static let always = Flags(rawValue: 1), withResult = Flags(rawValue: 2), plainRead = Flags(rawValue: 4)
    }

    /// By the numbers of the registers.
    private var registers: [Flags] = []
    /// Of the choices that do nothing but set values, by the numbers of their statements.
    private var choices: [Int32: Flags] = [:]

    /// A register or a local.
    fileprivate enum Name: Hashable {
        case register(Register)
        case local(LocalID)
    }

    /// Whether anybody asks for what a register holds, where the body's own result is used or not.
    func includes(_ register: Register, isResultUsed: Bool) -> Bool {
        let index = Int(register.index)
        return index >= registers.count || registers[index].contains(isResultUsed ? .withResult : .always)
    }

    /// Whether the reading of a place into a register need not run: the place is plain, and its reading runs nothing that matters.
    func leavesOut(readingInto register: Register, isResultUsed: Bool) -> Bool {
        let index = Int(register.index)
        guard index < registers.count, registers[index].contains(.plainRead) else { return false }
        return !registers[index].contains(isResultUsed ? .withResult : .always)
    }

    /// Whether anybody asks for one of the values that a choice sets, which does nothing else.
    func includes(valuesSetBy statement: Statement, isResultUsed: Bool) -> Bool {
        choices[statement.id]?.contains(isResultUsed ? .withResult : .always) ?? true
    }

    /// Follows the values of a body backwards from what matters.
    init(of context: BodyContext, _ relevance: Relevance, _ lookups: Lookups) {
        var demands = Demands(context: context, relevance: relevance, lookups: lookups)
        demands.note(context.body.block, inClosure: false)
        let (always, withResult) = (demands.demanded(from: demands.roots), demands.demanded(from: demands.roots.union(demands.rootsOfResult)))
        registers = Array(repeating: [], count: context.body.registerCount)
        func mark(_ names: Set<Name>, _ flag: Flags) {
            for case .register(let register) in names where Int(register.index) < registers.count { registers[Int(register.index)].insert(flag) }
            for (id, set) in demands.choices where !set.isDisjoint(with: names) { choices[id, default: []].insert(flag) }
        }
        for id in demands.choices.keys { choices[id] = [] }
        mark(always, .always)
        mark(withResult, .withResult)
        for register in demands.plainReads where Int(register.index) < registers.count { registers[Int(register.index)].insert(.plainRead) }
    }
}

/// The uses of values in one body.
private struct Demands {
    let context: BodyContext
    let relevance: Relevance
    let lookups: Lookups
    /// What is asked for in any case, and what is where the body's result is.
    private(set) var roots: Set<DemandedValues.Name> = []
    private(set) var rootsOfResult: Set<DemandedValues.Name> = []
    private(set) var plainReads: Set<Register> = []
    /// What the choices set that do nothing else, by the numbers of their statements.
    private(set) var choices: [Int32: Set<DemandedValues.Name>] = [:]
    /// What is asked for with the value of a name.
    private var sources: [DemandedValues.Name: Set<DemandedValues.Name>] = [:]

    init(context: BodyContext, relevance: Relevance, lookups: Lookups) {
        (self.context, self.relevance, self.lookups) = (context, relevance, lookups)
    }

    private func effect(_ statement: Statement) -> Relevance.Effect { lookups.effect(of: statement, in: context, relevance) }

    func demanded(from roots: Set<DemandedValues.Name>) -> Set<DemandedValues.Name> {
        var found = roots
        var pending = Array(roots)
        while let name = pending.popLast() {
            for source in sources[name] ?? [] where found.insert(source).inserted { pending.append(source) }
        }
        return found
    }

    /// When the values that a statement uses are asked for.
    private enum Demand {
        case always
        case withResult
        case with(Set<DemandedValues.Name>)
        /// Where somebody asks for these, and in any case where the body's result is used.
        case withResultOr(Set<DemandedValues.Name>)
    }

    mutating func note(_ block: Block, inClosure: Bool) {
        for statement in block {
            let used = statement.namesUsed
            switch demand(of: statement, inClosure: inClosure) {
            case .always: roots.formUnion(used)
            case .withResult: rootsOfResult.formUnion(used)
            case .with(let names): for name in names { sources[name, default: []].formUnion(used) }
            case .withResultOr(let names):
                rootsOfResult.formUnion(used)
                for name in names { sources[name, default: []].formUnion(used) }
            }
            // What a pattern binds, or a closure captures, is of the value that is matched or given.
            for bound in statement.localsBound { sources[.local(bound), default: []].formUnion(used) }
            if case .read(let register, let place) = statement.kind, effect(statement) == .none, relevance.isIdle(place, in: context) { plainReads.insert(register) }
            for inner in statement.innerBlocks(enteringClosures: false) { note(inner, inClosure: inClosure) }
            switch statement.kind {
            case .closure(_, let closure), .function(_, let closure), .spawn(_, let closure): note(closure.block, inClosure: true)
            default: break
            }
        }
    }

    private mutating func demand(of statement: Statement, inClosure: Bool) -> Demand {
        switch statement.kind {
        case .read(let register, _): return effect(statement) == .some ? .always : .with([.register(register)])
        case .compute(let register, _, _), .assign(let register, _): return .with([.register(register)])
        case .declare(let local, _), .write(.local(let local), _): return .with([.local(local)])
        case .write(let place, _): return effect(statement) == .none && (!isOfProject(place) || relevance.isOfLooks(place, in: context)) ? .with([]) : .always
        case .call(let call): return effect(statement) == .none && !mayDecide(call) && call.arguments.allSatisfy({ $0.place == nil }) ? .with([.register(call.result)]) : .always
        case .collection(_, let call): return effect(statement) == .none ? .with([.register(call.result)]) : .always
        case .branch, .select, .loop: return demandOfChoice(statement)
        case .exit(.returns): return inClosure ? .always : .withResult
        case .closure, .function, .spawn, .suspend: return .with([])
        case .attempt, .exit, .scope, .deferred, .configuration, .opaque: return .always
        }
    }

    private mutating func demandOfChoice(_ statement: Statement) -> Demand {
        switch effect(statement) {
        case .none: return .with([])
        case .some: return .always
        case .exits: return lookups.matters(after: BodyPlace(statement, file: context.scope.file), in: context, relevance) ? .always : .withResultOr(statement.valuesSet ?? [])
        case .values:
            guard let set = statement.valuesSet, !handsSomethingOn(statement) else { return .always }
            choices[statement.id] = set
            return .with(set)
        }
    }

    /// Whether a statement gives somebody something that he may keep or end.
    private func handsSomethingOn(_ statement: Statement) -> Bool {
        [statement].containsStatement { one in one.call?.arguments.contains { !relevance.isPlain($0.value, in: context) } ?? false }
    }

    /// Whether a place is a property that the project declares: who reads it is not seen here.
    private func isOfProject(_ place: Place) -> Bool {
        relevance.resolver.uses(of: place, in: context).contains { use in
            switch use {
            case .node: true
            case .property(let name): relevance.program.freeMembers(named: name).contains { $0.member.kind == .property }
            case .call: false
            }
        }
    }

    /// Whether what a function of the project is given may decide what becomes of the rest that it is given.
    private func mayDecide(_ call: Call) -> Bool {
        guard call.arguments.contains(where: { !relevance.isPlain($0.value, in: context) }) else { return false }
        switch call.callee {
        case .initializer(let type): if case .platform = relevance.program.resolve(type, in: context.scope) { return false } else { return true }
        case .local, .value, .implicitMember, .macro, .superMember: return true
        case .member(_, let name), .name(let name): return relevance.program.hasFunction(named: name)
        }
    }
}

extension Statement {
    /// The registers and locals whose values the statement itself uses.
    fileprivate var namesUsed: Set<DemandedValues.Name> {
        var names: Set<DemandedValues.Name> = []
        forEachUse(place: { place in
            if case .local(let local) = place { names.insert(.local(local)) }
        }, operand: { operand in
            if case .register(let register) = operand { names.insert(.register(register)) }
        })
        if case .call(let call) = kind, case .local(let local) = call.callee { names.insert(.local(local)) }
        return names
    }

    /// The locals that the statement gives a value which it uses: those that patterns bind and closures capture.
    fileprivate var localsBound: [LocalID] {
        func bound(by pattern: Pattern) -> [LocalID] {
            switch pattern {
            case .bind(let local): [local]
            case .enumCase(_, let parts), .tuple(let parts): parts.flatMap { bound(by: $0) }
            case .type(_, let inner), .present(let inner): bound(by: inner)
            case .wildcard, .value: []
            }
        }
        func bound(by clauses: [Clause]) -> [LocalID] {
            clauses.flatMap { clause -> [LocalID] in if case .matches(_, let pattern) = clause.test { bound(by: pattern) } else { [] } }
        }
        switch kind {
        case .branch(let clauses, _, _): return bound(by: clauses)
        case .select(_, let cases, _): return cases.flatMap(\.items).flatMap { bound(by: $0.pattern) + bound(by: $0.guards) }
        case .loop(let loop):
            switch loop.kind {
            case .whileTrue(let clauses), .repeatWhile(let clauses): return bound(by: clauses)
            case .forEach(let pattern, _, let guards, _): return bound(by: pattern) + bound(by: guards)
            }
        case .closure(_, let closure), .function(_, let closure), .spawn(_, let closure): return closure.captures.map(\.local)
        default: return []
        }
    }

    /// The registers and locals that a statement sets with all that is inside it; nil where it sets something else.
    fileprivate var valuesSet: Set<DemandedValues.Name>? {
        var names: Set<DemandedValues.Name> = []
        var setsOthers = false
        [self].forEachStatement(enteringClosures: false) { statement in
            switch statement.kind {
            case .assign(let register, _): names.insert(.register(register))
            case .write(.local(let local), _): names.insert(.local(local))
            case .call(let call):
                if call.arguments.contains(where: { $0.place != nil }) { setsOthers = true }
                // A closure that is called may set what it sees.
                switch call.callee {
                case .local, .value: setsOthers = true
                default: break
                }
            case .closure, .collection, .function, .spawn, .opaque: setsOthers = true
            default: break
            }
        }
        return setsOthers ? nil : names
    }
}
