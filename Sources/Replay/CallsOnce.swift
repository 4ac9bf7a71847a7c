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
