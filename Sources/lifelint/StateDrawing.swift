import Analysis
import Findings
import ProgramModel
import Reporters
import Simulation

/// The forms of the states that `simulate` shows.
enum GraphForm: String, CaseIterable {
    case text, dot, html

    func render(_ drawings: [StateDrawing]) throws(Command.Failure) -> String {
        drawings.map { drawing in
            switch self {
            case .text: StateText.render(drawing)
            case .dot: StateText.render(drawing)
            case .html: StateText.render(drawing)
            }
        }.joined(separator: "\n")
    }
}

/// The states of one class with what was found in it, for the eye.
struct StateDrawing {
    let type: String
    let graph: StateGraph
    let states: Int
    let findings: [Finding]
    let verdicts: [Simulation.Verdict]

    init(_ type: TypeID, _ study: Simulation.Study, in program: Program) {
        self.type = program[type].name
        graph = study.graph
        states = study.states
        findings = study.findings
        verdicts = study.verdicts
    }
}

/// The states as text: each with what lives in it, the events that lead on, and the rules that they break.
enum StateText {
    static func render(_ drawing: StateDrawing) -> String {
        let graph = drawing.graph
        guard !graph.states.isEmpty else { return "\(drawing.type): nothing that it does is watched\n" }
        var text = "\(drawing.type): \(drawing.states) states of lifecycle and store, drawn as \(graph.states.count)\n"
        for (index, state) in graph.states.enumerated() {
            text += "\(index + 1) \(state.name)\(state.live.isEmpty ? "" : " (\(state.live))")\(state.count > 1 ? "  ×\(state.count)" : "")\n"
            for transition in graph.transitions where transition.from == index {
                let breaks = transition.breaks.isEmpty ? "" : "  breaks \(transition.breaks.joined(separator: ", "))"
                text += "    \(transition.event) → \(transition.to + 1)\(breaks)\n"
            }
        }
        return text
    }
}
