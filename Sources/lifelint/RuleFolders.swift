import Foundation

/// Folders with rule data of the user's own, laid out as Rules/ is: `lifecycles`, `platform`, `resources`, `pairs` and so on.
enum RuleFolders {
    /// The texts of the rule files below the folders, in order of their paths; what cannot be read is an error, for a run without it
    /// would be silent for the wrong reason.
    static func read(_ folders: [String]) throws(Command.Failure) -> [(path: String, text: String)] {
        var files: [(path: String, text: String)] = []
        for folder in folders {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
                throw Command.Failure(message: "--rules-path names no folder: '\(folder)'")
            }
            let paths = (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []).filter { $0.hasSuffix(".yml") || $0.hasSuffix(".yaml") }.sorted()
            guard !paths.isEmpty else {
                throw Command.Failure(message: "--rules-path names a folder without rule files: '\(folder)' has no .yml below it")
            }
            for path in paths { files.append(try read("\(folder.hasSuffix("/") ? String(folder.dropLast()) : folder)/\(path)")) }
        }
        return files
    }

    private static func read(_ path: String) throws(Command.Failure) -> (path: String, text: String) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Command.Failure(message: "a rule file cannot be used: \(path): it cannot be read")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw Command.Failure(message: "a rule file cannot be used: \(path): it is not UTF-8")
        }
        return (path, text)
    }
}
