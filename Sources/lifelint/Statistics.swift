import Findings
import Foundation
import ProgramModel

/// What `--stats` writes: counts and times, which are no part of the report.
struct Statistics: Encodable {
    let files: Int
    let lines: Int
    let types: Int
    let statements: Int
    /// Statements that could not be lowered, by reason.
    let opaque: [String: Int]
    /// The messages that Objective-C bodies send, by the tokens, and how many of them libclang lost.
    let messages: Int
    let lostMessages: Int
    let findingsByRule: [String: Int]
    /// Wall time of each step in seconds.
    let seconds: [String: Double]

    init(_ program: Program, _ report: Report, seconds: [String: Double]) {
        var statements = 0
        var opaque: [String: Int] = [:]
        func visit(_ body: Body) {
            statements += body.statementCount
            body.block.forEachStatement { statement in
                switch statement.kind {
                case .opaque(let part): opaque[part.reason, default: 0] += 1
                // Values of these kinds are not understood any better.
                case .compute(_, .other(let kind), _): opaque["value: \(kind)", default: 0] += 1
                default: break
                }
            }
        }
        for file in program.files {
            for member in file.facts.types.flatMap(\.members) + file.facts.members { member.bodies.forEach { visit($0.body) } }
            if let body = file.facts.topLevel { visit(body) }
        }
        files = program.files.count
        lines = program.files.reduce(0) { $0 + $1.facts.lineCount }
        types = program.types.count
        self.statements = statements
        self.opaque = opaque
        messages = program.files.reduce(0) { $0 + $1.facts.messageCount }
        lostMessages = program.files.reduce(0) { $0 + $1.facts.lostMessageCount }
        findingsByRule = Dictionary(report.findings.map { ($0.finding.rule, 1) }, uniquingKeysWith: +)
        self.seconds = seconds
    }
}
