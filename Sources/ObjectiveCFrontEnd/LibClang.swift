internal import CLibClang
import Foundation

/// libclang, opened at run time: a machine without it lints Swift all the same.
///
/// The structures are those of `clang-c/Index.h`, whose interface is stable across versions; tried with 14 and 21.
struct LibClang: @unchecked Sendable {
    let createIndex: @convention(c) (CInt, CInt) -> CXIndex?
    let disposeIndex: @convention(c) (CXIndex?) -> Void
    let parse: @convention(c) (
        CXIndex?, UnsafePointer<CChar>?, UnsafePointer<UnsafePointer<CChar>?>?, CInt, UnsafeMutablePointer<CXUnsavedFile>?, UInt32, UInt32,
        UnsafeMutablePointer<CXTranslationUnit?>?) -> CXErrorCode
    let save: @convention(c) (CXTranslationUnit?, UnsafePointer<CChar>?, UInt32) -> CInt
    let disposeUnit: @convention(c) (CXTranslationUnit?) -> Void
    let unitCursor: @convention(c) (CXTranslationUnit?) -> CXCursor
    let file: @convention(c) (CXTranslationUnit?, UnsafePointer<CChar>?) -> CXFile?
    let skippedRanges: @convention(c) (CXTranslationUnit?, CXFile?) -> UnsafeMutablePointer<CXSourceRangeList>?
    let disposeRanges: @convention(c) (UnsafeMutablePointer<CXSourceRangeList>?) -> Void

    let string: @convention(c) (CXString) -> UnsafePointer<CChar>?
    let disposeString: @convention(c) (CXString) -> Void

    let diagnosticCount: @convention(c) (CXTranslationUnit?) -> UInt32
    let diagnostic: @convention(c) (CXTranslationUnit?, UInt32) -> CXDiagnostic?
    let disposeDiagnostic: @convention(c) (CXDiagnostic?) -> Void
    let diagnosticSeverity: @convention(c) (CXDiagnostic?) -> CXDiagnosticSeverity
    let diagnosticText: @convention(c) (CXDiagnostic?) -> CXString
    let diagnosticLocation: @convention(c) (CXDiagnostic?) -> CXSourceLocation

    let visitChildren: @convention(c) (CXCursor, CXCursorVisitor?, CXClientData?) -> UInt32
    let cursorSpelling: @convention(c) (CXCursor) -> CXString
    let cursorReferenced: @convention(c) (CXCursor) -> CXCursor
    let cursorExtent: @convention(c) (CXCursor) -> CXSourceRange
    let cursorLocation: @convention(c) (CXCursor) -> CXSourceLocation
    let cursorType: @convention(c) (CXCursor) -> CXType
    let cursorResultType: @convention(c) (CXCursor) -> CXType
    let nameRange: @convention(c) (CXCursor, UInt32, UInt32) -> CXSourceRange
    let isDynamicCall: @convention(c) (CXCursor) -> CInt
    let semanticParent: @convention(c) (CXCursor) -> CXCursor
    let isNull: @convention(c) (CXCursor) -> CInt
    let storageClass: @convention(c) (CXCursor) -> CX_StorageClass
    let isOptional: @convention(c) (CXCursor) -> UInt32
    let propertyAttributes: @convention(c) (CXCursor, UInt32) -> UInt32
    let propertyGetter: @convention(c) (CXCursor) -> CXString
    let propertySetter: @convention(c) (CXCursor) -> CXString
    let evaluate: @convention(c) (CXCursor) -> CXEvalResult?
    let evaluatedKind: @convention(c) (CXEvalResult?) -> CXEvalResultKind
    let evaluatedInteger: @convention(c) (CXEvalResult?) -> Int64
    let evaluatedText: @convention(c) (CXEvalResult?) -> UnsafePointer<CChar>?
    let disposeEvaluation: @convention(c) (CXEvalResult?) -> Void

