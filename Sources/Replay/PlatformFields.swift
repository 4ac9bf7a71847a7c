import ProgramModel

/// What the properties of the SDK's own objects hold.
extension Machine {
    /// A property of an SDK object: the same object each time; only what a view or controller owns is kept alive by it.
    mutating func readPlatformField(_ name: String, of id: ObjectID, type: TypeReference?) -> (Value, Origin?) {
        // A list to which the run has added something is there.
        if additions(listedBy: name, of: [.object(id)])?.isEmpty == false { return (.named(name, [.object(id)]), .field(id, name)) }
        if let value = world[id].fields[name] { return (value, .field(id, name)) }
        // While a view is made, nobody has taken it into a view or window yet (LIFECYCLE-FACTS section 1).
        if Self.joined.contains(name), id == ClassRuns.object, world[id].madeIn == event { return (.null, .field(id, name)) }
        let value: Value
        if let type, type.element == nil, program.platform.isClass(type.name) {
            value = .object(world.make(.platform(type.name)))
        } else if Self.pauses.contains(name), className(of: id) == "CADisplayLink", case .project(let type) = world[ClassRuns.object].kind, !lookups.isWritten(name, by: type) {
            // It runs from the start (CADisplayLink page, isPaused), and no code of the class pauses it.
            value = .boolean(false)
        } else {
            value = world.unknown()
        }
        world[id].fields[name] = value
        if !isOwnedPart(name, of: id) { world[id].weakFields.insert(name) }
        return (value, .field(id, name))
    }

    /// The properties that hold what a view has joined.
    package static let joined: Set<String> = ["superview", "window"]
    private static let pauses: Set<String> = ["isPaused", "paused"]

    /// Whether the object is a view, a controller or a layer of one.
    private func isResponder(_ id: ObjectID) -> Bool {
        className(of: id).map { name in ["UIResponder", "NSResponder", "CALayer"].contains { program.platform.isClass(name, kindOf: $0) } } ?? false
    }

    /// Whether the object in a property of an SDK object lives with it; others may be kept by somebody else or point back.
    private func isOwnedPart(_ name: String, of id: ObjectID) -> Bool {
        if Self.partsOfPipes.contains(name), let known = className(of: id), program.platform.isClass(known, kindOf: "Pipe") { return true }
        return Self.partsOfResponders.contains(name) && isResponder(id)
    }

    private static let partsOfResponders: Set<String> = ["view", "tableView", "collectionView", "layer", "contentView", "navigationItem"]
    private static let partsOfPipes: Set<String> = ["fileHandleForReading", "fileHandleForWriting"]

    mutating func readPlatformShared(_ key: String, type: TypeReference) -> (Value, Origin?) {
        if let value = world.shared[key] { return (value, .shared(key)) }
        let value: Value = program.platform.isClass(type.name) ? .object(world.make(.platform(type.name))) : .named(key, [])
        world.shared[key] = value
        return (value, .shared(key))
    }
}
