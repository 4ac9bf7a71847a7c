extension MemberFacts {
    /// Whether a member is a method that a view of a class of the SDK calls on its delegate or data source: `scrollViewDidScroll(_:)`,
    /// `tableView(_:didSelectRowAt:)`, `numberOfSections(in:)`.
    package func answers(_ sender: String) -> Bool {
        guard kind == .function, !isStatic, !isPrivate, let first = parameters.first, first.type.name == sender else { return false }
        if let label = first.label { return label == "in" || label == "for" }
        let (name, base) = (sender.dropFirst(2).lowercased(), baseName.lowercased())
        return base.hasPrefix(name) || base.hasSuffix("in\(name)")
    }
}
