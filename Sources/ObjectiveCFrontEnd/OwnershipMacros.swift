/// A macro by which a block holds a variable weakly, `Weakify(self)`, or takes it back for its own time, `Strongify(self)`, as libraries
/// have them whose headers are not here; libextobjc's, which others are written after, shadows the variable.
struct OwnershipMacro: Hashable {
    let name: String
    let isStrong: Bool
    /// Whether it is written behind an `@`, which needs a word that it makes a directive of.
    let isDirective: Bool

    /// What stands for it where no header defines it.
    var definition: String {
        let ownership = isStrong ? "__strong __typeof__(name) name = name##_weak_;" : "__weak __typeof__(name) name##_weak_ = name;"
        return "#ifndef \(name)\n#define \(name)(name, ...) \(isDirective ? "autoreleasepool {} " : "")\(ownership)\n#endif"
    }
}

extension TokenList {
    /// The macros of the text that say of a variable how blocks hold it, as their names tell; those of one name once.
    var ownershipMacros: [OwnershipMacro] {
        var found: [OwnershipMacro] = []
        for (index, token) in all.enumerated() where token.kind == .word && !token.isDirective {
            guard index + 2 < all.count, matches(all[index + 1], "("), all[index + 2].kind == .word else { continue }
            let name = text(token)
            let lowercased = name.lowercased()
            let isDirective = index > 0 && matches(all[index - 1], "@")
            let isStrong = lowercased.contains("strongify") || isDirective && lowercased.contains("strong")
            guard isStrong || lowercased.contains("weakify") || isDirective && lowercased.contains("weak") else { continue }
            guard !found.contains(where: { $0.name == name }) else { continue }
            found.append(OwnershipMacro(name: name, isStrong: isStrong, isDirective: isDirective))
        }
        return found
    }
}
