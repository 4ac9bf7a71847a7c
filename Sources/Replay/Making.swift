import ProgramModel
import RuleLibrary

/// The making of objects: initial values, initialisers, and what the SDK keeps of what its objects are made with.
extension Machine {
    /// Makes an object by an initialiser, as a call asks for it.
    mutating func create(_ type: TypeReference, _ call: Call, _ arguments: [Value], in frame: Int, at statement: Statement) -> (Value, Flow) {
        let scope = Scope(file: world.frames[frame].file, typeName: world.frames[frame].declaringType.map { program[$0].name } ?? "")
        let wanted = type.name == "Self" ? world.frames[frame].declaringType.map { TypeReference(program[$0].name) } ?? type : type
        if type.element != nil || ["Array", "Set", "Dictionary"].contains(type.name) {
            if case .collection(let elements)? = arguments.first { return (.collection(elements), .normal) }
            return (.collection([]), .normal)
        }
        switch lookups.resolve(wanted, in: scope) {
        case .project(let types) where types.count == 1 && program[types[0]].kind != .protocol:
            if program[types[0]].kind == .enum { return (world.unknown(), .normal) }
            let id = world.make(.project(types[0]))
            // What is made without anything of interest gets its values when somebody asks for them.
            if isMakingShared, program[types[0]].kind == .class {
                world[id].isShared = true
                return (.object(id), .normal)
            }
            // Whose sizes count, an object may get with what it is made of.
            let getsObjects = watchesGeometry && arguments.contains { if case .object = $0 { true } else { false } }
            if program[types[0]].kind == .class, !relevance.isHotToMake(program[types[0]].name), !getsObjects, !arguments.contains(where: matters) { return (.object(id), .normal) }
            if isForeign(types[0], .object(id), arguments) { return (.object(id), .normal) }
            return initialize(id, as: types[0], call, arguments)
        case .platform(let className):
            if className.hasSuffix("Notification.Name"), let first = arguments.first, case .string(let name) = first { return (.named(name, []), .normal) }
            return platformCall(call, arguments, receiver: .type(className), className: className, isStatic: false, in: frame, at: statement)
        default:
            // A function whose name begins as those of types do.
            if let target = freeTarget(type.name, call, in: frame) { return run(target, call, arguments, selfValue: .void) }
            if type.name.hasSuffix("Name"), case .string(let name)? = arguments.first { return (.named(name, []), .normal) }
            // So do the names of C's functions.
            if library.families(calling: call.fullName ?? "").contains(where: { $0.isCalled(byFunction: type.name) }) {
                return platformCall(call, arguments, receiver: .void, className: type.name, isStatic: false, in: frame, at: statement)
            }
            let role = library.closureRoles[type.name]
            guard role == nil || role == .kept, arguments.contains(where: holdsClosures) else { return unknownCall(call, arguments, role: role) }
            let made = world.make(.platform(type.name))
            // A class of another module may run what sets up the new object, and be done with it.
            for value in arguments where role == nil && setsUp(value) {
                let (_, flow) = invoke(value, [.object(made)])
                if flow == .stopped || flow == .trapped { return (.void, flow) }
            }
            keep(role == nil ? arguments.map { setsUp($0) ? .void : $0 } : arguments, in: made)
            return (.object(made), .normal)
        }
    }

    private func traps(_ id: MemberID) -> Bool {
        program[id].body?.block.contains { if case .exit(.trap) = $0.kind { true } else { false } } ?? true
    }

    /// The initialiser by which objects are mostly made: one that does not only trap, and rather a designated one.
    private func usual(_ members: [MemberID]) -> MemberID? {
        let working = members.filter { !traps($0) && !program[$0].attributes.contains { $0.name == "available" && $0.arguments?.contains("unavailable") == true } }
        return working.first(where: acquires) ?? working.first(where: setsUp) ?? working.first { !program[$0].modifiers.contains("convenience") } ?? working.first
    }

    /// Whether an initialiser calls, itself or by what that calls, a method of its class that acquires something.
    private func setsUp(_ id: MemberID) -> Bool {
        let owner = program.owners(of: id.declaration).first
        var seen: Set<MemberID> = [id]
        var pending = [id]
        while let next = pending.popLast() {
            for name in program[next].body?.block.calledNames ?? [] {
                for called in owner.map({ program.members(named: name, on: $0) }) ?? [] where program[called].kind == .function && seen.insert(called).inserted {
                    if acquires(called) { return true }
                    pending.append(called)
                }
            }
        }
        return false
    }

    /// Whether the code of a member acquires something itself.
    private func acquires(_ id: MemberID) -> Bool {
        var found = false
        program[id].body?.block.forEachStatement { statement in
            guard !found, let name = statement.call?.fullName else { return }
            found = [name, "static \(name)"].contains { !library.families(acquiredBy: $0).isEmpty }
        }
        return found
    }

