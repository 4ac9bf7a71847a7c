import ProgramModel

/// The properties of self that the conditions of a body read.
enum ConditionReading {
    /// Reads the conditions of the statements for which `decides` holds.
    static func properties(readIn body: Body, _ context: BodyContext, _ resolver: Uses, where decides: (Statement) -> Bool = { _ in true }) -> Set<Use> {
        var found: Set<Use> = []
        func note(_ block: Block) {
            block.forEachStatement { statement in
                if case .read(_, let place) = statement.kind, place.isOfSelf { found.formUnion(resolver.uses(of: place, in: context)) }
            }
        }
        var read: [Register: Place] = [:]
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .read(let register, let place): if place.isOfSelf { read[register] = place }
            case .branch(let clauses, _, _): if decides(statement) { clauses.forEach { note($0.setup) } }
            case .select(.register(let register), let cases, _):
                guard decides(statement) else { break }
                if let place = read[register] { found.formUnion(resolver.uses(of: place, in: context)) }
                for item in cases.flatMap(\.items) { note(item.setup) }
            case .loop(let loop):
                if case .whileTrue(let clauses) = loop.kind, decides(statement) { clauses.forEach { note($0.setup) } }
            default: break
            }
        }
        return found
    }
}

extension Place {
    fileprivate var isOfSelf: Bool {
        switch self {
        case .name, .member(.selfObject, _): true
        default: false
        }
    }
}
