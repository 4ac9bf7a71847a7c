import ProgramModel
import RuleLibrary

/// What code learns that asks what is there before it adds: `subviews.contains(icon)`, `icon.isDescendant(of: self)`,
/// `layer.sublayers?.isEmpty`.
extension Machine {
    /// What the run added to a list of its holder; nil where the name is no such list.
    func additions(listedBy list: String, of holders: [Value]) -> [Addition]? {
        guard watchesGeometry, let shown = library.geometry?.listedBy[list], case .object(let holder)? = holders.first else { return nil }
        return world.additions.filter { $0.holder == holder && $0.list == shown }
    }

    /// Whether a property lists what is added to a view, layer or controller.
    func isListOfAdditions(_ name: String) -> Bool { watchesGeometry && library.geometry?.listedBy[name] != nil }

    /// A property of a list to which the run has added something.
    func property(_ name: String, ofListOf additions: [Addition]) -> Value? {
        switch name {
        case "isEmpty": .boolean(additions.isEmpty)
        case "count": .integer(additions.count)
        case "first", "last": additions.last.map { .object($0.added) }
        default: nil
        }
    }

    /// What a search of a list of an object's finds, where the run has added what is searched; who searches by what something is, finds
    /// what the run has added.  Nil where nobody knows.
    func search(_ operation: CollectionOperation, of list: Value, from origin: Origin?, _ arguments: [Value]) -> Value? {
        guard case .field(let holder, let name)? = origin, let added = additions(listedBy: name, of: [.object(holder)]) else { return nil }
        switch (operation, arguments.first) {
        case (.contains, .object(let sought)?): return keeps(holder, sought) ? .boolean(true) : nil
        case (.contains, .closure?): return added.isEmpty ? nil : .boolean(true)
        case (.first, _): return added.last.map { .object($0.added) }
        case (.filter, .closure?), (.compactMap, .closure?): return added.isEmpty ? nil : list
        default: return nil
        }
    }

    /// What a property that the project gives to a class of the SDK says of what was added to an object; nil where it asks for nothing of it.
    mutating func answerOfExtension(_ name: String, of id: ObjectID) -> Value? {
        guard watchesGeometry, let lists = library.geometry?.listedBy, let known = className(of: id), let property = program.extensionProperty(named: name, ofPlatformClass: known),
              let getter = program[property].accessors?.get, lookups.reads(property, anyOf: lists) else { return nil }
        let type: TypeID? = if case .project(let type) = world[id].kind { type } else { nil }
        let flow = run(getter, file: property.declaration.file, member: name, selfValue: .object(id), declaringType: type, arguments: [])
        return if case .returned(let value) = flow { value } else { nil }
    }

    /// Whether a view is in another one by what the run has added; nil where nobody knows, or where something else was asked.
    func isDescendant(_ name: String, _ view: Value, _ arguments: [Value]) -> Bool? {
        guard Self.questionsOfPlace.contains(name), case .object(let holder)? = arguments.first else { return nil }
        var seen: Set<ObjectID> = []
        var current = view
        while case .object(let id) = current, seen.insert(id).inserted {
            if id == holder { return true }
            current = world[id].fields["superview"] ?? .void
        }
        return nil
    }

    private static let questionsOfPlace: Set<String> = ["isDescendant(of:)", "isDescendantOfView(_:)", "isDescendantOf(_:)"]

    /// Whether the run has added one object to the other.
    private func keeps(_ holder: ObjectID, _ added: ObjectID) -> Bool {
        world[holder].fields.contains { field, value in value == .object(added) && Self.number(ofAdopted: field) != nil }
    }
}

extension Lookups {
    /// Whether the getter of a property reads one of these lists.
    func reads(_ property: MemberID, anyOf lists: [String: String]) -> Bool {
        if let known = askingForAdditions[property] { return known }
        let found = program[property].accessors?.get?.block.readNames.contains { lists[$0] != nil } ?? false
        askingForAdditions[property] = found
        return found
    }
}
