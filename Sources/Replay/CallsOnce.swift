import ProgramModel

extension OutsideCallers {
    /// Whether all who call a method do so in what runs once in the life of their object, on what a property of theirs holds: a screen tells
    /// its model of its beginning once.  Or they call it on what they have just made, which belongs to making it.
    func isCalledOnce(_ id: MemberID, _ relevance: Relevance) -> Bool {
        guard program[id].kind == .function, !program.keepsOneForAll(type) else { return false }
        // Who calls what it overrides calls it.
        let overridden = program.chain(of: type).flatMap { program.members(of: $0) }.filter { program[$0].fullName == program[id].fullName }
        let users = Set(overridden.flatMap { relevance.users(of: $0) }).filter { !program.files[$0.declaration.file].isTest && !overridden.contains($0) }
        return !users.isEmpty && users.allSatisfy { user in
            let member = program[user]
            if member.bodies.allSatisfy({ MakersCalls(of: program[id].baseName, in: $0.body).areAll }) { return true }
            guard !program.isOffered(id), member.kind == .initializer || Self.beginnings.contains(member.fullName), !member.isStatic, program.owners(of: user.declaration).allSatisfy({ !chain.contains($0) }) else { return false }
            return member.bodies.allSatisfy { !callsLater(program[id].baseName, in: $0.body.block) && callsOnOwn(program[id].baseName, in: $0.body) }
        }
    }

    /// Whether all who call a method do so on what a property of theirs holds as they come on screen or become active, and call there what ends
    /// its work as they go: what the two events do to each other, the runs of those who have it show.
    func isCalledInTurns(_ id: MemberID, _ relevance: Relevance) -> Bool {
        !program.isOffered(id) && isCalledInTurns(id, by: relevance.users(of: id))
    }

    /// Whether some who are not of the class call a method so, whatever the class itself does.
    func isCalledInTurnsByOthers(_ id: MemberID, _ relevance: Relevance) -> Bool {
        isCalledInTurns(id, by: relevance.users(of: id).filter { user in program.owners(of: user.declaration).allSatisfy { !chain.contains($0) } })
    }

    private func isCalledInTurns(_ id: MemberID, by callers: [MemberID]) -> Bool {
        guard program[id].kind == .function else { return false }
        let ends = releases.reduce(into: Set<String>()) { $0.formUnion($1.entries) }.subtracting([program[id].baseName])
        let users = callers.filter { !program.files[$0.declaration.file].isTest }
        return !ends.isEmpty && !users.isEmpty && users.allSatisfy { user in
            guard let owner = program.owners(of: user.declaration).first, !chain.contains(owner), program[user].bodies.allSatisfy({ callsOnOwn(program[id].baseName, in: $0.body) }) else { return false }
            let own = program.chain(of: owner).flatMap { program.members(of: $0) }
            let automaton = program.automaton(of: owner, library)
            // The event itself, or what it alone calls.
            let events = automaton.transitions.contains { $0.calls.contains(program[user].fullName) } ? [user] : own.filter { program[$0].bodies.contains { $0.body.block.namesCalledOnSelf.contains(program[user].baseName) } }
            let enders = Set(own.filter { program[$0].bodies.contains { _, body in ends.contains { body.block.calledNames.contains($0) && callsOnOwn($0, in: body) } } }.map { program[$0].baseName })
            return !events.isEmpty && events.allSatisfy { event in
                own.contains { member in
                    automaton.calls(program[member].fullName, betweenCallsOf: program[event].fullName)
                        && (enders.contains(program[member].baseName) || program[member].bodies.contains { !enders.isDisjoint(with: $0.body.block.namesCalledOnSelf) })
                }
            }
        }
    }

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

/// The calls of one name in a body: whether each is made on an object that the code before it has just made, and once on each.
private struct MakersCalls {
    private(set) var areAll = true
    private let name: String

    init(of name: String, in body: Body) {
        self.name = name
        var made = Made()
        read(body.block, &made)
    }

    /// What holds a new object at some place of the code.
    private struct Made {
        var registers: Set<Register> = []
        var places: Set<Place> = []

        /// What holds one on either way.
        mutating func meet(_ other: Made) {
            registers.formIntersection(other.registers)
            places.formIntersection(other.places)
        }
    }

    private mutating func read(_ block: Block, _ made: inout Made) {
        for statement in block {
            switch statement.kind {
            case .read(let register, let place): if made.places.contains(place) { made.registers.insert(register) }
            case .write(let place, let value): note(value, in: place, &made)
            case .declare(let local, let value): if let value { note(value, in: .local(local), &made) }
            case .assign(let register, let value): if holds(value, made) { made.registers.insert(register) }
            case .compute(let register, _, let operands): if operands.count == 1, holds(operands[0], made) { made.registers.insert(register) }
            default:
                if let call = statement.call { read(call, &made) } else { readArms(statement, &made) }
            }
        }
    }

    private func note(_ value: Operand, in place: Place, _ made: inout Made) {
        if holds(value, made) { made.places.insert(place) } else { made.places.remove(place) }
    }

    private func holds(_ value: Operand, _ made: Made) -> Bool { if case .register(let register) = value { made.registers.contains(register) } else { false } }

    private mutating func read(_ call: Call, _ made: inout Made) {
        if case .initializer = call.callee { made.registers.insert(call.result) }
        guard call.callee.baseName == name, case .member(let receiver, _) = call.callee else {
            // A call on what nobody has made: on itself, or on super.
            if call.callee.baseName == name { areAll = false }
            return
        }
        guard holds(receiver, made) else { return areAll = false }
        // The second call on the same object is one too many.
        made = Made()
    }

    /// An arm knows what was made before it, a closure and what may run again do not; what an arm makes, the code after it knows where each makes one.
    private mutating func readArms(_ statement: Statement, _ made: inout Made) {
        var arms = statement.innerBlocks(enteringClosures: true)
        var (isOnce, after): (Bool, Made?) = (true, nil)
        switch statement.kind {
        case .branch(let clauses, let then, let otherwise):
            for clause in clauses { read(clause.setup, &made) }
            arms = [then, otherwise]
        case .select, .scope, .attempt, .configuration: break
        default: isOnce = false
        }
        for arm in arms {
            var one = isOnce ? made : Made()
            read(arm, &one)
            // What the way out leaves, nothing after it sees.
            if case .exit? = arm.last?.kind { continue }
            if after?.meet(one) == nil { after = one }
        }
        if isOnce, let after { made = after }
    }
}
