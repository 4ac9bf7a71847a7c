import Findings
import ProgramModel
import Replay
import RuleLibrary

/// Explores each class to the fixed point, confirms by concrete runs what it finds, and refutes what no state shows.
public struct Simulation: Sendable {
    let replay: Replay
    private let bounds: SimulationBounds
    /// A mistake that tests make on purpose; nil otherwise.
    private let fault: Widening.Fault?
    /// How much is followed at first; tests begin with less.
    private let first: Exploration.Depth

    /// Makes the simulation over a replay of the same program.
    public init(_ replay: Replay, bounds: SimulationBounds = SimulationBounds()) {
        self.init(replay, bounds: bounds, fault: nil)
    }

    init(_ replay: Replay, bounds: SimulationBounds = SimulationBounds(), fault: Widening.Fault?, first: Exploration.Depth = .withAnswers) {
        self.first = first
        self.replay = replay
        self.bounds = bounds
        self.fault = fault
    }

    /// What became of a place that acquires something.
    public struct Verdict: Sendable {
        public let site: Site
        public let family: String
        /// Whether the class whose runs were judged, or a superclass, acquires it; else it is code that they came by.
        public let isOwn: Bool
        /// Confirmed, likely, unconfirmed or refuted: the worst of what was found there.
        public let status: Status
        /// Why it is undecided; nil where it is decided.
        public let reason: String?
    }

    /// What the simulation of one class shows.
    public struct Study: Sendable {
        public internal(set) var findings: [Finding] = []
        public internal(set) var verdicts: [Verdict] = []
        /// How many states were explored.
        public internal(set) var states = 0
    }

    /// Everything that the states of a class show.
    public func study(of type: TypeID) -> Study { explored(type, goesOn: false).study }

    /// The study with what was explored; `goesOn` says whether to go on where not everything can be.
    func explored(_ type: TypeID, goesOn: Bool) -> (study: Study, exploration: Exploration?) {
        var study = Study()
        // Read once, and only where something is to be run.
        lazy var callers = replay.outsideCallers(of: type)
        let ofViews = replay.viewFindings(on: type, outside: callers)
        guard let subject = replay.subject(of: type, outside: callers) else {
            study.findings = ofViews
            return (study, nil)
        }
        var exploration = explore(subject, first, goesOn: goesOn)
        if exploration.shortfalls.contains(.states) || goesOn && exploration.shortfalls.contains(.steps) { exploration = explore(subject, .withoutAnswers, goesOn: goesOn) }
        var spurious: [Site] = []
        var near = ReplayStudy(livesAsLongAsTheApp: subject.isForLife)
        var defects = Defects(library: replay.library)
        // What a method from outside shows counts, though there is too much of that method to follow it to its end.
        if exploration.isLifecycleFollowed { spurious = judge(exploration, subject, &defects) }
        if !exploration.isWithinBounds || !spurious.isEmpty {
            // What has no end within the bounds is run up to the bounds of the enumeration, which finds what is near.  Runs that were
            // replayed in vain may be those that the widening made up: others that show the same may be near.
            replay.run(subject, &near, &defects)
            exploration.watch(near)
        }
        confirmInevitable(subject, &defects)
        study.findings = defects.findings(on: type, in: replay.program) + ofViews
        study.verdicts = verdicts(exploration, subject, study.findings, spurious: spurious)
        if !exploration.isComplete { judgeFamilies(of: subject, &study, &defects, ofViews) }
        study.findings += unreachedTokens(of: subject, besides: exploration.watched)
        study.states = max(study.states, exploration.nodes.count)
        return (study, exploration)
    }

    /// Judges what the class itself acquires, one family at a time and by its own code alone, where all that it does is too much to follow.
    private func judgeFamilies(of subject: Replay.Subject, _ study: inout Study, _ defects: inout Defects, _ ofViews: [Finding]) {
        let undecided = study.verdicts.filter { $0.isOwn && $0.status == .unconfirmed && $0.reason.map(Exploration.Shortfall.all.contains) ?? false }
        for name in Set(undecided.map(\.family)).sorted() {
            guard let family = replay.library.family(named: name) else { continue }
            let exploration = explore(replay.subject(subject, about: family), .ownCode, goesOn: false)
            guard exploration.shortfalls.isEmpty else { continue }
            let spurious = judge(exploration, subject, &defects)
            study.findings = defects.findings(on: subject.runs.type, in: replay.program) + ofViews
            let own = verdicts(exploration, subject, study.findings, spurious: spurious).filter { $0.isOwn && $0.family == name }
            study.verdicts.removeAll { known in own.contains { $0.site == known.site && $0.family == known.family } }
            study.verdicts += own
            study.states = max(study.states, exploration.nodes.count)
        }
    }

    // MARK: Exploring

