import Findings
import ProgramModel
import RuleLibrary
import SourceText

extension Check {
    /// Tasks whose loop never ends and holds the screen that started it.
    static let endlessTasks = Check(rules: ["task_outlives_controller"]) { input, file in
        input.bodies(inFile: file).flatMap { EndlessTaskSearch(input: input, file: file, place: $0).findings() }
    }
}

/// The search in one body.
private struct EndlessTaskSearch {
    let input: CheckInput
    let file: Int
    let place: BodyOccurrence

    private var program: Program { input.program }
    private var context: BodyContext { place.context }

    /// What becomes of a task's handle.
    private enum Handle {
        case dropped, stored(String), listed(String), elsewhere
    }

    func findings() -> [Finding] {
        guard !place.member.facts.isStatic, isScreen || program[place.member.owner].kind == .class && !input.lifetimes.lastAsLongAsTheApp(place.member.owner) else { return [] }
        var found: [Finding] = []
        place.body.block.forEachStatement { statement in
            guard let call = statement.call, call.makesTask, case .register(let register)? = call.arguments.last?.value,
                  case .closure(_, let closure)? = context.definition(of: register)?.kind, let (loop, isHeld) = endlessLoop(in: closure), let (end, isMeant) = end(of: call),
                  // The screens are what users open and close; other objects may well live as long as the app, unless they do something at their end.
                  isScreen || isMeant || !isHeld && input.lifetimes.isKnownToEnd(place.member.owner) else { return }
            guard isHeld else {
                // With 'self' held weakly only a task that nobody can cancel goes on.
                guard case .dropped = handle(of: call) else { return }
                found.append(input.finding(
                    "task_outlives_controller",
                    "this task runs \(loop), and \(end): it goes on when '\(place.member.typeName)' is gone, and each start adds one more; keep the task and cancel it, or leave the loop when 'self' is nil",
                    at: statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName))
                return
            }
            found.append(input.finding(
                "task_outlives_controller",
                "this task runs \(loop), and holds '\(place.member.typeName)' all the while: \(end), so the object is never freed; capture 'self' weakly and unwrap it inside the loop, or cancel the task when the screen goes",
                at: statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName))
        }
        return found
    }

    private var isScreen: Bool { Self.screens.contains { program.isType(place.member.owner, kindOf: $0) } }

    private static let screens = ["UIViewController", "UIView", "NSViewController", "NSView", "NSWindowController"]

    // MARK: The loop

    /// What the closure's loop is, where it never ends by itself, and whether the closure holds self in it; nil where it does nothing for self.
    private func endlessLoop(in closure: Closure) -> (title: String, isHeld: Bool)? {
        let weak = closure.captures.first { $0.strength != .strong && $0.value == .selfObject }
        var isHeld = weak == nil
        var what: (String, Bool)?
        func visit(_ block: Block) {
            for statement in block where what == nil {
                switch statement.kind {
                case .branch(let clauses, let then, let otherwise):
                    // `guard let self` before the loop holds it from here on.
                    if then.isEmpty, let weak, clauses.contains(where: { binds(weak.local, $0) }) { isHeld = true }
                    visit(then)
                    visit(otherwise)
                case .loop(let loop):
                    let title = leaves(loop.body) ? nil : title(of: loop)
                    if let title, isHeld, weak != nil || usesSelf(loop.body) {
                        what = (title, true)
                    } else if let title, !isHeld, let weak, weak.strength == .weak, case .whileTrue = loop.kind, reads(weak.local, loop.body) {
                        what = (title, false)
                    } else {
                        visit(loop.body)
                    }
                case .attempt(let inner, _, _), .scope(let inner, _): visit(inner)
                default: break
                }
            }
        }
        visit(closure.block)
        return what
    }

    private func reads(_ local: LocalID, _ block: Block) -> Bool {
        block.containsStatement { if case .read(_, .local(local)) = $0.kind { true } else { false } }
    }

    private func binds(_ local: LocalID, _ clause: Clause) -> Bool {
        guard case .matches(.register(let register), .present(.bind)) = clause.test else {
            if case .matches(let value, .present(.bind)) = clause.test { return value == .selfObject }
            return false
        }
        if case .read(_, .local(local))? = context.definition(of: register)?.kind { return true }
        return false
    }

    private func title(of loop: Loop) -> String? {
        switch loop.kind {
        case .forEach(_, let sequence, _, let isAsync): return isAsync && isEndless(sequence) ? "over a sequence that has no end" : nil
        case .whileTrue(let clauses):
            guard clauses.allSatisfy(isAlwaysTrue), suspends(loop.body) else { return nil }
            return "a loop that only its cancellation ends"
        case .repeatWhile: return nil
        }
    }

    private static let endlessTypes: Set<String> = ["AsyncStream", "AsyncPublisher", "AsyncThrowingPublisher", "Notifications", "NotificationCenter.Notifications"]

    /// Those of them that end when whoever fills them says so.
    private static let streams: Set<String> = ["AsyncStream"]

