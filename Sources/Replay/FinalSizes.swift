import ProgramModel
import RuleLibrary

/// Sizes that no layout changes, by what the project says of its apps and of who makes its views.
extension Machine {
    /// The class of the object whose life runs.
    var ownType: TypeID? { if case .project(let type) = world[ClassRuns.object].kind { type } else { nil } }

    /// Whether the app is shown 320 points wide on every device, so that all widths are those of its nibs.
    var isLetterboxed: Bool { ownType.map { lookups.isLetterboxed($0) } ?? false }

    /// Whether a view is a controller's own that code makes in an app for upright iPhones: it is as large as the screen from the start.
    func hasFinalSize(_ view: ObjectID) -> Bool { controllersWithSteadyWidth(of: view).contains { !relevance.setsBars(for: $0) } }

    /// Whether a view is a controller's own that code makes in an app for upright iPhones: it is as wide as the screen from the start.
    func hasSteadyWidth(_ view: ObjectID) -> Bool { !controllersWithSteadyWidth(of: view).isEmpty }

    private func controllersWithSteadyWidth(of view: ObjectID) -> [TypeID] {
        world.objects.compactMap { object in
            guard case .project(let type) = object.kind, object.fields["view"] == .object(view), program.isType(type, kindOf: "UIViewController"), lookups.hasSteadyWidth(type) else { return nil }
            return type
        }
    }

    /// Whether a view is the bar of a container that the object only lives in, which was on the screen before it.
    func isBarOfContainer(_ view: ObjectID) -> Bool {
        world.objects.contains { object in
            guard case .platform(let name) = object.kind, object.fields.values.contains(.object(view)) else { return false }
            return ["UINavigationController", "UITabBarController"].contains { program.platform.isClass(name, kindOf: $0) }
        }
    }

    /// Whether an outlet's object comes from a nib that could not be read, so that nobody knows what the layout does to it.
    func isOfUnreadNib(_ id: ObjectID) -> Bool {
        guard !program.resources.areInterfacesWhole else { return false }
        return world.objects.contains { object in
            guard case .project(let type) = object.kind, object.fields.contains(where: { $0.value == .object(id) }) else { return false }
            return program.chain(of: type).allSatisfy { program.interfaceObjects(of: $0).isEmpty }
        }
    }

    /// Whether an object of the project comes from nibs alone, which all give this dimension of it for good.
    func isFixedByItsNibs(_ dimension: String, of id: ObjectID) -> Bool {
        guard case .project(let type) = world[id].kind, program.isFixed(dimension, ofObjectsOf: type) else { return false }
        return !relevance.isMade(program[type].name)
    }

    /// Whether an object of the project is made by code alone, each time with a frame that is to stay.
    func isLastinglyFramed(_ id: ObjectID) -> Bool {
        guard case .project(let type) = world[id].kind, program.interfaceObjects(of: type).isEmpty else { return false }
        return relevance.isLastinglyFramed(ProgramType.shortName(of: program[type].name))
    }

    /// Whether an object of the project is made by code alone, each time with a frame of numbers that nobody changes.
    func isConstantlyFramed(_ id: ObjectID) -> Bool {
        guard isLastinglyFramed(id), case .project(let type) = world[id].kind else { return false }
        return relevance.isConstantlyFramed(ProgramType.shortName(of: program[type].name))
    }

    /// Whether a view is a cell of a collection that code alone makes, or the view in it for its content: the collection makes a cell as
    /// large as it is to be.
    func isCellAsLargeAsItemOf(_ view: ObjectID) -> Bool {
        guard let type = ownType, !isMadeByNib, program.isType(type, kindOf: "UICollectionReusableView"), program.interfaceObjects(of: type).isEmpty else { return false }
        return view == ClassRuns.object || world[ClassRuns.object].fields["contentView"] == .object(view)
    }

    /// Whether some code that the layout runs sets the property of the same object, be it on some of its ways only.
    func isSetByCodeOfLayout(_ kept: GeometryLog.Kept, _ knowledge: GeometryKnowledge) -> Bool {
        world.objects.contains { object in
            guard case .project(let type) = object.kind else { return false }
            return object.fields.contains { name, value in
                guard case .object(let id) = value else { return false }
                let path: String
                if id == kept.object { path = name.withoutUnderscore } else if world[id].fields["layer"] == .object(kept.object) { path = "\(name.withoutUnderscore).layer" } else { return false }
                if GeometryLog.places.contains(kept.property), lookups.fitted(type, knowledge).contains(path) { return true }
                let set = lookups.setByLayout(type, knowledge)[path] ?? []
                return set.contains(kept.property) || GeometryLog.places.contains(kept.property) && !set.isDisjoint(with: GeometryLog.places)
            }
        }
    }
}

