import Findings

/// A form in which the states of classes are shown.
public enum GraphForm: String, CaseIterable, Sendable {
    case text, dot, html

    /// The graphs as text; `lines` are the lines of the files that the traces name, by path.
    public func render(_ graphs: [StateGraph], lines: [String: [String]]) -> String {
        switch self {
        case .text: graphs.map(GraphText.render).joined(separator: "\n")
        case .dot: GraphDOT.render(graphs)
        case .html: GraphPage.render(graphs, lines: lines)
        }
    }
}

/// The states as text: each with what lives in it, the events that lead on, and the rules that they break.
enum GraphText {
    static func render(_ graph: StateGraph) -> String {
        guard !graph.states.isEmpty else { return "\(graph.type): nothing that it does is watched\n" }
        var text = "\(graph.type): \(graph.count) states of lifecycle and store, drawn as \(graph.states.count)\n"
        if let shortfall = graph.shortfall { text += "not all of them: \(shortfall)\n" }
        for (index, state) in graph.states.enumerated() {
            text += "\(index + 1) \(state.name)\(state.live.isEmpty ? "" : " (\(state.live))")\(state.count > 1 ? "  ×\(state.count)" : "")\n"
            for transition in graph.transitions where transition.from == index {
                let breaks = transition.breaks.isEmpty ? "" : "  breaks \(transition.breaks.joined(separator: ", "))"
                text += "    \(transition.event) → \(transition.to + 1)\(breaks)\n"
            }
        }
        for place in graph.places {
            text += "\(place.path):\(place.line): \(place.family) in '\(place.member)': \(place.status.rawValue)\(place.reason.map { ", because \($0)" } ?? "")\n"
        }
        return text
    }
}

/// The states in the language of Graphviz.
enum GraphDOT {
    static func render(_ graphs: [StateGraph]) -> String {
        var text = "digraph lifecycle {\n  rankdir=LR;\n  node [shape=box, fontname=\"Helvetica\"];\n  edge [fontname=\"Helvetica\", fontsize=10];\n"
        for (number, graph) in graphs.enumerated() {
            text += "  subgraph cluster_\(number) {\n    label=\(quoted(graph.type));\n"
            for (index, state) in graph.states.enumerated() {
                text += "    s\(number)_\(index) [label=\(quoted(state.live.isEmpty ? state.name : "\(state.name)\n\(state.live)"))];\n"
            }
            for transition in graph.transitions {
                let label = transition.breaks.isEmpty ? transition.event : "\(transition.event)\n\(transition.breaks.joined(separator: "\n"))"
                let colour = transition.breaks.isEmpty ? "" : ", color=\"#c0392b\", fontcolor=\"#c0392b\""
                text += "    s\(number)_\(transition.from) -> s\(number)_\(transition.to) [label=\(quoted(label))\(colour)];\n"
            }
            text += "  }\n"
        }
        return text + "}\n"
    }

    private static func quoted(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n") + "\""
    }
}
