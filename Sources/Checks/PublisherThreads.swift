import ProgramModel
import RuleLibrary

/// On which threads sequences of Combine and RxSwift give their values: those of the network come on a queue of the session's until a
/// scheduler moves them.
struct PublisherThreads {
    private let input: CheckInput
    private let threads: ThreadKnowledge
    private let place: BodyOccurrence
    private let depth: Int

    /// How many functions are gone through to where a sequence begins.
    private static let deepest = 4

    init(input: CheckInput, threads: ThreadKnowledge, place: BodyOccurrence, depth: Int = 0) {
        (self.input, self.threads, self.place, self.depth) = (input, threads, place, depth)
    }

    /// Why the closures of who listens to a sequence run on another thread; nil where they do not, or nobody knows.
    func reason(of sequence: Operand) -> String? {
        for link in place.context.chain(behind: sequence) {
            guard let call = link.call, let name = call.callee.baseName, case .member(let receiver, _) = call.callee else { return origin(of: link.value) }
            if Self.begins.contains(name), threads.sessionPublishers.contains(name) { return reason(ofSession: receiver, name) }
            guard threads.passingOperators.contains(name) else { return result(of: call) }
        }
        return nil
    }

    private static let begins: Set<String> = ["dataTaskPublisher", "data", "json", "response", "string"]

    /// A sequence of the network's: `URLSession.shared.dataTaskPublisher(for:)`, `URLSession.shared.rx.data(request:)`.
    private func reason(ofSession receiver: Operand, _ name: String) -> String? {
        let queues = QueueSearch(input: input, place: place)
        var session = receiver
        if name != "dataTaskPublisher" {
            guard case .register(let register) = receiver, case .read(_, .member(let base, "rx"))? = place.context.definition(of: register)?.kind else { return nil }
            session = base
        }
        return queues.isBackgroundSession(session) ? "a URL session gives what '\(name)' asks for on its own queue, and no 'receive(on:)' moves it to the main one" : nil
    }

    /// What stands at the beginning of a chain: a function of the class itself, or a computed property.
    private func origin(of value: Operand) -> String? {
        guard case .register(let register) = value, let definition = place.context.definition(of: register) else { return nil }
        return definition.call.flatMap(result)
    }

    /// Why what a function of the project gives back comes on another thread, as far as all of its results agree.
    private func result(of call: Call) -> String? {
        guard depth < Self.deepest, case (let id, let type)?? = ViewUses(input: input, threads: threads).target(of: call, place.context), let body = input.program[id].body else { return nil }
        var results: [Operand] = []
        body.block.forEachStatement(enteringClosures: false) { if case .exit(.returns(let value)) = $0.kind { results.append(value) } }
        let member = MemberOccurrence(id: id, facts: input.program[id], owner: type, typeName: input.program[type].name)
        let inner = PublisherThreads(input: input, threads: threads, place: BodyOccurrence(member: member, body: body, context: member.context(of: body)), depth: depth + 1)
        let reasons = results.map(inner.reason)
        return reasons.allSatisfy { $0 != nil } ? reasons.first ?? nil : nil
    }
}