extension Lookups {
    /// What the code that the layout runs sets of what the properties of a class hold: the names of what it sets, by the property, or by
    /// `property.layer`.
    func setByLayout(_ type: TypeID, _ knowledge: GeometryKnowledge) -> [String: Set<String>] {
        if let known = laidOut[type] { return known }
        var found: [String: Set<String>] = [:]
        for (_, body) in codeOfLayout(type, knowledge).flatMap(\.bodies) {
            var paths: [Register: String] = [:]
            body.block.forEachStatement { statement in
                switch statement.kind {
                case .read(let result, .name(let name)), .read(let result, .member(.selfObject, let name)): paths[result] = name.withoutUnderscore
                case .read(let result, .member(.register(let base), "layer")): if let path = paths[base] { paths[result] = "\(path).layer" }
                case .compute(let result, .forceUnwrap, let operands): if case .register(let base)? = operands.first, let path = paths[base] { paths[result] = path }
                case .write(.member(.register(let base), let property), _): if let path = paths[base] { found[path, default: []].insert(property) }
                default: break
                }
            }
        }
        laidOut[type] = found
        return found
    }

    /// The base names of what the code calls that the layout runs: `header.applyGradient()` does again what it did before the layout.
    func calledByLayout(_ type: TypeID, _ knowledge: GeometryKnowledge) -> Set<String> {
        if let known = calledInLayouts[type] { return known }
        let found = codeOfLayout(type, knowledge).flatMap(\.bodies).reduce(into: Set<String>()) { $0.formUnion($1.body.block.calledNames) }
        calledInLayouts[type] = found
        return found
    }

    /// The members of a class that the layout runs, or changes of its size, or each frame that is drawn.
    private func codeOfLayout(_ type: TypeID, _ knowledge: GeometryKnowledge) -> [MemberFacts] {
        let members = program.chain(of: type).flatMap { program.members(of: $0) }.map { program[$0] }.filter { !$0.isStatic }
        let ofFrames = members.reduce(into: Set<String>()) { $0.formUnion(Self.callbacksOfFrames(in: $1, knowledge)) }
        // Who observes the own size hears of each change of it.
        return members.filter { member in
            knowledge.layouts.contains(member.baseName) || knowledge.refreshes.contains(member.baseName) || ofFrames.contains(member.baseName)
                || member.kind == .property && member.accessors != nil && GeometryLog.places.contains(member.baseName)
        }.reaching(among: members)
    }

    /// The properties of a class whose views some code of it gives to what sizes them: `tableView.tableFooterView = messageView`.
    func fitted(_ type: TypeID, _ knowledge: GeometryKnowledge) -> Set<String> {
        if let known = fittedProperties[type] { return known }
        var found: Set<String> = []
        for (_, body) in program.chain(of: type).flatMap({ program.members(of: $0) }).flatMap({ program[$0].bodies }) {
            var properties: [Register: String] = [:]
            body.block.forEachStatement { statement in
                switch statement.kind {
                case .read(let result, .name(let name)), .read(let result, .member(.selfObject, let name)): properties[result] = name.withoutUnderscore
                case .write(.member(_, let name), .register(let value)) where knowledge.fittedBy.contains(name): properties[value].map { _ = found.insert($0) }
                default: break
                }
            }
        }
        fittedProperties[type] = found
        return found
    }

    /// The base names of the methods that a member has called for each frame.
    private static func callbacksOfFrames(in member: MemberFacts, _ knowledge: GeometryKnowledge) -> Set<String> {
        var found: Set<String> = []
        for (_, body) in member.bodies {
            body.block.forEachStatement { statement in
                guard let call = statement.call else { return }
                let isOfFrames = switch call.callee {
                case .initializer(let type): knowledge.frames.contains(type.name)
                case .member(_, let name): knowledge.frames.contains(name)
                default: false
                }
                if isOfFrames { found.formUnion(call.handlers) }
            }
        }
        return found
    }

    /// Whether a controller's view that code makes has the width of the screen for good.
    func hasSteadyWidth(_ type: TypeID) -> Bool {
        if let known = steady[type] { return known }
        let found = program.hasSteadyWidth(type)
        steady[type] = found
        return found
    }

    /// Whether the app of a class is shown 320 points wide on every device.
    func isLetterboxed(_ type: TypeID) -> Bool {
        if let known = letterboxed[type] { return known }
        let found = program.isLetterboxed(program[type].file)
        letterboxed[type] = found
        return found
    }
}

