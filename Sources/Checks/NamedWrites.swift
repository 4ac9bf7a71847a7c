import ProgramModel

/// Where the project's code writes properties, by name, found in one pass.
struct NamedWrites: Sendable {
    /// One write.
    struct Place: Sendable {
        let member: MemberID
        let body: Body
        let statement: Statement
        /// The object whose property is written.
        let base: Operand
    }

    private let places: [String: [Place]]
    /// The names of the properties that code sets to nil while the object is alive.
    private let cleared: Set<String>

    /// Reads every body of the program's types but those of tests; initial values and accessors are left out.
    init(_ program: Program) {
        var places: [String: [Place]] = [:]
        for (file, one) in program.files.enumerated() where !one.isTest {
            for (index, type) in one.facts.types.enumerated() {
                for (position, member) in type.members.enumerated() where member.kind == .function {
                    guard let body = member.body else { continue }
                    let id = MemberID(declaration: DeclarationID(file: file, index: index), index: position)
                    body.block.forEachStatement { statement in
                        switch statement.kind {
                        case .write(.name(let name), _): places[name, default: []].append(Place(member: id, body: body, statement: statement, base: .selfObject))
                        case .write(.member(let base, let name), _): places[name, default: []].append(Place(member: id, body: body, statement: statement, base: base))
                        default: break
                        }
                    }
                }
            }
        }
        self.places = places
        cleared = Set(places.compactMap { name, written in
            written.contains { place in
                guard case .write(_, .constant(.null)) = place.statement.kind else { return false }
                return program[place.member].baseName != "dealloc"
            } ? name : nil
        })
    }

    /// The writes to properties of this name.
    subscript(name: String) -> [Place] { places[name] ?? [] }

    /// Whether code that runs while the object is alive sets a property of this name to nil, or the variable behind it.
    func clears(_ name: String) -> Bool {
        let plain = name.withoutUnderscore
        return cleared.contains(plain) || cleared.contains("_\(plain)")
    }
}

extension CheckInput {
    /// Whether code of a class takes something out of what one of its properties holds, but for the members with these base names; of
    /// tokens it is enough that they are ended.
    func takesOut(of property: String, of type: TypeID, besides members: Set<String> = [], isOfTokens: Bool = false) -> Bool {
        // What an object of the project removes, it removes from itself.
        if !isOfTokens, let declared = program.members(named: property, on: type).first(where: { program[$0].kind == .property }), let written = program[declared].type,
           case .project(let types) = program.resolve(written.unwrapped, in: Scope(file: declared.declaration.file, typeName: program[declared.declaration].name)),
           types.allSatisfy({ program[$0].kind == .class || program[$0].kind == .protocol }) { return false }
        return program.chain(of: type).flatMap { program.members(of: $0) }.map { program[$0] }.filter { !members.contains($0.baseName) }.flatMap { $0.bodies.map(\.body) }.contains { body in
            var reads: Set<Register> = []
            return body.block.containsStatement { statement in
                if case .read(let register, let place) = statement.kind, place.propertyName == property { reads.insert(register) }
                if case .write(.element(.register(let list), _), .constant(.null)) = statement.kind { return reads.contains(list) }
                guard let call = statement.call, case .member(.register(let receiver), let method) = call.callee, reads.contains(receiver) else { return false }
                // Who no longer watches a list still has it.
                if method.hasPrefix("removeObserver") || method.hasPrefix("removeTarget") || method.hasPrefix("removeGestureRecognizer") { return false }
                return method.hasPrefix("remove") || method.hasPrefix("pop") || isOfTokens && ["cancel", "invalidate", "dispose", "forEach"].contains(method)
            }
        }
    }

    /// Whether code that runs while the object is alive sets this property of a type's objects to nil.
    func clears(_ name: String, of type: TypeID) -> Bool {
        writes.clears(name) && places(writing: name, of: type).contains { place in
            guard case .write(_, .constant(.null)) = place.statement.kind else { return false }
            return program[place.member].baseName != "dealloc"
        }
    }

    /// Whether code of the class, or of a superclass, takes everything out of a collection that its objects keep in a property, before their end.
    func empties(_ name: String, of type: TypeID) -> Bool {
        program.chain(of: type).flatMap(program.members).contains { id in
            program[id].kind != .deinitializer && program[id].bodies.contains { _, body in
                var read: Set<Operand> = []
                return body.block.containsStatement { statement in
                    switch statement.kind {
                    case .read(let register, .name(name)), .read(let register, .member(.selfObject, name)): read.insert(.register(register))
                    default: break
                    }
                    guard case .member(let receiver, let called)? = statement.call?.callee else { return false }
                    return read.contains(receiver) && Self.emptying.contains(called)
                }
            }
        }
    }

    /// What takes things out of a collection, or does something to each, as `forEach { $0.cancel() }`.
    private static let emptying: Set<String> = ["removeAll", "removeFirst", "popFirst", "forEach"]

    /// Where code writes this property of a type's objects, or the variable behind it; code of which nobody knows whose property it
    /// writes may.
    func places(writing name: String, of type: TypeID) -> [NamedWrites.Place] {
        let plain = name.withoutUnderscore
        return (writes[plain] + writes["_\(plain)"]).filter { place in
            guard let owner = program.owners(of: place.member.declaration).first else { return true }
            if place.base == .selfObject { return areRelated(owner, type) }
            let context = MemberOccurrence(id: place.member, facts: program[place.member], owner: owner, typeName: program[owner].name).context(of: place.body)
            guard let inferred = inference.type(of: place.base, in: context) else { return true }
            return switch inference.resolve(inferred) {
            case .project(let types): types.contains { areRelated($0, type) || program[$0].kind == .protocol }
            // What is declared as a class of the SDK may be of a subclass.
            case .platform(let name): program.platformClass(of: type).map { program.platform.isClass($0, kindOf: name) } ?? false
            case .unknown: true
            }
        }
    }

    private func areRelated(_ one: TypeID, _ other: TypeID) -> Bool { program.chain(of: one).contains(other) || program.chain(of: other).contains(one) }
}
