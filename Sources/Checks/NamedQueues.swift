import ProgramModel
import RuleLibrary

/// The queues that a class names for what it is told: for the methods of a delegate when it makes itself one, and for the handler in a
/// property when it starts the object that has it.
struct NamedQueues {
    let input: CheckInput
    let threads: ThreadKnowledge

    private var program: Program { input.program }

    /// What a handler is a property of.
    private enum Holder: Hashable {
        case property(String)
        case local(LocalID)
    }

    /// The call by which a class has its method of this base name called in the background; nil where it also names another queue, or
    /// one that nobody knows.
    func call(namingQueueOf method: String, of type: TypeID) -> String? {
        let names = Set(threads.delegateQueues.filter { $0.value.contains(method) }.keys)
        guard !names.isEmpty else { return nil }
        return only(in: type) { call, _ in
            guard call.arguments.contains(where: { $0.value == .selfObject }) else { return nil }
            if case .initializer(let made) = call.callee { return names.contains(made.name) ? made.name : nil }
            return call.callee.baseName.flatMap { names.contains($0) ? $0 : nil }
        }
    }

    /// The class of an object that runs the closures in this property of it on a queue in the background, as the class says that starts it.
    func holder(ofHandler property: String, of object: Operand, in place: BodyOccurrence) -> String? {
        let classes = threads.startedHandlers.filter { $0.value.contains(property) }
        guard !classes.isEmpty, let name = input.className(of: object, in: place.context), classes[name] != nil, let holder = holder(object, place.context) else { return nil }
        let isStarted = only(in: place.member.owner) { call, other in
            guard case .member(let receiver, "start") = call.callee, self.holder(receiver, other.context) == holder else { return nil }
            if case .local = holder, other.body != place.body { return nil }
            return "start"
        } != nil
        return isStarted ? name : nil
    }

    private func holder(_ operand: Operand, _ context: BodyContext) -> Holder? {
        guard case .register(let register) = operand, let statement = context.definition(of: register) else { return nil }
        switch statement.kind {
        case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)): return .property(name)
        case .read(_, .local(let local)): return .local(local)
        default: return nil
        }
    }

    /// What the calls of a class are named by, if there are some and each of them names a queue in the background.
    private func only(in type: TypeID, _ name: (Call, BodyOccurrence) -> String?) -> String? {
        var found: String?
        for owner in program.chain(of: type) {
            for id in program.members(of: owner) {
                let member = MemberOccurrence(id: id, facts: program[id], owner: owner, typeName: program[owner].name)
                for (_, body) in program[id].bodies {
                    let place = BodyOccurrence(member: member, body: body, context: member.context(of: body))
                    var isBackground = true
                    body.block.forEachStatement { statement in
                        guard let call = statement.call, let named = name(call, place) else { return }
                        found = named
                        guard let queue = call.arguments.first(where: { $0.label == "queue" }), QueueSearch(input: input, place: place).queue(queue.value) == .background else { return isBackground = false }
                    }
                    guard isBackground else { return nil }
                }
            }
        }
        return found
    }
}
