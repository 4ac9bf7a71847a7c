import Findings
import ProgramModel
import RuleLibrary
import SourceText

extension Check {
    /// One-shot timers that take the place of one that still waits.
    static let rearmedTimers = Check(rules: ["timer_rescheduled"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).flatMap { RearmedTimers(input: input, file: file, member: $0)?.findings() ?? [] }
    }
}

/// The search in one method that arms a timer and keeps it.
private struct RearmedTimers {
    let input: CheckInput
    let file: Int
    let member: MemberOccurrence
    let body: Body

    private var program: Program { input.program }

    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        // What runs once, or as a pair with what ends it, arms no timer again.
        guard let body = member.facts.body, member.facts.kind == .function, !member.facts.isStatic, !member.facts.isOverride, !Self.once.contains(member.facts.baseName),
              !body.block.containsStatement({ $0.call?.callee == .superMember(member.facts.baseName) }) else { return nil }
        (self.input, self.file, self.member, self.body) = (input, file, member, body)
    }

    private static let once: Set<String> = ["dealloc", "awakeFromNib", "viewDidLoad", "loadView", "setup", "setUp", "configure"]

    func findings() -> [Finding] {
        var timers: [Register: Statement] = [:]
        body.block.forEachStatement(enteringClosures: false) { if let call = $0.call, input.library.isRepeated(armedBy: call.fullName, flag: call.boolean) == false { timers[call.result] = $0 } }
        guard !timers.isEmpty else { return [] }
        let context = member.context(of: body)
        func timer(_ operand: Operand) -> Statement? {
            guard case .register(let register) = operand else { return nil }
            if let made = timers[register] { return made }
            guard case .read(_, .local(let local))? = context.definition(of: register)?.kind, let value = context.value(of: local) else { return nil }
            return timer(value)
        }
        var found: [Finding] = []
        body.block.forEachStatement(enteringClosures: false) { statement in
            guard case .write(let place, let value) = statement.kind, let made = timer(value), let name = place.ownName, isHeedless(of: name) else { return }
            found.append(input.finding(
                "timer_rescheduled", "a second call of '\(member.facts.baseName)' puts a new timer into '\(name)' while the first still waits, and then both fire: invalidate the old one first",
                at: made.span, in: file, type: member.typeName, member: member.facts.fullName))
        }
        return found
    }

    /// Whether whoever uses an object that is no screen, and arms the timer by this method, ends it by another one.
    private func isPaired(_ members: [MemberID]) -> Bool {
        guard !program.isInterfaceObject(member.owner) else { return false }
        let ends = Set(members.map { program[$0] }.filter { $0.kind == .function && ($0.body?.block.calledNames.contains("invalidate") ?? false) }.map(\.baseName))
        let callers = program.types.filter { $0.id != member.owner && !program.files[$0.file].isTest }.map { type in
            program.members(of: type.id).flatMap { program[$0].bodies }.reduce(into: Set<String>()) { $0.formUnion($1.body.block.calledNames) }
        }.filter { $0.contains(member.facts.baseName) }
        return !callers.isEmpty && callers.allSatisfy { !$0.isDisjoint(with: ends) }
    }

    /// Whether the method may be called while the timer waits, and it does not ask for the old one though the class means to be able to end it.
    private func isHeedless(of property: String) -> Bool {
        let names: Set<String> = [property.withoutUnderscore, "_\(property.withoutUnderscore)"]
        let members = program.chain(of: member.owner).flatMap { program.members(of: $0) }
        guard members.contains(where: { names.contains(program[$0].baseName) && program[$0].kind == .property }), !asks(for: names, in: body), !leadsToAsking(body, names, members),
              !isPaired(members) else { return false }
        // A setter of Objective-C is a method of its own.
        let setters = names.map { "set\($0.prefix(1).uppercased())\($0.dropFirst())" }
        let isEndedBySetting = members.contains { id in
            let member = program[id]
            let bodies = names.contains(member.baseName) ? [member.accessors?.willSet, member.accessors?.didSet, member.accessors?.set] : setters.contains(member.baseName) ? [member.body] : []
            return bodies.contains { $0?.block.containsStatement { $0.call?.callee.baseName == "invalidate" } ?? false }
        }
        guard !isEndedBySetting, !passesOnce else { return false }
        let others = members.filter { program[$0].fullName != member.facts.fullName }
        guard others.contains(where: { id in program[id].bodies.contains { Self.ends(names, in: $0.body) } }) else { return false }
        let callers = others.filter { id in program[id].bodies.contains { $0.body.block.namesCalledOnSelf.contains(member.facts.baseName) } }
        // What a timer that fires once calls, waits for no other such timer of the same chain.
        let handlers = members.reduce(into: Set<String>()) { names, id in
            for (_, body) in program[id].bodies { body.block.forEachStatement { if let call = $0.call, input.library.isRepeated(armedBy: call.fullName, flag: call.boolean) == false { names.formUnion(call.handlers) } } }
        }
        if callers.isEmpty { return !member.facts.isPrivate && !(handlers.contains(member.facts.baseName) && isCalledByNobodyElse) }
        // A caller may ask what the method sets, and leave it.
        let written = written
        return callers.contains { id in
            let caller = program[id]
            guard caller.kind == .function, !caller.isOverride, !Self.once.contains(caller.baseName), !handlers.contains(caller.baseName) else { return false }
            return !caller.bodies.contains { asks(for: names, in: $0.body) || leadsToAsking($0.body, names, members) || !written.isDisjoint(with: asked(in: $0.body)) }
        }
    }

    /// Whether no code calls the method but by selectors, and code that is not here cannot know it.
    private var isCalledByNobodyElse: Bool {
        !input.names.called.contains(member.facts.fullName) && !program.isOffered(member.id)
    }

    /// Whether the method asks a property that it sets itself, so that a second call does not come here.
    private var passesOnce: Bool { !written.isDisjoint(with: asked(in: body)) }

    /// The properties that the method sets.
    private var written: Set<String> {
        var written: Set<String> = []
        body.block.forEachStatement(enteringClosures: false) { if case .write(let place, _) = $0.kind, let name = place.ownName { written.insert(name) } }
        return written
    }

    /// The properties on which something depends in a body.
    private func asked(in body: Body) -> Set<String> {
        var asked: Set<String> = []
        body.block.forEachStatement(enteringClosures: false) { statement in
            guard case .branch(let clauses, _, _) = statement.kind else { return }
            for clause in clauses {
                clause.setup.forEachStatement { if case .read(_, let place) = $0.kind, let name = place.ownName { asked.insert(name) } }
            }
        }
        return asked
    }

    private func asks(for names: Set<String>, in body: Body) -> Bool {
        var found = false
        body.block.forEachStatement { statement in
            if case .read(_, let place) = statement.kind, let name = place.ownName, names.contains(name) { found = true }
        }
        return found
    }

    /// Whether a body calls a method of the class that asks for the timer, itself or by what it calls in turn.
    private func leadsToAsking(_ body: Body, _ names: Set<String>, _ members: [MemberID]) -> Bool {
        var open = [body]
        var entered: Set<MemberID> = [member.id]
        while let next = open.popLast() {
            let called = next.block.namesCalledOnSelf
            let namedInFull = next.block.calledFullNames
            for id in members where called.contains(program[id].baseName) && !entered.contains(id) {
                let bodies = program[id].bodies.map(\.body)
                if bodies.contains(where: { asks(for: names, in: $0) }) { return true }
                // Of several of one name only the one that is called leads on.
                guard namedInFull.contains(program[id].fullName), entered.insert(id).inserted else { continue }
                open += bodies
            }
        }
        return false
    }

    /// Whether a body invalidates the timer of the property.
    private static func ends(_ names: Set<String>, in body: Body) -> Bool {
        var read: Set<Register> = []
        var found = false
        body.block.forEachStatement { statement in
            if case .read(let register, let place) = statement.kind, let name = place.ownName, names.contains(name) { read.insert(register) }
            if case .write(let place, .constant(.null)) = statement.kind, let name = place.ownName, names.contains(name) { found = true }
            if case .member(.register(let register), "invalidate")? = statement.call?.callee, read.contains(register) { found = true }
        }
        return found
    }
}
