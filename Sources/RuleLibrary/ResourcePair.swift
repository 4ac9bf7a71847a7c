/// A begin and its end, which must balance.
public struct ResourcePair: Sendable {
    /// Who has to end what was begun.
    public enum Scope: String, Sendable, CaseIterable {
        /// The function that begins, on every way out.
        case function
        /// Somebody, at some time.
        case project
    }

    /// A call, or the setting of a property to a truth value.
    public struct Step: Hashable, Sendable {
        /// The base name of the call, or the property's name.
        public let name: String
        /// What the property is set to; nil for a call.
        public let value: Bool?

        /// How code writes it.
        public var title: String { value.map { "\(name) = \($0)" } ?? name }

        /// Reads `name`, `name = true` or `name = false`; nil for other text.
        init?(_ text: String) {
            let parts = text.split(separator: " ").map(String.init)
            guard let first = parts.first, first.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) else { return nil }
            switch (parts.count, parts.dropFirst().first, parts.last) {
            case (1, _, _): (name, value) = (first, nil)
            case (3, "=", "true"): (name, value) = (first, true)
            case (3, "=", "false"): (name, value) = (first, false)
            default: return nil
            }
        }
    }

    /// What lasts between the two, with its article.
    public let title: String
    public let scope: Scope
    /// The class on which both are; nil where the names say enough.
    public let receiver: String?
    public let begin: [Step]
    public let end: [Step]
    /// Calls whose value is nil exactly when the begin did nothing.
    public let present: Set<String>
    /// Calls by which a function that begins takes what it wanted, so that it is the one to end.
    public let taken: Set<String>
    /// What becomes of it when the end is missing, as a clause.
    public let harm: String

    /// Reads the records of one file.
    static func read(_ reader: RecordReader) throws(RuleDataError) -> [ResourcePair] {
        var reader = reader
        _ = (try reader.text("pairs"), try reader.text("source"))
        var pairs: [ResourcePair] = []
        for record in try reader.records("of", name: "a pair") {
            var record = record
            pairs.append(ResourcePair(
                title: try record.text("title"), scope: try record.choice("scope", Scope.self), receiver: try record.optionalText("receiver"),
                begin: try steps(&record, "begin"), end: try steps(&record, "end"), present: Set(try record.texts("present")),
                taken: Set(try record.texts("taken")), harm: try record.text("harm")))
            try record.finish()
        }
        try reader.finish()
        return pairs
    }

    private static func steps(_ record: inout RecordReader, _ key: String) throws(RuleDataError) -> [Step] {
        let texts = try record.texts(key)
        let steps = texts.compactMap { Step($0) }
        guard !texts.isEmpty, steps.count == texts.count else {
            throw RuleDataError(file: record.file, line: record.line, key: key, message: "must list names of calls, or properties as 'name = true'")
        }
        return steps
    }
}
