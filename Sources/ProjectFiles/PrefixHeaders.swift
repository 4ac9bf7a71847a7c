/// Which prefix header a text is compiled with.
public struct PrefixHeaders: Sendable {
    /// The headers by the folder whose texts they are for; of several the first by name.
    private let byFolder: [String: String]

    /// Makes the table from the `.pch` files of a run; one in a folder without texts (`Supporting Files`) is for the folder around that.
    public init(_ headers: [String], texts: [String]) {
        let folders = Set(texts.map(Self.parent))
        let homes = headers.sorted().map { header -> (folder: String, header: String) in
            let folder = Self.parent(of: header)
            let holdsTexts = folders.contains { $0 == folder || $0.hasPrefix(folder + "/") }
            return (holdsTexts ? folder : Self.parent(of: folder), header)
        }
        byFolder = Dictionary(homes.map { ($0.folder, $0.header) }) { first, _ in first }
    }

    /// The header of the nearest folder around the text that has one; nil where none has.
    public func header(for path: String) -> String? {
        var folder = Self.parent(of: path)
        while !folder.isEmpty {
            if let found = byFolder[folder] { return found }
            folder = Self.parent(of: folder)
        }
        return nil
    }

    private static func parent(of path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "" }
}
