import Findings
import RuleLibrary
import Testing

/// The examples of the rule pages are executed: bad ones give exactly what they mark, good ones nothing.
@Suite struct RuleExampleTests {
    /// One example with the rule that shows it.
    struct Case: CustomTestStringConvertible, Sendable {
        let rule: String
        let example: RuleDescription.Example
        var testDescription: String { "\(rule): \(example.title)" }
    }

    static let cases = InlineLint.library.orderedRules.flatMap { rule in
        rule.examples.map { Case(rule: rule.id, example: $0) }
    }

    static func report(_ one: Case) -> Report {
        let selection = InlineLint.selection(with: one.rule)
        let resources = InlineLint.resources(of: one.example)
        return one.example.language == .swift
            ? InlineLint.report([("File.swift", one.example.code)], resources: resources, selection: selection)
            : InlineObjectiveC.report(one.example.code, resources: resources, selection: selection)
    }

    @Test(arguments: cases) func example(_ one: Case) {
        let marks = InlineLint.marks(one.example.code)
        let report = Self.report(one)
        // A note of another rule does not make an example bad.
        let found = report.findings.filter { $0.finding.rule == one.rule || $0.finding.severity != .note }
        #expect(found.map { "\($0.finding.span.start.line) \($0.finding.rule)" }.sorted() == marks)
        switch one.example.verdict {
        case .bad: #expect(marks.contains { $0.hasSuffix(" \(one.rule)") }, "a bad example must mark its own rule")
        case .good: #expect(marks.isEmpty, "a good example has no marks")
        }
    }

    /// Messages follow the compiler's style: lower case or a quoted name first, one clause, no full stop.
    @Test func messagesFollowTheStyle() {
        let messages = Self.cases.flatMap { one in Self.report(one).findings.map(\.finding.message) }
        #expect(!messages.isEmpty)
        for message in messages {
            #expect(message.first.map { $0.isLowercase || $0 == "'" } == true, "\(message)")
            #expect(!message.hasSuffix(".") && !message.contains(". "), "\(message)")
            #expect(!message.contains("`") && !message.contains("\""), "code stands in single quotes: \(message)")
        }
    }
}
