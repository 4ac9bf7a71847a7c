import ProgramModel

extension CheckInput {
    /// Whether a member is the deinitialiser of its class, or a helper that nothing but the deinitialiser calls.
    func runsAtTheEnd(_ facts: MemberFacts, of owner: TypeID) -> Bool {
        func isEnd(_ facts: MemberFacts) -> Bool { facts.kind == .deinitializer || facts.baseName == "deinit" }
        if isEnd(facts) { return true }
        guard !facts.isOverride, facts.kind == .function else { return false }
        let callers = program.chain(of: owner).flatMap { program.members(of: $0) }.map { program[$0] }.filter { other in
            other.fullName != facts.fullName && other.bodies.contains { Self.calls(facts.baseName, in: $0.body) }
        }
        return callers.isEmpty ? facts.isPrivate && names.called.isDisjoint(with: [facts.baseName, facts.fullName]) : callers.allSatisfy(isEnd)
    }

    private static func calls(_ name: String, in body: Body) -> Bool {
        body.block.containsStatement { statement in
            switch statement.call?.callee {
            case .name(name), .member(.selfObject, name): true
            default: false
            }
        }
    }
}
