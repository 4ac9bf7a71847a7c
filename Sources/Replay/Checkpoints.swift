import RuleLibrary

/// States between the events of runs: sequences that begin with the same events and the same outcomes run their beginning once.
package struct Checkpoints {
    private struct Key: Hashable {
        let events: [String]
        let isMadeByNib: Bool

        init(_ sequence: [Automaton.Transition], _ done: Int) {
            events = sequence[..<done].map(\.event)
            isMadeByNib = sequence.contains { $0.needs == "made_by_nib" }
        }
    }

    /// What is kept at most, so that memory is bounded however many runs a class has.
    private static let mostStates = 192

    package init() {}

    private var states: [Key: [Life]] = [:]
    private var count = 0

    /// Keeps a state for other runs.
    mutating func keep(_ state: Life, of sequence: [Automaton.Transition]) {
        guard count < Self.mostStates else { return }
        let key = Key(sequence, state.done)
        let taken = state.machine.choices.taken
        guard !states[key, default: []].contains(where: { $0.machine.choices.taken == taken }) else { return }
        states[key, default: []].append(state)
        count += 1
    }

    /// The last state at which a run with these outcomes stands, too.
    func latest(of sequence: [Automaton.Transition], given: [Bool]) -> Life? {
        for done in stride(from: sequence.count - 1, through: 0, by: -1) {
            let found = states[Key(sequence, done)]?.first { state in
                // What is not given has the outcome true.
                state.machine.choices.taken.enumerated().allSatisfy { $1 == ($0 < given.count ? given[$0] : true) }
            }
            if var found {
                found.machine.choices.resume(given: given)
                return found
            }
        }
        return nil
    }
}
