import ProgramModel

/// The search of one body for objects that give themselves to others, and for who keeps those.
struct GiftSearch: Sendable {
    let program: Program
    let inference: TypeInference
    let context: BodyContext
    let file: Int
    let owner: TypeID
    let member: MemberFacts

    func gifts(in statement: Statement) -> [DelegateGifts.Gift] {
        guard program[owner].kind == .class, !context.isStatic else { return [] }
        switch statement.kind {
        // The bare name of a property of its own; `giftToItself` finds none of a variable of the file.
        case .write(.name(let name), let value) where DelegateGifts.isDelegateName(name) && context.isSelf(value): return giftToItself(name, at: statement)
        case .write(.member(let receiver, let name), let value) where DelegateGifts.isDelegateName(name):
            if context.isSelf(value), context.isSelf(receiver) { return giftToItself(name, at: statement) }
            guard context.isSelf(value), let type = type(of: receiver) else { return [] }
            let isForLife = isTheOnlyOne(receiver, of: type)
            let keeps = isForLife || isKept(receiver)
            guard keeps || isKnownWeakly(receiver) else { return [] }
            let behind = classes(behind: type, storing: name)
            return (behind.isEmpty ? [type] : behind).map { one in
                var gift = gift(to: one, name, at: statement, keepers(of: receiver))
                gift.isForLife = isForLife
                gift.keepsReceiver = keeps
                return gift
            }
        case .call(let call):
            if case .member(.type(let made), _) = call.callee { return giftsToMade(by: call, of: made, at: statement, asDelegate: true) }
            if case .member(let receiver, _) = call.callee { return gifts(in: call, to: receiver, at: statement) }
            guard case .initializer = call.callee, let type = type(of: .register(call.result)) else { return [] }
            let given = call.arguments.filter { $0.value == .selfObject }
            guard !given.isEmpty else { return [] }
            let made = Operand.register(call.result)
            let slots = given.flatMap { properties(of: type, setFrom: $0.label, call) }.filter(DelegateGifts.isDelegateName)
            let known = slots.isEmpty ? [] : keepers(of: made).union(propertiesKeeping([call.result], []))
            return known.isEmpty && !isKept(made) ? [] : slots.map { gift(to: type, $0, at: statement, known) }
        default:
            return []
        }
    }

    /// What becomes the delegate of an object of the project that it is not seen to keep.
    func looseGifts(in statement: Statement) -> [DelegateGifts.Gift] {
        guard program[owner].kind == .class, !context.isStatic, case .write(.member(let receiver, let name), let value) = statement.kind,
              DelegateGifts.isDelegateName(name), context.isSelf(value), !context.isSelf(receiver), let type = type(of: receiver),
              !isTheOnlyOne(receiver, of: type), !isKept(receiver), !isKnownWeakly(receiver) else { return [] }
        return [gift(to: type, name, at: statement, [])]
    }

    /// What an object puts into a property of the project's own as the delegate of itself.
    private func giftToItself(_ name: String, at statement: Statement) -> [DelegateGifts.Gift] {
        let declaring = program.chain(of: owner).first { program[$0].membersByName[name]?.contains { program[$0].kind == .property && program[$0].isStored } ?? false }
        return declaring.map { receiver in
            var gift = gift(to: receiver, name, at: statement, [])
            gift.isToItself = true
            return [gift]
        } ?? []
    }

    /// What a method of another object puts into a property of that object as its delegate.
    private func gifts(in call: Call, to receiver: Operand, at statement: Statement) -> [DelegateGifts.Gift] {
        guard receiver != .selfObject, call.arguments.contains(where: { $0.value == .selfObject }),
              let type = type(of: receiver) else { return [] }
        let keeps = isKept(receiver)
        guard keeps || isKnownWeakly(receiver) else { return [] }
        // Of a protocol any class may be meant that has it.
        let classes = (program[type].kind == .protocol ? program.conformers(to: program[type].name) : [type]).filter { program[$0].kind == .class }
        return call.arguments.indices.filter { call.arguments[$0].value == .selfObject }.flatMap { index in
            classes.compactMap { one in
                guard let property = KeptParameters(program: program).property(keeping: index, of: call, on: one), DelegateGifts.isDelegateName(property) else { return nil }
                var gift = gift(to: one, property, at: statement, keepers(of: receiver))
                gift.keepsReceiver = keeps
                return gift
            }
        }
    }

