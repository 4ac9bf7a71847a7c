import ProgramModel

/// What the text alone tells of the keys that calls name.
enum WrittenKey {
    /// The registers of a body that hold a static property of the SDK, such as a notification's name.
    static func platformReads(in body: Body, _ scope: Scope, _ program: Program) -> [Register: Value] {
        var reads: [Register: Value] = [:]
        body.block.forEachStatement { statement in
            guard case .read(let register, .member(.type(let type), let name)) = statement.kind, case .platform(let known) = program.resolve(type, in: scope) else { return }
            reads[register] = .named("\(known).\(name)", [])
        }
        return reads
    }

    /// The value of an operand, where the text or what was read before tells it.
    static func known(_ operand: Operand, _ reads: [Register: Value]) -> Value? {
        switch operand {
        case .constant(.string(let text)): .string(text)
        case .constant(.keyPath(_, let path)): .keyPath(path)
        case .constant(.implicitMember(let name)): .named(name, [])
        case .register(let register): reads[register]
        default: nil
        }
    }
}
