import Findings
import ProgramModel
import RuleLibrary
import SourceText

extension Check {
    /// What belongs to the main thread and is used by code that runs on another.
    static let offMainUses = Check(rules: ["ui_off_main", "observer_queue_unspecified"]) { input, file in
        input.offMainUses.uses[file] ?? []
    }
}

/// The uses of the whole project by the file in which they are reported, which need not be the one that starts the thread.
struct OffMainUses: Sendable {
    private(set) var uses: [Int: [Finding]] = [:]

    /// No uses.
    init() {}

    /// Reads every body of the project.
    init(_ input: CheckInput) {
        guard let threads = input.library.threads else { return }
        let outcomes = BackgroundOutcomes(input, threads)
        var seen: Set<String> = []
        for file in input.program.files.indices where !input.program.files[file].isThirdParty {
            for place in input.bodies(inFile: file) {
                for (file, finding) in OffMainSearch(input: input, threads: threads, outcomes: outcomes, file: file, place: place).findings() {
                    // What several threads reach is one defect.
                    guard seen.insert("\(file):\(finding.span.start.line):\(finding.rule)").inserted else { continue }
                    uses[file, default: []].append(finding)
                }
            }
        }
    }
}

/// The search in one body.
private struct OffMainSearch {
    let input: CheckInput
    let threads: ThreadKnowledge
    let outcomes: BackgroundOutcomes
    let file: Int
    let place: BodyOccurrence

    private var program: Program { input.program }

