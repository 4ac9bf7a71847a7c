import Foundation

/// A temporary folder for what libclang must find on the disk; gone with its owner.
public final class ClangWorkspace: Sendable {
    public let folder: String
    /// The file that says where headers are.
    public var overlay: String { folder + "/overlay.yaml" }
    /// The folder in which the overlay puts headers; it need not exist.
    public var headers: String { folder + "/headers" }
    /// A header without anything in it.
    public var emptyHeader: String { folder + "/empty.h" }

    /// Makes the folder below the system's one for temporary files; nil when that cannot be written to.
    public init?() {
        folder = (NSTemporaryDirectory() as NSString).appendingPathComponent("lifelint-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data().write(to: URL(fileURLWithPath: emptyHeader))
        } catch {
            return nil
        }
    }

    /// Writes the overlay; tells whether that was possible.
    public func write(overlay text: String) -> Bool {
        (try? Data(text.utf8).write(to: URL(fileURLWithPath: overlay))) != nil
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }
}
