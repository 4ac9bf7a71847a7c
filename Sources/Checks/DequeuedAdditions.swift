import Findings
import ProgramModel
import RuleLibrary

extension Check {
    /// Views, layers and recognisers that are made and added each time a cell is used again.
    static let dequeuedAdditions = Check(rules: ["repeated_setup"]) { input, file in
        guard let knowledge = input.library.geometry, !input.program.files[file].isTest else { return [] }
        return input.bodies(inFile: file).flatMap { place in
            DequeuedAdditions(input: input, knowledge: knowledge, file: file, place: place)?.findings() ?? []
        }
    }
}

/// The search in one body that gets cells, headers or other views that a list uses again.
private struct DequeuedAdditions {
    private let input: CheckInput
    private let knowledge: GeometryKnowledge
    private let file: Int
    private let place: BodyOccurrence
    /// The values that are the reused view itself.
    private let reused: ValueUses
    /// The values that are the view or belong to it, and what is computed from them.
    private var derived: Set<Register> = []
    private var derivedLocals: Set<LocalID> = []

    private var program: Program { input.program }

    init?(input: CheckInput, knowledge: GeometryKnowledge, file: Int, place: BodyOccurrence) {
        (self.input, self.knowledge, self.file, self.place) = (input, knowledge, file, place)
        var made: Set<Register> = []
        var takesAway = false
        place.body.block.forEachStatement { statement in
            guard let call = statement.call, let name = call.callee.baseName else { return }
            if name.hasPrefix("dequeueReusable") || name == "dequeueConfiguredReusableCell" { made.insert(call.result) }
            if knowledge.removes.contains(name) { takesAway = true }
        }
        guard !made.isEmpty, !takesAway else { return nil }
        reused = ValueUses(of: made, in: place.body)
        derived = reused.registers
        derivedLocals = reused.locals
        var count = -1
        while count != derived.count + derivedLocals.count {
            count = derived.count + derivedLocals.count
            place.body.block.forEachStatement { spread($0) }
        }
        guard !isEmptied else { return nil }
    }

    private mutating func spread(_ statement: Statement) {
        switch statement.kind {
        case .read(let result, .local(let local)): if derivedLocals.contains(local) { derived.insert(result) }
        case .read(let result, .member(let base, _)), .read(let result, .element(let base, _)): if isDerived(base) { derived.insert(result) }
        case .declare(let local, let value?), .write(.local(let local), let value): if isDerived(value) { derivedLocals.insert(local) }
        case .assign(let result, let value): if isDerived(value) { derived.insert(result) }
        case .compute(let result, _, let operands): if operands.contains(where: isDerived) { derived.insert(result) }
        case .call(let call), .collection(_, let call):
            if case .member(let base, _) = call.callee, isDerived(base) { derived.insert(call.result) }
            if call.arguments.contains(where: { isDerived($0.value) }) { derived.insert(call.result) }
        case .branch(let clauses, _, _): for clause in clauses { if case .matches(let value, let pattern) = clause.test, isDerived(value) { bind(pattern) } }
        case .closure(_, let closure), .function(_, let closure), .spawn(_, let closure):
            for capture in closure.captures where isDerived(capture.value) { derivedLocals.insert(capture.local) }
        default: break
        }
    }

    private mutating func bind(_ pattern: Pattern) {
        switch pattern {
        case .bind(let local): derivedLocals.insert(local)
        case .present(let inner), .type(_, let inner): bind(inner)
        case .wildcard, .value, .enumCase, .tuple: break
        }
    }

    private func isDerived(_ operand: Operand) -> Bool {
        if case .register(let register) = operand { derived.contains(register) } else { false }
    }

    /// Whether the class of the view takes something away, before the next use or at its own time, or its owner does when it has gone.
    private var isEmptied: Bool {
        let classes = reused.registers.sorted { $0.index < $1.index }.compactMap { register -> [TypeID]? in
            guard let inferred = input.inference.type(of: .register(register), in: place.context), case .project(let types) = input.inference.resolve(inferred) else { return nil }
            return types
        }
        func takesAway(_ id: MemberID) -> Bool {
            program[id].bodies.contains { $0.body.block.containsStatement { $0.call?.callee.baseName.map(knowledge.removes.contains) ?? false } }
        }
        return classes.joined().contains { program.chain(of: $0).contains { program.members(of: $0).contains(where: takesAway) } }
            || program.chain(of: place.member.owner).contains { type in program.members(of: type).contains { program[$0].fullName.contains("didEndDisplaying") && takesAway($0) } }
    }

    // MARK: Additions

    func findings() -> [Finding] {
        let open = openStatements(of: place.body.block, isOpen: true).found
        return place.madeObjects { _ in true }.compactMap { object in
            // What somebody keeps, somebody may take away.
            guard !object.uses.isMixed, !object.uses.all.contains(where: { if case .kept = $0.use { true } else { false } }) else { return nil }
            for (use, statement) in object.uses.all {
                guard case .given(let call, let argument) = use, call.arguments.first == argument, case .member(let base, let name) = call.callee,
                      knowledge.adds.contains(name), isDerived(base), open.contains(statement.id), open.contains(object.statement.id) else { continue }
                return input.finding(
                    "repeated_setup",
                    "a new '\(object.type.name)' is added each time the view is used again, and those before stay on it; add it once, in the class of the view, or take the old one away first",
                    at: statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
            }
            return nil
        }
    }

    /// The statements that run for a view that was used before, whatever it has on it; and whether such a view comes to the end of
    /// the block.
    private func openStatements(of block: Block, isOpen: Bool) -> (found: Set<Int32>, isOpen: Bool) {
        var (found, isOpen): (Set<Int32>, Bool) = ([], isOpen)
        for statement in block {
            guard isOpen else { break }
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
        return (found, isOpen)
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
