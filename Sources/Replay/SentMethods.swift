import ProgramModel
import RuleLibrary

/// The methods of a class that Cocoa calls while its objects are in use, as the code or an interface file asks for it: what controls send, and
/// what a view of the SDK tells its delegate and asks its data source.
///
/// A call of one is an event as those of the automaton are.  That code outside calls any other method is an assumption.
struct SentMethods: Sendable {
    /// The base names of the methods that the user calls, by a control or a gesture.
    private(set) var byUser: Set<String> = []
    /// The full names of the methods that a view calls as often as it likes.
    private(set) var byViews: Set<String> = []

    /// None.
    init() {}

    /// `events` are the full names of the methods that the automaton calls, `callers` the base names of the members that call each.
    init(of type: TypeID, in program: Program, library: RuleLibrary, events: Set<String>, callers: [String: Set<String>]) {
        let members = program.chain(of: type).flatMap(program.members)
        let begun = Set(events.map(ResourceNames.baseName)).union(["init"])
        var isReached: [String: Bool] = [:]
        /// Whether an event leads to a member, as far as names tell.
        func reaches(_ member: MemberFacts) -> Bool {
            guard member.kind == .function else { return true }
            if let known = isReached[member.baseName] { return known }
            var (seen, pending): (Set<String>, [String]) = ([member.baseName], [member.baseName])
            var found = false
            while !found, let next = pending.popLast() {
                found = begun.contains(next)
                pending += (callers[next] ?? []).filter { seen.insert($0).inserted }
            }
            isReached[member.baseName] = found
            return found
        }
        let isAsked = Self.isAsked(of: type, in: program)
        let slots = program.chain(of: type).flatMap { program[$0].conformances }.compactMap { library.delegateSlots[$0.name] }
        let properties = Set(slots.flatMap(\.properties))
        var given: Set<String> = isAsked.outlets
        byUser = isAsked.actions
        for id in members where reaches(program[id]) {
            for (_, body) in program[id].bodies {
                Self.forEachSure(in: body.block) { statement in
                    switch statement.kind {
                    case .write(.member(_, let name), .selfObject) where properties.contains(name): given.insert(name)
                    case .call(let call):
                        if call.givesAction { byUser.formUnion(call.handlers) }
                        if let name = call.callee.baseName?.propertyItSets, properties.contains(name), call.arguments.first?.value == .selfObject { given.insert(name) }
                    default: break
                    }
                }
            }
        }
        let senders = Set(slots.filter { !given.isDisjoint(with: $0.properties) }.map(\.sender)).union(Self.ofOwnView(of: type, in: program))
        guard !senders.isEmpty else { return }
        byViews = Set(members.map { program[$0] }.filter { member in senders.contains { member.answers($0) } }.map(\.fullName))
    }

    /// The view that a controller of the SDK has and is the delegate of by itself.
    private static func ofOwnView(of type: TypeID, in program: Program) -> [String] {
        ["UITableView", "UICollectionView"].filter { program.isType(type, kindOf: "\($0)Controller") }
    }

    /// What storyboards and xibs connect to objects of a class: the base names of its actions, and the outlets of others that it stands in.
    private static func isAsked(of type: TypeID, in program: Program) -> (actions: Set<String>, outlets: Set<String>) {
        var (actions, outlets): (Set<String>, Set<String>) = ([], [])
        let objects = Dictionary(grouping: program.interfaceObjects(of: type), by: \.interface)
        for (interface, own) in objects {
            let ids = Set(own.map { program[$0].id })
            for connection in program.resources.interfaces[interface].facts.objects.flatMap(\.connections) where ids.contains(connection.destination) {
                switch connection.kind {
                case .action(let selector, _): ObjectiveCSelector.baseName(of: selector).map { _ = actions.insert($0) }
                case .outlet(let name): outlets.insert(name)
                case .outletCollection, .segue: break
                }
            }
        }
        return (actions, outlets)
    }

    /// The statements that no condition decides about; closures are mostly what makes a view.
    private static func forEachSure(in block: Block, _ visit: (Statement) -> Void) {
        for statement in block {
            visit(statement)
            switch statement.kind {
            case .branch, .select, .loop, .attempt: break
            default: for inner in statement.innerBlocks(enteringClosures: true) { forEachSure(in: inner, visit) }
            }
        }
    }
}