    /// Explores until nothing new happens; unless it is to go on, it ends where it cannot be complete any more.
    private func explore(_ subject: Replay.Subject, _ depth: Exploration.Depth, goesOn: Bool) -> Exploration {
        let automaton = subject.runs.automaton
        let limits = depth == .withAnswers
            ? SimulationBounds(mostStates: bounds.mostStatesWithAnswers + 1, mostSteps: bounds.mostSteps / 2, mostWays: bounds.mostWays) : bounds
        var exploration = Exploration(subject, bounds: limits, depth: depth, tellingBodies: replay.exceptionalAcquisitions(of: subject), goesOn: goesOn, fault: fault)
        func matters(_ transition: Automaton.Transition) -> Bool {
            automaton.backbone.contains(transition.event) || transition.calls.contains(where: subject.slice.isTouched)
        }
        exploration.exploreLifecycle(including: matters)
        let outside = subject.runs.outsideMethods(besides: exploration.entered, slice: subject.slice)
        guard goesOn || exploration.isLifecycleFollowed else {
            for method in outside { exploration.leaveOut(method.name) }
            return exploration
        }
        for method in outside.dropFirst(replay.bounds.mostOutsideMethods) { exploration.leaveOut(method.name) }
        let last = exploration.steps + bounds.mostStepsOfMethods
        func call(_ method: OutsideCallers.Method) {
            guard !subject.isForLife || method.isRepeated || method.preparation(automaton) != nil else { return }
            guard exploration.steps < last else { return exploration.leaveOut(method.name) }
            exploration.exploreOutsideCall(of: method, including: matters)
        }
        outside.prefix(replay.bounds.mostOutsideMethods).forEach(call)
        guard !outside.isEmpty else { return exploration }
        let left = subject.runs.outsideMethods(besides: exploration.entered, after: outside, slice: subject.slice)
        let room = max(0, replay.bounds.mostOutsideMethods - outside.count)
        for method in left.dropFirst(room) { exploration.leaveOut(method.name) }
        left.prefix(room).forEach(call)
        // Runs with one method come first: they are the shorter ones.
        let endedOnce = Set(replay.library.families.lazy.filter { $0.rules["absent"] != nil }.map(\.name))
        exploration.exploreEnds(of: endedOnce, by: Array((outside + left).prefix(replay.bounds.mostOutsideMethods)), upTo: last, including: matters)
        exploration.exploreFollowers(of: outside, subject.runs.followers(of: outside), upTo: last, including: matters)
        exploration.exploreTurns(of: outside.filter { $0.isRepeated && $0.preparation(automaton) == nil }, upTo: last, including: matters)
        return exploration
    }

    // MARK: Judging

    /// Runs what was found concretely: what some run shows whatever the undecided conditions are is confirmed, what only some show
    /// is likely, and what none shows is an artefact of the widening, whose places are returned.
    private func judge(_ exploration: Exploration, _ subject: Replay.Subject, _ defects: inout Defects) -> [Site] {
        var checkpoints = Checkpoints()
        var spurious: [Site] = []
        var known: [[String]: [Outcome]] = [:]
        /// What a sequence shows; several violations share one, which is run once, with the whole budget of a class.
        func outcomes(of run: [Automaton.Transition]) -> [Outcome] {
            let key = run.map(\.event) + run.compactMap(\.needs)
            if let found = known[key] { return found }
            var study = ReplayStudy(livesAsLongAsTheApp: subject.isForLife)
            let found = subject.runs.explore(run, &study, &checkpoints).filter { !subject.isForLife || Replay.pilesUp($0) }
            known[key] = found
            return found
        }
        // Most of what goes wrong, goes wrong in the usual life, and that is the run that people understand.
        let usual = exploration.found.isEmpty ? [] : [replay.usualLife(of: subject)].compactMap { $0 }
        for found in exploration.found where !defects.isSettled(found.violation) {
            var isShown = false
            // Whether Cocoa makes a call is known where the object is in use.
            let inUse = found.runs.lazy.compactMap { replay.usualLife(of: subject, withCallsOf: $0) }.prefix(1)
            for run in usual + found.runs.prefix(Self.mostReplays) + inUse {
                let own = outcomes(of: run).filter { $0.violation.rule == found.violation.rule && $0.violation.site == found.violation.site }
                defects.add(own)
                if !own.isEmpty { isShown = true }
                // What only a rare event shows is a note; another run may show it without.
                if own.contains(where: { $0.isCertain && !$0.events.contains(where: \.isRare) }) { break }
            }
            if !isShown { spurious.append(found.violation.site) }
        }
        return spurious
    }

