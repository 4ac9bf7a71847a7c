/// The types that a text names where it does not declare them: a digest of its words with a capital at the beginning.
///
/// Words are kept as 32 bits each, so a file costs a few hundred bytes; two words that share a digest can only make a type look named that is not.
public struct NamedTypes: Sendable {
    /// The digests, sorted.
    private let digests: [UInt32]
    /// Whether the text looks up a class by a name that it puts together.
    public let looksUpUnknown: Bool

    /// What a text names that was not read.
    public static let none = NamedTypes(digests: [], looksUpUnknown: false)

    private init(digests: [UInt32], looksUpUnknown: Bool) {
        (self.digests, self.looksUpUnknown) = (digests, looksUpUnknown)
    }

    /// What any of the texts names.
    public static func union(_ all: some Sequence<NamedTypes>) -> NamedTypes {
        var digests: Set<UInt32> = []
        var looksUpUnknown = false
        for one in all {
            digests.formUnion(one.digests)
            looksUpUnknown = looksUpUnknown || one.looksUpUnknown
        }
        return NamedTypes(digests: digests.sorted(), looksUpUnknown: looksUpUnknown)
    }

    /// Whether the text names a type, given by its short name.
    public func contains(_ name: String) -> Bool {
        let wanted = Self.digest(Array(name.utf8)[...])
        var (low, high) = (0, digests.count)
        while low < high {
            let middle = (low + high) / 2
            if digests[middle] < wanted { low = middle + 1 } else { high = middle }
        }
        return low < digests.count && digests[low] == wanted
    }

    /// Reads a text of either language. What is no name of a use is left out: comments, imports, forward declarations, a type's own name
    /// in its declarations, that of a superclass beside the name of the class that inherits it, those of the parameters of functions, and that
    /// of a pointer's type in Objective-C.
    public init(in bytes: UnsafeBufferPointer<UInt8>, of language: SourceLanguage, types: [TypeFacts]) {
        var scanner = WordScanner(bytes: bytes, isObjectiveC: language == .objectiveC, types: types)
        scanner.scan()
        self.init(digests: scanner.digests.sorted(), looksUpUnknown: scanner.looksUpUnknown)
    }

    /// FNV-1a.
    fileprivate static func digest(_ word: some Sequence<UInt8>) -> UInt32 {
        word.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }
}

