import ProgramModel
import RuleLibrary

extension PlatformKnowledge {
    /// The linker's knowledge of the SDK, from the tables of the rule data.
    convenience init(_ library: RuleLibrary) {
        var superclasses: [String: String] = [:]
        var protocols: Set<String> = []
        var properties: [String: [String: TypeReference]] = [:]
        var methods: [String: [String: TypeReference]] = [:]
        for framework in library.frameworks {
            for row in framework.classes { superclasses[row.name] = row.superclass }
            protocols.formUnion(framework.protocols)
            for (name, table) in framework.properties { properties[name, default: [:]].merge(table.mapValues(Self.reference)) { first, _ in first } }
            for (name, table) in framework.methods { methods[name, default: [:]].merge(table.mapValues(Self.reference)) { first, _ in first } }
        }
        var libraryClasses: Set<String> = []
        for lifecycle in library.lifecycles.values {
            guard let superclass = lifecycle.superclass else { continue }
            if superclasses[lifecycle.name] == nil { libraryClasses.insert(lifecycle.name) }
            superclasses[lifecycle.name] = superclass
        }
        let guesses = library.frameworks.flatMap(\.guessedBases).map {
            GuessedBase($0.className, ends: $0.ends, overrides: Set($0.overrides), proofs: Set($0.proofs), imports: Set($0.imports))
        }
        let roots = Set(superclasses.values).subtracting(superclasses.keys)
        self.init(
            superclasses: superclasses, rootClasses: roots, libraryClasses: libraryClasses, protocols: protocols, properties: properties, methods: methods,
            givingBack: Set(library.closureRoles.filter { $0.value == .withReceiver }.keys), guessedBases: guesses)
    }

    /// A type as the tables write it: `UIView`, `[UIView]`.
    private static func reference(_ text: String) -> TypeReference {
        if text.hasPrefix("["), text.hasSuffix("]") {
            return TypeReference("Array", arguments: [reference(String(text.dropFirst().dropLast()))])
        }
        return TypeReference(text)
    }
}
