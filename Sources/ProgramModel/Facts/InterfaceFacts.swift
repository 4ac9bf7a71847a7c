/// What a storyboard or xib says.
public struct InterfaceFacts: Sendable {
    /// The kinds of files of Interface Builder.
    public enum Kind: String, Hashable, Sendable {
        case storyboard, nib
    }

    public let kind: Kind
    /// Whether its objects are UIKit's and not AppKit's.
    public let isCocoaTouch: Bool
    /// The id of the controller that the storyboard begins with.
    public let initialController: String?
    /// Every object that has an id, in order of the text: an object stands after the one that it lies in.
    public let objects: [InterfaceObject]

    /// Makes the facts.
    public init(kind: Kind, isCocoaTouch: Bool, initialController: String? = nil, objects: [InterfaceObject]) {
        self.kind = kind
        self.isCocoaTouch = isCocoaTouch
        self.initialController = initialController
        self.objects = objects
    }

    /// The object of an id.
    public func object(_ id: String) -> InterfaceObject? { objects.first { $0.id == id } }
}

/// One object of a storyboard or xib: a controller, view, constraint, gesture recogniser, placeholder …
public struct InterfaceObject: Hashable, Sendable {
    public let id: String
    /// The name of its element, `viewController`, `button`, `tapGestureRecognizer`; it stands for the class where no custom one is named.
    public let element: String
    public var customClass: String?
    public var customModule: String?
    /// The id of the scene that it lies in; nil in a xib.
    public var scene: String?
    /// The index of the object that it lies in.
    public var parent: Int?
    /// Whether it is the controller of its scene.
    public var isSceneController = false
    public var storyboardIdentifier: String?
    public var reuseIdentifier: String?
    /// `IBFilesOwner`, `IBFirstResponder`.
    public var placeholder: String?
    /// The storyboard that a reference leads to; empty for one that names an identifier of its own storyboard only.
    public var referencedStoryboard: String?
    public var referencedIdentifier: String?
    public var minimumZoomScale: Double?
    public var maximumZoomScale: Double?
    /// Whether its font follows the text size that the user chooses.
    public var adjustsFontForContentSizeCategory = false
    /// The dimensions, `width` and `height`, that it has from the time when it is loaded, by constraints of its own with the constant
    /// that its frame shows, by its mask, or as it fills a view that has them; `ratio` where a constraint binds one to the other.
    public var fixedDimensions: Set<String> = []
    /// The key paths that are set when the object is made.
    public var runtimeAttributes: [String] = []
    public var connections: [InterfaceConnection] = []
    public let line: Int

    /// Makes an object.
    public init(id: String, element: String, line: Int) {
        self.id = id
        self.element = element
        self.line = line
    }

    /// Whether a dimension is the same from the time when it is loaded.
    public func isFixed(_ dimension: String) -> Bool { fixedDimensions.contains(dimension) || fixedDimensions.count > 1 }

    /// Whether it stands for an object that is made elsewhere; a xib of AppKit tells its owner, the first responder and the app by their ids only.
    public var isPlaceholder: Bool { ["-1", "-2", "-3"].contains(id) || placeholder != nil || element == "exit" || element == "viewControllerPlaceholder" }
}

/// A line from one object to another.
public struct InterfaceConnection: Hashable, Sendable {
    /// The kinds of connections.
    public enum Kind: Hashable, Sendable {
        case outlet(String)
        case outletCollection(String)
        /// The event is written for controls only.
        case action(selector: String, event: String?)
        case segue(Segue)
    }

    /// What is written of a segue.
    public struct Segue: Hashable, Sendable {
        /// `show`, `presentation`, `embed`, `relationship`, `unwind` …
        public let kind: String
        public let identifier: String?
        public let customClass: String?
        /// `rootViewController`, where the kind is a relationship.
        public let relationship: String?
        public let unwindAction: String?
        /// The selector of the function that makes the destination.
        public let creator: String?

        /// Makes a segue.
        public init(kind: String, identifier: String? = nil, customClass: String? = nil, relationship: String? = nil, unwindAction: String? = nil, creator: String? = nil) {
            self.kind = kind
            self.identifier = identifier
            self.customClass = customClass
            self.relationship = relationship
            self.unwindAction = unwindAction
            self.creator = creator
        }
    }

    public let kind: Kind
    /// The id of the object that it leads to.
    public let destination: String
    public let line: Int

    /// Makes a connection.
    public init(kind: Kind, destination: String, line: Int) {
        self.kind = kind
        self.destination = destination
        self.line = line
    }

    /// The segue, if it is one.
    public var segue: Segue? { if case .segue(let segue) = kind { segue } else { nil } }
}
