import Findings
import Foundation
import SourceText

/// The report for scripts and editors; keys are only ever added.
enum JSONReport {
    static func render(_ report: Report, toolVersion: String) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        let document = Document(
            tool: Tool(name: "lifelint", version: toolVersion),
            summary: Summary(
                files: report.fileCount, types: report.typeCount,
                findings: Counts(error: report.count(.error), warning: report.count(.warning), note: report.count(.note))),
            findings: report.findings.map { Item(id: $0.id, $0.finding) },
            problems: report.problems.map { Trouble(path: $0.path, kind: $0.kind.rawValue, message: $0.message) })
        do {
            return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
        } catch {
            // Strings and integers can always be encoded.
            preconditionFailure("the report cannot be encoded: \(error)")
        }
    }

    private struct Document: Encodable {
        var schemaVersion = 1
        let tool: Tool
        let summary: Summary
        let findings: [Item]
        let problems: [Trouble]
    }

    private struct Tool: Encodable {
        let name: String
        let version: String
    }

    private struct Summary: Encodable {
        let files: Int
        let types: Int
        let findings: Counts
    }

    private struct Counts: Encodable {
        let error: Int
        let warning: Int
        let note: Int
    }

    private struct Trouble: Encodable {
        let path: String
        let kind: String
        let message: String
    }

    private struct Item: Encodable {
        let id, rule, severity, status, message, path: String
        let line, column, endLine, endColumn: Int
        let type, member: String
        let assumptions: [Assumed]
        let reason: String?
        let trace: [Step]
        let fixes: [Change]

        init(id: String, _ finding: Finding) {
            self.id = id
            rule = finding.rule
            severity = finding.severity.rawValue
            status = finding.status.rawValue
            message = finding.message
            path = finding.path
            line = finding.span.start.line
            column = finding.span.start.column
            endLine = finding.span.end.line
            endColumn = finding.span.end.column
            type = finding.type
            member = finding.member
            assumptions = finding.assumptions.map { Assumed(path: $0.path, line: $0.line, text: $0.text) }
            reason = finding.reason
            trace = finding.trace.enumerated().map { Step(step: $0 + 1, event: $1.event, path: $1.path, line: $1.line, note: $1.note) }
            fixes = finding.fixes.map { Change(title: $0.title, safety: $0.safety.rawValue, edits: $0.edits.map(Edit.init)) }
        }
    }

    private struct Assumed: Encodable {
        let path: String
        let line: Int
        let text: String
    }

    private struct Step: Encodable {
        let step: Int
        let event, path: String
        let line: Int
        let note: String
    }

    private struct Change: Encodable {
        let title, safety: String
        let edits: [Edit]
    }

    private struct Edit: Encodable {
        let path: String
        let line, column, endLine, endColumn: Int
        let text: String

        init(_ edit: TextEdit) {
            path = edit.path
            line = edit.span.start.line
            column = edit.span.start.column
            endLine = edit.span.end.line
            endColumn = edit.span.end.column
            text = edit.text
        }
    }
}
