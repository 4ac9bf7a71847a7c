/// Prints the facts of a file in the form of `lifelint dump facts`.
public enum FactsPrinter {
    /// The whole dump, with a line end after each line.
    public static func print(_ facts: FileFacts) -> String {
        var lines: [String] = []
        for module in facts.imports { lines.append("import \(module)") }
        for alias in facts.aliases { lines.append("\(alias.isPrivate ? "private " : "")typealias \(alias.name) = \(alias.target)" + suffix(alias.condition)) }
        for type in facts.types { lines += describe(type) }
        for member in facts.members { lines += describe(member, indent: 0) }
        if let body = facts.topLevel {
            lines.append("top level")
            lines += StatementPrinter.lines(of: body, indent: 2)
        }
        for comment in facts.steering {
            lines.append("comment \(comment.action.rawValue):\(comment.scope.rawValue) \(comment.rules.joined(separator: " "))"
                + (comment.reason.map { " - \($0)" } ?? "") + "  @\(comment.span.start.line)")
        }
        for error in facts.syntaxErrors { lines.append("syntax error: \(error.message)  @\(error.span.start.line):\(error.span.start.column)") }
        return lines.map { $0 + "\n" }.joined()
    }

    static func suffix(_ condition: ConfigurationCondition) -> String {
        condition == .always ? "" : "  #if \(condition)"
    }

    /// The lines of one type.
    static func describe(_ type: TypeFacts) -> [String] {
        var head = type.attributes.map { "@\($0.name) " }.joined() + type.modifiers.map { $0 + " " }.joined()
        head += "\(type.kind.rawValue) \(type.name)"
        if !type.genericParameters.isEmpty { head += "<\(type.genericParameters.joined(separator: ", "))>" }
        if !type.inherited.isEmpty { head += ": " + type.inherited.map(\.description).joined(separator: ", ") }
        var lines = [head + (type.isLocal ? "  local" : "") + suffix(type.condition) + "  @\(type.nameSpan.start.line)"]
        if !type.cases.isEmpty { lines.append("  case \(type.cases.joined(separator: ", "))") }
        return lines + type.members.flatMap { describe($0, indent: 2) }
    }

    /// The lines of one member.
    static func describe(_ member: MemberFacts, indent: Int) -> [String] {
        let space = String(repeating: " ", count: indent)
        var head = member.attributes.map { attribute in "@\(attribute.name)" + (attribute.arguments.map { "(\($0))" } ?? "") + " " }.joined()
        head += member.modifiers.map { $0 + " " }.joined()
        switch member.kind {
        case .property: head += (member.isConstant ? "let " : "var ") + member.baseName
        case .deinitializer: head += "deinit"
        case .macro: head += "macro #" + member.baseName
        default:
            let parameters = member.parameters.map { parameter in
                let names = parameter.label == parameter.name ? parameter.name : "\(parameter.label ?? "_") \(parameter.name)"
                return "\(names): \(parameter.type)" + (parameter.isVariadic ? "..." : "") + (parameter.hasDefault ? " = default" : "")
            }
            head += (member.kind == .function ? "func " : "") + member.baseName + "(" + parameters.joined(separator: ", ") + ")"
        }
        if let type = member.type { head += member.kind == .property ? ": \(type)" : " -> \(type)" }
        var lines = [space + head + suffix(member.condition) + (member.isPartial ? "  partial" : "") + "  @\(member.nameSpan.start.line)"]
        for (accessor, body) in member.bodies {
            var inner = indent + 2
            if let accessor {
                lines.append(space + "  \(accessor)")
                inner += 2
            }
            lines += StatementPrinter.lines(of: body, indent: inner)
        }
        return lines
    }
}
