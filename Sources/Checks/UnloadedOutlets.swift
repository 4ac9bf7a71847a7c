import ProgramModel
import SourceText

/// What the members of controllers do while the view is not loaded and the outlets are nil.
struct UnloadedOutlets {
    /// How the running of a member of an unloaded controller goes.
    enum Course: Hashable {
        /// Nothing of it needs the view, or it asks first.
        case harmless
        /// The view is loaded by it.
        case loads
        /// An outlet is used, at a statement of the member that runs, and of the member that it calls, if any.
        case uses(outlet: String, entry: SourceSpan, place: SourceSpan, file: Int)
    }

    private let program: Program
    private static let deepestCall = 5

    init(_ program: Program) {
        self.program = program
    }

    /// The outlets of a controller class, those of its project superclasses included, whose use traps when they are nil; empty for
    /// other classes.
    func outlets(of type: TypeID) -> Set<String> {
        guard let known = program.platformClass(of: type),
              program.platform.isClass(known, kindOf: "UIViewController") || program.platform.isClass(known, kindOf: "NSViewController") else { return [] }
        var names: Set<String> = []
        for link in program.chain(of: type) {
            for id in program.members(of: link) where program[id].isImplicitlyUnwrapped && program[id].isOutlet {
                names.insert(program[id].baseName)
            }
        }
        return names
    }

    /// How a body of the class runs before the view is loaded; `observes` is false in an initialiser, whose own writes run no observers.
    func course(of body: Body, file: Int, in type: TypeID, outlets: Set<String>, observes: Bool = true) -> Course {
        var walk = Walk(program: program, type: type, outlets: outlets)
        return walk.run(body, file: file, observes: observes, depth: 0) ?? .harmless
    }

    /// One way through the code that always runs: what stands under conditions is passed over, and a condition that asks for the
    /// view or an outlet ends it.
    private struct Walk {
        let program: Program
        let type: TypeID
        let outlets: Set<String>
        /// The outlets that code has set by now.
        var set: Set<String> = []
        /// The bodies that are running.
        var running: Set<SourceSpan> = []

        mutating func run(_ body: Body, file: Int, observes: Bool, depth: Int) -> Course? {
            guard depth < UnloadedOutlets.deepestCall, running.insert(body.span).inserted else { return nil }
            defer { running.remove(body.span) }
            var registers: [Register: String] = [:]
            return run(body.block, &registers, file: file, observes: observes, depth: depth)
        }

        private mutating func run(_ block: Block, _ registers: inout [Register: String], file: Int, observes: Bool, depth: Int) -> Course? {
            for statement in block {
                switch statement.kind {
                case .branch(let clauses, _, let otherwise):
                    for clause in clauses {
                        if let course = run(clause.setup, &registers, file: file, observes: observes, depth: depth) { return course }
                        // Whoever asks whether the view is there knows what he does.
                        if asks(clause, registers) { return .harmless }
                    }
                    // Most calls go on; one that always leaves does not.
                    if clauses.isEmpty, let course = run(otherwise, &registers, file: file, observes: observes, depth: depth) { return course }
                case .select, .loop, .attempt, .deferred, .closure, .function, .spawn, .configuration:
                    continue
                case .scope(let inner, _):
                    if let course = run(inner, &registers, file: file, observes: observes, depth: depth) { return course }
                case .exit:
                    return .harmless
                default:
                    if let course = step(statement, &registers, file: file, observes: observes, depth: depth) { return course }
                }
            }
            return nil
        }

        private func asks(_ clause: Clause, _ registers: [Register: String]) -> Bool {
            func isAsked(_ operand: Operand) -> Bool {
                guard case .register(let register) = operand, let name = registers[register] else { return false }
                return outlets.contains(name) || UnloadedOutlets.askingNames.contains(name)
            }
            switch clause.test {
            case .isTrue(let value), .isPresent(let value), .matches(let value, _): return isAsked(value)
            }
        }

