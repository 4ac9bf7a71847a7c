import Findings
import ProgramModel
import RuleLibrary
import SourceText

extension Check {
    /// Controls of cells that get another action for another row, while a cell that is used again keeps those of the rows before.
    static let rowActions = Check(rules: ["repeated_setup"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.bodies(inFile: file).flatMap { RowActions(input: input, file: file, place: $0)?.findings() ?? [] }
    }
}

/// The actions that one body gives to the controls of the views that it gets from a list.
private struct RowActions {
    private let input: CheckInput
    private let file: Int
    private let place: BodyOccurrence
    /// The views that the body gets from lists; nil where it belongs to the class of such a view.
    private let views: ReusedViews?
    private let sources: [Source]
    /// The lists that ask for a cell, and what is computed from them.
    private let ofLists: DerivedValues

    /// A call that gets a view, with all that holds the view.
    private struct Source {
        /// What the view is used again by: the list and the identifier.
        let pool: String
        let uses: ValueUses
    }

    /// An action that a control gets.
    private struct Registration {
        /// What is called on whom.
        struct Action: Hashable {
            let target: String
            let name: String
        }

        let control: String
        let events: Set<String>
        let action: Action
        /// The arms of branches in which it stands: by the branch, which arm.
        let arms: [Int32: Int]
        let statement: Statement
    }

    init?(input: CheckInput, file: Int, place: BodyOccurrence) {
        guard place.body.block.containsStatement({ $0.call?.callee.baseName == "addTarget" }), !Self.takesActions(place.body) else { return nil }
        (self.input, self.file, self.place, views) = (input, file, place, input.library.geometry.flatMap { ReusedViews(in: place, $0) })
        guard let classes = views?.classes(input) ?? Self.cell(place, input).map({ [$0] }), !classes.contains(where: { Self.takesActions($0, input.program) }) else { return nil }
        var (sources, lists): ([Source], Set<String>) = ([], [])
        place.body.block.forEachStatement { statement in
            guard let call = statement.call, call.callee.baseName?.hasPrefix("dequeueReusable") == true, case .member(let list, _) = call.callee,
                  let name = ConditionAtom.text(of: list, in: place.context), let first = call.arguments.first?.value, let identifier = Self.fixedText(of: first, in: place.context) else { return }
            lists.insert(name)
            sources.append(Source(pool: "\(name) \(identifier)", uses: ValueUses(of: [call.result], in: place.body)))
        }
        guard !sources.isEmpty || views == nil else { return nil }
        var reads: Set<Register> = []
        place.body.block.forEachStatement { statement in
            if case .read(let register, let read) = statement.kind, let name = ConditionAtom.name(of: read, in: place.context), lists.contains(name) { reads.insert(register) }
        }
        (self.sources, ofLists) = (sources, DerivedValues(from: reads, in: place.body))
    }

    /// The class of cells of which the body is a method that tells a cell what to show.
    private static func cell(_ place: BodyOccurrence, _ input: CheckInput) -> TypeID? {
        let facts = place.member.facts
        guard facts.kind == .function, !facts.isStatic, input.library.geometry?.prepares(facts.fullName, cell: true) ?? false,
              ["UITableViewCell", "UICollectionViewCell"].contains(where: { input.program.isType(place.member.owner, kindOf: $0) }) else { return nil }
        return place.member.owner
    }

    /// What an identifier is called where it is the same each time: a text, or a name that no local has.
    private static func fixedText(of operand: Operand, in context: BodyContext) -> String? {
        guard let text = ConditionAtom.text(of: operand, in: context) else { return nil }
        if case .register(let register) = context.uncast(operand), case .read(_, .local(let local))? = context.definition(of: register)?.kind {
            return context.value(of: local).flatMap { fixedText(of: $0, in: context) }
        }
        return text.contains("#") ? nil : text
    }

    /// Whether code of a class takes actions from some control.
    private static func takesActions(_ type: TypeID, _ program: Program) -> Bool {
        program.chain(of: type).flatMap { program.members(of: $0) }.contains { program[$0].bodies.contains { takesActions($0.body) } }
    }

    private static func takesActions(_ body: Body) -> Bool {
        body.block.calledNames.contains { $0.hasPrefix("remove") && ($0.contains("Target") || $0.contains("Action")) }
    }

