import ProgramModel
import RuleLibrary
import SourceText

/// The code that runs when a method of an object is called: its own statements and those of the members of self that it calls.
struct EventCode {
    /// One statement that may run.
    struct Step {
        let statement: Statement
        let context: BodyContext
        let file: Int
        /// The statement of the event's own method by which it runs: itself, or the call that leads to it.
        let entry: SourceSpan
        /// The members that were called on the way, outermost first.
        let callers: [String]
        /// Whether a condition decides whether the statement runs: an optional chain is none.
        let isConditional: Bool
        /// Whether a condition does that is no way out for where there is no value.
        let isConditionalOnMore: Bool
        /// Whether a condition inside a called member does.
        let isConditionalInCallee: Bool
        /// The names that these conditions ask for, those in the members that they use included.
        let asked: Set<String>
        /// Whether the statement is in a closure that does not run at once.
        let isLater: Bool
    }

    /// What stands around a block.
    private struct Surroundings {
        let context: BodyContext
        let file: Int
        /// The call in the event's own method; nil in that method itself.
        var entry: SourceSpan?
        var callers: [String] = []
        var isConditional = false
        var isConditionalOnMore = false
        var isConditionalInCallee = false
        var asked: Set<String> = []
        var isLater = false

        mutating func ask(_ names: Set<String>, isForPresence: Bool = false) {
            isConditional = true
            if !isForPresence { isConditionalOnMore = true }
            if !callers.isEmpty { isConditionalInCallee = true }
            asked.formUnion(names)
        }
    }

    private static let deepestCall = 5

    let input: CheckInput
    /// The class whose objects the event is sent to.
    let type: TypeID
    /// Whether closures that run later are looked at as well.
    var entersLaterClosures = false
    /// Whether functions that belong to types are followed, too.
    var followsStatics = false
    /// Whether methods of other objects are followed, whose class the code tells, and those that the project adds to classes of the SDK.
    var followsOthers = false

    private var program: Program { input.program }

    /// Visits what a member of the class runs, in order.
    func visit(_ member: MemberOccurrence, file: Int, _ visit: (Step) -> Void) {
        guard let body = member.facts.body else { return }
        self.visit(body, file: file, typeName: member.typeName, visit)
    }

    /// Visits what a body of the class runs, in order.
    func visit(_ body: Body, file: Int, typeName: String, _ visit: (Step) -> Void) {
        let context = BodyContext(body: body, selfType: type, scope: Scope(file: file, typeName: typeName), isStatic: false)
        var running: Set<SourceSpan> = [body.span]
        walk(body.block, Surroundings(context: context, file: file), &running, visit)
    }

    private func walk(_ block: Block, _ around: Surroundings, _ running: inout Set<SourceSpan>, _ visit: (Step) -> Void) {
        var around = around
        for statement in block {
            let inner = around
            visit(Step(
                statement: statement, context: inner.context, file: inner.file, entry: inner.entry ?? statement.span, callers: inner.callers,
                isConditional: inner.isConditional, isConditionalOnMore: inner.isConditionalOnMore, isConditionalInCallee: inner.isConditionalInCallee, asked: inner.asked, isLater: inner.isLater))
            switch statement.kind {
            case .branch(let clauses, let then, let otherwise):
                for clause in clauses { walk(clause.setup, inner, &running, visit) }
                // In Objective-C such a test is a condition that somebody wrote.
                let isChain = program.files[around.file].facts.language == .swift && clauses.allSatisfy { if case .isPresent = $0.test { true } else { false } }
                let names = clauses.reduce(into: Set<String>()) { $0.formUnion(self.names(in: $1, around.context)) }
                var arm = inner
                let isForPresence = clauses.allSatisfy(\.asksForPresence)
                if !isChain, !clauses.allSatisfy({ $0.systemQuestion != nil }) { arm.ask(names) }
                walk(then, arm, &running, visit)
                walk(otherwise, arm, &running, visit)
                if Self.leaves(then) || Self.leaves(otherwise) { around.ask(names, isForPresence: isForPresence) }
            case .select(let subject, _, _):
                var arm = inner
                arm.ask(names(of: subject, around.context, depth: 0))
                for block in statement.innerBlocks(enteringClosures: false) { walk(block, arm, &running, visit) }
                if Self.leaves([statement]) { around.ask(arm.asked) }
            case .loop:
                var arm = inner
                arm.ask([])
                for block in statement.innerBlocks(enteringClosures: false) { walk(block, arm, &running, visit) }
                if Self.leaves([statement]) { around.ask([]) }
            case .attempt(let block, let catches, _):
                walk(block, inner, &running, visit)
                var arm = inner
                arm.ask([])
                for clause in catches { walk(clause.body, arm, &running, visit) }
                if Self.leaves([statement]) { around.ask([]) }
            case .call(let call), .collection(_, let call):
                enterClosures(of: call, statement, inner, &running, visit)
                enterMember(call, at: statement, inner, &running, visit)
            default:
                for block in statement.innerBlocks(enteringClosures: false) { walk(block, inner, &running, visit) }
                if Self.leaves(statement.innerBlocks(enteringClosures: false).flatMap { $0 }) { around.ask([]) }
            }
        }
    }

