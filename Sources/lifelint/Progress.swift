import Foundation

/// The progress bar on standard error.
enum ProgressBar {
    /// A function to call after each file; it draws at most a hundred times.
    static func drawing(_ title: String) -> @Sendable (Int, Int) -> Void {
        { done, total in
            let step = max(1, total / 100)
            guard done % step == 0 || done == total else { return }
            let width = 30
            let filled = width * done / max(1, total)
            let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: width - filled)
            write("\r\(title) [\(bar)] \(done)/\(total)" + (done == total ? "\u{1B}[K" : ""))
        }
    }

    /// Removes the bar.
    static func clear() {
        write("\r\u{1B}[K")
    }

    private static func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}