    /// What a call that makes an object, or a write to a property of one, gives it of self, where a property of self keeps that object.
    func giftsToKept(in statement: Statement) -> [DelegateGifts.Gift] {
        guard program[owner].kind == .class, !context.isStatic else { return [] }
        if case .write(.member(let receiver, let name), let value) = statement.kind, !DelegateGifts.isDelegateName(name) {
            guard context.isSelf(value), !context.isSelf(receiver), let type = type(of: receiver) else { return [] }
            let keepers = keepers(of: receiver).union(listing(receiver).map { [$0] } ?? [])
            return keepers.isEmpty ? [] : classes(behind: type, storing: name).map { gift(to: $0, name, at: statement, keepers) }
        }
        guard case .call(let call) = statement.kind else { return [] }
        if case .member(let receiver, _) = call.callee { return giftsToKept(in: call, of: receiver, at: statement) }
        guard case .initializer = call.callee, let type = type(of: .register(call.result)), program[type].kind == .class else { return [] }
        let keepers = propertiesKeeping([call.result], [])
        guard !keepers.isEmpty else { return [] }
        return call.arguments.filter { $0.value == .selfObject }.flatMap { argument in
            properties(of: type, setFrom: argument.label, call).map { gift(to: type, $0, at: statement, keepers) }
        }
    }

    /// What a method of an object that a property of self keeps puts into a property of that object: `session.bind(self)`.
    private func giftsToKept(in call: Call, of receiver: Operand, at statement: Statement) -> [DelegateGifts.Gift] {
        if case .type(let made) = receiver { return giftsToMade(by: call, of: made, at: statement, asDelegate: false) }
        guard receiver != .selfObject, let index = call.arguments.firstIndex(where: { $0.value == .selfObject }), let type = type(of: receiver) else { return [] }
        let keepers = keepers(of: receiver)
        guard !keepers.isEmpty else { return [] }
        return (program[type].kind == .class ? [type] : classes(madeFor: keepers)).compactMap { type in
            guard let property = KeptParameters(program: program).property(keeping: index, of: call, on: type), !DelegateGifts.isDelegateName(property), isOfOneObject(property, on: type) else { return nil }
            return gift(to: type, property, at: statement, keepers)
        }
    }

    /// What a function of a class that makes an object of it, or of a subclass, is given of self, and puts into a property of that object, one of
    /// a delegate or another: `Strategy.make(for: self)`.
    private func giftsToMade(by call: Call, of made: TypeReference, at statement: Statement, asDelegate: Bool) -> [DelegateGifts.Gift] {
        guard call.arguments.contains(where: { $0.value == .selfObject }), case .project(let types) = program.resolve(made.unwrapped, in: context.scope), types.count == 1,
              let type = types.first, program[type].kind == .class, let name = call.callee.baseName else { return [] }
        let keepers = propertiesKeeping([call.result], [])
        guard !keepers.isEmpty else { return [] }
        let factories = program.members(named: name, on: type).filter { program[$0].isStatic && program[$0].kind == .function && program[$0].fullName == call.fullName }
        guard factories.count == 1, let factory = factories.first, let body = program[factory].body else { return [] }
        let given = Set(call.arguments.indices.filter { call.arguments[$0].value == .selfObject && $0 < body.parameters.count }.map { body.parameters[$0] })
        let scope = Scope(file: factory.declaration.file, typeName: program[type].name)
        /// Whether it is a property of the kind that is asked for; of what holds no delegate the type must tell that it is one object.
        func counts(_ property: String) -> Bool { asDelegate ? DelegateGifts.isDelegateName(property) : !DelegateGifts.isDelegateName(property) && isOfOneObject(property, on: type) }
        var reads: Set<Register> = []
        var found: [DelegateGifts.Gift] = []
        body.block.forEachStatement(enteringClosures: false) { inner in
            switch inner.kind {
            case .read(let register, .local(let local)): if given.contains(local) { reads.insert(register) }
            case .write(.member(.register, let property), .register(let value)):
                if reads.contains(value), counts(property) { found.append(gift(to: type, property, at: statement, keepers)) }
            case .call(let maker):
                // Which subclass it makes may be open.
                guard case .initializer(let written) = maker.callee else { break }
                let heirs = if case .project(let types) = program.resolve(written, in: scope) { types.filter { program.chain(of: $0).contains(type) } } else { [TypeID]() }
                let receiver = heirs.count == 1 ? heirs[0] : type
                for argument in maker.arguments {
                    guard case .register(let register) = argument.value, reads.contains(register) else { continue }
                    found += properties(of: receiver, setFrom: argument.label, maker).filter(counts).map { gift(to: receiver, $0, at: statement, keepers) }
                }
            default: break
            }
        }
        return found
    }

