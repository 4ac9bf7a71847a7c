import Foundation
import ProgramModel
import SwiftFrontEnd
import Testing

/// Source text beside the dump that it must give; `LIFELINT_UPDATE_GOLDEN=1 swift test` writes the dumps anew.
@Suite struct GoldenDumpTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden")
    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".swift.txt") }.map { String($0.dropLast(".swift.txt".count)) }.sorted()

    @Test func thereAreGoldenFiles() {
        #expect(Self.names.count >= 8)
    }

    @Test(arguments: names) func dump(_ name: String) throws {
        let source = try String(contentsOf: Self.folder.appendingPathComponent("\(name).swift.txt"), encoding: .utf8)
        let expected = Self.folder.appendingPathComponent("\(name).facts.txt")
        let dump = FactsPrinter.print(SwiftFrontEnd.facts(of: source))
        if ProcessInfo.processInfo.environment["LIFELINT_UPDATE_GOLDEN"] != nil {
            try dump.write(to: expected, atomically: true, encoding: .utf8)
        }
        #expect(try dump == String(contentsOf: expected, encoding: .utf8), "the dump changed; LIFELINT_UPDATE_GOLDEN=1 swift test writes it anew")
    }

    /// Facts are a function of the text alone.
    @Test(arguments: names) func dumpIsRepeatable(_ name: String) throws {
        let source = try String(contentsOf: Self.folder.appendingPathComponent("\(name).swift.txt"), encoding: .utf8)
        #expect(FactsPrinter.print(SwiftFrontEnd.facts(of: source)) == FactsPrinter.print(SwiftFrontEnd.facts(of: source)))
    }
}
