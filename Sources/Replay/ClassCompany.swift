import ProgramModel

extension Program {
    /// The types of a chain with those of which its objects keep or make something, and those of which these do: whose code can do
    /// something to what such an object has.  What others have made and what all share lives its own life.
    func company(of chain: [TypeID]) -> Set<TypeID> {
        var found = Set(chain)
        var latest = found
        for _ in 0..<Self.deepestCompany {
            latest = Set(latest.flatMap(typesKeptOrMade).flatMap { self.chain(of: $0) }).subtracting(found)
            found.formUnion(latest)
        }
        return found
    }

    /// How many objects away the company ends.
    private static let deepestCompany = 2

    /// The types of the stored properties of a type that hold what they have, and those of which its code makes objects.
    private func typesKeptOrMade(by type: TypeID) -> [TypeID] {
        var found: [TypeID] = []
        for id in members(of: type) {
            let member = self[id]
            let scope = Scope(file: id.declaration.file, typeName: self[type].name)
            if member.kind == .property, keeps(member.baseName, of: type), let written = member.type { found += types(in: written, scope) }
            for (_, body) in member.bodies {
                body.block.forEachStatement { statement in
                    if case .initializer(let made)? = statement.call?.callee { found += types(in: made, scope) }
                }
            }
        }
        return found
    }

    /// The types of the project that a reference names, itself or as generic arguments.
    private func types(in reference: TypeReference, _ scope: Scope) -> [TypeID] {
        guard reference.name != "->" else { return [] }
        let inside = reference.arguments.flatMap { types(in: $0, scope) }
        if case .project(let named) = resolve(reference, in: scope) { return named + inside }
        return inside
    }
}
