internal import CLibClang

/// One parsed text; ends with its owner.
final class TranslationUnit {
    let clang: LibClang
    private let raw: CXTranslationUnit
    private let path: String

    /// A text that is given instead of a file.
    struct GivenFile {
        let path: String
        let bytes: [UInt8]
    }

    /// What the compiler has to say of the text.
    struct Diagnostic {
        let message: String
        let isError: Bool
        /// Where in the main file; nil for other files.
        let offset: Int?
        /// The tokens around the place, in whatever file it lies: what stands before it, last first, and what follows from it on.
        let before: [String]
        let after: [String]
    }

    /// Parses a text; nil when libclang gives up on it.
    init?(_ clang: LibClang, index: CXIndex?, path: String, arguments: [String], given: [GivenFile], options: UInt32) {
        self.clang = clang
        var unit: CXTranslationUnit?
        let result = Self.withStrings(arguments) { argumentPointers in
            Self.withFiles(given) { files in
                var files = files
                return files.withUnsafeMutableBufferPointer { buffer in
                    clang.parse(
                        index, path, argumentPointers, CInt(arguments.count), buffer.baseAddress, UInt32(buffer.count), options, &unit)
                }
            }
        }
        guard result == CXError_Success, let unit else { return nil }
        raw = unit
        self.path = path
    }

    deinit {
        clang.disposeUnit(raw)
    }

    var root: Cursor { Cursor(raw: clang.unitCursor(raw), unit: self) }

    /// Writes the unit to a file, to be used as a precompiled header; tells whether it was written.
    func save(to path: String) -> Bool { clang.save(raw, path, 0) == 0 }

    /// What the compiler has to say; only errors have the words around them.
    var diagnostics: [Diagnostic] {
        (0..<clang.diagnosticCount(raw)).map { index in
            let diagnostic = clang.diagnostic(raw, index)
            defer { clang.disposeDiagnostic(diagnostic) }
            let isError = clang.diagnosticSeverity(diagnostic).rawValue >= CXDiagnostic_Error.rawValue
            let location = clang.diagnosticLocation(diagnostic)
            let (before, after) = isError ? surroundings(location) : ([], [])
            var offset: UInt32 = 0
            clang.fileLocation(location, nil, nil, nil, &offset)
            return Diagnostic(
                message: clang.text(clang.diagnosticText(diagnostic)), isError: isError, offset: clang.isInMainFile(location) != 0 ? Int(offset) : nil, before: before,
                after: after)
        }
    }

    private func surroundings(_ location: CXSourceLocation) -> (before: [String], after: [String]) {
        var file: CXFile?
        var offset: UInt32 = 0
        clang.fileLocation(location, &file, nil, nil, &offset)
        var length = 0
        guard let file, let contents = clang.fileContents(raw, file, &length), Int(offset) < length else { return ([], []) }
        func tokens(_ from: Int, _ to: Int) -> [String] {
            let list = TokenList((from..<to).map { UInt8(bitPattern: contents[$0]) })
            return list.all.map { list.text($0) }
        }
        return (tokens(max(0, Int(offset) - Self.reach), Int(offset)).reversed(), tokens(Int(offset), min(length, Int(offset) + Self.reach)))
    }

    /// Whether a place lies in the text itself; what a macro makes has the place of the macro's use.
    func isHere(_ location: CXSourceLocation) -> Bool {
        var file: CXFile?
        clang.fileLocation(location, &file, nil, nil, nil)
        return clang.isSameFile(file, clang.file(raw, path)) != 0
    }

    /// The token that is spelled at a place: in a macro's definition, if a macro makes it.
    func word(at location: CXSourceLocation) -> String {
        var tokens: UnsafeMutablePointer<CXToken>?
        var count: UInt32 = 0
        clang.tokenize(raw, clang.range(location, location), &tokens, &count)
        defer { clang.disposeTokens(raw, tokens, count) }
        guard count > 0, let tokens else { return "" }
        return clang.text(clang.tokenSpelling(raw, tokens[0]))
    }

    /// How many bytes around an error are looked at.
    private static let reach = 160

    /// The stretches that the preprocessor left out.
    func skippedRanges(of path: String) -> [(start: Int, end: Int)] {
        guard let list = clang.skippedRanges(raw, clang.file(raw, path)) else { return [] }
        defer { clang.disposeRanges(list) }
        return (0..<Int(list.pointee.count)).map { index in
            func offset(_ location: CXSourceLocation) -> Int {
                var offset: UInt32 = 0
                clang.fileLocation(location, nil, nil, nil, &offset)
                return Int(offset)
            }
            let range = list.pointee.ranges[index]
            return (offset(clang.rangeStart(range)), offset(clang.rangeEnd(range)))
        }
    }

    private static func withStrings<Result>(_ strings: [String], _ work: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result) -> Result {
        let copies = strings.map { $0.utf8CString.withUnsafeBufferPointer { source in
            let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: source.count)
            _ = copy.initialize(from: source)
            return copy
        } }
        defer { copies.forEach { $0.deallocate() } }
        let pointers = copies.map { UnsafePointer($0.baseAddress) }
        return pointers.withUnsafeBufferPointer { work($0.baseAddress) }
    }

    private static func withFiles<Result>(_ given: [GivenFile], _ work: ([CXUnsavedFile]) -> Result) -> Result {
        let names = given.map { file in
            file.path.utf8CString.withUnsafeBufferPointer { source in
                let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: source.count)
                _ = copy.initialize(from: source)
                return copy
            }
        }
        let contents = given.map { file in
            let copy = UnsafeMutableBufferPointer<CChar>.allocate(capacity: file.bytes.count + 1)
            for (index, byte) in file.bytes.enumerated() { copy[index] = CChar(bitPattern: byte) }
            copy[file.bytes.count] = 0
            return copy
        }
        defer {
            names.forEach { $0.deallocate() }
            contents.forEach { $0.deallocate() }
        }
        return work(zip(names, contents).enumerated().map { index, pair in
            CXUnsavedFile(Filename: UnsafePointer(pair.0.baseAddress), Contents: UnsafePointer(pair.1.baseAddress), Length: UInt(given[index].bytes.count))
        })
    }
}
