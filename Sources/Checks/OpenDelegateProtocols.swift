import Findings
import ProgramModel

extension Check {
    /// Protocols of delegates that values could adopt as well, so that no property of theirs can be weak.
    static let openDelegateProtocols = Check(rules: ["delegate_protocol_unconstrained"]) { input, file in
        let program = input.program
        guard !program.files[file].isTest, program.files[file].facts.language == .swift else { return [] }
        return program.files[file].facts.types.indices.compactMap { index in
            let declaration = DeclarationID(file: file, index: index)
            guard program[declaration].kind == .protocol, let type = program.owners(of: declaration).first, !program.mayBeOfClasses(type),
                  areClasses(program.conformers(to: program[type].name), program), let holder = strongHolder(of: type, program) else { return nil }
            let name = program[type].name
            return input.finding(
                "delegate_protocol_unconstrained",
                "'\(name)' may be adopted by values as well, so '\(holder.property)' of '\(holder.owner)' cannot be weak and holds its delegate: let the protocol inherit from 'AnyObject' and make the property weak",
                at: program[declaration].nameSpan, in: file, type: name, member: name)
        }
    }

    private static func areClasses(_ conformers: [TypeID], _ program: Program) -> Bool {
        // An extension of a type of the SDK conforms as well: no value of the project does.
        !conformers.isEmpty && conformers.allSatisfy { program[$0].kind == .class || program[$0].kind == .actor }
    }

    /// A stored property of a class that holds an optional delegate of the protocol, and that nothing is made for.
    private static func strongHolder(of wanted: TypeID, _ program: Program) -> (owner: String, property: String)? {
        for (file, one) in program.files.enumerated() where !one.isTest {
            for (index, declaration) in one.facts.types.enumerated() where declaration.kind == .class {
                for member in declaration.members where member.kind == .property && member.isStored && !member.isStatic && !member.isConstant && member.baseName.lowercased().hasSuffix("delegate") {
                    guard let type = member.type, type.isOptional, member.attributes.isEmpty, member.body == nil || isNil(member.body),
                          !member.modifiers.contains(where: { $0.hasPrefix("weak") || $0.hasPrefix("unowned") || $0 == "lazy" }),
                          case .project(let types) = program.resolve(type.unwrapped, in: Scope(file: file, typeName: declaration.name)), types == [wanted],
                          let owner = program.owners(of: DeclarationID(file: file, index: index)).first, !isGivenNewObjects(member.baseName, owner, program) else { continue }
                    return (program[owner].name, member.baseName)
                }
            }
        }
        return nil
    }

    private static func isNil(_ body: Body?) -> Bool {
        if case .exit(.returns(.constant(.null)))? = body?.block.last?.kind { true } else { false }
    }

    /// Whether the class makes its delegate itself: then it owns it.
    private static func isGivenNewObjects(_ property: String, _ owner: TypeID, _ program: Program) -> Bool {
        program.members(of: owner).flatMap { program[$0].bodies }.contains { _, body in
            var made: Set<Register> = []
            var found = false
            body.block.forEachStatement { statement in
                if let call = statement.call, case .initializer = call.callee { made.insert(call.result) }
                switch statement.kind {
                case .write(.name(property), .register(let register)), .write(.member(.selfObject, property), .register(let register)): if made.contains(register) { found = true }
                default: break
                }
            }
            return found
        }
    }
}

extension Program {
    /// Protocols of the standard library that say nothing of what adopts them.
    private static let open: Set<String> = ["Sendable", "Equatable", "Hashable", "Comparable", "CustomStringConvertible", "CustomDebugStringConvertible", "Identifiable", "Codable", "Error"]

    /// Whether only classes may adopt the protocol, as far as one can see.
    func mayBeOfClasses(_ type: TypeID, depth: Int = 0) -> Bool {
        let declaration = self[self[type].declarations[0]]
        guard depth < 8, files[self[type].file].facts.language == .swift, !declaration.attributes.contains(where: { $0.name == "objc" }) else { return true }
        let scope = Scope(file: self[type].file, typeName: self[type].name)
        return declaration.inherited.flatMap { parts(of: $0, in: scope) }.contains { part in
            guard !Self.open.contains(part.name) else { return false }
            guard case .project(let types) = resolve(part.unwrapped, in: scope) else { return true }
            return types.contains { self[$0].kind != .protocol || mayBeOfClasses($0, depth: depth + 1) }
        }
    }
}
