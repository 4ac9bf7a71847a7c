import ProgramModel

/// Reading and writing of places.
extension Machine {
    mutating func read(_ place: Place, in frame: Int, at statement: Statement) -> (Value, Origin?) {
        switch place {
        case .local(let local):
            guard let home = frameOf(local, from: frame), let value = world.frames[home].locals[local] else {
                let value = world.unknown()
                world.frames[frame].locals[local] = value
                return (value, .local(frame: frame, local))
            }
            // A weak local whose object is gone is nil.
            if world.frames[home].context.body[local].isWeak, case .object(let id) = value, world[id].isFreed { return (.null, .local(frame: home, local)) }
            // A computed local is a function without parameters.
            return (value, .local(frame: home, local))
        case .name(let name):
            return readName(name, in: frame)
        case .member(let base, let name):
            let (value, origin) = readMember(name, of: operand(base, in: frame), in: frame)
            if watchesGeometry, let part = part(base, in: frame), case .unknown(let number) = value { world.geometry.parts[number] = part }
            return (value, origin)
        case .superMember(let name):
            return readSuper(name, in: frame)
        case .element(let base, let arguments):
            let index = arguments.first.map { operand($0.value, in: frame) }
            if case .collection(let elements) = operand(base, in: frame) {
                if case .integer(let position)? = index, elements.indices.contains(position) { return (elements[position], nil) }
                if let pair = elements.first(where: { if case .tuple(let parts) = $0 { parts.first == index } else { false } }), case .tuple(let parts) = pair {
                    return (parts.last ?? .null, nil)
                }
            }
            let value = world.unknown()
            carryNib(from: operand(base, in: frame), to: value)
            return (value, nil)
        }
    }

    private mutating func readName(_ name: String, in frame: Int) -> (Value, Origin?) {
        let (selfValue, declaringType) = (world.frames[frame].selfValue, world.frames[frame].declaringType)
        if case .object(let id) = selfValue {
            if owns(id, name) { return readField(name, of: id) }
            if isMethod(name, of: id) { return (.method(id, name), nil) }
            if let value = answerOfExtension(name, of: id) { return (value, nil) }
            if let value = readGeometry(name, of: id) { return (value, .field(id, name)) }
            if let value = world[id].fields[name], !isListOfAdditions(name) { return (value, .field(id, name)) }
        }
        if let type = declaringType {
            for link in program.chain(of: type) where program[link].membersByName[name]?.contains(where: { program[$0].kind == .property }) ?? false {
                return readShared("\(program[link].name).\(name)", property: property(name, of: link))
            }
            if case .object(let id) = selfValue, let known = program.platformClass(of: type),
               let propertyType = program.platform.type(ofProperty: name, of: known) {
                return readPlatformField(name, of: id, type: propertyType)
            }
            if case .object(let id) = selfValue, isListOfAdditions(name), program.platformClass(of: type) != nil { return readPlatformField(name, of: id, type: nil) }
        }
        // What an extension of a class of the SDK reads of its object.
        if case .object(let id) = selfValue, let known = classOfSDK(of: id), program.freeMembers(named: name).isEmpty,
           let propertyType = program.platform.type(ofProperty: name, of: known) {
            return readPlatformField(name, of: id, type: propertyType)
        }
        // One file says that it is there, another one gives it its value.
        let globals = program.freeMembers(named: name).filter { $0.member.kind == .property }
        let global = globals.first { $0.member.body != nil } ?? globals.first
        return readShared(name, property: global.map { Lookups.Property($0.member, .free(name), file: $0.file, owner: nil) })
    }

    /// The class of the SDK that an object is of, or the nearest above its own.
    private func classOfSDK(of id: ObjectID) -> String? {
        switch world[id].kind {
        case .platform(let known): known
        case .project(let type): program.platformClass(of: type)
        }
    }

    /// The classes that say which thread it is.  Cocoa sends its events on the main thread.
    static let threads: Set<String> = ["Thread", "NSThread"]

