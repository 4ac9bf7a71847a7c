import ProgramModel

/// Properties and methods that observe what they are given, and that somebody gives another value.
extension OutsideCallers {
    /// Whether a member registers for what it is given and lets go of nothing, so that a second value leaves the first one observed.  What
    /// a property begins whatever it is given begins anew with the second value.
    func isReplaced(_ member: MemberID, _ relevance: Relevance) -> Bool {
        let facts = program[member]
        let bodies = facts.bodies.map(\.body)
        guard facts.kind == .property ? facts.accessors != nil : !facts.parameters.isEmpty,
              !bodies.contains(where: { $0.block.calledNames.contains { relevance.isReleaseOrLeadsToOne($0) } }) else { return false }
        return expectsAnother(facts) || bodies.contains { registers($0, for: facts) } && relevance.isUsedAgain(member, outside: chain)
    }

    /// Whether a body observes its parameter, or the property that it belongs to or gives the parameter to.
    private func registers(_ body: Body, for facts: MemberFacts) -> Bool {
        var given: Set<Register> = []
        var names: Set<String> = facts.kind == .property ? [facts.baseName] : []
        return body.block.containsStatement { statement in
            switch statement.kind {
            case .read(let register, .local(let local)): if body.parameters.contains(local) { given.insert(register) }
            case .read(let register, let place): if let name = place.ownName?.withoutUnderscore, names.contains(name) { given.insert(register) }
            case .write(let place, .register(let value)): if given.contains(value), let name = place.ownName?.withoutUnderscore { names.insert(name) }
            case .compute(let register, _, let operands): if case .register(let base)? = operands.first, operands.count == 1, given.contains(base) { given.insert(register) }
            case .call(let call):
                guard case .member(.register(let receiver), _) = call.callee, let name = call.fullName else { return false }
                return given.contains(receiver) && exceptional.contains(name) || telling.contains(name) && call.arguments.contains { if case .register(let subject) = $0.value { given.contains(subject) } else { false } }
            default: break
            }
            return false
        }
    }
}
