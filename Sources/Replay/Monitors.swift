import ProgramModel
import RuleLibrary

/// The monitors: each watches the registrations for one bad state; the family's data names the rule of the state.
extension Machine {
    mutating func report(_ state: String, of family: ResourceFamily, at site: Site, _ detail: String, related: [Site] = [], end: String? = nil) {
        guard let rule = family.rules[state] else { return }
        var violation = Violation(rule: rule, family: family.name, state: state, site: site, detail: detail, related: related)
        violation.steps = end.map { [LogEntry(event: event, site: site, note: $0)] } ?? []
        // Nothing comes after an exception.
        if state == "absent" { violation.logged = world.log.count }
        add(violation)
    }

    mutating func add(_ violation: Violation) {
        guard !world.violations.contains(where: { $0.rule == violation.rule && $0.site == violation.site }) else { return }
        var violation = violation
        violation.event = event
        world.violations.append(violation)
    }

    /// A second one of the same while the first still lives, acquired in a later event, or in the same one if there is no doubt that it is the same.
    mutating func watch(acquiring registration: Registration, _ family: ResourceFamily) {
        // One that ends with its token ends when another takes its place, which comes after.
        // The one before has come when what it calls asks for the next.
        guard registration.repeats, !registration.isRearmed, family.tokenEnd != .ends, mayBeDoubled(registration, family) else { return }
        let twin = world.registrations.first { other in
            guard other.isLive, other.repeats, !other.isRearmed, !other.isHandedOn, other.family == registration.family,
                  other.event < registration.event || isRepeated(registration, of: other) else { return false }
            // Two objects of one class have one each.
            // What goes with what it observes is another one on another player.
            if family.isHeldByObserved, other.observed != registration.observed { return false }
            if registration.token != nil { return other.site == registration.site && other.key == registration.key && other.observer == registration.observer && other.maker == registration.maker }
            // Two methods that hear of one thing are two observers.
            return other.key == registration.key && other.observer == registration.observer && other.observed == registration.observed && other.handler == registration.handler
        }
        guard let twin else { return watch(replacing: registration, family) }
        // That there are two is the lesser evil where nobody could end even one.
        if family.rules["piled"] != nil, [twin.token, registration.token].allSatisfy({ $0.map { !isKnownToAnybody($0) } ?? false }) {
            if endsItself(registration, family) { return }
            report("piled", of: family, at: registration.site, "nobody keeps the \(family.title), so nothing can end it, and each time one more is added", related: [twin.site])
        } else {
            report("doubled", of: family, at: registration.site, "a second \(family.title) is added while the first still lives", related: [twin.site])
        }
    }

    /// Whether it is without doubt the same once more, which calls the same method twice.
    private func isRepeated(_ registration: Registration, of other: Registration) -> Bool {
        guard registration.token == nil, let handler = registration.handler, handler == other.handler else { return false }
        return registration.key.contains(where: \.isPlain) && registration.key.allSatisfy { $0.isPlain || $0 == .null }
    }

    /// Whether a second registration during this event says anything: when somebody outside calls, it must be the object's own, and
    /// what has no token must have no way to be removed that the run has not gone.
    private func mayBeDoubled(_ registration: Registration, _ family: ResourceFamily) -> Bool {
        guard let outside = outsideCallers, isCalledFromOutside else { return true }
        guard registration.site.type.map(outside.chain.contains) ?? false else { return false }
        return registration.token != nil && family.tokenEnd == .goesOn && family.holdsObserver || !outside.canRelease(registration, besides: world.ranReleases, keptIn: holders(of: registration.token), atAnyTime: true)
    }

