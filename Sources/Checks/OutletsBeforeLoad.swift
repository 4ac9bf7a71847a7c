import Findings
import ProgramModel
import SourceText

extension Check {
    /// Outlets that are used before the view is loaded: in the controller's own beginning, or by whoever has just made it.
    static let outletsBeforeLoad = Check(rules: ["outlet_before_load"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        let own = input.members(inFile: file).compactMap { member in ownBeginning(member, file, input) }
        return own + input.earlyUses.uses.filter { $0.reported.file == file }.map { use in
            Finding(
                rule: "outlet_before_load", severity: use.isLost ? .warning : input.library.rules["outlet_before_load"]?.severity ?? .error, message: use.message,
                path: input.program.files[file].path, span: use.reported.span, type: use.typeName, member: use.member, trace: use.steps)
        }
    }

    /// An initialiser, or `awakeFromNib`, which runs for a controller before its view is loaded; `deinit` runs also if it never was.
    private static func ownBeginning(_ member: MemberOccurrence, _ file: Int, _ input: CheckInput) -> Finding? {
        let facts = member.facts
        let isInitializer = facts.kind == .initializer
        let isAwakening = facts.baseName == "awakeFromNib" && input.program.isType(member.owner, kindOf: "UIViewController")
        if facts.kind == .deinitializer { return unseenEnd(member, file, input) }
        guard isInitializer || isAwakening, let body = facts.body else { return nil }
        let unloaded = UnloadedOutlets(input.program)
        if let lost = lostSetting(in: body, unloaded.losingOutlets(of: member.owner), loads: { UnloadedOutlets.loads($0, in: member.owner, of: input.program) },
                                 isSetLater: { isSet($0, $1, byLoading: member.owner, input.program) }) {
            var finding = input.finding(
                "outlet_before_load", "'\(lost.outlet)' is nil here, for '\(facts.baseName)' runs before the view is loaded, and what is set is lost; set it in 'viewDidLoad'", at: lost.span, in: file,
                type: member.typeName, member: facts.fullName)
            finding.severity = .warning
            return finding
        }
        let outlets = unloaded.outlets(of: member.owner)
        guard !outlets.isEmpty,
              case .uses(let outlet, let entry, let place, let placeFile) = unloaded.course(of: body, file: file, in: member.owner, outlets: outlets, observes: !isInitializer)
        else { return nil }
        let path = input.program.files[placeFile].path
        return Finding(
            rule: "outlet_before_load", severity: input.library.rules["outlet_before_load"]?.severity ?? .error,
            message: "the outlet '\(outlet)' is nil here, for '\(facts.baseName)' runs before the view is loaded, and its use ends the app; set it up in 'viewDidLoad'",
            path: input.program.files[file].path, span: entry, type: member.typeName, member: facts.fullName,
            trace: [TraceStep(event: facts.baseName, path: path, line: place.start.line, note: "uses '\(outlet)', which is nil")])
    }

    /// A `deinit` that takes the view for loaded, though a controller that nobody ever saw goes without it.
    private static func unseenEnd(_ member: MemberOccurrence, _ file: Int, _ input: CheckInput) -> Finding? {
        guard input.program.isType(member.owner, kindOf: "UIViewController"), let body = member.facts.body else { return nil }
        let unloaded = UnloadedOutlets(input.program)
        let outlets = unloaded.outlets(of: member.owner)
        guard !outlets.isEmpty,
              case .uses(let outlet, let entry, let place, let placeFile) = unloaded.course(of: body, file: file, in: member.owner, outlets: outlets, observes: true) else { return nil }
        return Finding(
            rule: "outlet_before_load", severity: .warning,
            message: "'\(outlet)' is nil here if the controller goes before its view was ever loaded, and its use ends the app; write '\(outlet)?'",
            path: input.program.files[file].path, span: entry, type: member.typeName, member: member.facts.fullName,
            trace: [TraceStep(event: "release", path: input.program.files[placeFile].path, line: place.start.line, note: "uses '\(outlet)', which is nil")])
    }
}

extension Check {
    /// Whether the loading of the view sets a property of an outlet whatever happens, so that nothing is lost by what came before.
    private static func isSet(_ outlet: String, _ property: String, byLoading type: TypeID, _ program: Program) -> Bool {
        program.chain(of: type).flatMap { program[$0].membersByName["viewDidLoad"] ?? [] }.contains { id in
            var read: Set<Register> = []
            return program[id].body?.block.contains { statement in
                if case .read(let register, let place) = statement.kind, place.ownName?.withoutUnderscore == outlet { read.insert(register) }
                if case .write(.member(.register(let base), property), _) = statement.kind { return read.contains(base) }
                return false
            } ?? false
        }
    }

