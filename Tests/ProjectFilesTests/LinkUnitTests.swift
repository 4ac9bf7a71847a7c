import Foundation
import ProgramModel
import ProjectFiles
import SwiftFrontEnd
import Testing

/// Folders of their own for tests that need the disk.
func withFolder<Result>(_ files: [String: String], _ work: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appendingPathComponent("lifelint-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (path, text) in files {
        let url = URL(fileURLWithPath: folder).appendingPathComponent(path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: url, atomically: true, encoding: .utf8)
    }
    return try work(folder)
}

@Suite struct LinkUnitTests {
    /// The names of the units of each file below a folder.
    private func units(_ files: [String: String]) throws -> [String: [String]] {
        try withFolder(files) { folder in
            let discovery = SourceDiscovery.find([folder], workingFolder: folder)
            let sources = discovery.sources.map { ($0, SwiftFrontEnd.facts(of: files[$0.reportPath] ?? "")) }
            let projects = discovery.projects.compactMap { try? XcodeProject.read($0, reportedAs: $0).get() }
            let (units, membership) = LinkUnits.assign(sources, projects: projects)
            return Dictionary(uniqueKeysWithValues: zip(sources, membership).map { source, indices in
                // The folder's own name is random.
                (source.0.reportPath, indices.map { String(units[$0].name.split(separator: "/").last!) + (units[$0].isTest ? " (test)" : "") })
            })
        }
    }

    @Test func packageTargets() throws {
        let found = try units([
            "Package.swift": """
                let package = Package(name: "P", targets: [
                    .target(name: "Core"), .executableTarget(name: "Tool", dependencies: ["Core"], path: "Code/Tool"), .testTarget(name: "CoreTests"),
                ])
                """,
            "Sources/Core/A.swift": "", "Code/Tool/main.swift": "", "Tests/CoreTests/T.swift": "", "Other/B.swift": "",
        ])
        #expect(found["Sources/Core/A.swift"] == ["Core"])
        #expect(found["Code/Tool/main.swift"] == ["Tool"])
        #expect(found["Tests/CoreTests/T.swift"] == ["CoreTests (test)"])
        #expect(found["Other/B.swift"] == ["Other"])
    }

    @Test func xcodeTargetsWithGroupsAndSharedFiles() throws {
        let project = """
            // !$*UTF8*$!
            { archiveVersion = 1; objectVersion = 77; rootObject = ROOT; objects = {
                ROOT = {isa = PBXProject; mainGroup = MAIN; projectDirPath = ""; targets = (APP, TEST); };
                MAIN = {isa = PBXGroup; sourceTree = "<group>"; children = (CODE, SYNC, TOP); };
                CODE = {isa = PBXGroup; path = Code; sourceTree = "<group>"; children = (A, B); };
                A = {isa = PBXFileReference; path = A.swift; sourceTree = "<group>"; };
                B = {isa = PBXFileReference; path = B.swift; sourceTree = "<group>"; };
                TOP = {isa = PBXFileReference; path = "Extra/Top.swift"; sourceTree = SOURCE_ROOT; };
                SYNC = {isa = PBXFileSystemSynchronizedRootGroup; path = Whole; sourceTree = "<group>"; exceptions = (EX, EX2); };
                EX = {isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = APP; membershipExceptions = (Left.swift); };
                EX2 = {isa = PBXFileSystemSynchronizedBuildFileExceptionSet; target = TEST; membershipExceptions = (In.swift); };
                APP = {isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.application"; buildPhases = (P1); fileSystemSynchronizedGroups = (SYNC); };
                TEST = {isa = PBXNativeTarget; name = AppTests; productType = "com.apple.product-type.bundle.unit-test"; buildPhases = (P2); };
                P1 = {isa = PBXSourcesBuildPhase; files = (FA, FT); };
                P2 = {isa = PBXSourcesBuildPhase; files = (FA2, FB); };
                FA = {isa = PBXBuildFile; fileRef = A; }; FA2 = {isa = PBXBuildFile; fileRef = A; };
                FB = {isa = PBXBuildFile; fileRef = B; }; FT = {isa = PBXBuildFile; fileRef = TOP; };
            }; }
            """
        let found = try units([
            "App.xcodeproj/project.pbxproj": project, "Code/A.swift": "", "Code/B.swift": "", "Extra/Top.swift": "",
            "Whole/In.swift": "", "Whole/Deep/D.swift": "", "Whole/Left.swift": "",
        ])
        #expect(found["Code/A.swift"] == ["App", "AppTests (test)"])
        #expect(found["Code/B.swift"] == ["AppTests (test)"])
        #expect(found["Extra/Top.swift"] == ["App"])
        #expect(found["Whole/In.swift"] == ["App", "AppTests (test)"])
        #expect(found["Whole/Deep/D.swift"] == ["App"])
        #expect(found["Whole/Left.swift"] == ["Whole"], "left out of the target, it belongs to its folder")
    }

