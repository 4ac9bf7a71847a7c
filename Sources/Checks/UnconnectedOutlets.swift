import Findings
import ProgramModel
import SourceText

extension Check {
    /// Outlets and actions that storyboards and xibs do not connect, and connections to what the code does not have.
    static let unconnectedOutlets = Check(rules: ["outlet_disconnected"]) { input, file in
        guard input.program.resources.areInterfacesWhole, !input.program.resources.interfaces.isEmpty, !input.program.files[file].isTest else { return [] }
        return input.program.files[file].facts.types.indices.flatMap { index -> [Finding] in
            let declaration = DeclarationID(file: file, index: index)
            guard let type = input.program.owners(of: declaration).first, input.program[type].kind == .class, input.isWhollyLinked(type) else { return [] }
            let search = ConnectionSearch(input: input, type: type)
            return search.unconnected(in: declaration) + (input.program[type].declarations.first == declaration ? search.unanswered(at: declaration) : [])
        }
    }
}

/// The connections of the objects of one class.
private struct ConnectionSearch {
    let input: CheckInput
    let type: TypeID

    private var program: Program { input.program }
    private var name: String { program[type].name }

    private func finding(_ message: String, at span: SourceSpan, in file: Int, member: String) -> Finding {
        input.finding("outlet_disconnected", message, at: span, in: file, type: name, member: member)
    }

    // MARK: What the code has and no object connects

    func unconnected(in declaration: DeclarationID) -> [Finding] {
        let members = program[declaration].members.filter { $0.isOutlet || $0.isAction }
        guard !members.isEmpty else { return [] }
        // A class that no scene shows may be made with its outlets by code.
        let makers = ([type] + input.subclasses(of: type)).flatMap { program.interfaceObjects(of: $0) }
        guard let first = makers.first else { return [] }
        let place = "'\(program.resources.interfaces[first.interface].name)'"
        let family = input.family(of: type)
        return members.compactMap { member -> Finding? in
            // What code does not use either is left over and does no harm.
            func report(_ message: String, isUsed: Bool) -> Finding {
                var found = finding(message, at: member.nameSpan, in: declaration.file, member: member.fullName)
                if !isUsed { found.severity = .note }
                return found
            }
            if member.isOutlet {
                // Who has an outlet of the name and is of no known class may be this one.
                let owners = Self.spellings(member.baseName).reduce(into: Set()) { $0.formUnion(input.interfaceLinks.owners[$1] ?? []) }
                guard !owners.contains(nil), family.isDisjoint(with: owners.compactMap { $0 }), !input.interfaceLinks.written.contains(member.baseName),
                      !input.interfaceLinks.written.contains("_\(member.baseName)"), member.accessors?.get == nil, member.accessors?.set == nil else { return nil }
                return report("nothing in \(place) connects the outlet '\(member.baseName)' of '\(name)' and no code sets it, so it stays nil\(member.isImplicitlyUnwrapped ? " and its use ends the app" : ""); connect it or remove it", isUsed: member.isImplicitlyUnwrapped && isUsed(member.baseName, family))
            }
            // Actions of AppKit go along the responder chain, and tables of shortcuts name them.
            guard program.resources.interfaces[first.interface].facts.isCocoaTouch, !member.isOverride, !input.interfaceLinks.sends(member.baseName), !input.names.called.contains(member.baseName), !input.names.called.contains(member.fullName),
                  !program.protocols(of: type).contains(where: { program[$0].membersByName[member.baseName] != nil }),
                  !family.contains(where: { $0 != type && program[$0].membersByName[member.baseName] != nil }) else { return nil }
            return report("nothing in \(place) or elsewhere sends the action '\(member.fullName)' and no code calls it, so it never runs; connect it or remove it", isUsed: false)
        }
    }

    /// Whether code other than the outlet's own observers uses an outlet of an object that may be of the family.
    private func isUsed(_ outlet: String, _ family: Set<TypeID>) -> Bool {
        input.interfaceLinks.users[outlet]?.contains { $0.map(family.contains) ?? true } ?? false
    }

    // MARK: What an object connects and the code does not have

    /// Outlets that classes of UIKit have and the tables of properties do not tell.
    private static let outletsOfUIKit: Set<String> = [
        "view", "delegate", "dataSource", "window", "tableView", "collectionView", "searchDisplayController", "searchBar", "gestureRecognizers", "backgroundView",
        "selectedBackgroundView", "multipleSelectionBackgroundView", "accessoryView", "editingAccessoryView", "inputAccessoryView", "inputView", "leftView", "rightView",
        "menu", "contentView", "textLabel", "detailTextLabel", "imageView", "refreshControl", "toolbarItems", "navigationItem", "tabBarItem", "customView", "titleView",
        "prefetchDataSource", "dragDelegate", "dropDelegate", "textDragDelegate", "textDropDelegate", "pasteDelegate", "keyboardLayoutGuide", "accessibilityElements",
        "containedViewController", "maskView", "splitViewController", "navigationController", "tabBarController", "topLayoutGuide", "bottomLayoutGuide", "contentUnavailableView",
    ]

