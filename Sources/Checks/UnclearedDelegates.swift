import Findings
import ProgramModel
import RuleLibrary
import SourceText

extension Check {
    /// Objects that are given self as a delegate, point to it without holding it, and are never told that it is gone.
    static let unclearedDelegates = Check(rules: ["delegate_not_cleared"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        var seen: Set<UnclearedDelegates.Field> = []
        return input.members(inFile: file).flatMap { member in
            UnclearedDelegates(input: input, file: file, member: member).findings().filter { seen.insert($0.field).inserted }.map(\.finding)
        }
    }
}

/// The delegates that one member sets to self.
private struct UnclearedDelegates {
    /// A delegate of an object that a property of self holds.
    struct Field: Hashable {
        let owner: TypeID
        let holder: String
        /// Whether no property of self holds the object: it is made here and goes its own ways, or belongs to another one.
        var isOfOthers = false
    }

    let input: CheckInput
    let file: Int
    let member: MemberOccurrence

    private var program: Program { input.program }

    /// Something that is given to a delegate property.
    private struct Gift {
        let field: Field
        let property: String
        let value: Operand
        let receiver: Operand
        let span: SourceSpan
    }

    func findings() -> [(field: Field, finding: Finding)] {
        // Of an object that lives as long as the app no pointer dangles.
        guard program[member.owner].kind == .class, !input.lifetimes.lastAsLongAsTheApp(member.owner) else { return [] }
        return connected() + member.facts.bodies.flatMap { _, body -> [(field: Field, finding: Finding)] in
            let context = member.context(of: body)
            return gifts(in: context).compactMap { gift in
                if member.facts.kind == .deinitializer, gift.value == .selfObject {
                    let message = "'\(gift.property)' is set to this object while it is being freed: a weak property raises an exception, any other points to freed memory; set it to nil"
                    // It is a mistake of its own, whoever was given the delegate before.
                    return (Field(owner: gift.field.owner, holder: "deinit \(gift.field.holder)"), input.finding("delegate_not_cleared", message, at: gift.span, in: file, type: member.typeName, member: member.facts.fullName))
                }
                let owned = ownedObject(gift.value, context)
                guard gift.value == .selfObject || owned != nil, mayOutlive(gift, context), let title = unsafeHolder(of: gift, context), !isCleared(gift) else { return nil }
                let message = "'\(gift.property)' of \(title) points to \(owned.map { "'\($0)', which only this object holds," } ?? "this object") without holding it, and nothing sets it to nil: "
                    + "when this object is freed first, the pointer dangles; set it to nil in 'dealloc'"
                let span = gift.span
                return (gift.field, input.finding("delegate_not_cleared", message, at: span, in: file, type: member.typeName, member: member.facts.fullName))
            }
        }
    }

    /// What storyboards and xibs connect: the delegate of a view that the member, an outlet, holds.
    private func connected() -> [(field: Field, finding: Finding)] {
        guard member.facts.isOutlet, program.files[file].facts.language == .objectiveC, let type = member.facts.type?.unwrapped.name else { return [] }
        let field = Field(owner: member.owner, holder: member.facts.baseName.withoutUnderscore)
        let properties = Set(program.interfaceObjects(of: member.owner).flatMap { id -> [String] in
            let controller = program[id]
            guard let outlet = controller.connections.first(where: { $0.kind == .outlet(field.holder) || $0.kind == .outlet(member.facts.baseName) }),
                  let view = program.destination(of: outlet, in: id.interface) else { return [] }
            return program[view].connections.compactMap { connection in
                guard case .outlet(let name) = connection.kind, connection.destination == controller.id, DelegateGifts.isDelegateName(name) else { return nil }
                return name
            }
        })
        return properties.sorted().compactMap { property in
            let gift = Gift(field: field, property: property, value: .selfObject, receiver: .selfObject, span: member.facts.nameSpan)
            guard let title = unsafeHolder(ofClass: type, gift), !isCleared(gift) else { return nil }
            let message = "a storyboard or xib makes this object the '\(property)' of '\(field.holder)'; \(title) points to it without holding it, and nothing sets it to nil: "
                + "when this object is freed first, the pointer dangles; set it to nil in 'dealloc'"
            // The place for it, where there is one.
            let end = program.members(of: member.owner).first { program[$0].kind == .deinitializer && program[$0].body != nil }
            return (field, input.finding(
                "delegate_not_cleared", message, at: end.map { program[$0].nameSpan } ?? gift.span, in: end?.declaration.file ?? file, type: member.typeName,
                member: end.map { program[$0].fullName } ?? member.facts.fullName))
        }
    }

