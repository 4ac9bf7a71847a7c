import ProgramModel
import RuleLibrary

/// A function of the project that a call runs.
struct Target {
    let member: MemberFacts
    /// What it is as a piece of code.
    let node: CodeNode
    let body: Body
    let file: Int
    /// The type that declares it; nil for free functions.
    let owner: TypeID?
}

/// Calls: methods of the project run, the SDK's do what the data says, others nobody knows.
extension Machine {
    mutating func perform(_ call: Call, in frame: Int, at statement: Statement) -> Flow {
        let arguments = call.arguments.map { operand($0.value, in: frame) }
        let firstNew = world.frames.count
        let isWrittenBack = call.arguments.contains { $0.place != nil }
        keepsNextFrame = isWrittenBack
        let (value, flow) = evaluate(call, arguments, in: frame, at: statement)
        keepsNextFrame = false
        if !handedOver.isEmpty { callHandedOver(by: statement, in: frame) }
        if flow == .stopped || flow == .trapped { return flow }
        if isWrittenBack {
            let written = writeBack(call, from: firstNew, in: frame, at: statement)
            guard written == .normal else { return written }
        }
        if case .threw(let error) = flow { return .threw(error) }
        if watchesGeometry {
            place = siteInClass(of: statement, in: frame)
            let receiver: Value? = if case .member(let receiver, _) = call.callee { operand(receiver, in: frame) } else { nil }
            noteGeometry(of: call, arguments, receiver: receiver, result: value)
            noteAddition(of: call, arguments, receiver: receiver ?? world.frames[frame].selfValue)
        }
        set(call.result, value, nil, in: frame)
        if !world.registrations.isEmpty { takeOver(value, at: site(of: statement, in: frame), in: frame) }
        return .normal
    }

    /// What a function of the project, or a closure that the run has, left in its `inout` parameters goes to the places that were given.
    private mutating func writeBack(_ call: Call, from callee: Int, in frame: Int, at statement: Statement) -> Flow {
        guard callee < world.frames.count, let parameters = parameters(of: call, in: frame, ranIn: callee), parameters.count == call.arguments.count else {
            fillOutParameters(of: call, in: frame)
            return .normal
        }
        for (argument, parameter) in zip(call.arguments, parameters) {
            guard let place = argument.place, let value = world.frames[callee].locals[parameter], value != operand(argument.value, in: frame) else { continue }
            let flow = write(value, to: place, in: frame, at: statement)
            guard flow == .normal else { return flow }
        }
        return .normal
    }

    /// The parameters of what a call ran in a frame: of the function, or of the closure that was called by its name.
    private func parameters(of call: Call, in frame: Int, ranIn callee: Int) -> [LocalID]? {
        let called: Value? = switch call.callee {
        case .local(let local): frameOf(local, from: frame).flatMap { world.frames[$0].locals[local] }
        case .value(let value): operand(value, in: frame)
        default: nil
        }
        if case .closure(let index)? = called { return world.closures[index].closure.parameters }
        return world.frames[callee].parent == nil ? world.frames[callee].context.body.parameters : nil
    }

    /// An empty local that unknown code got the address of may have been filled; of errors it is the rule that they are not.
    private mutating func fillOutParameters(of call: Call, in frame: Int) {
        for case .local(let local)? in call.arguments.map(\.place) {
            guard let home = frameOf(local, from: frame), world.frames[home].locals[local] == .null,
                  world.frames[home].context.body[local].type?.unwrapped.name.hasSuffix("Error") == false else { continue }
            world.frames[home].locals[local] = world.unknown()
        }
    }

