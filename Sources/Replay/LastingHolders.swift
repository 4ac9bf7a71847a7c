import ProgramModel

/// What lives as long as the app, and collects closures of screens that should go.
extension Machine {
    /// The closure of a view or controller in a collection of something shared that no code empties: each screen that was shown stays.
    mutating func watchLastingHolders(of object: ObjectID, _ outside: OutsideCallers) {
        guard case .project(let type) = world[object].kind, let known = program.platformClass(of: type),
              Self.screens.contains(where: { program.platform.isClass(known, kindOf: $0) }) else { return }
        for (root, node) in roots(owner: .null) where root == .shared {
            guard let way = path(from: [node], to: .object(object)), let place = way.firstIndex(where: { if case .closure = $0 { true } else { false } }), place > 0,
                  case .closure(let index) = way[place], case .object(let holder) = way[place - 1], case .project(let keeper) = world[holder].kind,
                  let field = collection(of: holder, with: way[place]), !lookups.isEmptied(field, by: keeper),
                  world.closures[index].site.type.map(outside.chain.contains) ?? false else { continue }
            let name = program[type].name
            var violation = Violation(
                rule: "closure_retains_controller", family: "", state: "collected", site: world.closures[index].site,
                detail: "'\(field)' of the shared '\(program[keeper].name)' keeps this closure as long as the app runs, and the closure holds the '\(name)', which is never freed; "
                    + "capture 'self' weakly, or take the closure out when the screen goes", related: [])
            violation.steps = [
                LogEntry(event: world.closures[index].madeIn, site: violation.site, note: "makes the closure, which holds the '\(name)'"),
                LogEntry(event: event, site: violation.site, note: "the owner lets go, and the shared object still holds it: \(titles(of: way))"),
            ]
            return add(violation)
        }
    }

    private static let screens = ["UIViewController", "UIView", "NSViewController", "NSView", "NSWindowController"]

    /// The property of an object that collects a closure among others.
    private func collection(of holder: ObjectID, with closure: Node) -> String? {
        world[holder].fields.keys.sorted().first { name in
            guard let value = world[holder].fields[name], case .collection = value else { return false }
            return held(in: value).contains(closure)
        }
    }
}
