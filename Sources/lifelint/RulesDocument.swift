import Findings
import RuleLibrary

/// The rules as one Markdown document: a table of all, then a section for each.
enum RulesDocument {
    static func document(_ rules: [RuleDescription]) -> String {
        var text = "# The rules of lifelint \(toolVersion)\n\n\(rules.count) rules. `lifelint rules --format markdown` prints this document from the rule data.\n\n"
        text += "| Rule | Severity | Decided by | Reports | Source | Swift | Objective-C |\n|---|---|---|---|---|---|---|\n"
        for rule in rules {
            let severity = rule.severity.rawValue + (rule.isEnabled ? "" : ", opt-in")
            let cells = ["[\(rule.id)](#\(rule.id))", severity, rule.decidedBy.rawValue, cell(rule.summary), rule.sources.joined(separator: " "), examples(of: rule, in: .swift), examples(of: rule, in: .objectiveC)]
            text += "| " + cells.joined(separator: " | ") + " |\n"
        }
        text += "\nThe last two columns count the examples that are run as tests: reported + fine.\n"
        for rule in rules { text += "\n" + page(rule, level: 2) }
        return text
    }

    /// The section of one rule, under a heading of the given level.
    static func page(_ rule: RuleDescription, level: Int) -> String {
        let mark = String(repeating: "#", count: level)
        var text = "\(mark) \(rule.id)\n\n**\(rule.severity.rawValue)\(rule.isEnabled ? "" : ", opt-in")**, decided by \(rule.decidedBy == .static ? "reading" : "simulation"): \(rule.summary).\n\n\(rule.rationale)\n"
        if !rule.impacts.isEmpty { text += "\n" + rule.impacts.map { "- \($0.sentence)\n" }.joined() }
        if !rule.silent.isEmpty { text += "\nStays silent:\n\n" + rule.silent.map { "- \($0)\n" }.joined() }
        for example in rule.examples {
            text += "\n\(mark)# \(example.heading)\n\n" + fenced(example.code, example.language.rawValue)
            for file in example.files { text += "\n`\(file.name)`:\n\n" + fenced(file.text, "xml") }
        }
        return text + "\nSource: \(rule.origin)\n"
    }

    private static func examples(of rule: RuleDescription, in language: RuleDescription.Example.Language) -> String {
        let own = rule.examples.filter { $0.language == language }
        return own.isEmpty ? "" : "\(own.count { $0.verdict == .bad }) + \(own.count { $0.verdict == .good })"
    }

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }

    /// Code between fences that are longer than any in it.
    private static func fenced(_ code: String, _ language: String) -> String {
        var fence = "```"
        while code.contains(fence) { fence += "`" }
        return "\(fence)\(language)\n\(code)\(code.hasSuffix("\n") ? "" : "\n")\(fence)\n"
    }
}
