import Findings
import Foundation
import ProgramModel
import ResourceFiles

/// Reads storyboards, xibs and Info.plists, and says to which units the lists belong.
public struct ResourceDiscovery: Sendable {
    public let resources: ProjectResources
    public let problems: [Problem]

    /// Reads what was found; `membership` holds for each source the indices of its units.
    public init(
        _ discovery: Discovery, projects: [XcodeProject], sources: [DiscoveredFile], units: [LinkUnit], membership: [[Int]], workingFolder: String
    ) {
        var problems: [Problem] = []
        func read<Facts>(_ path: String, _ name: String, _ reader: ([UInt8]) -> Result<Facts, ResourceFault>) -> Facts? {
            switch SourceReader.bytes(of: path, reportedAs: name).flatMap({ reader($0).mapError { Problem(path: name, kind: .unreadable, message: $0.message) } }) {
            case .success(let facts): return facts
            case .failure(let problem):
                problems.append(problem)
                return nil
            }
        }
        var interfaces: [ProjectResources.Interface] = []
        let targets = projects.flatMap(\.targets)
        // What the nibs of old have, which are no XML, nobody here knows.
        var isWhole = !targets.contains { $0.resources.contains { $0.hasSuffix(".nib") } }
        func name(_ path: String) -> String { (path as NSString).lastPathComponent }
        let copied = Set(discovery.interfaces.map(\.path).filter { path in targets.contains { $0.copies(path) } })
        let copiedNames = Set(copied.map(name))
        for file in discovery.interfaces {
            // One that no target copies, beside one of the same name that some target does, was left behind.
            if copiedNames.contains(name(file.path)), !copied.contains(file.path) { continue }
            if let facts = read(file.path, file.reportPath, InterfaceReader.facts) {
                interfaces.append(.init(path: file.reportPath, facts: facts, isThirdParty: file.isThirdParty))
            } else if !file.isThirdParty {
                isWhole = false
            }
        }
        // A project may call its list what it likes.
        var names = Dictionary(discovery.propertyLists.filter { !$0.isThirdParty }.map { ($0.path, $0.reportPath) }) { first, _ in first }
        for path in projects.flatMap(\.targets).flatMap(\.propertyList.files) where names[path] == nil && FileManager.default.fileExists(atPath: path) {
            names[path] = path.hasPrefix(workingFolder + "/") ? String(path.dropFirst(workingFolder.count + 1)) : path
        }
        var lists: [String: PropertyListFacts] = [:]
        for (path, name) in names.sorted(by: { $0.key < $1.key }) { lists[path] = read(path, name, PropertyListReader.facts) }
        var assignment = Assignment(lists: lists, units: units)
        assignment.add(projects)
        // Beside a project a file that no target compiles is part of nothing.
        if projects.isEmpty { assignment.add(zip(sources, membership).map { ($0, $1) }) }
        self.problems = problems
        resources = ProjectResources(interfaces: interfaces, areInterfacesWhole: isWhole, configurations: assignment.configurations)
    }

    /// The lists of the units so far.
    private struct Assignment {
        let lists: [String: PropertyListFacts]
        let units: [LinkUnit]
        var configurations: [Int: UnitConfiguration] = [:]

        mutating func add(_ projects: [XcodeProject]) {
            let targetUnits = TargetUnits(projects)
            for project in projects {
                for target in project.targets {
                    guard let index = units.firstIndex(of: targetUnits.unit(of: target, in: project)) else { continue }
                    let settings = target.propertyList
                    let known = settings.files.sorted().compactMap { lists[$0] }
                    guard !known.isEmpty || !settings.addedKeys.isEmpty || settings.deviceFamilies != nil else { continue }
                    configurations[index] = UnitConfiguration(
                        propertyLists: known, addedKeys: settings.addedKeys, deviceFamilies: settings.deviceFamilies,
                        isWhole: settings.isWhole && known.count == settings.files.count)
                }
            }
        }

        /// Without a project the nearest list in a file's folder or above it is that of the file's app; that of a package is not known.
        mutating func add(_ files: [(file: DiscoveredFile, units: [Int])]) {
            let packages = Set(files.map(\.file.path).filter { $0.hasSuffix("/Package.swift") }.map { ($0 as NSString).deletingLastPathComponent })
            let byFolder = Dictionary(grouping: lists.keys.sorted()) { ($0 as NSString).deletingLastPathComponent }
            var nearest: [Int: Set<String>] = [:]
            var without: Set<Int> = []
            for (file, indices) in files where file.path.hasSuffix(".swift") || file.path.hasSuffix(".m") || file.path.hasSuffix(".mm") {
                var folder = (file.path as NSString).deletingLastPathComponent
                var found: [String] = []
                while !packages.contains(folder) {
                    found = byFolder[folder] ?? []
                    if !found.isEmpty || folder == file.root || folder.count <= 1 { break }
                    folder = (folder as NSString).deletingLastPathComponent
                }
                for index in indices {
                    nearest[index, default: []].formUnion(found)
                    if found.isEmpty { without.insert(index) }
                }
            }
            for (index, paths) in nearest where !paths.isEmpty && !without.contains(index) {
                configurations[index] = UnitConfiguration(propertyLists: paths.sorted().compactMap { lists[$0] }, isWhole: true)
            }
        }
    }
}
