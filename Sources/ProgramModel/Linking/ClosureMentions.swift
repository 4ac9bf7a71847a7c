/// What a closure mentions of the frame around it, and so keeps alive.
public struct ClosureMentions {
    /// Whether it names self, a member of it, or super.
    public private(set) var mentionsSelf = false
    /// The locals that it reads, writes or calls, its own included.
    public private(set) var locals: Set<LocalID> = []

    /// Reads the closure; `members` finds those of a name that a type has.
    public init(_ closure: Closure, program: Program, owner: TypeID?, members: (String, TypeID) -> [MemberID]) {
        func note(_ operand: Operand) { if operand == .selfObject { mentionsSelf = true } }
        func note(_ name: String) {
            guard let owner, !mentionsSelf else { return }
            if !members(name, owner).isEmpty {
                mentionsSelf = true
            } else if let known = program.platformClass(of: owner), program.platform.type(ofProperty: name, of: known) != nil {
                mentionsSelf = true
            }
        }
        func note(_ place: Place) {
            switch place {
            case .local(let local): locals.insert(local)
            case .name(let name): note(name)
            case .member(let base, _): note(base)
            case .superMember: mentionsSelf = true
            case .element(let base, let arguments):
                note(base)
                arguments.forEach { note($0.value) }
            }
        }
        closure.block.forEachStatement { statement in
            if let call = statement.call {
                switch call.callee {
                case .member(let receiver, _), .value(let receiver): note(receiver)
                case .superMember: mentionsSelf = true
                case .name(let name): note(name)
                case .local(let local): locals.insert(local)
                default: break
                }
                for argument in call.arguments {
                    note(argument.value)
                    if let place = argument.place { note(place) }
                }
            }
            switch statement.kind {
            case .read(_, let place): note(place)
            case .write(let place, let value):
                note(place)
                note(value)
            case .compute(_, _, let operands): operands.forEach(note)
            case .assign(_, let value), .declare(_, let value?): note(value)
            case .exit(.returns(let value)): note(value)
            // A nested closure that names self in its capture list takes it from here.
            case .closure(_, let inner): inner.captures.forEach { note($0.value) }
            case .branch(let clauses, _, _):
                for clause in clauses {
                    switch clause.test {
                    case .isTrue(let value), .isPresent(let value), .matches(let value, _): note(value)
                    }
                }
            default: break
            }
        }
    }
}
