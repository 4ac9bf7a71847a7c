import ProgramModel
import Replay

/// Makes the stores between events finitely many: drops what nothing can reach, counts past a few as many, and numbers what is
/// left in an order of its own, so that stores that differ in nothing that can matter are equal.
struct Widening {
    /// Whether what was answered of unknown values stays answered as long as the values are kept.
    let keepsAnswers: Bool
    /// The bodies that acquire what may not be released twice: whether they ran is part of the store.
    let tellingBodies: Set<BodyPlace>
    private let registersOfClosures: RegistersOfClosures
    private let fault: Fault?

    /// Mistakes that a widening could have; tests make each of them and see that it is caught.
    enum Fault: CaseIterable {
        case forgetsEnded, forgetsLive, takesAllForLate, takesAllForEarly, forgetsTokens, forgetsHeld, forgetsUse, forgetsFields, forgetsAppearances, takesAllStoresForOne
    }

    /// How many live registrations of one place are told apart; more are as many.
    private static let many = 3
    /// How many elements of a collection are kept.
    private static let mostElements = 4
    /// The largest number that is counted.
    private static let largest = 16

    init(keepsAnswers: Bool, tellingBodies: Set<BodyPlace>, fault: Fault? = nil) {
        self.fault = fault
        self.keepsAnswers = keepsAnswers
        self.tellingBodies = tellingBodies
        registersOfClosures = RegistersOfClosures()
    }

    /// The registers that closures read of the bodies around them, by the place of the closure.
    private final class RegistersOfClosures {
        var known: [Site: Set<Register>] = [:]

        func registers(of closure: ClosureValue) -> Set<Register> {
            if let found = known[closure.site] { return found }
            let body = Body(locals: [], parameters: [], block: closure.closure.block, registerCount: 0, statementCount: 0, span: closure.site.span)
            let found = body.usedRegisters
            known[closure.site] = found
            return found
        }
    }

    /// The life with its store made so, and what tells the store from others.
    func widened(_ life: Life) -> (life: Life, fingerprint: Fingerprint) {
        let world = life.machine.world
        var copy = Copy(life.machine, registersOfClosures)
        let first = life.appearances.first
        func phase(_ event: Int) -> Int { event == 0 ? 0 : first.map { event <= $0 } ?? true ? 1 : 2 }
        let (registrations, dropped) = kept(world.registrations, world, phase)
        copy.dropped = dropped
        _ = copy.map(.object(ObjectID(index: 0)))
        copy.world.registrations = registrations.map { old in
            var new = old
            new.key = old.key.map { copy.map($0) }
            new.observer = copy.map(old.observer)
            new.observed = copy.map(old.observed)
            new.held = old.held.map { copy.map($0) }
            new.maker = copy.map(old.maker)
            new.event = phase(old.event)
            new.ended?.event = phase(old.ended?.event ?? 0)
            if let token = old.token, old.isLive || !world[token].isFreed, case .object(let id) = copy.map(.object(token)) { new.token = id } else { new.token = nil }
            return new
        }
        for key in world.shared.keys.sorted(by: Self.isBefore) {
            guard let value = world.shared[key], !copy.isIdle(key, value) else { continue }
            copy.world.shared[copy.map(key: key)] = copy.map(value)
        }
        copy.world.queue = world.queue.map { (copy.map($0.closure), $0.arguments.map { copy.map($0) }) }
        copy.copyReached()
        // What keeps itself alive and nothing else: seen when the life ends.
        for index in world.objects.indices where !world.objects[index].isFreed && !copy.isReached(index) {
            guard case .project = world.objects[index].kind else { continue }
            _ = copy.map(.object(ObjectID(index: index)))
            copy.copyReached()
        }
        for one in world.emptied { if let id = copy.reached(one.object) { copy.world.emptied.insert(Emptied(id, one.field)) } }
        copy.world.ranReleases = world.ranReleases
        copy.world.entered = world.entered.intersection(tellingBodies)
        copy.world.nextUnknown = copy.unknownCount

        var widened = life
        widened.machine.world = copy.world
        widened.machine.choices.beginAnew()
        widened.machine.choices.answers = [:]
        if keepsAnswers {
            for (question, outcome) in life.machine.choices.answers { copy.map(question).map { widened.machine.choices.answers[$0] = outcome } }
        }
        widened.done = 2
        widened.appearances = first == nil ? [] : [1]
        if let fault { make(fault, &widened) }
        return (widened, fault == .takesAllStoresForOne ? Fingerprint() : Fingerprint(of: widened))
    }

