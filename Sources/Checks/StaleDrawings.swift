import Findings
import ProgramModel
import SourceText

extension Check {
    /// Properties that drawing reads and that code of an action changes without asking for a redraw.
    static let staleDrawings = Check(rules: ["needs_display_missing"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        var views: [TypeID: DrawnView?] = [:]
        return input.members(inFile: file).compactMap { member in
            // In Objective-C a property whose setter somebody wrote is there twice: the place is where it is declared.
            guard member.facts.kind == .property, member.facts.isStored else { return nil }
            let view = views[member.owner] ?? DrawnView(input: input, type: member.owner)
            views[member.owner] = view
            guard let view, let reason = view.change(of: member) else { return nil }
            return input.finding(
                "needs_display_missing",
                "'\(view.drawing)' reads '\(member.facts.baseName)', and \(reason) without asking for a redraw: the view goes on showing the old value; ask for one with 'setNeedsDisplay' where '\(member.facts.baseName)' is set",
                at: member.facts.nameSpan, in: file, type: member.typeName, member: member.facts.fullName)
        }
    }
}

/// A view with drawing code of its own.
private struct DrawnView {
    private let input: CheckInput
    private let type: TypeID
    /// The name of the drawing method.
    let drawing: String
    /// The names that drawing reads and does not set.
    private let read: Set<String>

    private var program: Program { input.program }

    private static let kinds = ["UIView", "NSView"]
    private static let askingCalls: Set<String> = [
        "setNeedsDisplay", "setNeedsDisplayInRect", "display", "displayIfNeeded", "setNeedsLayout", "layoutIfNeeded", "layoutSubviews", "invalidateIntrinsicContentSize",
        "reloadData", "reload", "sendActions", "setFrameSize", "setFrame", "updateLayer",
    ]
    private static let askingProperties: Set<String> = ["needsDisplay", "needsLayout", "frame", "bounds", "center", "isHidden", "hidden", "contentMode", "contents"]
    /// What tells of changes in ways of its own, or is told of them by others.
    private static let watchers: Set<String> = [
        "observeValue", "defaultAnimation", "needsDisplay", "keyPathsForValuesAffectingValue", "setValue", "value", "wantsUpdateLayer", "updateLayer", "layerClass",
    ]
    private static let plainAttributes: Set<String> = ["IBInspectable", "GKInspectable", "objc", "nonobjc", "NSCopying", "available", "MainActor"]

