import Foundation
import RuleLibrary
import Testing

@testable import lifelint

/// Runs of the whole command, in this process; the report goes to a file.
struct Run {
    let code: Int32
    let report: [String: Any]
    let text: String

    /// Lints the paths with the JSON reporter.
    static func lint(_ paths: [String], _ flags: [String] = []) -> Run {
        let output = FileManager.default.temporaryDirectory.appendingPathComponent("lifelint-report-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: output) }
        let code = Command.run(["lint"] + paths + ["--reporter", "json", "--quiet", "--output", output.path] + flags)
        let data = (try? Data(contentsOf: output)) ?? Data()
        let report = (try? JSONSerialization.jsonObject(with: data)) as? [String: Any] ?? [:]
        return Run(code: code, report: report, text: String(decoding: data, as: UTF8.self))
    }

    var findings: [[String: Any]] { report["findings"] as? [[String: Any]] ?? [] }
    var problems: [[String: String]] { report["problems"] as? [[String: String]] ?? [] }
    /// The findings as `file:line rule`.
    var marks: [String] {
        findings.map { "\(($0["path"] as? String ?? "").split(separator: "/").last ?? ""):\($0["line"] ?? 0) \($0["rule"] ?? "")" }.sorted()
    }
}

/// Files in a folder of their own, given as bytes.
func withFiles<Result>(_ files: [String: [UInt8]], _ work: (String) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appendingPathComponent("lifelint-\(UUID().uuidString)").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (path, bytes) in files {
        let url = URL(fileURLWithPath: folder).appendingPathComponent(path)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
    }
    return try work(folder)
}

@Suite struct ExampleTests {
    static let examples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Examples").path

    /// One of the examples uses a library of which only its own rule data tells; rules that are off by default have marks as well.
    static let flags: [String] = {
        let rules = (try? RuleLibrary.embedded())?.orderedRules.map(\.id) ?? []
        return ["--rules-path", "\(examples)/Railway/Rules", "--only-rule", rules.joined(separator: ",")]
    }()

    /// Every mark of the kind in the examples, as `file:line rule`.
    private func marks(_ word: String) throws -> [String] {
        let paths = try #require(FileManager.default.enumerator(atPath: Self.examples)?.allObjects as? [String])
        return try paths.filter { path in [".swift", ".m", ".h"].contains(where: path.hasSuffix) }.flatMap { path in
            let text = try String(contentsOfFile: "\(Self.examples)/\(path)", encoding: .utf8)
            return text.split(separator: "\n", omittingEmptySubsequences: false).enumerated().flatMap { index, line -> [String] in
                guard let mark = line.range(of: "// \(word): ") else { return [] }
                let rules = line[mark.upperBound...].components(separatedBy: " - ")[0]
                return rules.split(separator: ",").map { "\(path.split(separator: "/").last!):\(index + 1) \($0.filter { !$0.isWhitespace })" }
            }
        }.sorted()
    }

    /// What is marked is reported, and what is reported is marked.
    @Test func marksAgreeWithTheReport() throws {
        let run = Run.lint([Self.examples], Self.flags)
        #expect(run.marks == (try marks("expect")))
        #expect(run.marks.count >= 15)
        #expect(run.problems.isEmpty)
        #expect(run.code == 2, "the examples hold errors")
    }

    /// A pending mark is for a rule that does not report there yet; the day it does, the mark becomes an expectation.
    @Test func pendingMarksAreStillPending() throws {
        let pending = try marks("pending")
        #expect(try marks("expect").count > pending.count)
        #expect(Set(pending).isDisjoint(with: Run.lint([Self.examples], Self.flags).marks))
    }

    @Test func anyNumberOfThreadsGivesTheSameBytes() {
        let one = Run.lint([Self.examples], ["--threads", "1"]).text
        #expect(!one.isEmpty)
        for count in [2, 3, 8] { #expect(Run.lint([Self.examples], ["--threads", "\(count)"]).text == one) }
    }
}

@Suite struct CommandLineTests {
    static let broken = Array("class A: UIViewController { override func viewDidLoad() {} }".utf8)

