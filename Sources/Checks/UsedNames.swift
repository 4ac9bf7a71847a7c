import ProgramModel

/// What the project's code uses by name, found in one pass.
struct UsedNames: Sendable {
    /// One body in which something happens.
    struct Place: Sendable {
        let body: Body
        let file: Int
        /// The type whose member the body is; nil outside types.
        let owner: TypeID?
    }

    /// Full names of calls, and base names of what is referred to without a call or by a selector; super calls do not count.
    private(set) var called: Set<String> = []
    /// Full names of super calls.
    private(set) var calledOnSuper: Set<String> = []
    /// The bodies in which an initialiser of a type is called, by the type's name as written.
    private(set) var constructions: [String: [Place]] = [:]
    /// The names of the classes of which a list makes objects itself: `register(Cell.self, …)`.
    private(set) var registered: Set<String> = []

    /// Reads every body of the program.
    init(_ program: Program) {
        for (file, one) in program.files.enumerated() {
            for (index, type) in one.facts.types.enumerated() {
                let owner = program.owners(of: DeclarationID(file: file, index: index)).first
                for (_, body) in type.members.flatMap(\.bodies) { read(Place(body: body, file: file, owner: owner)) }
            }
            for (_, body) in one.facts.members.flatMap(\.bodies) { read(Place(body: body, file: file, owner: nil)) }
            if let body = one.facts.topLevel { read(Place(body: body, file: file, owner: nil)) }
        }
    }

    private mutating func read(_ place: Place) {
        var constructed: Set<String> = []
        place.body.block.forEachStatement { statement in
            if let call = statement.call {
                switch call.callee {
                case .superMember: if let name = call.fullName { calledOnSuper.insert(name) }
                case .initializer(let type): constructed.insert(type.name)
                default: if let name = call.fullName { called.insert(name) }
                }
                for argument in call.arguments { note(argument.value) }
                if call.callee.baseName?.hasPrefix("register") ?? false, case .type(let type)? = call.arguments.first?.value { registered.insert(type.name) }
            }
            switch statement.kind {
            case .read(_, .name(let name)), .read(_, .member(_, let name)): called.insert(name)
            case .write(_, let value), .assign(_, let value), .exit(.returns(let value)): note(value)
            case .declare(_, let value?): note(value)
            case .compute(_, _, let operands): for operand in operands { note(operand) }
            default: break
            }
        }
        for name in constructed { constructions[name, default: []].append(place) }
    }

    private mutating func note(_ operand: Operand) {
        switch operand {
        case .constant(.selector(let text)): note(ObjectiveCSelector.baseName(of: text))
        case .constant(.string(let text)) where text.utf8.count < 80: note(ObjectiveCSelector.baseName(of: text))
        default: break
        }
    }

    private mutating func note(_ name: String?) {
        if let name { called.insert(name) }
    }
}

extension CheckInput {
    /// Whether no code names a method, no protocol asks for it and no storyboard sends it, and code that is not here cannot know it.
    func isForNobody(_ id: MemberID, of owner: TypeID) -> Bool {
        let facts = program[id]
        guard facts.kind == .function, !facts.isOverride, !facts.isAction, !program.isOffered(id) else { return false }
        guard names.called.isDisjoint(with: [facts.baseName, facts.fullName]), !interfaceLinks.sends(facts.baseName) else { return false }
        return !program.protocols(of: owner).contains { program[$0].membersByName[facts.baseName] != nil }
    }
}
