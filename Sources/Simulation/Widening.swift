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

    init(keepsAnswers: Bool, tellingBodies: Set<BodyPlace>, fault: Fault? = nil) {
        self.fault = fault
        self.keepsAnswers = keepsAnswers
        self.tellingBodies = tellingBodies
        registersOfClosures = RegistersOfClosures()
    }

    /// The life with its store made so, and what tells the store from others.
    func widened(_ life: Life) -> (life: Life, fingerprint: Fingerprint) {
        let first = life.appearances.first
        let copy = copied(life.machine, stack: []) { event in event == 0 ? 0 : first.map { event <= $0 } ?? true ? 1 : 2 }

        var widened = life
        widened.machine.world = copy.world
        widened.machine.choices.beginAnew()
        widened.machine.partFromConfluence()
        widened.machine.choices.answers = [:]
        if keepsAnswers {
            for (question, outcome) in life.machine.choices.answers { copy.map(question).map { widened.machine.choices.answers[$0] = outcome } }
        }
        widened.done = 2
        widened.appearances = first == nil ? [] : [1]
        if let fault { make(fault, &widened) }
        return (widened, fault == .takesAllStoresForOne ? Fingerprint() : Fingerprint(of: widened))
    }

    /// What tells the store in the middle of a run from others: with what the running bodies know, and how one of them goes on.
    func tell(_ machine: Machine, _ flow: Flow, _ stack: [Confluence.StackFrame]) -> Fingerprint {
        var copy = copied(machine, stack: stack) { $0 }
        var fingerprint = Fingerprint()
        switch flow {
        case .normal: fingerprint.mix(1)
        case .returned(let value):
            fingerprint.mix(2)
            guard !Machine.isJoinable(value) else { break }
            fingerprint.mix(copy.map(value))
            copy.copyReached()
        case .threw(let value):
            fingerprint.mix(3)
            guard !Machine.isJoinable(value) else { break }
            fingerprint.mix(copy.map(value))
            copy.copyReached()
        case .broke(let label):
            fingerprint.mix(4)
            fingerprint.mix(label ?? "")
        case .continued(let label):
            fingerprint.mix(5)
            fingerprint.mix(label ?? "")
        case .fellThrough: fingerprint.mix(6)
        case .trapped: fingerprint.mix(7)
        case .stopped: fingerprint.mix(8)
        }
        for (closure, arguments) in copy.world.queue {
            fingerprint.mix(closure)
            fingerprint.mix(arguments)
        }
        for violation in machine.world.violations {
            fingerprint.mix(violation.rule)
            fingerprint.mix(violation.site)
        }
        fingerprint.mix(copy.world, answers: [:])
        return fingerprint
    }

    /// What of a store can matter; `phase` says what matters of the number of an event.
    private func copied(_ machine: Machine, stack: [Confluence.StackFrame], _ phase: (Int) -> Int) -> StoreCopy {
        let world = machine.world
        let keys = Self.ordered(world.shared.keys)
        // In the middle of a run, what ways know otherwise is forgotten where they meet.
        let answered = keepsAnswers && stack.isEmpty ? Set(machine.choices.answers.keys.map(\.number)) : []
        var copy = StoreCopy(machine, registersOfClosures, ofUnknowns: keys.ofUnknowns, answered: answered)
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
        for key in keys.named { copy.keep(named: key) }
        copy.world.queue = world.queue.map { (copy.map($0.closure), $0.arguments.map { copy.map($0) }) }
        for frame in stack { copy.keep(frame) }
        copy.copyReached()
        copy.copyOfUnknowns()
        var leftOut = copy.leftOut()
        // What keeps itself alive and nothing else: seen when the life ends.  Several of a class tell as much as many.
        var ofClass: [TypeID: Int] = [:]
        for index in world.objects.indices where !world.objects[index].isFreed && !copy.isReached(index) && !leftOut.contains(index) {
            guard case .project(let type) = world.objects[index].kind else { continue }
            let isMore = copy.isOfOthersAlone(index) || ofClass[type, default: 0] == Self.many
            guard !isMore else {
                leftOut.formUnion(copy.unreached(from: [.object(ObjectID(index: index))]))
                continue
            }
            ofClass[type, default: 0] += 1
            _ = copy.map(.object(ObjectID(index: index)))
            copy.copyReached()
        }
        copy.copyOfMere()
        for one in world.emptied { if let id = copy.reached(one.object) { copy.world.emptied.insert(Emptied(id, one.field, by: one.member)) } }
        // What others released says nothing of what callers of this object may release.
        copy.world.ranReleases = world.ranReleases.filter { site in site.type.map { machine.isOwnCode(of: $0) } ?? true }
        copy.world.entered = world.entered.intersection(tellingBodies)
        copy.world.nextUnknown = copy.unknownCount

        return copy
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

    /// Shared values by name, and properties of unknown values by the order of those.
    private static func ordered(_ keys: some Sequence<String>) -> (named: [String], ofUnknowns: [StoreCopy.OfUnknown]) {
        var names: [String] = []
        // Read once: a run can write hundreds of them, and they are sorted at every state.
        var ofUnknowns: [StoreCopy.OfUnknown] = []
        for key in keys {
            if let (number, rest) = StoreCopy.unknown(in: key) { ofUnknowns.append((number, rest, key)) } else { names.append(key) }
        }
        ofUnknowns.sort { $0.number == $1.number ? $0.rest < $1.rest : $0.number < $1.number }
        names.sort()
        return (names, ofUnknowns)
    }

    /// The registrations that still matter, in order of their places; and the tokens of those that are more of the same.
    private func kept(_ registrations: [Registration], _ world: World, _ phase: (Int) -> Int) -> (kept: [Registration], dropped: Set<ObjectID>) {
        struct Group: Hashable {
            let family: String
            let site: Site
            /// For those that ended: whether they began and ended before the object was first in use.
            var began = 0
            var ended = 0
            var isEndedFromOutside = false

            init(_ one: Registration, _ phase: (Int) -> Int) {
                family = one.family
                site = one.site
                guard let end = one.ended else { return }
                began = phase(one.event)
                ended = phase(end.event)
                isEndedFromOutside = end.isFromOutside
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
}
