import Findings
import RuleLibrary

/// The text of `lifelint rules`.
enum RulesManual {
    /// A list of all rules, or the page of one.
    static func page(_ id: String?, of library: RuleLibrary) throws(Command.Failure) -> String {
        guard let id else { return list(library) }
        guard let rule = library.rules[id] else { throw Command.Failure(message: "there is no rule '\(id)'; 'lifelint rules' lists them") }
        return page(rule)
    }

    private static func list(_ library: RuleLibrary) -> String {
        let width = library.rules.keys.map(\.count).max() ?? 0
        return library.orderedRules.map { rule in
            let id = rule.id + String(repeating: " ", count: width - rule.id.count)
            let severity = rule.severity.rawValue + String(repeating: " ", count: 7 - rule.severity.rawValue.count)
            return "\(id)  \(severity)  \(rule.isEnabled ? "" : "(opt-in) ")\(rule.summary) [\(rule.sources.joined(separator: " "))]\n"
        }.joined()
    }

    private static func page(_ rule: RuleDescription) -> String {
        var text = "\(rule.id)\n\n\(rule.severity.rawValue)\(rule.isEnabled ? "" : ", opt-in"): \(rule.summary)\n\n\(rule.rationale)\n"
        for impact in rule.impacts {
            let before = AppleSystem.allCases.compactMap { system in impact.before.oldest[system].map { "\(system.rawValue) \($0)" } }
            text += "\n\(impact.severity.rawValue) where the deployment target is before \(before.joined(separator: ", ")): \(impact.harm)\n"
        }
        if !rule.silent.isEmpty { text += "\nStays silent:\n" + rule.silent.map { "  - \($0)\n" }.joined() }
        for example in rule.examples {
            text += "\n\(example.verdict == .bad ? "Reported" : "Fine"): \(example.title)\n\n"
            text += indented(example.code)
            for file in example.files { text += "\n    \(file.name):\n\n" + indented(file.text) }
        }
        text += "\nSource: " + (rule.sources + [rule.reference]).filter { !$0.isEmpty }.joined(separator: "; ") + "\n"
        return text
    }

    private static func indented(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined()
    }
}
