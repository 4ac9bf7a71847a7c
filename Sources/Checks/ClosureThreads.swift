import ProgramModel
import RuleLibrary

/// On which threads the calls of one body run the closures that they are given.
struct ClosureThreads {
    /// Whether a statement gives the main queue.
    static func namesMainQueue(_ statement: Statement) -> Bool { QueueSearch.queue(statement) == .main }

    let input: CheckInput
    let threads: ThreadKnowledge
    let place: BodyOccurrence

    /// Why the closures of a call run on another thread; nil where they do not, or nobody knows.
    func reason(_ call: Call) -> String? {
        guard let name = call.callee.baseName else { return nil }
        let queues = QueueSearch(input: input, place: place)
        switch call.callee {
        case .name where Self.dispatchFunctions.contains(name):
            guard let queue = call.arguments.first(where: { queues.queue($0.value) != .unknown }) else { return nil }
            return queues.queue(queue.value) == .background ? "'\(name)' runs the block on a background queue" : nil
        case .member where call.fullName.map(threads.backgroundCalls.contains) ?? false:
            return input.program.hasFunction(named: name) ? nil : "'\(name)' runs the block on a background queue"
        case .member(_, "notify"):
            // What waits for the end of work says itself where it goes on.
            guard let queue = call.arguments.first(where: { $0.label == "queue" }) else { return nil }
            return queues.queue(queue.value) == .background ? "'notify' runs the closure on a background queue" : nil
        case .member(let receiver, _) where Self.dispatchMethods.contains(name):
            return queues.queue(receiver) == .background ? "'\(name)' runs the closure on a background queue" : nil
        case .member(let sequence, "sink"), .member(let sequence, "subscribe"), .member(let sequence, "assign"):
            return PublisherThreads(input: input, threads: threads, place: place).reason(of: sequence)
        case .member(let receiver, _):
            guard let type = receiverClass(receiver) else { return nil }
            if ["URLSession", "NSURLSession"].contains(type), threads.sessionTasks.contains(name) {
                return queues.isBackgroundSession(receiver) ? "a URL session calls the handler of '\(name)' on its own queue" : nil
            }
            if threads.queuedHandlers[type]?.contains(name) ?? false, call.arguments.contains(where: { queues.queue($0.value) == .background }) {
                return "'\(name)' runs its handler on the queue that it is given, which is in the background"
            }
            let bare = type.hasPrefix("NS") ? String(type.dropFirst(2)) : type
            return ([bare] + input.program.platform.ancestry(of: type)).contains { threads.handlers[$0]?.contains(name) == true }
                ? "nobody promises that '\(name)' calls its handler on the main queue" : nil
        default: return nil
        }
    }

    /// Why the closure in a property of an object runs on another thread, and whether it is its author who is to know that; nil where nothing says so.
    func reason(ofHandler property: String, of object: Operand) -> (String, isOfClosure: Bool)? {
        if let starter = NamedQueues(input: input, threads: threads).holder(ofHandler: property, of: object, in: place) {
            return ("the '\(starter)' is started with a queue in the background, on which it calls '\(property)'", false)
        }
        let classes = threads.handlerProperties.filter { $0.value.contains(property) }.keys
        guard !classes.isEmpty, let inferred = input.inference.type(of: object, in: place.context), !inferred.isMetatype else { return nil }
        let isOne = switch input.inference.resolve(inferred) {
        case .platform(let name): classes.contains { input.program.platform.isClass(name, kindOf: $0) }
        case .project(let types): types.count == 1 && classes.contains { input.program.isType(types[0], kindOf: $0) }
        case .unknown: false
        }
        return isOne ? ("nobody promises that '\(property)' is called on the main thread", true) : nil
    }