    /// What a body sets of an outlet that is nil, where nothing in it loads the view or makes the outlet's object.
    private static func lostSetting(in body: Body, _ outlets: Set<String>, loads: (String) -> Bool, isSetLater: (String, String) -> Bool) -> (outlet: String, span: SourceSpan)? {
        guard !outlets.isEmpty else { return nil }
        var read: [Register: String] = [:]
        var found: (outlet: String, span: SourceSpan)?
        var mayBeLoaded = false
        body.block.forEachStatement(enteringClosures: false) { statement in
            switch statement.kind {
            case .read(let register, .name(let name)), .read(let register, .member(.selfObject, let name)):
                if loads(name) { mayBeLoaded = true }
                let plain = name.withoutUnderscore
                if outlets.contains(plain) { read[register] = plain }
            case .write(.name(let name), _), .write(.member(.selfObject, let name), _):
                if outlets.contains(name.withoutUnderscore) || loads(name) { mayBeLoaded = true }
            case .write(.member(.register(let base), let property), _):
                if found == nil, !mayBeLoaded, let outlet = read[base], !isSetLater(outlet, property) { found = (outlet, statement.span) }
            // What another method does is not seen here.
            case .call(let call):
                switch call.callee {
                case .name, .member(.selfObject, _): mayBeLoaded = mayBeLoaded || found == nil
                default: break
                }
            default: break
            }
        }
        return found
    }
}

/// The places of the project that use an outlet of a controller that was made a moment ago.
struct EarlyOutletUses: Sendable {
    /// A place in a file.
    struct Place: Hashable, Sendable {
        let file: Int
        let span: SourceSpan
    }

    /// One such use.
    struct Use: Hashable, Sendable {
        let reported: Place
        let typeName: String
        let member: String
        let message: String
        let steps: [TraceStep]
        /// Whether the app goes on, without what was set.
        var isLost = false
    }

    private(set) var uses: [Use] = []

    /// Reads every body that makes a controller with outlets.
    init(_ program: Program) {
        let unloaded = UnloadedOutlets(program)
        var outlets: [TypeID: Set<String>] = [:]
        var losing: [TypeID: Set<String>] = [:]
        for index in program.types.indices where program.types[index].kind == .class {
            let type = TypeID(index)
            let names = (trapping: unloaded.outlets(of: type), losing: unloaded.losingOutlets(of: type).union(unloaded.optionalOutlets(of: type)))
            if !names.trapping.isEmpty || !names.losing.isEmpty { (outlets[type], losing[type]) = (names.trapping, names.losing) }
        }
        guard !outlets.isEmpty else { return }
        let names = Set(outlets.keys.map { program[$0].name.split(separator: ".").last.map(String.init) ?? "" })
        var seen: Set<Place> = []
        for (file, one) in program.files.enumerated() where !one.isTest && !one.isThirdParty {
            for (index, declaration) in one.facts.types.enumerated() {
                let owner = program.owners(of: DeclarationID(file: file, index: index)).first
                for member in declaration.members {
                    for (_, body) in member.bodies where Self.mayMake(names, body) {
                        var search = FreshControllerSearch(
                            program: program, unloaded: unloaded, outlets: outlets, losing: losing, locals: body.locals, file: file, owner: owner, typeName: owner.map { program[$0].name } ?? declaration.name, member: member)
                        search.run(body.block)
                        uses += search.found.filter { seen.insert($0.reported).inserted }
                    }
                }
            }
        }
    }