    @Test func aLibraryThatIsBuiltForItsTestsAloneIsNoTest() throws {
        let project = """
            { archiveVersion = 1; objectVersion = 77; rootObject = ROOT; objects = {
                ROOT = {isa = PBXProject; mainGroup = MAIN; projectDirPath = ""; targets = (TEST); };
                MAIN = {isa = PBXGroup; sourceTree = "<group>"; children = (A, B); };
                A = {isa = PBXFileReference; path = "../Source/A.swift"; sourceTree = "<group>"; };
                B = {isa = PBXFileReference; path = "Specs/B.swift"; sourceTree = "<group>"; };
                TEST = {isa = PBXNativeTarget; name = Checks; productType = "com.apple.product-type.bundle.unit-test"; buildPhases = (P); };
                P = {isa = PBXSourcesBuildPhase; files = (FA, FB); };
                FA = {isa = PBXBuildFile; fileRef = A; };
                FB = {isa = PBXBuildFile; fileRef = B; };
            }; }
            """
        let found = try units(["Pod/Checks.xcodeproj/project.pbxproj": project, "Source/A.swift": "", "Pod/Specs/B.swift": ""])
        #expect(found["Source/A.swift"] == ["Source"])
        #expect(found["Pod/Specs/B.swift"] == ["Checks (test)"])
    }

    @Test func projectsOfOneNameInTwoPlacesAreTwo() throws {
        let project = """
            { archiveVersion = 1; objectVersion = 77; rootObject = ROOT; objects = {
                ROOT = {isa = PBXProject; mainGroup = MAIN; projectDirPath = ""; targets = (APP); };
                MAIN = {isa = PBXGroup; sourceTree = "<group>"; children = (A); };
                A = {isa = PBXFileReference; path = A.swift; sourceTree = "<group>"; };
                APP = {isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.application"; buildPhases = (P1); };
                P1 = {isa = PBXSourcesBuildPhase; files = (FA); };
                FA = {isa = PBXBuildFile; fileRef = A; };
            }; }
            """
        let files = ["iOS/Play/App.xcodeproj/project.pbxproj": project, "macOS/Play/App.xcodeproj/project.pbxproj": project, "iOS/Play/A.swift": "", "macOS/Play/A.swift": ""]
        try withFolder(files) { folder in
            let discovery = SourceDiscovery.find([folder], workingFolder: folder)
            let projects = discovery.projects.compactMap { try? XcodeProject.read($0, reportedAs: $0).get() }
            let (units, membership) = LinkUnits.assign(discovery.sources.map { ($0, SwiftFrontEnd.facts(of: "")) }, projects: projects)
            #expect(Set(units.map(\.name)) == ["iOS/Play/App", "macOS/Play/App"])
            #expect(membership.count == 2 && membership[0] != membership[1])
        }
    }

