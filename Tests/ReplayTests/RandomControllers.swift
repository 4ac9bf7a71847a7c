import Analysis
import Foundation
import ProgramModel
import Replay
import RuleLibrary
import SwiftFrontEnd
import Testing

/// Random small controllers and event sequences: the interpreter agrees with a model that knows nothing of heaps or bodies.
@Suite struct RandomControllerTests {
    /// Numbers from a seed, the same on every machine (SplitMix64).
    struct Chance {
        var state: UInt64

        mutating func next(_ bound: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((z ^ (z >> 31)) % UInt64(bound))
        }
    }

    /// One statement of a controller, which both sides understand.
    enum Step: Hashable {
        case observe(Int), ignore(Int), ignoreAll
        case listen(Int, isWeak: Bool), silence(Int)
        case tick(isWeak: Bool), stop
        case guarded(Int)

        static func random(_ chance: inout Chance) -> Step {
            switch chance.next(9) {
            case 0: .observe(chance.next(2))
            case 1: .ignore(chance.next(2))
            case 2: .ignoreAll
            case 3, 4: .listen(chance.next(2), isWeak: chance.next(3) > 0)
            case 5: .silence(chance.next(2))
            case 6: .tick(isWeak: chance.next(2) > 0)
            case 7: .stop
            default: .guarded(chance.next(2))
            }
        }

        var name: String {
            switch self {
            case .observe: "observe"
            case .ignore: "ignore"
            case .ignoreAll: "ignoreAll"
            case .listen(_, let isWeak): isWeak ? "listen weakly" : "listen"
            case .silence: "silence"
            case .tick(let isWeak): isWeak ? "tick weakly" : "tick"
            case .stop: "stop"
            case .guarded: "guarded"
            }
        }

        var code: String {
            switch self {
            case .observe(let n): "NotificationCenter.default.addObserver(self, selector: #selector(f), name: .n\(n), object: nil)"
            case .ignore(let n): "NotificationCenter.default.removeObserver(self, name: .n\(n), object: nil)"
            case .ignoreAll: "NotificationCenter.default.removeObserver(self)"
            case .listen(let n, let isWeak):
                "token\(n) = NotificationCenter.default.addObserver(forName: .n\(n), object: nil, queue: nil) { \(isWeak ? "[weak self] _ in self?.f()" : "_ in self.f()") }"
            case .silence(let n): "if let token = token\(n) { NotificationCenter.default.removeObserver(token) }"
            case .tick(let isWeak):
                "timer = Timer.scheduledTimer(withTimeInterval: 1, repeats: true) { \(isWeak ? "[weak self] _ in self?.f()" : "_ in self.f()") }"
            case .stop: "timer?.invalidate()"
            case .guarded(let n): "if !isOn { isOn = true; NotificationCenter.default.addObserver(self, selector: #selector(f), name: .n\(n), object: nil) }"
            }
        }
    }

    /// What the controller's object is and has registered, by counting alone.
    struct Model {
        var observers = [0, 0]
        /// Block observers: weak or not, live or not; and which one each property holds.
        var blocks: [(isWeak: Bool, isLive: Bool)] = []
        var tokens: [Int?] = [nil, nil]
        var timers: [(isWeak: Bool, isLive: Bool)] = []
        var timer: Int?
        var isOn = false
        var isFreed = false

        mutating func run(_ steps: [Step]) {
            for step in steps {
                switch step {
                case .observe(let n): observers[n] += 1
                case .ignore(let n): observers[n] = 0
                case .ignoreAll: observers = [0, 0]
                case .listen(let n, let isWeak):
                    blocks.append((isWeak, true))
                    tokens[n] = blocks.count - 1
                case .silence(let n): if let index = tokens[n] { blocks[index].isLive = false }
                case .tick(let isWeak):
                    timers.append((isWeak, true))
                    timer = timers.count - 1
                case .stop: if let timer { timers[timer].isLive = false }
                case .guarded(let n):
                    if !isOn {
                        isOn = true
                        observers[n] += 1
                    }
                }
            }
        }