    private static func mayMake(_ names: Set<String>, _ body: Body) -> Bool {
        func isOne(_ type: TypeReference) -> Bool { names.contains(type.unwrapped.name.split(separator: ".").last.map(String.init) ?? "") }
        var found = body.locals.contains { $0.type.map(isOne) ?? false }
        guard !found else { return true }
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .call(let call):
                switch call.callee {
                case .initializer(let type), .member(.type(let type), _): if isOne(type) { found = true }
                default: break
                }
            case .compute(_, .conditionalCast(let type), _), .compute(_, .forcedCast(let type), _): if isOne(type) { found = true }
            default: break
            }
        }
        return found
    }
}

/// The search in one body: which registers, locals and properties hold a controller whose view nothing has loaded yet.
private struct FreshControllerSearch {
    /// What holds a value.
    enum Holder: Hashable {
        case register(Register), local(LocalID), name(String)
    }

    /// A controller that was made here, with all that holds it.
    struct Fresh {
        let type: TypeID
        let made: SourceSpan
        /// Whether it is the destination of a segue, which an unwind segue finds loaded.
        var isDestination = false
    }

    let program: Program
    let unloaded: UnloadedOutlets
    let outlets: [TypeID: Set<String>]
    /// The outlets of Objective-C and the optional ones of Swift, by class.
    let losing: [TypeID: Set<String>]
    let locals: [Local]
    let file: Int
    /// The type whose member it is; nil for an extension of a type that is not the project's.
    let owner: TypeID?
    let typeName: String
    let member: MemberFacts
    private(set) var found: [EarlyOutletUses.Use] = []
    /// The controllers made so far; one whose view is loaded is nil.
    private var controllers: [Fresh?] = []
    private var holders: [Holder: Int] = [:]
    /// Registers that hold an outlet of a fresh controller.
    private var read: [Register: (controller: Int, outlet: String)] = [:]
    /// What properties of the controllers have been set.
    private var given: Set<Given> = []

    private struct Given: Hashable {
        let controller: Int
        let property: String
    }

    /// Registers that hold what a storyboard makes, or a segue's destination.
    private var made: Set<Register> = []
    /// Those of them that hold a segue's destination.
    private var destinations: Set<Register> = []

    init(program: Program, unloaded: UnloadedOutlets, outlets: [TypeID: Set<String>], losing: [TypeID: Set<String>], locals: [Local], file: Int, owner: TypeID?, typeName: String, member: MemberFacts) {
        self.program = program
        self.unloaded = unloaded
        self.outlets = outlets
        self.losing = losing
        self.locals = locals
        self.file = file
        self.owner = owner
        self.typeName = typeName
        self.member = member
    }

    mutating func run(_ block: Block) {
        for statement in block {
            step(statement)
            if case .branch(let clauses, let then, let otherwise) = statement.kind {
                if let chained = chainedOutlet(clauses), let loss = Self.setting(of: chained.register, in: then) { lose(chained.outlet, of: chained.controller, at: loss) }
                for clause in clauses {
                    run(clause.setup)
                    // Whoever asks for the outlet knows that it may be nil.
                    if case .isPresent(let value) = clause.test, let register = register(value) { read[register] = nil }
                    if case .matches(let value, let pattern) = clause.test { bind(value, pattern) }
                }
                run(then)
                run(otherwise)
            } else {
                for inner in statement.innerBlocks(enteringClosures: false) { run(inner) }
            }
        }
    }

    /// The outlet of a fresh controller that an optional chain goes through: a condition of one value that was read before it.
    private func chainedOutlet(_ clauses: [Clause]) -> (register: Register, controller: Int, outlet: String)? {
        guard clauses.count == 1, clauses[0].setup.isEmpty, case .isPresent(.register(let register)) = clauses[0].test, let (index, outlet) = read[register],
              let controller = fresh(index), !controller.isDestination else { return nil }
        return (register, index, outlet)
    }

