import ProgramModel
import Replay
import RuleLibrary

/// How far a class is explored.
public struct SimulationBounds: Sendable {
    /// The most states of one class.
    public let mostStates: Int
    /// From how many states on it is forgotten what undecided conditions were, so that fewer states are told apart.
    public let mostStatesWithAnswers: Int
    /// The most statements that are run for one class.
    public let mostSteps: Int
    /// The most statements that are run for what one method does that code outside calls.
    public let mostStepsOfMethod: Int
    /// The most statements that are run for the methods of one class that code outside calls, but for the last of them.
    public let mostStepsOfMethods: Int
    /// The most ways through one event.
    public let mostWays: Int

    /// Makes bounds.
    public init(
        mostStates: Int = 20_000, mostStatesWithAnswers: Int = 600, mostSteps: Int = 20_000, mostStepsOfMethod: Int = 5_000,
        mostStepsOfMethods: Int = 40_000, mostWays: Int = 64
    ) {
        self.mostStates = mostStates
        self.mostStatesWithAnswers = mostStatesWithAnswers
        self.mostSteps = mostSteps
        self.mostStepsOfMethod = mostStepsOfMethod
        self.mostStepsOfMethods = mostStepsOfMethods
        self.mostWays = mostWays
    }
}

/// The states that an object of a class can reach: a state of its lifecycle with a widened store; found shortest run first, each
/// once, until nothing new happens.
struct Exploration {
    /// One state with the way to it.
    struct Node {
        /// The state of the lifecycle.
        let state: String
        /// The life at that state; nil once its successors are known.
        var life: Life?
        /// The state before it and the event that led here; nil for the first ones.
        let parent: Int?
        let transition: Automaton.Transition?
        /// Events that happen once in a life and have happened.
        let once: Set<String>
        /// Whether the object was made by a nib, and whether runs go on after nil is unwrapped.
        let isMadeByNib: Bool
        let isLenient: Bool
        /// How often the method that code outside calls was called, many being two; by turns with another, whether that was the last.
        let calls: Int
        /// What lives, for people: the titles of live registrations with their counts.
        let summary: String
        let isEnd: Bool
    }

    /// One event that leads from a state to another.
    struct Edge: Hashable {
        let from: Int
        let to: Int
        let event: String
        let violations: [String]
    }

    /// A violation with the runs that show it: the events of each, shortest first.
    struct Found {
        let violation: Violation
        var runs: [[Automaton.Transition]]
    }

    /// Why a state's successors are not all known.
    enum Shortfall: String, CaseIterable {
        case states = "there are too many states"
        case steps = "its code takes too many steps"
        case ways = "an event has too many ways through it"
        case cutShort = "a run was cut short"
        case callers = "too many methods may be called from outside"

        /// What they are called in verdicts.
        static let all = Set(allCases.map(\.rawValue))
    }

    /// The shortfalls that leave states unexplored.
    static let unfinished: Set<Shortfall> = [.states, .steps, .ways]

    private struct Key: Hashable {
        let state: String
        let once: Set<String>
        let isMadeByNib: Bool
        let isLenient: Bool
        let calls: Int
        let store: Fingerprint
    }

    private let subject: Replay.Subject
    private let runs: ClassRuns
    private let bounds: SimulationBounds
    private let widening: Widening
    private var known: [Key: Int] = [:]
    private(set) var nodes: [Node] = []
    private(set) var edges: Set<Edge> = []
    private(set) var found: [Found] = []
    private var foundIndex: [ViolationKey: Int] = [:]
    /// The places of violations that only a call from outside shows when the object has come back into use, or after a rare event.
    private(set) var doubted: Set<Site> = []
    /// The places of violations that only show if code outside calls a method again and again of which nobody knows whether it does.
    private(set) var shownByRepeats: Set<Site> = []
    /// The full names of methods that acquire something when code outside calls them.
    private var acquirers: Set<String> = []
    /// Whether the method that code outside calls acquired something, and nobody knows how often it is called.
    private var acquiredFromOutside = false
    /// Whether methods are called again and again of which nobody knows whether they are.
    private var triesRepeats = false
    /// Whether of what goes wrong only second releases are looked for.
    private var keepsAbsencesAlone = false
    private(set) var shortfalls: Set<Shortfall> = []
    /// What could not be followed of methods that code outside calls, by their full names.
    private(set) var shortfallsOfMethods: [String: Set<Shortfall>] = [:]
    /// The bodies that some run has entered.
    private(set) var entered: Set<BodyPlace> = []
    /// The places that acquired something in some run, with the families.
    private(set) var watched: [Watched] = []
    private var watchedIndex: [WatchedKey: Int] = [:]
    private var ways: Ways
    /// How many statements were run.
    var steps: Int { ways.steps }
    /// How many statements may be run until something is to be left out.
    private var mostSteps: Int
    /// Whether to go on where not everything can be explored.
    private let goesOn: Bool
    /// How much is followed and told apart.
    enum Depth {
        /// What was undecided stays as it was.
        case withAnswers
        /// It is forgotten between events what undecided conditions were, so that fewer states are told apart.
        case withoutAnswers
        /// The same, and only the object's own code is followed: enough to judge what that code acquires.
        case ownCode
    }

