import Findings
import ProgramModel
import SourceText

extension Check {
    /// Subscriptions of RxSwift that are disposed in the breath in which they are made, though what they wait for comes later.
    static let disposedSubscriptions = Check(rules: ["observation_token_discarded"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.bodies(inFile: file).flatMap { place -> [Finding] in
            var found: [Finding] = []
            place.body.block.forEachStatement { statement in
                guard let sequence = subscribed(andDisposedBy: statement, place.context), let source = LateSequences(input: input).lateSource(of: sequence, in: place.context) else { return }
                found.append(input.finding(
                    "observation_token_discarded",
                    "the subscription is disposed as soon as it is made: what '\(source)' tells later never arrives; keep it until then, with 'disposed(by:)'",
                    at: statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName))
            }
            return found
        }
    }

    /// The sequence to which `sequence.subscribe(…).dispose()` subscribes.
    private static func subscribed(andDisposedBy statement: Statement, _ context: BodyContext) -> Operand? {
        guard let call = statement.call, call.arguments.isEmpty, case .member(.register(let token), "dispose") = call.callee,
              let subscription = context.definition(of: token)?.call, case .member(let sequence, let name) = subscription.callee, ["subscribe", "bind", "drive", "emit"].contains(name) else { return nil }
        return sequence
    }
}

/// Sequences whose elements cannot be there when somebody subscribes.
private struct LateSequences {
    let input: CheckInput

    /// Operators and sources that wait for a time, RxSwift documentation.
    private static let waiting: Set<String> = ["delay", "delaySubscription", "debounce", "interval", "timer"]
    /// What the extensions of URLSession in RxCocoa are asked for.
    private static let answers: Set<String> = ["response", "data", "json"]
    /// What tells an observer something.
    private static let telling: Set<String> = ["onNext", "onSuccess", "onCompleted", "onError"]
    /// The calls that run a closure before they return.
    private static let immediate: Set<String> = [
        "forEach", "map", "compactMap", "flatMap", "filter", "reduce", "sorted", "contains", "first", "create", "sync", "performAndWait", "autoreleasepool", "write", "enumerateObjects",
    ]

    /// The function in a chain of operators whose elements come later, nil where they may be there at once.
    func lateSource(of sequence: Operand, in context: BodyContext, depth: Int = 0) -> String? {
        for link in context.chain(behind: sequence) {
            guard case .register(let register) = link.value, let call = context.definition(of: register)?.call, let name = call.callee.baseName else { return nil }
            let receiver: Operand
            switch call.callee {
            case .member(let object, _): receiver = object
            case .name: receiver = .selfObject
            default: return nil
            }
            if Self.waiting.contains(name) || Self.answers.contains(name) && isReactive(receiver, context) { return name }
            let functions = implementations(of: call, on: receiver, context)
            if !functions.isEmpty { return functions.allSatisfy { answersLater($0, depth: depth) } ? name : nil }
        }
        return nil
    }

    /// So many functions are followed that return the sequence of another one.
    private static let deepest = 4

    /// Whether all that a body returns are late sequences of other functions.
    private func handsOn(_ body: Body, _ context: BodyContext, depth: Int) -> Bool {
        var returned: [Operand] = []
        body.block.forEachStatement(enteringClosures: false) { if case .exit(.returns(let value)) = $0.kind { returned.append(value) } }
        return !returned.isEmpty && returned.allSatisfy { lateSource(of: $0, in: context, depth: depth + 1) != nil }
    }

    private func isReactive(_ value: Operand, _ context: BodyContext) -> Bool {
        guard case .register(let register) = context.uncast(value), case .read(_, let place)? = context.definition(of: register)?.kind else { return false }
        return switch place {
        case .name("rx"), .member(_, "rx"): true
        default: false
        }
    }

    /// The functions with bodies that a call may run: those of the receiver's type, or all of the name behind a protocol.
    private func implementations(of call: Call, on receiver: Operand, _ context: BodyContext) -> [MemberID] {
        guard let fullName = call.fullName, let type = input.inference.type(of: receiver, in: context), case .project(let types) = input.inference.resolve(type) else { return [] }
        let program = input.program
        let own = types.flatMap { program.members(named: call.callee.baseName ?? "", on: $0) }.filter { program[$0].fullName == fullName }
        let known = own.contains { program[$0].body == nil } ? program.functions(named: fullName) : own
        return known.filter { program[$0].body != nil && !program.files[$0.declaration.file].isTest }
    }

    /// Whether a function makes a sequence whose observer is told from a closure that runs later.
    private func answersLater(_ id: MemberID, depth: Int) -> Bool {
        guard depth < Self.deepest, let body = input.program[id].body else { return false }
        if let owner = input.program.owners(of: id.declaration).first, handsOn(body, input.program.context(of: body, in: id, as: owner), depth: depth) { return true }
        var closures: [Register: Closure] = [:]
        body.block.forEachStatement { if case .closure(let register, let closure) = $0.kind { closures[register] = closure } }
        func given(to call: Call) -> [Closure] { call.arguments.compactMap { if case .register(let register) = $0.value { closures[register] } else { nil } } }
        return body.block.containsStatement { statement in
            guard let call = statement.call, call.callee.baseName == "create" else { return false }
            return given(to: call).contains { maker in
                let observers = Set(maker.parameters)
                return maker.block.containsStatement { inner in
                    guard let later = inner.call, !Self.immediate.contains(later.callee.baseName ?? "") else { return false }
                    return given(to: later).contains { $0.block.containsStatement { tells(observers, $0) } }
                }
            }
        }
    }

    private func tells(_ observers: Set<LocalID>, _ statement: Statement) -> Bool {
        guard let call = statement.call else { return false }
        return switch call.callee {
        case .local(let local): observers.contains(local)
        case .member(_, let name): Self.telling.contains(name)
        default: false
        }
    }
}
