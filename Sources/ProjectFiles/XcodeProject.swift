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
        /// Absolute paths of what its resources phase copies, of a localised file all versions.
        public let resources: Set<String>
        /// Absolute paths of folders that it compiles whole (Xcode 16), with the files that are left out.
        public let folders: [(path: String, exceptions: Set<String>)]
        /// What its build settings say of its Info.plist.
        public let propertyList: PropertyListSettings
        /// The oldest systems that any of its configurations is built for; nil where the settings do not say.
        public let deploymentTargets: DeploymentTargets?
        /// Absolute path of the header that its C texts are compiled with (`GCC_PREFIX_HEADER`); nil where the settings name none that is there.
        public let prefixHeader: String?

        /// Whether the target copies the file into its product.
        public func copies(_ path: String) -> Bool {
            resources.contains(path) || Self.folders(above: path).contains(where: resources.contains) || folders.contains { path.hasPrefix($0.path + "/") && !$0.exceptions.contains(path) }
        }

        /// The folders in which a file lies, the nearest first.
        private static func folders(above path: String) -> [String] {
            path.indices.reversed().filter { path[$0] == "/" && $0 > path.startIndex }.map { String(path[..<$0]) }
        }

        /// Whether the settings leave it to the code of Objective-C to count references; nil where its configurations differ, or a file
        /// that is not here may say otherwise.
        public let countsReferences: Bool?
        /// Whether a configuration keeps `async` code that belongs to no actor where it is called, or gives all code to the main actor.
        public let keepsAsyncOnCaller: Bool
        /// The files whose own flags say whether they count references.
        public let countingFiles: [String: Bool]

        /// Whether the target compiles the file.
        public func compiles(_ path: String) -> Bool {
            files.contains(path) || folders.contains { path.hasPrefix($0.path + "/") && !$0.exceptions.contains(path) }
        }
    }

    /// What the build settings of a target say of its Info.plist, all configurations together.
    public struct PropertyListSettings: Sendable {
        /// Absolute paths of the files.
        public var files: Set<String> = []
        /// The keys that the build adds, with their values.
        public var addedKeys: [String: String] = [:]
        /// The device families that it is built for; nil where that is not sure.
        public var deviceFamilies: Set<Int>?
        /// Whether nothing but these settings and files makes the list.
        public var isWhole = true
    }

    /// The folder that holds the .xcodeproj.
    public let folder: String
    /// The name of the .xcodeproj, without its ending.
    public let name: String
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
        return .success(XcodeProject(
            folder: folder, name: ((bundle as NSString).lastPathComponent as NSString).deletingPathExtension, targets: ProjectObjects(objects: objects, folder: folder).targets(of: root)))
    }
}

/// The object graph of a project file.
private struct ProjectObjects {
    let objects: [String: Any]
    let folder: String
    /// The configuration files that were read: all targets and configurations share a few.
    private let files = ConfigurationFiles()

    init(objects: [String: Any], folder: String) {
        self.objects = objects
        self.folder = folder
    }

