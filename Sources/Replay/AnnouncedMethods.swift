import ProgramModel

/// The methods that a class has called by notifications of the system.
struct AnnouncedMethods {
    /// The base names of those that no other call of the class names.
    let names: Set<String>

    init(of type: TypeID, _ members: [MemberID], _ program: Program) {
        var (announced, others): (Set<String>, Set<String>) = ([], [])
        for id in members {
            let scope = Scope(file: id.declaration.file, typeName: program[type].name)
            for (_, body) in program[id].bodies {
                let reads = WrittenKey.platformReads(in: body, scope, program)
                body.block.forEachStatement { statement in
                    guard let call = statement.call, case let names = call.handlers, !names.isEmpty else { return }
                    let name = call.arguments.first { $0.label == "name" }.flatMap { WrittenKey.known($0.value, reads) }
                    if call.callee.baseName == "addObserver", case .named(let text, _)? = name, Self.isOfSystem(text, program) { announced.formUnion(names) } else { others.formUnion(names) }
                }
            }
        }
        names = announced.subtracting(others)
    }

    /// Whether a notification's name is one of the SDK's: a property of a class of it, or a constant that the project does not have.  Keyboards
    /// go before their screens.
    private static func isOfSystem(_ name: String, _ program: Program) -> Bool {
        guard !name.contains("Keyboard"), !name.contains("keyboard") else { return false }
        return name.contains(".") || name.hasSuffix("Notification") && program.freeMembers(named: name).isEmpty
    }
}

extension OutsideCallers {
    /// What is to be said of the method that alone releases a registration, if that is one that may not be called in time.
    func lateRelease(of registration: Registration) -> String? {
        let entries = releases.filter { fits($0, registration) }.reduce(into: Set<String>()) { $0.formUnion($1.entries) }
        guard let name = entries.min() else { return nil }
        if entries.isSubset(of: MemberFacts.withdrawnEvents) { return "'\(name)' alone removes it, which no object goes through on its way out, and none at all since iOS 6" }
        return entries.isSubset(of: announced) ? "'\(name)' alone removes it, which waits for a notification of the system" : nil
    }
}
