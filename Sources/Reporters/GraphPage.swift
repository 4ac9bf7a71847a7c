import Findings

/// The states as one page that needs nothing else: the graph, each finding's run to step through, and its lines lit up.
enum GraphPage {
    static func render(_ graphs: [StateGraph], lines: [String: [String]]) -> String {
        let title = graphs.map(\.type).joined(separator: ", ")
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <title>\(escaped(title)) - lifelint</title>
            <style>\(style)</style>
            </head>
            <body>
            \(graphs.map { section($0, lines) }.joined(separator: "\n"))
            <script>\(script)</script>
            </body>
            </html>

            """
    }

    private static func section(_ graph: StateGraph, _ lines: [String: [String]]) -> String {
        let summary = graph.states.isEmpty ? "Nothing that it does is watched." : "\(graph.count) states of lifecycle and store, drawn as \(graph.states.count)."
        let shortfall = graph.shortfall.map { " Not all of them: \($0)." } ?? ""
        return """
            <section>
            <h1>\(escaped(graph.type))</h1>
            <p>\(escaped(summary + shortfall))</p>
            <div class="graph">\(drawing(graph))</div>
            \(graph.findings.map { finding($0, lines) }.joined(separator: "\n"))
            </section>
            """
    }

    // MARK: The graph

    private static let width = 190, height = 54, columnGap = 110, rowGap = 46

    /// States in columns by the length of the shortest run that leads to them.
    private static func drawing(_ graph: StateGraph) -> String {
        var rows: [Int: Int] = [:]
        let places = graph.states.map { state -> (x: Int, y: Int) in
            let column = state.run.count
            defer { rows[column, default: 0] += 1 }
            return (20 + column * (width + columnGap), 30 + rows[column, default: 0] * (height + rowGap))
        }
        let right = (places.map(\.x).max() ?? 0) + width + 40
        let bottom = (places.map(\.y).max() ?? 0) + height + 60
        var svg = "<svg viewBox=\"0 0 \(right) \(bottom)\" width=\"\(right)\" height=\"\(bottom)\" role=\"img\" aria-label=\"states\">"
        svg += "<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0 8 4 0 8z\"/></marker></defs>"
        var links: [[Int]: [StateGraph.Transition]] = [:]
        for transition in graph.transitions { links[[transition.from, transition.to], default: []].append(transition) }
        for (ends, transitions) in links.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            svg += link(from: places[ends[0]], to: places[ends[1]], isLoop: ends[0] == ends[1], transitions)
        }
        for (index, state) in graph.states.enumerated() {
            let (x, y) = places[index]
            svg += "<g class=\"state\"><title>\(escaped(state.run.joined(separator: " → ")))</title><rect x=\"\(x)\" y=\"\(y)\" width=\"\(width)\" height=\"\(height)\" rx=\"8\"/>"
            svg += "<text x=\"\(x + width / 2)\" y=\"\(y + 22)\" class=\"name\">\(escaped(state.name))</text>"
            svg += "<text x=\"\(x + width / 2)\" y=\"\(y + 40)\" class=\"live\">\(escaped(shortened(state.live)))</text></g>"
        }
        return svg + "</svg>"
    }

    private static func link(from: (x: Int, y: Int), to: (x: Int, y: Int), isLoop: Bool, _ transitions: [StateGraph.Transition]) -> String {
        let isBad = transitions.contains { !$0.breaks.isEmpty }
        let label = transitions.map(\.event).joined(separator: ", ")
        let detail = transitions.map { $0.breaks.isEmpty ? $0.event : "\($0.event) breaks \($0.breaks.joined(separator: ", "))" }.joined(separator: "\n")
        let path: String
        let middle: (x: Int, y: Int)
        if isLoop {
            path = "M\(from.x + 40) \(from.y) c-10 -28 50 -28 40 0"
            middle = (from.x + 60, from.y - 18)
        } else if from.x < to.x {
            let (x1, y1, x2, y2) = (from.x + width, from.y + height / 2, to.x, to.y + height / 2)
            path = "M\(x1) \(y1) C\((x1 + x2) / 2) \(y1) \((x1 + x2) / 2) \(y2) \(x2) \(y2)"
            middle = ((x1 + x2) / 2, (y1 + y2) / 2 - 4)
        } else {
            let (x1, y1, x2, y2) = (from.x + width / 2, from.y + height, to.x + width / 2, to.y + height)
            path = "M\(x1) \(y1) C\(x1) \(y1 + 40) \(x2) \(y2 + 40) \(x2) \(y2)"
            middle = ((x1 + x2) / 2, max(y1, y2) + 32)
        }
        return "<g class=\"link\(isBad ? " bad" : "")\"><title>\(escaped(detail))</title><path d=\"\(path)\" marker-end=\"url(#tip)\"/>"
            + "<text x=\"\(middle.x)\" y=\"\(middle.y)\">\(escaped(shortened(label)))</text></g>"
    }

    /// What fits into a box; the whole stands in its title.
    private static func shortened(_ text: String) -> String { text.count > 30 ? text.prefix(29) + "…" : text }

    // MARK: The runs

    private static func finding(_ finding: Finding, _ lines: [String: [String]]) -> String {
        let steps = finding.trace.enumerated().map { index, step in
            let source = lines[step.path].flatMap { step.line > 0 && step.line <= $0.count ? $0[step.line - 1] : nil }
            let place = step.path.isEmpty ? "" : "<code class=\"place\">\(escaped(step.path)):\(step.line)</code>"
            let code = source.map { "<pre>\(escaped($0.trimmingPrefix { $0.isWhitespace }))</pre>" } ?? ""
            return "<li\(index == 0 ? " class=\"lit\"" : "")><b>\(escaped(step.event))</b> \(escaped(step.note)) \(place)\(code)</li>"
        }
        let assumptions = finding.assumptions.map { "<li>assuming \(escaped($0.text)) <code>\(escaped($0.path)):\($0.line)</code></li>" }
        return """
            <article>
            <h2>\(escaped(finding.message))</h2>
            <p><code>\(escaped(finding.path)):\(finding.span.start.line)</code> \(finding.rule), \(finding.severity.rawValue), \(finding.status.rawValue)</p>
            <p class="controls"><button type="button" data-step="-1">Back</button> <button type="button" data-step="1">Next step</button></p>
            <ol>\(steps.joined())</ol>
            \(assumptions.isEmpty ? "" : "<ul>\(assumptions.joined())</ul>")
            </article>
            """
    }

    private static func escaped(_ text: some StringProtocol) -> String {
        String(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing("\"", with: "&quot;")
    }

    private static let style = """
        body{font:15px/1.45 system-ui,sans-serif;margin:2rem;color:#1c2733;background:#fff}h1{font-size:1.4rem}h2{font-size:1.05rem;margin:0}
        .graph{overflow:auto;border:1px solid #d5dbe1;border-radius:8px;background:#f8fafb}.state rect{fill:#fff;stroke:#5d7285}text{font-size:12px;text-anchor:middle;fill:#1c2733}
        .name{font-weight:600}.live{font-size:11px;fill:#4a5b6b}.link path{fill:none;stroke:#8b9aa8}.link text{font-size:11px;fill:#4a5b6b}marker path{fill:#8b9aa8;stroke:none}
        .bad path{stroke:#c0392b;stroke-width:2}.bad text{fill:#c0392b;font-weight:600}article{border:1px solid #d5dbe1;border-radius:8px;padding:1rem;margin:1rem 0}
        li{padding:.2rem .5rem;border-left:3px solid transparent}li.lit{background:#fff6d6;border-color:#e0a800}pre{margin:.2rem 0;padding:.3rem .6rem;background:#f1f4f6;overflow:auto}
        .place{color:#4a5b6b}button{font:inherit;padding:.2rem .8rem}
        """

    private static let script = """
        document.querySelectorAll('article').forEach(function(a){var steps=a.querySelectorAll('ol li'),at=0;
        a.querySelectorAll('button').forEach(function(b){b.addEventListener('click',function(){if(!steps.length)return;steps[at].classList.remove('lit');
        at=Math.min(steps.length-1,Math.max(0,at+Number(b.dataset.step)));steps[at].classList.add('lit');steps[at].scrollIntoView({block:'nearest'});});});});
        """
}
