internal import CLibClang
import ProgramModel
import SourceText

/// Reads Objective-C text into facts; made once for a run, used from any number of threads.
public struct ObjectiveCFrontEnd: Sendable {
    private let clang: LibClang
    private let names: ImportedNames
    /// The superclasses of known classes whose sources may be part of the project.
    private let libraries: [String: String]
    private let declarations: [UInt8]
    private let workspace: Workspace
    /// Headers that are empty for the parser, wherever it finds them.
    private let unread: [TranslationUnit.GivenFile]

    /// Where the run keeps what libclang must find on the disk.
    public struct Workspace: Sendable {
        /// The folder for precompiled declarations.
        public let folder: String
        /// The file that says where headers are; `HeaderTable.overlay` writes its text.
        public let overlay: String
        /// The folder in which the overlay puts the headers.
        public let headers: String

        /// Makes a workspace from paths that exist; `headers` need not.
        public init(folder: String, overlay: String, headers: String) {
            self.folder = folder
            self.overlay = overlay
            self.headers = headers
        }
    }

    /// Opens libclang; nil when the machine has none.  `circles` says which headers no text may read.
    public init?(platform: PlatformKnowledge, names: ImportedNames, circles: SuperclassCircles, workspace: Workspace) {
        guard let clang = LibClang.open() else { return nil }
        self.clang = clang
        self.names = names
        self.workspace = workspace
        unread = circles.paths.map { TranslationUnit.GivenFile(path: $0, bytes: []) }
        libraries = platform.superclasses.filter { platform.libraryClasses.contains($0.key) }
        declarations = Array(SDKDeclarations.text(of: platform).utf8)
        for dialect in Dialect.allCases { precompile(dialect) }
    }

    /// The dialects, which need declarations of their own.
    enum Dialect: String, CaseIterable {
        case plain, plus

        init(path: String) { self = path.hasSuffix(".mm") ? .plus : .plain }

        var language: String { self == .plain ? "objective-c" : "objective-c++" }
        var standard: String { self == .plain ? "gnu11" : "gnu++17" }
    }

    private func precompiled(_ dialect: Dialect) -> String { "\(workspace.folder)/\(dialect.rawValue).pch" }
    private static let declarationsPath = "/lifelint/sdk.h"
    private static let healingPath = "/lifelint/healed.h"
    private static let prefixPath = "/lifelint/prefix.h"

    private static func arguments(_ dialect: Dialect, isHeader: Bool) -> [String] {
        [
            "-x", dialect.language + (isHeader ? "-header" : ""), "-std=\(dialect.standard)", "-target", "arm64-apple-ios15.0", "-fblocks", "-nostdinc", "-ferror-limit=0",
            "-fno-spell-checking", "-fno-modules", "-w", "-fobjc-weak", "-Wno-error=int-conversion", "-Wno-error=implicit-function-declaration",
            "-Wno-error=incompatible-function-pointer-types", "-Wno-error=implicit-int", "-Wno-error=incompatible-pointer-types", "-D__has_feature(x)=LLHF_##x", "-DLLHF_objc_arc=1", "-DLLHF_nullability=1",
            "-DLLHF_blocks=1", "-DLLHF_objc_generics=1", "-DLLHF_objc_instancetype=1", "-DLLHF_objc_fixed_enum=1", "-DLLHF_objc_class_property=1", "-DLLHF_ios=1", "-DOBJC_OLD_DISPATCH_PROTOTYPES=1", "-DDEBUG=1",
        ]
    }

    private func precompile(_ dialect: Dialect) {
        withDeclarations(dialect) { unit in _ = unit?.save(to: precompiled(dialect)) }
    }

    private func withDeclarations<Result>(_ dialect: Dialect, _ work: (TranslationUnit?) -> Result) -> Result {
        let index = clang.createIndex(0, 0)
        defer { clang.disposeIndex(index) }
        return work(TranslationUnit(
            clang, index: index, path: Self.declarationsPath, arguments: Self.arguments(dialect, isHeader: true),
            given: [.init(path: Self.declarationsPath, bytes: declarations)], options: Self.precompileOptions))
    }

    private static let precompileOptions = CXTranslationUnit_Incomplete.rawValue | CXTranslationUnit_ForSerialization.rawValue
    private static let options = CXTranslationUnit_KeepGoing.rawValue | CXTranslationUnit_DetailedPreprocessingRecord.rawValue

    /// Whether a text counts references itself, as far as its words tell without a look at what they stand in.
    public static func countsReferences(_ bytes: [UInt8]) -> Bool {
        let messages: [StaticString] = [" release]", " retain]", " autorelease]"]
        return messages.contains { HeaderTable.contains(bytes, $0) } && !HeaderTable.contains(bytes, "objc_arc")
    }

    /// What is wrong with the declarations of the SDK: empty unless they are broken.
    func errorsInDeclarations() -> [String] {
        Dialect.allCases.flatMap { dialect in
            withDeclarations(dialect) { unit in unit?.diagnostics.filter(\.isError).map(\.message) ?? ["not parsed"] }
        }
    }

