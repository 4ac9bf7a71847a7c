/// The condition of an `#if`, as a formula over flags that are decided once per run.
public indirect enum ConfigurationCondition: Hashable, Sendable {
    case always
    /// A flag (`DEBUG`) or a platform test, as it is written without spaces: `os(iOS)`, `canImport(UIKit)`.
    case flag(String)
    case not(ConfigurationCondition)
    case all([ConfigurationCondition])
    case any([ConfigurationCondition])

    /// Both conditions together.
    public func and(_ other: ConfigurationCondition) -> ConfigurationCondition {
        switch (self, other) {
        case (.always, _): other
        case (_, .always): self
        case (.all(let left), .all(let right)): .all(left + right)
        case (.all(let left), _): .all(left + [other])
        case (_, .all(let right)): .all([self] + right)
        default: .all([self, other])
        }
    }

    /// The flags that the condition mentions, each once, in order of the text.
    public var flags: [String] {
        var found: [String] = []
        func walk(_ condition: ConfigurationCondition) {
            switch condition {
            case .always: break
            case .flag(let name): if !found.contains(name) { found.append(name) }
            case .not(let inner): walk(inner)
            case .all(let parts), .any(let parts): parts.forEach(walk)
            }
        }
        walk(self)
        return found
    }

    /// The value under a choice of the flags; flags that the choice does not name are false.
    public func holds(under choice: Configuration) -> Bool {
        switch self {
        case .always: true
        case .flag(let name): choice[name]
        case .not(let inner): !inner.holds(under: choice)
        case .all(let parts): parts.allSatisfy { $0.holds(under: choice) }
        case .any(let parts): parts.contains { $0.holds(under: choice) }
        }
    }

    /// Whether some configuration satisfies both conditions; with more than eight flags the answer is yes.
    public func isCompatible(with other: ConfigurationCondition) -> Bool {
        let joint = and(other)
        if joint == .always { return true }
        guard let choices = Configuration.choices(of: joint.flags) else { return true }
        return choices.contains { joint.holds(under: $0) }
    }
}

extension ConfigurationCondition: CustomStringConvertible {
    /// The condition as Swift writes it.
    public var description: String {
        switch self {
        case .always: "true"
        case .flag(let name): name
        case .not(let inner): "!" + inner.parenthesized
        case .all(let parts): parts.map(\.parenthesized).joined(separator: " && ")
        case .any(let parts): parts.map(\.parenthesized).joined(separator: " || ")
        }
    }

    private var parenthesized: String {
        switch self {
        case .all, .any: "(\(self))"
        default: description
        }
    }
}

/// One choice of the flags of conditional compilation.
public struct Configuration: Hashable, Sendable {
    private let chosen: Set<String>
    /// Whether what every present compiler for Apple's systems says holds too.
    private let isOfToday: Bool

    /// The configuration in which exactly these flags hold.
    public init(_ chosen: Set<String>) {
        self.init(chosen, isOfToday: false)
    }

    private init(_ chosen: Set<String>, isOfToday: Bool) {
        (self.chosen, self.isOfToday) = (chosen, isOfToday)
    }

    /// Whether the flag holds.
    public subscript(_ flag: String) -> Bool { chosen.contains(flag) || isOfToday && Self.holdsToday(flag) }

    /// The release builds of an app, by the systems, in the order in which one is taken where several are left.
    public static let ofSystems: [(system: String, configuration: Configuration)] = [
        ("iOS", ["os(iOS)", "canImport(UIKit)"]), ("macOS", ["os(macOS)", "os(OSX)", "canImport(AppKit)", "canImport(Cocoa)"]), ("tvOS", ["os(tvOS)", "canImport(UIKit)"]),
        ("watchOS", ["os(watchOS)", "canImport(UIKit)", "canImport(WatchKit)"]), ("visionOS", ["os(visionOS)", "canImport(UIKit)"]),
    ].map { ($0.0, Configuration($0.1, isOfToday: true)) }

    /// Whether a flag holds with a present compiler on each of Apple's systems: it is newer than the versions that are asked for, and has
    /// the frameworks that are on all of them.
    private static func holdsToday(_ flag: String) -> Bool {
        if flag.hasPrefix("swift(>=") || flag.hasPrefix("compiler(>=") { return true }
        guard flag.hasPrefix("canImport("), systemsOfFrameworks[flag] == nil else { return false }
        return commonFrameworks.contains(String(flag.dropFirst("canImport(".count).dropLast()))
    }

    private static let commonFrameworks: Set<String> = ["AVFoundation", "Combine", "CoreData", "CoreGraphics", "CoreLocation", "Darwin", "Dispatch", "Foundation", "ObjectiveC", "Observation", "os", "QuartzCore", "SwiftUI"]

    /// Every choice of the flags that can be built, or nil for more than eight flags.
    public static func choices(of flags: [String]) -> [Configuration]? {
        guard flags.count <= 8 else { return nil }
        return (0..<(1 << flags.count)).compactMap { bits in
            let chosen = Set(flags.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element))
            return canBeBuilt(chosen, of: flags) ? Configuration(chosen) : nil
        }
    }

    /// The systems on which a framework can be imported; what is not listed can be anywhere.
    private static let systemsOfFrameworks: [String: Set<String>] = [
        "canImport(UIKit)": ["os(iOS)", "os(tvOS)", "os(visionOS)", "os(watchOS)"],
        "canImport(AppKit)": ["os(macOS)", "os(OSX)"],
        "canImport(Cocoa)": ["os(macOS)", "os(OSX)"],
        "canImport(WatchKit)": ["os(watchOS)", "os(iOS)"],
    ]

    /// Whether the flags can hold together: one system at a time, and frameworks only where they exist.
    private static func canBeBuilt(_ chosen: Set<String>, of flags: [String]) -> Bool {
        let systems = chosen.filter { $0.hasPrefix("os(") }
        if systems.count > 1, systems != ["os(macOS)", "os(OSX)"] { return false }
        for (framework, homes) in systemsOfFrameworks {
            if chosen.contains(framework) {
                if let system = systems.first, !homes.contains(system) { return false }
            } else if flags.contains(framework), let system = systems.first, homes.contains(system), framework != "canImport(WatchKit)" {
                return false
            }
        }
        if chosen.contains("canImport(UIKit)"), chosen.contains("canImport(AppKit)") { return false }
        return true
    }
}
