import Findings
import ProgramModel
import RuleLibrary
import SourceText

extension Check {
    /// Children that a controller takes or gives up without telling them so.
    static let containmentCalls = Check(rules: ["containment_handshake"]) { input, file in
        // Before iOS 5 no controller has children (addChildViewController: page, iOS 5.0+).
        guard input.targets(ofFile: file).oldest[.iOS].map({ $0 >= SystemVersion(5) }) ?? true else { return [] }
        return input.bodies(inFile: file).flatMap { ContainmentSearch(input: input, file: file, place: $0).findings() }
    }
}

/// The search in one body.
private struct ContainmentSearch {
    let input: CheckInput
    let file: Int
    let place: BodyOccurrence

    private var program: Program { input.program }
    private var context: BodyContext { place.context }

    private static let adoptions: Set<String> = ["addChild", "addChildViewController"]
    private static let removals: Set<String> = ["removeFromParent", "removeFromParentViewController"]
    private static let announcements: Set<String> = ["willMove", "willMoveToParentViewController"]
    private static let arrivals: Set<String> = ["didMove", "didMoveToParentViewController"]
    /// A container that tells its children of their appearance itself.
    private static let ownTransitions: Set<String> = ["beginAppearanceTransition"]
    private static let placements: Set<String> = ["addSubview", "insertSubview", "addArrangedSubview", "insertArrangedSubview"]

    func findings() -> [Finding] {
        var found: [Finding] = []
        place.body.block.forEachStatement { statement in
            guard let call = statement.call, let name = call.callee.baseName else { return }
            if Self.placements.contains(name), let child = strayChild(call) {
                let harm = isOfProperty(call) ? "its actions, appearance and rotation reach nothing" : "nobody owns it, and its actions, appearance and rotation reach nothing"
                found.append(finding("the view of \(child) is added and the controller is not: without 'addChild' \(harm); call 'addChild' before and 'didMove(toParent:)' after", at: statement))
            } else if Self.removals.contains(name), let child = unannouncedChild(call) {
                found.append(finding(
                    "\(child) is taken from its parent and was never told: 'removeFromParent' sends 'didMove(toParent:)' but not what comes before; call 'willMove(toParent: nil)' first",
                    at: statement))
            } else if Self.removals.contains(name), let child = childWithoutView(call) {
                found.append(finding("\(child) is taken from its parent and its view stays where it is, on screen and without a controller: call 'view.removeFromSuperview()' as well", at: statement))
            } else if Self.announcements.contains(name) || Self.arrivals.contains(name), let child = ownParent(call) {
                found.append(finding("\(child) is told that it is its own parent; the parent is the controller that took it: give 'self' to '\(name)'", at: statement))
            } else if Self.adoptions.contains(name), let child = unwelcomedChild(call) {
                var note = finding("\(child) is never told that it has arrived: 'addChild' sends 'willMove(toParent:)' and leaves 'didMove(toParent:)' to the parent; call it once the view is in place", at: statement)
                note.severity = .note
                found.append(note)
            }
        }
        return found
    }

