import ProgramModel
import RuleLibrary

/// Where the project's code gives objects of the SDK a delegate or data source, found in one pass.
struct DelegateWrites: Sendable {
    /// One place.
    struct Place: Sendable {
        let property: String
        let receiver: Operand
        let value: Operand
        /// The type whose code does it; nil outside types.
        let owner: TypeID?
        let context: BodyContext
    }

    private(set) var all: [Place] = []

    /// Reads every body of the program but those of tests.
    init(_ program: Program, _ library: RuleLibrary) {
        let names = Set(library.delegateSlots.values.flatMap(\.properties))
        let setters = Dictionary(names.map { ("set" + $0.prefix(1).uppercased() + $0.dropFirst(), $0) }) { first, _ in first }
        for (file, one) in program.files.enumerated() where !one.isTest {
            func read(_ body: Body, _ owner: TypeID?, _ typeName: String, isStatic: Bool) {
                var found: [(String, Operand, Operand)] = []
                body.block.forEachStatement { statement in
                    switch statement.kind {
                    case .write(.member(let receiver, let name), let value) where names.contains(name): found.append((name, receiver, value))
                    case .write(.name(let name), let value) where names.contains(name): found.append((name, .selfObject, value))
                    case .call(let call):
                        guard case .member(let receiver, let name) = call.callee, let property = setters[name], let value = call.arguments.first?.value else { return }
                        found.append((property, receiver, value))
                    default: break
                    }
                }
                found.removeAll { $0.2 == .constant(.null) }
                guard !found.isEmpty else { return }
                let context = BodyContext(body: body, selfType: owner, scope: Scope(file: file, typeName: typeName), isStatic: isStatic)
                all += found.map { Place(property: $0.0, receiver: $0.1, value: $0.2, owner: owner, context: context) }
            }
            for (index, type) in one.facts.types.enumerated() {
                let owner = program.owners(of: DeclarationID(file: file, index: index)).first
                for member in type.members { for (_, body) in member.bodies { read(body, owner, type.name, isStatic: member.isStatic) } }
            }
            for member in one.facts.members { for (_, body) in member.bodies { read(body, nil, "", isStatic: false) } }
            if let body = one.facts.topLevel { read(body, nil, "", isStatic: false) }
        }
    }
}