    /// A place that acquires something.
    struct Watched {
        let site: Site
        let family: String
        /// Whether code that the run does not see may release it.
        var isHandedOn = false
        /// Whether it is left at the end of some run, and code outside may end it.
        var isExcused = false
        /// Whether a method acquires it that code outside calls, nobody knows how often.
        var isOfOutsideCall = false
    }

    private struct WatchedKey: Hashable {
        let site: Site
        let family: String
    }

    private struct ViolationKey: Hashable {
        let rule: String
        let site: Site
    }

    init(_ subject: Replay.Subject, bounds: SimulationBounds, depth: Depth, tellingBodies: Set<BodyPlace>, goesOn: Bool, fault: Widening.Fault? = nil) {
        self.goesOn = goesOn
        self.subject = subject
        self.bounds = bounds
        mostSteps = bounds.mostSteps
        runs = depth == .ownCode ? subject.runs.narrowed : subject.runs.widened
        widening = Widening(keepsAnswers: depth == .withAnswers, tellingBodies: tellingBodies, fault: fault)
        ways = Ways(widening: widening, most: bounds.mostWays)
    }

    /// Explores what the lifecycle does with an object; `includes` says which events can matter.
    mutating func exploreLifecycle(including includes: (Automaton.Transition) -> Bool) {
        let automaton = subject.runs.automaton
        let transitions = automaton.transitions.filter(includes)
        for isMadeByNib in transitions.contains(where: { $0.needs == "made_by_nib" }) ? [false, true] : [false] {
            begin(isMadeByNib: isMadeByNib, automaton)
        }
        // What happens now and then comes last, so that runs without it are found first.
        close(Array(nodes.indices), transitions.filter { !$0.isRare }, outside: nil)
        let rare = transitions.filter(\.isRare)
        guard !rare.isEmpty else { return }
        var pending: [Int] = []
        for index in nodes.indices where steps < mostSteps { pending += successors(of: index, rare, outside: nil) }
        close(pending, transitions, outside: nil)
    }

    /// Explores what one method does that code outside calls while the object is in use; once, or any number of times.
    mutating func exploreOutsideCall(of method: OutsideCallers.Method, including includes: (Automaton.Transition) -> Bool) {
        if let preparation = method.preparation(subject.runs.automaton) { return exploreUses(begunBy: preparation, method.name, including: includes) }
        withinBounds(ofMethod: method.name) { exploration in
            exploration.acquiredFromOutside = false
            exploration.explore(OutsideCall(method, isRepeated: method.isRepeated), including: includes)
            guard exploration.acquiredFromOutside, method.mayComeAgain else { return }
            exploration.triesRepeats = !method.isReplaced
            exploration.explore(OutsideCall(method, isRepeated: true), including: includes)
            exploration.triesRepeats = false
        }
    }

    /// Explores what methods do that code outside calls again and again, each that acquires something by turns with each other, until
    /// so many statements have run for the class.
    mutating func exploreTurns(of methods: [OutsideCallers.Method], upTo limit: Int, including includes: (Automaton.Transition) -> Bool) {
        for method in methods where acquirers.contains(method.name) {
            for other in methods where other.name != method.name {
                guard steps < limit else { return shortfallsOfMethods[method.name, default: []].formUnion([.steps]) }
                withinBounds(ofMethod: method.name) { $0.explore(OutsideCall(method, byTurnsWith: other, isRepeated: true), including: includes) }
            }
        }
    }

