import Findings
import ProgramModel
import SourceText

extension Check {
    /// Delegates of the only object that could call them, which nothing connects to it.
    static let unlinkedDelegates = Check(rules: ["delegate_never_set"]) { input, file in
        guard !input.program.files[file].isTest, input.program.resources.areInterfacesWhole else { return [] }
        return input.program.files[file].facts.types.indices.flatMap { index -> [Finding] in
            let declaration = DeclarationID(file: file, index: index)
            guard let owner = input.program.owners(of: declaration).first, input.program[owner].kind == .class, input.program[owner].declarations.contains(declaration) else { return [] }
            return input.program[declaration].inherited.flatMap { input.program.parts(of: $0, in: Scope(file: file, typeName: "")) }.compactMap { adopted -> Finding? in
                guard let slot = input.library.delegateSlots[adopted.name],
                      let link = DelegateLink(input: input, owner: owner, protocolName: adopted.name, sender: slot.sender, slots: slot.properties), !link.isConnected else { return nil }
                let property = slot.properties.first ?? "delegate"
                return input.finding(
                    "delegate_never_set",
                    "'\(input.program[owner].name)' adopts '\(adopted.name)' and has one '\(slot.sender)', '\(link.view)', whose '\(property)' nothing sets, so '\(link.method)' is never called: set it to self",
                    at: input.program[declaration].nameSpan, in: file, type: input.program[owner].name, member: "")
            }
        }
    }
}

/// A class that adopts a protocol of delegates, and the only object of its that sends its messages.
private struct DelegateLink {
    let input: CheckInput
    let owner: TypeID
    let protocolName: String
    /// The class of the SDK whose delegate it would be, and the properties that would take it.
    let sender: String
    let slots: [String]
    /// The property that holds the object.
    let view: String
    /// A method of the protocol that the class has.
    let method: String
    private let family: Set<TypeID>
    private let setters: Set<String>

    private var program: Program { input.program }

    /// Nil where the class has no such object, or several, or where part of the class is not known.
    init?(input: CheckInput, owner: TypeID, protocolName: String, sender: String, slots: [String]) {
        let program = input.program
        guard case .platform(let root) = program.ancestry(of: owner).root, !program[owner].hasAmbiguousExtensions, !program.platform.isClass(root, kindOf: sender),
              !program.hasUnknownConformance(owner), program.ancestry(of: owner).projectTypes.allSatisfy({ !program[$0].hasAmbiguousExtensions }) else { return nil }
        family = input.family(of: owner)
        let members = family.flatMap { program.members(of: $0) }
        guard members.allSatisfy({ !program[$0].isPartial }),
              // A table controller's table, and its like, has its controller for a delegate by itself.
              program.platform.ancestry(of: root).allSatisfy({ name in
                  program.platform.properties[name, default: [:]].values.allSatisfy { !program.platform.isClass($0.name, kindOf: sender) }
              }),
              // A protocol of the project that refines this one has other senders.
              program.protocols(of: owner).allSatisfy({ one in !program[one].conformances.contains { $0.name == protocolName } }) else { return nil }
        (self.input, self.owner, self.protocolName, self.sender, self.slots) = (input, owner, protocolName, sender, slots)
        setters = Set(slots.map { "set" + $0.prefix(1).uppercased() + $0.dropFirst() })
        let senders = members.compactMap { id in Self.sends(id, sender, input).map { (id, $0) } }
        guard senders.count == 1, let only = senders.first, only.1, program.chain(of: owner).contains(where: { program[$0].declarations.contains(only.0.declaration) }) else { return nil }
        view = program[only.0].baseName
        // What the protocol's methods are given first is the sender.
        guard let method = program.chain(of: owner).flatMap({ program.members(of: $0) }).first(where: { program[$0].answers(sender) && (slots != ["dataSource"] || Self.isOfDataSource(program[$0])) }) else { return nil }
        self.method = program[method].baseName
        guard hasOwnSender(only.0) else { return nil }
    }

    /// Whether a property holds such an object: true where it is exactly of the SDK's class, nil where it is something else.
    private static func sends(_ id: MemberID, _ sender: String, _ input: CheckInput) -> Bool? {
        let program = input.program
        let member = program[id]
        guard member.kind == .property, !member.isStatic else { return nil }
        let resolution: TypeResolution
        let scope = Scope(file: id.declaration.file, typeName: program[id.declaration].name)
        if let written = member.type {
            // One of several may be the sender.
            if let element = written.element { return mayBe(program.resolve(element.unwrapped, in: scope), sender, program) ? false : nil }
            resolution = program.resolve(written.unwrapped, in: scope)
        } else {
            guard let body = member.body ?? member.accessors?.get else { return nil }
            let context = BodyContext(body: body, selfType: program.owners(of: id.declaration).first, scope: scope, isStatic: false)
            guard case .exit(.returns(let value))? = body.block.last?.kind, let type = input.inference.type(of: value, in: context) ?? called(value, context).flatMap({ input.inference.type(of: $0, in: context) }) else { return nil }
            resolution = input.inference.resolve(type)
        }
        guard mayBe(resolution, sender, program) else { return nil }
        if case .platform(let known) = resolution { return program.platform.isClass(known, kindOf: sender) && member.isStored && !member.modifiers.contains { $0.hasPrefix("weak") && !member.isOutlet } }
        return false
    }

