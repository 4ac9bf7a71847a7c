import Findings
import ProgramModel
import Replay

extension Simulation {
    /// The graph of a class; empty where nothing that it does is watched.
    public func graph(of type: TypeID) -> StateGraph {
        let (study, exploration) = explored(type, goesOn: true)
        let places = study.verdicts.map { verdict in
            StateGraph.Place(
                path: replay.program.files[verdict.site.file].path, line: verdict.site.span.start.line, member: verdict.site.member, family: verdict.family,
                status: verdict.status, reason: verdict.reason)
        }.sorted { ($0.path, $0.line, $0.family) < ($1.path, $1.line, $1.family) }
        let shortfall = exploration?.shortfalls.map(\.rawValue).min()
        let (states, transitions) = exploration.map { Self.drawn($0, findings: study.findings) } ?? ([], [])
        return StateGraph(type: replay.program[type].name, states: states, transitions: transitions, findings: study.findings, places: places, shortfall: shortfall)
    }

    /// States in which the same lives are drawn as one.
    private static func drawn(_ exploration: Exploration, findings: [Finding]) -> (states: [StateGraph.State], transitions: [StateGraph.Transition]) {
        struct Label: Hashable {
            let name: String
            let live: String
        }
        var indices: [Label: Int] = [:]
        var labels: [Label] = []
        var counts: [Int] = []
        var firsts: [Int] = []
        let drawn = exploration.nodes.indices.map { node -> Int in
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
        let states = labels.indices.map { index in
            StateGraph.State(name: labels[index].name, live: labels[index].live, count: counts[index], run: exploration.path(to: firsts[index]).map(\.event))
        }
        struct Link: Hashable {
            let from: Int
            let to: Int
            let event: String
        }
        var breaks: [Link: Set<String>] = [:]
        let reported = Set(findings.map(\.rule))
        for edge in exploration.edges { breaks[Link(from: drawn[edge.from], to: drawn[edge.to], event: edge.event), default: []].formUnion(edge.violations) }
        let transitions = breaks.map { link, rules in
            StateGraph.Transition(from: link.from, to: link.to, event: link.event, breaks: rules.filter(reported.contains).sorted())
        }
        return (states, transitions.sorted { ($0.from, $0.to, $0.event) < ($1.from, $1.to, $1.event) })
    }
}