    func unanswered(at declaration: DeclarationID) -> [Finding] {
        // Where code makes the controller itself the scene may only be left over; one that names a class of the model was made for another.
        guard program.isInterfaceObject(type) || program.members(of: type).contains(where: { program[$0].isOutlet || program[$0].isAction }), ([type] + input.subclasses(of: type)).allSatisfy({ input.names.constructions[program[$0].name] == nil }) else { return [] }
        var messages: [String] = []
        var told: Set<String> = []
        for id in program.interfaceObjects(of: type) {
            let interface = program.resources.interfaces[id.interface]
            guard interface.facts.isCocoaTouch, !interface.isThirdParty else { continue }
            for connection in program[id].connections {
                // A scene is loaded by itself: what leads into another one is left over from a copy, and nobody connects it.
                guard case .outlet(let property) = connection.kind, !hasMember(property), program.destination(of: connection, in: id.interface).map({ program[$0].scene == program[id].scene }) ?? true, told.insert(property).inserted else { continue }
                messages.append("'\(interface.name)' connects the outlet '\(property)' (line \(connection.line)), and '\(name)' has no such property: loading it raises an exception; add the outlet or remove the connection")
            }
            let senders = interface.facts.objects.filter { $0.connections.contains { $0.destination == program[id].id } && !isIdle($0, in: interface.facts) }
            for connection in senders.flatMap(\.connections) where connection.destination == program[id].id {
                guard case .action(let selector, _) = connection.kind, !answers(selector), told.insert(selector).inserted else { continue }
                messages.append("'\(interface.name)' sends '\(selector)' (line \(connection.line)) to '\(name)', which has no such method: using the control raises an exception; add the action or remove the connection")
            }
        }
        // All stand at the name of the class, and one finding has room there.
        guard let first = messages.first else { return [] }
        let more = messages.count > 1 ? " (and \(messages.count - 1) more of this class)" : ""
        return [finding(first + more, at: program[declaration].nameSpan, in: declaration.file, member: "")]
    }

    /// Whether an object is a gesture recognizer that no view has, left behind where its view was taken away.
    private func isIdle(_ object: InterfaceObject, in interface: InterfaceFacts) -> Bool {
        object.element.hasSuffix("GestureRecognizer") && !interface.objects.contains { holder in
            holder.connections.contains { $0.destination == object.id && $0.kind == .outletCollection("gestureRecognizers") }
        }
    }

    /// The names that mean a property of the name in a connection: the setter is looked for, and both `Title` and `title` have `setTitle:`
    /// (Key-Value Coding Programming Guide, accessor search patterns).
    private static func spellings(_ name: String) -> [String] {
        [name, name.prefix(1).lowercased() + name.dropFirst(), name.prefix(1).uppercased() + name.dropFirst()]
    }

    private func hasMember(_ property: String) -> Bool {
        if Self.outletsOfUIKit.contains(property) { return true }
        let setter = "set" + property.prefix(1).uppercased() + property.dropFirst()
        // A connection may name a variable as it is, underscore and all (Key-Value Coding Programming Guide, accessor search patterns).
        let plain = property.hasPrefix("_") ? String(property.dropFirst()) : property
        return (Self.spellings(property) + [plain, "_\(property)", setter]).contains { isAnywhere($0) }
            || program.platformClass(of: type).map { program.platform.type(ofProperty: property, of: $0) != nil } ?? true
    }

    private func answers(_ selector: String) -> Bool {
        let base = String(selector.prefix { $0 != ":" })
        return !program.members(answering: selector).isEmpty || isAnywhere(base)
            // `tapWithSender:` is `tap(sender:)`.
            || program.chain(of: type).flatMap(program.members).contains { program[$0].selector == selector || base.hasPrefix("\(program[$0].baseName)With") }
            || isAction(base)
    }

    /// Whether the SDK's class may answer: its methods are not all known.
    private func isAction(_ base: String) -> Bool {
        ["dismiss", "cut", "copy", "paste", "select", "delete", "toggle", "becomeFirstResponder", "resignFirstResponder", "show", "perform"].contains { base.hasPrefix($0) }
    }

    /// Whether the class, a superclass or an extension of anything has a member of the name.
    private func isAnywhere(_ member: String) -> Bool {
        program.chain(of: type).contains { program[$0].membersByName[member] != nil }
            || program.files.contains { $0.facts.types.contains { $0.kind == .extension && $0.members.contains { $0.baseName == member } } }
    }
}
