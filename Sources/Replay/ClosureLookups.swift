import ProgramModel
import RuleLibrary

/// What the text of a closure tells of who is given it.
extension Lookups {
    /// The names that a closure itself, not one inside it, reads, sets or calls without saying of what.
    func membersNamedAlone(in closure: Closure) -> Set<String> {
        if let known = namedAlone[ObjectIdentifier(closure)] { return known }
        var names: Set<String> = []
        closure.block.forEachStatement(enteringClosures: false) { statement in
            switch statement.kind {
            case .read(_, .name(let name)), .write(.name(let name), _): names.insert(name)
            default: if case .name(let name)? = statement.call?.callee { names.insert(name) }
            }
        }
        namedAlone[ObjectIdentifier(closure)] = names
        return names
    }

    private func makesToken(_ call: Call, _ library: RuleLibrary) -> Bool {
        call.fullName.map { name in library.families(calling: name).contains { family in family.tokenEnd != .none && family.acquire.contains { $0.names.contains(name) } } } ?? false
    }

    /// The calls of a closure itself, those of them whose results nothing in it uses, and whether it sets something.
    private func calls(of closure: Closure) -> (all: [Call], left: [Call], writes: Bool) {
        var calls: [Call] = []
        var writes = false
        closure.block.forEachStatement(enteringClosures: false) { statement in
            if let call = statement.call { calls.append(call) }
            if case .write = statement.kind { writes = true }
        }
        let used = closure.block.usedRegisters
        return (calls, calls.filter { !used.contains($0.result) }, writes)
    }

    /// Whether a closure that nobody keeps is called for the values that it has, or for the token that it makes and does nothing with.
    func givesTokens(_ closure: Closure, _ library: RuleLibrary) -> Bool {
        closure.isOfResultBuilder || calls(of: closure).left.contains { makesToken($0, library) } || makesTokensOnly(closure, library)
    }

    /// Whether a closure makes nothing but tokens and keeps none of them: whoever is given it gets the one that it returns, or collects them
    /// all, as a result builder does.
    func makesTokensOnly(_ closure: Closure, _ library: RuleLibrary) -> Bool {
        let (calls, left, writes) = calls(of: closure)
        // Beside the SDK's subscriptions stand those that extensions of libraries make.
        func subscribes(_ call: Call) -> Bool { if case .member = call.callee { call.arguments.last?.isTrailing == true } else { false } }
        guard !writes, left.isEmpty || left.contains(where: { makesToken($0, library) }), left.allSatisfy({ makesToken($0, library) || subscribes($0) }) else { return false }
        if left.count > 1 { return true }
        guard case .exit(.returns(.register(let register)))? = closure.block.last?.kind else { return false }
        return calls.contains { $0.result == register && makesToken($0, library) }
    }
}
