import Findings
import ProgramModel
import RuleLibrary

extension Check {
    /// New objects that only a weak property is given, and that are gone before anybody uses them.
    static let lostWeakObjects = Check(rules: ["weak_slot_loses_object"]) { input, file in
        // Where the code counts references itself, `__weak` says nothing, and the object stays.
        guard !input.program.files[file].facts.countsReferences else { return [] }
        return input.bodies(inFile: file).flatMap { place in
            (place.madeObjects { LostObject.type($0, place.context.scope, input.program) != nil } + place.objectsMadeByFunctions(input.program, input.library.geometry, callingNone: true)).compactMap { LostObject(input: input, place: place, made: $0).finding(file) }
        }
    }
}

/// The search for one object that a body makes.
private struct LostObject {
    let input: CheckInput
    let place: BodyOccurrence
    let made: MadeObject

    private var program: Program { input.program }

    /// The class of the project of which an initialiser makes an object, where nothing above it is unknown.
    static func type(_ reference: TypeReference, _ scope: Scope, _ program: Program) -> TypeID? {
        guard case .project(let types) = program.resolve(reference.unwrapped, in: scope), types.count == 1, let type = types.first, program[type].kind == .class else { return nil }
        return switch program.ancestry(of: type).root {
        case .platform, .none: type
        case .foreign, .ambiguous: nil
        }
    }

