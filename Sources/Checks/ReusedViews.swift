import ProgramModel
import RuleLibrary

/// The cells, headers and other views that one body gets from a list which uses them again, and the view that SwiftUI hands to an update.
struct ReusedViews {
    /// The values that are such a view itself.
    let reused: ValueUses
    /// The values that are the view or belong to it, and what is computed from them.
    private let derived: DerivedValues
    private let place: BodyOccurrence
    /// Whether SwiftUI hands the view to an update: the first one finds a new view, and any condition may ask for it.
    let isUpdated: Bool

    /// Nil where a body gets no such view.  `orUpdated` says whether the view of an update counts, `given` which parameters are views that the
    /// callers got from a list.
    init?(in place: BodyOccurrence, _ knowledge: GeometryKnowledge, orUpdated: Bool = false, given: Set<LocalID> = []) {
        self.place = place
        isUpdated = orUpdated && Self.updates.contains(place.member.facts.fullName)
        var parameters = given
        if isUpdated, let first = place.body.parameters.first { parameters.insert(first) }
        if knowledge.shownAgain.contains(place.member.facts.fullName), place.body.parameters.count > 1 { parameters.insert(place.body.parameters[1]) }
        var made: Set<Register> = []
        place.body.block.forEachStatement { statement in
            if case .read(let register, .local(let local)) = statement.kind, parameters.contains(local) { made.insert(register) }
            if let call = statement.call, let name = call.fullName, knowledge.givesAgain(name) { made.insert(call.result) }
        }
        guard !made.isEmpty else { return nil }
        reused = ValueUses(of: made, in: place.body)
        derived = DerivedValues(from: reused.registers, reused.locals, in: place.body)
    }

    /// UIViewRepresentable page and its kin: an update comes whenever state that the view depends on changes.
    private static let updates: Set<String> = ["updateUIView(_:context:)", "updateUIViewController(_:context:)", "updateNSView(_:context:)", "updateNSViewController(_:context:)"]

    /// The parameters of a function of the class that all calls of it in the class give views which a list uses again.
    static func parameters(givenTo place: BodyOccurrence, in program: Program, _ knowledge: GeometryKnowledge) -> Set<LocalID> {
        let facts = place.member.facts
        guard facts.kind == .function, !facts.isOverride, facts.body == place.body, !place.body.parameters.isEmpty else { return [] }
        var given: Set<Int>?
        for type in program.chain(of: place.member.owner) {
            for id in program.members(of: type) {
                for (_, body) in program[id].bodies where body != place.body && body.block.calledNames.contains(facts.baseName) {
                    let caller = BodyOccurrence(
                        member: MemberOccurrence(id: id, facts: program[id], owner: type, typeName: program[type].name), body: body, context: program.context(of: body, in: id, as: type))
                    let views = ReusedViews(in: caller, knowledge)
                    let open = views?.openStatements ?? []
                    body.block.forEachStatement { statement in
                        guard let call = statement.call, call.callee.nameCalledOnSelf == facts.baseName, let matched = facts.argumentsOfAnySwift(of: call) else { return }
                        let here = matched.indices.filter { index in open.contains(statement.id) && matched[index].contains { views?.reused.holds(call.arguments[$0].value) ?? false } }
                        given = given.map { $0.intersection(here) } ?? Set(here)
                    }
                }
            }
        }
        return Set((given ?? []).filter { $0 < place.body.parameters.count }.map { place.body.parameters[$0] })
    }

    /// Whether a value is the view, belongs to it or is computed from it.
    func isDerived(_ operand: Operand) -> Bool { derived.contains(operand) }

    /// The project's classes of the views.
    func classes(_ input: CheckInput) -> [TypeID] {
        reused.registers.sorted { $0.index < $1.index }.flatMap { register -> [TypeID] in
            guard let inferred = input.inference.type(of: .register(register), in: place.context), case .project(let types) = input.inference.resolve(inferred) else { return [] }
            return types
        }
    }

    /// The statements that run for a view that was used before, whatever it has on it.
    var openStatements: Set<Int32> {
        guard isUpdated else { return openStatements(of: place.body.block, isOpen: true).found }
        let certain = place.body.block.prefix { if case .branch(_, let then, let otherwise) = $0.kind { then.lastExit == nil && otherwise.lastExit == nil } else { true } }
        return Set(certain.map(\.id))
    }

    /// The statements that run for a view that was used before, whatever it has on it; and whether such a view comes to the end of
    /// the block.
    private func openStatements(of block: Block, isOpen: Bool) -> (found: Set<Int32>, isOpen: Bool) {
        var (found, isOpen): (Set<Int32>, Bool) = ([], isOpen)
        var isNew = false
        for statement in block {
            guard isOpen else { break }
            if case .write(.local(let local), let value) = statement.kind, reused.locals.contains(local) { isNew = !reused.holds(value) && isMade(value) }
            if isNew { continue }
            found.insert(statement.id)
            switch statement.kind {
            case .branch(let clauses, let then, let otherwise):
                for clause in clauses { found.formUnion(openStatements(of: clause.setup, isOpen: true).found) }
                let question = question(clauses)
                let first = openStatements(of: then, isOpen: question == .none || question == .isThere)
                let second = openStatements(of: otherwise, isOpen: question == .none || question == .isAbsent)
                found.formUnion(first.found)
                found.formUnion(second.found)
                switch question {
                case .none: break
                // A view that is there goes the one way only.
                case .isThere: isOpen = first.isOpen && then.lastExit == nil
                case .isAbsent: isOpen = second.isOpen && otherwise.lastExit == nil
                case .ofItsParts: isOpen = then.lastExit == nil && otherwise.lastExit == nil
                }
            default:
                for inner in statement.innerBlocks(enteringClosures: true) { found.formUnion(openStatements(of: inner, isOpen: true).found) }
            }
        }
        return (found, isOpen && !isNew)
    }

    /// Whether a value is an object that is made here.
    private func isMade(_ value: Operand) -> Bool {
        guard case .register(let register) = value, case .initializer? = place.context.definition(of: register)?.call?.callee else { return false }
        return true
    }

    /// What a condition asks about the view.
    private enum Question { case none, isThere, isAbsent, ofItsParts }

    private func question(_ clauses: [Clause]) -> Question {
        clauses.reduce(.none) { asked, clause in
            let next = question(clause.test)
            return asked == .none || next == .ofItsParts ? next : asked
        }
    }

    private func question(_ test: Test) -> Question {
        switch test {
        case .isPresent(let value), .isTrue(let value):
            if reused.holds(value) { return .isThere }
            if case .register(let register) = value, case .compute(_, .symbol(let symbol), let operands)? = place.context.definition(of: register)?.kind,
               operands.contains(where: reused.holds), operands.contains(.constant(.null)) {
                return symbol == "==" ? .isAbsent : .isThere
            }
            return isDerived(value) ? .ofItsParts : .none
        case .matches(let value, let pattern):
            guard isDerived(value) else { return .none }
            switch pattern {
            case .present, .type, .bind: return reused.holds(value) ? .isThere : .ofItsParts
            case .wildcard, .value, .enumCase, .tuple: return .ofItsParts
            }
        }
    }
}
