import Findings
import ProgramModel
import RuleLibrary
import SourceText

/// Runs the objects of a class through the events of their lifecycle and reports what goes wrong.
public struct Replay: Sendable {
    package let program: Program
    package let library: RuleLibrary
    package let bounds: ReplayBounds
    let names: ResourceNames
    let lifetimes: OwnerLifetimes
    let relevance: Relevance
    /// Relevance for sizes and places of views.
    let geometryRelevance: Relevance
    /// The oldest systems that the code is built for, which decide of `#available`.
    let targets: UnitTargets

    /// What one file adds to the knowledge of which functions matter; independent of all other files, so that they can be read at once.
    public static func relevance(ofFile file: Int, in program: Program, library: RuleLibrary) -> Relevance.Part {
        Relevance.Part(of: file, in: program, names: ResourceNames(library), library: library)
    }

    /// Makes the replay for a program; `parts` are those of its files, which are read here when they are not given, as the lifetimes are.
    public init(program: Program, library: RuleLibrary, bounds: ReplayBounds = ReplayBounds(), lifetimes: OwnerLifetimes? = nil, parts: [Relevance.Part]? = nil, targets: UnitTargets = UnitTargets()) {
        self.program = program
        self.targets = targets
        self.library = library
        self.bounds = bounds
        names = ResourceNames(library, in: program)
        self.lifetimes = lifetimes ?? OwnerLifetimes(program)
        let parts = parts ?? program.files.indices.map { Self.relevance(ofFile: $0, in: program, library: library) }
        relevance = Relevance(parts, program: program, library: library, names: names)
        geometryRelevance = Relevance(parts, program: program, library: library, names: names, geometry: library.geometry)
    }

    /// The findings on a class of the project: each violation of any run, with its shortest run.
    public func findings(of type: TypeID) -> [Finding] { study(of: type).findings }

    /// A class with code that acquires, releases or keeps closures, and what its runs go by.
    package struct Subject {
        package let runs: ClassRuns
        package let slice: ClassSlice
        /// Whether its object lives as long as the app.
        package let isForLife: Bool
        /// Whether it acquires or releases anything, or only keeps closures.
        package let hasResources: Bool
    }

    /// What code outside can do to the objects of a class, which serves all that is run of it.
    package func outsideCallers(of type: TypeID) -> OutsideCallers {
        OutsideCallers(program: program, library: library, relevance: relevance, type: type, events: Set(automaton(of: type).transitions.flatMap(\.calls)))
    }

    /// What is to be run of a class; nil when there is nothing that a monitor watches.  `outside` is what code outside can do to its objects.
    package func subject(of type: TypeID, outside: @autoclosure () -> OutsideCallers) -> Subject? {
        guard program.hasLife(type) else { return nil }
        let lookups = Lookups(program)
        let own = ClassSlice.Interest(ofCallsBy: type, in: program, names: names, library: library, lookups: lookups, isOfClosures: true)
        guard own.isAny else { return nil }
        let slice = ClassSlice(of: type, in: program, names: names, library: library, lookups: lookups)
        let runs = ClassRuns(replay: self, type: type, automaton: automaton(of: type), lookups: lookups, slice: slice, outside: outside())
        return Subject(runs: runs, slice: slice, isForLife: lifetimes.lastAsLongAsTheApp(type), hasResources: own.hasResources)
    }

    /// The subject for one family of resources: the events and methods that matter to it, and what decides of it.
    package func subject(_ subject: Subject, about family: ResourceFamily) -> Subject {
        let names = ResourceNames([family])
        let slice = ClassSlice(of: subject.runs.type, in: program, names: names, library: library, lookups: subject.runs.lookups, isOfClosures: false)
        return Subject(runs: subject.runs.about(names), slice: slice, isForLife: subject.isForLife, hasResources: true)
    }

