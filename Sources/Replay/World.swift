import ProgramModel
import RuleLibrary
import SourceText

/// Everything that one run changes: a plain value.
public struct World: Sendable {
    public package(set) var objects: [HeapObject] = []
    package var closures: [ClosureValue] = []
    package var frames: [Frame] = []
    /// Static properties, globals and the SDK's shared objects by name.
    package var shared: [String: Value] = [:]
    /// What was registered, live or ended, in order.
    public package(set) var registrations: [Registration] = []
    /// Closures that wait to be run once.
    package var queue: [(closure: Value, arguments: [Value])] = []
    /// What happened, for the trace.
    public package(set) var log: [LogEntry] = []
    package var violations: [Violation] = []
    /// The registrations that were left at the end and that code outside may end, by their sites.
    package var excused: Set<Site> = []
    /// What still held the object of the run at its end; nil when it was freed, or the run did not get there.
    package var heldAtTheEnd: String?
    /// The properties that were set to nil or to nothing in an event.
    package var emptied: Set<Emptied> = []
    /// The releasing calls that ran.
    package var ranReleases: Set<Site> = []
    /// How many calls from outside there were that nothing of the object asked for.
    package var unaskedCalls = 0
    /// Why the run ended before its last event, or knows less than the code says.
    public package(set) var shortcomings: [Shortcoming] = []
    /// The bodies that the run has entered.
    package var entered: Set<BodyPlace> = []
    var geometry = GeometryLog()
    /// What was added to views, layers and controllers.
    package var additions: [Addition] = []
    /// The tokens that others took the place of in their properties during this event, each with the one that did.
    package var overwritten: [Overwritten] = []
    /// The number of the event that is running.
    package var now = 0
    package var nextUnknown = 0
    package var steps = 0
    /// Where the run stood when what nothing holds was last freed.
    package var collected: Collected?

    package init() {}

    public subscript(_ id: ObjectID) -> HeapObject {
        get { objects[id.index] }
        set { objects[id.index] = newValue }
    }

    /// Whether the run shows the violation, at whatever event.
    package func shows(_ violation: Violation) -> Bool { violations.contains { $0.rule == violation.rule && $0.site == violation.site } }

    /// Whether a bound ended some piece of code, so that what it would have done is not known.
    package var isCutShort: Bool { shortcomings.contains { $0.reason == .tooDeep || $0.reason == .tooLong } }

    package mutating func make(_ kind: ObjectKind) -> ObjectID {
        objects.append(HeapObject(kind: kind, madeIn: now))
        return ObjectID(index: objects.count - 1)
    }

    package mutating func unknown() -> Value {
        nextUnknown += 1
        return .unknown(nextUnknown)
    }

    /// How many registrations live that are the same to a reader: of one key and observer, or with tokens from one place.
    func live(like registration: Registration) -> Int {
        registrations.count { other in
            guard other.isLive, other.family == registration.family else { return false }
            if registration.token != nil { return other.site == registration.site }
            return other.key == registration.key && other.observer == registration.observer && other.observed == registration.observed
        }
    }

    /// How many registrations of a family are live.
    public func live(_ family: String) -> Int {
        registrations.count { $0.isLive && $0.family == family }
    }
}

/// A token whose place in a property another one took.
package struct Overwritten: Sendable {
    let old: ObjectID
    let new: ObjectID
}

/// What must have changed before anything more can be freed.
package struct Collected: Equatable, Sendable {
    let steps: Int
    let objects: Int
    let owner: Value
}

/// A thing that was added to another: a subview, a layer, a gesture recogniser.
package struct Addition: Hashable, Sendable {
    let site: Site
    let holder: ObjectID
    let added: ObjectID
    let event: Int
    /// The list of the holder's in which it stands; empty where it stands in none.
    var list = ""
    var kind = Kind.beside

    /// The state of constraints that lie beside those before.
    static let constrainedAgain = "constrained again"

    enum Kind: Hashable, Sendable {
        /// It stands beside the one before.
        case beside
        /// It took the place of the one before.
        case inPlace
        /// It is a constraint, beside the one before.
        case constraint
    }
}

/// What a run could not do, and where.
public struct Shortcoming: Hashable, Sendable {
    /// The reasons, as clauses that follow "because".
    public enum Reason: String, Hashable, Sendable {
        case unwrapsNil = "nil is unwrapped"
        case wrongCast = "a value is cast to a type that it is not of"
        case trap = "the code stops the app"
        case tooDeep = "calls are nested too deep"
        case tooLong = "the run takes too many steps"
    }

    public let reason: Reason
    public let site: Site
}

