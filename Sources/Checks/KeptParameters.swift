import ProgramModel

/// Which of its parameters a function puts into properties of its object that keep them: as they are, in a value that is made with
/// them, in a list, or in a closure that mentions them.
struct KeptParameters {
    let program: Program

    /// The property that keeps an argument of a call on an object of the type; nil where none does, or where a subclass or another
    /// overload might be meant.
    func property(keeping argument: Int, of call: Call, on type: TypeID) -> String? {
        guard let name = call.callee.baseName else { return nil }
        let fitting = program.members(named: name, on: type).filter { program[$0].kind == .function && program[$0].body != nil && program[$0].accepts(call) }
        guard fitting.count == 1, let id = fitting.first, let parameter = program[id].argumentsOfAnySwift(of: call)?.firstIndex(where: { $0.contains(argument) }) else { return nil }
        return property(keepingParameter: parameter, of: id, on: type)
    }

    /// The property that keeps a parameter of a function of the type.
    func property(keepingParameter index: Int, of id: MemberID, on type: TypeID) -> String? {
        guard let body = program[id].body else { return nil }
        return property(keepingParameter: index, of: body, in: id, on: type)
    }

    /// The property that keeps a parameter of a body of the member, as the new value of an accessor.
    func property(keepingParameter index: Int, of body: Body, in id: MemberID, on type: TypeID) -> String? {
        fate(ofParameter: index, of: body, in: id, on: type, depth: 0).property
    }

    /// What becomes of an argument.
    private struct Fate {
        /// The property that keeps it.
        var property: String?
        /// Whether the function returns it, or a value that has it.
        var isReturned = false
    }

    private func fate(ofParameter index: Int, of body: Body, in id: MemberID, on type: TypeID, depth: Int) -> Fate {
        guard depth < 3, index < body.parameters.count, !program[id].isStatic else { return Fate() }
        var carriers: Set<LocalID> = [body.parameters[index]]
        var values: Set<Register> = []
        var lists: [Register: String] = [:]
        var fate = Fate()
        func keep(_ value: Operand, in list: Operand) {
            if carries(value), case .register(let register) = list, let name = lists[register], program.keeps(name, of: type) { fate.property = name }
        }
        func carries(_ operand: Operand) -> Bool { if case .register(let register) = operand { values.contains(register) } else { false } }
        body.block.forEachStatement(enteringClosures: false) { statement in
            guard fate.property == nil else { return }
            switch statement.kind {
            case .read(let register, .local(let local)): if carriers.contains(local) { values.insert(register) }
            case .read(let register, .element(.register(let list), _)): lists[register] = lists[list]
            case .read(let register, let place): lists[register] = place.ownName
            case .collection(.append, let call), .collection(.insert, let call):
                if case .member(let list, _) = call.callee { for argument in call.arguments { keep(argument.value, in: list) } }
            case .write(.element(let list, _), let value): keep(value, in: list)
            case .closure(let register, let closure):
                let mentions = ClosureMentions(closure, program: program, owner: nil) { _, _ in [] }
                if !mentions.locals.isDisjoint(with: carriers) || closure.captures.contains(where: { $0.strength == .strong && carries($0.value) }) { values.insert(register) }
            case .declare(let local, let value?), .write(.local(let local), let value): if carries(value) { carriers.insert(local) }
            case .compute(let register, _, let operands): if operands.contains(where: carries) { values.insert(register) }
            case .assign(let register, let value): if carries(value) { values.insert(register) }
            case .write(.name(let name), let value), .write(.member(.selfObject, let name), let value): if carries(value), program.keeps(name, of: type) { fate.property = name }
            case .exit(.returns(let value)): if carries(value) { fate.isReturned = true }
            case .call(let call): follow(call)
            default: break
            }
        }
        func follow(_ call: Call) {
            guard let index = call.arguments.firstIndex(where: { carries($0.value) }) else { return }
            switch call.callee {
            // A value that is made with it has it.
            case .initializer(let made) where isValue(made, in: Scope(file: id.declaration.file, typeName: program[type].name)): values.insert(call.result)
            case .name(let name), .member(.selfObject, let name):
                let next = program.members(named: name, on: type).filter { program[$0].kind == .function && program[$0].fullName == call.fullName }
                guard next.count == 1, let body = program[next[0]].body else { return }
                let inner = self.fate(ofParameter: index, of: body, in: next[0], on: type, depth: depth + 1)
                fate.property = inner.property
                if inner.isReturned { values.insert(call.result) }
            default: break
            }
        }
        return fate
    }

    private func isValue(_ type: TypeReference, in scope: Scope) -> Bool {
        if case .project(let types) = program.resolve(type, in: scope) { types.allSatisfy { program[$0].kind == .struct } } else { false }
    }
}
