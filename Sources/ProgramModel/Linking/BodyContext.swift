/// One body of a member as a place to ask questions: whose it is, and what each register and local stands for.
public final class BodyContext: Sendable {
    /// What a local stands for where it is bound.
    enum LocalSource: Sendable {
        case value(Operand)
        case unwrapped(Operand)
        case element(Operand)
        case cast(TypeReference)
    }

    /// The type whose member the body is; nil outside types.
    public let selfType: TypeID?
    public let scope: Scope
    public let isStatic: Bool
    public let body: Body
    let definitions: [Register: Statement]
    let localSources: [LocalID: LocalSource]

    /// Reads the definitions of a body.
    public init(body: Body, selfType: TypeID?, scope: Scope, isStatic: Bool) {
        self.body = body
        self.selfType = selfType
        self.scope = scope
        self.isStatic = isStatic
        var definitions: [Register: Statement] = [:]
        var sources: [LocalID: LocalSource] = [:]
        func bind(_ pattern: Pattern, to value: Operand) {
            switch pattern {
            case .bind(let local): sources[local] = .value(value)
            case .present(let inner):
                if case .bind(let local) = inner { sources[local] = .unwrapped(value) } else { bind(inner, to: value) }
            case .type(let type, let inner):
                if case .bind(let local) = inner { sources[local] = .cast(type) }
            case .wildcard, .value, .enumCase, .tuple: break
            }
        }
        func note(_ register: Register, _ statement: Statement) {
            if definitions[register] == nil { definitions[register] = statement }
        }
        var parameters = Set(body.parameters)
        func captures(_ closure: Closure) {
            for capture in closure.captures { sources[capture.local] = .value(capture.value) }
            parameters.formUnion(closure.parameters)
        }
        var written: [LocalID: [Operand]] = [:]
        func clauses(_ clauses: [Clause]) {
            for clause in clauses {
                if case .matches(let value, let pattern) = clause.test { bind(pattern, to: value) }
            }
        }
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .read(let result, _), .compute(let result, _, _):
                note(result, statement)
            case .assign(let result, let value):
                if value != .constant(.null) { note(result, statement) }
            case .call(let call):
                note(call.result, statement)
            case .collection(_, let call):
                note(call.result, statement)
                // What a closure of `forEach` and its like is given are the elements.
                if case .member(let receiver, _) = call.callee {
                    for argument in call.arguments {
                        guard case .register(let register) = argument.value, case .closure(_, let closure)? = definitions[register]?.kind,
                              let parameter = closure.parameters.first else { continue }
                        sources[parameter] = .element(receiver)
                    }
                }
            case .closure(let result, let closure):
                note(result, statement)
                captures(closure)
            case .function(_, let closure), .spawn(_, let closure):
                captures(closure)
            case .declare(let local, let value):
                if let value { sources[local] = .value(value) }
            case .write(.local(let local), let value):
                written[local, default: []].append(value)
            case .branch(let tests, _, _):
                clauses(tests)
            case .select(let subject, let cases, _):
                for item in cases.flatMap(\.items) { bind(item.pattern, to: subject) }
            case .loop(let loop):
                switch loop.kind {
                case .whileTrue(let tests), .repeatWhile(let tests): clauses(tests)
                case .forEach(let pattern, let sequence, _, _):
                    if case .bind(let local) = pattern { sources[local] = .element(sequence) }
                }
            default:
                break
            }
        }
        self.definitions = definitions
        // What begins with nothing and is given a value once stands for that.
        for (local, values) in written where values.count == 1 && !parameters.contains(local) {
            switch sources[local] {
            case nil, .value(.constant(.null)): sources[local] = .value(values[0])
            default: break
            }
        }
        for local in Self.circular(sources, definitions) { sources[local] = nil }
        localSources = sources
    }

    /// The locals whose values are made of themselves, as a loop makes them: who asks what they stand for would ask for ever.
    private static func circular(_ sources: [LocalID: LocalSource], _ definitions: [Register: Statement]) -> Set<LocalID> {
        var found: Set<LocalID> = []
        var open: Set<LocalID> = []
        var seenLocals: Set<LocalID> = []
        var seenRegisters: Set<Register> = []
        func visit(_ local: LocalID) {
            if open.contains(local) { found.insert(local) }
            guard seenLocals.insert(local).inserted, let source = sources[local] else { return }
            open.insert(local)
            switch source {
            case .value(let operand), .unwrapped(let operand), .element(let operand): visit(operand)
            case .cast: break
            }
            open.remove(local)
        }
        func visit(_ operand: Operand) {
            guard case .register(let register) = operand, seenRegisters.insert(register).inserted else { return }
            switch definitions[register]?.kind {
            case .read(_, .local(let local)): visit(local)
            case .read(_, .member(let base, _)): visit(base)
            case .read(_, .element(let base, let arguments)):
                visit(base)
                arguments.forEach { visit($0.value) }
            case .compute(_, _, let operands): operands.forEach(visit)
            case .assign(_, let value): visit(value)
            case .call(let call), .collection(_, let call):
                if case .member(let receiver, _) = call.callee { visit(receiver) }
                call.arguments.forEach { visit($0.value) }
            default: break
            }
        }
        for local in sources.keys.sorted(by: { $0.index < $1.index }) { visit(local) }
        return found
    }

    /// The value that a local stands for: the one with which it is bound, or the only one that is written to it if it begins as nil,
    /// on whatever way that happens.
    public func value(of local: LocalID) -> Operand? {
        switch localSources[local] {
        case .value(let value), .unwrapped(let value): value
        case .element, .cast, nil: nil
        }
    }

    /// The statement that gives the register its value; nil for `nil` alone.
    public func definition(of register: Register) -> Statement? { definitions[register] }

    /// The operand that another one is by way of casts, unwrapping and copies: the same object, if it is one.
    public func uncast(_ operand: Operand) -> Operand {
        var operand = operand
        for _ in 0..<8 {
            guard case .register(let register) = operand else { break }
            switch definitions[register]?.kind {
            case .assign(_, let value): operand = value
            case .compute(_, .forceUnwrap, let operands), .compute(_, .conditionalCast, let operands), .compute(_, .forcedCast, let operands), .compute(_, .coercion, let operands):
                guard let first = operands.first else { return operand }
                operand = first
            default: return operand
            }
        }
        return operand
    }

    /// Whether an operand is the element of a list that a loop, or a closure that a list calls with each, has in hand.
    public func isElement(_ operand: Operand) -> Bool {
        guard case .register(let register) = operand, case .read(_, .local(let local))? = definitions[register]?.kind else { return false }
        return switch localSources[local] {
        case .element: true
        case .value(let value), .unwrapped(let value): isElement(value)
        case .cast, nil: false
        }
    }
}