/// One pass over a text.
private struct WordScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let isObjectiveC: Bool
    /// The lines in which a word is the name of what is declared there.
    private var own: [UInt32: [ClosedRange<Int>]] = [:]
    private var index = 0
    private var line = 1
    private(set) var digests: Set<UInt32> = []
    private(set) var looksUpUnknown = false

    init(bytes: UnsafeBufferPointer<UInt8>, isObjectiveC: Bool, types: [TypeFacts]) {
        (self.bytes, self.isObjectiveC) = (bytes, isObjectiveC)
        for type in types {
            own[Self.digest(ofLastPart: type.name), default: []].append(type.span.start.line...max(type.span.start.line, type.span.end.line))
            let head = type.nameSpan.start.line
            for inherited in type.inherited { own[Self.digest(ofLastPart: inherited.name), default: []].append(head...head) }
            // Who is given an object, as the protocols of delegates are, makes none.
            for member in type.members where member.kind == .function {
                let (first, last) = (member.span.start.line, member.body?.span.start.line ?? member.span.end.line)
                guard member.body == nil || last > first else { continue }
                for parameter in member.parameters { own[Self.digest(ofLastPart: parameter.type.unwrapped.name), default: []].append(first...max(first, member.body == nil ? last : last - 1)) }
            }
        }
    }

    private static func digest(ofLastPart name: String) -> UInt32 {
        NamedTypes.digest(name.utf8.split(separator: UInt8(ascii: ".")).last ?? name.utf8[...])
    }

    mutating func scan() {
        var beginsLine = true
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case 0x0A:
                line += 1
                index += 1
                beginsLine = true
                continue
            case 0x20, 0x09, 0x0D:
                index += 1
                continue
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
                skip(to: 0x0A)
                continue
            case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
                skipBlockComment()
            case UInt8(ascii: "\""):
                readString()
            case UInt8(ascii: "#") where beginsLine:
                index += 1
                while peek(0) == 0x20 { index += 1 }
                let start = index
                readRest()
                if ["import", "include", "import_next"].contains(where: { bytes[start..<index].elementsEqual($0.utf8) }) { skip(to: 0x0A) }
            case UInt8(ascii: "@"):
                index += 1
                let start = index
                readRest()
                if bytes[start..<index].elementsEqual("class".utf8) { skip(to: UInt8(ascii: ";")) } else { index = start }
            case _ where Self.isOfWord(byte):
                readWord()
            default:
                index += 1
            }
            beginsLine = false
        }
    }

    private func peek(_ distance: Int) -> UInt8 { index + distance < bytes.count ? bytes[index + distance] : 0 }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        (byte >= 0x41 && byte <= 0x5A) || (byte >= 0x61 && byte <= 0x7A) || (byte >= 0x30 && byte <= 0x39) || byte == 0x5F || byte >= 0x80
    }

    private mutating func readRest() {
        while index < bytes.count, Self.isOfWord(bytes[index]) { index += 1 }
    }

    private mutating func skip(to end: UInt8) {
        while index < bytes.count, bytes[index] != end {
            if bytes[index] == 0x0A { line += 1 }
            index += 1
        }
    }

    private mutating func skipBlockComment() {
        index += 2
        while index < bytes.count, !(bytes[index] == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/")) {
            if bytes[index] == 0x0A { line += 1 }
            index += 1
        }
        index = min(bytes.count, index + 2)
    }

    /// Reads the words of a string, up to its end or that of the line.
    private mutating func readString() {
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != 0x0A {
            if bytes[index] == UInt8(ascii: "\\") {
                index += peek(1) == UInt8(ascii: "(") || peek(1) == 0x0A ? 1 : 2
            } else if Self.isOfWord(bytes[index]) {
                readWord()
            } else {
                index += 1
            }
        }
        if peek(0) == UInt8(ascii: "\"") { index += 1 }
    }

    private mutating func readWord() {
        let start = index
        readRest()
        let word = bytes[start..<index]
        if Self.lookups.contains(where: { word.elementsEqual($0.utf8) }) { looksUpUnknown = looksUpUnknown || !isOfKnown }
        guard word[start] >= 0x41, word[start] <= 0x5A else { return }
        // Whoever declares `Row *row` has been given it by somebody who made it.
        var next = index
        while next < bytes.count, bytes[next] == 0x20 { next += 1 }
        if next < bytes.count, bytes[next] == UInt8(ascii: "*"), isObjectiveC { return }
        let digest = NamedTypes.digest(word)
        if !(own[digest]?.contains { $0.contains(line) } ?? false) { digests.insert(digest) }
    }

    /// What finds a class by its name.
    private static let lookups = ["NSClassFromString", "objc_getClass", "objc_lookUpClass", "objc_getRequiredClass", "classNamed"]

    /// Whether a literal is the first argument of the call that begins here, or the class of an entity of Core Data, which is no view.
    private var isOfKnown: Bool {
        var cursor = index
        while cursor < bytes.count, [0x20, UInt8(ascii: "("), UInt8(ascii: "@"), UInt8(ascii: ":")].contains(bytes[cursor]) { cursor += 1 }
        guard cursor < bytes.count else { return false }
        if bytes[cursor] == UInt8(ascii: "\"") { return true }
        let argument = bytes[cursor...].prefix { $0 != UInt8(ascii: ")") && $0 != 0x0A }
        return String(decoding: argument, as: UTF8.self).lowercased().contains("entity")
    }
}
