import Findings
import ProgramModel
import SourceText

extension Check {
    /// Scroll views whose content is placed by frames, and of which nobody says how large that content is.
    static let unsizedScrollViews = Check(rules: ["scroll_view_content_size"]) { input, file in
        var told: Set<String> = []
        return input.bodies(inFile: file).flatMap { UnsizedScrollViews(input: input, file: file, place: $0).findings(&told) }
    }
}

/// The search in one body.
private struct UnsizedScrollViews {
    let input: CheckInput
    let file: Int
    let place: BodyOccurrence

    /// Who holds a view.
    private enum Holder: Hashable {
        case property(String)
        case local(LocalID)
    }

    private var program: Program { input.program }
    private var context: BodyContext { place.context }
    private var owner: TypeID { place.member.owner }

    private static let additions: Set<String> = ["addSubview", "insertSubview"]
    /// Calls that a view is given to and that leave its content alone.
    private static let harmless: Set<String> = ["addSubview", "insertSubview", "addArrangedSubview", "insertArrangedSubview", "bringSubviewToFront", "sendSubviewToBack", "convert"]

    func findings(_ told: inout Set<String>) -> [Finding] {
        guard program[owner].kind == .class, !program[owner].hasAmbiguousExtensions else { return [] }
        var found: [Finding] = []
        place.body.block.forEachStatement { statement in
            guard let call = statement.call, case .member(let receiver, let name) = call.callee, Self.additions.contains(name), let content = call.arguments.first?.value,
                  let holder = holder(of: receiver), isPlainScrollView(receiver) else { return }
            let key = switch holder {
            case .property(let name): "\(place.member.typeName).\(name)"
            case .local(let local): "\(place.member.typeName).\(place.member.facts.fullName).\(local.index)"
            }
            guard !told.contains(key), let placed = self.holder(of: content), isPlaced(placed), isUnsized(holder, with: placed) else { return }
            told.insert(key)
            found.append(input.finding(
                "scroll_view_content_size",
                "'\(title(placed))' is placed by its frame in '\(title(holder))', whose 'contentSize' nobody sets: it stays zero, and what lies outside of the screen cannot be scrolled to; set it to what the frames take",
                at: statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName))
        }
        return found
    }

    private func title(_ holder: Holder) -> String {
        switch holder {
        case .property(let name): name
        case .local(let local): place.body[local].name
        }
    }

    /// Whether a value is a scroll view and none of the classes that size their content themselves.
    private func isPlainScrollView(_ operand: Operand) -> Bool {
        guard let type = input.inference.type(of: operand, in: context), !type.isMetatype, type.provenance <= .initializer else { return false }
        return input.inference.resolve(type) == .platform("UIScrollView")
    }

    private func holder(of operand: Operand) -> Holder? { Self.holder(of: operand, context) }

