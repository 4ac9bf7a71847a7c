import Findings
import ProgramModel

extension Check {
    /// Timers that never fire: no run loop has them, or the run loop of a thread that does not run one.
    static let unscheduledTimers = Check(rules: ["timer_not_scheduled"]) { input, file in
        input.bodies(inFile: file).flatMap { place in
            place.madeObjects { isTimer($0, place.context.scope, input.program) }.compactMap { UnscheduledTimer(input: input, place: place, made: $0).finding(file) }
                + backgroundTimers(place, file, input) + actorTimers(place, file, input)
        }
    }

    private static func isTimer(_ type: TypeReference, _ scope: Scope, _ program: Program) -> Bool {
        guard case .platform(let name) = program.resolve(type.unwrapped, in: scope) else { return false }
        return ["Timer", "NSTimer"].contains(name)
    }

    // MARK: Threads without a run loop

    /// Scheduled timers of closures that other threads run, made there or by a method of the class: their run loops are run by nobody.
    private static func backgroundTimers(_ place: BodyOccurrence, _ file: Int, _ input: CheckInput) -> [Finding] {
        guard let threads = input.library.threads else { return [] }
        let closures = ClosureThreads(input: input, threads: threads, place: place)
        var found: [Finding] = []
        place.body.block.forEachStatement { statement in
            guard case .call(let call) = statement.kind, closures.startsWork(call), let reason = closures.reason(call), let last = call.arguments.last?.value,
                  case .register(let register) = last, case .closure(_, let closure)? = place.context.definition(of: register)?.kind, !runsLoop(closure.block) else { return }
            closure.block.forEachStatement(enteringClosures: false) { inner in
                guard let name = schedules(inner, place.context.scope, input.program) ? "" : methodThatSchedules(inner, place, input) else { return }
                found.append(input.finding(
                    "timer_not_scheduled",
                    "\(name.isEmpty ? "a timer is scheduled" : "'\(name)' schedules a timer") on the run loop of the thread that makes it, and \(reason), whose threads run none, so it never fires: make it on the main queue",
                    at: inner.span, in: file, type: place.member.typeName, member: place.member.facts.fullName))
            }
        }
        return found
    }

    /// Timers that the code of an actor schedules: it runs on threads of the cooperative pool, unless the actor brings an executor of its own.
    private static func actorTimers(_ place: BodyOccurrence, _ file: Int, _ input: CheckInput) -> [Finding] {
        let (program, facts) = (input.program, place.member.facts)
        guard program[place.member.owner].kind == .actor, facts.kind == .function, !facts.isStatic, !facts.modifiers.contains("nonisolated"),
              !facts.attributes.contains(where: \.namesActor), program.members(named: "unownedExecutor", on: place.member.owner).isEmpty, !runsLoop(place.body.block) else { return [] }
        var found: [Finding] = []
        place.body.block.forEachStatement(enteringClosures: false) { statement in
            guard schedules(statement, place.context.scope, program) else { return }
            found.append(input.finding(
                "timer_not_scheduled",
                "a timer is scheduled on the run loop of the thread that makes it, and an actor's code runs on threads of the cooperative pool, which run none, so it never fires: make it on the main actor, or sleep in a task",
                at: statement.span, in: file, type: place.member.typeName, member: facts.fullName))
        }
        return found
    }

    /// Whether a statement makes a timer and schedules it at once.
    private static func schedules(_ statement: Statement, _ scope: Scope, _ program: Program) -> Bool {
        guard let timer = statement.call, timer.callee.baseName == "scheduledTimer", case .member(.type(let type), _) = timer.callee else { return false }
        return isTimer(type, scope, program)
    }

    /// The method of the class that a statement calls, if all of its ways schedule a timer on the thread that it is called on.
    private static func methodThatSchedules(_ statement: Statement, _ place: BodyOccurrence, _ input: CheckInput) -> String? {
        guard let call = statement.call, let name = call.callee.baseName else { return nil }
        switch call.callee {
        case .name, .member(.selfObject, _): break
        default: return nil
        }
        let program = input.program
        let functions = program.members(named: name, on: place.member.owner).filter { program[$0].kind == .function }
        guard functions.count == 1, let id = functions.first, let body = program[id].body, !program[id].modifiers.contains("async"),
              !program[id].attributes.contains(where: { $0.name == "MainActor" }), !runsLoop(body.block) else { return nil }
        let scope = Scope(file: id.declaration.file, typeName: program[id.declaration].name)
        return body.block.contains { schedules($0, scope, program) } ? name : nil
    }

    /// Whether a block runs a run loop, or gives one the timer.
    private static func runsLoop(_ block: Block) -> Bool {
        var found = false
        block.forEachStatement { statement in
            if let name = statement.call?.callee.baseName, ["run", "runMode", "runUntilDate", "CFRunLoopRun", "CFRunLoopRunInMode", "add", "addTimer", "acceptInput"].contains(name) { found = true }
            if case .opaque = statement.kind { found = true }
        }
        return found
    }
}

/// The search for a run loop that is given one timer.
private struct UnscheduledTimer {
    let input: CheckInput
    let place: BodyOccurrence
    let made: MadeObject

    private var program: Program { input.program }

    /// Calls of a timer that schedule nothing.
    private static let harmless: Set<String> = ["invalidate", "isValid", "setTolerance", "setFireDate"]

    func finding(_ file: Int) -> Finding? {
        guard !made.uses.isMixed, let first = made.call.arguments.first?.label, ["timeInterval", "fire", "fireAt", "fireDate"].contains(first) else { return nil }
        var properties: [String] = []
        for (use, _) in made.uses.all {
            switch use {
            case .set, .read: continue
            case .called(let call): guard call.callee.baseName.map(Self.harmless.contains) ?? false else { return nil }
            case .kept(.name(let name)), .kept(.member(.selfObject, let name)): properties.append(name)
            case .given, .kept, .returned, .other: return nil
            }
        }
        guard properties.allSatisfy(isIdle) else { return nil }
        let name = properties.first ?? made.uses.locals.first.map { place.body[$0].name }
        return input.finding(
            "timer_not_scheduled",
            "\(name.map { "'\($0)'" } ?? "this timer") is added to no run loop, so it never fires: make it with 'scheduledTimer', or add it to the main run loop",
            at: made.statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
    }

    /// Whether nothing in the program takes the timer from the property of self but to invalidate it.
    private func isIdle(_ property: String) -> Bool {
        let members = program.members(named: property, on: place.member.owner).map { program[$0] }
        guard let member = members.first(where: { $0.kind == .property }), member.accessors?.all.isEmpty ?? true else { return false }
        for (index, one) in program.files.enumerated() where !one.isTest && (!member.isPrivate || index == place.context.scope.file || one.facts.language == .objectiveC) {
            for other in one.facts.types.flatMap(\.members) {
                for (_, body) in other.bodies where !isIdle(property, in: body) { return false }
            }
        }
        return true
    }

    private func isIdle(_ property: String, in body: Body) -> Bool {
        var registers: Set<Register> = []
        var isOpaque = false
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .read(let register, .name(property)), .read(let register, .member(_, property)): registers.insert(register)
            case .opaque(let part): if part.reads.contains(property) || part.reads.contains("_" + property) { isOpaque = true }
            default: break
            }
        }
        guard !isOpaque else { return false }
        guard !registers.isEmpty else { return true }
        return ValueUses(of: registers, in: body).all.allSatisfy { use, _ in
            switch use {
            case .set, .read: true
            case .called(let call): call.callee.baseName.map(Self.harmless.contains) ?? false
            case .given, .kept, .returned, .other: false
            }
        }
    }
}
