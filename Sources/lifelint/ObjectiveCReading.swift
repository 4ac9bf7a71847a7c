import Analysis
import Findings
import Foundation
import ObjectiveCFrontEnd
import ProgramModel
import ProjectFiles
import RuleLibrary

/// Reads the Objective-C files of one run; without libclang they are left out, and one problem says so.
struct ObjectiveCReading: Sendable {
    private let frontEnd: ObjectiveCFrontEnd?
    /// What each text is compiled with, by its path.
    private let compiled: [String: TextSurroundings]
    /// What the prefix headers lack that more than one text is compiled with.
    private let healed: [Prefix: HealedPrefix]
    /// Kept as long as files are read: its end removes the folder.
    private let workspace: ClangWorkspace?
    /// Why no Objective-C is read, where there is some.
    let problem: Problem?

    private let surroundings: Surroundings
    /// The headers of texts that count references themselves, by their paths.
    private let countingHeaders: Set<String>
    private let circles: SuperclassCircles

    /// What texts are compiled with beside their own imports.
    struct Surroundings: Sendable {
        let prefixHeaders: PrefixHeaders
        let compileCommands: [CompileCommands]
        /// What each prefix header imports.
        private let imports: [String: [String]]
        /// Whether texts count references themselves, where the targets that compile them agree.
        private let counting: [String: Bool]
        /// Whether texts are compiled for macOS and nothing else, where the targets that compile them say.
        private let isForMac: [String: Bool]

        init(_ discovery: Discovery, _ compileCommands: [CompileCommands], _ projects: [XcodeProject]) {
            let texts = discovery.sources.filter { $0.isObjectiveC && !$0.path.hasSuffix(".h") }.map(\.path)
            prefixHeaders = PrefixHeaders(discovery.prefixHeaders, texts: texts, projects: projects)
            self.compileCommands = compileCommands
            (counting, isForMac) = Self.settings(of: texts, projects)
            imports = Dictionary(uniqueKeysWithValues: prefixHeaders.all.map { path in
                (path, (try? SourceReader.read(path, reportedAs: path).get()).map { HeaderTable.importedNames(in: $0) } ?? [])
            })
        }

        private static func settings(of texts: [String], _ projects: [XcodeProject]) -> (counting: [String: Bool], isForMac: [String: Bool]) {
            let targets = projects.flatMap(\.targets)
            var found: (counting: [String: Bool], isForMac: [String: Bool]) = ([:], [:])
            for path in texts {
                let compiling = targets.filter { $0.compiles(path) }
                let answers = Set(compiling.map { $0.countingFiles[path] ?? $0.countsReferences })
                if answers.count == 1, let answer = answers.first { found.counting[path] = answer }
                let systems = compiling.compactMap(\.deploymentTargets).flatMap(\.oldest.keys)
                if !systems.isEmpty { found.isForMac[path] = systems.allSatisfy { $0 == .macOS } }
            }
            return found
        }

        /// What the projects say of a text, or of the one that a header belongs to.
        private func value(of path: String, in settings: [String: Bool]) -> Bool? {
            guard path.hasSuffix(".h") else { return settings[path] }
            return [".m", ".mm"].lazy.compactMap { settings[path.dropLast(2) + $0] }.first
        }

        /// Whether a text, or the one that a header belongs to, is compiled for macOS and nothing else; nil where no project says.
        private func isForMac(_ path: String) -> Bool? { value(of: path, in: isForMac) }

        /// Whether a text, or the one that a header belongs to, counts references itself; nil where no project says.
        func countsReferences(_ path: String) -> Bool? { value(of: path, in: counting) }

        /// Everything that some prefix header imports.
        var importedNames: Set<String> { Set(imports.values.joined()) }

        /// What the prefix header of a text imports.
        private func importedNames(for path: String) -> [String] { prefixHeaders.header(for: path).flatMap { imports[$0] } ?? [] }

        /// The compiler's arguments for a text.
        private func arguments(for path: String) -> [String] {
            if let known = compileCommands.lazy.compactMap({ $0.arguments[path] }).first { return known }
            return prefixHeaders.header(for: path).map { ["-include", $0] } ?? []
        }

        /// What a text that imports these names is compiled with.
        func ofText(_ path: String, imported: [String]) -> TextSurroundings {
            TextSurroundings(of: path, imported: imported + importedNames(for: path), arguments: arguments(for: path), isForMac: isForMac(path))
        }
    }

