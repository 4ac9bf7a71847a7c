import RuleLibrary

/// A run of an automaton: which events happened, and where that leads.
public struct AutomatonRun: Hashable, Sendable {
    /// The state after the events.
    public private(set) var state: String
    public private(set) var events: [String]

    /// The run in which nothing has happened yet.
    public init(_ automaton: Automaton) {
        state = automaton.start
        events = []
    }

    /// The run with one more event; nil when the automaton refuses it here, or the program shows no evidence for it.
    public func after(_ event: String, of automaton: Automaton, evidence: Set<String>) -> AutomatonRun? {
        guard let transition = automaton.transitions.first(where: { $0.event == event && $0.from.contains(state) }) else { return nil }
        return after(transition, evidence: evidence)
    }

    func after(_ transition: Automaton.Transition, evidence: Set<String>) -> AutomatonRun? {
        guard transition.from.contains(state), transition.needs.map(evidence.contains) ?? true,
              !transition.isOnce || !events.contains(transition.event) else { return nil }
        var next = self
        next.state = transition.to ?? state
        next.events.append(transition.event)
        return next
    }
}

extension Automaton {
    /// Whether the events can follow one another from the start.
    public func accepts(_ events: [String], evidence: Set<String> = []) -> Bool {
        var run = AutomatonRun(self)
        for event in events {
            guard let next = run.after(event, of: self, evidence: evidence) else { return false }
            run = next
        }
        return true
    }

    /// Whether an object that overrides exactly the `observed` methods can see these calls, and no other of them between.
    public func accepts(calls: [String], observed: Set<String>, evidence: Set<String> = []) -> Bool {
        var frontier: [(run: AutomatonRun, position: Int)] = [(AutomatonRun(self), 0)]
        // The state and the position in the calls tell all that matters, so each pair is followed once.
        var seen: Set<[String]> = []
        while let (run, position) = frontier.popLast() {
            if position == calls.count { return true }
            for transition in transitions {
                guard let next = run.after(transition, evidence: evidence) else { continue }
                let made = transition.calls.filter(observed.contains)
                guard calls[position...].starts(with: made) else { continue }
                let reached = position + made.count
                if seen.insert([next.state, String(reached)]).inserted { frontier.append((next, reached)) }
            }
        }
        return false
    }

    /// The sequences of the included events, shortest first and in order of the automaton's text, within the bounds.
    public func sequences(within bounds: SequenceBounds, evidence: Set<String> = [], including: (Transition) -> Bool = { _ in true }) -> [[Transition]] {
        var found: [[Transition]] = []
        var level: [(run: AutomatonRun, path: [Transition])] = [(AutomatonRun(self), [])]
        while !level.isEmpty, found.count < bounds.mostSequences {
            var next: [(run: AutomatonRun, path: [Transition])] = []
            for (run, path) in level {
                for transition in transitions {
                    guard path.count < bounds.longest, including(transition), let after = run.after(transition, evidence: evidence),
                          after.events.count(where: { $0 == transition.event }) <= bounds.most(transition) else { continue }
                    next.append((after, path + [transition]))
                }
            }
            found += next.map(\.path)
            level = next
        }
        return Array(found.prefix(bounds.mostSequences))
    }
}

/// How far sequences of events are enumerated.  Source of the defaults: LIFECYCLE-FACTS, sections 8 and 9.
public struct SequenceBounds: Sendable {
    /// The most events in a sequence.
    public let longest: Int
    /// The most sequences.
    public let mostSequences: Int
    /// How often an event may happen, by name; others twice.
    public let mostOfEvent: [String: Int]

    /// Makes bounds.
    public init(longest: Int = 12, mostSequences: Int = 4_000, mostOfEvent: [String: Int] = Self.rounds) {
        self.longest = longest
        self.mostSequences = mostSequences
        self.mostOfEvent = mostOfEvent
    }

    /// Two full appearances, one cancelled transition of each kind, one sheet, a layout burst of two, one memory warning.
    public static let rounds = [
        "load": 1, "unload": 1, "appearance_cancelled": 1, "disappearance_cancelled": 1, "covered_by_sheet": 1, "memory_warning": 1,
        "size_change": 1, "window_gone": 1, "release": 1, "awake": 1,
        // A window that was closed mostly is not shown again.
        "show": 1,
    ]

    func most(_ transition: Automaton.Transition) -> Int { mostOfEvent[transition.event] ?? 2 }
}