    /// Whether the holder may be there when this object is gone: in Swift, what this object does not hold itself, nor has from its nib.
    private func mayOutlive(_ gift: Gift, _ context: BodyContext) -> Bool {
        let field = gift.field
        guard program.files[file].facts.language == .swift else { return !field.isOfOthers || goesItsOwnWays(gift.receiver, context) }
        guard !field.isOfOthers else { return false }
        let members = program.members(named: field.holder, on: field.owner).map { program[$0] }
        return members.contains { $0.modifiers.contains("weak") } && !members.contains(where: \.isOutlet)
    }

    /// Whether an object that self does not hold can be there without self: views of the project and gesture recognisers go with their
    /// controller, controllers that it shows go before it, and so do alerts.
    private func goesItsOwnWays(_ receiver: Operand, _ context: BodyContext) -> Bool {
        guard let type = input.inference.type(of: receiver, in: context) else { return false }
        switch input.inference.resolve(type) {
        case .project(let types):
            return types.allSatisfy { type in !Self.goingWithTheirScreen.contains { program.isType(type, kindOf: $0) } }
        case .platform(let name):
            return program.platform.ancestry(of: name).allSatisfy { !["UIAlertView", "UIActionSheet", "UIGestureRecognizer"].contains($0) }
        case .unknown:
            return false
        }
    }

    private static let goingWithTheirScreen = ["UIView", "UIViewController", "NSView", "NSViewController", "NSWindowController", "NSCell"]

    /// The property of self that a value was read from, where it holds what the class itself makes for it: that goes with the object.
    private func ownedObject(_ value: Operand, _ context: BodyContext) -> String? {
        guard case .register(let register) = value else { return nil }
        let read: String? = switch context.definition(of: register)?.kind {
        case .read(_, .member(.selfObject, let name))?, .read(_, .name(let name))?: name
        default: nil
        }
        guard let read else { return nil }
        let name = read.withoutUnderscore
        let members = program.chain(of: member.owner).flatMap { link in [name, "_\(name)"].flatMap { program[link].membersByName[$0] ?? [] } }.map { program[$0] }
        guard !members.isEmpty, members.allSatisfy({ $0.kind == .property && !$0.isStatic && !$0.isOutlet && $0.modifiers.allSatisfy { !["weak", "unowned", "unowned(unsafe)"].contains($0) } }) else { return nil }
        var values: [Bool] = []
        for one in program.chain(of: member.owner).flatMap({ program.members(of: $0) }) {
            for (_, body) in program[one].bodies {
                var made: Set<Register> = []
                body.block.forEachStatement { statement in
                    if case .call(let call) = statement.kind, case .initializer = call.callee { made.insert(call.result) }
                    switch statement.kind {
                    case .write(.name(let written), let value), .write(.member(.selfObject, let written), let value):
                        guard written.withoutUnderscore == name, value != .constant(.null) else { return }
                        if case .register(let register) = value { values.append(made.contains(register)) } else { values.append(false) }
                    default: break
                    }
                }
            }
        }
        return !values.isEmpty && values.allSatisfy { $0 } ? name : nil
    }