    /// An argument that nobody sees: the lists and views that a controller is asked about are its own.
    mutating func argument(_ type: TypeReference, file: Int, of id: ObjectID) -> Value {
        let known: String
        switch lookups.resolve(type.unwrapped, in: Scope(file: file, typeName: "")) {
        case .platform(let name): known = name
        case .project(let types) where types.count == 1: known = program.platformClass(of: types[0]) ?? ""
        default: return world.unknown()
        }
        guard program.platform.isClass(known, kindOf: "UIView") || program.platform.isClass(known, kindOf: "NSView") else { return world.unknown() }
        let field = "own \(known)"
        if let value = world[id].fields[field] { return value }
        let value = Value.object(world.make(.platform(known)))
        world[id].fields[field] = value
        return value
    }

    /// What an initialiser is given that nobody sees called: an object that lives outside, for what surely is one of a class of the project.
    private mutating func givenToInitializer(_ type: TypeReference, file: Int, of id: ObjectID) -> Value {
        given(type, file: file) ?? argument(type, file: file, of: id)
    }

    /// An object of a class of the project that code outside made and has had its hands on; nil for other types, and for what may be nil.
    mutating func given(_ type: TypeReference?, file: Int) -> Value? {
        guard let type, !type.isOptional, type.element == nil, case .project(let types) = lookups.resolve(type, in: Scope(file: file, typeName: "")), types.count == 1,
              program[types[0]].kind == .class else { return nil }
        let id = world.make(.project(types[0]))
        world[id].isShared = true
        return .object(id)
    }

    /// The value that stands for the class of an object that code outside made, which may be one of any subclass.
    mutating func dynamicType(of id: ObjectID) -> Value {
        let field = "dynamic type"
        if let known = world[id].fields[field] { return known }
        let type = world.unknown()
        world[id].fields[field] = type
        return type
    }

    /// The token of the last live registration that calls the method: a timer and a display link hand themselves to their selector.
    func caller(_ type: TypeReference, of handler: String, on id: ObjectID) -> Value? {
        world.registrations.last { registration in
            guard registration.isLive, registration.handler == handler, registration.observer == .object(id), let token = registration.token else { return false }
            return className(of: token) == type.unwrapped.name
        }.flatMap { $0.token.map(Value.object) }
    }

    /// Whether a closure is in the value, or in something that was only made to carry one.
    func holdsClosures(_ value: Value) -> Bool {
        switch value {
        case .closure, .method: true
        case .collection(let parts), .tuple(let parts), .named(_, let parts): parts.contains(where: holdsClosures)
        case .object(let id):
            switch world[id].kind {
            case .platform: world[id].fields.keys.contains { $0.hasPrefix("argument") }
            case .project(let type): program[type].kind == .struct && world[id].fields.values.contains(where: holdsClosures)
            }
        default: false
        }
    }

    /// Whether somebody must not lose the value: a closure, or what stands for a registration.
    func matters(_ value: Value) -> Bool {
        switch value {
        case .object(let id): holdsClosures(value) || world.registrations.contains { $0.token == id } || carriesOwnClosure(value, depth: 0)
        case .collection(let parts), .tuple(let parts), .named(_, let parts): parts.contains(where: matters)
        default: holdsClosures(value)
        }
    }

    /// Whether an object of the project keeps, itself or through such as it keeps, a closure that holds the object whose life is run.
    private func carriesOwnClosure(_ value: Value, depth: Int) -> Bool {
        switch value {
        case .closure(let index): depth > 0 && held(by: .closure(index)).contains(.object(ClassRuns.object))
        case .collection(let parts), .tuple(let parts), .named(_, let parts): parts.contains { carriesOwnClosure($0, depth: depth) }
        case .object(let id):
            if case .project = world[id].kind, id != ClassRuns.object, !world[id].isShared, depth < Self.deepestCarrier {
                world[id].fields.values.contains { carriesOwnClosure($0, depth: depth + 1) }
            } else {
                false
            }
        default: false
        }
    }

    /// Through how many objects something counts that one of them keeps: an item of a section of a table.
    private static let deepestCarrier = 3

