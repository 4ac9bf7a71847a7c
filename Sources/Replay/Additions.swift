import ProgramModel
import RuleLibrary

/// The monitor of what piles up: things that are made and added anew each time a method runs.
extension Machine {
    /// Follows calls that add something to a view, layer or controller, or take it away.
    mutating func noteAddition(of call: Call, _ arguments: [Value], receiver: Value?) {
        guard watchesGeometry, let knowledge = library.geometry, let name = call.callee.baseName else { return }
        noteConstraints(of: call, arguments, receiver: receiver)
        if mayRemove(arguments, knowledge) {
            world.additions = []
            return
        }
        // A list of something that nobody knows: of what was added, for all that is known.
        if name == "removeAll" {
            world.additions = []
            return
        }
        if name.hasPrefix("removeAll"), knowledge.removes.contains(name), case .object(let holder)? = receiver {
            world.additions.removeAll { $0.holder == holder }
            return
        }
        if knowledge.removes.contains(name) {
            let named = (arguments + [receiver].compactMap { $0 }).compactMap { value -> ObjectID? in if case .object(let id) = value { id } else { nil } }
            let isKnown = named.contains { id in world.additions.contains { $0.added == id } }
            // What nobody can name may be any of them.
            world.additions.removeAll { !isKnown || named.contains($0.added) }
            return
        }
        guard knowledge.addedTo[name] != nil, case .object(let added)? = arguments.first, case .object(let holder)? = receiver, let site = place,
              world[added].madeIn == event, !takesAway(world.frames[current].context.body, knowledge.removes), !isNamed(call), !clearsForReuse(knowledge) else { return }
        world.additions.append(Addition(site: site, holder: holder, added: added, event: event, list: knowledge.addedTo[name] ?? ""))
    }

    /// Whether a body takes something away before it adds: where it finds nothing to take, there is nothing, whatever the run knows.
    func takesAway(_ body: Body, _ removes: Set<String>) -> Bool {
        if !body.block.calledNames.isDisjoint(with: removes) || !body.block.readNames.isDisjoint(with: removes) { return true }
        // A view that is extended does so by a function that is extended with it, others by one that says so.
        return body.block.namesCalledOnSelf.contains { name in
            let own = ["remove", "clear", "clean", "reset"].contains(where: name.hasPrefix) ? ownType.map { program.members(named: name, on: $0) } ?? [] : []
            return (program.extensionFunctions(named: name) + own).contains { program[$0].body.map { !$0.block.calledNames.isDisjoint(with: removes) } ?? false }
        }
    }

    /// Whether the object whose life runs takes things away before it is used again, as a cell does that is asked to.
    func clearsForReuse(_ knowledge: GeometryKnowledge) -> Bool {
        guard case .project(let type) = world[ClassRuns.object].kind else { return false }
        return lookups.clearsForReuse(type, knowledge.takesAway)
    }

    /// Whether an action is added that takes the place of the one with its identifier.
    private func isNamed(_ call: Call) -> Bool {
        guard call.callee.baseName == "addAction", case .register(let register)? = call.arguments.first?.value,
              let made = world.frames[current].context.definition(of: register)?.call else { return false }
        return made.hasIdentifier
    }

    /// Follows properties whose object is in use while the screen is.
    mutating func noteReplacement(_ name: String, of holder: ObjectID, _ value: Value) {
        guard watchesGeometry, let knowledge = library.geometry else { return }
        noteActivation(name, of: holder, value)
        if let list = knowledge.listedBy[name] { world.additions.removeAll { $0.holder == holder && $0.list == list && $0.kind == .beside } }
        if value == .null, knowledge.replaced.contains(name) { world.additions.removeAll { $0.holder == holder && $0.kind == .inPlace } }
        guard knowledge.replaced.contains(name), case .object(let added) = value, let site = place,
              world[added].madeIn == event, event > 0 else { return }
        world.additions.append(Addition(site: site, holder: holder, added: added, event: event, kind: .inPlace))
    }

    /// After an event: what it added beside something of the same kind that is still there.
    mutating func watchAdditions() {
        guard let rule = library.rules["repeated_setup"] else { return }
        for addition in world.additions where addition.event == event {
            let site = addition.site
            guard world.additions.contains(where: { $0.site == site && $0.holder == addition.holder && $0.added != addition.added && $0.event < event }),
                  !world.violations.contains(where: { $0.rule == rule.id && $0.site == site }) else { continue }
            var violation = Violation(
                rule: rule.id, family: "", state: addition.kind == .constraint ? Addition.constrainedAgain : "again", site: site,
                detail: Self.detail(of: addition),
                related: [])
            let earlier = world.additions.filter { $0.site == site && $0.holder == addition.holder && $0.event <= event }
            violation.event = event
            violation.steps = earlier.enumerated().map { LogEntry(event: $1.event, site: site, note: addition.kind == .inPlace ? "sets a new one" : "adds a new one (\($0 + 1) there)") }
            world.violations.append(violation)
        }
    }

    private static func detail(of addition: Addition) -> String {
        let member = addition.site.member
        return switch addition.kind {
        case .inPlace: "a new object takes the place of the one in use each time '\(member)' runs; make it once"
        case .beside: "a new object is added each time '\(member)' runs, and those before stay; add it once, or take the old one away first"
        case .constraint: "constraints are made anew each time '\(member)' runs, and those before stay active; make them once, or let the old ones go first"
        }
    }

    /// Whether a closure among the arguments, of which nobody knows when it runs, takes something away.
    private func mayRemove(_ arguments: [Value], _ knowledge: GeometryKnowledge) -> Bool {
        arguments.contains { value in
            guard case .closure(let index) = value else { return false }
            var found = false
            world.closures[index].closure.block.forEachStatement { statement in
                if let name = statement.call?.callee.baseName, knowledge.removes.contains(name) || name == "transition" { found = true }
            }
            return found
        }
    }
}

extension Lookups {
    /// Whether a class takes something away, by calls of these names, in `prepareForReuse`, or in a function that this calls.
    func clearsForReuse(_ type: TypeID, _ removes: Set<String>) -> Bool {
        if let known = clearing[type] { return known }
        func clears(_ name: String, depth: Int) -> Bool {
            program.members(named: name, on: type).contains { id in
                guard let body = program[id].body, !program[id].isStatic else { return false }
                return !body.block.calledNames.isDisjoint(with: removes) || depth < 2 && body.block.namesCalledOnSelf.contains { clears($0, depth: depth + 1) }
            }
        }
        let found = clears("prepareForReuse", depth: 0)
        clearing[type] = found
        return found
    }
}