    /// Explores what a method does that acquires something with one that some code calls on the same object after it.
    mutating func exploreFollowers(of methods: [OutsideCallers.Method], _ followers: [String: Set<String>], upTo limit: Int, including includes: (Automaton.Transition) -> Bool) {
        for method in methods where acquirers.contains(method.name) {
            for other in methods where followers[method.name]?.contains(other.name) ?? false {
                guard steps < limit else { return shortfallsOfMethods[method.name, default: []].formUnion([.steps]) }
                withinBounds(ofMethod: method.name) { $0.explore(OutsideCall(method, byTurnsWith: other, isRepeated: false), including: includes) }
            }
        }
    }

    private mutating func explore(_ outside: OutsideCall, including includes: (Automaton.Transition) -> Bool) {
        let automaton = subject.runs.automaton
        let inUse = automaton.shown.flatMap { shown in automaton.transitions.first { $0.event == shown }?.to } ?? automaton.start
        var outside = outside
        outside.state = inUse
        // Each method has states of its own.
        known = known.filter { $0.key.calls == 0 }
        var called: [Int] = []
        for start in nodes.indices where nodes[start].state == inUse && nodes[start].calls == 0 { called += successors(of: start, [outside.transition], outside: outside) }
        close(called, automaton.transitions.filter { includes($0) && !$0.isRare }, outside: outside)
    }

    /// Explores what comes of a call that acquires something of these families, then one of another method, then the rest of the life: whether
    /// what the other one ends is ended once more, which is an exception.
    mutating func exploreEnds(of families: Set<String>, by methods: [OutsideCallers.Method], upTo limit: Int, including includes: (Automaton.Transition) -> Bool) {
        guard watched.contains(where: { $0.isOfOutsideCall && families.contains($0.family) }) else { return }
        keepsAbsencesAlone = true
        for method in methods where acquirers.contains(method.name) {
            for other in methods where other.mayEnd && other.name != method.name {
                guard steps < limit else { break }
                withinBounds(ofMethod: method.name) { $0.explore(OutsideCall(method, byTurnsWith: other, isRepeated: false), including: includes) }
            }
        }
        keepsAbsencesAlone = false
    }

    /// Explores with the steps that one method may take, and notes what of it could not be followed.
    private mutating func withinBounds(ofMethod method: String, _ explore: (inout Exploration) -> Void) {
        let before = shortfalls
        shortfalls = []
        mostSteps = steps + bounds.mostStepsOfMethod
        explore(&self)
        if !shortfalls.isEmpty { shortfallsOfMethods[method, default: []].formUnion(shortfalls) }
        shortfalls = before
    }

    /// Explores what a method does that code outside calls before each use of the object, in place of what else would prepare it.
    private mutating func exploreUses(begunBy preparation: Automaton.Transition, _ method: String, including includes: (Automaton.Transition) -> Bool) {
        let automaton = subject.runs.automaton
        let transitions = automaton.transitions.filter { includes($0) && !$0.isRare && $0.event != automaton.prepared } + [preparation]
        withinBounds(ofMethod: method) { exploration in
            let starts = exploration.nodes.indices.filter { exploration.nodes[$0].state == automaton.start && exploration.nodes[$0].calls == 0 }
            exploration.known = exploration.known.filter { $0.key.calls == 0 }
            let outside = OutsideCall(preparation)
            var called: [Int] = []
            for start in starts { called += exploration.successors(of: start, [preparation], outside: outside) }
            exploration.close(called, transitions, outside: outside)
        }
    }

    /// Notes that a method that may be called from outside is not called.
    mutating func leaveOut(_ method: String) { shortfallsOfMethods[method] = [.callers] }

    /// Whether everything that can happen was followed.
    var isComplete: Bool { shortfalls.isEmpty && shortfallsOfMethods.isEmpty }

    /// Whether all states of the lifecycle were found: calls from outside begin in them.
    var isLifecycleFollowed: Bool { shortfalls.isDisjoint(with: Self.unfinished) }

    /// Whether everything was followed within the bounds, but for what recursion cut short.
    var isWithinBounds: Bool { shortfallsOfMethods.values.reduce(shortfalls) { $0.union($1) }.isDisjoint(with: Self.unfinished.union([.callers])) }

    private struct OutsideCall {
        let transition: Automaton.Transition
        /// The call that comes between two of it; nil where they come one after the other.
        let other: Automaton.Transition?
        /// The state in which they are called, whatever the automaton says; nil where it is an event of the automaton.
        var state: String?
        let isRepeated: Bool

