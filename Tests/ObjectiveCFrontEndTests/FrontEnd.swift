import Analysis
import Foundation
import ProgramModel
import RuleLibrary

@testable import ObjectiveCFrontEnd

/// One front end for all tests, with a folder of its own.
enum FrontEnd {
    static let library: RuleLibrary = {
        do throws(RuleDataError) { return try RuleLibrary.embedded() } catch { fatalError("\(error)") }
    }()
    private static let folder: String = {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("lifelint-facts-\(ProcessInfo.processInfo.processIdentifier)").path
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: FrontEnd.folder) }
        return path
    }()

    static let shared: ObjectiveCFrontEnd = {
        let overlay = HeaderTable(headers: [], importedNames: []).overlay(root: "\(folder)/headers", importedNames: [], empty: "")
        try? Data(overlay.utf8).write(to: URL(fileURLWithPath: "\(folder)/overlay.yaml"))
        guard let made = ObjectiveCFrontEnd(
            platform: Analysis.platform(of: library), names: ImportedNames(selectors: library.selectorNames), circles: SuperclassCircles(),
            workspace: .init(folder: folder, overlay: "\(folder)/overlay.yaml", headers: "\(folder)/headers"))
        else { fatalError("no libclang; .ci/setup installs it") }
        return made
    }()

    static func dump(_ text: String, path: String = "/inline/File.m") -> String { FactsPrinter.print(shared.facts(of: path, bytes: Array(text.utf8), in: TextSurroundings(of: path, imported: []))) }
    static func facts(_ text: String, path: String = "/inline/File.m") -> FileFacts { shared.facts(of: path, bytes: Array(text.utf8), in: TextSurroundings(of: path, imported: [])) }
}
