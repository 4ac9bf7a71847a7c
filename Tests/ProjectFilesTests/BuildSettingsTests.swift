import Foundation
import ProjectFiles
import Testing

/// What texts are compiled with, as far as the project's files tell.
@Suite struct BuildSettingsTests {
    @Test(arguments: [
        ("/p/App/Screens/A.m", "/p/App/Supporting Files/App-Prefix.pch"), ("/p/App/A.m", "/p/App/Supporting Files/App-Prefix.pch"),
        ("/p/Tests/T.m", "/p/Tests/Tests.pch"), ("/p/Library/L.m", nil), ("/p/Tests/Deep/Down/T.m", "/p/Tests/Tests.pch"),
    ] as [(String, String?)]) func theNearestPrefixHeaderHolds(_ pair: (path: String, header: String?)) {
        let texts = ["/p/App/A.m", "/p/Tests/T.m", "/p/Tests/Other/O.m", "/p/Library/L.m"]
        let headers = PrefixHeaders(["/p/App/Supporting Files/App-Prefix.pch", "/p/Tests/Other/Other.pch", "/p/Tests/Tests.pch"], texts: texts)
        #expect(headers.header(for: pair.path) == pair.header)
    }

    @Test func theHeaderOfTestsIsNotThatOfWhatTheyTest() throws {
        let text = """
            { archiveVersion = 1; objectVersion = 77; rootObject = ROOT; objects = {
                ROOT = {isa = PBXProject; mainGroup = MAIN; projectDirPath = ""; targets = (LIB, TESTS); buildConfigurationList = L1; };
                MAIN = {isa = PBXGroup; sourceTree = "<group>"; children = (A, T); };
                A = {isa = PBXFileReference; path = A.m; sourceTree = "<group>"; }; T = {isa = PBXFileReference; path = T.m; sourceTree = "<group>"; };
                LIB = {isa = PBXNativeTarget; name = Lib; productType = "com.apple.product-type.framework"; buildPhases = (P1); buildConfigurationList = L1; };
                TESTS = {isa = PBXNativeTarget; name = Tests; productType = "com.apple.product-type.bundle.unit-test"; buildPhases = (P2); buildConfigurationList = L2; };
                P1 = {isa = PBXSourcesBuildPhase; files = (FA); }; P2 = {isa = PBXSourcesBuildPhase; files = (FB, FT); };
                FA = {isa = PBXBuildFile; fileRef = A; }; FB = {isa = PBXBuildFile; fileRef = A; }; FT = {isa = PBXBuildFile; fileRef = T; };
                L1 = {isa = XCConfigurationList; buildConfigurations = (C1); }; L2 = {isa = XCConfigurationList; buildConfigurations = (C2); };
                C1 = {isa = XCBuildConfiguration; name = Debug; buildSettings = {}; };
                C2 = {isa = XCBuildConfiguration; name = Debug; buildSettings = {GCC_PREFIX_HEADER = "Tests-Prefix.pch";}; };
            }; }
            """
        try withFolder(["App.xcodeproj/project.pbxproj": text, "A.m": "", "T.m": "", "Tests-Prefix.pch": ""]) { folder in
            let project = try XcodeProject.read("\(folder)/App.xcodeproj/project.pbxproj", reportedAs: "p").get()
            let headers = PrefixHeaders([], texts: ["\(folder)/A.m", "\(folder)/T.m"], projects: [project])
            #expect(headers.header(for: "\(folder)/A.m") == nil)
            #expect(headers.header(for: "\(folder)/T.m") == "\(folder)/Tests-Prefix.pch")
        }
    }

    /// The settings of a project with one text, and what they say of who counts its references.
    private func counting(_ project: String, _ target: String = "", flags: String = "") throws -> (target: Bool?, file: Bool?) {
        let text = """
            { archiveVersion = 1; objectVersion = 77; rootObject = ROOT; objects = {
                ROOT = {isa = PBXProject; mainGroup = MAIN; projectDirPath = ""; targets = (APP); buildConfigurationList = L1; };
                MAIN = {isa = PBXGroup; sourceTree = "<group>"; children = (A); };
                A = {isa = PBXFileReference; path = A.m; sourceTree = "<group>"; };
                APP = {isa = PBXNativeTarget; name = App; buildPhases = (P1); buildConfigurationList = L2; };
                P1 = {isa = PBXSourcesBuildPhase; files = (FA); };
                FA = {isa = PBXBuildFile; fileRef = A; \(flags) };
                L1 = {isa = XCConfigurationList; buildConfigurations = (C1); }; L2 = {isa = XCConfigurationList; buildConfigurations = (C2); };
                C1 = {isa = XCBuildConfiguration; name = Debug; buildSettings = { \(project) }; };
                C2 = {isa = XCBuildConfiguration; name = Debug; buildSettings = { \(target) }; };
            }; }
            """
        return try withFolder(["App.xcodeproj/project.pbxproj": text, "A.m": ""]) { folder in
            let read = try XcodeProject.read("\(folder)/App.xcodeproj/project.pbxproj", reportedAs: "p").get().targets[0]
            return (read.countsReferences, read.countingFiles["\(folder)/A.m"])
        }
    }

    @Test func whoCountsReferencesIsASetting() throws {
        #expect(try counting("CLANG_ENABLE_OBJC_ARC = YES;").target == false)
        #expect(try counting("CLANG_ENABLE_OBJC_ARC = YES;", "CLANG_ENABLE_OBJC_ARC = NO;").target == true)
        #expect(try counting("").target == true, "Xcode switches it on where the settings ask for it")
        let flagged = try counting("CLANG_ENABLE_OBJC_ARC = YES;", flags: #"settings = {COMPILER_FLAGS = "-fno-objc-arc"; };"#)
        #expect(flagged.target == false && flagged.file == true)
        #expect(try counting("", flags: #"settings = {COMPILER_FLAGS = "-fobjc-arc"; };"#).file == false)
        #expect(try counting("").file == nil)
    }

    @Test func compileCommandsGiveMacrosAndIncludes() throws {
        try withFolder(["compile_commands.json": """
            [{"directory": "/p", "file": "a.m", "arguments": ["clang", "-DONE=1", "-D", "TWO", "-Iheaders", "-include", "x/P.h", "-D__has_feature(x)=0", "-c", "a.m"]},
             {"directory": "/p/b", "file": "../b.m", "command": "clang -DNAME='\\"a b\\"' -UDEBUG -c b.m"}]
            """]) { folder in
            let read = try CompileCommands.read("\(folder)/compile_commands.json", reportedAs: "compile_commands.json").get()
            #expect(read.arguments["/p/a.m"] == ["-DONE=1", "-DTWO", "-include", "/p/x/P.h"])
            #expect(read.arguments["/p/b.m"] == ["-DNAME=\"a b\"", "-UDEBUG"])
            let found = SourceDiscovery.find([folder], workingFolder: folder)
            #expect(found.compileCommands.map { ($0 as NSString).lastPathComponent } == ["compile_commands.json"])
        }
    }

    @Test func brokenCompileCommandsAreAProblem() throws {
        try withFolder(["compile_commands.json": "{"]) { folder in
            guard case .failure(let problem) = CompileCommands.read("\(folder)/compile_commands.json", reportedAs: "compile_commands.json") else {
                Issue.record("read all the same")
                return
            }
            #expect(problem.path == "compile_commands.json" && problem.message.contains("macros are not known"))
        }
    }
}
