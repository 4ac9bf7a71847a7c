import SourceText

/// The grammar of steering comments, shared by all front ends.
public enum SteeringCommentGrammar {
    /// Reads `lifelint:disable[:next|:this|:previous|:file] rule, rule - reason` from a comment's text.
    /// A comment that merely mentions the word is none: the mark must be the first word.
    public static func parse(_ comment: String, span: SourceSpan) -> SteeringComment? {
        var text = Substring(comment)
        for decoration in ["///", "//", "/**", "/*"] where text.hasPrefix(decoration) {
            text = text.dropFirst(decoration.count)
            break
        }
        if text.hasSuffix("*/") { text = text.dropLast(2) }
        text = text.drop(while: \.isWhitespace)
        guard text.hasPrefix("lifelint:") else { return nil }
        text = text.dropFirst("lifelint:".count)
        let command = text.prefix { !$0.isWhitespace }.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard let word = command.first, let action = SteeringComment.Action(rawValue: word), command.count <= 2 else { return nil }
        let scope: SteeringComment.Scope
        if command.count == 2 {
            guard let named = SteeringComment.Scope(rawValue: command[1]), named != .region else { return nil }
            scope = named
        } else {
            scope = .region
        }
        let rest = text.drop { !$0.isWhitespace }
        let words = rest.split(whereSeparator: { $0.isWhitespace || $0 == "," })
        let names = words.prefix { $0 != "-" && $0 != "–" && $0 != "—" && !$0.hasPrefix("//") }.map { $0.hasSuffix(":") ? String($0.dropLast()) : String($0) }
        let reason = words.dropFirst(names.count + 1).joined(separator: " ")
        return SteeringComment(
            action: action, scope: scope, rules: names.isEmpty ? ["all"] : names, reason: reason.isEmpty ? nil : reason, span: span)
    }
}
