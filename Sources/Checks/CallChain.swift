import ProgramModel

/// One value of a chain of calls, `a`, `a.b()` or `a.b().c()`.
struct ChainLink {
    let value: Operand
    /// The call on an object whose result it is; nil at the root of the chain.
    let call: Call?
}

extension BodyContext {
    /// A value and those that it came from by calls on objects, nearest first, back through names and casts; 24 at most.
    func chain(behind operand: Operand) -> [ChainLink] {
        var links: [ChainLink] = []
        var next: Operand? = operand
        while let value = next.map(uncast), links.count < 24 {
            next = nil
            guard case .register(let register) = value else { return links + [ChainLink(value: value, call: nil)] }
            let definition = definition(of: register)
            if case .read(_, .local(let local))? = definition?.kind, let named = self.value(of: local) {
                next = named
            } else if let call = definition?.call, case .member(let receiver, _) = call.callee {
                links.append(ChainLink(value: value, call: call))
                next = receiver
            } else {
                links.append(ChainLink(value: value, call: nil))
            }
        }
        return links
    }
}
