extension Statement {
    /// The blocks directly inside the statement, in order of the text; closures' blocks included on request.
    public func innerBlocks(enteringClosures: Bool) -> [Block] {
        switch kind {
        case .read, .write, .declare, .call, .collection, .compute, .assign, .exit, .suspend, .opaque:
            return []
        case .closure(_, let closure), .function(_, let closure), .spawn(_, let closure):
            return enteringClosures ? [closure.block] : []
        case .branch(let clauses, let then, let otherwise):
            return clauses.map(\.setup) + [then, otherwise]
        case .select(_, let cases, _):
            return cases.flatMap { $0.items.flatMap { [$0.setup] + $0.guards.map(\.setup) } + [$0.body] }
        case .loop(let loop):
            switch loop.kind {
            case .whileTrue(let clauses): return clauses.map(\.setup) + [loop.body]
            case .repeatWhile(let clauses): return [loop.body] + clauses.map(\.setup)
            case .forEach(_, _, let guards, _): return guards.map(\.setup) + [loop.body]
            }
        case .scope(let block, _), .deferred(let block):
            return [block]
        case .attempt(let block, let catches, _):
            return [block] + catches.flatMap { clause in
                clause.items.flatMap { [$0.setup] + $0.guards.map(\.setup) } + [clause.body]
            }
        case .configuration(_, let then, let otherwise):
            return [then, otherwise]
        }
    }

    /// The call that the statement makes, if it makes one.
    public var call: Call? {
        switch kind {
        case .call(let call), .collection(_, let call): call
        default: nil
        }
    }
}

extension Statement {
    /// Whether the statement can end the body around it by returning.
    public var mayReturn: Bool {
        var found = false
        [self].forEachStatement(enteringClosures: false) { if case .exit(.returns) = $0.kind { found = true } }
        return found
    }
}

extension Sequence where Element == Statement {
    /// Visits every statement, inner blocks after the statement that holds them.
    public func forEachStatement(enteringClosures: Bool = true, _ visit: (Statement) -> Void) {
        for statement in self {
            visit(statement)
            for block in statement.innerBlocks(enteringClosures: enteringClosures) {
                block.forEachStatement(enteringClosures: enteringClosures, visit)
            }
        }
    }

    /// Whether some statement, those of inner blocks and closures included, is as asked.
    public func containsStatement(_ isWanted: (Statement) -> Bool) -> Bool {
        contains { statement in isWanted(statement) || statement.innerBlocks(enteringClosures: true).contains { $0.containsStatement(isWanted) } }
    }
}

extension BidirectionalCollection where Element == Statement {
    /// How the block leaves what stands around it, by its last statement; nil where it goes on behind itself.
    public var lastExit: Exit? {
        if case .exit(let exit)? = last?.kind { exit } else { nil }
    }
}

extension Block {
    /// The base names of all calls in a block.
    public var calledNames: Set<String> {
        var names: Set<String> = []
        forEachStatement { statement in
            if let name = statement.call?.callee.baseName { names.insert(name) }
        }
        return names
    }

    /// Whether it sets a property of the object's own to nil.
    public func clears(_ property: String) -> Bool {
        containsStatement { if case .write(let place, .constant(.null)) = $0.kind { place.ownName == property } else { false } }
    }

    /// The names that are read as values: among them those of functions that are handed on, `views.forEach(remove)`.
    public var readNames: Set<String> {
        var names: Set<String> = []
        forEachStatement { if case .read(_, let place) = $0.kind, let name = place.propertyName { names.insert(name) } }
        return names
    }

    /// The base names of what it calls on self, closures included.
    public var namesCalledOnSelf: Set<String> {
        var names: Set<String> = []
        forEachStatement { if let name = $0.call?.callee.nameCalledOnSelf { names.insert(name) } }
        return names
    }

    /// The names of the object's own properties that get an object which is made without arguments, and which the code leaves as it is.
    public var namesRenewed: Set<String> {
        var made: Set<Register> = []
        var names: Set<String> = []
        forEachStatement { statement in
            switch statement.kind {
            case .call(let call): if case .initializer = call.callee, call.arguments.isEmpty { made.insert(call.result) }
            case .write(let place, .register(let value)) where made.contains(value): place.ownName.map { _ = names.insert($0) }
            case .read(_, let place): place.ownName.map { _ = names.remove($0) }
            default: break
            }
        }
        return names
    }

    /// The names of the properties that it sets to nil, of whatever object, closures included.
    public var namesSetToNil: Set<String> {
        var names: Set<String> = []
        forEachStatement { if case .write(let place, .constant(.null)) = $0.kind, let name = place.propertyName { names.insert(name) } }
        return names
    }

    /// The full names of what its calls call, of whatever object, closures included.
    public var calledFullNames: Set<String> {
        var names: Set<String> = []
        forEachStatement { if let name = $0.call?.fullName { names.insert(name) } }
        return names
    }
}

extension MemberFacts {
    /// Whether the member reads one of these properties, of its own object alone if asked, else of any.
    public func reads(oneOf names: Set<String>, ofItself: Bool = false) -> Bool {
        bodies.contains { _, body in
            body.block.containsStatement { if case .read(_, let place) = $0.kind { (ofItself ? place.ownName : place.propertyName).map(names.contains) ?? false } else { false } }
        }
    }
}
