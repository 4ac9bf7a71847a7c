/// Where the project makes objects of its classes.
public struct Constructions: Sendable {
    /// One call of an initialiser.
    public struct Place: Sendable {
        /// The type whose member makes the object; nil for globals and free functions.
        public let owner: TypeID?
        /// The member that makes it.
        public let member: String
        /// Whether the object is the value of a static property, or of a global, or one that a container of dependencies makes once.
        public let isShared: Bool
        /// Whether it is made in the initial value of a stored property or in an initialiser.
        public let isForLife: Bool
        /// The property of the owner that gets the object, where it is written at once.
        public let keptIn: String?
        /// Whether a static property of a type gets it, where it is written at once.
        let isKeptByType: Bool
        /// The function that makes the object for those who call it.
        public let maker: String?
        /// The methods of the owner to which the object is handed as an argument, by their base names.
        let handedTo: Set<String>
    }

    private let places: [String: [Place]]
    /// Who calls functions that make objects for others.
    private let uses: [Maker: [Place]]

    /// A function that makes objects for who calls it: with the type of which it is called, where calls name that.
    private struct Maker: Hashable {
        let type: TypeID?
        let name: String
    }
    /// The short names of the types that code asks for a shared object.
    private let shared: Set<String>
    /// The short names of the types of which code makes an object without a word on how.
    private let plain: Set<String>

    /// Reads every body of the program but those of tests.
    public init(_ program: Program) {
        var places: [String: [Place]] = [:]
        var (shared, plain): (Set<String>, Set<String>) = ([], [])
        let scopes = ObjectScopes(program)
        Self.forEachMember(of: program) { member, owner in
            for (accessor, body) in member.bodies {
                body.block.forEachStatement { if case .member(.type(let type), let name)? = $0.call?.callee, name.hasPrefix("shared") { shared.insert(ProgramType.shortName(of: type.name)) } }
                let objects = ObjectsOfBody(body, keptByContainers: scopes.kept(in: body)) { call -> String? in
                    guard let made = Self.made(by: call, in: member, of: owner.map { program[$0].name }).map({ ProgramType.shortName(of: $0.name) }) else { return nil }
                    if call.arguments.isEmpty { plain.insert(made) }
                    return made
                }
                for made in objects.made { places[made.what, default: []].append(Place(made, by: member, accessor, owner: owner)) }
            }
        }
        let makers = Set(places.values.lazy.joined().compactMap(\.maker))
        var uses: [Maker: [Place]] = [:]
        // What one class names its function says nothing of those of others.
        let typesByName = Dictionary(grouping: program.types.filter { $0.kind != .protocol }, by: \.shortName).mapValues { $0.map(\.id) }
        func called(by call: Call) -> Set<Maker>? {
            guard let name = call.callee.baseName, makers.contains(name) else { return nil }
            guard case .member(.type(let type), _) = call.callee, let types = typesByName[ProgramType.shortName(of: type.name)] else { return [Maker(type: nil, name: name)] }
            return Set(types.flatMap { program.chain(of: $0) + program.protocols(of: $0) }.map { Maker(type: $0, name: name) })
        }
        Self.forEachMember(of: program) { member, owner in
            for (accessor, body) in member.bodies {
                for made in ObjectsOfBody(body, madeBy: called).made {
                    for maker in made.what { uses[maker, default: []].append(Place(made, by: member, accessor, owner: owner)) }
                }
            }
        }
        (self.places, self.uses, self.shared, self.plain) = (places, uses, shared, plain)
    }

    /// Whether code asks the type of this short name for a shared object.
    func isAskedForShared(_ name: String) -> Bool { shared.contains(name) }

    /// Whether code makes an object of the type of this short name by an initialiser without arguments.
    func isMadeWithoutArguments(_ name: String) -> Bool { plain.contains(name) }

