import Foundation
import ProgramModel
import Testing

@testable import ObjectiveCFrontEnd

/// Source text beside the dump that it must give; `LIFELINT_UPDATE_GOLDEN=1 swift test` writes the dumps anew.
@Suite struct ObjectiveCDumpTests {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden")
    static let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".m.txt") || $0.hasSuffix(".mm.txt") || $0.hasSuffix(".h.txt") }.map { String($0.dropLast(".txt".count)) }.sorted()

    @Test func thereAreGoldenFiles() {
        #expect(Self.names.count >= 6)
    }

    @Test(arguments: names) func dump(_ name: String) throws {
        let source = try String(contentsOf: Self.folder.appendingPathComponent("\(name).txt"), encoding: .utf8)
        let expected = Self.folder.appendingPathComponent("\(name).facts.txt")
        let dump = FrontEnd.dump(source, path: "/inline/\(name)")
        if ProcessInfo.processInfo.environment["LIFELINT_UPDATE_GOLDEN"] != nil {
            try dump.write(to: expected, atomically: true, encoding: .utf8)
        }
        #expect(try dump == String(contentsOf: expected, encoding: .utf8), "the dump changed; LIFELINT_UPDATE_GOLDEN=1 swift test writes it anew")
        #expect(FrontEnd.dump(source, path: "/inline/\(name)") == dump, "facts are a function of the text")
    }
}

@Suite struct ObjectiveCFactsTests {
    /// What is declared of the SDK must itself be free of errors, in Objective-C and Objective-C++.
    @Test func theDeclarationsOfTheSDKAreWhole() {
        #expect(FrontEnd.shared.errorsInDeclarations().isEmpty)
    }

    /// What libclang drops is not taken for missing: the method is partial, and its super call is read from the tokens.
    @Test func lostMessagesMakeAMethodPartial() throws {
        let facts = FrontEnd.facts("""
            @interface A : UIViewController @end
            @implementation A
            - (void)viewDidLoad {
                [super viewDidLoad];
                struct Unknown thing = [self make];
            }
            - (void)viewDidAppear:(BOOL)animated { [super viewDidAppear:animated]; }
            @end
            """)
        let members = facts.types.flatMap(\.members)
        #expect(members.first { $0.baseName == "viewDidLoad" }?.isPartial == true)
        #expect(members.first { $0.baseName == "viewDidAppear" }?.isPartial == false)
        #expect(FrontEnd.dump("@implementation A\n- (void)stop { UnknownMacro([super stop], struct Nothing x) }\n@end").contains("super.stop()"))
    }

    /// A macro of a header that is not here may stand for declarations, with no sign behind it.
    @Test func macrosAmongDeclarationsStandForThem() {
        let facts = FrontEnd.facts("""
            @Register(PadService, Pad)

            @interface Pad : UIView <One, Two>
            DECLARE_SHARED(Pad)
            @property (nonatomic, strong) UIView *cover;
            @end
            @interface Notice (Table) <Codable>
            TABLE_COLUMN(name)
            TABLE_COLUMN(kind)
            @end
            """)
        #expect(facts.syntaxErrors.isEmpty)
        #expect(facts.types.flatMap(\.members).map(\.baseName) == ["cover"])
    }

    /// Code of another configuration stands where it stood, unread; `#if 0` is code of none.
    @Test func skippedTextIsOpaque() {
        let dump = FrontEnd.dump("""
            @implementation A
            - (void)stop {
                [self first];
            #if ELSEWHERE
                [self.link invalidate];
            #endif
                [self second];
            #if 0
                [self never];
            #endif
            }
            @end
            """)
        let lines = dump.split(separator: "\n").filter { $0.contains("first") || $0.contains("second") || $0.contains("opaque") }
        #expect(lines.count == 3)
        #expect(lines[1].contains("skipped by #if") && lines[1].contains("invalidate") && lines[2].contains("second"))
        #expect(!dump.contains("never"))
    }

    @Test(arguments: [
        ("viewWillTransitionToSize:withTransitionCoordinator:", "viewWillTransition(to:with:)"), ("initWithFrame:", "init(frame:)"),
        ("initWithURL:", "init(url:)"), ("initWithURLString:name:", "init(urlString:name:)"), ("init", "init()"), ("initialize", "initialize()"),
        ("addObserver:forKeyPath:options:context:", "addObserver(_:forKeyPath:options:context:)"), ("reload", "reload()"), ("reload::", "reload(_:_:)"),
        ("_initWithURL:", "init(_url:)"), ("_init:", "init(_:)"), ("_init", "_init()"), ("_initialURL", "_initialURL()"),
    ]) func selectorsHaveTheirSwiftNames(_ pair: (selector: String, name: String)) {
        #expect(ImportedNames(selectors: FrontEnd.library.selectorNames).name(ofSelector: pair.selector).full == pair.name)
    }

