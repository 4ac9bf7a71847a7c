import Analysis
import Findings
import Foundation
import Reporters

/// What the user asked for.
struct Arguments: Equatable {
    /// The commands.
    enum Action: Equatable {
        case lint
        case rules(String?)
        case explain(path: String, line: Int)
        case simulate(type: String)
        case dumpFacts(String)
        case dumpProgram(path: String, type: String)
        case version
        case help
    }

    var action = Action.lint
    var paths: [String] = []
    var reporter = Reporter.text
    var onlyRules: [String] = []
    var disabledRules: [String] = []
    /// Folders with rule data of the user's own.
    var ruleFolders: [String] = []
    /// The oldest systems, where the user says what the project does not, or says it wrongly.
    var deploymentTargets: [AppleSystem: SystemVersion] = [:]
    /// The files to report on; empty for all.
    var reportedFiles: [String] = []
    var isStrict = false
    var isQuiet = false
    var output: String?
    var statistics: String?
    var threads: Int?
    var showsProgress: Bool?
    var engine = Engine.fixpoint
    var showsRefuted = false
    var graphForm = GraphForm.text
    var manualForm = ManualForm.text

    /// A command line that cannot be understood, as one sentence.
    struct Misuse: Error, Equatable {
        let message: String
    }

    private static let commands = ["lint", "rules", "explain", "simulate", "dump"]

    /// Reads the words after the program's name: flags may stand anywhere, `--` ends them.
    static func parse(_ words: [String]) throws(Misuse) -> Arguments {
        var arguments = Arguments()
        var command = "lint"
        var words = words
        if let first = words.first, commands.contains(first) {
            command = first
            words.removeFirst()
        }
        let (flags, operands) = try OptionScanner.scan(words)
        for (name, value) in flags { try arguments.apply(name, value, command) }
        if arguments.action == .help || arguments.action == .version { return arguments }
        switch command {
        case "rules":
            guard operands.count <= 1 else { throw Misuse(message: "'rules' takes one rule's id at most, not \(operands.count) words") }
            arguments.action = .rules(operands.first)
        case "explain":
            arguments.action = try explain(operands)
            arguments.paths = operands.count > 1 ? Array(operands.dropFirst()) : ["."]
        case "simulate":
            guard let type = operands.first, !type.isEmpty else { throw Misuse(message: "'simulate' is followed by the name of a class, and by the folders to read if not the current one") }
            arguments.action = .simulate(type: type)
            arguments.paths = operands.count > 1 ? Array(operands.dropFirst()) : ["."]
        case "dump":
            arguments.action = try dump(operands)
            arguments.paths = Array(operands.dropFirst(2))
        default:
            guard !operands.contains("") else { throw Misuse(message: "a path is empty; is a variable not set?") }
            arguments.paths = operands.isEmpty ? ["."] : operands
        }
        return arguments
    }

    private static func explain(_ operands: [String]) throws(Misuse) -> Action {
        guard let place = operands.first, let colon = place.lastIndex(of: ":"), colon != place.startIndex,
              let line = Int(place[place.index(after: colon)...]), line > 0 else {
            throw Misuse(message: "'explain' is followed by PATH:LINE, and by the folders to read if not the current one")
        }
        return .explain(path: String(place[..<colon]), line: line)
    }

    private static func dump(_ operands: [String]) throws(Misuse) -> Action {
        switch (operands.first, operands.count) {
        case ("facts", 2...): return .dumpFacts(operands[1])
        case ("program", 3): return .dumpProgram(path: operands[1], type: operands[2])
        default: throw Misuse(message: "'dump' is followed by 'facts FILE' and the folders to read if not that of the file, or by 'program PATH TYPE'")
        }
    }

    /// The named one of a few values.
    private static func choice<Value: RawRepresentable & CaseIterable>(_ flag: String, _ word: String) throws(Misuse) -> Value where Value.RawValue == String {
        guard let named = Value(rawValue: word) else { throw Misuse(message: "--\(flag) takes \(Value.allCases.map(\.rawValue).joined(separator: ", ")), not '\(word)'") }
        return named
    }