    func finding(_ file: Int) -> Finding? {
        guard !made.uses.isMixed, let type = Self.type(made.type, place.context.scope, program), !mayKeepItself(type), !isUsedByClosure else { return nil }
        var slots: [(title: String, property: String, statement: Statement)] = []
        for (use, statement) in made.uses.all {
            switch use {
            case .set, .read: continue
            case .kept(.name(let property)):
                guard let title = weakHolder(of: property, .selfObject), made.uses.locals.isEmpty || isInterfaceObjectOfSelf(.selfObject) && !isGiven(property) else { return nil }
                slots.append((title, property, statement))
            case .kept(.member(let receiver, let property)):
                guard let title = weakHolder(of: property, receiver), made.uses.locals.isEmpty || isInterfaceObjectOfSelf(receiver) && !isGiven(property) else { return nil }
                slots.append((title, property, statement))
            case .called(let call): guard isHarmless(call, of: type) else { return nil }
            case .given, .kept, .returned, .other: return nil
            }
        }
        guard let slot = slots.first else { return nil }
        return input.finding(
            "weak_slot_loses_object",
            "'\(slot.property)' of '\(slot.title)' is weak and nothing else holds this new '\(program[type].name)', so it is freed at once and '\(slot.property)' is nil again: keep it in a property",
            at: slot.statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
    }

    /// The class whose property it is, when it holds weakly for sure.
    private func weakHolder(of property: String, _ receiver: Operand) -> String? {
        guard let type = input.inference.type(of: receiver, in: place.context), !type.isMetatype else { return nil }
        var known: String
        switch input.inference.resolve(type) {
        case .project(let types):
            guard types.count == 1, let type = types.first else { return nil }
            if let member = program.members(named: property, on: type).map({ program[$0] }).first {
                let isWeak = member.modifiers.contains { $0 == "weak" || $0.hasPrefix("unowned") }
                return isWeak && (member.accessors?.all.isEmpty ?? true) ? program[type].name : nil
            }
            guard let platform = program.platformClass(of: type) else { return nil }
            known = platform
        case .platform(let name): known = name
        case .unknown: return nil
        }
        let isWeak = program.platform.ancestry(of: known).contains { name in
            (input.library.weakSlots[name]?.contains(property) ?? false) || (input.library.unsafeDelegates[name]?.contains(property) ?? false)
        }
        return isWeak ? known : nil
    }

    /// Whether the receiver is a view, controller or recogniser that is there before the body and after it.  What else a local
    /// is given to may use it up before the body ends, as a parser does.
    private func isInterfaceObjectOfSelf(_ receiver: Operand) -> Bool {
        guard case .register(let register) = receiver, let definition = place.context.definition(of: register)?.kind else { return receiver == .selfObject }
        switch definition {
        case .read(_, .name), .read(_, .member): break
        case .read(_, .local(let local)): guard isShown(local) else { return false }
        default: return false
        }
        guard let type = input.inference.type(of: receiver, in: place.context) else { return false }
        let known: String? = switch input.inference.resolve(type) {
        case .project(let types): types.first.flatMap { program.platformClass(of: $0) }
        case .platform(let name): name
        case .unknown: nil
        }
        return known.map { name in ["UIView", "UIViewController", "UIGestureRecognizer", "NSView", "NSGestureRecognizer"].contains { program.platform.isClass(name, kindOf: $0) } } ?? false
    }

    /// Whether the body shows what a local has, so that it is there after the body.
    private func isShown(_ local: LocalID) -> Bool {
        var held: Set<Operand> = []
        var isShown = false
        place.body.block.forEachStatement { statement in
            if case .read(let register, .local(local)) = statement.kind { held.insert(.register(register)) }
            guard let call = statement.call, let name = call.callee.baseName, Self.showing.contains(where: name.hasPrefix) else { return }
            isShown = isShown || call.arguments.contains { held.contains($0.value) }
        }
        return isShown
    }

    /// How methods begin that show the view or controller that they are given.
    private static let showing = ["present", "push", "show", "addSubview", "addArrangedSubview", "insertSubview"]

    /// Whether the body, or a method that it calls on self, reads the property while the local still holds the object, and hands what it
    /// finds to somebody who may keep it.
    private func isGiven(_ property: String) -> Bool {
        if Self.gives(property, place.body.block) { return true }
        let called = Set(place.body.block.namesCalledOnSelf)
        return program.chain(of: place.member.owner).flatMap { program.members(of: $0) }.contains { id in
            called.contains(program[id].baseName) && (program[id].body.map { Self.gives(property, $0.block) } ?? false)
        }
    }

    /// Whether a block reads a property of self and hands on what it finds.
    private static func gives(_ property: String, _ block: Block) -> Bool {
        var found: Set<Operand> = []
        var isGiven = false
        block.forEachStatement { statement in
            switch statement.kind {
            case .read(let register, .member(.selfObject, property)), .read(let register, .name(property)): found.insert(.register(register))
            case .call(let call), .collection(_, let call): isGiven = isGiven || call.arguments.contains { found.contains($0.value) }
            case .write(_, let value), .assign(_, let value): isGiven = isGiven || found.contains(value)
            default: break
            }
        }
        return isGiven
    }

    /// Whether making the object may give it to somebody else.
    private func mayKeepItself(_ type: TypeID) -> Bool {
        program.chain(of: type).contains { link in
            program.members(of: link).map { program[$0] }.contains { member in member.kind == .initializer && (member.body.map { Self.givesItself($0.block) } ?? false) }
        }
    }

    /// Whether a block may give its object to somebody else.
    private static func givesItself(_ block: Block) -> Bool {
        // What goes through a list runs at once and is gone.
        var passing: Set<Register> = []
        block.forEachStatement { if case .collection(_, let call) = $0.kind { for case .register(let register) in call.arguments.map(\.value) { passing.insert(register) } } }
        return block.containsStatement { statement in
            switch statement.kind {
            case .write(_, .selfObject), .opaque: true
            case .closure(let register, _): !passing.contains(register)
            case .call(let call), .collection(_, let call): call.arguments.contains { $0.value == .selfObject }
            default: false
            }
        }
    }

    /// Whether a call on the object runs a function of its class that calls nothing of its own and gives the object to nobody.
    private func isHarmless(_ call: Call, of type: TypeID) -> Bool {
        guard let name = call.callee.baseName else { return false }
        let functions = program.members(named: name, on: type).filter { program[$0].kind == .function && program[$0].accepts(call) }
        return functions.count == 1 && !program[functions[0]].isPartial && (program[functions[0]].body.map { !Self.givesItself($0.block) && $0.block.namesCalledOnSelf.isEmpty } ?? false)
    }

    /// Whether a closure uses the local that holds the object, and so keeps it.
    private var isUsedByClosure: Bool {
        guard !made.uses.locals.isEmpty else { return false }
        var found = false
        place.body.block.forEachStatement { statement in
            guard case .closure(_, let closure) = statement.kind else { return }
            closure.block.forEachStatement { if case .read(_, .local(let local)) = $0.kind, made.uses.locals.contains(local) { found = true } }
        }
        return found
    }
}
