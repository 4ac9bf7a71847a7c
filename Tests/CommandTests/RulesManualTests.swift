import Foundation
import RuleLibrary
import Testing

@testable import lifelint

/// What `lifelint rules` prints, in each form.
@Suite struct RulesManualTests {
    private static let library = try! RuleLibrary.embedded()

    @Test func theDocumentHasARowAndASectionForEachRule() throws {
        let lines = try ManualForm.markdown.render(nil, of: Self.library).split(separator: "\n", omittingEmptySubsequences: false)
        for id in Self.library.rules.keys {
            #expect(lines.count { $0.hasPrefix("| [\(id)](#\(id)) |") } == 1)
            #expect(lines.count { $0 == "## \(id)" } == 1)
        }
        #expect(lines.count { $0.hasPrefix("## ") } == Self.library.rules.count)
        #expect(Set(lines.filter { $0.hasPrefix("| ") }.map { $0.count { $0 == "|" } }) == [8], "a cell with a bar of its own would break its row")
        #expect(lines.count { $0.hasPrefix("```") }.isMultiple(of: 2))
    }

    @Test func programsReadTheSameRules() throws {
        let text = try ManualForm.json.render(nil, of: Self.library)
        let records = try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        #expect(records.compactMap { $0["id"] as? String } == Self.library.orderedRules.map(\.id))
        #expect(records.reduce(0) { $0 + (($1["examples"] as? [Any])?.count ?? 0) } == Self.library.rules.values.reduce(0) { $0 + $1.examples.count })
    }

    @Test(arguments: ManualForm.allCases) func onePage(_ form: ManualForm) throws {
        let rule = try #require(Self.library.rules["observer_not_removed"])
        let page = try form.render(rule.id, of: Self.library)
        let told = [rule.id, rule.summary] + rule.examples.map(\.title) + rule.impacts.map(\.harm)
        #expect(told.filter { !page.contains($0) } == [])
        #expect(throws: Command.Failure.self) { try form.render("no_such_rule", of: Self.library) }
    }
}
