import ProgramModel
import RuleLibrary

/// Closures that somebody outside has, who calls them nobody knows when.
extension Machine {
    /// Notes a closure that code which no run shows has now, if it acquires something.
    mutating func handOver(_ value: Value) {
        guard !watchesGeometry, case .closure(let index) = value, acquires(index, depth: 0) else { return }
        handedOver.append(value)
    }

    /// Whether a closure acquires something, or one that it has as a local and may call.
    private func acquires(_ index: Int, depth: Int) -> Bool {
        let closure = world.closures[index]
        if lookups.acquires(closure.closure, library) { return true }
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
