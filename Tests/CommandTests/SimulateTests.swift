import Analysis
import Findings
import Foundation
import Reporters
import RuleLibrary
import Testing

@testable import lifelint

/// `simulate`, and the places that `--show-refuted` shows.
@Suite struct SimulateTests {
    private static let source = """
        class Steady: UIViewController {
            override func viewWillAppear(_ animated: Bool) {
                super.viewWillAppear(animated)
                NotificationCenter.default.addObserver(self, selector: #selector(tick), name: .tick, object: nil)
            }
            override func viewDidDisappear(_ animated: Bool) {
                super.viewDidDisappear(animated)
                NotificationCenter.default.removeObserver(self)
            }
            @objc func tick() {}
        }
        class Hasty: UIViewController {
            override func viewWillAppear(_ animated: Bool) {
                super.viewWillAppear(animated)
                NotificationCenter.default.addObserver(self, selector: #selector(tick), name: .tick, object: nil)
            }
            @objc func tick() {}
        }
        """

    /// Runs the command on the source in a folder of its own; what it wrote.
    private static func run(_ words: [String]) throws -> String {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lifelint-simulate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try source.write(to: folder.appendingPathComponent("A.swift"), atomically: true, encoding: .utf8)
        let output = folder.appendingPathComponent("out").path
        _ = Command.run(words + [folder.path, "--output", output])
        return try String(contentsOfFile: output, encoding: .utf8).replacingOccurrences(of: folder.path + "/", with: "")
    }

    @Test func statesAsText() throws {
        let text = try Self.run(["simulate", "Steady"])
        #expect(text.hasPrefix("Steady: "))
        #expect(text.contains("\n1 unloaded\n    load → 2\n"))
        #expect(text.contains("coming (notification observer)"))
        // A swipe back that is called off adds a second one, which goes with the first.
        #expect(text.contains("disappearance_cancelled"))
        #expect(text.contains("A.swift:4: notification_observer in 'viewWillAppear(_:)'"))
    }

    @Test func statesForGraphvizAndAsAPage() throws {
        let dot = try Self.run(["simulate", "Hasty", "--format", "dot"])
        #expect(dot.hasPrefix("digraph lifecycle {") && dot.contains("label=\"Hasty\"") && dot.contains("observer_unbalanced") && dot.hasSuffix("}\n"))
        let page = try Self.run(["simulate", "Hasty", "--format", "html"])
        #expect(page.hasPrefix("<!DOCTYPE html>") && page.contains("<svg") && page.contains("</html>"))
        #expect(page.contains("<pre>NotificationCenter.default.addObserver(self"))
        #expect(!page.contains("http"), "the page needs nothing else")
    }

    @Test func explainSaysWhatIsRefuted() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lifelint-explain-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("A.swift").path
        try Self.source.replacingOccurrences(of: "viewDidDisappear", with: "viewWillDisappear").write(toFile: path, atomically: true, encoding: .utf8)
        let library = try RuleLibrary.embedded()
        let loaded = LoadedSources.load([folder.path], library: library, threads: Threads(count: 1))
        let program = Analysis.link(loaded.files, units: loaded.units, library: library)
        let report = Analysis.report(on: program, library: library, selection: RuleSelection(), problems: [], pool: Threads(count: 1), showsRefuted: true)
        let text = Explanation.text(path: path, line: 4, program: program, library: library, targets: UnitTargets(), report: report)
        #expect(text.contains("A.swift:4: refuted: no state that the object can reach breaks observer_not_removed, observer_unbalanced"))
        #expect(text.contains("tried: "))
    }

    @Test func refutedPlacesAreShownOnRequestAndNeverFailTheRun() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("lifelint-refuted-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let text = Self.source.replacingOccurrences(of: "viewDidDisappear", with: "viewWillDisappear")
        try text.write(to: folder.appendingPathComponent("A.swift"), atomically: true, encoding: .utf8)
        let output = folder.appendingPathComponent("out.json").path
        let code = Command.run(["lint", folder.path, "--reporter", "json", "--show-refuted", "--only-rule", "observer_unbalanced", "--output", output])
        let report = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: output))) as? [String: Any]
        let findings = report?["findings"] as? [[String: Any]] ?? []
        #expect(findings.map { "\($0["line"] ?? 0) \($0["status"] ?? "")" } == ["4 refuted", "15 confirmed"])
        #expect(code == 0)
        let summary = (report?["summary"] as? [String: Any])?["findings"] as? [String: Int]
        #expect(summary == ["error": 0, "warning": 1, "note": 0])
    }

    @Test(arguments: [(["simulate"], "followed by the name"), (["simulate", "X", "--format", "pdf"], "--format takes text, dot, html"), (["--engine", "magic"], "--engine takes")])
    func misuse(_ one: (words: [String], part: String)) {
        do throws(Arguments.Misuse) {
            _ = try Arguments.parse(one.words)
            Issue.record("understood all the same")
        } catch {
            #expect(error.message.contains(one.part))
        }
    }
}