    /// A release of what was never acquired, or is released already.
    mutating func watch(absent family: ResourceFamily, _ key: [Value], _ observer: Value?, _ observed: Value?, at site: Site) {
        guard family.rules["absent"] != nil, catching == 0 else { return }
        let earlier = world.registrations.last { one in
            one.family == family.name && one.key == key && (observer.map { $0 == one.observer } ?? true) && (observed.map { $0 == one.observed } ?? true)
        }
        if let earlier {
            report("absent", of: family, at: site, "the \(family.title) is removed a second time, which raises an exception",
                   related: [earlier.site, earlier.ended?.site].compactMap { $0 }, end: "there is none to remove any more: an exception")
            return
        }
        if case .object(let new)? = observed, world[new].madeIn == event, observer != nil,
           let known = world.registrations.lastIndex(where: { $0.family == family.name && $0.isLive && same($0.key, key) && $0.observer == observer }), case .object = world.registrations[known].observed {
            report("absent", of: family, at: site, "the \(family.title) is removed from an object that was just made, and raises an exception: it is the object before that is observed",
                   related: [world.registrations[known].site], end: "there is none on this object: an exception")
            // The run goes on as if the right one had been meant: that it stays behind is the same mistake.
            end(known, at: site)
            return
        }
        if let observed, let observer,
           let known = world.registrations.last(where: { $0.family == family.name && $0.isLive && same($0.key, key) && $0.observer == observer && $0.observed != observed }),
           isOnlyObservedElsewhere(observed, than: known.observed, family, key, by: observer) {
            report("absent", of: family, at: site, "the \(family.title) is removed from another object than the one that is observed, and raises an exception",
                   related: [known.site], end: "there is none on this object: an exception")
            return
        }
        // What nobody gave a value may be nil, and a message to nil removes nothing; in Swift no run comes to the call then.
        if case .unknown? = observed, observer != nil, observed != observer, program.files[site.file].facts.language == .objectiveC { return }
        guard case .object(let object)? = observer, case .project(let type) = world[object].kind, !world.registrations.contains(where: { $0.family == family.name && same($0.key, key) }),
              lookups.acquisitions(of: family, by: type).contains(where: { $0.key == key && world.entered.contains($0.body) }) else { return }
        report("absent", of: family, at: site, "the \(family.title) is removed though on this way it was never added, which raises an exception", end: "there is none to remove: an exception")
    }

    /// Whether the class of the observer has one place that registers it with such a key, and in this run that never was for this object.
    private func isOnlyObservedElsewhere(_ asked: Value, than known: Value, _ family: ResourceFamily, _ key: [Value], by observer: Value) -> Bool {
        guard case .object(let id) = observer, case .project(let type) = world[id].kind,
              lookups.acquisitions(of: family, by: type).count(where: { same($0.key, key) }) == 1 else { return false }
        // Of what nobody knows it may be the same, unless it is what the other one is a part of.
        if case .object = asked {} else if !isPart(known, of: asked) { return false }
        return !world.registrations.contains { $0.family == family.name && $0.observed == asked }
    }

    /// What was ended is started again.
    mutating func watchReuse(of registration: Registration, _ family: ResourceFamily, at site: Site) {
        report("reused", of: family, at: site, "the \(family.title) was invalidated before and cannot be used again", related: [registration.site] + [registration.ended?.site].compactMap { $0 }, end: "uses it all the same")
    }

    /// A token that dies in the event that made it: what it stands for ends at once.
    mutating func watch(losingTokenOf registration: Registration, _ family: ResourceFamily) {
        guard registration.event == event, !registration.isHandedOn, !registration.isReplaced, let token = registration.token else { return }
        // What an object makes on its way out goes with it.
        if case .object(let maker) = registration.maker, world[maker].isFreed { return }
        // A closure that mentions the token keeps it until it is done, its own or another one, though the run may have lost sight of who has that.
        if world.closures.indices.contains(where: { held(in: .closure($0)).contains { $0 == .object(token) || held(by: $0).contains(.object(token)) } }) { return }
        reportDropped(registration, token, family, "the \(family.title) ends at once")
    }

    private mutating func reportDropped(_ registration: Registration, _ token: ObjectID, _ family: ResourceFamily, _ consequence: String) {
        // Two private properties of one name, of a class and its superclass, are one to the run: what goes into the second leaves the first.
        if case .project(let type) = world[ClassRuns.object].kind, lookups.hasTwins(type) { return }
        if let (name, site) = weakProperty(of: token) {
            report("dropped", of: family, at: site, "the property '\(name)' is weak and nothing else keeps the token, so \(consequence)", related: [registration.site])
        } else {
            report("dropped", of: family, at: registration.site, "nothing keeps the token, so \(consequence)", end: "nobody can reach the token any more")
        }
    }

