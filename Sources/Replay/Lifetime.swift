import ProgramModel
import RuleLibrary

/// Who keeps whom alive: objects die when nothing holds them any more, as under reference counting, so circles stay.
extension Machine {
    /// A thing that can be held.
    enum Node: Hashable {
        case object(ObjectID)
        case closure(Int)
    }

    /// What holds a value that is held from outside the heap.
    enum Root: Hashable {
        /// `shared` is what has a name in the whole app; `stranger` an object that nobody knows, in a property that the code wrote.
        case owner, registration(Int), shared, stranger, queue, running
    }

    /// The things that a value refers to directly.
    func held(in value: Value) -> [Node] {
        var nodes: [Node] = []
        forEachNode(in: value) { nodes.append($0) }
        return nodes
    }

    private func forEachNode(in value: Value, _ visit: (Node) -> Void) {
        switch value {
        case .object(let id), .method(let id, _): if !world.objects[id.index].isFreed { visit(.object(id)) }
        case .closure(let index): visit(.closure(index))
        case .tuple(let parts), .collection(let parts), .named(_, let parts): for part in parts { forEachNode(in: part, visit) }
        default: break
        }
    }

    /// The things that a thing keeps alive, in order of names, so that ways along them are the same each time.
    func held(by node: Node) -> [Node] {
        var nodes: [Node] = []
        switch node {
        case .object(let id):
            let object = world.objects[id.index]
            for (name, value) in object.fields.sorted(by: { $0.key < $1.key }) where !object.weakFields.contains(name) { forEachNode(in: value) { nodes.append($0) } }
        case .closure: forEachHeld(by: node) { nodes.append($0) }
        }
        return nodes
    }

    /// The things that a thing keeps alive, those of an object in any order.
    /// `atTheEnd` leaves out what an object of others keeps only until it is done with it.
    private func forEachHeld(by node: Node, atTheEnd: Bool = false, _ visit: (Node) -> Void) {
        switch node {
        case .object(let id):
            let fields = world.objects[id.index].fields
            for (name, value) in fields where !world.objects[id.index].weakFields.contains(name) {
                if atTheEnd, value.mayHold, isKeptForAWhile(name, by: id) { continue }
                forEachNode(in: value, visit)
            }
        case .closure(let index):
            let closure = world.closures[index]
            for (local, value) in closure.captured.all where !closure.weakCaptures.contains(local) { forEachNode(in: value, visit) }
            if closure.holdsSelf { forEachNode(in: selfValue(of: closure), visit) }
            for local in closure.locals {
                if let home = frameOf(local, from: closure.frame), !holdsNothing(world.frames[home].context.body[local]), let value = world.frames[home].locals[local] {
                    forEachNode(in: value, visit)
                }
            }
        }
    }

    /// Whether an object that other code uses as well keeps closures in a property that its class empties: requests that will be answered.
    private func isKeptForAWhile(_ name: String, by id: ObjectID) -> Bool {
        guard world.objects[id.index].isShared, case .project(let type) = world.objects[id.index].kind, let value = world.objects[id.index].fields[name] else { return false }
        return holdsClosures(value) && isEmptiedInTime(name, of: type)
    }

    /// Whether a local keeps nothing alive, and so nothing that mentions it does.
    private func holdsNothing(_ local: Local) -> Bool { local.isWeak || local.isUnowned }

    /// What `self` is in a closure: the capture of that name in the closures around it, else the self of the member.
    private func selfValue(of closure: ClosureValue) -> Value {
        var frame: Int? = closure.frame
        while let index = frame {
            if let local = world.frames[index].locals.all.first(where: { world.frames[index].context.body[$0.name].name == "self" }) {
                return holdsNothing(world.frames[index].context.body[local.name]) ? .null : local.value
            }
            frame = world.frames[index].parent
        }
        return world.frames[closure.frame].selfValue
    }

    /// Whether a key stands for a property of an unknown object.
    static func isOfUnknown(_ key: String) -> Bool { key.utf8.first == UInt8(ascii: "?") }

    /// The number of the unknown value of which a key names a property; nil for other keys.
    static func unknown(behind key: String) -> Int? { isOfUnknown(key) ? Int(key.dropFirst().prefix { $0 != "." }) : nil }

    /// Whether a key stands for a property of an unknown object that by its name holds nothing alive.
    package static func isWeakOfUnknown(_ key: String) -> Bool { isOfUnknown(key) && isWeakByName(String(key[(key.lastIndex(of: ".") ?? key.startIndex)...].dropFirst())) }

    /// The SDK's references to who shows, contains or is called, which keep nobody alive.
    private static let backReferences: Set<String> = ["target", "presentingViewController", "parent", "parentViewController", "superview", "presentingView"]

    /// Delegates and data sources of the SDK and of most libraries are weak; `target` too.
    static func isWeakByName(_ name: String) -> Bool {
        let lower = name.lowercased()
        return lower.hasSuffix("delegate") || lower.hasSuffix("datasource") || backReferences.contains(name)
    }

    /// Everything that is held from outside the heap, with what holds it.
    func roots(owner: Value) -> [(root: Root, node: Node)] {
        var roots: [(root: Root, node: Node)] = []
        var shared: [(root: Root, node: Node)] = []
        forEachRoot(owner: owner) { root, node in
            if root == .shared || root == .stranger { shared.append((root, node)) } else { roots.append((root, node)) }
        }
        // Ways that start at them are the same each time.
        return roots + shared.sorted { order($0.node) < order($1.node) }
    }

    private func order(_ node: Node) -> (Int, Int) {
        switch node {
        case .object(let id): (0, id.index)
        case .closure(let index): (1, index)
        }
    }

