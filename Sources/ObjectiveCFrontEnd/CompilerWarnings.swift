import ProgramModel
import SourceText

/// What a text tells the compiler not to warn of: who silences `-Wobjc-missing-super-calls` leaves the call to super out on purpose.
enum CompilerWarnings {
    private static let flag = "-Wobjc-missing-super-calls"
    private static let rules = ["missing_super_call", "conditional_super_call"]

    /// The pragmas of a text as steering comments, in order.  Where a macro of the project stands for the pragma, nobody knows which
    /// one ends it, so that it speaks of what follows it at once.
    static func steering(_ tokens: TokenList, _ lines: LineTable) -> [SteeringComment] {
        var found: [SteeringComment] = []
        for token in tokens.all where token.kind == .string ? tokens.text(token).contains(flag) : isFlag(token, tokens) {
            found.append(comment(token, .disable, token.isDirective ? .region : .next, lines))
        }
        guard found.contains(where: { $0.scope == .region }) else { return found }
        // A region that was pushed ends where it is popped.
        for token in tokens.all where token.isDirective && tokens.matches(token, "pop") { found.append(comment(token, .enable, .region, lines)) }
        return found.sorted { $0.span.start < $1.span.start }
    }

    /// Whether the words of the flag stand bare here, as a macro takes them.
    private static func isFlag(_ token: Token, _ tokens: TokenList) -> Bool {
        tokens.matches(token, "Wobjc") && tokens.text(token.start - 1, token.start - 1 + flag.utf8.count) == flag
    }

    private static func comment(_ token: Token, _ action: SteeringComment.Action, _ scope: SteeringComment.Scope, _ lines: LineTable) -> SteeringComment {
        SteeringComment(action: action, scope: scope, rules: rules, reason: nil, span: lines.span(from: token.start, to: token.end), isOfCompiler: true)
    }
}
