import RuleLibrary
import Testing

@testable import lifelint

/// Rule data of the user's own, from a folder.
@Suite struct RuleFolderTests {
    private static let pair = """
        pairs: begin and end
        source: "a manual"
        of:
          - title: "a held signal"
            scope: function
            begin: [hold]
            end: [release]
            harm: "every train waits"
        """
    private static let code = """
        final class Line {
            func close(_ signal: Signal) {
                signal.hold()
                if signal.isBroken { return }
                signal.release()
            }
        }
        """

    /// The exit code and the findings of a run with one rule file, at a path below the folder.
    private func run(_ rules: String, at path: String) throws -> Run {
        try withFiles(["Line.swift": Array(Self.code.utf8), "Rules/\(path)": Array(rules.utf8)]) { folder in
            Run.lint([folder], ["--rules-path", "\(folder)/Rules"])
        }
    }

    @Test func aPairOfTheUsersIsFollowed() throws {
        #expect(try run(Self.pair, at: "pairs/signals.yml").marks == ["Line.swift:4 resource_unbalanced"])
        #expect(try withFiles(["Line.swift": Array(Self.code.utf8)]) { Run.lint([$0]).marks }.isEmpty)
    }

    @Test(arguments: ["nothing", "pairs: [", "pairs: begin and end", "lifecycle: x"])
    func aBrokenFileEndsTheRun(_ text: String) throws {
        let run = try run(text, at: "pairs/signals.yml")
        #expect(run.code == 1)
        #expect(run.text.isEmpty)
    }

    /// What is wrong is said with file, line and key.
    @Test func theMistakeIsNamed() throws {
        let wrong = Self.pair.replacing("scope: function", with: "scope: forever")
        try withFiles(["pairs/signals.yml": Array(wrong.utf8)]) { folder in
            let files = try RuleFolders.read([folder])
            #expect(files.map(\.path) == ["\(folder)/pairs/signals.yml"])
            #expect(throws: (any Error).self) { try RuleLibrary.embedded(adding: files) }
            do throws(RuleDataError) {
                _ = try RuleLibrary.embedded(adding: files)
            } catch {
                #expect("\(error)".hasSuffix("pairs/signals.yml:5: key 'scope': must be one of function, project, not 'forever'"))
            }
        }
    }

    @Test func foldersThatAreNoneAreNamed() throws {
        try withFiles(["a.txt": [], "bytes/pairs/a.yml": [0xFF, 0xFE]]) { folder in
            for path in ["\(folder)/missing", "\(folder)/a.txt", folder + "/bytes"] {
                #expect(throws: Command.Failure.self) { try RuleFolders.read([path]) }
            }
        }
        #expect(throws: Command.Failure.self) { try withFiles(["a.txt": []]) { try RuleFolders.read([$0]) } }
    }

    @Test func aFileOutsideItsFolderIsRefused() throws {
        #expect(try run(Self.pair, at: "signals.yml").code == 1)
        #expect(try run(Self.pair, at: "pears/signals.yml").code == 1)
    }
}
