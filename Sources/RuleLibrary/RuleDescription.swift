import Findings

/// One rule as its page describes it.
public struct RuleDescription: Sendable {
    /// Who decides a finding of the rule.
    public enum DecidedBy: String, Sendable, CaseIterable {
        case `static`, simulation
    }

    /// What a finding harms that matters at the end of an object only.
    public enum Harm: String, Sendable, CaseIterable {
        /// It keeps an object that should be freed.
        case keeps
        /// It leaves something behind when the object is freed.
        case leaves
    }

    /// A piece of code that the rule must report, or must be silent about.
    public struct Example: Sendable {
        /// What the rule says of the code.
        public enum Verdict: String, Sendable, CaseIterable {
            case bad, good
        }

        /// The language of the code.
        public enum Language: String, Sendable, CaseIterable {
            case swift, objectiveC = "objective-c"
        }

        public let title: String
        public let language: Language
        public let verdict: Verdict
        /// The code; in bad examples `// expect: rule_id` stands on each line that must be reported.
        public let code: String
        /// What stands beside the code: a storyboard, a xib, an Info.plist.
        public let files: [File]

        /// A file of an example.
        public struct File: Sendable {
            public let name: String
            public let text: String
        }
    }

    public let id: String
    public let severity: Severity
    /// Whether the rule runs unless it is switched off.
    public let isEnabled: Bool
    public let decidedBy: DecidedBy
    /// The rules whose findings are the same defect as one of this rule when their run passes through its place.
    public let explains: Set<String>
    /// How what it reports does harm; nil where it does not only at the end of an object.
    public let harm: Harm?
    /// What it weighs for older systems; the first that applies holds where it weighs more.
    public let impacts: [TargetImpact]
    /// What the rule reports, as a clause.
    public let summary: String
    public let rationale: String
    /// The seed documents from which the rule comes.
    public let sources: [String]
    public let reference: String
    /// What stays silent.
    public let silent: [String]
    public let examples: [Example]

    init(_ reader: RecordReader) throws(RuleDataError) {
        var reader = reader
        id = try reader.text("id")
        guard id.wholeMatch(of: /[a-z][a-z0-9_]*/) != nil else {
            throw RuleDataError(file: reader.file, line: 1, key: "id", message: "must be in snake_case, not '\(id)'")
        }
        severity = try reader.choice("severity", Severity.self)
        isEnabled = try reader.boolean("enabled", default: true)
        decidedBy = try reader.choice("decided_by", DecidedBy.self, default: .static)
        explains = Set(reader.has("explains") ? try reader.texts("explains") : [])
        harm = reader.has("harm") ? try reader.choice("harm", Harm.self) : nil
        var impacts: [TargetImpact] = []
        for record in try reader.records("impacts", name: "an impact") { impacts.append(try TargetImpact(record)) }
        self.impacts = impacts
        summary = try reader.text("summary")
        rationale = try reader.text("rationale").trimmingLineEnds
        sources = try reader.texts("sources")
        reference = try reader.optionalText("reference") ?? ""
        silent = try reader.texts("silent")
        var examples: [Example] = []
        for record in try reader.records("examples", name: "an example") {
            var record = record
            var files: [Example.File] = []
            for file in record.has("files") ? try record.records("files", name: "a file") : [] {
                var file = file
                files.append(Example.File(name: try file.text("name"), text: try file.text("text")))
                try file.finish()
            }
            examples.append(Example(
                title: try record.text("title"), language: try record.choice("language", Example.Language.self),
                verdict: try record.choice("verdict", Example.Verdict.self), code: try record.text("code"), files: files))
            try record.finish()
        }
        self.examples = examples
        try reader.finish()
    }
}

extension String {
    fileprivate var trimmingLineEnds: String {
        var text = Substring(self)
        while let last = text.last, last.isNewline { text.removeLast() }
        return String(text)
    }
}
