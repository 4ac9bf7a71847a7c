import ProgramModel

/// Lists of objects that are given what counts when they are in it: a row that a table keeps, and that gets its callback then.
extension Machine {
    /// Whether a call of a function, which has nothing to do with resources itself, keeps an object that may be given closures later.
    func keepsWhatTakesClosures(_ body: Body, _ arguments: [Value]) -> Bool {
        arguments.contains(where: takesClosures) && lookups.keepsParameters(body)
    }

    /// Whether a call of such a function empties a list of its object, which is the end of what the list kept.
    func emptiesList(_ body: Body, of selfValue: Value) -> Bool {
        guard case .object(let id) = selfValue, id != ClassRuns.object, case .project = world[id].kind else { return false }
        return lookups.namesEmptied(by: body).contains { if case .collection? = world[id].fields[$0] { true } else { false } }
    }

    private func takesClosures(_ value: Value) -> Bool {
        guard case .object(let id) = value, id != ClassRuns.object, case .project(let type) = world[id].kind else { return false }
        return lookups.takesClosures(type)
    }
}

extension Lookups {
    /// Whether a body puts what it is given into a property or a list, or gives it on to a method of its object.
    func keepsParameters(_ body: Body) -> Bool {
        if let known = keptParameters[ObjectIdentifier(body)] { return known }
        var given: Set<Register> = []
        let found = body.block.containsStatement { statement in
            func isGiven(_ operand: Operand) -> Bool { if case .register(let register) = operand { given.contains(register) } else { false } }
            switch statement.kind {
            case .read(let register, .local(let local)):
                if body.parameters.contains(local) { given.insert(register) }
                return false
            case .write(.local, _): return false
            case .write(_, let value): return isGiven(value)
            case .collection(let operation, let call): return (operation == .append || operation == .insert) && call.arguments.contains { isGiven($0.value) }
            case .call(let call): return call.callee.nameCalledOnSelf != nil && call.arguments.contains { isGiven($0.value) }
            default: return false
            }
        }
        keptParameters[ObjectIdentifier(body)] = found
        return found
    }

    /// The names of the properties that a body empties.
    func namesEmptied(by body: Body) -> Set<String> {
        if let known = emptiedByBody[ObjectIdentifier(body)] { return known }
        let found = Self.emptied(in: body) { _ in false }
        emptiedByBody[ObjectIdentifier(body)] = found
        return found
    }

    /// Whether objects of a class have a property for a closure.
    func takesClosures(_ type: TypeID) -> Bool {
        if let known = closureTakers[type] { return known }
        let found = program.chain(of: type).contains { link in
            program.members(of: link).contains { program[$0].kind == .property && program[$0].type?.unwrapped.name == "->" }
        }
        closureTakers[type] = found
        return found
    }
}
