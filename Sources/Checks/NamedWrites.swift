import ProgramModel

/// Where the project's code writes properties, by name, found in one pass.
struct NamedWrites: Sendable {
    /// One write.
    struct Place: Sendable {
        let member: MemberID
        let body: Body
        let statement: Statement
        /// The object whose property is written.
        let base: Operand
    }

    private let places: [String: [Place]]

    /// Reads every body of the program's types but those of tests; initial values and accessors are left out.
    init(_ program: Program) {
        var places: [String: [Place]] = [:]
        for (file, one) in program.files.enumerated() where !one.isTest {
            for (index, type) in one.facts.types.enumerated() {
                for (position, member) in type.members.enumerated() where member.kind == .function {
                    guard let body = member.body else { continue }
                    let id = MemberID(declaration: DeclarationID(file: file, index: index), index: position)
                    body.block.forEachStatement { statement in
                        switch statement.kind {
                        case .write(.name(let name), _): places[name, default: []].append(Place(member: id, body: body, statement: statement, base: .selfObject))
                        case .write(.member(let base, let name), _): places[name, default: []].append(Place(member: id, body: body, statement: statement, base: base))
                        default: break
                        }
                    }
                }
            }
        }
        self.places = places
    }

    /// The writes to properties of this name.
    subscript(name: String) -> [Place] { places[name] ?? [] }
}
