import Findings
import ProgramModel
import SourceText

extension Check {
    /// Scroll views that are half prepared for zooming, and drawings that count a zoom twice.
    static let zoomSettings = Check(rules: ["scroll_view_zoom_unconfigured", "zoom_transform_not_reset"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).compactMap { member in
            unscaled(member, file, input) ?? doubled(member, file, input)
        } + viewless(file, input)
    }

    private static let zoomedView: Set<String> = ["viewForZooming", "viewForZoomingInScrollView"]
    private static let scales: Set<String> = ["minimumZoomScale", "maximumZoomScale", "setMinimumZoomScale", "setMaximumZoomScale"]

    /// `viewForZooming` for a scroll view of which all scales are left at 1.
    private static func unscaled(_ member: MemberOccurrence, _ file: Int, _ input: CheckInput) -> Finding? {
        guard zoomedView.contains(member.facts.baseName), let body = member.facts.body, !member.facts.isPartial, namesView(body),
              let view = OwnScrollView(of: member.owner, input), view.isDelegateSelf, !view.mentions(scales) else { return nil }
        return input.finding(
            "scroll_view_zoom_unconfigured",
            "'\(view.property)' is told which view to zoom, and both its scales are 1 as long as nobody sets them, so a pinch does nothing: set 'minimumZoomScale' or 'maximumZoomScale'",
            at: member.facts.nameSpan, in: file, type: member.typeName, member: member.facts.fullName)
    }

    private static func namesView(_ body: Body) -> Bool {
        guard case .exit(.returns(let value))? = body.block.last?.kind else { return false }
        return value != .constant(.null)
    }

    /// Scales of a scroll view whose delegate is self and names no view.
    private static func viewless(_ file: Int, _ input: CheckInput) -> [Finding] {
        let program = input.program
        return input.bodies(inFile: file).flatMap { place -> [Finding] in
            var found: [Finding] = []
            place.body.block.forEachStatement { statement in
                guard case .write(.member(let receiver, let name), let value) = statement.kind, name == "maximumZoomScale" || name == "minimumZoomScale", value != .constant(.integer(1)), value != .constant(.number("1.0")),
                      let view = OwnScrollView(of: place.member.owner, input), view.isDelegateSelf, view.isRead(by: receiver, in: place.context),
                      zoomedView.allSatisfy({ program.members(named: $0, on: place.member.owner).isEmpty }), found.isEmpty else { return }
                found.append(input.finding(
                    "scroll_view_zoom_unconfigured",
                    "'\(view.property)' zooms the view that its delegate names, and '\(place.member.typeName)', its delegate, has no 'viewForZooming(in:)', so the scale has no effect: implement it",
                    at: statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName))
            }
            return found
        }
    }

    // MARK: Drawn twice

