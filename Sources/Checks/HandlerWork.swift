import ProgramModel

/// What a handler does, as something that can be compared: two handlers of one control that do the same do it twice for each event.
enum HandlerWork: Hashable {
    /// It only calls this method of the object.
    case method(MemberID)
    /// Its statements, with names of registers and of its own locals left out.
    case statements([String])

    /// The work of a method; nil where the method does nothing, or not all of it is known.
    init?(of member: MemberID, on owner: TypeID, _ program: Program, depth: Int = 0) {
        guard let body = program[member].body, !program[member].isPartial, !program[member].modifiers.contains("async") else { return nil }
        let context = BodyContext(body: body, selfType: owner, scope: Scope(file: member.declaration.file, typeName: program[member.declaration].name), isStatic: false)
        if depth < 4, let next = Self.onlyCallee(of: body.block, parameters: body.parameters, context, program), next != member {
            self = HandlerWork(of: next, on: owner, program, depth: depth + 1) ?? .method(next)
        } else if let lines = Self.lines(of: body) {
            self = .statements(lines)
        } else {
            return nil
        }
    }

    /// The work of a closure in a body of the owner.
    init?(of closure: Closure, in context: BodyContext, on owner: TypeID, _ program: Program) {
        if let next = Self.onlyCallee(of: closure.block, parameters: closure.parameters, context, program) {
            self = HandlerWork(of: next, on: owner, program) ?? .method(next)
            return
        }
        let captured = closure.captures.map(\.local)
        let body = Body(locals: context.body.locals, parameters: closure.parameters + captured, block: closure.block, registerCount: 0, statementCount: 0, span: context.body.span)
        guard let lines = Self.lines(of: body) else { return nil }
        self = .statements(lines)
    }

    /// The method of self that a block calls without doing anything else.
    private static func onlyCallee(of block: Block, parameters: [LocalID], _ context: BodyContext, _ program: Program) -> MemberID? {
        guard let owner = context.selfType else { return nil }
        var calls: [Call] = []
        var isPlain = true
        block.forEachStatement { statement in
            switch statement.kind {
            case .call(let call): calls.append(call)
            case .read(_, .local), .assign, .exit(.returns), .declare: break
            case .branch(let clauses, _, _):
                for clause in clauses {
                    switch clause.test {
                    case .isPresent(let value), .matches(let value, .present): if !context.isSelf(value) { isPlain = false }
                    case .isTrue, .matches: isPlain = false
                    }
                }
            default: isPlain = false
            }
        }
        guard isPlain, calls.count == 1, !calls[0].maySuspend else { return nil }
        // Nothing, or what the handler itself was given.
        guard calls[0].arguments.allSatisfy({ argument in
            guard case .register(let register) = argument.value, case .read(_, .local(let local))? = context.definition(of: register)?.kind else { return false }
            return parameters.contains(local)
        }) else { return nil }
        let name: String
        switch calls[0].callee {
        case .name(let base): name = base
        case .member(let receiver, let base) where context.isSelf(receiver): name = base
        default: return nil
        }
        let functions = program.members(named: name, on: owner).filter { program[$0].kind == .function && !program[$0].isStatic }
        return functions.count == 1 && program[functions[0]].fullName == calls[0].fullName ? functions[0] : nil
    }

    /// The statements of a body as texts; nil where nothing happens, or something that was not lowered.
    private static func lines(of body: Body) -> [String]? {
        var (acts, isKnown) = (false, true)
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .call, .collection, .write: acts = true
            case .opaque: isKnown = false
            default: break
            }
        }
        guard acts, isKnown else { return nil }
        var names: [String: String] = [:]
        for (index, local) in body.parameters.enumerated() { names["\(body[local].name)#\(local.index)"] = "parameter\(index)" }
        return StatementPrinter.lines(of: body, indent: 0).map { line in
            var text = ""
            // The place in the text stands at the end.
            for word in (line.ranges(of: "  @").last.map { line[..<$0.lowerBound] } ?? line[...]).split(omittingEmptySubsequences: false, whereSeparator: { " (),.[]{}".contains($0) }) {
                let isDeclared = text.hasSuffix("let ") || text.hasSuffix("var ")
                let key = String(word)
                if key.hasPrefix("%") || isDeclared && key.contains("#"), names[key] == nil { names[key] = "\(key.prefix(1))\(names.count)" }
                text += names[key] ?? key
                text += " "
            }
            return text
        }
    }
}

extension BodyContext {
    /// Whether the operand is self, also as a closure has it again from its capture list.
    func isSelf(_ operand: Operand, depth: Int = 0) -> Bool {
        let operand = uncast(operand)
        if operand == .selfObject { return true }
        guard depth < 6, case .register(let register) = operand, case .read(_, .local(let local))? = definition(of: register)?.kind else { return false }
        return value(of: local).map { isSelf($0, depth: depth + 1) } ?? (body[local].name == "self")
    }
}