    /// The statement of an optional chain that sets something of a value.
    private static func setting(of register: Register, in block: Block) -> Statement? {
        for statement in block {
            switch statement.kind {
            case .write(.member(.register(register), _), _): return statement
            case .call(let call): if case .member(.register(register), let name) = call.callee, name.hasPrefix("set") { return statement }
            case .branch(_, let then, _): if let found = setting(of: register, in: then) { return found }
            default: break
            }
        }
        return nil
    }

    private func register(_ operand: Operand) -> Register? {
        if case .register(let register) = operand { register } else { nil }
    }

    private func controller(_ operand: Operand) -> Int? {
        register(operand).flatMap { holders[.register($0)] }
    }

    private func fresh(_ index: Int) -> Fresh? { controllers[index] }

    private mutating func bind(_ value: Operand, _ pattern: Pattern) {
        guard let index = controller(value) else { return }
        switch pattern {
        case .present(.bind(let local)), .bind(let local): holders[.local(local)] = index
        default: break
        }
    }

    private mutating func step(_ statement: Statement) {
        switch statement.kind {
        case .read(let register, .local(let local)): copy(.local(local), to: register)
        case .read(let register, .name(let name)), .read(let register, .member(.selfObject, let name)): copy(.name(name), to: register)
        case .read(let register, .member(let base, let name)): readMember(register, base, name, at: statement)
        case .declare(let local, let value?):
            // Objective-C needs no cast for what may be anything.
            if let register = register(value), made.contains(register), let type = locals[Int(local.index)].type { make(register, type, isDestination: destinations.contains(register), at: statement) }
            hold(.local(local), value)
        case .write(.local(let local), let value): hold(.local(local), value)
        case .write(.name(let name), let value), .write(.member(.selfObject, let name), let value): hold(.name(name), value)
        case .write(.member(let base, let name), let value):
            if let register = register(base), let (index, outlet) = read[register] { report(outlet, of: index, isSet: true, at: statement) }
            if let index = controller(base) {
                given.insert(Given(controller: index, property: name))
                set(name, of: index, at: statement)
            }
            if let index = controller(value) { controllers[index] = nil }
        case .compute(let register, .conditionalCast(let type), let operands), .compute(let register, .forcedCast(let type), let operands):
            if let source = operands.first.flatMap({ self.register($0) }), made.contains(source) { make(register, type, isDestination: destinations.contains(source), at: statement) }
        case .compute(let register, .forceUnwrap, let operands):
            if let index = operands.first.flatMap({ controller($0) }) { holders[.register(register)] = index }
            if let operand = operands.first { follow(operand, to: register) }
        case .assign(let result, let value):
            hold(.register(result), value)
            // What an optional chain yields is what stands at its end.
            follow(value, to: result)
        case .exit(.returns(let value)): if let index = controller(value) { controllers[index] = nil }
        case .call(let call), .collection(_, let call): self.call(call, at: statement)
        default: break
        }
    }

    /// Another register holds what a storyboard makes, or a segue's destination.
    private mutating func follow(_ value: Operand, to result: Register) {
        guard let source = register(value) else { return }
        if made.contains(source) { made.insert(result) }
        if destinations.contains(source) { destinations.insert(result) }
    }

    private mutating func copy(_ holder: Holder, to register: Register) {
        holders[.register(register)] = holders[holder]
    }

    /// Something else holds the value now; a property with observers may do anything with it.
    private mutating func hold(_ holder: Holder, _ value: Operand) {
        holders[holder] = controller(value)
        guard case .name(let name) = holder, let index = holders[holder], let owner else { return }
        let isWatched = (program[owner].membersByName[name] ?? []).contains { program[$0].accessors != nil }
        if isWatched { controllers[index] = nil }
    }

    private mutating func make(_ register: Register, _ type: TypeReference, isDestination: Bool = false, at statement: Statement) {
        let scope = Scope(file: file, typeName: typeName)
        guard case .project(let types) = program.resolve(type.unwrapped, in: scope), types.count == 1, outlets[types[0]] != nil else { return }
        controllers.append(Fresh(type: types[0], made: statement.span, isDestination: isDestination))
        holders[.register(register)] = controllers.count - 1
    }

