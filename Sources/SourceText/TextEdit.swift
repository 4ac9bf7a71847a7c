/// The replacement of one stretch of a file's text.
public struct TextEdit: Hashable, Sendable {
    /// The file, as the report names it.
    public let path: String
    /// The stretch that goes away; empty for an insertion.
    public let span: SourceSpan
    /// The text that comes in its place.
    public let text: String

    /// Makes an edit of the file at `path`.
    public init(path: String, span: SourceSpan, text: String) {
        self.path = path
        self.span = span
        self.text = text
    }
}
