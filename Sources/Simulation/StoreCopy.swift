import ProgramModel
import Replay

/// The registers that closures read of the bodies around them, by the place of the closure.
final class RegistersOfClosures {
    private var known: [Site: [Register]] = [:]

    /// In order of their numbers.
    func registers(of closure: ClosureValue) -> [Register] {
        if let found = known[closure.site] { return found }
        let body = Body(locals: [], parameters: [], block: closure.closure.block, registerCount: 0, statementCount: 0, span: closure.site.span)
        let found = body.usedRegisters.sorted { $0.index < $1.index }
        known[closure.site] = found
        return found
    }
}

/// A copy of a world in which only what was reached stands, numbered in the order in which it was.
struct StoreCopy {
    /// The largest number that is counted.
    private static let largest: UInt = 16

    let old: World
    var world: World
    /// Tokens of registrations that are more of the same.
    var dropped: Set<ObjectID> = []
    private var objects: [Int: Int] = [:]
    private var closures: [Int: Int] = [:]
    private var frames: [Int: Int] = [:]
    private var unknowns: [Int: Int] = [:]
    /// The properties of unknown values that are set, in order.
    private let ofUnknowns: [OfUnknown]
    /// What unknown values that nobody has hold beside others that hold the same.
    private var moreOfTheSame: [Value] = []
    /// The unknown values that hold something that can matter: another one in their place does not.
    private var holders: Set<Int> = []
    /// The unknown values of which one shared value is all that anybody knows, unless something else leads to them.
    private let mere: Set<Int>
    /// The shared values that are such a value, in the order in which they were come by.
    private var ofMere: [(key: String, number: Int)] = []
    private var pendingObjects: [Int] = []
    private var pendingClosures: [Int] = []
    private let registers: RegistersOfClosures
    private let vital: Vital
    private let relevance: Relevance
    private let lookups: Lookups

    /// Makes the copy; of what was answered, only that of unknown values in `answered` is kept.
    init(_ machine: Machine, _ registers: RegistersOfClosures, ofUnknowns: [OfUnknown], answered: Set<Int>) {
        old = machine.world
        relevance = machine.relevance
        lookups = machine.lookups
        vital = Vital(machine.world) { [lookups, relevance] in lookups.isHot($0, relevance) }
        self.ofUnknowns = ofUnknowns.filter { [vital, relevance] one in
            switch machine.world.shared[one.key] {
            case nil: false
            case .unknown?: true
            // What decides nothing and keeps nothing alive is read as an unknown value as well.
            case let value?: relevance.mayDecide(String(one.rest.dropFirst())) || vital.isVital(value) && !Machine.isWeakOfUnknown(one.key)
            }
        }
        mere = Self.mere(machine.world.shared, self.ofUnknowns, answered)
        self.registers = registers
        world = World()
        for one in self.ofUnknowns where isHeldStrongly(one.key) { holders.insert(one.number) }
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

    /// A long collection is its first element, its last ones, and of its closures one of each place that makes them; of plain values it is
    /// each one, those that are there several times twice.
    private mutating func map(collection parts: [Value]) -> Value {
        var kept = parts.filter { part in if case .object(let id) = part { !dropped.contains(id) } else { true } }
        let isPlain = kept.allSatisfy(\.isPlain)
        if isPlain {
            var counts: [Value: Int] = [:]
            kept = kept.filter { part in
                counts[part, default: 0] += 1
                return counts[part, default: 0] <= 2
            }
        }
        let most = isPlain ? Machine.mostPlainElements : Machine.mostElements
        if kept.count > most {
            let last = kept.count - (most - 1)
            var makers: Set<Site> = []
            kept = kept.enumerated().filter { position, part in
                let isNew = maker(of: part).map { makers.insert($0).inserted } ?? false
                return position == 0 || position >= last || isNew
            }.map(\.element)
        }
        return .collection(map(kept))
    }

    /// Where the closure was made that an element of a collection, or of a dictionary, is.
    private func maker(of part: Value) -> Site? {
        switch part {
        case .closure(let index): old.closures[index].site
        case .tuple(let parts): parts.last.flatMap { if case .closure(let index) = $0 { old.closures[index].site } else { nil } }
        default: nil
        }
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
        frame.locals = NumberedValues()
        frame.registers = NumberedValues()
        frame.caller = nil
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
        guard key.utf8.first == UInt8(ascii: "?"), let dot = key.utf8.firstIndex(of: UInt8(ascii: ".")),
              let number = Int(key[key.utf8.index(after: key.startIndex)..<dot]) else { return nil }
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
        case .equals(let number, let value): if let number = new(number), let value = mapped(value) { .equals(number, value) } else { nil }
        case .isCalled, .other: nil
        }
    }

