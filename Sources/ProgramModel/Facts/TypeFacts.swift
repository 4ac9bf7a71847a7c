import SourceText

/// One declaration of a type, or one extension of it; a class, for it is looked up often and never changes.
public final class TypeFacts: Sendable {
    /// The kinds of declarations.
    public enum Kind: String, Hashable, Sendable {
        case `class`, actor, `struct`, `enum`, `protocol`, `extension`
    }

    public let kind: Kind
    /// The qualified name, `Outer.Inner`; for an extension the name of the extended type as written.
    public let name: String
    /// The names of the generic parameters.
    public let genericParameters: [String]
    /// The superclass and protocols as written, in order.
    public let inherited: [TypeReference]
    public let attributes: [AttributeFacts]
    /// `final`, `open`, `private` …
    public let modifiers: [String]
    public let members: [MemberFacts]
    /// The cases of an enum.
    public let cases: [String]
    /// The types of the values that the cases of an enum carry.
    public let payload: [TypeReference]
    /// The configuration in which the declaration exists.
    public let condition: ConfigurationCondition
    /// Whether the type is declared inside a function.
    public let isLocal: Bool
    /// Whether the text of the declaration outside its members has syntax errors.
    public let isPartial: Bool
    public let span: SourceSpan
    public let nameSpan: SourceSpan

    /// Makes a declaration.
    public init(
        kind: Kind, name: String, genericParameters: [String], inherited: [TypeReference], attributes: [AttributeFacts],
        modifiers: [String], members: [MemberFacts], cases: [String], payload: [TypeReference], condition: ConfigurationCondition, isLocal: Bool, isPartial: Bool,
        span: SourceSpan, nameSpan: SourceSpan
    ) {
        self.kind = kind
        self.name = name
        self.genericParameters = genericParameters
        self.inherited = inherited
        self.attributes = attributes
        self.modifiers = modifiers
        self.members = members
        self.cases = cases
        self.payload = payload
        self.condition = condition
        self.isLocal = isLocal
        self.isPartial = isPartial
        self.span = span
        self.nameSpan = nameSpan
    }
}

/// An attribute or property wrapper as written.
public struct AttributeFacts: Hashable, Sendable {
    /// The name without `@` and generic arguments.
    public let name: String
    /// The text between the parentheses.
    public let arguments: String?

    /// Makes an attribute.
    public init(name: String, arguments: String? = nil) {
        self.name = name
        self.arguments = arguments
    }
}

/// A function, initialiser, property or subscript; a class, for it is looked up more often than anything else and never changes.
public final class MemberFacts: Sendable {
    /// The kinds of members.
    public enum Kind: String, Hashable, Sendable {
        case function, initializer, deinitializer, property, `subscript`
        /// A macro among declarations, `#Preview { … }`, kept as a call in its body.
        case macro
    }

    /// A parameter of a function.
    public struct Parameter: Hashable, Sendable {
        /// The label at the call, nil for `_`.
        public let label: String?
        public let name: String
        public let type: TypeReference
        public let hasDefault: Bool
        public let isVariadic: Bool
        /// The default value, where the text alone tells it.
        public let defaultValue: Constant?

        /// Makes a parameter.
        public init(
            label: String?, name: String, type: TypeReference, hasDefault: Bool = false, isVariadic: Bool = false, defaultValue: Constant? = nil
        ) {
            self.defaultValue = defaultValue
            self.label = label
            self.name = name
            self.type = type
            self.hasDefault = hasDefault
            self.isVariadic = isVariadic
        }
    }

    /// What runs when a property is used.
    public struct Accessors: Sendable {
        public let get: Body?
        public let set: Body?
        public let willSet: Body?
        public let didSet: Body?

        /// Makes the accessors.
        public init(get: Body? = nil, set: Body? = nil, willSet: Body? = nil, didSet: Body? = nil) {
            self.get = get
            self.set = set
            self.willSet = willSet
            self.didSet = didSet
        }

        /// Those that exist, with their names.
        public var all: [(name: String, body: Body)] {
            [("get", get), ("set", set), ("willSet", willSet), ("didSet", didSet)].compactMap { name, body in body.map { (name, $0) } }
        }
    }

