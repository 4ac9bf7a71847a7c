import ProgramModel
import RuleLibrary

/// Closures that somebody outside has, who calls them nobody knows when.
extension Machine {
    /// Notes a closure that code which no run shows has now, if it acquires something or stores closures.
    mutating func handOver(_ value: Value) {
        guard !watchesGeometry, case .closure(let index) = value, acquires(index, depth: 0), !isBrief(value), !lookups.use(of: world.closures[index].closure, library).makesTokensOnly else { return }
        handedOver.append(value)
    }

    /// Whether a closure that is put into a property of an object runs once, later, and is let go then: the object holds nothing for good.
    mutating func runsOnce(_ value: Value, in name: String, of id: ObjectID) -> Bool {
        guard holdsClosures(value), isSpentSlot(name, of: id) else { return false }
        put(world.unknown(), into: name, of: id)
        world.queue.append((value, []))
        return true
    }

    /// Whether an object lets the closure of a property go when it has run.  What an operation of a library is given to run, it runs once.
    private func isSpentSlot(_ name: String, of id: ObjectID) -> Bool {
        if let known = className(of: id), program.platform.ancestry(of: known).contains(where: { library.spentSlots[$0]?.contains(name) ?? false }) { return true }
        guard case .project(let type) = world[id].kind, case .foreign(let base) = program.ancestry(of: type).root else { return false }
        let facts = program.files[program[type].file].facts
        return [base, program[type].name].contains { program.platform.guessedClass(named: $0, usedIn: facts).map { library.spentSlots[$0] != nil } ?? false }
    }

    /// Whether the value is a closure that nobody keeps beyond the call that it is given to: one of a result builder, or one that cannot escape.
    func isBrief(_ value: Value) -> Bool {
        guard case .closure(let index) = value else { return false }
        return world.closures[index].closure.isOfResultBuilder || cannotEscape(world.closures[index])
    }

    /// Whether a closure of Swift names a member of its object without `self`, which the compiler lets no closure do that escapes, unless it
    /// or one around it lists `self` among its captures (The Swift Programming Language, Closures, "Escaping Closures").
    private func cannotEscape(_ closure: ClosureValue) -> Bool {
        guard closure.closure.isExpression, case .object(let id) = world.frames[closure.frame].selfValue,
              case .project(let type) = world[id].kind, program[type].kind == .class, !listsSelf(closure) else { return false }
        return lookups.use(of: closure.closure, library).namedAlone.contains { name in
            lookups.members(named: name, on: type).contains { !program[$0].isStatic && program[$0].kind != .initializer } && !program.hasFreeMember(named: name)
        }
    }

    /// Whether a closure, or one around it, has `self` among its captures or under that name as a local.
    private func listsSelf(_ closure: ClosureValue) -> Bool {
        func isSelf(_ local: LocalID, in frame: Int) -> Bool { world.frames[frame].context.body[local].name == "self" }
        if closure.closure.captures.contains(where: { isSelf($0.local, in: closure.frame) }) { return true }
        var frame: Int? = closure.frame
        while let index = frame {
            if world.frames[index].locals.all.contains(where: { isSelf($0.name, in: index) }) { return true }
            frame = world.frames[index].parent
        }
        return false
    }

    /// Whether a closure acquires something or stores closures, or one that it has as a local and may call.
    private func acquires(_ index: Int, depth: Int) -> Bool {
        let closure = world.closures[index]
        if lookups.acquires(closure.closure, library) || lookups.storesClosures(closure.closure, owner: closure.site.type) { return true }
        guard depth < 3 else { return false }
        return values(knownTo: closure).contains { value in
            if case .closure(let inner) = value, inner != index { acquires(inner, depth: depth + 1) } else { false }
        }
    }

    /// What a closure captures, and what the locals hold that it mentions.
    func values(knownTo closure: ClosureValue) -> [Value] {
        closure.captured.all.map(\.value) + closure.locals.compactMap { local in frameOf(local, from: closure.frame).flatMap { world.frames[$0].locals[local] } }
    }

    /// Closures that an object of another class has now, and had not before: it calls them when somebody calls it.
    mutating func handOver(_ value: Value, over old: Value, to type: TypeID) {
        guard value != old else { return }
        switch value {
        case .closure(let index):
            if let maker = world.closures[index].site.type, !program.chain(of: maker).contains(type) { handOver(value) }
        case .collection(let parts), .tuple(let parts):
            let known: [Value] = switch old {
            case .collection(let parts), .tuple(let parts): parts
            default: []
            }
            for part in parts where !known.contains(part) { handOver(part, over: .null, to: type) }
        default: break
        }
    }

    /// A closure that may have been called has set the plain locals that it writes.
    mutating func forgetWhatIsWritten(by value: Value) {
        guard case .closure(let index) = value else { return }
        let closure = world.closures[index]
        closure.closure.block.forEachStatement { statement in
            guard case .write(.local(let local), _) = statement.kind, let home = frameOf(local, from: closure.frame), let known = world.frames[home].locals[local] else { return }
            switch known {
            case .boolean, .integer, .number, .string, .null, .named(_, []): world.frames[home].locals[local] = world.unknown()
            default: break
            }
        }
    }

    /// What a statement handed over is called in some runs, when the event is over.
    mutating func callHandedOver(by statement: Statement, in frame: Int) {
        guard !handedOver.isEmpty else { return }
        let closures = handedOver
        handedOver = []
        choices.at = (BodyPlace(statement, file: world.frames[frame].file), true)
        for closure in closures {
            guard case .unknown(let number) = world.unknown(), choices.answer(.isCalled(number)) else { continue }
            world.queue.append((closure, []))
        }
    }
}