    /// The classes of the objects that the code of self makes for properties of its own, whose type is a protocol.
    private func classes(madeFor properties: Set<String>) -> [TypeID] {
        var found: Set<TypeID> = []
        for id in program.members(of: owner) {
            for (_, body) in program[id].bodies where !body.block.calledNames.isDisjoint(with: ["init"]) {
                let context = program.context(of: body, in: id, as: owner)
                body.block.forEachStatement { statement in
                    guard case .write(let place, .register(let value)) = statement.kind, let name = place.ownName, properties.contains(name),
                          case .initializer(let made)? = context.definition(of: value)?.call?.callee, case .project(let types) = program.resolve(made, in: context.scope) else { return }
                    found.formUnion(types.filter { program[$0].kind == .class })
                }
            }
        }
        return found.sorted()
    }

    /// Whether a property is declared to hold an object of the project, a view or a controller: what goes into a list may be taken out of it in many ways.
    private func isOfOneObject(_ property: String, on type: TypeID) -> Bool {
        guard let declared = program.members(named: property, on: type).first(where: { program[$0].kind == .property }), let written = program[declared].type else { return false }
        switch program.resolve(written.unwrapped, in: Scope(file: declared.declaration.file, typeName: program[type].name)) {
        case .project: return true
        case .platform(let name): return program.platform.isClass(name, kindOf: "UIResponder") || program.platform.isClass(name, kindOf: "NSResponder")
        case .unknown: return false
        }
    }

    /// What an object that is given its parent puts into a property of its own, where it puts itself into a list or property of the
    /// parent: `parent.children[key] = self`, then `self.parent = parent`.
    func joins(in statement: Statement) -> [DelegateGifts.Gift] {
        guard program[owner].kind == .class, !context.isStatic, let joined = joined(by: statement), case .register(let parent) = joined.parent,
              let local = local(behind: parent), let type = type(of: joined.parent), program[type].kind == .class,
              program.members(named: joined.list, on: type).contains(where: { program[$0].kind == .property && program[$0].holdsStrongly }) else { return [] }
        var found: [DelegateGifts.Gift] = []
        context.body.block.forEachStatement { other in
            switch other.kind {
            case .write(.name(let name), .register(let value)), .write(.member(.selfObject, let name), .register(let value)):
                guard self.local(behind: value) == local, isStoredStrongly(name), !DelegateGifts.isDelegateName(name) else { return }
                found.append(DelegateGifts.Gift(receiver: owner, property: name, giver: type, file: file, span: other.span, keepers: [joined.list]))
            default: break
            }
        }
        return found
    }

    /// The object into whose list a statement puts self, and the list.
    private func joined(by statement: Statement) -> (parent: Operand, list: String)? {
        let list: Operand? = switch statement.kind {
        case .write(.element(let list, _), .selfObject): list
        case .collection(.append, let call) where call.arguments.first?.value == .selfObject, .collection(.insert, let call) where call.arguments.first?.value == .selfObject:
            if case .member(let list, _) = call.callee { list } else { nil }
        default: nil
        }
        guard case .register(let register)? = list, case .read(_, .member(let parent, let name))? = context.definition(of: register)?.kind, parent != .selfObject else { return nil }
        return (parent, name)
    }

    /// The local name whose value a register holds, through the names that a `guard` gives it anew.
    private func local(behind register: Register) -> LocalID? {
        guard case .register(let plain) = context.uncast(.register(register)), case .read(_, .local(let local))? = context.definition(of: plain)?.kind else { return nil }
        if case .register(let earlier)? = context.value(of: local), let first = self.local(behind: earlier) { return first }
        return local
    }

    /// The class itself, or the classes that a protocol stands for and that keep a property of it.
    private func classes(behind type: TypeID, storing name: String) -> [TypeID] {
        guard program[type].kind == .protocol else { return program[type].kind == .class ? [type] : [] }
        return program.conformers(to: program[type].name).filter { conformer in
            program[conformer].kind == .class && program.members(named: name, on: conformer).contains { program[$0].kind == .property && program[$0].isStored }
        }
    }