    private mutating func evaluate(_ call: Call, _ arguments: [Value], in frame: Int, at statement: Statement) -> (Value, Flow) {
        let (selfValue, declaringType) = (world.frames[frame].selfValue, world.frames[frame].declaringType)
        switch call.callee {
        case .local(let local):
            let value = frameOf(local, from: frame).flatMap { world.frames[$0].locals[local] } ?? .null
            return invoke(value, arguments)
        case .value(let value):
            return invoke(operand(value, in: frame), arguments)
        case .name(let name):
            if name == "NSStringFromSelector", case .selector(let text)? = arguments.first { return (.string(ObjectiveCSelector.keyPath(of: text)), .normal) }
            if name.hasPrefix("objc_"), let value = associate(name, call, arguments) { return (value, .normal) }
            if case .object(let id) = selfValue, case .project(let type) = world[id].kind {
                if let target = target(name, call, on: type, isStatic: nil, from: frame) { return run(target, call, arguments, selfValue: .object(id)) }
                if owns(id, name) { return invoke(readField(name, of: id).0, arguments) }
                let known = program.platformClass(of: type)
                if let known, let target = extensionTarget(name, call, of: known) { return run(target, call, arguments, selfValue: .object(id)) }
                // A method of the object would hide a function of no type; what the SDK's classes have, the data knows where it matters.
                if library.families(calling: call.fullName ?? name).isEmpty, let target = freeTarget(name, call, in: frame) {
                    return run(target, call, arguments, selfValue: .void)
                }
                if let made = made(byFunction: call) { return (made, .normal) }
                return platformCall(call, arguments, receiver: .object(id), className: known, isStatic: false, in: frame, at: statement)
            }
            if let type = declaringType, let target = target(name, call, on: type, isStatic: true, from: frame) {
                return run(target, call, arguments, selfValue: .type(program[type].name))
            }
            if let target = freeTarget(name, call, in: frame) { return run(target, call, arguments, selfValue: .void) }
            if let made = made(byFunction: call) { return (made, .normal) }
            return unknownCall(call, arguments, role: library.closureRoles[name])
        case .superMember(let name):
            return superCall(name, call, arguments, in: frame, at: statement)
        case .initializer(let type):
            return create(type, call, arguments, in: frame, at: statement)
        case .implicitMember(let name):
            if arguments.contains(where: holdsClosures), let id = program.closureTaker(name, call), let body = program[id].body {
                let type = program[id.declaration].name
                let target = Target(member: program[id], node: .member(id), body: body, file: id.declaration.file, owner: program.owners(of: id.declaration).first)
                return run(target, call, arguments, selfValue: .type(type))
            }
            return (.named(name, arguments.map { isBrief($0) ? .void : $0 }), .normal)
        case .macro:
            return unknownCall(call, arguments, role: nil)
        case .member(let receiver, let name):
            return memberCall(name, call, arguments, receiver: operand(receiver, in: frame), in: frame, at: statement)
        }
    }

    private mutating func memberCall(
        _ name: String, _ call: Call, _ arguments: [Value], receiver: Value, in frame: Int, at statement: Statement
    ) -> (Value, Flow) {
        switch receiver {
        case .object where library.closureRoles[name] == .withReceiver && arguments.count == 1 && holdsClosures(arguments[0]) && !program.hasFunction(named: name):
            let (_, flow) = invoke(arguments[0], [receiver])
            return (receiver, flow)
        case .null:
            // A message to nil does nothing.  (In Swift no call comes here: optional chains are branches.)
            return (.null, .normal)
        case .object(let id):
            switch world[id].kind {
            case .project(let type):
                if name == "init" {
                    // One initialiser hands over to another.
                    return initialize(id, as: type, call, arguments, isFresh: false)
                }
                if let target = target(name, call, on: type, isStatic: false, from: frame) { return run(target, call, arguments, selfValue: receiver) }
                if owns(id, name) { return invoke(readField(name, of: id).0, arguments) }
                if let known = program.platformClass(of: type), let target = extensionTarget(name, call, of: known) {
                    return run(target, call, arguments, selfValue: receiver)
                }
                return platformCall(call, arguments, receiver: receiver, className: program.platformClass(of: type), isStatic: false, in: frame, at: statement)
            case .platform(let className):
                if let target = extensionTarget(name, call, of: className) { return run(target, call, arguments, selfValue: receiver) }
                return platformCall(call, arguments, receiver: receiver, className: className, isStatic: false, in: frame, at: statement)
            }
        case .type(let type):
            let scope = Scope(file: world.frames[frame].file, typeName: world.frames[frame].declaringType.map { program[$0].name } ?? "")
            switch lookups.resolve(TypeReference(type), in: scope) {
            case .project(let types) where types.count == 1:
                if let target = target(name, call, on: types[0], isStatic: true, from: frame) { return run(target, call, arguments, selfValue: .type(program[types[0]].name)) }
                if program[program[types[0]].declarations[0]].cases.contains(name) { return (.named(name, arguments), .normal) }
                if program.makesFromFile(types[0], callNamed: name) {
                    let id = world.make(.project(types[0]))
                    setInitialValues(of: id)
                    return (.object(id), .normal)
                }
                return unknownCall(call, arguments, role: library.closureRoles[name])
            case .platform(let className):
                // What the SDK's objects answer depends on the system alone, of which the latest is meant.
                if name.hasPrefix("instancesRespond") || name == "isMainThread" && Self.threads.contains(className) { return (.boolean(true), .normal) }
                if let target = extensionTarget(name, call, of: className, isStatic: true) { return run(target, call, arguments, selfValue: receiver) }
                return platformCall(call, arguments, receiver: receiver, className: className, isStatic: true, in: frame, at: statement)
            default:
                return unknownCall(call, arguments, role: library.closureRoles[name])
            }
        case .closure where name == "callAsFunction":
            return invoke(receiver, arguments)
        default:
            return platformCall(call, arguments, receiver: receiver, className: writtenClass(ofReceiverOf: call, in: frame, at: statement), isStatic: false, in: frame, at: statement)
        }
    }