    /// The bodies of a class that acquire what raises an exception when it is released twice.
    package func exceptionalAcquisitions(of subject: Subject) -> Set<BodyPlace> {
        let families = library.families.filter(\.isExceptional)
        return Set(families.flatMap { subject.runs.lookups.acquisitions(of: $0, by: subject.runs.type) }.map(\.body))
    }

    /// Everything that the runs of a class show.
    public func study(of type: TypeID) -> ReplayStudy {
        guard program.hasLife(type) else { return ReplayStudy(isCandidate: false) }
        var study = subject(of: type, outside: outsideCallers(of: type)).map(study) ?? ReplayStudy(isCandidate: false)
        study.findings += viewFindings(on: type, outside: outsideCallers(of: type))
        return study
    }

    /// What sequences of events up to the bounds show of a subject; sizes and places of views are left out.
    package func study(of subject: Subject) -> ReplayStudy {
        var study = ReplayStudy(livesAsLongAsTheApp: subject.isForLife)
        var defects = Defects(library: library)
        run(subject, &study, &defects)
        study.findings = defects.findings(on: subject.runs.type, in: program)
        return study
    }

    /// Runs sequences of events up to the bounds and adds what they show to what is known of the subject.
    package func run(_ subject: Subject, _ study: inout ReplayStudy, _ defects: inout Defects) {
        let (isForLife, slice, automaton, runs) = (subject.isForLife, subject.slice, subject.runs.automaton, subject.runs)
        var checkpoints = Checkpoints()
        let whole = wholeLives(automaton, slice)
        // Without resources only what is left at the end counts, and one life shows it.
        for sequence in subject.hasResources && !isForLife ? whole : Array(whole.prefix(1)) {
            let found = runs.explore(sequence, &study, &checkpoints)
            if !isForLife { defects.add(found) }
        }
        func call(_ methods: [OutsideCallers.Method]) {
            for sequence in withOutsideCalls(isForLife ? methods.filter { $0.isRepeated || $0.preparation(automaton) != nil } : methods, in: whole, automaton, slice) {
                let found = runs.explore(sequence, &study, &checkpoints)
                defects.add(isForLife ? found.filter(Self.pilesUp) : found)
            }
        }
        let outside = runs.outsideMethods(besides: study.covered, slice: slice)
        call(outside)
        guard !outside.isEmpty else { return }
        call(Array(runs.outsideMethods(besides: study.covered, after: outside, slice: slice).prefix(max(0, bounds.mostOutsideMethods - outside.count))))
    }