    mutating func readMember(_ name: String, of base: Value, in frame: Int) -> (Value, Origin?) {
        // What an extension of all optional values says of them: `value.isNil`.
        if let id = program.optionalProperty(named: name), !isOwn(name, of: base), let getter = program[id].accessors?.get,
           case .returned(let value) = run(getter, file: id.declaration.file, member: name, selfValue: base, declaringType: nil, arguments: []) { return (value, nil) }
        switch base {
        case .object(let id):
            if owns(id, name) { return readField(name, of: id) }
            if isMethod(name, of: id) { return (.method(id, name), nil) }
            if let value = answerOfExtension(name, of: id) { return (value, nil) }
            if let value = readGeometry(name, of: id) { return (value, .field(id, name)) }
            if let isLive = liveness(name, of: id) { return (.boolean(isLive), nil) }
            if let info = observation(name, of: id) { return (info, nil) }
            let (value, origin) = readPlatformField(name, of: id, type: className(of: id).flatMap { program.platform.type(ofProperty: name, of: $0) })
            // What a path gives is as early as the path.
            if watchesGeometry { carryGeometry(from: base, toPart: name, value) }
            return (value, origin)
        case .type(let type):
            if name == "isMainThread", Self.threads.contains(type) { return (.boolean(true), nil) }
            let scope = Scope(file: world.frames[frame].file, typeName: world.frames[frame].declaringType.map { program[$0].name } ?? "")
            switch lookups.resolve(TypeReference(type), in: scope) {
            case .project(let types) where types.count == 1:
                if program[program[types[0]].declarations[0]].cases.contains(name) { return (.named(name, []), nil) }
                let shared = property(name, of: types[0])
                if shared?.member.body == nil, shared?.member.accessors?.get == nil, let id = program.member(askedAs: name, of: types[0], isStatic: true), let body = program[id].body {
                    let flow = run(body, file: id.declaration.file, member: program[id].fullName, selfValue: .type(program[types[0]].name), declaringType: types[0], arguments: [])
                    if case .returned(let value) = flow { return (value, nil) }
                }
                return readShared("\(program[types[0]].name).\(name)", property: shared)
            case .platform(let known):
                if let result = program.platform.type(ofProperty: name, of: known) { return readPlatformShared("\(known).\(name)", type: result) }
                return (.named("\(type).\(name)", []), nil)
            default:
                return (.named("\(type).\(name)", []), nil)
            }
        case .named(let list, let holders):
            if let added = additions(listedBy: list, of: holders) { return (property(name, ofListOf: added) ?? world.unknown(), nil) }
            // The raw value of a case tells cases apart as the case itself does.
            return (holders.isEmpty && name == "rawValue" ? base : world.unknown(), nil)
        case .tuple(let parts):
            return (Int(name).flatMap { $0 < parts.count ? parts[$0] : nil } ?? world.unknown(), nil)
        case .collection(let elements):
            switch name {
            case "count": return (.integer(elements.count), nil)
            case "isEmpty": return (.boolean(elements.isEmpty), nil)
            case "first": return (elements.first ?? .null, nil)
            case "last": return (elements.last ?? .null, nil)
            case "values", "allValues": return (.collection(elements.map { if case .tuple(let parts) = $0 { parts.last ?? .null } else { $0 } }), nil)
            default: return (world.unknown(), nil)
            }
        case .unknown(let number):
            // A property of the same unknown value is the same, as long as nobody writes it.
            let key = "?\(number).\(name)"
            constrain(unknown: number, by: name)
            if let known = world.shared[key] { return (known, .shared(key)) }
            let value = world.unknown()
            world.shared[key] = value
            carryGeometry(from: base, toPart: name, value)
            return (value, .shared(key))
        // Who has not been set in this run may have been set in another: what its properties are is left open.  (In Swift no read comes
        // here: optional chains are branches.)
        case .null:
            return (world.unknown(), .ofNothing)
        default:
            return (world.unknown(), nil)
        }
    }