    private func make(_ fault: Fault, _ life: inout Life) {
        switch fault {
        case .forgetsEnded: life.machine.world.registrations.removeAll { !$0.isLive }
        case .forgetsLive: life.machine.world.registrations.removeAll(where: \.isLive)
        case .takesAllForLate: for index in life.machine.world.registrations.indices { life.machine.world.registrations[index].event = 2 }
        case .takesAllForEarly: for index in life.machine.world.registrations.indices { life.machine.world.registrations[index].ended?.event = 1 }
        case .forgetsTokens: for index in life.machine.world.registrations.indices { life.machine.world.registrations[index].token = nil }
        case .forgetsHeld: for index in life.machine.world.registrations.indices { life.machine.world.registrations[index].held = [] }
        case .forgetsUse: life.wasUsed = false
        case .forgetsFields: life.machine.world.objects[0].fields = [:]
        case .forgetsAppearances: life.appearances = []
        case .takesAllStoresForOne: break
        }
    }

    /// Properties of unknown values by the order of those, others by name.
    private static func isBefore(_ left: String, _ right: String) -> Bool {
        switch (Copy.unknown(in: left), Copy.unknown(in: right)) {
        case (let one?, let other?): one.number == other.number ? one.rest < other.rest : one.number < other.number
        case (nil, nil): left < right
        case (nil, _): true
        default: false
        }
    }

    /// The registrations that still matter, in order of their places; and the tokens of those that are more of the same.
    private func kept(_ registrations: [Registration], _ world: World, _ phase: (Int) -> Int) -> (kept: [Registration], dropped: Set<ObjectID>) {
        struct Group: Hashable {
            let family: String
            let site: Site
            /// For those that ended: whether they began and ended before the object was first in use.
            var began = 0
            var ended = 0

            init(_ one: Registration, _ phase: (Int) -> Int) {
                family = one.family
                site = one.site
                guard let end = one.ended else { return }
                began = phase(one.event)
                ended = phase(end.event)
            }
        }
        var live: [Group: [Int]] = [:]
        for index in registrations.indices where registrations[index].isLive {
            live[Group(registrations[index], phase), default: []].append(index)
        }
        var left: Set<Int> = []
        var dropped: Set<ObjectID> = []
        for indices in live.values where indices.count > Self.many {
            for index in indices[1...(indices.count - Self.many)] {
                left.insert(index)
                if let token = registrations[index].token { dropped.insert(token) }
            }
        }
        // Of those that ended at one place the last tells as much as all.
        var ended: [Group: Int] = [:]
        for index in registrations.indices where !registrations[index].isLive {
            ended[Group(registrations[index], phase)] = index
        }
        let kept = registrations.indices.filter { index in
            let one = registrations[index]
            if one.isLive { return !left.contains(index) }
            if let token = one.token, !world[token].isFreed { return true }
            return ended[Group(one, phase)] == index
        }
        let sorted = kept.sorted { left, right in
            let (one, other) = (registrations[left].site, registrations[right].site)
            let (first, second) = ([one.file, one.span.start.line, one.span.start.column], [other.file, other.span.start.line, other.span.start.column])
            return first == second ? left < right : first.lexicographicallyPrecedes(second)
        }
        return (sorted.map { registrations[$0] }, dropped)
    }

    // MARK: Copying

    /// A copy of a world in which only what was reached stands, numbered in the order in which it was.
    private struct Copy {
        let old: World
        var world: World
        /// Tokens of registrations that are more of the same.
        var dropped: Set<ObjectID> = []
        private var objects: [Int: Int] = [:]
        private var closures: [Int: Int] = [:]
        private var frames: [Int: Int] = [:]
        private var unknowns: [Int: Int] = [:]
        private var pendingObjects: [Int] = []
        private var pendingClosures: [Int] = []
        private let registers: RegistersOfClosures
        private let vital: Vital
        private let relevance: Relevance
        private let lookups: Lookups

