import Findings
import ProgramModel
import SourceText

extension Check {
    /// Layout callbacks that make the next layout necessary.
    static let layoutFeedbacks = Check(rules: ["layout_feedback_loop"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).flatMap { LayoutFeedbacks(input: input, file: file, member: $0)?.findings() ?? [] }
    }
}

/// What one layout callback does to the view that it lays out.
private struct LayoutFeedbacks {
    private let input: CheckInput
    private let file: Int
    private let member: MemberOccurrence
    /// Whether the object is the view itself and no controller of it.
    private let isView: Bool

    private static let callbacks: [(name: String, class: String, isView: Bool)] = [
        ("viewWillLayoutSubviews()", "UIViewController", false), ("viewDidLayoutSubviews()", "UIViewController", false), ("layoutSubviews()", "UIView", true),
        ("viewWillLayout()", "NSViewController", false), ("viewDidLayout()", "NSViewController", false), ("layout()", "NSView", true),
    ]

    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        guard !member.facts.isPartial, let callback = Self.callbacks.first(where: { $0.name == member.facts.fullName && input.program.isType(member.owner, kindOf: $0.class) }) else { return nil }
        (self.input, self.file, self.member, isView) = (input, file, member, callback.isView)
    }

    func findings() -> [Finding] {
        var found: [Finding] = []
        /// What code of the class sets to nil again, so that it may be there for one pass.
        let program = input.program
        lazy var cleared = Set(program.chain(of: member.owner).flatMap { program.members(of: $0) }.flatMap { program[$0].bodies }.flatMap { $0.body.block.namesSetToNil })
        // What each pass sets anew has nothing of the one before.
        var setAnew: Set<String> = []
        EventCode(input: input, type: member.owner).visit(member, file: file) { step in
            // Whether there is a picture or a header says nothing of what has changed.
            guard !step.isConditional || !step.isConditionalOnMore && step.asked.isDisjoint(with: cleared) else { return }
            var place: String?
            if case .write(let written, _) = step.statement.kind { place = ConditionAtom.name(of: written, in: step.context) }
            guard let cause = cause(step), !(place.map(setAnew.contains) ?? false) else {
                if let place { setAnew.insert(place) }
                return
            }
            let way = step.callers.first.map { ", by '\($0)'," } ?? (cause.contains(", which") ? "," : "")
            found.append(input.finding(
                "layout_feedback_loop",
                "\(cause)\(way) on every pass of '\(member.facts.baseName)', so each layout asks for another and the app never comes to rest; do it only when something has changed",
                at: step.entry, in: file, type: member.typeName, member: member.facts.fullName))
        }
        return found
    }

    /// What a statement does that makes the view need layout again.
    private func cause(_ step: EventCode.Step) -> String? {
        switch step.statement.kind {
        case .call(let call):
            guard call.callee.baseName == "setNeedsLayout", call.arguments.isEmpty else { return nil }
            switch call.callee {
            case .name, .member(.selfObject, _): return isView ? "'setNeedsLayout' is called on the view itself" : nil
            case .member(let receiver, _): return isLaidOut(receiver, step.context) ? "'setNeedsLayout' is called on the controller's own view" : nil
            default: return nil
            }
        case .write(.name("needsLayout"), .constant(.boolean(true))), .write(.member(.selfObject, "needsLayout"), .constant(.boolean(true))):
            return isView ? "'needsLayout' is set on the view itself" : nil
        case .write(.member(let base, "needsLayout"), .constant(.boolean(true))):
            return isLaidOut(base, step.context) ? "'needsLayout' is set on the controller's own view" : nil
        case .write(let place, let value):
            if let name = tableEnd(place, step.context) { return "'\(name)' is set, which lays the table out anew" }
            if isView, let name = place.ownName, asksForLayout(name) { return "'\(name)' is set, whose observer asks for layout" }
            guard let grown = grows(place, by: value, step.context) ?? changedCopy(in: place, value, step.context) else { return nil }
            return "'\(grown)' is set to more or less than it was"
        default: return nil
        }
    }

    private var isTable: Bool { input.program.isType(member.owner, kindOf: isView ? "UITableView" : "UITableViewController") }

    /// Whether a value is the table that a controller keeps for its own.
    private func isOwnTable(_ operand: Operand, _ context: BodyContext) -> Bool {
        guard ConditionAtom.text(of: operand, in: context) == "tableView" else { return false }
        return isTable || input.inference.type(of: operand, in: context).map { input.inference.resolve($0) == .platform("UITableView") } ?? false
    }

    /// Whether the observer of a property of the view asks for layout whatever the value was before.
    private func asksForLayout(_ property: String) -> Bool {
        input.program.members(named: property, on: member.owner).contains { id in
            input.program[id].accessors?.didSet?.block.contains { statement in
                switch statement.kind {
                case .write(let place, .constant(.boolean(true))): place.ownName == "needsLayout"
                case .call(let call): call.callee.nameCalledOnSelf == "setNeedsLayout"
                default: false
                }
            } ?? false
        }
    }

    private func tableEnd(_ place: Place, _ context: BodyContext) -> String? {
        let name: String
        switch place {
        case .name(let own), .member(.selfObject, let own): name = isView && isTable ? own : ""
        case .member(let base, let property):
            guard !isView, isOwnTable(base, context) else { return nil }
            name = property
        default: return nil
        }
        return ["tableHeaderView", "tableFooterView"].contains(name) ? name : nil
    }

    /// Whether the value is the view that is laid out.
    private func isLaidOut(_ operand: Operand, _ context: BodyContext) -> Bool {
        if operand == .selfObject { return isView }
        guard !isView, case .register(let register) = operand else { return false }
        switch context.definition(of: register)?.kind {
        case .read(_, .name("view")), .read(_, .member(.selfObject, "view")): return input.program.members(named: "view", on: member.owner).isEmpty
        default: return false
        }
    }

    /// The place, as `view.frame.size.height`, that is set to itself plus or minus something.
    private func grows(_ place: Place, by value: Operand, _ context: BodyContext) -> String? {
        guard case .register(let register) = value, case .compute(_, .symbol(let symbol), let operands)? = context.definition(of: register)?.kind,
              ["+", "-"].contains(symbol), operands.count == 2, let name = ConditionAtom.name(of: place, in: context),
              ConditionAtom.text(of: operands[0], in: context) == name else { return nil }
        guard operands[1] != .constant(.integer(0)) else { return nil }
        let parts = name.split(separator: ".").map(String.init)
        let isOwn = isView ? ["frame", "bounds"].contains(parts[0]) : parts.count > 1 && parts[0] == "view" && ["frame", "bounds"].contains(parts[1])
        return isOwn || isConstraint(place, context) ? name : nil
    }

    /// The own frame or bounds, where it is set to a copy of which a side was set to more or less than it was.
    private func changedCopy(in place: Place, _ value: Operand, _ context: BodyContext) -> String? {
        guard isView, let name = ConditionAtom.name(of: place, in: context), ["frame", "bounds"].contains(name),
              let copy = ConditionAtom.text(of: value, in: context), copy.contains("#") else { return nil }
        let isChanged = context.body.block.containsStatement { statement in
            guard case .write(let part, .register(let register)) = statement.kind, let partName = ConditionAtom.name(of: part, in: context), partName.hasPrefix(copy + ".size."),
                  case .compute(_, .symbol(let symbol), let operands)? = context.definition(of: register)?.kind, ["+", "-"].contains(symbol), operands.count == 2,
                  let old = ConditionAtom.text(of: operands[0], in: context), operands[1] != .constant(.integer(0)) else { return false }
            let side = partName.dropFirst(copy.count)
            return [copy, "frame", "bounds"].contains { old == $0 + side }
        }
        return isChanged ? name : nil
    }

    /// Whether the place is the constant of a constraint.
    private func isConstraint(_ place: Place, _ context: BodyContext) -> Bool {
        guard case .member(let base, "constant") = place, let type = input.inference.type(of: base, in: context) else { return false }
        return input.inference.resolve(type) == .platform("NSLayoutConstraint")
    }
}