    /// The class of the SDK that an object is of.
    func className(of id: ObjectID) -> String? {
        switch world[id].kind {
        case .project(let type): program.platformClass(of: type)
        case .platform(let name): name
        }
    }

    /// Whether the object is of a project type that declares the instance property.
    func owns(_ id: ObjectID, _ name: String) -> Bool {
        guard case .project(let type) = world[id].kind else { return false }
        return property(name, of: type).map { !$0.member.isStatic } ?? false
    }

    /// Whether a value is an object that declares the property itself.
    private func isOwn(_ name: String, of base: Value) -> Bool { if case .object(let id) = base { owns(id, name) } else { false } }

    /// Whether the name of a method of the object's project type is read as a value.
    private func isMethod(_ name: String, of id: ObjectID) -> Bool {
        guard case .project(let type) = world[id].kind else { return false }
        return lookups.isMethod(name, of: type)
    }

    /// The property of a project type with the file and type that declare it.
    func property(_ name: String, of type: TypeID) -> Lookups.Property? { lookups.property(name, of: type) }

    mutating func readField(_ name: String, of id: ObjectID) -> (Value, Origin?) {
        guard case .project(let type) = world[id].kind, let found = property(name, of: type) else { return (world.unknown(), nil) }
        if let getter = found.member.accessors?.get {
            if isForeign(found.owner, .object(id), []) || Self.isForSubclasses(getter) { return (world.unknown(), nil) }
            func run(_ machine: inout Machine) -> (Value, Flow) {
                let flow = machine.run(getter, file: found.file, member: name, selfValue: .object(id), declaringType: found.owner, arguments: [])
                if case .returned(let value) = flow { return (value, .normal) }
                return (machine.world.unknown(), .normal)
            }
            let isPlain = widensValues && !relevance.isHot(found.node)
                && found.member.type.map { relevance.isPlain($0, in: Scope(file: found.file, typeName: found.owner.map { program[$0].name } ?? "")) } ?? false
            return (isPlain ? runForValue(run).0 : run(&self).0, found.member.accessors?.set == nil ? nil : Origin.field(id, name))
        }
        if let value = world[id].fields[name] {
            if world[id].weakFields.contains(name), case .object(let target) = value, world[target].isFreed { return (.null, .field(id, name)) }
            return (value, .field(id, name))
        }
        if world[id].isShared, !found.member.isConstant, relevance.isSetLater(found) {
            let value = unknownValue(of: found)
            world[id].fields[name] = value
            return (value, .field(id, name))
        }
        if found.member.modifiers.contains("lazy"), let body = found.member.body {
            let flow = run(body, file: found.file, member: name, selfValue: .object(id), declaringType: found.owner, arguments: [])
            let value: Value = if case .returned(let value) = flow { value } else { world.unknown() }
            world[id].fields[name] = value
            return (value, .field(id, name))
        }
        // A variable that begins with nil says no more than one without a value, which is nil as well.
        let beginning = found.member.body.flatMap { $0.block.count == 1 && $0.block[0].kind == .exit(.returns(.constant(.null))) ? nil : $0 }
        let value = beginning.flatMap { initialValue($0, of: found, id) } ?? unsetValue(of: found, id, name, type)
        world[id].fields[name] = value
        return (value, .field(id, name))
    }

    /// The value with which a stored property began; it dates from when the object was made.
    private mutating func initialValue(_ body: Body, of property: Lookups.Property, _ id: ObjectID) -> Value? {
        let now = world.now
        world.now = world[id].madeIn
        defer { world.now = now }
        let flow = run(body, file: property.file, member: property.member.baseName, selfValue: .object(id), declaringType: property.owner, arguments: [], initializing: id)
        return if case .returned(let made) = flow { made } else { nil }
    }

