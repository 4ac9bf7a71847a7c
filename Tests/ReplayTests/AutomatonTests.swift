import ProgramModel
import Replay
import RuleLibrary
import Testing

/// The logged sequences of LIFECYCLE-FACTS, as one controller sees them, are accepted; impossible ones are not.
@Suite struct AutomatonTests {
    static let library: RuleLibrary = {
        do throws(RuleDataError) { return try RuleLibrary.embedded() } catch { fatalError("\(error)") }
    }()

    private func automaton(_ name: String) -> Automaton {
        Self.library.automata.first { $0.name == name }!
    }

    /// Short words of the tests for the methods of each automaton.
    private static let words = [
        "view_controller": [
            "loadView": "loadView()", "load": "viewDidLoad()", "willAppear": "viewWillAppear(_:)", "isAppearing": "viewIsAppearing(_:)",
            "willLayout": "viewWillLayoutSubviews()", "didLayout": "viewDidLayoutSubviews()", "didAppear": "viewDidAppear(_:)",
            "willDisappear": "viewWillDisappear(_:)", "didDisappear": "viewDidDisappear(_:)", "memory": "didReceiveMemoryWarning()", "deinit": "deinit",
            "transition": "viewWillTransition(to:with:)", "awake": "awakeFromNib()",
        ],
        "app_delegate": [
            "launch": "application(_:didFinishLaunchingWithOptions:)", "active": "applicationDidBecomeActive(_:)", "resign": "applicationWillResignActive(_:)",
            "background": "applicationDidEnterBackground(_:)", "foreground": "applicationWillEnterForeground(_:)", "terminate": "applicationWillTerminate(_:)",
        ],
        "scene_delegate": [
            "connect": "scene(_:willConnectTo:options:)", "foreground": "sceneWillEnterForeground(_:)", "active": "sceneDidBecomeActive(_:)",
            "resign": "sceneWillResignActive(_:)", "background": "sceneDidEnterBackground(_:)", "disconnect": "sceneDidDisconnect(_:)",
        ],
        "view": [
            "awake": "awakeFromNib()", "willSuperview": "willMove(toSuperview:)", "didSuperview": "didMoveToSuperview()", "willWindow": "willMove(toWindow:)",
            "didWindow": "didMoveToWindow()", "layout": "layoutSubviews()", "draw": "draw(_:)", "deinit": "deinit",
        ],
        "cell": ["awake": "awakeFromNib()", "reuse": "prepareForReuse()", "window": "didMoveToWindow()", "deinit": "deinit"],
        "mac_view_controller": [
            "load": "viewDidLoad()", "willAppear": "viewWillAppear()", "didAppear": "viewDidAppear()", "willDisappear": "viewWillDisappear()",
            "didDisappear": "viewDidDisappear()", "deinit": "deinit",
        ],
        "mac_view": [
            "awake": "awakeFromNib()", "willSuperview": "viewWillMove(toSuperview:)", "didSuperview": "viewDidMoveToSuperview()", "willWindow": "viewWillMove(toWindow:)",
            "didWindow": "viewDidMoveToWindow()", "layout": "layout()", "draw": "draw(_:)", "track": "updateTrackingAreas()", "deinit": "deinit",
        ],
        "window_controller": ["load": "windowDidLoad()", "key": "windowDidBecomeKey(_:)", "close": "windowWillClose(_:)", "deinit": "deinit"],
        "object": ["deinit": "deinit"],
    ]

    private func accepts(_ name: String, _ sequence: String, evidence: Set<String> = []) -> Bool {
        let calls = sequence.split(separator: " ").map { word -> String in
            guard let method = Self.words[name]?[String(word)] else { preconditionFailure("\(name) knows no '\(word)'") }
            return method
        }
        // A log notes every method of the words, but for loadView, which only some classes override.
        let observed = Set(Self.words[name]!.values).filter { $0 != "loadView()" || calls.contains($0) }
        return automaton(name).accepts(calls: calls, observed: observed, evidence: evidence)
    }