        init(_ method: OutsideCallers.Method, byTurnsWith other: OutsideCallers.Method? = nil, isRepeated: Bool) {
            (transition, self.other, self.isRepeated) = (.outsideCall(of: method.name), other.map { .outsideCall(of: $0.name) }, isRepeated)
        }

        /// The call before each use of the object.
        init(_ preparation: Automaton.Transition) { (transition, other, isRepeated) = (preparation, nil, true) }

        /// What comes next after some calls, of which two are as many.
        func next(after calls: Int) -> Automaton.Transition { calls == 1 ? other ?? transition : transition }

        /// How many calls there were with one more.
        func counted(_ calls: Int) -> Int { other == nil || calls < 2 ? min(calls + 1, 2) : 1 }
    }

    // MARK: States

    private mutating func begin(isMadeByNib: Bool, _ automaton: Automaton) {
        var runs = runs
        for isLenient in [false, true] {
            if isLenient { runs = runs.lenient }
            let (results, shortfall) = ways.born(runs, isMadeByNib: isMadeByNib, mostSteps: mostSteps)
            if let shortfall { shortfalls.insert(shortfall) }
            for (life, isFinished) in results where isFinished {
                note(life)
                for violation in life.machine.world.violations { note(violation, shownBy: []) }
                _ = add(life, state: automaton.start, parent: nil, transition: nil, once: [], isMadeByNib: isMadeByNib, isLenient: isLenient, calls: 0, isEnd: false)
            }
            if results.contains(where: \.isFinished) { return }
        }
    }

    /// Follows the events from the states until nothing new happens.
    private mutating func close(_ states: [Int], _ transitions: [Automaton.Transition], outside: OutsideCall?) {
        var level = states
        while !level.isEmpty {
            var next: [Int] = []
            for index in level {
                guard goesOn || shortfalls.isDisjoint(with: Self.unfinished) else { return }
                guard nodes.count < bounds.mostStates else {
                    shortfalls.insert(.states)
                    return
                }
                guard steps < mostSteps else {
                    shortfalls.insert(.steps)
                    return
                }
                next += successors(of: index, transitions, outside: outside)
                if let outside, outside.isRepeated || outside.other != nil && nodes[index].calls == 1, nodes[index].state == outside.state { next += successors(of: index, [outside.next(after: nodes[index].calls)], outside: outside) }
            }
            level = next
        }
    }

    /// The new states to which the events lead from a state.
    private mutating func successors(of index: Int, _ transitions: [Automaton.Transition], outside: OutsideCall?) -> [Int] {
        let node = nodes[index]
        guard let life = node.life, !node.isEnd else { return [] }
        var new: [Int] = []
        for transition in transitions where goesOn || shortfalls.isDisjoint(with: Self.unfinished) {
            guard transition.from.isEmpty || transition.from.contains(node.state), !transition.isOnce || !node.once.contains(transition.event),
                  transition.needs.map({ $0 == "made_by_nib" && node.isMadeByNib }) ?? true else { continue }
            var isAlive = false
            for isLenient in node.isLenient ? [true] : [false, true] where !isAlive {
                let (results, shortfall) = ways.live(isLenient ? runs.lenient : runs, transition, after: life, mostSteps: mostSteps)
                if let shortfall { shortfalls.insert(shortfall) }
                for (result, isFinished) in results where isFinished {
                    isAlive = true
                    var next = result
                    // What one of two calls by turns released, it can release once more when the other one has acquired it again.
                    if outside?.other != nil, transition.isFromOutside { next.machine.world.ranReleases = life.machine.world.ranReleases }
                    note(next, calledFromOutside: transition.isFromOutside ? transition.calls.first : nil, isOnce: !(outside?.isRepeated ?? true))
                    let once = transition.isOnce ? node.once.union([transition.event]) : node.once
                    let calls = transition.isFromOutside ? outside?.counted(node.calls) ?? 1 : node.calls
                    let violations = next.machine.world.violations
                    let isEnd = transition.event == "release" || transition.to == "released"
                    let (target, isNew) = add(
                        next, state: transition.to ?? node.state, parent: index, transition: transition, once: once, isMadeByNib: node.isMadeByNib,
                        isLenient: isLenient, calls: calls, isEnd: isEnd)
                    edges.insert(Edge(from: index, to: target, event: transition.event, violations: violations.map(\.rule)))
                    if !violations.isEmpty {
                        let run = path(to: index) + [transition]
                        for violation in violations { note(violation, shownBy: run) }
                    }
                    if isNew { new.append(target) }
                }
                // Where every way unwraps nil, the run takes for nil what is none.
                if !results.contains(where: { $0.life.machine.world.shortcomings.contains { $0.reason == .unwrapsNil } }) { break }
            }
        }
        return new
    }

