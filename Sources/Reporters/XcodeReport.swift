import Findings

/// The report for Xcode's issue navigator: one line a finding, nothing else.
enum XcodeReport {
    static func render(_ report: Report) -> String {
        report.findings.map { _, finding in
            "\(finding.path):\(finding.span.start.line):\(finding.span.start.column): \(finding.severity.rawValue): \(finding.message) (\(finding.rule))\n"
        }.joined()
    }
}
