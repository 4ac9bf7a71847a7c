import ProgramModel

/// The names that the project's code uses.
enum CalledNames {
    /// Full names of calls, and base names of what is referred to without a call or by a selector, over all files; super calls
    /// do not count.
    static func collect(from program: Program) -> Set<String> {
        var names: Set<String> = []
        func note(_ operand: Operand) {
            switch operand {
            case .constant(.selector(let text)): names.insert(baseName(ofSelector: text))
            case .constant(.string(let text)) where text.count < 80: names.insert(baseName(ofSelector: text))
            default: break
            }
        }
        func visit(_ body: Body) {
            body.block.forEachStatement { statement in
                if let call = statement.call {
                    if case .superMember = call.callee {} else if let name = call.fullName { names.insert(name) }
                    call.arguments.forEach { note($0.value) }
                }
                switch statement.kind {
                case .read(_, .name(let name)), .read(_, .member(_, let name)): names.insert(name)
                case .write(_, let value): note(value)
                case .declare(_, let value?): note(value)
                case .compute(_, _, let operands): operands.forEach(note)
                case .exit(.returns(let value)): note(value)
                case .assign(_, let value): note(value)
                default: break
                }
            }
        }
        for file in program.files {
            for member in file.facts.types.flatMap(\.members) + file.facts.members { member.bodies.forEach { visit($0.body) } }
            if let body = file.facts.topLevel { visit(body) }
        }
        return names
    }

    /// `tick` of `Self.tick(_:)`, `tick:` and `getter: tick`.
    private static func baseName(ofSelector text: String) -> String {
        let plain = text.prefix { $0 != "(" }
        let last = plain.split(separator: ".").last ?? plain
        return String(last.split(separator: ":").first ?? last)
    }
}