    /// The facts of one file; `path` is where the text lies, so that headers beside it are found, and `surroundings` what it is compiled
    /// with; `countsReferences` says whether the text that holds or implements the classes counts references itself, where that is known,
    /// and `healed` what its prefix header lacks, where that was looked for.
    public func facts(of path: String, bytes: [UInt8], in surroundings: TextSurroundings, countsReferences: Bool? = nil, healed: HealedPrefix? = nil) -> FileFacts {
        let lines = bytes.withUnsafeBufferPointer { LineTable(utf8: $0) }
        let tokens = TokenList(bytes)
        if let deep = tokens.tooDeep(lines: lines) { return FileFacts(language: .objectiveC, syntaxErrors: [deep], lineCount: lines.lineCount) }
        let prefix = surroundings.prefix
        let healing = healed?.healing ?? unhealed(prefix)
        let index = clang.createIndex(1, 0)
        defer { clang.disposeIndex(index) }
        let parsed = parse(.init(path: path, bytes: bytes), prefix, isHeader: path.hasSuffix(".h"), index, healing: healing.followed(by: tokens))
        guard let unit = parsed.unit else {
            let error = SyntaxError(span: .start, message: "libclang gives up on this file", endsReading: true)
            return FileFacts(language: .objectiveC, syntaxErrors: [error], lineCount: lines.lineCount)
        }
        let isManual = countsReferences ?? tokens.countsReferences
        let reading = DeclarationReading(
            tokens: tokens, lines: lines, names: names, root: unit.root, madeUp: parsed.healing.madeUpClasses, skipped: unit.skippedRanges(of: path),
            isManual: isManual, isAutomatic: countsReferences == false)
        reading.read(unit.root)
        return FileFacts(
            language: .objectiveC, imports: surroundings.modules.sorted(), types: reading.types, members: reading.freeMembers, aliases: [],
            steering: tokens.comments.compactMap { SteeringCommentGrammar.parse(tokens.text($0), span: lines.span(from: $0.start, to: $0.end)) }
                + CompilerWarnings.steering(tokens, lines),
            syntaxErrors: Self.syntaxErrors(parsed.diagnostics, lines), lineCount: lines.lineCount, messageCount: reading.messageCount, lostMessageCount: reading.lostMessageCount,
            countsReferences: isManual || reading.endsByHand, namedTypes: bytes.withUnsafeBufferPointer { NamedTypes(in: $0, of: .objectiveC, types: reading.types) })
    }

    /// What a prefix header lacks, found once for all texts that are compiled with it.
    public func healed(_ prefix: Prefix) -> HealedPrefix {
        let index = clang.createIndex(1, 0)
        defer { clang.disposeIndex(index) }
        return HealedPrefix(healing: parse(.init(path: Self.prefixPath, bytes: []), prefix, isHeader: true, index, healing: unhealed(prefix)).healing)
    }

    private func unhealed(_ prefix: Prefix) -> Healing { Healing(isPlus: prefix.dialect == .plus, isMac: prefix.isMac, superclasses: libraries) }

    /// Parses a text again and again, each time with declarations of what the compiler missed, until there is nothing more to declare.
    private func parse(
        _ text: TranslationUnit.GivenFile, _ prefix: Prefix, isHeader: Bool, _ index: CXIndex?, healing: Healing
    ) -> (unit: TranslationUnit?, diagnostics: [TranslationUnit.Diagnostic], healing: Healing) {
        let arguments = Self.arguments(prefix.dialect, isHeader: isHeader) + [
            "-include-pch", precompiled(prefix.dialect), "-include", Self.healingPath, "-ivfsoverlay", workspace.overlay, "-I\(workspace.headers)",
        ] + prefix.arguments
        var (healing, unit, diagnostics) = (healing, TranslationUnit?.none, [TranslationUnit.Diagnostic]())
        for _ in 0...Self.mostRounds {
            unit = TranslationUnit(
                clang, index: index, path: text.path, arguments: arguments,
                given: [text, .init(path: Self.healingPath, bytes: Array(healing.text.utf8))] + unread, options: Self.options)
            diagnostics = unit?.diagnostics ?? []
            guard unit != nil, healing.heal(diagnostics) else { break }
        }
        return (unit, diagnostics, healing)
    }

    /// Where the text is no Objective-C: what the parser misses, told apart from what it does not know.
    private static func syntaxErrors(_ diagnostics: [TranslationUnit.Diagnostic], _ lines: LineTable) -> [SyntaxError] {
        diagnostics.compactMap { diagnostic in
            guard diagnostic.isError, let offset = diagnostic.offset, isMistake(diagnostic) else { return nil }
            return SyntaxError(span: lines.span(from: offset, to: offset + 1), message: diagnostic.message)
        }
    }

    /// Whether an error speaks of the text itself: an expression is missing before a sign that ends one, or a bracket or `@end` at the end.
    private static func isMistake(_ diagnostic: TranslationUnit.Diagnostic) -> Bool {
        if diagnostic.message.hasPrefix("expected expression") {
            return [";", "]", ")"].contains(diagnostic.after.first ?? "") && ["=", "+", "-", "==", "&&", "||", ":", "return"].contains(diagnostic.before.first ?? "")
        }
        return diagnostic.message.hasPrefix("missing '@end'") || diagnostic.message.hasPrefix("extraneous closing brace")
    }

    /// How often a text is healed: two rounds give back nearly all, but of a literal with unknown constants each names only the first.
    private static let mostRounds = 6
}
