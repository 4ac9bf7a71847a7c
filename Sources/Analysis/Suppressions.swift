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

    /// Reads the comments; `declarations` are the lines on which declarations begin, with those of their names.
    init(_ comments: [SteeringComment], declarations: [Int: Int]) {
        self.comments = comments
        regions = comments.enumerated().flatMap { index, comment -> [Region] in
            guard comment.action == .disable else { return [] }
            let line = comment.span.start.line
            switch comment.scope {
            case .this: return [Region(comment: index, rules: comment.rules, lines: line...line)]
            case .next:
                // Attributes may stand on lines of their own before the name.
                let next = comment.span.end.line + 1
                return [Region(comment: index, rules: comment.rules, lines: next...max(next, declarations[next] ?? next))]
            case .previous: return line > 1 ? [Region(comment: index, rules: comment.rules, lines: (line - 1)...(line - 1))] : []
            case .file: return [Region(comment: index, rules: comment.rules, lines: 0...Int.max)]
            case .region:
                return comment.rules.map { rule in
                    Region(comment: index, rules: [rule], lines: line...max(line, Self.end(of: rule, after: index, in: comments)))
                }
            }
        }
    }

    /// The line of the comment that ends a region of a rule, or the end of the file.
    private static func end(of rule: String, after index: Int, in comments: [SteeringComment]) -> Int {
        let end = comments.dropFirst(index + 1).first { $0.action == .enable && ($0.rules.contains("all") || $0.rules.contains(rule)) }
        return end?.span.start.line ?? Int.max
    }

    /// The indices of the findings that no comment hides, and the comments that hid nothing.
    func apply(to findings: [Finding]) -> (kept: [Int], idle: [SteeringComment]) {
        var busy: Set<Int> = []
        let kept = findings.indices.filter { index in
            let finding = findings[index]
            let hiding = regions.filter { region in
                Self.covers(region, finding, comments[region.comment].scope) && (region.rules.contains(finding.rule) || region.rules.contains("all"))
            }
            busy.formUnion(hiding.map(\.comment))
            return hiding.isEmpty
        }
        let idle = comments.indices.filter { index in !comments[index].isOfCompiler && !busy.contains(index) && regions.contains { $0.comment == index } }.map { comments[$0] }
        return (kept, idle)
    }

    /// A comment at the end of a call of several lines speaks of the call.
    private static func covers(_ region: Region, _ finding: Finding, _ scope: SteeringComment.Scope) -> Bool {
        let first = finding.span.start.line
        return region.lines.contains(first) || (scope == .this && region.lines.contains(min(finding.span.end.line, first + 20)))
    }
}