        init(_ machine: Machine, _ registers: RegistersOfClosures) {
            old = machine.world
            relevance = machine.relevance
            lookups = machine.lookups
            vital = Vital(machine.world)
            self.registers = registers
            world = World()
        }

        var unknownCount: Int { unknowns.count }

        func isReached(_ index: Int) -> Bool { objects[index] != nil }
        func reached(_ id: ObjectID) -> ObjectID? { objects[id.index].map(ObjectID.init(index:)) }

        mutating func map(_ value: Value) -> Value {
            switch value {
            case .object(let id): .object(map(id))
            case .method(let id, let name): .method(map(id), name)
            case .closure(let index): .closure(map(closure: index))
            case .tuple(let parts): .tuple(map(parts))
            case .collection(let parts): map(collection: parts)
            case .named(let name, let parts): .named(name, map(parts))
            case .unknown(let number): .unknown(map(unknown: number))
            default: value
            }
        }

        private mutating func map(_ values: [Value]) -> [Value] {
            var mapped: [Value] = []
            for value in values { mapped.append(map(value)) }
            return mapped
        }

        /// A long collection is its first element and its last ones.
        private mutating func map(collection parts: [Value]) -> Value {
            var kept = parts.filter { part in if case .object(let id) = part { !dropped.contains(id) } else { true } }
            if kept.count > Widening.mostElements { kept = [kept[0]] + kept.suffix(Widening.mostElements - 1) }
            return .collection(map(kept))
        }

        private mutating func map(_ id: ObjectID) -> ObjectID {
            if let known = objects[id.index] { return ObjectID(index: known) }
            let new = world.objects.count
            objects[id.index] = new
            world.objects.append(old.objects[id.index])
            pendingObjects.append(id.index)
            return ObjectID(index: new)
        }

        private mutating func map(closure index: Int) -> Int {
            if let known = closures[index] { return known }
            let new = world.closures.count
            closures[index] = new
            world.closures.append(old.closures[index])
            pendingClosures.append(index)
            return new
        }

        private mutating func map(frame index: Int) -> Int {
            if let known = frames[index] { return known }
            var frame = old.frames[index]
            frame.locals = [:]
            frame.registers = [:]
            frame.origins = [:]
            let new = world.frames.count
            frames[index] = new
            world.frames.append(frame)
            world.frames[new].selfValue = map(frame.selfValue)
            world.frames[new].parent = frame.parent.map { map(frame: $0) }
            return new
        }

        private mutating func map(unknown number: Int) -> Int {
            // Negative numbers stand for what the text names.
            if number < 0 { return number }
            if let known = unknowns[number] { return known }
            unknowns[number] = unknowns.count + 1
            return unknowns.count
        }

        /// A number past those that are counted.
        private mutating func many() -> Value {
            let key = Int.max - unknowns.count
            unknowns[key] = unknowns.count + 1
            return .unknown(unknowns.count)
        }

        /// The number of the unknown value whose property a key of the shared values stands for: `?12.name`.
        static func unknown(in key: String) -> (number: Int, rest: Substring)? {
            guard key.utf8.first == UInt8(ascii: "?"), let dot = key.firstIndex(of: "."), let number = Int(key[key.index(after: key.startIndex)..<dot]) else { return nil }
            return (number, key[dot...])
        }

        mutating func map(key: String) -> String {
            guard let (number, rest) = Self.unknown(in: key) else { return key }
            return "?\(map(unknown: number))\(rest)"
        }

        func map(_ question: Choices.Question) -> Choices.Question? {
            func new(_ number: Int) -> Int? { number < 0 ? number : unknowns[number] }
            return switch question {
            case .isTrue(let number): new(number).map { .isTrue($0) }
            case .isPresent(let number): new(number).map { .isPresent($0) }
            case .matches(let number, let pattern): new(number).map { .matches($0, pattern) }
            case .other: nil
            }
        }

