import ProgramModel

/// A member of a file together with the type that it belongs to there.
struct MemberOccurrence: Sendable {
    let id: MemberID
    let facts: MemberFacts
    let owner: TypeID
    let typeName: String

    /// What the registers and locals of one of its bodies stand for.
    func context(of body: Body) -> BodyContext {
        BodyContext(body: body, selfType: owner, scope: Scope(file: id.declaration.file, typeName: typeName), isStatic: facts.isStatic)
    }
}

/// One body of a member.
struct BodyOccurrence: Sendable {
    let member: MemberOccurrence
    let body: Body
    let context: BodyContext

    /// Whether a closure of the body holds self: it mentions self, and does not capture it in another way.
    func holdsSelf(_ closure: Closure, in program: Program) -> Bool {
        if closure.captures.contains(where: { $0.value == .selfObject && $0.strength == .strong }) { return true }
        guard !closure.captures.contains(where: { $0.value == .selfObject || body[$0.local].name == "self" }) else { return false }
        return ClosureMentions(closure, program: program, owner: member.owner) { program.members(named: $0, on: $1) }.mentionsSelf
    }
}

/// The members and bodies of one file.
struct FileReading: Sendable {
    let file: Int
    let members: [MemberOccurrence]
    let bodies: [BodyOccurrence]
}

extension Program {
    /// The members of a file that belong to a linked type, in order of the text; of an extension with several owners the first, of one of an SDK class that class.
    func occurrences(inFile file: Int) -> [MemberOccurrence] {
        files[file].facts.types.indices.flatMap { index -> [MemberOccurrence] in
            let declaration = DeclarationID(file: file, index: index)
            guard let owner = ownerOrExtended(of: declaration) else { return [] }
            return self[declaration].members.indices.filter { !self[declaration].members[$0].isOfEvent }.map { position in
                let id = MemberID(declaration: declaration, index: position)
                return MemberOccurrence(id: id, facts: self[id], owner: owner, typeName: self[owner].name)
            }
        }
    }

    /// What the registers and locals of a member's body stand for, where a type has the member.
    func context(of body: Body, in member: MemberID, as owner: TypeID) -> BodyContext {
        BodyContext(body: body, selfType: owner, scope: Scope(file: member.declaration.file, typeName: self[owner].name), isStatic: self[member].isStatic)
    }

    /// Visits every body of a member of a type, but not those of tests.
    func forEachBody(_ visit: (MemberOccurrence, Body) -> Void) {
        for file in files.indices where !files[file].isTest {
            for member in occurrences(inFile: file) {
                for (_, body) in member.facts.bodies { visit(member, body) }
            }
        }
    }
}

extension BodyContext {
    /// The property of the object out of which a value was read, by way of a local or not, without its underscore; nil for other values.
    func ownProperty(behind value: Operand) -> String? {
        guard case .register(let register) = uncast(value), case .read(_, let place)? = definition(of: register)?.kind else { return nil }
        if case .local(let local) = place { return self.value(of: local).flatMap { ownProperty(behind: $0) } }
        return place.ownName?.withoutUnderscore
    }
}

extension Program {
    /// Whether the code of a class counts references itself, so that its variables hold only what it retains.
    func countsByHand(_ type: TypeID) -> Bool { self[type].declarations.contains { files[$0.file].facts.countsReferences } }

    /// Whether a property is an instance variable of Objective-C that holds only what the code of its class retains.
    func isUncountedVariable(_ property: MemberFacts, of type: TypeID) -> Bool {
        files[self[type].file].facts.language == .objectiveC && property.modifiers.contains("private") && countsByHand(type)
    }
}

extension MemberFacts {
    /// The type of which a property's first value is made, where the text makes one.
    var firstType: TypeReference? {
        guard let block = body?.block, case .returns(.register(let result))? = block.lastExit else { return nil }
        for statement in block { if let call = statement.call, call.result == result, case .initializer(let type) = call.callee { return type } }
        return nil
    }
}
