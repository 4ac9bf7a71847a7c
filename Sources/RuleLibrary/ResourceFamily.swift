import Findings

/// One family of resources: how they are acquired and released, what tells them apart and what holds whom;
/// a class, for every run asks all families again and again, and none ever changes.
public final class ResourceFamily: Sendable {
    /// A call that acquires or releases.
    public struct Operation: Sendable {
        /// The class on which it is called; nil for any.  For an initialiser the class that is made.
        public let receiver: String?
        /// The full Swift names, old ones too; `init(…)` for initialisers, `static …` for static methods.
        public let names: [String]
        /// The positions of the arguments that tell registrations apart.
        public let key: [Int]
        /// The position of the observer or target; -1 for the receiver.
        public let observer: Int?
        /// The position of the observed object; -1 for the receiver.
        public let observed: Int?
        /// The position of the token that is released; -1 for the receiver.
        public let token: Int?
        /// The position of the argument that is true when the resource goes on; absent: always.
        public let repeats: Int?
        /// Whether it ends by itself unless the method that it calls acquires it again.
        public let isRearmed: Bool
        /// Whether its closures are let go when it has finished, which it is taken to do by itself.
        public let isFinite: Bool
        /// Whether it is given a trailing closure or nothing: a call with a plain argument is another one that is named so.
        public let isTrailing: Bool
        /// Whether the resource needs a second step (a run loop, a subscription) before it lives.
        public let isIdle: Bool
        /// Whether the call, which releases, only takes the resource off what runs it: its token may run again, and keeps what it kept.
        public let isDetaching: Bool

        /// Whether a call of this full name may mean the operation, of an object or of a class.
        public func isCalled(_ fullName: String) -> Bool { names.contains(fullName) || names.contains("static \(fullName)") }
    }

    /// What the calls tell by which the receiver of an acquiring call was made: `Just(1).map { … }` before `.sink { … }`.
    public struct Origins: Sendable {
        /// The names of methods and classes that make something that finishes by itself, and lets the closures go then.
        public let finite: Set<String>
        /// The names of those whose values all come while the acquiring call runs, so that nothing is left to end.
        public let immediate: Set<String>
        /// The names of methods after which nothing comes at once any more.
        public let later: Set<String>
        /// How the names begin of those that never finish by themselves; of others nobody knows.
        public let endless: [String]
        /// The names of the SDK's methods that make something that never finishes, though who uses it waits for its end.
        public let unending: Set<String>
        /// The names of methods that may end, or fail, what they are called on.
        public let ending: Set<String>

        /// Whether what was made by these calls goes on until somebody ends it.
        public func goOn(_ names: [String]) -> Bool { endless.isEmpty || names.contains { name in endless.contains { name.hasPrefix($0) } } }

        /// Whether what was made by these calls has nothing left to do when the acquiring call returns.
        public func areDone(_ names: [String]) -> Bool { names.contains(where: immediate.contains) && !names.contains(where: later.contains) }
    }

    /// What becomes of a registration whose token dies.
    public enum TokenEnd: String, Sendable, CaseIterable {
        /// The registration ends with its token.
        case ends
        /// The registration goes on, and nobody can end it any more.
        case goesOn = "goes_on"
        /// There is no token.
        case none
    }

    public let name: String
    /// What the user calls it: "notification observer".
    public let title: String
    /// The root that keeps it: "the notification centre".
    public let root: String
    /// Whether the root keeps the observer or target alive.
    public let holdsObserver: Bool
    /// Whether the root keeps the closure alive.
    public let holdsClosure: Bool
    /// Whether what is observed keeps the closure alive, and not a root.
    public let isHeldByObserved: Bool
    public let tokenEnd: TokenEnd
    public let acquire: [Operation]
    public let release: [Operation]
    public let origins: Origins
    /// The property of a token that tells whether the registration lives; nil where there is none.
    public let liveness: String?
    /// The property of what is observed that tells whether somebody observes it; nil where there is none.
    public let shownBy: String?
    /// The rule for each bad state, by the state's name.
    public let rules: [String: String]
    /// The bad states in order: of several at one place the first one is the defect, the others follow from it.
    public let precedence: [String]
    /// The states that weigh less or more than their rule says.
    public let severities: [String: Severity]

    /// Whether releasing what is not there raises an exception, so that each registration counts.
    public var isExceptional: Bool { rules["absent"] != nil }

