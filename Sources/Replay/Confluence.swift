import ProgramModel

/// Where the ways through one event meet again.  A statement that leads to questions is run on each of its ways before anything that
/// follows; the ways after which the store is the same are one way, so that what ten independent questions ask is not asked a
/// thousand times.  One of these belongs to the runs of one event from one state.
package final class Confluence {
    /// What tells the store in the middle of a run from others, with what the running bodies still know.
    package typealias Tell = (_ machine: Machine, _ flow: Flow, _ stack: [StackFrame]) -> [UInt64]

    /// A frame of a body that is running.
    package struct StackFrame {
        package let index: Int
        /// What somebody may still ask for; nil where that is everything.
        package let live: Names?

        /// Whether the value of a local tells one way from another.
        package func tells(_ local: LocalID, _ value: Value) -> Bool { live.map { $0.locals.contains(local) && !Machine.isJoinable(value) } ?? true }

        /// Whether the value of a register does.
        package func tells(_ register: Register, _ value: Value) -> Bool { live.map { $0.registers.contains(register) && !Machine.isJoinable(value) } ?? true }
    }

    /// Locals and registers of one body.
    package struct Names {
        package fileprivate(set) var locals: Set<LocalID> = []
        package fileprivate(set) var registers: Set<Register> = []
    }

    /// What the ways through a statement lead to, each once.
    struct End {
        var machine: Machine
        var flow: Flow
    }

    /// A statement as a run comes to it: after these outcomes, at this one of the statements that ask.
    private struct Moment: Hashable {
        let taken: [Bool]
        let number: Int
    }

    /// The most ways through one statement that are told apart before it is left to the run itself.
    private static let mostWays = 24

    /// More than the statements of any run.
    private static let mostNumbers = 1 << 24

    private let asking: Set<BodyPlace>
    private let tell: Tell
    /// What each statement leads to; empty where there are too many ways.
    private var known: [Moment: [End]] = [:]
    private var live: [BodyPlace: Names] = [:]
    /// The statements that were seen to ask.
    package private(set) var found: Set<BodyPlace> = []
    /// How many statements were run, those of all ways.
    package fileprivate(set) var steps = 0
    /// Where the numbers of the statements after the next end begin, so that no two runs that differ come to one of the same number.
    private var firstNumber = 0

    /// How many statements may be run before ways are not looked for any more.
    private let mostSteps: Int

    /// Makes one for statements that are known to ask.
    package init(asking: Set<BodyPlace>, mostSteps: Int, tell: @escaping Tell) {
        self.asking = asking
        self.mostSteps = mostSteps
        self.tell = tell
    }

    fileprivate func asks(_ place: BodyPlace) -> Bool { asking.contains(place) }
    fileprivate func note(_ place: BodyPlace) { found.insert(place) }
    fileprivate func count() { steps += 1 }

    /// The different ends of a statement; nil where there are too many ways through it.
    fileprivate func ends(of statement: Statement, at place: BodyPlace, in frame: Int, from start: Machine) -> [End]? {
        let moment = Moment(taken: start.choices.taken, number: start.moment)
        if let ends = known[moment] { return ends.isEmpty ? nil : ends }
        var ends = follow(statement, in: frame, from: start) ?? []
        if ends.count > 1 { ends = merged(ends, after: statement, at: place, in: frame, from: start) }
        for index in ends.indices {
            firstNumber += Self.mostNumbers
            ends[index].machine.moment = firstNumber
            // What is kept here must not keep this.
            ends[index].machine.confluence = nil
        }
        known[moment] = ends
        return ends.isEmpty ? nil : ends
    }

    private func follow(_ statement: Statement, in frame: Int, from start: Machine) -> [End]? {
        var ends: [End] = []
        var pending = [start.choices.taken]
        while let given = pending.popLast() {
            guard ends.count < Self.mostWays, steps < mostSteps else { return nil }
            var way = start
            way.choices.resume(given: given)
            let flow = way.step(statement, in: frame)
            guard flow != .stopped else { return nil }
            let taken = way.choices.taken
            for index in given.count..<max(given.count, taken.count) { pending.append(Array(taken[..<index]) + [!taken[index]]) }
            ends.append(End(machine: way, flow: flow))
        }
        return ends
    }

    /// The ends of which no two have the same store.
    private func merged(_ ends: [End], after statement: Statement, at place: BodyPlace, in frame: Int, from start: Machine) -> [End] {
        let stack = stack(of: start, at: frame, after: statement, place)
        var merged: [End] = []
        var index: [[UInt64]: Int] = [:]
        for end in ends {
            let key = tell(end.machine, end.flow, stack)
            if let place = index[key] { merged[place].take(end, since: start, in: frame, stack.first { $0.index == frame }?.live ?? Names()) } else {
                index[key] = merged.count
                merged.append(end)
            }
        }
        return merged
    }

    /// The frames of the running bodies and those around closures.
    private func stack(of machine: Machine, at frame: Int, after statement: Statement, _ place: BodyPlace) -> [StackFrame] {
        var indices: Set<Int> = []
        var caller: Int? = frame
        while let one = caller, indices.insert(one).inserted {
            var parent = machine.world.frames[one].parent
            while let around = parent, indices.insert(around).inserted { parent = machine.world.frames[around].parent }
            caller = machine.world.frames[one].caller
        }
        let live = live(after: statement, at: place, in: machine.world.frames[frame].context.body)
        return indices.sorted().map { StackFrame(index: $0, live: $0 == frame ? live : nil) }
    }

    /// What is mentioned outside the statement.  One of a loop runs again, and finds what was declared outside it as the round before left it.
    private func live(after statement: Statement, at place: BodyPlace, in body: Body) -> Names {
        if let found = live[place] { return found }
        let (inside, all) = (Mentions([statement]), Mentions(body.block))
        var found = Names(
            locals: Set(all.locals.filter { inside.locals[$0.key] != $0.value }.keys), registers: Set(all.registers.filter { inside.registers[$0.key] != $0.value }.keys))
        found.locals.formUnion(body.parameters)
        live[place] = found
        return found
    }

    /// How often statements mention locals and registers.
    private struct Mentions {
        var locals: [LocalID: Int] = [:]
        var registers: [Register: Int] = [:]

        init(_ block: some Sequence<Statement>) {
            var locals: [LocalID: Int] = [:], registers: [Register: Int] = [:]
            block.forEachStatement { statement in
                statement.forEachUse(place: { if case .local(let local) = $0 { locals[local, default: 0] += 1 } }, operand: { if case .register(let register) = $0 { registers[register, default: 0] += 1 } })
                if case .local(let local)? = statement.call?.callee { locals[local, default: 0] += 1 }
                switch statement.kind {
                case .declare(let local, _), .function(let local, _), .spawn(let local, _): locals[local, default: 0] += 1
                default: break
                }
            }
            (self.locals, self.registers) = (locals, registers)
        }
    }
}