    let typeSpelling: @convention(c) (CXType) -> CXString
    let canonicalType: @convention(c) (CXType) -> CXType
    let pointeeType: @convention(c) (CXType) -> CXType
    let objectBaseType: @convention(c) (CXType) -> CXType
    let typeArgumentCount: @convention(c) (CXType) -> UInt32
    let typeArgument: @convention(c) (CXType, UInt32) -> CXType
    let protocolCount: @convention(c) (CXType) -> UInt32
    let protocolDeclaration: @convention(c) (CXType, UInt32) -> CXCursor

    let range: @convention(c) (CXSourceLocation, CXSourceLocation) -> CXSourceRange
    let tokenize: @convention(c) (CXTranslationUnit?, CXSourceRange, UnsafeMutablePointer<UnsafeMutablePointer<CXToken>?>?, UnsafeMutablePointer<UInt32>?) -> Void
    let tokenSpelling: @convention(c) (CXTranslationUnit?, CXToken) -> CXString
    let disposeTokens: @convention(c) (CXTranslationUnit?, UnsafeMutablePointer<CXToken>?, UInt32) -> Void
    let rangeStart: @convention(c) (CXSourceRange) -> CXSourceLocation
    let rangeEnd: @convention(c) (CXSourceRange) -> CXSourceLocation
    let isNullRange: @convention(c) (CXSourceRange) -> CInt
    let fileLocation: @convention(c) (
        CXSourceLocation, UnsafeMutablePointer<CXFile?>?, UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<UInt32>?, UnsafeMutablePointer<UInt32>?) -> Void
    let isSameFile: @convention(c) (CXFile?, CXFile?) -> CInt
    let fileContents: @convention(c) (CXTranslationUnit?, CXFile?, UnsafeMutablePointer<Int>?) -> UnsafePointer<CChar>?
    let isInMainFile: @convention(c) (CXSourceLocation) -> CInt