        private mutating func step(_ statement: Statement, _ registers: inout [Register: String], file: Int, observes: Bool, depth: Int) -> Course? {
            switch statement.kind {
            case .read(let register, .name(let name)), .read(let register, .member(.selfObject, let name)):
                if UnloadedOutlets.loadingNames.contains(name) { return .loads }
                registers[register] = name
                if let accessor = member(name, where: { $0.accessors?.get != nil }), let getter = accessor.facts.accessors?.get {
                    return entering(run(getter, file: accessor.file, observes: true, depth: depth + 1), at: statement, depth)
                }
            case .read(let register, .member(.register(let base), _)):
                if let course = use(of: base, registers, at: statement, file: file) { return course }
                registers[register] = nil
            case .compute(let register, let operation, let operands):
                // A comparison with nil is asked by the condition that it stands in.
                if case .symbol = operation, let name = operands.compactMap({ name(of: $0, registers) }).first { registers[register] = name }
            case .write(.member(_, let name), .selfObject) where UnloadedOutlets.showingNames.contains(name):
                return .loads
            case .write(.member(.register(let base), _), _):
                return use(of: base, registers, at: statement, file: file)
            case .write(.name(let name), _), .write(.member(.selfObject, let name), _):
                set.insert(name)
                if UnloadedOutlets.loadingNames.contains(name) { return .loads }
                guard observes, let observed = member(name, where: { $0.accessors?.didSet != nil || $0.accessors?.set != nil }) else { return nil }
                guard let body = observed.facts.accessors?.didSet ?? observed.facts.accessors?.set else { return nil }
                return entering(run(body, file: observed.file, observes: true, depth: depth + 1), at: statement, depth)
            case .call(let call), .collection(_, let call):
                return self.call(call, registers, at: statement, file: file, depth: depth)
            default:
                break
            }
            return nil
        }

        private mutating func call(_ call: Call, _ registers: [Register: String], at statement: Statement, file: Int, depth: Int) -> Course? {
            // Whoever gets the controller may show it.
            if call.arguments.contains(where: { $0.value == .selfObject }), let name = call.callee.baseName, !UnloadedOutlets.registeringNames.contains(name) { return .loads }
            switch call.callee {
            case .name(let name), .member(.selfObject, let name):
                if UnloadedOutlets.loadingCalls.contains(name) { return .loads }
                guard let target = member(name, where: { $0.kind == .function && !$0.isStatic && ($0.fullName == call.fullName) }), let body = target.facts.body else { return nil }
                return entering(run(body, file: target.file, observes: true, depth: depth + 1), at: statement, depth)
            case .member(.register(let base), let name):
                if UnloadedOutlets.loadingCalls.contains(name) || name.hasPrefix("loadNib") || name == "instantiate" { return .loads }
                return use(of: base, registers, at: statement, file: file)
            default:
                return nil
            }
        }

        /// What a called member does is done by the statement that calls it.
        private func entering(_ course: Course?, at statement: Statement, _ depth: Int) -> Course? {
            guard depth == 0, case .uses(let outlet, _, let place, let file)? = course else { return course == .harmless ? nil : course }
            return .uses(outlet: outlet, entry: statement.span, place: place, file: file)
        }

        private func use(of register: Register, _ registers: [Register: String], at statement: Statement, file: Int) -> Course? {
            guard let name = registers[register], outlets.contains(name), !set.contains(name) else { return nil }
            return .uses(outlet: name, entry: statement.span, place: statement.span, file: file)
        }

        private func name(of operand: Operand, _ registers: [Register: String]) -> String? {
            if case .register(let register) = operand { registers[register] } else { nil }
        }

        private func member(_ name: String, where fits: (MemberFacts) -> Bool) -> (facts: MemberFacts, file: Int)? {
            for link in program.chain(of: type) {
                for id in program[link].membersByName[name] ?? [] where fits(program[id]) { return (program[id], id.declaration.file) }
            }
            return nil
        }
    }

    /// The properties that load the view when they are read.
    static let loadingNames: Set<String> = ["view", "tableView", "collectionView"]
    static let loadingCalls: Set<String> = ["loadViewIfNeeded", "loadView", "viewDidLoad"]
    /// The properties whose objects show the controller that they are given.
    private static let showingNames: Set<String> = ["rootViewController", "contentViewController", "viewControllers"]
    /// The calls that only note whom they are given.
    private static let registeringNames: Set<String> = ["addObserver", "removeObserver", "addTarget", "init"]
    private static let askingNames: Set<String> = ["isViewLoaded", "viewIfLoaded"]
}
