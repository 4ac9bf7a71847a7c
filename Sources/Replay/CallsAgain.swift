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

    /// Through how many calls an event comes to the method at most.
    private static let mostHelpers = 4

    /// Whether a member calls a method whatever it finds.
    private func surelyCalls(_ method: MemberID, _ caller: MemberID) -> Bool {
        guard program[caller].kind == .function, let block = program[caller].body?.block else { return false }
        return surelyCalls(program[method].fullName, block)
    }

    private func surelyCalls(_ fullName: String, _ block: Block) -> Bool {
        for (place, statement) in block.enumerated() {
            if statement.call?.fullName == fullName { return true }
            // What is put off comes all the same.
            if case .closure(let register, let closure) = statement.kind,
               block[(place + 1)...].contains(where: { next in next.call.map { isSurelyRun(by: $0) && $0.arguments.contains { $0.value == .register(register) } } ?? false }),
               surelyCalls(fullName, closure.block) { return true }
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
