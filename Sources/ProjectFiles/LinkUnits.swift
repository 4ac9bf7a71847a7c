import Foundation
import ProgramModel

/// Says which sources are compiled together.
public enum LinkUnits {
    /// The units, and for each file the indices of those that compile it: Xcode targets, SwiftPM targets, else folders.
    public static func assign(
        _ files: [(file: DiscoveredFile, facts: FileFacts)], projects: [XcodeProject]
    ) -> (units: [LinkUnit], membership: [[Int]]) {
        var units: [LinkUnit] = []
        var indices: [LinkUnit: Int] = [:]
        func index(of unit: LinkUnit) -> Int {
            if let known = indices[unit] { return known }
            indices[unit] = units.count
            units.append(unit)
            return units.count - 1
        }
        let targetUnits = TargetUnits(projects)
        let targets = projects.flatMap { project in
            // A library may be built for its tests alone, as pods often were: what says nothing of tests is its own.
            let isOfTestsAlone = project.targets.allSatisfy(\.isTest)
            return project.targets.map { (target: $0, unit: targetUnits.unit(of: $0, in: project), isOfTestsAlone: isOfTestsAlone) }
        }
        let packages = files.filter { ($0.file.path as NSString).lastPathComponent == "Package.swift" }.flatMap { packageTargets($0.file, $0.facts) }
            // The longest folder is the nearest.
            .sorted { $0.folder.count > $1.folder.count }
        // A header belongs to where its implementation is compiled.
        var implementations: [String: String] = [:]
        for (file, _) in files {
            for ending in [".m", ".mm"] where file.path.hasSuffix(ending) { implementations[String(file.path.dropLast(ending.count))] = file.path }
        }
        let membership = files.map { file, _ -> [Int] in
            let compiled = file.path.hasSuffix(".h") ? implementations[String(file.path.dropLast(2))] ?? file.path : file.path
            let compiling = targets.filter { $0.target.compiles(compiled) }
            if !compiling.isEmpty, !compiling.allSatisfy(\.isOfTestsAlone) || saysTest(file) { return compiling.map { index(of: $0.unit) } }
            if let package = packages.first(where: { file.path.hasPrefix($0.folder + "/") }) { return [index(of: package.unit)] }
            return [index(of: folderUnit(file))]
        }
        return (units, membership)
    }

    /// Whether some part of a file's path speaks of tests.
    private static func saysTest(_ file: DiscoveredFile) -> Bool {
        let path = file.path.dropFirst(file.root.count).lowercased()
        return ["test", "spec", "mock", "stub", "fake", "fixture"].contains(where: path.contains)
    }

    /// The files that projects leave out though they have their neighbours, or another file of the same name: what was left behind by a move
    /// or a merge, and is compiled by nothing.
    public static func leftOut(_ files: [DiscoveredFile], projects: [XcodeProject]) -> Set<String> {
        let packages = files.map(\.path).filter { ($0 as NSString).lastPathComponent == "Package.swift" }.map { ($0 as NSString).deletingLastPathComponent + "/" }
        let targets = projects.flatMap(\.targets)
        // The file systems of most Macs do not tell cases apart.
        let listed = Set(targets.flatMap(\.files).map { $0.lowercased() })
        func isCompiled(_ path: String) -> Bool { listed.contains(path.lowercased()) || targets.contains { $0.compiles(path) } }
        func isSource(_ path: String) -> Bool { !path.hasSuffix(".h") && (path as NSString).lastPathComponent != "Package.swift" }
        let compiled = files.map(\.path).filter { isSource($0) && isCompiled($0) }
        let folders = Set(compiled.map { ($0 as NSString).deletingLastPathComponent })
        var named: [String: [String]] = [:]
        for path in compiled { named[(path as NSString).lastPathComponent, default: []].append(path) }
        return Set(files.map(\.path).filter { path in
            guard isSource(path), !packages.contains(where: path.hasPrefix), !isCompiled(path) else { return false }
            let around = projects.map { $0.folder + "/" }.filter(path.hasPrefix)
            guard !around.isEmpty else { return false }
            if folders.contains((path as NSString).deletingLastPathComponent) { return true }
            return named[(path as NSString).lastPathComponent]?.contains { other in around.contains(where: other.hasPrefix) } ?? false
        })
    }