    /// The name of a notification that is posted on any thread, where the call registers for it without saying a queue.
    func freelyPostedName(_ call: Call) -> String? {
        guard call.callee.baseName == "addObserver", let name = call.arguments.first(where: { ["name", "forName", "addObserverForName"].contains($0.label) }) else { return nil }
        guard !Self.saysQueue(call), let posted = notification(name.value) else { return nil }
        if threads.notifications.contains(posted) { return posted }
        // Of one context it may be known where that saves.
        let isOfAll = call.arguments.contains { $0.label == "object" && $0.value == .constant(.null) }
        return isOfAll && threads.contextNotifications.contains(posted) && !threads.backgroundContexts.isDisjoint(with: input.names.called) ? posted : nil
    }

    /// Whether a registration says on which queue it wants to be told.
    static func saysQueue(_ call: Call) -> Bool { call.arguments.contains { $0.label == "queue" && $0.value != .constant(.null) } }

    private func notification(_ operand: Operand) -> String? {
        switch operand {
        case .constant(.implicitMember(let name)): return name
        case .register(let register):
            guard case .read(_, let place)? = place.context.definition(of: register)?.kind else { return nil }
            switch place {
            case .member(.type(let type), let name): return ["Notification.Name", "NSNotification.Name", "Name"].contains(type.name) ? name : "\(type.name).\(name)"
            case .name(let name): return name
            default: return nil
            }
        default: return nil
        }
    }

    // What waits for its closure, as `sync` does, may run it on the thread that waits.
    private static let dispatchFunctions: Set<String> = ["dispatch_async", "dispatch_after", "dispatch_barrier_async", "dispatch_group_async", "dispatch_group_notify"]
    private static let dispatchMethods: Set<String> = ["async", "asyncAfter", "addOperation", "addBarrierBlock", "addOperationWithBlock"]

    /// Whether a call starts work that goes on after it: on a queue in the background, or over the network.
    func startsWork(_ call: Call) -> Bool {
        guard let name = call.callee.baseName, reason(call) != nil else { return false }
        return Self.dispatchFunctions.contains(name) || Self.dispatchMethods.contains(name) || threads.sessionTasks.contains(name)
            || call.fullName.map(threads.backgroundCalls.contains) ?? false
    }

    /// The class that a call's receiver is, or is a shared object of.
    func receiverClass(_ receiver: Operand) -> String? { input.className(of: receiver, in: place.context) }
}

extension ThreadKnowledge {
    /// Why a member is called on another thread, where a protocol says so, or the session that it is the delegate of.
    func reasonOfCallback(_ place: BodyOccurrence, _ input: CheckInput) -> String? {
        let (program, facts) = (input.program, place.member.facts)
        if isCalledByBridge(place, program) {
            return "React Native calls '\(facts.baseName)' on a queue of the module's own where its class names none by 'methodQueue'"
        }
        // Few methods are called so.
        guard calledElsewhere.contains(facts.baseName), facts.kind == .function, facts.body == place.body,
              !facts.modifiers.contains("async"), !facts.attributes.contains(where: { $0.name == "MainActor" }) else { return nil }
        let names = Set(program.chain(of: place.member.owner).flatMap { program[$0].conformances.map(\.name) })
        if sessionDelegates.contains(facts.baseName), names.contains(where: { $0.hasPrefix("URLSession") || $0.hasPrefix("NSURLSession") }),
           input.hearsOfSessionsInBackground(place.member.owner) {
            return "a URL session that is made without a queue calls '\(facts.baseName)' on its own"
        }
        if let call = NamedQueues(input: input, threads: self).call(namingQueueOf: facts.baseName, of: place.member.owner) {
            return "'\(call)' names a queue in the background for '\(facts.baseName)'"
        }
        let isCallback = callbacks.contains { names.contains($0.key) && $0.value.contains(facts.baseName) }
        return isCallback ? "nobody promises that '\(facts.baseName)' is called on the main thread" : nil
    }

