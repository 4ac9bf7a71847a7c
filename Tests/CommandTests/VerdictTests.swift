import Foundation
import Testing

/// What readers said of findings in whole apps; `Tests/Verdicts/pick.py` picks them.
@Suite struct VerdictTests {
    private struct Verdict: Decodable {
        let app, rule, path, verdict, why: String
        let line: Int
    }

    static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Verdicts/verdicts.jsonl")

    @Test func mostFindingsAreRight() throws {
        let lines = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
        let verdicts = try lines.map { try JSONDecoder().decode(Verdict.self, from: Data($0.utf8)) }
        let byApp = Dictionary(grouping: verdicts, by: \.app)
        #expect(byApp.count >= 5)
        #expect(byApp.values.allSatisfy { $0.count >= 20 })
        #expect(verdicts.allSatisfy { ["right", "wrong"].contains($0.verdict) && !$0.why.isEmpty })
        let right = verdicts.count { $0.verdict == "right" }
        #expect(right * 100 >= verdicts.count * 85, "\(right) of \(verdicts.count) are right")
    }
}
