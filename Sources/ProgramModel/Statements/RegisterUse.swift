extension Body {
    /// The registers whose values some statement uses, those of closures included.
    public var usedRegisters: Set<Register> {
        var used: Set<Register> = []
        func note(_ operand: Operand) { if case .register(let register) = operand { used.insert(register) } }
        func note(_ place: Place) {
            switch place {
            case .local, .name, .superMember: break
            case .member(let base, _): note(base)
            case .element(let base, let arguments):
                note(base)
                arguments.forEach { note($0.value) }
            }
        }
        func note(_ pattern: Pattern) {
            switch pattern {
            case .wildcard, .bind: break
            case .value(let operand): note(operand)
            case .enumCase(_, let parts), .tuple(let parts): parts.forEach(note)
            case .type(_, let inner), .present(let inner): note(inner)
            }
        }
        func note(_ clauses: [Clause]) {
            for clause in clauses {
                switch clause.test {
                case .isTrue(let operand), .isPresent(let operand): note(operand)
                case .matches(let operand, let pattern):
                    note(operand)
                    note(pattern)
                }
            }
        }
        block.forEachStatement { statement in
            if let call = statement.call {
                switch call.callee {
                case .member(let receiver, _), .value(let receiver): note(receiver)
                default: break
                }
                for argument in call.arguments {
                    note(argument.value)
                    if let place = argument.place { note(place) }
                }
            }
            switch statement.kind {
            case .read(_, let place): note(place)
            case .write(let place, let value):
                note(place)
                note(value)
            case .declare(_, let value): if let value { note(value) }
            case .closure(_, let closure), .function(_, let closure), .spawn(_, let closure): closure.captures.forEach { note($0.value) }
            case .compute(_, _, let operands): operands.forEach(note)
            case .assign(_, let value), .suspend(let value): note(value)
            case .branch(let clauses, _, _): note(clauses)
            case .select(let subject, let cases, _):
                note(subject)
                for item in cases.flatMap(\.items) {
                    note(item.pattern)
                    note(item.guards)
                }
            case .loop(let loop):
                switch loop.kind {
                case .whileTrue(let clauses), .repeatWhile(let clauses): note(clauses)
                case .forEach(let pattern, let sequence, let guards, _):
                    note(pattern)
                    note(sequence)
                    note(guards)
                }
            case .exit(.returns(let value)), .exit(.throwing(let value)): note(value)
            case .attempt(_, let catches, _):
                for item in catches.flatMap(\.items) {
                    note(item.pattern)
                    note(item.guards)
                }
            case .call, .collection, .scope, .deferred, .exit, .configuration, .opaque: break
            }
        }
        return used
    }
}