    /// Gives an object its initial values, base classes first, and runs the initialiser that the labels choose.
    mutating func initialize(_ id: ObjectID, as type: TypeID, _ call: Call?, _ arguments: [Value], isFresh: Bool = true) -> (Value, Flow) {
        if isFresh, case .project(let own) = world[id].kind, own == type {
            for link in program.chain(of: type).reversed() {
                let flow = setInitialValues(of: id, from: link)
                guard flow == .normal else { return (.object(id), flow) }
            }
        }
        // A class without initialisers of its own inherits those of its superclass.
        let links = [type] + (program[type].kind == .class ? program.ancestry(of: type).projectTypes : [])
        // A class method of Objective-C may be named `init…` as well.
        func initializers(of link: TypeID) -> [MemberID] { (program[link].membersByName["init"] ?? []).filter { program[$0].kind == .initializer && program[$0].body != nil } }
        let declaring = links.first { !initializers(of: $0).isEmpty } ?? type
        let members = initializers(of: declaring)
        let chosen = call.flatMap { call in
            // One that is called with fewer arguments than it has, by itself, is not itself but an inherited one.
            members.first { program[$0].parameters.map(\.label) == call.arguments.map(\.label) } ?? members.first { program[$0].accepts(call) && (isFresh || !isRunning($0)) }
        } ?? (call == nil ? (isMadeByNib ? members.first { program[$0].fullName == "init(coder:)" && !traps($0) } : usual(members)) : nil)
        guard let chosen, let body = program[chosen].body else {
            // The memberwise initialiser of a struct.
            if program[type].kind == .struct, let call {
                for (label, value) in zip(memberwiseLabels(of: call, type), arguments) {
                    guard let label else { continue }
                    put(value, into: label, of: id)
                    if property(label, of: type)?.isWeak ?? false { world[id].weakFields.insert(label) }
                }
            } else if let call, let known = program.platformClass(of: type), let target = extensionTarget("init", call, of: known) {
                // One that the project adds to a class of the SDK.
                return (.object(id), run(target, call, arguments, selfValue: .object(id), initializing: id).1)
            } else {
                keep(arguments, in: id)
            }
            return (.object(id), .normal)
        }
        let target = Target(member: program[chosen], node: .making(ProgramType.shortName(of: program[declaring].name)), body: body, file: chosen.declaration.file, owner: declaring)
        if let call {
            let (_, flow) = run(target, call, arguments, selfValue: .object(id), initializing: id)
            return (.object(id), flow)
        }
        let flow = run(body, file: target.file, member: target.member.fullName, selfValue: .object(id), declaringType: declaring,
                       arguments: target.member.parameters.map { givenToInitializer($0.type, file: target.file, of: id) }, initializing: id)
        return (.object(id), flow == .stopped || flow == .trapped ? flow : .normal)
    }

    /// What a plain `init` of a class of the SDK does: it calls another initialiser on the object itself, which its class may override.
    /// One that nobody calls, though objects of the class are made, is no run of theirs.
    mutating func initializeByInit(_ id: ObjectID, _ known: String?) -> (Value, Flow) {
        guard id != ClassRuns.object || isMadeWithoutArguments, let known, let name = library.initializerOfInit(inAncestry: program.platform.ancestry(of: known)), case .project(let type) = world[id].kind else { return (world.unknown(), .normal) }
        for link in program.chain(of: type) {
            guard let member = program[link].membersByName["init"]?.first(where: { program[$0].fullName == name }), let body = program[member].body else { continue }
            let arguments = program[member].parameters.map { argument($0.type, file: member.declaration.file, of: id) }
            let flow = run(body, file: member.declaration.file, member: name, selfValue: .object(id), declaringType: link, arguments: arguments, initializing: id)
            return (.object(id), flow == .stopped || flow == .trapped ? flow : .normal)
        }
        return (world.unknown(), .normal)
    }

    /// Whether the code that runs stands in the function.
    func isRunning(_ id: MemberID) -> Bool {
        var frame: Int? = world.frames.indices.contains(current) ? current : nil
        while let index = frame {
            if world.frames[index].file == id.declaration.file, program[id].body?.span == world.frames[index].context.body.span { return true }
            frame = world.frames[index].parent
        }
        return false
    }

    /// The properties that the memberwise initialiser of a struct sets, by argument: a trailing closure without a label is the next of
    /// those that hold functions.
    private func memberwiseLabels(of call: Call, _ type: TypeID) -> [String?] {
        let properties = program.members(of: type).map { program[$0] }.filter { $0.isStored && !$0.isStatic }
        var taken = Set(call.arguments.compactMap(\.label))
        return call.arguments.map { argument in
            if argument.label != nil || !argument.isTrailing { return argument.label }
            let open = properties.filter { !taken.contains($0.baseName) }
            // One of a named type may be of a function as well.
            guard let next = (open.first { $0.type?.name == "->" } ?? open.last)?.baseName else { return nil }
            taken.insert(next)
            return next
        }
    }

    /// Gives an object of the project that something else has made its stored properties.
    mutating func setInitialValues(of id: ObjectID) {
        guard case .project(let type) = world[id].kind else { return }
        for link in program.chain(of: type).reversed() { _ = setInitialValues(of: id, from: link) }
    }

    private mutating func setInitialValues(of id: ObjectID, from type: TypeID) -> Flow {
        for property in lookups.storedProperties(of: type, relevance) {
            guard let body = property.member.body else { continue }
            let name = property.member.baseName
            let flow = run(body, file: property.file, member: name, selfValue: .object(id), declaringType: type, arguments: [], initializing: id)
            if flow == .stopped || flow == .trapped { return flow }
            if case .returned(let value) = flow { world[id].fields[name] = value }
        }
        return .normal
    }
}
