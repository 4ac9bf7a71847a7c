import ProgramModel
import RuleLibrary

/// The runs of one object of a class through sequences of events.
package struct ClassRuns {
    let replay: Replay
    package let type: TypeID
    package let automaton: Automaton
    private(set) var lookups: Lookups
    let slice: ClassSlice
    let outside: OutsideCallers
    private(set) var relevance: Relevance
    let watchesGeometry: Bool
    /// The circle that the runs are about, and nothing else; nil where they are about resources and closures.
    private let circle: DelegateCircle?
    /// Whether some event loads the object's view.
    private let loadsView: Bool
    /// The property that says whether the view or window is loaded, by the method that Cocoa calls once it is.
    private static let loadedFlags = ["viewDidLoad()": "isViewLoaded", "windowDidLoad()": "isWindowLoaded"]
    /// The properties of which code of the class asks whether the object goes out of use for good.
    private let leaving: [String]
    /// The properties of which code of the class asks whether the object comes into use anew.
    private let arriving: [String]
    /// Whether code may make objects of the class by a plain `init`.
    private let isMadeWithoutArguments: Bool
    /// Whether runs go on after nil is unwrapped.
    private var isLenient = false

    /// The same runs, which go on after nil is unwrapped.
    package var lenient: ClassRuns {
        var lenient = self
        lenient.isLenient = true
        return lenient
    }

    /// The same runs, in which a value that depends on what nobody knows is unknown itself.
    package var widened: ClassRuns {
        var widened = self
        widened.widensValues = true
        return widened
    }

    /// The widened runs, in which only the code of the object's own classes is followed.
    package var narrowed: ClassRuns {
        var narrowed = widened
        narrowed.followsOwnCodeOnly = true
        narrowed.relevance = (circle == nil && !watchesGeometry ? replay.relevance : relevance).ofOwnCode(outside.chain, only: names)
        // What statements do depends on what matters.
        narrowed.lookups = Lookups(program)
        return narrowed
    }

    /// The same runs, of which the narrowed ones follow only what matters to the resources of these names.
    func about(_ names: ResourceNames) -> ClassRuns {
        var runs = self
        runs.names = names
        return runs
    }

    /// The names of the resources that narrowed runs are about; nil for all that matters.
    private var names: ResourceNames?
    /// Whether nobody sees who makes objects of the class, so that there may be one for the whole life of the app.
    private let mayLast: Bool
    /// Whether there is one object of the class for the whole life of the app.
    private let isForLife: Bool
    /// The flags of conditional compilation that hold.
    private let configuration: Configuration
    /// What a view lies in that events give and take whatever its state is.
    private let joinable: Set<String>
    private var widensValues = false
    private var followsOwnCodeOnly = false

    private var program: Program { replay.program }

    /// Makes the runs; `outside` is what code outside can do to the objects, where that is known already.
    init(
        replay: Replay, type: TypeID, automaton: Automaton, lookups: Lookups, slice: ClassSlice, outside: OutsideCallers? = nil, watchesGeometry: Bool = false,
        circle: (DelegateCircle, Relevance)? = nil
    ) {
        self.watchesGeometry = watchesGeometry
        self.circle = circle?.0
        relevance = circle?.1 ?? (watchesGeometry ? replay.geometryRelevance : replay.relevance.ofOwnCode(replay.program.company(of: replay.program.chain(of: type))))
        self.replay = replay
        self.type = type
        self.automaton = automaton
        loadsView = automaton.transitions.contains { $0.calls.contains("viewDidLoad()") }
        self.lookups = lookups
        self.slice = slice
        leaving = replay.program.reads(oneOf: automaton.leaving, inChainOf: type) ? automaton.leaving.sorted() : []
        arriving = replay.program.reads(oneOf: automaton.arriving, inChainOf: type) ? automaton.arriving.sorted() : []
        self.outside = outside ?? replay.outsideCallers(of: type)
        mayLast = !replay.lifetimes.isKnownToEnd(type)
        isForLife = replay.lifetimes.lastAsLongAsTheApp(type)
        isMadeWithoutArguments = replay.lifetimes.mayBeMadeWithoutArguments(type)
        configuration = replay.program.configuration(toRun: type, on: replay.targets)
        joinable = Set(automaton.transitions.lazy.filter { $0.to == nil }.compactMap { Self.joined(by: $0)?.property })
    }

    /// Runs a sequence with every choice of the undecided conditions, up to the bound.
    package func explore(_ sequence: [Automaton.Transition], _ study: inout ReplayStudy, _ checkpoints: inout Checkpoints) -> [Outcome] {
        study.sequences.append(sequence.map(\.event))
        var pending = PendingChoices()
        var runs: [(world: World, ways: Set<PendingChoices.Way>, shortcoming: Shortcoming?)] = []
        var isComplete = true
        var attempts = 0
        let mayBeOfItself = comesOfItself(sequence)
        let mayBeCertain = !isLenient && mayBeOfItself
        // What weighs, is not known to be certain and went wrong in all runs so far: as long as there is something, every way is worth a run.
        var anyway: [Violation]?
        while true {
            let isOpen = mayBeCertain && study.steps < replay.bounds.mostSteps / 3 && !(anyway ?? []).isEmpty
            guard let given = pending.next(isOpen || attempts < replay.bounds.mostChoices ? .any : .new(study.seenForks)) else { break }
            guard attempts < (isOpen ? replay.bounds.mostChoicesToBeCertain : replay.bounds.mostChoicesForNew), study.steps < replay.bounds.mostSteps || attempts == 0 else {
                isComplete = false
                break
            }
            attempts += 1
            let (world, choices, isFinished, steps) = run(sequence, given: given, &checkpoints)
            study.note(world, isFinished: isFinished, steps: steps)
            pending.add(choices, after: given.count)
            study.seenForks.formUnion(pending.seen)
            // A run in which the app ends says nothing of the rest of the life.
            if world.isCutShort { isComplete = false }
            if isFinished {
                runs.append((world, choices.ways, shortcoming(of: world)))
                anyway = anyway.map { known in known.filter(world.shows) } ?? world.violations.filter { !study.certain.contains($0) && weighs($0) }
            }
        }
        if !pending.isEmpty { isComplete = false }
        // Where every way unwraps nil, the run takes for nil what is none: it goes on with a value that it does not know.
        if runs.isEmpty, !isLenient, study.shortcomings.contains(where: { $0.shortcoming.reason == .unwrapsNil }) {
            var fresh = Checkpoints()
            return lenient.explore(sequence, &study, &fresh)
        }
        // Runs that know everything come first: what only the others show is unconfirmed.
        runs = runs.filter { $0.shortcoming == nil } + runs.filter { $0.shortcoming != nil }
        var seen: Set<Violation> = []
        return runs.flatMap { run in run.world.violations.map { (run.world, run.shortcoming, $0) } }.compactMap { world, shortcoming, violation in
            guard seen.insert(violation).inserted else { return nil }
            let (bad, good) = (runs.filter { $0.world.shows(violation) }, runs.filter { !$0.world.shows(violation) })
            // What the layout sets where it has to, is set.
            if watchesGeometry, let kept = violation.related.first, good.contains(where: { $0.world.geometry.isSetAgain(kept) }) { return nil }
            let isOfItself = mayBeOfItself && bad.allSatisfy { $0.world.unaskedCalls == 0 }
            let isCertain = isComplete && good.isEmpty && mayBeCertain && isOfItself
            if isCertain { study.certain.insert(violation) }
            return Outcome(
                violation: violation, events: sequence, log: world.log, isCertain: isCertain, isOfItself: isOfItself, isSpared: !good.isEmpty, conditions: conditions(of: bad.map(\.ways), not: good.map(\.ways)),
                unwrapped: world.shortcomings.first { $0.reason == .unwrapsNil }?.site,
                reason: shortcoming.map { "\($0.reason.rawValue) in '\($0.site.member)'" })
        }
    }

    /// Whether the events of a sequence may all come with nobody's help: calls from outside only where Cocoa makes them, those of a control or
    /// a view while the object is in use.  What the user does, he does once as far as anybody knows: the first time may have taken away by what he does it;
    /// and what one notification told, another one may have to end before it is told again.
    private func comesOfItself(_ sequence: [Automaton.Transition]) -> Bool {
        var isInUse = automaton.shown == nil
        var done: Set<String> = []
        return sequence.allSatisfy { transition in
            if transition.event == automaton.shown { isInUse = true }
            if transition.event == automaton.hidden { isInUse = false }
            guard transition.isFromOutside else { return !transition.isLikelyOnly }
            guard transition.from.isEmpty, let method = transition.calls.first else { return false }
            if outside.isHandler(method) { return done.insert(method).inserted }
            if outside.sent.byViews.contains(method) { return isInUse }
            return isInUse && outside.sent.byUser.contains(ResourceNames.baseName(method)) && done.insert(method).inserted
        }
    }

    /// Whether a call from outside is one that nothing of the object asked for: Cocoa calls what a control or a view was given, and what is registered.
    private func isUnasked(_ transition: Automaton.Transition, _ machine: Machine) -> Bool {
        guard transition.isFromOutside, let method = transition.calls.first else { return false }
        let base = ResourceNames.baseName(method)
        return !outside.sent.byViews.contains(method) && !outside.sent.byUser.contains(base) && !machine.world.registrations.contains { $0.handler == base && $0.isLive }
    }

    /// Whether a violation is more than a note: whether a mere note is certain is not worth the time.
    private func weighs(_ violation: Violation) -> Bool {
        let family = replay.library.family(named: violation.family)
        return (family?.severities[violation.state] ?? replay.library.rules[violation.rule]?.severity) != .note
    }

    /// The outcomes that every run took that shows a violation, and no run took that does not.
    private func conditions(of bad: [Set<PendingChoices.Way>], not good: [Set<PendingChoices.Way>]) -> [PendingChoices.Way] {
        guard let first = bad.first, !good.isEmpty else { return [] }
        let common = bad.dropFirst().reduce(first) { $0.intersection($1) }
        let telling = common.filter { way in !good.contains { $0.contains(way) } }
        return telling.sorted { $0.fork.order == $1.fork.order ? $0.fork.text < $1.fork.text : $0.fork.order < $1.fork.order }
    }

    /// What a run could not do and what makes its violations doubtful: what was cut short could have released something, or is
    /// the code that acquires.
    private func shortcoming(of world: World) -> Shortcoming? {
        world.shortcomings.first { shortcoming in
            shortcoming.reason == .tooDeep
                && (replay.relevance.mayRelease(ResourceNames.baseName(shortcoming.site.member)) || world.violations.contains { $0.site.member == shortcoming.site.member })
        }
    }

    /// Whether what a run could not do may have acquired, released or kept something.
    package func isTelling(_ shortcoming: Shortcoming) -> Bool {
        switch shortcoming.reason {
        case .tooDeep: relevance.isHot(anyNamed: ResourceNames.baseName(shortcoming.site.member))
        case .tooLong: true
        case .unwrapsNil, .wrongCast, .trap: false
        }
    }

    /// One run, with the outcomes that it took and the statements that it added to what others had run; not finished when it traps or reaches a bound.
    func run(_ sequence: [Automaton.Transition], given: [Bool], _ checkpoints: inout Checkpoints) -> (world: World, choices: Choices, isFinished: Bool, steps: Int) {
        var state: Life
        var stepsBefore = 0
        func result(_ isFinished: Bool) -> (World, Choices, Bool, Int) {
            (state.machine.world, state.machine.choices, isFinished, state.machine.world.steps - stepsBefore)
        }
        if let known = checkpoints.latest(of: sequence, given: given) {
            state = known
            stepsBefore = known.machine.world.steps
        } else {
            state = unborn(given: given)
            guard begin(isMadeByNib: sequence.contains { $0.needs == "made_by_nib" }, &state.machine) else { return result(false) }
            checkpoints.keep(state, of: sequence)
        }
        while state.done < sequence.count {
            guard live(sequence[state.done], in: sequence, &state) else { return result(false) }
            if sequence[state.done - 1].event == "release" { break }
            if state.done < sequence.count { checkpoints.keep(state, of: sequence) }
        }
        return result(true)
    }

    /// The life of which nothing has happened yet.
    private func unborn(given: [Bool]) -> Life {
        var machine = Machine(
            program: program, library: replay.library, lookups: lookups, relevance: relevance,
            choices: Choices(given: given, configuration: configuration), targets: replay.targets, watchesGeometry: watchesGeometry, isLenient: isLenient)
        machine.widensValues = widensValues
        machine.followsOwnCodeOnly = followsOwnCodeOnly
        return Life(machine: machine, done: 0, wasUsed: automaton.hidden == nil)
    }

    /// The life after the object was made, with these outcomes of the first questions; nil when making it traps or reaches a bound.
    package func born(isMadeByNib: Bool, given: [Bool], _ confluence: Confluence? = nil) -> (life: Life, isFinished: Bool) {
        var life = unborn(given: given)
        life.machine.confluence = confluence
        let isFinished = begin(isMadeByNib: isMadeByNib, &life.machine)
        return (life, isFinished)
    }

    /// Runs one more event, with these outcomes of the first questions; false when it traps or reaches a bound.
    package func live(_ transition: Automaton.Transition, given: [Bool], _ life: inout Life) -> Bool {
        life.machine.choices.resume(given: given)
        life.machine.isLenient = isLenient
        return live(transition, in: [], &life)
    }

    /// The methods that code outside may call and that reach something of interest where no run has been.
    package func outsideMethods(besides covered: Set<BodyPlace>, after called: [OutsideCallers.Method] = [], slice: ClassSlice) -> [OutsideCallers.Method] {
        outside.methods(besides: covered, after: called, slice: slice, automaton: automaton, relevance) { method in
            // Others may have objects of their own each time, unless there is but one; and who is told something, may be told another thing.
            let calls = CallsAgain(replay: replay)
            return isForLife && calls.isCalledAgain(method, outside: outside.chain) || (program[method].parameters.isEmpty || calls.acquiresWhateverIsTold(method)) && calls.isCalledAgainOnOne(method, outside: outside.chain)
        }
    }

    /// The names of the methods from outside, each with those that some code calls on the same object after it.
    package func followers(of methods: [OutsideCallers.Method]) -> [String: Set<String>] { outside.followers(of: methods, relevance) }

    /// The object whose life is run: the first of the world.
    static let object = ObjectID(index: 0)

    private func begin(isMadeByNib: Bool, _ machine: inout Machine) -> Bool {
        let object = machine.world.make(.project(type))
        machine.outsideCallers = outside
        machine.isMadeByNib = isMadeByNib
        machine.isMadeWithoutArguments = isMadeWithoutArguments
        for (method, flag) in Self.loadedFlags where automaton.transitions.contains(where: { $0.calls.contains(method) }) { machine.world[object].fields[flag] = .boolean(false) }
        for property in joinable {
            machine.world[object].fields[property] = .null
            machine.world[object].weakFields.insert(property)
        }
        let (_, made) = machine.initialize(object, as: type, nil, [])
        guard made == .normal, settle(&machine, owner: .object(object)) else { return false }
        machine.takeWhatOthersGive(object, lookups.propertiesGiven(to: type, relevance))
        if watchesGeometry { machine.event = 0 }
        // A view's outlets are connected by the nib that makes it, a controller's when its view is loaded.
        if !loadsView, automaton.transitions.contains(where: { $0.event == "awake" }) {
            guard connectOutlets(of: object, &machine) else { return false }
        }
        return true
    }

    private func connectOutlets(of object: ObjectID, _ machine: inout Machine) -> Bool {
        let flow = machine.connectOutlets(of: object)
        return flow != .stopped && flow != .trapped
    }

    /// The next event.
    private func live(_ transition: Automaton.Transition, in sequence: [Automaton.Transition], _ state: inout Life) -> Bool {
        let object = Self.object
        let owner = Value.object(object)
        // Nobody shows again what was told to go for good.
        if leaving.contains(where: { state.machine.world[object].fields[$0] == .boolean(true) }), isWayBack(transition) { return false }
        // Who comes back has arrived before.
        if isWayBack(transition) { for name in arriving { state.machine.world[object].fields[name] = .boolean(false) } }
        guard isPossible(transition, in: state.machine.world[object]) else { return false }
        state.done += 1
        state.machine.event = state.done
        if transition.event == "release" {
            guard settle(&state.machine, owner: .null) else { return false }
            state.machine.endWhatComesOnce()
            guard settle(&state.machine, owner: .null) else { return false }
            // Whatever still calls its block calls it, so that a block that ends its own registration does.
            guard state.machine.callBlocks(), settle(&state.machine, owner: .null) else { return false }
            if watchesGeometry { watchGeometry(sequence, object, &state.machine) } else if let circle { state.machine.watch(circle) } else if state.wasUsed { state.machine.watchTheEnd(of: object, outside, mayLast: mayLast) }
            return true
        }
        state.machine.isCalledFromOutside = transition.isFromOutside
        if isUnasked(transition, state.machine) { state.machine.world.unaskedCalls += 1 }
        state.machine.isGivenAnother = transition.isFromOutside && (automaton.prepared != nil && !transition.from.isEmpty || transition.calls.contains { Automaton.Transition.property(setBy: $0) != nil })
        state.machine.isToldNothing = transition.isFromOutside && transition.calls.allSatisfy { $0.hasSuffix("()") }
        if watchesGeometry, transition.isFromOutside { state.machine.sizeForUse(object) }
        for call in transition.calls { if let flag = Self.loadedFlags[call] { state.machine.world[object].fields[flag] = .boolean(true) } }
        if transition.calls.contains("viewDidLoad()") {
            guard connectOutlets(of: object, &state.machine) else { return false }
        }
        let joined = Self.joined(by: transition)
        if transition.event == "leave_superview" { state.machine.leaveSuperview(owner) }
        for call in transition.calls where call != "deinit" && !hasEnded(call, transition, state.machine) {
            // Who joins is told whom, and who leaves is told nobody, before the property says so.
            // Until it has joined, it has none.
            let (willMove, didMove) = (Self.isBeforeMove(call), Self.isAfterMove(call))
            if let joined, willMove, joined.value != .null { state.machine.world[object].fields[joined.property] = .null }
            if let joined, didMove {
                state.machine.world[object].fields[joined.property] = joined.value
                state.machine.world[object].weakFields.insert(joined.property)
            }
            guard deliver(call, to: object, willMove ? joined?.value : nil, &state.machine) else { return false }
        }
        guard settle(&state.machine, owner: owner) else { return false }
        if watchesGeometry { state.machine.watchAdditions() }
        if transition.event == automaton.hidden { state.wasUsed = true }
        for name in leaving { state.machine.settleAnswer(of: name, object) }
        if transition.event == automaton.shown {
            for name in leaving { state.machine.world[object].fields[name] = state.machine.world.unknown() }
            state.appearances.append(state.done)
            state.machine.world.geometry.isShown = true
            state.machine.watchDeafness(appearances: state.appearances)
        }
        return true
    }

    /// Whether an event leads out of the state in which the object is out of use, and is not its end.
    private func isWayBack(_ transition: Automaton.Transition) -> Bool {
        guard let gone = automaton.transitions.first(where: { $0.event == automaton.hidden })?.to else { return false }
        return transition.from.contains(gone) && transition.to != nil && transition.event != "release"
    }

    private func watchGeometry(_ sequence: [Automaton.Transition], _ object: ObjectID, _ machine: inout Machine) {
        guard let knowledge = replay.library.geometry, case let (layouts, refreshes) = (knowledge.layouts, knowledge.refreshes),
              let first = sequence.firstIndex(where: { $0.calls.contains { layouts.contains(ResourceNames.baseName($0)) } }) else { return }
        let appearances = sequence.indices.filter { sequence[$0].calls.contains("viewWillAppear(_:)") || sequence[$0].calls.contains("viewIsAppearing(_:)") }
        let ownView: ObjectID? = if case .object(let id)? = machine.world[object].fields["view"] { id } else { nil }
        let calledAgain: Set<String> = if case .project(let type) = machine.world[object].kind { machine.lookups.calledByLayout(type, knowledge) } else { [] }
        machine.watchGeometry(firstLayout: first + 1, ownView: ownView, appearances: Set(appearances.map { $0 + 1 })) { site in
            // An observer of its own frame or bounds runs when the layout sets them.
            slice.isUsed(ResourceNames.baseName(site.member), by: refreshes.union(layouts).union(["frame", "bounds"])) || isLaidOutItself(site.type)
                || calls(at: site, anyOf: calledAgain)
        }
    }

    /// Whether a place is a call of one of these names: what a helper does there, which is not of this class, it does where it is called again.
    private func calls(at site: Site, anyOf names: Set<String>) -> Bool {
        guard !names.isEmpty, let type = site.type else { return false }
        return replay.program.members(named: ResourceNames.baseName(site.member), on: type).contains { id in
            replay.program[id].bodies.contains { _, body in
                body.block.containsStatement { $0.span == site.span && $0.call?.callee.baseName.map(names.contains) ?? false }
            }
        }
    }

    /// Whether a class other than this one has layouts of its own, which no event of this life calls: its runs show what it does.
    private func isLaidOutItself(_ other: TypeID?) -> Bool {
        guard let other, !outside.chain.contains(other) else { return false }
        return replay.automaton(of: other).transitions.contains { $0.event == "layout" }
    }

    /// Whether a method is called from outside by registrations only, and none of them lives any more.
    private func hasEnded(_ call: String, _ transition: Automaton.Transition, _ machine: Machine) -> Bool {
        guard transition.isFromOutside else { return false }
        let calling = machine.world.registrations.filter { $0.handler == ResourceNames.baseName(call) }
        return !calling.isEmpty && !calling.contains(where: \.isLive)
    }

    /// The property that an event `join_…` or `leave_…` of a view sets, and what it has then; nil for other events.
    private static func joined(by transition: Automaton.Transition) -> (property: String, value: Value)? {
        if transition.event.hasPrefix("leave_") { return (String(transition.event.dropFirst("leave_".count)), .null) }
        // Whatever it joins, it is there, and the same until it is left.
        if transition.event.hasPrefix("join_") {
            let property = String(transition.event.dropFirst("join_".count))
            return (property, .named(property, []))
        }
        return nil
    }

    /// Whether what a view lies in lets an event happen that leaves its state as it is: who lies in a superview or window joins none before it
    /// has left, nobody leaves what he is not in, and whoever dies was taken out before.
    private func isPossible(_ transition: Automaton.Transition, in view: HeapObject) -> Bool {
        func isIn(_ property: String) -> Bool { view.fields[property] ?? .null != .null }
        if transition.to == nil, let joined = Self.joined(by: transition) { return isIn(joined.property) == (joined.value == .null) }
        return transition.event != "release" || !joinable.contains(where: isIn)
    }

    /// Whether a view is told by this method that it is about to join or leave: `willMove(toWindow:)`, and `viewWillMove(toWindow:)` on a Mac.
    private static func isBeforeMove(_ call: String) -> Bool { call.hasPrefix("willMove") || call.hasPrefix("viewWillMove") }

    /// Whether a view is told by this method that it has joined or left: `didMoveToWindow()`, and `viewDidMoveToWindow()` on a Mac.
    private static func isAfterMove(_ call: String) -> Bool { call.hasPrefix("didMove") || call.hasPrefix("viewDidMove") }

    /// Whether a method of this full name is called by some event of the automaton.
    private func isEventMethod(_ fullName: String) -> Bool { automaton.transitions.contains { $0.calls.contains(fullName) } }

    /// Calls a method as Cocoa or somebody outside does, or reads a lazy property for the first time.
    private func deliver(_ name: String, to object: ObjectID, _ argument: Value?, _ machine: inout Machine) -> Bool {
        if let property = Automaton.Transition.property(setBy: name) {
            let flow = machine.assign(property, of: object)
            return flow != .stopped && flow != .trapped
        }
        let base = ResourceNames.baseName(name)
        let count = name.count { $0 == ":" }
        for link in program.chain(of: type) {
            let members = program[link].membersByName[base] ?? []
            if members.contains(where: { program[$0].modifiers.contains("lazy") }) {
                _ = machine.readField(base, of: object)
                return true
            }
            // Before Swift 3 the first label was not written; `willMove(toWindow:)` and `willMove(toSuperview:)` are two methods all the same.
            guard let id = members.first(where: { program[$0].fullName == name && program[$0].body != nil })
                    ?? members.first(where: { program[$0].isOverride && program[$0].parameters.count == count && program[$0].body != nil && !isEventMethod(program[$0].fullName) }),
                  let body = program[id].body else { continue }
            let isShown = replay.library.closureRoles[program[id].fullName] == .shown && hasViews
            let frame = machine.world.frames.count
            machine.keepsNextFrame = true
            let flow = machine.run(
                body, file: id.declaration.file, member: program[id].fullName, selfValue: .object(object), declaringType: link,
                arguments: program[id].parameters.map { parameter in
                    argument ?? machine.caller(parameter.type, of: base, on: object) ?? machine.argument(parameter.type, file: id.declaration.file, of: object)
                },
                // Who calls from outside gets what it returns, which can be a token.
                isResultUsed: isShown || machine.isCalledFromOutside && ClassSlice.mentions(body, replay.names.all))
            if isShown, case .returned(let value) = flow { machine.show(value, by: object) }
            if case .returned(let value) = flow, machine.isCalledFromOutside { machine.handOn(value) }
            // What it put into its parameters, the caller has.
            for parameter in body.parameters { machine.world.frames[frame].locals[parameter].map { machine.handOn($0) } }
            return flow != .stopped && flow != .trapped
        }
        return true
    }

    /// Whether the object is a view or has one, in which a list of its own lies.
    private var hasViews: Bool {
        program.platformClass(of: type).map { known in ["UIViewController", "UIView"].contains { program.platform.isClass(known, kindOf: $0) } } ?? false
    }

    /// Runs what waits, then frees what nothing holds.
    private func settle(_ machine: inout Machine, owner: Value) -> Bool {
        for _ in 0..<8 {
            let waiting = machine.world.queue
            machine.world.queue = []
            if waiting.isEmpty { break }
            // What a queue runs later finds the views as the layout left them, which comes before.
            machine.world.geometry.laidOutIn = machine.event
            for (closure, arguments) in waiting {
                let (_, flow) = machine.invoke(closure, arguments)
                if flow == .stopped || flow == .trapped { return false }
            }
        }
        guard machine.collect(owner: owner) != .stopped else { return false }
        machine.watchDroppedTokens(owner: owner)
        // What code outside asks for again may be for something else, unless it tells nothing of it, or prepares the object anew.
        if !machine.isCalledFromOutside || machine.isToldNothing || automaton.prepared != nil { machine.watchDoubledTokens() }
        if !machine.isCalledFromOutside { machine.watchOverwrittenTokens() }
        machine.world.overwritten = []
        return true
    }
}

extension Program {
    /// Whether code of a class or its superclasses reads one of these properties, be it of self or another object.
    fileprivate func reads(oneOf names: Set<String>, inChainOf type: TypeID) -> Bool {
        !names.isEmpty && chain(of: type).flatMap { members(of: $0) }.contains { self[$0].reads(oneOf: names) }
    }
}