    @Test func exitCodes() throws {
        try withFiles(["A.swift": Self.broken]) { folder in
            #expect(Run.lint([folder]).code == 0, "a warning does not fail the run")
            #expect(Run.lint([folder], ["--strict"]).code == 2)
            #expect(Run.lint([folder], ["--strict", "--disable-rule", "missing_super_call"]).code == 0)
            #expect(Run.lint([folder], ["--only-rule", "wrong_super_call", "--strict"]).code == 0)
            #expect(Run.lint([folder], ["--only-rule", "no_such_rule"]).code == 1)
            #expect(Run.lint(["\(folder)/missing"]).code == 1)
            #expect(Run.lint([folder], ["--no-such-flag"]).code == 1)
            #expect(Command.run(["--version"]) == 0)
        }
    }

    @Test(arguments: [
        ["--reporter", "yaml"], ["--reporter"], ["--threads", "0"], ["--threads", "many"], ["--strict=yes"], ["--nope"], ["-z"], ["dump"], ["dump", "facts"], ["lint", ""],
        ["--stats", "--threads", "2"], ["--output", "-q"], ["rules", "a", "b"], ["rules", "--format", "dot"], ["lint", "--format", "json"],
    ])
    func misuseIsOneSentence(_ words: [String]) {
        do throws(Arguments.Misuse) {
            _ = try Arguments.parse(words)
            Issue.record("\(words) was accepted")
        } catch {
            #expect(!error.message.isEmpty && !error.message.contains("\n"))
        }
    }

    @Test func flagsMayStandAnywhere() throws {
        let arguments = try Arguments.parse(["a", "--reporter=xcode", "b", "-q", "--only-rule", "x,y", "--", "--c"])
        #expect(arguments.paths == ["a", "b", "--c"])
        #expect(arguments.reporter == .xcode && arguments.isQuiet && arguments.onlyRules == ["x", "y"])
        #expect(try Arguments.parse(["--stats=--threads"]).statistics == "--threads")
        #expect(try Arguments.parse([]).paths == ["."])
        #expect(try Arguments.parse(["rules", "x"]).action == .rules("x"))
        #expect(try Arguments.parse(["rules", "--format", "markdown"]).manualForm == .markdown)
        #expect(try Arguments.parse(["dump", "program", "p", "T"]).action == .dumpProgram(path: "p", type: "T"))
        #expect(try Arguments.parse(["dump", "facts", "A.m", "App", "Kit"]).action == .dumpFacts("A.m"))
        #expect(try Arguments.parse(["dump", "facts", "A.m", "App", "Kit"]).paths == ["App", "Kit"])
        #expect(try Arguments.parse(["lint", "--help", "x"]).action == .help)
    }

    /// A device that is named for output is written to; a pipe stands for it here, so that a defect harms nothing.
    @Test func specialFilesAreNotReplaced() throws {
        try withFiles(["A.swift": Self.broken]) { folder in
            let pipe = "\(folder)/pipe"
            #expect(mkfifo(pipe, 0o600) == 0)
            let reader = open(pipe, O_RDONLY | O_NONBLOCK)
            defer { close(reader) }
            #expect(Command.run([folder, "--quiet", "--output", pipe]) == 0)
            var status = stat()
            #expect(lstat(pipe, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
            #expect(Command.run([folder, "--output", "\(folder)/no/such/folder/file"]) == 1)
        }
    }

    @Test func statisticsAreWritten() throws {
        try withFiles(["A.swift": Self.broken]) { folder in
            let path = "\(folder)/stats.json"
            _ = Run.lint([folder], ["--stats", path])
            let stats = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path))) as? [String: Any])
            #expect(stats["files"] as? Int == 1)
            #expect((stats["findingsByRule"] as? [String: Int]) == ["missing_super_call": 1])
        }
    }
}

