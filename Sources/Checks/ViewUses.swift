import ProgramModel
import RuleLibrary
import SourceText

/// Where code changes what is shown, directly or through functions of the project.
struct ViewUses {
    let input: CheckInput
    let threads: ThreadKnowledge
    /// Whether objects that the code has just made are passed over.
    private var looksPastNew = false
    /// Whether what is merely read counts, too.
    private var looksAtReads = false
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
        guard members.count == 1, let use = first(in: members[0], on: type, depth: 1, []) ?? reading.first(in: members[0], on: type, depth: 1, []) else { return nil }
        return (use, members[0])
    }

    /// The first use in a block of a body; what its closures do counts only where they run at once.  What is done to an object that the
    /// block has just made, and that is not shown yet, and what is only read, is told where there is nothing else.
    func first(in block: Block, _ context: BodyContext) -> Use? {
        var settled = self
        settled.looksPastNew = true
        return settled.first(in: block, context, depth: 0, []) ?? first(in: block, context, depth: 0, []) ?? reading.first(in: block, context, depth: 0, [])
    }

    /// The search that looks at what is read as well.
    private var reading: ViewUses {
        var reading = self
        (reading.looksPastNew, reading.looksAtReads) = (true, true)
        return reading
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
        return "'\(name)' runs, where \(outcome(of: what))"
    }

    /// What comes of a clause in the end, with a comma after it.
    private static func outcome(of what: String) -> String {
        let last = what.split(separator: " runs, where ").last.map(String.init) ?? what
        return last.hasSuffix(",") ? last : last + ","
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
        case .write(.member(let base, let name), _):
            what = write(name, of: base, context)
            if what == nil, let observed = firstInObserver(of: name, base, at: statement.span, context, depth: depth, running) { return observed }
        // A bare name is a variable in Objective-C.
        case .write(.name(let name), _):
            guard program.files[context.scope.file].facts.language == .swift else { return nil }
            what = write(name, of: .selfObject, context)
            if what == nil, let observed = firstInObserver(of: name, .selfObject, at: statement.span, context, depth: depth, running) { return observed }
        case .read(_, .member(let base, let name)) where looksAtReads: what = read(name, of: base, context)
        case .read(_, .name(let name)) where looksAtReads && program.files[context.scope.file].facts.language == .swift: what = read(name, of: .selfObject, context)
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

    /// What reading a property of what is shown is, as a clause.
    private func read(_ name: String, of base: Operand, _ context: BodyContext) -> String? {
        guard threads.reads.contains(name), !Self.isNew(base, context), let owner = mainThreadClass(of: base, context) else { return nil }
        if let type = owner.type, !program.members(named: name, on: type).isEmpty { return nil }
        return "'\(name)' of \(owner.title) is read"
    }

    /// The first use in what runs when a property of the project is set.
    private func firstInObserver(of name: String, _ base: Operand, at span: SourceSpan, _ context: BodyContext, depth: Int, _ running: Set<Function>) -> Use? {
        let owners: [TypeID]
        if base == .selfObject { owners = [context.selfType].compactMap { $0 } } else {
            guard let inferred = input.inference.type(of: base, in: context), !inferred.isMetatype, inferred.provenance <= .platformData, case .project(let types) = input.inference.resolve(inferred) else { return nil }
            owners = types
        }
        guard owners.count == 1, depth < Self.deepest, let id = program.members(named: name, on: owners[0]).first, program[id].kind == .property, !running.contains(.member(id)),
              !program[id].attributes.contains(where: { $0.name == "MainActor" }) else { return nil }
        for body in [program[id].accessors?.willSet, program[id].accessors?.set, program[id].accessors?.didSet].compactMap({ $0 }) where !Self.asksForThread(body) {
            let inside = BodyContext(body: body, selfType: owners[0], scope: Scope(file: id.declaration.file, typeName: program[owners[0]].name), isStatic: false)
            guard let inner = first(in: body.block, inside, depth: depth + 1, running.union([.member(id)])) else { continue }
            let callee = Callee(name: name, fullName: name, type: owners[0], file: id.declaration.file, call: span, span: inner.span ?? span)
            return Use(what: "'\(name)' is set and its observer runs, where \(Self.outcome(of: inner.what))", span: span, callees: [callee] + inner.callees)
        }
        return nil
    }

    /// What setting a property does, as a clause; nil where that changes nothing that is shown.
    func write(_ name: String, of base: Operand, _ context: BodyContext) -> String? {
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
        let functions = program.functionsAdded(above: type, named: name, meantBy: call)
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
        if threads.showing.contains(where: { $0.value.contains(name) }), let shown = input.className(of: base, in: context), threads.showing[shown]?.contains(name) ?? false { return "'\(name)' of an '\(shown)' is called" }
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