    /// What a body gives to delegate properties of what self holds: `field.delegate = value`, `[field setDelegate:value]`, and
    /// `field = [[Field alloc] initWithDelegate:value]`.
    private func gifts(in context: BodyContext) -> [Gift] {
        var found: [Gift] = []
        var kept: [LocalID: String] = [:]
        var keptOnceMade: [Register: String] = [:]
        context.body.block.forEachStatement { statement in
            guard case .write(.member(.selfObject, let holder), let value) = statement.kind, case .register(let register) = context.uncast(value) else { return }
            keptOnceMade[register] = holder
            guard case .read(_, .local(let local))? = context.definition(of: register)?.kind else { return }
            kept[local] = holder
            if case .register(let made)? = context.value(of: local) { keptOnceMade[made] = holder }
        }
        func add(_ receiver: Operand, _ property: String, _ value: Operand, _ span: SourceSpan) {
            guard DelegateGifts.isDelegateName(property), case .register(let register) = receiver else { return }
            let (holder, isOfOthers): (String?, Bool) = switch context.definition(of: register)?.kind {
            case .read(_, .member(.selfObject, let name))?: (name, false)
            case .read(_, .name(let name))? where !program.members(named: name, on: member.owner).isEmpty: (name, false)
            // Made in a local, which goes into a property before or after.
            case .read(_, .local(let local))? where kept[local] != nil: (kept[local], false)
            case .read(_, .local(let local))? where isMadeHere(local, context) || value == .constant(.null): ("local", true)
            case .read(_, .member(_, let name))?: (name, true)
            // The one object that a class function shares.
            case .call(let call)?: (sharedObject(call, context), true)
            default: (nil, false)
            }
            guard let holder else { return }
            // The variable behind a property is the same holder.
            found.append(Gift(field: Field(owner: member.owner, holder: holder.withoutUnderscore, isOfOthers: isOfOthers), property: property, value: value, receiver: receiver, span: span))
        }
        context.body.block.forEachStatement { statement in
            switch statement.kind {
            case .write(.member(let receiver, let property), let value):
                add(receiver, property, value, statement.span)
            case .call(let call):
                if case .initializer = call.callee, let holder = keptOnceMade[call.result], let given = call.arguments.first(where: { $0.label.map(DelegateGifts.isDelegateName) ?? false }) {
                    found.append(Gift(
                        field: Field(owner: member.owner, holder: holder.withoutUnderscore), property: given.label ?? "", value: given.value, receiver: .register(call.result), span: statement.span))
                }
                guard case .member(let receiver, let name) = call.callee, name.hasPrefix("set"), let value = call.arguments.first?.value, call.arguments.count == 1 else { return }
                let property = name.dropFirst(3)
                add(receiver, property.prefix(1).lowercased() + property.dropFirst(), value, statement.span)
            default:
                break
            }
        }
        return found
    }

    /// The class function that shares one object of the class; nil for a call of anything else.
    private func sharedObject(_ call: Call, _ context: BodyContext) -> String? {
        guard case .member(.type(let named), let name) = call.callee, call.arguments.isEmpty, case .project(let types) = program.resolve(named, in: context.scope), types.count == 1 else { return nil }
        return program.keepsOneForAll(types[0]) ? name : nil
    }

    /// Whether a local holds what the body itself makes.
    private func isMadeHere(_ local: LocalID, _ context: BodyContext) -> Bool {
        guard let value = context.value(of: local), case .register(let made) = context.uncast(value), case .call(let call)? = context.definition(of: made)?.kind, case .initializer = call.callee else { return false }
        return true
    }