    /// The value of a property of what is shared: other code of the app may have set it before the run.
    private mutating func unknownValue(of property: Lookups.Property) -> Value {
        property.member.type?.isOptional == false ? typedUnknown(property.member.type, file: property.file) : world.unknown()
    }

    /// Leaves open what the properties have that other code sets before it uses an object.
    mutating func takeWhatOthersGive(_ id: ObjectID, _ properties: [Lookups.Property]) {
        for property in properties { world[id].fields[property.member.baseName] = unknownValue(of: property) }
    }

    /// What a class keeps in a variable of its own lives as long as the app, and other code has had its hands on it.
    private mutating func share(_ id: ObjectID) {
        guard case .project(let type) = world[id].kind, !world[id].isShared, id != ClassRuns.object else { return }
        world[id].isShared = true
        for name in world[id].fields.keys where property(name, of: type).map({ !$0.member.isConstant && relevance.isSetLater($0) }) ?? false { world[id].fields[name] = nil }
    }

    /// The value of a stored property that nothing in the run has set.
    private mutating func unsetValue(of property: Lookups.Property, _ id: ObjectID, _ name: String, _ type: TypeID) -> Value {
        let member = property.member
        // An initialiser that has nothing to do with what is watched is not run, and leaves behind what nobody knows.
        if id != ClassRuns.object, !relevance.isHotToMake(program[type].name), lookups.isBegun(name, by: type) { return typedBeginning(of: member, file: property.file) }
        if program.files[property.file].facts.language == .objectiveC, let zero = zero(of: property, name, type) { return zero }
        // Outlets and what is written with `!` are set before they are used.
        if member.isOutlet || member.isImplicitlyUnwrapped || member.type?.isOptional != true { return typedUnknown(member.type, file: property.file) }
        // Where the class ends the app without it, somebody has seen to it that it is there.
        if lookups.isDemanded(name, by: type) { return world.unknown() }
        // What the class itself never sets, somebody else may have set before the object was used.
        if !member.isPrivate, !member.isConstant, !member.modifiers.contains("private(set)"), !lookups.isWritten(name, by: type) { return world.unknown() }
        return .null
    }

    /// What an initialiser that was not run gave a property: a list that it knows nothing of, or whatever the type says.
    private mutating func typedBeginning(of member: MemberFacts, file: Int) -> Value {
        guard let type = member.type?.unwrapped else { return world.unknown() }
        return type.element != nil || type.name.hasPrefix("NSMutable") ? world.unknown() : typedUnknown(type, file: file)
    }

    /// What a variable of Objective-C has before anything sets it, where no property gives others a way to it: nil, no and zero.
    private func zero(of property: Lookups.Property, _ name: String, _ type: TypeID) -> Value? {
        let member = property.member
        // A property that others may only read is no way to its variable, and one with a setter of its own leads through that.
        let shown = name.hasPrefix("_") ? self.property(String(name.dropFirst()), of: type) : nil
        let isReadOnly = shown.map { shown in shown.member.accessors.map { $0.get != nil && ($0.set == nil || relevance.isHot(shown.node)) } ?? false } ?? true
        guard !member.isOutlet, member.isPrivate, isReadOnly else { return nil }
        return switch member.type?.name {
        case nil: .null
        case "Bool"?: .boolean(false)
        case "Int"?: .integer(0)
        default: member.type?.isOptional == true ? .null : nil
        }
    }

    // MARK: Super

    /// The property of a project superclass that `super.name` means in a frame; nil when the SDK declares it.
    private func superProperty(_ name: String, in frame: Int) -> Lookups.Property? {
        guard let declaring = world.frames[frame].declaringType else { return nil }
        return program.ancestry(of: declaring).projectTypes.first.flatMap { lookups.property(name, of: $0) }
    }

