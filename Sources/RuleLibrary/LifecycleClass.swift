/// What is known of the overridable methods of one class.
public struct LifecycleClass: Sendable {
    /// One method that Cocoa calls.
    public struct Method: Sendable {
        /// Who calls the method, and why.
        public enum Role: String, Sendable, CaseIterable {
            /// An event that only Cocoa sends.
            case lifecycle
            /// A pass of layout or drawing.
            case drawing
            /// Called by the framework as a consequence of other calls.
            case hook
            /// Asked for a value.
            case query
            /// A link of the responder chain.
            case responder
        }

        /// What an override owes to its superclass.
        public enum SuperCall: String, Sendable, CaseIterable {
            case required, optional, forbidden
            /// Required by the declaration of UIKit alone: in code for AppKit only a superclass of the project has something to do there.
            case requiredInUIKit = "required_in_uikit"
            /// The class itself has nothing to do there: only a subclass of it in the SDK, or a superclass in the project, may have.
            case requiredBelow = "required_below"
            /// The SDK has nothing to do there: only a superclass in the project may have, and has where it does more than call super.
            case requiredOverProject = "required_over_project"
            /// `loadView`: an override that assigns `view` itself must not call super.
            case replacedView = "replaced_view"
            /// `loadView` of a class that makes a view of its own kind: an override that assigns `view` itself may leave the call out.
            case replaceableView = "replaceable_view"
        }

        /// What a call on an object by hand is.
        public enum DirectCall: String, Sendable, CaseIterable {
            case warning, note, allowed
        }

        /// The full Swift name of today.
        public let name: String
        public let selector: String
        /// Swift names of earlier SDKs.
        public let earlier: [String]
        public let role: Role
        public let superCall: SuperCall
        public let directCall: DirectCall
        /// The property by which a class may tell itself what the inherited method would note; who overrides it owes no call.
        public let answeredBy: String?
        /// What breaks otherwise: a clause to stand after "which" or "because".
        public let why: String
        public let source: String

        /// The Swift names of all SDKs, today's first.
        public var names: [String] { [name] + earlier }
        /// The name before the parentheses.
        public var baseName: String { String(name.prefix { $0 != "(" }) }

        /// A method whose own declaration asks overrides to call super (`NS_REQUIRES_SUPER`).
        public static func requiringSuper(name: String, selector: String) -> Method {
            Method(
                name: name, selector: selector, earlier: [], role: .hook, superCall: .required, directCall: .allowed, answeredBy: nil,
                why: "the superclass declares the method with NS_REQUIRES_SUPER", source: "the declaration in the project")
        }

        /// A method of the project by which a view is made ready for its next use.
        public static func resetting(name: String, selector: String) -> Method {
            Method(
                name: name, selector: selector, earlier: [], role: .hook, superCall: .required, directCall: .allowed, answeredBy: nil,
                why: "the superclass takes back here what it showed", source: "the superclass in the project")
        }
    }

    public let name: String
    /// The superclass, for classes of libraries that no platform file lists.
    public let superclass: String?
    /// The initialiser that the class's plain `init` calls on the object itself, so that an override of it runs.
    public let initializerOfInit: String?
    public let methods: [Method]

    init(_ reader: RecordReader) throws(RuleDataError) {
        var reader = reader
        name = try reader.text("class")
        superclass = try reader.optionalText("superclass")
        _ = try reader.text("source")
        initializerOfInit = try reader.optionalText("init_calls")
        var methods: [Method] = []
        for record in try reader.records("methods", name: "a method") {
            var record = record
            methods.append(Method(
                name: try record.text("name"), selector: try record.text("selector"), earlier: try record.texts("earlier"),
                role: try record.choice("role", Method.Role.self), superCall: try record.choice("super", Method.SuperCall.self),
                directCall: try record.choice("direct", Method.DirectCall.self, default: .allowed), answeredBy: try record.optionalText("answered_by"), why: try record.text("why"),
                source: try record.optionalText("source") ?? ""))
            try record.finish()
        }
        self.methods = methods
        try reader.finish()
    }
}