    private mutating func add(
        _ life: Life, state: String, parent: Int?, transition: Automaton.Transition?, once: Set<String>, isMadeByNib: Bool, isLenient: Bool, calls: Int, isEnd: Bool
    ) -> (index: Int, isNew: Bool) {
        let (widened, fingerprint) = widening.widened(life)
        let key = Key(state: state, once: once, isMadeByNib: isMadeByNib, isLenient: isLenient, calls: calls, store: fingerprint)
        if let index = known[key] { return (index, false) }
        known[key] = nodes.count
        nodes.append(Node(
            state: state, life: isEnd ? nil : widened, parent: parent, transition: transition, once: once, isMadeByNib: isMadeByNib, isLenient: isLenient, calls: calls,
            summary: Self.summary(of: widened.machine), isEnd: isEnd))
        return (nodes.count - 1, true)
    }

    private static func summary(of machine: Machine) -> String {
        let live = Dictionary(machine.world.registrations.filter(\.isLive).map { ($0.family, 1) }, uniquingKeysWith: +)
        let titles = live.sorted { $0.key < $1.key }.map { name, count in
            let title = machine.library.family(named: name)?.title ?? name
            return count == 1 ? title : count >= 3 ? "many \(title)s" : "\(count) \(title)s"
        }
        let isFreed = machine.world.objects.first?.isFreed ?? false
        return ((isFreed ? ["freed"] : []) + titles).joined(separator: ", ")
    }

    // MARK: What was seen

    private mutating func note(_ life: Life, calledFromOutside method: String? = nil, isOnce: Bool = false) {
        let world = life.machine.world
        entered.formUnion(world.entered)
        if world.shortcomings.contains(where: subject.runs.isTelling) { shortfalls.insert(.cutShort) }
        for registration in world.registrations {
            let index = place(of: WatchedKey(site: registration.site, family: registration.family))
            if registration.isHandedOn { watched[index].isHandedOn = true }
            if world.excused.contains(registration.site) { watched[index].isExcused = true }
            if let method, registration.event == life.done {
                acquirers.insert(method)
                guard isOnce else { continue }
                watched[index].isOfOutsideCall = true
                acquiredFromOutside = true
            }
        }
    }

    /// Counts what concrete runs acquired among what is watched.
    mutating func watch(_ study: ReplayStudy) {
        for one in study.watched { _ = place(of: WatchedKey(site: one.site, family: one.title)) }
    }

    private mutating func place(of key: WatchedKey) -> Int {
        if let known = watchedIndex[key] { return known }
        watchedIndex[key] = watched.count
        watched.append(Watched(site: key.site, family: key.family))
        return watched.count - 1
    }

    private mutating func note(_ violation: Violation, shownBy run: [Automaton.Transition]) {
        // That somebody calls when the object is in use is assumed; that he calls only when it has come back, or after a rare event, is too much to assume.
        if let call = run.firstIndex(where: \.isFromOutside),
           run[..<call].contains(where: \.isRare) || run[..<call].count(where: { $0.event == subject.runs.automaton.shown }) > 1 {
            doubted.insert(violation.site)
            return
        }
        if keepsAbsencesAlone, violation.state != "absent" { return }
        if triesRepeats, run.count(where: \.isFromOutside) > 1 {
            shownByRepeats.insert(violation.site)
            return
        }
        keep(violation, shownBy: run)
    }

    private mutating func keep(_ violation: Violation, shownBy run: [Automaton.Transition]) {
        let key = ViolationKey(rule: violation.rule, site: violation.site)
        let place = foundIndex[key] ?? found.count
        if place == found.count {
            foundIndex[key] = place
            found.append(Found(violation: violation, runs: []))
        }
        guard found[place].runs.count < Self.mostRuns else { return }
        if !found[place].runs.contains(where: { $0.map(\.event) == run.map(\.event) }) { found[place].runs.append(run) }
    }

    /// How many runs are kept that show a violation.
    private static let mostRuns = 6

    /// The events that lead to a state.
    func path(to index: Int) -> [Automaton.Transition] {
        var path: [Automaton.Transition] = []
        var current: Int? = index
        while let node = current {
            if let transition = nodes[node].transition { path.append(transition) }
            current = nodes[node].parent
        }
        return path.reversed()
    }
}