        /// Copies what was reached and not copied yet, and what that reaches.
        mutating func copyReached() {
            while !pendingObjects.isEmpty || !pendingClosures.isEmpty {
                if pendingObjects.isEmpty { copy(closure: pendingClosures.removeFirst()) } else { copy(object: pendingObjects.removeFirst()) }
            }
        }

        private mutating func copy(object index: Int) {
            guard let new = objects[index] else { return }
            let object = old.objects[index]
            world.objects[new].madeIn = 0
            guard !object.isFreed else {
                world.objects[new].fields = [:]
                world.objects[new].weakFields = []
                world.objects[new].writes = [:]
                return
            }
            world.objects[new].fields = [:]
            for (name, value) in fields(of: object) {
                // A value that decides nothing is any value.
                var mapped = value == .void ? many() : map(value)
                if case .integer(let number) = mapped, abs(number) > Widening.largest { mapped = many() }
                world.objects[new].fields[name] = mapped
            }
        }

        /// The fields that can matter; what was adopted beside them is told by its order, and past a few by its kind alone.
        private func fields(of object: HeapObject) -> [(name: String, value: Value)] {
            var plain: [(name: String, value: Value)] = []
            var adopted: [(number: Int, value: Value)] = []
            for (name, value) in object.fields {
                if let number = Machine.number(ofAdopted: name) {
                    if vital.isVital(value) { adopted.append((number, value)) }
                } else if relevance.mayDecide(name) || vital.isVital(value) {
                    plain.append((name, value))
                } else {
                    switch object.kind {
                    // What is not known of an object of the SDK is read as an unknown value.
                    case .platform: if Self.isUnknown(value) { plain.append((name, value)) }
                    case .project(let type): plain.append((name, !Self.isUnknown(value) && lookups.isWritten(name, by: type) ? .void : value))
                    }
                }
            }
            adopted.sort { $0.number < $1.number }
            if adopted.count > mostElements { adopted = [adopted[0]] + adopted.suffix(mostElements - 1) }
            return plain.sorted { $0.name < $1.name } + adopted.enumerated().map { (Machine.adopted($0), $1.value) }
        }

        private static func isUnknown(_ value: Value) -> Bool { if case .unknown = value { true } else { false } }

        /// Whether a property of an unknown value says nothing: nobody has that value, and what the property holds is idle.
        func isIdle(_ key: String, _ value: Value) -> Bool {
            guard let (number, _) = Self.unknown(in: key) else { return false }
            return number >= 0 && unknowns[number] == nil && !vital.isVital(value)
        }

        private mutating func copy(closure index: Int) {
            guard let new = closures[index] else { return }
            let closure = old.closures[index]
            world.closures[new].frame = map(frame: closure.frame)
            world.closures[new].madeIn = 0
            for (local, value) in closure.captured.sorted(by: { $0.key.index < $1.key.index }) { world.closures[new].captured[local] = map(value) }
            for local in closure.locals.sorted(by: { $0.index < $1.index }) { keep(local, from: closure.frame) }
            for register in registers.registers(of: closure).sorted(by: { $0.index < $1.index }) { keep(register, from: closure.frame) }
            keepSelf(from: closure.frame)
        }

        /// A local named self, which `guard let self` makes, is what self means in the closures inside.
        private mutating func keepSelf(from frame: Int) {
            var current: Int? = frame
            while let index = current {
                for local in old.frames[index].locals.keys.sorted(by: { $0.index < $1.index }) where old.frames[index].context.body[local].name == "self" { keep(local, from: index) }
                current = old.frames[index].parent
            }
        }

        private mutating func keep(_ local: LocalID, from frame: Int) {
            var current: Int? = frame
            while let index = current {
                if let value = old.frames[index].locals[local] {
                    let home = map(frame: index)
                    if world.frames[home].locals[local] == nil { world.frames[home].locals[local] = map(value) }
                    return
                }
                current = old.frames[index].parent
            }
        }

        private mutating func keep(_ register: Register, from frame: Int) {
            var current: Int? = frame
            while let index = current {
                if let value = old.frames[index].registers[register] {
                    let home = map(frame: index)
                    if world.frames[home].registers[register] == nil { world.frames[home].registers[register] = map(value) }
                    return
                }
                current = old.frames[index].parent
            }
        }
    }
}