    /// What concrete runs showed on those of their ways that they had the time for, and the widened store shows on all of them, is confirmed.
    private func confirmInevitable(_ subject: Replay.Subject, _ defects: inout Defects) {
        let open = defects.perhapsInevitable
        guard !open.isEmpty else { return }
        let bodies = replay.exceptionalAcquisitions(of: subject)
        var ofAll = Inevitability(subject, bounds: bounds, tellingBodies: bodies)
        var ofFamilies: [String: Inevitability] = [:]
        defects.add(open.filter { outcome in
            let answer = ofAll.answer(for: outcome.violation, along: outcome.events)
            guard answer == .open else { return answer == .holds }
            // Where there is too much to follow, what the class's own code does with the family alone may tell.
            let name = outcome.violation.family
            var ofOwnCode = ofFamilies[name] ?? Inevitability(
                replay.library.family(named: name).map { replay.subject(subject, about: $0) } ?? subject, isNarrow: true, bounds: bounds, tellingBodies: bodies)
            defer { ofFamilies[name] = ofOwnCode }
            return ofOwnCode.answer(for: outcome.violation, along: outcome.events) == .holds
        }.map(\.inevitable))
    }

    /// How many runs of a violation are replayed until one is certain.
    private static let mostReplays = 4

    private func verdicts(_ exploration: Exploration, _ subject: Replay.Subject, _ findings: [Finding], spurious: [Site]) -> [Verdict] {
        let reach = exploration.shortfallsOfMethods.isEmpty ? nil : FamilyReach(of: subject.runs.type, in: replay.program, library: replay.library)
        /// Why what may happen to a family could not be followed; the same in each run.
        func shortfall(of family: String) -> String? {
            let known = exploration.shortfallsOfMethods.filter { reach?.mayTouch(family, from: $0.key) ?? false }.values.reduce(exploration.shortfalls) { $0.union($1) }
            return known.map(\.rawValue).min()
        }
        let chain = Set(replay.program.chain(of: subject.runs.type))
        let blocked = Doubts.ofClass(subject.runs.type, in: replay.program, slice: subject.slice)
        return exploration.watched.map { watched in
            let family = replay.library.family(named: watched.family)
            let isOwn = watched.site.type.map(chain.contains) ?? true
            let rules = Set(family.map { Array($0.rules.values) } ?? [])
            let path = replay.program.files[watched.site.file].path
            let here = findings.filter { finding in
                rules.contains(finding.rule) && (finding.path == path && finding.span == watched.site.span
                    || finding.trace.contains { $0.path == path && $0.line == watched.site.span.start.line })
            }
            func verdict(_ status: Status, _ reason: String? = nil) -> Verdict { Verdict(site: watched.site, family: watched.family, isOwn: isOwn, status: status, reason: reason) }
            if here.contains(where: { $0.status == .confirmed }) { return verdict(.confirmed) }
            if here.contains(where: { $0.status == .likely }) { return verdict(.likely) }
            if let finding = here.first { return verdict(.unconfirmed, finding.reason) }
            // Several of one method are one finding, which stands at the first.
            if !spurious.contains(watched.site), exploration.found.contains(where: { rules.contains($0.violation.rule) && $0.violation.site == watched.site }) {
                let like = findings.filter { rules.contains($0.rule) && $0.path == path && $0.member == watched.site.member }
                for status in [Status.confirmed, .likely] where like.contains(where: { $0.status == status }) { return verdict(status) }
                return verdict(.unconfirmed, like.first?.reason ?? "a state goes wrong there")
            }
            // What an object keeps that lives as long as the app is no leak, though a run leaves it behind.
            if !subject.isForLife, spurious.contains(watched.site) { return verdict(.unconfirmed, "no concrete run shows what the widened store does") }
            if let shortfall = shortfall(of: watched.family) { return verdict(.unconfirmed, shortfall) }
            if let blocked { return verdict(.unconfirmed, blocked) }
            if exploration.doubted.contains(watched.site) { return verdict(.unconfirmed, "a call from outside may come when the object is back in use") }
            if watched.isExcused { return verdict(.unconfirmed, "only code outside the class may end it") }
            if watched.isOfOutsideCall, exploration.shownByRepeats.contains(watched.site) { return verdict(.unconfirmed, "nobody knows how often code outside acquires it") }
            if watched.isHandedOn { return verdict(.unconfirmed, "unknown code gets it and may release it") }
            return verdict(.refuted)
        }
    }
}

/// Why nothing of a class can be refuted: some of its code, or of its classes, is not known.
enum Doubts {
    static func ofClass(_ type: TypeID, in program: Program, slice: ClassSlice) -> String? {
        for link in program.chain(of: type) {
            if program[link].hasAmbiguousExtensions { return "an extension may belong to another type of the same name" }
            for id in program.members(of: link) where slice.isTouched(program[id].fullName) {
                if program[id].isPartial { return "some of the code could not be read" }
                var isOpaque = false
                for (_, body) in program[id].bodies {
                    body.block.forEachStatement { if case .opaque = $0.kind { isOpaque = true } }
                }
                if isOpaque { return "some of the code could not be read" }
            }
        }
        switch program.ancestry(of: type).root {
        case .ambiguous: return "several types could be its superclass"
        case .foreign: return "its superclass is not known"
        case .none, .platform: return nil
        }
    }
}
