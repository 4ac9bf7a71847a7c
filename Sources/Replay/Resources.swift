import ProgramModel
import RuleLibrary

/// Calls of the SDK: acquiring and releasing of resources as the data says, else unknown calls.
extension Machine {
    mutating func platformCall(
        _ call: Call, _ arguments: [Value], receiver: Value, className: String?, isStatic: Bool, in frame: Int, at statement: Statement
    ) -> (Value, Flow) {
        let site = siteInClass(of: statement, in: frame)
        var name = call.fullName ?? ""
        if isStatic { name = "static \(name)" }
        let families = library.families(calling: name)
        for family in families {
            if let operation = operation(family.acquire, name, className) {
                if operation.isTrailing, call.arguments.last?.isTrailing != true { continue }
                let origins = family.origins.finite.isEmpty ? [] : origins(of: call, in: frame)
                if family.origins.areDone(origins) { return (unknownCall(call, arguments, role: .now).0, .normal) }
                let isFinite = operation.isFinite && !neverComplete(origins, family) || origins.contains(where: family.origins.finite.contains)
                let goesOn = !isFinite && family.origins.goOn(origins)
                guard let value = acquire(family, operation, arguments, receiver: receiver, isFinite: isFinite, goesOn: goesOn, isOfElement: isOfElement(call, in: frame), in: frame, at: acquisitionSite(call, family, operation, at: site, in: frame)) else { continue }
                return (value, .normal)
            }
        }
        var released = false
        // Where there was nothing, nothing was added, and a message to nil removes nothing.
        if case .member(let object, _) = call.callee, origin(of: object, in: frame) == .ofNothing, families.contains(where: { $0.release.contains { $0.names.contains(name) } }) { return (.null, .normal) }
        for family in families {
            for operation in family.release where matches(operation, name, className, receiver, family) {
                note(releaseAt: self.site(of: statement, in: frame))
                release(family, operation, arguments, receiver: receiver, isOfElement: isOfElement(call, in: frame), at: site)
                released = true
            }
        }
        if released { return (.void, .normal) }
        if start(name, arguments, receiver: receiver, at: site) { return (.void, .normal) }
        if case .initializer(let type) = call.callee {
            let id = world.make(.platform(className ?? type.name))
            let role = library.closureRoles[type.name]
            // No view is made with a closure, unless by an initialiser that the project gave it; but it may be with what carries one.
            let isExtended = className.map { name in ["UIView", "NSView", "CALayer"].contains { program.platform.isClass(name, kindOf: $0) } } ?? false
            if !isExtended, role == nil || role == .kept {
                keep(arguments, in: id)
            } else {
                let isKept = call.arguments.map { ["primaryAction", "menu", "collectionViewLayout"].contains($0.label) }
                keep(zip(arguments, isKept).map { $1 ? $0 : .void }, in: id)
                _ = unknownCall(call, zip(arguments, isKept).map { $1 ? .void : $0 }, role: role)
            }
            return (.object(id), .normal)
        }
        // The factories of classes that keep their handlers make what keeps them.
        if isStatic, let className, library.closureRoles[className] == .kept, arguments.contains(where: holdsClosures) {
            let id = world.make(.platform(className))
            keep(arguments, in: id)
            return (.object(id), .normal)
        }
        if let made = constraint(madeBy: call, receiver: receiver, arguments) { return (made, .normal) }
        if name == "respondsToSelector(_:)" || name == "responds(to:)" { return (answer(of: receiver, arguments), .normal) }
        if let isInside = isDescendant(name, receiver, arguments) { return (.boolean(isInside), .normal) }
        if isStatic, let made = result(of: name, className, receiver: receiver, isStatic: true) { return (made, .normal) }
        if name == "addTarget(_:action:for:)" || name.hasPrefix("static ") { return unknownCall(call, arguments, role: call.callee.baseName.flatMap { library.closureRoles[$0] }) }
        if case .object(let keeper) = receiver, library.closureRoles.isKeptByReceiver(call) {
            keep(arguments, in: keeper)
            return (world.unknown(), .normal)
        }
        adopt(name, arguments, receiver: receiver)
        if let made = result(of: name, className, receiver: receiver, isStatic: isStatic) { return (made, .normal) }
        return unknownCall(call, arguments, role: call.callee.baseName.flatMap { library.closureRoles[$0] })
    }

