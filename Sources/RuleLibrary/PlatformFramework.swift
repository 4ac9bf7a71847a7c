import Findings

/// The classes of one framework, with what their members return.
public struct PlatformFramework: Sendable {
    /// The types of the members of a class, by name.
    public typealias Table = [String: [String: String]]

    public let name: String
    /// Each class with its superclass.
    public let classes: [(name: String, superclass: String)]
    public let protocols: [String]
    /// Class, property, type; a collection is written `[Type]`.
    public let properties: Table
    /// Class, full method name (`static ` before static ones), result type.
    public let methods: Table
    /// Class and delegate properties, separated by spaces, that point without holding.
    public let unsafeDelegates: [(key: String, value: String)]
    /// Class and the properties, separated by spaces, that hold their object weakly.
    public let weakSlots: [(key: String, value: String)]
    /// Class and the properties, separated by spaces, whose closure it lets go when the closure has run.
    public let spentSlots: [(key: String, value: String)]
    /// Class and its weak slots that only pointed to their object before the system changed.
    public let weakSince: [(changes: DeploymentTargets, slots: [(key: String, value: String)])]
    /// Protocol of delegates, with the class that calls its methods and the properties of it, separated by spaces, that take the delegate.
    public let delegateSlots: [(key: String, value: String)]
    /// Class of controls and the events, separated by spaces, that it never sends.
    public let unsentEvents: [(key: String, value: String)]
    /// The full names of methods that delegates and subclasses have called each time somebody chooses something.
    public let choices: [String]
    /// Notification and the class of the objects that post it; `nil` where it is posted for no object.
    public let notificationSenders: [(key: String, value: String)]
    /// Notification and the calls and properties, separated by spaces, of which one must switch it on.
    public let notificationSwitches: [(key: String, value: String)]
    /// What classes of modules that are not here must be, by what their subclasses override and by the ends of their names; the first that fits.
    public let guessedBases: [GuessedBase]

    /// What tells that a class whose declaration is not here descends from one of the SDK.
    public struct GuessedBase: Sendable {
        public let className: String
        /// How names of such classes end.
        public let ends: [String]
        /// Full names of methods whose overriding tells of the class where the name does, too.
        public let overrides: [String]
        /// Full names of methods that only subclasses of the class override.
        public let proofs: [String]
        /// The modules of which a file imports one where it means this class; empty where it does not matter.
        public let imports: [String]
    }

    init(_ reader: RecordReader) throws(RuleDataError) {
        var reader = reader
        name = try reader.text("framework")
        _ = try reader.text("source")
        classes = try reader.words("classes").map { ($0.key, $0.value) }
        protocols = try reader.texts("protocols")
        properties = Self.table(try reader.tables("properties"))
        methods = Self.table(try reader.tables("methods"))
        unsafeDelegates = reader.has("unsafe_delegates") ? try reader.words("unsafe_delegates").map { ($0.key, $0.value) } : []
        weakSlots = reader.has("weak_slots") ? try reader.words("weak_slots").map { ($0.key, $0.value) } : []
        spentSlots = reader.has("spent_slots") ? try reader.words("spent_slots").map { ($0.key, $0.value) } : []
        var weakSince: [(changes: DeploymentTargets, slots: [(key: String, value: String)])] = []
        for record in try reader.records("weak_since", name: "a change to weak") {
            var record = record
            weakSince.append((try record.systemVersions("systems"), try record.words("slots").map { ($0.key, $0.value) }))
            _ = try record.text("source")
            try record.finish()
        }
        self.weakSince = weakSince
        delegateSlots = reader.has("delegate_slots") ? try reader.words("delegate_slots").map { ($0.key, $0.value) } : []
        unsentEvents = reader.has("unsent_events") ? try reader.words("unsent_events").map { ($0.key, $0.value) } : []
        choices = reader.has("choices") ? try reader.texts("choices") : []
        notificationSenders = reader.has("notification_senders") ? try reader.words("notification_senders").map { ($0.key, $0.value) } : []
        notificationSwitches = reader.has("notification_switches") ? try reader.words("notification_switches").map { ($0.key, $0.value) } : []
        var guessedBases: [GuessedBase] = []
        for record in try reader.records("guessed_bases", name: "a guessed base") {
            var record = record
            guessedBases.append(GuessedBase(
                className: try record.text("class"), ends: try record.texts("ends"), overrides: try record.texts("overrides"),
                proofs: try record.texts("proofs"), imports: try record.texts("imports")))
            try record.finish()
        }
        self.guessedBases = guessedBases
        try reader.finish()
    }

    private static func table(_ tables: [(key: String, value: [(key: String, value: String, line: Int)])]) -> Table {
        var result: Table = [:]
        for table in tables {
            for row in table.value { result[table.key, default: [:]][row.key] = row.value }
        }
        return result
    }
}