    /// The class that the text gives a receiver whose value the run does not have, as of a notification centre that was handed in.  Nil
    /// where no family asks for it, or asks which object it is.
    private func writtenClass(ofReceiverOf call: Call, in frame: Int, at statement: Statement) -> String? {
        guard let name = call.fullName else { return nil }
        let isAsked = library.families(calling: name).contains { family in
            (family.acquire + family.release).contains { $0.receiver != nil && $0.token != -1 && $0.names.contains(name) }
        }
        return isAsked ? lookups.writtenClass(ofReceiverOf: call, at: statement, in: world.frames[frame].context) : nil
    }

    /// What a function of the SDK makes, where the data knows it.
    private mutating func made(byFunction call: Call) -> Value? {
        call.fullName.flatMap(program.platform.type(ofFunction:)).map { .object(world.make(.platform($0.name))) }
    }

    // MARK: Functions of the project

    /// The function that a call of this name on a type runs; the labels choose among overloads.
    func target(_ name: String, _ call: Call, on type: TypeID, isStatic: Bool?, from frame: Int) -> Target? {
        let file = world.frames[frame].file
        // A private function of another file is another function, even of a subclass with the same name.
        let visible = lookups.members(named: name, on: type).filter { $0.declaration.file == file || !program[$0].isPrivate }
        return choose(visible, call, isStatic: isStatic, selfType: type)
    }

    private func choose(_ members: [MemberID], _ call: Call, isStatic: Bool?, selfType: TypeID) -> Target? {
        let candidates = there(members.filter { id in
            let member = program[id]
            return member.kind == .function && member.body != nil && (isStatic.map { $0 == member.isStatic } ?? true)
        })
        let named = candidates.filter { program[$0].fullName == call.fullName }
        // Of overloads that differ in their types alone, one that calls the name means another one.
        let fitting = named.first { named.count == 1 || !isRunning($0) } ?? named.first ?? candidates.first { program[$0].accepts(call) }
            ?? candidates.first { program[$0].acceptsWithoutFirstLabel(call) }
        guard let id = fitting, let body = program[id].body else { return nil }
        let owners = program.owners(of: id.declaration)
        let chain = program.chain(of: selfType)
        return Target(member: program[id], node: .member(id), body: body, file: id.declaration.file, owner: chain.first(where: owners.contains) ?? selfType)
    }

    /// Those that are compiled; what calls functions that are not is not compiled either, and runs with them.
    private func there(_ members: [MemberID]) -> [MemberID] {
        let compiled = members.filter { program[$0].condition.holds(under: choices.configuration) }
        return compiled.isEmpty ? members : compiled
    }

    /// The function of no type that a call runs, one of its own file first; none where no function of the name takes such arguments, as
    /// where the project gives a function of the SDK a shorter form.
    func freeTarget(_ name: String, _ call: Call, in frame: Int) -> Target? {
        let here = world.frames[frame].file
        let functions = program.freeMembers(named: name).filter { $0.member.body != nil && $0.member.kind == .function && ($0.file == here || !$0.member.isPrivate) }
        let (own, others) = (functions.filter { $0.file == here }, functions.filter { $0.file != here })
        let fitting = own.first { $0.member.accepts(call) } ?? others.first { $0.member.accepts(call) } ?? functions.first { $0.member.acceptsWithoutFirstLabel(call) }
        guard let (file, member) = fitting, let body = member.body else { return nil }
        return Target(member: member, node: .free(name), body: body, file: file, owner: nil)
    }

    /// A method that the project adds to a class of the SDK.
    func extensionTarget(_ name: String, _ call: Call, of className: String, isStatic: Bool = false) -> Target? {
        let classes = program.platform.ancestry(of: className)
        let candidates = there(lookups.extensionFunctions(named: name).filter { id in
            // Objective-C's categories name some classes of Foundation as Swift does not.
            let name = program[id.declaration].name
            return (classes.contains(name) || name.hasPrefix("NS") && classes.contains(String(name.dropFirst(2)))) && program[id].isStatic == isStatic
        })
        guard let id = candidates.first(where: { program[$0].fullName == call.fullName }) ?? candidates.first(where: { program[$0].accepts(call) }),
              let body = program[id].body else { return nil }
        return Target(member: program[id], node: .member(id), body: body, file: id.declaration.file, owner: nil)
    }