    /// `scrollViewDidEndZooming` that draws at the new scale, and leaves the transform that shows the drawing at it.
    private static func doubled(_ member: MemberOccurrence, _ file: Int, _ input: CheckInput) -> Finding? {
        let program = input.program
        guard member.facts.baseName == "scrollViewDidEndZooming", let body = member.facts.body, !member.facts.isPartial, body.parameters.count == 3, let scale = body.parameters.last else { return nil }
        let context = member.context(of: body)
        func isScale(_ operand: Operand) -> Bool {
            guard case .register(let register) = operand else { return false }
            return if case .read(_, .local(scale))? = context.definition(of: register)?.kind { true } else { false }
        }
        var found: (property: String, holder: String)?
        var isReset = false
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .write(.member(_, "transform"), _), .write(.member(_, "zoomScale"), _), .opaque: isReset = true
            // What another function does with the view is not known.
            case .call(let call), .collection(_, let call):
                if case .superMember = call.callee { return }
                if !["setNeedsDisplay", "setNeedsLayout", "layoutIfNeeded"].contains(call.callee.baseName) { isReset = true }
            case .write(.member(let base, let property), .register(let value)):
                guard found == nil, case .compute(_, .symbol("*"), let operands)? = context.definition(of: value)?.kind, operands.contains(where: isScale),
                      operands.contains(where: { ConditionAtom.text(of: $0, in: context) == ConditionAtom.name(of: .member(base, property), in: context) }),
                      let holder = ConditionAtom.text(of: base, in: context), redraws(property, of: base, context, input) else { return }
                found = (property, holder)
            default: break
            }
        }
        guard let found, !isReset, isZoomed(found.holder, by: member.owner, program) else { return nil }
        return input.finding(
            "zoom_transform_not_reset",
            "'\(found.holder)' is drawn at the new scale here and keeps the transform of the zoom, so the scale counts twice: set its 'transform' back to the identity",
            at: member.facts.nameSpan, in: file, type: member.typeName, member: member.facts.fullName)
    }

    /// Whether setting the property of a view of the project makes it draw anew.
    private static func redraws(_ property: String, of base: Operand, _ context: BodyContext, _ input: CheckInput) -> Bool {
        let program = input.program
        guard let type = input.inference.type(of: base, in: context), case .project(let types) = input.inference.resolve(type), types.count == 1, program.isType(types[0], kindOf: "UIView"),
              // A view with a transform of its own may take the drawing's scale out of it.
              program.members(named: "transform", on: types[0]).isEmpty, program.members(named: "setTransform", on: types[0]).isEmpty else { return false }
        let accessors = program.members(named: property, on: types[0]).compactMap { program[$0].accessors }.flatMap(\.all)
        let setter = "set" + property.prefix(1).uppercased() + property.dropFirst()
        let bodies = accessors.map(\.body) + program.members(named: setter, on: types[0]).compactMap { program[$0].body }
        // A transform that the view sets itself is its own affair.
        return bodies.contains { $0.block.calls("setNeedsDisplay") } && !bodies.contains { body in
            body.block.containsStatement { if case .write(.member(_, "transform"), _) = $0.kind { true } else if case .write(.name("transform"), _) = $0.kind { true } else { false } }
        }
    }

    private static func isZoomed(_ holder: String, by owner: TypeID, _ program: Program) -> Bool {
        zoomedView.flatMap { program.members(named: $0, on: owner) }.contains { id in
            guard let body = program[id].body, case .exit(.returns(let value))? = body.block.last?.kind else { return false }
            let context = program.context(of: body, in: id, as: owner)
            return ConditionAtom.text(of: value, in: context) == holder
        }
    }
}

extension Block {
    /// Whether any statement calls something of this name.
    fileprivate func calls(_ name: String) -> Bool {
        var found = false
        forEachStatement { if $0.call?.callee.baseName == name { found = true } }
        return found
    }
}

/// The scroll view that a class makes in its code and keeps in a property: no nib and no other class sets it up.
private struct OwnScrollView {
    let property: String
    let isDelegateSelf: Bool
    private let bodies: [(body: Body, context: BodyContext)]
    private let owner: TypeID
    private let program: Program

