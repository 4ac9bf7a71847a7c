import Findings

/// The states that an object of a class can reach, and the events between them, for people to look at.
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
    }

    /// An event that leads from one state to another.
    public struct Transition: Hashable, Sendable {
        /// Indices into the states.
        public let from: Int
        public let to: Int
        public let event: String
        /// The rules that some run breaks by it.
        public let breaks: [String]
    }

    public let states: [State]
    public let transitions: [Transition]

    init(states: [State], transitions: [Transition]) {
        self.states = states
        self.transitions = transitions
    }

    init(_ exploration: Exploration, findings: [Finding]) {
        struct Label: Hashable {
            let name: String
            let live: String
        }
        var indices: [Label: Int] = [:]
        var labels: [Label] = []
        var counts: [Int] = []
        var firsts: [Int] = []
        let ofNode = exploration.nodes.indices.map { node -> Int in
            let label = Label(name: exploration.nodes[node].state, live: exploration.nodes[node].summary)
            if let known = indices[label] {
                counts[known] += 1
                return known
            }
            indices[label] = labels.count
            labels.append(label)
            counts.append(1)
            firsts.append(node)
            return labels.count - 1
        }
        states = labels.indices.map { State(name: labels[$0].name, live: labels[$0].live, count: counts[$0], run: exploration.path(to: firsts[$0]).map(\.event)) }
        struct Link: Hashable {
            let from: Int
            let to: Int
            let event: String
        }
        var breaks: [Link: Set<String>] = [:]
        let reported = Set(findings.map(\.rule))
        for edge in exploration.edges { breaks[Link(from: ofNode[edge.from], to: ofNode[edge.to], event: edge.event), default: []].formUnion(edge.violations) }
        transitions = breaks.map { Transition(from: $0.key.from, to: $0.key.to, event: $0.key.event, breaks: $0.value.filter(reported.contains).sorted()) }
            .sorted { ($0.from, $0.to, $0.event) < ($1.from, $1.to, $1.event) }
    }
}
