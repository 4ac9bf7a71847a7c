import Findings
import ProgramModel
import SourceText

extension Check {
    /// What a screen shows and sets only when it is seen already.
    static let lateSetups = Check(rules: ["late_setup"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).flatMap { LateSetup(input: input, file: file, member: $0)?.findings() ?? [] }
    }
}

/// What one `viewDidAppear` sets.
private struct LateSetup {
    private let input: CheckInput
    private let file: Int
    private let member: MemberOccurrence

    /// A property that is shown.
    private struct Target: Hashable {
        /// The property of the controller that holds the view; nil for the controller's own title.
        let view: String?
        let property: String

        var title: String { view.map { "\($0).\(property)" } ?? property }
    }

    private var program: Program { input.program }
    private var owner: TypeID { member.owner }

    private static let shown: Set<String> = ["text", "attributedText", "title", "image", "stringValue", "attributedStringValue", "placeholder", "isHidden", "hidden"]
    private static let setters: [String: String] = ["setTitle": "title", "setImage": "image", "setAttributedTitle": "title", "setBackgroundImage": "image"]
    private static let views = ["UIView", "NSView"]
    /// Views that show what is going on, which may begin only now.
    private static let indicators = ["UIActivityIndicatorView", "UIProgressView", "UIRefreshControl", "NSProgressIndicator"]

    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        let facts = member.facts
        let kind = facts.fullName == "viewDidAppear(_:)" ? "UIViewController" : facts.fullName == "viewDidAppear()" ? "NSViewController" : ""
        guard !kind.isEmpty, facts.kind == .function, !facts.isPartial, !facts.modifiers.contains("async"), input.program.isType(member.owner, kindOf: kind),
              !input.program[member.owner].hasAmbiguousExtensions else { return nil }
        (self.input, self.file, self.member) = (input, file, member)
    }

    func findings() -> [Finding] {
        var set: [(target: Target, step: EventCode.Step)] = []
        var made: Set<String> = []
        var isUnclear = false
        EventCode(input: input, type: owner).visit(member, file: file) { step in
            switch step.statement.kind {
            case .write(.name(let name), _), .write(.member(.selfObject, let name), _): made.insert(name)
            case .opaque: isUnclear = true
            default: break
            }
            if !step.isConditional, let target = target(step) { set.append((target, step)) }
        }
        var entries: Set<SourceSpan> = []
        guard !isUnclear else { return [] }
        return set.compactMap { target, step -> Finding? in
            // A view that is made here is late as a whole.
            guard !(target.view.map(made.contains) ?? false), !isSetElsewhere(target, than: Set(step.callers)), entries.insert(step.entry).inserted else { return nil }
            let way = step.callers.first.map { ", by '\($0)'," } ?? ""
            return input.finding(
                "late_setup",
                "'\(target.title)' is first set\(way) when the screen is shown already, so that it is seen to change; set it before, in 'viewWillAppear' at the latest",
                at: step.entry, in: file, type: member.typeName, member: member.facts.fullName)
        }
    }

    // MARK: What is set

    private func target(_ step: EventCode.Step) -> Target? {
        switch step.statement.kind {
        case .write(let place, let value):
            guard let target = target(place, step.context), Self.isTelling(value, of: target.property), isKnownBefore(value, step.context) else { return nil }
            return target
        case .call(let call):
            guard case .member(let base, let name) = call.callee, let property = Self.setters[name], let first = call.arguments.first?.value, let view = view(base, step.context),
                  Self.isTelling(first, of: property), isKnownBefore(first, step.context) else { return nil }
            return Target(view: view, property: property)
        default: return nil
        }
    }

    private func target(_ place: Place, _ context: BodyContext) -> Target? {
        switch place {
        case .name("title"), .member(.selfObject, "title"):
            return program.members(named: "title", on: owner).isEmpty && program.isType(owner, kindOf: "UIViewController") ? Target(view: nil, property: "title") : nil
        case .member(let base, let property):
            guard Self.shown.contains(property) else { return nil }
            let plain = property == "hidden" ? "isHidden" : property
            if plain == "title", Self.source(base, context) == "navigationItem" { return Target(view: "navigationItem", property: plain) }
            return view(base, context).map { Target(view: $0, property: plain) }
        default: return nil
        }
    }

    /// The property of self that a value is read from.
    private static func source(_ operand: Operand, _ context: BodyContext, depth: Int = 0) -> String? {
        guard depth < 6, case .register(let register) = operand, let statement = context.definition(of: register) else { return nil }
        switch statement.kind {
        case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)): return name
        case .read(_, .local(let local)): return context.value(of: local).flatMap { source($0, context, depth: depth + 1) }
        case .compute(_, .forceUnwrap, let operands): return operands.first.flatMap { source($0, context, depth: depth + 1) }
        default: return nil
        }
    }

    /// The property that holds a view of the controller.
    private func view(_ operand: Operand, _ context: BodyContext) -> String? {
        guard let name = Self.source(operand, context), let type = input.inference.type(of: operand, in: context), !type.isMetatype,
              program.members(named: name, on: owner).contains(where: { program[$0].kind == .property && (program[$0].isStored || program[$0].isOutlet) }) else { return nil }
        let known: String? = switch input.inference.resolve(type) {
        case .platform(let name): name
        case .project(let types): types.count == 1 ? program.platformClass(of: types[0]) : nil
        case .unknown: nil
        }
        guard let known, Self.views.contains(where: { program.platform.isClass(known, kindOf: $0) }), !Self.indicators.contains(where: { program.platform.isClass(known, kindOf: $0) }) else { return nil }
        return name
    }

    /// Whether a value can be seen to arrive: who empties a field starts anew, and who shows a view may have waited on purpose.
    private static func isTelling(_ value: Operand, of property: String) -> Bool {
        if property == "isHidden" { return value == .constant(.boolean(true)) }
        return value != .constant(.null) && value != .constant(.string(""))
    }

    /// What is known only when the view has its size and its window.
    private static let late: Set<String> = [
        "bounds", "frame", "window", "safeAreaInsets", "size", "center", "contentSize", "traitCollection", "isFirstResponder", "becomeFirstResponder", "presentedViewController", "layoutMarginsGuide",
        "visibleCells", "contentOffset",
    ]

    private func isKnownBefore(_ value: Operand, _ context: BodyContext) -> Bool {
        EventCode(input: input, type: owner).names(of: value, context).isDisjoint(with: Self.late)
    }

    // MARK: What is set at other times

    /// Whether other code sets the same thing, may set it, or runs what sets it here.
    private func isSetElsewhere(_ target: Target, than helpers: Set<String>) -> Bool {
        let inner = helpers.union([member.facts.baseName])
        for type in input.family(of: owner) {
            for id in program.members(of: type) {
                let facts = program[id]
                if facts.isPartial { return true }
                if facts.kind == .function, inner.contains(facts.baseName) { continue }
                for (_, body) in facts.bodies {
                    let context = program.context(of: body, in: id, as: type)
                    if maySet(target, helpers, body, context, isInitialValue: facts.baseName == target.view) { return true }
                }
            }
        }
        return input.writes[target.property].contains { place in
            guard let view = target.view, case .register(let register) = place.base else { return false }
            let owner = program.owners(of: place.member.declaration).first
            let context = BodyContext(body: place.body, selfType: owner, scope: Scope(file: place.member.declaration.file, typeName: ""), isStatic: false)
            if case .read(_, .member(.register, view))? = context.definition(of: register)?.kind { return true } else { return false }
        }
    }

    private func maySet(_ target: Target, _ helpers: Set<String>, _ body: Body, _ context: BodyContext, isInitialValue: Bool) -> Bool {
        var found = false
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .write(let place, _):
                if self.target(place, context) == target { found = true }
                // In the initial value the view is a local.
                if isInitialValue, case .member(_, let property) = place, property == target.property { found = true }
            case .opaque: found = true
            default:
                guard let call = statement.call, let name = call.callee.baseName else { return }
                if helpers.contains(name) || call.arguments.contains(where: { isSelector($0.value, of: helpers) }) { found = true }
                if isInitialValue { found = found || Self.setters[name] == target.property || call.arguments.contains { $0.label == target.property || $0.label == "string" } || !program.extensionFunctions(named: name).isEmpty }
                guard let view = target.view else { return }
                if case .member(let receiver, _) = call.callee, Self.source(receiver, context) == view, Self.setters[name] == target.property || isOfProject(name, receiver, context) { found = true }
                if call.arguments.contains(where: { Self.source($0.value, context) == view }), program.hasFunction(named: name) || ["assign", "bind"].contains(name) { found = true }
            }
        }
        return found
    }

    /// Whether a call on a view runs code of the project.
    private func isOfProject(_ name: String, _ receiver: Operand, _ context: BodyContext) -> Bool {
        guard let type = input.inference.type(of: receiver, in: context), case .platform = input.inference.resolve(type) else { return program.hasFunction(named: name) }
        return !program.extensionFunctions(named: name).isEmpty
    }

    private func isSelector(_ operand: Operand, of helpers: Set<String>) -> Bool {
        guard case .constant(.selector(let text)) = operand else { return false }
        return ObjectiveCSelector.baseName(of: text).map(helpers.contains) ?? false
    }
}
