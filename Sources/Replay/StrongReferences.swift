/// Who holds whom at one moment, and which things hold each other: circles are looked for among those alone.
struct StrongReferences {
    private let objects: Int
    /// The things that each holds: first the objects, by index, then the closures.
    private let held: [[Int]]
    /// The number of the circle that a thing is part of; nil for what no way leads back to.
    private let circles: [Int?]

    /// Reads the references of everything that the machine's heap holds.
    init(of machine: Machine) {
        let objects = machine.world.objects.count
        func number(_ node: Machine.Node) -> Int { Self.number(node, objects) }
        self.objects = objects
        held = (0..<objects).map { index in
            machine.world.objects[index].isFreed ? [] : machine.held(by: .object(ObjectID(index: index))).map(number)
        } + machine.world.closures.indices.map { machine.held(by: .closure($0)).map(number) }
        circles = Self.circles(held)
    }

    /// Whether some way leads from a thing back to it.
    func isInCircle(_ node: Machine.Node) -> Bool { circles[number(node)] != nil }

    /// What is reached from some things, with themselves.
    func reached(from starts: [Machine.Node]) -> Set<Machine.Node> {
        var seen = [Bool](repeating: false, count: held.count)
        var pending = starts.map(number)
        while let next = pending.popLast() {
            if seen[next] { continue }
            seen[next] = true
            pending += held[next]
        }
        return Set(seen.indices.filter { seen[$0] }.map(node))
    }

    /// For everything that lies on a circle with a thing, what leads to it on a shortest way from what the thing holds.
    func ways(around start: Machine.Node, until goal: Machine.Node? = nil) -> [Machine.Node: Machine.Node?] {
        let circle = circles[number(start)]
        let goal = goal.map(number)
        var previous: [Int: Int?] = [:]
        func isNew(_ number: Int) -> Bool { circles[number] == circle && circle != nil && previous[number] == nil }
        var level: [Int] = []
        for first in held[number(start)] where isNew(first) {
            previous[first] = .some(nil)
            level.append(first)
        }
        while !level.isEmpty, goal.map({ previous[$0] == nil }) ?? true {
            var next: [Int] = []
            for node in level {
                for target in held[node] where isNew(target) {
                    previous[target] = .some(node)
                    next.append(target)
                }
            }
            level = next
        }
        return Dictionary(uniqueKeysWithValues: previous.map { (node($0.key), $0.value.map(node)) })
    }

    private func number(_ node: Machine.Node) -> Int { Self.number(node, objects) }

    private static func number(_ node: Machine.Node, _ objects: Int) -> Int {
        switch node {
        case .object(let id): id.index
        case .closure(let index): objects + index
        }
    }

    private func node(_ number: Int) -> Machine.Node { number < objects ? .object(ObjectID(index: number)) : .closure(number - objects) }

    /// The strongly connected components that hold a way back, by Tarjan's algorithm, without recursion: chains can be long.
    private static func circles(_ held: [[Int]]) -> [Int?] {
        var circles = [Int?](repeating: nil, count: held.count)
        var order = [Int?](repeating: nil, count: held.count)
        var lowest = [Int](repeating: 0, count: held.count)
        var isOpen = [Bool](repeating: false, count: held.count)
        var open: [Int] = []
        var found = 0
        for root in held.indices where order[root] == nil {
            var path: [(node: Int, next: Int)] = [(root, 0)]
            while let (node, next) = path.last {
                if next == 0 {
                    order[node] = found
                    lowest[node] = found
                    found += 1
                    open.append(node)
                    isOpen[node] = true
                }
                if next < held[node].count {
                    path[path.count - 1].next += 1
                    let target = held[node][next]
                    if order[target] == nil { path.append((target, 0)) } else if isOpen[target] { lowest[node] = min(lowest[node], order[target] ?? 0) }
                    continue
                }
                path.removeLast()
                if let above = path.last { lowest[above.node] = min(lowest[above.node], lowest[node]) }
                guard lowest[node] == order[node] else { continue }
                let members = open[(open.lastIndex(of: node) ?? 0)...]
                let isCircle = members.count > 1 || held[node].contains(node)
                for member in members {
                    isOpen[member] = false
                    if isCircle { circles[member] = node }
                }
                open.removeLast(members.count)
            }
        }
        return circles
    }
}
