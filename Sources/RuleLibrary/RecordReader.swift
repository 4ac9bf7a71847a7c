/// Reads one mapping of a data file key by key, and complains of keys that nobody asked for.
struct RecordReader {
    let file: String
    private let name: String
    let line: Int
    private var pairs: [String: (value: YAMLNode, line: Int)] = [:]
    private var asked: Set<String> = []

    /// Opens a mapping; `name` says in errors what it describes.
    init(_ node: YAMLNode, file: String, name: String) throws(RuleDataError) {
        guard case .mapping(let pairs) = node.value else {
            throw RuleDataError(file: file, line: node.position.line, key: nil, message: "\(name) must be a mapping of keys to values")
        }
        self.file = file
        self.name = name
        line = node.position.line
        for pair in pairs { self.pairs[pair.key] = (pair.value, pair.position.line) }
    }

    /// The value of a key that may be absent.
    mutating func optional(_ key: String) -> YAMLNode? {
        asked.insert(key)
        return pairs[key]?.value
    }

    /// The value of a key that must be there.
    mutating func required(_ key: String) throws(RuleDataError) -> YAMLNode {
        guard let value = optional(key) else {
            throw RuleDataError(file: file, line: line, key: key, message: "\(name) must have it")
        }
        return value
    }

    mutating func text(_ key: String) throws(RuleDataError) -> String {
        try text(required(key), key)
    }

    mutating func optionalText(_ key: String) throws(RuleDataError) -> String? {
        guard let value = optional(key) else { return nil }
        return try text(value, key)
    }

    mutating func texts(_ key: String) throws(RuleDataError) -> [String] {
        guard let value = optional(key) else { return [] }
        guard case .sequence(let items) = value.value else { throw error(value, key, "must be a list") }
        var texts: [String] = []
        for item in items { texts.append(try text(item, key)) }
        return texts
    }

    mutating func boolean(_ key: String, default standard: Bool) throws(RuleDataError) -> Bool {
        guard let value = optional(key) else { return standard }
        switch try text(value, key) {
        case "true": return true
        case "false": return false
        case let other: throw error(value, key, "must be true or false, not '\(other)'")
        }
    }

    /// Whether the mapping has the key.
    func has(_ key: String) -> Bool { pairs[key] != nil }

    mutating func optionalInteger(_ key: String) throws(RuleDataError) -> Int? {
        guard let value = optional(key) else { return nil }
        return try integer(value, key)
    }

    mutating func integers(_ key: String) throws(RuleDataError) -> [Int] {
        guard let value = optional(key) else { return [] }
        guard case .sequence(let items) = value.value else { throw error(value, key, "must be a list") }
        var numbers: [Int] = []
        for item in items { numbers.append(try integer(item, key)) }
        return numbers
    }

    private func integer(_ node: YAMLNode, _ key: String) throws(RuleDataError) -> Int {
        let word = try text(node, key)
        guard let number = Int(word) else { throw error(node, key, "must be a whole number, not '\(word)'") }
        return number
    }

    /// A value that must be one of an enumeration's words.
    mutating func choice<Choice>(_ key: String, _ type: Choice.Type, default standard: Choice? = nil) throws(RuleDataError) -> Choice
    where Choice: RawRepresentable<String> & CaseIterable {
        guard let value = optional(key) else {
            if let standard { return standard }
            throw RuleDataError(file: file, line: line, key: key, message: "\(name) must have it")
        }
        let word = try text(value, key)
        guard let choice = Choice(rawValue: word) else {
            throw error(value, key, "must be one of \(Choice.allCases.map(\.rawValue).joined(separator: ", ")), not '\(word)'")
        }
        return choice
    }

    /// A list of mappings.
    mutating func records(_ key: String, name: String) throws(RuleDataError) -> [RecordReader] {
        guard let value = optional(key) else { return [] }
        guard case .sequence(let items) = value.value else { throw error(value, key, "must be a list") }
        var records: [RecordReader] = []
        for item in items { records.append(try RecordReader(item, file: file, name: name)) }
        return records
    }

    /// A mapping from names to words, in order of the text.
    mutating func words(_ key: String) throws(RuleDataError) -> [(key: String, value: String, line: Int)] {
        guard let value = optional(key) else { return [] }
        return try Self.words(value, key, file: file)
    }

    /// A mapping from names to such mappings.
    mutating func tables(_ key: String) throws(RuleDataError) -> [(key: String, value: [(key: String, value: String, line: Int)])] {
        guard let value = optional(key) else { return [] }
        guard case .mapping(let pairs) = value.value else { throw error(value, key, "must be a mapping of keys to values") }
        var tables: [(key: String, value: [(key: String, value: String, line: Int)])] = []
        for pair in pairs { tables.append((pair.key, try Self.words(pair.value, "\(key).\(pair.key)", file: file))) }
        return tables
    }

    private static func words(_ node: YAMLNode, _ key: String, file: String) throws(RuleDataError) -> [(key: String, value: String, line: Int)] {
        guard case .mapping(let pairs) = node.value else {
            throw RuleDataError(file: file, line: node.position.line, key: key, message: "must be a mapping of keys to values")
        }
        var words: [(key: String, value: String, line: Int)] = []
        for pair in pairs {
            guard case .scalar(let word, _) = pair.value.value else {
                throw RuleDataError(file: file, line: pair.position.line, key: "\(key).\(pair.key)", message: "must be a single word or text")
            }
            words.append((pair.key, word, pair.position.line))
        }
        return words
    }

    /// Complains of the first key that was never asked for.
    func finish() throws(RuleDataError) {
        let unknown = pairs.filter { !asked.contains($0.key) }.min { $0.value.line < $1.value.line }
        if let unknown {
            throw RuleDataError(file: file, line: unknown.value.line, key: unknown.key,
                                message: "is not known for \(name); known are \(asked.sorted().joined(separator: ", "))")
        }
    }

    func error(_ node: YAMLNode, _ key: String, _ message: String) -> RuleDataError {
        RuleDataError(file: file, line: node.position.line, key: key, message: message)
    }

    private func text(_ node: YAMLNode, _ key: String) throws(RuleDataError) -> String {
        guard case .scalar(let text, _) = node.value else { throw error(node, key, "must be a single word or text") }
        return text
    }
}
