import ProgramModel
import SourceText
import SwiftSyntax

/// Reads the comments that steer the linter.
enum SteeringComments {
    private static let mark = Array("lifelint:".utf8)

    /// The steering comments of a text, in order; the tree is only walked when the text has the mark at all.
    static func read(_ bytes: UnsafeBufferPointer<UInt8>, tree: SourceFileSyntax, lines: LineTable) -> [SteeringComment] {
        guard bytes.containsSequence(mark) else { return [] }
        var found: [SteeringComment] = []
        for token in tree.tokens(viewMode: .sourceAccurate) {
            var offset = token.position.utf8Offset
            for piece in token.leadingTrivia {
                if let comment = comment(piece, at: offset, lines: lines) { found.append(comment) }
                offset += piece.sourceLength.utf8Length
            }
            offset = token.endPositionBeforeTrailingTrivia.utf8Offset
            for piece in token.trailingTrivia {
                if let comment = comment(piece, at: offset, lines: lines) { found.append(comment) }
                offset += piece.sourceLength.utf8Length
            }
        }
        return found
    }

    private static func comment(_ piece: TriviaPiece, at offset: Int, lines: LineTable) -> SteeringComment? {
        switch piece {
        case .lineComment(let text), .blockComment(let text), .docLineComment(let text), .docBlockComment(let text):
            return SteeringCommentGrammar.parse(text, span: lines.span(from: offset, to: offset + text.utf8.count))
        default:
            return nil
        }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the bytes occur in the buffer.
    func containsSequence(_ pattern: [UInt8]) -> Bool {
        guard count >= pattern.count, let first = pattern.first else { return false }
        var index = 0
        let last = count - pattern.count
        while index <= last {
            if self[index] == first, pattern.indices.allSatisfy({ self[index + $0] == pattern[$0] }) { return true }
            index += 1
        }
        return false
    }
}