    /// Whether code of the object that gives a stream says at some time that nothing more will come, other than at its end.
    private func mayBeFinished(_ stream: Operand) -> Bool {
        guard case .register(let register) = stream, let definition = context.definition(of: register) else { return false }
        let giver: Operand
        switch definition.kind {
        case .read(_, .local(let local)): return context.value(of: local).map(mayBeFinished) ?? false
        case .assign(_, let value): return mayBeFinished(value)
        case .compute(_, _, let operands): return operands.count == 1 && mayBeFinished(operands[0])
        case .read(_, .member(let base, _)): giver = base
        case .call(let call):
            switch call.callee {
            case .member(let base, _): giver = base
            case .name: giver = .selfObject
            default: return false
            }
        case .read(_, .name): giver = .selfObject
        default: return false
        }
        guard let type = input.inference.type(of: giver, in: context), case .project(let types) = input.inference.resolve(type) else { return false }
        return types.flatMap { program.chain(of: $0) }.flatMap { program.members(of: $0) }.contains { id in
            program[id].kind != .deinitializer && program[id].bodies.contains { $0.body.block.calledNames.contains("finish") }
        }
    }

    private func isEndless(_ sequence: Operand) -> Bool {
        if let type = input.inference.type(of: sequence, in: context), Self.endlessTypes.contains(type.reference.unwrapped.name) {
            return !Self.streams.contains(type.reference.unwrapped.name) || !mayBeFinished(sequence)
        }
        guard case .register(let register) = sequence, let statement = context.definition(of: register) else { return false }
        switch statement.kind {
        // StoreKit's pages of `Transaction.updates`, `Storefront.updates` and `Message.messages`: they tell of what happens while the app runs.
        case .read(_, .member(.type(let type), let name)): return ["updates", "messages"].contains(name) && isOfStoreKit(type)
        case .read(_, .member(.register(let base), "values")):
            // The values of a published property, of a subject or of a notification's publisher.
            switch context.definition(of: base)?.kind {
            case .read(_, .member(_, let name)), .read(_, .name(let name)): return name.hasPrefix("$")
            case .call(let call), .collection(_, let call): return call.callee.baseName == "publisher"
            default: return false
            }
        case .call(let call), .collection(_, let call):
            guard case .member(let receiver, let name) = call.callee else { return false }
            if name == "notifications" { return true }
            return ["map", "compactMap", "filter", "flatMap", "dropFirst", "removeDuplicates"].contains(name) && isEndless(receiver)
        default: return false
        }
    }

    private func isOfStoreKit(_ type: TypeReference) -> Bool {
        guard ["Transaction", "StoreKit.Transaction", "Storefront", "Message", "Product.SubscriptionInfo.Status"].contains(type.name) else { return false }
        if case .project = program.resolve(type, in: context.scope) { return false }
        return program.files[file].facts.imports.contains("StoreKit")
    }

    private func isAlwaysTrue(_ clause: Clause) -> Bool {
        guard case .isTrue(let value) = clause.test else { return false }
        if value == .constant(.boolean(true)) { return true }
        guard case .register(let register) = value, case .compute(_, .symbol("prefix !"), let operands)? = context.definition(of: register)?.kind,
              case .register(let inner)? = operands.first else { return false }
        if case .read(_, .member(_, "isCancelled"))? = context.definition(of: inner)?.kind { return true }
        return false
    }

    private func suspends(_ block: Block) -> Bool {
        var found = false
        block.forEachStatement(enteringClosures: false) { statement in
            if case .suspend = statement.kind { found = true }
            if statement.call?.maySuspend ?? false { found = true }
        }
        return found
    }

    /// Whether the loop's own code can leave it.
    private func leaves(_ block: Block) -> Bool {
        var found = false
        block.forEachStatement(enteringClosures: false) { statement in
            switch statement.kind {
            case .exit(.breaks), .exit(.returns), .exit(.throwing): found = true
            default: break
            }
        }
        return found
    }

    private func usesSelf(_ block: Block) -> Bool {
        var found = false
        func isOwn(_ name: String) -> Bool { !program.members(named: name, on: place.member.owner).isEmpty }
        block.forEachStatement { statement in
            switch statement.kind {
            case .read(_, .member(.selfObject, _)), .write(.member(.selfObject, _), _): found = true
            case .read(_, .name(let name)), .write(.name(let name), _): if isOwn(name) { found = true }
            default: break
            }
            switch statement.call?.callee {
            case .member(.selfObject, _): found = true
            case .name(let name): if isOwn(name) { found = true }
            default: break
            }
            if statement.call?.arguments.contains(where: { $0.value == .selfObject }) ?? false { found = true }
        }
        return found
    }

    // MARK: The end

    /// Why nothing ends the task before its object dies, and whether the end of the object is meant to; nil where something does, or may.
    private func end(of call: Call) -> (why: String, isMeant: Bool)? {
        let handle = handle(of: call)
        switch handle {
        case .dropped: return ("nobody has the task to cancel it", false)
        case .elsewhere: return nil
        case .stored(let name), .listed(let name):
            let isList = if case .listed = handle { true } else { false }
            let cancelling = program.chain(of: place.member.owner).flatMap { program.members(of: $0) }.filter { id in
                // Who begins anew ends the one before, and then there is another.
                program[id].bodies.contains { !($0.body == place.body && onlyBeginsAnew(call)) && cancels(name, ofList: isList, in: $0.body, program.context(of: $0.body, in: id, as: place.member.owner)) }
            }
            if cancelling.isEmpty { return isVisible(name) ? nil : ("nothing cancels '\(name)'", false) }
            guard cancelling.allSatisfy({ program[$0].kind == .deinitializer || program[$0].baseName == "dealloc" }) else { return nil }
            return ("'\(name)' is cancelled in 'deinit' only, which cannot run before", true)
        }
    }

