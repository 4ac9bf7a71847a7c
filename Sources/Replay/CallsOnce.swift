import ProgramModel

extension OutsideCallers {
    /// Whether all who call a method do so in what runs once in the life of their object, on objects that no two of them share: a screen
    /// that makes its model tells it of its beginning once.
    func isCalledOnce(_ id: MemberID, _ relevance: Relevance) -> Bool {
        guard program[id].kind == .function, !program.isOffered(id), !program.keepsOneForAll(type) else { return false }
        let users = relevance.users(of: id).filter { !program.files[$0.declaration.file].isTest }
        return !users.isEmpty && users.allSatisfy { user in
            let member = program[user]
            guard member.kind == .initializer || Self.beginnings.contains(member.fullName), !member.isStatic, program.owners(of: user.declaration).allSatisfy({ !chain.contains($0) }) else { return false }
            return member.bodies.allSatisfy { !callsLater(program[id].baseName, in: $0.body.block) }
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
