/// What is known of the classes of the SDK and of well-known libraries: data, given to the linker from outside; a class, so that
/// looking up one of its many tables copies none.
public final class PlatformKnowledge: Sendable {
    /// The superclass of each known class; a root class has none.
    public let superclasses: [String: String]
    /// The known classes without a superclass in the table.
    public let rootClasses: Set<String>
    /// Names that are known to be protocols, and so no superclass.
    public let protocols: Set<String>
    /// The types of properties, by class and name.
    public let properties: [String: [String: TypeReference]]
    /// The result types of methods, by class and full name; `static ` stands before static ones.
    public let methods: [String: [String: TypeReference]]

    /// The known classes that are not the SDK's but of libraries and of users: a project may have their sources.
    public let libraryClasses: Set<String>
    /// Methods of libraries that run a closure with their object and give that object back.
    public let givingBack: Set<String>
    /// What classes of modules that are not here must be.
    let guessedBases: [GuessedBase]
    /// The ancestry of each class that has a superclass.
    private let ancestries: [String: [String]]

    /// Makes the knowledge from its tables.
    public init(
        superclasses: [String: String] = [:], rootClasses: Set<String> = [], libraryClasses: Set<String> = [], protocols: Set<String> = [],
        properties: [String: [String: TypeReference]] = [:], methods: [String: [String: TypeReference]] = [:], givingBack: Set<String> = [], guessedBases: [GuessedBase] = []
    ) {
        self.superclasses = superclasses
        self.rootClasses = rootClasses
        self.libraryClasses = libraryClasses
        self.protocols = protocols
        self.properties = properties
        self.methods = methods
        self.givingBack = givingBack
        self.guessedBases = guessedBases
        ancestries = Dictionary(uniqueKeysWithValues: superclasses.keys.map { ($0, Self.ancestry(of: $0, superclasses)) })
    }

    /// Whether the name is a class of the table.
    public func isClass(_ name: String) -> Bool {
        superclasses[name] != nil || rootClasses.contains(name)
    }

    /// The class and its superclasses, nearest first; ends early rather than run in a circle.
    public func ancestry(of name: String) -> [String] { ancestries[name] ?? [name] }

    private static func ancestry(of name: String, _ superclasses: [String: String]) -> [String] {
        var chain = [name]
        var next = superclasses[name]
        while let current = next, !chain.contains(current) {
            chain.append(current)
            next = superclasses[current]
        }
        return chain
    }

    /// Whether the class is the other one or inherits from it.
    public func isClass(_ name: String, kindOf other: String) -> Bool {
        name == other || ancestries[name]?.contains(other) == true
    }

    /// The type of a property of the class or of one that it inherits from.
    public func type(ofProperty property: String, of name: String) -> TypeReference? {
        ancestry(of: name).lazy.compactMap { [properties] in properties[$0]?[property] }.first
    }

    /// Whether some class of the SDK has a property of this name.
    public func isProperty(_ name: String) -> Bool { properties.values.contains { $0[name] != nil } }

    /// The result type of a method of the class or of one that it inherits from.
    public func type(ofMethod method: String, of name: String, isStatic: Bool) -> TypeReference? {
        let key = isStatic ? "static \(method)" : method
        return ancestry(of: name).lazy.compactMap { [methods] in methods[$0]?[key] }.first
    }

    /// The result type of a function of no class; the tables list such functions under `functions`.
    public func type(ofFunction fullName: String) -> TypeReference? { methods["functions"]?[fullName] }
}