    /// Whether a module of React Native offers the method to JavaScript, and no class of the project above it names the queue.
    private func isCalledByBridge(_ place: BodyOccurrence, _ program: Program) -> Bool {
        guard place.member.facts.attributes.contains(where: { $0.name == "bridge_method" }), place.member.facts.body == place.body else { return false }
        let ancestry = program.ancestry(of: place.member.owner)
        let isWholeChain = switch ancestry.root {
        case .platform: true
        case .foreign(let name): bridgeClasses.contains(name)
        default: false
        }
        return isWholeChain && ([place.member.owner] + ancestry.projectTypes).allSatisfy { program[$0].membersByName["methodQueue"] == nil }
    }
}

extension CheckInput {
    /// Whether a class makes URL sessions that call it on a queue of their own, and no others.
    func hearsOfSessionsInBackground(_ type: TypeID) -> Bool {
        var queues: [Queue] = []
        for member in program.chain(of: type).flatMap({ program.members(of: $0) }) {
            for (_, body) in program[member].bodies {
                body.block.forEachStatement { statement in
                    guard let call = statement.call, call.arguments.contains(where: { $0.label == "delegate" && $0.value == .selfObject }),
                          let queue = QueueSearch.queue(ofSession: call) else { return }
                    queues.append(queue)
                }
            }
        }
        return !queues.isEmpty && queues.allSatisfy { $0 == .background }
    }

    /// The class that an operand is known to be, or of which it is the shared object: `UIDevice.current`.
    func className(of operand: Operand, in context: BodyContext) -> String? {
        if case .type(let type) = operand { return type.name }
        if let type = inference.type(of: operand, in: context) {
            return type.isMetatype ? nil : type.reference.unwrapped.name
        }
        guard case .register(let register) = operand, let statement = context.definition(of: register) else { return nil }
        switch statement.kind {
        case .read(_, .member(.type(let type), let name)) where Self.accessors.contains(name): return type.name
        case .call(let call):
            if case .member(.type(let type), let name) = call.callee, Self.accessors.contains(name), call.arguments.isEmpty { return type.name }
            if case .name(let name) = call.callee { return library.threads?.accessors[name] }
            return nil
        case .read(_, .local(let local)): return context.value(of: local).flatMap { className(of: $0, in: context) }
        default: return nil
        }
    }

    /// The names by which classes of the SDK give their one object.
    private static let accessors: Set<String> = [
        "shared", "default", "current", "standard", "processInfo", "sharedSession", "sharedInstance", "sharedApplication", "sharedPhotoLibrary", "currentDevice",
        "currentNotificationCenter", "defaultContainer",
    ]
}

/// The queue on which something runs, as far as the text tells.
enum Queue {
    case main, background, unknown
}

/// What a queue's expression stands for.
struct QueueSearch {
    let input: CheckInput
    let place: BodyOccurrence