    /// What a closure that is called at once returns.
    private static func called(_ operand: Operand, _ context: BodyContext) -> Operand? {
        guard case .register(let register) = operand, case .call(let call)? = context.definition(of: register)?.kind, case .value(.register(let closure)) = call.callee,
              case .closure(_, let made)? = context.definition(of: closure)?.kind, case .exit(.returns(let inner))? = made.block.last?.kind else { return nil }
        return inner
    }

    private static func mayBe(_ resolution: TypeResolution, _ sender: String, _ program: Program) -> Bool {
        switch resolution {
        case .platform(let known): program.platform.isClass(known, kindOf: sender)
        case .project(let types): types.contains { program.isType($0, kindOf: sender) }
        case .unknown: false
        }
    }

    /// Whether a method tells a list what it holds, by its name: what only tells how the list behaves is the delegate's.
    private static func isOfDataSource(_ member: MemberFacts) -> Bool {
        let name = member.fullName.lowercased()
        return ["numberof", "cellfor", "cellat", "objectvalue", "titlefor", "canedit", "canmove", "commit", "moverow", "moveitem", "drop", "pasteboard", "child", "isitemexpandable", "viewforsupplementary", "viewcontroller", "completionsfor"]
            .contains(where: name.contains)
    }

    // MARK: Where the object comes from

    /// Whether the class makes the object itself and gives it to nobody, or every scene of the class has it in an outlet without a delegate.
    private func hasOwnSender(_ id: MemberID) -> Bool {
        let property = program[id]
        var (isMade, isGiven) = (false, false)
        func makes(_ operand: Operand, _ context: BodyContext, depth: Int = 0) -> Bool {
            guard depth < 6, case .register(let register) = operand else { return false }
            switch context.definition(of: register)?.kind {
            case .call(let call):
                if case .initializer(let type) = call.callee { return type.name == sender || program.platform.isClass(type.name, kindOf: sender) }
                return Self.called(operand, context).map { makes($0, context, depth: depth + 1) } ?? false
            case .read(_, .local(let local)): return context.value(of: local).map { makes($0, context, depth: depth + 1) } ?? false
            default: return false
            }
        }
        if let body = property.body, case .exit(.returns(let value))? = body.block.last?.kind {
            let context = program.context(of: body, in: id, as: owner)
            if makes(value, context) { isMade = true } else if value != .constant(.null) { isGiven = true }
        }
        for (body, context) in bodies(of: family) {
            body.block.forEachStatement { statement in
                switch statement.kind {
                case .write(.name(view), let value), .write(.member(.selfObject, view), let value):
                    if makes(value, context) { isMade = true } else if value != .constant(.null) { isGiven = true }
                default: break
                }
            }
        }
        if isGiven { return false }
        guard property.isOutlet, !isMade else { return isMade }
        let scenes = ([owner] + input.subclasses(of: owner)).flatMap { program.interfaceObjects(of: $0) }
        guard input.isWhollyLinked(owner), !scenes.isEmpty else { return false }
        return scenes.allSatisfy { id in
            let views = program[id].connections.filter { $0.kind == .outlet(view) }.map(\.destination)
            guard views.count == 1 else { return false }
            let objects = program.resources.interfaces[id.interface].facts.objects.filter { views.contains($0.id) }
            return objects.count == 1 && objects[0].customClass == nil && objects[0].connections.allSatisfy { connection in
                if case .outlet(let name) = connection.kind { !slots.contains(name) } else { true }
            }
        }
    }

    private func bodies(of types: Set<TypeID>) -> [(body: Body, context: BodyContext)] {
        types.sorted().flatMap { type in
            program.members(of: type).flatMap { id in
                program[id].bodies.map { _, body in
                    (body, program.context(of: body, in: id, as: type))
                }
            }
        }
    }

    // MARK: Who connects them

    /// Whether anything may make an object of the class the delegate of such an object.
    var isConnected: Bool { isConnectedInNib || isCalledByHand || isConnectedByFamily || isConnectedElsewhere }

    /// Whether a storyboard or xib connects anything to an object of the class, or to one that may be of it.
    private var isConnectedInNib: Bool {
        program.resources.interfaces.contains { interface in
            let targets = Set(interface.facts.objects.flatMap(\.connections).compactMap { connection -> String? in
                if case .outlet(let name) = connection.kind, slots.contains(name) { connection.destination } else { nil }
            })
            return interface.facts.objects.contains { object in
                guard targets.contains(object.id), let name = object.customClass else { return false }
                let classes = program.classes(namedInInterface: name)
                return classes.isEmpty || classes.contains { family.contains($0) }
            }
        }
    }

