import Foundation
import Testing

@testable import lifelint

/// The traces of the worked examples, as people read them; `LIFELINT_UPDATE_GOLDEN=1 swift test` writes them anew.
@Suite struct TraceTests {
    static let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden/traces.txt")

    /// Every finding with a trace, in the text form, with paths from `Examples` on.
    private func traces() -> String {
        Run.lint([ExampleTests.examples]).findings.filter { !(($0["trace"] as? [Any])?.isEmpty ?? true) }.map { finding in
            func relative(_ path: Any?) -> String { (path as? String ?? "").components(separatedBy: "Examples/").last ?? "" }
            var text = "\(relative(finding["path"])):\(finding["line"] ?? 0): \(finding["message"] ?? "") (\(finding["rule"] ?? ""), \(finding["status"] ?? ""))\n"
            for step in finding["trace"] as? [[String: Any]] ?? [] {
                let place = relative(step["path"]).isEmpty ? "" : "\(relative(step["path"])):\(step["line"] ?? 0)  "
                text += "    \(step["step"] ?? 0). \(step["event"] ?? "")  \(place)\(step["note"] ?? "")\n"
            }
            for assumption in finding["assumptions"] as? [[String: Any]] ?? [] {
                text += "    assuming \(assumption["text"] ?? "")  \(relative(assumption["path"])):\(assumption["line"] ?? 0)\n"
            }
            return text
        }.joined()
    }

    @Test func tracesOfTheExamples() throws {
        let found = traces()
        if ProcessInfo.processInfo.environment["LIFELINT_UPDATE_GOLDEN"] != nil { try found.write(to: Self.golden, atomically: true, encoding: .utf8) }
        #expect(try found == String(contentsOf: Self.golden, encoding: .utf8), "the traces changed; LIFELINT_UPDATE_GOLDEN=1 swift test writes them anew")
    }

    /// The worked examples, and beside each a class that looks alike, does it right and is not spoken of.
    @Test(arguments: [
        ("Concentration/ScoreControllers.swift", "observer_unbalanced", "SteadyScoreController"),
        ("FaceIt/BlinkingController.swift", "timer_retains_controller", "BlinkingController"),
        ("Concentration/ScoreObservers.swift", "kvo_unbalanced", "SteadyChartController"),
        ("EmojiArt/LeakyDocumentController.swift", "observer_unbalanced", "EmojiArtController"),
        ("Concentration/ScoreObservers.swift", "kvo_unbalanced", "ScoreChartController"),
        ("Cassini/ImageController.swift", "geometry_before_layout", "ImageController"),
        ("EmojiArt/EmojiArtView.swift", "observation_token_discarded", "ScoreChartController"),
    ])
    func workedExample(_ path: String, _ rule: String, _ right: String) {
        let findings = Run.lint([ExampleTests.examples]).findings
        let shown = findings.filter { ($0["path"] as? String)?.hasSuffix(path) == true && $0["rule"] as? String == rule }
        #expect(!shown.isEmpty)
        #expect(shown.allSatisfy { !(($0["trace"] as? [Any])?.isEmpty ?? true) }, "a run says what happens")
        #expect(!findings.contains { $0["type"] as? String == right && $0["rule"] as? String == rule })
    }
}