    private mutating func note(releaseAt site: Site) {
        if releasedInEvent.event != event { releasedInEvent = (event, []) }
        if world.ranReleases.insert(site).inserted { releasedInEvent.sites.insert(site) }
    }

    /// Whether an object responds to a selector: the same whenever it is asked; selectors that nobody knows, as those that a loop makes
    /// of names, are taken for one.
    private mutating func answer(of receiver: Value, _ arguments: [Value]) -> Value {
        let selector = switch arguments.first { case .unknown?, nil: ""; case let known?: "\(known)" }
        let key = "\(receiver).responds \(selector)"
        if let known = world.shared[key] { return known }
        let answer = world.unknown()
        world.shared[key] = answer
        return answer
    }

    /// What a call gives whose result the data knows: an accessor without arguments the same object each time, else a new one.
    private mutating func result(of name: String, _ className: String?, receiver: Value, isStatic: Bool) -> Value? {
        guard let className else { return nil }
        let plain = isStatic ? String(name.dropFirst("static ".count)) : name
        guard let type = program.platform.type(ofMethod: plain, of: className, isStatic: isStatic), program.platform.isClass(type.name) else { return nil }
        guard plain.hasSuffix("()"), !plain.hasPrefix("make") else {
            // A view keeps the views that it gives out, a list its cells; what was there before the question is nothing new.
            let isView = ["UIView", "NSView"].contains { program.platform.isClass(type.name, kindOf: $0) } && !Self.copies.contains(where: plain.hasPrefix)
            let isNew = plain.hasPrefix("dequeue")
            guard case .object(let list) = receiver else { return isView && !isNew ? nil : .object(world.make(.platform(type.name))) }
            if isView, !isNew, let known = world[list].fields[plain] { return known }
            let made = world.make(.platform(type.name))
            if isView { world[list].fields[isNew ? "cell\(world[list].fields.count)" : plain] = .object(made) }
            return .object(made)
        }
        let key = isStatic ? "\(className).\(plain)" : "\(receiver).\(plain)"
        if let known = world.shared[key] { return known }
        let made = Value.object(world.make(.platform(type.name)))
        // An object's accessor gives something that the object, not the program, keeps; only what is static is kept for good.
        if isStatic { world.shared[key] = made }
        return made
    }

    /// How calls begin that give a new view, which belongs to who asked.
    private static let copies = ["snapshot", "resizableSnapshot"]

    /// An SDK object keeps what it is given to keep: actions, subviews, children.
    private mutating func adopt(_ name: String, _ arguments: [Value], receiver: Value) {
        if name == "removeFromSuperview()" {
            setSuperview(of: receiver, .null)
            leaveSuperview(receiver)
        }
        guard let first = arguments.first else { return }
        if name.hasPrefix("addSubview(") || name.hasPrefix("insertSubview(") { setSuperview(of: first, receiver) }
        guard case .object(let id) = receiver else { return }
        if name == "setViewControllers(_:animated:)" { world[id].fields["viewControllers"] = first }
        if Self.adopting.contains(name) { adopt(first, by: id) }
    }

    mutating func adopt(_ value: Value, by id: ObjectID) {
        var number = world[id].fields.count
        while world[id].fields[Self.adopted(number)] != nil { number += 1 }
        world[id].fields[Self.adopted(number)] = value
    }

    /// A list among the views of an object keeps a view that the object gave it.
    mutating func show(_ view: Value, by id: ObjectID) {
        guard case .object(let shown) = view, shown != id, !world[id].fields.values.contains(view) else { return }
        adopt(view, by: id)
    }

    /// The view that it was added to keeps it no more.
    mutating func leaveSuperview(_ view: Value) {
        guard case .object = view else { return }
        for holder in world.objects.indices {
            for (field, value) in world.objects[holder].fields where value == view && Self.number(ofAdopted: field) != nil { world.objects[holder].fields[field] = nil }
        }
    }

    /// Whether a view that screens share, or that nobody here has, keeps what lies in it until that is taken away.
    private func lastsBeyondScreens(_ view: Value) -> Bool {
        switch view {
        case .unknown: true
        case .object(let id): className(of: id).map { known in Self.shared.contains { program.platform.isClass(known, kindOf: $0) } } ?? false
        default: false
        }
    }

    private static let shared = ["UINavigationBar", "UITabBar", "UIToolbar", "UIWindow"]