    init?(input: CheckInput, type: TypeID) {
        let program = input.program
        guard program[type].kind == .class, Self.kinds.contains(where: { program.isType(type, kindOf: $0) }),
              let id = program.members(named: "draw", on: type).first(where: { program[$0].fullName == "draw(_:)" }), let body = program[id].body, !program[id].isPartial else { return nil }
        let chain = program.chain(of: type)
        guard chain.allSatisfy({ link in Self.watchers.allSatisfy { program[link].membersByName[$0] == nil } }) else { return nil }
        (self.input, self.type) = (input, type)
        drawing = program.files[id.declaration.file].facts.language == .swift ? "draw(_:)" : "drawRect:"
        var read: Set<String> = []
        var written: Set<String> = []
        var pending: [(body: Body, file: Int, typeName: String)] = [(body, id.declaration.file, program[id.declaration].name)]
        var count = 0
        while let next = pending.popLast(), count < 100 {
            count += 1
            EventCode(input: input, type: type, entersLaterClosures: true).visit(next.body, file: next.file, typeName: next.typeName) { step in
                switch step.statement.kind {
                case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)):
                    guard read.insert(name).inserted else { return }
                    for member in program.members(named: name, on: type) {
                        if let getter = program[member].accessors?.get { pending.append((getter, member.declaration.file, program[member.declaration].name)) }
                    }
                case .write(.name(let name), _), .write(.member(.selfObject, let name), _): written.insert(name)
                default: break
                }
            }
        }
        self.read = read.subtracting(written)
        // Something that comes again and again and asks each time: a timer's method, or what an animation calls.
        for member in chain.flatMap({ program.members(of: $0) }) where program[member].kind == .function && input.names.called.contains(program[member].baseName) {
            var asks = false
            program[member].body?.block.forEachStatement { if Self.asks($0) { asks = true } }
            if asks { return nil }
        }
    }

    private static func asks(_ statement: Statement) -> Bool {
        switch statement.kind {
        case .write(.name(let name), _), .write(.member(_, let name), _): askingProperties.contains(name)
        case .call(let call): call.callee.baseName.map(askingCalls.contains) ?? false
        default: false
        }
    }

    // MARK: Changes

    /// Who changes a property that drawing reads without asking for a redraw, and how, as a clause.
    func change(of property: MemberOccurrence) -> String? {
        let name = property.facts.baseName
        guard read.contains(name) || read.contains("_\(name)"), isPlain(property) else { return nil }
        for id in program.members(named: name, on: type) {
            guard let set = program[id].accessors?.set else { continue }
            let steps = steps(of: set, file: id.declaration.file, typeName: program[id.declaration].name, owner: type)
            if steps.contains(where: { mayAsk($0, owner: type) }) { return nil }
            if steps.contains(where: { Self.draws($0.statement) }) { return "'set\(name.prefix(1).uppercased())\(name.dropFirst()):' draws by hand" }
        }
        if let write = input.writes[name].first(where: { isAction($0.member) && isSilentChange($0) }) { return "'\(program[write.member].baseName)' changes it" }
        if let write = input.writes[name].first(where: { isFillingOfCell($0) && isSilentChange($0) }) { return "'\(program[write.member].baseName)' changes it each time that a cell is filled," }
        // Code of another class, whoever calls it.
        let asking = asksBeside(property)
        guard let beside = asking.first else { return nil }
        if let write = input.writes[name].first(where: { $0.base != .selfObject && program[$0.member].kind == .function && isSilentChange($0) }) {
            return "'\(program[write.member].baseName)' changes it, unlike '\(beside)',"
        }
        // Whoever uses the module sets it as he does the others.  Where more are silent than ask, the class means to be set up first.
        let silent = program[property.id.declaration].members.count { read.contains($0.baseName) && $0.isStored && $0.isSetByAnyone && !$0.isConstant && $0.accessors?.didSet == nil }
        guard asking.count > max(1, silent), property.facts.isSetByAnyone, input.writes[name].allSatisfy({ !isOwn($0) }) else { return nil }
        return "whoever sets it while the view is shown does so, unlike with '\(beside)' and '\(asking[1])',"
    }

    /// Whether a write is the view's own, which may ask for a redraw where it changes several things.
    private func isOwn(_ place: NamedWrites.Place) -> Bool {
        place.base == .selfObject && program[place.member].kind == .function && program.owners(of: place.member.declaration).contains { program.chain(of: $0).contains(type) }
    }

    private static let reusedViews = ["UITableViewCell", "UICollectionReusableView", "UITableViewHeaderFooterView"]

    /// Whether a write is in a function by which others fill a cell again that has the view from the beginning.
    private func isFillingOfCell(_ place: NamedWrites.Place) -> Bool {
        let facts = program[place.member]
        guard facts.kind == .function, !facts.isStatic, !facts.isPrivate, !facts.isUnlisted, facts.fullName.hasSuffix(":)"), let owner = program.owners(of: place.member.declaration).first,
              Self.reusedViews.contains(where: { program.isType(owner, kindOf: $0) }) else { return false }
        let context = program.context(of: place.body, in: place.member, as: owner)
        guard case .register(let register) = place.base, case .read(_, let source)? = context.definition(of: register)?.kind, let property = source.ownName else { return false }
        return program.members(named: property, on: owner).contains { program[$0].kind == .property && program[$0].isStored && (program[$0].isConstant || program[$0].isOutlet || program[$0].modifiers.contains("lazy")) }
    }

    /// The properties beside this one that drawing reads as well and that ask for a redraw whenever they are set: what the class means to do.
    private func asksBeside(_ property: MemberOccurrence) -> [String] {
        program[property.id.declaration].members.filter { other in
            guard other.baseName != property.facts.baseName, read.contains(other.baseName), other.isStored, let observer = other.accessors?.didSet else { return false }
            return observer.block.containsStatement { Self.asksToDraw($0) }
        }.map(\.baseName)
    }

    private static func asksToDraw(_ statement: Statement) -> Bool {
        switch statement.kind {
        case .write(.name("needsDisplay"), _), .write(.member(_, "needsDisplay"), _): true
        case .call(let call): call.callee.baseName?.hasPrefix("setNeedsDisplay") ?? false
        default: false
        }
    }

    private static func draws(_ statement: Statement) -> Bool {
        guard case .call(let call) = statement.kind, case .member(.selfObject, "draw") = call.callee else { return false }
        return call.arguments.count == 1
    }

    /// Whether an observer of the property only puts its value right.
    private func isQuiet(_ observer: Body, _ name: String) -> Bool {
        !observer.block.containsStatement { statement in
            switch statement.kind {
            case .write(.name(name), _), .write(.member(.selfObject, name), _): false
            case .write, .call, .collection, .opaque, .closure: true
            default: false
            }
        }
    }

    /// Whether nothing runs when the property is set, but for what puts its value right, and for a setter that somebody wrote in Objective-C.
    private func isPlain(_ property: MemberOccurrence) -> Bool {
        let members = program.members(named: property.facts.baseName, on: type).map { program[$0] }
        return members.allSatisfy { facts in
            facts.kind == .property && !facts.isStatic && !facts.isConstant && !facts.isOutlet && !facts.isPartial && [facts.accessors?.didSet, facts.accessors?.willSet].allSatisfy { $0.map { isQuiet($0, property.facts.baseName) } ?? true }
                && facts.modifiers.allSatisfy { !["lazy", "weak", "dynamic", "unowned", "readonly"].contains($0) } && facts.attributes.allSatisfy { Self.plainAttributes.contains($0.name) }
                && (facts.accessors?.get == nil || program.files[property.id.declaration.file].facts.language == .objectiveC)
                && !["->", "Block"].contains(facts.type?.name ?? "") && facts.type?.name.hasSuffix("Delegate") != true && facts.type?.name.hasSuffix("DataSource") != true
        }
    }

    /// Whether a write to this view, or to one that is not made there, is in code that asks for no redraw.
    private func isSilentChange(_ place: NamedWrites.Place) -> Bool {
        guard let owner = program.owners(of: place.member.declaration).first, !program[place.member].isPartial else { return false }
        let scope = Scope(file: place.member.declaration.file, typeName: program[place.member.declaration].name)
        let context = BodyContext(body: place.body, selfType: owner, scope: scope, isStatic: program[place.member].isStatic)
        if place.base == .selfObject {
            guard program.chain(of: owner).contains(type) else { return false }
        } else {
            guard isView(place.base, context), !isMadeHere(place.base, context) else { return false }
        }
        return !steps(of: place.body, file: scope.file, typeName: scope.typeName, owner: owner).contains { mayAsk($0, owner: owner) }
    }

    private func isView(_ operand: Operand, _ context: BodyContext) -> Bool {
        guard let inferred = input.inference.type(of: operand, in: context), !inferred.isMetatype, inferred.provenance <= .platformData,
              case .project(let types) = input.inference.resolve(inferred), types.count == 1 else { return false }
        return program.chain(of: types[0]).contains(type)
    }

    /// Whether an object was made by the body itself, so that it is set up and not changed.
    private func isMadeHere(_ operand: Operand, _ context: BodyContext) -> Bool {
        guard case .register(let register) = operand, let statement = context.definition(of: register) else { return false }
        switch statement.kind {
        case .call: return true
        case .read(_, .local(let local)): return context.value(of: local).map { isMadeHere($0, context) } ?? !context.body.parameters.contains(local)
        default: return false
        }
    }

    /// What asks a view where something is.
    private static let lookups: Set<String> = ["location", "locationInView", "previousLocation", "translation", "translationInView", "velocity", "velocityInView", "convert"]
    private static let touches: Set<String> = [
        "touchesBegan(_:with:)", "touchesMoved(_:with:)", "touchesEnded(_:with:)", "mouseDown(with:)", "mouseDragged(with:)", "mouseUp(with:)", "mouseEntered(with:)", "mouseExited(with:)",
    ]
    private static let senders = ["UIGestureRecognizer", "NSGestureRecognizer", "UIControl", "NSControl", "UIBarButtonItem"]

    /// Whether the system calls a function when somebody touches something: the view is shown by then.
    private func isAction(_ id: MemberID) -> Bool {
        let (facts, file) = (program[id], id.declaration.file)
        if facts.isPartial || facts.isStatic { return false }
        if facts.isAction || Self.touches.contains(facts.fullName) { return true }
        guard facts.parameters.count == 1, facts.attributes.contains(where: { $0.name == "objc" }), input.names.called.contains(facts.baseName),
              case .platform(let sender) = program.resolve(facts.parameters[0].type.unwrapped, in: Scope(file: file, typeName: "")) else { return false }
        return Self.senders.contains { program.platform.isClass(sender, kindOf: $0) }
    }

    private func steps(of body: Body, file: Int, typeName: String, owner: TypeID) -> [EventCode.Step] {
        var found: [EventCode.Step] = []
        EventCode(input: input, type: owner, entersLaterClosures: true).visit(body, file: file, typeName: typeName) { found.append($0) }
        return found
    }

    /// Whether a call tells a delegate by a protocol of the project that nobody answers with a redraw.
    private func tellsWhoNeverAsks(_ call: Call, _ context: BodyContext) -> Bool {
        guard case .member(let receiver, let name) = call.callee, let full = call.fullName, let inferred = input.inference.type(of: receiver, in: context), !inferred.isMetatype,
              case .project(let types) = input.inference.resolve(inferred), types.count == 1, program[types[0]].kind == .protocol, program[types[0]].membersByName[name] != nil else { return false }
        return program.functions(named: full).allSatisfy { id in program[id].bodies.allSatisfy { !$0.body.block.containsStatement(Self.asks) } }
    }

    /// Whether a step asks for a redraw, or might lead to code that does.
    private func mayAsk(_ step: EventCode.Step, owner: TypeID) -> Bool {
        if Self.asks(step.statement) { return true }
        switch step.statement.kind {
        case .write(.name(let name), _), .write(.member(.selfObject, let name), _):
            return program.members(named: name, on: owner).contains { program[$0].accessors?.didSet.map { !isQuiet($0, name) } ?? false || program[$0].accessors?.set != nil }
        case .write(.member(let base, let name), _):
            guard isView(base, step.context) else { return false }
            let known = program.members(named: name, on: type).map { program[$0] }
            return known.isEmpty || known.contains { !$0.isStored || $0.accessors?.didSet.map { !isQuiet($0, name) } ?? false }
        case .call(let call):
            // Whoever is given the view, and code that nobody sees, may ask.
            if !Self.lookups.contains(call.callee.baseName ?? ""), !tellsWhoNeverAsks(call, step.context), call.arguments.contains(where: { $0.value == .selfObject || isView($0.value, step.context) }) { return true }
            switch call.callee {
            case .value, .local: return true
            case .superMember(let name): return program.ancestry(of: owner).projectTypes.contains { program[$0].membersByName[name] != nil }
            case .member(.selfObject, let name), .name(let name):
                let functions = program.members(named: name, on: owner).filter { program[$0].kind == .function }
                return functions.count > 1 || (functions.count == 1 && program[functions[0]].body == nil)
            case .member(let receiver, _): return isView(receiver, step.context)
            default: return false
            }
        case .opaque: return true
        default: return false
        }
    }
}
