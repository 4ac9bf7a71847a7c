import Analysis
import Findings
import Foundation
import ObjectiveCFrontEnd
import ProgramModel
import RuleLibrary

/// Lints Objective-C text given inline; it needs no imports.
enum InlineObjectiveC {
    private static let folder: String = {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("lifelint-rules-\(ProcessInfo.processInfo.processIdentifier)").path
        try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(atPath: InlineObjectiveC.folder) }
        return path
    }()
    private static let frontEnd: ObjectiveCFrontEnd = {
        let overlay = HeaderTable(headers: [], importedNames: []).overlay(root: "\(folder)/headers", importedNames: [], empty: "")
        try? Data(overlay.utf8).write(to: URL(fileURLWithPath: "\(folder)/overlay.yaml"))
        let workspace = ObjectiveCFrontEnd.Workspace(folder: folder, overlay: "\(folder)/overlay.yaml", headers: "\(folder)/headers")
        guard let made = ObjectiveCFrontEnd(
            platform: Analysis.platform(of: InlineLint.library), names: ImportedNames(selectors: InlineLint.library.selectorNames), circles: SuperclassCircles(), workspace: workspace)
        else { fatalError("no libclang; .ci/setup installs it") }
        return made
    }()

    static func facts(_ text: String, path: String = "/inline/File.m") -> FileFacts { frontEnd.facts(of: path, bytes: Array(text.utf8), in: TextSurroundings(of: path, imported: [])) }

    /// The report on one text.
    static func report(_ text: String, resources: ProjectResources = ProjectResources(), selection: RuleSelection = RuleSelection()) -> Report {
        let file = ProgramFile(path: "File.m", facts: facts(text), units: [0], isThirdParty: false, isTest: false)
        let program = Analysis.link([file], units: [LinkUnit(name: "app")], library: InlineLint.library, resources: resources)
        return Analysis.report(on: program, library: InlineLint.library, selection: selection, problems: [], pool: InlineLint.OneThread())
    }
}
