/// The beginnings of the lines of one text, to turn byte offsets into positions.
public struct LineTable: Sendable {
    private let starts: [Int]
    private let length: Int

    /// Reads the line ends (LF, CRLF, CR) of a text given as UTF-8.
    public init(utf8 bytes: UnsafeBufferPointer<UInt8>) {
        var starts = [0]
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == 0x0A {
                starts.append(index)
            } else if byte == 0x0D {
                if index < bytes.count, bytes[index] == 0x0A { index += 1 }
                starts.append(index)
            }
        }
        self.starts = starts
        length = bytes.count
    }

    /// Reads the line ends of a string.
    public init(_ text: String) {
        var copy = text
        self = copy.withUTF8 { LineTable(utf8: $0) }
    }

    /// The number of lines; a text that ends in a line end has an empty last line.
    public var lineCount: Int { starts.count }

    /// The position of a byte offset; offsets outside the text are clamped to it.
    public func position(ofOffset offset: Int) -> SourcePosition {
        let offset = min(max(offset, 0), length)
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return SourcePosition(line: low + 1, column: offset - starts[low] + 1)
    }

    /// The stretch between two byte offsets.
    public func span(from start: Int, to end: Int) -> SourceSpan {
        SourceSpan(start: position(ofOffset: start), end: position(ofOffset: end))
    }
}
