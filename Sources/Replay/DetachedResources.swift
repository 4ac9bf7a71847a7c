import ProgramModel
import RuleLibrary

/// Resources that were taken off what runs them, and not ended: a display link off its run loop.
extension Machine {
    /// The field of a token that keeps the target of what does not run.
    static let target = "target"

    /// Takes a resource off what runs it; its token keeps what it kept, and may run again.
    mutating func detach(_ index: Int, at site: Site) {
        guard world.registrations[index].isLive, let token = world.registrations[index].token, let family = library.family(named: world.registrations[index].family) else { return }
        world.registrations[index].isLive = false
        world.registrations[index].isDetached = true
        for value in world.registrations[index].held { put(value, into: Self.target, of: token) }
        log(site, "stops the \(family.title), which keeps its target (\(world.live(like: world.registrations[index])) live)")
    }

    /// What was taken off its run loop and never ended keeps its target; whoever is that and keeps its token, keeps itself.
    mutating func watchDetached(by object: ObjectID, _ outside: OutsideCallers) {
        guard world.registrations.contains(where: \.isDetached) else { return }
        let isReached = roots(owner: .null).contains { root, node in root != .stranger && path(from: [node], to: .object(object)) != nil }
        for registration in world.registrations where registration.isDetached && !isReached {
            guard let family = library.family(named: registration.family) else { continue }
            if canOnlyBeStopped(registration, outside), isKept(registration, byItsTarget: object) { reportStopped(registration, family, outside) } else { world.excused.insert(registration.site) }
        }
    }

    /// Whether nobody outside ends a resource, though somebody may take it off what runs it.
    func canOnlyBeStopped(_ registration: Registration, _ outside: OutsideCallers) -> Bool {
        !outside.canRelease(registration, besides: world.ranReleases, keptIn: holders(of: registration.token), byStopping: false)
    }

    /// Whether the target keeps the token for good, so that the two keep each other whether the resource runs or not.
    func isKept(_ registration: Registration, byItsTarget object: ObjectID) -> Bool {
        guard registration.observer == .object(object), let token = registration.token, let way = path(from: held(by: .object(object)), to: .object(token)) else { return false }
        return !mayBeBroken([.object(object)] + way)
    }

    mutating func reportStopped(_ registration: Registration, _ family: ResourceFamily, _ outside: OutsideCallers) {
        report("left", of: family, at: registration.site, "the \(family.title) is taken off the run loop and \(outside.isReleasedInDeinit(family.name) ? "invalidated only in a 'deinit' that never runs" : "never invalidated"): it keeps the object that keeps it, so neither is ever freed",
               related: [registration.started].compactMap { $0 }, end: "the owner lets go; stopped or not, the \(family.title) keeps the object")
    }
}
