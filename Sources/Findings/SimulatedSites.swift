/// What became of the watched places of one family of resources.
public struct SimulatedSites: Hashable, Sendable {
    /// How many places acquire such a resource in some run.
    public private(set) var watched = 0
    public private(set) var confirmed = 0
    public private(set) var likely = 0
    public private(set) var refuted = 0
    /// The undecided ones, by the reason.
    public private(set) var unconfirmed: [String: Int] = [:]

    /// Makes the counts of no places.
    public init() {}

    /// Counts one place; `reason` says why it is undecided.
    public mutating func add(_ status: Status, reason: String?) {
        watched += 1
        switch status {
        case .confirmed: confirmed += 1
        case .likely: likely += 1
        case .refuted: refuted += 1
        case .unconfirmed, .static: unconfirmed[reason ?? "unknown", default: 0] += 1
        }
    }
}
