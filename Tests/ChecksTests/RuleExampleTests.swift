import Analysis
import Findings
import RuleLibrary
import Testing

/// What is left out of the argument lists of a text.
enum CutArguments: CaseIterable, Sendable {
    /// All but the first argument.
    case afterFirst
    /// The last argument.
    case last
    /// All arguments.
    case all

    /// The text with shorter lists, innermost first; strings are text like any other.
    func apply(to text: String) -> String {
        var open: [(start: Int, commas: [Int])] = []
        var result: [Character] = []
        for character in text {
            switch character {
            case "(": open.append((result.count, []))
            case ",": if !open.isEmpty { open[open.count - 1].commas.append(result.count) }
            case ")":
                guard let list = open.popLast() else { break }
                let isCall = list.start > 0 && (result[list.start - 1].isLetter || result[list.start - 1].isNumber)
                switch self {
                case .afterFirst: if isCall, let comma = list.commas.first { result.removeSubrange(comma...) }
                case .last: if isCall, let comma = list.commas.last { result.removeSubrange(comma...) }
                case .all: if isCall { result.removeSubrange((list.start + 1)...) }
                }
            default: break
            }
            result.append(character)
        }
        return String(result)
    }
}

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

    /// Code that is being written has calls without some of their arguments: no check may count on them.
    @Test(arguments: CutArguments.allCases) func argumentsMayBeMissing(_ cut: CutArguments) {
        var changed = 0
        for one in Self.cases where one.example.language == .swift {
            let code = cut.apply(to: one.example.code)
            if code == one.example.code { continue }
            changed += 1
            // Every check looks at it, whatever rule the example is for.
            let report = InlineLint.report([("File.swift", code)], resources: InlineLint.resources(of: one.example), selection: RuleSelection())
            #expect(report.fileCount == 1)
        }
        #expect(changed > 100)
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
