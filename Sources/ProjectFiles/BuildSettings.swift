import Findings
import Foundation

/// The build settings of one configuration of a target: tables of which an earlier one wins.
struct BuildSettings {
    let layers: [[String: String]]

    /// The names of all settings.
    var names: Set<String> { layers.reduce(into: []) { $0.formUnion($1.keys) } }

    /// The value of a setting with the variables in it replaced; nil where it is not set, or a variable is not known.
    func value(of name: String) -> String? {
        var lookups = 0
        return value(of: name, &lookups)
    }

    /// How many variables one value may need: past that they name one another in a circle, or multiply.
    private static let mostLookups = 100

    private func value(of name: String, _ lookups: inout Int) -> String? {
        lookups += 1
        guard lookups < Self.mostLookups, let written = layers.lazy.compactMap({ $0[name] }).first(where: { !$0.contains("inherited") }) else { return nil }
        var text = written
        while let variable = text.firstMatch(of: /\$[({]([A-Za-z0-9_]+)[)}]/) {
            guard let value = value(of: String(variable.1), &lookups) else { return nil }
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

    /// Whether they keep `async` code that belongs to no actor where it is called, or give all code to the main actor.
    var keepsAsyncOnCaller: Bool {
        value(of: "SWIFT_DEFAULT_ACTOR_ISOLATION") == "MainActor"
            || ["SWIFT_APPROACHABLE_CONCURRENCY", "SWIFT_UPCOMING_FEATURE_NONISOLATED_NONSENDING_BY_DEFAULT"].contains { value(of: $0) == "YES" }
    }

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

/// What a configuration file of Xcode (.xcconfig) sets, with the files that it includes.
struct ConfigurationFile {
    private(set) var settings: [String: String] = [:]
    /// Whether every file could be read. CocoaPods makes its own on each machine; they say nothing of the app itself and are not missed.
    private(set) var isWhole = true

    /// The file of a configuration that is based on none, or on one that the project does not tell.
    init(isNone: Bool) { isWhole = isNone }

    /// Reads the file at a path.
    init(_ path: String) {
        var seen: Set<String> = []
        read(path, seen: &seen)
    }

    private mutating func read(_ path: String, seen: inout Set<String>) {
        let path = (path as NSString).standardizingPath
        guard seen.insert(path).inserted else { return }
        guard seen.count < 100, case .success(let bytes) = SourceReader.bytes(of: path, reportedAs: path) else {
            if !path.contains("/Pods/") { isWhole = false }
            return
        }
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            if let include = line.firstMatch(of: /^\s*#include\??\s*"([^"]+)"/) {
                let name = String(include.1)
                read(name.hasPrefix("/") ? name : "\((path as NSString).deletingLastPathComponent)/\(name)", seen: &seen)
            } else if let setting = line.firstMatch(of: /^\s*([A-Za-z0-9_]+)\s*=\s*(.*?)\s*(?:\/\/.*)?$/) {
                // A setting for one SDK or architecture only (`NAME[sdk=…]`) does not match: it says nothing of the others.
                settings[String(setting.1)] = String(setting.2)
            }
        }
    }
}

/// The configuration files of one project, each read once.
final class ConfigurationFiles {
    private var known: [String: ConfigurationFile] = [:]

    func file(at path: String) -> ConfigurationFile {
        if let file = known[path] { return file }
        let file = ConfigurationFile(path)
        known[path] = file
        return file
    }
}
