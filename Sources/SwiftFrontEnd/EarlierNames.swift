import ProgramModel

/// How Swift named the SDK's methods before Swift 3: by their selectors, the first argument without a label.
/// The program model knows every method by the name of today.
public struct EarlierNames: Sendable {
    /// What comes in the place of a name.
    struct Name {
        let base: String
        let labels: [String?]
    }

    /// The names of today by those of then, `presentViewController(_:animated:completion:)`, whether they differ or not.
    private var names: [String: Name] = [:]
    /// The same for calls whose last argument is a trailing closure, by the labels before it.
    private var trailing: [String: Name] = [:]
    /// What stands before the parentheses of those names.
    private var bases: Set<String> = []

    /// Methods without arguments that are properties of another name since Swift 3.
    static let accessors: Set<String> = [
        "defaultCenter", "sharedApplication", "mainScreen", "mainBundle", "currentDevice", "standardUserDefaults", "defaultManager", "mainRunLoop", "currentRunLoop", "mainQueue",
        "sharedSession", "generalPasteboard", "sharedWorkspace",
    ]

    /// A table without names: text of today's Swift needs none.
    public static let none = EarlierNames(selectors: [:])

    /// Makes the table from selectors with their full Swift names, `static` left out; what became an initialiser is left out as well.
    public init(selectors: [String: String]) {
        for (selector, full) in selectors where selector.hasSuffix(":") {
            let parts = selector.dropLast().split(separator: ":", omittingEmptySubsequences: false).map(String.init)
            guard let name = Self.parse(full), name.base != "init", name.labels.count == parts.count else { continue }
            let labels: [String?] = [nil] + parts.dropFirst().map(Optional.some)
            names[Self.key(parts[0], labels)] = name
            if parts.count > 1 { trailing[Self.key(parts[0], labels.dropLast())] = name }
            bases.insert(parts[0])
        }
    }

    /// The name of today for a call; nil where the text has it already.
    func name(ofCall base: String, _ arguments: [Argument]) -> Name? {
        guard bases.contains(base), let first = arguments.first, first.label == nil else { return nil }
        let isTrailing = arguments.last?.isTrailing == true && arguments.count > 1
        let found = isTrailing ? trailing[Self.key(base, arguments.dropLast().map(\.label))] : names[Self.key(base, arguments.map(\.label))]
        return found.flatMap { $0.base == base && $0.labels == arguments.map(\.label) ? nil : $0 }
    }

    /// The name of today for a declaration that takes its first argument without a label though it writes none to leave out, as all did then:
    /// an override, or a delegate's method that begins with who sends it, `tableView(tableView:…)`.
    func name(ofFunction base: String, _ parameters: [MemberFacts.Parameter], isOverride: Bool) -> Name? {
        guard bases.contains(base), let first = parameters.first, let label = first.label, label == first.name, isOverride || label == base else { return nil }
        return names[Self.key(base, [nil] + parameters.dropFirst().map(\.label))]
    }

    private static func key(_ base: String, _ labels: some Sequence<String?>) -> String { base + "(" + labels.map { ($0 ?? "_") + ":" }.joined() + ")" }

    private static func parse(_ full: String) -> Name? {
        guard let opening = full.firstIndex(of: "("), full.hasSuffix(")") else { return nil }
        return Name(base: String(full[..<opening]), labels: full[full.index(after: opening)...].dropLast().split(separator: ":").map { $0 == "_" ? nil : String($0) })
    }
}
