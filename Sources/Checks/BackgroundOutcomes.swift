import ProgramModel
import RuleLibrary
import SourceText

/// What functions of the project do on other threads than the main one that others notice: closures that they are given and call there,
/// and notifications that they post there.
struct BackgroundOutcomes: Sendable {
    /// A parameter of a function that is called on another thread.
    struct Completion: Sendable {
        let parameter: Int
        let reason: String
    }

    /// A notification that is posted on another thread.
    struct Posting: Sendable {
        let member: String
        let file: Int
        let line: Int
        let reason: String
    }

    private(set) var completions: [MemberID: [Completion]] = [:]
    /// The base names of the functions that have such parameters, for a quick look.
    private(set) var names: Set<String> = []
    private var postings: [String: Posting] = [:]
    /// The properties of the project whose closures are called on another thread, with why.
    private var handlers: [MemberID: String] = [:]

    /// Nothing.
    init() {}

    /// Reads every body of the project; closures that are handed from function to function are followed over three of them.
    init(_ input: CheckInput, _ threads: ThreadKnowledge) {
        for isFirst in [true, false, false] where isFirst || !names.isEmpty {
            for file in input.program.files.indices where !input.program.files[file].isThirdParty && !input.program.files[file].isTest {
                for place in input.bodies(inFile: file) where isFirst || place.body.block.calledNames.contains(where: names.contains) { read(place, file, input, threads, isFirst: isFirst) }
            }
        }
    }

    /// The call that posts a notification on another thread, where there is one.
    func posting(of name: NotificationName) -> Posting? { Self.key(name).flatMap { postings[$0] } }

    private static func key(_ name: NotificationName) -> String? {
        switch name {
        case .system: nil
        case .own(let name, let text): text ?? "." + name
        case .literal(let text): text
        }
    }

    /// Reads what the handlers of a body do; the second time, what it hands on to functions that are known by then.
    private mutating func read(_ place: BodyOccurrence, _ file: Int, _ input: CheckInput, _ threads: ThreadKnowledge, isFirst: Bool) {
        let search = ClosureThreads(input: input, threads: threads, place: place)
        // Who asks on which thread he is knows what he does; what he hands to a queue in the background as he got it, he keeps off the main thread.
        let asks = ViewUses.asksForThread(place.body)
        place.body.block.forEachStatement { statement in
            if isFirst, !asks, case .write(.member(let object, let name), let handler) = statement.kind, let (reason, _) = search.reason(ofHandler: name, of: object) {
                note(handler, reason, place, file, search)
            }
            guard let call = statement.call else { return }
            if isFirst, let name = search.freelyPostedName(call) {
                let reason = "'\(name)' is posted on whatever thread the change happens on"
                for handler in call.handlers where call.arguments.first?.value == .selfObject { noteMethod(handler, reason, place, search) }
                for argument in call.arguments { note(argument.value, reason, place, file, search) }
            }
            if isFirst, !asks, call.makesTask, place.belongsToNoActor(input), !input.program.isInterfaceObject(place.member.owner) {
                for case .register(let register) in call.arguments.map(\.value) {
                    guard case .closure(_, let closure)? = place.context.definition(of: register)?.kind, !closure.attributes.contains(where: { $0.hasSuffix("Actor") }) else { continue }
                    scan(closure.block, "a task of '\(place.member.facts.baseName)', which belongs to no actor, runs on no thread in particular", place, file, search)
                }
            }
            if isFirst {
                guard let reason = search.reason(call) else { return }
                for argument in call.arguments where !asks || Self.isParameter(argument.value, place) { note(argument.value, reason, place, file, search) }
            } else if !asks {
                for (value, reason) in arguments(of: call, in: place, input, threads) { note(value, reason, place, file, search) }
            }
        }
        if isFirst, !asks, let reason = threads.reasonOfCallback(place, input) { scan(place.body.block, reason, place, file, search) }
    }

    private static func isParameter(_ operand: Operand, _ place: BodyOccurrence) -> Bool {
        guard case .register(let register) = operand, case .read(_, .local(let local))? = place.context.definition(of: register)?.kind else { return false }
        return place.body.parameters.contains(local)
    }

    /// The arguments of a call that the function calls on another thread, with why.
    func arguments(of call: Call, in place: BodyOccurrence, _ input: CheckInput, _ threads: ThreadKnowledge) -> [(value: Operand, reason: String)] {
        guard let name = call.callee.baseName, names.contains(name), !call.maySuspend,
              let target = ViewUses(input: input, threads: threads).target(of: call, place.context), let (member, _) = target, let known = completions[member] else { return [] }
        guard let matched = input.program[member].argumentsOfAnySwift(of: call) else { return [] }
        return known.compactMap { completion in matched[completion.parameter].first.map { (call.arguments[$0].value, completion.reason) } }
    }

    /// What a closure, or a parameter that is handed on as one, leads to on another thread.
    private mutating func note(_ operand: Operand, _ reason: String, _ place: BodyOccurrence, _ file: Int, _ search: ClosureThreads) {
        guard case .register(let register) = operand, let definition = place.context.definition(of: register) else { return }
        switch definition.kind {
        case .closure(_, let closure) where !closure.isAsync && !closure.attributes.contains("MainActor"): scan(closure.block, reason, place, file, search)
        case .read(_, .local(let local)): complete(local, reason, place, search)
        default: break
        }
    }

    /// What a method of the class leads to that a notification calls on another thread.
    private mutating func noteMethod(_ name: String, _ reason: String, _ place: BodyOccurrence, _ search: ClosureThreads) {
        let input = search.input
        guard let id = input.program.members(named: name, on: place.member.owner).first, let body = input.program[id].body, !ViewUses.asksForThread(body) else { return }
        note(handlersCalledIn: body.block, reason, input.program.context(of: body, in: id, as: place.member.owner), search)
    }