    private static func forEachMember(of program: Program, _ read: (MemberFacts, TypeID?) -> Void) {
        for (file, one) in program.files.enumerated() where !one.isTest {
            for (index, type) in one.facts.types.enumerated() {
                let owner = program.owners(of: DeclarationID(file: file, index: index)).first
                // What a preview makes is in no app.
                if let owner, program[owner].isPreview { continue }
                for member in type.members { read(member, owner) }
            }
            for member in one.facts.members where !(member.kind == .macro && member.baseName == "Preview") { read(member, nil) }
        }
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
    ///
    /// Where a function makes the object for others, those who call it stand in its place.
    public func places(of name: String) -> [Place] {
        (places[name] ?? []).flatMap { place in callers(of: place)?.flatMap { callers(of: $0) ?? [$0] } ?? [place] }
    }

    /// Whether any place makes objects of a type of this short name.
    func isMade(_ name: String) -> Bool { places[name] != nil }

    /// Those who call the function that makes an object for them; nil where nobody is known to, and for what makes it for itself.
    private func callers(of place: Place) -> [Place]? {
        guard let name = place.maker else { return nil }
        let found = (uses[Maker(type: nil, name: name)] ?? []) + (place.owner.flatMap { uses[Maker(type: $0, name: name)] } ?? [])
        return found.isEmpty ? nil : found
    }
}

/// The objects that calls of a body make, and what becomes of each.
private struct ObjectsOfBody<What> {
    struct Made {
        /// What is made, or by which function.
        let what: What
        /// What the body writes the object into.
        let keptIn: String?
        /// Whether it writes it into a property of a type.
        let isKeptByType: Bool
        /// Whether the body returns the object.
        let isReturned: Bool
        /// The own methods to which the body hands it.
        let handedTo: Set<String>
        /// Whether a container of dependencies makes it once.
        let isKeptByContainer: Bool
    }

    private(set) var made: [Made] = []

    init(_ body: Body, keptByContainers containers: Set<Register> = [], madeBy what: (Call) -> What?) {
        var found: [(what: What, result: Register)] = []
        var kept: [Register: String] = [:]
        var ofTypes: Set<Register> = []
        var returned: Set<Register> = []
        var locals: [LocalID: Register] = [:]
        // A local that is read stands for what it was declared with.
        var copies: [Register: Register] = [:]
        var handed: [Register: Set<String>] = [:]
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .write(.name(let name), .register(let register)), .write(.member(.selfObject, let name), .register(let register)): kept[register] = name
            case .write(.member(.type, _), .register(let register)): ofTypes.insert(copies[register] ?? register)
            case .declare(let local, .register(let register)?): locals[local] = register
            case .read(let register, .local(let local)): copies[register] = locals[local]
            case .exit(.returns(.register(let register))): returned.insert(copies[register] ?? register)
            default:
                guard let call = statement.call else { break }
                if let made = what(call) { found.append((made, call.result)) }
                guard let method = call.callee.nameCalledOnSelf else { break }
                for case .register(let register) in call.arguments.map(\.value) { handed[copies[register] ?? register, default: []].insert(method) }
            }
        }
        let lasting = Set(containers.map { copies[$0] ?? $0 })
        made = found.map { Made(what: $0.what, keptIn: kept[$0.result], isKeptByType: ofTypes.contains($0.result), isReturned: returned.contains($0.result), handedTo: handed[$0.result] ?? [], isKeptByContainer: lasting.contains($0.result)) }
    }
}

extension Constructions.Place {
    fileprivate init<What>(_ made: ObjectsOfBody<What>.Made, by member: MemberFacts, _ accessor: String?, owner: TypeID?) {
        let isInitial = member.kind == .property && member.isStored && accessor == nil
        self.init(
            owner: owner, member: member.fullName, isShared: isInitial && (member.isStatic || owner == nil) || made.isKeptByContainer, isForLife: isInitial || member.kind == .initializer,
            keptIn: isInitial ? member.baseName : made.keptIn, isKeptByType: made.isKeptByType, maker: member.kind == .function && made.isReturned ? member.baseName : nil, handedTo: made.handedTo)
    }
}

extension Program {
    /// Whether a class itself keeps one of its objects for all: in a static property, or in the static variable of a method of Objective-C
    /// that hands it out.
    public func keepsOneForAll(_ type: TypeID) -> Bool {
        let shortName = self[type].shortName
        return members(of: type).contains { id in
            let member = self[id]
            guard member.isStatic else { return false }
            if member.kind == .function, member.parameters.isEmpty, let body = member.body {
                let own: Set<String> = [shortName, self[type].name, "Self"]
                // What it shares may be another object.
                let isOwn = member.type.map { own.contains($0.unwrapped.name) || ["Any", "AnyObject", "id", "instancetype"].contains($0.unwrapped.name) } ?? true
                if member.baseName.hasPrefix("shared"), isOwn { return body.block.containsStatement { if case .initializer? = $0.call?.callee { true } else { false } } }
                return Self.keepsOwn(body, typeNames: own)
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
