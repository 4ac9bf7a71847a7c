import ProgramModel

/// How Swift spells the API of Objective-C: the program model knows every API by its Swift name.
public struct ImportedNames: Sendable {
    /// Selectors with their full Swift names, where the rule below does not give them.
    private let selectors: [String: String]
    /// Selectors that begin like those of initialisers and are none.
    private var plain: Set<String> = []

    /// Makes the table: selectors with full Swift names, `static` left out.
    public init(selectors: [String: String]) {
        self.selectors = selectors
    }

    /// A Swift name: what stands before the parentheses, and the labels.
    struct Name: Hashable {
        let base: String
        let labels: [String?]

        /// The name with labels, `name(label:_:)`.
        var full: String { base + "(" + labels.map { ($0 ?? "_") + ":" }.joined() + ")" }
    }

    /// The Swift name of a selector: as the table says, else the parts as they are, with the first for the base; initialisers as Swift imports them.
    func name(ofSelector selector: String) -> Name {
        if let known = selectors[selector] { return Self.parse(known) }
        let parts = selector.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let count = selector.filter { $0 == ":" }.count
        let first = parts.first ?? ""
        if Self.isInitializer(first), !plain.contains(selector) {
            // `_initWithName:` beside `initWithName:` is another one.
            let underscores = first.prefix { $0 == "_" }
            var label = String(first.dropFirst(underscores.count + "init".count))
            if label.hasPrefix("With") { label = String(label.dropFirst("With".count)) }
            guard count > 0 else { return underscores.isEmpty ? Name(base: "init", labels: []) : Name(base: first, labels: []) }
            let known = label.isEmpty ? (underscores.isEmpty ? nil : "_") : underscores + ObjectiveCSelector.label(of: label)
            return Name(base: "init", labels: [known] + parts[1..<count].map { $0.isEmpty ? nil : $0 })
        }
        guard count > 0 else { return Name(base: first, labels: []) }
        return Name(base: first, labels: [nil] + parts[1..<count].map { $0.isEmpty ? nil : $0 })
    }

    /// The names where some selectors that begin like those of initialisers belong to other methods.
    func excepting(_ plain: Set<String>) -> ImportedNames {
        var names = self
        names.plain = plain
        return names
    }

    /// Whether the table has a name of its own for the selector.
    func knows(_ selector: String) -> Bool { selectors[selector] != nil }

    /// Whether a selector that begins so makes an object that is allocated already; underscores before the word do not count (the method
    /// families of Clang's "Automatic Reference Counting", section "Method families").
    static func isInitializer(_ first: String) -> Bool {
        let word = first.drop { $0 == "_" }
        return word.hasPrefix("init") && (word.count == 4 || word[word.index(word.startIndex, offsetBy: 4)].isUppercase)
    }

    private static func parse(_ full: String) -> Name {
        guard let opening = full.firstIndex(of: "(") else { return Name(base: full, labels: []) }
        let labels = full[full.index(after: opening)...].dropLast().split(separator: ":").map { $0 == "_" ? nil : String($0) }
        return Name(base: String(full[..<opening]), labels: labels)
    }
}