    public let kind: Kind
    /// The name without labels; `init`, `deinit` and `subscript` for those.
    public let baseName: String
    /// The name with labels, `viewWillAppear(_:)`; a property's name alone.
    public let fullName: String
    public let parameters: [Parameter]
    /// The result type of a function, or the type of a property where it is written.
    public let type: TypeReference?
    public let attributes: [AttributeFacts]
    /// `override`, `static`, `final`, `private`, `weak`, `lazy`, `async` …
    public let modifiers: [String]
    /// Code of a function, or of the initial value of a property.
    public let body: Body?
    public let accessors: Accessors?
    /// Whether a property is a constant.
    public let isConstant: Bool
    /// Whether a property's type is written with `!`: who makes the object sets it before it is used.
    public let isImplicitlyUnwrapped: Bool
    public let condition: ConfigurationCondition
    /// Whether the member's text has syntax errors, so that nothing in it may be called missing.
    public let isPartial: Bool
    public let span: SourceSpan
    public let nameSpan: SourceSpan

    /// Makes a member.
    public init(
        kind: Kind, baseName: String, parameters: [Parameter] = [], type: TypeReference? = nil, attributes: [AttributeFacts] = [],
        modifiers: [String] = [], body: Body? = nil, accessors: Accessors? = nil, isConstant: Bool = false, isImplicitlyUnwrapped: Bool = false,
        condition: ConfigurationCondition = .always, isPartial: Bool = false, span: SourceSpan, nameSpan: SourceSpan
    ) {
        self.kind = kind
        self.baseName = baseName
        fullName = switch kind {
        case .property: baseName
        case .deinitializer: "deinit"
        case .macro: "#\(baseName)"
        default: baseName + "(" + parameters.map { ($0.label ?? "_") + ":" }.joined() + ")"
        }
        self.parameters = parameters
        self.type = type
        self.attributes = attributes
        self.modifiers = modifiers
        self.body = body
        self.accessors = accessors
        self.isConstant = isConstant
        self.isImplicitlyUnwrapped = isImplicitlyUnwrapped
        self.condition = condition
        self.isPartial = isPartial
        self.span = span
        self.nameSpan = nameSpan
    }


    /// Whether the member is marked with `override`.
    public var isOverride: Bool { modifiers.contains("override") }
    /// Whether the member belongs to the type and not to its objects.
    public var isStatic: Bool { modifiers.contains("static") || modifiers.contains("class") }
    /// Whether a property stores a value, lazily or at once.
    public var isStored: Bool { kind == .property && accessors?.get == nil && accessors?.set == nil }
    /// Whether a nib connects the property.
    public var isOutlet: Bool { attributes.contains { $0.name == "IBOutlet" } }
    /// Whether only the file can use the member.
    public var isPrivate: Bool { modifiers.contains("private") || modifiers.contains("fileprivate") }

    /// Whether code of other modules may set the property.
    public var isSetByAnyone: Bool { modifiers.contains { $0 == "public" || $0 == "open" } && !modifiers.contains { $0.hasSuffix("(set)") } }

    /// Whether it is a method of Objective-C that no header of its class lists: other code names it as text only, in a selector or a storyboard.
    public var isUnlisted: Bool { modifiers.contains("unlisted") }

    /// Every body of the member with the name of the accessor, where it is one.
    public var bodies: [(accessor: String?, body: Body)] {
        (body.map { [(nil, $0)] } ?? []) + (accessors?.all ?? []).map { ($0.name, $0.body) }
    }

    /// Whether it takes an event that no system sends since iOS 6, and earlier ones only when memory was short: what it ends stays in most runs
    /// (UIViewController.h: viewWillUnload and viewDidUnload are withdrawn, `view` is not unloaded any more).
    public var isWithdrawnEvent: Bool { kind == .function && Self.withdrawnEvents.contains(baseName) }

    /// The base names of those methods.
    public static let withdrawnEvents: Set<String> = ["viewWillUnload", "viewDidUnload"]

    /// Whether it is a method that controls send.
    public var isAction: Bool { kind == .function && attributes.contains { $0.name == "IBAction" } }

    /// The Objective-C selector under which a function is known to Cocoa, if it is exposed.
    public var selector: String? {
        guard kind == .function || kind == .initializer else { return nil }
        if let written = attributes.first(where: { $0.name == "objc" })?.arguments { return written.filter { !$0.isWhitespace } }
        return ObjectiveCSelector.name(ofFunction: baseName, labels: parameters.map(\.label))
    }
}
