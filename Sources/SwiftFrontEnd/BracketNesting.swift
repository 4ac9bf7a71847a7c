import ProgramModel
import SourceText

/// Looks at the brackets of a text before the parser does.
///
/// To tell a type from a value the parser tries what follows `[` both ways, and each bracket inside that again: its time
/// doubles with each level (12 levels 0.1 s, 20 levels seconds, measured with the parser of Swift 6.3).  Calls and braces end
/// such a trial.  Other brackets cost more than their share from some hundreds of levels on; the parser gives up at 256.
enum BracketNesting {
    /// The most square brackets in one another, without a call or a brace between, that the parser is given.
    static let deepestSquare = 12
    /// The most brackets of any kind, string interpolations and `#if`s in one another.
    static let deepest = 256

    /// The first place where brackets are nested deeper, or nil when the text can be parsed.
    static func tooDeep(in bytes: UnsafeBufferPointer<UInt8>, lines: LineTable) -> SyntaxError? {
        var scanner = BracketScanner(bytes: bytes)
        guard let (offset, message) = scanner.firstTooDeep() else { return nil }
        return SyntaxError(span: lines.span(from: offset, to: offset + 1), message: message, endsReading: true)
    }
}

/// Reads brackets, skipping comments and strings; what is interpolated is read.
private struct BracketScanner {
    /// A bracket that is open.
    private struct Open {
        /// How many square brackets count as nested just inside it.
        var squares: Int
        /// How many `<` follow a name on this line just inside it.
        var angles = 0
        /// The string that goes on after it, for the parenthesis of an interpolation.
        var string: StringLiteral?
    }

    /// What ends a string literal: its quotes and number signs.
    private struct StringLiteral {
        let quotes: Int
        let fence: Int
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var open = [Open(squares: 0)]
    private var conditions = 0
    /// The last byte that is no white space.
    private var last: UInt8 = 0

    init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    mutating func firstTooDeep() -> (offset: Int, message: String)? {
        while index < bytes.count {
            let start = index
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"):
                continue
            case 0x0A, 0x0D:
                open[open.count - 1].angles = 0
                continue
            case UInt8(ascii: "/") where peek(0) == UInt8(ascii: "/"):
                skipLine()
                continue
            case UInt8(ascii: "/") where peek(0) == UInt8(ascii: "*"):
                skipBlockComment()
                continue
            case UInt8(ascii: "\""):
                index = start
                begin(fence: 0)
            case UInt8(ascii: "#"):
                index = start
                number()
                if conditions > BracketNesting.deepest { return (start, "'#if' is nested more than \(BracketNesting.deepest) deep") }
            case UInt8(ascii: "["):
                push(Open(squares: open[open.count - 1].squares + 1))
                if open[open.count - 1].squares > BracketNesting.deepestSquare {
                    return (start, "square brackets are nested more than \(BracketNesting.deepestSquare) deep")
                }
            case UInt8(ascii: "("):
                push(Open(squares: isEndOfName(last) ? 0 : open[open.count - 1].squares))
            case UInt8(ascii: "{"):
                // No type holds a brace: what stands before it was a comparison, as in each `else if` of a long chain.
                open[open.count - 1].angles = 0
                push(Open(squares: 0))
            case UInt8(ascii: "<") where isEndOfName(last):
                open[open.count - 1].angles += 1
                if open[open.count - 1].angles > BracketNesting.deepestSquare * 2 {
                    return (start, "angle brackets are nested more than \(BracketNesting.deepestSquare * 2) deep")
                }
            case UInt8(ascii: ">"):
                open[open.count - 1].angles = max(0, open[open.count - 1].angles - 1)
            case UInt8(ascii: "]"), UInt8(ascii: ")"), UInt8(ascii: "}"):
                pop()
            default:
                break
            }
            if open.count > BracketNesting.deepest { return (start, "brackets are nested more than \(BracketNesting.deepest) deep") }
            last = byte
        }
        return nil
    }

    private func peek(_ distance: Int) -> UInt8? { index + distance < bytes.count ? bytes[index + distance] : nil }

    private mutating func push(_ bracket: Open) { open.append(bracket) }

    private mutating func pop() {
        guard open.count > 1 else { return }
        if let string = open.removeLast().string { skip(string) }
    }

    /// Whether a parenthesis after this byte begins the arguments of a call, or a `<` those of a generic type.
    private func isEndOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
             UInt8(ascii: "_"), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: ">"), 0x80...: true
        default: false
        }
    }

    private func run(of byte: UInt8, from start: Int) -> Int {
        var end = start
        while end < bytes.count, bytes[end] == byte { end += 1 }
        return end - start
    }

    private mutating func skipLine() {
        while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
    }

    /// Skips a comment that holds others; `index` is at the star of its beginning.
    private mutating func skipBlockComment() {
        index -= 1
        var depth = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "/"), peek(1) == UInt8(ascii: "*") {
                depth += 1
                index += 2
            } else if bytes[index] == UInt8(ascii: "*"), peek(1) == UInt8(ascii: "/") {
                depth -= 1
                index += 2
                if depth == 0 { return }
            } else {
                index += 1
            }
        }
    }

    /// Reads what a number sign begins: a raw string, `#if`, `#endif` or nothing of interest.
    private mutating func number() {
        let fence = run(of: UInt8(ascii: "#"), from: index)
        index += fence
        if peek(0) == UInt8(ascii: "\"") {
            begin(fence: fence)
        } else if follows("if") {
            conditions += 1
        } else if follows("endif") {
            conditions -= 1
        }
    }

    private func follows(_ word: StaticString) -> Bool {
        guard index + word.utf8CodeUnitCount <= bytes.count else { return false }
        for offset in 0..<word.utf8CodeUnitCount where bytes[index + offset] != word.utf8Start[offset] { return false }
        return !isEndOfName(peek(word.utf8CodeUnitCount) ?? 0)
    }

    /// Begins a string literal at its quotes.
    private mutating func begin(fence: Int) {
        let count = run(of: UInt8(ascii: "\""), from: index)
        let quotes = count >= 3 ? 3 : 1
        index += quotes
        skip(StringLiteral(quotes: quotes, fence: fence))
    }

    /// Skips the text of a string up to its end, or to an interpolation, which is read as code.
    private mutating func skip(_ string: StringLiteral) {
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\\"), run(of: UInt8(ascii: "#"), from: index + 1) >= string.fence {
                index += 1 + string.fence
                if peek(0) == UInt8(ascii: "(") {
                    index += 1
                    push(Open(squares: 0, string: string))
                    return
                }
                index += 1
            } else if byte == UInt8(ascii: "\""), run(of: byte, from: index) >= string.quotes,
                      run(of: UInt8(ascii: "#"), from: index + string.quotes) >= string.fence {
                index += string.quotes + string.fence
                return
            } else if string.quotes == 1, byte == 0x0A {
                return
            } else {
                index += 1
            }
        }
    }
}
