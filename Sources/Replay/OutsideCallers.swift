import ProgramModel
import RuleLibrary
import SourceText

/// What code outside a class can do to its objects: which of its methods nobody inside calls, and which releases only they reach.
package struct OutsideCallers {
    /// A call that releases, with the ways to it.
    struct Release {
        let span: SourceSpan
        let file: Int
        /// What the text alone tells of the keys that it names, by family; nil where it tells nothing.
        let keys: [String: [Value?]]
        /// The methods from which it is reached and that no code of the class calls.
        let entries: Set<String>
        /// The property of the object with what is released, where that alone can be in it: what the class itself makes.
        let property: String?
        /// The families of which it only takes a resource off what runs it.
        var detaching: Set<String> = []
    }

    let releases: [Release]
    /// A method that somebody calls whom no run shows.
    package struct Method {
        /// The full name; the plain name of a lazy property; `set name` where somebody sets a property whose observers or setter run.
        package let name: String
        let member: MemberID
        /// Whether it answers to something that happens again and again: a control, a notification, a delegate's call.
        package let isRepeated: Bool
        /// Whether it may be called again where nothing says that it is: not what only a timer of its own class calls, one that fires once, for
        /// then nothing waits that would call it; not what a nib calls, for nobody wakes an object twice but the nibs that it owns; not
        /// what a control sends and by which controls are taken away; and not what only the beginnings of others call.
        package let mayComeAgain: Bool
        /// Whether it observes what it is given, and somebody gives it another; or whether it asks for the value before.
        package let isReplaced: Bool
        /// Whether it tells the object what to show, before each use.
        let isPreparation: Bool
        /// Whether it may release something, and code of others calls it.
        package let mayEnd: Bool

        /// The event by which code outside prepares the object for its next use with the method; nil where that is not what it is for.
        package func preparation(_ automaton: Automaton) -> Automaton.Transition? {
            guard isPreparation, let event = automaton.transitions.first(where: { $0.event == automaton.prepared }) else { return nil }
            return .outsideCall(of: name, as: event)
        }
    }

    let program: Program
    let library: RuleLibrary
    let type: TypeID
    /// The full names of what acquires a resource whose second release raises an exception.
    let exceptional: Set<String>
    /// The full names of what acquires a resource that is told by its arguments apart, and by no token.
    let telling: Set<String>
    /// The class with its project superclasses.
    let chain: Set<TypeID>
    private let handlers: Set<String>
    /// Those that selectors name in calls alone that ask for one call.
    private let onceHandlers: Set<String>
    /// Those that controls, bar items and recognisers are given to send.
    private let sentByControls: Set<String>
    /// Those that the user calls by a control, and that do not take him away.
    private let sentWithoutLeaving: Set<String>
    /// The methods that only notifications of the system call.  Nobody promises that such a one comes before the object goes.
    let announced: Set<String>
    /// The full names of methods that are called again and again: those that the protocols of the class demand, and whatever tells of a choice.
    private let required: Set<String>
    /// The properties of the class whose values code of other objects releases.
    private let releasedByOthers: Set<String>
    /// The base names of the members that call a method, by its base name.
    private let callers: [String: Set<String>]
    /// The base names of what closures of the class call.
    private let calledInClosures: Set<String>
    /// The base names of what actions and handlers lead to, by closures too, which therefore comes again and again.
    private let ledToAgain: Set<String>
    /// How the methods are called that tell a reused object what to show.
    private let geometry: GeometryKnowledge?
    /// The full names of the methods that a list asks for what it shows: what they call on a reused object prepares it.
    private let showing: Set<String>
    /// The methods that Cocoa calls, as the class or an interface file asks for it.
    let sent: SentMethods

    /// `events` are the full names of the methods that the automaton of the class calls; nil where nobody asks who else does.
    init(program: Program, library: RuleLibrary, relevance: Relevance, type: TypeID, events: Set<String>?) {
        exceptional = Set(library.families.filter(\.isExceptional).flatMap(\.acquire).flatMap(\.names))
        telling = Set(library.families.filter { $0.tokenEnd == .none }.flatMap(\.acquire).filter { $0.key.count > 1 }.flatMap(\.names))
        (self.program, self.library, self.type) = (program, library, type)
        showing = Set(library.closureRoles.filter { $0.value == .shown }.keys)
        geometry = library.geometry
        chain = Set(program.chain(of: type))
        var callers: [String: Set<String>] = [:]
        var calledInClosures: Set<String> = []
        var members: [(id: MemberID, base: String)] = []
        var named: [String: [MemberFacts]] = [:]
        /// Whether the labels of a call leave it open that it means a method of the class: `child.start(animated: true)` is no `start()`.
        func mayMeanOwn(_ name: String, _ call: Call) -> Bool {
            let own = named[name] ?? program.members(named: name, on: type).map { program[$0] }
            named[name] = own
            return own.isEmpty || own.contains { $0.kind != .function || $0.fullName == call.fullName || $0.accepts(call) || $0.acceptsWithoutFirstLabel(call) }
        }
        for link in program.chain(of: type) {
            for id in program.members(of: link) {
                members.append((id, program[id].baseName))
                for (_, body) in program[id].bodies {
                    body.block.forEachStatement { statement in
                        if case .closure(_, let closure) = statement.kind {
                            closure.block.forEachStatement { inner in inner.call?.callee.baseName.map { _ = calledInClosures.insert($0) } }
                        }
                        // A method that an override hands on to is called by Cocoa all the same.
                        guard let call = statement.call else { return }
                        switch call.callee {
                        case .name(let name), .member(_, let name): if mayMeanOwn(name, call) { callers[name, default: []].insert(program[id].baseName) }
                        default: break
                        }
                    }
                }
            }
        }
        self.callers = callers
        sent = events.map { SentMethods(of: type, in: program, library: library, events: $0, callers: callers) } ?? SentMethods()
        releasedByOthers = Set(members.filter { relevance.isReleasedByOthers($0.id) }.map(\.base))
        self.calledInClosures = calledInClosures
        let own = Set(program.chain(of: type))
        let asked = Self.handlers(program, members.map(\.id), library)
        let actions = Set(members.lazy.filter { program[$0.id].isAction }.map(\.base))
        releases = ReleaseSearch(
            program: program, library: library, relevance: relevance, type: type, members: members, callers: callers, asked: asked.all.union(actions)).releases()
        sentWithoutLeaving = asked.sent.union(actions).subtracting(Self.leaving(members.map(\.id), program))
        (handlers, onceHandlers, sentByControls) = (asked.all, asked.once, asked.sent)
        announced = AnnouncedMethods(of: type, members.map(\.id), program).names.filter { name in
            (callers[name] ?? []).isEmpty && !members.contains { $0.base == name && (program[$0.id].isAction || relevance.isCalled($0.id, outside: own)) }
        }
        // Who is told of the end of a choice, too, may undo what the choice did.
        let choices = members.contains { program[$0.id].fullName.contains("didDeselect") } ? [] : library.choices
        let tellingAgain = program.protocols(of: type).filter { one in Self.repeatedly.contains { program[one].name.hasSuffix($0) } }
        required = choices.union(tellingAgain.flatMap { program.members(of: $0).filter { program[$0.declaration].kind == .protocol }.map { program[$0].fullName } })
        let offered = Self.calledByActions(program, members.map(\.id))
        ledToAgain = offered.union(Self.ledTo(from: handlers.union(offered).union(members.filter { program[$0.id].isAction || choices.contains(program[$0.id].fullName) }.map(\.base)), callers))
    }

    /// The properties that code of other types sets, and whose observers or setters do something of interest where no run has been.
    private func propertiesSet(besides covered: Set<BodyPlace>, slice: ClassSlice, automaton: Automaton, _ relevance: Relevance) -> [Method] {
        var found: [Method] = []
        for link in program.chain(of: type) {
            for id in program.members(of: link) {
                let member = program[id]
                guard member.kind == .property, !member.isStatic, !member.isOutlet, slice.isTouched(member.fullName),
                      let body = [member.accessors?.didSet, member.accessors?.willSet, member.accessors?.set].compactMap({ $0 }).first,
                      !covered.contains(BodyPlace(body, file: id.declaration.file)), !found.contains(where: { $0.name == "set \(member.baseName)" }),
                      // What overrides a property of the SDK, Cocoa sets; what is public, whoever uses the module.
                      member.isOverride || member.isSetByAnyone || isListed(id) || expectsAnother(member) && !member.isPrivate || relevance.isSet(id, outside: chain) else { continue }
                // What a reused object gets is mostly what it shows; a switch is not.
                let isShown = member.type.map { !["Bool", "BOOL"].contains($0.unwrapped.name) } ?? false
                found.append(Method(name: "set \(member.baseName)", member: id, isRepeated: false, mayComeAgain: true, isReplaced: isReplaced(id, relevance), isPreparation: automaton.prepared != nil && isShown, mayEnd: true))
            }
        }
        return found
    }

    /// The methods and lazy properties with something of interest that no run has reached: of those that use one another the users;
    /// then the properties that others set.  Once some were `called`, it is those that no run of theirs came to and that code of other
    /// types or a closure calls, whatever code of the class does so too.  `isCalledAgain` says of which others surely call again and again.
    func methods(besides covered: Set<BodyPlace>, after called: [Method] = [], slice: ClassSlice, automaton: Automaton, _ relevance: Relevance, isCalledAgain: (MemberID) -> Bool = { _ in false }) -> [Method] {
        var left: [(member: MemberFacts, id: MemberID)] = []
        // Who calls a method that a subclass overrides calls the override.
        var overrides: Set<String> = []
        for link in program.chain(of: type) {
            let inherited = program.members(of: link).filter { !overrides.contains(program[$0].fullName) }
            for id in inherited where program[id].kind == .function && program[id].body != nil { overrides.insert(program[id].fullName) }
            for id in inherited {
                let member = program[id]
                guard !member.isStatic, slice.isTouched(member.fullName), let body = member.body, member.kind == .function || member.modifiers.contains("lazy"),
                      // What the class itself has begun, its owner begins as well.
                      !covered.contains(BodyPlace(body, file: id.declaration.file)) || called.isEmpty && isCalledInTurnsByOthers(id, relevance), !left.contains(where: { $0.member.fullName == member.fullName }) else { continue }
                left.append((member, id))
            }
        }
        let ofAutomaton = Set(automaton.transitions.flatMap(\.calls))
        left.removeAll { ofAutomaton.contains($0.member.fullName) || Self.neverCalledByApps.contains($0.member.fullName) }
        if !called.isEmpty {
            let names = Set(called.map(\.name))
            left.removeAll { names.contains($0.member.fullName) || !(relevance.isCalled($0.id, outside: chain) || calledInClosures.contains($0.member.baseName)) }
        }
        let properties = propertiesSet(besides: covered, slice: slice, automaton: automaton, relevance)
        let set = Set(properties.compactMap { Automaton.Transition.property(setBy: $0.name) })
        // What only the class calls runs when the property is set, with what was set.
        left.removeAll { $0.member.isPrivate && slice.isUsed($0.member.baseName, by: set) }
        left.removeAll { isReachedBySeen($0.id, covered: covered, relevance) || isForNobody($0.id, relevance) }
        let first = Self.first(of: left.map(\.member), slice)
        return left.filter { first.contains($0.member.baseName) }.map { member, id in
            let isOfOwnTimer = isOfOwnTimer(id, relevance)
            let isByFlag = isCalledByFlag(id, relevance)
            let isOnce = isByFlag || isCalledOnce(id, relevance)
            let mayComeAgain = !isOfOwnTimer && !isOnce && !isCalledInTurns(id, relevance) && member.fullName != "awakeFromNib()" && !((member.isAction || sentByControls.contains(member.baseName)) && program.takesControlsAway(id, of: type))
            let isRepeated = member.kind == .function && mayComeAgain && (member.isAction || handlers.contains(member.baseName) || ledToAgain.contains(member.baseName) || required.contains(member.fullName) || isSetter(member) || tellsOfChanges(member) || isUndoneInVain(id, slice, relevance) || isCalledAgain(id))
            return Method(
                name: member.fullName, member: id, isRepeated: isRepeated, mayComeAgain: mayComeAgain, isReplaced: isReplaced(id, relevance),
                isPreparation: automaton.prepared != nil && member.kind == .function && !isOnce
                    && (geometry?.prepares(member.fullName, cell: true) ?? false || relevance.isCalled(id, byAnyOf: showing)),
                mayEnd: relevance.isReleaseOrLeadsToOne(member.baseName) && (relevance.isCalled(id, outside: chain) || calledInClosures.contains(member.baseName) || program.isOffered(id)))
        } + properties.filter { one in !called.contains { $0.name == one.name } }
    }

    /// The base names of the members that no other of these uses; where some use each other in a circle, of one that others may call.
    private static func first(of members: [MemberFacts], _ slice: ClassSlice) -> Set<String> {
        let names = Set(members.map(\.baseName))
        var used: [String: Set<String>] = [:]
        var found: Set<String> = []
        for member in members {
            let users = slice.users(of: member).subtracting([member.baseName]).intersection(names)
            if users.isEmpty { found.insert(member.baseName) }
            for user in users { used[user, default: []].insert(member.baseName) }
        }
        var reached: Set<String> = []
        func reach(_ name: String) {
            var pending = [name]
            while let next = pending.popLast() { if reached.insert(next).inserted { pending += used[next] ?? [] } }
        }
        found.forEach(reach)
        for member in members.filter({ !$0.isPrivate }) + members where !reached.contains(member.baseName) {
            found.insert(member.baseName)
            reach(member.baseName)
        }
        return found
    }

    /// Whether only code of the class calls a method, and all of that has run: no run of it came to the call, so that calling the method
    /// all the same would show what does not happen.
    private func isReachedBySeen(_ id: MemberID, covered: Set<BodyPlace>, _ relevance: Relevance) -> Bool {
        let member = program[id]
        let above = callersBesidesItself(of: member)
        guard !above.isEmpty, !handlers.contains(member.baseName), isOfClassAlone(id, relevance) else { return false }
        return program.chain(of: type).allSatisfy { link in
            program.members(of: link).allSatisfy { caller in
                !above.contains(program[caller].baseName) || program[caller].bodies.allSatisfy { covered.contains(BodyPlace($0.body, file: caller.declaration.file)) || !$0.body.block.calledNames.contains(member.baseName) }
            }
        }
    }

    /// Whether nobody can call a method: a private one of Swift that no code names.
    private func isForNobody(_ id: MemberID, _ relevance: Relevance) -> Bool {
        let member = program[id]
        guard program.files[id.declaration.file].facts.language == .swift, member.isPrivate, member.kind == .function, member.attributes.isEmpty, !member.isOverride, !handlers.contains(member.baseName),
              !calledInClosures.contains(member.baseName), callersBesidesItself(of: member).isEmpty, !relevance.isCalled(id) else { return false }
        return !program.isOffered(id) && !program.chain(of: type).contains { program.members(of: $0).contains { program[$0].isPartial } }
    }

    /// Whether a list that the class serves calls a method of this full name for each row that it shows.
    func isAskedForRows(_ method: String) -> Bool { sent.byViews.contains(method) && showing.contains(method) }

    /// Whether a selector names a method of this full name for what is registered, which then calls it.
    func isHandler(_ method: String) -> Bool { handlers.contains(ResourceNames.baseName(method)) && !sentByControls.contains(ResourceNames.baseName(method)) }

    /// The base names of the members that call a method, but for itself.
    func callersBesidesItself(of member: MemberFacts) -> Set<String> { (callers[member.baseName] ?? []).subtracting([member.baseName]) }

    /// Whether a method is called, or named for a call, by code of its class alone, and not by a closure.
    private func isOfClassAlone(_ id: MemberID, _ relevance: Relevance) -> Bool {
        let member = program[id]
        guard member.kind == .function, !member.isOverride, !member.isAction, !calledInClosures.contains(member.baseName), !required.contains(member.fullName),
              !relevance.isCalled(id, outside: chain) else { return false }
        return !program.isOffered(id)
    }

    private func isOfOwnTimer(_ id: MemberID, _ relevance: Relevance) -> Bool {
        onceHandlers.contains(program[id].baseName) && callersBesidesItself(of: program[id]).isEmpty && isOfClassAlone(id, relevance)
    }

    /// Whether a method sets what is shown or played, as frameworks call them that know properties by their names: `setSource:`.
    private func isSetter(_ member: MemberFacts) -> Bool {
        member.parameters.count == 1 && !member.isPrivate && !member.isOverride && member.baseName.propertyItSets != nil
    }

    /// Whether it hears of changes of what it observes, and goes on doing so.
    private func tellsOfChanges(_ member: MemberFacts) -> Bool {
        guard member.baseName == "observeValue" || member.baseName == "observeValueForKeyPath", let body = member.body else { return false }
        return !body.block.containsStatement { $0.call?.callee.baseName?.hasPrefix("removeObserver") ?? false }
    }

    /// What ends no use: the end of the object, which a resource that holds it keeps from coming, events that are not sent any more, and what
    /// people do with a view while it is shown, which may never happen.
    private static let noEnds = MemberFacts.withdrawnEvents.union([
        "deinit", "scrollViewDidScroll", "scrollViewWillBeginDragging", "scrollViewWillEndDragging", "scrollViewDidEndDragging", "scrollViewWillBeginDecelerating",
        "scrollViewDidEndDecelerating", "scrollViewDidEndScrollingAnimation", "touchesBegan", "touchesMoved", "touchesEnded", "touchesCancelled",
        // What comes once, at the beginning.
        "loadView", "viewDidLoad", "windowDidLoad", "awakeFromNib",
    ])

    /// The base names of the members that may lead away from the screen: they, or what they call, speak of it.
    private static func leaving(_ members: [MemberID], _ program: Program) -> Set<String> {
        var calls: [String: Set<String>] = [:]
        for id in members { calls[program[id].baseName, default: []].formUnion(program[id].bodies.flatMap(\.body.block.calledNames)) }
        func isWayOut(_ name: String) -> Bool { ["dismiss", "pop", "removefrom", "unwind", "segue", "close", "finish", "done"].contains { name.lowercased().contains($0) } }
        return calls.namesLeading(to: Set(calls.filter { $0.value.contains(where: isWayOut) }.keys))
    }

    /// How protocols are named whose methods tell of what happens again and again; others may be asked once.
    private static let repeatedly = ["Delegate", "DataSource", "Observer", "Listener"]

    /// What only Xcode calls, to draw a storyboard.
    private static let neverCalledByApps: Set<String> = ["prepareForInterfaceBuilder()"]

    /// The base names of the methods that selectors in the class name, of those that they name in calls alone that ask for one call, and of
    /// those that they name for controls; what an object calls once by its selector, while it is made, is no handler.
    private static func handlers(_ program: Program, _ members: [MemberID], _ library: RuleLibrary) -> (all: Set<String>, once: Set<String>, sent: Set<String>) {
        var (all, often, sent): (Set<String>, Set<String>, Set<String>) = ([], [], [])
        for id in members {
            for (_, body) in program[id].bodies {
                body.block.forEachStatement { statement in
                    guard let call = statement.call, !(program[id].isPartOfMaking && call.callee.baseName?.hasPrefix("perform") ?? false) else { return }
                    let names = call.handlers
                    guard !names.isEmpty else { return }
                    all.formUnion(names)
                    if library.isRepeated(armedBy: call.fullName, flag: call.boolean) != false { often.formUnion(names) }
                    if call.givesAction { sent.formUnion(names) }
                }
            }
        }
        return (all, all.subtracting(often), sent)
    }

    /// The base names of what the closures of actions call, which menus, buttons and alerts offer again.
    private static func calledByActions(_ program: Program, _ members: [MemberID]) -> Set<String> {
        var found: Set<String> = []
        for id in members {
            for (_, body) in program[id].bodies {
                var called: [Register: Set<String>] = [:]
                body.block.forEachStatement { statement in
                    if case .closure(let register, let closure) = statement.kind { called[register] = closure.block.calledNames }
                    guard let call = statement.call, let made = call.callee.typeItIsAskedOf, made.hasPrefix("UI"), made.hasSuffix("Action") else { return }
                    for case .register(let register) in call.arguments.map(\.value) { found.formUnion((called[register] ?? []).filter { !$0.hasPrefix("init") }) }
                }
            }
        }
        return found
    }

    /// The base names of what members of these names call, and so on.
    private static func ledTo(from starts: Set<String>, _ callers: [String: Set<String>]) -> Set<String> {
        var found: Set<String> = []
        var pending = starts
        while !pending.isEmpty {
            let next = Set(callers.filter { !$0.value.isDisjoint(with: pending) }.keys).subtracting(found)
            found.formUnion(next)
            // What is called so makes another object, which then begins.
            pending = next.filter { !$0.hasPrefix("init") }
        }
        return found
    }

    /// Whether somebody outside can release what a run left: a release of such a key that did not run and that more than `deinit` leads to.
    /// `holders` are the properties of the object that keep the token; empty where nobody knows.  Where `stopping` is not enough, what
    /// only takes it off its run loop does not count; what notifications of the system release counts where it is enough that it may, not
    /// that it does so in time.
    func canRelease(_ registration: Registration, besides ran: Set<Site>, keptIn holders: Set<String> = [], byStopping stopping: Bool = true, atAnyTime: Bool = false) -> Bool {
        if !holders.isDisjoint(with: releasedByOthers) { return true }
        // What one notification begins, another one ends; and where a token says what is ended, it may be another one's that is.
        var noEnds = atAnyTime || registration.token != nil || announced.contains(String(registration.site.member.prefix { $0 != "(" && $0 != ":" })) ? Self.noEnds : Self.noEnds.union(announced)
        // Whoever ends it in a deinit means it to last no longer than the object, whether the user has stopped it or not.
        if isReleasedInDeinit(registration.family) { noEnds.formUnion(sentWithoutLeaving) }
        // Where only the end of the object releases what is in these properties, what others do to other properties is beside the point.
        let isForgotten = !holders.isEmpty && !releases.contains { release in
            release.keys[registration.family] != nil && (release.property.map(holders.contains) ?? true) && !release.entries.subtracting(noEnds).isEmpty
        }
        return releases.contains { release in
            if isForgotten, release.property != nil { return false }
            if !stopping, release.detaching.contains(registration.family) { return false }
            return fits(release, registration) && !release.entries.subtracting(noEnds).isEmpty && !ran.contains { $0.file == release.file && $0.span == release.span }
        }
    }

    /// Whether a release may be of a registration, as far as the text tells its keys.
    func fits(_ release: Release, _ registration: Registration) -> Bool {
        guard let keys = release.keys[registration.family] else { return false }
        return zip(keys, registration.key).allSatisfy { key, registered in key.map { mayEqual($0, registered) } ?? true }
    }

    private func mayEqual(_ key: Value, _ registered: Value) -> Bool {
        switch (key, registered) {
        case (.string(let left), .string(let right)), (.keyPath(let left), .keyPath(let right)): left == right
        // Two constants of the project stand for two things.
        case (.named(let left, _), .named(let right, _)) where !left.contains(".") && !right.contains("."): left == right
        // Each of them may be written as a constant of the project or as a key path.
        case (.named(let left, _), .named(let right, _)): !right.contains(".") || left.split(separator: ".").last == right.split(separator: ".").last
        default: true
        }
    }

    /// Whether only the end of the object would release the family.
    func isReleasedInDeinit(_ family: String) -> Bool {
        releases.contains { $0.keys[family] != nil && $0.entries.contains("deinit") }
    }
}

extension Callee {
    /// The name of the type that makes an object, or of which a method is called.
    fileprivate var typeItIsAskedOf: String? {
        switch self {
        case .initializer(let type), .member(.type(let type), _): type.name
        default: nil
        }
    }
}