    private mutating func apply(_ flag: String, _ value: String, _ command: String) throws(Misuse) {
        switch flag {
        case "reporter": reporter = try Self.choice(flag, value)
        case "only-rule": onlyRules += value.split(separator: ",").map(String.init)
        case "disable-rule": disabledRules += value.split(separator: ",").map(String.init)
        case "report-on": reportedFiles.append(value)
        case "rules-path": ruleFolders.append(value)
        case "deployment-target":
            let words = value.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            guard words.count == 2, let system = AppleSystem(named: words[0]), let version = SystemVersion(words[1]) else {
                throw Misuse(message: "--deployment-target takes a system and its oldest version, such as iOS=13.0, not '\(value)'; systems are \(AppleSystem.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            deploymentTargets[system] = version
        case "engine": engine = try Self.choice(flag, value)
        case "format" where command == "simulate": graphForm = try Self.choice(flag, value)
        case "format" where command == "rules": manualForm = try Self.choice(flag, value)
        case "format": throw Misuse(message: "--format belongs to 'simulate' and 'rules'; the form of a report is --reporter")
        case "show-refuted": showsRefuted = true
        case "strict": isStrict = true
        case "quiet": isQuiet = true
        case "output": output = value
        case "stats": statistics = value
        case "progress": showsProgress = true
        case "threads":
            guard let count = Int(value), (1...256).contains(count) else {
                throw Misuse(message: "--threads takes a number from 1 to 256, not '\(value)'")
            }
            threads = count
        case "version": action = .version
        case "help": action = .help
        default: throw Misuse(message: "--\(flag) is not known")
        }
    }

    static let usage = """
        lifelint \(toolVersion): finds misuse of Cocoa lifecycles in Swift and Objective-C code

        lifelint [lint] [PATH ...]      lint files and folders; the current folder when none is given
        lifelint rules [ID]             list the rules, or print one rule's page
        lifelint explain PATH:LINE [FOLDER ...]
                                        show the run behind a finding, or why a place is fine
        lifelint simulate TYPE [FOLDER ...]
                                        show the states that an object of a class can reach
        lifelint dump facts FILE [FOLDER ...]
                                        print what lifelint reads in a file, with the headers in the folders
        lifelint dump program PATH TYPE print how a type was linked

          --reporter text|xcode|json    form of the report (text)
          --only-rule ID[,ID]           run only these rules
          --disable-rule ID[,ID]        run without these rules
          --rules-path FOLDER           add the rule data in this folder; may be repeated
          --deployment-target OS=V      the oldest system the code is for, where the project does not say: iOS=13.0
          --report-on FILE              read everything, report on this file only; may be repeated
          --show-refuted                report also where every run is fine
          --engine fixpoint|enumerate   decide by all states, or by sequences of events up to a bound (fixpoint)
          --format text|dot|html        form of the states that 'simulate' shows (text)
          --format text|markdown|json   form in which 'rules' says what the rules do (text)
          --strict                      warnings fail the run, too
          --quiet, -q                   no progress, no summary
          --output FILE                 write the report to a file
          --stats FILE                  write counts and times of the run to a file, as JSON
          --threads N                   work on N threads (all cores)
          --progress                    show progress even where it is not a terminal
          --version, --help, -h

        Exit code: 0 nothing that fails the run; 2 an error was found (with --strict also a warning);
        1 lifelint could not do its work.

        """
}

/// Tells flags from other words.  The C library's getopt_long is not importable under Swift 6 (its state is global).
enum OptionScanner {
    /// Each flag with whether it takes a value, and its one-letter form.
    private static let flags: [(name: String, takesValue: Bool, letter: String?)] = [
        ("reporter", true, nil), ("only-rule", true, nil), ("disable-rule", true, nil), ("report-on", true, nil), ("rules-path", true, nil), ("deployment-target", true, nil), ("strict", false, nil), ("engine", true, nil), ("show-refuted", false, nil), ("format", true, nil), ("quiet", false, "q"),
        ("output", true, nil), ("stats", true, nil), ("threads", true, nil), ("progress", false, nil), ("version", false, nil), ("help", false, "h"),
    ]

    /// The flags in order with their values, and the other words; `--flag value` and `--flag=value` are the same.
    static func scan(_ words: [String]) throws(Arguments.Misuse) -> (flags: [(String, String)], operands: [String]) {
        var found: [(String, String)] = []
        var operands: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let flag = flags.first(where: { "--\($0.name)" == parts[0] || $0.letter.map { "-\($0)" } == parts[0] }) else {
                throw Arguments.Misuse(message: "the flag '\(parts[0])' is not known")
            }
            if !flag.takesValue {
                guard parts.count == 1 else { throw Arguments.Misuse(message: "the flag '\(parts[0])' takes no value") }
                found.append((flag.name, ""))
            } else if let value = parts.count == 2 ? parts[1] : rest.popFirst() {
                // Who forgets a value would get a file of the next flag's name.
                if parts.count == 1, value.hasPrefix("--") || flags.contains(where: { $0.letter.map { "-\($0)" } == value }) {
                    throw Arguments.Misuse(message: "the flag '\(parts[0])' needs a value, and '\(value)' after it is a flag; a value that begins so is written \(parts[0])=\(value)")
                }
                found.append((flag.name, value))
            } else {
                throw Arguments.Misuse(message: "the flag '\(parts[0])' needs a value")
            }
        }
        return (found, operands)
    }
}
