/// Variables and constants whose names begin with a capital letter, against the custom by which the front end tells types.
enum CapitalVariables {
    /// The names that a text declares so with `let` or `var`, wherever they stand.
    static func names(in bytes: UnsafeBufferPointer<UInt8>) -> Set<String> {
        var found: Set<String> = []
        var index = 4
        while index < bytes.count {
            defer { index += 1 }
            guard isCapital(bytes[index]), bytes[index - 1] == UInt8(ascii: " "), isKeyword(bytes, before: index - 1) else { continue }
            var end = index
            while end < bytes.count, isLetter(bytes[end]) { end += 1 }
            found.insert(String(decoding: bytes[index..<end], as: UTF8.self))
        }
        return found
    }

    /// Whether `let` or `var` ends at a place.
    private static func isKeyword(_ bytes: UnsafeBufferPointer<UInt8>, before end: Int) -> Bool {
        guard end >= 3, end == 3 || !isLetter(bytes[end - 4]) else { return false }
        let word = bytes[(end - 3)..<end]
        return word.elementsEqual("let".utf8) || word.elementsEqual("var".utf8)
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool {
        isCapital(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
    }
}
