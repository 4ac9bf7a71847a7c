import ProgramModel

/// Tells tests from what is tested.
public enum TestSources {
    /// Whether a file belongs to tests: by its target, by a test framework that it imports, or by the name of its folder.
    public static func isTest(_ reportPath: String, facts: FileFacts, units: [LinkUnit]) -> Bool {
        if !units.isEmpty, units.allSatisfy(\.isTest) { return true }
        if facts.imports.contains(where: { ["XCTest", "Testing", "Quick", "Nimble", "KIF", "SnapshotTesting"].contains($0) }) { return true }
        return reportPath.split(separator: "/").dropLast().contains { folder in
            folder.hasSuffix("Tests") || folder.hasSuffix("UnitTest") || folder == "Test" || folder == "UITest"
        }
    }
}
