/// The classes of an app that nothing names: no code makes their objects, no storyboard has them, so their code does not run.
public struct UnnamedClasses: Sendable {
    private let types: Set<TypeID>

    /// Looks for the names of all classes in the texts, storyboards and property lists of the program.
    ///
    /// Only what is compiled into apps alone is judged: code of a library is there for others.
    public init(_ program: Program) {
        let files = program.files
        let apps = AppUnits(program)
        let named = apps.isEmpty ? .none : NamedTypes.union(files.lazy.filter { !$0.isTest }.map(\.facts.namedTypes))
        // What a library looks up, as one that reads JSON does, are no views and controllers of the app.
        guard !apps.isEmpty, !files.contains(where: { !$0.isTest && !$0.isThirdParty && $0.facts.namedTypes.looksUpUnknown }), Self.hasInterfaces(program, named) else {
            types = []
            return
        }
        let inInterfaces = Set(program.resources.interfaces.flatMap { $0.facts.objects.compactMap(\.customClass) }.map(Self.lastPart))
        let inLists = Set(program.resources.configurations.values.flatMap(\.propertyLists).flatMap(\.classNames))
        func isNamed(_ type: ProgramType) -> Bool {
            let name = type.shortName
            guard name.utf8.first.map({ (0x41...0x5A).contains($0) }) ?? false, type.condition == .always else { return true }
            return inInterfaces.contains(name) || inLists.contains(name) || named.contains(name)
        }
        func isOfAppsAlone(_ type: ProgramType) -> Bool {
            apps.haveAlone(type) && type.declarations.allSatisfy { declaration in
                let file = files[declaration.file], facts = program[declaration]
                return !file.isTest && !file.isThirdParty
                    && !facts.modifiers.contains { $0 == "public" || $0 == "open" } && !facts.attributes.contains { $0.name == "objc" && $0.arguments != nil || AppUnits.isEntry($0) }
            }
        }
        var unnamed = Set(program.types.filter { type in
            type.kind == .class && !Self.namedElsewhere.contains { program.isType(type.id, kindOf: $0) } && isOfAppsAlone(type) && !isNamed(type)
        }.map(\.id))
        // A class is there for those that inherit it.
        let living = program.types.filter { $0.kind == .class && !unnamed.contains($0.id) }
        for type in living { unnamed.subtract(program.chain(of: type.id)) }
        types = unnamed
    }

    /// Whether each class is named, or none can be judged.
    public var isEmpty: Bool { types.isEmpty }

    /// Whether nothing names the class.
    public func contains(_ type: TypeID) -> Bool { types.contains(type) }

    /// The classes that data models, documents and the system name.
    private static let namedElsewhere = ["NSManagedObject", "NSValueTransformer", "ValueTransformer", "NSDocument", "NSEntityMigrationPolicy", "XCTestCase", "NSApplication", "UIApplication"]

    /// Whether the storyboards and xibs that code and property lists speak of are here, so that what they have is known.
    private static func hasInterfaces(_ program: Program, _ named: NamedTypes) -> Bool {
        let resources = program.resources
        guard resources.areInterfacesWhole else { return false }
        if resources.interfaces.isEmpty, ["UIStoryboard", "NSStoryboard", "UINib", "NSNib"].contains(where: named.contains) { return false }
        let here = Set(resources.interfaces.map { String($0.name) })
        return resources.configurations.values.flatMap(\.propertyLists).flatMap(\.mainStoryboards).allSatisfy { $0.contains("$") || here.contains($0) }
    }

    private static func lastPart(_ name: String) -> String { name.split(separator: ".").last.map(String.init) ?? name }
}