    /// Nil where the class has no such scroll view, or several, or where part of it is unknown.
    init?(of owner: TypeID, _ input: CheckInput) {
        let program = input.program
        guard program[owner].kind == .class, case .platform = program.ancestry(of: owner).root, !program[owner].hasAmbiguousExtensions else { return nil }
        let chain = program.chain(of: owner)
        let members = chain.flatMap { program.members(of: $0) }
        func isScrollView(_ id: MemberID) -> Bool? {
            let member = program[id]
            guard member.kind == .property, member.isStored else { return nil }
            let scope = Scope(file: id.declaration.file, typeName: program[owner].name)
            if let type = member.type {
                switch program.resolve(type.unwrapped, in: scope) {
                case .platform(let name): return program.platform.isClass(name, kindOf: "UIScrollView") ? name == "UIScrollView" && !member.isOutlet : nil
                case .project(let types): return types.contains { program.isType($0, kindOf: "UIScrollView") } ? false : nil
                case .unknown: return nil
                }
            }
            guard let body = member.body, case .exit(.returns(.register(let register)))? = body.block.last?.kind else { return nil }
            let context = BodyContext(body: body, selfType: owner, scope: scope, isStatic: false)
            guard let type = input.inference.type(of: .register(register), in: context) else { return nil }
            switch input.inference.resolve(type) {
            case .platform(let name): return program.platform.isClass(name, kindOf: "UIScrollView") ? name == "UIScrollView" : nil
            case .project(let types): return types.contains { program.isType($0, kindOf: "UIScrollView") } ? false : nil
            case .unknown: return nil
            }
        }
        let candidates = members.compactMap { id in isScrollView(id).map { (program[id], $0) } }
        guard candidates.count == 1, candidates[0].1, !program.isType(owner, kindOf: "UIScrollView") else { return nil }
        let name = candidates[0].0.baseName
        let bodies = members.flatMap { id in
            program[id].bodies.map { _, body in
                (body, program.context(of: body, in: id, as: owner))
            }
        }
        var (isMade, isDelegateSelf, isGiven) = (false, false, false)
        func makes(_ operand: Operand, _ context: BodyContext) -> Bool {
            guard case .register(let register) = operand else { return false }
            switch context.definition(of: register)?.kind {
            case .call(let call): if case .initializer(let type) = call.callee { return type.name == "UIScrollView" } else { return false }
            case .read(_, .local(let local)): return context.value(of: local).map { makes($0, context) } ?? false
            default: return false
            }
        }
        if let body = candidates[0].0.body { body.block.forEachStatement { if let call = $0.call, case .initializer(let type) = call.callee, type.name == "UIScrollView" { isMade = true } } }
        for (body, context) in bodies {
            body.block.forEachStatement { statement in
                switch statement.kind {
                case .write(.name(name), let value), .write(.member(.selfObject, name), let value): if makes(value, context) { isMade = true } else if value != .constant(.null) { isGiven = true }
                case .write(.member(let base, "delegate"), .selfObject): if Self.reads(name, base, context) { isDelegateSelf = true }
                default: break
                }
            }
        }
        guard isMade, !isGiven else { return nil }
        (property, self.isDelegateSelf, self.bodies, self.owner, self.program) = (name, isDelegateSelf, bodies, owner, program)
    }

    private static func reads(_ name: String, _ operand: Operand, _ context: BodyContext) -> Bool {
        guard case .register(let register) = operand else { return false }
        switch context.definition(of: register)?.kind {
        case .read(_, .name(name)), .read(_, .member(.selfObject, name)): return true
        case .read(_, .local(let local)): return context.value(of: local).map { reads(name, $0, context) } ?? false
        default: return false
        }
    }

    /// Whether the operand is the scroll view.
    func isRead(by operand: Operand, in context: BodyContext) -> Bool { Self.reads(property, operand, context) }

    /// Whether the class, or any code that takes the scroll view from another object, uses one of the names.
    func mentions(_ names: Set<String>) -> Bool {
        func mentions(_ body: Body) -> Bool {
            var found = false
            body.block.forEachStatement { statement in
                switch statement.kind {
                case .write(.name(let name), _), .write(.member(_, let name), _): if names.contains(name) { found = true }
                case .call(let call): if let name = call.callee.baseName, names.contains(name) { found = true }
                case .opaque(let part): if !names.isDisjoint(with: part.reads + part.writes) { found = true }
                default: break
                }
            }
            return found
        }
        if bodies.contains(where: { mentions($0.body) }) { return true }
        return program.files.contains { file in
            file.facts.types.flatMap(\.members).flatMap(\.bodies).contains { _, body in
                guard mentions(body) else { return false }
                var isTaken = false
                body.block.forEachStatement { if case .read(_, .member(_, property)) = $0.kind { isTaken = true } }
                return isTaken
            }
        }
    }
}
