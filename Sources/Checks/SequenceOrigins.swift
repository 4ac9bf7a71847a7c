import ProgramModel

/// Where the sequence of a property or a function of the project comes from: what the property is given, what the function gives back.
struct SequenceOrigins {
    enum End { case never, byItself, unknown }

    private let input: CheckInput
    private let place: BodyOccurrence
    private let depth: Int

    private var program: Program { input.program }

    /// How many properties and functions are gone through.
    private static let deepest = 4

    init(input: CheckInput, place: BodyOccurrence, depth: Int) {
        (self.input, self.place, self.depth) = (input, place, depth)
    }

    /// When the sequence ends that a value is read from or a call gives back, as far as all code that makes it agrees.
    func end(of operand: Operand) -> End {
        guard depth < Self.deepest, case .register(let register) = operand, let definition = place.context.definition(of: register) else { return .unknown }
        switch definition.kind {
        case .read(_, let source): return end(ofProperty: source)
        case .call(let call): return isEndlessCreation(call) ? .never : end(ofResult: call)
        default: return .unknown
        }
    }

    private func end(ofProperty source: Place) -> End {
        let (name, types): (String, [TypeID])
        switch source {
        case .name(let own), .member(.selfObject, let own): (name, types) = (own, [place.member.owner])
        case .member(let base, let other): (name, types) = (other, self.types(of: base))
        default: return .unknown
        }
        return agreed(types.flatMap { implementors(of: $0) }.map { (type: TypeID) -> End in
            guard let id = program.members(named: name, on: type).first, program[id].kind == .property else { return .unknown }
            let given = program[id].bodies.filter { $0.accessor == nil || $0.accessor == "get" }.map { end(ofResultOf: $0.body, id, type) }
            guard program[id].isStored, given.isEmpty else { return agreed(given) }
            return agreed(values(writtenTo: name, of: type))
        })
    }

    private func end(ofResult call: Call) -> End {
        let found: [(id: MemberID, type: TypeID)]
        switch call.callee {
        case .name(let name), .member(.selfObject, let name): found = functions(name, place.member.owner, call)
        case .member(.type(let type), let name):
            if case .project(let types) = program.resolve(type, in: place.context.scope) {
                found = types.flatMap { functions(name, $0, call) }
            } else {
                found = program.extensionFunctions(named: name).compactMap { id in program.ownerOrExtended(of: id.declaration).map { (id, $0) } }
                    .filter { program[$0.type].name == type.name && program[$0.id].isStatic && program[$0.id].accepts(call) }
            }
        case .member(let base, let name): found = types(of: base).flatMap { implementors(of: $0) }.flatMap { functions(name, $0, call) }
        default: return .unknown
        }
        return agreed(found.map { id, type in program[id].body.map { end(ofResultOf: $0, id, type) } ?? .unknown })
    }

    private func functions(_ name: String, _ type: TypeID, _ call: Call) -> [(id: MemberID, type: TypeID)] {
        program.members(named: name, on: type).filter { program[$0].kind == .function && program[$0].accepts(call) }.map { ($0, type) }
    }

    private func types(of base: Operand) -> [TypeID] {
        guard let type = input.inference.type(of: base, in: place.context), !type.isMetatype, case .project(let types) = input.inference.resolve(type) else { return [] }
        return types
    }

    /// The types whose code answers for a type: for a protocol all that conform to it.
    private func implementors(of type: TypeID) -> [TypeID] {
        guard program[type].kind == .protocol else { return [type] }
        return program.conformers(to: program[type].name).filter { !program.files[program[$0].file].isTest }
    }

    /// When what a body returns ends.
    private func end(ofResultOf body: Body, _ id: MemberID, _ type: TypeID) -> End {
        var results: [Operand] = []
        body.block.forEachStatement(enteringClosures: false) { if case .exit(.returns(let value)) = $0.kind { results.append(value) } }
        let reading = reading(body, id, type)
        return agreed(results.map { reading.end(of: $0) })
    }

    /// What code of a class puts into a property of its object.
    private func values(writtenTo name: String, of type: TypeID) -> [End] {
        program.chain(of: type).flatMap { link in
            program.members(of: link).flatMap { id in
                program[id].bodies.flatMap { _, body -> [End] in
                    var written: [Operand] = []
                    body.block.forEachStatement { if case .write(let place, let value) = $0.kind, place.ownName == name { written.append(value) } }
                    guard !written.isEmpty else { return [] }
                    let reading = reading(body, id, link)
                    return written.map { reading.end(of: $0) }
                }
            }
        }
    }

    private func reading(_ body: Body, _ id: MemberID, _ type: TypeID) -> LastingSequences {
        let member = MemberOccurrence(id: id, facts: program[id], owner: type, typeName: program[type].name)
        return LastingSequences(input: input, place: BodyOccurrence(member: member, body: body, context: member.context(of: body)), depth: depth + 1)
    }

    private func agreed(_ ends: [End]) -> End {
        guard let first = ends.first, ends.allSatisfy({ $0 == first }) else { return .unknown }
        return first
    }

    /// Whether a call makes a sequence of RxSwift that nothing completes: its closure only sends values to who listens.
    private func isEndlessCreation(_ call: Call) -> Bool {
        guard case .member(.type(let type), "create") = call.callee, type.name == "Observable", case .register(let register)? = call.arguments.first?.value,
              case .closure(_, let closure)? = place.context.definition(of: register)?.kind, let listener = closure.parameters.first else { return false }
        var sends = false
        var isUsedOtherwise = false
        var listeners: Set<Register> = []
        closure.block.forEachStatement { statement in
            if case .read(let register, .local(listener)) = statement.kind { listeners.insert(register) }
            guard let call = statement.call else { return }
            if case .member(.register(let receiver), let name) = call.callee, listeners.contains(receiver) {
                if name == "onNext" { sends = true } else { isUsedOtherwise = true }
            }
            if call.arguments.contains(where: { if case .register(let register) = $0.value { listeners.contains(register) } else { false } }) { isUsedOtherwise = true }
        }
        return sends && !isUsedOtherwise
    }
}