    private mutating func readMember(_ register: Register, _ base: Operand, _ name: String, at statement: Statement) {
        if ["destination", "destinationViewController"].contains(name), ["prepare", "prepareForSegue"].contains(member.baseName) {
            made.insert(register)
            destinations.insert(register)
        }
        if let source = self.register(base), let (index, outlet) = read[source] {
            report(outlet, of: index, isSet: false, at: statement)
            // What belongs to nil is nil as well.
            if fresh(index) != nil { read[register] = (index, outlet) }
        }
        guard let index = controller(base), let controller = fresh(index) else { return }
        if UnloadedOutlets.loads(name, in: controller.type, of: program) {
            controllers[index] = nil
        } else if outlets[controller.type]?.contains(name) ?? false || losing[controller.type]?.contains(name) ?? false, !given.contains(Given(controller: index, property: name)) {
            read[register] = (index, name)
        }
    }

    private mutating func call(_ call: Call, at statement: Statement) {
        if case .initializer(let type) = call.callee {
            make(call.result, type, at: statement)
            if let index = holders[.register(call.result)], let controller = fresh(index), loadsWhenMade(controller.type) { controllers[index] = nil }
        }
        if let name = call.callee.baseName, Self.instantiating.contains(name) { made.insert(call.result) }
        if case .member(.type(let type), let name) = call.callee, isStoryboardFactory(name, of: type) { make(call.result, type, at: statement) }
        // Whoever gets the controller may load its view.
        for argument in call.arguments { if let index = controller(argument.value) { controllers[index] = nil } }
        guard case .member(let base, let name) = call.callee else { return }
        if let source = register(base), let (index, outlet) = read[source] { report(outlet, of: index, isSet: name.hasPrefix("set"), at: statement) }
        guard let index = controller(base), let controller = fresh(index), let names = outlets[controller.type] else { return }
        if UnloadedOutlets.loadingCalls.contains(name) {
            controllers[index] = nil
            return
        }
        for link in program.chain(of: controller.type) {
            guard let id = program[link].membersByName[name]?.first(where: { program[$0].fullName == call.fullName }), let body = program[id].body else { continue }
            switch unloaded.course(of: body, file: id.declaration.file, in: controller.type, outlets: names) {
            case .harmless: break
            case .loads: controllers[index] = nil
            case .uses(let outlet, _, let place, let placeFile):
                add(EarlyOutletUses.Use(
                    reported: EarlyOutletUses.Place(file: file, span: statement.span), typeName: typeName, member: member.fullName,
                    message: "'\(name)' uses the outlet '\(outlet)' of '\(program[controller.type].name)', which is nil until its view is loaded, and ends the app; "
                        + "keep the value and use it in 'viewDidLoad'",
                    steps: steps(controller, statement.span, "calls '\(name)'")
                        + [step(name, placeFile, place, "uses '\(outlet)', which is nil")]), index)
            }
            return
        }
    }

    /// By which a storyboard makes a controller.
    private static let instantiating: Set<String> = ["instantiateViewController", "instantiateInitialViewController", "instantiateViewControllerWithIdentifier"]

    /// Whether a function of a class, or of a protocol that it adopts, gives what a storyboard makes as it comes: `Profile.instantiate()`.
    private func isStoryboardFactory(_ name: String, of type: TypeReference) -> Bool {
        guard case .project(let types) = program.resolve(type, in: Scope(file: file, typeName: typeName)), types.count == 1 else { return false }
        let own = program.members(named: name, on: types[0])
        let functions = own.isEmpty ? program.extensionFunctions(named: name) : own
        guard functions.count == 1, program[functions[0]].isStatic, let body = program[functions[0]].body else { return false }
        let made = program[functions[0]].type?.unwrapped.name ?? ""
        guard made == "Self" || made == ProgramType.shortName(of: type.name) else { return false }
        return body.block.calledNames.contains(where: Self.instantiating.contains) && !body.block.containsStatement { statement in
            switch statement.kind {
            case .write(.member, _), .read(_, .member(_, "view")): true
            case .call(let call): call.callee.baseName.map { UnloadedOutlets.loadingCalls.contains($0) } ?? false
            default: false
            }
        }
    }

