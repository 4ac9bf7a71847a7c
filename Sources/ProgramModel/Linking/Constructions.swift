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
                    default: if let call = statement.call, let type = Self.made(by: call, in: member, of: owner.map { program[$0].name }) { made.append((type, call.result)) }
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

    /// The type that a call makes an object of.  `.init(…)` is of the type that the member is declared to give.
    private static func made(by call: Call, in member: MemberFacts, of owner: String?) -> TypeReference? {
        let written: TypeReference? = switch call.callee {
        case .initializer(let type): type
        case .implicitMember("init"): member.type?.unwrapped
        default: nil
        }
        return written?.name == "Self" ? owner.map { TypeReference($0) } ?? written : written
    }

    /// The places that make objects of a type of this short name.
    public func places(of name: String) -> [Place] { places[name] ?? [] }
}

extension Program {
    /// Whether a class itself keeps one of its objects for all: in a static property, or in the static variable of a method of Objective-C
    /// that hands it out.
    public func keepsOneForAll(_ type: TypeID) -> Bool {
        let shortName = self[type].name.split(separator: ".").last.map(String.init) ?? self[type].name
        return members(of: type).contains { id in
            let member = self[id]
            guard member.isStatic else { return false }
            if member.kind == .function, member.parameters.isEmpty, let body = member.body {
                if member.baseName.hasPrefix("shared") { return body.block.containsStatement { if case .initializer? = $0.call?.callee { true } else { false } } }
                return Self.keepsOwn(body, typeNames: [shortName, self[type].name, "Self"])
            }
            guard member.kind == .property, member.isStored else { return false }
            if let written = member.type { return written.name == shortName || written.name == self[type].name }
            guard let body = member.body, case .exit(.returns(.register(let register)))? = body.block.last?.kind else { return false }
            return body.block.contains { statement in
                if case .initializer(let made)? = statement.call?.callee { return statement.call?.result == register && (made.name == shortName || made.name == "Self") }
                return false
            }
        }
    }

    /// Whether a body makes an object of these names and puts it into a variable that lasts, as `dispatch_once` does with a static one.
    private static func keepsOwn(_ body: Body, typeNames: Set<String>) -> Bool {
        var made: Set<Register> = []
        return body.block.containsStatement { statement in
            if case .initializer(let type)? = statement.call?.callee, typeNames.contains(type.name), let call = statement.call { made.insert(call.result) }
            if case .write(.name, .register(let value)) = statement.kind { return made.contains(value) }
            return false
        }
    }
}

extension Program {
    /// Whether a class method that the project does not have makes a view or controller of the project's class from its nib or storyboard,
    /// as the helpers of many libraries do: its name says so.
    package func makesFromFile(_ type: TypeID, callNamed name: String) -> Bool {
        guard !hasFunction(named: name), ["UIView", "UIViewController", "NSView", "NSViewController"].contains(where: { isType(type, kindOf: $0) }) else { return false }
        return name.hasPrefix("instantiate") || ["nib", "xib", "storyboard"].contains(where: name.lowercased().contains)
    }
}
