import Findings
import ProgramModel
import SourceText

extension Check {
    /// Controllers of a tab bar that give themselves an item only when their view is loaded.
    static let lateTabItems = Check(rules: ["tab_item_set_late"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).flatMap { LateTabItems(input: input, file: file, member: $0)?.findings() ?? [] }
    }
}

/// The item that one late method sets.
private struct LateTabItems {
    private let input: CheckInput
    private let file: Int
    private let member: MemberOccurrence

    private static let late: Set<String> = ["loadView()", "viewDidLoad()", "viewWillAppear(_:)", "viewIsAppearing(_:)", "viewDidAppear(_:)"]
    private static let parts: Set<String> = ["title", "image", "selectedImage"]

    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        guard Self.late.contains(member.facts.fullName), !member.facts.isPartial, input.program.isType(member.owner, kindOf: "UIViewController") else { return nil }
        (self.input, self.file, self.member) = (input, file, member)
    }

    func findings() -> [Finding] {
        var set: (name: String, step: EventCode.Step)?
        EventCode(input: input, type: member.owner).visit(member, file: file) { step in
            if set == nil, let name = item(step) { set = (name, step) }
        }
        guard let set, !isSetEarly, let isWrapped = placement, set.name != "title" || !isWrapped else { return [] }
        let way = set.step.callers.first.map { ", by '\($0)'," } ?? ""
        return [input.finding(
            "tab_item_set_late",
            "'\(set.name)' is first set\(way) when the view of '\(member.typeName)' is loaded, and a tab bar loads it when its tab is chosen: until then the item is empty; set it in the initialiser, or where the controller is made",
            at: set.step.entry, in: file, type: member.typeName, member: member.facts.fullName)]
    }

    /// The property by which a statement gives self a tab item.
    private func item(_ step: EventCode.Step) -> String? {
        guard case .write(let place, let value) = step.statement.kind, value != .constant(.null) else { return nil }
        switch place {
        case .name(let name), .member(.selfObject, let name):
            return ["tabBarItem", "title"].contains(name) && input.program.members(named: name, on: member.owner).isEmpty ? name : nil
        case .member(.register(let base), let name):
            guard Self.parts.contains(name) else { return nil }
            switch step.context.definition(of: base)?.kind {
            case .read(_, .name("tabBarItem")), .read(_, .member(.selfObject, "tabBarItem")): return "tabBarItem.\(name)"
            default: return nil
            }
        default: return nil
        }
    }

    /// Whether an initialiser gives an item, or the class makes it when it is asked.
    private var isSetEarly: Bool {
        let program = input.program
        let chain = program.chain(of: member.owner)
        if chain.contains(where: { program[$0].membersByName["tabBarItem"] != nil || program[$0].membersByName["title"] != nil }) { return true }
        return chain.flatMap { program.members(of: $0) }.contains { id in
            guard program[id].kind == .initializer || program[id].baseName == "awakeFromNib", let body = program[id].body else { return false }
            var found = false
            EventCode(input: input, type: member.owner).visit(body, file: id.declaration.file, typeName: program[id.declaration].name) { if item($0) != nil { found = true } }
            return found
        }
    }

    // MARK: Where it is made

    /// Whether the project puts such a controller into a tab bar without giving it an item, and in a navigation controller there; nil where it does not.
    private var placement: Bool? {
        let name = input.program[member.owner].name.split(separator: ".").last.map(String.init) ?? ""
        let placements = (input.names.constructions[name] ?? []).filter { !input.program.files[$0.file].isTest }.map(placement)
        guard !placements.isEmpty, placements.allSatisfy({ $0 != nil }) else { return nil }
        return placements.contains(true)
    }

    private func placement(at place: UsedNames.Place) -> Bool? {
        let program = input.program
        let context = BodyContext(body: place.body, selfType: place.owner, scope: Scope(file: place.file, typeName: place.owner.map { program[$0].name } ?? ""), isStatic: false)
        var wraps: Bool?
        var isGiven = false
        place.body.block.forEachStatement { statement in
            switch statement.kind {
            case .write(let target, let value):
                if case .member(let base, "viewControllers") = target, isTabBar(base, context) { wraps = wraps ?? position(in: value, context) }
                if case .name("viewControllers") = target, place.owner.map({ program.isType($0, kindOf: "UITabBarController") }) ?? false { wraps = wraps ?? position(in: value, context) }
                if case .member(let base, let name) = target, mayGive(name, to: base, context) { isGiven = true }
            case .call(let call):
                guard call.callee.baseName == "setViewControllers", let first = call.arguments.first?.value else { return }
                let receiver: Operand = if case .member(let receiver, _) = call.callee { receiver } else { .selfObject }
                if isTabBar(receiver, context) { wraps = wraps ?? position(in: first, context) }
            default: break
            }
        }
        return isGiven ? nil : wraps
    }

    private func isTabBar(_ operand: Operand, _ context: BodyContext) -> Bool {
        guard let type = input.inference.type(of: operand, in: context) else { return false }
        switch input.inference.resolve(type) {
        case .platform(let name): return input.program.platform.isClass(name, kindOf: "UITabBarController")
        case .project(let types): return types.count == 1 && input.program.isType(types[0], kindOf: "UITabBarController")
        case .unknown: return false
        }
    }

    /// Whether a write may give an item to the controller: one to a value that is surely another object does not.
    private func mayGive(_ name: String, to base: Operand, _ context: BodyContext) -> Bool {
        guard name == "tabBarItem" || Self.parts.contains(name) else { return false }
        var holder = base
        if name != "tabBarItem", case .register(let register) = base, case .read(_, .member(let owner, "tabBarItem"))? = context.definition(of: register)?.kind { holder = owner }
        guard let type = input.inference.type(of: holder, in: context) else { return true }
        switch input.inference.resolve(type) {
        case .platform(let known): return ["UIViewController", "UINavigationController", "UITabBarItem"].contains(known)
        case .project(let types): return types.contains(member.owner) || types.count != 1
        case .unknown: return true
        }
    }

    /// Whether the controller is wrapped where it stands in a list of tabs; nil where it does not, or is the first, which is loaded at once.
    private func position(in list: Operand, _ context: BodyContext) -> Bool? {
        guard case .register(let register) = list else { return nil }
        switch context.definition(of: register)?.kind {
        case .compute(_, .array, let operands):
            return operands.dropFirst().lazy.compactMap { made($0, context) }.first
        case .read(_, .local(let local)): return context.body[local].isMutable ? nil : context.value(of: local).flatMap { position(in: $0, context) }
        default: return nil
        }
    }

    private func made(_ operand: Operand, _ context: BodyContext, depth: Int = 0) -> Bool? {
        guard depth < 5, case .register(let register) = operand else { return nil }
        switch context.definition(of: register)?.kind {
        case .read(_, .local(let local)): return context.value(of: local).flatMap { made($0, context, depth: depth + 1) }
        case .call(let call):
            guard case .initializer(let type) = call.callee else { return nil }
            if type.name == "UINavigationController", let root = call.arguments.first, ["rootViewController"].contains(root.label) {
                return made(root.value, context, depth: depth + 1) == nil ? nil : true
            }
            guard case .project(let types) = input.program.resolve(type, in: context.scope), types == [member.owner] else { return nil }
            return false
        default: return nil
        }
    }
}
