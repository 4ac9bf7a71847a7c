import Analysis
import Findings
import Foundation
import ProgramModel
import ProjectFiles
import SwiftFrontEnd

/// The sources below some paths, read, parsed and sorted into units.
struct LoadedSources {
    let files: [ProgramFile]
    let units: [LinkUnit]
    let problems: [Problem]
    /// Given paths that lead nowhere.
    let missing: [String]
    /// Whether the paths hold anything to lint at all.
    let foundAny: Bool

    /// Reads everything once; each file's text is dropped as soon as its facts are made.
    static func load(_ paths: [String], threads: Threads) -> LoadedSources {
        let folder = FileManager.default.currentDirectoryPath
        let discovery = SourceDiscovery.find(paths, workingFolder: folder)
        let sources = discovery.sources
        let read = threads.map(sources.count) { index -> Result<FileFacts, Problem> in
            SourceReader.read(sources[index].path, reportedAs: sources[index].reportPath).map { bytes in
                bytes.withUnsafeBufferPointer { SwiftFrontEnd.facts(ofUTF8: $0) }
            }
        }
        var problems = discovery.problems
        var parsed: [(file: DiscoveredFile, facts: FileFacts)] = []
        for (file, result) in zip(sources, read) {
            switch result {
            case .success(let facts): parsed.append((file, facts))
            case .failure(let problem): problems.append(problem)
            }
        }
        var projects: [XcodeProject] = []
        for path in discovery.projects {
            switch XcodeProject.read(path, reportedAs: path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path) {
            case .success(let project): projects.append(project)
            case .failure(let problem): problems.append(problem)
            }
        }
        let (units, membership) = LinkUnits.assign(parsed, projects: projects)
        let files = zip(parsed, membership).map { source, indices in
            ProgramFile(
                path: source.file.reportPath, facts: source.facts, units: indices, isThirdParty: source.file.isThirdParty,
                isTest: TestSources.isTest(source.file.reportPath, facts: source.facts, units: indices.map { units[$0] }))
        }
        return LoadedSources(files: files, units: units, problems: problems, missing: discovery.missing, foundAny: !sources.isEmpty)
    }
}
