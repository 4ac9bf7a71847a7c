import ProgramModel
import RuleLibrary

/// Which members of a class have to do with resources or with closures that outlive their call, by themselves or through what
/// they call on self: events that only run others make no difference to any monitor.
package struct ClassSlice {
    /// What one class does of interest itself, without its superclasses.
    struct Interest {
        /// The full names of the members.
        private(set) var members: Set<String> = []
        private(set) var hasResources = false
        private(set) var hasClosures = false

        var isAny: Bool { hasResources || hasClosures }

        init(of type: TypeID, in program: Program, names: ResourceNames, library: RuleLibrary, lookups: Lookups, isOfClosures: Bool) {
            for id in program.members(of: type) + Self.sharedMembers(of: type, in: program) {
                for (_, body) in program[id].bodies {
                    let hasResources = ClassSlice.mentions(body, names.all) || names.helpers.areCalled(in: body) || names.helpers.areCalledOnKept(in: body, of: type, program)
                    let hasClosures = isOfClosures && StrongClosures.areKept(in: body, owner: type, program: program, library: library, lookups: lookups)
                    if hasResources { self.hasResources = true }
                    if hasClosures { self.hasClosures = true }
                    if hasResources || hasClosures { members.insert(program[id].fullName) }
                }
            }
        }

        /// What a class does of interest itself or by methods that it inherits and calls, which its superclasses may have for others to call alone.
        init(ofCallsBy type: TypeID, in program: Program, names: ResourceNames, library: RuleLibrary, lookups: Lookups, isOfClosures: Bool) {
            self.init(of: type, in: program, names: names, library: library, lookups: lookups, isOfClosures: isOfClosures)
            let bases = program.chain(of: type).dropFirst()
            guard !hasResources, !bases.isEmpty else { return }
            var inherited: [String: [MemberID]] = [:]
            for base in bases { for id in program.members(of: base) where program[id].kind == .function { inherited[program[id].baseName, default: []].append(id) } }
            var called: Set<String> = []
            var next = program.namesCalledOnSelf(by: program.members(of: type))
            while !next.isEmpty {
                called.formUnion(next)
                let ids = next.flatMap { inherited[$0] ?? [] }
                for (_, body) in ids.flatMap({ program[$0].bodies }) {
                    if ClassSlice.mentions(body, names.all) || names.helpers.areCalled(in: body) { hasResources = true }
                    if isOfClosures, StrongClosures.areKept(in: body, owner: type, program: program, library: library, lookups: lookups) { hasClosures = true }
                }
                next = hasResources ? [] : program.namesCalledOnSelf(by: ids).subtracting(called)
            }
        }

        /// The members that the project gives to a type in extensions of protocols and of the SDK's classes, as far as code of the type,
        /// or such a member itself, names them.
        private static func sharedMembers(of type: TypeID, in program: Program) -> [MemberID] {
            var given: [String: [MemberID]] = [:]
            for id in program.protocols(of: type).flatMap({ program.members(of: $0) }) where program[id.declaration].kind == .extension && !program[id].isStatic {
                given[program[id].baseName, default: []].append(id)
            }
            let classes = program.platformClass(of: type).map { program.platform.ancestry(of: $0) } ?? []
            guard !given.isEmpty || !classes.isEmpty else { return [] }
            func members(named name: String) -> [MemberID] {
                let added = classes.isEmpty ? [] : program.extensionFunctions(named: name).filter { classes.contains(program[$0.declaration].name) && !program[$0].isStatic }
                return (given[name] ?? []) + added
            }
            var (found, seen): ([MemberID], Set<String>) = ([], [])
            var next = program.namesCalledOnSelf(by: program.members(of: type))
            while !next.isEmpty {
                seen.formUnion(next)
                let ids = next.sorted().flatMap(members)
                found += ids
                next = program.namesCalledOnSelf(by: ids).subtracting(seen)
            }
            return found
        }
    }

    private let touched: Set<String>
    private let callers: [String: Set<String>]
    /// The members that call, by the name of what they call; a property of that name that they read is another thing.
    private let callersOfFunctions: [String: Set<String>]

    /// Follows the calls on self from each method of the class and its project superclasses; `isOfClosures` says whether closures that
    /// outlive their call are of interest beside resources.  With `geometry` only sizes and places are, and what is added; `extensionSizes`
    /// tells the base names of functions added to classes of the SDK that have to do with them.  Members of the full names `touching` are of
    /// interest in any case.
    init(of type: TypeID, in program: Program, names: ResourceNames, library: RuleLibrary, lookups: Lookups, geometry: GeometryKnowledge? = nil, extensionSizes: (String) -> Bool = { _ in false },
         isOfClosures: Bool = true, touching: Set<String> = []) {
        var interesting = touching
        if geometry == nil { interesting.formUnion(GuardingFlags.setters(in: program.chain(of: type), program, names: names.all)) }
        var uses = MemberUses()
        for link in program.chain(of: type) {
            if geometry == nil { interesting.formUnion(Interest(of: link, in: program, names: names, library: library, lookups: lookups, isOfClosures: isOfClosures).members) }
            for id in program.members(of: link) {
                let member = program[id]
                for (_, body) in member.bodies {
                    if let geometry, Self.touches(geometry, in: body, extensionSizes) { interesting.insert(member.fullName) }
                    uses.add(body, of: member)
                }
                uses.declare(member)
            }
        }
        let platformClass = program.platformClass(of: type)
        touched = uses.users(of: interesting) { name in platformClass.flatMap { program.platform.type(ofProperty: name, of: $0) } != nil }
        callers = uses.callers
        callersOfFunctions = uses.callersOfFunctions
    }

    /// Which members of a class use which, by name.
    private struct MemberUses {
        /// The base names of the members that call, read or set something of a name.
        private(set) var callers: [String: Set<String>] = [:]
        private(set) var callersOfFunctions: [String: Set<String>] = [:]
        /// The full names of the members that call something, by its full name as the call writes it, and of those that read or set a name.
        private var calling: [String: Set<String>] = [:]
        private var naming: [String: Set<String>] = [:]
        /// The full names under which calls name a base name.
        private var written: [String: Set<String>] = [:]
        /// The full names of the functions of a base name, and the properties.
        private var functions: [String: Set<String>] = [:]
        private var properties: Set<String> = []

        mutating func declare(_ member: MemberFacts) {
            if member.kind == .property { properties.insert(member.baseName) } else { functions[member.baseName, default: []].insert(member.fullName) }
        }

        mutating func add(_ body: Body, of member: MemberFacts) {
            body.block.forEachStatement { statement in
                if let call = statement.call {
                    switch call.callee {
                    case .name(let name), .member(_, let name), .superMember(let name):
                        callers[name, default: []].insert(member.baseName)
                        callersOfFunctions[name, default: []].insert(member.baseName)
                        let full = call.fullName ?? name
                        written[name, default: []].insert(full)
                        calling[full, default: []].insert(member.fullName)
                    default: break
                    }
                }
                switch statement.kind {
                // Reading a lazy or computed property runs code, writing one its observers.
                case .read(_, .name(let name)), .read(_, .member(_, let name)), .write(.name(let name), _), .write(.member(_, let name), _):
                    callers[name, default: []].insert(member.baseName)
                    naming[name, default: []].insert(member.fullName)
                default: break
                }
            }
        }

        /// The full names of these members and of all that use them, directly or through others.
        func users(of members: Set<String>, isOfPlatform: (String) -> Bool) -> Set<String> {
            var found = members
            var pending = Array(members)
            while let name = pending.popLast() {
                let base = ResourceNames.baseName(name)
                var above: Set<String> = []
                // Labels choose among functions of one name; a call that fits none exactly may mean any.
                for full in written[base] ?? [] where full == name || !(functions[base]?.contains(full) ?? false) { above.formUnion(calling[full] ?? []) }
                // A function whose name is read is handed to somebody, unless the name is that of a property.
                if properties.contains(base) || !isOfPlatform(base) { above.formUnion(naming[base] ?? []) }
                for user in above where found.insert(user).inserted { pending.append(user) }
            }
            return found
        }
    }

    /// Whether a method, by its full name, can acquire or release, or makes closures that stay.
    package func isTouched(_ fullName: String) -> Bool { touched.contains(fullName) }

    /// Whether a member is one of these, or is used by one of them, directly or through others.
    func isUsed(_ baseName: String, by names: Set<String>) -> Bool {
        var seen: Set<String> = [baseName]
        var pending = [baseName]
        while let name = pending.popLast() {
            if names.contains(name) { return true }
            for caller in callers[name] ?? [] where seen.insert(caller).inserted { pending.append(caller) }
        }
        return false
    }

    /// The base names of the members that call a function of this base name, or that read a property of it.
    func users(of member: MemberFacts) -> Set<String> { (member.kind == .function ? callersOfFunctions : callers)[member.baseName] ?? [] }

    /// Whether a body reads or sets sizes or places of views, or adds something to them.
    static func touches(_ geometry: GeometryKnowledge, in body: Body, _ extensionSizes: (String) -> Bool = { _ in false }) -> Bool {
        var found = false
        body.block.forEachStatement { statement in
            switch statement.call?.callee {
            case .member(_, let name)?, .name(let name)?: if extensionSizes(name) { found = true }
            default: break
            }
            if let name = statement.call?.callee.baseName, geometry.addedTo[name] != nil || geometry.removes.contains(name) || geometry.constrains.contains(name) || geometry.laysOutLater(name) { found = true }
            switch statement.kind {
            case .read(_, .name(let name)), .read(_, .member(_, let name)): if geometry.reads.contains(name) || geometry.laysOutLater(name) { found = true }
            case .write(.name(let name), _), .write(.member(_, let name), _):
                if geometry.decidesOfSizes(name) || geometry.replaced.contains(name) { found = true }
            default: break
            }
        }
        return found
    }

    /// The ones of these base names that a body calls, or of whose class it makes an object.
    static func mentioned(in body: Body, of names: Set<String>) -> Set<String> {
        var found: Set<String> = []
        body.block.forEachStatement { if let name = name(usedBy: $0), names.contains(name) { found.insert(name) } }
        return found
    }

    /// Whether a body calls something of these base names, or makes an object of such a class.
    static func mentions(_ body: Body, _ names: Set<String>) -> Bool { mentions(body.block, names) }

    /// Whether a block calls something of these base names, or makes an object of such a class.
    static func mentions(_ block: Block, _ names: Set<String>) -> Bool { block.containsStatement { name(usedBy: $0).map(names.contains) ?? false } }

    /// The base name that a statement calls, or the class of which it makes an object.
    private static func name(usedBy statement: Statement) -> String? {
        guard let call = statement.call else { return nil }
        if case .initializer(let type) = call.callee { return type.name }
        return call.callee.baseName
    }
}

