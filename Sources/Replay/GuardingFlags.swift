import ProgramModel

/// The switches of a class that decide whether a resource is acquired or released: what sets one from outside changes what the next event
/// does, as does what empties a property that is asked whether something is there.
enum GuardingFlags {
    /// The full names of the methods of a class and its superclasses that set such a switch; `names` are the base names of what acquires
    /// and releases.
    static func setters(in chain: [TypeID], _ program: Program, names: Set<String>) -> Set<String> {
        let members = chain.flatMap(program.members).map { program[$0] }
        let own = members.filter { $0.kind == .property && !$0.isStatic }
        let switches = Set(own.filter(isSwitch).map(\.baseName))
        let properties = switches.union(own.filter { $0.isStored && !$0.isOutlet }.map(\.baseName))
        guard !properties.isEmpty else { return [] }
        let guarding = members.flatMap(\.bodies).reduce(into: Set<String>()) { $0.formUnion(guards(of: names, in: $1.body, among: properties)) }
        guard !guarding.isEmpty else { return [] }
        let (turned, filled) = (guarding.intersection(switches), guarding.subtracting(switches))
        return Set(members.filter { member in
            member.kind == .function && (member.body.map { sets(in: $0) { turned.contains($0) || filled.contains($0) && $1 == .constant(.null) } } ?? false)
        }.map(\.fullName))
    }

    private static func isSwitch(_ member: MemberFacts) -> Bool {
        if let type = member.type { return ["Bool", "BOOL"].contains(type.unwrapped.name) }
        guard case .exit(.returns(.constant(.boolean)))? = member.body?.block.last?.kind else { return false }
        return true
    }

    /// The properties that branches ask whose arms acquire or release something, or leave a body that does so elsewhere.
    private static func guards(of names: Set<String>, in body: Body, among properties: Set<String>) -> Set<String> {
        guard ClassSlice.mentions(body, names) else { return [] }
        var found: Set<String> = []
        body.block.forEachStatement { statement in
            guard case .branch(let clauses, let then, let otherwise) = statement.kind else { return }
            let asked = clauses.reduce(into: Set<String>()) { $0.formUnion(reads(in: $1.setup, among: properties)) }
            guard !asked.isSubset(of: found), [then, otherwise].contains(where: { $0.lastExit != nil || ClassSlice.mentions($0, names) }) else { return }
            found.formUnion(asked)
        }
        return found
    }

    private static func reads(in block: Block, among properties: Set<String>) -> Set<String> {
        var found: Set<String> = []
        block.forEachStatement { statement in
            switch statement.kind {
            case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)): if properties.contains(name) { found.insert(name) }
            default: break
            }
        }
        return found
    }

    private static func sets(in body: Body, _ isMeant: (String, Operand) -> Bool) -> Bool {
        body.block.containsStatement { statement in
            switch statement.kind {
            case .write(.name(let name), let value), .write(.member(.selfObject, let name), let value): isMeant(name, value)
            default: false
            }
        }
    }
}