extension Body {
    /// Whether code of it lets the layout decide of views.
    func laysOut(_ knowledge: GeometryKnowledge) -> Bool {
        block.containsStatement { statement in
            switch statement.kind {
            case .write(let place, _): place.propertyName.map { $0 == "autoresizingMask" || knowledge.laysOutLater($0) } ?? false
            case .read(_, let place): place.propertyName.map(knowledge.laysOutLater) ?? false
            default: statement.call?.callee.baseName.map(knowledge.laysOutLater) ?? false
            }
        }
    }

    /// Whether code of it lets the layout decide of the object in a register, by whatever name it goes, or hands it to who may.
    func laysOut(_ made: Register, _ knowledge: GeometryKnowledge) -> Bool {
        var registers: Set<Register> = [made]
        var locals: Set<LocalID> = []
        var names: Set<String> = []
        func holds(_ operand: Operand) -> Bool { if case .register(let register) = operand { registers.contains(register) } else { false } }
        func holds(_ place: Place) -> Bool {
            if case .local(let local) = place { locals.contains(local) } else { place.ownName.map { names.contains($0.withoutUnderscore) } ?? false }
        }
        var count = 0
        while count != registers.count + locals.count + names.count {
            count = registers.count + locals.count + names.count
            block.forEachStatement { statement in
                switch statement.kind {
                case .declare(let local, let value?) where holds(value): locals.insert(local)
                case .write(.local(let local), let value) where holds(value): locals.insert(local)
                case .write(let place, let value) where holds(value): place.ownName.map { _ = names.insert($0.withoutUnderscore) }
                case .read(let result, let place) where holds(place): registers.insert(result)
                case .assign(let result, let value) where holds(value): registers.insert(result)
                case .compute(let result, .forceUnwrap, let operands) where operands.first.map(holds) ?? false: registers.insert(result)
                default: break
                }
            }
        }
        return block.containsStatement { statement in
            switch statement.kind {
            case .write(.member(let base, let property), let value):
                holds(base) && (property == "autoresizingMask" || knowledge.laysOutLater(property)) || holds(value) && base != .selfObject
            case .read(_, .member(let base, let property)): holds(base) && knowledge.laysOutLater(property)
            case .call(let call), .collection(_, let call):
                if case .member(let receiver, let name) = call.callee, holds(receiver), knowledge.laysOutLater(name) || name == "setAutoresizingMask" { true } else {
                    call.arguments.contains { holds($0.value) } && !["addSubview", "insertSubview", "bringSubviewToFront", "sendSubviewToBack"].contains(call.callee.baseName ?? "")
                }
            case .compute(_, .array, let operands), .compute(_, .dictionary, let operands): operands.contains(where: holds)
            case .opaque: true
            default: false
            }
        }
    }

    /// Whether a call gives a frame that is not empty.
    func givesFrame(_ call: Call) -> Bool { call.arguments.contains { $0.label == "frame" && !isEmptyFrame($0.value) } }

    /// Whether a call gives a frame whose width and height are numbers.
    func givesConstantSize(_ call: Call) -> Bool {
        guard case .register(let frame)? = call.arguments.first(where: { $0.label == "frame" })?.value else { return false }
        return block.containsStatement { statement in
            guard let made = statement.call, made.result == frame, made.arguments.count == 4 else { return false }
            return made.arguments.suffix(2).allSatisfy { argument in
                switch argument.value {
                case .constant(.integer), .constant(.number): true
                default: false
                }
            }
        }
    }

    /// Whether a value is the empty rectangle.
    func isEmptyFrame(_ value: Operand) -> Bool {
        switch value {
        case .constant(let constant): return constant == .implicitMember("zero")
        case .register(let register):
            return block.containsStatement { statement in
                switch statement.kind {
                case .read(register, let place): ["zero", "null", "CGRectZero", "NSZeroRect", "CGRectNull"].contains(place.propertyName ?? "")
                case .call(let call) where call.result == register: call.arguments.isEmpty || call.arguments.count == 4 && call.arguments.suffix(2).allSatisfy { $0.value == .constant(.integer(0)) }
                case .assign(register, let choice): isEmptyFrame(choice)
                default: false
                }
            }
        default: return false
        }
    }
}

extension Program {
    /// Whether the initialiser of a class that a call means, which is given no frame, makes the object with one of its own.
    func framesItself(_ type: TypeID, by call: Call) -> Bool {
        !call.arguments.contains { $0.label == "frame" } && members(of: type).contains { id in
            guard self[id].kind == .initializer, self[id].accepts(call), let body = self[id].body else { return false }
            return body.block.containsStatement { statement in
                guard let inner = statement.call, inner.callee.baseName == "init" else { return false }
                return body.givesFrame(inner)
            }
        }
    }
}