    /// Whether a block may leave what stands around it.
    private static func leaves(_ block: Block) -> Bool {
        var found = false
        block.forEachStatement(enteringClosures: false) { statement in
            if case .exit(let exit) = statement.kind, exit != .trap { found = true }
        }
        return found
    }

    // MARK: What runs by a call

    private func enterClosures(of call: Call, _ statement: Statement, _ around: Surroundings, _ running: inout Set<SourceSpan>, _ visit: (Step) -> Void) {
        var runsNow = false
        if case .collection = statement.kind { runsNow = true }
        if let name = call.callee.baseName, input.library.closureRoles[name] == .now { runsNow = true }
        guard runsNow || entersLaterClosures else { return }
        for argument in call.arguments {
            guard case .register(let register) = argument.value, case .closure(_, let closure)? = around.context.definition(of: register)?.kind else { continue }
            var inner = around
            if !runsNow { inner.isLater = true }
            if case .collection = statement.kind { inner.ask([]) }
            walk(closure.block, inner, &running, visit)
        }
    }

    private func enterMember(_ call: Call, at statement: Statement, _ around: Surroundings, _ running: inout Set<SourceSpan>, _ visit: (Step) -> Void) {
        guard around.callers.count < Self.deepestCall, !call.maySuspend, let id = callee(of: call, around.context), let body = program[id].body,
              running.insert(body.span).inserted else { return }
        let typeName = program[id.declaration].name
        let isOwn = call.callee.nameCalledOnSelf != nil && around.context.selfType == type && !program[id].isStatic
        let context = BodyContext(body: body, selfType: isOwn ? type : program.owners(of: id.declaration).first,
                                  scope: Scope(file: id.declaration.file, typeName: typeName), isStatic: program[id].isStatic)
        var inner = Surroundings(context: context, file: id.declaration.file)
        (inner.entry, inner.callers) = (around.entry ?? statement.span, around.callers + [program[id].baseName])
        (inner.isConditional, inner.isConditionalOnMore, inner.isConditionalInCallee, inner.asked, inner.isLater) = (
            around.isConditional, around.isConditionalOnMore, around.isConditionalInCallee, around.asked, around.isLater)
        walk(body.block, inner, &running, visit)
        running.remove(body.span)
    }