    /// Opens the first libclang that the machine has; nil when there is none.
    static func open() -> LibClang? {
        for path in candidates() {
            if let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL), let library = LibClang(handle) { return library }
        }
        return nil
    }

    /// Where a libclang may be: what the loader knows, Debian's folders, the toolchain's, Xcode's and Homebrew's.
    private static func candidates() -> [String] {
        let environment = ProcessInfo.processInfo.environment
        if let given = environment["LIFELINT_LIBCLANG"] { return [given] }
        var paths = ["libclang-14.so.1", "libclang.so.1", "libclang.so", "libclang.dylib"]
        let versions = ((try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []).filter { $0.hasPrefix("llvm-") }.sorted()
        paths += versions.map { "/usr/lib/\($0)/lib/libclang.so.1" }
        for folder in (environment["PATH"] ?? "").split(separator: ":") {
            guard FileManager.default.isExecutableFile(atPath: "\(folder)/swift") else { continue }
            let compiler = URL(fileURLWithPath: "\(folder)/swift").resolvingSymlinksInPath()
            paths.append(compiler.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("lib/libclang.so").path)
        }
        paths += [
            "/Applications/Xcode.app/Contents/Developer/Toolchains/XcodeDefault.xctoolchain/usr/lib/libclang.dylib",
            "/Library/Developer/CommandLineTools/usr/lib/libclang.dylib", "/opt/homebrew/opt/llvm/lib/libclang.dylib", "/usr/local/opt/llvm/lib/libclang.dylib",
        ]
        return paths
    }

    private init?(_ handle: UnsafeMutableRawPointer) {
        var isComplete = true
        func symbol<Function>(_ name: String, _ type: Function.Type = Function.self) -> Function {
            guard let address = dlsym(handle, name) else {
                isComplete = false
                return unsafeBitCast(UnsafeRawPointer(bitPattern: 1)!, to: Function.self)
            }
            return unsafeBitCast(address, to: Function.self)
        }
        createIndex = symbol("clang_createIndex")
        disposeIndex = symbol("clang_disposeIndex")
        parse = symbol("clang_parseTranslationUnit2")
        save = symbol("clang_saveTranslationUnit")
        disposeUnit = symbol("clang_disposeTranslationUnit")
        unitCursor = symbol("clang_getTranslationUnitCursor")
        file = symbol("clang_getFile")
        skippedRanges = symbol("clang_getSkippedRanges")
        disposeRanges = symbol("clang_disposeSourceRangeList")
        string = symbol("clang_getCString")
        disposeString = symbol("clang_disposeString")
        diagnosticCount = symbol("clang_getNumDiagnostics")
        diagnostic = symbol("clang_getDiagnostic")
        disposeDiagnostic = symbol("clang_disposeDiagnostic")
        diagnosticSeverity = symbol("clang_getDiagnosticSeverity")
        diagnosticText = symbol("clang_getDiagnosticSpelling")
        diagnosticLocation = symbol("clang_getDiagnosticLocation")
        visitChildren = symbol("clang_visitChildren")
        cursorSpelling = symbol("clang_getCursorSpelling")
        cursorReferenced = symbol("clang_getCursorReferenced")
        cursorExtent = symbol("clang_getCursorExtent")
        cursorLocation = symbol("clang_getCursorLocation")
        cursorType = symbol("clang_getCursorType")
        cursorResultType = symbol("clang_getCursorResultType")
        nameRange = symbol("clang_Cursor_getSpellingNameRange")
        isDynamicCall = symbol("clang_Cursor_isDynamicCall")
        semanticParent = symbol("clang_getCursorSemanticParent")
        isNull = symbol("clang_Cursor_isNull")
        storageClass = symbol("clang_Cursor_getStorageClass")
        isOptional = symbol("clang_Cursor_isObjCOptional")
        propertyAttributes = symbol("clang_Cursor_getObjCPropertyAttributes")
        propertyGetter = symbol("clang_Cursor_getObjCPropertyGetterName")
        propertySetter = symbol("clang_Cursor_getObjCPropertySetterName")
        evaluate = symbol("clang_Cursor_Evaluate")
        evaluatedKind = symbol("clang_EvalResult_getKind")
        evaluatedInteger = symbol("clang_EvalResult_getAsLongLong")
        evaluatedText = symbol("clang_EvalResult_getAsStr")
        disposeEvaluation = symbol("clang_EvalResult_dispose")
        typeSpelling = symbol("clang_getTypeSpelling")
        canonicalType = symbol("clang_getCanonicalType")
        pointeeType = symbol("clang_getPointeeType")
        objectBaseType = symbol("clang_Type_getObjCObjectBaseType")
        typeArgumentCount = symbol("clang_Type_getNumObjCTypeArgs")
        typeArgument = symbol("clang_Type_getObjCTypeArg")
        protocolCount = symbol("clang_Type_getNumObjCProtocolRefs")
        protocolDeclaration = symbol("clang_Type_getObjCProtocolDecl")
        range = symbol("clang_getRange")
        tokenize = symbol("clang_tokenize")
        tokenSpelling = symbol("clang_getTokenSpelling")
        disposeTokens = symbol("clang_disposeTokens")
        rangeStart = symbol("clang_getRangeStart")
        rangeEnd = symbol("clang_getRangeEnd")
        isNullRange = symbol("clang_Range_isNull")
        fileLocation = symbol("clang_getFileLocation")
        isSameFile = symbol("clang_File_isEqual")
        fileContents = symbol("clang_getFileContents")
        isInMainFile = symbol("clang_Location_isFromMainFile")
        if !isComplete { return nil }
    }

    /// The text of a string of libclang, which is disposed of.
    func text(_ string: CXString) -> String {
        defer { disposeString(string) }
        return self.string(string).map { String(cString: $0) } ?? ""
    }
}