extension Confluence.End {
    /// Takes over what another way to the same store has seen, and takes for unknown what the two know otherwise.
    fileprivate mutating func take(_ other: Confluence.End, since start: Machine, in frame: Int, _ live: Confluence.Names) {
        machine.take(other.machine, since: start)
        let (own, others) = (machine.world.frames[frame], other.machine.world.frames[frame])
        /// Whether both ways have the same value, and mean the same by it.
        func isSame(_ one: Value?, _ two: Value?) -> Bool { (one ?? .null) == (two ?? .null) && start.knows(one ?? .null) }
        for local in live.locals {
            let (one, two) = (own.locals[local], others.locals[local])
            if (one != nil || two != nil), Machine.isJoinable(one ?? .null), !isSame(one, two) { machine.world.frames[frame].locals[local] = machine.world.unknown() }
        }
        for register in live.registers {
            let (one, two) = (own.registers[register], others.registers[register])
            if (one != nil || two != nil), Machine.isJoinable(one ?? .null), !isSame(one, two) { machine.set(register, machine.world.unknown(), nil, in: frame) }
        }
        switch (flow, other.flow) {
        case (.returned(let one), .returned(let two)) where Machine.isJoinable(one) && !isSame(one, two): flow = .returned(machine.world.unknown())
        case (.threw(let one), .threw(let two)) where Machine.isJoinable(one) && !isSame(one, two): flow = .threw(machine.world.unknown())
        default: break
        }
    }
}

extension Machine {
    /// Runs a statement; the ways through it that lead to the same store are one.
    mutating func meet(_ statement: Statement, in frame: Int) -> Flow {
        guard let confluence, !isJoining, statement.mayAsk else {
            confluence?.count()
            return step(statement, in: frame)
        }
        confluence.count()
        let place = BodyPlace(statement, file: world.frames[frame].file)
        guard confluence.asks(place) else {
            let asked = choices.taken.count
            let flow = step(statement, in: frame)
            if choices.taken.count > asked { confluence.note(place) }
            return flow
        }
        moment += 1
        guard let ends = confluence.ends(of: statement, at: place, in: frame, from: self) else { return step(statement, in: frame) }
        var choices = choices
        let chosen = ends[choices.choose(among: ends.count, at: place)]
        choices.answers = chosen.machine.choices.answers
        self = chosen.machine
        self.confluence = confluence
        self.choices = choices
        return chosen.flow
    }

    /// Ends the meeting of ways; the next event has its own.
    package mutating func partFromConfluence() {
        confluence = nil
        moment = 0
    }

    /// Takes over what another way to the same store has seen, and forgets the answers in which the two differ.
    fileprivate mutating func take(_ other: Machine, since start: Machine) {
        world.entered.formUnion(other.world.entered)
        world.excused.formUnion(other.world.excused)
        for one in other.world.shortcomings where !world.shortcomings.contains(one) { world.shortcomings.append(one) }
        for (question, outcome) in choices.answers where !(start.knows(question) && other.choices.answers[question] == outcome) && start.choices.answers[question] == nil {
            choices.answers[question] = nil
        }
    }

    /// Whether the value that a question is about was there already.
    private func knows(_ question: Choices.Question) -> Bool { question.number <= world.nextUnknown }

    /// Whether a value means the same on all ways that began here.
    fileprivate func knows(_ value: Value) -> Bool {
        switch value {
        case .unknown(let number): number <= world.nextUnknown
        case .tuple(let parts), .collection(let parts), .named(_, let parts): parts.allSatisfy(knows)
        default: true
        }
    }
}

extension Statement {
    /// Whether it can lead to questions: by its own conditions, or by code that it runs.
    fileprivate var mayAsk: Bool {
        switch kind {
        case .branch, .select, .loop, .call, .collection, .attempt, .scope, .spawn, .configuration: true
        case .read(_, let place), .write(let place, _): if case .local = place { false } else { true }
        case .declare, .closure, .function, .compute, .assign, .exit, .suspend, .opaque, .deferred: false
        }
    }
}