        /// Whether the centre or the run loop keeps the object.
        var isKept: Bool { blocks.contains { $0.isLive && !$0.isWeak } || timers.contains { $0.isLive && !$0.isWeak } }
    }

    private static let methods = [
        "load": "override func viewDidLoad()", "will_appear": "override func viewWillAppear(_ animated: Bool)",
        "did_appear": "override func viewDidAppear(_ animated: Bool)", "will_disappear": "override func viewWillDisappear(_ animated: Bool)",
        "did_disappear": "override func viewDidDisappear(_ animated: Bool)", "release": "deinit",
    ]
    /// Events that call another event's method.
    private static let sameMethod = ["disappearance_cancelled": "will_appear", "appearance_cancelled": "will_disappear"]

    /// How many runs: 2,000 by default, 100,000 in CI.
    private static let runs = ProcessInfo.processInfo.environment["LIFELINT_RANDOM_RUNS"].flatMap { Int($0) } ?? 2_000
    private static let sequencesPerController = 40

    @Test func interpreterAgreesWithCounting() throws {
        var chance = Chance(state: 20_261_120)
        var steps: [String: Int] = [:]
        var released = 0
        var kept = 0
        for _ in 0..<max(1, Self.runs / Self.sequencesPerController) {
            var bodies: [String: [Step]] = [:]
            for event in Self.methods.keys.sorted() where chance.next(3) > 0 {
                bodies[event] = (0...chance.next(3)).map { _ in Step.random(&chance) }
                bodies[event]?.forEach { steps[$0.name, default: 0] += 1 }
            }
            let text = "class A: UIViewController {\nprivate var token0: Any?, token1: Any?, timer: Timer?, isOn = false\n@objc func f() {}\n"
                + bodies.sorted { $0.key < $1.key }.map { "\(Self.methods[$0.key]!) {\n\($0.value.map(\.code).joined(separator: "\n"))\n}\n" }.joined() + "}"
            let program = Analysis.link([ProgramFile(path: "A.swift", facts: SwiftFrontEnd.facts(of: text), units: [0])], units: [LinkUnit(name: "app")],
                                        library: AutomatonTests.library)
            let type = try #require(program.types.first)
            let replay = Replay(program: program, library: AutomatonTests.library)
            for _ in 0..<Self.sequencesPerController {
                let events = randomEvents(&chance)
                var model = Model()
                for event in events {
                    if event == "release" {
                        if model.isKept { kept += 1; continue }
                        model.isFreed = true
                        released += 1
                    }
                    model.run(bodies[Self.sameMethod[event] ?? event] ?? [])
                }
                let world = try #require(replay.world(of: type.id, after: events), "\(events)\n\(text)")
                let agrees = world.live("notification_observer") == model.observers.reduce(0, +) && world.live("block_observer") == model.blocks.count { $0.isLive }
                    && world.live("timer") == model.timers.count { $0.isLive } && world.objects[0].isFreed == model.isFreed
                #expect(agrees, "\(events)\n\(text)")
                // What ended has an end or lost its token, what lives has neither; and an object that is gone acquires nothing more.
                #expect(world.registrations.allSatisfy { !$0.isLive || $0.ended == nil })
                if !agrees { return }
            }
        }
        print("random controllers: \(Self.runs) runs, \(released) released, \(kept) kept alive; statements: "
            + steps.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
        #expect(released > 0 && kept > 0)
        #expect(steps.count == 10, "every kind of statement is met")
    }

    /// A walk of at most eight events through the automaton.
    private func randomEvents(_ chance: inout Chance) -> [String] {
        let automaton = AutomatonTests.library.automata.first { $0.name == "view_controller" }!
        let known = Set(Self.methods.keys).union(Self.sameMethod.keys)
        var run = AutomatonRun(automaton)
        for _ in 0..<(1 + chance.next(8)) {
            let possible = automaton.transitions.map(\.event).filter { known.contains($0) && run.after($0, of: automaton, evidence: []) != nil }
            guard !possible.isEmpty, let next = run.after(possible[chance.next(possible.count)], of: automaton, evidence: []) else { break }
            run = next
        }
        return run.events
    }
}