    /// Whether text that could not be read, by the words in it, may release such a resource.
    public func isReleased(in words: [String]) -> Bool {
        !rules.isEmpty && release.contains { operation in operation.names.contains { name in words.contains(Self.baseName(of: name)) } }
    }

    /// Whether a function with a capital letter, which Swift's front end takes for an initialiser, acquires or releases.
    public func isCalled(byFunction name: String) -> Bool { (acquire + release).contains { $0.receiver == name } }

    /// The name before the parentheses, without `static`.
    public static func baseName(of name: String) -> String {
        let start = name.hasPrefix("static ") ? name.index(name.startIndex, offsetBy: "static ".count) : name.startIndex
        return String(name.utf8[start...].prefix { $0 != UInt8(ascii: "(") }) ?? name
    }

    /// The title after "a" or "an".
    public var titleWithArticle: String { ("aeiou".contains(title.prefix(1)) ? "an " : "a ") + title }

    init(_ reader: RecordReader) throws(RuleDataError) {
        var reader = reader
        name = try reader.text("family")
        title = try reader.text("title")
        root = try reader.text("root")
        _ = try reader.text("source")
        let holds = try reader.texts("holds")
        holdsObserver = holds.contains("observer")
        holdsClosure = holds.contains("closure")
        isHeldByObserved = try reader.boolean("held_by_observed", default: false)
        tokenEnd = try reader.choice("token", TokenEnd.self, default: TokenEnd.none)
        liveness = try reader.optionalText("liveness")
        shownBy = try reader.optionalText("shown_by")
        acquire = try Self.operations(&reader, "acquire")
        release = try Self.operations(&reader, "release")
        origins = Origins(
            finite: Set(try reader.texts("finite_from")), immediate: Set(try reader.texts("immediate_from")), later: Set(try reader.texts("later_through")),
            endless: try reader.texts("endless_from"), unending: Set(try reader.texts("unending_from")), ending: Set(try reader.texts("ended_by")))
        let states = try reader.words("rules")
        rules = Dictionary(states.map { ($0.key, $0.value) }) { first, _ in first }
        precedence = states.map(\.key)
        var severities: [String: Severity] = [:]
        for row in try reader.words("severities") {
            guard let severity = Severity(rawValue: row.value), rules[row.key] != nil else {
                throw RuleDataError(file: reader.file, line: row.line, key: "severities.\(row.key)",
                                    message: "must name a state of 'rules' and one of \(Severity.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            severities[row.key] = severity
        }
        self.severities = severities
        try reader.finish()
    }

    private static func operations(_ reader: inout RecordReader, _ key: String) throws(RuleDataError) -> [Operation] {
        var operations: [Operation] = []
        for record in try reader.records(key, name: "an operation") {
            var record = record
            operations.append(Operation(
                receiver: try record.optionalText("receiver"), names: try record.texts("names"), key: try record.integers("key"),
                observer: try record.optionalInteger("observer"), observed: try record.optionalInteger("observed"), token: try record.optionalInteger("token"),
                repeats: try record.optionalInteger("repeats"), isRearmed: try record.boolean("rearmed", default: false), isFinite: try record.boolean("finite", default: false), isTrailing: try record.boolean("trailing", default: false), isIdle: try record.boolean("idle", default: false),
                isDetaching: try record.boolean("detaches", default: false)))
            try record.finish()
        }
        return operations
    }
}

/// What the SDK does with closures that it is given.
public struct ClosureRoles: Sendable {
    /// When a closure argument runs.
    public enum Role: String, Sendable, CaseIterable {
        /// Before the call returns.
        case now
        /// Once, some time later.
        case later
        /// Any number of times while the object that was made with it lives.
        case kept
        /// Any number of times while the receiver lives.
        case keptByReceiver = "kept_by_receiver"
        /// Before the call returns, with the receiver as its argument; the call gives the receiver.
        case withReceiver = "with_receiver"
        /// As long as the list that asked for it shows what the method returns; such methods are known by their full names.
        case shown
        /// Never, and nothing that is given is kept: it is printed, or looked at.
        case printed
    }

    /// The roles by the base name of the method, or by the class for initialisers.
    public let roles: [String: Role]

    init(_ reader: RecordReader) throws(RuleDataError) {
        var reader = reader
        _ = try reader.text("closures")
        _ = try reader.text("source")
        var roles: [String: Role] = [:]
        for role in Role.allCases {
            for name in try reader.texts(role.rawValue) { roles[name] = role }
        }
        self.roles = roles
        try reader.finish()
    }
}
