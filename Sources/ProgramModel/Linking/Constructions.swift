/// Where the project makes objects of its classes.
public struct Constructions: Sendable {
    /// One call of an initialiser.
    public struct Place: Sendable {
        /// The type whose member makes the object; nil for globals and free functions.
        public let owner: TypeID?
        /// The member that makes it.
        public let member: String
        /// Whether the object is the value of a static property, or of a global.
        public let isShared: Bool
        /// Whether it is made in the initial value of a stored property or in an initialiser.
        public let isForLife: Bool
        /// The property of the owner that gets the object, where it is written at once.
        public let keptIn: String?
    }

    private let places: [String: [Place]]

    /// Reads every body of the program but those of tests.
    public init(_ program: Program) {
        var places: [String: [Place]] = [:]
        func read(_ member: MemberFacts, owner: TypeID?) {
            let isProperty = member.kind == .property && member.isStored
            for (accessor, body) in member.bodies {
                let isInitial = isProperty && accessor == nil
                var made: [(type: TypeReference, result: Register)] = []
                var kept: [Register: String] = [:]
                body.block.forEachStatement { statement in
                    switch statement.kind {
                    case .write(.name(let name), .register(let register)), .write(.member(.selfObject, let name), .register(let register)): kept[register] = name
                    default: if let call = statement.call, case .initializer(let type) = call.callee { made.append((type, call.result)) }
                    }
                }
                for (type, result) in made {
                    places[type.name.split(separator: ".").last.map(String.init) ?? type.name, default: []].append(Place(
                        owner: owner, member: member.fullName, isShared: isInitial && (member.isStatic || owner == nil),
                        isForLife: isInitial || member.kind == .initializer, keptIn: isInitial ? member.baseName : kept[result]))
                }
            }
        }
        for (file, one) in program.files.enumerated() where !one.isTest {
            for (index, type) in one.facts.types.enumerated() {
                let owner = program.owners(of: DeclarationID(file: file, index: index)).first
                for member in type.members { read(member, owner: owner) }
            }
            for member in one.facts.members { read(member, owner: nil) }
        }
        self.places = places
    }

    /// The places that make objects of a type of this short name.
    public func places(of name: String) -> [Place] { places[name] ?? [] }
}