    private mutating func setSuperview(of view: Value, _ superview: Value) {
        switch view {
        case .object(let id):
            if case .platform = world[id].kind, world[id].fields["superview"].map(lastsBeyondScreens) ?? false || superview != .null { world[id].isOfSDK = lastsBeyondScreens(superview) }
            world[id].fields["superview"] = superview
            world[id].weakFields.insert("superview")
        // Whatever the superview is, it is there.
        case .unknown(let number): world.shared["?\(number).superview"] = if case .unknown = superview { .boolean(true) } else { superview }
        default: break
        }
    }

    /// The field in which an object keeps what was added to it, by a number.
    package static func adopted(_ number: Int) -> String { "adopted\(number)" }

    /// The number of such a field; nil for others.
    package static func number(ofAdopted field: String) -> Int? { number(of: field, after: "adopted") }

    private static func number(of field: String, after prefix: String) -> Int? { field.hasPrefix(prefix) ? Int(field.dropFirst(prefix.count)) : nil }

    /// Whether a field is a property that people know: not what an object was given, or what a token calls.
    static func isDeclared(_ field: String) -> Bool { number(ofAdopted: field) == nil && number(of: field, after: "handler") == nil }

    /// Whether a value is a closure that sets up what it is given.
    func setsUp(_ value: Value) -> Bool {
        if case .closure(let index) = value { lookups.use(of: world.closures[index].closure, library).setsUpItsArgument } else { false }
    }

    /// Whatever is made with closures, or with what carries them, keeps them.
    mutating func keep(_ arguments: [Value], in id: ObjectID) {
        for (index, value) in arguments.enumerated() where holdsClosures(value) && !isBrief(value) {
            put(value, into: "argument\(index)", of: id)
            handOver(value)
        }
    }

    /// Whether calls of this base name give an SDK object something to keep.
    static func adopting(_ baseName: String) -> Bool { ["add", "setViewControllers"].contains(baseName) || adopting.contains { ResourceNames.baseName($0) == baseName } }

    private static let adopting: Set<String> = [
        "addAction(_:)", "addSubview(_:)", "addChild(_:)", "addChildViewController(_:)", "addGestureRecognizer(_:)", "addArrangedSubview(_:)", "addAction(_:for:)", "addAction(_:forControlEvents:)",
        "insertSubview(_:at:)", "insertSubview(_:atIndex:)", "insertSubview(_:aboveSubview:)", "insertSubview(_:belowSubview:)",
        "insertArrangedSubview(_:at:)", "insertArrangedSubview(_:atIndex:)", "addSubview(_:positioned:relativeTo:)", "addSublayer(_:)", "insertSublayer(_:at:)", "insertSublayer(_:atIndex:)",
        "insertSublayer(_:above:)", "insertSublayer(_:below:)", "addLayoutGuide(_:)", "addInteraction(_:)", "addTrackingArea(_:)", "addMotionEffect(_:)",
    ]

    private func operation(_ operations: [ResourceFamily.Operation], _ name: String, _ className: String?) -> ResourceFamily.Operation? {
        operations.first { operation in
            operation.names.contains(name) && (operation.receiver.map { wanted in className.map { program.platform.isClass($0, kindOf: wanted) } ?? false } ?? true)
        }
    }

    private func matches(_ operation: ResourceFamily.Operation, _ name: String, _ className: String?, _ receiver: Value, _ family: ResourceFamily) -> Bool {
        guard operation.names.contains(name) else { return false }
        guard let wanted = operation.receiver else { return true }
        if operation.token == -1, case .object(let id) = receiver { return world.registrations.contains { $0.token == id && $0.family == family.name } }
        return className.map { program.platform.isClass($0, kindOf: wanted) } ?? false
    }

    private func pick(_ index: Int?, _ arguments: [Value], _ receiver: Value) -> Value? {
        guard let index else { return nil }
        if index == -1 { return receiver }
        return index < arguments.count ? arguments[index] : nil
    }

