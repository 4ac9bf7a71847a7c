import Findings
import Foundation

/// The build settings of one configuration of a target: tables of which an earlier one wins.
struct BuildSettings {
    let layers: [[String: String]]

    /// The value of a setting with the variables in it replaced; nil where it is not set, or a variable is not known.
    func value(of name: String) -> String? { value(of: name, depth: 0) }

    private func value(of name: String, depth: Int) -> String? {
        // A variable may name itself by a detour.
        guard depth < 8, let written = layers.lazy.compactMap({ $0[name] }).first(where: { !$0.contains("inherited") }) else { return nil }
        var text = written
        while let variable = text.firstMatch(of: /\$[({]([A-Za-z0-9_]+)[)}]/) {
            guard let value = value(of: String(variable.1), depth: depth + 1) else { return nil }
            text.replaceSubrange(variable.range, with: value)
        }
        return text
    }

    /// The settings that name the oldest version of a system, with the SDKs of the system.
    private static let systems: [(system: AppleSystem, setting: String, platforms: [String])] = [
        (.iOS, "IPHONEOS_DEPLOYMENT_TARGET", ["iphoneos", "iphonesimulator"]), (.macOS, "MACOSX_DEPLOYMENT_TARGET", ["macosx"]),
        (.tvOS, "TVOS_DEPLOYMENT_TARGET", ["appletvos", "appletvsimulator"]), (.watchOS, "WATCHOS_DEPLOYMENT_TARGET", ["watchos", "watchsimulator"]),
        (.visionOS, "XROS_DEPLOYMENT_TARGET", ["xros", "xrsimulator"]),
    ]

    /// The oldest systems that the code is built for; nil where the settings do not say.
    var deploymentTargets: DeploymentTargets? {
        let named = value(of: "SUPPORTED_PLATFORMS") ?? value(of: "SDKROOT")
        let platforms = Set((named ?? "").lowercased().split(separator: " ").map { $0.prefix { $0.isLetter } }.map(String.init)).subtracting(["auto"])
        var oldest: [AppleSystem: SystemVersion] = [:]
        for (system, setting, own) in Self.systems where platforms.isEmpty || !platforms.isDisjoint(with: own) {
            oldest[system] = value(of: setting).flatMap { SystemVersion($0) }
        }
        return oldest.isEmpty ? nil : DeploymentTargets(oldest)
    }
}

/// A configuration file of Xcode (.xcconfig).
enum ConfigurationFile {
    /// Its settings, those of the files that it includes among them; a file that cannot be read has none, for it may be made by the build.
    static func settings(of path: String) -> [String: String] {
        var seen: Set<String> = []
        return settings(of: path, seen: &seen)
    }

    private static func settings(of path: String, seen: inout Set<String>) -> [String: String] {
        let path = (path as NSString).standardizingPath
        guard seen.insert(path).inserted, seen.count < 100, case .success(let bytes) = SourceReader.bytes(of: path, reportedAs: path) else { return [:] }
        var settings: [String: String] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            if let include = line.firstMatch(of: /^\s*#include\??\s*"([^"]+)"/) {
                let name = String(include.1)
                let included = name.hasPrefix("/") ? name : "\((path as NSString).deletingLastPathComponent)/\(name)"
                settings.merge(Self.settings(of: included, seen: &seen)) { $1 }
            } else if let setting = line.firstMatch(of: /^\s*([A-Za-z0-9_]+)\s*=\s*(.*?)\s*(?:\/\/.*)?$/) {
                // A setting for one SDK or architecture only (`NAME[sdk=…]`) does not match: it says nothing of the others.
                settings[String(setting.1)] = String(setting.2)
            }
        }
        return settings
    }
}
