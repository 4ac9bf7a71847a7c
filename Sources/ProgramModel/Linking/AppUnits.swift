/// The units of a program that are apps: what only they have is there for nobody else, as a library's code is.
public struct AppUnits: Sendable {
    private let units: Set<Int>
    private let program: Program

    /// Looks for what an app begins with.
    public init(_ program: Program) {
        self.program = program
        units = program.files.reduce(into: []) { units, file in
            if !file.isTest, Self.entries.contains(where: file.facts.namedTypes.contains) || Self.declaresEntry(file) { units.formUnion(file.units) }
        }
    }

    /// Whether there is none.
    var isEmpty: Bool { units.isEmpty }

    /// Whether apps alone have all declarations of a type.
    public func haveAlone(_ type: ProgramType) -> Bool {
        type.declarations.allSatisfy { !program.files[$0.file].isSampled && program.files[$0.file].units.allSatisfy(units.contains) }
    }

    /// Whether an attribute marks the type with which an app begins.
    static func isEntry(_ attribute: AttributeFacts) -> Bool { attributes.contains(attribute.name) }

    private static let entries = ["UIApplicationMain", "NSApplicationMain"]
    private static let attributes: Set<String> = ["main", "UIApplicationMain", "NSApplicationMain"]

    private static func declaresEntry(_ file: ProgramFile) -> Bool { file.facts.types.contains { $0.attributes.contains(where: isEntry) } }
}
