extension [MemberFacts] {
    /// These, with the functions among others that their bodies call on self, three calls deep; what has the name of one is not taken twice.
    public func reaching(among members: [MemberFacts]) -> [MemberFacts] {
        var reached = self
        var names = Set(map(\.baseName))
        for _ in 0..<3 {
            let called = reached.reduce(into: Set<String>()) { called, member in for (_, body) in member.bodies { called.formUnion(body.block.namesCalledOnSelf) } }
            let next = members.filter { $0.kind == .function && called.contains($0.baseName) && !names.contains($0.baseName) }
            if next.isEmpty { break }
            names.formUnion(next.map(\.baseName))
            reached += next
        }
        return reached
    }
}
