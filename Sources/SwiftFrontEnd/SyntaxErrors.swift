import ProgramModel
import SourceText
import SwiftSyntax

/// Finds where a tree differs from the grammar.
enum SyntaxErrors {
    /// The first five errors, in order of the text; more would only repeat what the first broke.
    static func find(in tree: SourceFileSyntax, lines: LineTable) -> [SyntaxError] {
        broken(in: Syntax(tree), most: 5).map { node in
            let start = node.positionAfterSkippingLeadingTrivia.utf8Offset
            let end = max(start, node.endPositionBeforeTrailingTrivia.utf8Offset)
            return SyntaxError(span: lines.span(from: start, to: end), message: message(on: node))
        }
    }

    /// Whether some of a tree could not be read.
    static func isBroken(_ tree: some SyntaxProtocol) -> Bool { tree.hasError && !broken(in: Syntax(tree), most: 1).isEmpty }

    /// The missing and the unexpected parts of a tree that no version of Swift explains.
    private static func broken(in tree: Syntax, most: Int) -> [Syntax] {
        var found: [Syntax] = []
        var pending = [tree]
        while let node = pending.popLast(), found.count < most {
            guard node.hasError, !isOfSwift2(node) else { continue }
            // The compiler does not parse what another version of it is meant for.
            if let clause = node.as(IfConfigClauseSyntax.self), let condition = clause.condition?.compactText,
               condition.contains("swift(") || condition.contains("compiler(") { continue }
            // Before Swift 3 an operator said its precedence in braces.
            if node.is(OperatorDeclSyntax.self), node.trimmedDescription.contains("{") { continue }
            // Before Swift 6 a blank may stand before the arguments of an attribute: `@available (*, unavailable)`.
            if let attribute = node.as(AttributeSyntax.self), attribute.trimmedDescription.firstMatch(of: /^@[A-Za-z_]+\s+\(/) != nil { continue }
            if node.is(UnexpectedNodesSyntax.self) || node.is(TokenSyntax.self) { found.append(node) } else {
                pending.append(contentsOf: node.children(viewMode: .all).reversed())
            }
        }
        return found
    }

    /// Whether a part is missing or in excess only since Swift 3, and the parser understood it all the same: the parentheses of a function
    /// type's single parameter, the `let` of a condition's second value, `where` between conditions, `inout` and `var` before a parameter.
    private static func isOfSwift2(_ node: Syntax) -> Bool {
        if let token = node.as(TokenSyntax.self) {
            guard token.presence == .missing, let parent = node.parent else { return false }
            switch token.tokenKind {
            case .leftParen, .rightParen: return parent.is(FunctionTypeSyntax.self)
            case .keyword(.let), .keyword(.var): return parent.is(OptionalBindingConditionSyntax.self)
            case .keyword(.inout): return true
            case .semicolon: return isOfOperator(node)
            case .comma: return parent.as(ConditionElementSyntax.self)?.unexpectedBetweenConditionAndTrailingComma.map { isOfSwift2(Syntax($0)) } ?? false
            default: return false
            }
        }
        guard let unexpected = node.as(UnexpectedNodesSyntax.self), let parent = node.parent else { return false }
        if unexpected.trimmedDescription == "}" { return isOfOperator(node) }
        switch unexpected.trimmedDescription {
        case "where": return parent.is(ConditionElementSyntax.self)
        case "inout", "var", "let": return parent.is(FunctionParameterSyntax.self)
        default: return false
        }
    }

    /// Whether a part belongs to what an operator said before Swift 3: `infix operator ~> { associativity left precedence 130 }`.
    private static func isOfOperator(_ part: Syntax) -> Bool {
        var token = (part.as(TokenSyntax.self) ?? part.firstToken(viewMode: .sourceAccurate))?.previousToken(viewMode: .sourceAccurate)
        for _ in 0..<8 {
            guard let one = token else { return false }
            if one.text == "operator" { return true }
            token = one.previousToken(viewMode: .sourceAccurate)
        }
        return false
    }

    private static func message(on node: Syntax) -> String {
        if let unexpected = node.as(UnexpectedNodesSyntax.self) { return "unexpected '\(excerpt(of: unexpected))'" }
        guard let token = node.as(TokenSyntax.self) else { return "unexpected '\(node.trimmedDescription)'" }
        return token.presence == .missing ? "expected \(expectation(of: token))" : "unexpected '\(token.text)'"
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
