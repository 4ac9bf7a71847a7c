import Findings

/// The report for people: the compiler's form, the trace indented under it, a summary at the end.
enum TextReport {
    static func render(_ report: Report, style: TextStyle) -> String {
        var text = ""
        for (_, finding) in report.findings {
            text += line(finding, style) + "\n"
            for (index, step) in finding.trace.enumerated() {
                let place = step.path.isEmpty ? "" : "\(step.path):\(step.line)  "
                text += "    \(index + 1). \(step.event)  \(place)\(step.note)\n"
            }
            for assumption in finding.assumptions {
                text += "    assuming \(assumption.text)  \(assumption.path):\(assumption.line)\n"
            }
        }
        guard !style.isQuiet else { return text }
        for problem in report.problems { text += "\(problem.path): note: \(problem.message)\n" }
        return text + summary(report) + "\n"
    }

    private static func line(_ finding: Finding, _ style: TextStyle) -> String {
        let place = "\(finding.path):\(finding.span.start.line):\(finding.span.start.column):"
        let status = finding.status == .static ? "" : ", \(finding.status.rawValue)"
        let word = style.isColoured ? colour(finding.severity) + finding.severity.rawValue + ":\u{1B}[0m" : finding.severity.rawValue + ":"
        return "\(style.isColoured ? "\u{1B}[1m\(place)\u{1B}[0m" : place) \(word) \(finding.message) (\(finding.rule)\(status))"
    }

    private static func colour(_ severity: Severity) -> String {
        switch severity {
        case .error: "\u{1B}[1;31m"
        case .warning: "\u{1B}[1;33m"
        case .note: "\u{1B}[1;36m"
        }
    }

    private static func summary(_ report: Report) -> String {
        func counted(_ count: Int, _ word: String) -> String { "\(count) \(word)\(count == 1 ? "" : "s")" }
        let found = Severity.allCases.map { counted(report.count($0), $0.rawValue) }.joined(separator: ", ")
        var text = "\(found) in \(counted(report.fileCount, "file"))"
        if !report.problems.isEmpty { text += "; \(counted(report.problems.count, "input")) could not be read" }
        return text
    }
}
