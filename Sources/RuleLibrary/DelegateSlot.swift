/// The place of a delegate: whose methods a protocol has.
public struct DelegateSlot: Hashable, Sendable {
    /// The class that calls them.
    public let sender: String
    /// The properties that take the delegate, in the spellings of both languages.
    public let properties: [String]

    /// Reads `UIScrollView delegate`; nil without a property.
    init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count > 1, let first = words.first else { return nil }
        (sender, properties) = (first, Array(words.dropFirst()))
    }
}
