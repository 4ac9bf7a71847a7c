/// What many texts of a project are compiled with alike: the language, the system, and the arguments, which name the prefix header.
public struct Prefix: Hashable, Sendable {
    let dialect: ObjectiveCFrontEnd.Dialect
    let isMac: Bool
    let arguments: [String]

    /// Whether there is a header that each text begins with.
    public var includesHeader: Bool { arguments.contains("-include") }
}

/// What one text is compiled with.
public struct TextSurroundings: Sendable {
    /// What it shares with other texts.
    public let prefix: Prefix
    /// The modules that it imports, itself or by its prefix header.
    let modules: Set<String>

    /// What the text at a path is compiled with; `imported` is what `HeaderTable.importedNames` says of it and of its prefix header, `arguments`
    /// are those of the compiler for this text, and `isForMac` says whether it is compiled for macOS and not for UIKit, where that is known.
    public init(of path: String, imported: [String], arguments: [String] = [], isForMac: Bool? = nil) {
        // What stands before the slash is a module.
        modules = Set(imported.compactMap { name in name.firstIndex(of: "/").map { String(name[..<$0]) } })
        // What imports both, as a text for both systems does under conditions, is read as for iOS.
        let importsAppKitAlone = !modules.isDisjoint(with: ["Cocoa", "AppKit"]) && !modules.contains("UIKit")
        prefix = Prefix(dialect: ObjectiveCFrontEnd.Dialect(path: path), isMac: isForMac ?? importsAppKitAlone, arguments: arguments)
    }
}

/// Declarations of what a prefix header uses and no header here declares.
public struct HealedPrefix: Sendable {
    let healing: Healing
}
