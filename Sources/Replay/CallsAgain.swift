import ProgramModel
import RuleLibrary

/// Whether other objects call a method again and again: by what people do, or by events of theirs that come more than once.
struct CallsAgain {
    let replay: Replay

    private var program: Program { replay.program }

    /// Whether code outside the classes of a chain surely calls a method whenever something happens that happens again and again.
    func isCalledAgain(_ method: MemberID, outside chain: Set<TypeID>) -> Bool {
        isCalledAgain(method, depth: 0) { caller in program[caller].isStatic || program.owners(of: caller.declaration).allSatisfy { !chain.contains($0) } }
    }

    private func isCalledAgain(_ method: MemberID, depth: Int, by mayCall: (MemberID) -> Bool) -> Bool {
        guard depth < Self.mostHelpers else { return false }
        return replay.relevance.users(of: method).contains { caller in
            mayCall(caller) && !program.files[caller.declaration.file].isTest && surelyCalls(method, caller)
                && (comesAgain(caller) || isCalledAgain(caller, depth: depth + 1) { _ in true })
        }
    }

    /// Whether an event of another object that comes more than once surely calls a method on the one object that a property of it keeps from
    /// its beginning: `model.start()` in `viewWillAppear`.
    func isCalledAgainOnOne(_ method: MemberID, outside chain: Set<TypeID>) -> Bool {
        replay.relevance.users(of: method).contains { caller in
            guard let owner = program.owners(of: caller.declaration).first, !chain.contains(owner), !program.files[caller.declaration.file].isTest,
                  program[caller].kind == .function, let body = program[caller].body else { return false }
            let context = BodyContext(body: body, selfType: owner, scope: Scope(file: caller.declaration.file, typeName: program[owner].name), isStatic: program[caller].isStatic)
            let (name, classes) = (program[method].fullName, Set(program.owners(of: method.declaration).map { program[$0].shortName }))
            return surelyCalls(body.block) { $0.fullName == name && isOnConstant($0, context, owner, of: classes) } && (comesAgain(caller) || isCalledOnSelfAgain(caller, depth: 0))
        }
    }

    /// Whether an event of the same object that comes more than once surely calls a method.
    private func isCalledOnSelfAgain(_ method: MemberID, depth: Int) -> Bool {
        guard depth < Self.mostHelpers else { return false }
        let name = program[method].fullName
        return replay.relevance.users(of: method).contains { caller in
            guard program[caller].kind == .function, let block = program[caller].body?.block,
                  !Set(program.owners(of: caller.declaration)).isDisjoint(with: program.owners(of: method.declaration)) else { return false }
            return surelyCalls(block) { $0.fullName == name && $0.callee.nameCalledOnSelf != nil } && (comesAgain(caller) || isCalledOnSelfAgain(caller, depth: depth + 1))
        }
    }

    /// Whether a call is made on the object of one of these classes that a property has and nobody sets anew.
    private func isOnConstant(_ call: Call, _ context: BodyContext, _ owner: TypeID, of classes: Set<String>) -> Bool {
        guard case .member(.register(let register), _) = call.callee else { return false }
        let name: String? = switch context.definition(of: register)?.kind {
        case .read(_, let place)?: place.ownName
        default: nil
        }
        guard let name, let property = program.members(named: name, on: owner).first(where: { program[$0].kind == .property }).map({ program[$0] }),
              let type = TypeInference(program).type(of: .register(register), in: context)?.reference.unwrapped.name, classes.contains(ProgramType.shortName(of: type)) else { return false }
        return property.isConstant || property.attributes.contains { ["StateObject", "ObservedObject", "EnvironmentObject"].contains($0.name) }
    }

    /// Whether a method acquires something first of all whatever it is told, and what it acquires has nothing to do with that.
    func acquiresWhateverIsTold(_ method: MemberID) -> Bool {
        guard let body = program[method].body else { return false }
        var told: Set<Register> = []
        func isTold(_ operand: Operand) -> Bool { if case .register(let register) = operand { told.contains(register) } else { false } }
        for statement in body.block {
            switch statement.kind {
            case .read(let register, .local(let local)): if body.parameters.contains(local) { told.insert(register) }
            case .read(let register, .member(let base, _)): if isTold(base) { told.insert(register) }
            case .compute(let register, _, let operands): if operands.contains(where: isTold) { told.insert(register) }
            case .write: break
            default:
                guard let call = statement.call else { return false }
                let isOfWhatIsTold = call.arguments.contains { isTold($0.value) } || { if case .member(let receiver, _) = call.callee { isTold(receiver) } else { false } }()
                if !isOfWhatIsTold, let name = call.fullName, !replay.library.families(acquiredBy: name).isEmpty { return true }
                if isOfWhatIsTold { told.insert(call.result) }
            }
            if statement.mayReturn { return false }
        }
        return false
    }

    /// Through how many calls an event comes to the method at most.
    private static let mostHelpers = 4

    /// Whether a member calls a method whatever it finds.
    private func surelyCalls(_ method: MemberID, _ caller: MemberID) -> Bool {
        guard program[caller].kind == .function, let block = program[caller].body?.block else { return false }
        let name = program[method].fullName
        // What a class calls on its own object is its own.
        let owners = Set(program.owners(of: method.declaration))
        let isOfOwn = program.owners(of: caller.declaration).contains { program.chain(of: $0).contains(where: owners.contains) || program[$0].kind == .protocol }
        return surelyCalls(block) { call in
            if case .superMember = call.callee, !isOfOwn { return false }
            return call.fullName == name && (isOfOwn || call.callee.nameCalledOnSelf == nil)
        }
    }

    private func surelyCalls(_ block: Block, _ isWanted: (Call) -> Bool) -> Bool {
        for (place, statement) in block.enumerated() {
            if let call = statement.call, isWanted(call) { return true }
            // What a view gives to one of its events.
            if case .closure(let register, let closure) = statement.kind, block[(place + 1)...].contains(where: { $0.call?.callee == .value(.register(register)) }),
               surelyCalls(closure.block, isWanted) { return true }
            // What is put off comes all the same.
            if case .closure(let register, let closure) = statement.kind,
               block[(place + 1)...].contains(where: { next in next.call.map { isSurelyRun(by: $0) && $0.arguments.contains { $0.value == .register(register) } } ?? false }),
               surelyCalls(closure.block, isWanted) { return true }
            // Who may leave before does not surely come to it.
            if statement.mayReturn { return false }
        }
        return false
    }

    /// Whether a call runs the closure that it is given, at once or later.
    private func isSurelyRun(by call: Call) -> Bool {
        switch call.callee.baseName.flatMap({ replay.library.closureRoles[$0] }) {
        case .now, .later: true
        default: false
        }
    }

    /// Whether a member runs whenever people do something, or by an event that comes more than once in the life of its object.
    private func comesAgain(_ id: MemberID) -> Bool {
        let member = program[id]
        if member.isAction { return true }
        return program.owners(of: id.declaration).contains { owner in
            let automaton = replay.automaton(of: owner)
            return automaton.transitions.contains { $0.calls.contains(member.fullName) && !$0.isRare && $0.needs == nil && automaton.canComeAgain($0) } || isSentByControls(member, of: owner)
        }
    }

    /// Whether code of a class gives a method to controls, bar items or recognisers to send.
    private func isSentByControls(_ member: MemberFacts, of type: TypeID) -> Bool {
        program.chain(of: type).contains { link in
            program.members(of: link).contains { id in
                program[id].bodies.contains { $0.body.block.containsStatement { $0.call.map { $0.givesAction && $0.handlers.contains(member.baseName) } ?? false } }
            }
        }
    }
}
