import RuleLibrary
import Testing

@Suite struct RuleDataTests {
    @Test func theShippedDataIsSound() throws {
        let library = try RuleLibrary.embedded()
        #expect(library.rules.count >= 8)
        #expect(library.lifecycles.count >= 40)
        for rule in library.orderedRules {
            #expect(rule.examples.contains { $0.verdict == .bad }, "\(rule.id) shows nothing that it reports")
            #expect(rule.examples.contains { $0.verdict == .good }, "\(rule.id) shows nothing that is fine")
            #expect(rule.summary.first?.isLowercase == true && !rule.summary.hasSuffix("."), "\(rule.id): the summary is a clause")
        }
    }

    /// Every class that a table mentions is one that the tables know.
    @Test func superclassesAreKnown() throws {
        let library = try RuleLibrary.embedded()
        var classes: Set<String> = ["NSObject"]
        for framework in library.frameworks { classes.formUnion(framework.classes.map(\.name)) }
        for framework in library.frameworks {
            for row in framework.classes {
                #expect(classes.contains(row.superclass) || row.superclass.hasPrefix("NS"), "\(framework.name): \(row.name) inherits from unknown \(row.superclass)")
            }
        }
        for lifecycle in library.lifecycles.values {
            #expect(classes.contains(lifecycle.name) || lifecycle.superclass != nil, "no platform file lists \(lifecycle.name)")
        }
    }

    @Test func theNearestClassDecides() throws {
        let library = try RuleLibrary.embedded()
        #expect(library.method(named: "layoutSubviews()", inAncestry: ["UITableViewCell", "UIView"])?.method.superCall == .required)
        #expect(library.method(named: "draw(_:)", inAncestry: ["UIView"])?.method.superCall == .optional)
        #expect(library.method(named: "nothing()", inAncestry: ["UIView"]) == nil)
    }

    private static let rule = """
        id: a_rule
        severity: warning
        summary: "a clause"
        rationale: "why"
        """

    /// Each broken file with the line, the key and a word of the message that must be named.
    @Test(arguments: [
        ("rules/a_rule.yml", rule + "\nseverities: error", 5, "severities", "not known"),
        ("rules/a_rule.yml", rule.replacingLine(2, "severity: fatal"), 2, "severity", "error, warning, note"),
        ("rules/a_rule.yml", rule.replacingLine(3, "summary: [a]"), 3, "summary", "single word"),
        ("rules/a_rule.yml", rule.replacingLine(1, "ident: a_rule"), 1, "id", "must have it"),
        ("rules/a_rule.yml", rule.replacingLine(1, "id: Wrong-Name"), 1, "id", "snake_case"),
        ("rules/other.yml", rule, 1, "id", "name of the file"),
        ("rules/a_rule.yml", rule + "\nenabled: maybe", 5, "enabled", "true or false"),
        ("rules/a_rule.yml", rule + "\nsilent: word", 5, "silent", "must be a list"),
        ("rules/a_rule.yml", rule + "\nseverity: note", 5, "severity", "twice"),
        ("rules/a_rule.yml", rule + "\nexamples:\n  - title: x", 6, "language", "must have it"),
        ("rules/a_rule.yml", rule + "\nexamples:\n  - title: x\n    language: swift\n    verdict: good\n    code: c\n    files:\n      - name: Main.storyboard", 11, "text", "must have it"),
        ("rules/a_rule.yml", "- a\n- b", 1, nil, "must be a mapping"),
        ("rules/a_rule.yml", "a: [1\nb: 2", 2, nil, "cannot be read as YAML"),
        ("rules/a_rule.yml", "", 1, nil, "empty"),
        ("nowhere/a.yml", rule, 1, nil, "folder"),
        ("platform/X.yml", "framework: X\nsource: s\nclasses:\n  A: [B]", 4, "classes.A", "single word"),
        ("lifecycles/A.yml", "class: A\nsource: s\nmethods:\n  - name: f()\n    selector: f\n    role: strange\n    super: required\n    why: w", 6, "role", "lifecycle"),
    ] as [(String, String, Int, String?, String)])
    func brokenFilesNameFileLineAndKey(_ path: String, _ text: String, _ line: Int, _ key: String?, _ word: String) {
        do throws(RuleDataError) {
            _ = try RuleLibrary(files: [(path, text)])
            Issue.record("a broken file was accepted")
        } catch {
            #expect(error.file == path)
            #expect(error.line == line)
            #expect(error.key == key)
            #expect(error.message.contains(word), "\(error)")
        }
    }

    @Test func deepNestingEndsInAnError() {
        #expect(throws: RuleDataError.self) { try YAMLNode.parse(String(repeating: "[", count: 5000), file: "deep.yml") }
        #expect(throws: RuleDataError.self) {
            try YAMLNode.parse(String(repeating: "[", count: 100) + String(repeating: "]", count: 100), file: "deep.yml")
        }
    }
}

extension String {
    /// The text with one line, counted from 1, replaced.
    fileprivate func replacingLine(_ number: Int, _ line: String) -> String {
        var lines = split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        lines[number - 1] = line
        return lines.joined(separator: "\n")
    }
}
