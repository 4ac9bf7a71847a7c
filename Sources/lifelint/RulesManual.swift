import Findings
import RuleLibrary

/// The form in which `lifelint rules` shows what the rules say.
enum ManualForm: String, CaseIterable {
    case text, markdown, json

    /// A list of all rules, or the page of one.
    func render(_ id: String?, of library: RuleLibrary) throws(Command.Failure) -> String {
        guard let id else {
            return switch self {
            case .text: RulesManual.list(library.orderedRules)
            case .markdown: RulesDocument.document(library.orderedRules)
            case .json: RulesRecords.array(library.orderedRules)
            }
        }
        guard let rule = library.rules[id] else { throw Command.Failure(message: "there is no rule '\(id)'; 'lifelint rules' lists them") }
        return switch self {
        case .text: RulesManual.page(rule)
        case .markdown: RulesDocument.page(rule, level: 1)
        case .json: RulesRecords.object(rule)
        }
    }
}

/// The rules for the terminal.
enum RulesManual {
    static func list(_ rules: [RuleDescription]) -> String {
        let width = rules.map(\.id.count).max() ?? 0
        return rules.map { rule in
            let id = rule.id + String(repeating: " ", count: width - rule.id.count)
            let severity = rule.severity.rawValue + String(repeating: " ", count: 7 - rule.severity.rawValue.count)
            return "\(id)  \(severity)  \(rule.isEnabled ? "" : "(opt-in) ")\(rule.summary) [\(rule.sources.joined(separator: " "))]\n"
        }.joined()
    }

    static func page(_ rule: RuleDescription) -> String {
        var text = "\(rule.id)\n\n\(rule.severity.rawValue)\(rule.isEnabled ? "" : ", opt-in"): \(rule.summary)\n\n\(rule.rationale)\n"
        for impact in rule.impacts { text += "\n\(impact.sentence)\n" }
        if !rule.silent.isEmpty { text += "\nStays silent:\n" + rule.silent.map { "  - \($0)\n" }.joined() }
        for example in rule.examples {
            text += "\n\(example.heading)\n\n"
            text += indented(example.code)
            for file in example.files { text += "\n    \(file.name):\n\n" + indented(file.text) }
        }
        text += "\nSource: \(rule.origin)\n"
        return text
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined()
    }
}

extension RuleDescription {
    /// The documents and facts from which the rule comes, for people.
    var origin: String { (sources + [reference]).filter { !$0.isEmpty }.joined(separator: "; ") }
}

extension RuleDescription.Example {
    /// What the rule says of the example, and its title.
    var heading: String { "\(verdict == .bad ? "Reported" : "Fine"): \(title)" }
}

extension TargetImpact {
    /// What it weighs for which systems, and why.
    var sentence: String {
        let before = AppleSystem.allCases.compactMap { system in self.before.oldest[system].map { "\(system.rawValue) \($0)" } }
        return "\(severity.rawValue) where the deployment target is before \(before.joined(separator: ", ")): \(harm)"
    }
}
