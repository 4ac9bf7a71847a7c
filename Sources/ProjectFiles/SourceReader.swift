import Findings
import Foundation

/// Reads source files as UTF-8.
public enum SourceReader {
    /// No hand writes a longer file; a generated one would cost seconds and say nothing. 4 MiB.
    public static let longestFile = 4 << 20

    /// The text of a file as UTF-8 bytes without a byte order mark, or what is wrong with it.
    public static func read(_ path: String, reportedAs name: String) -> Result<[UInt8], Problem> {
        bytes(of: path, reportedAs: name).flatMap { decode($0).mapError { $0.problem(name) } }
    }

    /// The bytes of a file of any form, or what is wrong with it.
    public static func bytes(of path: String, reportedAs name: String) -> Result<[UInt8], Problem> {
        func problem(_ kind: Problem.Kind, _ message: String) -> Result<[UInt8], Problem> {
            .failure(Problem(path: name, kind: kind, message: message))
        }
        var status = stat()
        guard stat(path, &status) == 0 else {
            return problem(.unreadable, "the file cannot be read (\(reason(errno))) and is skipped")
        }
        guard status.st_mode & S_IFMT == S_IFREG else { return problem(.unreadable, "this is no regular file and is skipped") }
        guard status.st_size <= longestFile else {
            return problem(.tooLarge, "the file has \(status.st_size >> 10) KiB, more than the \(longestFile >> 10) KiB that are read, and is skipped")
        }
        let data: Data
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            return problem(.unreadable, "the file cannot be read (\(access(path, R_OK) == 0 ? "input/output error" : reason(errno))) and is skipped")
        }
        return .success([UInt8](data))
    }

    /// Bytes that are no text.
    struct Undecodable: Error {
        let message: String

        func problem(_ name: String) -> Problem { Problem(path: name, kind: .notText, message: message) }
    }

    /// UTF-8 from UTF-8 or, with a byte order mark, UTF-16.
    static func decode(_ bytes: [UInt8]) -> Result<[UInt8], Undecodable> {
        if bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            let isLittle = bytes[0] == 0xFF
            guard bytes.count % 2 == 0 else { return .failure(Undecodable(message: "the file is UTF-16 with half a unit at its end and is skipped")) }
            let units = stride(from: 2, to: bytes.count, by: 2).map { index -> UInt16 in
                let pair = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
                return isLittle ? pair.1 << 8 | pair.0 : pair.0 << 8 | pair.1
            }
            guard let text = String(validating: units, as: UTF16.self) else {
                return .failure(Undecodable(message: "the file is no valid UTF-16 and is skipped"))
            }
            return .success(Array(text.utf8))
        }
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        if text.contains(0) { return .failure(Undecodable(message: "the file is binary and is skipped")) }
        guard String(validating: text, as: UTF8.self) != nil else {
            return .failure(Undecodable(message: "the file is not UTF-8 and is skipped; save it as UTF-8"))
        }
        return .success(text)
    }

    static func reason(_ number: Int32) -> String {
        String(cString: strerror(number)).lowercased()
    }
}
