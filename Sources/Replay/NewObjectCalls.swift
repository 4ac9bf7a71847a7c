import ProgramModel

/// The search of one body for calls on objects that it makes itself.
struct NewObjectCalls {
    private let context: BodyContext

    init(_ context: BodyContext) { self.context = context }

    /// Whether each call that may mean a method is on an object that the body has just made, and the only one on it.
    func areOnNewObjects(_ method: MemberFacts) -> Bool {
        var made: Set<Register> = []
        var areNew = true
        var inClosures: Set<Register> = []
        context.body.block.forEachStatement { if case .closure(_, let closure) = $0.kind { closure.block.forEachStatement { $0.call.map { _ = inClosures.insert($0.result) } } } }
        context.body.block.forEachStatement { statement in
            guard let call = statement.call, call.callee.baseName == method.baseName, method.accepts(call) else { return }
            // A closure may run again.
            guard case .member(let receiver, _) = call.callee, !inClosures.contains(call.result), let origin = newObject(receiver, depth: 0), made.insert(origin).inserted else {
                areNew = false
                return
            }
        }
        return areNew
    }

    /// The register into which the body makes the object of an operand; nil where it does not.
    private func newObject(_ operand: Operand, depth: Int) -> Register? {
        guard depth < Self.deepest, case .register(let register) = context.uncast(operand), let statement = context.definition(of: register) else { return nil }
        switch statement.kind {
        case .call(let call):
            if case .initializer = call.callee { return register }
            return nil
        case .read(_, .local(let local)): return context.value(of: local).flatMap { newObject($0, depth: depth + 1) }
        case .read(_, let place): return place.ownName.flatMap { made(for: $0, before: statement, depth: depth) }
        default: return nil
        }
    }

    /// The object that the body puts into a property of its own before it reads that.
    private func made(for property: String, before reading: Statement, depth: Int) -> Register? {
        var found: Register?
        context.body.block.forEachStatement { statement in
            guard case .write(let place, let value) = statement.kind, place.ownName == property, statement.span.start.line <= reading.span.start.line else { return }
            found = newObject(value, depth: depth + 1)
        }
        return found
    }

    private static let deepest = 6
}