    /// The findings with the indices of their files.
    func findings() -> [(Int, Finding)] {
        // Who asks on which thread he is knows what he does.
        guard !ViewUses.asksForThread(place.body) else { return [] }
        let uses = ViewUses(input: input, threads: threads)
        let threadsOfCalls = ClosureThreads(input: input, threads: threads, place: place)
        var found: [(Int, Finding)] = []
        place.body.block.forEachStatement { statement in
            if case .write(.member(let object, let name), let handler) = statement.kind {
                if let (reason, isOfClosure) = threadsOfCalls.reason(ofHandler: name, of: object), let use = use(of: handler, uses) {
                    found.append(offMain(use, reason, at: statement.span, isOfClosure: isOfClosure))
                } else if let reason = outcomes.reason(ofHandler: name, of: object, in: place, input), let use = use(of: handler, uses) {
                    found.append(offMain(use, "'\(name)' is called from a handler: \(reason)", at: statement.span, isOfClosure: true))
                }
            }
            guard let call = statement.call else { return }
            if let reason = threadsOfCalls.reason(call) {
                for use in call.arguments.compactMap({ use(of: $0.value, uses) }) + [assignment(by: call, uses)].compactMap({ $0 }) { found.append(offMain(use, reason, at: statement.span)) }
            } else if let (selector, type) = backgroundSelector(call), let (use, member) = uses.firstOwn(inMethodNamed: selector, of: type), !program.files[member.declaration.file].isThirdParty {
                found.append(offMain(use, in: member, of: type, sentAt: statement.span))
            } else if let name = threadsOfCalls.freelyPostedName(call), let use = handlerUse(of: call, uses) {
                let finding = input.finding(
                    "observer_queue_unspecified",
                    "'\(name)' is posted on whatever thread the change happens on, and \(use.what) in its handler, which only the main thread may do; \(Self.cure(of: call))",
                    at: statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
                found.append((file, finding))
            } else if let (name, posting) = backgroundPosting(call), let use = handlerUse(of: call, uses) {
                let finding = input.finding(
                    "observer_queue_unspecified",
                    "'\(name)' is posted in '\(posting.member)' (\(program.files[posting.file].name):\(posting.line)) off the main thread, for \(posting.reason), and \(use.what) in its handler, which only the main thread may do; \(Self.cure(of: call))",
                    at: statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
                found.append((file, finding))
            } else if case .initializer(let made) = call.callee {
                for (value, name, reason) in outcomes.handlers(givenTo: made, by: call, in: place, input) {
                    if let use = use(of: value, uses) { found.append(offMain(use, "the '\(made.name)' calls '\(name)' from a handler: \(reason)", at: statement.span, isOfClosure: true)) }
                }
            } else if let name = call.callee.baseName {
                for (value, reason) in outcomes.arguments(of: call, in: place, input, threads) {
                    if let use = use(of: value, uses) { found.append(offMain(use, "'\(name)' calls the closure from a handler: \(reason)", at: statement.span, isOfClosure: true)) }
                }
            }
        }
        if let reason = threads.reasonOfCallback(place, input), let use = uses.first(in: place.body.block, place.context) {
            found.append(offMain(use, reason, at: place.body.span))
        }
        return found
    }

    /// How the handler of a registration comes to the main queue.
    private static func cure(of call: Call) -> String {
        call.arguments.contains { $0.label == "queue" } ? "give the main queue" : "dispatch to the main queue in the handler"
    }

    /// A use off the main thread: reported where the closure's code leads to it, or in the method of another class that is called,
    /// for what is called from many places hops itself.  What a closure does that was given away is told there, whose author hops.
    private func offMain(_ use: ViewUses.Use, _ reason: String, at span: SourceSpan, isOfClosure: Bool = false) -> (Int, Finding) {
        let rule = "ui_off_main"
        if !isOfClosure, let foreign = use.callees.first(where: { !program.chain(of: place.member.owner).contains($0.type) }), !program.files[foreign.file].isThirdParty {
            return (foreign.file, input.finding(
                rule, "\(use.what) off the main thread when '\(place.member.facts.baseName)' calls '\(foreign.name)' (\(program.files[file].name):\(foreign.call.start.line)), for there \(reason); only the main thread may touch what is shown: dispatch to the main queue",
                at: foreign.span, in: foreign.file, type: program[foreign.type].name, member: foreign.fullName))
        }
        return (file, input.finding(
            rule, "\(use.what) off the main thread, for \(reason), and only the main thread may touch what is shown; dispatch to the main queue here",
            at: use.span ?? span, in: file, type: place.member.typeName, member: place.member.facts.fullName))
    }

    /// What a closure or a method given as one does.
    private func use(of operand: Operand, _ uses: ViewUses) -> ViewUses.Use? {
        guard case .register(let register) = operand, let definition = place.context.definition(of: register) else { return nil }
        switch definition.kind {
        case .closure(_, let closure):
            guard !closure.isAsync, !closure.attributes.contains("MainActor") else { return nil }
            return uses.first(in: closure.block, place.context)
        case .read(_, .member(.selfObject, let name)), .read(_, .name(let name)):
            return uses.first(inMethodNamed: name, of: place.member.owner)
        case .read(_, .local(let local)):
            // A closure that has a name: `let reply = { … }`.
            return place.context.value(of: local).flatMap { $0 == operand ? nil : use(of: $0, uses) }
        // Work that is made before it is given to a queue.
        case .call(let call):
            guard case .initializer(let made) = call.callee, Self.workItems.contains(made.unwrapped.name) else { return nil }
            return call.arguments.lazy.compactMap { use(of: $0.value, uses) }.first
        default: return nil
        }
    }

    private static let workItems: Set<String> = ["DispatchWorkItem", "BlockOperation", "NSBlockOperation"]

    /// What a subscription sets that assigns what comes: `assign(to: \.text, on: label)`, `assign(to: &$items)`.
    private func assignment(by call: Call, _ uses: ViewUses) -> ViewUses.Use? {
        guard call.callee.baseName == "assign", let target = call.arguments.first else { return nil }
        let what: String?
        switch target.value {
        case .constant(.keyPath(_, let path)): what = call.arguments.first { $0.label == "on" }.flatMap { uses.write(path, of: $0.value, place.context) }
        case .register(let register):
            guard case .read(_, let source)? = place.context.definition(of: register)?.kind, let name = source.ownName, name.hasPrefix("$") else { return nil }
            what = uses.write(String(name.dropFirst()), of: .selfObject, place.context)
        default: what = nil
        }
        return what.map { ViewUses.Use(what: $0, span: nil, callees: []) }
    }

    // MARK: Selectors

    /// The method that a call has run on a thread of its own, where the text names it, and the class of the object that gets it.
    private func backgroundSelector(_ call: Call) -> (name: String, type: TypeID)? {
        func argument(_ label: String) -> Operand? { call.arguments.first { $0.label == label }?.value }
        let (selector, target): (Operand?, Operand?)
        switch call.callee {
        case .name("performSelectorInBackground"): (selector, target) = (call.arguments.first?.value, .selfObject)
        case .member(let receiver, "performSelectorInBackground"): (selector, target) = (call.arguments.first?.value, receiver)
        case .name("performSelector") where argument("inBackground") != nil: (selector, target) = (call.arguments.first?.value, .selfObject)
        case .member(let receiver, "performSelector") where argument("inBackground") != nil: (selector, target) = (call.arguments.first?.value, receiver)
        case .member(.type, "detachNewThreadSelector"): (selector, target) = (call.arguments.first?.value, argument("toTarget"))
        case .initializer(let type) where ["Thread", "NSThread"].contains(type.name) || Self.invocations.contains(type.name) && isGivenToOwnQueue(call):
            (selector, target) = (argument("selector"), argument("target"))
        default: return nil
        }
        guard case .constant(.selector(let text))? = selector, let name = ObjectiveCSelector.baseName(of: text), let type = target.flatMap(owner) else { return nil }
        return (name, type)
    }

    private static let invocations: Set<String> = ["InvocationOperation", "NSInvocationOperation"]

    /// Whether an operation goes to a queue in the background.
    private func isGivenToOwnQueue(_ made: Call) -> Bool {
        let queues = QueueSearch(input: input, place: place)
        return place.body.block.containsStatement { statement in
            guard let call = statement.call, case .member(let queue, "addOperation") = call.callee, let given = call.arguments.first?.value, case .register(let register) = given,
                  queues.queue(queue) == .background else { return false }
            if register == made.result { return true }
            guard case .read(_, .local(let local))? = place.context.definition(of: register)?.kind else { return false }
            return place.context.value(of: local) == .register(made.result)
        }
    }

    /// The class of the project that an object is of.
    private func owner(of object: Operand) -> TypeID? {
        if object == .selfObject { return place.member.owner }
        guard let type = input.inference.type(of: object, in: place.context), !type.isMetatype, case .project(let types) = input.inference.resolve(type), types.count == 1 else { return nil }
        return types[0]
    }

    /// A use in a method that a thread of its own runs, told where that method has it.
    private func offMain(_ use: ViewUses.Use, in member: MemberID, of type: TypeID, sentAt span: SourceSpan) -> (Int, Finding) {
        let facts = program[member]
        let sender = member.declaration.file == file ? "line \(span.start.line)" : "\(program.files[file].name):\(span.start.line)"
        return (member.declaration.file, input.finding(
            "ui_off_main", "\(use.what) off the main thread, for '\(facts.baseName)' is sent in the background (\(sender)), and only the main thread may touch what is shown; dispatch to the main queue here",
            at: use.span ?? facts.nameSpan, in: member.declaration.file, type: program[type].name, member: facts.fullName))
    }

    // MARK: Notifications

    /// The notification of the project that a call registers for without saying a queue, and that is posted on another thread.
    private func backgroundPosting(_ call: Call) -> (name: String, posting: BackgroundOutcomes.Posting)? {
        guard call.callee.baseName?.hasPrefix("addObserver") ?? false, let observation = NotificationTraffic.observation(call), !ClosureThreads.saysQueue(call),
              let name = input.notifications.name(observation.name, in: place.context), let posting = outcomes.posting(of: name) else { return nil }
        switch name {
        case .system(let title), .own(let title, _), .literal(let title): return (title, posting)
        }
    }

    private func handlerUse(of call: Call, _ uses: ViewUses) -> ViewUses.Use? {
        for argument in call.arguments {
            if case .constant(.selector(let text)) = argument.value, call.arguments.first?.value == .selfObject, let name = ObjectiveCSelector.baseName(of: text) {
                return uses.first(inMethodNamed: name, of: place.member.owner)
            }
            if let use = use(of: argument.value, uses) { return use }
        }
        return nil
    }
}
