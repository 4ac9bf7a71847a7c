/// A system that Cocoa code runs on.
public enum AppleSystem: String, Hashable, Sendable, CaseIterable {
    case iOS, macOS, tvOS, watchOS, visionOS

    /// The system of a name in any case, older names among them (`osx`).
    public init?(named name: String) {
        let lowered = name.lowercased()
        if let system = Self.allCases.first(where: { $0.rawValue.lowercased() == lowered }) { self = system } else if lowered == "osx" { self = .macOS } else { return nil }
    }
}

/// A version of a system; 10.9 comes before 10.11.
public struct SystemVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let major: Int
    public let minor: Int

    /// Makes a version.
    public init(_ major: Int, _ minor: Int = 0) {
        self.major = major
        self.minor = minor
    }

    /// Reads `9`, `9.0` or `10.15.4`, the last number of which decides nothing; nil for other texts.
    public init?(_ text: String) {
        let numbers = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard (1...3).contains(numbers.count), let major = numbers[0], !numbers.contains(nil), numbers.allSatisfy({ (0...999).contains($0 ?? -1) }) else { return nil }
        self.init(major, numbers.count > 1 ? numbers[1] ?? 0 : 0)
    }

    /// Whether the left version came out first.
    public static func < (left: SystemVersion, right: SystemVersion) -> Bool {
        (left.major, left.minor) < (right.major, right.minor)
    }

    /// The version as people write it: `10.11`.
    public var description: String { "\(major).\(minor)" }
}

/// The oldest version of each system that some code is built for.
public struct DeploymentTargets: Hashable, Sendable {
    public let oldest: [AppleSystem: SystemVersion]

    /// Makes targets.
    public init(_ oldest: [AppleSystem: SystemVersion]) {
        self.oldest = oldest
    }

    /// What is taken for granted of code that says nothing of its systems.
    public static let assumed = DeploymentTargets([.iOS: SystemVersion(15), .macOS: SystemVersion(12), .tvOS: SystemVersion(15), .watchOS: SystemVersion(8), .visionOS: SystemVersion(1)])

    /// The same without some systems.
    public func without(_ systems: Set<AppleSystem>) -> DeploymentTargets { DeploymentTargets(oldest.filter { !systems.contains($0.key) }) }

    /// The older of the two for each system.
    public func merging(_ other: DeploymentTargets) -> DeploymentTargets {
        DeploymentTargets(oldest.merging(other.oldest, uniquingKeysWith: min))
    }

    /// The first system whose target is older than the version in which something changed; nil where none is.
    public func system(before changes: DeploymentTargets) -> (system: AppleSystem, target: SystemVersion, change: SystemVersion)? {
        for system in AppleSystem.allCases {
            if let target = oldest[system], let change = changes.oldest[system], target < change { return (system, target, change) }
        }
        return nil
    }
}

extension DeploymentTargets {
    /// Whether a condition such as `#available(iOS 13.0, macOS 10.15, *)` holds on every system that the code is built for: those that it
    /// names are old enough, and the star stands for the others.
    public func satisfy(availability condition: String) -> Bool {
        guard let open = condition.firstIndex(of: "("), let close = condition.lastIndex(of: ")"), open < close else { return false }
        var asked: [AppleSystem: SystemVersion] = [:]
        for part in condition[condition.index(after: open)..<close].split(separator: ",") {
            let words = part.split(separator: " ")
            guard words.count == 2 else { continue }
            guard let version = SystemVersion(String(words[1])) else { return false }
            if let system = AppleSystem(named: String(words[0])) { asked[system] = version }
        }
        return !oldest.isEmpty && oldest.allSatisfy { system, target in asked[system].map { $0 <= target } ?? true }
    }
}

/// The deployment targets of the units of a program.
public struct UnitTargets: Sendable {
    /// By the index of the unit; units of which nothing is known are left out.
    public let known: [Int: DeploymentTargets]
    /// What the user says, which wins over what the project says of the same system.
    public let given: DeploymentTargets

    /// Makes a table.
    public init(known: [Int: DeploymentTargets] = [:], given: DeploymentTargets = DeploymentTargets([:])) {
        self.known = known
        self.given = given
    }

    /// The oldest systems of what is compiled in some units; nil where neither the project nor the user says anything of them.
    public func known(ofUnits units: [Int]) -> DeploymentTargets? {
        given.oldest.isEmpty && units.allSatisfy { known[$0] == nil } ? nil : targets(ofUnits: units)
    }

    /// The oldest systems of what is compiled in some units; what is assumed where nothing is known of any.
    public func targets(ofUnits units: [Int]) -> DeploymentTargets {
        let found = units.compactMap { known[$0] }.reduce(nil as DeploymentTargets?) { $0?.merging($1) ?? $1 }
        return DeploymentTargets((found ?? .assumed).oldest.merging(given.oldest) { $1 })
    }
}