    private func forEachRoot(owner: Value, _ visit: (Root, Node) -> Void) {
        forEachNode(in: owner) { visit(.owner, $0) }
        for index in world.registrations.indices where world.registrations[index].isLive {
            for value in world.registrations[index].held { forEachNode(in: value) { visit(.registration(index), $0) } }
            if let token = world.registrations[index].token, world.registrations[index].isKeptByRoot { visit(.registration(index), .object(token)) }
        }
        // Most hold nothing alive, and what they hold is known sooner than what they are called.
        for (key, value) in world.shared where value.mayHold && !Self.isWeakOfUnknown(key) {
            forEachNode(in: value) { visit(Self.isOfUnknown(key) ? .stranger : .shared, $0) }
        }
        for waiting in world.queue { forEachNode(in: waiting.closure) { visit(.queue, $0) } }
    }

    /// Frees what nothing holds, running `deinit`s, until nothing more dies.
    mutating func collect(owner: Value) -> Flow {
        let state = Collected(steps: world.steps, objects: world.objects.count, owner: owner)
        // Nothing dies of nothing.
        guard world.collected != state else { return .normal }
        for _ in 0..<8 {
            let dead = unheld(owner: owner)
            // What code outside gave lives there, whoever here only knows it, with what it keeps.
            let ofStrangers = kept(byStrangersAmong: dead.objects)
            let objects = world.objects.indices.filter { dead.objects[$0] && !world.objects[$0].isOfOthers }.map(ObjectID.init(index:)).filter { !ofStrangers.contains($0) }
            // A token that goes with the object that kept it was not dropped.
            var tokensOfDead: Set<Node> = []
            if objects.contains(where: { id in world.registrations.contains { $0.token == id } }) {
                for id in objects { forEachHeld(by: .object(id)) { tokensOfDead.insert($0) } }
            }
            var ranDeinit = false
            for id in objects {
                if case .project(let type) = world[id].kind, !world[id].isFreed {
                    ranDeinit = true
                    let flow = runDeinit(of: id, type)
                    if flow == .stopped { return flow }
                }
                endToken(id, wasKept: tokensOfDead.contains(.object(id)))
                world[id].isFreed = true
            }
            if !ranDeinit { break }
        }
        world.collected = Collected(steps: world.steps, objects: world.objects.count, owner: owner)
        return .normal
    }

    /// What objects of code outside keep; the object of the run itself has an owner of its own.
    private func kept(byStrangersAmong dead: [Bool]) -> Set<ObjectID> {
        var found: Set<ObjectID> = []
        var seen: Set<Node> = []
        var pending = dead.indices.filter { dead[$0] && world.objects[$0].isOfOthers }.map { Node.object(ObjectID(index: $0)) }
        while let node = pending.popLast() {
            forEachHeld(by: node) { held in
                guard held != .object(ClassRuns.object), seen.insert(held).inserted else { return }
                if case .object(let id) = held { found.insert(id) }
                pending.append(held)
            }
        }
        return found
    }

    /// The objects and closures that nothing holds, by reference counting: what they held goes with them.
    private func unheld(owner: Value) -> (objects: [Bool], closures: [Bool]) {
        var objects = [Int](repeating: 0, count: world.objects.count)
        var closures = [Int](repeating: 0, count: world.closures.count)
        func count(_ node: Node) {
            switch node {
            case .object(let id): objects[id.index] += 1
            case .closure(let index): closures[index] += 1
            }
        }
        forEachRoot(owner: owner) { count($1) }
        let isOver = owner == .null
        let alive = world.objects.indices.filter { !world.objects[$0].isFreed }
        for index in alive { forEachHeld(by: .object(ObjectID(index: index)), atTheEnd: isOver, count) }
        for index in closures.indices { forEachHeld(by: .closure(index), count) }
        var dead = (objects: [Bool](repeating: false, count: objects.count), closures: [Bool](repeating: false, count: closures.count))
        var pending = alive.filter { objects[$0] == 0 }.map { Node.object(ObjectID(index: $0)) } + closures.indices.filter { closures[$0] == 0 }.map(Node.closure)
        while let node = pending.popLast() {
            switch node {
            case .object(let id):
                if dead.objects[id.index] { continue }
                dead.objects[id.index] = true
            case .closure(let index):
                if dead.closures[index] { continue }
                dead.closures[index] = true
            }
            forEachHeld(by: node, atTheEnd: isOver) { target in
                switch target {
                case .object(let id):
                    objects[id.index] -= 1
                    if objects[id.index] == 0 { pending.append(target) }
                case .closure(let index):
                    closures[index] -= 1
                    if closures[index] == 0 { pending.append(target) }
                }
            }
        }
        return dead
    }

    private mutating func runDeinit(of id: ObjectID, _ type: TypeID) -> Flow {
        for link in program.chain(of: type) {
            guard let memberID = program[link].membersByName["deinit"]?.first(where: { program[$0].kind == .deinitializer }),
                  let body = program[memberID].body else { continue }
            let flow = run(body, file: memberID.declaration.file, member: "deinit", selfValue: .object(id), declaringType: link, arguments: [])
            if flow == .stopped { return flow }
        }
        return .normal
    }

    /// What ends with its token ends now.
    private mutating func endToken(_ id: ObjectID, wasKept: Bool) {
        for index in world.registrations.indices where world.registrations[index].token == id && world.registrations[index].isLive {
            guard let family = library.family(named: world.registrations[index].family), family.tokenEnd == .ends else { continue }
            if !wasKept { watch(losingTokenOf: world.registrations[index], family) }
            world.registrations[index].isLive = false
        }
    }
}
