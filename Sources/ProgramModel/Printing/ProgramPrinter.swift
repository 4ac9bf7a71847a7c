/// Prints a linked type in the form of `lifelint dump program`.
public enum ProgramPrinter {
    /// The dump of every type of this name, with a line end after each line.
    public static func print(typesNamed name: String, of program: Program) -> String {
        program.types.filter { $0.name == name || $0.name.hasSuffix(".\(name)") }.map { print($0, of: program) }.joined(separator: "\n")
    }

    private static func print(_ type: ProgramType, of program: Program) -> String {
        var lines: [String] = []
        let units = program.files[type.file].units.map { program.units[$0].name }.joined(separator: ", ")
        lines.append("\(type.kind.rawValue) \(type.name)" + FactsPrinter.suffix(type.condition) + "  in \(units)")
        let ancestry = program.ancestry(of: type.id)
        var chain = ancestry.projectTypes.map { program[$0].name }
        switch ancestry.root {
        case .none: break
        case .platform(let name): chain += program.platform.ancestry(of: name)
        case .foreign(let name): chain.append("\(name) (foreign)")
        case .ambiguous: chain.append("(ambiguous)")
        }
        if !chain.isEmpty { lines.append("  inherits \(chain.joined(separator: " < "))") }
        if !type.conformances.isEmpty { lines.append("  conforms \(type.conformances.map(\.description).joined(separator: ", "))") }
        if type.hasAmbiguousExtensions { lines.append("  extensions elsewhere are ambiguous") }
        for declaration in type.declarations {
            let facts = program[declaration]
            lines.append("  \(facts.kind.rawValue)  \(program.files[declaration.file].path):\(facts.nameSpan.start.line)")
            for member in facts.members {
                var line = "    \(member.fullName)"
                if member.isOverride { line += "  overrides \(overridden(member, of: type, in: program))" }
                if let selector = member.selector, selector != member.fullName { line += "  -[\(selector)]" }
                lines.append(line + "  @\(member.nameSpan.start.line)")
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private static func overridden(_ member: MemberFacts, of type: ProgramType, in program: Program) -> String {
        let ancestry = program.ancestry(of: type.id)
        for base in ancestry.projectTypes where (program[base].membersByName[member.baseName] ?? []).contains(where: { program[$0].fullName == member.fullName }) {
            return program[base].name
        }
        switch ancestry.root {
        case .platform(let name): return name
        case .foreign(let name): return "\(name) (foreign)"
        case .none, .ambiguous: return "?"
        }
    }
}
