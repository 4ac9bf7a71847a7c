import ProgramModel
import RuleLibrary

/// What the text of a closure tells of who is given it.
struct ClosureUse {
    /// The names that the closure itself, not one inside it, reads, sets or calls without saying of what.
    let namedAlone: Set<String>
    /// Whether it makes nothing but tokens and keeps none of them: whoever is given it gets the one that it returns, or collects them all,
    /// as a result builder does.
    let makesTokensOnly: Bool
    /// Whether it sets up what it is given: it sets properties of its first parameter.
    let setsUpItsArgument: Bool
    /// Whether, where nobody keeps it, it is called for the values that it has, or for a token that it makes and does nothing with.
    let givesTokens: Bool

    init(of closure: Closure, _ library: RuleLibrary) {
        var names: Set<String> = []
        var calls: [Call] = []
        var writes = false
        closure.block.forEachStatement(enteringClosures: false) { statement in
            switch statement.kind {
            case .read(_, .name(let name)): names.insert(name)
            case .write(let place, _):
                writes = true
                if case .name(let name) = place { names.insert(name) }
            default: break
            }
            guard let call = statement.call else { return }
            calls.append(call)
            if case .name(let name) = call.callee { names.insert(name) }
        }
        func makesToken(_ call: Call) -> Bool { call.fullName.map { library.families(acquiredBy: $0).contains { $0.tokenEnd != .none } } ?? false }
        // Beside the SDK's subscriptions stand those that extensions of libraries make.
        func subscribes(_ call: Call) -> Bool { if case .member = call.callee { call.arguments.last?.isTrailing == true } else { false } }
        let used = closure.block.usedRegisters
        let left = calls.filter { !used.contains($0.result) }
        let leavesToken = left.contains(where: makesToken)
        var returnsToken: Bool {
            guard case .exit(.returns(.register(let register)))? = closure.block.last?.kind else { return false }
            return calls.contains { $0.result == register && makesToken($0) }
        }
        namedAlone = names
        setsUpItsArgument = closure.parameters.first.map { Self.sets($0, in: closure.block) } ?? false
        makesTokensOnly = !writes && (left.isEmpty || leavesToken) && left.allSatisfy { makesToken($0) || subscribes($0) } && (left.count > 1 || returnsToken)
        givesTokens = closure.isOfResultBuilder || leavesToken || makesTokensOnly
    }

    /// Whether code that runs with the block sets a property of what a local holds.
    private static func sets(_ local: LocalID, in block: Block) -> Bool {
        var read: Set<Register> = []
        var found = false
        block.forEachStatement(enteringClosures: false) { statement in
            switch statement.kind {
            case .read(let register, .local(local)): read.insert(register)
            case .write(.member(.register(let base), _), _): if read.contains(base) { found = true }
            default: break
            }
        }
        return found
    }
}

extension Lookups {
    func use(of closure: Closure, _ library: RuleLibrary) -> ClosureUse {
        if let known = closureUses[ObjectIdentifier(closure)] { return known }
        let use = ClosureUse(of: closure, library)
        closureUses[ObjectIdentifier(closure)] = use
        return use
    }

    /// Whether a closure of a class's code puts closures that hold something into properties.
    func storesClosures(_ closure: Closure, owner: TypeID?) -> Bool {
        if let known = closureStores[ObjectIdentifier(closure)] { return known }
        let found = StrongClosures.areStored(by: closure, owner: owner, lookups: self)
        closureStores[ObjectIdentifier(closure)] = found
        return found
    }
}
