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
        case owner, registration(Int), shared, queue, running
    }

    /// The things that a value refers to directly.
    func held(in value: Value) -> [Node] { nodes(in: value) }

    private func nodes(in value: Value) -> [Node] {
        switch value {
        case .object(let id): world[id].isFreed ? [] : [.object(id)]
        case .closure(let index): [.closure(index)]
        case .method(let id, _): world[id].isFreed ? [] : [.object(id)]
        case .tuple(let parts), .collection(let parts), .named(_, let parts): parts.flatMap { nodes(in: $0) }
        default: []
        }
    }

    /// The things that a thing keeps alive.
    func held(by node: Node) -> [Node] {
        switch node {
        case .object(let id):
            let object = world[id]
            return object.fields.sorted { $0.key < $1.key }.filter { !object.weakFields.contains($0.key) }.flatMap { nodes(in: $0.value) }
        case .closure(let index):
            let closure = world.closures[index]
            var values = closure.captured.sorted { $0.key.index < $1.key.index }.filter { !closure.weakCaptures.contains($0.key) }.map(\.value)
            if closure.holdsSelf { values.append(selfValue(of: closure)) }
            for local in closure.locals.sorted(by: { $0.index < $1.index }) {
                if let home = frameOf(local, from: closure.frame), !world.frames[home].context.body[local].isWeak, let value = world.frames[home].locals[local] {
                    values.append(value)
                }
            }
            return values.flatMap { nodes(in: $0) }
        }
    }

    /// What `self` is in a closure: the capture of that name in the closures around it, else the self of the member.
    private func selfValue(of closure: ClosureValue) -> Value {
        var frame: Int? = closure.frame
        while let index = frame {
            let current = world.frames[index]
            if let local = current.locals.first(where: { current.context.body[$0.key].name == "self" }) {
                return current.context.body[local.key].isWeak ? .null : local.value
            }
            frame = current.parent
        }
        return world.frames[closure.frame].selfValue
    }

    /// Whether a key stands for a property of an unknown object that by its name holds nothing alive.
    private func isWeakOfUnknown(_ key: String) -> Bool { key.hasPrefix("?") && Self.isWeakByName(String(key[(key.lastIndex(of: ".") ?? key.startIndex)...].dropFirst())) }

    /// Delegates and data sources of the SDK and of most libraries are weak; `target` too.
    static func isWeakByName(_ name: String) -> Bool {
        let lower = name.lowercased()
        return lower.hasSuffix("delegate") || lower.hasSuffix("datasource") || name == "target"
    }

    /// Everything that is held from outside the heap, with what holds it.
    func roots(owner: Value) -> [(root: Root, node: Node)] {
        var roots = nodes(in: owner).map { (Root.owner, $0) }
        for (index, registration) in world.registrations.enumerated() where registration.isLive {
            roots += registration.held.flatMap { nodes(in: $0) }.map { (.registration(index), $0) }
            if let token = registration.token, registration.isKeptByRoot { roots.append((.registration(index), .object(token))) }
        }
        roots += world.shared.sorted { $0.key < $1.key }.filter { !isWeakOfUnknown($0.key) }.flatMap { nodes(in: $0.value) }.map { (.shared, $0) }
        roots += world.queue.flatMap { nodes(in: $0.closure) }.map { (.queue, $0) }
        return roots
    }

    /// Frees what nothing holds, running `deinit`s, until nothing more dies.
    mutating func collect(owner: Value) -> Flow {
        for _ in 0..<8 {
            var holders: [Node: Int] = [:]
            for (_, node) in roots(owner: owner) { holders[node, default: 0] += 1 }
            let objects = world.objects.indices.map(ObjectID.init(index:)).filter { !world[$0].isFreed }
            let all = objects.map(Node.object) + world.closures.indices.map(Node.closure)
            for node in all { for target in held(by: node) { holders[target, default: 0] += 1 } }
            // Reference counting: take away what nothing holds, and with it what it held.
            var dead: Set<Node> = []
            var pending = all.filter { holders[$0, default: 0] == 0 }
            while let node = pending.popLast() {
                guard dead.insert(node).inserted else { continue }
                for target in held(by: node) {
                    holders[target, default: 0] -= 1
                    if holders[target] == 0 { pending.append(target) }
                }
            }
            // A token that goes with the object that kept it was not dropped.
            let tokensOfDead = Set(dead.flatMap { node -> [Node] in if case .object = node { held(by: node) } else { [] } })
            var ranDeinit = false
            for id in objects where dead.contains(.object(id)) {
                if case .project(let type) = world[id].kind, !world[id].isFreed {
                    ranDeinit = true
                    let flow = runDeinit(of: id, type)
                    if flow == .stopped { return flow }
                }
                world[id].isFreed = true
                endToken(id, wasKept: tokensOfDead.contains(.object(id)))
            }
            if !ranDeinit { return .normal }
        }
        return .normal
    }

    private mutating func runDeinit(of id: ObjectID, _ type: TypeID) -> Flow {
        for link in [type] + program.ancestry(of: type).projectTypes {
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
            guard let family = library.families.first(where: { $0.name == world.registrations[index].family }), family.tokenEnd == .ends else { continue }
            if !wasKept { watch(losingTokenOf: world.registrations[index], family) }
            world.registrations[index].isLive = false
        }
    }
}
