import Findings
import ProgramModel
import RuleLibrary
import SourceText

/// The concrete interpreter: runs bodies by SEMANTICS.md on one world, with one outcome for each undecided condition.
package struct Machine {
    /// What is the same for all copies. Lives are copied at every branch, and one reference is copied sooner than a hundred tables.
    private let surroundings: Surroundings
    package var world = World()
    package var choices: Choices
    /// The number of the event that is running.
    var event = 0 { didSet { world.now = event } }
    /// Whether the running event is a call from outside.
    var isCalledFromOutside = false
    /// Whether what runs is such a method and has no parameters.
    var isToldNothing = false
    /// Whether code outside gives the object what takes the place of what it was given before: the value of a property, or what a cell shows.
    var isGivenAnother = false
    /// Whether a static or global object is being made.
    var isMakingShared = false
    /// Whether the first object comes from a nib or storyboard.
    var isMadeByNib = false
    /// Whether it may be made by an initialiser without arguments.
    var isMadeWithoutArguments = true
    /// What code outside can do; nil where nobody asks.
    var outsideCallers: OutsideCallers?
    /// Whether what only makes a value is not followed on every way: a value that depends on what nobody knows is unknown itself.
    var widensValues = false
    /// Where ways meet again; nil where each way is run to its end.
    package var confluence: Confluence?
    /// How many statements that ask were come to.
    var moment = 0
    /// Whether values are being joined, so that each way is to be run.
    var isJoining = false
    /// Whether only the code of the object's own classes is followed, with what it hands itself or its registrations to.
    var followsOwnCodeOnly = false
    /// Whether sizes and places of views are followed.
    let watchesGeometry: Bool
    /// Whether the run goes on, with a value that it does not know, after nil is unwrapped.
    var isLenient: Bool
    /// The statement that is running, while geometry is followed.
    var place: Site?
    /// How many methods that the layout calls are running.
    var layoutDepth = 0
    /// The calls that released something in an event, and in none before.
    var releasedInEvent: (event: Int, sites: Set<Site>) = (0, [])
    /// How many bodies are running inside one another, and how often each.
    var depth = 0
    private var running: [BodyPlace: Int] = [:]
    /// The frame whose statements run.
    private(set) var current = 0
    /// Whether the next frame stays when its body is done: what it left in its parameters is read.
    var keepsNextFrame = false
    /// The frames whose `defer` blocks are running, innermost last.
    var deferring: [Int] = []
    /// How many blocks are running whose exceptions somebody catches.
    var catching = 0
    /// The closures that the statement which runs gives to code outside, and that acquire something.
    var handedOver: [Value] = []

    /// Bounds of one run; past them it stops and its violations do not count.
    static let mostSteps = 20_000
    static let deepestCall = 40
    /// How often the same body may be running at once.
    static let mostReentries = 3
    static let mostRounds = 3
    static let mostObjects = 2_000

    init(program: Program, library: RuleLibrary, lookups: Lookups, relevance: Relevance, choices: Choices, targets: UnitTargets = UnitTargets(), watchesGeometry: Bool = false, isLenient: Bool = false) {
        self.watchesGeometry = watchesGeometry
        self.isLenient = isLenient
        surroundings = Surroundings(program: program, library: library, lookups: lookups, relevance: relevance, targets: targets)
        self.choices = choices
    }

    /// What a machine runs in.
    private final class Surroundings {
        let program: Program
        let library: RuleLibrary
        let lookups: Lookups
        let relevance: Relevance
        let targets: UnitTargets

        init(program: Program, library: RuleLibrary, lookups: Lookups, relevance: Relevance, targets: UnitTargets) {
            self.program = program
            self.library = library
            self.lookups = lookups
            self.relevance = relevance
            self.targets = targets
        }
    }

    package var program: Program { surroundings.program }
    package var library: RuleLibrary { surroundings.library }
    package var lookups: Lookups { surroundings.lookups }
    package var relevance: Relevance { surroundings.relevance }

    // MARK: Bodies

    /// Runs a body with the arguments bound to its parameters; the value is what it returns.
    mutating func run(_ body: Body, file: Int, member: String, selfValue: Value, declaringType: TypeID?, arguments: [Value], initializing: ObjectID? = nil, isResultUsed: Bool = true) -> Flow {
        let place = BodyPlace(body, file: file)
        guard depth < Self.deepestCall, running[place, default: 0] < Self.mostReentries else {
            return tooDeep(Site(file: file, span: body.span, member: member, type: declaringType))
        }
        depth += 1
        running[place, default: 0] += 1
        defer {
            depth -= 1
            running[place, default: 1] -= 1
        }
        world.entered.insert(place)
        let isLayout = watchesGeometry && library.geometry?.layouts.contains(ResourceNames.baseName(member)) ?? false
        if isLayout { layoutDepth += 1 }
        defer { if isLayout { layoutDepth -= 1 } }
        let isStatic = if case .type = selfValue { true } else { false }
        let text = lookups.frameText(body, file: file, member: member, type: declaringType, isStatic: isStatic, relevance)
        var frame = Frame(text: text, selfValue: selfValue, parent: nil, initializing: initializing, isResultUsed: isResultUsed)
        for (index, parameter) in body.parameters.enumerated() {
            frame.locals[parameter] = index < arguments.count ? arguments[index] : world.unknown()
        }
        let flow = run(body.block, inNew: frame)
        if flow == .normal { return .returned(.void) }
        return flow
    }

    /// Runs a block in a frame of its own, which goes when it is done, unless a closure was made in it or somebody reads it afterwards.
    private mutating func run(_ block: Block, inNew frame: Frame) -> Flow {
        let (outer, closures, new, stays) = (current, world.closures.count, world.frames.count, keepsNextFrame)
        keepsNextFrame = false
        world.frames.append(frame)
        world.frames[new].caller = depth > 1 ? outer : nil
        current = new
        let flow = run(block, in: new)
        current = outer
        if !stays, world.closures.count == closures, world.frames.count == new + 1 { world.frames.removeLast() }
        return flow
    }

    /// Runs a closure; its frame sees the locals of the frame that made it.
    mutating func run(closure index: Int, arguments: [Value]) -> Flow {
        let made = world.closures[index]
        guard depth < Self.deepestCall else { return tooDeep(made.site) }
        depth += 1
        defer { depth -= 1 }
        let outer = world.frames[made.frame]
        var frame = Frame(text: outer.text, selfValue: outer.selfValue, parent: made.frame, initializing: nil)
        for capture in made.closure.captures {
            let value = made.captured[capture.local] ?? .null
            frame.locals[capture.local] = made.weakCaptures.contains(capture.local) && isFreed(value) ? .null : value
        }
        for (position, parameter) in made.closure.parameters.enumerated() {
            frame.locals[parameter] = position < arguments.count ? arguments[position] : world.unknown()
        }
        let flow = run(made.closure.block, inNew: frame)
        if flow == .normal { return .returned(.void) }
        return flow
    }

    /// A call past the bound gives nobody knows what.
    private mutating func tooDeep(_ site: Site) -> Flow {
        fallShort(.tooDeep, at: site)
        return .returned(world.unknown())
    }

    /// Notes what the run could not do.
    mutating func fallShort(_ reason: Shortcoming.Reason, at site: Site) {
        let shortcoming = Shortcoming(reason: reason, site: site)
        if !world.shortcomings.contains(shortcoming) { world.shortcomings.append(shortcoming) }
    }

    func site(of statement: Statement, in frame: Int) -> Site { site(of: statement.span, in: frame) }

    /// Where something is read, added, acquired or ended: what a function does that the project adds to classes of the SDK, or that is
    /// in none, is right or wrong where it is called.
    func siteInClass(of statement: Statement, in frame: Int) -> Site {
        var next = frame
        // A closure is of the function that made it, whoever runs it.
        while world.frames[next].declaringType == nil, let outer = world.frames[next].parent ?? world.frames[next].caller { next = outer }
        return next == frame ? site(of: statement, in: frame) : world.frames[next].at ?? site(of: statement, in: frame)
    }

    func site(of span: SourceSpan, in frame: Int) -> Site {
        Site(file: world.frames[frame].file, span: span, member: world.frames[frame].member, type: world.frames[frame].declaringType)
    }

    private func isFreed(_ value: Value) -> Bool {
        if case .object(let id) = value { return world[id].isFreed }
        return false
    }

    // MARK: Blocks and statements

    mutating func run(_ block: Block, in frame: Int) -> Flow {
        var deferred: [Block] = []
        var flow = Flow.normal
        for statement in block {
            world.steps += 1
            guard world.steps < Self.mostSteps, world.objects.count < Self.mostObjects else {
                fallShort(.tooLong, at: site(of: statement, in: frame))
                return .stopped
            }
            if case .deferred(let inner) = statement.kind {
                deferred.append(inner)
                continue
            }
            flow = meet(statement, in: frame)
            if flow != .normal { break }
        }
        if flow != .stopped, flow != .trapped {
            if !deferred.isEmpty { deferring.append(frame) }
            defer { if !deferred.isEmpty { deferring.removeLast() } }
            for inner in deferred.reversed() {
                let left = run(inner, in: frame)
                if left == .stopped || left == .trapped { return left }
            }
        }
        return flow
    }

    mutating func step(_ statement: Statement, in frame: Int) -> Flow {
        if watchesGeometry { place = siteInClass(of: statement, in: frame) }
        switch statement.kind {
        case .read(let result, let place):
            if world.frames[frame].demanded.leavesOut(readingInto: result, isResultUsed: world.frames[frame].isResultUsed) {
                set(result, world.unknown(), nil, in: frame)
                return .normal
            }
            let (value, origin) = read(place, in: frame, at: statement)
            set(result, value, origin, in: frame)
        case .write(let place, let value):
            world.frames[frame].at = site(of: statement, in: frame)
            let flow = write(operand(value, in: frame), to: place, in: frame, at: statement)
            if !handedOver.isEmpty { callHandedOver(by: statement, in: frame) }
            return flow
        case .declare(let local, let value):
            setLocal(local, value.map { operand($0, in: frame) } ?? .null, in: frame, declaring: true)
        case .call(let call):
            world.frames[frame].at = site(of: statement, in: frame)
            return perform(call, in: frame, at: statement)
        case .collection(let operation, let call):
            world.frames[frame].at = site(of: statement, in: frame)
            return perform(operation, call, in: frame, at: statement)
        case .closure(let result, let closure):
            set(result, make(closure, in: frame, at: statement.span), nil, in: frame)
        case .function(let local, let closure):
            setLocal(local, make(closure, in: frame, at: statement.span), in: frame, declaring: true)
        case .spawn(let local, let closure):
            guard case .closure(let index) = make(closure, in: frame, at: statement.span) else { return .normal }
            let flow = run(closure: index, arguments: [])
            if flow == .stopped || flow == .trapped { return flow }
            if case .returned(let value) = flow { setLocal(local, value, in: frame, declaring: true) } else { setLocal(local, world.unknown(), in: frame, declaring: true) }
        case .compute(let result, let operation, let operands):
            let values = operands.map { operand($0, in: frame) }
            guard let value = comparison(ofGiven: operation, operands, values, in: frame) ?? compute(operation, values, in: frame) else {
                fallShort(operation == .forceUnwrap ? .unwrapsNil : .wrongCast, at: site(of: statement, in: frame))
                guard isLenient, operation == .forceUnwrap else { return .trapped }
                set(result, world.unknown(), nil, in: frame)
                return .normal
            }
            if operation != .forceUnwrap { carryGeometry(from: values, to: value) }
            set(result, value, operation == .forceUnwrap ? origin(of: operands[0], in: frame) : nil, in: frame)
        case .assign(let result, let value):
            set(result, operand(value, in: frame), origin(of: value, in: frame), in: frame)
        case .branch(let clauses, let then, let otherwise):
            guard prepareToChoose(statement, in: frame) else { return .normal }
            if let joined = joinValues(of: statement, in: frame) { return joined }
            switch test(clauses, in: frame) {
            case .success(let holds): return run(holds ? then : otherwise, in: frame)
            case .failure(let flow): return flow.flow
            }
        case .select(let subject, let cases, let label):
            guard prepareToChoose(statement, in: frame) else { return .normal }
            if let joined = joinValues(of: statement, in: frame) { return joined }
            return select(operand(subject, in: frame), cases, label, in: frame)
        case .loop(let loop):
            guard prepareToChoose(statement, in: frame) else { return .normal }
            return run(loop, in: frame)
        case .scope(let block, let label):
            let flow = run(block, in: frame)
            if let label, flow == .broke(label) { return .normal }
            return flow
        case .attempt(let block, let catches, let label):
            return attempt(block, catches, label, in: frame)
        case .exit(let exit):
            switch exit {
            case .returns(let value): return .returned(operand(value, in: frame))
            case .throwing(let value): return .threw(operand(value, in: frame))
            case .breaks(let label): return .broke(label)
            case .continues(let label): return .continued(label)
            case .fallsThrough: return .fellThrough
            case .trap:
                fallShort(.trap, at: site(of: statement, in: frame))
                return .trapped
            }
        case .configuration(let condition, let then, let otherwise):
            return run(condition.holds(under: choices.configuration) ? then : otherwise, in: frame)
        case .suspend:
            break
        case .opaque(let opaque):
            if let result = opaque.result { set(result, world.unknown(), nil, in: frame) }
            mayRelease(opaque)
        case .deferred:
            break
        }
        return .normal
    }

    /// Whether somebody asks for what a call in a frame gives.
    func isDemanded(_ call: Call, in frame: Int) -> Bool {
        world.frames[frame].demanded.includes(call.result, isResultUsed: world.frames[frame].isResultUsed)
    }

    /// Notes where a choice is coming; false when whatever is chosen makes no difference to anything that is watched.
    private mutating func prepareToChoose(_ statement: Statement, in frame: Int) -> Bool {
        let file = world.frames[frame].file
        let effect = lookups.effect(of: statement, in: world.frames[frame].context, relevance)
        guard effect != .none else { return false }
        let place = BodyPlace(statement, file: file)
        // Values and exits count by what they lead to.
        if effect == .values, !watchesGeometry,
           !world.frames[frame].demanded.includes(valuesSetBy: statement, isResultUsed: world.frames[frame].isResultUsed) { return false }
        if effect != .some, !world.frames[frame].isResultUsed, !lookups.matters(after: place, in: world.frames[frame].context, relevance) { return false }
        choices.at = (place, effect >= .exits)
        return true
    }

    // MARK: Registers, locals and operands

    func operand(_ operand: Operand, in frame: Int) -> Value {
        switch operand {
        case .selfObject: return world.frames[frame].selfValue
        case .type(let type): return .type(type.name)
        case .constant(let constant): return value(of: constant)
        case .register(let register):
            var current: Int? = frame
            while let index = current {
                if let value = world.frames[index].registers[register] { return value }
                current = world.frames[index].parent
            }
            return .null
        }
    }

    func value(of constant: Constant) -> Value {
        switch constant {
        case .null: .null
        case .void: .void
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .number(let text): .number(text)
        case .string(let text): .string(text)
        case .selector(let text): .selector(text)
        case .keyPath(_, let path): .keyPath(path)
        case .implicitMember(let name): .named(name, [])
        case .availability(let text): availability(text)
        case .literalMacro(let name): .named("#\(name)", [])
        }
    }

    /// What a question for the system is known to be from the oldest that the code is built for; otherwise the newest system comes first, and
    /// what older ones do is another way through the code.
    private func availability(_ text: String) -> Value {
        let units = world.frames.isEmpty ? [] : program.files[world.frames[current].file].units
        let isAlways = surroundings.targets.known(ofUnits: units)?.satisfy(availability: text) ?? false
        return isAlways ? .boolean(true) : .unknown(lookups.number(of: text))
    }

    func origin(of operand: Operand, in frame: Int) -> Origin? {
        guard case .register(let register) = operand else { return nil }
        var current: Int? = frame
        while let index = current {
            if let origin = world.frames[index].registers.origin(of: register) { return origin }
            current = world.frames[index].parent
        }
        return nil
    }

    mutating func set(_ register: Register, _ value: Value, _ origin: Origin?, in frame: Int) {
        world.frames[frame].registers.set(register, value, origin)
    }

    /// The frame that holds a local: the one that declared it, seen from a closure's frame outward.
    func frameOf(_ local: LocalID, from frame: Int) -> Int? {
        var current: Int? = frame
        while let index = current {
            if world.frames[index].locals[local] != nil { return index }
            current = world.frames[index].parent
        }
        return nil
    }

    mutating func setLocal(_ local: LocalID, _ value: Value, in frame: Int, declaring: Bool) {
        let home = declaring ? frame : frameOf(local, from: frame) ?? frame
        world.frames[home].locals[local] = value
    }

    // MARK: Closures

    /// What a closure over a structure holds: a copy, with the objects that it had when the closure was made; nil where self is no structure.
    private func fieldsOfCopiedSelf(in frame: Int) -> [Value]? {
        guard case .object(let id) = world.frames[frame].selfValue, case .project(let type) = world[id].kind, program[type].kind == .struct else { return nil }
        // What SwiftUI keeps for a view, as `@State` says, is one for all copies.
        let isView = program.isSwiftUI("View", type)
        return world[id].fields.keys.sorted().filter { name in
            !world[id].weakFields.contains(name) && !(isView && lookups.property(name, of: type).map { !$0.member.attributes.isEmpty } ?? false)
        }.compactMap { world[id].fields[$0] }
    }

    private mutating func make(_ closure: Closure, in frame: Int, at span: SourceSpan) -> Value {
        var captured = NumberedValues<LocalID>()
        var weak: Set<LocalID> = []
        var capturesSelf = false
        let mentions = lookups.mentions(closure, owner: world.frames[frame].declaringType)
        for capture in closure.captures {
            captured[capture.local] = operand(capture.value, in: frame)
            // An unowned capture keeps nothing alive either.
            if capture.strength != .strong { weak.insert(capture.local) }
            // In a closure with `guard let self` the name is a local's, and a capture of it is one of self all the same.
            if capture.value == .selfObject || world.frames[frame].context.body[capture.local].name == "self" { capturesSelf = true }
            // What is listed and never used is not captured.
            if !mentions.locals.contains(capture.local), !mentions.mayMentionSelf { weak.insert(capture.local) }
        }
        let site = site(of: span, in: frame)
        var holdsSelf = mentions.mentionsSelf && !capturesSelf
        if holdsSelf, let copied = fieldsOfCopiedSelf(in: frame) {
            holdsSelf = false
            // They have no names in the closure: their numbers come after those of all locals.
            for (number, value) in copied.enumerated() { captured[LocalID(Int(Int32.max) / 2 + number)] = value }
        }
        world.closures.append(ClosureValue(
            closure: closure, frame: frame, captured: captured, weakCaptures: weak, holdsSelf: holdsSelf,
            locals: mentions.locals.subtracting(captured.all.map(\.name)).sorted { $0.index < $1.index }, site: site, madeIn: world.now))
        return .closure(world.closures.count - 1)
    }
}
