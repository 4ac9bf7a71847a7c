import ProgramModel

/// Values that the Objective-C runtime keeps beside an object under a key: fields that no class declares.
extension Machine {
    /// What `objc_getAssociatedObject` or `objc_setAssociatedObject` does; nil for other functions.
    mutating func associate(_ name: String, _ call: Call, _ arguments: [Value]) -> Value? {
        guard arguments.count >= 2, case .object(let id) = arguments[0] else { return nil }
        let field = "associated \(key(call.arguments[1], arguments[1]))"
        switch (name, arguments.count) {
        case ("objc_getAssociatedObject", 2):
            guard let value = world[id].fields[field] else { return .null }
            if world[id].weakFields.contains(field), case .object(let target) = value, world[target].isFreed { return .null }
            return value
        case ("objc_setAssociatedObject", 4):
            world[id].fields[field] = arguments[2]
            if holdsNothing(arguments[3]) { world[id].weakFields.insert(field) } else { world[id].weakFields.remove(field) }
            return .void
        default:
            return nil
        }
    }

    /// The key by where it stands, else by its value.
    private func key(_ argument: Argument, _ value: Value) -> String { argument.place.map { "\($0)" } ?? "\(value)" }

    /// Whether the policy keeps nothing alive: OBJC_ASSOCIATION_ASSIGN.
    private func holdsNothing(_ policy: Value) -> Bool {
        switch policy {
        case .integer(0): true
        case .named(let name, _): name.hasSuffix("ASSIGN")
        default: false
        }
    }
}