    init(_ sources: [DiscoveredFile], _ texts: [Result<LoadedSources.Text, Problem>], library: RuleLibrary, surroundings: Surroundings, threads: Threads) {
        self.surroundings = surroundings
        countingHeaders = Self.countingHeaders(sources, texts) { surroundings.countsReferences($0) == nil }
        var imported = surroundings.importedNames
        var first: DiscoveredFile?
        for (source, text) in zip(sources, texts) {
            guard case .success(.objectiveC(let bytes, let imports, _)) = text else { continue }
            imported.formUnion(imports)
            if first == nil, Self.declaresAnything(source, bytes) { first = source }
        }
        guard let first else {
            (frontEnd, workspace, problem, compiled, healed, circles) = (nil, nil, nil, [:], [:], SuperclassCircles())
            return
        }
        let platform = Analysis.platform(of: library)
        let circles = SuperclassCircles(Self.interfaces(sources, texts), platform: platform)
        self.circles = circles
        let headers = HeaderTable(headers: sources.map(\.path).filter { $0.hasSuffix(".h") }, importedNames: imported)
        guard let workspace = ClangWorkspace(),
              workspace.write(overlay: headers.overlay(root: workspace.headers, importedNames: imported, empty: workspace.emptyHeader)) else {
            let message = "the temporary folder cannot be written to, so Objective-C is skipped; set TMPDIR to a folder that can"
            (frontEnd, self.workspace, problem, compiled, healed) = (nil, nil, Problem(path: first.reportPath, kind: .unreadable, message: message), [:], [:])
            return
        }
        let names = ImportedNames(selectors: library.selectorNames)
        frontEnd = ObjectiveCFrontEnd(
            platform: platform, names: names, circles: circles,
            workspace: .init(folder: workspace.folder, overlay: workspace.overlay, headers: workspace.headers))
        self.workspace = workspace
        let message = "there is no libclang, so this and all other Objective-C files are skipped; install libclang1 (Debian) or Xcode, or name the library in LIFELINT_LIBCLANG"
        problem = frontEnd == nil ? Problem(path: first.reportPath, kind: .unreadable, message: message) : nil
        compiled = Dictionary(zip(sources, texts).compactMap { source, text in
            guard case .success(.objectiveC(let bytes, let imports, _)) = text, Self.declaresAnything(source, bytes) else { return nil }
            return (source.path, surroundings.ofText(source.path, imported: imports))
        }) { first, _ in first }
        let shared = Self.sharedPrefixes(compiled)
        healed = frontEnd.map { Self.healed(shared, $0, threads) } ?? [:]
    }

    /// What the prefix headers lack, found on several threads.
    private static func healed(_ prefixes: [Prefix], _ frontEnd: ObjectiveCFrontEnd, _ threads: Threads) -> [Prefix: HealedPrefix] {
        var quiet = threads
        quiet.progress = nil
        return Dictionary(uniqueKeysWithValues: zip(prefixes, quiet.map(prefixes.count) { frontEnd.healed(prefixes[$0]) }))
    }

    /// The prefix headers that more than one text is compiled with.
    private static func sharedPrefixes(_ compiled: [String: TextSurroundings]) -> [Prefix] {
        Dictionary(grouping: compiled.values.map(\.prefix).filter(\.includesHeader)) { $0 }.filter { $0.value.count > 1 }.map(\.key)
    }

    /// The facts of one file; a header without classes has none.
    func facts(of source: DiscoveredFile, _ bytes: [UInt8]) -> FileFacts {
        guard let frontEnd, let compiled = compiled[source.path] else { return FileFacts(language: .objectiveC) }
        if let refused = circles.facts(of: source.path, bytes) { return refused }
        return frontEnd.facts(of: source.path, bytes: bytes, in: compiled, countsReferences: countsReferences(source.path, bytes), healed: healed[compiled.prefix])
    }

    private static func interfaces(_ sources: [DiscoveredFile], _ texts: [Result<LoadedSources.Text, Problem>]) -> [String: [SuperclassCircles.Interface]] {
        Dictionary(zip(sources, texts).compactMap { source, text in
            guard case .success(.objectiveC(_, _, let interfaces)) = text, !interfaces.isEmpty else { return nil }
            return (source.path, interfaces)
        }) { first, _ in first }
    }

    /// The headers of which no project says it that stand beside a text of the same name which counts references itself, by its words.
    private static func countingHeaders(_ sources: [DiscoveredFile], _ texts: [Result<LoadedSources.Text, Problem>], isOpen: (String) -> Bool) -> Set<String> {
        let headers = Set(sources.lazy.map(\.path).filter { $0.hasSuffix(".h") })
        return Set(zip(sources, texts).compactMap { source, text -> String? in
            guard case .success(.objectiveC(let bytes, _, _)) = text, let dot = source.path.lastIndex(of: "."), source.path[dot...].hasPrefix(".m") else { return nil }
            let header = "\(source.path[..<dot]).h"
            return headers.contains(header) && isOpen(header) && ObjectiveCFrontEnd.countsReferences(bytes) ? header : nil
        })
    }

    /// Whether a text counts references itself, by the projects that compile it, or what its header stands for; nil where nobody says.
    ///
    /// A text with weak variables was written for automatic counting, whatever a setting is that its project leaves out.
    private func countsReferences(_ path: String, _ bytes: [UInt8]) -> Bool? {
        if let known = surroundings.countsReferences(path), !known || !HeaderTable.contains(bytes, "__weak") { return known }
        return countingHeaders.contains(path) ? true : nil
    }

    /// Whether a file is worth a parse: a header that declares no class or protocol says nothing of lifecycles.
    private static func declaresAnything(_ source: DiscoveredFile, _ bytes: [UInt8]) -> Bool {
        !source.path.hasSuffix(".h") || ["@interface", "@protocol"].contains { HeaderTable.contains(bytes, $0) }
    }
}