    /// The stored properties of self into which this body puts the value of these registers and local names, itself or by further names.
    /// Functions that return what others made are followed so far as `depth` allows: they may call each other.
    func propertiesKeeping(_ registers: Set<Register>, _ names: Set<LocalID>, depth: Int = 0) -> Set<String> {
        var (same, locals) = (registers, names)
        var isReturned = false
        var lists: Set<Operand> = []
        var properties: Set<String> = []
        func isSame(_ operand: Operand) -> Bool { if case .register(let register) = operand { same.contains(register) } else { false } }
        context.body.block.forEachStatement { statement in
            if let list = listOfParts(in: statement, { lists.contains($0) || isSame($0) }) { properties.insert(list) }
            switch statement.kind {
            case .compute(let list, .array, let parts): if parts.contains(where: isSame) { lists.insert(.register(list)) }
            case .assign(let copy, .register(let value)) where same.contains(value): same.insert(copy)
            case .declare(let local, .register(let value)?) where same.contains(value): locals.insert(local)
            case .write(.local(let local), .register(let value)) where same.contains(value): locals.insert(local)
            case .read(let copy, .local(let local)) where locals.contains(local): same.insert(copy)
            // What is set up by a chain of calls is still the object.
            case .call(let call):
                if case .member(.register(let receiver), _) = call.callee, same.contains(receiver), givesBackReceiver(call) { same.insert(call.result) }
            case .write(.name(let name), .register(let value)), .write(.member(.selfObject, let name), .register(let value)):
                if same.contains(value), isStoredStrongly(name) { properties.insert(name) }
            case .collection(let operation, let call) where operation == .append || operation == .insert:
                guard case .member(let list, _) = call.callee, call.arguments.contains(where: { isSame($0.value) }) else { break }
                properties.formUnion(ownLists(list))
            // The initial value of a lazy property.
            case .exit(.returns(.register(let value))):
                guard same.contains(value) else { break }
                if member.kind == .property, isStoredStrongly(member.baseName) { properties.insert(member.baseName) }
                isReturned = true
            default: break
            }
        }
        return isReturned ? properties.union(propertiesKeepingResult(depth: depth)) : properties
    }

    /// Whether a method gives back the object that it is called on.
    private func givesBackReceiver(_ call: Call) -> Bool {
        if program.givesBackReceiver(call) { return true }
        guard case .member(let receiver, let name) = call.callee, let type = type(of: receiver) else { return false }
        let methods = program.members(named: name, on: type).filter { program[$0].kind == .function && program[$0].fullName == call.fullName }
        // An extension may give the method to a class of the SDK, or to one that is not here.
        let named = methods.isEmpty ? program.extensionFunctions(named: name).filter { program[$0].fullName == call.fullName } : methods
        return !named.isEmpty && named.allSatisfy { program[$0].type?.name == "Self" }
    }

    /// The stored property of self that a list is.
    private func ownLists(_ operand: Operand) -> Set<String> {
        guard case .register(let register) = operand else { return [] }
        switch context.definition(of: register)?.kind {
        case .read(_, .name(let name))?, .read(_, .member(.selfObject, let name))?: return isStoredStrongly(name) ? [name] : []
        default: return []
        }
    }

    private func gift(to type: TypeID, _ property: String, at statement: Statement, _ keepers: Set<String>) -> DelegateGifts.Gift {
        DelegateGifts.Gift(receiver: type, property: property, giver: owner, file: file, span: statement.span, keepers: keepers)
    }

