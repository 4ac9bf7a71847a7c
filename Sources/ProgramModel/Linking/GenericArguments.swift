extension Program {
    /// The type that a class gives for a generic parameter of a class above it, as `Model` in `class Screen: Base<Model>`; other types as they are.
    public func argument(for type: TypeReference, of owner: TypeID) -> TypeReference {
        let chain = chain(of: owner)
        for (below, above) in zip(chain, chain.dropFirst()) {
            let parameters = self[above].declarations.flatMap { self[$0].genericParameters }
            guard let index = parameters.firstIndex(of: type.name) else { continue }
            let name = self[above].shortName
            let inherited = self[below].declarations.flatMap { self[$0].inherited }.first { ProgramType.shortName(of: $0.name) == name && index < $0.arguments.count }
            guard let inherited else { return type }
            // What is handed on from a parameter of its own is known further down.
            return argument(for: inherited.arguments[index], of: owner, below: below)
        }
        return type
    }

    private func argument(for type: TypeReference, of owner: TypeID, below link: TypeID) -> TypeReference {
        let isOwnParameter = self[link].declarations.contains { self[$0].genericParameters.contains(type.name) }
        return isOwnParameter && link != owner ? argument(for: type, of: owner) : type
    }
}
