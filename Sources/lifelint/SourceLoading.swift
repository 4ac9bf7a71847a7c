import Analysis
import Findings
import Foundation
import ObjectiveCFrontEnd
import ProgramModel
import ProjectFiles
import RuleLibrary
import SwiftFrontEnd

/// The sources below some paths, read, parsed and sorted into units.
struct LoadedSources {
    let files: [ProgramFile]
    let units: [LinkUnit]
    let resources: ProjectResources
    /// The deployment targets by the index of the unit.
    let targets: [Int: DeploymentTargets]
    let problems: [Problem]
    /// Given paths that lead nowhere.
    let missing: [String]
    /// Whether the paths hold anything to lint at all.
    let foundAny: Bool

    /// Reads everything once; each file's text is dropped as soon as its facts are made.
    static func load(_ paths: [String], library: RuleLibrary, threads: Threads) -> LoadedSources {
        let folder = FileManager.default.currentDirectoryPath
        let discovery = SourceDiscovery.find(paths, workingFolder: folder)
        let sources = discovery.sources
        let names = EarlierNames(selectors: library.selectorNames)
        // Objective-C waits until it is known which headers there are.
        let texts = threads.map(sources.count) { index -> Result<Text, Problem> in
            SourceReader.read(sources[index].path, reportedAs: sources[index].reportPath).map { bytes in
                if sources[index].isObjectiveC { return .objectiveC(bytes, imports: HeaderTable.importedNames(in: bytes), interfaces: SuperclassCircles.interfaces(in: bytes)) }
                return .swift(bytes.withUnsafeBufferPointer { SwiftFrontEnd.facts(ofUTF8: $0, names: names) })
            }
        }
        func reported(_ path: String) -> String { path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path }
        var problems = discovery.problems
        var commands: [CompileCommands] = []
        for path in discovery.compileCommands {
            switch CompileCommands.read(path, reportedAs: reported(path)) {
            case .success(let read): commands.append(read)
            case .failure(let problem): problems.append(problem)
            }
        }
        var projects: [XcodeProject] = []
        for path in discovery.projects {
            switch XcodeProject.read(path, reportedAs: reported(path)) {
            case .success(let project): projects.append(project)
            case .failure(let problem): problems.append(problem)
            }
        }
        let reader = ObjectiveCReading(sources, texts, library: library, surroundings: .init(discovery, commands, projects), threads: threads)
        let read = threads.map(sources.count) { index -> Result<FileFacts, Problem> in
            texts[index].map { text in
                switch text {
                case .swift(let facts): facts
                case .objectiveC(let bytes, _, _): reader.facts(of: sources[index], bytes)
                }
            }
        }
        if let problem = reader.problem { problems.append(problem) }
        var parsed: [(file: DiscoveredFile, facts: FileFacts)] = []
        for (file, result) in zip(sources, read) {
            switch result {
            case .success(let facts): parsed.append((file, facts))
            case .failure(let problem): problems.append(problem)
            }
        }
        let (units, membership) = LinkUnits.assign(parsed, projects: projects)
        let leftOut = LinkUnits.leftOut(parsed.map(\.file), projects: projects)
        let sampled = LinkUnits.sampled(parsed.map(\.file), projects: projects)
        let files = zip(parsed, membership).map { source, indices in
            ProgramFile(
                path: source.file.reportPath, facts: source.facts, units: indices, isThirdParty: source.file.isThirdParty,
                isTest: TestSources.isTest(source.file.reportPath, facts: source.facts, units: indices.map { units[$0] }),
                isLeftOut: leftOut.contains(source.file.path), isSampled: sampled.contains(source.file.path))
        }
        let found = ResourceDiscovery(discovery, projects: projects, sources: parsed.map(\.file), units: units, membership: membership, workingFolder: folder)
        let targets = DeclaredTargets.ofUnits(discovery, projects: projects, sources: parsed, units: units, membership: membership)
        return LoadedSources(files: files, units: units, resources: found.resources, targets: targets, problems: problems + found.problems, missing: discovery.missing, foundAny: !sources.isEmpty)
    }

    /// The deployment targets of the units, with what the user says of them.
    func unitTargets(_ arguments: Arguments) -> UnitTargets { UnitTargets(known: targets, given: DeploymentTargets(arguments.deploymentTargets)) }

    /// One file that was read.
    enum Text: Sendable {
        case swift(FileFacts)
        case objectiveC([UInt8], imports: [String], interfaces: [SuperclassCircles.Interface])
    }
}