    @Test func targetsOfOneNameInTwoProjectsOfAFolderAreTwo() throws {
        func project(_ file: String) -> String {
            """
            { archiveVersion = 1; objectVersion = 77; rootObject = ROOT; objects = {
                ROOT = {isa = PBXProject; mainGroup = MAIN; projectDirPath = ""; targets = (APP, ALONE); };
                MAIN = {isa = PBXGroup; sourceTree = "<group>"; children = (A, B); };
                A = {isa = PBXFileReference; path = \(file); sourceTree = "<group>"; };
                B = {isa = PBXFileReference; path = Both.swift; sourceTree = "<group>"; };
                APP = {isa = PBXNativeTarget; name = Play; productType = "com.apple.product-type.framework"; buildPhases = (P1); };
                ALONE = {isa = PBXNativeTarget; name = Only\(file.prefix(3)); productType = "com.apple.product-type.framework"; buildPhases = (P2); };
                P1 = {isa = PBXSourcesBuildPhase; files = (FA, FB); };
                P2 = {isa = PBXSourcesBuildPhase; files = (FB2); };
                FA = {isa = PBXBuildFile; fileRef = A; };
                FB = {isa = PBXBuildFile; fileRef = B; };
                FB2 = {isa = PBXBuildFile; fileRef = B; };
            }; }
            """
        }
        let files = [
            "Code/Play.xcodeproj/project.pbxproj": project("iOS/Play.swift"), "Code/PlayMac.xcodeproj/project.pbxproj": project("Mac/Play.swift"),
            "Code/iOS/Play.swift": "", "Code/Mac/Play.swift": "", "Code/Both.swift": "",
        ]
        try withFolder(files) { folder in
            let discovery = SourceDiscovery.find([folder], workingFolder: folder)
            let projects = discovery.projects.compactMap { try? XcodeProject.read($0, reportedAs: $0).get() }
            let (units, membership) = LinkUnits.assign(discovery.sources.map { ($0, SwiftFrontEnd.facts(of: "")) }, projects: projects)
            let found = Dictionary(uniqueKeysWithValues: zip(discovery.sources.map(\.reportPath), membership.map { indices in Set(indices.map { units[$0].name }) }))
            #expect(found["Code/iOS/Play.swift"] == ["Code/Play/Play"])
            #expect(found["Code/Mac/Play.swift"] == ["Code/PlayMac/Play"])
            #expect(found["Code/Both.swift"] == ["Code/Play/Play", "Code/PlayMac/Play", "Code/OnlyiOS", "Code/OnlyMac"])
        }
    }

    @Test func withoutAProjectTheTopFoldersAreUnits() throws {
        let found = try units(["One/AppDelegate.swift": "", "Two/Deep/AppDelegate.swift": "", "Loose.swift": ""])
        #expect(found == ["One/AppDelegate.swift": ["One"], "Two/Deep/AppDelegate.swift": ["Two"], "Loose.swift": ["folder"]])
    }

    @Test func filesLeftBehindAreCompiledByNothing() throws {
        let project = """
            { archiveVersion = 1; objectVersion = 77; rootObject = ROOT; objects = {
                ROOT = {isa = PBXProject; mainGroup = MAIN; projectDirPath = ""; targets = (APP); };
                MAIN = {isa = PBXGroup; sourceTree = "<group>"; children = (A, B); };
                A = {isa = PBXFileReference; path = Code/A.swift; sourceTree = "<group>"; };
                B = {isa = PBXFileReference; path = Code/Player.m; sourceTree = "<group>"; };
                APP = {isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.application"; buildPhases = (P1); };
                P1 = {isa = PBXSourcesBuildPhase; files = (FA, FB); };
                FA = {isa = PBXBuildFile; fileRef = A; }; FB = {isa = PBXBuildFile; fileRef = B; };
            }; }
            """
        let files = [
            "App.xcodeproj/project.pbxproj": project, "Code/A.swift": "", "Code/player.m": "", "Code/Player.h": "", "Code/A_REMOTE.swift": "", "Old/A.swift": "",
            "Kit/B.swift": "", "Kit/Code/A.swift": "", "Kit/Package.swift": "",
        ]
        try withFolder(files) { folder in
            let discovery = SourceDiscovery.find([folder], workingFolder: folder)
            let projects = discovery.projects.compactMap { try? XcodeProject.read($0, reportedAs: $0).get() }
            let found = LinkUnits.leftOut(discovery.sources, projects: projects)
            #expect(Set(found.map { $0.dropFirst(folder.count + 1) }) == ["Code/A_REMOTE.swift", "Old/A.swift"])
            #expect(LinkUnits.leftOut(discovery.sources, projects: []).isEmpty)
        }
    }

    @Test func brokenProjectFileIsAProblem() throws {
        try withFolder(["App.xcodeproj/project.pbxproj": "{ objects = "]) { folder in
            guard case .failure(let problem) = XcodeProject.read("\(folder)/App.xcodeproj/project.pbxproj", reportedAs: "p") else {
                Issue.record("a broken project was read")
                return
            }
            #expect(problem.kind == .project)
        }
    }

