import Findings
import Foundation

/// What a compile_commands.json says of the texts that it compiles: macros, and what is included before the text.
public struct CompileCommands: Sendable {
    /// The arguments that change what a text says, by its absolute path: `-D`, `-U` and `-include` with their values.
    public let arguments: [String: [String]]

    private struct Entry: Decodable {
        let directory: String
        let file: String
        let arguments: [String]?
        let command: String?
    }

    /// Reads a file of that form; one problem says what is wrong with it.
    public static func read(_ path: String, reportedAs name: String) -> Result<CompileCommands, Problem> {
        let entries: [Entry]
        do {
            entries = try JSONDecoder().decode([Entry].self, from: Data(contentsOf: URL(fileURLWithPath: path)))
        } catch {
            let message = "this is no list of compile commands ('directory', 'file', and 'arguments' or 'command'), so its macros are not known; write it anew or remove it"
            return .failure(Problem(path: name, kind: .unreadable, message: message))
        }
        var arguments: [String: [String]] = [:]
        for entry in entries {
            let words = entry.arguments ?? entry.command.map(Self.words(of:)) ?? []
            arguments[absolute(entry.file, in: entry.directory)] = telling(words, in: entry.directory)
        }
        return .success(CompileCommands(arguments: arguments))
    }

    /// The arguments that count, each with its value in the same word or the next.
    private static func telling(_ words: [String], in directory: String) -> [String] {
        var found: [String] = []
        var index = 0
        while index < words.count {
            defer { index += 1 }
            let word = words[index]
            for flag in ["-D", "-U", "-include"] where word.hasPrefix(flag) {
                guard let value = word == flag ? (index + 1 < words.count ? words[index + 1] : nil) : flag == "-include" ? nil : String(word.dropFirst(flag.count)) else { break }
                if word == flag { index += 1 }
                // What the parser is told of the language is not the build's to change.
                if !value.hasPrefix("__has_feature") { found += flag == "-include" ? [flag, absolute(value, in: directory)] : [flag + value] }
                break
            }
        }
        return found
    }

    private static func absolute(_ path: String, in directory: String) -> String {
        ((path.hasPrefix("/") ? path : directory + "/" + path) as NSString).standardizingPath
    }

    /// The words of a shell command: blanks part them, quotes and backslashes keep blanks.
    static func words(of command: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var isEscaped = false
        for character in command {
            if isEscaped {
                word = (word ?? "") + String(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "\"" || character == "'" {
                quote = character
                word = word ?? ""
            } else if character.isWhitespace {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + [word].compactMap { $0 }
    }
}
