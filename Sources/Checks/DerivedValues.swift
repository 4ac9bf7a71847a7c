import ProgramModel

/// The values of a body that are some values, belong to them or are computed from them.
struct DerivedValues {
    private var registers: Set<Register>
    private var locals: Set<LocalID>

    /// Follows what the registers and locals hold.
    init(from registers: Set<Register>, _ locals: Set<LocalID> = [], in body: Body) {
        (self.registers, self.locals) = (registers, locals)
        var count = -1
        while count != self.registers.count + self.locals.count {
            count = self.registers.count + self.locals.count
            body.block.forEachStatement { spread($0) }
        }
    }

    /// Whether the operand is such a value.
    func contains(_ operand: Operand) -> Bool {
        if case .register(let register) = operand { registers.contains(register) } else { false }
    }

    private mutating func spread(_ statement: Statement) {
        switch statement.kind {
        case .read(let result, .local(let local)): if locals.contains(local) { registers.insert(result) }
        case .read(let result, .member(let base, _)), .read(let result, .element(let base, _)): if contains(base) { registers.insert(result) }
        case .declare(let local, let value?), .write(.local(let local), let value): if contains(value) { locals.insert(local) }
        case .assign(let result, let value): if contains(value) { registers.insert(result) }
        case .compute(let result, _, let operands): if operands.contains(where: contains) { registers.insert(result) }
        case .call(let call), .collection(_, let call):
            if case .member(let base, _) = call.callee, contains(base) { registers.insert(call.result) }
            if call.arguments.contains(where: { contains($0.value) }) { registers.insert(call.result) }
        case .branch(let clauses, _, _): for clause in clauses { if case .matches(let value, let pattern) = clause.test, contains(value) { bind(pattern) } }
        case .closure(_, let closure), .function(_, let closure), .spawn(_, let closure):
            for capture in closure.captures where contains(capture.value) { locals.insert(capture.local) }
        default: break
        }
    }

    private mutating func bind(_ pattern: Pattern) {
        switch pattern {
        case .bind(let local): locals.insert(local)
        case .present(let inner), .type(_, let inner): bind(inner)
        case .wildcard, .value, .enumCase, .tuple: break
        }
    }
}
