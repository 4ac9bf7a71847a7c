import ProgramModel
import RuleLibrary

/// The monitor of constraints: those that are made and activated anew each time a method runs lie beside those before.
extension Machine {
    /// The constraint that a call makes of views which the run knows, and which were there before; nil for any other call.
    mutating func constraint(madeBy call: Call, receiver: Value, _ arguments: [Value]) -> Value? {
        guard watchesGeometry, let name = call.callee.baseName, name.hasPrefix("constraint"), !name.hasPrefix("constraints"), !arguments.isEmpty,
              case let views = ([receiver] + arguments).compactMap(constrained), !views.isEmpty, !views.contains(where: isNewView) else { return nil }
        return .object(world.make(.platform("NSLayoutConstraint")))
    }

    /// The view whose anchor a value is, or that it is itself.
    private func constrained(_ value: Value) -> ObjectID? {
        guard case .object(let id) = value, let name = className(of: id) else { return nil }
        guard program.platform.isClass(name, kindOf: "NSLayoutAnchor") else {
            return ["UIView", "NSView"].contains { program.platform.isClass(name, kindOf: $0) } ? id : nil
        }
        return world.objects.indices.map { ObjectID(index: $0) }.first { holder in
            guard world[holder].fields.values.contains(value), let holderClass = className(of: holder) else { return false }
            return ["UIView", "NSView"].contains { program.platform.isClass(holderClass, kindOf: $0) }
        }
    }

    /// Whether a view was made during this event; the run makes what a controller or a cell has of itself when it is asked for, so that is as
    /// new as its owner, and so is what a property makes when it is first read: the next time it is the same view.
    private func isNewView(_ id: ObjectID) -> Bool {
        world[id].madeIn == event && !world.objects.contains { owner in
            owner.madeIn != event && (owner.fields["view"] == .object(id) || owner.fields["contentView"] == .object(id) || makesOnce(owner, id))
        }
    }

    private func makesOnce(_ owner: HeapObject, _ id: ObjectID) -> Bool {
        guard case .project(let type) = owner.kind else { return false }
        return owner.fields.contains { name, value in
            guard value == .object(id), let member = lookups.property(name, of: type)?.member else { return false }
            return member.modifiers.contains("lazy") || member.accessors?.get != nil
        }
    }

    /// Follows calls that activate constraints, or take them away.
    mutating func noteConstraints(of call: Call, _ arguments: [Value], receiver: Value?) {
        guard watchesGeometry, let knowledge = library.geometry, let name = call.callee.baseName else { return }
        if knowledge.unconstrains.contains(name) || knowledge.removes.contains(name) { return takeConstraintsAway() }
        if name == "setActive", case .object(let id)? = receiver, let value = arguments.first { return noteActivation("isActive", of: id, value) }
        guard knowledge.constrains.contains(name) else { return }
        if arguments.allSatisfy({ if case .closure = $0 { true } else { false } }) {
            // The constraints are made in the closure, of the view that is asked: `label.snp.makeConstraints { … }`.
            guard let view = subject(of: call).flatMap(constrained), !isNewView(view) else { return }
            return add(constraint: world.make(.platform("NSLayoutConstraint")), to: view)
        }
        for case .object(let id) in arguments.flatMap(Self.elements) where isNewConstraint(id) { return add(constraint: id, to: nil) }
    }

    /// Follows the property by which a constraint is activated or let go.
    mutating func noteActivation(_ name: String, of id: ObjectID, _ value: Value) {
        guard watchesGeometry, name == "isActive" || name == "active" else { return }
        if value != .boolean(true) { return takeConstraintsAway() }
        if isNewConstraint(id) { add(constraint: id, to: nil) }
    }

    private mutating func takeConstraintsAway() { world.additions.removeAll { $0.kind == .constraint } }

    private mutating func add(constraint: ObjectID, to view: ObjectID?) {
        guard event > 0, let site = place, let knowledge = library.geometry, !isSeldom(knowledge),
              !takesAway(world.frames[current].context.body, knowledge.unconstrains), !clearsForReuse(knowledge), let holder = view ?? selfObject else { return }
        world.additions.append(Addition(site: site, holder: holder, added: constraint, event: event, list: "constraints", kind: .constraint))
    }

    private var selfObject: ObjectID? { if case .object(let id) = world.frames[current].selfValue { id } else { nil } }

    private func isNewConstraint(_ id: ObjectID) -> Bool { world[id].madeIn == event && className(of: id) == "NSLayoutConstraint" }

    /// Whether the code runs for a method that makes constraints once for all that is known.
    private func isSeldom(_ knowledge: GeometryKnowledge) -> Bool {
        var next: Int? = current
        while let frame = next {
            if knowledge.seldom.contains(ResourceNames.baseName(world.frames[frame].member)) { return true }
            next = world.frames[frame].caller
        }
        return false
    }

    /// The value whose constraints a library's call makes: what is before `.snp` or `.mas`, or the receiver itself.
    private func subject(of call: Call) -> Value? {
        guard case .member(let receiver, _) = call.callee else { return nil }
        if case .register(let register) = receiver, case .read(_, .member(let base, let name))? = world.frames[current].context.definition(of: register)?.kind,
           ["snp", "mas"].contains(name) { return operand(base, in: current) }
        return operand(receiver, in: current)
    }

    private static func elements(_ value: Value) -> [Value] {
        if case .collection(let elements) = value { elements.flatMap(Self.elements) } else { [value] }
    }
}
