/// Where a name is written: what it means depends on the file's units and on the enclosing type.
public struct Scope: Hashable, Sendable {
    public let file: Int
    /// The qualified name of the enclosing type; empty outside types.
    public let typeName: String

    /// Makes a scope.
    public init(file: Int, typeName: String) {
        self.file = file
        self.typeName = typeName
    }
}

/// What a type's name means at a place.
public enum TypeResolution: Hashable, Sendable {
    /// One type of the project; several when only a guess could choose between them.
    case project([TypeID])
    case platform(String)
    case unknown(String)
}

extension Program {
    /// What a reference means in a scope: nested types of the enclosing ones first, then the own units, the SDK, other units.
    public func resolve(_ reference: TypeReference, in scope: Scope, under condition: ConfigurationCondition = .always) -> TypeResolution {
        resolve(name: reference.name, in: scope, under: condition, expanding: [])
    }

    /// The parts of a composition, also of one that an alias names.
    public func parts(of reference: TypeReference, in scope: Scope) -> [TypeReference] {
        if reference.name == "&" { return reference.arguments.flatMap { parts(of: $0, in: scope) } }
        if let alias = (aliasesByName[reference.name] ?? []).first(where: { $0.alias.target.name == "&" && sharesUnit($0.file, scope.file) }) {
            return alias.alias.target.arguments.flatMap { $0.name == reference.name ? [] : parts(of: $0, in: scope) }
        }
        return [reference]
    }

    /// `expanding` are the aliases that led here: none of them is meant again, as by the last word of `typealias Row = Database.Row`.
    private func resolve(name: String, in scope: Scope, under condition: ConfigurationCondition, expanding: Set<String>) -> TypeResolution {
        guard expanding.count < 8 else { return .unknown(name) }
        var outer = scope.typeName
        while true {
            let qualified = outer.isEmpty ? name : "\(outer).\(name)"
            if let found = resolve(qualified: qualified, in: scope, under: condition, expanding: expanding, ownUnitsOnly: true) { return found }
            guard !outer.isEmpty else { break }
            outer = outer.lastIndex(of: ".").map { String(outer[..<$0]) } ?? ""
        }
        if isPlatformName(name) { return .platform(name) }
        if let found = resolve(qualified: name, in: scope, under: condition, expanding: expanding, ownUnitsOnly: false) { return found }
        if let dot = name.firstIndex(of: ".") {
            // `UIKit.UIView` names its module first.
            let rest = String(name[name.index(after: dot)...])
            let tail = resolve(name: rest, in: Scope(file: scope.file, typeName: ""), under: condition, expanding: expanding)
            if case .unknown = tail { return .unknown(name) }
            if files[scope.file].facts.imports.contains(where: { $0.split(separator: ".").first == name[..<dot] }) { return only(ofModule: name[..<dot], tail) }
        }
        return .unknown(name)
    }

    /// The one of several types of a name that a unit with the module's name has; all of them where none does.
    private func only(ofModule module: Substring, _ found: TypeResolution) -> TypeResolution {
        guard case .project(let candidates) = found, candidates.count > 1 else { return found }
        let inModule = candidates.filter { candidate in files[types[candidate.index].file].units.contains { units[$0].name.split(separator: "/").last == module } }
        return inModule.count == 1 ? .project(inModule) : found
    }

    private func isPlatformName(_ name: String) -> Bool {
        platform.isClass(name) || platform.protocols.contains(name)
    }

    private func resolve(
        qualified name: String, in scope: Scope, under condition: ConfigurationCondition, expanding: Set<String>, ownUnitsOnly: Bool
    ) -> TypeResolution? {
        let candidates = (typesByName[name] ?? []).filter {
            types[$0.index].condition.isCompatible(with: condition) && sharesUnit(types[$0.index].file, scope.file) == ownUnitsOnly
                && isVisible($0, from: scope.file)
        }
        if !candidates.isEmpty { return .project(preferred(candidates, from: scope.file)) }
        let aliases = expanding.contains(name) ? [] : (aliasesByName[name] ?? []).filter {
            (!$0.alias.isPrivate || $0.file == scope.file) && $0.alias.condition.isCompatible(with: condition) && sharesUnit($0.file, scope.file) == ownUnitsOnly
        }
        let meanings = aliases.map { alias in
            let outer = alias.alias.name.lastIndex(of: ".").map { String(alias.alias.name[..<$0]) } ?? ""
            return resolve(name: alias.alias.target.name, in: Scope(file: alias.file, typeName: outer),
                           under: condition.and(alias.alias.condition), expanding: expanding.union([name]))
        }
        guard let first = meanings.first else { return nil }
        return meanings.allSatisfy { $0 == first } ? first : .unknown(name)
    }

    /// What is private at the top of a file, or private in a type, is not seen from other files.
    private func isVisible(_ type: TypeID, from file: Int) -> Bool {
        guard types[type.index].file != file, let declaration = types[type.index].declarations.first else { return true }
        let modifiers = self[declaration].modifiers
        return !modifiers.contains("private") && !modifiers.contains("fileprivate")
    }

    /// A type of the same file hides others of its name; so does the only one that is not private to a test.
    private func preferred(_ candidates: [TypeID], from file: Int) -> [TypeID] {
        guard candidates.count > 1 else { return candidates }
        let same = candidates.filter { types[$0.index].file == file }
        if same.count == 1 { return same }
        if !files[file].isTest {
            let real = candidates.filter { !files[types[$0.index].file].isTest }
            if real.count == 1 { return real }
        }
        return candidates
    }

    func sharesUnit(_ first: Int, _ second: Int) -> Bool {
        first == second || files[first].units.contains { files[second].units.contains($0) }
    }
}