    /// The sizes that a class reads before a layout has set them, and what it adds again and again: a life with one layout shows the
    /// former, one with two appearances the latter.
    package func viewFindings(on type: TypeID, outside: @autoclosure () -> OutsideCallers) -> [Finding] {
        guard let geometry = library.geometry,
              ownAndInheritedCalls(of: type).contains(where: { program[$0].bodies.contains { ClassSlice.touches(geometry, in: $0.body, extensionSizes) } }) else { return [] }
        let automaton = automaton(of: type)
        guard automaton.transitions.contains(where: { $0.event == "layout" }) else { return [] }
        // What matters to sizes is not what matters to resources, so nothing known of the one serves the other.
        let lookups = Lookups(program)
        let slice = ClassSlice(of: type, in: program, names: names, library: library, lookups: lookups, geometry: geometry, extensionSizes: extensionSizes)
        let whole = wholeLives(automaton, slice)
        guard let life = whole.first else { return [] }
        let runs = ClassRuns(replay: self, type: type, automaton: automaton, lookups: lookups, slice: slice, outside: outside(), watchesGeometry: true)
        var study = ReplayStudy()
        var checkpoints = Checkpoints()
        var defects = Defects(library: library)
        let isSizedByNib = program.platformClass(of: type).map { one in geometry.sizedByNib.contains { program.platform.isClass(one, kindOf: $0) } } ?? false
        let rules = isSizedByNib ? ["repeated_setup"] : ["geometry_before_layout", "repeated_setup"]
        func watch(_ sequence: [Automaton.Transition]) {
            defects.add(runs.explore(sequence, &study, &checkpoints).filter { rules.contains($0.violation.rule) })
        }
        watch(withLayouts(life, automaton))
        let isTwice = { (one: [Automaton.Transition]) in one.count { $0.event == automaton.shown } == 2 && !one.contains(where: \.isRare) }
        // A class with code for many events has its plain second appearance far down the list.
        let again = whole.filter(isTwice) + wholeLives(automaton, slice, isPlain: true).filter(isTwice)
        // Beside layouts there is what is drawn, and what comes with new traits, at any time.
        let others = automaton.transitions.filter { $0.to == nil && $0.event != "layout" && !$0.isOnce && $0.needs == nil && $0.calls.contains(where: slice.isTouched) }
        if let twice = again.first {
            watch(withLayouts(twice, automaton, count: 2))
            if !others.isEmpty { watch(withLayouts(twice, automaton, count: 2, others)) }
        }
        // A nib wakes what it made once its outlets are there, and no layout has come by then.
        if slice.isTouched("awakeFromNib()"), let fromNib = whole.first(where: { $0.contains { $0.calls.contains("awakeFromNib()") } && isUsualLife($0, automaton) }) {
            watch(withLayouts(fromNib, automaton))
        }
        if let reused = reuse(automaton, slice), let again = reusedTwice(reused, automaton, slice) { watch(again) }
        // A list asks its data source for each row.
        let asked = runs.outside.methods(besides: study.covered, slice: slice, automaton: automaton, geometryRelevance).filter { runs.outside.isAskedForRows($0.name) }
        for row in asked.prefix(bounds.mostOutsideMethods).map({ Automaton.Transition.outsideCall(of: $0.name) }) {
            let place = placeOfUse(in: life, automaton)
            // Its constraints may be of the cell, which others take away with what they bind.
            let found = runs.explore(Array(life[..<place]) + [row, row] + Array(life[place...]), &study, &checkpoints)
            defects.add(found.filter { $0.violation.rule == "repeated_setup" && $0.violation.state != Addition.constrainedAgain })
        }
        if program.platformClass(of: type).map({ program.platform.isClass($0, kindOf: "UIView") }) ?? false {
            // A view is told what to show before it is laid out, and again when it shows something else.
            let isCell = program.platformClass(of: type).map { one in ["UITableViewCell", "UICollectionViewCell"].contains { program.platform.isClass(one, kindOf: $0) } } ?? false
            let methods = runs.outside.methods(besides: study.covered, slice: slice, automaton: automaton, geometryRelevance).filter { geometry.prepares($0.name, cell: isCell) }
            for method in methods.prefix(bounds.mostOutsideMethods) { watch(withLayouts(life, automaton, before: .outsideCall(of: method.name))) }
            // A cell is told so for each row, and is asked to forget in between.
            if isCell, let reused = reuse(automaton, slice) {
                let piled = methods.prefix(bounds.mostOutsideMethods).filter(\.mayComeAgain).map { method in
                    (method, runs.explore(withLayouts(reused, automaton, count: 2, before: .outsideCall(of: method.name)), &study, &checkpoints).filter { $0.violation.rule == "repeated_setup" })
                }.filter { !$0.1.isEmpty }
                // Who prepares the cell may first call what takes away.
                if !takesAway(type, besides: study.covered, geometry) {
                    for (method, found) in piled where !isPrepared(type, for: method.name, geometry) { defects.add(found) }
                }
            }
        }
        return defects.findings(on: type, in: program)
    }

    /// The members of a class, and the methods of its superclasses in the project that they call on self, which nobody else may call.
    private func ownAndInheritedCalls(of type: TypeID) -> [MemberID] {
        let own = program.members(of: type)
        let bases = program.chain(of: type).dropFirst()
        guard !bases.isEmpty else { return own }
        let named = program.namesCalledOnSelf(by: own)
        return own + bases.flatMap { program.members(of: $0) }.filter { program[$0].kind == .function && named.contains(program[$0].baseName) }
    }

