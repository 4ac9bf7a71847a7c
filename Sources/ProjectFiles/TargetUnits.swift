import ProgramModel

/// The units that the targets of Xcode projects stand for.
struct TargetUnits {
    /// What tells a project's folder from those of the others, by the folder: its name, and as much of the path before it as it takes.
    private let titles: [String: String]
    /// The names of targets that several projects of a folder have, by the folder: an app's for iOS and the one for macOS, say.
    private let shared: [String: Set<String>]

    init(_ projects: [XcodeProject]) {
        let paths = Set(projects.map(\.folder)).map { folder in (folder: folder, parts: folder.split(separator: "/")) }
        var titles: [String: String] = [:]
        for (folder, parts) in paths {
            let length = (1...max(1, parts.count)).first { length in
                !paths.contains { $0.folder != folder && $0.parts.suffix(length).elementsEqual(parts.suffix(length)) }
            }
            titles[folder] = parts.suffix(length ?? parts.count).joined(separator: "/")
        }
        self.titles = titles
        shared = Dictionary(grouping: projects, by: \.folder).mapValues { beside in
            let names = beside.flatMap { Set($0.targets.map(\.name)) }
            return Set(Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys)
        }
    }

    func unit(of target: XcodeProject.Target, in project: XcodeProject) -> LinkUnit {
        let folder = titles[project.folder] ?? project.folder
        let isShared = shared[project.folder]?.contains(target.name) ?? false
        return LinkUnit(name: isShared ? "\(folder)/\(project.name)/\(target.name)" : "\(folder)/\(target.name)", isTest: target.isTest, keepsAsyncOnCaller: target.keepsAsyncOnCaller)
    }
}
