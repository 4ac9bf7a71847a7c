import Findings
import ProgramModel
import RuleLibrary
import SourceText

extension Check {
    /// Work that the suspension of the process may cut off, and background tasks that are not ended.
    static let backgroundWork = Check(rules: ["background_work_unprotected"]) { input, file in
        guard let threads = input.library.threads else { return [] }
        return input.bodies(inFile: file).flatMap { place in
            BackgroundTaskSearch(input: input, threads: threads, file: file, place: place).findings()
                + UnprotectedWorkSearch(input: input, threads: threads, file: file, place: place).findings()
        }
    }
}

private enum BackgroundTaskNames {
    static func begins(_ call: Call) -> Bool { call.callee.baseName?.hasPrefix("beginBackgroundTask") ?? false }
    static func ends(_ call: Call) -> Bool { call.callee.baseName == "endBackgroundTask" }
}

/// The search for background tasks that begin in one body and are not ended.
private struct BackgroundTaskSearch {
    let input: CheckInput
    let threads: ThreadKnowledge
    let file: Int
    let place: BodyOccurrence
    private static let deepest = 3

    private var program: Program { input.program }

    func findings() -> [Finding] {
        let closures = ClosureThreads(input: input, threads: threads, place: place)
        var found: [Finding] = []
        place.body.block.forEachStatement { statement in
            guard let call = statement.call, BackgroundTaskNames.begins(call), case .member(let receiver, _) = call.callee, closures.receiverClass(receiver) == "UIApplication" else { return }
            if let message = problem(call) {
                found.append(input.finding("background_work_unprotected", message, at: statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName))
            }
        }
        return found
    }

    /// The closure that runs when the time is over.
    private enum Handler {
        case none, closure(Block), unknown
    }

    private func handler(of call: Call) -> Handler {
        guard let last = call.arguments.last, last.label != "withName" || last.isTrailing else { return .none }
        switch last.value {
        case .constant(.null): return .none
        case .register(let register):
            guard case .closure(_, let closure)? = place.context.definition(of: register)?.kind else { return .unknown }
            return .closure(closure.block)
        default: return .unknown
        }
    }

    private func problem(_ call: Call) -> String? {
        guard place.body.usedRegisters.contains(call.result) else {
            return "the identifier of this background task is dropped, so nothing can end it: the system ends the app when the time that is left has run out; keep it, and give it to 'endBackgroundTask' when the work is done and in the expiration handler"
        }
        switch (handler(of: call), place(ofEndBeside: handler(of: call))) {
        case (_, .never):
            return "nothing in the project ends this background task: the system ends the app when the time that is left has run out; call 'endBackgroundTask' when the work is done, and in the expiration handler"
        case (.unknown, _), (_, .elsewhere): return nil
        case (.none, _):
            return "this background task has no expiration handler: when the time that is left runs out before the work is done, the system ends the app; give one that calls 'endBackgroundTask'"
        case (.closure, .nowhere):
            return "this background task is ended only when its time has run out: the app keeps running, and its allowance with it, long after the work is done; call 'endBackgroundTask' there as well"
        case (.closure(let block), .here):
            guard !ends(in: block, depth: 0) else {
                return openExit(after: call, in: place.body.block).map {
                    "the return in line \($0.start.line) leaves this background task open, which every other way ends: the app keeps running until the time that is left has run out; call 'endBackgroundTask' there, or begin the task after it"
                }
            }
            return "the expiration handler does not call 'endBackgroundTask': when the time runs out before the work is done, the system ends the app; end the task in the handler as well"
        }
    }

    /// A return between the beginning of a task and the code of the same block that ends it, where nothing is ended and nobody asks for the task.
    private func openExit(after begin: Call, in block: Block) -> SourceSpan? {
        guard let start = block.firstIndex(where: { $0.call?.result == begin.result }) else {
            return block.lazy.flatMap { $0.innerBlocks(enteringClosures: true) }.compactMap { openExit(after: begin, in: $0) }.first
        }
        var open: SourceSpan?
        for statement in block[(start + 1)...] {
            if ends(in: [statement], depth: 0) || !statement.closures(in: place.context).allSatisfy({ !ends(in: $0.block, depth: 0) }) { return open }
            guard open == nil, case .branch(let clauses, let then, let otherwise) = statement.kind, !clauses.contains(where: asksForTask) else { continue }
            open = [then, otherwise].compactMap(\.last).first { if case .exit(.returns) = $0.kind { true } else { false } }?.span
        }
        return nil
    }

    /// Whether a condition asks for a task, or for the object that has it.
    private func asksForTask(_ clause: Clause) -> Bool {
        if case .isTrue = clause.test {} else { return true }
        return clause.setup.contains { statement in
            switch statement.kind {
            case .read(_, let place): place.propertyName?.lowercased().contains("task") ?? false
            case .compute(_, _, let operands): operands.contains { if case .constant(.implicitMember(let name)) = $0 { name.lowercased().contains("invalid") } else { false } }
            default: false
            }
        }
    }

    /// Whether a block ends a background task, itself or through functions of the project.
    private func ends(in block: Block, depth: Int) -> Bool {
        var found = false
        // What a closure of the block does is seen where it stands.
        var own: Set<Operand> = []
        block.forEachStatement { statement in
            if case .closure(let register, _) = statement.kind { own.insert(.register(register)) }
            guard !found, let call = statement.call else { return }
            if case .value(let callee) = call.callee, own.contains(callee) { return }
            found = BackgroundTaskNames.ends(call) || (depth < Self.deepest && mayLeadToEnd(call, depth: depth))
        }
        return found
    }

