/// What a closure mentions of the frame around it, and so keeps alive.
public struct ClosureMentions {
    /// Whether it names self, a member of it, or super.
    public private(set) var mentionsSelf = false
    /// Whether it may: it names what is no local, or has code that could not be read.
    public var mayMentionSelf: Bool { mentionsSelf || namesOthers }
    private var namesOthers = false
    /// The locals that it reads, writes or calls, its own included.
    public private(set) var locals: Set<LocalID> = []

    /// Reads the closure; `members` finds those of a name that a type has.
    public init(_ closure: Closure, program: Program, owner: TypeID?, members: (String, TypeID) -> [MemberID]) {
        func note(_ name: String) {
            namesOthers = true
            guard let owner, !mentionsSelf else { return }
            if !members(name, owner).isEmpty {
                mentionsSelf = true
            } else if let known = program.platformClass(of: owner), program.platform.type(ofProperty: name, of: known) != nil {
                mentionsSelf = true
            }
        }
        closure.block.forEachStatement { statement in
            statement.forEachUse(place: { place in
                switch place {
                case .local(let local): locals.insert(local)
                case .name(let name): note(name)
                case .superMember: mentionsSelf = true
                case .member, .element: break
                }
            }, operand: { if $0 == .selfObject { mentionsSelf = true } })
            if case .opaque = statement.kind { namesOthers = true }
            switch statement.call?.callee {
            case .superMember: mentionsSelf = true
            case .name(let name): note(name)
            case .local(let local): locals.insert(local)
            default: break
            }
        }
    }
}