    /// Whether all that the body cancels, it cancels on the way to the task that it starts.
    private func onlyBeginsAnew(_ call: Call) -> Bool {
        func count(_ statements: some Sequence<Statement>) -> Int {
            statements.reduce(0) { sum, statement in
                sum + (statement.call?.callee.baseName == "cancel" ? 1 : 0) + statement.innerBlocks(enteringClosures: true).reduce(0) { $0 + count($1) }
            }
        }
        func countBefore(in block: Block) -> Int? {
            if let start = block.firstIndex(where: { $0.call?.result == call.result }) { return count(block[..<start]) }
            return block.lazy.flatMap { $0.innerBlocks(enteringClosures: true) }.compactMap(countBefore).first
        }
        return countBefore(in: place.body.block) == count(place.body.block)
    }

    private func handle(of call: Call) -> Handle {
        if let list = listKeeping(call.result) { return .listed(list) }
        var found = Handle.dropped
        place.body.block.forEachStatement { statement in
            switch statement.kind {
            case .write(.name(let name), .register(call.result)), .write(.member(.selfObject, let name), .register(call.result)): found = .stored(name)
            case .exit(.returns(.register(call.result))): found = keeper.map(Handle.stored) ?? .elsewhere
            case .write(_, .register(call.result)), .declare(_, .register(call.result)), .assign(_, .register(call.result)),
                 .read(_, .member(.register(call.result), _)): found = .elsewhere
            case .compute(_, _, let operands) where operands.contains(.register(call.result)): found = .elsewhere
            default:
                guard let other = statement.call else { return }
                if other.arguments.contains(where: { $0.value == .register(call.result) }) { found = .elsewhere }
                if case .member(.register(call.result), _) = other.callee { found = .elsewhere }
            }
        }
        return found
    }

    /// The property of the object with a list to which a value is added, or which is set to one with it.
    private func listKeeping(_ value: Register) -> String? {
        var lists: Set<Register> = []
        var found: String?
        place.body.block.forEachStatement { statement in
            switch statement.kind {
            case .compute(let list, .array, let operands) where operands.contains(.register(value)): lists.insert(list)
            case .write(let target, .register(let list)) where lists.contains(list): found = target.ownName
            default:
                guard let call = statement.call, ["append", "insert"].contains(call.callee.baseName), call.arguments.first?.value == .register(value),
                      case .member(.register(let list), _) = call.callee, case .read(_, let source)? = context.definition(of: list)?.kind else { return }
                found = source.ownName
            }
        }
        return found
    }

    /// The property into which code of the class puts what this function returns, and nothing else does anything with it.
    private var keeper: String? {
        let name = place.member.facts.baseName
        guard place.member.facts.kind == .function, place.member.facts.isPrivate else { return nil }
        var kept: Set<String?> = []
        for id in program.chain(of: place.member.owner).flatMap({ program.members(of: $0) }) {
            for (_, body) in program[id].bodies where body.block.calledNames.contains(name) {
                var made: Set<Register> = []
                body.block.forEachStatement { statement in
                    if let call = statement.call, call.callee.nameCalledOnSelf == name { made.insert(call.result) }
                    if case .write(let target, .register(let value)) = statement.kind, made.contains(value) { kept.insert(target.ownName) }
                }
            }
        }
        return kept.count == 1 ? kept.first.flatMap { $0 } : nil
    }

    /// Whether other files can reach a property of this name, and so cancel what it holds.
    private func isVisible(_ name: String) -> Bool {
        program.members(named: name, on: place.member.owner).contains { !program[$0].isPrivate }
    }

    private func cancels(_ name: String, ofList isList: Bool, in body: Body, _ context: BodyContext) -> Bool {
        var holders: Set<Operand> = []
        var found = false
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .read(let register, .name(name)), .read(let register, .member(_, name)): holders.insert(.register(register))
            default: break
            }
            guard let call = statement.call else { return }
            if case .member(let receiver, "cancel") = call.callee, holders.contains(receiver) || context.ownProperty(behind: receiver) == name.withoutUnderscore { found = true }
            if call.arguments.contains(where: { holders.contains($0.value) }) { found = true }
        }
        // Each of a list is cancelled by its own name.
        return found || isList && !holders.isEmpty && body.block.calledNames.contains("cancel")
    }
}

extension Call {
    /// Whether it makes a task that nobody waits for: `Task { … }`, `Task.detached { … }`.
    var makesTask: Bool {
        switch callee {
        case .initializer(let type): type.name == "Task"
        case .member(.type(let type), "detached"): type.name == "Task"
        default: false
        }
    }
}
