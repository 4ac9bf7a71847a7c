import Findings
import ProgramModel
import RuleLibrary
import SourceText

extension Check {
    /// What is begun and not ended: on some way out of a function, or nowhere in the project.
    static let unbalancedPairs = Check(rules: ["resource_unbalanced"]) { input, file in
        input.bodies(inFile: file).flatMap { PairSearch(input: input, file: file, place: $0).findings() }
    }
}

/// The names of the ends that the project calls or sets anywhere.
struct PairEnds: Sendable {
    private var ends: Set<ResourcePair.Step> = []
    /// Those of them in functions that somebody may call.
    private var endsOfUse: Set<ResourcePair.Step> = []

    /// None.
    init() {}

    /// Reads every body that is no test's.
    init(_ input: CheckInput) {
        let (program, library) = (input.program, input.library)
        let wanted = Set(library.pairs.flatMap(\.end))
        let names = Set(wanted.map(\.name))
        func ends(in body: Body) -> Set<ResourcePair.Step> {
            var found: Set<ResourcePair.Step> = []
            body.block.forEachStatement { statement in
                if let (_, name, value) = statement.setting, names.contains(name) {
                    // What is not written as a constant may be either.
                    let flag: Bool? = if case .constant(.boolean(let flag)) = value { flag } else { nil }
                    return found.formUnion(wanted.filter { $0.name == name && (flag == nil || $0.value == flag) })
                }
                let name: String? = if case .read(_, .member(_, let name)) = statement.kind { name } else { statement.call?.callee.baseName }
                if let name, names.contains(name) { found.formUnion(wanted.filter { $0.name == name && $0.value == nil }) }
            }
            return found
        }
        for (index, file) in program.files.enumerated() where !file.isTest {
            for (number, type) in file.facts.types.enumerated() {
                let declaration = DeclarationID(file: index, index: number)
                let owner = program.owners(of: declaration).first
                for (position, member) in type.members.enumerated() {
                    let found = member.bodies.reduce(into: Set()) { $0.formUnion(ends(in: $1.body)) }
                    guard !found.isEmpty else { continue }
                    self.ends.formUnion(found)
                    let isForNobody = owner.map { input.isForNobody(MemberID(declaration: declaration, index: position), of: $0) } ?? false
                    if !isForNobody { endsOfUse.formUnion(found) }
                }
            }
            let free = file.facts.members.flatMap(\.bodies).map(\.body) + [file.facts.topLevel].compactMap { $0 }
            let found = free.reduce(into: Set()) { $0.formUnion(ends(in: $1)) }
            self.ends.formUnion(found)
            endsOfUse.formUnion(found)
        }
    }

    /// Whether somebody ends what the pair begins; of a function that others call they may call the counterpart, if it is to be of use.
    func contains(endOf pair: ResourcePair, isBegunForOthers: Bool) -> Bool { !(isBegunForOthers ? endsOfUse : ends).isDisjoint(with: pair.end) }
}

private extension Statement {
    /// The property that the statement sets, of what, and to what; Objective-C may spell it as a message.
    var setting: (base: Operand?, name: String, value: Operand)? {
        switch kind {
        case .write(.member(let base, let name), let value): return (base, name, value)
        case .write(.name(let name), let value): return (nil, name, value)
        case .call(let call):
            guard case .member(let base, let setter) = call.callee, let property = setter.propertyItSets, call.arguments.count == 1 else { return nil }
            return (base, property, call.arguments[0].value)
        default: return nil
        }
    }
}

/// The search in one body and its closures, each of which is a function of its own.
private struct PairSearch {
    let input: CheckInput
    let file: Int
    let place: BodyOccurrence

    private var program: Program { input.program }
    private var context: BodyContext { place.context }

    func findings() -> [Finding] {
        var functions: [Block] = [place.body.block]
        place.body.block.forEachStatement { statement in
            switch statement.kind {
            case .closure(_, let closure), .function(_, let closure), .spawn(_, let closure): functions.append(closure.block)
            default: break
            }
        }
        return input.library.pairs.flatMap { pair in functions.compactMap { finding(pair, in: $0) } }
    }

