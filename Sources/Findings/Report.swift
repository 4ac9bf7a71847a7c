/// Trouble with one input: the run went on without it, or with a part of it.
public struct Problem: Error, Hashable, Sendable {
    /// The kinds of trouble.
    public enum Kind: String, Hashable, Sendable {
        case missing, unreadable, notText = "not_text", tooLarge = "too_large", brokenLink = "broken_link", project
    }

    public let path: String
    public let kind: Kind
    /// What is wrong, and what happens now: one clause, lower case, no full stop.
    public let message: String

    /// Makes a problem.
    public init(path: String, kind: Kind, message: String) {
        self.path = path
        self.kind = kind
        self.message = message
    }
}

/// Everything that a run has to say, in the order of the files and their texts.
public struct Report: Sendable {
    /// The findings with their fingerprints: stable when lines move, different for each finding.
    public let findings: [(id: String, finding: Finding)]
    public let problems: [Problem]
    /// How many files were linted.
    public let fileCount: Int
    /// How many types they declare.
    public let typeCount: Int
    /// What became of the watched places, by family; empty where nothing was simulated.
    public let sites: [String: SimulatedSites]
    /// How many states each simulated class has, in no order that means anything.
    public let statesOfClasses: [Int]

    /// Makes a report; findings are put in order of path, place and rule.
    public init(findings: [Finding], problems: [Problem], fileCount: Int, typeCount: Int, sites: [String: SimulatedSites] = [:], statesOfClasses: [Int] = []) {
        let ordered = findings.sorted { left, right in
            (left.path, left.span.start, left.rule, left.message) < (right.path, right.span.start, right.rule, right.message)
        }
        var seen: [String: Int] = [:]
        self.findings = ordered.map { finding in
            let key = [finding.rule, finding.path, finding.type, finding.member].joined(separator: "\u{0}")
            seen[key, default: 0] += 1
            return (Fingerprint.of("\(key)\u{0}\(seen[key]!)"), finding)
        }
        self.problems = problems.sorted { ($0.path, $0.message) < ($1.path, $1.message) }
        self.fileCount = fileCount
        self.typeCount = typeCount
        self.sites = sites
        self.statesOfClasses = statesOfClasses
    }

    /// How many findings have the severity; what was refuted is none.
    public func count(_ severity: Severity) -> Int {
        findings.count { $0.finding.severity == severity && $0.finding.status != .refuted }
    }
}

/// Names that stay the same from run to run and machine to machine.
enum Fingerprint {
    /// FNV-1a over the UTF-8 bytes, as sixteen hexadecimal digits.
    static func of(_ text: String) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
