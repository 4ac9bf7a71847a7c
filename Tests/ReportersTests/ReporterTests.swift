import Findings
import Foundation
import Reporters
import SourceText
import Testing

@Suite struct ReporterTests {
    static let span = SourceSpan(start: SourcePosition(line: 4, column: 9), end: SourcePosition(line: 4, column: 20))
    static let report = Report(
        findings: [
            Finding(rule: "timer_retains_controller", severity: .error, status: .likely, message: "b", path: "B.swift", span: span, type: "B", member: "f()",
                    assumptions: [Assumption(path: "B.swift", line: 2, text: "'x' is called once")],
                    trace: [TraceStep(event: "viewDidLoad()", path: "B.swift", line: 3, note: "starts a timer")],
                    fixes: [Fix(title: "stop it", safety: .unsafe, edits: [TextEdit(path: "B.swift", span: span, text: "x")])]),
            Finding(rule: "missing_super_call", severity: .warning, message: "a \"quoted\" message", path: "A.swift", span: span, type: "A", member: "viewDidLoad()"),
        ],
        problems: [Problem(path: "C.swift", kind: .notText, message: "the file is binary and is skipped")], fileCount: 2, typeCount: 2)

    @Test func text() {
        let text = Reporter.text.render(Self.report, toolVersion: "1", style: TextStyle(isColoured: false, isQuiet: false))
        #expect(text == """
            A.swift:4:9: warning: a "quoted" message (missing_super_call)
            B.swift:4:9: error: b (timer_retains_controller, likely)
                1. viewDidLoad()  B.swift:3  starts a timer
                assuming 'x' is called once  B.swift:2
            C.swift: note: the file is binary and is skipped
            1 error, 1 warning, 0 notes in 2 files; 1 input could not be read

            """)
        let quiet = Reporter.text.render(Self.report, toolVersion: "1", style: TextStyle(isColoured: true, isQuiet: true))
        #expect(quiet.contains("\u{1B}[") && !quiet.contains("binary"))
    }

    @Test func xcode() {
        let text = Reporter.xcode.render(Self.report, toolVersion: "1", style: TextStyle(isColoured: false, isQuiet: false))
        #expect(text == "A.swift:4:9: warning: a \"quoted\" message (missing_super_call)\nB.swift:4:9: error: b (timer_retains_controller)\n")
    }

    /// The contract of DESIGN.md: these keys exist, with these types.
    @Test func json() throws {
        let text = Reporter.json.render(Self.report, toolVersion: "1.2", style: TextStyle(isColoured: false, isQuiet: true))
        let document = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(document["schemaVersion"] as? Int == 1)
        #expect((document["tool"] as? [String: String]) == ["name": "lifelint", "version": "1.2"])
        let summary = try #require(document["summary"] as? [String: Any])
        #expect(summary["files"] as? Int == 2 && summary["types"] as? Int == 2)
        #expect(summary["findings"] as? [String: Int] == ["error": 1, "warning": 1, "note": 0])
        let findings = try #require(document["findings"] as? [[String: Any]])
        let second = try #require(findings.last)
        #expect(Set(second.keys) == ["id", "rule", "severity", "status", "message", "path", "line", "column", "endLine", "endColumn", "type", "member",
                                     "assumptions", "trace", "fixes"])
        #expect(second["status"] as? String == "likely" && second["line"] as? Int == 4 && second["endColumn"] as? Int == 20)
        #expect((second["trace"] as? [[String: Any]])?.first?["step"] as? Int == 1)
        #expect(((second["fixes"] as? [[String: Any]])?.first?["edits"] as? [[String: Any]])?.first?["endLine"] as? Int == 4)
        #expect((document["problems"] as? [[String: String]]) == [["path": "C.swift", "kind": "not_text", "message": "the file is binary and is skipped"]])
    }

    @Test func fingerprintsSurviveMovedLinesAndTellTwinsApart() {
        func ids(line: Int) -> [String] {
            let span = SourceSpan(start: SourcePosition(line: line, column: 1), end: SourcePosition(line: line, column: 2))
            let finding = Finding(rule: "r", severity: .note, message: "m", path: "p", span: span, type: "T", member: "f()")
            return Report(findings: [finding, finding], problems: [], fileCount: 1, typeCount: 1).findings.map(\.id)
        }
        #expect(ids(line: 3) == ids(line: 30))
        #expect(Set(ids(line: 3)).count == 2)
    }
}