    private mutating func readSuper(_ name: String, in frame: Int) -> (Value, Origin?) {
        guard case .object(let id) = world.frames[frame].selfValue else { return (world.unknown(), nil) }
        if let found = superProperty(name, in: frame), let getter = found.member.accessors?.get {
            let flow = run(getter, file: found.file, member: name, selfValue: .object(id), declaringType: found.owner, arguments: [])
            if case .returned(let value) = flow { return (value, nil) }
            return (world.unknown(), nil)
        }
        let known: String? = if case .project(let type) = world[id].kind { program.platformClass(of: type) } else { nil }
        return readPlatformField(name, of: id, type: known.flatMap { program.platform.type(ofProperty: name, of: $0) })
    }

    private mutating func writeSuper(_ name: String, _ value: Value, in frame: Int) -> Flow {
        guard case .object(let id) = world.frames[frame].selfValue else { return .normal }
        guard let found = superProperty(name, in: frame), let setter = found.member.accessors?.set else { return writePlatformField(name, of: id, value) }
        let flow = run(setter, file: found.file, member: name, selfValue: .object(id), declaringType: found.owner, arguments: [value])
        return flow == .stopped || flow == .trapped ? flow : .normal
    }

    /// Connects the outlets of an object as a nib does, those of superclasses first: their observers run.
    mutating func connectOutlets(of id: ObjectID) -> Flow {
        guard case .project(let type) = world[id].kind else { return .normal }
        for link in program.chain(of: type).reversed() {
            for member in program.members(of: link) {
                guard let body = program[member].accessors?.didSet, program[member].isOutlet else { continue }
                let name = program[member].baseName
                guard relevance.isHot(.member(member)) else { continue }
                world[id].fields[name] = typedUnknown(program[member].type, file: member.declaration.file)
                if program[member].modifiers.contains("weak") { world[id].weakFields.insert(name) }
                let flow = run(body, file: member.declaration.file, member: name, selfValue: .object(id), declaringType: link, arguments: [.null])
                if flow == .stopped || flow == .trapped { return flow }
            }
        }
        return .normal
    }

    /// A value of a declared type: an object of the SDK where it is one, else unknown.
    private mutating func typedUnknown(_ type: TypeReference?, file: Int) -> Value {
        if let type, case .platform(let known) = lookups.resolve(type.unwrapped, in: Scope(file: file, typeName: "")), program.platform.isClass(known) {
            return .object(world.make(.platform(known)))
        }
        return given(type, file: file) ?? world.unknown()
    }

    mutating func readShared(_ key: String, property: Lookups.Property?) -> (Value, Origin?) {
        if let value = world.shared[key] { return (value, .shared(key)) }
        var value: Value?
        if let property, property.member.accessors?.get == nil, !property.member.isConstant, relevance.isSetLater(property) {
            value = unknownValue(of: property)
        } else if let property {
            let (member, file, owner) = (property.member, property.file, property.owner)
            let body = member.accessors?.get ?? member.body
            // The value of one shared object may be made from others.
            let wasMakingShared = isMakingShared
            isMakingShared = member.accessors?.get == nil
            defer { isMakingShared = wasMakingShared }
            let selfValue = owner.map { Value.type(program[$0].name) } ?? .void
            if let body, case .returned(let made) = run(body, file: file, member: member.baseName, selfValue: selfValue, declaringType: owner, arguments: []) { value = made }
            if member.accessors?.get != nil { return (value ?? world.unknown(), nil) }
        }
        let result = value ?? world.unknown()
        world.shared[key] = result
        return (result, .shared(key))
    }

    // MARK: Writing

    /// What goes into a property of a base class that is declared nowhere here: that class may end it.
    private mutating func giveToUnknownBase(_ value: Value, in name: String, of id: ObjectID) {
        guard case .project(let type) = world[id].kind else { return }
        let known = program.platformClass(of: type)
        guard known == nil || program.hasForeignBase(type), known.flatMap({ program.platform.type(ofProperty: name, of: $0) }) == nil else { return }
        handOn(value)
    }