    /// The names by which the receiver of a call was made in the same body, last first; `[]` stands for the values of a literal.
    private func origins(of call: Call, in frame: Int) -> [String] {
        guard case .member(.register(let receiver), _) = call.callee else { return [] }
        let context = world.frames[frame].context
        var names: [String] = []
        var register: Register? = receiver
        while let one = register, let made = context.definition(of: one) {
            register = nil
            switch made.kind {
            case .call(let call), .collection(_, let call):
                call.callee.baseName.map { names.append($0) }
                switch call.callee {
                case .initializer(let type): names.append(type.name)
                case .member(.register(let next), _): register = next
                default: break
                }
            case .compute(_, .array, _): names.append("[]")
            case .read(_, .member(.register(let base), let name)):
                names.append(name)
                register = base
                subject(one, context).map { names.append($0) }
            case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)):
                names.append(name)
                subject(one, context).map { names.append($0) }
            default: break
            }
        }
        return names
    }

    /// The class of the subject that a register holds, where no code ever ends one.
    private func subject(_ register: Register, _ context: BodyContext) -> String? {
        guard !relevance.endsSubjects, let name = TypeInference(program).type(of: .register(register), in: context)?.reference.unwrapped.name else { return nil }
        return ["PassthroughSubject", "CurrentValueSubject"].contains(name) ? name : nil
    }

    /// Whether these calls make what goes on for ever, though somebody waits for its end: a function of the project's of that name may
    /// make anything, and what other sequences are joined to may end by their failure.
    private func neverComplete(_ origins: [String], _ family: ResourceFamily) -> Bool {
        guard let first = origins.last, family.origins.unending.contains(first),
              !program.hasFunction(named: first) || first == "publisher" && program.functions(named: "publisher(for:)").isEmpty else { return false }
        return !origins.contains(where: family.origins.ending.contains)
    }

    /// Registers; the value is the token, or nothing.  Nil when the arguments show that the call is another one.
    private mutating func acquire(
        _ family: ResourceFamily, _ operation: ResourceFamily.Operation, _ arguments: [Value], receiver: Value, isFinite: Bool, goesOn: Bool, isOfElement: Bool, in frame: Int, at site: Site
    ) -> Value? {
        let key = operation.key.map { $0 < arguments.count ? arguments[$0] : .null }
        if family.name == "observation", case .keyPath? = key.first {} else if family.name == "observation" { return nil }
        let observer = pick(operation.observer, arguments, receiver) ?? .null
        let repeatsItself = pick(operation.repeats, arguments, receiver).map { isTrue($0) } ?? (goesOn && !operation.isRearmed)
        let isRearmed = !repeatsItself && operation.isRearmed && isRearmed(family, arguments, observer: observer, at: site)
        let repeats = repeatsItself || isRearmed
        // A block that comes once and is not asked for again is held by nobody for long.
        if operation.isRearmed, !isRearmed, operation.observer == nil, operation.repeats == nil { return nil }
        let token: ObjectID? = family.tokenEnd == .none ? nil : world.make(.platform(operation.receiver ?? "token of a \(family.title)"))
        // Nobody is kept where nobody is given.
        if family.holdsObserver, operation.observer != nil, observer == .null { return nil }
        let closures = arguments.filter { value in
            switch value {
            case .closure, .method: true
            default: false
            }
        }
        let held = (family.holdsObserver ? [observer] : []) + (family.holdsClosure && !family.isHeldByObserved ? closures : [])
        if family.tokenEnd == .ends, !isFinite, let token { for (index, closure) in closures.enumerated() { put(closure, into: "handler\(index)", of: token) } }
        // What is assigned to is held as the closure that assigns would hold it.
        if family.tokenEnd == .ends, !isFinite, let token, case .object(let id) = observer, case .project = world[id].kind {
            put(.method(id, Self.assignment), into: Self.assignment, of: token)
        }
        var registration = Registration(
            family: family.name, key: key, observer: observer, observed: pick(operation.observed, arguments, receiver) ?? .null, token: token,
            held: held, callbacks: family.tokenEnd == .ends ? closures : [], isKeptByRoot: family.tokenEnd == .goesOn, repeats: repeats, isOfElement: isOfElement, isRearmed: isRearmed,
            handler: handler(arguments), site: site,
            maker: world.frames[frame].selfValue, isForCaller: !isOfObject(frame), event: event)
        if family.isHeldByObserved, let token, case .object(let keeper) = registration.observed, let closure = closures.first {
            put(closure, into: Self.field(of: token), of: keeper)
        }
        if repeats || family.tokenEnd == .ends { closures.forEach { handOver($0) } }
        registration.isLive = !operation.isIdle
        // What comes with the value of a shared variable comes once, and is there for good.
        if isMakingShared, !isOfObject(frame) { registration.isHandedOn = true }
        if registration.isLive { watch(acquiring: registration, family) }
        world.registrations.append(registration)
        if token != nil, isCalledFromOutside, releasedInEvent.event == event {
            // Who begins anew ends the one before: whoever ends without beginning has not done so yet.
            world.ranReleases.subtract(releasedInEvent.sites)
            releasedInEvent.sites = []
        }
        log(site, registration.isLive ? "adds \(family.titleWithArticle) (\(world.live(like: registration)) live)" : "makes \(family.titleWithArticle), which does not run yet")
        return token.map(Value.object) ?? .void
    }

    /// Whether a body runs for an object of the project.
    private func isOfObject(_ frame: Int) -> Bool {
        if case .object(let id) = world.frames[frame].selfValue, case .project = world[id].kind { return true }
        return false
    }

    /// A token that a function of no object hands out is the care of the caller, where its registration belongs then; so is one of another
    /// object's function that keeps none.
    mutating func takeOver(_ value: Value, at site: Site, in frame: Int) {
        guard case .object(let id) = value else { return }
        for index in world.registrations.indices where world.registrations[index].event == event {
            guard let token = world.registrations[index].token else { continue }
            if world.registrations[index].isForCaller {
                if token == id || world[id].fields.values.contains(.object(token)) { world.registrations[index].site = site }
            } else if token == id, world.frames[frame].selfValue == .object(ClassRuns.object), world.registrations[index].maker != .object(ClassRuns.object), !isKnownToAnybody(token) {
                world.registrations[index].site = site
            }
        }
    }

    /// Whether a call is made on the elements of a list, one after the other.
    private func isOfElement(_ call: Call, in frame: Int) -> Bool {
        if case .member(let receiver, _) = call.callee { world.frames[frame].context.isElement(receiver) } else { false }
    }

    /// The full names of what starts the receiver, and is not to be called once that has ended.
    static let starting: Set<String> = ["add(to:forMode:)", "fire()"]

    /// The second step of what was acquired idle: a timer or display link comes to a run loop.
    private mutating func start(_ name: String, _ arguments: [Value], receiver: Value, at site: Site) -> Bool {
        let token: Value? = switch name {
        case "add(_:forMode:)": arguments.first
        case let name where Self.starting.contains(name): receiver
        default: nil
        }
        guard case .object(let id)? = token, let index = world.registrations.lastIndex(where: { $0.token == id }) else { return false }
        guard !world.registrations[index].isLive, let family = library.family(named: world.registrations[index].family) else { return true }
        if world.registrations[index].ended != nil {
            watchReuse(of: world.registrations[index], family, at: site)
            return true
        }
        guard name != "fire()" else { return true }
        watch(acquiring: world.registrations[index], family)
        world.registrations[index].isLive = true
        world.registrations[index].isDetached = false
        world[id].fields[Self.target] = nil
        world.registrations[index].started = site
        log(site, "starts the \(family.title) (\(world.live(like: world.registrations[index])) live)")
        return true
    }

    /// The tokens that a value held make room for others, as in a set-up that is done over.
    mutating func noteReplacedTokens(in value: Value) {
        guard value != .null else { return }
        let tokens = held(in: value)
        for index in world.registrations.indices where world.registrations[index].event == event {
            if let token = world.registrations[index].token, tokens.contains(.object(token)) { world.registrations[index].isReplaced = true }
        }
    }

    /// Releases; what is removed from the elements of a list was added to such, and of a list that may be empty nothing need be there.
    private mutating func release(
        _ family: ResourceFamily, _ operation: ResourceFamily.Operation, _ arguments: [Value], receiver: Value, isOfElement: Bool, at site: Site
    ) {
        if let token = pick(operation.token, arguments, receiver) {
            guard case .object(let id) = token else { return }
            for index in world.registrations.indices where world.registrations[index].token == id {
                if operation.isDetaching { detach(index, at: site) } else { end(index, at: site) }
            }
        } else {
            let observer = pick(operation.observer, arguments, receiver)
            let observed = pick(operation.observed, arguments, receiver)
            let key = operation.key.map { $0 < arguments.count ? arguments[$0] : Value.null }
            let found = world.registrations.indices.filter { index in
                let registration = world.registrations[index]
                return registration.family == family.name && registration.isLive && observer.map { same($0, registration.observer) } ?? true
                    && observed.map { fits($0, registration, isOfElement: isOfElement) } ?? true && zip(key, registration.key).allSatisfy { $0 == .null || same($0, $1) }
            }
            // A removal takes one key-value registration, rather that of the very object, and every notification of that name.
            let ended = family.rules["absent"] == nil ? found : (found.first { world.registrations[$0].observed == observed } ?? found.first { isUnknown(world.registrations[$0].observed) } ?? found.first).map { [$0] } ?? []
            for index in ended { end(index, at: site) }
            if found.isEmpty, !isOfElement { watch(absent: family, key, observer, observed, at: site) }
        }
    }

    /// Whether what a removal names may be what a registration observes: an element of a list, what was acquired from such, or what came
    /// from elsewhere and may have been put there.
    private func fits(_ observed: Value, _ registration: Registration, isOfElement: Bool) -> Bool {
        guard observed != registration.observed else { return true }
        if isPart(registration.observed, of: observed) { return false }
        return same(observed, registration.observed) && (!isOfElement || registration.isOfElement || isUnknown(observed) && isUnknown(registration.observed))
    }

    /// Whether a value is what a property of another one gave, which is hardly that one itself.
    func isPart(_ part: Value, of whole: Value) -> Bool {
        func isOther(_ property: String) -> Bool { !Self.selfReferences.contains(property) && !Self.isWeakByName(property) }
        switch whole {
        case .object(let id): return world[id].fields.contains { isOther($0.key) && $0.value == part }
        case .unknown(let number):
            let prefix = "?\(number)."
            return world.shared.contains { $0.value == part && $0.key.hasPrefix(prefix) && isOther(String($0.key.dropFirst(prefix.count))) }
        default: return false
        }
    }

    /// The properties by which an object may tell of itself.
    private static let selfReferences: Set<String> = ["window", "view", "owner", "root", "self"]

    private func isUnknown(_ value: Value?) -> Bool { if case .unknown? = value { true } else { false } }

    /// What a token's property says of the registration: whether it lives; nil where the property says something else.
    func liveness(_ property: String, of token: ObjectID) -> Bool? {
        guard library.livenessNames.contains(property), let registration = world.registrations.last(where: { $0.token == token }),
              library.families.contains(where: { $0.name == registration.family && $0.liveness == property }) else { return nil }
        return registration.isLive
    }

    /// What tells whether somebody observes an object, where the run knows that somebody does: `view.observationInfo != nil`.
    func observation(_ property: String, of object: ObjectID) -> Value? {
        guard library.observationNames.contains(property) else { return nil }
        let isObserved = world.registrations.contains { registration in
            registration.isLive && registration.observed == .object(object) && library.family(named: registration.family)?.shownBy == property
        }
        return isObserved ? .boolean(true) : nil
    }

    /// Code that could not be read and that names a release may be one: what lives then is somebody else's care.
    mutating func mayRelease(_ opaque: Opaque) {
        guard opaque.reads.contains(where: relevance.isReleaseOrLeadsToOne) else { return }
        for index in world.registrations.indices where world.registrations[index].isLive {
            if library.family(named: world.registrations[index].family)?.isReleased(in: opaque.reads) ?? false { world.registrations[index].isHandedOn = true }
        }
    }

    /// Ends a registration, unless it has ended already.
    mutating func end(_ index: Int, at site: Site) {
        guard world.registrations[index].isLive || world.registrations[index].isDetached else { return }
        if world.registrations[index].isDetached, let token = world.registrations[index].token { world[token].fields[Self.target] = nil }
        world.registrations[index].isDetached = false
        world.registrations[index].isLive = false
        world.registrations[index].ended = Registration.End(event: event, site: site, isFromOutside: isCalledFromOutside)
        let registration = world.registrations[index]
        guard let family = library.family(named: registration.family) else { return }
        if family.isHeldByObserved, let token = registration.token, case .object(let keeper) = registration.observed { world[keeper].fields[Self.field(of: token)] = nil }
        log(site, "ends the \(family.title) (\(world.live(like: registration)) live)")
    }

    /// The field of a token that holds the object to which it assigns.
    static let assignment = "assignment"

    /// The field of an observed object that keeps the closure of a registration.
    private static func field(of token: ObjectID) -> String { "observer \(token.index)" }

    /// Whether two values are the same as far as the run knows: an unknown one may be any.
    func same(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (.unknown, _), (_, .unknown): true
        case (.named(let first, _), .named(let second, _)): first.split(separator: ".").last == second.split(separator: ".").last
        case (.named(let name, []), .string(let text)), (.string(let text), .named(let name, [])): lookups.text(ofConstant: name) == text
        default: left == right
        }
    }

    mutating func log(_ site: Site, _ note: String) {
        world.log.append(LogEntry(event: event, site: site, note: note))
    }
}
