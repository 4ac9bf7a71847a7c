import ProgramModel

/// Joins of values: a choice that only sets values of its body need not be followed on every way.
extension Machine {
    /// The most ways through one statement that are joined.
    private static let mostJoined = 4

    /// Runs a choice that only sets values on each of its ways, and takes what differs for unknown; nil where it does more, where
    /// something differs that an object or a closure is, or where values are not widened.
    mutating func joinValues(of statement: Statement, in frame: Int) -> Flow? {
        guard widensValues, !isJoining, !choices.at.matters else { return nil }
        let before = self
        var ends: [Machine] = []
        var pending: [[Bool]] = [choices.taken]
        var steps = world.steps
        while let given = pending.popLast() {
            guard ends.count < Self.mostJoined else { return giveUp(before, steps) }
            var way = before
            way.world.steps = steps
            way.isJoining = true
            way.choices.resume(given: given)
            let flow = way.step(statement, in: frame)
            steps = way.world.steps
            guard flow == .normal else { return giveUp(before, steps) }
            let taken = way.choices.taken
            for index in given.count..<max(given.count, taken.count) { pending.append(Array(taken[..<index]) + [!taken[index]]) }
            ends.append(way)
        }
        guard let first = ends.first else { return nil }
        var joined = first
        joined.isJoining = false
        joined.choices = before.choices
        joined.world.steps = steps
        var home: Int? = frame
        while let index = home {
            // What only the arms know is not seen after them.
            for (local, _) in before.world.frames[index].locals.all {
                let values = ends.map { $0.world.frames[index].locals[local] ?? .null }
                guard values.contains(where: { $0 != values[0] }) else { continue }
                guard values.allSatisfy(Self.isJoinable) else { return giveUp(before, steps) }
                joined.world.frames[index].locals[local] = joined.world.unknown()
            }
            home = before.world.frames[index].parent
        }
        for register in Self.assigned(in: statement) {
            let values = ends.map { $0.world.frames[frame].registers[register] ?? .null }
            guard values.contains(where: { $0 != values[0] }) else { continue }
            guard values.allSatisfy(Self.isJoinable) else { return giveUp(before, steps) }
            joined.set(register, joined.world.unknown(), nil, in: frame)
        }
        self = joined
        return .normal
    }

    private mutating func giveUp(_ before: Machine, _ steps: Int) -> Flow? {
        self = before
        world.steps = steps
        return nil
    }

    /// Whether nothing is lost when the value is taken for unknown.
    package static func isJoinable(_ value: Value) -> Bool {
        switch value {
        case .object, .closure, .method: false
        case .tuple(let parts), .collection(let parts), .named(_, let parts): parts.allSatisfy(isJoinable)
        default: true
        }
    }

    /// The registers that an arm gives the value of the whole.
    private static func assigned(in statement: Statement) -> Set<Register> {
        var registers: Set<Register> = []
        [statement].forEachStatement(enteringClosures: false) { one in
            if case .assign(let register, _) = one.kind { registers.insert(register) }
        }
        return registers
    }

    /// Whether running a function can matter by its value only, and that is nothing that anybody watches.
    func makesPlainValue(_ target: Target) -> Bool {
        guard let type = target.member.type, !relevance.isHot(target.node) else { return false }
        let scope = Scope(file: target.file, typeName: target.owner.map { program[$0].name } ?? "")
        if case .platform(let name) = lookups.resolve(type.unwrapped, in: scope), ["UIView", "NSView"].contains(where: { program.platform.isClass(name, kindOf: $0) }) { return true }
        return relevance.isPlain(type, in: scope)
    }

    /// Whether running a function can matter by its value only, and that matters only where somebody asks for it: nothing that is
    /// watched is, or is held by, an object of its type.
    func makesIdleValue(_ target: Target) -> Bool {
        guard let type = target.member.type, !relevance.isHot(target.node) else { return false }
        let scope = Scope(file: target.file, typeName: target.owner.map { program[$0].name } ?? "")
        guard !watchesGeometry else { return relevance.isWithoutSize(type, in: scope) }
        if case .project(let types) = lookups.resolve(type.unwrapped, in: scope) {
            return types.allSatisfy { [.class, .struct, .enum].contains(program[$0].kind) && !lookups.isHot($0, relevance) && !relevance.isHotToMake(program[$0].name) }
        }
        return makesPlainValue(target)
    }

    /// Runs what can matter by its value only; where that depends on what nobody knows, nobody knows the value.
    mutating func runForValue(_ run: (inout Machine) -> (Value, Flow)) -> (Value, Flow) {
        let before = self
        // What the answers to come are for, comes later.
        choices.resume(given: choices.taken)
        let result = run(&self)
        if choices.taken.count == before.choices.taken.count, result.1 == .normal {
            choices.resume(given: before.choices.given)
            return result
        }
        let (steps, reached) = (world.steps, moment)
        self = before
        (world.steps, moment) = (steps, reached)
        return (world.unknown(), .normal)
    }
}
