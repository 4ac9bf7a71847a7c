import ProgramModel

extension OutsideCallers {
    /// Whether all who call a method do so in what runs once in the life of their object, on what a property of theirs holds: a screen tells
    /// its model of its beginning once.
    func isCalledOnce(_ id: MemberID, _ relevance: Relevance) -> Bool {
        guard program[id].kind == .function, !program.isOffered(id), !program.keepsOneForAll(type) else { return false }
        let users = relevance.users(of: id).filter { !program.files[$0.declaration.file].isTest }
        return !users.isEmpty && users.allSatisfy { user in
            let member = program[user]
            guard member.kind == .initializer || Self.beginnings.contains(member.fullName), !member.isStatic, program.owners(of: user.declaration).allSatisfy({ !chain.contains($0) }) else { return false }
            return member.bodies.allSatisfy { !callsLater(program[id].baseName, in: $0.body.block) && callsOnOwn(program[id].baseName, in: $0.body) }
        }
    }

    /// Whether all who call a method do so on what a property of theirs holds as they come on screen or become active, and call there what ends
    /// its work as they go: what the two events do to each other, the runs of those who have it show.
    func isCalledInTurns(_ id: MemberID, _ relevance: Relevance) -> Bool {
        guard program[id].kind == .function, !program.isOffered(id) else { return false }
        let ends = releases.reduce(into: Set<String>()) { $0.formUnion($1.entries) }.subtracting([program[id].baseName])
        let users = relevance.users(of: id).filter { !program.files[$0.declaration.file].isTest }
        return !ends.isEmpty && !users.isEmpty && users.allSatisfy { user in
            guard let owner = program.owners(of: user.declaration).first, !chain.contains(owner), program[user].bodies.allSatisfy({ callsOnOwn(program[id].baseName, in: $0.body) }) else { return false }
            let own = program.chain(of: owner).flatMap { program.members(of: $0) }
            // The event itself, or what it alone calls.
            let events = Self.turns[program[user].baseName] != nil ? [user] : own.filter { program[$0].bodies.contains { $0.body.block.namesCalledOnSelf.contains(program[user].baseName) } }
            let enders = Set(own.filter { program[$0].bodies.contains { _, body in ends.contains { body.block.calledNames.contains($0) && callsOnOwn($0, in: body) } } }.map { program[$0].baseName })
            return !events.isEmpty && events.allSatisfy { event in
                guard let back = Self.turns[program[event].baseName] else { return false }
                return own.contains { back.contains(program[$0].baseName) && (enders.contains(program[$0].baseName) || program[$0].bodies.contains { !enders.isDisjoint(with: $0.body.block.namesCalledOnSelf) }) }
            }
        }
    }

    /// The events by which objects come on screen or become active, with those by which they go again.
    private static let turns: [String: Set<String>] = {
        let (gone, inactive): (Set<String>, Set<String>) = (["viewWillDisappear", "viewDidDisappear"], ["sceneWillResignActive", "sceneDidEnterBackground", "applicationWillResignActive", "applicationDidEnterBackground"])
        let seen = ["viewWillAppear", "viewIsAppearing", "viewDidAppear"].map { ($0, gone) }
        return Dictionary(uniqueKeysWithValues: seen + ["sceneDidBecomeActive", "sceneWillEnterForeground", "applicationDidBecomeActive", "applicationWillEnterForeground"].map { ($0, inactive) })
    }()

    /// Whether the class alone calls a method, and each time asks before for a property that the method sets: the second time finds it set.
    func isCalledByFlag(_ id: MemberID, _ relevance: Relevance) -> Bool {
        guard program[id].kind == .function, let body = program[id].body, !program.isOffered(id), !relevance.isCalled(id, outside: chain) else { return false }
        var flags: Set<String> = []
        body.block.forEachStatement { if case .write(let place, _) = $0.kind, let name = place.ownName { flags.insert(name) } }
        let callers = callersBesidesItself(of: program[id])
        guard !flags.isEmpty, !callers.isEmpty else { return false }
        var (isCalled, isGuarded) = (false, true)
        for link in program.chain(of: type) {
            for member in program.members(of: link) where callers.contains(program[member].baseName) {
                for (_, body) in program[member].bodies {
                    FlaggedCalls(name: program[id].baseName, flags: flags).read(body.block) { isFlagged in
                        isCalled = true
                        if !isFlagged { isGuarded = false }
                    }
                }
            }
        }
        return isCalled && isGuarded
    }

    /// Whether a body calls a method on nothing but what its object's properties hold: what it is given, others may be given as well.
    private func callsOnOwn(_ name: String, in body: Body) -> Bool {
        var own: Set<Register> = []
        return !body.block.containsStatement { statement in
            if case .read(let register, let place) = statement.kind, place.ownName != nil { own.insert(register) }
            guard let call = statement.call, call.callee.baseName == name, case .member(let receiver, _) = call.callee else { return false }
            return if case .register(let register) = receiver { !own.contains(register) } else { true }
        }
    }

    /// Whether a closure or a loop calls a method, which may run more than once.
    private func callsLater(_ name: String, in block: Block) -> Bool {
        block.containsStatement { statement in
            switch statement.kind {
            case .closure(_, let closure), .function(_, let closure), .spawn(_, let closure): closure.block.calledNames.contains(name)
            case .loop(let loop): loop.body.calledNames.contains(name)
            default: false
            }
        }
    }

    /// What runs once in the life of a screen, a view of a nib, or the app.
    private static let beginnings: Set<String> = ["viewDidLoad()", "loadView()", "awakeFromNib()", "application(_:didFinishLaunchingWithOptions:)"]
}

/// The calls of one name in a block, and whether a condition around them asks for one of some properties.
private struct FlaggedCalls {
    let name: String
    let flags: Set<String>

    func read(_ block: Block, isFlagged: Bool = false, _ visit: (_ isFlagged: Bool) -> Void) {
        var isFlagged = isFlagged
        for statement in block {
            if statement.call?.callee.baseName == name { visit(isFlagged) }
            if case .branch(let clauses, let then, let otherwise) = statement.kind {
                let asks = clauses.contains { !$0.setup.readNames.isDisjoint(with: flags) }
                for arm in clauses.map(\.setup) + [then, otherwise] { read(arm, isFlagged: isFlagged || asks, visit) }
                if asks, [then, otherwise].contains(where: { arm in arm.contains { if case .exit = $0.kind { true } else { false } } }) { isFlagged = true }
            } else {
                for inner in statement.innerBlocks(enteringClosures: true) { read(inner, isFlagged: isFlagged, visit) }
            }
        }
    }
}
