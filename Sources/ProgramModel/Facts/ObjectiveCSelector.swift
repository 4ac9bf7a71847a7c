/// How Swift names become Objective-C selectors.
public enum ObjectiveCSelector {
    /// The selector of a Swift function: the first label is joined with `With` unless it begins with a preposition.
    /// Source: Swift's rules for exposing declarations to Objective-C (SE-0005 and the compiler's `ObjCSelector`).
    public static func name(ofFunction baseName: String, labels: [String?]) -> String {
        guard let first = labels.first else { return baseName }
        var selector = baseName
        if let label = first, !label.isEmpty {
            if !prepositions.contains(firstWord(of: label)) { selector += "With" }
            selector += label.prefix(1).uppercased() + label.dropFirst()
        }
        selector += ":"
        for label in labels.dropFirst() { selector += (label ?? "") + ":" }
        return selector
    }

    /// The base name of the method that the text of a selector names, in the spelling of either language: `tick` of `tick`, `tick:` and
    /// `Self.tick(_:)`; nil where it names none.
    public static func baseName(of selector: String) -> String? {
        selector.prefix { $0 != "(" && $0 != ":" }.split(separator: ".").last.map(String.init)
    }

    /// What `NSStringFromSelector` gives for a selector without arguments, which mostly is a key path: of `getter: Player.rate` the property.
    public static func keyPath(of selector: String) -> String {
        let name = selector.hasPrefix("getter:") ? String(selector.dropFirst("getter:".count).drop { $0 == " " }) : selector
        return name.contains(":") ? name : baseName(of: name) ?? name
    }

    /// How a word of a selector begins as a label: `callback` for `Callback`, `urlString` for `URLString`.
    public static func label(of word: String) -> String {
        let capitals = word.prefix { $0.isUppercase }
        if capitals.count <= 1 || capitals.count == word.count { return capitals.lowercased() + word.dropFirst(capitals.count) }
        return capitals.dropLast().lowercased() + word.dropFirst(capitals.count - 1)
    }

    /// Whether a word in small letters is a preposition as the importer knows them.
    static func isPreposition(_ word: String) -> Bool { prepositions.contains(word) }

    private static func firstWord(of label: String) -> String {
        String(label.prefix { $0.isLowercase })
    }

    private static let prepositions: Set<String> = [
        "above", "after", "along", "alongside", "as", "at", "before", "below", "by", "following", "for", "from", "given",
        "in", "including", "inside", "into", "matching", "of", "on", "passing", "preceding", "since", "to", "until", "using", "via",
        "when", "with", "within",
    ]
}
