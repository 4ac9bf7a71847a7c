import ProgramModel
import RuleLibrary

/// Resources that hand themselves to what they call, which may end them: a timer, when it has fired often enough.
extension Machine {
    /// Whether what is called again and again ends itself when it has seen enough: its closure, or the method that it calls, ends what it
    /// is handed.
    func endsItself(_ registration: Registration, _ family: ResourceFamily) -> Bool {
        func ends(_ handed: LocalID, in block: Block) -> Bool {
            var reads: Set<Register> = []
            return block.containsStatement { statement in
                if case .read(let register, .local(handed)) = statement.kind { reads.insert(register) }
                guard let call = statement.call, case .member(.register(let receiver), _) = call.callee, let name = call.fullName else { return false }
                return reads.contains(receiver) && family.release.contains { $0.isCalled(name) }
            }
        }
        let isEndedByMethod = registration.handler.map { handler in
            guard case .object(let id) = registration.observer, case .project(let type) = world[id].kind else { return false }
            return program.members(named: handler, on: type).contains { id in program[id].body.map { body in body.parameters.first.map { ends($0, in: body.block) } ?? false } ?? false }
        }
        return isEndedByMethod ?? false || (registration.held + registration.callbacks).contains { value in
            guard case .closure(let index) = value, case let closure = world.closures[index].closure, let handed = closure.parameters.first else { return false }
            return ends(handed, in: closure.block)
        }
    }
}