    /// The files that only the projects of sample apps compile, from outside the folders of those: `../Library/Button.m`.
    public static func sampled(_ files: [DiscoveredFile], projects: [XcodeProject]) -> Set<String> {
        let isSample = projects.map { SampleFolders.isName(($0.folder as NSString).lastPathComponent) || SampleFolders.isName($0.name) }
        guard isSample.contains(true) else { return [] }
        return Set(files.map(\.path).filter { path in
            let compiled = path.hasSuffix(".h") ? String(path.dropLast(2)) : nil
            let compiling = projects.indices.filter { index in
                projects[index].targets.contains { target in target.compiles(path) || compiled.map { target.compiles($0 + ".m") || target.compiles($0 + ".mm") } ?? false }
            }
            return !compiling.isEmpty && compiling.allSatisfy { isSample[$0] && !path.hasPrefix(projects[$0].folder + "/") }
        })
    }

    /// A target of a package with its folder.
    private struct PackageTarget {
        let folder: String
        let unit: LinkUnit
    }

    private static let targetKinds: Set<String> = ["target", "executableTarget", "testTarget", "macro", "plugin"]

    /// The targets that a Package.swift declares, read from the calls in it: `.target(name: "Core", path: "Sources/Core")`.
    private static func packageTargets(_ file: DiscoveredFile, _ facts: FileFacts) -> [PackageTarget] {
        let folder = (file.path as NSString).deletingLastPathComponent
        var targets: [PackageTarget] = []
        let bodies = facts.members.flatMap(\.bodies).map(\.body) + [facts.topLevel].compactMap { $0 }
        let keepsAsyncOnCaller = bodies.contains { $0.block.containsStatement(saysIsolation) }
        func visit(_ body: Body) {
            body.block.forEachStatement { statement in
                guard let call = statement.call, let kind = call.callee.baseName, targetKinds.contains(kind),
                      let name = text(call, "name") else { return }
                let isTest = kind == "testTarget"
                let paths = text(call, "path").map { [$0] } ?? (isTest ? ["Tests/\(name)", "Sources/\(name)"] : ["Sources/\(name)", "Source/\(name)", "src/\(name)"])
                let unit = LinkUnit(name: "\((folder as NSString).lastPathComponent)/\(name)", isTest: isTest, keepsAsyncOnCaller: keepsAsyncOnCaller)
                for path in paths { targets.append(PackageTarget(folder: ("\(folder)/\(path)" as NSString).standardizingPath, unit: unit)) }
            }
        }
        bodies.forEach(visit)
        return targets
    }

    /// Whether a setting of a target in a Package.swift says where code runs that belongs to no actor: `.defaultIsolation(MainActor.self)`.
    private static func saysIsolation(_ statement: Statement) -> Bool {
        guard let call = statement.call else { return false }
        return call.callee.baseName == "defaultIsolation"
            || call.callee.baseName == "enableUpcomingFeature" && call.arguments.contains { $0.value == .constant(.string("NonisolatedNonsendingByDefault")) }
    }

    private static func text(_ call: Call, _ label: String) -> String? {
        guard case .constant(.string(let text))? = call.arguments.first(where: { $0.label == label })?.value else { return nil }
        return text
    }

    /// Without a project the folders just below the given one are taken for apps.
    private static func folderUnit(_ file: DiscoveredFile) -> LinkUnit {
        let below = file.path.dropFirst(file.root.count).split(separator: "/")
        return LinkUnit(name: below.count > 1 ? String(below[0]) : "folder", isTest: false)
    }
}
