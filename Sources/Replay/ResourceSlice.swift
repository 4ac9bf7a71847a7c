import ProgramModel

/// Which methods of a class have to do with resources, by themselves or through what they call on self: events that only run
/// others make no difference to any monitor.
struct ResourceSlice {
    private let touched: Set<String>

    /// Follows the calls on self from each method of the class and its project superclasses.
    init(program: Program, names: Set<String>, type: TypeID) {
        var touched: Set<String> = []
        var callers: [String: Set<String>] = [:]
        var fullNames: [String: Set<String>] = [:]
        for link in [type] + program.ancestry(of: type).projectTypes {
            for id in program.members(of: link) {
                let member = program[id]
                fullNames[member.baseName, default: []].insert(member.fullName)
                for (_, body) in member.bodies {
                    if Self.mentions(body, names) { touched.insert(member.baseName) }
                    body.block.forEachStatement { statement in
                        switch statement.call?.callee {
                        case .name(let name), .member(_, let name), .superMember(let name): callers[name, default: []].insert(member.baseName)
                        default: break
                        }
                        switch statement.kind {
                        // Reading a lazy or computed property runs code, writing one its observers.
                        case .read(_, .name(let name)), .read(_, .member(_, let name)), .write(.name(let name), _), .write(.member(_, let name), _):
                            callers[name, default: []].insert(member.baseName)
                        default: break
                        }
                    }
                }
            }
        }
        var pending = Array(touched)
        while let name = pending.popLast() {
            for caller in callers[name] ?? [] where touched.insert(caller).inserted { pending.append(caller) }
        }
        self.touched = Set(touched.flatMap { fullNames[$0] ?? [] })
    }

    /// Whether a method, by its full name, can acquire or release.
    func isTouched(_ fullName: String) -> Bool { touched.contains(fullName) }

    /// Whether a body calls something of these base names, or makes an object of such a class.
    static func mentions(_ body: Body, _ names: Set<String>) -> Bool {
        var found = false
        body.block.forEachStatement { statement in
            guard !found, let call = statement.call else { return }
            if case .initializer(let type) = call.callee { found = names.contains(type.name) } else {
                found = call.callee.baseName.map(names.contains) ?? false
            }
        }
        return found
    }
}