    /// Tokens that nobody can reach any more although what they stand for goes on.
    mutating func watchDroppedTokens(owner: Value) {
        for registration in world.registrations where registration.isLive && registration.event == event {
            guard let family = library.family(named: registration.family), family.rules["dropped"] != nil, family.tokenEnd == .goesOn,
                  let token = registration.token, !registration.isHandedOn, !isOfShared(registration), !isKnownToAnybody(token) else { continue }
            reportDropped(registration, token, family, "the \(family.title) can never be removed")
        }
    }

    /// Whether a static or global object acquired it: what it keeps to the end of the app is no leak.
    private func isOfShared(_ registration: Registration) -> Bool {
        if case .object(let id) = registration.maker { world[id].isShared } else { false }
    }

    /// The properties of the object under watch that keep a token.
    func holders(of token: ObjectID?) -> Set<String> {
        guard let token else { return [] }
        return Set(world[ClassRuns.object].fields.filter { held(in: $0.value).contains(.object(token)) }.keys)
    }

    /// Whether any object, of the dead too if asked, or any closure refers to a token, weakly or strongly, so that somebody can end
    /// what it stands for.
    func isKnownToAnybody(_ token: ObjectID, theDeadToo: Bool = false) -> Bool {
        func refers(_ value: Value) -> Bool { value == .object(token) || held(in: value).contains(.object(token)) }
        return world.objects.contains { (theDeadToo || !$0.isFreed) && $0.fields.values.contains(where: refers) } || world.shared.values.contains(where: refers)
            || world.closures.contains { values(knownTo: $0).contains(where: refers) }
    }

    /// Whether an object registered another one, which is gone as well and has no code that removes it.
    private func isAbandoned(_ registration: Registration, by object: ObjectID, _ outside: OutsideCallers) -> Bool {
        guard case .object(let observer) = registration.observer, observer != object, registration.maker == .object(object), registration.token == nil, world[observer].isFreed,
              case .project(let type) = world[observer].kind, registration.site.type.map(outside.chain.contains) ?? false else { return false }
        return !outside.canRelease(registration, besides: world.ranReleases, keptIn: holders(of: registration.token))
            && !lookups.outsideCallers(of: type, library, relevance).canRelease(registration, besides: world.ranReleases)
    }

    /// Whether no property, collection or closure ever got the token, so that no code could end what it stands for.
    private func isOutOfReach(_ registration: Registration) -> Bool {
        registration.token.map { !isKnownToAnybody($0, theDeadToo: true) } ?? false
    }

    /// Whether nobody ever got the token, not even the method that is called.
    private func isOutOfReachOfAll(_ registration: Registration) -> Bool {
        guard isOutOfReach(registration), let handler = registration.handler, case .object(let id) = registration.observer, case .project(let type) = world[id].kind else { return false }
        return lookups.members(named: handler, on: type).allSatisfy { program[$0].parameters.isEmpty }
    }

    /// The weak property in which a token, or the object around it, was put, and where it is declared.
    private func weakProperty(of token: ObjectID) -> (name: String, site: Site)? {
        for object in world.objects where !object.isFreed {
            guard case .project(let type) = object.kind else { continue }
            for name in object.weakFields.sorted() {
                guard case .object(let id)? = object.fields[name], id == token || world[id].fields.values.contains(.object(token)),
                      let found = property(name, of: type) else { continue }
                return (name, Site(file: found.file, span: found.member.nameSpan, member: name, type: type))
            }
        }
        return nil
    }

    /// On screen again, and what the first appearance had is gone.
    mutating func watchDeafness(appearances: [Int]) {
        guard appearances.count >= 2, let first = appearances.first else { return }
        for registration in world.registrations where !registration.isLive && registration.event <= first {
            guard let family = library.family(named: registration.family), let end = registration.ended, end.event > first, !end.isFromOutside else { continue }
            // The same statement may observe another object now.
            let isBack = world.registrations.contains { $0.isLive && $0.family == registration.family && (same($0.key, registration.key) || $0.site == registration.site) }
            if !isBack {
                // A helper that ends it as it dies is not where the mistake is.
                let isEndOfHelper = if case .object(let observer) = registration.observer { world[observer].isFreed } else { false }
                report("deaf", of: family, at: isEndOfHelper ? registration.site : end.site, "the \(family.title) that '\(registration.site.member)' added is removed \(isEndOfHelper ? "" : "here ")when the screen goes, and nothing adds it again when it comes back",
                       related: [registration.site, end.site], end: "the object is in use again, and nothing is observed (0 live)")
            }
        }
    }

