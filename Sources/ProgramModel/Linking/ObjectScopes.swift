/// What containers of dependencies make once and keep for the whole life of the app, as Swinject and Resolver do where they are told so.
struct ObjectScopes {
    /// Whether a container keeps what it makes unless a registration says otherwise.
    private let keepsByDefault: Bool

    /// Reads what the program's containers are told.
    init(_ program: Program) {
        keepsByDefault = program.files.contains { file in
            !file.isTest && (file.facts.types.flatMap(\.members) + file.facts.members).contains { member in
                member.bodies.contains { $0.body.block.containsStatement { statement in
                    statement.call?.arguments.contains { $0.label == "defaultObjectScope" && $0.value == .constant(.implicitMember("container")) } ?? false
                } }
            }
        }
    }

    /// What closures of a body return that are registered with a container which keeps it.
    func kept(in body: Body) -> Set<Register> {
        var closures: [Register: Block] = [:]
        var registered: [Register: Register] = [:]
        var scopes: [Register: String] = [:]
        body.block.forEachStatement { statement in
            if case .closure(let register, let closure) = statement.kind { closures[register] = closure.block }
            guard let call = statement.call, case .member(let receiver, let name) = call.callee else { return }
            if name == "register" {
                for case .register(let argument) in call.arguments.map(\.value) where closures[argument] != nil { registered[call.result] = argument }
            } else if Self.scoping.contains(name), case .register(let result) = receiver, registered[result] != nil,
                      case .constant(.implicitMember(let scope))? = call.arguments.first?.value {
                scopes[result] = scope
            }
        }
        return registered.reduce(into: []) { found, one in
            guard scopes[one.key].map(Self.lasting.contains) ?? keepsByDefault, let block = closures[one.value] else { return }
            block.forEachStatement { if case .exit(.returns(.register(let register))) = $0.kind { found.insert(register) } }
        }
    }

    private static let scoping: Set<String> = ["inObjectScope", "scope"]
    private static let lasting: Set<String> = ["container", "application", "singleton"]
}
