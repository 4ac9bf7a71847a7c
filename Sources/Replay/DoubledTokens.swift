import ProgramModel
import RuleLibrary

/// The monitor of tokens that come twice: one of the same place beside the one before, or another one in its place.
extension Machine {
    /// What this event acquired beside one of the same, of an earlier event, whose token somebody still keeps.
    mutating func watchDoubledTokens() {
        for registration in world.registrations where registration.isLive && registration.repeats && registration.event == event && !registration.isHandedOn {
            guard let family = library.family(named: registration.family), family.tokenEnd == .ends, family.rules["doubled"] != nil else { continue }
            let twin = world.registrations.first { other in
                other.isLive && other.repeats && !other.isHandedOn && other.event < event && other.family == registration.family && other.site == registration.site
                    && other.maker == registration.maker && other.key == registration.key && other.observed == registration.observed && !mayBeEmptied(other)
            }
            guard let twin else { continue }
            report("doubled", of: family, at: registration.site, "a second \(family.title) is added while the first still lives", related: [twin.site])
        }
    }

    /// Tokens whose place another one took that was acquired elsewhere, while what they stand for goes on and nobody can reach it any more.
    mutating func watchOverwrittenTokens() {
        for pair in world.overwritten {
            guard let new = world.registrations.last(where: { $0.token == pair.new && $0.isLive && $0.repeats && $0.event == event }),
                  let family = library.family(named: new.family), family.tokenEnd == .goesOn, family.rules["doubled"] != nil,
                  let index = world.registrations.lastIndex(where: { $0.token == pair.old && $0.family == new.family }), case let old = world.registrations[index],
                  old.isLive, old.repeats, old.isKeptByRoot, !old.isRearmed, !old.isHandedOn, old.event < event, old.site != new.site, old.maker == new.maker, !isKnownToAnybody(pair.old) else { continue }
            report("doubled", of: family, at: new.site, "a second \(family.title) takes the place of the first, which still lives and which nobody can end any more", related: [old.site])
            // What comes of it where the first was acquired is the same mistake.
            world.registrations[index].isHandedOn = true
        }
    }

    /// Whether code that did not run empties the property that keeps a registration's token.
    private func mayBeEmptied(_ registration: Registration) -> Bool {
        guard let token = registration.token else { return false }
        return world.objects.indices.contains { index in
            guard case .project(let type) = world.objects[index].kind else { return false }
            return world.objects[index].fields.contains { name, value in
                held(in: value).contains(.object(token)) && mayEmpty(name, of: ObjectID(index: index), type)
            }
        }
    }
}
