import ProgramModel
import SourceText

/// One word, number, string or sign of a text.
struct Token: Hashable {
    enum Kind: Hashable { case word, number, string, sign, comment }

    let kind: Kind
    /// Where it begins, as an offset in bytes.
    let start: Int
    let end: Int
    /// Whether it stands in a line of the preprocessor.
    let isDirective: Bool
}

/// The tokens of one text, in order: what the tree of libclang leaves out is read from them.
struct TokenList {
    let bytes: [UInt8]
    let all: [Token]
    /// The comments, which are not among `all`.
    let comments: [Token]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var tokens: [Token] = []
        var comments: [Token] = []
        var index = 0
        var isDirective = false
        var beginsLine = true
        let count = bytes.count
        func at(_ position: Int) -> UInt8 { position < count ? bytes[position] : 0 }
        while index < count {
            let byte = bytes[index]
            let start = index
            switch byte {
            case 0x0A:
                if start == 0 || bytes[start - 1] != 0x5C { isDirective = false }
                beginsLine = true
                index += 1
                continue
            case 0x20, 0x09, 0x0D, 0x0B, 0x0C, 0x5C:
                index += 1
                continue
            case 0x2F where at(index + 1) == 0x2F:
                while index < count, bytes[index] != 0x0A { index += 1 }
                comments.append(Token(kind: .comment, start: start, end: index, isDirective: false))
                continue
            case 0x2F where at(index + 1) == 0x2A:
                index += 2
                while index < count, !(bytes[index] == 0x2A && at(index + 1) == 0x2F) { index += 1 }
                index = min(count, index + 2)
                comments.append(Token(kind: .comment, start: start, end: index, isDirective: false))
                continue
            case 0x22, 0x27:
                index += 1
                while index < count, bytes[index] != byte, bytes[index] != 0x0A { index += bytes[index] == 0x5C ? 2 : 1 }
                index = min(count, index + 1)
                tokens.append(Token(kind: .string, start: start, end: index, isDirective: isDirective))
            case _ where Self.isWordStart(byte):
                while index < count, Self.isWordStart(bytes[index]) || Self.isDigit(bytes[index]) { index += 1 }
                tokens.append(Token(kind: .word, start: start, end: index, isDirective: isDirective))
            case _ where Self.isDigit(byte):
                while index < count, Self.isWordStart(bytes[index]) || Self.isDigit(bytes[index]) || bytes[index] == 0x2E { index += 1 }
                tokens.append(Token(kind: .number, start: start, end: index, isDirective: isDirective))
            default:
                if byte == 0x23, beginsLine { isDirective = true }
                index += 1
                // `::`, `->`, `==` and their kin are one sign.
                let next = at(index)
                switch (byte, next) {
                case (0x3A, 0x3A), (0x2D, 0x3E), (0x3D, 0x3D), (0x21, 0x3D), (0x3C, 0x3D), (0x3E, 0x3D), (0x26, 0x26), (0x7C, 0x7C),
                     (0x2B, 0x2B), (0x2D, 0x2D), (0x2B, 0x3D), (0x2D, 0x3D), (0x2A, 0x3D), (0x2F, 0x3D), (0x7C, 0x3D), (0x26, 0x3D), (0x5E, 0x3D), (0x25, 0x3D),
                     (0x3C, 0x3C), (0x3E, 0x3E):
                    // `>>` closes two lists of generic arguments as often as it shifts.
                    if byte != 0x3E || next == 0x3D { index += 1 }
                default:
                    break
                }
                tokens.append(Token(kind: .sign, start: start, end: index, isDirective: isDirective))
            }
            beginsLine = false
        }
        all = tokens
        self.comments = comments
    }

    private static func isWordStart(_ byte: UInt8) -> Bool {
        (byte >= 0x41 && byte <= 0x5A) || (byte >= 0x61 && byte <= 0x7A) || byte == 0x5F || byte == 0x24 || byte >= 0x80
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

    /// The text of a token.
    func text(_ token: Token) -> String { text(token.start, token.end) }

    /// The text between two offsets.
    func text(_ start: Int, _ end: Int) -> String {
        guard start >= 0, start <= end, end <= bytes.count else { return "" }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    /// Whether a variable is declared not to hold its object, by a word before its name: a type such as `typeof(weakSelf)` says that of another,
    /// and without the compiler's counting the tree forgets `__unsafe_unretained`. Nil where no word of the text says it: the name or the word
    /// comes from a macro.
    func declaresWeakly(_ name: String, at offset: Int) -> Bool? {
        let index = index(at: offset)
        guard index < all.count, text(all[index]) == name else { return nil }
        var isOfAnother = false
        for token in all[..<index].reversed() {
            if matches(token, ";") || matches(token, "{") || matches(token, "}") { break }
            if matches(token, "__weak") || matches(token, "__unsafe_unretained") { return true }
            if ["__strong", "typeof", "__typeof", "__typeof__", "__auto_type"].contains(where: { matches(token, $0) }) { isOfAnother = true }
            // A macro that says `strong` forgets that the type is a weak one's.
            if token.kind == .word, text(token).lowercased().contains("strong") { isOfAnother = true }
        }
        return isOfAnother ? false : nil
    }

    /// The index of the first token that begins at or after the offset.
    func index(at offset: Int) -> Int {
        var low = 0
        var high = all.count
        while low < high {
            let middle = (low + high) / 2
            if all[middle].start < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The tokens that begin between two offsets.
    func tokens(from start: Int, to end: Int) -> ArraySlice<Token> {
        let first = index(at: start)
        return all[first..<max(first, index(at: end))]
    }

    /// Whether the token is this sign or word.
    func matches(_ token: Token, _ text: StaticString) -> Bool {
        guard token.end - token.start == text.utf8CodeUnitCount else { return false }
        for offset in 0..<text.utf8CodeUnitCount where bytes[token.start + offset] != text.utf8Start[offset] { return false }
        return true
    }
}

extension TokenList {
    /// The first place where brackets are nested deeper than the parser should be given; nil when the text can be parsed.
    func tooDeep(lines: LineTable) -> SyntaxError? {
        var depth = 0
        for token in all where token.kind == .sign && token.end == token.start + 1 {
            switch bytes[token.start] {
            case 0x28, 0x5B, 0x7B: depth += 1
            case 0x29, 0x5D, 0x7D: depth = max(0, depth - 1)
            default: continue
            }
            if depth > Self.deepestNesting {
                return SyntaxError(
                    span: lines.span(from: token.start, to: token.end), message: "brackets are nested more than \(Self.deepestNesting) deep, so the file is not read", endsReading: true)
            }
        }
        return nil
    }

    /// libclang gives up at 256.
    private static var deepestNesting: Int { 250 }
}
