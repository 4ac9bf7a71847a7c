/// Something of the SDK that an app may only use if its Info.plist says so.
public struct Capability: Sendable {
    /// One way in which code uses it.
    public struct Use: Hashable, Sendable {
        /// What the code does.
        public enum Kind: Hashable, Sendable {
            /// It calls the method; with a word, only where an argument is the constant that ends in it.
            case call(String, word: String?)
            /// It sets the property to the constant that ends in the word.
            case write(String, word: String)
            /// It makes an object, with an argument of this label where one is named.
            case make(label: String?)
        }

        /// The class; nil for a free function.
        public let owner: String?
        public let kind: Kind

        /// Reads `Class.method`, `Class.method word`, `Class.property = word`, `Class()`, `Class(label:)` and `function`; nil for other text.
        init?(_ text: String) {
            let words = text.split(separator: " ").map(String.init)
            guard let first = words.first else { return nil }
            if let dot = first.firstIndex(of: ".") {
                owner = String(first[..<dot])
                let member = String(first[first.index(after: dot)...])
                switch (words.count, words.dropFirst().first) {
                case (1, _): kind = .call(member, word: nil)
                case (2, let word?): kind = .call(member, word: word)
                case (3, "="): kind = .write(member, word: words[2])
                default: return nil
                }
            } else if words.count == 1, let open = first.firstIndex(of: "("), first.hasSuffix(")") {
                let label = first[first.index(after: open)...].dropLast().split(separator: ":").first.map(String.init)
                (owner, kind) = (String(first[..<open]), .make(label: label))
            } else if words.count == 1 {
                (owner, kind) = (nil, .call(first, word: nil))
            } else {
                return nil
            }
        }
    }

    public let uses: [Use]
    /// The keys of which one must be there.
    public let keys: [String]
    /// The background mode that must be listed; nil where none is needed.
    public let backgroundMode: String?
    /// What happens without, as a clause.
    public let harm: String

    /// Reads the records of one file.
    static func read(_ reader: RecordReader) throws(RuleDataError) -> [Capability] {
        var reader = reader
        _ = (try reader.text("capabilities"), try reader.text("source"))
        var found: [Capability] = []
        for record in try reader.records("of", name: "a capability") {
            var record = record
            let texts = try record.texts("uses")
            let uses = texts.compactMap { Use($0) }
            guard !texts.isEmpty, uses.count == texts.count else {
                throw RuleDataError(file: record.file, line: record.line, key: "uses", message: "must list calls as 'Class.method' or 'Class(label:)', and properties as 'Class.property = word'")
            }
            found.append(Capability(uses: uses, keys: try record.texts("keys"), backgroundMode: try record.optionalText("mode"), harm: try record.text("harm")))
            try record.finish()
        }
        try reader.finish()
        return found
    }
}
