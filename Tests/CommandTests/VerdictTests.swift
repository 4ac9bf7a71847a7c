import Foundation
import Testing

/// What readers said of findings in whole apps; `Tests/Verdicts/pick.py` picks them.
@Suite struct VerdictTests {
    private struct Verdict: Decodable {
        let app, rule, path, verdict, why: String
        let line: Int
    }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Verdicts")

    @Test(arguments: [("verdicts.jsonl", apps: 5, percent: 85), ("apps.jsonl", apps: 10, percent: 88)])
    func mostFindingsAreRight(_ file: (name: String, apps: Int, percent: Int)) throws {
        let lines = try String(contentsOf: Self.folder.appendingPathComponent(file.name), encoding: .utf8).split(separator: "\n")
        let verdicts = try lines.map { try JSONDecoder().decode(Verdict.self, from: Data($0.utf8)) }
        let byApp = Dictionary(grouping: verdicts, by: \.app)
        #expect(byApp.count >= file.apps)
        #expect(byApp.values.allSatisfy { $0.count >= 20 })
        #expect(verdicts.allSatisfy { ["right", "wrong"].contains($0.verdict) && !$0.why.isEmpty })
        let right = verdicts.count { $0.verdict == "right" }
        #expect(right * 100 >= verdicts.count * file.percent, "\(right) of \(verdicts.count) are right")
    }
}
