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
    /// What became of the places that acquire something, by family.
    let sites: [String: Sites]
    /// The states of the simulated classes: how many classes, how many states in all, the most of one class, and how many classes
    /// have fewer than 2,000.
    let states: States
    /// Wall time of each step in seconds.
    let seconds: [String: Double]

    /// The counts of one family.
    struct Sites: Encodable {
        let watched: Int
        let confirmed: Int
        let likely: Int
        let refuted: Int
        let unconfirmed: [String: Int]
    }

    /// The sizes of the simulations.
    struct States: Encodable {
        let classes: Int
        let all: Int
        let most: Int
        let classesBelow2000: Int
    }

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
        sites = report.sites.mapValues {
            Sites(watched: $0.watched, confirmed: $0.confirmed, likely: $0.likely, refuted: $0.refuted, unconfirmed: $0.unconfirmed)
        }
        states = States(
            classes: report.statesOfClasses.count, all: report.statesOfClasses.reduce(0, +), most: report.statesOfClasses.max() ?? 0,
            classesBelow2000: report.statesOfClasses.count { $0 < 2_000 })
        self.seconds = seconds
    }
}
