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
        let queues = NamedQueues(input: input, threads: threads)
        place.body.block.forEachStatement { statement in
            if case .write(.member(let object, let name), let handler) = statement.kind, let starter = queues.holder(ofHandler: name, of: object, in: place), let use = use(of: handler, uses) {
                found.append(offMain(use, "the '\(starter)' is started with a queue in the background, on which it calls '\(name)'", at: statement.span))
            }
            if case .write(.member(let object, let name), let handler) = statement.kind, isCalledElsewhere(name, of: object), let use = use(of: handler, uses) {
                found.append(offMain(use, "nobody promises that '\(name)' is called on the main thread", at: statement.span, isOfClosure: true))
            }
            guard let call = statement.call else { return }
            if let reason = threadsOfCalls.reason(call) {
                for use in call.arguments.compactMap({ use(of: $0.value, uses) }) { found.append(offMain(use, reason, at: statement.span)) }
            } else if let (selector, type) = backgroundSelector(call), let (use, member) = uses.firstOwn(inMethodNamed: selector, of: type), !program.files[member.declaration.file].isThirdParty {
                found.append(offMain(use, in: member, of: type, sentAt: statement.span))
            } else if let name = freelyPostedName(call), let use = handlerUse(of: call, uses) {
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

    /// Whether the closure in a property of an object runs on whatever thread.
    private func isCalledElsewhere(_ property: String, of object: Operand) -> Bool {
        let classes = threads.handlerProperties.filter { $0.value.contains(property) }.keys
        guard !classes.isEmpty, let inferred = input.inference.type(of: object, in: place.context), !inferred.isMetatype else { return false }
        return switch input.inference.resolve(inferred) {
        case .platform(let name): classes.contains { program.platform.isClass(name, kindOf: $0) }
        case .project(let types): types.count == 1 && classes.contains { program.isType(types[0], kindOf: $0) }
        case .unknown: false
        }
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
        default: return nil
        }
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
        case .initializer(let type) where ["Thread", "NSThread"].contains(type.name): (selector, target) = (argument("selector"), argument("target"))
        default: return nil
        }
        guard case .constant(.selector(let text))? = selector, let name = ObjectiveCSelector.baseName(of: text), let type = target.flatMap(owner) else { return nil }
        return (name, type)
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

    /// The name of a notification that is posted on any thread, where the call registers for it without saying a queue.
    private func freelyPostedName(_ call: Call) -> String? {
        guard call.callee.baseName == "addObserver", let name = call.arguments.first(where: { ["name", "forName", "addObserverForName"].contains($0.label) }) else { return nil }
        return saysQueue(call) ? nil : notification(name.value).flatMap { threads.notifications.contains($0) ? $0 : nil }
    }

    /// The notification of the project that a call registers for without saying a queue, and that is posted on another thread.
    private func backgroundPosting(_ call: Call) -> (name: String, posting: BackgroundOutcomes.Posting)? {
        guard call.callee.baseName?.hasPrefix("addObserver") ?? false, let observation = NotificationTraffic.observation(call), !saysQueue(call),
              let name = input.notifications.name(observation.name, in: place.context), let posting = outcomes.posting(of: name) else { return nil }
        switch name {
        case .system(let title), .own(let title, _), .literal(let title): return (title, posting)
        }
    }

    private func saysQueue(_ call: Call) -> Bool { call.arguments.contains { $0.label == "queue" && $0.value != .constant(.null) } }

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

/// Where code changes what is shown, directly or through functions of the project.
struct ViewUses {
    let input: CheckInput
    let threads: ThreadKnowledge
    /// Whether objects that the code has just made are passed over.
    private var looksPastNew = false
    private static let deepest = 3

    private var program: Program { input.program }

    /// A function on the way from a closure to what is shown.
    struct Callee {
        let name: String
        let fullName: String
        let type: TypeID
        let file: Int
        /// The statement that calls it.
        let call: SourceSpan
        /// The statement in it that leads further.
        let span: SourceSpan
    }

    /// A change of what is shown: what happens, as a clause, the statement of the block that leads to it, and the functions between.
    struct Use {
        let what: String
        let span: SourceSpan?
        let callees: [Callee]
    }

    init(input: CheckInput, threads: ThreadKnowledge) {
        (self.input, self.threads) = (input, threads)
    }

    /// Whether code asks on which thread it runs, or is told by whoever calls it.
    static func asksForThread(_ body: Body) -> Bool {
        var found = false
        func isTold(_ clause: Clause) -> Bool {
            clause.setup.containsStatement { statement in
                guard case .read(_, .local(let local)) = statement.kind, body.parameters.contains(local) else { return false }
                return body[local].type.map { tellingTypes.contains($0.unwrapped.name) } ?? true
            }
        }
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .branch(let clauses, let then, let otherwise): if clauses.contains(where: isTold), hopsToMain(then) != hopsToMain(otherwise) { found = true }
            case .read(_, .member(_, let name)) where askingNames.contains(name), .read(_, .name(let name)) where askingNames.contains(name): found = true
            default: if let name = statement.call?.callee.baseName, askingNames.contains(name) { found = true }
            }
        }
        return found
    }

    /// The types of parameters by which a caller says where he is, or where to go on.
    private static let tellingTypes: Set<String> = ["Bool", "BOOL", "DispatchQueue", "dispatch_queue_t", "OperationQueue", "NSOperationQueue"]

    private static func hopsToMain(_ block: Block) -> Bool { block.containsStatement(ClosureThreads.namesMainQueue) }

    private static let askingNames: Set<String> = ["isMainThread", "dispatchPrecondition", "assumeIsolated", "dispatch_assert_queue", "pthread_main_np"]

    /// The first use in a method of the type; nil where there is none, or several methods could be meant.
    func first(inMethodNamed name: String, of type: TypeID) -> Use? {
        firstOwn(inMethodNamed: name, of: type).map { Use(what: Self.within(name, $0.use.what), span: nil, callees: $0.use.callees) }
    }

    /// The first use in the code of the one method of the type that has the name, with that method.
    func firstOwn(inMethodNamed name: String, of type: TypeID) -> (use: Use, member: MemberID)? {
        let members = program.members(named: name, on: type).filter { program[$0].kind == .function }
        guard members.count == 1, let use = first(in: members[0], on: type, depth: 1, []) else { return nil }
        return (use, members[0])
    }

    /// The first use in a block of a body; what its closures do counts only where they run at once.  What is done to an object that the
    /// block has just made, and that is not shown yet, is told only where there is nothing else.
    func first(in block: Block, _ context: BodyContext) -> Use? {
        var settled = self
        settled.looksPastNew = true
        return settled.first(in: block, context, depth: 0, []) ?? first(in: block, context, depth: 0, [])
    }

    /// Whether an operand is an object that the body has made itself.
    private static func isNew(_ operand: Operand, _ context: BodyContext) -> Bool {
        guard case .register(let register) = operand else { return false }
        return switch context.definition(of: register)?.kind {
        case .call(let call)?: if case .initializer = call.callee { true } else { false }
        case .read(_, .local(let local))?: context.value(of: local).map { isNew($0, context) } ?? false
        default: false
        }
    }

    /// A function that the search is in.
    private enum Function: Hashable {
        case member(MemberID)
        case free(String)
    }

    private func first(in member: MemberID, on type: TypeID, depth: Int, _ running: Set<Function>) -> Use? {
        first(in: program[member], of: type, file: member.declaration.file, depth: depth, running, as: .member(member))
    }

    /// The first use in the one function of no type that a call means, with the function's name.
    private func firstInFreeFunction(calledBy call: Call, _ context: BodyContext, depth: Int, _ running: Set<Function>) -> (Use, String)? {
        guard let name = call.callee.functionName, context.selfType.map({ program.members(named: name, on: $0).isEmpty }) ?? true else { return nil }
        let functions = program.freeMembers(named: name).filter { $0.member.kind == .function && ($0.member.accepts(call) || $0.member.acceptsWithoutFirstLabel(call)) }
        guard functions.count == 1, let (file, facts) = functions.first else { return nil }
        return first(in: facts, of: nil, file: file, depth: depth + 1, running, as: .free(name)).map { ($0, name) }
    }

    private func first(in facts: MemberFacts, of type: TypeID?, file: Int, depth: Int, _ running: Set<Function>, as function: Function) -> Use? {
        guard depth <= Self.deepest, !running.contains(function), let body = facts.body, !facts.isPartial, !facts.modifiers.contains("async"),
              !facts.attributes.contains(where: { $0.name == "MainActor" }), !Self.asksForThread(body) else { return nil }
        let scope = Scope(file: file, typeName: type.map { program[$0].name } ?? "")
        let context = BodyContext(body: body, selfType: type, scope: scope, isStatic: type == nil || facts.isStatic)
        return first(in: body.block, context, depth: depth, running.union([function]))
    }

    private static func within(_ name: String, _ what: String) -> String {
        if what.hasPrefix("'\(name)'") { return what }
        // Of functions that call one another the first and what comes of it are said.
        return what.split(separator: " runs, where ").last.map { "'\(name)' runs, where \($0)\($0.hasSuffix(",") ? "" : ",")" } ?? what
    }

    private func first(in block: Block, _ context: BodyContext, depth: Int, _ running: Set<Function>) -> Use? {
        for statement in block {
            if let use = use(at: statement, context, depth: depth, running) { return use }
            for inner in statement.innerBlocks(enteringClosures: false) {
                if let found = first(in: inner, context, depth: depth, running) { return found }
            }
            guard let call = statement.call, runsAtOnce(call) else { continue }
            for case .register(let register) in call.arguments.map(\.value) {
                guard case .closure(_, let closure)? = context.definition(of: register)?.kind, let found = first(in: closure.block, context, depth: depth, running) else { continue }
                return found
            }
        }
        return nil
    }

    private func runsAtOnce(_ call: Call) -> Bool {
        call.callee.baseName.flatMap { input.library.closureRoles[$0] } == .now && !["sync", "dispatch_sync", "dispatch_barrier_sync", "performAndWait", "performBlockAndWait"].contains(call.callee.baseName ?? "")
    }

    private func use(at statement: Statement, _ context: BodyContext, depth: Int, _ running: Set<Function>) -> Use? {
        let what: String?
        switch statement.kind {
        case .write(.member(let base, let name), _): what = write(name, of: base, context)
        // A bare name is a variable in Objective-C.
        case .write(.name(let name), _): what = program.files[context.scope.file].facts.language == .swift ? write(name, of: .selfObject, context) : nil
        case .call(let call) where !call.maySuspend, .collection(_, let call) where !call.maySuspend:
            if let (inner, name) = firstInFreeFunction(calledBy: call, context, depth: depth, running) { return Use(what: Self.within(name, inner.what), span: statement.span, callees: inner.callees) }
            if let target = target(of: call, context) {
                guard let (member, type) = target, let inner = first(in: member, on: type, depth: depth + 1, running) else { return nil }
                let callee = Callee(name: program[member].baseName, fullName: program[member].fullName, type: type, file: member.declaration.file, call: statement.span, span: inner.span ?? statement.span)
                return Use(what: Self.within(callee.name, inner.what), span: statement.span, callees: [callee] + inner.callees)
            }
            what = change(call, context)
        default: what = nil
        }
        return what.map { Use(what: $0, span: statement.span, callees: []) }
    }

    private func write(_ name: String, of base: Operand, _ context: BodyContext) -> String? {
        guard !looksPastNew || !Self.isNew(base, context) else { return nil }
        guard let owner = mainThreadClass(of: base, context) else { return publishes(name, of: base, context) ? "'\(name)', which views of SwiftUI observe, is set" : nil }
        // A property of the project's own shows nothing by itself.
        if let type = owner.type, !program.members(named: name, on: type).isEmpty || program.freeMembers(named: name).contains(where: { $0.member.kind == .property }) { return nil }
        guard !Self.silentProperties.contains(name) else { return nil }
        return "'\(name)' of \(owner.title) is set"
    }

    /// Whether a write publishes a change of a model to views.
    private func publishes(_ name: String, of base: Operand, _ context: BodyContext) -> Bool {
        if base == .selfObject { return context.selfType.map { input.models.publishes(name, of: $0) } ?? false }
        guard let inferred = input.inference.type(of: base, in: context), !inferred.isMetatype, inferred.provenance <= .platformData,
              case .project(let types) = input.inference.resolve(inferred), types.count == 1 else { return false }
        return input.models.publishes(name, of: types[0])
    }

    /// What says how an object behaves, and shows nothing.
    private static let silentProperties: Set<String> = ["delegate", "dataSource", "tag", "representedObject", "accessibilityIdentifier", "restorationIdentifier", "modalPresentationStyle", "modalTransitionStyle", "transitioningDelegate"]

    /// The function of the project that a call means: nil for a call of something else, an inner nil where several could be meant.
    func target(of call: Call, _ context: BodyContext) -> (MemberID, TypeID)?? {
        guard let name = call.callee.baseName else { return .some(nil) }
        switch call.callee {
        case .member, .name: break
        default: return .some(nil)
        }
        let receivers = input.inference.receivers(of: call, in: context)
        guard receivers.provenance <= .platformData, !receivers.types.isEmpty else { return nil }
        let targets = receivers.types.flatMap { type in
            program.members(named: name, on: type).filter { program[$0].kind == .function && program[$0].isStatic == receivers.isMetatype && (program[$0].accepts(call) || program[$0].acceptsWithoutFirstLabel(call)) }.map { ($0, type) }
        }
        if targets.isEmpty, !receivers.isMetatype, receivers.types.count == 1, let added = added(name, call, to: receivers.types[0]) { return .some((added, receivers.types[0])) }
        // The SDK's own of the same name.
        if targets.isEmpty, receivers.types.contains(where: { !program.members(named: name, on: $0).isEmpty }) { return nil }
        guard let target = targets.first else { return nil }
        return .some(targets.count == 1 ? target : nil)
    }

    /// The only function that the project adds to a class of the SDK, above this one, which the call can mean.
    private func added(_ name: String, _ call: Call, to type: TypeID) -> MemberID? {
        guard let known = program.platformClass(of: type) else { return nil }
        let functions = program.extensionFunctions(named: name).filter { !program[$0].isStatic && program[$0].accepts(call) && program.platform.isClass(known, kindOf: program[$0.declaration].name) }
        return functions.count == 1 ? functions[0] : nil
    }

    /// A call of the SDK's that changes what is shown, as a clause.
    private func change(_ call: Call, _ context: BodyContext) -> String? {
        let base: Operand, name: String
        switch call.callee {
        case .member(let receiver, let called): (base, name) = (receiver, called)
        case .name(let called) where program.files[context.scope.file].facts.language == .swift && program.freeMembers(named: called).isEmpty: (base, name) = (.selfObject, called)
        default: return nil
        }
        guard threads.changesView(name), program.extensionFunctions(named: name).isEmpty, !looksPastNew || !Self.isNew(base, context) else { return nil }
        guard let owner = mainThreadClass(of: base, context) else {
            let isUnknown = input.inference.type(of: base, in: context) == nil && !program.hasFunction(named: name)
            return isUnknown && call.fullName.map(threads.unmistakable.contains) ?? false ? "'\(name)' of a controller is called" : nil
        }
        return "'\(name)' of \(owner.title) is called"
    }

    /// The class of what a property holds whose declaration is not here, where its name tells it.
    private func namedClass(ofValueIn register: Register, _ context: BodyContext) -> String? {
        guard case .read(_, let place)? = context.definition(of: register)?.kind, let name = place.propertyName, program.freeMembers(named: name).isEmpty else { return nil }
        return threads.named[name]
    }

    /// The class of an object that belongs to the main thread.
    private func mainThreadClass(of operand: Operand, _ context: BodyContext) -> (title: String, type: TypeID?)? {
        guard let inferred = input.inference.type(of: operand, in: context) else {
            // The one object of its class, as Objective-C asks for it.
            guard case .register(let register) = operand else { return nil }
            let name = input.className(of: operand, in: context) ?? namedClass(ofValueIn: register, context)
            guard let name, threads.classes.contains(where: { program.platform.isClass(name, kindOf: $0) }) else { return nil }
            return ("a '\(name)'", nil)
        }
        guard inferred.provenance <= .platformData, !inferred.isMetatype else { return nil }
        switch input.inference.resolve(inferred) {
        case .platform(let name):
            return threads.classes.contains { program.platform.isClass(name, kindOf: $0) } ? ("a '\(name)'", nil) : nil
        case .project(let types):
            guard types.count == 1, let type = types.first, threads.classes.contains(where: { program.isType(type, kindOf: $0) }) else { return nil }
            return ("'\(program[type].name)'", type)
        case .unknown: return nil
        }
    }
}
