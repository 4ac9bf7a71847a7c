import ProgramModel
import RuleLibrary
import SourceText

/// How often an override calls super on its paths.
enum SuperCallCounts: Equatable {
    case never
    case exactlyOnce
    /// On some path never, on another at least once.
    case sometimes
    /// Twice on one path; the place of a second call.
    case twice(SourceSpan)
    /// The code is not understood well enough.
    case undecided
}

/// Follows the paths of one override and of the helpers and closures that it runs.
struct SuperCallFlow {
    let input: CheckInput
    let method: LifecycleClass.Method
    /// The SDK classes above the type, nearest first.
    let classes: [String]
    /// The type whose objects run the override; helpers are looked up on it.
    let owner: TypeID

    /// The calls of the overridden method on super in a body and its closures, in order of the text.
    func superCalls(in body: Body) -> [SourceSpan] {
        var spans: [SourceSpan] = []
        body.block.forEachStatement { statement in
            if callsSuper(statement) { spans.append(statement.span) }
        }
        return spans
    }

    /// Whether a body gives self a value for one of these properties, itself or in a closure.
    func assigns(_ properties: Set<String>, _ body: Body) -> Bool {
        body.block.containsStatement { statement in
            switch statement.kind {
            case .write(.name(let name), _), .write(.member(.selfObject, let name), _): properties.contains(name)
            default: false
            }
        }
    }

    /// What a controller of a list is given instead of what its super makes.
    static let viewsOfLists: Set<String> = ["view", "collectionView", "tableView"]

    /// The calls on super whose view an assignment on the same path replaces without having looked at it.
    func viewsThrownAway(in body: Body) -> [SourceSpan] {
        var thrown: [SourceSpan] = []
        var pending: SourceSpan?
        for statement in body.block {
            var readsView = false
            [statement].forEachStatement { inner in
                switch inner.kind {
                case .read(_, .name("view")), .read(_, .member(.selfObject, "view")): readsView = true
                default: break
                }
            }
            if readsView { pending = nil }
            if let call = statement.call, isSuperCall(call) { pending = statement.span }
            switch statement.kind {
            case .write(.name("view"), _), .write(.member(.selfObject, "view"), _):
                if let span = pending { thrown.append(span) }
                pending = nil
            default: break
            }
        }
        return thrown
    }

    /// How often the override calls super, over all its paths.
    func counts(of member: MemberFacts, body: Body) -> SuperCallCounts {
        let ends = PathWalker(flow: self, body: body, depth: 0).ends(under: member.condition.and(input.program[owner].condition))
        guard !ends.isEmpty else { return .undecided }  // every path traps or never ends
        if ends.allSatisfy({ $0.calls == 0 }) {
            return ends.contains { $0.metOpaque } ? .undecided : .never
        }
        if let second = ends.lazy.compactMap(\.secondCall).first { return .twice(second) }
        // A path that misses super only because of its configuration is another program, not another path.
        let groups = Dictionary(grouping: ends, by: \.configuration)
        for group in groups.values where group.contains(where: { $0.calls == 0 && !$0.metOpaque && !$0.mayLackMethod }) && group.contains(where: { $0.calls > 0 }) {
            return .sometimes
        }
        return .exactlyOnce
    }

    /// Whether a statement itself calls the overridden method on super.
    func callsSuper(_ statement: Statement) -> Bool {
        switch statement.kind {
        case .write(.superMember(let property), _): isSuperSetter(property)
        default: statement.call.map(isSuperCall) ?? false
        }
    }

    /// Whether writing the property of super is the call: `[super setName:name]` is `super.name = name`.
    func isSuperSetter(_ property: String) -> Bool {
        method.baseName.hasPrefix("set") && method.baseName == "set" + property.prefix(1).uppercased() + property.dropFirst()
    }

    func isSuperCall(_ call: Call) -> Bool {
        guard case .superMember(let name) = call.callee, let full = call.fullName else { return false }
        return method.names.contains(full) || (name == method.baseName && input.library.method(named: full, inAncestry: classes) == nil)
    }

    /// Whether a call runs a closure that a property of self holds, and that calls super.
    func callsClosureOfProperty(_ call: Call) -> Bool {
        let name: String
        switch call.callee {
        case .name(let base), .member(.selfObject, let base): name = base
        default: return false
        }
        return input.program.members(named: name, on: owner).contains { id in
            input.program[id].kind == .property && input.program[id].bodies.contains { !superCalls(in: $0.body).isEmpty }
        }
    }

    /// The project's functions that a call on self may run.  Who calls the override once more gets there without its superclass.
    func helpers(of call: Call) -> [(MemberFacts, Body)] {
        if let full = call.fullName, method.names.contains(full) { return [] }
        let name: String
        switch call.callee {
        case .name(let base), .member(.selfObject, let base): name = base
        default: return []
        }
        let members = input.program.members(named: name, on: owner).map { input.program[$0] }.filter { $0.kind == .function && $0.body != nil }
        let exact = members.filter { $0.fullName == call.fullName }
        return (exact.isEmpty ? members : exact).compactMap { member in member.body.map { (member, $0) } }
    }
}