    private func finding(_ pair: ResourcePair, in function: Block) -> Finding? {
        guard let begin = first(pair.begin, pair, in: function), !isForTheAppsLife(pair) else { return nil }
        guard first(pair.end, pair, in: function) != nil else {
            guard !input.pairEnds.contains(endOf: pair, isBegunForOthers: isCalledByOthers) else { return leftBehind(pair, begin, in: function) }
            return report("\(pair.title) is begun by '\(begin.step.title)', and nothing in the project ends it: \(pair.harm); pair it with '\(pair.end[0].title)'", at: begin.span)
        }
        // What is begun after the end of something else lasts.
        guard pair.scope == .function, !closuresEnd(pair, in: function), isEnded(pair, in: function, after: begin.span) else { return nil }
        var walk = PairWalk(search: self, pair: pair, function, from: begin.span)
        let open = walk.run(function, [false])
        if open == [true] { walk.leaks.append(Leak(span: walk.begun, how: "at its end", begun: walk.begun)) }
        guard let leak = walk.leaks.first else { return nil }
        return report(
            "\(pair.title), begun by '\(begin.step.title)' at line \(leak.begun.start.line), is not ended when the function is left \(leak.how): \(pair.harm); call '\(pair.end[0].title)' before, or in a 'defer'",
            at: leak.span)
    }

    /// Whether the body is that of a function that code names, and not one that Cocoa calls.
    private var isCalledByOthers: Bool {
        let facts = place.member.facts
        return facts.kind == .function && !facts.isOverride && !input.isForNobody(place.member.id, of: place.member.owner) && input.names.called.contains(facts.fullName)
    }

    /// What a function begins and takes the fruit of, and neither it nor what it calls ends.
    private func leftBehind(_ pair: ResourcePair, _ begin: (step: ResourcePair.Step, span: SourceSpan), in function: Block) -> Finding? {
        let isTaken = function.containsStatement { $0.span.start > begin.span.start && $0.call.flatMap(Self.name).map(pair.taken.contains) ?? false }
        guard isTaken, !closuresEnd(pair, in: function), !function.calledNames.contains(where: { mayEnd(pair, functionNamed: $0) }) else { return nil }
        return report("\(pair.title) is begun by '\(begin.step.title)', and the function that takes what it made does not end it: \(pair.harm); call '\(pair.end[0].title)' before it returns", at: begin.span)
    }

    /// Whether a function of the project of this name ends what another one began.
    private func mayEnd(_ pair: ResourcePair, functionNamed name: String) -> Bool {
        let functions = (program.members(named: name, on: place.member.owner) + program.extensionFunctions(named: name)).map { program[$0] } + program.freeMembers(named: name).map(\.member)
        func calls(_ steps: [ResourcePair.Step], in body: Body) -> Bool {
            body.block.containsStatement { statement in statement.call.flatMap(Self.name).map { name in steps.contains { $0.name == name } } ?? false }
        }
        return functions.contains { $0.bodies.contains { calls(pair.end, in: $0.body) && !calls(pair.begin, in: $0.body) } }
    }

