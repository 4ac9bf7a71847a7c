/// How far a class is run.
public struct ReplayBounds: Sendable {
    public let sequences: SequenceBounds
    /// The most choices of undecided conditions for one sequence.
    public let mostChoices: Int
    /// The most of them for a sequence where each leads to code that no run has been in.
    public let mostChoicesForNew: Int
    /// The most of them for a sequence where something goes wrong whatever is chosen.
    public let mostChoicesToBeCertain: Int
    /// The most statements that are run for one class, but for one run of each sequence.
    public let mostSteps: Int
    /// The most methods of a class that are called from outside.
    public let mostOutsideMethods: Int

    /// Makes bounds.
    public init(
        sequences: SequenceBounds = SequenceBounds(longest: 10, mostSequences: 300), mostChoices: Int = 8,
        mostChoicesForNew: Int = 48, mostChoicesToBeCertain: Int = 256, mostSteps: Int = 100_000, mostOutsideMethods: Int = 24
    ) {
        self.sequences = sequences
        self.mostChoices = mostChoices
        self.mostChoicesForNew = mostChoicesForNew
        self.mostChoicesToBeCertain = mostChoicesToBeCertain
        self.mostSteps = mostSteps
        self.mostOutsideMethods = mostOutsideMethods
    }
}
