import Findings

/// What a rule's findings weigh where the deployment target is older than a change of the system.
public struct TargetImpact: Sendable {
    /// The versions with which the system changed; a system that is not named never mattered.
    public let before: DeploymentTargets
    public let severity: Severity
    /// What happens on the older systems, as a clause.
    public let harm: String

    init(_ reader: RecordReader) throws(RuleDataError) {
        var reader = reader
        before = try reader.systemVersions("before")
        severity = try reader.choice("severity", Severity.self)
        harm = try reader.text("harm")
        try reader.finish()
    }
}

extension RecordReader {
    /// A mapping from systems to versions: `{iOS: "9.0", macOS: "10.11"}`.
    mutating func systemVersions(_ key: String) throws(RuleDataError) -> DeploymentTargets {
        var versions: [AppleSystem: SystemVersion] = [:]
        for word in try words(key) { versions[try Self.system(word.key, file: file, line: word.line, key: key)] = try Self.version(word.value, file: file, line: word.line, key: key) }
        return DeploymentTargets(versions)
    }

    private static func system(_ name: String, file: String, line: Int, key: String) throws(RuleDataError) -> AppleSystem {
        guard let system = AppleSystem(rawValue: name) else {
            throw RuleDataError(file: file, line: line, key: key, message: "names one of \(AppleSystem.allCases.map(\.rawValue).joined(separator: ", ")), not '\(name)'")
        }
        return system
    }

    private static func version(_ text: String, file: String, line: Int, key: String) throws(RuleDataError) -> SystemVersion {
        guard let version = SystemVersion(text) else { throw RuleDataError(file: file, line: line, key: key, message: "must be a version such as \"9.0\", not '\(text)'") }
        return version
    }
}