    private func report(_ message: String, at span: SourceSpan) -> Finding {
        input.finding("resource_unbalanced", message, at: span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
    }

    /// Delegates of the app and of its scenes may mean what they begin to last, as may an object of which there is one for all.
    private func isForTheAppsLife(_ pair: ResourcePair) -> Bool {
        guard pair.scope == .project else { return false }
        return program.keepsOneForAll(place.member.owner) || input.lifetimes.isDelegateOfApp(place.member.owner)
    }

    // MARK: Steps

    private func first(_ steps: [ResourcePair.Step], _ pair: ResourcePair, in function: Block) -> (step: ResourcePair.Step, span: SourceSpan)? {
        var found: (ResourcePair.Step, SourceSpan)?
        function.forEachStatement(enteringClosures: false) { statement in
            if found == nil, let step = step(of: statement, among: steps, pair) { found = (step, statement.span) }
        }
        return found
    }

    private func isEnded(_ pair: ResourcePair, in function: Block, after begin: SourceSpan) -> Bool {
        var found = false
        function.forEachStatement(enteringClosures: false) { statement in
            if statement.span.start > begin.start, step(of: statement, among: pair.end, pair) != nil { found = true }
        }
        return found
    }

    private func closuresEnd(_ pair: ResourcePair, in function: Block) -> Bool {
        var found = false
        function.forEachStatement(enteringClosures: false) { statement in
            switch statement.kind {
            case .closure(_, let closure), .function(_, let closure), .spawn(_, let closure):
                closure.block.forEachStatement { if step(of: $0, among: pair.end, pair) != nil { found = true } }
            default: break
            }
        }
        return found
    }

    /// The step that a statement takes.
    func step(of statement: Statement, among steps: [ResourcePair.Step], _ pair: ResourcePair) -> ResourcePair.Step? {
        if case (let base?, let name, .constant(.boolean(let value)))? = statement.setting, let step = steps.first(where: { $0.name == name && $0.value == value }) {
            return isReceiver(base, of: pair) ? step : nil
        }
        guard let call = statement.call, let name = Self.name(of: call), let step = steps.first(where: { $0.name == name && $0.value == nil }) else { return nil }
        switch call.callee {
        case .initializer: return pair.receiver == nil ? step : nil
        case .member(let base, _): return isReceiver(base, of: pair) ? step : nil
        case .name: return pair.receiver == nil && program.members(named: name, on: place.member.owner).isEmpty ? step : nil
        default: return nil
        }
    }

    private static func name(of call: Call) -> String? { call.callee.functionName ?? call.callee.baseName }

    private func isReceiver(_ operand: Operand, of pair: ResourcePair) -> Bool {
        guard let wanted = pair.receiver else {
            // A function of the project of the same name does what it does.
            guard let inferred = input.inference.type(of: operand, in: context), case .project(let types) = input.inference.resolve(inferred) else { return true }
            return types.allSatisfy { program.platformClass(of: $0) != nil }
        }
        guard let name = input.className(of: operand, in: context) else { return false }
        if name == wanted || name == "NS" + wanted || program.platform.isClass(name, kindOf: wanted) { return true }
        guard case .project(let types) = program.resolve(TypeReference(name), in: context.scope) else { return false }
        return types.count == 1 && program.isType(types[0], kindOf: wanted)
    }

    /// Whether a test holds exactly where the begin said that it succeeded (true) or failed (false); nil for other tests.
    func tellsOfBegin(_ clause: Clause, _ pair: ResourcePair) -> Bool? {
        switch clause.test {
        case .isTrue(.register(let register)): return succeeded(register, pair)
        case .isPresent(.register(let register)), .matches(.register(let register), .present):
            guard let call = context.definition(of: register)?.call, let name = Self.name(of: call) else { return nil }
            return pair.present.contains(name) ? true : nil
        default: return nil
        }
    }

    private func succeeded(_ register: Register, _ pair: ResourcePair) -> Bool? {
        guard let statement = context.definition(of: register) else { return nil }
        switch statement.kind {
        case .compute(_, .symbol("prefix !"), let operands):
            guard case .register(let inner)? = operands.first else { return nil }
            return succeeded(inner, pair).map { !$0 }
        case .compute(_, .symbol("=="), let operands):
            guard operands.count == 2, case .register(let inner) = operands[0], case .constant(.boolean(let value)) = operands[1] else { return nil }
            return succeeded(inner, pair).map { $0 == value }
        case .read(_, .local(let local)):
            guard case .register(let inner)? = context.value(of: local) else { return nil }
            return succeeded(inner, pair)
        case .call, .collection: return step(of: statement, among: pair.begin, pair) == nil ? nil : true
        default: return nil
        }
    }
}

/// A way out that leaves something begun.
private struct Leak {
    let span: SourceSpan
    let how: String
    /// Where it was begun.
    let begun: SourceSpan
}

/// Follows the ways through one function: whether the pair is open there.
private struct PairWalk {
    let search: PairSearch
    let pair: ResourcePair
    var leaks: [Leak] = []
    /// How many handlers of errors stand around the code.
    private var handlers = 0
    /// Whether an error leads past every end that the function has.
    private var isEndSkipped = false
    private let function: Block
    /// Where it was begun last.
    private(set) var begun: SourceSpan

