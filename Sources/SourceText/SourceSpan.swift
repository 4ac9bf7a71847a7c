/// A place in a text: line and column, both from 1; the column counts UTF-8 bytes.
public struct SourcePosition: Hashable, Comparable, Sendable {
    private let packedLine: Int32
    private let packedColumn: Int32

    /// The line, from 1.
    public var line: Int { Int(packedLine) }
    /// The column in UTF-8 bytes, from 1.
    public var column: Int { Int(packedColumn) }

    /// Makes a position; values past 2³¹ are clamped, which no file that is read can reach.
    public init(line: Int, column: Int) {
        packedLine = Int32(clamping: line)
        packedColumn = Int32(clamping: column)
    }

    /// The first place of every text.
    public static let start = SourcePosition(line: 1, column: 1)

    /// Orders positions as they stand in the text.
    public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
        (left.packedLine, left.packedColumn) < (right.packedLine, right.packedColumn)
    }
}

/// A stretch of text from `start` up to, but not including, `end`.
public struct SourceSpan: Hashable, Sendable {
    /// Where the stretch begins.
    public let start: SourcePosition
    /// The place just after the stretch.
    public let end: SourcePosition

    /// Makes a stretch from its two ends.
    public init(start: SourcePosition, end: SourcePosition) {
        self.start = start
        self.end = end
    }

    /// The empty stretch at the beginning of a text.
    public static let start = SourceSpan(start: .start, end: .start)

    /// Whether the position lies inside the stretch.
    public func contains(_ position: SourcePosition) -> Bool {
        start <= position && position < end
    }
}