    @Test(arguments: [
        // Section 2: the first root of a navigation controller; a push without animation has no layout before didAppear.
        ("view_controller", "load willAppear isAppearing willLayout didLayout willLayout didLayout didAppear"),
        ("view_controller", "load willAppear isAppearing didAppear"),
        ("view_controller", "loadView load willAppear isAppearing willLayout didLayout didAppear"),
        // Section 3: push and pop, as the old and as the new controller see them.
        ("view_controller", "load willAppear didAppear willDisappear didDisappear"),
        ("view_controller", "load willAppear isAppearing willLayout didLayout didAppear willDisappear didDisappear deinit"),
        ("view_controller", "load willAppear didAppear willDisappear didDisappear willAppear isAppearing didAppear"),
        // An interactive pop that is cancelled: the one on top, and the one below.
        ("view_controller", "load willAppear didAppear willDisappear willAppear didAppear"),
        ("view_controller", "load willAppear didAppear willDisappear didDisappear willAppear willDisappear didDisappear"),
        // A full-screen presentation, as the presenter sees it.
        ("view_controller", "load willAppear didAppear willDisappear didDisappear willAppear isAppearing didAppear memory"),
        // A tab that was never selected, or never loaded.
        ("view_controller", "load deinit"), ("view_controller", "deinit"), ("view_controller", "load memory deinit"),
        // Page scroll and page curl, cancelled.
        ("view_controller", "load willAppear didAppear willDisappear willAppear didAppear"),
        ("view_controller", "load willAppear willDisappear didDisappear"),
        ("view_controller", "load willAppear didAppear transition willLayout didLayout willLayout didLayout willDisappear didDisappear"),
        // Section 7.
        ("app_delegate", "launch active resign background foreground active"), ("app_delegate", "launch active resign active"),
        ("app_delegate", "launch active resign background terminate"), ("app_delegate", "launch active resign terminate"),
        ("scene_delegate", "connect foreground active"), ("scene_delegate", "connect foreground active resign background foreground active"),
        ("scene_delegate", "connect foreground active resign background disconnect"), ("scene_delegate", "connect foreground active resign active"),
        ("view", "willSuperview didSuperview willWindow didWindow layout draw layout draw willWindow didWindow willSuperview didSuperview deinit"),
        ("view", "willSuperview didSuperview layout willSuperview didSuperview deinit"), ("view", "deinit"),
        ("mac_view", "willSuperview didSuperview willWindow didWindow layout draw willWindow didWindow willSuperview didSuperview deinit"), ("mac_view", "deinit"),
        ("mac_view", "willSuperview didSuperview willWindow didWindow track layout track draw willWindow didWindow"),
        ("cell", "window reuse reuse window reuse window"), ("cell", "deinit"), ("cell", "window window deinit"),
        ("mac_view_controller", "load willAppear didAppear willDisappear didDisappear willAppear didAppear"), ("mac_view_controller", "load deinit"),
        ("window_controller", "load key close key close deinit"), ("object", "deinit"),
    ])
    func logged(_ name: String, _ sequence: String) {
        #expect(accepts(name, sequence))
    }

    @Test(arguments: [
        ("view_controller", "willAppear"), ("view_controller", "load didAppear"), ("view_controller", "load load"),
        ("view_controller", "load willAppear didAppear didAppear"), ("view_controller", "load willAppear willAppear"),
        ("view_controller", "load willDisappear"), ("view_controller", "load willAppear didAppear didDisappear"),
        ("view_controller", "load willAppear didAppear willDisappear didDisappear didDisappear"),
        ("view_controller", "load willAppear didAppear willDisappear didAppear"), ("view_controller", "load isAppearing"),
        ("view_controller", "load willAppear didAppear isAppearing"), ("view_controller", "load willAppear isAppearing isAppearing"),
        ("view_controller", "load willLayout didLayout"), ("view_controller", "load willAppear didLayout willLayout"),
        ("view_controller", "load deinit willAppear"), ("view_controller", "load willAppear deinit"), ("view_controller", "memory load"),
        ("view_controller", "load willAppear didAppear willDisappear deinit"), ("view_controller", "deinit load"),
        ("app_delegate", "active"), ("app_delegate", "launch foreground active"), ("app_delegate", "launch active background"),
        ("app_delegate", "launch active active"), ("app_delegate", "launch terminate active"), ("app_delegate", "launch launch"),
        ("scene_delegate", "foreground"), ("scene_delegate", "connect active"), ("scene_delegate", "connect foreground active disconnect"),
        ("scene_delegate", "connect foreground background active"), ("scene_delegate", "connect foreground active resign background disconnect connect"),
        ("view", "draw"), ("view", "willSuperview didSuperview draw"), ("view", "willWindow didWindow"), ("view", "awake"),
        ("mac_view", "draw"), ("mac_view", "track"), ("mac_view", "willWindow didWindow"), ("mac_view", "deinit willSuperview"),
        ("cell", "awake"), ("cell", "deinit reuse"), ("cell", "window deinit window"), ("mac_view_controller", "load didAppear"), ("mac_view_controller", "load willAppear willAppear"),
        ("window_controller", "key"), ("window_controller", "load key deinit"), ("object", "deinit deinit"),
    ])
    func impossible(_ name: String, _ sequence: String) {
        #expect(!accepts(name, sequence))
    }

