extension Place {
    /// The name of the property that it is, of whatever object; nil for locals and elements.
    public var propertyName: String? {
        switch self {
        case .name(let name), .member(_, let name): name
        case .local, .superMember, .element: nil
        }
    }

    /// The name of the property of self that it may be, as the text has it: a name that is no local, or a member of self.
    public var ownName: String? {
        switch self {
        case .name(let name), .member(.selfObject, let name): name
        case .local, .member, .superMember, .element: nil
        }
    }
}

extension Call {
    /// The property that it sets to nil by a setter of Objective-C, of whatever object.
    public var propertyItClears: String? {
        guard case .member(_, let name) = callee, arguments.count == 1, arguments[0].value == .constant(.null) else { return nil }
        return name.propertyItSets
    }

    /// Whether it gives an identifier: an action that is made so takes the place of the one that has it.
    public var hasIdentifier: Bool { arguments.contains { $0.label == "identifier" && $0.value != .constant(.null) } }
}

extension String {
    /// The name of the property behind which Objective-C makes a variable of this name.
    public var withoutUnderscore: String { hasPrefix("_") ? String(dropFirst()) : self }

    /// The name of the property that a method of this base name sets, by the custom of Objective-C; nil where it is no setter's.
    public var propertyItSets: String? {
        guard hasPrefix("set"), let first = dropFirst(3).first, !first.isLowercase else { return nil }
        return first.lowercased() + dropFirst(4)
    }
}