    func targets(of root: String) -> [XcodeProject.Target] {
        guard let project = object(root) else { return [] }
        var paths: [String: String] = [:]
        var spelling = DiskSpelling()
        let base = (project["projectDirPath"] as? String).flatMap { $0.isEmpty ? nil : "\(folder)/\($0)" } ?? folder
        if let main = project["mainGroup"] as? String { collectPaths(main, parent: base, root: base, into: &paths, &spelling) }
        return strings(project, "targets").compactMap { id in
            guard let target = object(id), let name = target["name"] as? String else { return nil }
            let files = references(in: "PBXSourcesBuildPhase", of: target).compactMap { paths[$0] }
            let resources = references(in: "PBXResourcesBuildPhase", of: target).flatMap { reference in
                object(reference)?["isa"] as? String == "PBXVariantGroup" ? object(reference).map { strings($0, "children") } ?? [] : [reference]
            }
            let folders = strings(target, "fileSystemSynchronizedGroups").compactMap { group in
                paths[group].map { ($0, exceptions(of: group, at: $0, for: id, isMember: true)) }
            }
            let product = target["productType"] as? String ?? ""
            let builds = builds(of: target, named: name, project: project, base: base, paths)
            let others = filesOfOtherGroups(for: id, paths)
            return XcodeProject.Target(
                name: name, isTest: product.contains("unit-test") || product.contains("ui-testing"),
                files: Set(files.map(Self.standardized) + others.map(Self.standardized)), resources: Set(resources.compactMap { paths[$0] }.map(Self.standardized)),
                folders: folders.map { (Self.standardized($0.0), $0.1) },
                propertyList: propertyListSettings(builds, base: base),
                // The oldest of all configurations.
                deploymentTargets: builds.compactMap(\.settings.deploymentTargets).reduce(nil) { $0?.merging($1) ?? $1 },
                prefixHeader: builds.lazy.compactMap { prefixHeader($0.settings, base: base) }.first,
                countsReferences: countsReferences(builds), keepsAsyncOnCaller: builds.contains { $0.settings.keepsAsyncOnCaller }, countingFiles: countingFiles(of: target, paths))
        }
    }

    /// What the settings say of automatic counting, which Xcode switches on where they ask for it only.
    private func countsReferences(_ builds: [(settings: BuildSettings, isWhole: Bool)]) -> Bool? {
        let answers = builds.map { settings, isWhole -> Bool? in
            settings.value(of: "CLANG_ENABLE_OBJC_ARC").map { $0 != "YES" } ?? (isWhole ? true : nil)
        }
        return Set(answers).count == 1 ? answers[0] : nil
    }

    /// The files whose own flags switch automatic counting on or off.
    private func countingFiles(of target: [String: Any], _ paths: [String: String]) -> [String: Bool] {
        let files = strings(target, "buildPhases").compactMap(object).filter { $0["isa"] as? String == "PBXSourcesBuildPhase" }
            .flatMap { strings($0, "files") }.compactMap(object)
        return files.reduce(into: [:]) { found, file in
            guard let path = (file["fileRef"] as? String).flatMap({ paths[$0] }), let settings = file["settings"] as? [String: Any],
                  let flags = settings["COMPILER_FLAGS"] as? String else { return }
            if flags.contains("-fno-objc-arc") { found[Self.standardized(path)] = true } else if flags.contains("-fobjc-arc") { found[Self.standardized(path)] = false }
        }
    }

    /// The ids of the files, or groups of them, in the build phases of one kind.
    private func references(in phase: String, of target: [String: Any]) -> [String] {
        strings(target, "buildPhases").compactMap(object).filter { $0["isa"] as? String == phase }
            .flatMap { strings($0, "files") }.compactMap { object($0)?["fileRef"] as? String }
    }

    /// The build settings of each configuration of a target, and whether all files that they are based on could be read. The target's own win
    /// over its file, that over the project's, and last come the project's file and what Xcode sets by itself.
    private func builds(of target: [String: Any], named name: String, project: [String: Any], base: String, _ paths: [String: String]) -> [(settings: BuildSettings, isWhole: Bool)] {
        let general = Dictionary(configurations(project).map { ($0["name"] as? String ?? "", $0) }) { first, _ in first }
        let builtIn = ["SRCROOT": base, "PROJECT_DIR": base, "SOURCE_ROOT": base, "TARGET_NAME": name, "TARGETNAME": name]
        return configurations(target).map { own in
            let above = general[own["name"] as? String ?? ""] ?? [:]
            let files = [file(of: own, paths), file(of: above, paths)]
            return (BuildSettings(layers: [settings(own), files[0].settings, settings(above), files[1].settings, builtIn]), files.allSatisfy(\.isWhole))
        }
    }

    private func configurations(_ owner: [String: Any]) -> [[String: Any]] {
        (owner["buildConfigurationList"] as? String).flatMap(object).map { strings($0, "buildConfigurations").compactMap(object) } ?? []
    }

    private func settings(_ configuration: [String: Any]) -> [String: String] {
        (configuration["buildSettings"] as? [String: Any] ?? [:]).compactMapValues { $0 as? String }
    }

