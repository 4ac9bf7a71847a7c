// swift-tools-version:6.0
import Foundation
import PackageDescription

// SwiftSyntax, SwiftParser and SwiftOperators come compiled with the toolchain (lib/swift/host beside
// the compiler), so the default build downloads nothing.  LIFELINT_SWIFT_SYNTAX=package takes the
// package instead, LIFELINT_SWIFT_SYNTAX=PATH a checkout of it: same sources, a much faster parser.
let swiftSyntaxChoice = ProcessInfo.processInfo.environment["LIFELINT_SWIFT_SYNTAX"] ?? "toolchain"

/// The folder lib/swift/host of the toolchain whose `swift` stands first on the PATH.
func toolchainHostLibraries() -> String {
    let environment = ProcessInfo.processInfo.environment
    var candidates = (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/swift" }
    if let developer = environment["DEVELOPER_DIR"] ?? ["/Applications/Xcode.app/Contents/Developer"].first(where: FileManager.default.fileExists) {
        candidates.append("\(developer)/Toolchains/XcodeDefault.xctoolchain/usr/bin/swift")
    }
    for candidate in candidates where FileManager.default.isExecutableFile(atPath: candidate) {
        let compiler = URL(fileURLWithPath: candidate).resolvingSymlinksInPath()
        let host = compiler.deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("lib/swift/host").path
        if FileManager.default.fileExists(atPath: "\(host)/SwiftSyntax.swiftmodule") { return host }
    }
    fatalError("no lib/swift/host/SwiftSyntax.swiftmodule beside the 'swift' on the PATH; set LIFELINT_SWIFT_SYNTAX=package to build swift-syntax from its package")
}

let swiftSyntaxProducts = ["SwiftSyntax", "SwiftParser", "SwiftOperators"]
var packageDependencies: [Package.Dependency] = []
var syntaxDependencies: [Target.Dependency] = []
var syntaxSettings: [SwiftSetting] = []
var syntaxLinking: [LinkerSetting] = []
switch swiftSyntaxChoice {
case "toolchain":
    let host = toolchainHostLibraries()
    syntaxSettings = [.unsafeFlags(["-I", host])]
    syntaxLinking = [.unsafeFlags(["-L", host, "-Xlinker", "-rpath", "-Xlinker", host])]
case "package":
    packageDependencies = [.package(url: "https://github.com/swiftlang/swift-syntax.git", from: "603.0.0")]
    syntaxDependencies = swiftSyntaxProducts.map { .product(name: $0, package: "swift-syntax") }
default:
    packageDependencies = [.package(name: "swift-syntax", path: swiftSyntaxChoice)]
    syntaxDependencies = swiftSyntaxProducts.map { .product(name: $0, package: "swift-syntax") }
}

/// The folder of libclang's headers: Debian's newest version, Homebrew's on a Mac.  The library itself is opened at run time.
func libclangHeaders() -> String {
    let debian = ((try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []).filter { $0.hasPrefix("llvm-") }
        .sorted { $0.compare($1, options: .numeric) == .orderedDescending }.map { "/usr/lib/\($0)/include" }
    for folder in debian + ["/opt/homebrew/opt/llvm/include", "/usr/local/opt/llvm/include"] where FileManager.default.fileExists(atPath: "\(folder)/clang-c/Index.h") {
        return folder
    }
    fatalError("no clang-c/Index.h; install libclang-dev (Debian) or llvm (Homebrew), or run .ci/setup")
}

let clangSettings: [SwiftSetting] = [.unsafeFlags(["-Xcc", "-I\(libclangHeaders())"])]

/// A test target that may use every module and links whatever the modules link.
@MainActor func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: syntaxSettings + clangSettings, linkerSettings: syntaxLinking)
}

