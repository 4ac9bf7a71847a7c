import Foundation
import Testing

@testable import lifelint

/// What one file of Objective-C means by what another one says.
@Suite struct ObjectiveCFilesTests {
    private static let header = """
        @interface LoginDialog : UIView {
            id<LoginDelegate> _loginDelegate;
        }
        - (id)initWithDelegate:(id)delegate;
        @end
        """
    private static let keeper = """
        #import "LoginDialog.h"
        @interface Session : NSObject {
            LoginDialog *_dialog;
        }
        @end
        @implementation Session
        - (void)begin {
            _dialog = [[LoginDialog alloc] initWithDelegate:self];
        }
        @end
        """

    /// Without the compiler's counting a variable holds what the code retains, also where a header declares it.
    @Test(arguments: [("_title = title;", 1), ("_title = [title retain];", 0)])
    func variablesOfAHeaderFollowTheText(_ pair: (statement: String, count: Int)) throws {
        let text = """
            #import "LoginDialog.h"
            @implementation LoginDialog {
                NSString *_title;
            }
            - (id)initWithDelegate:(id)delegate {
                if ((self = [super init])) {
                    NSString *title = @"Log in";
                    \(pair.statement)
                    _loginDelegate = delegate;
                }
                return self;
            }
            @end
            """
        let files = ["LoginDialog.h": Self.header, "LoginDialog.m": text, "Session.m": Self.keeper]
        try withFiles(files.mapValues { Array($0.utf8) }) { folder in
            #expect(Run.lint([folder], ["--only-rule", "strong_delegate"]).findings.count == pair.count)
        }
    }

    /// What a header offers to everybody, everybody may put itself into, whatever words stand before `delegate`.
    @Test(arguments: [("strong", 1), ("weak", 0)])
    func delegatesOfAHeader(_ pair: (strength: String, count: Int)) throws {
        let header = """
            @protocol PageRendererDelegate <NSObject>
            @end
            @interface PageRenderer : NSObject
            @property (nonatomic, \(pair.strength)) id<PageRendererDelegate> renderDelegate;
            @end
            """
        let text = """
            #import "PageRenderer.h"
            @implementation PageRenderer
            - (void)render {
                [self.renderDelegate description];
            }
            @end
            """
        try withFiles(["PageRenderer.h": Array(header.utf8), "PageRenderer.m": Array(text.utf8)]) { folder in
            #expect(Run.lint([folder], ["--only-rule", "strong_delegate"]).findings.count == pair.count)
        }
    }

    /// A property of the SDK that a class overrides by its setter is set by that, be it in another file; here it lets the block go.
    @Test(arguments: [("block(); [weakSelf setCancellationHandler:nil];", 0), ("block();", 1)])
    func aSetterOfASuperclassIsCalled(_ pair: (body: String, count: Int)) throws {
        let base = """
            #import "RequestProgress.h"
            @implementation RequestProgress
            - (void)setCancellationHandler:(void (^)(void))block {
                __weak RequestProgress *weakSelf = self;
                [super setCancellationHandler:^{ \(pair.body) }];
            }
            @end
            """
        let sub = """
            #import "RequestProgress.h"
            @interface TextProgress : RequestProgress
            @end
            @implementation TextProgress
            - (void)finishWith:(void (^)(id))handler {
                self.cancellationHandler = ^{ handler(self); };
            }
            @end
            """
        let files = ["RequestProgress.h": "@interface RequestProgress : NSProgress\n@end\n", "RequestProgress.m": base, "TextProgress.m": sub]
        try withFiles(files.mapValues { Array($0.utf8) }) { folder in
            #expect(Run.lint([folder], ["--only-rule", "closure_retains_controller"]).findings.count == pair.count)
        }
    }

    /// A text for both systems is read as its targets compile it; where no project says, as for iOS.
    @Test(arguments: [("macosx", ["viewWillAppear"]), ("iphoneos", ["viewWillAppear:"]), ("", ["viewWillAppear:"])])
    func aTextForBothSystemsIsReadAsItsTargetsCompileIt(_ pair: (sdk: String, members: [String])) throws {
        let project = """
            // !$*UTF8*$!
            { archiveVersion = 1; objectVersion = 56; rootObject = ROOT; objects = {
                ROOT = {isa = PBXProject; mainGroup = MAIN; projectDirPath = ""; targets = (APP); };
                MAIN = {isa = PBXGroup; sourceTree = "<group>"; children = (A); };
                A = {isa = PBXFileReference; path = Page.m; sourceTree = "<group>"; };
                APP = {isa = PBXNativeTarget; name = App; buildPhases = (P); buildConfigurationList = L; };
                P = {isa = PBXSourcesBuildPhase; files = (F); }; F = {isa = PBXBuildFile; fileRef = A; };
                L = {isa = XCConfigurationList; buildConfigurations = (C); };
                C = {isa = XCBuildConfiguration; name = Release; buildSettings = {SDKROOT = \(pair.sdk); MACOSX_DEPLOYMENT_TARGET = 11.0; IPHONEOS_DEPLOYMENT_TARGET = 13.0; }; };
            }; }
            """
        let page = """
            #if TARGET_OS_IPHONE
            #import <UIKit/UIKit.h>
            @interface Page : UIViewController
            @end
            @implementation Page
            - (void)viewWillAppear:(BOOL)animated {}
            @end
            #else
            #import <Cocoa/Cocoa.h>
            @interface Page : NSViewController
            @end
            @implementation Page
            - (void)viewWillAppear {}
            @end
            #endif
            """
        var files = ["Page.m": page]
        if !pair.sdk.isEmpty { files["App.xcodeproj/project.pbxproj"] = project }
        try withFiles(files.mapValues { Array($0.utf8) }) { folder in
            #expect(Run.lint([folder], ["--only-rule", "missing_super_call"]).findings.map { $0["member"] as? String } == pair.members)
        }
    }
    /// Methods that differ in a label share their name; a finding of one spells that one.
    @Test func aMethodIsSpelledAsItself() throws {
        let text = """
            #import <Cocoa/Cocoa.h>
            @interface Gauge : NSScrollView
            @end
            @implementation Gauge
            - (void)viewWillMoveToWindow:(NSWindow *)window { [super viewWillMoveToWindow:window]; self.hidden = window == nil; }
            - (void)viewWillMoveToSuperview:(NSView *)view { self.hidden = view == nil; }
            @end
            """
        try withFiles(["Gauge.m": Array(text.utf8)]) { folder in
            let messages = Run.lint([folder], ["--only-rule", "missing_super_call"]).findings.map { $0["message"] as? String ?? "" }
            #expect(messages.count == 1 && messages.allSatisfy { $0.hasPrefix("'viewWillMoveToSuperview:' never calls '[super viewWillMoveToSuperview:]'") })
        }
    }

