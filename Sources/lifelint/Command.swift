import Analysis
import Findings
import Foundation
import ProgramModel
import ProjectFiles
import Reporters
import RuleLibrary
import SwiftFrontEnd

/// The command: reads arguments, wires the modules, writes, and chooses the exit code.
enum Command {
    /// Runs the command line and gives the exit code: 0 clean, 2 findings that fail the run, 1 the tool could not work.
    static func run(_ words: [String]) -> Int32 {
        do throws(Failure) {
            let arguments: Arguments
            do throws(Arguments.Misuse) {
                arguments = try Arguments.parse(words)
            } catch {
                throw Failure(message: "\(error.message); 'lifelint --help' lists what there is")
            }
            return try run(arguments)
        } catch {
            FileHandle.standardError.write(Data("lifelint: \(error.message)\n".utf8))
            return 1
        }
    }

    /// Why the tool cannot do its work, as one sentence.
    struct Failure: Error {
        let message: String
    }

    private static func run(_ arguments: Arguments) throws(Failure) -> Int32 {
        switch arguments.action {
        case .help:
            print(Arguments.usage, terminator: "")
        case .version:
            print(toolVersion)
        case .rules(let id):
            try write(try arguments.manualForm.render(id, of: library(arguments)), arguments)
        case .explain(let path, let line):
            print(try explain(path, line, arguments), terminator: "")
        case .simulate(let type):
            try write(try simulate(type, arguments), arguments)
        case .dumpFacts(let path):
            print(try dump(factsOf: path, arguments), terminator: "")
        case .dumpProgram(let path, let type):
            print(try dump(program: path, type, arguments), terminator: "")
        case .lint:
            return try lint(arguments)
        }
        return 0
    }

    private static func library(_ arguments: Arguments) throws(Failure) -> RuleLibrary {
        let added = try RuleFolders.read(arguments.ruleFolders)
        do throws(RuleDataError) {
            return try RuleLibrary.embedded(adding: added)
        } catch {
            let isAdded = added.contains { $0.path == error.file }
            throw Failure(message: isAdded ? "a rule file cannot be used: \(error)" : "the rule data cannot be used: Rules/\(error)")
        }
    }

    // MARK: lint

    private static func lint(_ arguments: Arguments) throws(Failure) -> Int32 {
        let library = try library(arguments)
        let selection = try selection(arguments, library)
        var threads = Threads(count: arguments.threads)
        let showsProgress = arguments.showsProgress ?? (isatty(STDERR_FILENO) == 1 && !arguments.isQuiet)
        if showsProgress { threads.progress = ProgressBar.drawing("reading") }

        let clock = ContinuousClock()
        var seconds: [String: Double] = [:]
        func timed<Result>(_ name: String, _ work: () -> Result) -> Result {
            let start = clock.now
            defer { seconds[name] = (clock.now - start) / .seconds(1) }
            return work()
        }
        let loaded = timed("read") { LoadedSources.load(arguments.paths, library: library, threads: threads) }
        if showsProgress { ProgressBar.clear() }
        if let missing = loaded.missing.first, loaded.missing.count == arguments.paths.count {
            throw Failure(message: "there is no file or folder '\(missing)'")
        }
        // A mistyped path must be seen whatever the form of the report.
        for path in loaded.missing { FileHandle.standardError.write(Data("lifelint: there is no file or folder '\(path)', so it is skipped\n".utf8)) }
        let absent = loaded.missing.map { Problem(path: $0, kind: .missing, message: "there is no such file or folder, so it is skipped") }
        threads.progress = nil
        let program = timed("link") { Analysis.link(loaded.files, units: loaded.units, library: library, resources: loaded.resources) }
        let report = timed("check") {
            Analysis.report(on: program, library: library, selection: selection, targets: loaded.unitTargets(arguments), problems: loaded.problems + absent, pool: threads,
                engine: arguments.engine, showsRefuted: arguments.showsRefuted)
        }
        if loaded.files.isEmpty, !report.problems.isEmpty, arguments.reporter == .text || arguments.paths.count == 1, loaded.foundAny || absent.isEmpty {
            // Nothing could be read: the report still says why, and the code says that the work was not done.
            try write(report, arguments)
            throw Failure(message: "no input could be read: \(report.problems[0].path): \(report.problems[0].message)")
        }
        try write(report, arguments)
        if let path = arguments.statistics { try write(Statistics(program, report, seconds: seconds), to: path) }
        let fails = report.count(.error) > 0 || (arguments.isStrict && report.count(.warning) > 0)
        return fails ? 2 : 0
    }

    private static func selection(_ arguments: Arguments, _ library: RuleLibrary) throws(Failure) -> RuleSelection {
        for (flag, ids) in [("--only-rule", arguments.onlyRules), ("--disable-rule", arguments.disabledRules)] {
            if let unknown = ids.first(where: { library.rules[$0] == nil }) {
                throw Failure(message: "\(flag) names no rule: '\(unknown)'; 'lifelint rules' lists them")
            }
        }
        let folder = FileManager.default.currentDirectoryPath
        let paths = SourceDiscovery.find(arguments.reportedFiles, workingFolder: folder)
        if let missing = paths.missing.first { throw Failure(message: "--report-on names no file or folder: '\(missing)'") }
        return RuleSelection(
            only: arguments.onlyRules.isEmpty ? nil : Set(arguments.onlyRules), disabled: Set(arguments.disabledRules),
            paths: arguments.reportedFiles.isEmpty ? nil : Set(paths.sources.map(\.reportPath)))
    }