    mutating func write(_ value: Value, to place: Place, in frame: Int, at statement: Statement) -> Flow {
        switch place {
        case .local(let local):
            setLocal(local, value, in: frame, declaring: false)
            return .normal
        case .name(let name):
            let (selfValue, declaringType) = (world.frames[frame].selfValue, world.frames[frame].declaringType)
            if case .object(let id) = selfValue {
                if owns(id, name) { return writeField(name, of: id, value, in: frame) }
                giveToUnknownBase(value, in: name, of: id)
                if let known = declaringType.flatMap({ program.platformClass(of: $0) }) ?? classOfSDK(of: id), program.freeMembers(named: name).isEmpty,
                   // A name that neither the project nor the SDK's class declares may as well be a global.
                   program.platform.type(ofProperty: name, of: known) != nil || !holdsClosures(value) {
                    return writePlatformField(name, of: id, value)
                }
            }
            if case .type = selfValue, case .object(let id) = value { share(id) }
            let type = declaringType.map { program[$0].name + "." } ?? ""
            world.shared[program.freeMembers(named: name).isEmpty ? type + name : name] = value
            return .normal
        case .member(let base, let name):
            switch operand(base, in: frame) {
            case .object(let id):
                if owns(id, name) { return writeField(name, of: id, value, in: frame) }
                giveToUnknownBase(value, in: name, of: id)
                if let flow = callSetter(of: name, of: id, value) { return flow }
                return writePlatformField(name, of: id, value)
            case .type(let type): world.shared["\(type).\(name)"] = value
            case .unknown(let number):
                world.shared["?\(number).\(name)"] = value
                handOver(value)
                // Whoever that is ends what the closure captured when he calls it.
                if case .closure = value { handOn(value) }
                if watchesGeometry, let part = part(base, in: frame) { writeGeometry(part.property, of: part.object, value) }
                writeGeometry(name, ofUnknown: number, value)
                fit(value, as: name)
            // Nobody knows what keeps it.
            default:
                handOn(value)
                fit(value, as: name)
            }
            return .normal
        case .superMember(let name):
            return writeSuper(name, value, in: frame)
        case .element(let base, let arguments):
            guard let index = arguments.first.map({ operand($0.value, in: frame) }) else { return .normal }
            var elements: [Value]
            switch operand(base, in: frame) {
            case .collection(let known): elements = known
            case .unknown where matters(value): elements = []
            default: return .normal
            }
            if case .integer(let position) = index, elements.indices.contains(position) {
                elements[position] = value
            } else {
                elements.removeAll { if case .tuple(let parts) = $0 { parts.first == index } else { false } }
                if value != .null { elements.append(.tuple([index, value])) }
            }
            return store(.collection(elements), at: origin(of: base, in: frame), in: frame)
        }
    }

    /// Stores a changed value back to where it was read from.
    mutating func store(_ value: Value, at origin: Origin?, in frame: Int) -> Flow {
        switch origin {
        case .local(let home, let local): world.frames[home].locals[local] = value
        case .field(let id, let name):
            if owns(id, name) { return writeField(name, of: id, value, in: frame) }
            giveToUnknownBase(value, in: name, of: id)
            return writePlatformField(name, of: id, value)
        case .shared(let key): world.shared[key] = value
        case .ofNothing: break
        case nil: break
        }
        return .normal
    }

    /// Sets a property of the SDK's by the method that a class of the project overrides to set it; nil where none does.
    private mutating func callSetter(of name: String, of id: ObjectID, _ value: Value) -> Flow? {
        guard case .project(let type) = world[id].kind, matters(value), let setter = lookups.overridingSetter(of: name, on: type),
              let body = program[setter].body, let owner = program.owners(of: setter.declaration).first else { return nil }
        let flow = run(body, file: setter.declaration.file, member: program[setter].fullName, selfValue: .object(id), declaringType: owner, arguments: [value])
        return flow == .stopped || flow == .trapped ? flow : .normal
    }

