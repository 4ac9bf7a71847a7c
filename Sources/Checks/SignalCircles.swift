import Findings
import ProgramModel

extension Check {
    /// Subscriptions of ReactiveObjC to signals that the object itself, or what it keeps, gives out until it is freed, with a block that
    /// holds the object.
    static let signalCircles = Check(rules: ["closure_retains_controller"]) { input, file in
        guard !input.program.files[file].isTest, input.program.files[file].facts.language == .objectiveC else { return [] }
        return input.bodies(inFile: file).flatMap { SignalCircles(input: input, file: file, place: $0).findings() }
    }
}

/// The search in one body.
private struct SignalCircles {
    let input: CheckInput
    let file: Int
    let place: BodyOccurrence

    private var program: Program { input.program }
    private var owner: TypeID { place.member.owner }

    /// Who gives out what is subscribed to, ReactiveObjC, MemoryManagement.md, "Signals derived from self": such signals end when their
    /// object is freed, and its block keeps it from that.
    private static let sources: Set<String> = ["rac_signalForSelector", "rac_valuesForKeyPath", "rac_valuesAndChangesForKeyPath", "rac_signalForControlEvents", "rac_textSignal", "rac_gestureSignal"]
    /// The macros that observe a key path, of today and of ReactiveCocoa 1.
    private static let observations: Set<String> = ["RACObserve", "RACAble", "RACAbleWithStart"]
    /// What ends a signal otherwise.
    private static let endings: Set<String> = ["take", "takeUntil", "takeUntilBlock", "takeWhileBlock", "takeUntilReplacement", "first", "timeout"]

    func findings() -> [Finding] {
        guard program[owner].kind == .class, !place.member.facts.isStatic, !input.lifetimes.lastAsLongAsTheApp(owner) else { return [] }
        var used: Set<Register> = []
        place.body.block.forEachStatement { statement in
            switch statement.kind {
            case .write(_, .register(let register)), .assign(_, .register(let register)), .declare(_, .register(let register)?), .exit(.returns(.register(let register))): used.insert(register)
            case .call(let call): for case .register(let register) in call.arguments.map(\.value) { used.insert(register) }
            default: break
            }
            if let call = statement.call, case .member(.register(let receiver), _) = call.callee { used.insert(receiver) }
        }
        var found: [Finding] = []
        func report(_ held: [Operand], _ source: String) {
            guard let holding = held.compactMap(closure).first(where: { place.holdsSelf($0.closure, in: program) }) else { return }
            found.append(input.finding(
                "closure_retains_controller",
                "this block holds the '\(place.member.typeName)', and \(source) keeps the subscription and so the block until that is freed: neither is ever freed; use a weak 'self' in it",
                at: holding.statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName))
        }
        place.body.block.forEachStatement(enteringClosures: false) { statement in
            if case .write(.element(let binding, _), let signal) = statement.kind, isBinding(binding) {
                if let (source, blocks) = origin(of: signal) { report(blocks, source) }
                return
            }
            // Who keeps what ends the subscription may end it.
            guard let call = statement.call, case .member(let signal, let name) = call.callee, name.hasPrefix("subscribe"), !used.contains(call.result),
                  let (source, blocks) = origin(of: signal) else { return }
            report(blocks + call.arguments.map(\.value), source)
        }
        return found
    }

    /// Whether a value is what `RAC(object, keyPath)` stands for: the subscription lives as long as the object.
    private func isBinding(_ operand: Operand) -> Bool {
        guard case .register(let register) = operand, let call = place.context.definition(of: register)?.call, case .name("LLBinding") = call.callee else { return false }
        return true
    }

    private func closure(_ operand: Operand) -> (statement: Statement, closure: Closure)? {
        guard case .register(let register) = operand, let made = place.context.definition(of: register), case .closure(_, let closure) = made.kind else { return nil }
        return (made, closure)
    }

    /// Who gives out a signal, where that is the object or what it keeps, and the closures on the way; nil where the signal ends by itself.
    private func origin(of signal: Operand) -> (source: String, blocks: [Operand])? {
        var blocks: [Operand] = []
        for link in place.context.chain(behind: signal) {
            if let call = link.call, case .member(let receiver, let name) = call.callee {
                if Self.sources.contains(name) { return keeper(receiver).map { ($0, blocks) } }
                guard !Self.endings.contains(name) else { return nil }
                blocks += call.arguments.map(\.value)
            } else if case .register(let register) = link.value, let made = place.context.definition(of: register) {
                switch made.kind {
                case .read(_, .member(let receiver, let name)) where Self.sources.contains(name): return keeper(receiver).map { ($0, blocks) }
                default:
                    guard let call = made.call, case .name(let macro) = call.callee, Self.observations.contains(macro), let observed = call.arguments.first?.value else { return nil }
                    return keeper(call.arguments.count == 1 ? objectOfKeyPath(observed) : observed).map { ($0, blocks) }
                }
            }
        }
        return nil
    }

    /// The object whose key path is written as one value: self in `self.items`.
    private func objectOfKeyPath(_ operand: Operand) -> Operand {
        guard case .register(let register) = operand, case .read(_, .member(let object, _))? = place.context.definition(of: register)?.kind else { return operand }
        return object
    }

    /// The object that keeps what is subscribed to its signals, if it lives as long as self: self, or what a property of it holds.
    private func keeper(_ operand: Operand) -> String? {
        if place.context.isSelf(operand) { return "the object itself" }
        guard case .register(let register) = operand, case .read(_, let source)? = place.context.definition(of: register)?.kind, let name = source.ownName?.withoutUnderscore else { return nil }
        guard program.keeps(name, of: owner) || program.showsOutlet(name, of: owner), !input.clears(name, of: owner) else { return nil }
        return "'\(name)'"
    }
}
