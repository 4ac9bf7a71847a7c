import Foundation
import Analysis
import Findings
import ProgramModel
import ResourceFiles
import RuleLibrary
import SwiftFrontEnd
import Testing

/// Lints text given inline.
enum InlineLint {
    static let library: RuleLibrary = {
        do throws(RuleDataError) { return try RuleLibrary.embedded() } catch { fatalError("\(error)") }
    }()

    private static let names = EarlierNames(selectors: library.selectorNames)

    /// Work done on the calling thread.
    struct OneThread: WorkPool {
        func map<Result: Sendable>(_ count: Int, _ work: @escaping @Sendable (Int) -> Result) -> [Result] { (0..<count).map(work) }
    }

    /// The report on the texts, linked as one unit; a path that begins with `Tests/` is a test, one with `Pods/` other people's code.
    static func report(_ files: [(path: String, text: String)], resources: ProjectResources = ProjectResources(), targets: UnitTargets = UnitTargets(), selection: RuleSelection = RuleSelection()) -> Report {
        let sources = files.map { file in
            ProgramFile(path: file.path, facts: SwiftFrontEnd.facts(of: file.text, names: names), units: [0], isThirdParty: file.path.hasPrefix("Pods/"),
                        isTest: file.path.hasPrefix("Tests/"))
        }
        let program = Analysis.link(sources, units: [LinkUnit(name: "app")], library: library, resources: resources)
        return Analysis.report(on: program, library: library, selection: selection, targets: targets, problems: [], pool: OneThread())
    }

    /// What the files beside an example's code say; a file that cannot be read fails the test.
    static func resources(of example: RuleDescription.Example) -> ProjectResources {
        var interfaces: [ProjectResources.Interface] = []
        var lists: [PropertyListFacts] = []
        for file in example.files {
            let bytes = Array(file.text.utf8)
            do {
                if file.name.hasSuffix(".plist") {
                    lists.append(try PropertyListReader.facts(of: bytes).get())
                } else {
                    interfaces.append(.init(path: file.name, facts: try InterfaceReader.facts(of: bytes).get()))
                }
            } catch {
                Issue.record("\(example.title): \(file.name): \(error)")
            }
        }
        return ProjectResources(interfaces: interfaces, configurations: lists.isEmpty ? [:] : [0: UnitConfiguration(propertyLists: lists, isWhole: true)])
    }

    /// The rules that are on by default, and one more.
    static func selection(with rule: String) -> RuleSelection {
        RuleSelection(only: Set(library.rules.values.filter(\.isEnabled).map(\.id) + [rule]))
    }

    /// The findings as `line rule`, for one file or `path:line rule` for several.
    static func findings(_ texts: String...) -> [String] {
        let files = texts.enumerated().map { ("File\($0 + 1).swift", $1) }
        return report(files).findings.map { (texts.count > 1 ? "\($0.finding.path.dropLast(6)):" : "") + "\($0.finding.span.start.line) \($0.finding.rule)" }
    }

    /// The marks of a text, `// expect: rule, rule - words`, in the form of `findings`.
    static func marks(_ text: String, word: String = "expect") -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line -> [String] in
            guard let mark = line.range(of: "// \(word): ") else { return [] }
            let rules = line[mark.upperBound...].components(separatedBy: " - ")[0]
            return rules.split(separator: ",").map { "\(index + 1) \($0.filter { !$0.isWhitespace })" }
        }.sorted()
    }
}
