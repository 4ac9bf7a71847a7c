import Foundation
import Testing

/// The conventions of the house, as tests: exceptions are listed here and nowhere else.
@Suite struct HouseRuleTests {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// What each module may import of the others: the table of the design, with SourceText for all that have places in a text
    /// and Findings for what reports problems.
    static let allowed: [String: Set<String>] = [
        "SourceText": [],
        "ProgramModel": ["SourceText"],
        "Findings": ["SourceText"],
        "SwiftFrontEnd": ["ProgramModel", "SourceText", "SwiftSyntax", "SwiftParser", "SwiftOperators"],
        "CLibYAML": [],
        "CLibClang": [],
        "ObjectiveCFrontEnd": ["ProgramModel", "SourceText", "CLibClang", "Foundation"],
        "ResourceFiles": ["ProgramModel", "Foundation", "FoundationXML"],
        "RuleLibrary": ["Findings", "SourceText", "CLibYAML"],
        "Replay": ["ProgramModel", "Findings", "RuleLibrary", "SourceText"],
        "Simulation": ["Replay", "ProgramModel", "Findings", "RuleLibrary", "SourceText"],
        "Checks": ["ProgramModel", "Findings", "RuleLibrary", "SourceText"],
        "Analysis": ["SourceText", "ProgramModel", "Findings", "RuleLibrary", "Checks", "Replay", "Simulation"],
        "Reporters": ["Findings", "SourceText", "RuleLibrary", "Foundation"],
        "ProjectFiles": ["Analysis", "ProgramModel", "ResourceFiles", "RuleLibrary", "CLibYAML", "Findings", "Foundation"],
        "EmbedRules": ["Foundation", "PackagePlugin"],
        "EmbedRulesTool": ["Foundation"],
        "lifelint": ["SourceText", "ProgramModel", "Findings", "SwiftFrontEnd", "ObjectiveCFrontEnd", "RuleLibrary", "Checks", "Replay", "Analysis", "Reporters", "ProjectFiles", "Foundation"],
    ]

    /// Every Swift file below a folder of the repository, with its path from there and its lines.
    static func files(below folder: String) -> [(path: String, lines: [Substring])] {
        let base = root.appendingPathComponent(folder)
        let paths = (FileManager.default.enumerator(atPath: base.path)?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".swift") }.sorted()
        return paths.compactMap { path in
            guard let text = try? String(contentsOf: base.appendingPathComponent(path), encoding: .utf8) else { return nil }
            return ("\(folder)/\(path)", text.split(separator: "\n", omittingEmptySubsequences: false))
        }
    }

    @Test func modulesImportOnlyWhatTheyMay() {
        let files = Self.files(below: "Sources")
        #expect(files.count > 40)
        for (path, lines) in files {
            let module = String(path.split(separator: "/")[1])
            guard let allowed = Self.allowed[module] else {
                Issue.record("\(module) is in no row of the table")
                continue
            }
            for line in lines {
                guard let found = line.wholeMatch(of: /\s*(?:@\w+\s+)*(?:public\s+|internal\s+)?import\s+(?:\w+\s+)?([A-Za-z]+)[\w.]*\s*/) else { continue }
                #expect(allowed.contains(String(found.1)), "\(path) imports \(found.1)")
            }
        }
    }

    @Test func noFileOutgrowsAReader() {
        for (path, lines) in Self.files(below: "Sources") + Self.files(below: "Tests") {
            #expect(lines.count <= 500, "\(path) has \(lines.count) lines and asks to be split")
        }
    }

    @Test func publicDeclarationsAreDocumented() {
        var checked = 0
        for (path, lines) in Self.files(below: "Sources") {
            for (index, line) in lines.enumerated() {
                // Stored values of records are told by their names; what acts needs words.
                guard let found = line.firstMatch(of: /^\s*public (?:static |final |indirect |mutating )*(struct|class|enum|protocol|func|init)\b/) else { continue }
                checked += 1
                var above = index - 1
                while above >= 0, lines[above].drop(while: \.isWhitespace).hasPrefix("@") { above -= 1 }
                let comment = above >= 0 ? lines[above].drop(while: \.isWhitespace) : ""
                #expect(comment.hasPrefix("///"), "\(path):\(index + 1): the public \(found.1) has no doc comment")
            }
        }
        #expect(checked > 60)
    }

    @Test func foldersHaveNoCatchAllNames() {
        for (path, _) in Self.files(below: "Sources") {
            for part in path.split(separator: "/") {
                #expect(!["Utils", "Helpers", "Managers", "Shared", "Extensions"].contains { part.contains($0) }, "\(path)")
            }
        }
    }

    @Test func theTopLevelHoldsWhatItMay() throws {
        let allowed: Set<String> = ["Package.swift", "Sources", "Tests", "Rules", "Examples", "README.md", "LICENSE", "CONTRIBUTING.md"]
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.root.path).filter { !$0.hasPrefix(".") && $0 != "Package.resolved" }
        #expect(Set(names) == allowed)
    }
}