    private mutating func note(handlersCalledIn block: Block, _ reason: String, _ context: BodyContext, _ search: ClosureThreads) {
        for id in KeptHandlerCalls(input: search.input, threads: search.threads).handlers(calledIn: block, context) where handlers[id] == nil { handlers[id] = reason }
    }

    /// Why the closure that is put into a property of an object is called on another thread; nil where nothing says so.
    func reason(ofHandler property: String, of object: Operand, in place: BodyOccurrence, _ input: CheckInput) -> String? {
        guard !handlers.isEmpty, let id = KeptHandlerCalls.property(property, of: object, place.context, input) else { return nil }
        return handlers[id]
    }

    /// The arguments with which an object is made that keeps them as closures which are called on another thread, with the names of the properties and why.
    func handlers(givenTo type: TypeReference, by call: Call, in place: BodyOccurrence, _ input: CheckInput) -> [(value: Operand, name: String, reason: String)] {
        guard !handlers.isEmpty, case .project(let types) = input.program.resolve(type, in: place.context.scope), types.count == 1 else { return [] }
        let program = input.program
        let initializers = program.members(of: types[0]).filter { program[$0].kind == .initializer && program[$0].accepts(call) }
        guard initializers.count == 1, let body = program[initializers[0]].body, let matched = program[initializers[0]].argumentsOfAnySwift(of: call) else { return [] }
        let context = program.context(of: body, in: initializers[0], as: types[0])
        var found: [(Operand, String, String)] = []
        for statement in body.block {
            guard case .write(let written, let value) = statement.kind, let name = written.ownName, let id = KeptHandlerCalls.property(name, of: .selfObject, context, input), let reason = handlers[id],
                  case .register(let register) = value, case .read(_, .local(let local))? = context.definition(of: register)?.kind, let index = body.parameters.firstIndex(of: local),
                  index < matched.count, let argument = matched[index].first else { continue }
            found.append((call.arguments[argument].value, name, reason))
        }
        return found
    }

    private mutating func scan(_ block: Block, _ reason: String, _ place: BodyOccurrence, _ file: Int, _ search: ClosureThreads) {
        note(handlersCalledIn: block, reason, place.context, search)
        block.forEachStatement(enteringClosures: false) { statement in
            guard let call = statement.call, !call.maySuspend else { return }
            if let local = Self.called(by: call, place.context) { complete(local, reason, place, search) }
        }
        note(postingsIn: block, reason, place.context, of: place.member.facts.baseName, file, search, depth: 0)
    }

    /// The notifications that a block posts, itself or by a function of the project that it calls.
    private mutating func note(postingsIn block: Block, _ reason: String, _ context: BodyContext, of member: String, _ file: Int, _ search: ClosureThreads, depth: Int) {
        let program = search.input.program
        block.forEachStatement(enteringClosures: false) { statement in
            guard let call = statement.call, !call.maySuspend else { return }
            if case .member(_, let name) = call.callee, NotificationTraffic.posting.contains(name) {
                guard let first = call.arguments.first, let key = search.input.notifications.name(first.value, in: context).flatMap(Self.key), postings[key] == nil else { return }
                postings[key] = Posting(member: member, file: file, line: statement.span.start.line, reason: reason)
            } else if depth == 0, let target = ViewUses(input: search.input, threads: search.threads).target(of: call, context), let (id, type) = target, let body = program[id].body,
                      !body.block.calledNames.isDisjoint(with: NotificationTraffic.posting), !program[id].modifiers.contains("async"), !ViewUses.asksForThread(body) {
                note(postingsIn: body.block, reason, program.context(of: body, in: id, as: type), of: program[id].baseName, id.declaration.file, search, depth: 1)
            }
        }
    }

    /// The local whose closure is called.
    private static func called(by call: Call, _ context: BodyContext) -> LocalID? {
        switch call.callee {
        case .local(let local): return local
        case .value(let value):
            guard case .register(let register) = context.uncast(value), case .read(_, .local(let local))? = context.definition(of: register)?.kind else { return nil }
            return local
        default: return nil
        }
    }

    private mutating func complete(_ local: LocalID, _ reason: String, _ place: BodyOccurrence, _ search: ClosureThreads) {
        guard place.member.facts.kind == .function, place.member.facts.body == place.body, let index = place.body.parameters.firstIndex(of: local),
              index < place.member.facts.parameters.count, !(completions[place.member.id]?.contains { $0.parameter == index } ?? false), !hops(local, place, search) else { return }
        completions[place.member.id, default: []].append(Completion(parameter: index, reason: reason))
        names.insert(place.member.facts.baseName)
    }

    /// Whether a function calls its parameter by way of other code as well, mostly of the main queue: callers may count on that, and where it
    /// does not, it has forgotten it.
    private func hops(_ local: LocalID, _ place: BodyOccurrence, _ search: ClosureThreads) -> Bool {
        place.body.block.containsStatement { statement in
            guard let call = statement.call, search.reason(call) == nil, !(call.makesTask && place.belongsToNoActor(search.input)), search.input.library.closureRoles[call.callee.baseName ?? ""] != .now,
                  arguments(of: call, in: place, search.input, search.threads).isEmpty else { return false }
            return call.arguments.contains { argument in
                guard case .register(let register) = argument.value, case .closure(_, let closure)? = place.context.definition(of: register)?.kind else { return false }
                return closure.block.containsStatement { $0.call.map { Self.called(by: $0, place.context) == local } ?? false }
            }
        }
    }
}