    mutating func writePlatformField(_ name: String, of id: ObjectID, _ value: Value) -> Flow {
        if runsOnce(value, in: name, of: id) { return .normal }
        put(value, into: name, of: id)
        handOver(value)
        writeGeometry(name, of: id, value)
        noteReplacement(name, of: id, value)
        if Self.isWeakByName(name) || isWeakSlot(name, of: id) { world[id].weakFields.insert(name) } else { world[id].weakFields.remove(name) }
        return .normal
    }

    /// Whether the headers declare a property of an SDK class weak.
    private func isWeakSlot(_ name: String, of id: ObjectID) -> Bool {
        className(of: id).map { program.platform.ancestry(of: $0).contains { library.weakSlots[$0]?.contains(name) ?? false } } ?? false
    }

    /// Sets a property as code of another object does, to something that nobody sees.
    mutating func assign(_ name: String, of id: ObjectID) -> Flow {
        guard case .project(let type) = world[id].kind, let found = property(name, of: type) else { return .normal }
        let value = found.member.type.map { argument($0, file: found.file, of: id) } ?? world.unknown()
        return writeField(name, of: id, value, in: nil)
    }

    /// Whether a body is the deinitializer of the class that declares the property: observers do not run for what it sets itself, but for
    /// what its closures and `defer` blocks set.  Source: seen with Swift 6.3; The Swift Programming Language says so of initialisers.
    private func isEnding(_ id: ObjectID, _ owner: TypeID?, in index: Int) -> Bool {
        let frame = world.frames[index]
        return frame.member == "deinit" && frame.parent == nil && !deferring.contains(index) && frame.selfValue == .object(id) && frame.declaringType == owner
    }

    mutating func writeField(_ name: String, of id: ObjectID, _ value: Value, in frame: Int?) -> Flow {
        guard case .project(let type) = world[id].kind, let found = property(name, of: type) else { return .normal }
        func run(_ body: Body?, _ machine: inout Machine, _ argument: Value) -> Flow {
            guard let body, machine.relevance.isHot(found.node) || machine.matters(argument), !machine.isForeign(found.owner, .object(id), [argument]) else { return .normal }
            let flow = machine.run(body, file: found.file, member: name, selfValue: .object(id), declaringType: found.owner, arguments: [argument])
            return flow == .stopped || flow == .trapped ? flow : .normal
        }
        if found.member.accessors?.get != nil || found.member.accessors?.set != nil { return run(found.member.accessors?.set, &self, value) }
        let isObserved = frame.map { world.frames[$0].initializing != id && world.frames[$0].member != name && !isEnding(id, found.owner, in: $0) } ?? true
        if isObserved {
            let flow = run(found.member.accessors?.willSet, &self, value)
            guard flow == .normal else { return flow }
        }
        let old = world[id].fields[name] ?? .null
        let at = frame.flatMap { world.frames[$0].at }
        let isEmptied = value == .null || value == .collection([])
        if !found.isWeak, at != nil, isEmptied || world[id].writes[name] == at { noteReplacedTokens(in: old) }
        if !found.isWeak, at != nil, !world.registrations.isEmpty, case .object(let before) = old, case .object(let after) = value, before != after { world.overwritten.append(Overwritten(old: before, new: after)) }
        world[id].fields[name] = value
        handOver(value, over: old, to: type)
        if watchesGeometry, case .object(let replaced) = old, old != value { world.geometry.forget(replaced) }
        // What is empty from the start was not emptied.
        if isEmptied, event > 0, world[id].madeIn != event { world.emptied.insert(Emptied(id, name, by: frame.map { world.frames[$0].baseMember } ?? "")) }
        world[id].writes[name] = site(ofWritten: value, in: frame)
        if found.isWeak { world[id].weakFields.insert(name) }
        return isObserved ? run(found.member.accessors?.didSet, &self, old) : .normal
    }
}
