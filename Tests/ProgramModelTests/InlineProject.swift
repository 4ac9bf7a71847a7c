import ProgramModel
import SwiftFrontEnd

/// A project given inline: each file with its text and the units that compile it.
struct InlineProject {
    let program: Program

    /// Links the files; a file without units belongs to the unit `app`.
    init(_ files: [(path: String, text: String, units: [String])], tests: Set<String> = [], platform: PlatformKnowledge = InlineProject.platform) {
        var names: [String] = []
        for name in files.flatMap({ $0.units.isEmpty ? ["app"] : $0.units }) where !names.contains(name) { names.append(name) }
        let programFiles = files.map { file in
            ProgramFile(
                path: file.path, facts: SwiftFrontEnd.facts(of: file.text),
                units: (file.units.isEmpty ? ["app"] : file.units).map { names.firstIndex(of: $0)! }, isTest: tests.contains(file.path))
        }
        program = Linker.link(programFiles, units: names.map { LinkUnit(name: $0) }, platform: platform)
    }

    init(_ texts: String...) {
        self.init(texts.enumerated().map { ("File\($0).swift", $1, []) })
    }

    /// As much of UIKit as the tests speak of.
    static let platform = PlatformKnowledge(
        superclasses: ["UIResponder": "NSObject", "UIView": "UIResponder", "UIViewController": "UIResponder", "UIImageView": "UIView",
                       "UITableViewController": "UIViewController", "NSViewController": "NSResponder", "NSResponder": "NSObject"],
        rootClasses: ["NSObject"], protocols: ["UITableViewDelegate"],
        properties: ["UIViewController": ["view": TypeReference("UIView"), "children": TypeReference("Array", arguments: [TypeReference("UIViewController")])],
                     "UIView": ["superview": TypeReference("UIView")]],
        methods: ["UIStoryboard": ["instantiateInitialViewController()": TypeReference("UIViewController")]])

    /// The only type of this name.
    func type(_ name: String) -> ProgramType {
        let found = program.types.filter { $0.name == name }
        precondition(found.count == 1, "\(found.count) types are named \(name)")
        return found[0]
    }

    /// The names of the project's classes above a type, and where the chain leaves the project.
    func chain(_ name: String) -> String {
        let ancestry = program.ancestry(of: type(name).id)
        return (ancestry.projectTypes.map { program[$0].name } + ["\(ancestry.root)"]).joined(separator: " < ")
    }
}