    /// A class without a header has no method that other code knows; of one whose interface is not here nothing is known.
    @Test func onlyHeadersListMethods() {
        let facts = FrontEnd.facts("@interface A : NSObject\n- (void)go;\n@end\n@implementation A\n- (void)go {}\n@end\n@implementation B\n- (void)go {}\n@end")
        #expect(facts.types.flatMap(\.members).filter { $0.baseName == "go" }.map(\.isUnlisted).sorted { $0 && !$1 } == [true, false])
    }

    @Test func messagesAreReadFromTokens() throws {
        func selectors(_ text: String) -> [String] {
            let tokens = TokenList(Array(text.utf8))
            return tokens.messages(from: 0, to: text.utf8.count).map { "\($0.receiver) \($0.selector)" }
        }
        #expect(selectors("[a b]; [[a b] c:d e:f]; x[0]; @[a]; a[b[c]];") == ["a b", "[ c:e:", "a b"])
        #expect(selectors("[self go:a ? b : c then:^{ return [d e]; }];") == ["self go:then:", "d e"])
        #expect(selectors("[(Foo *)bar baz]; [super viewDidLoad]; [self.list[0] stop];") == ["( baz", "super viewDidLoad", "self stop"])
        #expect(selectors("// [a b]\n/* [c d] */ @\"[e f]\";") == [])
    }

    @Test func badInputEndsInAnErrorAndNeverInAHang() {
        let deep = String(repeating: "(", count: 10_000)
        #expect(FrontEnd.facts(deep).syntaxErrors.contains { $0.endsReading })
        #expect(FrontEnd.facts("").types.isEmpty)
        #expect(FrontEnd.facts("@implementation A - (void)b { [c").types.count == 1)
        #expect(FrontEnd.facts("#import \"File.m\"\n@interface A : NSObject @end", path: "/inline/File.m").types.count == 1)
        #expect(FrontEnd.facts("@interface A : A @end\n@implementation A\n- (void)b { [self b]; }\n@end").types.count == 2)
    }
}

@Suite struct HeaderTableTests {
    @Test func importsAreReadFromTheBeginningsOfLines() {
        let text = "#import <UIKit/UIKit.h>\n  #include \"A.h\"\n// #import \"B.h\"\nint a; #import \"C.h\"\n#define import \"D.h\"\n"
        #expect(HeaderTable.importedNames(in: Array(text.utf8)).prefix(2) == ["UIKit/UIKit.h", "A.h"])
        #expect(!HeaderTable.importedNames(in: Array(text.utf8)).contains("B.h"))
    }

    @Test func theHeaderWhoseFoldersAgreeIsMeant() {
        let table = HeaderTable(headers: ["/p/Pods/Kit/View.h", "/p/App/View.h", "/p/Old/View.h"], importedNames: ["Kit/View.h", "View.h", "Missing.h"])
        let overlay = table.overlay(root: "/v", importedNames: ["Kit/View.h", "View.h", "Missing.h"], empty: "/e.h")
        #expect(overlay.contains("{\"name\": \"/v/Kit/View.h\", \"type\": \"file\", \"external-contents\": \"/p/Pods/Kit/View.h\"}"))
        #expect(overlay.contains("{\"name\": \"/v/Missing.h\", \"type\": \"file\", \"external-contents\": \"/e.h\"}"))
        #expect(overlay.contains("\"/v/View.h\", \"type\": \"file\", \"external-contents\": \"/p/App/View.h\""))
    }

    @Test func aHeaderIsFoundThoughTheCaseOfItsNameDiffers() {
        let table = HeaderTable(headers: ["/p/DropinController.h", "/p/Menu.h", "/p/menu.h"], importedNames: ["DropInController.h", "menu.h"])
        let overlay = table.overlay(root: "/v", importedNames: ["DropInController.h", "menu.h"], empty: "/e.h")
        #expect(overlay.contains("{\"name\": \"/v/DropInController.h\", \"type\": \"file\", \"external-contents\": \"/p/DropinController.h\"}"))
        #expect(overlay.contains("{\"name\": \"/v/menu.h\", \"type\": \"file\", \"external-contents\": \"/p/menu.h\"}"))
    }
}
