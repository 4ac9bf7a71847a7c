import Replay
import RuleLibrary

/// Whether something goes wrong whatever the undecided conditions are: the lives of one sequence of events are followed on all of their ways at
/// once, those that meet in one store as one, and none may get through without it.
struct Inevitability {
    /// What the ways of one sequence of events show of a violation.
    enum Answer {
        /// All of them show it.
        case holds
        /// One gets through without it.
        case spared
        /// There are more than the bounds let it follow, or one was cut short.
        case open
    }

    private let runs: ClassRuns
    private let widening: Widening
    private var ways: Ways
    /// How many lives may be told apart after one event.
    private static let mostLives = 200
    /// How many statements may be run for one class.
    private static let mostSteps = 20_000

    /// Follows all of the runs, or only what their own code does with what the subject is about.
    init(_ subject: Replay.Subject, isNarrow: Bool = false, bounds: SimulationBounds, tellingBodies: Set<BodyPlace>) {
        runs = isNarrow ? subject.runs.narrowed : subject.runs.widened
        widening = Widening(keepsAnswers: true, tellingBodies: tellingBodies, fault: nil)
        ways = Ways(widening: widening, most: bounds.mostWays)
    }

    /// Whether every life of the sequence shows the violation.
    mutating func answer(for violation: Violation, along events: [Automaton.Transition]) -> Answer {
        let isMadeByNib = events.contains { $0.needs == "made_by_nib" }
        guard let made = spared(by: violation, ways.born(runs, isMadeByNib: isMadeByNib, mostSteps: Self.mostSteps)) else { return .open }
        var lives = made.map(\.life)
        for transition in events {
            var stores: Set<Fingerprint> = []
            var next: [Life] = []
            for life in lives {
                guard let found = spared(by: violation, ways.live(runs, transition, after: life, mostSteps: Self.mostSteps)) else { return .open }
                next += found.filter { stores.insert($0.fingerprint).inserted }.map(\.life)
                guard next.count <= Self.mostLives else { return .open }
            }
            lives = next
        }
        return lives.isEmpty ? .holds : .spared
    }

    /// The lives that went on without the violation, widened; nil where not all of them are known.
    private func spared(by violation: Violation, _ found: (results: [Ways.Result], shortfall: Exploration.Shortfall?)) -> [(life: Life, fingerprint: Fingerprint)]? {
        guard found.shortfall == nil, !found.results.contains(where: { $0.life.machine.world.isCutShort }) else { return nil }
        return found.results.filter { $0.isFinished && !$0.life.machine.world.shows(violation) }.map { widening.widened($0.life) }
    }
}
