import ProgramModel

/// What a path knows of the subject of a switch: the cases that it may be, or those that it is not.
struct SelectKnowledge {
    /// The cases that the subject can be; nil when only `excluded` is known.
    private let possible: Set<String>?
    private let excluded: Set<String>

    private init(possible: Set<String>?, excluded: Set<String>) {
        self.possible = possible
        self.excluded = excluded
    }

    /// The knowledge that a path's choices hold of a subject.
    init(_ choices: [String: Bool], _ subject: String) {
        var possible: Set<String>?
        var excluded: Set<String> = []
        for key in choices.keys {
            if let list = Self.list(key, Self.isOneOf(subject)) { possible = list }
            if let list = Self.list(key, Self.isNoneOf(subject)) { excluded = list }
        }
        self.init(possible: possible, excluded: excluded)
    }

    /// The knowledge after the case was taken; nil when it cannot be.
    func taking(_ index: Int, of cases: [[String]]) -> SelectKnowledge? {
        let own = Set(cases[index])
        // A case further up takes what it names first.
        let earlier = Set(cases[..<index].flatMap { $0 })
        guard own.isEmpty else {
            let rest = (possible.map(own.intersection) ?? own.subtracting(excluded)).subtracting(earlier)
            return rest.isEmpty ? nil : SelectKnowledge(possible: rest, excluded: [])
        }
        let named = Set(cases.flatMap { $0 })
        if let possible {
            let rest = possible.subtracting(named)
            return rest.isEmpty ? nil : SelectKnowledge(possible: rest, excluded: [])
        }
        return SelectKnowledge(possible: nil, excluded: excluded.union(named))
    }

    /// Puts the knowledge among the choices of a path.
    func store(in choices: inout [String: Bool], _ subject: String) {
        choices = choices.filter { !$0.key.hasPrefix(Self.isOneOf(subject)) && !$0.key.hasPrefix(Self.isNoneOf(subject)) }
        if let possible {
            choices[Self.isOneOf(subject) + possible.sorted().joined(separator: "|")] = true
        } else if !excluded.isEmpty {
            choices[Self.isNoneOf(subject) + excluded.sorted().joined(separator: "|")] = true
        }
    }

    /// The names of the cases that a case takes, empty for `default`; nil when a pattern can fail for a case that it names.
    static func names(_ one: SelectCase) -> [String]? {
        var names: [String] = []
        for item in one.items {
            guard item.guards.isEmpty else { return nil }
            switch item.pattern {
            case .enumCase(let name, let parts) where parts.allSatisfy(isCertain): names.append(name)
            case .value(.constant(let constant)): names.append("\(constant)")
            default: return nil
            }
        }
        return names
    }

    private static func isCertain(_ pattern: Pattern) -> Bool {
        switch pattern {
        case .wildcard, .bind: true
        case .tuple(let parts): parts.allSatisfy(isCertain)
        default: false
        }
    }

    private static func isOneOf(_ subject: String) -> String { "switch \(subject) in " }
    private static func isNoneOf(_ subject: String) -> String { "switch \(subject) not in " }

    private static func list(_ key: String, _ prefix: String) -> Set<String>? {
        key.hasPrefix(prefix) ? Set(key.dropFirst(prefix.count).split(separator: "|").map(String.init)) : nil
    }
}