    private func finding(_ message: String, at statement: Statement) -> Finding {
        input.finding("containment_handshake", message, at: statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
    }

    /// The controller that a call tells of a move to itself, as a title.
    private func ownParent(_ call: Call) -> String? {
        guard case .member(let child, _) = call.callee, call.arguments.count == 1, let wanted = source(of: child), source(of: call.arguments[0].value) == wanted else { return nil }
        return childTitle(child)
    }

    // MARK: Taking a child

    /// The controller whose view a controller's code puts into a view without ever taking a child, as a title.
    private func strayChild(_ call: Call) -> String? {
        // The views of both sides of a transition are placed by who animates it.
        guard case .member(let receiver, _) = call.callee, place.member.facts.baseName != "animateTransition", isController(place.member.owner), let first = call.arguments.first, let child = owner(ofView: first.value),
              let title = childTitle(child), !isWindow(receiver), !mayAdopt(child), !classCalls(Self.ownTransitions), !isHandedOn(child), !staysUnreleased(child) else { return nil }
        return title
    }

    /// Whether a local holds what code that counts references itself has made and does not release there: it lives on, and its actions
    /// reach it.
    private func staysUnreleased(_ child: Operand) -> Bool {
        guard program.files[file].facts.countsReferences, case .local? = source(of: child) else { return false }
        return place.body.block.calledNames.isDisjoint(with: ["release", "autorelease"])
    }

    /// Whether a property keeps the controller whose view a call places.
    private func isOfProperty(_ call: Call) -> Bool {
        guard let child = call.arguments.first.flatMap({ owner(ofView: $0.value) }), case .name? = source(of: child) else { return false }
        return true
    }

    /// Whether code of the class takes this controller as a child, for all that is known: another property's controller, or one that is
    /// made on the spot, is another child.
    private func mayAdopt(_ child: Operand) -> Bool {
        guard case .name(let wanted)? = source(of: child) else { return classCalls(Self.adoptions) }
        return program.chain(of: place.member.owner).contains { type in
            program.members(of: type).contains { id in
                program[id].bodies.contains { _, body in
                    guard !body.block.calledNames.isDisjoint(with: Self.adoptions) else { return false }
                    let context = program.context(of: body, in: id, as: type)
                    return body.block.containsStatement { statement in
                        guard let call = statement.call, let name = call.callee.baseName, Self.adoptions.contains(name) else { return false }
                        return call.arguments.first.map { !isOther($0.value, than: wanted, in: context) } ?? true
                    }
                }
            }
        }
    }

    /// Whether a value is known to be another controller than that of a property.
    private func isOther(_ operand: Operand, than wanted: String, in context: BodyContext) -> Bool {
        switch Self.source(of: operand, in: context) {
        case .name(let name)?: return name.withoutUnderscore != wanted.withoutUnderscore
        case .local(let local)?:
            guard let value = context.value(of: local), case .register(let register) = value, case .initializer? = context.definition(of: register)?.call?.callee else { return false }
            // What is put into the property is the property's.
            return !context.body.block.containsStatement { statement in
                guard case .write(let place, let written) = statement.kind, place.ownName?.withoutUnderscore == wanted.withoutUnderscore else { return false }
                return written == value || Self.source(of: written, in: context) == .local(local)
            }
        default: return false
        }
    }

    /// The controller whose view a value is.
    private func owner(ofView view: Operand) -> Operand? {
        guard case .register(let register) = view, let statement = context.definition(of: register) else { return nil }
        switch statement.kind {
        case .read(_, .member(let base, "view")): return base == .selfObject ? nil : base
        case .compute(_, .forceUnwrap, let operands): return operands.first.flatMap(owner(ofView:))
        case .read(_, .local(let local)): return context.value(of: local).flatMap(owner(ofView:))
        default: return nil
        }
    }

    /// Whether the controller is given to other code, which may take it as a child, or hold it another way.
    private func isHandedOn(_ child: Operand) -> Bool {
        guard let wanted = source(of: child) else { return true }
        var found = false
        place.body.block.forEachStatement { statement in
            if let call = statement.call, !isOwnList(statement), call.arguments.contains(where: { source(of: $0.value) == wanted }) { found = true }
            if let call = statement.call, case .member(let receiver, let name) = call.callee, source(of: receiver) == wanted,
               isToldOfAnother(name, call) || !program.extensionFunctions(named: name).isEmpty { found = true }
            // Who is asked for its parent, or is somebody's list of controllers, is contained elsewhere.
            if case .read(_, .member(let base, "parent")) = statement.kind, source(of: base) == wanted { found = true }
            // Its own property is no other code.
            if case .write(.member(let base, let name), let value) = statement.kind, source(of: value) == wanted && base != .selfObject || name == "viewControllers" { found = true }
        }
        return found
    }

    /// Whether a statement puts something into a list that self has.
    private func isOwnList(_ statement: Statement) -> Bool {
        guard case .collection(let operation, let call) = statement.kind, operation == .append || operation == .insert, case .member(let list, _) = call.callee else { return false }
        if case .name? = source(of: list) { return true }
        return false
    }

    /// Whether a call tells a child of a parent other than self: that self is its parent, it is told where self takes it.
    private func isToldOfAnother(_ name: String, _ call: Call) -> Bool {
        (Self.arrivals.contains(name) || Self.announcements.contains(name)) && call.arguments.first.map { !context.isSelf($0.value) } ?? true
    }

    /// Where a value comes from: a local, or a property of self.
    private func source(of operand: Operand) -> Place? { Self.source(of: operand, in: context) }

    private static func source(of operand: Operand, in context: BodyContext) -> Place? {
        guard case .register(let register) = operand, let statement = context.definition(of: register) else { return nil }
        switch statement.kind {
        case .read(_, .local(let local)):
            // `if let child` and `self.child = child` are the same controller.
            if let value = context.value(of: local), let place = source(of: value, in: context) { return place }
            return .local(local)
        case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)): return .name(name)
        case .compute(_, .forceUnwrap, let operands): return operands.first.flatMap { source(of: $0, in: context) }
        default: return nil
        }
    }

    // MARK: Giving up a child

    private func unannouncedChild(_ call: Call) -> String? {
        let receiver: Operand
        switch call.callee {
        case .member(let operand, _): receiver = operand
        case .name: receiver = .selfObject
        default: return nil
        }
        // Where no code ever takes a child, there is no parent to be told of.
        guard call.arguments.isEmpty, isController(place.member.owner) || !input.names.called.isDisjoint(with: Self.adoptions.map { "\($0)(_:)" }), let title = childTitle(receiver), !announces(place.body), !callersAnnounce(), !isAlert(receiver), !(receiver == .selfObject && whoAsksAnnounces()), !isStray(receiver) else { return nil }
        return title
    }

    /// The controller that is taken out and whose view nothing in the class ever takes away, though the class puts views of such ones into its own, as a title.
    private func childWithoutView(_ call: Call) -> String? {
        guard case .member(let child, _) = call.callee, child != .selfObject, call.arguments.isEmpty, isController(place.member.owner), let title = childTitle(child),
              announces(place.body), !isAlert(child), !place.body.block.readNames.contains("view"), placesChildren else { return nil }
        let bodies = program.chain(of: place.member.owner).flatMap { program.members(of: $0) }.flatMap { program[$0].bodies }
        let called = bodies.reduce(into: Set<String>()) { $0.formUnion($1.body.block.calledNames) }
        func takesAway(_ name: String) -> Bool { ["removefromsuperview", "transition", "removearrangedsubview", "replacesubview", "removeall", "dismiss"].contains(where: name.lowercased().contains) }
        let isAway = called.contains { name in takesAway(name) || program.extensionFunctions(named: name).contains { program[$0].body?.block.calledNames.contains(where: takesAway) ?? false } }
        return isAway || bodies.contains { $0.body.block.containsStatement { if case .opaque = $0.kind { true } else { false } } } ? nil : title
    }

    /// Whether code of the class puts the view of a controller into a view.
    private var placesChildren: Bool {
        program.members(of: place.member.owner).contains { id in
            program[id].bodies.contains { _, body in
                let search = ContainmentSearch(input: input, file: file, place: BodyOccurrence(
                    member: MemberOccurrence(id: id, facts: program[id], owner: place.member.owner, typeName: place.member.typeName), body: body, context: program.context(of: body, in: id, as: place.member.owner)))
                return body.block.containsStatement { statement in
                    guard let call = statement.call, let name = call.callee.baseName, Self.placements.contains(name), let view = call.arguments.first else { return false }
                    return search.owner(ofView: view.value) != nil
                }
            }
        }
    }

    /// Whether code of the file puts the views of such controllers into its own and takes none as a child: this one has no parent.
    private func isStray(_ child: Operand) -> Bool {
        guard let type = input.inference.type(of: child, in: context) else { return false }
        return input.bodies(inFile: file).contains { other in
            guard other.member.owner == place.member.owner else { return false }
            let search = ContainmentSearch(input: input, file: file, place: other)
            return other.body.block.containsStatement { statement in
                guard let call = statement.call, let name = call.callee.baseName, Self.placements.contains(name), search.strayChild(call) != nil,
                      let view = call.arguments.first, let stray = search.owner(ofView: view.value), let found = input.inference.type(of: stray, in: search.context) else { return false }
                return input.inference.resolve(found) == input.inference.resolve(type)
            }
        }
    }

    /// Whether some other code announces a removal and then calls this function, which takes its own controller out.
    private func whoAsksAnnounces() -> Bool {
        var found = false
        program.forEachBody { member, body in
            guard !found, member.owner != place.member.owner, body.block.calledNames.contains(place.member.facts.baseName) else { return }
            found = announces(body)
        }
        return found
    }

    private func announces(_ body: Body) -> Bool {
        var found = false
        body.block.forEachStatement { statement in
            if let call = statement.call, let name = call.callee.baseName, Self.announcements.contains(name), call.arguments.first?.value == .constant(.null) { found = true }
        }
        return found
    }

    /// Whether an object is an alert, or another of the SDK's that is presented and no child.
    private func isAlert(_ operand: Operand) -> Bool {
        guard let name = input.className(of: operand, in: context) else { return false }
        return Self.presented.contains { program.platform.isClass(name, kindOf: $0) }
    }

    private static let presented = ["UIAlertController", "UIImagePickerController", "UIActivityViewController", "MFMailComposeViewController", "MFMessageComposeViewController"]

    /// Whether a function of the class that calls this one announces the removal, or one that this one calls, or one that only announces:
    /// then somebody else calls both.
    private func callersAnnounce() -> Bool {
        let names = Set(place.body.block.calledNames)
        return program.chain(of: place.member.owner).contains { type in
            program.members(of: type).contains { id in
                let member = program[id]
                return member.bodies.contains { _, body in
                    announces(body) && (body.block.calledNames.isDisjoint(with: Self.removals) || names.contains(member.baseName) || body.block.calledNames.contains(place.member.facts.baseName))
                }
            }
        } || names.contains { name in program.extensionFunctions(named: name).contains { program[$0].body.map(announces) ?? false } }
    }

    // MARK: Welcoming a child

    private func unwelcomedChild(_ call: Call) -> String? {
        switch call.callee {
        case .member(.selfObject, _), .name: break
        default: return nil
        }
        guard call.arguments.count == 1, let child = call.arguments.first?.value, let title = childTitle(child), isController(place.member.owner), !classCalls(Self.arrivals),
              !isHandedOn(toFunctionsOfTheProject: child) else { return nil }
        return title
    }

    private func isHandedOn(toFunctionsOfTheProject child: Operand) -> Bool {
        guard let wanted = source(of: child) else { return true }
        var found = false
        place.body.block.forEachStatement { statement in
            guard let call = statement.call, let name = call.callee.baseName, call.arguments.contains(where: { source(of: $0.value) == wanted }) else { return }
            if program.hasFunction(named: name) || program.hasFreeMember(named: name) { found = true }
        }
        return found
    }

    // MARK: Classes

    /// Whether the class, a superclass or an extension of it makes one of the calls anywhere.
    private func classCalls(_ names: Set<String>) -> Bool {
        program.chain(of: place.member.owner).contains { type in
            program.members(of: type).contains { program[$0].bodies.contains { !$0.body.block.calledNames.isDisjoint(with: names) } }
        }
    }

    private func isController(_ type: TypeID) -> Bool { program.isType(type, kindOf: "UIViewController") }

    private func isWindow(_ operand: Operand) -> Bool {
        guard let inferred = input.inference.type(of: operand, in: context) else { return true }
        guard case .platform(let name) = input.inference.resolve(inferred) else { return false }
        return program.platform.isClass(name, kindOf: "UIWindow")
    }

    /// What a controller is called, where a value is known to be one.
    private func childTitle(_ operand: Operand) -> String? {
        guard let inferred = input.inference.type(of: operand, in: context), !inferred.isMetatype, inferred.provenance <= .platformData else { return nil }
        switch input.inference.resolve(inferred) {
        case .platform(let name): guard program.platform.isClass(name, kindOf: "UIViewController") else { return nil }
        case .project(let types): guard types.count == 1, isController(types[0]) else { return nil }
        case .unknown: return nil
        }
        switch source(of: operand) {
        case .name(let name): return "'\(name)'"
        case .local(let local): return "'\(context.body[local].name)'"
        default: return operand == .selfObject ? "the controller itself" : "a controller"
        }
    }
}