/// One acquired resource.
public struct Registration: Hashable, Sendable {
    public let family: String
    /// What tells it from others of its family: name, object, key path, context.
    public package(set) var key: [Value]
    /// The object that was registered, or on which a selector is called.
    public package(set) var observer: Value
    /// The object that is observed, for families that have one.
    public package(set) var observed: Value
    /// The object that stands for the registration.
    public package(set) var token: ObjectID?
    /// What its root keeps alive while it lives.
    package var held: [Value]
    /// The closures that it calls as long as its token lives, for families that end with their token.
    let callbacks: [Value]
    /// Whether its root keeps the token while it lives.
    package let isKeptByRoot: Bool
    /// Whether it goes on until it is ended.
    public let repeats: Bool
    /// Whether it was acquired on the element of a list.
    let isOfElement: Bool
    /// Whether it comes once, and what it calls asks for the next.
    let isRearmed: Bool
    /// The method that it calls, by base name, where it is given as a selector.
    let handler: String?
    /// Where it was acquired; for a function of no object that hands its token out, where that was called.
    public package(set) var site: Site
    /// The object whose code acquired it.
    package var maker: Value
    /// Whether a function of no object acquired it for whoever called.
    package let isForCaller: Bool
    /// The event during which it was acquired.
    public package(set) var event: Int
    public package(set) var isLive = true
    /// Whether the token was handed to somebody whom the run does not see, who may end it.
    package var isHandedOn = false
    /// Whether the statement that put the token into its property ran again, which put another in its place.
    package var isReplaced = false
    /// Where what was made idle began to run.
    package var started: Site?
    /// Whether it was taken off what runs it, and not ended: its token keeps what it kept.
    package var isDetached = false
    /// Where and when it was released.
    public package(set) var ended: End?

    /// The release of a registration.
    public struct End: Hashable, Sendable {
        public package(set) var event: Int
        public let site: Site
        /// Whether a call from outside ended it, on purpose as far as anybody knows.
        public let isFromOutside: Bool
    }
}

/// One line of the trace.
public struct LogEntry: Hashable, Sendable {
    /// The number of the event, from 0.
    public let event: Int
    public let site: Site
    /// What happened, with the count of live ones.
    public let note: String
}

/// A bad state that a monitor saw.
public struct Violation: Hashable, Sendable {
    public let rule: String
    /// The family and the bad state, which say how it weighs; empty for states of no family.
    public let family: String
    public let state: String
    public let site: Site
    /// What is wrong in that state.
    public let detail: String
    /// The sites that belong to the defect beside its own.
    public let related: [Site]
    /// The number of the event that showed it, not part of what tells it from others.
    public package(set) var event = 0
    /// How many entries of the log come before it, where nothing comes after it; not part of what tells it from others.
    public package(set) var logged = Int.max
    /// What the trace says beside the log, above all why the end is wrong; not part of what tells it from others.
    public package(set) var steps: [LogEntry] = []
    /// Whether it changes so little that it is a note; not part of what tells it from others.
    public package(set) var isSlight = false
    /// Whether what is kept is another object than the one under watch, which does not keep it; not part of what tells it from others.
    public package(set) var isStray = false

    /// Whether two runs show the same violation.
    public static func == (left: Violation, right: Violation) -> Bool {
        left.rule == right.rule && left.family == right.family && left.state == right.state && left.site == right.site
            && left.detail == right.detail && left.related == right.related
    }

    /// Feeds what tells violations from one another.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(rule)
        hasher.combine(state)
        hasher.combine(site)
    }
}

/// A body or statement by where it stands.  Code that a macro makes stands all in one place, so it is told apart by its shape as well.
package struct BodyPlace: Hashable, Sendable {
    private let packedFile: Int32
    private let shape: Int32
    private let span: SourceSpan

    package var file: Int { Int(packedFile) }
    package var line: Int { span.start.line }
    package var column: Int { span.start.column }

    init(_ body: Body, file: Int) {
        self.init(body.span, file: file, shape: [body.locals.count, body.parameters.count, body.registerCount, body.statementCount].reduce(0) { $0 &* 31 &+ $1 })
    }

    init(_ statement: Statement, file: Int) {
        let shape = switch statement.kind {
        case .branch: 1
        case .select: 2
        case .loop: 3
        case .call: 4
        case .collection: 5
        default: 0
        }
        self.init(statement.span, file: file, shape: shape)
    }

    private init(_ span: SourceSpan, file: Int, shape: Int) {
        packedFile = Int32(clamping: file)
        self.shape = Int32(truncatingIfNeeded: shape)
        self.span = span
    }
}