    func queue(_ operand: Operand) -> Queue {
        guard case .register(let register) = operand, let statement = place.context.definition(of: register) else { return .unknown }
        switch statement.kind {
        case .read(_, .local(let local)): return place.context.value(of: local).map(queue) ?? .unknown
        case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)): return stored(name, Self.queue)
        default: return Self.queue(statement)
        }
    }

    /// Whether a call hands what it gets to the main queue.
    func isMain(_ call: Call) -> Bool {
        if case .member(let receiver, _) = call.callee, queue(receiver) == .main { return true }
        return call.arguments.contains { queue($0.value) == .main }
    }

    /// Whether a session is the shared one, or was made without a queue.
    func isBackgroundSession(_ operand: Operand) -> Bool {
        guard case .register(let register) = operand, let statement = place.context.definition(of: register) else { return false }
        switch statement.kind {
        case .read(_, .local(let local)): return place.context.value(of: local).map(isBackgroundSession) ?? false
        case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)): return stored(name, Self.session, givenByDefault: .background) == .background
        default: return Self.session(statement) == .background
        }
    }

    static func queue(_ statement: Statement) -> Queue {
        switch statement.kind {
        case .read(_, .member(.type(let type), "main")) where queueClasses.contains(type.name): return .main
        case .call(let call):
            switch call.callee {
            case .member(.type(let type), let name) where queueClasses.contains(type.name):
                return ["global"].contains(name) ? .background : name == "mainQueue" ? .main : .unknown
            // Where a queue is asked for.
            case .implicitMember("global"): return .background
            case .name("dispatch_get_global_queue"), .name("dispatch_queue_create"): return .background
            case .name("dispatch_get_main_queue"): return .main
            case .initializer(let type) where queueClasses.contains(type.name):
                return call.arguments.contains { ["target", "underlyingQueue"].contains($0.label) } ? .unknown : .background
            default: return .unknown
            }
        default: return .unknown
        }
    }

    private static let queueClasses: Set<String> = ["DispatchQueue", "OperationQueue", "NSOperationQueue"]

    private static func session(_ statement: Statement) -> Queue {
        switch statement.kind {
        case .read(_, .member(.type(let type), "shared")) where sessionClasses.contains(type.name): return .background
        case .call(let call):
            switch call.callee {
            case .member(.type(let type), "sharedSession") where sessionClasses.contains(type.name): return .background
            default: return queue(ofSession: call) ?? .unknown
            }
        default: return .unknown
        }
    }

    /// The queue of the session that a call makes; nil where it makes none.
    static func queue(ofSession call: Call) -> Queue? {
        guard case .initializer(let type) = call.callee, sessionClasses.contains(type.name) else { return nil }
        let queue = call.arguments.first { $0.label == "delegateQueue" }
        return queue == nil || queue?.value == .constant(.null) ? .background : .unknown
    }

    private static let sessionClasses: Set<String> = ["URLSession", "NSURLSession"]

    /// What a property holds by its initial value; where it has none, by everything that the class writes to it.
    /// What an initialiser is given counts where it has a default that nobody replaces, for what such defaults are.
    private func stored(_ name: String, _ read: (Statement) -> Queue, givenByDefault: Queue = .unknown) -> Queue {
        let program = input.program
        let chain = program.chain(of: place.member.owner)
        // A property with a getter of its own keeps its value in a variable of nearly the same name.
        let variable = "_" + name
        var values: [Queue] = []
        for type in chain {
            for id in program.members(of: type) {
                let member = program[id]
                // Its own setter writes what others write to it.
                for (_, body) in member.bodies where member.baseName != name || body != member.accessors?.set {
                    let isInitial = member.kind == .property && member.baseName == name && member.accessors?.get == nil
                    var definitions: [Register: Statement] = [:]
                    func value(_ operand: Operand) -> Queue {
                        guard case .register(let register) = operand, let statement = definitions[register] else { return .unknown }
                        if case .read(_, .local(let local)) = statement.kind, isLeftToDefault(local, of: member, body, type) { return givenByDefault }
                        return read(statement)
                    }
                    body.block.forEachStatement { statement in
                        switch statement.kind {
                        case .read(let register, _): definitions[register] = statement
                        case .call(let call): definitions[call.result] = statement
                        case .exit(.returns(let result)) where isInitial: values.append(value(result))
                        case .write(.name(name), let operand), .write(.member(.selfObject, name), let operand), .write(.name(variable), let operand),
                             .write(.member(.selfObject, variable), let operand): values.append(value(operand))
                        default: break
                        }
                    }
                }
            }
        }
        guard let first = values.first, values.allSatisfy({ $0 == first }) else { return .unknown }
        return first
    }

    /// Whether a local is the parameter of an initialiser that has a default, and nobody in the project gives another value.
    private func isLeftToDefault(_ local: LocalID, of member: MemberFacts, _ body: Body, _ type: TypeID) -> Bool {
        guard member.kind == .initializer, let index = body.parameters.firstIndex(of: local), index < member.parameters.count, member.parameters[index].hasDefault else { return false }
        let (label, name) = (member.parameters[index].label, input.program[type].name)
        return !(input.names.constructions[name] ?? []).contains { place in
            !input.program.files[place.file].isTest && place.body.block.containsStatement { statement in
                guard let call = statement.call, case .initializer(let made) = call.callee, made.name == name else { return false }
                return call.arguments.contains { $0.label == label }
            }
        }
    }
}
