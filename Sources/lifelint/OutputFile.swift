import Foundation

/// Files that the user names for output.
enum OutputFile {
    /// Writes the whole content and says whether it worked.  A regular file appears complete or not at all; a device or pipe
    /// (`/dev/null`, `/dev/stdout`) is written to and never replaced.
    static func write(_ data: Data, to path: String) -> Bool {
        var status = stat()
        let isSpecial = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
        do {
            guard isSpecial else {
                try data.write(to: URL(fileURLWithPath: path), options: .atomic)
                return true
            }
            guard let handle = FileHandle(forWritingAtPath: path) else { return false }
            try handle.write(contentsOf: data)
            try handle.close()
            return true
        } catch {
            return false
        }
    }
}
