import Replay
import RuleLibrary

/// Follows one event on all of its ways: each undecided condition to both of its outcomes, and those that differ in nothing that tells as one.
struct Ways {
    /// A life after the event, and whether it came through it.
    typealias Result = (life: Life, isFinished: Bool)

    private let widening: Widening
    private let most: Int
    /// The statements that led to questions, by themselves or by what they run.
    private var asking: Set<BodyPlace> = []
    /// How many statements were run.
    private(set) var steps = 0

    /// `most` is the number of ways through one event that are followed.
    init(widening: Widening, most: Int) {
        (self.widening, self.most) = (widening, most)
    }

    /// The lives after the object was made, and why there may be others.
    mutating func born(_ runs: ClassRuns, isMadeByNib: Bool, mostSteps: Int) -> (results: [Result], shortfall: Exploration.Shortfall?) {
        follow(mostSteps: mostSteps) { given, confluence in runs.born(isMadeByNib: isMadeByNib, given: given, confluence) }
    }

    /// The lives after one more event, and why there may be others.
    mutating func live(
        _ runs: ClassRuns, _ transition: Automaton.Transition, after life: Life, mostSteps: Int
    ) -> (results: [Result], shortfall: Exploration.Shortfall?) {
        follow(mostSteps: mostSteps) { given, confluence in
            var next = life
            next.machine.confluence = confluence
            let isFinished = runs.live(transition, given: given, &next)
            return (next, isFinished)
        }
    }

    private mutating func follow(
        mostSteps: Int, _ run: (_ given: [Bool], _ confluence: Confluence) -> Result
    ) -> (results: [Result], shortfall: Exploration.Shortfall?) {
        var confluence = confluence(mostSteps)
        var pending: [[Bool]] = [[]]
        var results: [Result] = []
        var count = 0
        while let given = pending.popLast() {
            count += 1
            guard count <= most, steps <= mostSteps else { return (results, count > most ? .ways : .steps) }
            let before = confluence.steps
            let result = run(given, confluence)
            steps += confluence.steps - before
            if learns(from: confluence), given.isEmpty {
                // What asks is followed on each of its ways, all of them from the start.
                confluence = self.confluence(mostSteps)
                (pending, count) = ([[]], 0)
                continue
            }
            pending += Self.others(than: result.life, after: given.count)
            results.append(result)
        }
        return (results, nil)
    }

    /// Where the ways through the next event meet.
    private func confluence(_ mostSteps: Int) -> Confluence {
        Confluence(asking: asking, mostSteps: max(0, mostSteps - steps) / 2) { [widening] in widening.tell($0, $1, $2).words }
    }

    /// Remembers which statements ask; whether some were not known to.
    private mutating func learns(from confluence: Confluence) -> Bool {
        let before = asking.count
        asking.formUnion(confluence.found)
        return asking.count > before
    }

    /// For each question that a run answered by itself, the other answer.
    private static func others(than life: Life, after given: Int) -> [[Bool]] {
        let taken = life.machine.choices.taken
        guard given < taken.count else { return [] }
        return (given..<taken.count).map { Array(taken[..<$0]) + [!taken[$0]] }
    }
}
