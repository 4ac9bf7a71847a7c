/// The choices that are still to be run for one sequence of events: those that lead where no run has been come first.
struct PendingChoices {
    /// One way of going on at a question of the code.
    struct Way: Hashable, Sendable {
        let fork: Choices.Fork
        let outcome: Bool
    }

    /// Which choices are worth a run.
    enum Wanted {
        case any
        /// Only those that go a way that matters and that is not among these.
        case new(Set<Way>)
    }

    private var pending: [(given: [Bool], way: Way?)] = [([], nil)]
    /// The ways that runs have gone.
    private(set) var seen: Set<Way> = []

    var isEmpty: Bool { pending.isEmpty }

    /// Takes the next choices: the earliest that go a new way that matters, else the last.
    mutating func next(_ wanted: Wanted) -> [Bool]? {
        var known = seen
        if case .new(let elsewhere) = wanted { known.formUnion(elsewhere) }
        let new = pending.firstIndex { $0.way.map { $0.fork.matters && !known.contains($0) } ?? true }
        if let new { return pending.remove(at: new).given }
        guard case .any = wanted else { return nil }
        return pending.popLast()?.given
    }

    /// Adds, for each question that a run answered by itself, the other answer.
    mutating func add(_ choices: Choices, after given: Int) {
        for (fork, outcome) in zip(choices.asked, choices.taken) { seen.insert(Way(fork: fork, outcome: outcome)) }
        for index in given..<max(given, choices.taken.count) {
            let way = Way(fork: choices.asked[index], outcome: !choices.taken[index])
            pending.append((Array(choices.taken[..<index]) + [!choices.taken[index]], way))
        }
    }
}