    /// Whether code of the class takes something away that no run has reached, or all that there is.
    private func takesAway(_ type: TypeID, besides covered: Set<BodyPlace>, _ geometry: GeometryKnowledge) -> Bool {
        program.chain(of: type).contains { link in
            program.members(of: link).contains { id in
                program[id].bodies.contains { _, body in
                    (!covered.contains(BodyPlace(body, file: id.declaration.file)) || Self.readsAll(body)) && !body.block.calledNames.isDisjoint(with: geometry.takesAway)
                }
            }
        }
    }

    /// Whether a body asks for all that lies in a view.
    private static func readsAll(_ body: Body) -> Bool {
        body.block.containsStatement { statement in
            switch statement.kind {
            case .read(_, .name(let name)), .read(_, .member(_, let name)): ["subviews", "arrangedSubviews"].contains(name)
            default: false
            }
        }
    }

    /// Whether a function of this base name that the project adds to a class of the SDK has to do with sizes, places or what is added.
    private func extensionSizes(_ baseName: String) -> Bool { program.extensionFunctions(named: baseName).contains { geometryRelevance.isHot(.member($0)) } }

    /// The life with layouts as early as the automaton allows, something just before each, and as often others that leave the state as it is.
    private func withLayouts(
        _ life: [Automaton.Transition], _ automaton: Automaton, count: Int = 1, _ others: [Automaton.Transition] = [], before call: Automaton.Transition? = nil
    ) -> [Automaton.Transition] {
        guard let layout = automaton.transitions.first(where: { $0.event == "layout" }) else { return life }
        var run = AutomatonRun(automaton)
        var sequence: [Automaton.Transition] = []
        var layouts = 0
        for transition in life where transition.event != "layout" {
            guard let next = run.after(transition, evidence: ["made_by_nib"]) else { return life }
            run = next
            sequence.append(transition)
            if layouts < count, layout.from.contains(run.state) {
                sequence += [call].compactMap { $0 } + [layout]
                layouts += 1
            }
            for other in others where other.from.contains(run.state) && sequence.count(where: { $0.event == other.event }) < count { sequence.append(other) }
        }
        return sequence
    }

    /// Whether something is left behind by each call of a method, or added by each appearance, so that it matters even where the object is never freed.
    package static func pilesUp(_ outcome: Outcome) -> Bool {
        let violation = outcome.violation
        let event: Int
        switch violation.state {
        // What each appearance adds once more, the app has that many times.
        case "doubled", "piled": return violation.event > 0
        case "dropped": event = violation.event
        // What keeps itself alive beside the object is left behind by the event that made it.
        case "circle of others": event = violation.steps.first?.event ?? 0
        default: return false
        }
        return event > 0 && event <= outcome.events.count && outcome.events[event - 1].isFromOutside
    }

    /// The sequences of events that end a life, or show the object a second time; first the shortest life in which it was in use.
    func wholeLives(_ automaton: Automaton, _ slice: ClassSlice, isPlain: Bool = false) -> [[Automaton.Transition]] {
        let whole = sequences(automaton, slice, isPlain: isPlain).filter { sequence in sequence.last?.event == "release" || sequence.count(where: { $0.event == automaton.shown }) == 2 }
        guard let usual = whole.firstIndex(where: { isUsualLife($0, automaton) }) else { return whole }
        // Sequences that differ only in events for which the class has no code are one.
        var seen: Set<[String]> = []
        return ([whole[usual]] + whole[..<usual] + whole[(usual + 1)...]).filter { seen.insert(signature(of: $0, automaton, slice)).inserted }
    }