/// Finds closures that hold self or a local strongly and that somebody keeps: written to a place, given back to who asked, or given to
/// a call that is not known to run them and let go.
enum StrongClosures {
    static func areKept(in body: Body, owner: TypeID?, program: Program, library: RuleLibrary, lookups: Lookups) -> Bool {
        var strong: Set<Register> = []
        // Closures may go through a local, and a function inside another one is such a local.
        var strongLocals: Set<LocalID> = []
        var found = false
        body.block.forEachStatement { statement in
            guard !found else { return }
            switch statement.kind {
            case .closure(let register, let closure):
                if holdsStrongly(closure, owner: owner, lookups) { strong.insert(register) }
            case .function(let local, let closure):
                if holdsStrongly(closure, owner: owner, lookups) { strongLocals.insert(local) }
            case .declare(let local, .some(let value)):
                if isStrong(value, strong) { strongLocals.insert(local) }
            case .read(let register, .local(let local)):
                if strongLocals.contains(local) { strong.insert(register) }
            // A method as a value holds its object.
            case .read(let register, .name(let name)), .read(let register, .member(.selfObject, let name)):
                if let owner, lookups.isMethod(name, of: owner), lookups.property(name, of: owner) == nil { strong.insert(register) }
            case .write(_, .register(let register)), .exit(.returns(.register(let register))):
                found = strong.contains(register)
            case .compute(let register, _, let operands):
                if operands.contains(where: { isStrong($0, strong) }) { strong.insert(register) }
            case .assign(let register, let operand):
                if isStrong(operand, strong) { strong.insert(register) }
            case .collection(let operation, let call):
                found = (operation == .append || operation == .insert) && call.arguments.contains { isStrong($0.value, strong) }
            case .call(let call):
                guard call.arguments.contains(where: { isStrong($0.value, strong) }) else { break }
                if case .initializer(let type) = call.callee {
                    found = library.closureRoles[type.name].map { $0 == .kept } ?? true
                } else if case .member(.type(let type), _) = call.callee, library.closureRoles[type.name] == .kept {
                    found = true
                } else if library.closureRoles.isKeptByReceiver(call) {
                    found = true
                } else if let name = call.callee.baseName, library.closureRoles[name] == nil {
                    // What a function of the project does with it, its body tells; others let go of it as far as anybody knows.
                    found = program.hasFunction(named: name)
                    if mayBeCase(call.callee) { strong.insert(call.result) }
                }
            default:
                break
            }
        }
        return found
    }

