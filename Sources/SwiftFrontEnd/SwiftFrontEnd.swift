import ProgramModel
import SourceText
import SwiftOperators
import SwiftParser
import SwiftSyntax

/// Reads Swift text into facts.
public enum SwiftFrontEnd {
    /// The facts of one file, from its text alone; text that is no Swift gives facts with syntax errors.  The names of methods before
    /// Swift 3 become those of today.
    public static func facts(of text: String, names: EarlierNames = .none) -> FileFacts {
        var text = text
        return text.withUTF8 { facts(ofUTF8: $0, names: names) }
    }

    /// The facts of one file given as UTF-8.
    public static func facts(ofUTF8 bytes: UnsafeBufferPointer<UInt8>, names: EarlierNames = .none) -> FileFacts {
        let lines = LineTable(utf8: bytes)
        if let error = BracketNesting.tooDeep(in: bytes, lines: lines) {
            return FileFacts(language: .swift, syntaxErrors: [error], lineCount: lines.lineCount)
        }
        let parsed = Parser.parse(source: bytes)
        let tree = OperatorTable.standardOperators.foldAll(parsed) { _ in }.as(SourceFileSyntax.self) ?? parsed
        let errors = SyntaxErrors.find(in: parsed, lines: lines)
        let declarations = DeclarationLowering(lines: lines, names: names, capitalVariables: CapitalVariables.names(in: bytes))
        declarations.lower(tree)
        return FileFacts(
            language: .swift, imports: declarations.imports, types: declarations.types, members: declarations.freeMembers,
            aliases: declarations.aliases, topLevel: declarations.topLevel,
            steering: SteeringComments.read(bytes, tree: parsed, lines: lines), syntaxErrors: errors, lineCount: lines.lineCount,
            isOfEarlierSwift: declarations.isOfEarlierSwift, namedTypes: NamedTypes(in: bytes, of: .swift, types: declarations.types))
    }
}
