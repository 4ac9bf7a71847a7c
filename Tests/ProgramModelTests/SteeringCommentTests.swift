import ProgramModel
import SourceText
import Testing

@Suite struct SteeringCommentTests {
    private func parse(_ text: String) -> String? {
        SteeringCommentGrammar.parse(text, span: .start).map { comment in
            "\(comment.action) \(comment.scope) \(comment.rules.joined(separator: "+"))" + (comment.reason.map { " because \($0)" } ?? "")
        }
    }

    @Test(arguments: [
        ("// lifelint:disable rule_a", "disable region rule_a"),
        ("// lifelint:disable:next rule_a, rule_b - we know", "disable next rule_a+rule_b because we know"),
        ("//lifelint:disable:this rule_a", "disable this rule_a"),
        ("/* lifelint:disable:previous all */", "disable previous all"),
        ("/// lifelint:enable", "enable region all"),
        ("// lifelint:disable:file rule_a – generated", "disable file rule_a because generated"),
    ])
    func comments(_ text: String, _ expected: String) {
        #expect(parse(text) == expected)
    }

    @Test(arguments: ["// see lifelint:disable", "// lifelint: disable x", "// lifelint:disables x", "// lifelint:disable:nowhere x", "// swiftlint:disable x"])
    func others(_ text: String) {
        #expect(parse(text) == nil)
    }
}