    private func same(_ left: [Value], _ right: [Value]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { same($0, $1) }
    }

    /// The end: the owner let go and everything one-shot is done.  Of an object that `mayLast` nobody knows that its owner ever does.
    mutating func watchTheEnd(of object: ObjectID, _ outside: OutsideCallers, mayLast: Bool) {
        watchCircles()
        if world[object].isFreed {
            for (index, registration) in world.registrations.enumerated() where registration.isLive && registration.repeats && !registration.isHandedOn && !isOfShared(registration) && !isTakenForNil(registration.observed) {
                guard let family = library.family(named: registration.family) else { continue }
                if isAbandoned(registration, by: object, outside) {
                    report("abandoned", of: family, at: registration.site, "the observer dies with this object and is still registered: nobody removes it", end: "both objects are freed, and the \(family.title) stays behind")
                    continue
                }
                let isOwn = registration.observer == .object(object) || (registration.token != nil && family.tokenEnd == .goesOn)
                // What is heard of the object alone is heard no more.
                guard isOwn, registration.token == nil || !registration.key.contains(.object(object)), !isOfLastingMaker(registration, index, besides: object), !endsItself(registration, family) else { continue }
                if mayBeReleasedByItsClass(registration, outside) || mayBeReleasedByItsTarget(registration, outside) || !isOutOfReach(registration) && outside.canRelease(registration, besides: world.ranReleases, keptIn: holders(of: registration.token)) {
                    world.excused.insert(registration.site)
                } else { report("left", of: family, at: registration.site, "the object is gone and its \(family.title) still lives\(outside.lateRelease(of: registration).map { ": \($0)" } ?? "")", related: [registration.started].compactMap { $0 }, end: "the object is freed, and the \(family.title) stays behind (\(world.live(like: registration)) live)") }
            }
            return
        }
        world.heldAtTheEnd = holder(of: object)
        watchLastingHolders(of: object, outside)
        watchDetached(by: object, outside)
        for (index, registration) in world.registrations.enumerated() where registration.isLive && registration.repeats && !registration.isHandedOn && keeps(index, object) {
            guard let family = library.family(named: registration.family), !(family.holdsObserver && (isKeptByShared(index, object) || registration.handler != nil && endsItself(registration, family))) else { continue }
            let canBeReleased = outside.canRelease(registration, besides: world.ranReleases, keptIn: holders(of: registration.token))
            if canBeReleased, canOnlyBeStopped(registration, outside), isKept(registration, byItsTarget: object) {
                reportStopped(registration, family, outside)
                continue
            }
            // Somebody outside may end it before the object is let go.
            if canBeReleased && !isOutOfReachOfAll(registration) || mayBeReleasedByItsClass(registration, outside) {
                world.excused.insert(registration.site)
                continue
            }
            if outside.isReleasedInDeinit(family.name) || (registration.token != nil && family.holdsClosure && !family.holdsObserver) {
                report(family.rules["keeps"] == nil ? "left" : "keeps", of: family, at: closureSite(index, object, outside) ?? registration.site, "\(family.root) keeps the object alive through its \(family.title), so \(outside.isReleasedInDeinit(family.name) ? "the 'deinit' that would end it never runs" : "it is never freed")", related: [registration.started].compactMap { $0 }, end: "the owner lets go, and \(family.root) still holds the object")
            } else if family.rules["left"] != nil || !mayLast {
                report(family.rules["left"] == nil ? "keeps" : "left", of: family, at: registration.site, "nothing ends the \(family.title), so \(family.root) keeps the object alive for ever", related: [registration.started].compactMap { $0 }, end: "the owner lets go, and \(family.root) still holds the object")
            }
        }
    }

