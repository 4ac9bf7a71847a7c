import ProgramModel

/// Runs that follow only the code of the object whose life is run.
extension Machine {
    /// Whether a type is the class of the object whose life is run, or a superclass.
    package func isOwnCode(of type: TypeID) -> Bool { outsideCallers?.chain.contains(type) ?? true }

    /// Whether code is that of others and gets nothing of the object whose life is run, where only its own code is followed.
    func isForeign(_ owner: TypeID?, _ selfValue: Value, _ arguments: [Value]) -> Bool {
        guard followsOwnCodeOnly, !(owner.map { outsideCallers?.chain.contains($0) ?? true } ?? false) else { return false }
        func isOwn(_ value: Value) -> Bool {
            switch value {
            case .object(let id): id.index == 0 || matters(value)
            case .collection(let parts), .tuple(let parts), .named(_, let parts): parts.contains(where: isOwn)
            default: holdsClosures(value)
            }
        }
        if case .object(let id) = selfValue, id.index == 0 || world[id].fields.values.contains(where: matters) { return false }
        return !arguments.contains(where: isOwn)
    }
}