    /// The sequences of events that lead through the states, and unless they are to be plain of those for which the class has code.
    private func sequences(_ automaton: Automaton, _ slice: ClassSlice, isPlain: Bool) -> [[Automaton.Transition]] {
        automaton.sequences(within: bounds.sequences, evidence: ["made_by_nib"]) { transition in
            automaton.backbone.contains(transition.event) || (!isPlain && transition.calls.contains(where: slice.isTouched))
        }
    }

    /// The shortest life in which the object came into use and went out of it; nil where the automaton has none within the bounds.
    package func usualLife(of subject: Subject) -> [Automaton.Transition]? { wholeLives(subject.runs.automaton, subject.slice).first }

    /// What a sequence means to the class: the methods of interest that it calls, between coming into use and going out of it.
    private func signature(of sequence: [Automaton.Transition], _ automaton: Automaton, _ slice: ClassSlice) -> [String] {
        sequence.flatMap { transition -> [String] in
            let calls = transition.calls.filter(slice.isTouched)
            let isMarker = transition.event == automaton.shown || transition.event == automaton.hidden || transition.event == "release"
            return calls + (isMarker ? ["(\(transition.event))"] : [])
        }
    }

    private func isUsualLife(_ sequence: [Automaton.Transition], _ automaton: Automaton) -> Bool {
        // An appearance that was cancelled brings the object out of use though it never came into use.
        sequence.last?.event == "release" && [automaton.shown, automaton.hidden].allSatisfy { event in
            event.map { event in sequence.contains { $0.event == event } } ?? true
        }
    }

    /// The shortest run in which the object is prepared, used and prepared again; nil where the automaton has none within the bounds.
    private func reuse(_ automaton: Automaton, _ slice: ClassSlice) -> [Automaton.Transition]? {
        sequences(automaton, slice, isPlain: true).first { one in
            one.count { $0.event == automaton.shown } == 2 && one.count { $0.event == automaton.prepared } == 2 && !one.contains(where: \.isRare)
        }
    }

    /// A life in which the object is asked twice to forget what it showed; nil where it is never asked, or does nothing of interest then.
    private func reusedTwice(_ life: [Automaton.Transition], _ automaton: Automaton, _ slice: ClassSlice) -> [Automaton.Transition]? {
        guard slice.isTouched("prepareForReuse()"), let last = life.firstIndex(where: { $0.calls.contains("prepareForReuse()") }),
              let first = life[..<last].firstIndex(where: { $0.event == automaton.prepared }) else { return nil }
        return Array(life[...last]) + life[first...last] + life[(last + 1)...]
    }

    /// The usual life, with one method called from outside while the object is in use; twice where it answers to events, and where it
    /// prepares the object for a use, in place of that.
    func withOutsideCalls(
        _ methods: [OutsideCallers.Method], in sequences: [[Automaton.Transition]], _ automaton: Automaton, _ slice: ClassSlice
    ) -> [[Automaton.Transition]] {
        guard let life = sequences.first, isUsualLife(life, automaton) else { return [] }
        let place = placeOfUse(in: life, automaton)
        return methods.prefix(bounds.mostOutsideMethods).flatMap { method -> [[Automaton.Transition]] in
            if let preparation = method.preparation(automaton) {
                return [life, reuse(automaton, slice)].compactMap { $0 }.map { $0.map { $0.event == automaton.prepared ? preparation : $0 } }
            }
            let call = Automaton.Transition.outsideCall(of: method.name)
            return ([[call]] + (method.isRepeated || method.isReplaced ? [[call, call]] : [])).map { Array(life[..<place]) + $0 + Array(life[place...]) }
        }
    }

    /// The usual life with the calls from outside of a run, all of them made while the object is in use; nil where there are none, or where
    /// they are its preparation.
    package func usualLife(of subject: Subject, withCallsOf run: [Automaton.Transition]) -> [Automaton.Transition]? {
        let calls = run.filter { $0.isFromOutside }
        guard !calls.isEmpty, calls.allSatisfy({ $0.from.isEmpty }), let life = usualLife(of: subject) else { return nil }
        let place = placeOfUse(in: life, subject.runs.automaton)
        return Array(life[..<place]) + calls + Array(life[place...])
    }