    /// Whether code that runs with a closure makes another one, which holds self or a local strongly, and puts it into a property.
    static func areStored(by closure: Closure, owner: TypeID?, lookups: Lookups) -> Bool {
        var strong: Set<Register> = []
        return closure.block.containsStatement { statement in
            switch statement.kind {
            case .closure(let register, let closure):
                if holdsStrongly(closure, owner: owner, lookups) { strong.insert(register) }
                return false
            case .write(.member, .register(let register)), .write(.name, .register(let register)): return strong.contains(register)
            default: return false
            }
        }
    }

    private static func holdsStrongly(_ closure: Closure, owner: TypeID?, _ lookups: Lookups) -> Bool {
        let mentions = lookups.mentions(closure, owner: owner)
        let isWeak = closure.captures.contains { $0.value == .selfObject && $0.strength != .strong }
        return (mentions.mentionsSelf && !isWeak) || !mentions.locals.isEmpty || closure.captures.contains { $0.strength == .strong }
    }

    /// Whether a call may make a case of an enum, which carries what it is given.
    private static func mayBeCase(_ callee: Callee) -> Bool {
        switch callee {
        case .implicitMember, .member(.type, _): true
        default: false
        }
    }

    private static func isStrong(_ operand: Operand, _ strong: Set<Register>) -> Bool {
        if case .register(let register) = operand { return strong.contains(register) }
        return false
    }
}

extension Program {
    /// The base names of what the code of these members calls on self, closures included.
    func namesCalledOnSelf(by members: [MemberID]) -> Set<String> {
        members.flatMap { self[$0].bodies }.reduce(into: []) { $0.formUnion($1.body.block.namesCalledOnSelf) }
    }
}