    /// A value all of which was reached; nil for others.
    private func mapped(_ value: Value) -> Value? {
        func mapped(_ parts: [Value]) -> [Value]? {
            let new = parts.compactMap { self.mapped($0) }
            return new.count == parts.count ? new : nil
        }
        return switch value {
        case .object(let id): reached(id).map(Value.object)
        case .method(let id, let name): reached(id).map { .method($0, name) }
        case .closure(let index): closures[index].map(Value.closure)
        case .unknown(let number): number < 0 ? value : unknowns[number].map(Value.unknown)
        case .tuple(let parts): mapped(parts).map(Value.tuple)
        case .collection(let parts): mapped(parts).map(Value.collection)
        case .named(let name, let parts): mapped(parts).map { .named(name, $0) }
        default: value
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
            if case .integer(let number) = mapped, number.magnitude > Self.largest { mapped = many() }
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
                continue
            }
            switch object.kind {
            // What is not known of an object of the SDK is read as an unknown value, and what it does not hold is nothing to it.
            case .platform:
                if relevance.mayDecideForSDK(name) || vital.isVital(value) && !object.weakFields.contains(name) { plain.append((name, value)) }
            case .project(let type):
                // The value that it began with is read again whenever somebody asks.
                if !object.isShared, let first = lookups.firstConstant(of: name, in: type), first == value { continue }
                if lookups.mayDecide(name, of: type, relevance) || vital.isVital(value) || Machine.joined.contains(name) { plain.append((name, value)) }
                else if case .unknown(let number) = value, holders.contains(number) { plain.append((name, value)) }
                else if case .object = value, lookups.isObserved(name, of: type, relevance) { plain.append((name, value)) }
                // Code outside gave it, and whoever asks is given such a one again.
                else if case .object(let id) = value, old[id].isShared, lookups.isSurelyThere(name, of: type) { continue }
                else if Self.isUnknown(value) || lookups.isWritten(name, by: type) { plain.append((name, .void)) }
                else if relevance.isSet(name) { plain.append((name, value)) }
            }
        }
        adopted.sort { $0.number < $1.number }
        if adopted.count > Machine.mostElements { adopted = [adopted[0]] + adopted.suffix(Machine.mostElements - 1) }
        return plain.sorted { $0.name < $1.name } + adopted.enumerated().map { (Machine.adopted($0), $1.value) }
    }

    private static func isUnknown(_ value: Value) -> Bool { if case .unknown = value { true } else { false } }

    /// A property of an unknown value: `?12.name`.
    typealias OfUnknown = (number: Int, rest: Substring, key: String)

    /// Whether the value of a key can matter and is kept alive by who has it.
    private func isHeldStrongly(_ key: String) -> Bool { old.shared[key].map(vital.isVital) ?? false && !Machine.isWeakOfUnknown(key) }

    /// Copies what properties of unknown values hold, in the order of their keys: first of those values that somebody has.
    mutating func copyOfUnknowns() {
        var left: [OfUnknown] = []
        for one in ofUnknowns {
            if let number = mereNumber(old.shared[one.key]) { ofMere.append((one.key, number)) } else { left.append(one) }
        }
        var count: Int
        repeat {
            count = left.count
            var others: [OfUnknown] = []
            for one in left {
                if one.number < 0 || unknowns[one.number] != nil {
                    keep(one.key)
                    copyReached()
                } else {
                    others.append(one)
                }
            }
            left = others
        } while left.count < count
        var held: Set<HeldByUnknown> = []
        for one in left where isHeldStrongly(one.key) {
            guard let value = old.shared[one.key] else { continue }
            if held.insert(HeldByUnknown(property: String(one.rest), value: sketch(value))).inserted {
                keep(one.key)
                copyReached()
            } else {
                moreOfTheSame.append(value)
            }
        }
    }

    /// The unknown values that are one shared value each and of which nothing is known: without it, whoever reads gets another
    /// such value.
    private static func mere(_ shared: [String: Value], _ ofUnknowns: [OfUnknown], _ answered: Set<Int>) -> Set<Int> {
        var found: Set<Int> = []
        var several: Set<Int> = answered
        for value in shared.values {
            guard case .unknown(let number) = value, number > 0, !found.insert(number).inserted else { continue }
            several.insert(number)
        }
        found.subtract(several)
        // What has a property that tells something tells something itself.
        var isSettled = false
        while !isSettled {
            isSettled = true
            for one in ofUnknowns where found.contains(one.number) {
                if case .unknown(let number)? = shared[one.key], found.contains(number) { continue }
                found.remove(one.number)
                isSettled = false
            }
        }
        return found
    }

    private func mereNumber(_ value: Value?) -> Int? {
        guard case .unknown(let number)? = value, mere.contains(number) else { return nil }
        return number
    }

    /// Copies the static property or global of a name, unless it says nothing or may say nothing.
    mutating func keep(named key: String) {
        guard let value = old.shared[key], !isIdle(key, value) else { return }
        let name = Self.lastName(of: key)
        if let number = mereNumber(value), !relevance.isSet(name), !relevance.isHot(anyNamed: name) { ofMere.append((key, number)) } else { keep(key) }
    }

    /// Copies those of the unknown values of which nothing is known that something else leads to as well.
    mutating func copyOfMere() {
        for (key, number) in ofMere where unknowns[number] != nil {
            guard Self.unknown(in: key).map({ $0.number < 0 || unknowns[$0.number] != nil }) ?? true else { continue }
            keep(key)
        }
    }

    /// Copies one of the shared values.
    private mutating func keep(_ key: String) {
        guard let value = old.shared[key] else { return }
        world.shared[map(key: key)] = map(value)
    }

    /// What unknown values that nobody has hold by a property of some name.
    private struct HeldByUnknown: Hashable {
        let property: String
        let value: Sketch
    }

    /// What two values have in common that do and keep the same.
    private indirect enum Sketch: Hashable {
        case value(Value)
        case closure(Site, of: Sketch)
        case object(ObjectKind)
        case parts([Sketch])
    }

    private func sketch(_ value: Value) -> Sketch {
        switch value {
        case .object(let id): isReached(id.index) ? .value(value) : .object(old.objects[id.index].kind)
        case .closure(let index): .closure(old.closures[index].site, of: sketch(old.frames[old.closures[index].frame].selfValue))
        case .tuple(let parts), .collection(let parts), .named(_, let parts): .parts(parts.map(sketch))
        default: .value(value)
        }
    }

    /// The objects that nothing else leads to than values which are more of the same.
    func leftOut() -> Set<Int> { unreached(from: moreOfTheSame) }

    /// Whether code outside has an object that holds nothing which can matter: it is given such a one again.
    func isOfOthersAlone(_ index: Int) -> Bool {
        old.objects[index].isShared && !old.objects[index].fields.values.contains(where: vital.isVital)
    }

    /// The objects to which values lead and nothing that was reached.
    func unreached(from values: [Value]) -> Set<Int> {
        var found: Set<Int> = []
        var closures: Set<Int> = []
        var pending = values
        while let value = pending.popLast() {
            switch value {
            case .object(let id), .method(let id, _):
                if !isReached(id.index), found.insert(id.index).inserted { pending += old.objects[id.index].fields.values }
            case .closure(let index):
                guard closures.insert(index).inserted else { continue }
                let closure = old.closures[index]
                pending += closure.captured.all.map(\.value)
                pending.append(old.frames[closure.frame].selfValue)
                for local in closure.locals { if let (_, value) = nearest(from: closure.frame, { $0.locals[local] }) { pending.append(value) } }
            case .tuple(let parts), .collection(let parts), .named(_, let parts): pending += parts
            default: continue
            }
        }
        return found
    }

    /// Whether a shared value of a name says nothing: it is made again when it is read, unless somebody sets it.
    private func isIdle(_ key: String, _ value: Value) -> Bool {
        let name = Self.lastName(of: key)
        guard !relevance.mayDecide(name), !relevance.isSet(name) else { return false }
        return switch value {
        // What is not known of one would be known as another.
        case .object: !vital.isVital(value)
        case .null, .boolean, .integer, .number, .string: true
        default: false
        }
    }

    private static func lastName(of key: String) -> String { String(key[(key.lastIndex(of: ".").map(key.index(after:)) ?? key.startIndex)...]) }

    private mutating func copy(closure index: Int) {
        guard let new = closures[index] else { return }
        let closure = old.closures[index]
        world.closures[new].frame = map(frame: closure.frame)
        world.closures[new].madeIn = 0
        for (local, value) in closure.captured.all { world.closures[new].captured[local] = map(value) }
        for local in closure.locals { keep(local, from: closure.frame) }
        for register in registers.registers(of: closure) { keep(register, from: closure.frame) }
        keepSelf(from: closure.frame)
    }

    /// Keeps what a running body knows; of the one whose ways meet, what cannot be taken for unknown.
    mutating func keep(_ one: Confluence.StackFrame) {
        let home = map(frame: one.index)
        for (local, value) in old.frames[one.index].locals.all where one.tells(local, value) {
            world.frames[home].locals[local] = map(value)
        }
        for (register, value) in old.frames[one.index].registers.all where one.tells(register, value) {
            world.frames[home].registers[register] = map(value)
        }
    }

    /// A local named self, which `guard let self` makes, is what self means in the closures inside.
    private mutating func keepSelf(from frame: Int) {
        var current: Int? = frame
        while let index = current {
            for (local, _) in old.frames[index].locals.all where old.frames[index].context.body[local].name == "self" { keep(local, from: index) }
            current = old.frames[index].parent
        }
    }

    /// Keeps the local of a frame, or of the nearest around it that has it.
    private mutating func keep(_ local: LocalID, from frame: Int) {
        guard let (owner, value) = nearest(from: frame, { $0.locals[local] }) else { return }
        let home = map(frame: owner)
        if world.frames[home].locals[local] == nil { world.frames[home].locals[local] = map(value) }
    }

    /// Keeps the register of a frame, or of the nearest around it that has it.
    private mutating func keep(_ register: Register, from frame: Int) {
        guard let (owner, value) = nearest(from: frame, { $0.registers[register] }) else { return }
        let home = map(frame: owner)
        if world.frames[home].registers[register] == nil { world.frames[home].registers[register] = map(value) }
    }

    private func nearest(from frame: Int, _ read: (Frame) -> Value?) -> (frame: Int, value: Value)? {
        var current: Int? = frame
        while let index = current {
            if let value = read(old.frames[index]) { return (index, value) }
            current = old.frames[index].parent
        }
        return nil
    }
}