    /// What keeps an object alive, for people: a root with the way from it, or a circle.
    private func holder(of object: ObjectID) -> String {
        for (root, node) in roots(owner: .null) {
            guard let path = path(from: [node], to: .object(object)) else { continue }
            let start = switch root {
            case .registration(let index): "a \(library.family(named: world.registrations[index].family)?.title ?? "registration")"
            case .shared, .stranger: world.shared.filter { !Self.isWeakOfUnknown($0.key) && held(in: $0.value).contains(node) }.keys.min().map(sharedTitle) ?? "a global object"
            case .owner, .queue, .running: "something that waits"
            }
            return start + " → " + titles(of: path)
        }
        guard let path = path(from: held(by: .object(object)), to: .object(object)) else { return "nobody" }
        return "a circle, " + titles(of: [.object(object)] + path)
    }

    private func sharedTitle(_ key: String) -> String {
        Self.isOfUnknown(key) ? "the property '\(key.split(separator: ".").last ?? "")' of an unknown object" : "'\(key)'"
    }

    /// The nodes of a way with the properties that lead from one to the next.
    func titles(of path: [Node]) -> String {
        path.indices.map { index in
            guard case .object(let id) = path[index], index + 1 < path.count,
                  let field = world[id].fields.filter({ held(in: $0.value).contains(path[index + 1]) }).keys.min() else { return title(of: path[index]) }
            // A child controller or a subview is in no property, nor is what a token was given.
            return Self.isDeclared(field) ? "\(title(of: path[index])).\(field)" : title(of: path[index])
        }.joined(separator: " → ")
    }

    private func title(of node: Node) -> String {
        switch node {
        case .closure(let index): "a closure at line \(world.closures[index].site.span.start.line)"
        case .object(let id):
            switch world[id].kind {
            case .project(let type): "'\(program[type].name)'"
            // What has no class is named in words.
            case .platform(let name): name.contains(" ") ? "a \(name)" : "a '\(name)'"
            }
        }
    }

    /// Whether the class of another object, that acquired it, has code to release it that did not run: its care, not ours.
    private func mayBeReleasedByItsClass(_ registration: Registration, _ outside: OutsideCallers) -> Bool {
        guard let type = registration.site.type, !outside.chain.contains(type), program[type].kind == .class else { return false }
        return lookups.outsideCallers(of: type, library, relevance).canRelease(registration, besides: world.ranReleases)
    }

    /// Whether the object that is called on behalf of one that is gone has code to end it: a weak target of a timer, at the next tick.
    private func mayBeReleasedByItsTarget(_ registration: Registration, _ outside: OutsideCallers) -> Bool {
        guard case .object(let target) = registration.observer, !world[target].isFreed, case .project(let type) = world[target].kind, !outside.chain.contains(type) else { return false }
        return lookups.outsideCallers(of: type, library, relevance).canRelease(registration, besides: world.ranReleases)
    }

    /// Whether the run goes by an unknown value being nil: what a weak property held of it is gone, and with it who observed it.
    private func isTakenForNil(_ value: Value) -> Bool {
        guard case .unknown(let number) = value else { return false }
        if choices.answers[.isPresent(number)] == false { return true }
        // What it was read from may be gone, and it with that.
        return world.shared.contains { key, part in part == value && Self.unknown(behind: key).map { $0 < number && isTakenForNil(.unknown($0)) } ?? false }
    }

    /// Whether another object acquired it that is still there, kept by something else than this: it has not lost what it uses, and that it
    /// lasts is told of what keeps it.
    private func isOfLastingMaker(_ registration: Registration, _ index: Int, besides object: ObjectID) -> Bool {
        guard case .object(let maker) = registration.maker, maker != object else { return false }
        return !world[maker].isFreed && !keeps(index, maker)
    }

    /// Whether a live registration leads to the object.
    private func keeps(_ index: Int, _ object: ObjectID) -> Bool { wayToObject(index, object) != nil }

    /// Whether it is something shared, which lasts anyhow, that the registration holds and that keeps the object.
    private func isKeptByShared(_ index: Int, _ object: ObjectID) -> Bool {
        wayToObject(index, object)?.contains { if case .object(let id) = $0 { id != object && world[id].isShared } else { false } } ?? false
    }

    private func wayToObject(_ index: Int, _ object: ObjectID) -> [Node]? {
        let starts = roots(owner: .null).filter { $0.root == .registration(index) }.map(\.node)
        return path(from: starts, to: .object(object))
    }

