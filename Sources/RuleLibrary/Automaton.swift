/// Which events may follow which, for one kind of object.
public final class Automaton: Sendable {
    /// One event that leads from some states to another.
    public struct Transition: Sendable {
        public let event: String
        /// The states in which the event can happen.
        public let from: [String]
        /// The state after it; nil when the event leaves the state as it is.
        public let to: String?
        /// The methods that Cocoa calls by it, full Swift names, in order.
        public let calls: [String]
        /// What the program must show for the event to be possible.
        public let needs: String?
        /// Whether the event happens at most once in a life.
        public let isOnce: Bool
        /// Whether the event is not certain enough to confirm anything.
        public let isLikelyOnly: Bool
        public let source: String

        /// Whether the event is a way back that people take now and then: what only such runs show is hygiene.
        public let isRare: Bool
        /// Whether code outside calls the method, and not Cocoa.
        public let isFromOutside: Bool

        /// The property that a call from outside by this name sets, `set name`; nil for calls of methods.
        public static func property(setBy call: String) -> String? { call.hasPrefix("set ") ? String(call.dropFirst("set ".count)) : nil }

        /// The event that code outside calls a method, or sets a property; it can happen in any state.
        public static func outsideCall(of method: String) -> Transition {
            Transition(
                event: property(setBy: method).map { "outside setting of \($0)" } ?? "outside call of \(method)", from: [], to: nil, calls: [method], needs: nil,
                isOnce: false, isLikelyOnly: true, source: "", isRare: false, isFromOutside: true)
        }

        /// The event that code outside calls a method by which an event of the automaton happens.
        public static func outsideCall(of method: String, as event: Transition) -> Transition {
            Transition(
                event: "outside call of \(method)", from: event.from, to: event.to, calls: [method] + event.calls, needs: event.needs, isOnce: event.isOnce,
                isLikelyOnly: true, source: event.source, isRare: event.isRare, isFromOutside: true)
        }
    }

    public let name: String
    /// The classes and protocols whose objects live by it; empty for any other object.
    public let classes: [String]
    public let start: String
    /// The events that lead through the states; others only matter where the class has code for them.
    public let backbone: Set<String>
    /// The event by which the object comes into use, and the one by which it goes out of it; nil where there are none.
    public let shown: String?
    public let hidden: String?
    /// The event by which code outside tells the object what to show, before each use; nil where nobody does.
    public let prepared: String?
    /// The properties that say while the object goes out of use that it goes for good.
    public let leaving: Set<String>
    /// The properties that say while the object comes into use that it does so for the first time, and not back from under something.
    public let arriving: Set<String>
    public let transitions: [Transition]

    /// Every state, the first one first, in order of the text.
    public var states: [String] {
        var states = [start]
        for state in transitions.flatMap({ $0.from + [$0.to].compactMap { $0 } }) where !states.contains(state) { states.append(state) }
        return states
    }

    /// Whether an event can happen twice to one object: some way without rare events leads back to a state in which it happens.
    public func canComeAgain(_ transition: Transition) -> Bool {
        guard !transition.isOnce, transition.event != "release" else { return false }
        guard let target = transition.to else { return true }
        var (open, seen) = ([target], Set([target]))
        while let state = open.popLast() {
            if transition.from.isEmpty || transition.from.contains(state) { return true }
            for next in transitions where !next.isRare && (next.from.isEmpty || next.from.contains(state)) {
                if let target = next.to, seen.insert(target).inserted { open.append(target) }
            }
        }
        return false
    }

    /// Whether between two calls of a method by Cocoa there is always one of another, rare events left out; both by their full names.
    public func calls(_ other: String, betweenCallsOf method: String) -> Bool {
        let calling = transitions.filter { $0.calls.contains(method) }
        guard !calling.isEmpty, transitions.contains(where: { $0.calls.contains(other) }) else { return false }
        // Without the other, nothing leads from one call to the next.
        let rest = transitions.filter { !$0.isRare && !$0.calls.contains(other) }
        var open = calling.flatMap { one in one.to.map { [$0] } ?? one.from }
        var seen = Set(open)
        while let state = open.popLast() {
            if calling.contains(where: { !$0.isRare && $0.from.contains(state) }) { return false }
            for next in rest where next.from.contains(state) { if let target = next.to, seen.insert(target).inserted { open.append(target) } }
        }
        return true
    }

    init(_ reader: RecordReader) throws(RuleDataError) {
        var reader = reader
        name = try reader.text("automaton")
        classes = try reader.texts("classes")
        start = try reader.text("start")
        let backbone = try reader.texts("backbone")
        self.backbone = Set(backbone)
        shown = try reader.optionalText("shown")
        hidden = try reader.optionalText("hidden")
        prepared = try reader.optionalText("prepared")
        leaving = Set(try reader.texts("leaving"))
        arriving = Set(try reader.texts("arriving"))
        _ = try reader.text("source")
        var transitions: [Transition] = []
        for record in try reader.records("transitions", name: "a transition") {
            var record = record
            let to = try record.text("to")
            transitions.append(Transition(
                event: try record.text("event"), from: try record.texts("from"), to: to == "same" ? nil : to, calls: try record.texts("calls"),
                needs: try record.optionalText("needs"), isOnce: try record.boolean("once", default: false),
                isLikelyOnly: try record.boolean("likely", default: false), source: try record.text("source"),
                isRare: try record.boolean("rare", default: false), isFromOutside: false))
            try record.finish()
        }
        self.transitions = transitions
        try reader.finish()
        try check(reader.file)
    }

    /// Refuses what contradicts itself: two events of one name in one state, states that nothing leads to, no event at all.
    private func check(_ file: String) throws(RuleDataError) {
        guard !transitions.isEmpty else { throw RuleDataError(file: file, line: 1, key: "transitions", message: "must hold at least one event") }
        let events = Set(transitions.map(\.event))
        for (key, names) in [("backbone", backbone.sorted()), ("shown", [shown].compactMap { $0 }), ("hidden", [hidden].compactMap { $0 }), ("prepared", [prepared].compactMap { $0 })] {
            if let lost = names.first(where: { !events.contains($0) }) {
                throw RuleDataError(file: file, line: 1, key: key, message: "names the event '\(lost)', which no transition has")
            }
        }
        var seen: Set<String> = []
        for transition in transitions {
            guard !transition.from.isEmpty else {
                throw RuleDataError(file: file, line: 1, key: "transitions", message: "the event '\(transition.event)' starts in no state")
            }
            for state in transition.from where !seen.insert("\(transition.event) in \(state)").inserted {
                throw RuleDataError(file: file, line: 1, key: "transitions", message: "the event '\(transition.event)' stands twice for the state '\(state)'")
            }
        }
        var reached: Set<String> = [start]
        var grew = true
        while grew {
            let next = transitions.filter { !reached.isDisjoint(with: $0.from) }.compactMap(\.to)
            grew = !reached.isSuperset(of: next)
            reached.formUnion(next)
        }
        if let lost = states.first(where: { !reached.contains($0) }) {
            throw RuleDataError(file: file, line: 1, key: "transitions", message: "no event leads to the state '\(lost)'")
        }
    }
}
