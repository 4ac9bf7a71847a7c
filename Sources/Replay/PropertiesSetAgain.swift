import ProgramModel

/// Properties that other objects set again, as their code or those objects show.
extension OutsideCallers {
    /// Whether a header of Objective-C offers a property to whoever wants to set it.
    func isListed(_ property: MemberID) -> Bool {
        program.files[property.declaration.file].facts.language == .objectiveC && program.members(of: type).contains { id in
            program[id].kind == .property && program[id].baseName == program[property].baseName && program.files[id.declaration.file].path.hasSuffix(".h") && !program[id].modifiers.contains { $0.hasSuffix("(set)") }
        }
    }

    /// Whether the code that runs when a property is set asks for the value before, which only makes sense where it is set again.
    func expectsAnother(_ member: MemberFacts) -> Bool {
        [member.accessors?.didSet, member.accessors?.willSet].contains { $0?.block.readNames.contains("oldValue") ?? false || $0.map(readsOldValue) ?? false }
            || member.accessors?.set.map { comparesWithValue($0, of: member.baseName) } ?? false
    }

    private func readsOldValue(_ body: Body) -> Bool {
        body.block.containsStatement { if case .read(_, .local(let local)) = $0.kind { body[local].name == "oldValue" } else { false } }
    }

    /// Whether a setter compares what it is given with what the property holds.
    private func comparesWithValue(_ body: Body, of property: String) -> Bool {
        var (given, held): (Set<Register>, Set<Register>) = ([], [])
        func isIn(_ registers: Set<Register>, _ operand: Operand) -> Bool { if case .register(let register) = operand { registers.contains(register) } else { false } }
        return body.block.containsStatement { statement in
            switch statement.kind {
            case .read(let register, .local(let local)): if body.parameters.contains(local) { given.insert(register) }
            case .read(let register, let place): if place.ownName?.withoutUnderscore == property { held.insert(register) }
            case .compute(_, .symbol(let spelling), let operands):
                return ["==", "!=", "===", "!=="].contains(spelling) && operands.contains { isIn(given, $0) } && operands.contains { isIn(held, $0) }
            case .call(let call):
                guard call.callee.baseName?.hasPrefix("isEqual") ?? false, case .member(let receiver, _) = call.callee, let other = call.arguments.first?.value else { return false }
                return isIn(given, receiver) && isIn(held, other) || isIn(held, receiver) && isIn(given, other)
            default: break
            }
            return false
        }
    }
}
