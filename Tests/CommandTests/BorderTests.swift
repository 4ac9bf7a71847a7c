import Foundation
import Testing

@testable import lifelint

/// What code of one language does with code of the other.
@Suite struct BorderTests {
    private static let header = """
        @interface Player : NSObject
        - (void)startWithCallback:(void (^)(NSInteger))callback;
        - (void)addListener:(Listener *)listener forChannel:(Channel *)channel usingBlock:(void (^)(void))block;
        @end
        """
    private static let player = """
        #import "Player.h"
        @interface Player ()
        @property (nonatomic, copy) void (^callback)(NSInteger);
        @property (nonatomic, copy) void (^block)(void);
        @end
        @implementation Player
        - (void)startWithCallback:(void (^)(NSInteger))callback {
            self.callback = callback;
        }
        - (void)addListener:(Listener *)listener forChannel:(Channel *)channel usingBlock:(void (^)(void))block {
            self.block = block;
        }
        - (void)rewindWithCallback:(void (^)(NSInteger))callback {
            self.callback = callback;
        }
        @end
        """
    private static let meter = """
        @objc class Meter: NSObject {
            private var handler: (() -> Void)?
            @objc func start(handler: @escaping () -> Void) {
                self.handler = handler
            }
            @objc(beginCountingBy:) func count(_ handler: @escaping () -> Void) {
                self.handler = handler
            }
        }
        """

    /// Swift drops what the words of a selector only repeat, and makes labels of the rest; what no header lists it cannot call.
    @Test(arguments: [
        ("start(callback: { number in self.count = number })", 1), ("start { number in self.count = number }", 1), ("start { [weak self] number in self?.count = number }", 0),
        ("add(listener, for: channel, using: { self.count = 1 })", 1), ("add(listener, with: channel) { self.count = 1 }", 0), ("rewind { number in self.count = number }", 0),
    ])
    func swiftCallsObjectiveC(_ pair: (call: String, count: Int)) throws {
        let screen = """
            import UIKit
            class Screen: UIViewController {
                private let player = Player()
                private let listener = Listener()
                private let channel = Channel()
                private var count = 0
                override func viewDidLoad() {
                    super.viewDidLoad()
                    player.\(pair.call)
                }
            }
            """
        let files = ["Player.h": Self.header, "Player.m": Self.player, "Screen.swift": screen]
        try withFiles(files.mapValues { Array($0.utf8) }) { folder in
            #expect(Run.lint([folder], ["--only-rule", "closure_retains_controller"]).findings.count == pair.count)
        }
    }

    /// Objective-C knows a function of Swift by the selector that the compiler makes of its labels, or that the text gives it.
    @Test(arguments: [("startWithHandler", "self", 1), ("startWithHandler", "weakSelf", 0), ("beginCountingBy", "self", 1), ("startHandler", "self", 0)])
    func objectiveCCallsSwift(_ pair: (message: String, target: String, count: Int)) throws {
        let panel = """
            #import <UIKit/UIKit.h>
            #import "App-Swift.h"
            @interface Panel : UIViewController
            @property (nonatomic, strong) Meter *meter;
            @end
            @implementation Panel
            - (void)viewDidLoad {
                [super viewDidLoad];
                __weak Panel *weakSelf = self;
                self.meter = [[Meter alloc] init];
                [self.meter \(pair.message):^{
                    [\(pair.target) redraw];
                }];
            }
            - (void)redraw {}
            @end
            """
        try withFiles(["Panel.m": panel, "Meter.swift": Self.meter].mapValues { Array($0.utf8) }) { folder in
            #expect(Run.lint([folder], ["--only-rule", "closure_retains_controller"]).findings.count == pair.count)
        }
    }
}
