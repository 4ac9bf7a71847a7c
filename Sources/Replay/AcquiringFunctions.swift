import ProgramModel

/// The functions of no object of a class's own that acquire something for who calls them: free ones, those of types, and those that the
/// project adds to classes of the SDK, as `NotificationCenter.observe(self, …)` may be; and those that it adds to end something of their object's.
struct AcquiringFunctions: Sendable {
    private var free: Set<String> = []
    /// The names of the types by the base names of their functions.
    private var ofTypes: [String: Set<String>] = [:]
    private var added: Set<String> = []
    /// What the project adds to classes of the SDK and by which their objects end themselves: `timer.invalidateIfValid()`.
    private var ending: Set<String> = []
    /// The base names of the methods of classes by which their objects acquire or end something of their own, by the short names of the classes.
    private var ofObjects: [String: Set<String>] = [:]
    /// All of those names, for a quick look.
    private var namesOfMethods: Set<String> = []

    /// None.
    init() {}

    /// How many of them call one another at most until something is acquired.
    private static let deepest = 3

    /// Reads every function of the program but those of tests.
    init(_ program: Program, acquiring names: Set<String>, releasing: Set<String>) {
        for file in program.files where !file.isTest {
            for type in file.facts.types where type.kind == .extension {
                for member in type.members where member.kind == .function && !member.isStatic {
                    if program.callsOnSelf(byAdded: member.baseName).contains(where: { releasing.contains(ResourceNames.baseName($0)) }) { ending.insert(member.baseName) }
                }
            }
        }
        ofObjects = Self.methods(of: program, acquiringOrReleasing: names.union(releasing))
        namesOfMethods = ofObjects.values.reduce(into: []) { $0.formUnion($1) }
        var found = names
        for _ in 0..<Self.deepest {
            let known = found
            for file in program.files where !file.isTest {
                for member in file.facts.members where Self.acquires(member, known) {
                    free.insert(member.baseName)
                    found.insert(member.baseName)
                }
                for type in file.facts.types {
                    for member in type.members where member.isStatic || type.kind == .extension {
                        guard Self.acquires(member, known), member.isStatic || !program.extensionFunctions(named: member.baseName).isEmpty else { continue }
                        if member.isStatic { ofTypes[member.baseName, default: []].insert(ProgramType.shortName(of: type.name)) } else { added.insert(member.baseName) }
                        found.insert(member.baseName)
                    }
                }
            }
            if found.count == known.count { return }
        }
    }

    /// The methods by which the objects of classes do so, directly or by methods that they call on self; by the classes' short names.
    private static func methods(of program: Program, acquiringOrReleasing names: Set<String>) -> [String: Set<String>] {
        var found: [String: Set<String>] = [:]
        var calls: [String: [(name: String, called: Set<String>)]] = [:]
        for file in program.files where !file.isTest {
            for type in file.facts.types where type.kind == .class || type.kind == .extension {
                let title = ProgramType.shortName(of: type.name)
                for member in type.members where member.kind == .function && !member.isStatic {
                    guard let block = member.body?.block else { continue }
                    if ClassSlice.mentions(block, names) { found[title, default: []].insert(member.baseName) } else { calls[title, default: []].append((member.baseName, block.namesCalledOnSelf)) }
                }
            }
        }
        for (title, methods) in calls {
            guard found[title] != nil else { continue }
            for _ in 0..<deepest { for one in methods where !one.called.isDisjoint(with: found[title] ?? []) { found[title]?.insert(one.name) } }
        }
        return found
    }

    /// Whether a body has an object that a property of its own object keeps acquire or end something, or has a shared one do so for its own.
    func areCalledOnKept(in body: Body, of type: TypeID, _ program: Program) -> Bool {
        var read: [Register: String] = [:]
        var shared: [Register: TypeReference] = [:]
        return body.block.containsStatement { statement in
            switch statement.kind {
            case .read(let register, .member(.type(let type), _)): shared[register] = type
            case .read(let register, let place): read[register] = place.ownName
            default: break
            }
            guard let call = statement.call, case .member(.register(let receiver), let name) = call.callee, namesOfMethods.contains(name) else { return false }
            if let type = shared[receiver] {
                return call.arguments.contains { $0.value == .selfObject } && ofObjects[ProgramType.shortName(of: type.name)]?.contains(name) ?? false
            }
            guard let property = read[receiver], let id = program.members(named: property, on: type).first, program[id].kind == .property, program.keeps(property, of: type) else { return false }
            let written = program[id].type?.unwrapped ?? program[id].body?.block.lazy.compactMap { if case .initializer(let made)? = $0.call?.callee { made } else { nil } }.last
            guard let written, case .project(let types) = program.resolve(written, in: Scope(file: id.declaration.file, typeName: program[type].name)) else { return false }
            return types.contains { kept in program.chain(of: kept).contains { ofObjects[program[$0].shortName]?.contains(name) ?? false } }
        }
    }

    private static func acquires(_ member: MemberFacts, _ names: Set<String>) -> Bool {
        member.kind == .function && !member.parameters.isEmpty && member.bodies.contains { ClassSlice.mentions($0.body, names) }
    }

    /// Whether a body gives one of them its own object, or a closure, or ends another object by one.
    func areCalled(in body: Body) -> Bool {
        var closures: Set<Register> = []
        return body.block.containsStatement { statement in
            if case .closure(let register, _) = statement.kind { closures.insert(register) }
            guard let call = statement.call else { return false }
            if case .member(let receiver, let name) = call.callee, receiver != .selfObject, ending.contains(name) { return true }
            guard isHelper(call) else { return false }
            return call.arguments.contains { argument in
                if case .register(let register) = argument.value { closures.contains(register) } else { argument.value == .selfObject }
            }
        }
    }

    private func isHelper(_ call: Call) -> Bool {
        switch call.callee {
        case .name(let name): free.contains(name)
        case .member(.type(let type), let name): ofTypes[name]?.contains(ProgramType.shortName(of: type.name)) ?? false
        case .member(let receiver, let name): receiver != .selfObject && added.contains(name)
        default: false
        }
    }
}
