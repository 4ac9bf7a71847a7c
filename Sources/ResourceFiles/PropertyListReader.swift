import Foundation
import ProgramModel

/// Reads the Info.plist of an app, in any form that property lists have.
public enum PropertyListReader {
    /// The facts of a file's bytes; values of another type than the key's are passed over.
    public static func facts(of bytes: [UInt8]) -> Result<PropertyListFacts, ResourceFault> {
        guard let value = try? PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil) else {
            return .failure(ResourceFault(message: "the file is no property list and is skipped"))
        }
        guard let list = value as? [String: Any] else { return .failure(ResourceFault(message: "the property list is no dictionary and is skipped")) }
        var facts = PropertyListFacts()
        facts.keys = Set(list.keys)
        facts.filledInKeys = Set(list.filter { isFilledIn($0.value) }.map(\.key))
        facts.sceneManifest = (list["UIApplicationSceneManifest"] as? [String: Any]).map(manifest)
        for (key, value) in list where key.hasPrefix("UISupportedInterfaceOrientations") {
            facts.orientations[key] = (value as? [Any])?.compactMap { $0 as? String } ?? (value as? String).map { [$0] } ?? []
        }
        if let families = list["UIDeviceFamily"] as? [Any] {
            facts.deviceFamilies = Set(families.compactMap { $0 as? Int ?? ($0 as? String).flatMap(Int.init) })
        }
        facts.classNames = classNames(in: list)
        facts.backgroundModes = (list["UIBackgroundModes"] as? [Any])?.compactMap { $0 as? String } ?? []
        facts.mainStoryboards = list.filter { $0.key.hasPrefix("UIMainStoryboardFile") || $0.key.hasPrefix("NSMainStoryboardFile") }
            .compactMap { $0.value as? String }.sorted()
        facts.packageType = (list["CFBundlePackageType"] as? String).flatMap { $0.contains("$") ? nil : $0 }
        facts.isExtension = list["NSExtension"] != nil || list["EXAppExtensionAttributes"] != nil
        return .success(facts)
    }

    /// The values of keys such as `NSPrincipalClass` and `UISceneDelegateClassName`, at any depth.
    private static func classNames(in value: Any) -> Set<String> {
        switch value {
        case let list as [Any]: return list.reduce(into: []) { $0.formUnion(classNames(in: $1)) }
        case let list as [String: Any]:
            return list.reduce(into: []) { names, entry in
                if let name = entry.value as? String {
                    if entry.key.hasSuffix("Class") || entry.key.hasSuffix("ClassName"), let last = name.split(separator: ".").last { names.insert(String(last)) }
                } else {
                    names.formUnion(classNames(in: entry.value))
                }
            }
        default: return []
        }
    }

    private static func isFilledIn(_ value: Any) -> Bool {
        switch value {
        case let text as String: text.contains("$(") || text.contains("${")
        case let list as [Any]: list.contains(where: isFilledIn)
        default: false
        }
    }

    private static func manifest(_ value: [String: Any]) -> PropertyListFacts.SceneManifest {
        let roles = (value["UISceneConfigurations"] as? [String: Any] ?? [:]).sorted { $0.key < $1.key }
        let scenes = roles.flatMap { $0.value as? [Any] ?? [] }.compactMap { $0 as? [String: Any] }
        // `$(PRODUCT_MODULE_NAME).SceneDelegate`
        let delegates = scenes.compactMap { $0["UISceneDelegateClassName"] as? String }.compactMap { $0.split(separator: ".").last.map(String.init) }
        return PropertyListFacts.SceneManifest(delegates: delegates, storyboards: scenes.compactMap { $0["UISceneStoryboardFile"] as? String })
    }
}