    private func loadsWhenMade(_ type: TypeID) -> Bool {
        program.chain(of: type).contains { link in
            (program[link].membersByName["init"] ?? []).contains { id in
                program[id].body.map { unloaded.course(of: $0, file: id.declaration.file, in: type, outlets: outlets[type] ?? [], observes: false) == .loads } ?? false
            }
        }
    }

    /// A property of the controller is set: its observers run.
    private mutating func set(_ name: String, of index: Int, at statement: Statement) {
        guard let controller = fresh(index), let names = outlets[controller.type] else { return }
        for link in program.chain(of: controller.type) {
            guard let id = program[link].membersByName[name]?.first(where: { program[$0].kind == .property }) else { continue }
            guard let body = program[id].accessors?.didSet ?? program[id].accessors?.set else { return }
            switch unloaded.course(of: body, file: id.declaration.file, in: controller.type, outlets: names) {
            case .harmless: break
            case .loads: controllers[index] = nil
            case .uses(let outlet, let entry, let place, let placeFile):
                let line = statement.span.start.line
                let setter = program.files[file].name
                add(EarlyOutletUses.Use(
                    reported: EarlyOutletUses.Place(file: id.declaration.file, span: entry), typeName: program[link].name, member: name,
                    message: "the outlet '\(outlet)' is nil when '\(name)' is set before the view is loaded, as \(setter):\(line) does, and its use ends the app; ask 'isViewLoaded' first",
                    steps: steps(controller, statement.span, "sets '\(name)'")
                        + [step("\(name).didSet", placeFile, place, "uses '\(outlet)', which is nil")]), index)
            }
            return
        }
    }

    /// The use of an outlet, which `isSet` if something of it is.
    private mutating func report(_ outlet: String, of index: Int, isSet: Bool, at statement: Statement) {
        guard let controller = fresh(index) else { return }
        let isLost = !(outlets[controller.type]?.contains(outlet) ?? false)
        // Nobody misses what he only asks nil for.
        if isLost, !isSet { return }
        use(outlet, of: index, controller, isLost: isLost, at: statement)
    }

    /// What is set of an outlet behind an optional chain, which ends there.
    private mutating func lose(_ outlet: String, of index: Int, at statement: Statement) {
        if let controller = fresh(index) { use(outlet, of: index, controller, isLost: true, at: statement) }
    }

    private mutating func use(_ outlet: String, of index: Int, _ controller: Fresh, isLost: Bool, at statement: Statement) {
        add(EarlyOutletUses.Use(
            reported: EarlyOutletUses.Place(file: file, span: statement.span), typeName: typeName, member: member.fullName,
            message: "'\(outlet)' of '\(program[controller.type].name)' is nil until its view is loaded, and \(isLost ? "what is set here is lost" : "its use here ends the app"); "
                + "hand the value over and use it in 'viewDidLoad'",
            steps: steps(controller, statement.span, "uses '\(outlet)', which is nil"), isLost: isLost), index)
    }

    private func steps(_ controller: Fresh, _ span: SourceSpan, _ note: String) -> [TraceStep] {
        [step(member.baseName, file, controller.made, "gets a '\(program[controller.type].name)' whose view is not loaded"), step(member.baseName, file, span, note)]
    }

    private func step(_ event: String, _ file: Int, _ span: SourceSpan, _ note: String) -> TraceStep {
        TraceStep(event: event, path: program.files[file].path, line: span.start.line, note: note)
    }

    /// After the first use the app is gone.
    private mutating func add(_ use: EarlyOutletUses.Use, _ index: Int) {
        found.append(use)
        controllers[index] = nil
    }
}
