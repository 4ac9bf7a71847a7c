import ProgramModel

extension CheckInput {
    /// Whether a member is the deinitialiser of its class, or a helper that nothing but the deinitialiser calls.
    func runsAtTheEnd(_ facts: MemberFacts, of owner: TypeID) -> Bool {
        func isEnd(_ facts: MemberFacts) -> Bool { facts.kind == .deinitializer || facts.baseName == "deinit" }
        if isEnd(facts) { return true }
        guard !facts.isOverride, facts.kind == .function else { return false }
        let callers = callers(of: facts, in: owner)
        return callers.isEmpty ? facts.isPrivate && names.called.isDisjoint(with: [facts.baseName, facts.fullName]) : callers.allSatisfy(isEnd)
    }

    /// The other members of a class and of its superclasses that call one on self.
    func callers(of facts: MemberFacts, in owner: TypeID) -> [MemberFacts] {
        program.chain(of: owner).flatMap { program.members(of: $0) }.map { program[$0] }.filter { other in
            other.fullName != facts.fullName && other.bodies.contains { $0.body.block.namesCalledOnSelf.contains(facts.baseName) }
        }
    }
}
