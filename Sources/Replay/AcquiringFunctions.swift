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
