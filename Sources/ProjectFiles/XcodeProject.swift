import Findings
import Foundation

/// The targets of an Xcode project with the files that each compiles.
public struct XcodeProject: Sendable {
    /// One target.
    public struct Target: Sendable {
        public let name: String
        public let isTest: Bool
        /// Absolute paths of the sources in its build phase.
        public let files: Set<String>
        /// Absolute paths of folders that it compiles whole (Xcode 16), with the files that are left out.
        public let folders: [(path: String, exceptions: Set<String>)]

        /// Whether the target compiles the file.
        public func compiles(_ path: String) -> Bool {
            files.contains(path) || folders.contains { path.hasPrefix($0.path + "/") && !$0.exceptions.contains(path) }
        }
    }

    /// The folder that holds the .xcodeproj.
    public let folder: String
    public let targets: [Target]

    /// Reads a project.pbxproj, an old-style property list; a file that is none is a problem.
    public static func read(_ path: String, reportedAs name: String) -> Result<XcodeProject, Problem> {
        guard let data = FileManager.default.contents(atPath: path),
              let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil) as? [String: Any],
              let objects = list["objects"] as? [String: Any], let root = list["rootObject"] as? String else {
            return .failure(Problem(path: name, kind: .project, message: "the project file cannot be read, so its targets are not known and folders stand for them"))
        }
        let bundle = (path as NSString).deletingLastPathComponent
        let folder = (bundle as NSString).deletingLastPathComponent
        return .success(XcodeProject(folder: folder, targets: ProjectObjects(objects: objects, folder: folder).targets(of: root)))
    }
}

/// The object graph of a project file.
private struct ProjectObjects {
    let objects: [String: Any]
    let folder: String

    func targets(of root: String) -> [XcodeProject.Target] {
        guard let project = object(root) else { return [] }
        var paths: [String: String] = [:]
        let base = (project["projectDirPath"] as? String).flatMap { $0.isEmpty ? nil : "\(folder)/\($0)" } ?? folder
        if let main = project["mainGroup"] as? String { collectPaths(main, parent: base, root: base, into: &paths) }
        return strings(project, "targets").compactMap { id in
            guard let target = object(id), let name = target["name"] as? String else { return nil }
            let sources = strings(target, "buildPhases").compactMap(object).filter { $0["isa"] as? String == "PBXSourcesBuildPhase" }
            let files = sources.flatMap { strings($0, "files") }.compactMap { object($0)?["fileRef"] as? String }.compactMap { paths[$0] }
            let folders = strings(target, "fileSystemSynchronizedGroups").compactMap { group in
                paths[group].map { ($0, exceptions(of: group, at: $0, for: id, isMember: true)) }
            }
            let product = target["productType"] as? String ?? ""
            let others = filesOfOtherGroups(for: id, paths)
            return XcodeProject.Target(
                name: name, isTest: product.contains("unit-test") || product.contains("ui-testing"),
                files: Set(files.map(Self.standardized) + others.map(Self.standardized)),
                folders: folders.map { (Self.standardized($0.0), $0.1) })
        }
    }

    /// Where each file and group lies.
    private func collectPaths(_ id: String, parent: String, root: String, into paths: inout [String: String]) {
        guard paths[id] == nil, let node = object(id) else { return }
        let own = node["path"] as? String
        let here: String = switch node["sourceTree"] as? String {
        case "SOURCE_ROOT": own.map { "\(root)/\($0)" } ?? root
        case "<absolute>": own ?? parent
        default: own.map { "\(parent)/\($0)" } ?? parent
        }
        paths[id] = here
        for child in strings(node, "children") { collectPaths(child, parent: here, root: root, into: &paths) }
    }

    /// The files that a whole folder's membership leaves out for one of its members.
    private func exceptions(of group: String, at path: String, for target: String, isMember: Bool) -> Set<String> {
        guard let node = object(group) else { return [] }
        let sets = strings(node, "exceptions").compactMap(object).filter { $0["target"] as? String == target }
        return Set(sets.flatMap { strings($0, "membershipExceptions") }.map { Self.standardized("\(path)/\($0)") })
    }

    /// The files that a target takes out of folders that it does not compile whole: for a non-member an exception includes.
    private func filesOfOtherGroups(for target: String, _ paths: [String: String]) -> [String] {
        let members = Set(object(target).map { strings($0, "fileSystemSynchronizedGroups") } ?? [])
        return objects.keys.sorted().filter { id in
            object(id)?["isa"] as? String == "PBXFileSystemSynchronizedRootGroup" && !members.contains(id)
        }.flatMap { id in paths[id].map { exceptions(of: id, at: $0, for: target, isMember: false) } ?? [] }
    }

    private func object(_ id: String) -> [String: Any]? { objects[id] as? [String: Any] }

    private func strings(_ object: [String: Any], _ key: String) -> [String] { object[key] as? [String] ?? [] }

    private static func standardized(_ path: String) -> String { (path as NSString).standardizingPath }
}