    /// What a prefix header lacks is made up once for all its texts, but for a class that a text behind it declares.
    @Test func aPrefixHeaderDeclaresNoClassInPlaceOfTheTexts() throws {
        func screen(_ name: String) -> [UInt8] {
            Array("""
                @interface \(name) : UIViewController
                @end
                @implementation \(name)
                - (void)viewDidLoad { self.title = ThemeTitle(); }
                @end
                """.utf8)
        }
        let prefix = "#import <UIKit/UIKit.h>\nextern ThemeColour *currentColour;\nvoid show(Profile *profile, Settings *settings);\n"
        let files = ["App/App-Prefix.pch": Array(prefix.utf8), "App/Profile.m": screen("Profile"), "App/Settings.m": screen("Settings"), "App/About.m": screen("About")]
        try withFiles(files) { folder in
            #expect(Run.lint([folder], ["--only-rule", "missing_super_call"]).findings.count == 3)
        }
    }

    /// What the parser loses of a method is looked at by its words: without one of super there is no call of it.
    @Test(arguments: [("struct Unknown thing = [self make];", 1), ("struct Unknown thing = [self makeAfter:[super viewDidLoad]];", 0)])
    func lostCodeThatNamesNoSuperCallsNone(_ pair: (statement: String, count: Int)) throws {
        let text = """
            #import <UIKit/UIKit.h>
            @interface Profile : UITableViewController
            @end
            @implementation Profile
            - (void)viewDidLoad {
                \(pair.statement)
                self.title = @"Profile";
            }
            @end
            """
        try withFiles(["Profile.m": Array(text.utf8)]) { folder in
            #expect(Run.lint([folder], ["--only-rule", "missing_super_call"]).findings.count == pair.count)
        }
    }

    /// Swift's name for a class of the SDK is free in Objective-C, and a class of that name may inherit from the SDK's.
    @Test func aClassMayHaveSwiftsNameOfItsSuperclass() throws {
        let text = """
            #import "Canvas.h"
            @interface UndoManager : NSUndoManager
            @property (weak) Canvas *canvas;
            @end
            @implementation UndoManager
            - (void)update { self.canvas.undo.enabled = self.canUndo; }
            @end
            @interface Canvas : UIViewController @end
            @implementation Canvas
            - (void)viewDidLoad { self.title = @"Canvas"; }
            @end
            """
        try withFiles(["Canvas.m": Array(text.utf8)]) { folder in
            #expect(Run.lint([folder], ["--only-rule", "missing_super_call,unparsable_source"]).findings.map { $0["line"] as? Int } == [10])
        }
    }

    /// A circle of superclasses, in one file or several, is told of; the files beside it are read.
    @Test func aCircleOfSuperclassesEnds() throws {
        func screen(_ name: String, _ superclass: String) -> [UInt8] {
            Array("""
                #import "\(superclass).h"
                @interface \(name) : \(superclass) @end
                @implementation \(name)
                - (void)viewDidLoad { self.form.rows = self.form.columns; }
                @end
                """.utf8)
        }
        let headers = ["Form": "List", "List": "Form", "UIView": "UIButton"].map { ("\($0).h", Array("#import \"\($1).h\"\n@interface \($0) : \($1) @end\n".utf8)) }
        let texts = ["A.m": screen("A", "List"), "B.m": screen("B", "UIViewController"), "Twice.m": Array("@interface C : D @end\n@interface D : C @end\n".utf8)]
        try withFiles(texts.merging(headers) { first, _ in first }) { folder in
            let findings = Run.lint([folder], ["--only-rule", "missing_super_call,unparsable_source"]).findings
            func files(of rule: String) -> [String] {
                findings.filter { $0["rule"] as? String == rule }.compactMap { $0["path"] as? String }.map { ($0 as NSString).lastPathComponent }
            }
            #expect(files(of: "unparsable_source") == ["Form.h", "List.h", "Twice.m", "UIView.h"])
            #expect(files(of: "missing_super_call") == ["B.m"])
        }
    }
}
