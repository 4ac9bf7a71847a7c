import Findings
import ProgramModel
import SourceText

/// The steering comments of one file, applied to its findings.
struct Suppressions {
    /// The lines in which a comment hides rules.
    private struct Region {
        let comment: Int
        let rules: [String]
        let lines: ClosedRange<Int>
    }

    private let comments: [SteeringComment]
    private let regions: [Region]

    init(_ comments: [SteeringComment]) {
        self.comments = comments
        regions = comments.enumerated().compactMap { index, comment in
            guard comment.action == .disable else { return nil }
            let line = comment.span.start.line
            let lines: ClosedRange<Int>? = switch comment.scope {
            case .this: line...line
            case .next: (comment.span.end.line + 1)...(comment.span.end.line + 1)
            case .previous: line > 1 ? (line - 1)...(line - 1) : nil
            case .file: 0...Int.max
            case .region: line...max(line, Self.end(of: comment, at: index, in: comments))
            }
            return lines.map { Region(comment: index, rules: comment.rules, lines: $0) }
        }
    }

    /// The line of the comment that ends a region, or the end of the file.
    private static func end(of comment: SteeringComment, at index: Int, in comments: [SteeringComment]) -> Int {
        let end = comments.dropFirst(index + 1).first { other in
            other.action == .enable && (other.rules.contains("all") || comment.rules.allSatisfy(other.rules.contains))
        }
        return end?.span.start.line ?? Int.max
    }

    /// The findings that no comment hides, and the comments that hid nothing.
    func apply(to findings: [Finding]) -> (kept: [Finding], idle: [SteeringComment]) {
        var busy: Set<Int> = []
        let kept = findings.filter { finding in
            let hiding = regions.filter { region in
                region.lines.contains(finding.span.start.line) && (region.rules.contains(finding.rule) || region.rules.contains("all"))
            }
            busy.formUnion(hiding.map(\.comment))
            return hiding.isEmpty
        }
        let idle = regions.filter { !busy.contains($0.comment) }.map { comments[$0.comment] }
        return (kept, idle)
    }
}
