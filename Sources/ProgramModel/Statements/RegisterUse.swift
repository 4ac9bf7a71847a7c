extension Statement {
    /// Visits the places that the statement itself reads, writes or hands out, and the values that it uses, those in places among
    /// them; what stands in inner blocks is left out.
    public func forEachUse(place visitPlace: (Place) -> Void, operand visit: (Operand) -> Void) {
        func note(_ place: Place) {
            visitPlace(place)
            switch place {
            case .local, .name, .superMember: break
            case .member(let base, _): visit(base)
            case .element(let base, let arguments):
                visit(base)
                for argument in arguments { visit(argument.value) }
            }
        }
        func note(_ pattern: Pattern) {
            switch pattern {
            case .wildcard, .bind: break
            case .value(let operand): visit(operand)
            case .enumCase(_, let parts), .tuple(let parts): for part in parts { note(part) }
            case .type(_, let inner), .present(let inner): note(inner)
            }
        }
        func note(_ clauses: [Clause]) {
            for clause in clauses {
                switch clause.test {
                case .isTrue(let operand), .isPresent(let operand): visit(operand)
                case .matches(let operand, let pattern):
                    visit(operand)
                    note(pattern)
                }
            }
        }
        if let call {
            switch call.callee {
            case .member(let receiver, _), .value(let receiver): visit(receiver)
            default: break
            }
            for argument in call.arguments {
                visit(argument.value)
                if let place = argument.place { note(place) }
            }
        }
        switch kind {
        case .read(_, let place): note(place)
        case .write(let place, let value):
            note(place)
            visit(value)
        case .declare(_, let value): if let value { visit(value) }
        case .closure(_, let closure), .function(_, let closure), .spawn(_, let closure): for capture in closure.captures { visit(capture.value) }
        case .compute(_, _, let operands): for operand in operands { visit(operand) }
        case .assign(_, let value), .suspend(let value): visit(value)
        case .branch(let clauses, _, _): note(clauses)
        case .select(let subject, let cases, _):
            visit(subject)
            for item in cases.flatMap(\.items) {
                note(item.pattern)
                note(item.guards)
            }
        case .loop(let loop):
            switch loop.kind {
            case .whileTrue(let clauses), .repeatWhile(let clauses): note(clauses)
            case .forEach(let pattern, let sequence, let guards, _):
                note(pattern)
                visit(sequence)
                note(guards)
            }
        case .exit(.returns(let value)), .exit(.throwing(let value)): visit(value)
        case .attempt(_, let catches, _):
            for item in catches.flatMap(\.items) {
                note(item.pattern)
                note(item.guards)
            }
        case .call, .collection, .scope, .deferred, .exit, .configuration, .opaque: break
        }
    }
}

extension Body {
    /// The registers whose values some statement uses, those of closures included.
    public var usedRegisters: Set<Register> { block.usedRegisters }
}

extension Block {
    /// The registers whose values some statement uses, those of closures included.
    public var usedRegisters: Set<Register> {
        var used: Set<Register> = []
        forEachStatement { statement in
            statement.forEachUse(place: { _ in }, operand: { if case .register(let register) = $0 { used.insert(register) } })
        }
        return used
    }
}
