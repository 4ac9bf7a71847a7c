/// Which prefix header a text is compiled with.
public struct PrefixHeaders: Sendable {
    /// The headers by the folder whose texts they are for; of several the first by name.
    private let byFolder: [String: String]
    /// The targets of projects that name a header, and those that are no tests, which come first.
    private let targets: [XcodeProject.Target]

    /// Makes the table from the `.pch` files of a run, and from what its projects say, which wins. A `.pch` in a folder without texts
    /// (`Supporting Files`) is for the folder around that.
    public init(_ headers: [String], texts: [String], projects: [XcodeProject] = []) {
        let all = projects.flatMap(\.targets)
        targets = all.filter { !$0.isTest && $0.prefixHeader != nil } + all.filter { !$0.isTest && $0.prefixHeader == nil } + all.filter { $0.isTest && $0.prefixHeader != nil }
        let folders = Set(texts.map(Self.parent))
        let homes = headers.sorted().map { header -> (folder: String, header: String) in
            let folder = Self.parent(of: header)
            let holdsTexts = folders.contains { $0 == folder || $0.hasPrefix(folder + "/") }
            return (holdsTexts ? folder : Self.parent(of: folder), header)
        }
        byFolder = Dictionary(homes.map { ($0.folder, $0.header) }) { first, _ in first }
    }

    /// All headers that some text may be compiled with, sorted.
    public var all: [String] { Set(byFolder.values).union(targets.compactMap(\.prefixHeader)).sorted() }

    /// The header of the target that compiles the text, else that of the nearest folder around it that has one; nil where none has.
    public func header(for path: String) -> String? {
        // A header belongs to where its implementation is compiled.
        let compiled = path.hasSuffix(".h") ? [".m", ".mm"].map { path.dropLast(2) + $0 } : [path]
        // What an app compiles too is read as the app does, not as its tests.
        if let target = targets.first(where: { compiled.contains(where: $0.compiles) }), let header = target.prefixHeader { return header }
        var folder = Self.parent(of: path)
        while !folder.isEmpty {
            if let found = byFolder[folder] { return found }
            folder = Self.parent(of: folder)
        }
        return nil
    }

    private static func parent(of path: String) -> String { path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "" }
}
