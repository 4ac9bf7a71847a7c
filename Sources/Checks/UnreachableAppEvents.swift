import Findings
import ProgramModel

extension Check {
    /// Events of an app delegate that UIKit sends to scene delegates instead.
    static let unreachableAppEvents = Check(rules: ["app_delegate_event_unreachable"]) { input, file in
        input.members(inFile: file).compactMap { member in
            guard let scene = sceneEvents[member.facts.fullName], !input.program.files[file].isTest, !member.facts.isPartial,
                  member.facts.body.map({ !$0.block.isEmpty }) ?? false, input.isAppDelegate(member.owner), let why = input.sceneLife(of: member.owner),
                  !input.isDone(by: scene, member.facts, file), !input.names.called.contains(member.facts.fullName) else { return nil }
            return input.finding(
                "app_delegate_event_unreachable", "\(why), so '\(member.facts.fullName)' never runs and its work is not done; do it in '\(scene)' of the scene delegate or for the notification",
                at: member.facts.nameSpan, in: file, type: member.typeName, member: member.facts.fullName)
        }
    }
}

/// The events of an app delegate with those of a scene delegate that take their place.
private let sceneEvents = [
    "applicationDidEnterBackground(_:)": "sceneDidEnterBackground(_:)", "applicationWillEnterForeground(_:)": "sceneWillEnterForeground(_:)",
    "applicationDidBecomeActive(_:)": "sceneDidBecomeActive(_:)", "applicationWillResignActive(_:)": "sceneWillResignActive(_:)",
]

extension CheckInput {
    fileprivate func isAppDelegate(_ type: TypeID) -> Bool {
        program.chain(of: type).contains { program[$0].conformances.contains { $0.name == "UIApplicationDelegate" } }
    }

    /// Whether a scene delegate does any of the work: then the method is for systems without scenes, or left over.
    fileprivate func isDone(by event: String, _ method: MemberFacts, _ file: Int) -> Bool {
        func calls(_ method: MemberFacts) -> Set<String> {
            var names: Set<String> = []
            method.body?.block.forEachStatement { statement in
                if let name = statement.call?.callee.baseName { names.insert(name) }
                if case .write(.member(_, let name), _) = statement.kind { names.insert(name) }
            }
            return names
        }
        let work = calls(method)
        let units = Set(program.files[file].units)
        let others = program.functions(named: event).filter { !units.isDisjoint(with: program.files[$0.declaration.file].units) }
        return work.isEmpty || others.contains { !calls(program[$0]).isDisjoint(with: work) }
    }

    /// Why the app lives by scenes; nil where it is not known to.
    fileprivate func sceneLife(of type: TypeID) -> String? {
        // What an App of SwiftUI does with the phase of its scenes is the same work.
        if isAdapted(program[type].name) { return names.called.contains("scenePhase") ? nil : "an 'App' of SwiftUI lives by scenes" }
        guard let configurations = program.configurations(ofFile: program[type].file), !configurations.isEmpty else { return nil }
        let hasScenes = configurations.allSatisfy { configuration in
            !configuration.propertyLists.isEmpty && configuration.propertyLists.allSatisfy { list in
                !list.isExtension && list.sceneManifest.map { !$0.delegates.isEmpty || choosesScene } ?? false
            }
        }
        return hasScenes ? "with the scene manifest of Info.plist UIKit tells the scene delegate and not the app delegate" : nil
    }

    /// Whether the app delegate names the scene delegates in code.
    private var choosesScene: Bool { !program.functions(named: "application(_:configurationForConnecting:options:)").isEmpty }

    private func isAdapted(_ name: String) -> Bool {
        program.files.contains { file in
            !file.isTest && file.facts.types.contains { type in
                type.inherited.contains { $0.name == "App" } && type.members.contains { member in
                    member.attributes.contains { $0.name == "UIApplicationDelegateAdaptor" && ($0.arguments ?? "\(member.type?.name ?? "").self").hasPrefix("\(name).self") }
                }
            }
        }
    }
}
