/// The states that an object of a class can reach, the events between them, and what goes wrong: for people to look at.
public struct StateGraph: Hashable, Sendable {
    /// States of the lifecycle in which the same lives.
    public struct State: Hashable, Sendable {
        /// The state of the lifecycle.
        public let name: String
        /// What lives in it: "2 notification observers, repeating timer"; empty where nothing does.
        public let live: String
        /// How many states of the store it stands for.
        public let count: Int
        /// The events of the shortest run that leads here.
        public let run: [String]

        /// Makes a state.
        public init(name: String, live: String, count: Int, run: [String]) {
            self.name = name
            self.live = live
            self.count = count
            self.run = run
        }
    }

    /// An event that leads from one state to another.
    public struct Transition: Hashable, Sendable {
        /// Indices into the states.
        public let from: Int
        public let to: Int
        public let event: String
        /// The rules that some run breaks by it.
        public let breaks: [String]

        /// Makes a transition.
        public init(from: Int, to: Int, event: String, breaks: [String]) {
            self.from = from
            self.to = to
            self.event = event
            self.breaks = breaks
        }
    }

    /// A place that acquires something, and what became of it.
    public struct Place: Hashable, Sendable {
        public let path: String
        /// From 1.
        public let line: Int
        public let member: String
        /// The name of the family of resources.
        public let family: String
        public let status: Status
        /// Why it is undecided; nil where it is decided.
        public let reason: String?

        /// Makes a place.
        public init(path: String, line: Int, member: String, family: String, status: Status, reason: String?) {
            self.path = path
            self.line = line
            self.member = member
            self.family = family
            self.status = status
            self.reason = reason
        }
    }

    /// The name of the class.
    public let type: String
    public let states: [State]
    public let transitions: [Transition]
    public let findings: [Finding]
    public let places: [Place]
    /// Why the states are not all there are; nil when they are.
    public let shortfall: String?

    /// How many states of lifecycle and store there are.
    public var count: Int { states.reduce(0) { $0 + $1.count } }

    /// Makes a graph.
    public init(type: String, states: [State], transitions: [Transition], findings: [Finding], places: [Place], shortfall: String?) {
        self.type = type
        self.states = states
        self.transitions = transitions
        self.findings = findings
        self.places = places
        self.shortfall = shortfall
    }
}