    /// A sample app that compiles a library from beside its own folder says nothing of how others use it; an app is no sample.
    @Test(arguments: [("Example", ["Library/Button.h", "Library/Button.m"]), ("App", [])] as [(String, [String])])
    func whatASampleCompilesFromOutsideIsALibrary(_ pair: (folder: String, sampled: [String])) throws {
        let project = """
            { archiveVersion = 1; objectVersion = 77; rootObject = ROOT; objects = {
                ROOT = {isa = PBXProject; mainGroup = MAIN; projectDirPath = ""; targets = (APP); };
                MAIN = {isa = PBXGroup; sourceTree = "<group>"; children = (A, B); };
                A = {isa = PBXFileReference; path = Screen.m; sourceTree = "<group>"; };
                B = {isa = PBXFileReference; path = "../Library/Button.m"; sourceTree = "<group>"; };
                APP = {isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.application"; buildPhases = (P1); };
                P1 = {isa = PBXSourcesBuildPhase; files = (FA, FB); };
                FA = {isa = PBXBuildFile; fileRef = A; }; FB = {isa = PBXBuildFile; fileRef = B; };
            }; }
            """
        let files = ["\(pair.folder)/Phone.xcodeproj/project.pbxproj": project, "\(pair.folder)/Screen.m": "", "Library/Button.m": "", "Library/Button.h": "", "Library/Other.m": ""]
        try withFolder(files) { folder in
            let discovery = SourceDiscovery.find([folder], workingFolder: folder)
            let projects = discovery.projects.compactMap { try? XcodeProject.read($0, reportedAs: $0).get() }
            let sampled = LinkUnits.sampled(discovery.sources, projects: projects)
            #expect(Set(discovery.sources.filter { sampled.contains($0.path) }.map(\.reportPath)) == Set(pair.sampled))
        }
    }

    /// Where targets say that async code stays on its caller, or that all code is the main actor's, their units know it.
    @Test func targetsSayWhereAsyncCodeRuns() throws {
        func unit(_ files: [String: String]) throws -> Bool? {
            try withFolder(files) { folder in
                let discovery = SourceDiscovery.find([folder], workingFolder: folder)
                let sources = discovery.sources.map { ($0, SwiftFrontEnd.facts(of: files[$0.reportPath] ?? "")) }
                let projects = discovery.projects.compactMap { try? XcodeProject.read($0, reportedAs: $0).get() }
                let (units, membership) = LinkUnits.assign(sources, projects: projects)
                return zip(sources, membership).first { $0.0.0.reportPath.hasSuffix("A.swift") }.flatMap { $0.1.first.map { units[$0].keepsAsyncOnCaller } }
            }
        }
        func package(_ settings: String) -> [String: String] {
            ["Package.swift": "let package = Package(name: \"P\", targets: [.target(name: \"Core\", swiftSettings: [\(settings)])])", "Sources/Core/A.swift": ""]
        }
        #expect(try unit(package("")) == false)
        #expect(try unit(package(".defaultIsolation(MainActor.self)")) == true)
        #expect(try unit(package(".enableUpcomingFeature(\"NonisolatedNonsendingByDefault\")")) == true)
        #expect(try unit(package(".enableUpcomingFeature(\"ExistentialAny\")")) == false)
        func project(_ settings: String) -> [String: String] {
            ["App.xcodeproj/project.pbxproj": """
                { archiveVersion = 1; objectVersion = 77; rootObject = ROOT; objects = {
                    ROOT = {isa = PBXProject; mainGroup = MAIN; projectDirPath = ""; targets = (APP); };
                    MAIN = {isa = PBXGroup; sourceTree = "<group>"; children = (A); };
                    A = {isa = PBXFileReference; path = A.swift; sourceTree = "<group>"; };
                    APP = {isa = PBXNativeTarget; name = App; buildPhases = (P1); buildConfigurationList = L; };
                    P1 = {isa = PBXSourcesBuildPhase; files = (FA); }; FA = {isa = PBXBuildFile; fileRef = A; };
                    L = {isa = XCConfigurationList; buildConfigurations = (C); };
                    C = {isa = XCBuildConfiguration; name = Debug; buildSettings = { \(settings) }; };
                }; }
                """, "A.swift": ""]
        }
        #expect(try unit(project("")) == false)
        #expect(try unit(project("SWIFT_DEFAULT_ACTOR_ISOLATION = MainActor;")) == true)
        #expect(try unit(project("SWIFT_DEFAULT_ACTOR_ISOLATION = nonisolated; SWIFT_APPROACHABLE_CONCURRENCY = YES;")) == true)
    }
}
