import Foundation
import Testing

@testable import ProjectFiles

@Suite struct SourceReaderTests {
    private func decoded(_ bytes: [UInt8]) -> String {
        switch SourceReader.decode(bytes) {
        case .success(let text): "text " + String(decoding: text, as: UTF8.self)
        case .failure(let error): error.message
        }
    }

    @Test func encodings() {
        #expect(decoded(Array("let a = 1".utf8)) == "text let a = 1")
        #expect(decoded([0xEF, 0xBB, 0xBF] + Array("é".utf8)) == "text é")
        #expect(decoded([0xFF, 0xFE, 0x61, 0x00, 0xE9, 0x00]) == "text aé")
        #expect(decoded([0xFE, 0xFF, 0x00, 0x61]) == "text a")
        #expect(decoded([0xFF, 0xFE, 0x61]).contains("half a unit"))
        #expect(decoded([0xFF, 0xFE, 0x00, 0xD8]).contains("no valid UTF-16"))
        #expect(decoded([0x61, 0x00, 0x62]).contains("binary"))
        #expect(decoded([0x61, 0xE9]).contains("not UTF-8"))
        #expect(decoded([]) == "text ")
    }
}