let package = Package(
    name: "lifelint",
    platforms: [.macOS(.v13)],
    products: [.executable(name: "lifelint", targets: ["lifelint"])],
    dependencies: packageDependencies,
    targets: [
        .target(name: "SourceText"),
        .target(name: "ProgramModel", dependencies: ["SourceText"], exclude: ["SEMANTICS.md"]),
        .target(name: "Findings", dependencies: ["SourceText"]),
        .target(name: "SwiftFrontEnd", dependencies: ["ProgramModel", "SourceText"] + syntaxDependencies,
                swiftSettings: syntaxSettings, linkerSettings: syntaxLinking),
        .systemLibrary(name: "CLibClang", providers: [.apt(["libclang-dev"]), .brew(["llvm"])]),
        .target(name: "ObjectiveCFrontEnd", dependencies: ["ProgramModel", "SourceText", "CLibClang"], swiftSettings: clangSettings),
        .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
        .executableTarget(name: "EmbedRulesTool"),
        .plugin(name: "EmbedRules", capability: .buildTool(), dependencies: ["EmbedRulesTool"], path: "Sources/EmbedRules"),
        .target(name: "RuleLibrary", dependencies: ["Findings", "SourceText", "CLibYAML"], plugins: ["EmbedRules"]),
        .target(name: "ResourceFiles", dependencies: ["ProgramModel"]),
        .target(name: "Replay", dependencies: ["ProgramModel", "Findings", "RuleLibrary", "SourceText"]),
        .target(name: "Simulation", dependencies: ["Replay", "ProgramModel", "Findings", "RuleLibrary", "SourceText"]),
        .target(name: "Checks", dependencies: ["ProgramModel", "Findings", "RuleLibrary", "SourceText"]),
        .target(name: "Analysis", dependencies: ["ProgramModel", "Findings", "RuleLibrary", "Checks", "Replay", "Simulation", "SourceText"]),
        .target(name: "Reporters", dependencies: ["Findings", "SourceText", "RuleLibrary"]),
        .target(name: "ProjectFiles", dependencies: ["Analysis", "Findings", "ProgramModel", "ResourceFiles", "RuleLibrary", "CLibYAML", "SourceText"]),
        .executableTarget(name: "lifelint",
                          dependencies: ["Analysis", "Checks", "Findings", "ProgramModel", "ProjectFiles", "Replay", "Reporters", "ResourceFiles", "RuleLibrary", "SourceText", "SwiftFrontEnd", "ObjectiveCFrontEnd"],
                          swiftSettings: syntaxSettings + clangSettings, linkerSettings: syntaxLinking),
        tests("SwiftFrontEndTests", ["SwiftFrontEnd", "ProgramModel", "SourceText"], exclude: ["Golden"]),
        tests("ProgramModelTests", ["SwiftFrontEnd", "ProgramModel", "SourceText"]),
        tests("RuleLibraryTests", ["RuleLibrary", "Findings"]),
        tests("ResourceFilesTests", ["ResourceFiles", "ProgramModel"]),
        tests("ObjectiveCFrontEndTests", ["ObjectiveCFrontEnd", "Analysis", "ProgramModel", "RuleLibrary", "SourceText"], exclude: ["Golden"]),
        tests("ChecksTests", ["ObjectiveCFrontEnd", "Analysis", "Checks", "Findings", "ProgramModel", "ResourceFiles", "RuleLibrary", "SwiftFrontEnd"]),
        tests("ReplayTests", ["Replay", "Simulation", "ProgramModel", "RuleLibrary", "Findings", "Analysis", "SwiftFrontEnd"]),
        tests("ProjectFilesTests", ["ProjectFiles", "Findings", "ProgramModel", "ResourceFiles", "SwiftFrontEnd"]),
        tests("ReportersTests", ["Reporters", "Findings", "RuleLibrary", "SourceText"]),
        tests("CommandTests", ["lifelint", "Analysis", "Findings", "Reporters", "RuleLibrary"], exclude: ["Golden"]),
        tests("HouseRulesTests", []),
    ],
    swiftLanguageModes: [.v6]
)