    private func mayLeadToEnd(_ call: Call, depth: Int) -> Bool {
        if case .initializer(let type) = call.callee, case .platform = program.resolve(type, in: place.context.scope) { return false }
        // What makes an object of the project ends nothing, unless it says so.
        if case .initializer(let type) = call.callee, case .project(let types) = program.resolve(type, in: place.context.scope) {
            return types.flatMap { program.members(of: $0) }.contains { id in program[id].kind == .initializer && program[id].bodies.contains { Self.ends(in: $0.body.block) > 0 } }
        }
        guard let name = call.callee.baseName else { return true }
        let own = program.members(named: name, on: place.member.owner)
        let functions = own.isEmpty ? call.fullName.map(program.functions) ?? [] : own
        // A closure that somebody hands in, or code that nobody sees, may be told to end it.
        if functions.isEmpty, program.hasFunction(named: name) { return true }
        return functions.contains { id in program[id].body.map { ends(in: $0.block, depth: depth + 1) } ?? false }
    }

    /// Where a background task is ended beside its expiration handler.
    private enum EndPlace {
        case here, nowhere
        /// The class never ends one: who gets the identifier does.
        case elsewhere
        /// No code of the project ends any.
        case never
    }

    private func place(ofEndBeside handler: Handler) -> EndPlace {
        var count = 0
        for type in program.chain(of: place.member.owner) {
            for id in program.members(of: type) {
                for (_, body) in program[id].bodies { count += Self.ends(in: body.block) }
            }
        }
        guard count > 0 else { return input.names.called.contains("endBackgroundTask(_:)") ? .elsewhere : .never }
        let within = if case .closure(let block) = handler { Self.ends(in: block) } else { 0 }
        return count > within ? .here : .nowhere
    }

    private static func ends(in block: Block) -> Int {
        var count = 0
        block.forEachStatement { if let call = $0.call, BackgroundTaskNames.ends(call) { count += 1 } }
        return count
    }
}

/// The search for work that is started when the app goes to the background and that nothing protects.
private struct UnprotectedWorkSearch {
    let input: CheckInput
    let threads: ThreadKnowledge
    let file: Int
    let place: BodyOccurrence
    private static let deepest = 2

    private var program: Program { input.program }

    private static let events: Set<String> = ["applicationDidEnterBackground(_:)", "sceneDidEnterBackground(_:)"]
    private static let protections: Set<String> = [
        "performExpiringActivity", "performExpiringActivityWithReason", "beginActivity", "submit", "background", "backgroundSessionConfigurationWithIdentifier",
    ]

    func findings() -> [Finding] {
        guard Self.events.contains(place.member.facts.fullName), !place.member.facts.isPartial, let start = start(in: place, depth: 0), !isProtected(place.body, depth: 0) else { return [] }
        return [input.finding(
            "background_work_unprotected",
            "'\(start.name)' starts work that goes on after this method, and the system may suspend the app before it is done; ask for time with 'beginBackgroundTask', or do the work before returning",
            at: start.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)]
    }

    /// The first call that starts work, with the statement of this body that leads to it.
    private func start(in place: BodyOccurrence, depth: Int) -> (name: String, span: SourceSpan)? {
        let closures = ClosureThreads(input: input, threads: threads, place: place)
        var found: (name: String, span: SourceSpan)?
        place.body.block.forEachStatement(enteringClosures: false) { statement in
            guard found == nil, let call = statement.call, let name = call.callee.baseName else { return }
            if closures.startsWork(call) {
                found = (name, statement.span)
            } else if depth < Self.deepest, let helper = helper(call, of: place), let inner = start(in: helper, depth: depth + 1) {
                found = (inner.name, statement.span)
            }
        }
        return found
    }

    private func isProtected(_ body: Body, depth: Int) -> Bool {
        var found = false
        body.block.forEachStatement { statement in
            guard !found, let call = statement.call, let name = call.callee.baseName else { return }
            found = BackgroundTaskNames.begins(call) || Self.protections.contains(name)
            if !found, depth <= Self.deepest {
                let functions = program.members(named: name, on: place.member.owner)
                found = functions.contains { id in program[id].body.map { isProtected($0, depth: depth + 1) } ?? false }
            }
        }
        return found
    }

    /// The method of the same class that a call means.
    private func helper(_ call: Call, of place: BodyOccurrence) -> BodyOccurrence? {
        switch call.callee {
        case .name, .member(.selfObject, _): break
        default: return nil
        }
        let members = call.callee.baseName.map { program.members(named: $0, on: place.member.owner) } ?? []
        guard members.count == 1, let id = members.first, let body = program[id].body else { return nil }
        let member = MemberOccurrence(id: id, facts: program[id], owner: place.member.owner, typeName: place.member.typeName)
        let scope = Scope(file: id.declaration.file, typeName: place.member.typeName)
        return BodyOccurrence(member: member, body: body, context: BodyContext(body: body, selfType: place.member.owner, scope: scope, isStatic: member.facts.isStatic))
    }
}

extension Statement {
    /// The closures that a call is given.
    fileprivate func closures(in context: BodyContext) -> [Closure] {
        (call?.arguments ?? []).compactMap { argument in
            guard case .register(let register) = argument.value, case .closure(_, let closure)? = context.definition(of: register)?.kind else { return nil }
            return closure
        }
    }
}