    private static func holder(of operand: Operand, _ context: BodyContext, depth: Int = 0) -> Holder? {
        guard depth < 6, case .register(let register) = operand else { return nil }
        switch context.definition(of: register)?.kind {
        case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)): return .property(name.withoutUnderscore)
        case .read(_, .local(let local)):
            if let value = context.value(of: local), let holder = holder(of: value, context, depth: depth + 1) { return holder }
            return .local(local)
        case .compute(_, .forceUnwrap, let operands): return operands.first.flatMap { holder(of: $0, context, depth: depth + 1) }
        default: return nil
        }
    }

    // MARK: The class

    /// The code in which the holders can be used: the whole class for properties, else this body.
    private func scope(of holders: [Holder]) -> [(body: Body, context: BodyContext)] {
        let isLocal = holders.allSatisfy { if case .local = $0 { true } else { false } }
        return isLocal ? [(place.body, context)] : classBodies
    }

    private var classBodies: [(body: Body, context: BodyContext)] {
        input.family(of: owner).sorted().flatMap { type in
            program.members(of: type).flatMap { id in
                program[id].bodies.map { _, body in
                    (body, program.context(of: body, in: id, as: type))
                }
            }
        }
    }

    /// Words of code that sizes a scroll view's content another way, or does without its scrolling.
    private static let otherWays = ["contentsize", "contentinset", "contentoffset", "constraint", "anchor", "layoutguide", "zoom", "alwaysbounce", "scrollenabled", "interactionenabled", "refreshcontrol", "visualformat", "scrollrect"]
    private static let libraries = ["mas_", "autoPin", "autoSet", "autoMatch", "autoAlign", "snp", "pin"]

    private static func isOtherWay(_ name: String) -> Bool {
        let lower = name.lowercased()
        return otherWays.contains(where: lower.contains) || libraries.contains(where: name.hasPrefix)
    }

    /// What may be read without being changed.
    private static let measures: Set<String> = ["contentSize", "contentOffset", "contentInset", "adjustedContentInset"]

    private static func saysAnotherWay(_ body: Body, _ context: BodyContext) -> Bool {
        var found = false
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .read(_, .name(let name)), .read(_, .member(_, let name)): if isOtherWay(name), !measures.contains(name) { found = true }
            case .write(.name(let name), _): if isOtherWay(name) { found = true }
            case .write(.member(let base, let name), _):
                if isOtherWay(name) { found = true }
                // A part of the size is set.
                if case .register(let register) = base, case .read(_, .member(_, let whole))? = context.definition(of: register)?.kind, measures.contains(whole) { found = true }
            case .opaque: found = true
            default: if let name = statement.call?.callee.baseName, isOtherWay(name) { found = true }
            }
        }
        return found
    }

    /// Whether the class makes the scroll view itself, keeps it to itself, and never says how large the content is.
    private func isUnsized(_ holder: Holder, with content: Holder) -> Bool {
        let code = scope(of: [holder, content])
        guard !code.contains(where: { Self.saysAnotherWay($0.body, $0.context) }) else { return false }
        switch holder {
        case .local(let local):
            guard let value = context.value(of: local), Self.makesScrollView(value, context), case .register(let register) = value else { return false }
            return isKeptHere(ValueUses(of: [register], in: place.body))
        case .property(let name): return isOwn(name, code)
        }
    }

    private func isKeptHere(_ uses: ValueUses) -> Bool {
        !uses.isMixed && uses.all.allSatisfy { use, _ in
            switch use {
            case .set, .read: true
            case .called(let call): program.extensionFunctions(named: call.callee.baseName ?? "").isEmpty
            case .given(let call, _): call.callee.baseName.map(Self.harmless.contains) ?? false
            case .kept, .returned, .other: false
            }
        }
    }

    /// Whether nothing but the class's own code makes, changes or gets the property.
    private func isOwn(_ name: String, _ code: [(body: Body, context: BodyContext)]) -> Bool {
        let members = program.members(named: name, on: owner)
        // A getter there makes the view when it is asked for the first time.
        let isObjectiveC = program.files[file].facts.language == .objectiveC
        let getters = isObjectiveC ? Set(members.compactMap { program[$0].accessors?.get?.span }) : []
        guard !members.isEmpty, members.allSatisfy({ program[$0].kind == .property && !program[$0].isOutlet && !program[$0].isPartial && !program[$0].isStatic && (program[$0].accessors?.get == nil || isObjectiveC) }) else { return false }
        var (isMade, isGiven) = (false, false)
        for id in members {
            guard let body = program[id].body else { continue }
            body.block.forEachStatement { if let call = $0.call, case .initializer(let type) = call.callee { if type.name == "UIScrollView" { isMade = true } else { isGiven = isGiven || type.name != "CGRect" } } }
        }
        for (body, context) in code {
            body.block.forEachStatement { statement in
                switch statement.kind {
                case .write(.name(let written), let value) where written.withoutUnderscore == name, .write(.member(.selfObject, let written), let value) where written.withoutUnderscore == name:
                    if Self.makesScrollView(value, context) { isMade = true } else if value != .constant(.null) { isGiven = true }
                case .exit(.returns(let value)): if !getters.contains(body.span), Self.holder(of: value, context) == .property(name) { isGiven = true }
                default:
                    guard let call = statement.call else { return }
                    if call.arguments.contains(where: { Self.holder(of: $0.value, context) == .property(name) }), !Self.harmless.contains(call.callee.baseName ?? "") { isGiven = true }
                    if case .member(let receiver, let called) = call.callee, !program.extensionFunctions(named: called).isEmpty, Self.holder(of: receiver, context) == .property(name) { isGiven = true }
                }
            }
        }
        return isMade && !isGiven && !isSizedElsewhere(name)
    }

    private static func makesScrollView(_ operand: Operand, _ context: BodyContext, depth: Int = 0) -> Bool {
        guard depth < 6, case .register(let register) = operand else { return false }
        switch context.definition(of: register)?.kind {
        case .call(let call): if case .initializer(let type) = call.callee { return type.name == "UIScrollView" } else { return false }
        case .read(_, .local(let local)): return context.value(of: local).map { makesScrollView($0, context, depth: depth + 1) } ?? false
        default: return false
        }
    }

    /// Whether code that takes the property of another object sizes something.
    private func isSizedElsewhere(_ property: String) -> Bool {
        program.files.contains { file in
            (file.facts.types.flatMap(\.members) + file.facts.members).flatMap(\.bodies).contains { _, body in
                var (isTaken, isSized) = (false, false)
                body.block.forEachStatement { statement in
                    switch statement.kind {
                    case .read(_, .member(.register, property)): isTaken = true
                    case .write(.member(_, "contentSize"), _): isSized = true
                    default: if statement.call?.callee.baseName == "setContentSize" { isSized = true }
                    }
                }
                return isTaken && isSized
            }
        }
    }

    // MARK: The content

    /// Whether a view gets a frame of its own, and neither fills the scroll view nor follows its size.
    private func isPlaced(_ holder: Holder) -> Bool {
        var (isPlaced, isOther) = (false, false)
        func note(frame: Operand, _ context: BodyContext) { if Self.isPlace(frame, context) { isPlaced = true } else if !Self.isZero(frame, context) { isOther = true } }
        if case .property(let name) = holder {
            for id in program.members(named: name, on: owner) {
                guard let body = program[id].body else { continue }
                let context = program.context(of: body, in: id, as: owner)
                body.block.forEachStatement { if let call = $0.call, case .initializer(let type) = call.callee, type.name != "CGRect", let frame = call.arguments.first(where: { $0.label == "frame" }) { note(frame: frame.value, context) } }
            }
        }
        for (body, context) in scope(of: [holder]) {
            body.block.forEachStatement { statement in
                switch statement.kind {
                case .write(.member(let base, let property), let value) where Self.holder(of: base, context) == holder:
                    if property == "frame" { note(frame: value, context) }
                    if property == "autoresizingMask" { isOther = true }
                case .write(.local(let local), let value), .declare(let local, let value?): if holder == .local(local) { noteMade(value, context, note) }
                case .write(.name(let name), let value), .write(.member(.selfObject, let name), let value): if holder == .property(name.withoutUnderscore) { noteMade(value, context, note) }
                default: break
                }
            }
        }
        return isPlaced && !isOther
    }

    private func noteMade(_ value: Operand, _ context: BodyContext, _ note: (Operand, BodyContext) -> Void) {
        guard case .register(let register) = value, case .call(let call)? = context.definition(of: register)?.kind, case .initializer = call.callee,
              let frame = call.arguments.first(where: { $0.label == "frame" }) else { return }
        note(frame.value, context)
    }

    private static func isZero(_ frame: Operand, _ context: BodyContext) -> Bool {
        switch frame {
        case .constant(.implicitMember("zero")): return true
        case .register(let register):
            switch context.definition(of: register)?.kind {
            case .read(_, .member(.type, "zero")), .read(_, .name("CGRectZero")): return true
            default: return false
            }
        default: return false
        }
    }

    /// Whether a frame is a rectangle of which the text says where it lies or how large it is.
    private static func isPlace(_ frame: Operand, _ context: BodyContext) -> Bool {
        guard case .register(let register) = frame, let statement = context.definition(of: register) else { return false }
        switch statement.kind {
        case .call(let call):
            let isRectangle = if case .initializer(let type) = call.callee { type.name == "CGRect" } else { call.callee.baseName == "CGRectMake" }
            guard isRectangle, call.arguments.count == 4 else { return false }
            // What begins at the corner and is computed may be as large as the screen.
            return call.arguments.prefix(2).contains { !isNothing($0.value) } || call.arguments.suffix(2).allSatisfy { isNumber($0.value) }
        case .read(_, .local(let local)): return context.value(of: local).map { isPlace($0, context) } ?? false
        default: return false
        }
    }

    private static func isNothing(_ operand: Operand) -> Bool {
        switch operand {
        case .constant(.integer(0)): true
        case .constant(.number(let text)): (Double(text) ?? 1) == 0
        default: false
        }
    }

    private static func isNumber(_ operand: Operand) -> Bool {
        switch operand {
        case .constant(.integer), .constant(.number): true
        default: false
        }
    }
}