    /// The properties of self from which an object came, or into which this body puts it.
    func keepers(of operand: Operand) -> Set<String> {
        guard case .register(let register) = operand, let statement = context.definition(of: register) else { return [] }
        switch statement.kind {
        case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)): return keeps(name) ? [name] : []
        case .read(_, .local(let local)): return (context.value(of: local).map(keepers) ?? []).union(propertiesKeeping([], [local]))
        case .compute(_, .forceUnwrap, let operands): return operands.first.map(keepers) ?? []
        default: return []
        }
    }

    /// The table or collection of a view or controller that lends it a cell and keeps that from then on, as the code calls it.
    private func listing(_ operand: Operand) -> String? {
        guard program.isInterfaceObject(owner), case .register(let register) = context.uncast(operand) else { return nil }
        switch context.definition(of: register)?.kind {
        case .read(_, .local(let local))?: return context.value(of: local).flatMap(listing)
        case .call(let call)?:
            guard call.callee.baseName.map(Self.ownedResults.contains) == true, case .member(.register(let list), _) = call.callee else { return nil }
            switch context.definition(of: list)?.kind {
            case .read(_, .local(let local))?: return context.body[local].name
            case .read(_, .name(let name))?, .read(_, .member(_, let name))?: return name
            default: return nil
            }
        default: return nil
        }
    }

    func type(of operand: Operand) -> TypeID? {
        guard let inferred = inference.type(of: operand, in: context), !inferred.isMetatype,
              case .project(let types) = inference.resolve(inferred), types.count == 1 else { return nil }
        return types[0]
    }

    func isOfPlatform(_ operand: Operand) -> Bool {
        guard let inferred = inference.type(of: operand, in: context), !inferred.isMetatype, case .platform(let name) = inference.resolve(inferred) else { return false }
        return program.platform.isClass(name)
    }

    /// The properties of a type that its initialiser sets to the argument of this label.
    private func properties(of type: TypeID, setFrom label: String?, _ call: Call) -> [String] {
        for link in program.chain(of: type) {
            let initializers = (program[link].membersByName["init"] ?? []).map { program[$0] }
            guard let chosen = initializers.first(where: { one in
                one.parameters.count >= call.arguments.count && call.arguments.allSatisfy { argument in
                    argument.isTrailing || one.parameters.contains { $0.label == argument.label }
                }
            }) else { continue }
            guard let body = chosen.body, let index = chosen.parameters.firstIndex(where: { $0.label == label }), index < body.parameters.count else { return [] }
            let parameter = body.parameters[index]
            var reading: Set<Register> = []
            var found: [String] = []
            body.block.forEachStatement { statement in
                switch statement.kind {
                case .read(let register, .local(parameter)): reading.insert(register)
                case .write(.member(.selfObject, let name), .register(let register)), .write(.name(let name), .register(let register)):
                    if reading.contains(register) { found.append(name) }
                // What the superclass is given, it may keep.
                case .call(let call):
                    guard case .superMember("init") = call.callee, let base = program.ancestry(of: link).projectTypes.first else { break }
                    for argument in call.arguments {
                        if case .register(let register) = argument.value, reading.contains(register) { found += properties(of: base, setFrom: argument.label, call) }
                    }
                default: break
                }
            }
            return found
        }
        return []
    }

    // MARK: Who keeps the receiver

    /// Whether self keeps the object of the operand: in a property, or in its views and children.
    private func isKept(_ operand: Operand) -> Bool {
        switch operand {
        case .register(let register):
            guard let statement = context.definition(of: register) else { return false }
            switch statement.kind {
            case .read(_, .local(let local)) where context.value(of: local) == nil: return isKeptParameter(local)
            case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)): return keeps(name)
            // The navigation keeps where a segue leads, and lets it go when it is left.
            case .read(_, .member(_, "destination")), .read(_, .member(_, "destinationViewController")): return false
            case .read(_, .member(let base, _)), .read(_, .element(let base, _)): return isKept(base)
            case .read(_, .local(let local)): return isKept(local)
            case .compute(_, .forceUnwrap, let operands), .compute(_, .forcedCast, let operands), .compute(_, .conditionalCast, let operands):
                return operands.first.map(isKept) ?? false
            case .assign(_, let value): return isKept(value)
            case .call(let call): return call.callee.baseName.map(Self.ownedResults.contains) == true || isGiven(register)
            default: return false
            }
        default:
            return false
        }
    }

    /// Whether an object that this body is given stays with self: in a property that holds it, or, where no property takes it, among what a
    /// view or controller shows.  A presenter that knows its view weakly may well be kept by that view.
    private func isKeptParameter(_ local: LocalID) -> Bool {
        let (reading, properties) = destinations(of: local)
        return properties.isEmpty ? program.isInterfaceObject(owner) || reading.contains(where: isGiven) : properties.contains(where: isStoredStrongly)
    }

    /// Whether self knows an object by weak properties only, be it that it reads one or that it puts what it is given there.
    private func isKnownWeakly(_ operand: Operand) -> Bool {
        guard case .register(let register) = context.uncast(operand), case .read(_, let place)? = context.definition(of: register)?.kind else { return false }
        let names = if case .local(let local) = place { destinations(of: local).properties } else { Set([place.ownName].compactMap { $0 }) }
        return !names.isEmpty && names.allSatisfy { name in
            program.members(named: name, on: owner).contains { program[$0].kind == .property && program[$0].isStored } && !keeps(name)
        }
    }

    /// The registers that hold a local's value, and the properties of self into which they are put.
    private func destinations(of local: LocalID) -> (reading: Set<Register>, properties: Set<String>) {
        var reading: Set<Register> = []
        var properties: Set<String> = []
        context.body.block.forEachStatement { statement in
            switch statement.kind {
            case .read(let register, .local(local)): reading.insert(register)
            case .write(let place, .register(let register)): if reading.contains(register), let name = place.ownName { properties.insert(name) }
            default: break
            }
        }
        return (reading, properties)
    }

    /// Whether the object is what a class keeps in a static property of its own type, or what a function of the class shares.
    func isTheOnlyOne(_ operand: Operand, of type: TypeID) -> Bool {
        guard case .register(let register) = operand else { return false }
        func means(_ named: TypeReference) -> Bool { if case .project(let types) = program.resolve(named, in: context.scope) { types == [type] } else { false } }
        switch context.definition(of: register)?.kind {
        case .read(_, .member(.type(let named), let name)):
            return means(named) && program.members(named: name, on: type).contains { program[$0].kind == .property && program[$0].isStatic && program[$0].isStored }
        case .call(let call):
            guard case .member(.type(let named), let name) = call.callee, call.arguments.isEmpty, means(named), program.keepsOneForAll(type) else { return false }
            return program.members(named: name, on: type).contains { program[$0].kind == .function && program[$0].isStatic && !name.hasPrefix("new") }
        default: return false
        }
    }

    /// Results that the views of a controller own.
    private static let ownedResults: Set<String> = [
        "dequeueReusableCell", "dequeueReusableSupplementaryView", "dequeueReusableHeaderFooterView", "cellForRow", "cellForItem", "makeView",
        "dequeueReusableCellWithIdentifier", "dequeueReusableCellWithReuseIdentifier", "dequeueReusableSupplementaryViewOfKind",
        "dequeueReusableHeaderFooterViewWithIdentifier", "cellForRowAtIndexPath", "cellForItemAtIndexPath", "makeViewWithIdentifier",
    ]

    private func isKept(_ local: LocalID) -> Bool {
        if let value = context.value(of: local), isKept(value) { return true }
        var reading: Set<Register> = []
        context.body.block.forEachStatement { if case .read(let register, .local(local)) = $0.kind { reading.insert(register) } }
        return reading.contains(where: isGiven)
    }

    /// Whether self keeps what a property has: by the property, or, for an outlet of a view, by what self shows.
    private func keeps(_ name: String) -> Bool { isStoredStrongly(name) || program.showsOutlet(name, of: owner) }

    private func isStoredStrongly(_ name: String) -> Bool {
        let property = program.members(named: name, on: owner).map { program[$0] }.first { $0.kind == .property }
        guard let property, !property.isStatic else { return false }
        return property.isStored && !property.modifiers.contains { $0.hasPrefix("weak") || $0.hasPrefix("unowned") }
    }

    /// Whether the value of a register is put into a property of self, a collection, the views, the children, or what a property returns.
    private func isGiven(_ register: Register) -> Bool {
        var found = false
        context.body.block.forEachStatement { statement in
            guard !found else { return }
            switch statement.kind {
            case .write(.name(let name), .register(register)), .write(.member(.selfObject, let name), .register(register)):
                found = isStoredStrongly(name)
            case .write(.member(.register(let holder), let name), .register(register)) where Self.keepingProperties.contains(name): found = isKept(.register(holder))
            case .collection(let operation, let call) where operation == .append || operation == .insert:
                if case .member(let receiver, _) = call.callee { found = call.arguments.contains { $0.value == .register(register) } && isKept(receiver) }
            case .call(let call):
                if let name = call.callee.baseName, Self.keepingCalls.contains(name) { found = call.arguments.contains { $0.value == .register(register) } }
            // What the initial value of a stored property returns is kept by it; what a method of self makes and returns comes to be used by self.
            case .exit(.returns(.register(register))):
                found = member.kind == .function || (member.kind == .property && member.isStored)
            default:
                break
            }
        }
        return found
    }

    /// Properties by which views keep what they are given.
    private static let keepingProperties: Set<String> = ["collectionViewLayout", "contentView", "documentView", "contentViewController", "tableHeaderView", "tableFooterView", "backgroundView"]

    /// Calls by which views and controllers keep what they are given; what is presented or pushed goes when it is left.
    private static let keepingCalls: Set<String> = [
        "addSubview", "addArrangedSubview", "insertSubview", "addChild", "addChildViewController", "setViewControllers", "addGestureRecognizer",
    ]
}
