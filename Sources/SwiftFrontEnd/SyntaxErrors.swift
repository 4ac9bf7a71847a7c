import ProgramModel
import SourceText
import SwiftSyntax

/// Finds where a tree differs from the grammar.
enum SyntaxErrors {
    /// The first five errors, in order of the text; more would only repeat what the first broke.
    static func find(in tree: SourceFileSyntax, lines: LineTable) -> [SyntaxError] {
        var errors: [SyntaxError] = []
        func note(_ node: Syntax, _ message: String) {
            let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
            let end = max(start, node.endPositionBeforeTrailingTrivia.utf8Offset)
            errors.append(SyntaxError(span: lines.span(from: start, to: end), message: message))
        }
        var pending = [Syntax(tree)]
        while let node = pending.popLast(), errors.count < 5 {
            guard node.hasError else { continue }
            // The compiler does not parse what another version of it is meant for.
            if let clause = node.as(IfConfigClauseSyntax.self), let condition = clause.condition?.compactText,
               condition.contains("swift(") || condition.contains("compiler(") { continue }
            // Before Swift 6 a blank may stand before the arguments of an attribute: `@available (*, unavailable)`.
            if let attribute = node.as(AttributeSyntax.self), attribute.trimmedDescription.firstMatch(of: /^@[A-Za-z_]+\s+\(/) != nil { continue }
            if let unexpected = node.as(UnexpectedNodesSyntax.self) {
                note(node, "unexpected '\(excerpt(of: unexpected))'")
                continue
            }
            if let token = node.as(TokenSyntax.self) {
                note(node, token.presence == .missing ? "expected \(expectation(of: token))" : "unexpected '\(token.text)'")
                continue
            }
            pending.append(contentsOf: node.children(viewMode: .all).reversed())
        }
        return errors
    }

    private static func excerpt(of node: UnexpectedNodesSyntax) -> String {
        let text = node.trimmedDescription.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        return text.count <= 30 ? text : text.prefix(30) + "…"
    }

    private static func expectation(of token: TokenSyntax) -> String {
        if case .identifier = token.tokenKind { return "a name" }
        return token.text.isEmpty ? "more of this declaration" : "'\(token.text)'"
    }
}