    init(search: PairSearch, pair: ResourcePair, _ function: Block, from begun: SourceSpan) {
        (self.search, self.pair, self.function, self.begun) = (search, pair, function, begun)
    }

    /// Whether the pair can be open, and closed, when the block falls off its end.
    mutating func run(_ block: some Sequence<Statement>, _ entry: Set<Bool>) -> Set<Bool> {
        var open = entry
        var isDeferred = false
        for statement in block {
            if open.isEmpty { break }
            if case .deferred(let inner) = statement.kind, ends(inner) { isDeferred = true }
            let before = leaks.count
            open = step(statement, open)
            // What is deferred runs on every way out from here on.
            if isDeferred { leaks.removeLast(leaks.count - before) }
        }
        return isDeferred && !open.isEmpty ? [false] : open
    }

    private func ends(_ block: Block) -> Bool { endCount(block) > 0 }

    private func endCount(_ block: Block) -> Int {
        var count = 0
        block.forEachStatement(enteringClosures: false) { if search.step(of: $0, among: pair.end, pair) != nil { count += 1 } }
        return count
    }

    private mutating func step(_ statement: Statement, _ open: Set<Bool>) -> Set<Bool> {
        if search.step(of: statement, among: pair.begin, pair) != nil {
            begun = statement.span
            return [true]
        }
        if search.step(of: statement, among: pair.end, pair) != nil { return [false] }
        if let call = statement.call, call.mayThrow, open == [true], handlers == 0 || handlers == 1 && isEndSkipped {
            leaks.append(Leak(span: statement.span, how: handlers == 0 ? "by an error here" : "after an error here, which is caught", begun: begun))
        }
        switch statement.kind {
        case .exit(.returns):
            if open == [true] { leaks.append(Leak(span: statement.span, how: "here", begun: begun)) }
            return []
        case .exit(.throwing):
            if open == [true], handlers == 0 { leaks.append(Leak(span: statement.span, how: "by this error", begun: begun)) }
            return []
        case .exit(.trap), .exit(.breaks), .exit(.continues): return []
        case .branch(let clauses, let then, let otherwise): return branch(clauses, then, otherwise, open)
        case .select(_, let cases, _):
            let isTotal = cases.contains { $0.items.isEmpty }
            return cases.reduce(into: isTotal ? [] : open) { $0.formUnion(run($1.body, open)) }
        case .loop(let loop):
            var entry = open
            if case .whileTrue(let clauses) = loop.kind { for clause in clauses { entry = run(clause.setup, entry) } }
            return entry.union(run(loop.body, entry))
        case .scope(let inner, _): return run(inner, open)
        case .attempt(let inner, let catches, _):
            if handlers == 0 { isEndSkipped = !catches.contains { ends($0.body) } && endCount(inner) == endCount(function) }
            handlers += 1
            let falls = run(inner, open)
            handlers -= 1
            // An error may come before or after whatever the block does.
            let entry = open.union(falls)
            return catches.reduce(into: falls) { $0.formUnion(run($1.body, entry)) }
        case .configuration(_, let then, let otherwise): return run(then, open).union(run(otherwise, open))
        default: return open
        }
    }

    private mutating func branch(_ clauses: [Clause], _ then: Block, _ otherwise: Block, _ open: Set<Bool>) -> Set<Bool> {
        var (taken, refused) = (open, Set<Bool>())
        for clause in clauses {
            taken = run(clause.setup, taken)
            switch search.tellsOfBegin(clause, pair) {
            case true?: refused.insert(false)
            case false?:
                refused.formUnion(taken)
                taken = [false]
            case nil: refused.formUnion(taken)
            }
        }
        // Who ends it on a condition knows when it was begun.
        if otherwise.isEmpty, ends(then) { return run(then, taken).isEmpty ? refused : [false] }
        return run(then, taken).union(run(otherwise, refused))
    }
}