    private static func write(_ report: Report, _ arguments: Arguments) throws(Failure) {
        let style = TextStyle(isColoured: arguments.output == nil && isatty(STDOUT_FILENO) == 1, isQuiet: arguments.isQuiet)
        try write(arguments.reporter.render(report, toolVersion: toolVersion, style: style), arguments)
        // People read problems in the text report; for scripts the JSON carries them, and Xcode's form has no place for them.
        if arguments.reporter == .xcode, !arguments.isQuiet {
            for problem in report.problems { FileHandle.standardError.write(Data("lifelint: \(problem.path): \(problem.message)\n".utf8)) }
        }
    }

    private static func write(_ text: String, _ arguments: Arguments) throws(Failure) {
        if let output = arguments.output {
            guard OutputFile.write(Data(text.utf8), to: output) else {
                throw Failure(message: "the report cannot be written to '\(output)', named by --output")
            }
        } else {
            FileHandle.standardOutput.write(Data(text.utf8))
        }
    }

    private static func write(_ statistics: Statistics, to path: String) throws(Failure) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        guard let data = try? encoder.encode(statistics), OutputFile.write(data, to: path) else {
            throw Failure(message: "the statistics cannot be written to '\(path)', named by --stats")
        }
    }

    // MARK: explain, simulate and dump

    private static func simulate(_ name: String, _ arguments: Arguments) throws(Failure) -> String {
        let library = try library(arguments)
        let loaded = LoadedSources.load(arguments.paths, library: library, threads: Threads(count: arguments.threads))
        guard !loaded.files.isEmpty else { throw Failure(message: "no input could be read below '\(arguments.paths.joined(separator: "', '"))'") }
        let program = Analysis.link(loaded.files, units: loaded.units, library: library, resources: loaded.resources)
        let graphs = Analysis.stateGraphs(ofTypesNamed: name, in: program, library: library, targets: loaded.unitTargets(arguments))
        guard !graphs.isEmpty else { throw Failure(message: "no class '\(name)' is declared below '\(arguments.paths.joined(separator: "', '"))'") }
        return arguments.graphForm.render(graphs, lines: arguments.graphForm == .html ? lines(ofTracesOf: graphs) : [:])
    }

    private static func explain(_ path: String, _ line: Int, _ arguments: Arguments) throws(Failure) -> String {
        let library = try library(arguments)
        let found = SourceDiscovery.find([path], workingFolder: FileManager.default.currentDirectoryPath)
        guard found.sources.count == 1, let file = found.sources.first else { throw Failure(message: "there is no source file '\(path)'") }
        let threads = Threads(count: arguments.threads)
        let loaded = LoadedSources.load(arguments.paths + [path], library: library, threads: threads)
        guard loaded.files.contains(where: { $0.path == file.reportPath }) else {
            throw Failure(message: "'\(path)' could not be read\(loaded.problems.first { $0.path == file.reportPath }.map { ": \($0.message)" } ?? "")")
        }
        let program = Analysis.link(loaded.files, units: loaded.units, library: library, resources: loaded.resources)
        // Whoever asks wants to know of rules that are off as well.
        let selection = RuleSelection(only: Set(library.rules.keys), paths: [file.reportPath])
        let report = Analysis.report(on: program, library: library, selection: selection, targets: loaded.unitTargets(arguments), problems: [], pool: threads, showsRefuted: true)
        return Explanation.text(path: file.reportPath, line: line, program: program, library: library, targets: loaded.unitTargets(arguments), report: report)
    }

    /// The lines of the files that the traces name; those that cannot be read again are left out.
    private static func lines(ofTracesOf graphs: [StateGraph]) -> [String: [String]] {
        let paths = Set(graphs.flatMap(\.findings).flatMap(\.trace).map(\.path)).subtracting([""])
        return Dictionary(uniqueKeysWithValues: paths.sorted().map { path in
            let bytes = (try? SourceReader.read(path, reportedAs: path).get()) ?? []
            return (path, String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        })
    }

    private static func dump(factsOf path: String, _ arguments: Arguments) throws(Failure) -> String {
        // Without folders that of the file is read as well: an Objective-C file is not understood without its headers.
        let found = SourceDiscovery.find([path], workingFolder: FileManager.default.currentDirectoryPath)
        guard let file = found.sources.first, found.sources.count == 1 else { throw Failure(message: "there is no source file '\(path)'") }
        let folders = !arguments.paths.isEmpty ? arguments.paths : file.isObjectiveC ? [(file.path as NSString).deletingLastPathComponent] : []
        let loaded = LoadedSources.load(folders + [path], library: try library(arguments), threads: Threads(count: arguments.threads))
        if let source = loaded.files.first(where: { $0.path == file.reportPath }) { return FactsPrinter.print(source.facts) }
        let problem = loaded.problems.first { $0.path == file.reportPath }
        throw Failure(message: "\(path): \(problem?.message ?? "the file cannot be read")")
    }

    private static func dump(program path: String, _ type: String, _ arguments: Arguments) throws(Failure) -> String {
        let library = try library(arguments)
        let loaded = LoadedSources.load([path], library: library, threads: Threads(count: arguments.threads))
        guard !loaded.files.isEmpty else { throw Failure(message: "no input could be read below '\(path)'") }
        let text = ProgramPrinter.print(typesNamed: type, of: Analysis.link(loaded.files, units: loaded.units, library: library, resources: loaded.resources))
        guard !text.isEmpty else { throw Failure(message: "no type '\(type)' is declared below '\(path)'") }
        return text
    }
}
