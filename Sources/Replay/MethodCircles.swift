import ProgramModel

/// Methods that somebody keeps as closures: a method of an object, given away by its name, holds the object.
extension Machine {
    /// Methods of the object, as closures in what it holds.
    mutating func watchMethodCircles(of id: ObjectID, _ type: TypeID, _ references: StrongReferences) {
        // The ways begin with the object itself.
        var ways = references.ways(around: .object(id)).mapValues { before -> Node? in before ?? .object(id) }
        ways[.object(id)] = .some(nil)
        let holders = ways.keys.compactMap { node -> ObjectID? in if case .object(let holder) = node { holder } else { nil } }.sorted { $0.index < $1.index }
        for holder in holders {
            let fields = world[holder].fields.filter { field, value in methodOwners(value).contains(id) && !world[holder].weakFields.contains(field) }
            for field in fields.keys.sorted() {
                guard let way = way(to: .object(holder), ways), !mayBeBroken(way + [.object(id)]), closureOfOwnObject(in: way) == nil, let site = world[holder].writes[field] else { continue }
                let name = program[type].name
                let isAssigned = field == Self.assignment
                var violation = Violation(
                    rule: "closure_retains_controller", family: "", state: "circle", site: site,
                    detail: isAssigned
                        ? "the '\(name)' keeps the subscription that assigns to it, and the subscription holds the '\(name)', so it is never freed; assign in a closure that captures it weakly"
                        : "the '\(name)' holds a method of itself as a closure, so it is never freed", related: [])
                violation.steps = [LogEntry(
                    event: event, site: site, note: "the owner lets go, and the circle keeps itself alive: \(titles(of: way)).\(field) → \(isAssigned ? "" : "a method of ")the '\(name)'")]
                add(violation)
            }
        }
    }

    /// Where a value that goes into a field comes from: a method, where the object gave it away, which is seldom where it is kept.
    func site(ofWritten value: Value, in frame: Int?) -> Site? {
        guard let owner = methodOwners(value).first else { return frame.flatMap { world.frames[$0].at } }
        var next = frame ?? (world.frames.isEmpty ? nil : current)
        while let index = next, world.frames[index].selfValue != .object(owner) { next = world.frames[index].caller }
        // A function of its own that is given the method stores what its caller gave away.
        while let index = next, let caller = world.frames[index].caller, world.frames[caller].selfValue == .object(owner), isGivenMethod(of: owner, within: value, in: index) { next = caller }
        return (next ?? frame).flatMap { world.frames[$0].at }
    }

    /// Whether a frame got a method of the object by a parameter, as it is in a value or a part of it.
    private func isGivenMethod(of owner: ObjectID, within value: Value, in index: Int) -> Bool {
        let frame = world.frames[index]
        return frame.context.body.parameters.contains { parameter in
            guard let given = frame.locals[parameter], case .method(owner, _) = given else { return false }
            return value == given || parts(of: value).contains(given)
        }
    }

    private func parts(of value: Value) -> [Value] {
        switch value {
        case .collection(let parts), .tuple(let parts), .named(_, let parts): parts + parts.flatMap { self.parts(of: $0) }
        default: []
        }
    }

    /// Puts what an object is made with into a field of its own.
    mutating func put(_ value: Value, into field: String, of id: ObjectID) {
        world[id].fields[field] = value
        world[id].writes[field] = site(ofWritten: value, in: nil)
    }

    /// The objects whose methods a value is, or carries.
    private func methodOwners(_ value: Value) -> [ObjectID] {
        switch value {
        case .method(let id, _): [id]
        case .collection(let parts), .tuple(let parts), .named(_, let parts): parts.flatMap { methodOwners($0) }
        default: []
        }
    }
}
