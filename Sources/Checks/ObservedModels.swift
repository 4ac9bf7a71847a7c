import ProgramModel

/// The models of the project that views of SwiftUI observe, and what they publish to them.
struct ObservedModels: Sendable {
    /// The wrappers by which a view observes an object; what they hold must change on the main thread.
    private static let wrappers: Set<String> = ["StateObject", "ObservedObject", "EnvironmentObject"]

    private let program: Program
    private let types: Set<TypeID>

    init(_ program: Program) {
        var types: Set<TypeID> = []
        for type in program.types {
            for id in program.members(of: type.id) where program[id].attributes.contains(where: { Self.wrappers.contains($0.name) }) {
                guard let written = program[id].type ?? program[id].firstType,
                      case .project(let found) = program.resolve(written.unwrapped, in: Scope(file: id.declaration.file, typeName: program[id.declaration].name)) else { continue }
                types.formUnion(found)
            }
        }
        (self.program, self.types) = (program, types)
    }

    /// Whether setting a property of a class publishes a change to views, from whatever thread it is set.
    func publishes(_ name: String, of type: TypeID) -> Bool {
        guard !types.isEmpty, program.chain(of: type).contains(where: types.contains) else { return false }
        let members = program.members(named: name, on: type).map { program[$0] }
        return !members.isEmpty && members.allSatisfy { $0.kind == .property && Self.tells($0) && !$0.isIsolated } && !belongsToActor(type)
    }

    /// Whether a property tells of its changes, by its wrapper or in an observer of its own.
    private static func tells(_ property: MemberFacts) -> Bool {
        if property.attributes.contains(where: { $0.name == "Published" }) { return true }
        return property.isStored && property.bodies.contains { _, body in
            var publishers: Set<Operand> = []
            var sends = false
            // What a closure sends, it sends from a thread of its own choice.
            body.block.forEachStatement(enteringClosures: false) { statement in
                switch statement.kind {
                case .read(let register, .name("objectWillChange")), .read(let register, .member(.selfObject, "objectWillChange")): publishers.insert(.register(register))
                case .call(let call): if case .member(let receiver, "send") = call.callee, publishers.contains(receiver) { sends = true }
                default: break
                }
            }
            return sends
        }
    }

    /// Whether an actor runs the code of a class, as its text or that of a protocol or of a superclass says.
    func belongsToActor(_ type: TypeID) -> Bool {
        let declared = (program.chain(of: type) + program.protocols(of: type)).flatMap { program[$0].declarations.prefix(1) }
        return program[type].kind == .actor || declared.contains { program[$0].attributes.contains(where: \.namesActor) }
            || program[type].declarations.contains { program.files[$0.file].units.contains { program.units[$0].keepsAsyncOnCaller } }
    }
}

extension AttributeFacts {
    /// Whether the attribute is a global actor, by the name that those have.
    var namesActor: Bool { name.hasSuffix("Actor") }
}

extension MemberFacts {
    /// Whether an actor runs the code of the member, as its own text says.
    var isIsolated: Bool { attributes.contains(where: \.namesActor) || parameters.contains { $0.type.name.hasPrefix("isolated") } }
}
