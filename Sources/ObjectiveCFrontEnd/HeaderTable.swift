/// Which file of the project an `#import` means.
public struct HeaderTable: Sendable {
    private let paths: [String: String]

    /// Chooses a header for each name that some file imports: the one whose folders agree with the name's, else the first by path.
    /// A name that no file has in these letters means the one that differs in their case alone, as on the disk of most Macs.
    public init(headers: [String], importedNames: Set<String>) {
        let sorted = headers.sorted()
        let byName = Dictionary(grouping: sorted, by: Self.lastPart)
        let byFoldedName = Dictionary(grouping: sorted) { Self.lastPart($0).lowercased() }
        var paths: [String: String] = [:]
        for name in importedNames {
            let last = Self.lastPart(name)
            guard let candidates = byName[last] ?? byFoldedName[last.lowercased()] else { continue }
            let wanted = name.split(separator: "/").dropLast().reversed()
            func agreement(_ path: String) -> Int {
                zip(path.split(separator: "/").dropLast().reversed(), wanted).prefix { $0 == $1 }.count
            }
            paths[name] = candidates.max { (agreement($0), $1) < (agreement($1), $0) }
        }
        self.paths = paths
    }

    private static func lastPart(_ path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// The names that a text imports: what stands between the quotes or angles of `#import` and `#include`.
    public static func importedNames(in bytes: [UInt8]) -> [String] {
        var names: [String] = []
        let count = bytes.count
        var index = 0
        while index < count {
            // Only the beginnings of lines matter.
            var end = index
            while end < count, bytes[end] != 0x0A { end += 1 }
            var cursor = index
            while cursor < end, bytes[cursor] == 0x20 || bytes[cursor] == 0x09 { cursor += 1 }
            if cursor < end, bytes[cursor] == 0x23 {
                let line = String(decoding: bytes[cursor..<end], as: UTF8.self)
                if line.contains("import") || line.contains("include"), let opening = line.firstIndex(where: { $0 == "\"" || $0 == "<" }) {
                    let rest = line[line.index(after: opening)...]
                    if let closing = rest.firstIndex(where: { $0 == "\"" || $0 == ">" }) { names.append(String(rest[..<closing])) }
                }
            }
            index = end + 1
        }
        return names
    }

    /// Whether a text has a word in it.
    public static func contains(_ bytes: [UInt8], _ word: StaticString) -> Bool {
        let length = word.utf8CodeUnitCount
        guard bytes.count >= length else { return false }
        let first = word.utf8Start[0]
        return bytes.withUnsafeBufferPointer { text in
            (0...text.count - length).contains { start in
                text[start] == first && (1..<length).allSatisfy { text[start + $0] == word.utf8Start[$0] }
            }
        }
    }

    /// A virtual folder in which every imported name is a file: the project's header, or an empty one for headers that are not here.
    public func overlay(root: String, importedNames: Set<String>, empty: String) -> String {
        let rows = importedNames.filter { !$0.contains("..") && !$0.hasPrefix("/") && !$0.isEmpty && !$0.contains("\\") && !$0.contains("\"") }.sorted().map { name in
            "{\"name\": \"\(root)/\(name)\", \"type\": \"file\", \"external-contents\": \"\(paths[name] ?? empty)\"}"
        }
        return "{\"version\": 0, \"case-sensitive\": \"true\", \"use-external-names\": true, \"roots\": [\n\(rows.joined(separator: ",\n"))\n]}\n"
    }
}