    private func prefixHeader(_ settings: BuildSettings, base: String) -> String? {
        guard let written = settings.value(of: "GCC_PREFIX_HEADER")?.trimmingCharacters(in: ["\""]), !written.isEmpty else { return nil }
        let path = Self.standardized(written.hasPrefix("/") ? written : "\(base)/\(written)")
        return FileManager.default.isReadableFile(atPath: path) ? path : nil
    }

    /// The file on which a configuration is based.
    private func file(of configuration: [String: Any], _ paths: [String: String]) -> ConfigurationFile {
        let reference = configuration["baseConfigurationReference"] as? String
        if let path = reference.flatMap({ paths[$0] }) { return files.file(at: path) }
        // Xcode 16: a file in a folder that is known as a whole.
        let anchor = configuration["baseConfigurationReferenceAnchor"] as? String
        if let folder = anchor.flatMap({ paths[$0] }),
           let below = configuration["baseConfigurationReferenceRelativePath"] as? String { return files.file(at: "\(folder)/\(below)") }
        return ConfigurationFile(isNone: reference == nil && anchor == nil)
    }

    private func propertyListSettings(_ builds: [(settings: BuildSettings, isWhole: Bool)], base: String) -> XcodeProject.PropertyListSettings {
        var found = XcodeProject.PropertyListSettings()
        var spelling = DiskSpelling()
        var families: [Set<Int>?] = []
        for (settings, isWhole) in builds {
            if !isWhole { found.isWhole = false }
            let names = settings.names
            if names.contains("INFOPLIST_FILE"), settings.value(of: "INFOPLIST_FILE") != "" {
                if let path = settings.value(of: "INFOPLIST_FILE"), !path.contains("$") {
                    found.files.insert(spelling.spelling(of: Self.standardized(path.hasPrefix("/") ? path : "\(base)/\(path)")))
                } else {
                    found.isWhole = false
                }
            }
            for key in names where key.hasPrefix("INFOPLIST_KEY_") { found.addedKeys[String(key.dropFirst("INFOPLIST_KEY_".count))] = settings.value(of: key) ?? "" }
            families.append(deviceFamilies(settings, isWhole: isWhole))
        }
        if !families.isEmpty, !families.contains(nil) { found.deviceFamilies = families.reduce(into: Set()) { $0.formUnion($1 ?? []) } }
        if found.files.isEmpty, found.addedKeys.isEmpty { found.isWhole = false }
        return found
    }

    /// The device families of a configuration; nil where a file that is not there could say otherwise, unless the target itself says.
    ///
    /// Xcode builds for iPhones where nothing is set; its templates for iPhone apps have long left it out.
    private func deviceFamilies(_ settings: BuildSettings, isWhole: Bool) -> Set<Int>? {
        let name = "TARGETED_DEVICE_FAMILY"
        guard isWhole || settings.layers[0][name] != nil else { return nil }
        guard settings.names.contains(name) else { return settings.value(of: "SDKROOT") == "iphoneos" ? [1] : nil }
        guard let list = settings.value(of: name)?.split(separator: ",").map({ Int($0.filter { !$0.isWhitespace }) }), !list.contains(nil) else { return nil }
        return Set(list.compactMap { $0 })
    }

    /// Where each file and group lies.
    private func collectPaths(_ id: String, parent: String, root: String, into paths: inout [String: String], _ spelling: inout DiskSpelling) {
        guard paths[id] == nil, let node = object(id) else { return }
        let own = node["path"] as? String
        let here: String = switch node["sourceTree"] as? String {
        case "SOURCE_ROOT": own.map { "\(root)/\($0)" } ?? root
        case "<absolute>": own ?? parent
        default: own.map { "\(parent)/\($0)" } ?? parent
        }
        let children = strings(node, "children")
        paths[id] = children.isEmpty && own != nil ? spelling.spelling(of: Self.standardized(here)) : here
        for child in children { collectPaths(child, parent: here, root: root, into: &paths, &spelling) }
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
