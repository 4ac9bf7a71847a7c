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

    /// The outlets of a controller class, and the views that it makes while its own is loaded, those of its project superclasses
    /// included, whose use traps when they are nil; empty for other classes.
    func outlets(of type: TypeID) -> Set<String> { nilUntilLoaded(of: type, in: .swift).filter { member($0, of: type)?.isImplicitlyUnwrapped ?? false } }

    /// Those of Objective-C, which loses what is sent to nil.
    func losingOutlets(of type: TypeID) -> Set<String> {
        nilUntilLoaded(of: type, in: .objectiveC).filter { name in
            !program.chain(of: type).contains { (program[$0].membersByName[name] ?? []).contains { program[$0].kind == .function || program[$0].accessors?.get?.block.isEmpty == false } }
        }
    }

    /// Those of Swift that are declared optional, so that what is set of them is lost as well.
    func optionalOutlets(of type: TypeID) -> Set<String> {
        nilUntilLoaded(of: type, in: .swift).filter { name in member(name, of: type).map { $0.isOutlet && !$0.isImplicitlyUnwrapped } ?? false }
    }

    private func member(_ name: String, of type: TypeID) -> MemberFacts? {
        for link in program.chain(of: type) { for id in program[link].membersByName[name] ?? [] { return program[id] } }
        return nil
    }

    private func nilUntilLoaded(of type: TypeID, in language: SourceLanguage) -> Set<String> {
        guard let known = program.platformClass(of: type),
              program.platform.isClass(known, kindOf: "UIViewController") || program.platform.isClass(known, kindOf: "NSViewController") else { return [] }
        var names: Set<String> = []
        var views: Set<String> = []
        for link in program.chain(of: type) {
            for id in program.members(of: link) where program[id].kind == .property && !program[id].isStatic && program.files[id.declaration.file].facts.language == language {
                if program[id].isOutlet { names.insert(program[id].baseName) } else if mayBeMadeOnLoad(id) { views.insert(program[id].baseName) }
            }
        }
        return views.isEmpty ? names : names.union(MadeOnLoad(program, type).properties(of: views))
    }

    private func mayBeMadeOnLoad(_ id: MemberID) -> Bool {
        let member = program[id]
        let isKept = member.isStored || program.files[id.declaration.file].facts.language == .objectiveC
        guard isKept, member.body == nil, !member.isConstant, let type = member.type, type.isOptional || member.isImplicitlyUnwrapped else { return false }
        return switch program.resolve(type.unwrapped, in: Scope(file: id.declaration.file, typeName: "")) {
        case .platform(let name): program.platform.isClass(name, kindOf: "UIView") || program.platform.isClass(name, kindOf: "NSView")
        case .project(let types): types.count == 1 && (program.isType(types[0], kindOf: "UIView") || program.isType(types[0], kindOf: "NSView"))
        default: false
        }
    }

    /// Which properties of a controller only the loading of its view sets.
    private struct MadeOnLoad {
        private var setters: [String: Set<String>] = [:]
        private var callers: [String: Set<String>] = [:]

        init(_ program: Program, _ type: TypeID) {
            for link in program.chain(of: type) {
                for id in program.members(of: link) {
                    let user = program[id].baseName
                    for (_, body) in program[id].bodies {
                        body.block.forEachStatement { statement in
                            switch statement.kind {
                            case .write(.name(let name), _), .write(.member(.selfObject, let name), _): setters[name.withoutUnderscore, default: []].insert(user)
                            case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)): callers[name, default: []].insert(user)
                            default: break
                            }
                            switch statement.call?.callee {
                            case .name(let name), .member(.selfObject, let name): callers[name, default: []].insert(user)
                            default: break
                            }
                        }
                    }
                }
            }
        }

        func properties(of names: Set<String>) -> Set<String> {
            names.filter { name in setters[name].map { $0.allSatisfy { runsOnLoad($0, seen: []) } } ?? false }
        }

        private func runsOnLoad(_ name: String, seen: Set<String>) -> Bool {
            if name == "viewDidLoad" || name == "loadView" { return true }
            guard !seen.contains(name), let above = callers[name]?.subtracting([name]), !above.isEmpty else { return false }
            return above.allSatisfy { runsOnLoad($0, seen: seen.union([name])) }
        }
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
                case .branch(let clauses, let then, let otherwise):
                    for clause in clauses {
                        if let course = run(clause.setup, &registers, file: file, observes: observes, depth: depth) { return course }
                        // Whoever asks whether the view is there knows what he does.
                        if asks(clause, registers) { return .harmless }
                    }
                    // Most calls go on; one that always leaves does not.
                    if mayLoad(then) || mayLoad(otherwise) { return .loads }
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

        /// Whether some way through a block loads the view.
        private func mayLoad(_ block: Block) -> Bool {
            block.containsStatement { statement in
                switch statement.kind {
                case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)): return loads(name)
                default:
                    guard let call = statement.call else { return false }
                    if mayShowSelf(call) { return true }
                    switch call.callee {
                    case .name(let name), .member(.selfObject, let name): return UnloadedOutlets.loadingCalls.contains(name)
                    default: return false
                    }
                }
            }
        }

        /// Whoever gets the controller may show it.
        private func mayShowSelf(_ call: Call) -> Bool {
            call.arguments.contains { $0.value == .selfObject } && call.callee.baseName.map { !UnloadedOutlets.registeringNames.contains($0) } ?? false
        }

        private func loads(_ name: String) -> Bool { UnloadedOutlets.loads(name, in: type, of: program) }

        private func asks(_ clause: Clause, _ registers: [Register: String]) -> Bool {
            func isAsked(_ operand: Operand) -> Bool {
                guard case .register(let register) = operand, let name = registers[register] else { return false }
                return outlets.contains(name) || UnloadedOutlets.askingNames.contains(name) || isSetOnceLoaded(name)
            }
            switch clause.test {
            case .isTrue(let value), .isPresent(let value), .matches(let value, _): return isAsked(value)
            }
        }

        /// Whether a flag of the class begins with false and becomes true in events alone that a loaded view has.
        private func isSetOnceLoaded(_ name: String) -> Bool {
            guard let flag = member(name, where: { $0.kind == .property && $0.isStored && !$0.isStatic }), flag.facts.body?.block.last?.kind == .exit(.returns(.constant(.boolean(false)))) else { return false }
            let members = program.chain(of: type).flatMap { program.members(of: $0) }.map { program[$0] }
            let setters = members.filter { member in
                member.bodies.contains { _, body in
                    body.block.containsStatement { if case .write(let place, let value) = $0.kind { place.ownName == name && value != .constant(.boolean(false)) } else { false } }
                }
            }
            return !setters.isEmpty && setters.allSatisfy { UnloadedOutlets.eventsOfLoadedViews.contains($0.baseName) }
        }

        private mutating func step(_ statement: Statement, _ registers: inout [Register: String], file: Int, observes: Bool, depth: Int) -> Course? {
            switch statement.kind {
            case .read(let register, .name(let name)), .read(let register, .member(.selfObject, let name)):
                if loads(name) { return .loads }
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
                if loads(name) { return .loads }
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
            if mayShowSelf(call) { return .loads }
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

    /// Whether a property of a controller loads the view when it is read; what is called like one of the SDK's may be an outlet.
    static func loads(_ name: String, in type: TypeID, of program: Program) -> Bool {
        switch name {
        case "view": true
        case "tableView": program.isType(type, kindOf: "UITableViewController")
        case "collectionView": program.isType(type, kindOf: "UICollectionViewController")
        default: false
        }
    }

    static let loadingCalls: Set<String> = ["loadViewIfNeeded", "loadView", "viewDidLoad"]
    /// The properties whose objects show the controller that they are given.
    private static let showingNames: Set<String> = ["rootViewController", "contentViewController", "viewControllers"]
    /// The calls that only note whom they are given.
    private static let registeringNames: Set<String> = ["addObserver", "removeObserver", "addTarget", "init"]
    private static let askingNames: Set<String> = ["isViewLoaded", "viewIfLoaded"]
    private static let eventsOfLoadedViews: Set<String> = [
        "viewDidLoad", "viewWillAppear", "viewIsAppearing", "viewDidAppear", "viewWillLayoutSubviews", "viewDidLayoutSubviews", "viewWillLayout", "viewDidLayout",
    ]
}
