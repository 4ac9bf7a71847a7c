/// What belongs to the main thread, and which code runs on another.
public struct ThreadKnowledge: Sendable {
    /// Classes whose objects, those of subclasses included, may only be used on the main thread.
    public let classes: [String]
    /// The base names of methods whose closures run elsewhere, by class.
    public let handlers: [String: Set<String>]
    /// The base names of methods that are called on other threads, by the protocol that demands them.
    public let callbacks: [String: Set<String>]
    /// The classes of the objects that functions of libraries give, by the function.
    public let accessors: [String: String]
    /// The classes of the objects that properties hold, by names that all give them.
    public let named: [String: String]
    /// The base names of a delegate's methods, by the base name of the call, or the class that is made, that names their queue.
    public let delegateQueues: [String: Set<String>]
    /// The properties whose closures run on the queue with which their object is started, by class.
    public let startedHandlers: [String: Set<String>]
    /// The properties whose closures run on another thread, or on one that nobody promises to be the main one, by class.
    public let handlerProperties: [String: Set<String>]
    /// The base names of methods that a URL session calls on its delegate queue.
    public let sessionDelegates: Set<String>
    /// The base names of methods whose closures run on the queue that an argument names, by class.
    public let queuedHandlers: [String: Set<String>]
    /// The base names of the calls by which objects of other classes show something, by class.
    public let showing: [String: Set<String>]
    /// Notifications that contexts of Core Data post where they save, by the last parts of their names.
    public let contextNotifications: Set<String>
    /// The full names of calls by which a project saves contexts in the background.
    public let backgroundContexts: Set<String>
    /// The full names of methods of whatever class whose closures run in the background.
    public let backgroundCalls: Set<String>
    /// The base names of methods of a URL session whose closures run on its delegate queue.
    public let sessionTasks: Set<String>
    /// The base names of what gives the answers of a URL session as a sequence, on its delegate queue.
    public let sessionPublishers: Set<String>
    /// The base names of operators that leave the values of a sequence on the thread on which they come.
    public let passingOperators: Set<String>
    /// Notifications that are posted on the thread where the change happened, by the last parts of their names.
    public let notifications: Set<String>
    /// The properties of objects of these classes that are not even read elsewhere.
    public let reads: Set<String>
    /// The full names of calls that only objects of these classes answer.
    public let unmistakable: Set<String>
    /// The classes of React Native that call what they offer to JavaScript on a queue of their own.
    public let bridgeClasses: Set<String>
    /// The base names of all methods that may be called on other threads.
    public let calledElsewhere: Set<String>
    private let changes: Set<String>
    private let changePrefixes: [String]

    init(_ reader: RecordReader) throws(RuleDataError) {
        var reader = reader
        _ = (try reader.text("threads"), try reader.text("source"))
        classes = try reader.texts("classes")
        let patterns = try reader.texts("changes")
        changes = Set(patterns.filter { !$0.hasSuffix("*") })
        changePrefixes = patterns.filter { $0.hasSuffix("*") }.map { String($0.dropLast()) }
        func names(_ key: String) throws(RuleDataError) -> [String: Set<String>] {
            Dictionary(try reader.words(key).map { ($0.key, Set($0.value.split(separator: " ").map(String.init))) }, uniquingKeysWith: { $0.union($1) })
        }
        handlers = try names("handlers")
        callbacks = try names("callbacks")
        accessors = Dictionary(try reader.words("accessors").map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        named = Dictionary(try reader.words("named").map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        delegateQueues = try names("delegate_queues")
        startedHandlers = try names("started_handlers")
        handlerProperties = try names("handler_properties")
        queuedHandlers = try names("queued_handlers")
        showing = try names("showing")
        contextNotifications = Set(try reader.texts("context_notifications"))
        backgroundContexts = Set(try reader.texts("background_contexts"))
        sessionDelegates = Set(try reader.texts("session_delegates"))
        calledElsewhere = sessionDelegates.union(callbacks.values.joined()).union(delegateQueues.values.joined())
        reads = Set(try reader.texts("reads"))
        unmistakable = Set(try reader.texts("unmistakable"))
        backgroundCalls = Set(try reader.texts("background_calls"))
        sessionTasks = Set(try reader.texts("session_tasks"))
        sessionPublishers = Set(try reader.texts("session_publishers"))
        passingOperators = Set(try reader.texts("passing_operators"))
        notifications = Set(try reader.texts("notifications"))
        bridgeClasses = Set(try reader.texts("bridge_classes"))
        try reader.finish()
    }

    /// Whether a call of this base name on an object of such a class changes what is shown.
    public func changesView(_ baseName: String) -> Bool {
        changes.contains(baseName) || changePrefixes.contains { baseName.hasPrefix($0) }
    }
}
