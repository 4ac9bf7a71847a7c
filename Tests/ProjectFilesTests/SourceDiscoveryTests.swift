import Foundation
import ProjectFiles
import Testing

@Suite struct SourceDiscoveryTests {
    @Test func foldersOfOthersAreMarkedAndHiddenOnesSkipped() throws {
        try withFolder([
            "App/A.swift": "", "Pods/P/P.swift": "", "Carthage/Checkouts/C.swift": "", ".build/checkouts/B.swift": "", ".git/G.swift": "",
            "DerivedData/D.swift": "", ".hidden/H.swift": "", "App/a.m": "", "App/a.h": "", "App/a.c": "",
        ]) { folder in
            let found = SourceDiscovery.find([folder], workingFolder: folder)
            #expect(found.sources.map { "\($0.reportPath)\($0.isThirdParty ? " third party" : "")" } == [
                ".build/checkouts/B.swift third party", "App/A.swift", "App/a.h", "App/a.m", "Carthage/Checkouts/C.swift third party", "Pods/P/P.swift third party",
            ])
            #expect(found.problems.isEmpty)
        }
    }

    @Test func linksAreFollowedOnceAndBrokenOnesAreNamed() throws {
        try withFolder(["App/A.swift": "", "Other/B.swift": "", "elsewhere.txt": ""]) { folder in
            let files = FileManager.default
            try files.createSymbolicLink(atPath: "\(folder)/App/nowhere.swift", withDestinationPath: "missing.swift")
            try files.createSymbolicLink(atPath: "\(folder)/App/one.swift", withDestinationPath: "two.swift")
            try files.createSymbolicLink(atPath: "\(folder)/App/two.swift", withDestinationPath: "one.swift")
            try files.createSymbolicLink(atPath: "\(folder)/App/up", withDestinationPath: "..")
            try files.createSymbolicLink(atPath: "\(folder)/App/beside", withDestinationPath: "../Other")
            try files.createSymbolicLink(atPath: "\(folder)/App/again.swift", withDestinationPath: "A.swift")
            let found = SourceDiscovery.find(["\(folder)/App"], workingFolder: folder)
            #expect(found.sources.map(\.reportPath) == ["App/A.swift", "Other/B.swift"])
            #expect(found.problems.map(\.path).sorted() == ["App/nowhere.swift", "App/one.swift", "App/two.swift", "App/up"])
            #expect(found.problems.filter { $0.message.contains("circle") }.count == 2)
        }
    }

    @Test func missingPathsAreGivenBack() {
        #expect(SourceDiscovery.find(["no/such/path"], workingFolder: "/").missing == ["no/such/path"])
    }

    @Test func theSameFileIsFoundOnce() throws {
        try withFolder(["App/A.swift": ""]) { folder in
            let found = SourceDiscovery.find(["\(folder)/App", folder, "\(folder)/App/A.swift"], workingFolder: folder)
            #expect(found.sources.count == 1)
        }
    }
}