    /// Where in a life the object is in use.
    private func placeOfUse(in life: [Automaton.Transition], _ automaton: Automaton) -> Int {
        life.firstIndex { $0.event == automaton.shown }.map { $0 + 1 } ?? max(0, life.count - 1)
    }

    /// The world after one object has gone through the events, by name, with the first outcome of every undecided condition; nil
    /// when the automaton refuses the events, or the run traps or reaches a bound.  The object is the first of the world.
    public func world(of type: TypeID, after events: [String]) -> World? {
        let automaton = automaton(of: type)
        var run = AutomatonRun(automaton)
        var transitions: [Automaton.Transition] = []
        for event in events {
            guard let transition = automaton.transitions.first(where: { $0.event == event && $0.from.contains(run.state) }),
                  let next = run.after(transition, evidence: []) else { return nil }
            run = next
            transitions.append(transition)
        }
        let lookups = Lookups(program)
        let slice = ClassSlice(of: type, in: program, names: names, library: library, lookups: lookups)
        let runs = ClassRuns(replay: self, type: type, automaton: automaton, lookups: lookups, slice: slice)
        var checkpoints = Checkpoints()
        let life = runs.run(transitions, given: [], &checkpoints)
        return life.isFinished ? life.world : nil
    }

    func automaton(of type: TypeID) -> Automaton { program.automaton(of: type, library) }
}

extension Program {
    /// The automaton by which the objects of a class live.
    func automaton(of type: TypeID, _ library: RuleLibrary) -> Automaton {
        let ancestry = platformClass(of: type).map { platform.ancestry(of: $0) } ?? []
        let protocols = chain(of: type).flatMap { self[$0].conformances.map(\.name) }
        guard let found = library.automaton(forAncestry: ancestry + protocols) else { preconditionFailure("the rule data has no automaton for plain objects") }
        return found
    }
}

/// The base names of the calls that acquire or release something.
struct ResourceNames: Sendable {
    let all: Set<String>
    let acquiring: Set<String>
    let releasing: Set<String>
    /// What sets going what was acquired idle.  So common a name is asked for only where one family is followed.
    let starting: Set<String>

    /// The functions that acquire for who calls them; none where one family is followed, which goes by what they do.
    let helpers: AcquiringFunctions

    init(_ library: RuleLibrary) {
        self.init(acquiring: library.families, starting: [])
    }

    /// The names of a library's operations, with the helpers that a program has for them.
    init(_ library: RuleLibrary, in program: Program) {
        let names = ResourceNames(library)
        self.init(acquiring: library.families, starting: [], helpers: AcquiringFunctions(program, acquiring: names.acquiring, releasing: names.releasing))
    }

    init(_ families: [ResourceFamily]) {
        self.init(acquiring: families, starting: families.contains { $0.acquire.contains(where: \.isIdle) } ? ["add"] : [])
    }

    private init(acquiring families: [ResourceFamily], starting: Set<String>, helpers: AcquiringFunctions = AcquiringFunctions()) {
        self.helpers = helpers
        acquiring = Set(families.flatMap(\.acquire).flatMap(Self.names))
        releasing = Set(families.flatMap(\.release).flatMap(Self.names))
        self.starting = starting
        all = releasing.union(acquiring).union(starting)
    }

    /// The names by which texts call an operation; initialisers are known by their class.
    private static func names(of operation: ResourceFamily.Operation) -> [String] {
        operation.names.flatMap { name in name.hasPrefix("init(") ? classNames(operation.receiver ?? "") : [baseName(name)] }
    }

    static func baseName(_ name: String) -> String { ResourceFamily.baseName(of: name) }

    /// The names that a class of Foundation has in Swift and in Objective-C.
    private static func classNames(_ name: String) -> [String] { [name, "NS\(name)"] }
}
