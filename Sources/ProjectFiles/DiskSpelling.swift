import Foundation

/// How paths are spelled on this disk that a project writes in other letters: the disks of most Macs do not tell capitals from small ones.
struct DiskSpelling {
    /// What folders hold, by the names in small letters.
    private var listings: [String: [String: String]] = [:]

    /// The path that differs from this one in the case of its letters alone; itself where there is one, or none at all.
    mutating func spelling(of path: String) -> String {
        guard !FileManager.default.fileExists(atPath: path) else { return path }
        var found = ""
        for part in path.split(separator: "/") {
            let here = found.isEmpty ? "/" : found
            let exact = "\(found)/\(part)"
            if FileManager.default.fileExists(atPath: exact) {
                found = exact
            } else {
                guard let like = names(in: here)[part.lowercased()] else { return path }
                found += "/\(like)"
            }
        }
        return found
    }

    private mutating func names(in folder: String) -> [String: String] {
        if let known = listings[folder] { return known }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
        let listing = Dictionary(names.map { ($0.lowercased(), $0) }) { first, _ in first }
        listings[folder] = listing
        return listing
    }
}
