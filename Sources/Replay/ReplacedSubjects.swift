import ProgramModel
import RuleLibrary

/// Observers of one object among many that stay when their observer turns to another object.
extension Machine {
    /// An observer of the object that its owner was just given, while that of the object before still lives: what happens to both is heard
    /// then.  Who asks whom a notification is of knows them apart.
    mutating func watch(replacing registration: Registration, _ family: ResourceFamily) {
        guard isGivenAnother, registration.token == nil, let subject = registration.key.last, registration.key.count > 1, Self.isObject(subject) else { return }
        let former = world.registrations.first { other in
            other.isLive && !other.isHandedOn && other.event < registration.event && other.site == registration.site && other.observer == registration.observer && other.handler == registration.handler
                && other.key.dropLast() == registration.key.dropLast() && other.key.last.map(Self.isObject) ?? false && other.key.last != subject
        }
        guard let former, !asksForSubject(registration) else { return }
        report("doubled", of: family, at: registration.site, "the \(family.title) of the object before still lives when this one is added for another: what happens to either is heard", related: [former.site])
    }

    private static func isObject(_ value: Value) -> Bool {
        switch value {
        case .unknown, .object: true
        default: false
        }
    }

    /// Whether the method that is called compares anything, so that it may know what the notification is of.
    private func asksForSubject(_ registration: Registration) -> Bool {
        guard let handler = registration.handler, case .object(let id) = registration.observer, case .project(let type) = world[id].kind else { return true }
        let bodies = lookups.members(named: handler, on: type).flatMap { program[$0].bodies }.map(\.body)
        return bodies.isEmpty || bodies.contains { body in
            body.block.containsStatement { statement in
                if case .compute(_, .symbol(let spelling), _) = statement.kind { return ["==", "!=", "===", "!=="].contains(spelling) }
                return statement.call?.callee.baseName?.hasPrefix("isEqual") ?? false
            }
        }
    }
}
