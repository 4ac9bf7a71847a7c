import Findings
import Foundation
import RuleLibrary

/// The rules for programs, as JSON with sorted keys.
enum RulesRecords {
    static func array(_ rules: [RuleDescription]) -> String { json(rules.map(Record.init)) }

    static func object(_ rule: RuleDescription) -> String { json(Record(rule)) }

    /// What is said of a rule; absent where there is nothing to say.
    private struct Record: Encodable {
        struct Impact: Encodable {
            let before: [String: String]
            let severity: String
            let harm: String
        }

        struct Example: Encodable {
            let title: String
            let language: String
            let verdict: String
            let code: String
            let files: [String: String]?
        }

        let id: String
        let severity: String
        let isEnabled: Bool
        let decidedBy: String
        let summary: String
        let rationale: String
        let impacts: [Impact]
        let silent: [String]
        let sources: [String]
        let reference: String
        let examples: [Example]

        init(_ rule: RuleDescription) {
            id = rule.id
            severity = rule.severity.rawValue
            isEnabled = rule.isEnabled
            decidedBy = rule.decidedBy.rawValue
            summary = rule.summary
            rationale = rule.rationale
            impacts = rule.impacts.map { impact in
                let before = impact.before.oldest.map { ($0.key.rawValue, "\($0.value)") }
                return Impact(before: Dictionary(uniqueKeysWithValues: before), severity: impact.severity.rawValue, harm: impact.harm)
            }
            silent = rule.silent
            sources = rule.sources
            reference = rule.reference
            examples = rule.examples.map { example in
                let files = Dictionary(example.files.map { ($0.name, $0.text) }) { first, _ in first }
                return Example(title: example.title, language: example.language.rawValue, verdict: example.verdict.rawValue, code: example.code, files: files.isEmpty ? nil : files)
            }
        }
    }

    private static func json(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Texts and numbers always have a JSON form.
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) + "\n" } ?? ""
    }
}