    @Test func evidenceOpensTransitions() {
        #expect(!accepts("view_controller", "load willAppear didAppear willDisappear didDisappear load"))
        #expect(accepts("view_controller", "load willAppear didAppear willDisappear didDisappear load", evidence: ["view_set_to_nil"]))
        #expect(accepts("view", "awake willSuperview didSuperview", evidence: ["made_by_nib"]))
        #expect(!accepts("view", "awake awake", evidence: ["made_by_nib"]))
        #expect(accepts("view_controller", "awake load willAppear isAppearing didAppear", evidence: ["made_by_nib"]))
        #expect(!accepts("view_controller", "awake load willAppear"))
        #expect(!accepts("view_controller", "load awake willAppear", evidence: ["made_by_nib"]))
    }

    @Test func everyCallIsAMethodThatTheLifecyclesKnow() {
        let methods = Set(Self.library.lifecycles.values.flatMap(\.methods).flatMap(\.names))
        let ofProtocols = ["application(", "applicationDid", "applicationWill", "scene(", "sceneDid", "sceneWill", "windowDid", "windowWill", "windowShould", "deinit"]
        for automaton in Self.library.automata {
            for call in automaton.transitions.flatMap(\.calls) where !ofProtocols.contains(where: call.hasPrefix) {
                #expect(methods.contains(call) || ViewEvents.functions.contains(call), "\(automaton.name): \(call)")
            }
        }
    }

    @Test func sequencesAreShortestFirstAndWithinBounds() {
        let automaton = automaton("view_controller")
        let sequences = automaton.sequences(within: SequenceBounds(longest: 7, mostSequences: 3_000)) { $0.event != "layout" }
        #expect(sequences.count > 20)
        #expect(zip(sequences, sequences.dropFirst()).allSatisfy { $0.count <= $1.count })
        for sequence in sequences {
            #expect(automaton.accepts(sequence.map(\.event)))
            #expect(sequence.count { $0.event == "load" } <= 1 && sequence.count <= 7)
        }
        #expect(automaton.sequences(within: SequenceBounds(longest: 3, mostSequences: 5)).count == 5)
    }

    @Test(arguments: [
        ("start: a\ntransitions: []", "at least one event"),
        ("start: a\ntransitions:\n  - {event: x, from: [b], to: c, source: s}", "no event leads to"),
        ("start: a\ntransitions:\n  - {event: x, from: [a], to: a, source: s}\n  - {event: x, from: [a], to: b, source: s}", "stands twice"),
        ("start: a\ntransitions:\n  - {event: x, from: [], to: a, source: s}", "starts in no state"),
    ])
    func contradictoryAutomata(_ text: String, _ word: String) {
        do throws(RuleDataError) {
            _ = try RuleLibrary(files: [("automata/x.yml", "automaton: x\nclasses: []\nsource: s\n" + text)])
            Issue.record("it was accepted")
        } catch {
            #expect(error.message.contains(word), "\(error)")
        }
    }

    @Test func classesFindTheirAutomaton() {
        #expect(Self.library.automaton(forAncestry: ["UITableViewCell", "UIView", "UIResponder", "NSObject"])?.name == "cell")
        #expect(Self.library.automaton(forAncestry: ["UITableViewController", "UIViewController"])?.name == "view_controller")
        #expect(Self.library.automaton(forAncestry: ["NSObject"])?.name == "object")
    }

    @Test(arguments: [
        ("view_controller", "willAppear", "didDisappear"), ("view_controller", "didAppear", "willDisappear"), ("view_controller", "willDisappear", "didAppear"),
        ("scene_delegate", "active", "resign"), ("app_delegate", "foreground", "background"),
    ])
    func oneCallSeparatesTwoOfAnother(name: String, method: String, other: String) throws {
        let words = try #require(Self.words[name])
        #expect(automaton(name).calls(try #require(words[other]), betweenCallsOf: try #require(words[method])))
    }

    // A call that comes and goes gives the scene back without the background; a layout follows another.
    @Test(arguments: [("scene_delegate", "active", "background"), ("view_controller", "didLayout", "willLayout"), ("view_controller", "willAppear", "load"), ("object", "deinit", "deinit")])
    func nothingSeparatesTwoCalls(name: String, method: String, other: String) throws {
        let words = try #require(Self.words[name])
        #expect(automaton(name).calls(try #require(words[other]), betweenCallsOf: try #require(words[method])) == (method == other))
    }
}
