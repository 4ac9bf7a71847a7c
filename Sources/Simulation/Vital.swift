import ProgramModel
import Replay

/// Which objects can matter to a monitor: those of the project whose code matters, those that registrations name, those that lead to
/// such or to closures, and those of the project that lead to themselves.
struct Vital {
    private var objects: Set<Int> = []
    /// The unknown values that registrations name: another one in their place is another key.
    private var unknowns: Set<Int> = []

    /// Finds them; `isHot` says of a class of the project whether any of its code matters.
    init(_ world: World, isHot: (TypeID) -> Bool) {
        var users: [Int: [Int]] = [:]
        var pending: [Int] = []
        func add(_ index: Int) { if objects.insert(index).inserted { pending.append(index) } }
        var unknowns: Set<Int> = []
        func addAll(in value: Value) {
            Self.forEachPart(of: value) { part in
                switch part {
                case .object(let id): add(id.index)
                case .unknown(let number): unknowns.insert(number)
                default: break
                }
            }
        }
        for (index, object) in world.objects.enumerated() {
            // What is gone is known as that.
            if case .project(let type) = object.kind, index == 0 || object.isFreed || isHot(type) { add(index) }
            for (name, value) in object.fields {
                let isWeak = object.weakFields.contains(name)
                Self.forEachPart(of: value) { part in
                    switch part {
                    // Who only knows it keeps nothing alive.
                    case .object(let id): if !isWeak { users[id.index, default: []].append(index) }
                    case .closure, .method: add(index)
                    default: break
                    }
                }
            }
        }
        for one in world.registrations {
            one.key.forEach(addAll)
            one.held.forEach(addAll)
            for value in [one.observer, one.observed, one.maker] { addAll(in: value) }
            if let token = one.token { add(token.index) }
        }
        self.unknowns = unknowns
        func addUsers() { while let index = pending.popLast() { users[index]?.forEach(add) } }
        addUsers()
        for index in world.objects.indices where !objects.contains(index) && users[index] != nil {
            guard case .project = world.objects[index].kind, Self.leads(index, toItselfBy: users) else { continue }
            add(index)
            addUsers()
        }
    }

    /// Whether an object is among those that lead to it.
    private static func leads(_ index: Int, toItselfBy users: [Int: [Int]]) -> Bool {
        var seen: Set<Int> = []
        var pending = users[index] ?? []
        while let one = pending.popLast() {
            if one == index { return true }
            if seen.insert(one).inserted { pending += users[one] ?? [] }
        }
        return false
    }

    /// Whether a value is, or holds, something that can matter.
    func isVital(_ value: Value) -> Bool {
        var found = false
        Self.forEachPart(of: value) { part in
            switch part {
            case .object(let id): if objects.contains(id.index) { found = true }
            case .closure, .method: found = true
            case .unknown(let number): if unknowns.contains(number) { found = true }
            default: break
            }
        }
        return found
    }

    private static func forEachPart(of value: Value, _ visit: (Value) -> Void) {
        switch value {
        case .tuple(let parts), .collection(let parts), .named(_, let parts): for part in parts { forEachPart(of: part, visit) }
        default: visit(value)
        }
    }
}
