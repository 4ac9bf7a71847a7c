import ProgramModel
import SourceText

/// Looks at the brackets of a text before the parser does.
///
/// To tell a type from a value the parser tries what follows `[` both ways, and each bracket inside that again: its time
/// doubles with each level (12 levels 0.1 s, 20 levels seconds, measured with the parser of Swift 6.3).  Calls and braces end
/// such a trial.
enum BracketNesting {
    /// The most square brackets in one another, without a call or a brace between, that the parser is given.
    static let deepest = 12

    /// The first place where brackets are nested deeper, or nil when the text can be parsed.
    static func tooDeep(in bytes: UnsafeBufferPointer<UInt8>, lines: LineTable) -> SyntaxError? {
        var scanner = Scanner(bytes: bytes)
        guard let offset = scanner.firstTooDeep() else { return nil }
        return SyntaxError(span: lines.span(from: offset, to: offset + 1), message: "square brackets are nested more than \(deepest) deep")
    }

    private struct Scanner {
        let bytes: UnsafeBufferPointer<UInt8>
        var index = 0
        /// For each open bracket, how many square brackets count as nested just inside it.
        var open: [Int] = []

        init(bytes: UnsafeBufferPointer<UInt8>) {
            self.bytes = bytes
        }

        mutating func firstTooDeep() -> Int? {
            var last: UInt8 = 0
            while index < bytes.count {
                let byte = bytes[index]
                switch byte {
                case UInt8(ascii: "/") where next == UInt8(ascii: "/"):
                    skipLine()
                    continue
                case UInt8(ascii: "/") where next == UInt8(ascii: "*"):
                    skipBlockComment()
                    continue
                case UInt8(ascii: "\""):
                    skipString(fence: 0)
                    last = byte
                    continue
                case UInt8(ascii: "#"):
                    let fence = run(of: UInt8(ascii: "#"))
                    if index + fence < bytes.count, bytes[index + fence] == UInt8(ascii: "\"") {
                        index += fence
                        skipString(fence: fence)
                        last = UInt8(ascii: "\"")
                        continue
                    }
                case UInt8(ascii: "["):
                    let depth = (open.last ?? 0) + 1
                    if depth > deepest { return index }
                    open.append(depth)
                case UInt8(ascii: "("):
                    open.append(isEndOfCallee(last) ? 0 : open.last ?? 0)
                case UInt8(ascii: "{"):
                    open.append(0)
                case UInt8(ascii: "]"), UInt8(ascii: ")"), UInt8(ascii: "}"):
                    _ = open.popLast()
                default:
                    break
                }
                last = byte
                index += 1
            }
            return nil
        }

        private var next: UInt8? { index + 1 < bytes.count ? bytes[index + 1] : nil }

        /// Whether a parenthesis after this byte begins the arguments of a call.
        private func isEndOfCallee(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                 UInt8(ascii: "_"), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: ">"), 0x80...: true
            default: false
            }
        }

        private func run(of byte: UInt8) -> Int {
            var end = index
            while end < bytes.count, bytes[end] == byte { end += 1 }
            return end - index
        }

        private mutating func skipLine() {
            while index < bytes.count, bytes[index] != 0x0A, bytes[index] != 0x0D { index += 1 }
        }

        private mutating func skipBlockComment() {
            var depth = 0
            while index < bytes.count {
                if bytes[index] == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
                    depth += 1
                    index += 2
                } else if bytes[index] == UInt8(ascii: "*"), next == UInt8(ascii: "/") {
                    depth -= 1
                    index += 2
                    if depth == 0 { return }
                } else {
                    index += 1
                }
            }
        }

        /// Skips a string literal; what is interpolated is skipped as text, for no bracket there counts.
        private mutating func skipString(fence: Int) {
            let quotes = run(of: UInt8(ascii: "\"")) >= 3 ? 3 : 1
            index += quotes
            while index < bytes.count {
                let byte = bytes[index]
                if byte == UInt8(ascii: "\\"), fence == 0 {
                    index += 2
                } else if byte == UInt8(ascii: "\""), run(of: byte) >= quotes, closes(after: index + quotes, fence: fence) {
                    index += quotes + fence
                    return
                } else if quotes == 1, byte == 0x0A {
                    return
                } else {
                    index += 1
                }
            }
        }

        private func closes(after end: Int, fence: Int) -> Bool {
            end + fence <= bytes.count && (0..<fence).allSatisfy { bytes[end + $0] == UInt8(ascii: "#") }
        }
    }
}