    /// The only function of the project that a call on self, or on a type, can mean.
    private func callee(of call: Call, _ context: BodyContext) -> MemberID? {
        let owner: TypeID
        let name: String
        switch call.callee {
        case .name(let base), .member(.selfObject, let base):
            guard let selfType = context.selfType else { return nil }
            (owner, name) = (selfType, base)
        case .member(.type(let reference), let base):
            guard followsStatics, case .project(let types) = program.resolve(reference, in: context.scope), types.count == 1 else { return nil }
            (owner, name) = (types[0], base)
        case .member(let receiver, let base):
            guard followsOthers, let inferred = input.inference.type(of: receiver, in: context), !inferred.isMetatype, inferred.provenance <= .platformData else { return nil }
            switch input.inference.resolve(inferred) {
            case .project(let types) where types.count == 1 && program[types[0]].kind != .protocol: (owner, name) = (types[0], base)
            case .platform(let known):
                let added = program.extensionFunctions(named: base).filter { !program[$0].isStatic && program[$0].accepts(call) && program.platform.isClass(known, kindOf: program[$0.declaration].name) }
                return added.count == 1 && !program[added[0]].modifiers.contains("async") && program[added[0]].body != nil ? added[0] : nil
            default: return nil
            }
        default: return nil
        }
        let own = program.members(named: name, on: owner)
        let functions = (own.isEmpty ? program.functionsAdded(above: owner, named: name, meantBy: call) : own).filter { program[$0].kind == .function && program[$0].body != nil && !program[$0].isPartial }
        let exact = functions.filter { program[$0].fullName == call.fullName }
        let meant = exact.isEmpty ? functions : exact
        guard meant.count == 1, !program[meant[0]].modifiers.contains("async") else { return nil }
        return followsStatics || !program[meant[0]].isStatic ? meant[0] : nil
    }

    // MARK: What conditions ask

    /// The names that a clause asks for.
    private func names(in clause: Clause, _ context: BodyContext) -> Set<String> {
        var found: Set<String> = []
        switch clause.test {
        case .isTrue(let value), .isPresent(let value): found = names(of: value, context, depth: 0)
        case .matches(let value, _): found = names(of: value, context, depth: 0)
        }
        clause.setup.forEachStatement { statement in found.formUnion(names(usedBy: statement, context, depth: 0)) }
        return found
    }

    /// The names from which a value is computed.
    func names(of operand: Operand, _ context: BodyContext, depth: Int = 0) -> Set<String> {
        guard depth < 8, case .register(let register) = operand, let statement = context.definition(of: register) else { return [] }
        return names(usedBy: statement, context, depth: depth + 1)
    }

    private func names(usedBy statement: Statement, _ context: BodyContext, depth: Int) -> Set<String> {
        func all(_ operands: [Operand]) -> Set<String> { operands.reduce(into: []) { $0.formUnion(names(of: $1, context, depth: depth)) } }
        switch statement.kind {
        case .read(_, .local(let local)):
            return context.value(of: local).map { names(of: $0, context, depth: depth) }?.union([context.body[local].name]) ?? [context.body[local].name]
        case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)): return names(behind: name).union([name])
        case .read(_, .superMember(let name)): return [name]
        case .read(_, .member(let base, let name)): return all([base]).union([name])
        case .read(_, .element(let base, let arguments)): return all([base] + arguments.map(\.value))
        case .compute(_, _, let operands): return all(operands)
        case .assign(_, let value): return all([value])
        case .call(let call), .collection(_, let call):
            var found = all(call.arguments.map(\.value)).union([call.callee.baseName].compactMap { $0 })
            switch call.callee {
            case .member(.selfObject, let name), .name(let name): found.formUnion(names(behind: name))
            case .member(let receiver, _): found.formUnion(all([receiver]))
            default: break
            }
            return found
        default: return []
        }
    }

    /// The names that a computed property or a function of self reads.
    private func names(behind name: String) -> Set<String> {
        var found: Set<String> = []
        for id in program.members(named: name, on: type) {
            guard let body = program[id].accessors?.get ?? (program[id].kind == .function ? program[id].body : nil) else { continue }
            body.block.forEachStatement { statement in
                switch statement.kind {
                case .read(_, .name(let name)), .read(_, .member(_, let name)): found.insert(name)
                case .call(let call): if let name = call.callee.baseName { found.insert(name) }
                default: break
                }
            }
        }
        return found
    }
}

private extension Clause {
    /// Whether it only asks whether there is a value.
    var asksForPresence: Bool {
        switch test {
        case .isPresent, .matches(_, .present), .matches(_, .bind): true
        default: false
        }
    }
}
