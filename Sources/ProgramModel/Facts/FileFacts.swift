import SourceText

/// The languages that front ends read.
public enum SourceLanguage: String, Hashable, Sendable {
    case swift, objectiveC
}

/// What one file says, as plain values: a function of its text alone.
public struct FileFacts: Sendable {
    public let language: SourceLanguage
    /// The modules that the file imports.
    public let imports: [String]
    /// Every type and extension in order of the text; nested ones follow the one that holds them.
    public let types: [TypeFacts]
    /// Functions and variables outside any type.
    public let members: [MemberFacts]
    /// Type aliases, with the qualified name of the type that holds them.
    public let aliases: [AliasFacts]
    /// The statements outside any declaration, as in `main.swift`; nil when there are none.
    public let topLevel: Body?
    /// The comments that steer the linter.
    public let steering: [SteeringComment]
    /// Where the text could not be parsed, in order.
    public let syntaxErrors: [SyntaxError]
    /// The number of lines.
    public let lineCount: Int
    /// How many messages the bodies of an Objective-C file send, by its tokens.
    public let messageCount: Int
    /// How many of them the parser lost.
    public let lostMessageCount: Int
    /// Whether the text calls or overrides something by a name that Swift 3 did away with.
    public let isOfEarlierSwift: Bool
    /// Whether the code of an Objective-C file counts references itself, as far as its project or its text tells.
    public let countsReferences: Bool
    /// The types that the text names where it does not declare them.
    public let namedTypes: NamedTypes

    /// Makes the facts of a file.
    public init(
        language: SourceLanguage, imports: [String] = [], types: [TypeFacts] = [], members: [MemberFacts] = [],
        aliases: [AliasFacts] = [], topLevel: Body? = nil, steering: [SteeringComment] = [],
        syntaxErrors: [SyntaxError] = [], lineCount: Int = 0, messageCount: Int = 0, lostMessageCount: Int = 0, isOfEarlierSwift: Bool = false,
        countsReferences: Bool = false, namedTypes: NamedTypes = .none
    ) {
        self.countsReferences = countsReferences
        self.namedTypes = namedTypes
        self.messageCount = messageCount
        self.lostMessageCount = lostMessageCount
        self.isOfEarlierSwift = isOfEarlierSwift
        self.language = language
        self.imports = imports
        self.types = types
        self.members = members
        self.aliases = aliases
        self.topLevel = topLevel
        self.steering = steering
        self.syntaxErrors = syntaxErrors
        self.lineCount = lineCount
    }
}

/// A place where a text is not the language.
public struct SyntaxError: Hashable, Sendable {
    public let span: SourceSpan
    /// What is wrong there, in one clause.
    public let message: String
    /// Whether nothing of the file was read.
    public let endsReading: Bool

    /// Makes an error.
    public init(span: SourceSpan, message: String, endsReading: Bool = false) {
        self.span = span
        self.message = message
        self.endsReading = endsReading
    }
}

/// A type alias.
public struct AliasFacts: Hashable, Sendable {
    /// The qualified name.
    public let name: String
    public let target: TypeReference
    public let condition: ConfigurationCondition
    /// Whether no other file sees it.
    public let isPrivate: Bool

    /// Makes an alias.
    public init(name: String, target: TypeReference, condition: ConfigurationCondition, isPrivate: Bool = false) {
        self.name = name
        self.target = target
        self.condition = condition
        self.isPrivate = isPrivate
    }
}

/// A comment that steers the linter: `// lifelint:disable:next rule_id - reason`.
public struct SteeringComment: Hashable, Sendable {
    /// What the comment does.
    public enum Action: String, Hashable, Sendable {
        case disable, enable
    }

    /// Where it does it: from here on, or for one line, or for the file.
    public enum Scope: String, Hashable, Sendable {
        case region, this, next, previous, file
    }

    public let action: Action
    public let scope: Scope
    /// The rules named; `all` stands for every rule.
    public let rules: [String]
    /// The reason after the dash, if there is one.
    public let reason: String?
    public let span: SourceSpan
    /// Whether it is written for the compiler, as a pragma is, so that it is not idle where it hides nothing of ours.
    public let isOfCompiler: Bool

    /// Makes a comment.
    public init(action: Action, scope: Scope, rules: [String], reason: String?, span: SourceSpan, isOfCompiler: Bool = false) {
        self.action = action
        self.scope = scope
        self.rules = rules
        self.reason = reason
        self.span = span
        self.isOfCompiler = isOfCompiler
    }
}
