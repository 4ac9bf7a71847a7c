import Findings
import ProgramModel

extension Check {
    /// Refreshes on appear for which a sheet that goes away gives no reason.
    static let unheardDismissals = Check(rules: ["presentation_expects_appear"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).compactMap { UnheardDismissal(input: input, file: file, member: $0)?.finding() }
    }
}

/// One method of appearing of a controller.
private struct UnheardDismissal {
    private let input: CheckInput
    private let file: Int
    private let member: MemberOccurrence

    private static let appearing: Set<String> = ["viewWillAppear(_:)", "viewIsAppearing(_:)", "viewDidAppear(_:)"]
    /// What tells the presenter of the end.
    private static let ends: Set<String> = ["presentationControllerDidDismiss", "presentationControllerWillDismiss", "popoverPresentationControllerDidDismissPopover"]
    /// What tells others of something, or sends the presenter appearance events after all.
    private static let messengers: Set<String> = ["viewWillAppear", "viewDidAppear", "beginAppearanceTransition", "post", "postNotificationName", "postNotification", "send"]

    private var program: Program { input.program }
    private var owner: TypeID { member.owner }

    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        guard Self.appearing.contains(member.facts.fullName), member.facts.body != nil, !member.facts.isPartial, input.program.isType(member.owner, kindOf: "UIViewController"),
              !input.program[member.owner].hasAmbiguousExtensions else { return nil }
        (self.input, self.file, self.member) = (input, file, member)
    }

    func finding() -> Finding? {
        let shown = shown
        guard !shown.isEmpty, !input.family(of: owner).contains(where: { type in Self.ends.contains { program[type].membersByName[$0] != nil } }) else { return nil }
        for sheet in sheets {
            guard let changed = changes(by: sheet), let property = changed.properties.sorted().first(where: { shown[$0] != nil }), let view = shown[property],
                  changed.shown.isDisjoint(with: Set(shown.values)) else { continue }
            return input.finding(
                "presentation_expects_appear",
                "'\(view)' shows '\(property)' only when this screen appears, and it does not appear again when the sheet '\(program[sheet.type].name)', which changes '\(property)', goes away: refresh where '\(property)' is set, or in 'presentationControllerDidDismiss'",
                at: member.facts.nameSpan, in: file, type: member.typeName, member: member.facts.fullName)
        }
        return nil
    }

    // MARK: What appears

    /// The properties of self that the method shows, each with what shows it.
    private var shown: [String: String] {
        var found: [String: String] = [:]
        let code = EventCode(input: input, type: owner)
        code.visit(member, file: file) { step in
            switch step.statement.kind {
            case .write(.member(let base, let property), let value):
                guard let view = view(base, step.context) else { return }
                for name in code.names(of: value, step.context) where isModel(name) { found[name] = found[name] ?? "\(view).\(property)" }
            case .call(let call):
                guard call.callee.baseName == "reloadData", case .member(let receiver, _) = call.callee, let view = view(receiver, step.context) else { return }
                for name in readByDataSource where isModel(name) { found[name] = found[name] ?? "\(view).reloadData" }
            default: break
            }
        }
        return found
    }

    /// A stored property of self that tells nobody of its changes.
    private func isModel(_ name: String) -> Bool {
        let properties = program.members(named: name, on: owner).map { program[$0] }.filter { $0.kind == .property }
        return properties.count == 1 && properties.allSatisfy { $0.isStored && $0.accessors == nil && $0.attributes.isEmpty && !$0.isConstant }
    }

    private func view(_ operand: Operand, _ context: BodyContext) -> String? {
        guard case .register(let register) = operand, let statement = context.definition(of: register) else { return nil }
        switch statement.kind {
        case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)):
            guard let type = input.inference.type(of: operand, in: context), !type.isMetatype else { return nil }
            switch input.inference.resolve(type) {
            case .platform(let known): return program.platform.isClass(known, kindOf: "UIView") ? name : nil
            case .project(let types): return types.count == 1 && program.isType(types[0], kindOf: "UIView") ? name : nil
            case .unknown: return nil
            }
        case .compute(_, .forceUnwrap, let operands): return operands.first.flatMap { view($0, context) }
        default: return nil
        }
    }

    /// The properties that methods of a data source of self read.
    private var readByDataSource: Set<String> {
        var found: Set<String> = []
        for id in program.chain(of: owner).flatMap({ program.members(of: $0) }) {
            guard let first = program[id].parameters.first, ["UITableView", "UICollectionView"].contains(first.type.name), let body = program[id].body else { continue }
            body.block.forEachStatement { statement in
                if case .read(_, .name(let name)) = statement.kind { found.insert(name) }
                if case .read(_, .member(.selfObject, let name)) = statement.kind { found.insert(name) }
            }
        }
        return found
    }

    // MARK: What is presented

    /// A controller of the project that self presents over its view.
    private struct Sheet {
        let type: TypeID
        /// The closures that it is given.
        let closures: [(closure: Closure, body: Body, id: MemberID)]
    }

    private static let overlays: Set<String> = ["pageSheet", "formSheet", "popover", "overFullScreen", "overCurrentContext", "automatic"]

    private var sheets: [Sheet] {
        program.chain(of: owner).flatMap { program.members(of: $0) }.flatMap { id -> [Sheet] in
            guard let body = program[id].body, program[id].kind == .function else { return [] }
            let context = program.context(of: body, in: id, as: owner)
            let occurrence = MemberOccurrence(id: id, facts: program[id], owner: owner, typeName: program[owner].name)
            return BodyOccurrence(member: occurrence, body: body, context: context).madeObjects { _ in true }.compactMap { made in
                guard case .project(let types) = program.resolve(made.type.unwrapped, in: context.scope), types.count == 1, types[0] != owner, program.isType(types[0], kindOf: "UIViewController"),
                      isSheet(made.uses, of: types[0], context) else { return nil }
                let closures = made.uses.all.compactMap { use, _ -> (Closure, Body, MemberID)? in
                    guard case .set(_, .register(let register)) = use, case .closure(_, let closure)? = context.definition(of: register)?.kind else { return nil }
                    return (closure, body, id)
                } + made.call.arguments.compactMap { argument -> (Closure, Body, MemberID)? in
                    guard case .register(let register) = argument.value, case .closure(_, let closure)? = context.definition(of: register)?.kind else { return nil }
                    return (closure, body, id)
                }
                return Sheet(type: types[0], closures: closures)
            }
        }
    }

    /// Whether what is made is presented, alone or in a navigation controller, and leaves the view of self in place.
    private func isSheet(_ uses: ValueUses, of type: TypeID, _ context: BodyContext, depth: Int = 0) -> Bool {
        var isPresented = false
        var style: String?
        for (use, _) in uses.all {
            switch use {
            case .set("modalPresentationStyle", let value):
                guard let name = Self.styleName(value, context), style == nil || style == name else { return false }
                style = name
            case .set("transitioningDelegate", _), .read("presentationController"), .read("popoverPresentationController"), .read("sheetPresentationController"), .kept: return false
            case .given(let call, let argument):
                if call.callee.baseName == "present", argument == call.arguments.first, call.arguments.dropFirst().first?.label == "animated", isOnSelf(call, context) { isPresented = true }
                if depth == 0, case .initializer(let wrapper) = call.callee, wrapper.name == "UINavigationController", argument == call.arguments.first,
                   isSheet(ValueUses(of: [call.result], in: context.body), of: type, context, depth: 1) { return true }
            default: break
            }
        }
        guard isPresented else { return false }
        if let style { return Self.overlays.contains(style) }
        // Without a style iOS 13 and later show a sheet, but the class may choose for itself.
        return depth == 0 && !input.family(of: type).flatMap { program.members(of: $0) }.contains { id in
            program[id].baseName == "modalPresentationStyle" || program[id].bodies.contains { _, body in
                var found = false
                body.block.forEachStatement { statement in
                    switch statement.kind {
                    case .write(.name(let name), _), .write(.member(_, let name), _): if name == "modalPresentationStyle" || name == "transitioningDelegate" { found = true }
                    default: break
                    }
                }
                return found
            }
        } || depth == 1
    }

    private func isOnSelf(_ call: Call, _ context: BodyContext) -> Bool {
        switch call.callee {
        case .name: true
        case .member(let receiver, _): context.isSelf(receiver)
        default: false
        }
    }

    /// `pageSheet` of `.pageSheet` and of `UIModalPresentationPageSheet`.
    private static func styleName(_ operand: Operand, _ context: BodyContext) -> String? {
        var name: String
        switch operand {
        case .constant(.implicitMember(let text)): name = text
        case .register(let register):
            switch context.definition(of: register)?.kind {
            case .read(_, .member(.type, let text)), .read(_, .name(let text)): name = text
            default: return nil
            }
        default: return nil
        }
        if name.hasPrefix("UIModalPresentation") { name = String(name.dropFirst("UIModalPresentation".count)) }
        return name.prefix(1).lowercased() + name.dropFirst()
    }

    // MARK: What the sheet changes

    /// What code of self does that a sheet calls.
    private struct Changes {
        var properties: Set<String> = []
        /// What it shows itself.
        var shown: Set<String> = []
    }

    /// Nil where the sheet may tell self in another way, or where not all that its calls do is known.
    private func changes(by sheet: Sheet) -> Changes? {
        var found = Changes()
        var isUnclear = false
        func note(_ step: EventCode.Step) {
            switch step.statement.kind {
            case .write(.name(let name), _), .write(.member(.selfObject, let name), _): found.properties.insert(name)
            case .write(.member(let base, let name), _):
                if step.context.isSelf(base) { found.properties.insert(name) } else if let view = view(base, step.context) { found.shown.insert("\(view).\(name)") } else { isUnclear = true }
            case .collection(let operation, let call):
                guard [.append, .insert, .remove, .removeAll, .removeFirst, .removeLast].contains(operation), case .member(.register(let register), _) = call.callee else { return }
                switch step.context.definition(of: register)?.kind {
                case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)): found.properties.insert(name)
                default: break
                }
            case .call(let call):
                // A function of self is looked into; another may show anything.
                switch call.callee {
                case .initializer, .implicitMember: break
                case .name(let name), .member(.selfObject, let name): if name == "dismiss" { isUnclear = isUnclear || hasCompletion(call) } else if program.members(named: name, on: owner).isEmpty { isUnclear = true }
                case .member(_, "dismiss"): isUnclear = isUnclear || hasCompletion(call)
                default: isUnclear = true
                }
            case .opaque: isUnclear = true
            default: break
            }
        }
        var called: Set<String> = []
        for id in input.family(of: sheet.type).flatMap({ program.members(of: $0) }) {
            guard !program[id].isPartial else { return nil }
            for (_, body) in program[id].bodies {
                body.block.forEachStatement { statement in
                    guard let call = statement.call, let name = call.callee.baseName else { return }
                    switch call.callee {
                    case .superMember: return
                    case .member(let receiver, _): if receiver != .selfObject, let full = call.fullName { called.insert(full) }
                    default: break
                    }
                    if Self.messengers.contains(name) { isUnclear = true }
                }
            }
        }
        let code = EventCode(input: input, type: owner)
        for id in program.chain(of: owner).flatMap({ program.members(of: $0) }) where program[id].kind == .function && called.contains(program[id].fullName) && !Self.appearing.contains(program[id].fullName) && !program[id].isOverride {
            guard let body = program[id].body else { continue }
            code.visit(body, file: id.declaration.file, typeName: program[id.declaration].name, note)
        }
        for (closure, body, id) in sheet.closures {
            let inner = Body(locals: body.locals, parameters: closure.parameters, block: closure.block, registerCount: body.registerCount, statementCount: body.statementCount, span: body.span)
            code.visit(inner, file: id.declaration.file, typeName: program[id.declaration].name, note)
        }
        return isUnclear || found.properties.isEmpty ? nil : found
    }

    private func hasCompletion(_ call: Call) -> Bool {
        call.arguments.contains { $0.label == "completion" && $0.value != .constant(.null) || $0.isTrailing }
    }
}