    /// Whether a body does nothing but stop the app: objects that it is called on are of subclasses that override it.
    static func isForSubclasses(_ body: Body) -> Bool {
        guard body.block.last?.kind == .exit(.trap) else { return false }
        return !body.block.dropLast().contains { statement in
            switch statement.kind {
            case .branch, .write, .exit: true
            default: false
            }
        }
    }

    mutating func run(_ target: Target, _ call: Call, _ arguments: [Value], selfValue: Value, initializing: ObjectID? = nil) -> (Value, Flow) {
        let isUsed = world.frames.isEmpty || world.frames[current].used.contains(call.result)
        if case .object(let id) = selfValue, world[id].isShared, !relevance.isHot(target.node), !arguments.contains(where: matters) {
            return (world.unknown(), .normal)
        }
        if initializing == nil, Self.isForSubclasses(target.body) { return (world.unknown(), .normal) }
        // What gets places may fill them.
        if !isUsed, initializing == nil, !relevance.isHot(target.node), !arguments.contains(where: matters), call.arguments.allSatisfy({ $0.place == nil }), !keepsWhatTakesClosures(target.body, arguments), !emptiesList(target.body, of: selfValue) { return (.void, .normal) }
        if isForeign(target.owner, selfValue, arguments) { return (world.unknown(), .normal) }
        // What can matter by its value only need not run where nobody asks for that.
        if initializing == nil, !world.frames.isEmpty, !call.mayThrow, !isDemanded(call, in: current), !arguments.contains(where: matters),
           call.arguments.allSatisfy({ $0.place == nil }), makesIdleValue(target) { return (world.unknown(), .normal) }
        let bound = bind(call, arguments, to: target.member)
        func run(_ machine: inout Machine) -> (Value, Flow) {
            let flow = machine.run(target.body, file: target.file, member: target.member.fullName, selfValue: selfValue, declaringType: target.owner,
                                   arguments: bound, initializing: initializing, isResultUsed: isUsed || initializing != nil)
            if case .returned(let value) = flow { return (value, .normal) }
            return (.void, flow)
        }
        guard widensValues, initializing == nil, !arguments.contains(where: matters), makesPlainValue(target) else { return run(&self) }
        return runForValue(run)
    }

    /// The arguments in order of the parameters; what is left out is unknown.
    private mutating func bind(_ call: Call, _ arguments: [Value], to member: MemberFacts) -> [Value] {
        let matched = member.arguments(of: call) ?? member.parameters.indices.map { $0 < arguments.count ? [$0] : [] }
        return zip(member.parameters, matched).map { parameter, taken in
            if parameter.isVariadic { return .collection(taken.map { arguments[$0] }) }
            return taken.first.map { arguments[$0] } ?? parameter.defaultValue.map(value(of:)) ?? world.unknown()
        }
    }

    private mutating func superCall(_ name: String, _ call: Call, _ arguments: [Value], in frame: Int, at statement: Statement) -> (Value, Flow) {
        let current = world.frames[frame]
        guard let declaring = current.declaringType else { return (world.unknown(), .normal) }
        for base in program.ancestry(of: declaring).projectTypes {
            if name == "init" {
                if case .object(let id) = current.selfValue { return initialize(id, as: base, call, arguments) }
                continue
            }
            if let members = program[base].membersByName[name], let target = choose(members, call, isStatic: nil, selfType: base) {
                return run(target, call, arguments, selfValue: current.selfValue)
            }
        }
        if name == "init", call.arguments.isEmpty, case .object(let id) = current.selfValue { return initializeByInit(id, program.platformClass(of: declaring)) }
        // A navigation controller keeps its root.
        if call.fullName == "init(rootViewController:)", case .object(let id) = current.selfValue, let root = arguments.first { adopt(root, by: id) }
        // The SDK's own setter sets the property.
        if let property = name.propertyItSets, arguments.count == 1, case .object(let id) = current.selfValue { return (.void, writePlatformField(property, of: id, arguments[0])) }
        return (world.unknown(), .normal)
    }

    // MARK: Closures