    /// What the holder is called, when its property points without holding; nil when it holds, is weak, or is unknown.
    private func unsafeHolder(of gift: Gift, _ context: BodyContext) -> String? {
        guard let type = input.inference.type(of: gift.receiver, in: context) else { return nil }
        switch input.inference.resolve(type) {
        case .project(let types):
            guard types.count == 1, let only = types.first else { return nil }
            let members = program.members(named: gift.property, on: only).map { program[$0] }
            // Where a class of the SDK has the property, one that is declared again is still that one, unless it has code of its own.
            if let name = program.platformClass(of: only), !members.contains(where: { !$0.bodies.isEmpty }), let title = unsafeHolder(ofClass: name, gift) { return title }
            let isUnsafe = members.first { $0.kind == .property }.map { $0.modifiers.contains("unowned(unsafe)") } ?? isOnlyNoted(gift.property, by: only)
            return isUnsafe ? "'\(program[only].name)'" : nil
        case .platform(let name):
            return unsafeHolder(ofClass: name, gift)
        case .unknown:
            return nil
        }
    }

    /// Whether a class that counts references itself has a setter alone, which puts the delegate into a variable and does not retain it.
    private func isOnlyNoted(_ property: String, by type: TypeID) -> Bool {
        let setters = program.members(named: "set\(property.prefix(1).uppercased())\(property.dropFirst())", on: type).map { program[$0] }.filter { $0.kind == .function && $0.parameters.count == 1 }
        guard program.countsByHand(type), setters.count == 1, let body = setters[0].body, let given = body.parameters.first else { return false }
        var (reads, noted, looked): (Set<Register>, Set<String>, Set<String>) = ([], [], [])
        body.block.forEachStatement(enteringClosures: false) { statement in
            switch statement.kind {
            case .read(let register, .local(given)): reads.insert(register)
            case .read(_, let place): if let name = place.ownName { looked.insert(name) }
            case .write(let place, .register(let value)): if reads.contains(value), let name = place.ownName { noted.insert(name) }
            default: break
            }
        }
        // Who retains the new one looks at the old one first, to release it.
        guard let variable = noted.first, noted.count == 1, !looked.contains(variable) else { return false }
        return program.members(named: variable, on: type).map { program[$0] }.contains { program.isUncountedVariable($0, of: type) }
    }

    /// What a class of the SDK is called, when its property points without holding on the oldest system.
    private func unsafeHolder(ofClass name: String, _ gift: Gift) -> String? {
        let ancestry = program.platform.ancestry(of: name)
        if ancestry.contains(where: { input.library.unsafeDelegates[$0]?.contains(gift.property) ?? false }) { return "'\(name)'" }
        let targets = input.targets(ofFile: file)
        for (changes, slots) in input.library.weakSince where ancestry.contains(where: { slots[$0]?.contains(gift.property) ?? false }) {
            if let (system, target, change) = targets.system(before: changes) { return "'\(name)', which is weak since \(system.rawValue) \(change) while the deployment target is \(target)," }
        }
        return nil
    }

    /// Whether the class or one of its superclasses ever sets the property of that holder to nil.
    private func isCleared(_ gift: Gift) -> Bool {
        program.chain(of: member.owner).contains { link in
            program[link].declarations.contains { declaration in
                program[declaration].members.contains { other in
                    other.bodies.contains { _, body in
                        let context = BodyContext(body: body, selfType: link, scope: Scope(file: declaration.file, typeName: program[link].name), isStatic: other.isStatic)
                        let others = gifts(in: context)
                        return others.contains { other in
                            other.property == gift.property && other.value == .constant(.null) && (other.field.holder == gift.field.holder || gift.field.isOfOthers)
                                && !isTakenBack(other, by: others, in: body.block)
                        }
                    }
                }
            }
        }
    }

    /// Whether the same holder gets its delegate again later in the block that sets it to nil, which was for the meantime alone.
    private func isTakenBack(_ gift: Gift, by gifts: [Gift], in block: Block) -> Bool {
        if let index = block.firstIndex(where: { $0.span == gift.span }) {
            return gifts.contains { other in
                other.property == gift.property && other.field == gift.field && other.value != .constant(.null)
                    && block[(index + 1)...].contains { $0.span == other.span }
            }
        }
        return block.contains { statement in statement.innerBlocks(enteringClosures: true).contains { isTakenBack(gift, by: gifts, in: $0) } }
    }
}
