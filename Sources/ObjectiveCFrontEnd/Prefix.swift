/// What a text is compiled with beside its own imports; many texts of a project share one.
public struct Prefix: Hashable, Sendable {
    let dialect: ObjectiveCFrontEnd.Dialect
    let isMac: Bool
    let arguments: [String]

    /// What the text at a path is compiled with; the parameters are those of `ObjectiveCFrontEnd.facts`.
    public init(of path: String, imported: [String], arguments: [String], isForMac: Bool?) {
        let imports = Self.modules(imported)
        // What imports both, as a text for both systems does under conditions, is read as for iOS.
        let importsAppKitAlone = !imports.isDisjoint(with: ["Cocoa", "AppKit"]) && !imports.contains("UIKit")
        dialect = ObjectiveCFrontEnd.Dialect(path: path)
        isMac = isForMac ?? importsAppKitAlone
        self.arguments = arguments
    }

    /// Whether it names a header that each text begins with.
    public var includesHeader: Bool { arguments.contains("-include") }

    /// What stands before the slash of what is imported is a module.
    static func modules(_ imported: [String]) -> Set<String> { Set(imported.compactMap { name in name.firstIndex(of: "/").map { String(name[..<$0]) } }) }
}

/// Declarations of what a prefix header uses and no header here declares.
public struct HealedPrefix: Sendable {
    let healing: Healing
}
