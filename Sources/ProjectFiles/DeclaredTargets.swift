import Findings
import Foundation
import ProgramModel

/// The deployment targets that the files of a project declare for its units.
public enum DeclaredTargets {
    /// By the index of the unit: the settings of its Xcode target, or the platforms of its package, or what the nearest Podfile
    /// at or above its sources says, or its pod's specification, or the oldest of what the projects of the run are built for, among which
    /// is a library's sample; `membership` holds for each source the indices of its units.
    public static func ofUnits(
        _ discovery: Discovery, projects: [XcodeProject], sources: [(file: DiscoveredFile, facts: FileFacts)], units: [LinkUnit], membership: [[Int]]
    ) -> [Int: DeploymentTargets] {
        var known: [Int: DeploymentTargets] = [:]
        let indices = Dictionary(units.enumerated().map { ($1, $0) }) { first, _ in first }
        let targetUnits = TargetUnits(projects)
        for project in projects {
            for target in project.targets {
                if let index = indices[targetUnits.unit(of: target, in: project)], let targets = target.deploymentTargets { known[index] = known[index]?.merging(targets) ?? targets }
            }
        }
        var declared: [(folder: String, targets: DeploymentTargets)] = []
        for (file, facts) in sources where file.path.hasSuffix("/Package.swift") {
            if let targets = platforms(of: facts) { declared.append(((file.path as NSString).deletingLastPathComponent, targets)) }
        }
        for path in discovery.podfiles {
            if let targets = platforms(ofPodfile: path) { declared.append(((path as NSString).deletingLastPathComponent, targets)) }
        }
        // The longest folder is the nearest.
        declared.sort { ($1.folder.count, $0.folder) < ($0.folder.count, $1.folder) }
        var found: [Int: DeploymentTargets] = [:]
        let ofProjects = projects.flatMap(\.targets).filter { !$0.isTest }.compactMap(\.deploymentTargets).reduce(nil as DeploymentTargets?) { $0?.merging($1) ?? $1 }
        for ((file, _), units) in zip(sources, membership) {
            guard let nearest = declared.first(where: { file.path.hasPrefix($0.folder + "/") })?.targets ?? ofProjects else { continue }
            for unit in units where known[unit] == nil { found[unit] = found[unit]?.merging(nearest) ?? nearest }
        }
        return known.merging(found) { first, _ in first }
    }

    /// The platforms of a Package.swift: `platforms: [.iOS(.v13), .macOS("10.15")]`.
    private static func platforms(of facts: FileFacts) -> DeploymentTargets? {
        var oldest: [AppleSystem: SystemVersion] = [:]
        func visit(_ body: Body) {
            body.block.forEachStatement { statement in
                guard let call = statement.call, let name = call.callee.baseName, let system = AppleSystem(named: name), call.arguments.count == 1,
                      let target = version(call.arguments[0].value) else { return }
                oldest[system] = target
            }
        }
        for member in facts.members { member.bodies.forEach { visit($0.body) } }
        if let body = facts.topLevel { visit(body) }
        return oldest.isEmpty ? nil : DeploymentTargets(oldest)
    }

    private static func version(_ value: Operand) -> SystemVersion? {
        switch value {
        case .constant(.string(let text)): return SystemVersion(text)
        // `.v10_15`, `.v13`
        case .constant(.implicitMember(let name)) where name.hasPrefix("v"): return SystemVersion(String(name.dropFirst()).replacingOccurrences(of: "_", with: "."))
        default: return nil
        }
    }

    /// The platforms of a Podfile, `platform :ios, '9.0'`, or of a pod's specification, `s.platform = :ios, '9.0'` and
    /// `s.osx.deployment_target = '10.9'`; several lines mean several targets.
    private static func platforms(ofPodfile path: String) -> DeploymentTargets? {
        guard case .success(let bytes) = SourceReader.bytes(of: path, reportedAs: path) else { return nil }
        var targets: DeploymentTargets?
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let match = line.firstMatch(of: /^\s*(?:[a-z_]+\.)?platform\s*[(=]?\s*:([a-z]+)\s*,\s*["']?([0-9.]+)/)
                ?? line.firstMatch(of: /^\s*[a-z_]+\.([a-z]+)\.deployment_target\s*=\s*["']?([0-9.]+)/)
            guard let match, let system = AppleSystem(named: String(match.1)), let version = SystemVersion(String(match.2)) else { continue }
            let one = DeploymentTargets([system: version])
            targets = targets?.merging(one) ?? one
        }
        return targets
    }
}
