import ProgramModel

/// What a body says of the states of gesture recognisers, in the spellings of both languages.
struct GestureStates {
    let context: BodyContext

    init(context: BodyContext) { self.context = context }

    /// The states of a body that are read without knowing what its names stand for.
    init(of body: Body) { self.init(context: BodyContext(body: body, selfType: nil, scope: Scope(file: 0, typeName: ""), isStatic: false)) }

    static let all: Set<String> = ["possible", "began", "changed", "ended", "cancelled", "canceled", "failed", "recognized"]

    /// The state that a constant of Swift or Objective-C names.
    private static func state(_ name: String) -> String? {
        var name = name.split(separator: ".").last.map(String.init) ?? name
        for prefix in ["UIGestureRecognizerState", "NSGestureRecognizerState"] where name.hasPrefix(prefix) { name = String(name.dropFirst(prefix.count)) }
        let state = name.prefix(1).lowercased() + name.dropFirst()
        return all.contains(state) ? state : nil
    }

    /// The state that an operand is, where the text names one.
    func state(_ operand: Operand) -> String? {
        switch operand {
        case .constant(.implicitMember(let name)): return Self.state(name)
        case .register(let register):
            if case .read(_, .member(.type, let name))? = context.definition(of: register)?.kind { return Self.state(name) }
            if case .read(_, .name(let name))? = context.definition(of: register)?.kind { return Self.state(name) }
            return nil
        default: return nil
        }
    }

    /// The states that a pattern names.
    func states(of pattern: Pattern) -> Set<String> {
        switch pattern {
        case .enumCase(let name, _): Set([Self.state(name)].compactMap { $0 })
        case .value(let operand): Set([state(operand)].compactMap { $0 })
        case .present(let inner): states(of: inner)
        default: []
        }
    }

    /// The states that the clauses compare with by one operator.
    func states(comparedBy symbol: String, in clauses: [Clause]) -> Set<String> {
        var states: Set<String> = []
        for clause in clauses {
            clause.setup.forEachStatement { if case .compute(_, .symbol(symbol), let operands) = $0.kind { states.formUnion(operands.compactMap(state)) } }
            if symbol == "==", case .matches(_, let pattern) = clause.test { states.formUnion(self.states(of: pattern)) }
        }
        return states
    }
}

extension CheckInput {
    /// The parameter by which a function is given a gesture recogniser, with the SDK's class of it; nil where it has none.
    func recognizerParameter(of member: MemberOccurrence, file: Int) -> (local: LocalID, platformClass: String)? {
        guard member.facts.kind == .function, let body = member.facts.body, !member.facts.isPartial, body.parameters.count == member.facts.parameters.count else { return nil }
        let scope = Scope(file: file, typeName: member.typeName)
        return zip(body.parameters, member.facts.parameters).lazy.compactMap { local, parameter in
            recognizerClass(parameter.type, in: scope).map { (local, $0) }
        }.first
    }

    /// The SDK's class of recognisers that a type is or descends from.
    func recognizerClass(_ type: TypeReference, in scope: Scope) -> String? {
        let known: String? = switch program.resolve(type.unwrapped, in: scope) {
        case .platform(let name): name
        case .project(let types): types.count == 1 ? program.platformClass(of: types[0]) : nil
        case .unknown: nil
        }
        return known.flatMap { name in ["UIGestureRecognizer", "NSGestureRecognizer"].contains { program.platform.isClass(name, kindOf: $0) } ? name : nil }
    }
}