    mutating func invoke(_ value: Value, _ arguments: [Value]) -> (Value, Flow) {
        let flow: Flow
        switch value {
        case .closure(let index):
            flow = run(closure: index, arguments: arguments)
        case .method(let id, let name):
            guard case .project(let type) = world[id].kind, let method = lookups.members(named: name, on: type).first(where: { program[$0].body != nil }),
                  let body = program[method].body else { return (world.unknown(), .normal) }
            flow = run(body, file: method.declaration.file, member: program[method].fullName, selfValue: .object(id), declaringType: type, arguments: arguments)
        default:
            return (world.unknown(), .normal)
        }
        if case .returned(let result) = flow { return (result, .normal) }
        return (world.unknown(), flow)
    }

    /// A call whose body nobody sees: closures run as their role says; one of unknown role is kept for as long as the event lasts.
    mutating func unknownCall(_ call: Call, _ arguments: [Value], role: ClosureRoles.Role?) -> (Value, Flow) {
        for value in arguments where role != .printed {
            handOn(value)
            guard holdsClosures(value) else { continue }
            if role == nil, isBrief(value) {
                if case .closure(let index) = value, !lookups.use(of: world.closures[index].closure, library).givesTokens {
                    let (_, flow) = invoke(value, [])
                    if flow == .stopped || flow == .trapped { return (.void, flow) }
                }
                continue
            }
            // What a dying object hands out cannot outlive the call.
            let isDying = !world.frames.isEmpty && world.frames[current].member == "deinit"
            switch isDying && role == nil ? .now : role {
            case .now:
                let (_, flow) = invoke(value, [])
                if flow == .stopped || flow == .trapped { return (.void, flow) }
            case .later:
                world.queue.append((value, []))
            case .kept:
                handOver(value)
                handOnTokens(heldBy: value)
            case nil:
                handOver(value)
                handOnTokens(heldBy: value)
                forgetWhatIsWritten(by: value)
            case .keptByReceiver, .withReceiver, .shown, .printed: break
            }
        }
        return (world.unknown(), .normal)
    }

    /// Somebody whom the run does not see has the value now: tokens in it are no longer the object's care alone.
    mutating func handOn(_ value: Value) {
        switch value {
        case .object(let id):
            for index in world.registrations.indices where world.registrations[index].token == id { world.registrations[index].isHandedOn = true }
        case .collection(let parts), .tuple(let parts), .named(_, let parts): for part in parts { handOn(part) }
        case .closure(let index) where mayRelease(world.closures[index].closure):
            // A completion that ends what it captured does so when it is called.
            // A closure may know itself.
            for value in values(knownTo: world.closures[index]) { if case .closure = value { continue } else { handOn(value) } }
        default: break
        }
    }

    /// A closure that somebody outside has keeps the tokens that it mentions as long as that one likes.
    private mutating func handOnTokens(heldBy value: Value) {
        guard !world.registrations.isEmpty else { return }
        for node in held(in: value) {
            guard case .closure = node else { continue }
            let kept = held(by: node)
            for index in world.registrations.indices {
                guard let token = world.registrations[index].token, kept.contains(.object(token)),
                      library.family(named: world.registrations[index].family)?.tokenEnd == .ends else { continue }
                world.registrations[index].isHandedOn = true
            }
        }
    }

    /// Calls the blocks of what is registered, where they may end something; false when a bound is reached.
    mutating func callBlocks() -> Bool {
        for registration in world.registrations where registration.isLive && registration.repeats && !registration.isRearmed {
            for value in registration.held {
                guard case .closure(let index) = value, mayRelease(world.closures[index].closure) else { continue }
                let (_, flow) = invoke(value, [registration.token.map(Value.object) ?? world.unknown()])
                if flow == .stopped || flow == .trapped { return false }
            }
        }
        return true
    }

    /// Ends what comes once and holds somebody until it has come: the owner let go, and it comes some time.  What it calls runs where it
    /// may release something, which nobody could follow; such a one stays.
    mutating func endWhatComesOnce() {
        for index in world.registrations.indices {
            let registration = world.registrations[index]
            guard registration.isLive, !registration.repeats, !registration.held.isEmpty, !(registration.handler.map(relevance.isReleaseOrLeadsToOne) ?? false) else { continue }
            let endsOthers = registration.held.contains { if case .closure(let closure) = $0 { mayRelease(world.closures[closure].closure) } else { false } }
            guard !endsOthers else { continue }
            world.registrations[index].isLive = false
            world.collected = nil
        }
    }

    private func mayRelease(_ closure: Closure) -> Bool {
        var found = false
        closure.block.forEachStatement { statement in
            if let name = statement.call?.callee.baseName, relevance.isReleaseOrLeadsToOne(name) { found = true }
        }
        return found
    }
}