/// Projects whose headers find each other by way of a prefix header.
@Suite struct MainNibTests {
    /// A nib with an object of a class on top, and this class as its owner.
    private func nib(ownedBy owner: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <document type="com.apple.InterfaceBuilder3.Cocoa.XIB" version="3.0" toolsVersion="11134" targetRuntime="MacOSX.Cocoa">
            <objects>
                <customObject id="-2" userLabel="File's Owner" customClass="\(owner)"/>
                <customObject id="7" customClass="Listener"/>
            </objects>
        </document>
        """
    }

    @Test func whatTheNibOfTheApplicationHoldsIsNeverFreed() throws {
        let listener = """
            #import <Cocoa/Cocoa.h>
            @interface Listener : NSObject
            @end
            @implementation Listener
            - (void)awakeFromNib {
                [super awakeFromNib];
                [[NSUserDefaultsController sharedUserDefaultsController] addObserver:self forKeyPath:@"values.size" options:0 context:NULL];
            }
            @end
            """
        for (owner, marks) in [("NSApplication", []), ("NSWindowController", ["Listener.m:7 kvo_not_removed"])] {
            let found = try withFiles(["Listener.m": Array(listener.utf8), "MainMenu.xib": Array(nib(ownedBy: owner).utf8)]) { Run.lint([$0]).marks }
            #expect(found == marks, "owned by \(owner)")
        }
    }
}

@Suite struct HeaderVariableTests {
    /// A header that declares the variable by the name of its property says nothing of what is behind it: until it is set it is nil,
    /// and a message to nil removes nothing.
    @Test func aVariableOfTheHeaderIsNilUntilItIsSet() throws {
        func cell(_ first: String) -> [String: String] {
            [
                "Model.h": "@interface Model : NSObject\n@property (nonatomic, readonly) Model *user;\n@end\n",
                "Model.m": "#import \"Model.h\"\n@implementation Model\n- (Model *)user { return [[Store shared] user]; }\n@end\n",
                "EntryCell.h": "@class Model;\n@interface EntryCell : UITableViewCell {\n    Model *entry;\n}\n@property (nonatomic, retain) Model *entry;\n@end\n",
                "EntryCell.m": """
                    #import "EntryCell.h"
                    #import "Model.h"
                    @implementation EntryCell
                    @synthesize entry;
                    - (void)setEntry:(Model *)anEntry {
                        \(first)
                        [entry release];
                        entry = [anEntry retain];
                        [entry.user addObserver:self forKeyPath:@"image" options:NSKeyValueObservingOptionNew context:nil];
                    }
                    - (void)observeValueForKeyPath:(NSString *)keyPath ofObject:(id)object change:(NSDictionary *)change context:(void *)context {}
                    - (void)dealloc {
                        [entry.user removeObserver:self forKeyPath:@"image"];
                        [entry release];
                        [super dealloc];
                    }
                    @end
                    """,
                "List.m": "#import \"EntryCell.h\"\n@implementation List : UITableViewController\n- (void)fill:(EntryCell *)cell with:(Model *)model { cell.entry = model; }\n@end\n",
            ]
        }
        let marks = { (first: String) in try withFiles(cell(first).mapValues { Array($0.utf8) }) { Run.lint([$0, "--only-rule", "kvo_unbalanced,kvo_not_removed"]).marks } }
        #expect(try marks("[entry.user removeObserver:self forKeyPath:@\"image\"];") == [])
        #expect(try marks("[self setNeedsLayout];") == ["EntryCell.m:9 kvo_not_removed"])
    }
}

@Suite struct PrefixHeaderTests {
    /// A header that another one needs is read by itself with the prefix header before it, which names it too early.
    @Test func classesOfHeadersThatThePrefixHeaderImportsAreThere() throws {
        let files = [
            "App.pch": "#ifdef __OBJC__\n#import <UIKit/UIKit.h>\n#import \"All.h\"\n#endif\n",
            "Sources/All.h": "#import \"Page.h\"\n#import \"Base.h\"\n",
            "Sources/Page.h": "#import \"Base.h\"\n@interface Page : Base\n@end\n",
            "Sources/Base.h": "@interface Base : UIViewController\n@end\n",
            "Sources/Base.m": "#import \"Base.h\"\n@implementation Base\n- (void)viewDidLoad {\n    self.title = nil;\n}\n@end\n",
            "Sources/Page.m": "#import \"Page.h\"\n@implementation Page\n- (void)viewDidLoad {\n    self.title = nil;\n}\n@end\n",
        ]
        try withFiles(files.mapValues { Array($0.utf8) }) { folder in
            #expect(Run.lint([folder]).marks == ["Base.m:3 missing_super_call", "Page.m:3 missing_super_call"])
        }
    }

    /// A header of any name, which a configuration file of the project names, declares what the observers are added to.
    @Test func aProjectNamesThePrefixHeaderOfItsTarget() throws {
        let project = """
            // !$*UTF8*$!
            { archiveVersion = 1; objectVersion = 56; rootObject = ROOT; objects = {
                ROOT = {isa = PBXProject; mainGroup = MAIN; projectDirPath = ""; targets = (APP); };
                MAIN = {isa = PBXGroup; sourceTree = "<group>"; children = (A, X); };
                A = {isa = PBXFileReference; path = Sources/Page.m; sourceTree = "<group>"; };
                X = {isa = PBXFileReference; path = App.xcconfig; sourceTree = "<group>"; };
                APP = {isa = PBXNativeTarget; name = App; buildPhases = (P); buildConfigurationList = L; };
                P = {isa = PBXSourcesBuildPhase; files = (F); }; F = {isa = PBXBuildFile; fileRef = A; };
                L = {isa = XCConfigurationList; buildConfigurations = (C); };
                C = {isa = XCBuildConfiguration; name = Release; buildSettings = {}; baseConfigurationReference = X; };
            }; }
            """
        let page = """
            @interface Page : UIViewController
            @end
            @implementation Page
            - (void)viewWillAppear:(BOOL)animated {
                [super viewWillAppear:animated];
                [Centre() addObserver:self selector:@selector(changed:) name:@"changed" object:nil];
            }
            - (void)changed:(NSNotification *)note {}
            @end
            """
        var files = ["App.xcodeproj/project.pbxproj": project, "Sources/Page.m": page, "Headers/Everything.h": "#define Centre() [NSNotificationCenter defaultCenter]\n"]
        for (setting, marks) in [("${PROJECT_DIR}/Headers/Everything.h", ["Page.m:6 observer_unbalanced"]), ("\"Headers/Everything.h\"", ["Page.m:6 observer_unbalanced"]), ("Headers/Gone.h", [])] {
            files["App.xcconfig"] = "GCC_PREFIX_HEADER = \(setting)\n"
            try withFiles(files.mapValues { Array($0.utf8) }) { folder in
                #expect(Run.lint([folder]).marks == marks, "\(setting)")
            }
        }
    }
}

/// Damaged input of every kind: the rest is linted, and each gets one sentence.
@Suite struct DamagedInputTests {
    private func lint(_ files: [String: [UInt8]], prepare: (String) throws -> Void = { _ in }) throws -> Run {
        var files = files
        files["Good.swift"] = CommandLineTests.broken
        return try withFiles(files) { folder in
            try prepare(folder)
            return Run.lint([folder])
        }
    }

    /// The good file's finding is there, and the problems are of these kinds.
    private func expect(_ run: Run, problems: [String], others: [String] = [], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(run.marks == (["Good.swift:1 missing_super_call"] + others).sorted(), sourceLocation: sourceLocation)
        #expect(run.problems.compactMap { $0["kind"] }.sorted() == problems.sorted(), sourceLocation: sourceLocation)
        for problem in run.problems {
            let message = problem["message"] ?? ""
            #expect(!message.isEmpty && !message.contains("\n") && !message.hasSuffix("."), sourceLocation: sourceLocation)
        }
        #expect(run.code == 0, sourceLocation: sourceLocation)
    }

    @Test func filesThatAreNoText() throws {
        expect(try lint(["Binary.swift": [0x7F, 0x45, 0x4C, 0x46, 0, 1, 2]]), problems: ["not_text"])
        expect(try lint(["Latin.swift": Array("let a = \"".utf8) + [0xE9, 0x22]]), problems: ["not_text"])
        expect(try lint(["Empty.swift": []]), problems: [])
        expect(try lint(["Blank.swift": Array(" \n\n".utf8)]), problems: [])
        expect(try lint(["Wide.swift": [0xFF, 0xFE] + Array("let a = 1\n".utf16).flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }]), problems: [])
    }

    @Test func textThatIsCut() throws {
        let whole = "class Cut: UIViewController {\n    override func viewDidLoad() {\n        super.viewDidLoad()\n        let x = foo(1, \"a\")\n    }\n}\n"
        for length in stride(from: 1, to: whole.utf8.count, by: 7) {
            let run = try lint(["Cut.swift": Array(whole.utf8.prefix(length))])
            #expect(run.problems.isEmpty && run.code == 0)
            // Nothing may be called missing in what is not there; that it is broken may be said.
            #expect(run.marks.allSatisfy { $0.hasPrefix("Good.swift") || $0.hasSuffix("unparsable_source") }, "cut after \(length) bytes: \(run.marks)")
        }
    }

    @Test(arguments: ["(", "[", "{", "if a {", "f { ", "a + (", "a.b("]) func deepNesting(_ opening: String) throws {
        let text = "func deep() { " + String(repeating: opening, count: 20_000)
        expect(try lint(["Deep.swift": Array(text.utf8)]), problems: [], others: ["Deep.swift:1 unparsable_source"])
    }

    @Test(arguments: ["a + b", "a.b()", "a ?? b", "!a", "x = a"]) func longChains(_ link: String) throws {
        let parts = link.hasPrefix("a.") ? "a" + String(repeating: ".b()", count: 5_000)
            : link == "!a" ? String(repeating: "!", count: 1) + "a"
            : "a" + String(repeating: String(link.dropFirst()), count: 5_000)
        expect(try lint(["Long.swift": Array("func long() { _ = \(parts) }".utf8)]), problems: [])
    }

    @Test func filesThatAreTooLarge() throws {
        let run = try lint(["Large.swift": Array("let value = 1\n".utf8)]) { folder in
            #expect(truncate("\(folder)/Large.swift", 50 << 20) == 0)
        }
        expect(run, problems: ["too_large"])
    }

    @Test func linksAndFilesThatCannotBeRead() throws {
        let run = try lint([:]) { folder in
            let files = FileManager.default
            try files.createSymbolicLink(atPath: "\(folder)/nowhere.swift", withDestinationPath: "missing.swift")
            try files.createSymbolicLink(atPath: "\(folder)/one.swift", withDestinationPath: "two.swift")
            try files.createSymbolicLink(atPath: "\(folder)/two.swift", withDestinationPath: "one.swift")
            try files.createSymbolicLink(atPath: "\(folder)/self", withDestinationPath: ".")
            try files.createDirectory(atPath: "\(folder)/Folder.swift", withIntermediateDirectories: true)
        }
        expect(run, problems: ["broken_link", "broken_link", "broken_link", "broken_link"])
    }

    @Test(.enabled(if: getuid() != 0, "root reads everything")) func filesWithoutPermission() throws {
        let run = try lint(["Secret.swift": Array("let a = 1".utf8)]) { folder in
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: "\(folder)/Secret.swift")
        }
        expect(run, problems: ["unreadable"])
    }

    @Test func pathsThatDoNotExistBesideOnesThatDo() throws {
        try withFiles(["Good.swift": CommandLineTests.broken]) { folder in
            let run = Run.lint([folder, "\(folder)/missing"])
            #expect(run.code == 0)
            #expect(run.problems.map { $0["kind"] } == ["missing"])
        }
    }

    @Test func nothingButUnreadableInputIsNoSuccess() throws {
        try withFiles(["Binary.swift": [0, 1, 2]]) { folder in
            #expect(Run.lint([folder]).code == 1)
        }
        try withFiles(["Readme.txt": [65]]) { folder in
            #expect(Run.lint([folder]).code == 0, "a folder without sources is clean")
        }
    }
}
