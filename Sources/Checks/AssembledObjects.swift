import ProgramModel
import SourceText

/// The objects that one body makes or is given and puts into each other's properties, as the code that assembles a module does.
struct AssembledObjects {
    /// An object of the body.
    private enum Node: Hashable {
        case selfObject
        case local(LocalID)
    }

    /// One object that a property of another keeps.
    private struct Edge {
        let holder: Node
        let property: String
        let held: Node
        let span: SourceSpan
    }

    /// A property that is given an object which keeps, by way of others, the property's own.
    struct Circle {
        let receiver: TypeID
        let property: String
        let giver: TypeID
        /// The property of the giver by which it keeps the receiver.
        let keeper: String
        let span: SourceSpan
    }

    let program: Program
    let inference: TypeInference
    let context: BodyContext
    let owner: TypeID

    /// Every gift that closes a circle by the property by which a part knows the view or controller that it works for, which is not its
    /// to keep; but for those of self to what self keeps itself.
    func circles() -> [Circle] {
        let edges = edges()
        guard edges.count > 1 else { return [] }
        return edges.flatMap { gift -> [Circle] in
            guard let path = path(from: gift.held, to: gift.holder, edges), gift.held != .selfObject || path.length > 1 else { return [] }
            guard let giver = type(of: gift.held), let receiver = type(of: gift.holder),
                  program.isInterfaceObject(giver) && !program.isInterfaceObject(receiver) || DelegateGifts.isDelegateName(gift.property) else { return [] }
            return [Circle(receiver: receiver, property: gift.property, giver: giver, keeper: path.first.property, span: gift.span)]
        }
    }

    // MARK: The graph

    private func edges() -> [Edge] {
        var found: [Edge] = []
        context.body.block.forEachStatement(enteringClosures: false) { statement in
            guard case .write(.member(let base, let property), let value) = statement.kind,
                  let holder = node(of: base), let held = node(of: value), holder != held, keeps(property, holder) else { return }
            found.append(Edge(holder: holder, property: property, held: held, span: statement.span))
        }
        return found
    }

    private func path(from start: Node, to end: Node, _ edges: [Edge]) -> (first: Edge, length: Int)? {
        var seen: Set<Node> = [start]
        var level = edges.filter { $0.holder == start }.map { (first: $0, last: $0.held) }
        var length = 1
        while !level.isEmpty {
            if let found = level.first(where: { $0.last == end }) { return (found.first, length) }
            level = level.filter { seen.insert($0.last).inserted }.flatMap { step in edges.filter { $0.holder == step.last }.map { (step.first, $0.held) } }
            length += 1
        }
        return nil
    }

    // MARK: What an operand is

    private func node(of operand: Operand, depth: Int = 0) -> Node? {
        if context.isSelf(operand) { return context.isStatic || program[owner].kind != .class ? nil : .selfObject }
        guard depth < 4, case .register(let register) = context.uncast(operand), case .read(_, .local(let local))? = context.definition(of: register)?.kind else { return nil }
        // Another name of the same object.
        return context.value(of: local).flatMap { node(of: $0, depth: depth + 1) } ?? .local(local)
    }

    /// The class of the object, which a local of a protocol's type does not say but the value that it is made of does.
    private func type(of node: Node) -> TypeID? {
        switch node {
        case .selfObject: return owner
        case .local(let local):
            let made = context.value(of: local).flatMap { inference.type(of: $0, in: context) }.map(inference.resolve)
            let declared = context.body[local].type.map { program.resolve($0.unwrapped, in: context.scope) }
            return [made, declared].lazy.compactMap { resolution -> TypeID? in
                guard case .project(let types)? = resolution, types.count == 1, program[types[0]].kind == .class else { return nil }
                return types[0]
            }.first
        }
    }

    private func keeps(_ property: String, _ node: Node) -> Bool { type(of: node).map { program.keeps(property, of: $0) } ?? false }
}