    /// Where the class made the closure that holds the object, for a registration that somebody else made with it.
    private func closureSite(_ index: Int, _ object: ObjectID, _ outside: OutsideCallers) -> Site? {
        let own = world.registrations[index].site.type.map(outside.chain.contains) ?? false
        guard !own, let way = wayToObject(index, object) else { return nil }
        let closures = way.compactMap { node -> Int? in if case .closure(let index) = node { index } else { nil } }
        return closures.last.map { world.closures[$0].site }.flatMap { site in (site.type.map(outside.chain.contains) ?? false) ? site : nil }
    }

    /// Objects that nothing outside holds for good but what they registered, and that would be alive without it all the same, because
    /// closures that they hold, hold them.  An object that nobody knows may let them go at any time.
    mutating func watchCircles() {
        let references = StrongReferences(of: self)
        let reached = references.reached(from: roots(owner: .null).filter { root, _ in if case .registration = root { false } else { root != .stranger } }.map(\.node))
        for index in world.objects.indices {
            let id = ObjectID(index: index)
            guard case .project(let type) = world[id].kind, program[type].kind == .class, !world[id].isFreed, references.isInCircle(.object(id)),
                  !reached.contains(.object(id)) else { continue }
            for circle in circles(through: id, references) { reportCircle(circle, of: id, type) }
            watchMethodCircles(of: id, type, references)
        }
    }

    /// The ways from an object to a closure and back, the shortest for each closure that leads back by no other closure.
    private func circles(through id: ObjectID, _ references: StrongReferences) -> [[Node]] {
        let ways = references.ways(around: .object(id))
        let closures = ways.keys.compactMap { node -> Int? in if case .closure(let index) = node { index } else { nil } }.sorted()
        return closures.compactMap { index in
            guard let there = way(to: .closure(index), ways), let back = way(to: .object(id), references.ways(around: .closure(index), until: .object(id))),
                  !back.contains(where: { if case .closure = $0 { true } else { false } }) else { return nil }
            let circle = [.object(id)] + there + back
            return mayBeBroken(circle) ? nil : circle
        }
    }

    private mutating func reportCircle(_ circle: [Node], of id: ObjectID, _ type: TypeID) {
        guard let index = circle.lazy.compactMap({ node -> Int? in if case .closure(let index) = node { index } else { nil } }).last else { return }
        // A circle through several closures is the mistake of the one that holds its own object; the others may well hold what they hold.
        let round = circle + [.object(id)]
        guard let own = closureOfOwnObject(in: round), own != index, !holdsOwnObject(index, in: round) else { return report(circle, by: index, of: type) }
    }

    /// The first closure on a way that leads to the object whose code made it.
    func closureOfOwnObject(in way: [Node]) -> Int? {
        way.lazy.compactMap { node -> Int? in if case .closure(let index) = node { index } else { nil } }.first { holdsOwnObject($0, in: way) }
    }

    private func holdsOwnObject(_ index: Int, in way: [Node]) -> Bool {
        zip(way, way.dropFirst()).contains { closure, target in
            guard closure == .closure(index), case .object(let id) = target else { return false }
            return world.frames[world.closures[index].frame].selfValue == .object(id)
        }
    }

    private mutating func report(_ circle: [Node], by index: Int, of type: TypeID) {
        // Of the circles of one closure the first is told; the words for the others are not worth their time.
        guard !world.violations.contains(where: { $0.rule == "closure_retains_controller" && $0.site == world.closures[index].site }) else { return }
        let closure = Node.closure(index)
        let name = program[type].name
        let holder = typeName(before: closure, in: circle) ?? name
        let held = typeName(after: closure, in: circle) ?? name
        let what = holder == held ? "the closure holds the '\(held)'" : "the closure holds the '\(held)', which keeps the '\(holder)'"
        var violation = Violation(
            rule: "closure_retains_controller", family: "", state: circle.contains(.object(ClassRuns.object)) ? "circle" : "circle of others", site: world.closures[index].site,
            detail: "\(whoHolds(closure, in: circle, by: holder)) this closure and \(what), so neither is ever freed", related: [])
        violation.steps = [
            LogEntry(event: world.closures[index].madeIn, site: violation.site, note: "makes the closure, which holds the '\(held)'\(world.closures[index].closure.assertion)"),
            LogEntry(event: event, site: violation.site, note: "the owner lets go, and the circle keeps itself alive: \(titles(of: circle))"),
        ]
        let kept = Set(world[ClassRuns.object].fields.values.flatMap { self.held(in: $0) })
        violation.isStray = !circle.contains(.object(ClassRuns.object)) && kept.isDisjoint(with: circle)
        add(violation)
    }