    /// Whether code calls the protocol's methods itself: another delegate passes them on.
    private var isCalledByHand: Bool {
        program.chain(of: owner).flatMap { program.members(of: $0) }.contains { program[$0].answers(sender) && input.names.called.contains(program[$0].fullName) }
    }

    private var isConnectedByFamily: Bool {
        bodies(of: family).contains { body, context in
            var found = false
            body.block.forEachStatement { statement in
                guard !found else { return }
                switch statement.kind {
                case .write(.member(let receiver, let name), let value):
                    if slots.contains(name) { found = value != .constant(.null) && mayBeSender(receiver, context) }
                    // A class that is not here may do anything with self.
                    if context.isSelf(value), !slots.contains(name), !isKnown(receiver, context) { found = true }
                case .write(.name(let name), let value): found = slots.contains(name) && value != .constant(.null) && mayBeSender(.selfObject, context)
                case .call(let call), .collection(_, let call): found = mayConnect(call, context)
                case .opaque(let part): found = (part.reads + part.writes).contains { slots.contains($0) || $0 == "self" || $0 == view }
                default: break
                }
            }
            return found
        }
    }

    /// Whether a call may make its argument the delegate of something.
    private func mayConnect(_ call: Call, _ context: BodyContext) -> Bool {
        if let name = call.callee.baseName, setters.contains(name), call.arguments.first?.value != .constant(.null) {
            if case .member(let receiver, _) = call.callee { return mayBeSender(receiver, context) }
            return true
        }
        // An object that is made around the view may listen to it and tell others.
        if case .initializer(let type) = call.callee, call.arguments.contains(where: { isView($0.value, context) }) {
            if case .platform = program.resolve(type.unwrapped, in: context.scope) {} else { return true }
        }
        guard call.arguments.contains(where: { context.isSelf($0.value) || holdsSelf($0.value, context) }) else { return false }
        func isLink(_ label: String) -> Bool { label == "forKey" || label == "owner" || DelegateGifts.isDelegateName(label) }
        if let name = call.callee.baseName, isLink(name) || call.arguments.contains(where: { $0.label.map(isLink) ?? false }) { return true }
        // What functions of the project do with it is looked at where they do it.
        switch call.callee {
        case .superMember, .name, .local, .value, .macro: return false
        case .initializer(let type): if case .unknown = program.resolve(type.unwrapped, in: context.scope) { return true } else { return false }
        case .member(let receiver, let name): return !Self.harmless.contains(name) && !program.hasFunction(named: name) && !isKnown(receiver, context)
        case .implicitMember: return true
        }
    }

    private func isView(_ operand: Operand, _ context: BodyContext) -> Bool {
        guard case .register(let register) = context.uncast(operand), case .read(_, let place)? = context.definition(of: register)?.kind else { return false }
        return place.ownName == view
    }

    /// Calls of Cocoa to which self is given for another end.
    private static let harmless: Set<String> = ["addTarget", "addObserver", "removeObserver", "removeTarget", "perform", "isEqual", "post", "postNotificationName"]

    private func holdsSelf(_ operand: Operand, _ context: BodyContext) -> Bool {
        guard case .register(let register) = operand, case .compute(_, .array, let values)? = context.definition(of: register)?.kind else { return false }
        return values.contains { context.isSelf($0) }
    }

    /// Whether the operand may be an object of the sender's class.
    private func mayBeSender(_ operand: Operand, _ context: BodyContext) -> Bool {
        guard let type = input.inference.type(of: operand, in: context) else { return true }
        switch input.inference.resolve(type) {
        case .platform(let known): return program.platform.isClass(known, kindOf: sender) || program.platform.isClass(sender, kindOf: known)
        case .project(let types): return types.contains { type in
            guard case .platform = program.ancestry(of: type).root else { return true }
            return program.isType(type, kindOf: sender) || program[type].kind == .protocol
        }
        case .unknown: return true
        }
    }

    private func isKnown(_ operand: Operand, _ context: BodyContext) -> Bool {
        guard let type = input.inference.type(of: operand, in: context) else { return false }
        if case .unknown = input.inference.resolve(type) { return false } else { return true }
    }

    /// Whether code of other classes gives such an object something that may be of the class.
    private var isConnectedElsewhere: Bool {
        input.delegateWrites.all.contains { one in
            guard slots.contains(one.property), !(one.owner.map(family.contains) ?? false) else { return false }
            guard mayBeSender(one.receiver, one.context) else { return false }
            // The object of this class has another delegate, which may pass on what it hears.
            if case .register(let register) = one.receiver, case .read(_, .member(_, view))? = one.context.definition(of: register)?.kind { return true }
            if one.context.isSelf(one.value) { return false }
            guard let type = input.inference.type(of: one.value, in: one.context), case .project(let types) = input.inference.resolve(type) else { return true }
            return types.contains { type in family.contains(type) || program[type].kind == .protocol }
        }
    }
}

