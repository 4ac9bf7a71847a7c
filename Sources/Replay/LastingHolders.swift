import ProgramModel

/// What lives as long as the app, and has closures of screens that should go.
extension Machine {
    /// The closure of a view or controller in something shared that no code empties in time: in a collection, where each screen that was shown
    /// stays, or in a property, where the last one does.
    mutating func watchLastingHolders(of object: ObjectID, _ outside: OutsideCallers) {
        guard case .project(let type) = world[object].kind, let known = program.platformClass(of: type),
              Self.screens.contains(where: { program.platform.isClass(known, kindOf: $0) }) else { return }
        for (root, node) in roots(owner: .null) where root == .shared {
            guard let way = path(from: [node], to: .object(object)), let place = way.firstIndex(where: { if case .closure = $0 { true } else { false } }), place > 0,
                  case .closure(let index) = way[place], case .object(let holder) = way[place - 1], case .project(let keeper) = world[holder].kind,
                  let (field, isOneOfMany) = slot(of: holder, with: way[place]), !isEmptiedInTime(field, of: keeper),
                  world.closures[index].site.type.map(outside.chain.contains) ?? false else { continue }
            let name = program[type].name
            var violation = Violation(
                rule: "closure_retains_controller", family: "", state: "collected", site: world.closures[index].site,
                detail: "'\(field)' of the shared '\(program[keeper].name)' keeps this closure \(isOneOfMany ? "as long as the app runs" : "until another takes its place"), and the closure holds the "
                    + "'\(name)', which is \(isOneOfMany ? "never" : "not") freed\(isOneOfMany ? "" : " before"); capture 'self' weakly, or take the closure out when the screen goes", related: [])
            violation.steps = [
                LogEntry(event: world.closures[index].madeIn, site: violation.site, note: "makes the closure, which holds the '\(name)'"),
                LogEntry(event: event, site: violation.site, note: "the owner lets go, and the shared object still holds it: \(titles(of: way))"),
            ]
            return add(violation)
        }
    }

    /// Whether some code takes out of a collection what is in it, other than those who are held by it as they go, which they never do.
    func isEmptiedInTime(_ field: String, of keeper: TypeID) -> Bool {
        lookups.emptiers(of: field, in: keeper).contains { name in
            let functions = program.members(named: name, on: keeper).filter { program[$0].kind == .function }
            return !isForNobody(functions, of: keeper) && (functions.isEmpty || functions.contains { function in
                let users = relevance.users(of: function)
                return users.isEmpty || users.contains { program[$0].kind != .deinitializer }
            })
        }
    }

    /// Whether nobody calls any of these functions, which no code names, of a class of Swift that is no one's subclass and promises nothing to others:
    /// those that are told what to take out.  What calls the closures, or forgets all of them, may be reached in a way that is not seen.
    func isForNobody(_ functions: [MemberID], of type: TypeID) -> Bool {
        guard !functions.isEmpty, program[type].kind == .class, program[type].conformances.isEmpty, program.chain(of: type).count == 1, program.files[program[type].file].facts.language == .swift else { return false }
        return functions.allSatisfy { function in
            let member = program[function]
            return member.kind == .function && !member.parameters.isEmpty && member.attributes.allSatisfy { $0.name == "discardableResult" } && !program.isOffered(function) && !member.isPartial && !relevance.isCalled(function)
                && !member.bodies.contains { $0.body.block.containsStatement { switch $0.call?.callee { case .value?, .local?: true; default: false } } }
        }
    }

    private static let screens = ["UIViewController", "UIView", "NSViewController", "NSView", "NSWindowController"]

    /// The property of an object that collects a closure among others, or that has it for good: one that nobody empties and whose name tells of
    /// no end after which it is not needed.
    private func slot(of holder: ObjectID, with closure: Node) -> (name: String, isOneOfMany: Bool)? {
        for (name, value) in world[holder].fields.sorted(by: { $0.key < $1.key }) {
            switch value {
            case .collection: if held(in: value).contains(closure) { return (name, true) }
            case .closure: if held(in: value) == [closure], !name.tellsOfAnEnd, !relevance.isCleared(name) { return (name, false) }
            default: break
            }
        }
        return nil
    }
}

extension Closure {
    /// The words that tell of an assertion of Objective-C in the closure, which names its object though no text does; empty without one.
    var assertion: String {
        var line: Int?
        block.forEachStatement { statement in if line == nil, statement.call?.callee == .name("LLAssertionOf") { line = statement.span.start.line } }
        return line.map { " (the assertion in line \($0) names 'self'; 'NSCAssert' does not)" } ?? ""
    }
}
