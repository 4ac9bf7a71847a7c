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
