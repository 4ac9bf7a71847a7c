import ProgramModel
import SourceText

/// Classes that texts declare as their own ancestors, which no compiler takes: libclang walks such a circle without end.
public struct SuperclassCircles: Sendable {
    /// One `@interface` that names a superclass.
    public struct Interface: Sendable, Equatable {
        let name: String
        let superclass: String
        /// Where the class's name stands, in bytes.
        let start: Int
    }

    /// The first interface on a circle, by the path of its text.
    private let first: [String: Interface]

    /// None.
    public init() { first = [:] }

    /// Finds the circles among the classes of all texts and those of the SDK.
    public init(_ interfaces: [String: [Interface]], platform: PlatformKnowledge) {
        let known = SDKDeclarations.superclasses(of: platform)
        var declared: [String: Set<String>] = [:]
        for interface in interfaces.values.joined() { declared[interface.name, default: []].insert(interface.superclass) }
        /// Whether the way from a class up leads to a name; the SDK's classes stand on it as well as those of the texts.
        func leads(from start: String, to name: String) -> Bool {
            var (open, seen) = ([start], Set([start]))
            while let next = open.popLast() {
                if next == name { return true }
                let above = (declared[next] ?? []).union(known[next].map { [$0] } ?? [])
                open += above.filter { seen.insert($0).inserted }
            }
            return false
        }
        first = interfaces.compactMapValues { $0.first { leads(from: $0.superclass, to: $0.name) } }
    }

    /// The texts that declare a class on a circle.
    var paths: [String] { first.keys.sorted() }

    /// The facts of a text that declares a class on a circle, which is not read; nil for any other.
    public func facts(of path: String, _ bytes: [UInt8]) -> FileFacts? {
        guard let interface = first[path] else { return nil }
        let lines = bytes.withUnsafeBufferPointer { LineTable(utf8: $0) }
        let message = "'\(interface.name)' is declared as a subclass of '\(interface.superclass)', which is itself declared as a subclass of '\(interface.name)'"
        let span = lines.span(from: interface.start, to: interface.start + interface.name.utf8.count)
        return FileFacts(language: .objectiveC, syntaxErrors: [SyntaxError(span: span, message: message, endsReading: true)], lineCount: lines.lineCount)
    }

    /// The interfaces of a text that name a superclass.
    public static func interfaces(in bytes: [UInt8]) -> [Interface] {
        var found: [Interface] = []
        let word = Array("interface".utf8)
        var index = 0
        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        while let sign = bytes[index...].firstIndex(of: 0x40) {
            index = sign + 1
            guard bytes[index...].starts(with: word) else { continue }
            let name = Self.word(bytes, at: index + word.count)
            let colon = Self.word(bytes, at: name.upperBound).lowerBound
            guard !name.isEmpty, colon < bytes.count, bytes[colon] == 0x3A else { continue }
            let superclass = Self.word(bytes, at: colon + 1)
            if !superclass.isEmpty { found.append(Interface(name: text(name), superclass: text(superclass), start: name.lowerBound)) }
        }
        return found
    }

    /// The word that begins at an index or behind the space there.
    private static func word(_ bytes: [UInt8], at index: Int) -> Range<Int> {
        var start = index
        while start < bytes.count, bytes[start] == 0x20 || bytes[start] == 0x09 || bytes[start] == 0x0A || bytes[start] == 0x0D { start += 1 }
        var end = start
        while end < bytes.count, isLetter(bytes[end]) { end += 1 }
        return start..<end
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (byte >= 0x41 && byte <= 0x5A) || (byte >= 0x61 && byte <= 0x7A) || (byte >= 0x30 && byte <= 0x39) || byte == 0x5F
    }
}