    // MARK: Actions

    func findings() -> [Finding] {
        let open = views?.openStatements
        let all = registrations(in: place.body.block, arms: [:]).filter { open?.contains($0.statement.id) ?? true }
        return all.enumerated().compactMap { index, one in
            // Of each control the first is told.
            guard !all[..<index].contains(where: { $0.control == one.control && !$0.events.isDisjoint(with: one.events) }),
                  let other = all[(index + 1)...].first(where: { isForAnotherRow($0, than: one) }), let event = one.events.intersection(other.events).min() else { return nil }
            let name = one.control.split(separator: ".").last.map(String.init) ?? one.control
            return input.finding(
                "repeated_setup",
                "a cell that is used again keeps the actions of the rows before: '\(name)' then calls both '\(one.action.name)' and '\(other.action.name)' (line \(other.statement.span.start.line)) for '\(event)'; take the old ones away with 'removeTarget' first, or give one action in the class of the cell",
                at: one.statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
        }
    }

    /// Whether the same control gets another action for the same event, on a way that excludes the first.
    private func isForAnotherRow(_ other: Registration, than one: Registration) -> Bool {
        other.control == one.control && other.action != one.action && !other.events.isDisjoint(with: one.events)
            && one.arms.contains { branch, arm in other.arms[branch].map { $0 != arm } ?? false }
    }

    /// What controls get in a block that runs where these arms of branches do.
    private func registrations(in block: Block, arms: [Int32: Int]) -> [Registration] {
        var arms = arms
        var found: [Registration] = []
        for statement in block {
            switch statement.kind {
            case .call(let call):
                if let registration = registration(call, at: statement, arms) { found.append(registration) }
            case .branch(let clauses, let then, let otherwise):
                // Which list asks is no question of the row.
                let isOfRow = !clauses.contains { asksForList($0.test) }
                found += clauses.flatMap { registrations(in: $0.setup, arms: arms) }
                for (arm, block) in [then, otherwise].enumerated() {
                    found += registrations(in: block, arms: isOfRow ? arms.merging([statement.id: arm]) { $1 } : arms)
                }
                // What stands behind an arm that leaves is the other arm.
                if isOfRow, then.lastExit != nil { arms[statement.id] = 1 }
                if isOfRow, otherwise.lastExit != nil { arms[statement.id] = 0 }
            case .select(let subject, let cases, _):
                let isOfRow = !ofLists.contains(subject)
                for (arm, one) in cases.enumerated() {
                    found += registrations(in: one.body, arms: isOfRow ? arms.merging([statement.id: arm]) { $1 } : arms)
                }
            default:
                found += statement.innerBlocks(enteringClosures: false).flatMap { registrations(in: $0, arms: arms) }
            }
        }
        return found
    }

    private func registration(_ call: Call, at statement: Statement, _ arms: [Int32: Int]) -> Registration? {
        let context = place.context
        guard case .member(let receiver, "addTarget") = call.callee, call.arguments.count == 3, case .constant(.selector(let selector)) = call.arguments[1].value,
              let target = ConditionAtom.text(of: call.arguments[0].value, in: context), let events = context.controlEvents(call.arguments[2].value), !events.isEmpty,
              let control = control(receiver) else { return nil }
        return Registration(control: control, events: events, action: Registration.Action(target: target, name: selector), arms: arms, statement: statement)
    }

    /// The control by the cells that have it and its name there; nil for what is no outlet of a view that is used again.
    private func control(_ operand: Operand) -> String? {
        let pools = Set(sources.filter { $0.uses.holds(operand) }.map(\.pool))
        if pools.count == 1 { return pools.first }
        guard pools.isEmpty, case .register(let register) = place.context.uncast(operand) else { return nil }
        switch place.context.definition(of: register)?.kind {
        case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)): return views == nil ? name : nil
        case .read(_, .member(let base, let name)): return control(base).map { "\($0).\(name)" }
        case .read(_, .local(let local)): return place.context.value(of: local).flatMap(control)
        default: return nil
        }
    }

    private func asksForList(_ test: Test) -> Bool {
        switch test {
        case .isTrue(let value), .isPresent(let value), .matches(let value, _): ofLists.contains(value)
        }
    }
}
