import ProgramModel

/// The units that the targets of Xcode projects stand for.
struct TargetUnits {
    /// What tells a project's folder from those of the others, by the folder: its name, and as much of the path before it as it takes.
    private let titles: [String: String]

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
    }

    func unit(of target: XcodeProject.Target, in project: XcodeProject) -> LinkUnit {
        LinkUnit(name: "\(titles[project.folder] ?? project.folder)/\(target.name)", isTest: target.isTest)
    }
}
