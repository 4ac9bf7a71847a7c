/// What tells that a class of a module that is not here descends from one of the SDK: Cocoa's habit of ending names with the kind
/// of thing holds for libraries, too, and `override` in a subclass proves that the class has the method.
public struct GuessedBase: Sendable {
    let className: String
    let ends: [String]
    let overrides: Set<String>
    let proofs: Set<String>
    let imports: Set<String>

    /// Makes what tells of a class: how names end, full names of methods that tell with such a name and of those that do alone, and the
    /// modules of which a file imports one; none for any.
    public init(_ className: String, ends: [String], overrides: Set<String>, proofs: Set<String> = [], imports: Set<String> = []) {
        (self.className, self.ends, self.overrides, self.proofs, self.imports) = (className, ends, overrides, proofs, imports)
    }

    fileprivate func isMeant(in facts: FileFacts) -> Bool { imports.isEmpty || facts.imports.contains(where: imports.contains) }
    fileprivate func fits(_ name: String) -> Bool { ends.contains { name.hasSuffix($0) } }
}

extension PlatformKnowledge {
    /// What a class of a module that is not here must be by its name alone, for a file.
    public func guessedClass(named name: String, usedIn facts: FileFacts) -> String? {
        let last = String(name.split(separator: ".").last ?? "")
        return guesses(in: facts).first { $0.fits(last) }?.className
    }

    /// Those that the imports of the file prove come first.
    private func guesses(in facts: FileFacts) -> [GuessedBase] {
        let meant = guessedBases.filter { $0.isMeant(in: facts) }
        return meant.filter { !$0.imports.isEmpty } + meant.filter(\.imports.isEmpty)
    }

    /// What the base of classes must be, which all override methods of it; `names` from the base on.
    func guessedClass(overriding methods: Set<String>, names: [String], usedIn facts: FileFacts) -> String? {
        let guesses = guesses(in: facts)
        let named = guesses.filter { !$0.overrides.isDisjoint(with: methods) }
        return (names.lazy.compactMap { name in named.first { $0.fits(name) } }.first ?? guesses.first { !$0.proofs.isDisjoint(with: methods) })?.className
    }
}

extension Program {
    /// Whether the chain above a type ends at a class of a module that is not here.
    public func hasForeignBase(_ type: TypeID) -> Bool {
        if case .foreign = ancestry(of: type).root { true } else { false }
    }

    /// The class of the SDK above each type: the known one, or what a base that is not here must be by the methods of it that the
    /// project's classes override.
    static func platformClasses(_ types: [ProgramType], _ ancestries: [Ancestry], _ files: [ProgramFile], _ platform: PlatformKnowledge) -> [String?] {
        zip(types, ancestries).map { type, ancestry in
            switch ancestry.root {
            case .platform(let name): return name
            case .none, .ambiguous: return nil
            case .foreign(let base):
                let chain = [type] + ancestry.projectTypes.map { types[$0.index] }
                let methods = Set(chain.flatMap { overrides(of: $0, files) })
                guard !methods.isEmpty else { return nil }
                return platform.guessedClass(overriding: methods, names: [base] + chain.reversed().map(\.name), usedIn: files[type.file].facts)
            }
        }
    }

    private static func overrides(of type: ProgramType, _ files: [ProgramFile]) -> [String] {
        type.declarations.flatMap { declaration -> [String] in
            files[declaration.file].facts.types[declaration.index].members.filter { $0.isOverride && !$0.isStatic && $0.kind == .function }.map(\.fullName)
        }
    }
}