    /// Who holds a closure, for people: an object of the SDK, such as a cell, is named with the object that keeps it.
    private func whoHolds(_ closure: Node, in circle: [Node], by holder: String) -> String {
        guard let place = circle.firstIndex(of: closure), place > 0, case .object(let id) = circle[place - 1], case .platform = world[id].kind else { return "the '\(holder)' holds" }
        return "the '\(holder)' keeps \(title(of: circle[place - 1])) that holds"
    }

    /// The class of the project's object nearest before, or after, a node on a way.
    private func typeName(before node: Node, in path: [Node]) -> String? {
        path.prefix { $0 != node }.reversed().lazy.compactMap { typeName(of: $0) }.first
    }

    private func typeName(after node: Node, in path: [Node]) -> String? {
        path.drop { $0 != node }.dropFirst().lazy.compactMap { typeName(of: $0) }.first
    }

    private func typeName(of node: Node) -> String? {
        guard case .object(let id) = node, case .project(let type) = world[id].kind else { return nil }
        return program[type].name
    }

    /// Whether code that did not run empties a property on the way, so that somebody may end the circle in time.
    func mayBeBroken(_ nodes: [Node]) -> Bool {
        zip(nodes, nodes.dropFirst()).contains { holder, target in
            guard case .object(let id) = holder else { return false }
            guard case .project(let type) = world[id].kind else { return world.registrations.contains { isEnded($0, from: id, outside: outsideCallers) } }
            let fields = world[id].fields.keys.filter { held(in: world[id].fields[$0] ?? .null).contains(target) }
            return fields.contains { field in
                let property = field.withoutUnderscore
                // What the class does not declare is of a subclass that the run does not know the object to be of.
                if mayEmpty(field, of: id, type) || mayEmpty(property, of: id, type) || lookups.property(field, of: type) == nil && relevance.isCleared(field) { return true }
                // What a getter fills at the first use was empty before.
                return field != property && lookups.isEmptied(property, by: type) && lookups.property(property, of: type)?.member.accessors?.get != nil
            }
        }
    }

    /// Whether code that did not run empties a property of an object.
    func mayEmpty(_ name: String, of id: ObjectID, _ type: TypeID) -> Bool {
        lookups.emptiers(of: name, in: type).contains { member in
            !world.emptied.contains(Emptied(id, name, by: member)) && !isForNobody(program.members(named: member, on: type), of: type)
        }
    }

    /// Whether code that did not run ends a registration whose closure an observed object keeps.
    private func isEnded(_ registration: Registration, from keeper: ObjectID, outside: OutsideCallers?) -> Bool {
        guard registration.isLive, registration.observed == .object(keeper), library.family(named: registration.family)?.isHeldByObserved ?? false else { return false }
        return registration.isHandedOn || (outside?.canRelease(registration, besides: world.ranReleases) ?? false)
    }

    /// The shortest way along strong references.
    func path(from starts: [Node], to goal: Node) -> [Node]? { way(to: goal, ways(from: starts, until: goal)) }

    /// For everything that is reached along strong references, up to a goal, what leads to it on a shortest way.
    func ways(from starts: [Node], until goal: Node? = nil) -> [Node: Node?] {
        var previous: [Node: Node?] = [:]
        var level: [Node] = []
        for start in starts where previous[start] == nil {
            previous[start] = .some(nil)
            level.append(start)
        }
        while !level.isEmpty, goal.map({ previous[$0] == nil }) ?? true {
            var next: [Node] = []
            for node in level {
                for target in held(by: node) where previous[target] == nil {
                    previous[target] = .some(node)
                    next.append(target)
                }
            }
            level = next
        }
        return previous
    }

    func way(to goal: Node, _ previous: [Node: Node?]) -> [Node]? {
        guard previous[goal] != nil else { return nil }
        var path = [goal]
        while let node = path.last, let before = previous[node] ?? nil { path.append(before) }
        return path.reversed()
    }
}
