import Findings
import ProgramModel
import RuleLibrary

extension Check {
    /// Properties that hold a delegate strongly although the delegate keeps their object.
    static let strongDelegates = Check(rules: ["strong_delegate"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).compactMap { member in
            VariableBehindWeakness(input: input, file: file, member: member)?.finding() ?? StrongDelegate(input: input, file: file, member: member)?.finding()
        }
    }
}

/// A stored property that holds a delegate strongly.
private struct StrongDelegate {
    let input: CheckInput
    let file: Int
    let member: MemberOccurrence

    private var program: Program { input.program }

    /// Nil for properties that hold no delegate, hold it weakly, or do not hold it themselves.
    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        let facts = member.facts
        guard facts.holdsStrongly, DelegateGifts.isDelegateName(facts.baseName), !facts.modifiers.contains("lazy"),
              // A value that is made here is owned here.
              input.program[member.owner].kind == .class, let type = facts.type, !facts.beginsWithObject, !input.program.isDeclaredWeak(facts.baseName, of: member.owner),
              !input.program.isUncountedVariable(facts, of: member.owner) else { return nil }
        self.input = input
        self.file = file
        self.member = member
        guard canHoldAnObject(type) || isUnknown(type) else { return nil }
    }

    /// Whether the type is a class or a protocol whose conformers are objects; closures, values and data are none.
    private func canHoldAnObject(_ type: TypeReference) -> Bool {
        let scope = Scope(file: file, typeName: member.typeName)
        return program.parts(of: type.unwrapped, in: scope).contains { part in
            switch program.resolve(part.unwrapped, in: scope) {
            case .project(let types):
                types.contains { id in
                    switch program[id].kind {
                    case .class, .actor: true
                    case .protocol:
                        // With none but structs as conformers there is nothing to keep alive.
                        program.conformers(to: program[id].name).isEmpty || program.conformers(to: program[id].name).contains { program[$0].kind == .class || program[$0].kind == .extension }
                    default: false
                    }
                }
            case .platform(let name): program.platform.protocols.contains(name) || program.platform.isClass(name)
            case .unknown(let name): name.hasSuffix("Delegate") || name.hasSuffix("DataSource")
            }
        }
    }

    /// Whether nobody here says what the type is: a protocol of another module, if somebody gives it an object.
    private func isUnknown(_ type: TypeReference) -> Bool {
        let scope = Scope(file: file, typeName: member.typeName)
        return program.parts(of: type.unwrapped, in: scope).allSatisfy { if case .unknown = program.resolve($0.unwrapped, in: scope) { true } else { false } }
    }

    func finding() -> Finding? {
        let name = member.facts.baseName
        let ownName = program[member.owner].name
        let gifts = heirs().flatMap { input.delegateGifts.kept[$0] ?? [] }.filter { $0.property == name && !input.lifetimes.isDelegateOfApp($0.giver) }
        // A giver that lets the other one go ends the circle, too.
        guard gifts.isEmpty || gifts.contains(where: { !isEndedByGiver($0) }) else { return nil }
        // Whoever sets it to nil ends the circle on purpose.
        let types = Set(heirs() + program.ancestry(of: member.owner).projectTypes)
        let takenBack = (input.delegateGifts.takenBack[name] ?? []).filter { ($0.receiver.map(types.contains) ?? ($0.owner == member.owner)) && !($0.isAtEnd && types.contains($0.owner)) }
        guard let gift = gifts.first(where: { gift in !takenBack.contains { input.delegateGifts.ends(gift, $0) } }) else {
            guard takenBack.isEmpty, !heirs().contains(where: { input.delegateGifts.ownedByReceiver[$0]?.contains(name) ?? false }) else { return nil }
            if let connected { return connected }
            guard let type = member.facts.type, canHoldAnObject(type), followsConvention(name) else { return nil }
            let message = if let loose = heirs().flatMap({ input.delegateGifts.loose[$0] ?? [] }).first(where: { $0.property == name }) {
                "'\(name)' holds its object strongly, so '\(program[loose.giver].name)', which gives itself to it (\(place(of: loose))), lives as long as the '\(ownName)', "
                    + "and neither is freed once it keeps that in a property; make the property weak"
            } else {
                isGivenToShared(name) && !isInterfaceObject ? "'\(name)' holds its object strongly, and the one '\(ownName)' lives as long as the app: who is given to it is not freed until another takes its place; make the property weak"
                    : "'\(name)' holds its object strongly, though who is the delegate of \(isInterfaceObject ? "a view or controller" : "an object") mostly keeps it: then neither is ever freed; make the property weak"
            }
            return input.finding("strong_delegate", message, at: member.facts.nameSpan, in: file, type: member.typeName, member: name)
        }
        let giver = program[gift.giver].name
        let place = place(of: gift)
        // A model that is handed to what is shared may well be meant to stay.
        guard !gift.isForLife || program.isInterfaceObject(gift.giver) && !program.keepsOneForAll(gift.giver) else { return nil }
        let message = gift.isForLife
            ? "'\(name)' holds its object strongly, and '\(giver)' gives itself to the one '\(ownName)' that lives as long as the app (\(place)): it is not freed until another takes its place; make the property weak"
            : gift.isToItself
            ? "'\(name)' holds its object strongly, and '\(giver)' is made the delegate of itself (\(place)): it is not freed until another takes its place; make the property weak"
            : "'\(name)' holds its object strongly, and '\(giver)', which keeps its '\(ownName)', gives itself to it (\(place)): neither is ever freed; make the property weak"
        var finding = input.finding("strong_delegate", message, at: member.facts.nameSpan, in: file, type: member.typeName, member: name)
        // It is the giver that is lost, unless that lasts as well.
        finding.isStray = gift.isForLife && !input.lifetimes.areNeverFreed(gift.giver)
        guard !gift.isForLife, let run = input.reproduction(gift.circle) else { return finding }
        return finding.reproduced(by: run)
    }

    /// Whether the giver keeps the receiver in properties alone that its code empties while it lives.
    private func isEndedByGiver(_ gift: DelegateGifts.Gift) -> Bool {
        let members = program.chain(of: gift.giver).flatMap { program.members(of: $0) }.map { program[$0] }
        /// Whether the end of the giver alone calls a member, which never comes as long as the circle holds.
        func isOfEnd(_ member: MemberFacts) -> Bool {
            guard member.isPrivate else { return member.kind == .deinitializer }
            let callers = members.filter { $0.bodies.contains { $0.body.block.calledNames.contains(member.baseName) } }
            return member.kind == .deinitializer || !callers.isEmpty && callers.allSatisfy { $0.kind == .deinitializer }
        }
        func empties(_ property: String) -> Bool {
            members.contains { member in
                member.kind != .initializer && !member.isWithdrawnEvent && member.bodies.contains { $0.body.block.clears(property) } && !isOfEnd(member)
            }
        }
        return !gift.isForLife && !gift.keepers.isEmpty && gift.keepers.allSatisfy(empties)
    }

    /// What a storyboard or xib shows of an outlet.
    private var connected: Finding? {
        guard member.facts.isOutlet, let found = heirs().lazy.compactMap({ input.connection(of: member.facts.baseName, ofViewsOf: $0) }).first else { return nil }
        let message = "'\(member.facts.baseName)' holds its object strongly, and \(found.path):\(found.line) connects it to the '\(found.controller)' in whose view this "
            + "'\(program[member.owner].name)' lies, which keeps it: neither is ever freed; make the outlet weak"
        return input.finding("strong_delegate", message, at: member.facts.nameSpan, in: file, type: member.typeName, member: member.facts.baseName)
    }

    private func place(of gift: DelegateGifts.Gift) -> String {
        gift.file == file ? "line \(gift.span.start.line)" : "\(program.files[gift.file].path):\(gift.span.start.line)"
    }

    private var isInterfaceObject: Bool { program.isInterfaceObject(member.owner) }

    /// Whether the property is one that others set to themselves by convention, so that no gift need be seen: the delegate of a
    /// view or controller, and the public `delegate` of any class.  A class of the project that is no view or controller is a
    /// helper that the property may well own, and data sources often are owned.
    private func followsConvention(_ name: String) -> Bool {
        // Of a class that is only declared here, nobody can mend anything.
        guard program.members(of: member.owner).contains(where: { !program[$0].bodies.isEmpty }) || program.files[file].facts.language == .swift else { return false }
        // What a nib connects may be an object of the nib, which needs an owner.
        guard name.lowercased().hasSuffix("delegate"), !member.facts.isOutlet, !isMadeHere(name), !areGiversSeen, !isUnused(name), let type = member.facts.type, let kind = delegateKind(type) else { return false }
        let isPlain = name == "delegate"
        // A property of what values may adopt cannot be weak: that its protocol is open is a matter of another rule.
        let open = openProtocols(of: type)
        guard open.isEmpty || (isInterfaceObject || isGivenToShared(name)) && !open.contains(where: isAdoptedByValues) else { return false }
        if isInterfaceObject { return kind == .ofProject || isPlain }
        // What a header of Objective-C declares, everybody may set.
        let one = program.files[file]
        let isPublic = one.facts.language == .objectiveC ? one.path.hasSuffix(".h") : member.facts.modifiers.contains { $0 == "public" || $0 == "open" } || isGivenToShared(name)
        let isOptional = type.isOptional || type.arguments.contains { type.name == "&" && $0.isOptional }
        return (isPlain || one.facts.language == .objectiveC && kind == .ofProject) && isPublic && !member.facts.isConstant && isOptional && kind != .object
    }

    /// Whether nobody sets the property of a helper that the app alone has: then it holds nobody.  A view or controller is as others will use it.
    private func isUnused(_ name: String) -> Bool {
        guard !isInterfaceObject, AppUnits(program).haveAlone(program[member.owner]) else { return false }
        let setter = "set\(name.prefix(1).uppercased())\(name.dropFirst())"
        return !input.names.called.contains { $0.hasPrefix(setter) } && input.places(writing: name, of: member.owner).isEmpty
            && !program.members(of: member.owner).contains { id in program[id].kind == .initializer && program[id].bodies.contains { $0.body.block.containsStatement { statement in
                if case .write(let place, let value) = statement.kind { place.ownName?.withoutUnderscore == name && value != .constant(.null) } else { false }
            } } }
    }

    /// Whether a method of the one object that lives as long as the app puts there what it is given.
    private func isGivenToShared(_ name: String) -> Bool {
        input.lifetimes.lastAsLongAsTheApp(member.owner) && program.members(of: member.owner).map { program[$0] }.contains { method in
            guard method.kind == .function, !method.isPrivate, let body = method.body else { return false }
            var given: Set<Register> = []
            return body.block.containsStatement { statement in
                switch statement.kind {
                case .read(let register, .local(let local)) where body.parameters.contains(local): given.insert(register)
                case .write(.member(.selfObject, name), .register(let value)), .write(.name(name), .register(let value)): return given.contains(value)
                default: break
                }
                return false
            }
        }
    }

    /// The protocols among the parts of a type that values may adopt as well.
    private func openProtocols(of type: TypeReference) -> [TypeID] {
        let scope = Scope(file: file, typeName: member.typeName)
        return program.parts(of: type.unwrapped, in: scope).flatMap { part -> [TypeID] in
            guard case .project(let types) = program.resolve(part.unwrapped, in: scope) else { return [] }
            return types.filter { program[$0].kind == .protocol && !program.mayBeOfClasses($0) }
        }
    }

    private func isAdoptedByValues(_ type: TypeID) -> Bool {
        program.conformers(to: program[type].name).contains { program[$0].kind == .struct || program[$0].kind == .enum }
    }

    /// Whether everybody who can give an object to the property is at hand, none of whom was seen to keep its owner: a private one that is
    /// never empty, or that only initialisers set, of a class of which the project makes the objects.
    private var areGiversSeen: Bool {
        member.facts.isPrivate && (member.facts.type?.isOptional == false && !member.facts.isImplicitlyUnwrapped || isSetByInitializersOnly)
            && input.names.constructions[program[member.owner].name] != nil
            && !program[member.owner].declarations.contains { program[$0].modifiers.contains { $0 == "public" || $0 == "open" } }
    }

    /// Whether the initialisers of the class set the property, and no other code of it does.
    private var isSetByInitializersOnly: Bool {
        let name = member.facts.baseName
        func sets(_ body: Body) -> Bool {
            body.block.containsStatement { statement in
                switch statement.kind {
                case .write(.member(.selfObject, name), _), .write(.name(name), _): true
                default: false
                }
            }
        }
        let setters = program.members(of: member.owner).map { program[$0] }.filter { $0.bodies.contains { sets($0.body) } }
        return !setters.isEmpty && setters.allSatisfy { $0.kind == .initializer }
    }

    /// Whether code of the class or of a subclass puts an object there that it makes on the spot or keeps already, so that the property owns it.
    private func isMadeHere(_ name: String) -> Bool {
        ([member.owner] + input.subclasses(of: member.owner)).contains { type in
            program.members(of: type).contains { id in
                program[id].bodies.contains { _, body in
                    let context = BodyContext(body: body, selfType: type, scope: Scope(file: id.declaration.file, typeName: program[type].name), isStatic: false)
                    return body.block.containsStatement { statement in
                        switch statement.kind {
                        case .write(.member(.selfObject, name), .register(let value)), .write(.name(name), .register(let value)):
                            switch context.definition(of: value)?.kind {
                            // What a call hands out here, nobody else may keep.
                            case .call: true
                            case .read(_, .name(let source)), .read(_, .member(.selfObject, let source)):
                                source != name && program.members(named: source, on: type).contains { program[$0].kind == .property && program[$0].isStored && program[$0].beginsWithObject }
                            default: false
                            }
                        default: false
                        }
                    }
                }
            }
        }
    }

    private enum DelegateKind {
        /// A protocol or a view or controller of the project.
        case ofProject
        /// A protocol of the SDK.
        case ofPlatform
        /// A class of another kind.
        case object
    }

    private func delegateKind(_ type: TypeReference) -> DelegateKind? {
        let scope = Scope(file: file, typeName: member.typeName)
        let kinds = program.parts(of: type.unwrapped, in: scope).map { part -> DelegateKind in
            switch program.resolve(part.unwrapped, in: scope) {
            case .project(let types):
                types.contains { program[$0].kind == .protocol || program.isInterfaceObject($0) } ? .ofProject : .object
            case .platform(let name): program.platform.protocols.contains(name) ? .ofPlatform : .object
            case .unknown(let name): name.hasSuffix("Delegate") ? .ofPlatform : .object
            }
        }
        return kinds.contains(.object) ? .object : kinds.first { $0 == .ofProject } ?? kinds.first
    }

    /// The type and what inherits its property.
    private func heirs() -> [TypeID] {
        let subclasses = input.delegateGifts.kept.keys.filter { program.ancestry(of: $0).projectTypes.contains(member.owner) }
        return [member.owner] + subclasses.sorted()
    }
}

extension Program {
    /// Whether some declaration of a property, or of the variable behind it, says that it does not hold its object: the extension of a class
    /// may say more than its header.
    func isDeclaredWeak(_ property: String, of type: TypeID) -> Bool {
        let plain = property.withoutUnderscore
        return [plain, "_\(plain)"].contains { name in
            members(named: name, on: type).contains { id in self[id].kind == .property && self[id].modifiers.contains { $0.hasPrefix("weak") || $0.hasPrefix("unowned") } }
        }
    }
}

extension MemberFacts {
    /// Whether it is a property of an object that itself holds what it is given.
    var holdsStrongly: Bool {
        kind == .property && isStored && !isOverride && !isStatic && accessors?.get == nil && !modifiers.contains { $0.hasPrefix("weak") || $0.hasPrefix("unowned") }
            // A wrapper may hold weakly.
            && attributes.allSatisfy { ["objc", "IBOutlet", "MainActor", "available"].contains($0.name) }
    }

    /// Whether the initial value makes the object: then the property owns it.
    var beginsWithObject: Bool {
        guard let body, case .exit(.returns(let value))? = body.block.last?.kind else { return false }
        return value != .constant(.null)
    }
}
