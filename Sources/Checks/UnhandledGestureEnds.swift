import Findings
import ProgramModel
import RuleLibrary
import SourceText

extension Check {
    /// Gestures and touches whose end is handled and whose cancellation is not.
    static let unhandledGestureEnds = Check(rules: ["gesture_end_unhandled"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        let members = input.members(inFile: file)
        return members.compactMap { GestureHandler(input: input, file: file, member: $0)?.finding() } + members.compactMap { touchesEnd($0, beside: members, file, input) }
    }

    /// `touchesEnded` that undoes what `touchesBegan` or `touchesMoved` did, in a class without `touchesCancelled`.
    private static func touchesEnd(_ member: MemberOccurrence, beside members: [MemberOccurrence], _ file: Int, _ input: CheckInput) -> Finding? {
        let program = input.program
        guard member.facts.baseName == "touchesEnded", let body = member.facts.body, !member.facts.isPartial,
              ["UIResponder", "UIGestureRecognizer"].contains(where: { program.isType(member.owner, kindOf: $0) }) else { return nil }
        let chain = program.chain(of: member.owner)
        func bodies(_ name: String) -> [Body] { chain.flatMap { program[$0].membersByName[name] ?? [] }.compactMap { program[$0].body } }
        guard bodies("touchesCancelled").allSatisfy(onlyPassesOn), !isEndedByHeirs(member.owner, input) else { return nil }
        let during = bodies("touchesBegan") + bodies("touchesMoved")
        // What the class does by a method of its own counts as well, unless it does the same at the end.
        let (opening, closing) = (during.reduce(into: Set<String>()) { $0.formUnion($1.block.namesCalledOnSelf) }, body.block.namesCalledOnSelf)
        func written(by own: [Body], calling names: Set<String>) -> Set<String> {
            (own + names.flatMap(bodies)).reduce(into: []) { $0.formUnion(Work(in: $1.block).written) }
        }
        var begun = written(by: during, calling: opening.subtracting(closing))
        // The recognisers of the SDK end their own state when a touch is cancelled, and one that has not begun has nothing to end.
        if let known = program.platformClass(of: member.owner), program.platform.isClass(known, kindOf: "UIGestureRecognizer"),
           known != "UIGestureRecognizer" || !during.contains(where: begins) { begun.remove("state") }
        // Where the touch is at last is no more than where it was before.
        begun.subtract(followingTouch(in: body))
        let what: String
        if let shared = begun.intersection(written(by: [body], calling: closing.subtracting(opening))).min() { what = "'\(shared)' is set while a touch lasts and set back" } else {
            guard let function = switched(during, back: body) else { return nil }
            what = "'\(function)' is called while a touch lasts, and the other way round"
        }
        // The override that begins owes the others, if it stands beside this one.
        let line = member.facts.nameSpan.start.line
        let beginning = members.first { $0.facts.baseName == "touchesBegan" && $0.owner == member.owner }?.facts ?? member.facts
        return input.finding(
            "gesture_end_unhandled",
            "\(what) in 'touchesEnded' only\(beginning.baseName == "touchesEnded" ? "" : " (line \(line))"); a touch that the system cancels ends in 'touchesCancelled', which leaves it so: override that as well",
            at: beginning.nameSpan, in: file, type: member.typeName, member: beginning.fullName)
    }

    /// Whether the class is there for others, all of which handle the cancellation themselves: no code, storyboard or xib has objects of it.
    private static func isEndedByHeirs(_ type: TypeID, _ input: CheckInput) -> Bool {
        let program = input.program, heirs = input.subclasses(of: type)
        guard !heirs.isEmpty, input.names.constructions[program[type].name] == nil, program.interfaceObjects(of: type).isEmpty else { return false }
        return heirs.allSatisfy { heir in
            program.chain(of: heir).prefix { $0 != type }.contains { link in
                (program[link].membersByName["touchesCancelled"] ?? []).contains { program[$0].body.map { !onlyPassesOn($0) } ?? false }
            }
        }
    }

    /// The properties of self that a body sets to nothing but what comes of the place of a touch.
    private static func followingTouch(in body: Body) -> Set<String> {
        var places: Set<Register> = []
        var locals: Set<LocalID> = []
        var written: [String: Bool] = [:]
        func isPlace(_ operand: Operand) -> Bool { if case .register(let register) = operand { places.contains(register) } else { false } }
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .call(let call): if call.callee.baseName?.lowercased().hasPrefix("location") ?? false { places.insert(call.result) }
            case .compute(let result, _, let operands): if operands.contains(where: isPlace) { places.insert(result) }
            case .read(let result, .member(.register(let base), _)): if places.contains(base) { places.insert(result) }
            case .read(let result, .local(let local)): if locals.contains(local) { places.insert(result) }
            case .declare(let local, let value?): if isPlace(value) { locals.insert(local) }
            case .write(let place, let value): if let name = place.ownName { written[name] = (written[name] ?? true) && isPlace(value) }
            default: break
            }
        }
        return Set(written.filter(\.value).keys)
    }

    /// The function of self that bodies call with a truth value, and that another body calls with the opposite and never with the same.
    private static func switched(_ bodies: [Body], back other: Body) -> String? {
        let (begun, ended) = (bodies.reduce(into: Set<Switch>()) { $0.formUnion(Switch.all(in: $1.block)) }, Switch.all(in: other.block))
        return ended.filter { !begun.contains($0) && begun.contains(Switch(name: $0.name, isOn: !$0.isOn)) && !ended.contains(Switch(name: $0.name, isOn: !$0.isOn)) }.map(\.name).min()
    }

    /// Whether a recogniser says in a body that its gesture has begun.
    private static func begins(_ body: Body) -> Bool {
        let words = GestureStates(of: body)
        return body.block.containsStatement { statement in
            switch statement.kind {
            case .write(.name("state"), let value), .write(.member(.selfObject, "state"), let value): ["began", "changed"].contains(words.state(value) ?? "began")
            default: false
            }
        }
    }

    /// Whether an override of `touchesCancelled` does no more than to pass its event on, to its superclass or the next responder.
    private static func onlyPassesOn(_ body: Body) -> Bool {
        !body.block.containsStatement { statement in
            switch statement.kind {
            case .write, .opaque: true
            case .call(let call), .collection(_, let call):
                switch call.callee {
                case .superMember("touchesCancelled"): false
                case .member(.selfObject, _), .name: true
                default: call.callee.baseName != "touchesCancelled"
                }
            default: false
            }
        }
    }
}

/// A call of a function of self with a truth value.
private struct Switch: Hashable {
    let name: String
    let isOn: Bool

    /// All such calls of a block.
    static func all(in block: some Sequence<Statement>) -> Set<Switch> {
        var found: Set<Switch> = []
        block.forEachStatement { statement in
            guard let call = statement.call, case .constant(.boolean(let isOn))? = call.arguments.first?.value else { return }
            switch call.callee {
            case .name(let name), .member(.selfObject, let name): found.insert(Switch(name: name, isOn: isOn))
            default: break
            }
        }
        return found
    }
}

/// What code does beside computing values.
private struct Work {
    /// The names of the properties that it sets.
    private(set) var written: Set<String> = []
    /// Whether it does something to others: sets their properties, or calls something for what it does.
    private(set) var reachesOthers = false

    var isAny: Bool { !written.isEmpty || reachesOthers }

    /// `used` are the registers whose values somebody uses: who uses a call's result may call it for that alone.
    init(in block: some Sequence<Statement>, used: Set<Register> = []) {
        block.forEachStatement { statement in
            switch statement.kind {
            case .write(.name(let name), _), .write(.member(.selfObject, let name), _): written.insert(name)
            case .write(.member(_, let name), _):
                written.insert(name)
                reachesOthers = true
            case .call(let call):
                if case .superMember = call.callee { return }
                if !used.contains(call.result), call.callee.baseName != "init" { reachesOthers = true }
            default: break
            }
        }
    }
}

/// A function that a gesture recogniser calls for each state.
private struct GestureHandler {
    private let input: CheckInput
    private let file: Int
    private let member: MemberOccurrence
    private let body: Body
    private let context: BodyContext
    private let words: GestureStates
    private let recognizer: LocalID
    private let isContinuous: Bool
    private let used: Set<Register>

    /// What runs in some states.
    private struct Arm {
        /// The states, empty for `default`.
        let states: Set<String>
        let block: [Statement]
        let span: SourceSpan
    }

    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        guard let body = member.facts.body, let found = input.recognizerParameter(of: member, file: file) else { return nil }
        (self.input, self.file, self.member, self.body, recognizer) = (input, file, member, body, found.local)
        let scope = Scope(file: file, typeName: member.typeName)
        // What is declared as any recogniser is cast to what it is.
        let classes = [found.platformClass] + body.locals.compactMap { $0.type.flatMap { input.recognizerClass($0, in: scope) } }
        isContinuous = classes.contains { one in Self.continuous.contains { input.program.platform.isClass(one, kindOf: $0) } }
        context = member.context(of: body)
        words = GestureStates(context: context)
        used = body.usedRegisters
    }

    private static let continuous = [
        "UIPanGestureRecognizer", "UIPinchGestureRecognizer", "UIRotationGestureRecognizer", "UILongPressGestureRecognizer",
        "NSPanGestureRecognizer", "NSMagnificationGestureRecognizer", "NSRotationGestureRecognizer", "NSPressGestureRecognizer",
    ]

    func finding() -> Finding? {
        guard !isHandedOn, !input.isForNobody(member.id, of: member.owner) else { return nil }
        let arms = arms()
        let named = arms.reduce(into: mentioned) { $0.formUnion($1.states) }
        guard named.contains("ended") else { return nil }
        // A cancellation that is named and does nothing is a mistake where what was switched on stays on.
        let cancellations = arms.filter { !$0.states.isDisjoint(with: Self.cancelled) }
        guard named.isDisjoint(with: Self.cancelled) || !cancellations.isEmpty && cancellations.allSatisfy({ isIdle($0.block) }) && isSwitchedOff(in: arms) else { return nil }
        // What each change does as well finishes nothing.
        guard let end = arms.first(where: { $0.states.contains("ended") && !$0.states.contains("changed") && work(in: $0.block).isAny }) else { return nil }
        // What runs in all other states ends the gesture as well.
        guard !arms.contains(where: { $0.states.isEmpty && work(in: $0.block).isAny }) else { return nil }
        let undone = work(in: end.block).written
        guard work(in: end.block).reachesOthers || !isSetAnew(undone, in: arms) else { return nil }
        let begun = arms.filter { !$0.states.isDisjoint(with: ["began", "changed"]) && !$0.states.contains("ended") }
        let before = steps(around: end.span, in: body.block) ?? []
        // A value that is only kept for later is nothing that has to be undone.
        let isBegun = begun.contains { arm in
            let work = work(in: arm.block)
            return work.reachesOthers || !work.written.isDisjoint(with: undone)
        }
        guard isBegun || (isContinuous && !begun.contains { work(in: $0.block).reachesOthers } && (!work(in: before).written.isEmpty || callsOwnCode(before))) else { return nil }
        return input.finding(
            "gesture_end_unhandled",
            "what the gesture begins is finished in the state 'ended' only; a gesture that the system cancels, for an alert or a call, never gets there and leaves it half done: handle 'cancelled' as well",
            at: end.span, in: file, type: member.typeName, member: member.facts.fullName)
    }

    /// Whether each gesture sets these properties anew when it begins, and nothing but the function itself asks for them.
    private func isSetAnew(_ properties: Set<String>, in arms: [Arm]) -> Bool {
        let begun = arms.filter { $0.states.contains("began") }.reduce(into: Set<String>()) { names, arm in
            names.formUnion(arm.block.compactMap { if case .write(let place, _) = $0.kind { place.ownName } else { nil } })
        }
        guard properties.isSubset(of: begun) else { return false }
        let program = input.program
        let others = program.chain(of: member.owner).flatMap(program.members).filter { $0 != member.id && program[$0].kind != .initializer }
        let asksElsewhere = others.contains { id in
            program[id].isPartial || program[id].bodies.contains { $0.body.block.containsStatement { Self.asks(for: properties, $0) } }
        }
        return !asksElsewhere && !properties.contains { input.isRead($0, outside: member.owner) }
    }

    private static func asks(for properties: Set<String>, _ statement: Statement) -> Bool {
        switch statement.kind {
        case .read(_, let place): place.ownName.map(properties.contains) ?? false
        case .opaque(let part): !properties.isDisjoint(with: part.reads)
        default: false
        }
    }

    private static let cancelled: Set<String> = ["cancelled", "canceled"]

    private func isIdle(_ block: [Statement]) -> Bool { !block.containsStatement { statement in if case .exit = statement.kind { false } else { true } } }

    /// Whether the end calls a function of self with the truth value opposite to that of the beginning.
    private func isSwitchedOff(in arms: [Arm]) -> Bool {
        let (begun, ended) = (arms.filter { $0.states.contains("began") }, arms.filter { $0.states.contains("ended") && !$0.states.contains("began") })
        let on = begun.reduce(into: Set<Switch>()) { $0.formUnion(Switch.all(in: $1.block)) }
        return ended.contains { Switch.all(in: $0.block).contains { on.contains(Switch(name: $0.name, isOn: !$0.isOn)) && !on.contains($0) } }
    }

    private func work(in block: [Statement]) -> Work { Work(in: block, used: used) }

    /// The statements that run in every state in which those at a place do, conditions and what they decide left out.
    private func steps(around place: SourceSpan, in block: Block) -> [Statement]? {
        for statement in block {
            guard statement.span == place || statement.innerBlocks(enteringClosures: false).contains(where: { $0.containsStatement { $0.span == place } }) else { continue }
            let inner = statement.innerBlocks(enteringClosures: false).lazy.compactMap { self.steps(around: place, in: $0) }.first ?? []
            return block.filter { if case .branch = $0.kind { false } else if case .select = $0.kind { false } else { true } } + inner
        }
        return nil
    }

    /// Whether the function gives the recogniser to other code, which may look at its state.
    private var isHandedOn: Bool {
        var found = false
        body.block.forEachStatement { statement in
            if let call = statement.call, call.arguments.contains(where: { isRecognizer($0.value) }), mayReadState(call) { found = true }
            if case .write(_, let value) = statement.kind, isRecognizer(value) { found = true }
        }
        return found
    }

    /// Whether a call may go to code that looks at a recogniser's state.
    private func mayReadState(_ call: Call) -> Bool {
        let program = input.program
        guard let name = call.callee.baseName else { return true }
        let own = program.members(named: name, on: member.owner)
        let functions = (own.isEmpty ? call.fullName.map(program.functions) ?? [] : own).compactMap { program[$0].body }
        return functions.isEmpty || functions.contains(where: Self.mayHandleCancellation)
    }

    /// Whether code does more with states than to ask for others than the cancelled one.
    private static func mayHandleCancellation(_ body: Body) -> Bool {
        let words = GestureStates(of: body)
        var (states, asked): (Set<Register>, Set<Register>) = ([], [])
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .read(let register, .member(_, "state")): states.insert(register)
            case .compute(_, .symbol("=="), let operands):
                guard let named = operands.lazy.compactMap(words.state).first, !cancelled.contains(named) else { return }
                for case .register(let register) in operands { asked.insert(register) }
            default: break
            }
        }
        return !states.isSubset(of: asked)
    }

    private func isRecognizer(_ operand: Operand) -> Bool {
        guard case .register(let register) = operand else { return false }
        switch context.definition(of: register)?.kind {
        case .read(_, .local(recognizer)): return true
        case .compute(_, .forceUnwrap, let operands): return operands.first.map(isRecognizer) ?? false
        case .read(_, .member(let base, "state")): return isRecognizer(base)
        default: return false
        }
    }

    private func callsOwnCode(_ block: [Statement]) -> Bool {
        block.contains { statement in
            switch statement.call?.callee {
            case .name(let name), .member(.selfObject, let name): !input.program.members(named: name, on: member.owner).isEmpty
            default: false
            }
        }
    }

    // MARK: States

    /// All states that the body names anywhere.
    private var mentioned: Set<String> {
        var found: Set<String> = []
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .compute(_, _, let operands): found.formUnion(operands.compactMap(words.state))
            case .call(let call), .collection(_, let call): found.formUnion(call.arguments.compactMap { words.state($0.value) })
            case .select(_, let cases, _): for item in cases.flatMap(\.items) { found.formUnion(words.states(of: item.pattern)) }
            case .branch(let clauses, _, _): for clause in clauses { if case .matches(_, let pattern) = clause.test { found.formUnion(words.states(of: pattern)) } }
            default: break
            }
        }
        return found
    }

    /// What runs in which states.
    private func arms() -> [Arm] {
        var found: [Arm] = []
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .select(.register(let register), let cases, _):
                guard case .read(_, .member(_, "state"))? = context.definition(of: register)?.kind else { break }
                for one in cases {
                    let states = one.items.reduce(into: Set<String>()) { $0.formUnion(words.states(of: $1.pattern)) }
                    guard one.items.isEmpty || one.items.contains(where: { $0.pattern == .wildcard }) || !states.isEmpty else { continue }
                    found.append(Arm(states: states, block: Array(one.body), span: one.body.first?.span ?? statement.span))
                }
            case .branch(let clauses, let then, let otherwise):
                let states = words.states(comparedBy: "==", in: clauses)
                guard !states.isEmpty else { break }
                found.append(Arm(states: states, block: Array(then), span: statement.span))
                // The last arm of a chain that has told began, changed and ended apart is for the other ways to end.
                let told = found.reduce(into: Set<String>()) { $0.formUnion($1.states) }
                let isLast = if case .branch? = otherwise.first?.kind { false } else { !otherwise.isEmpty }
                if isLast, told.isSuperset(of: ["changed", "ended"]) { found.append(Arm(states: [], block: Array(otherwise), span: statement.span)) }
            default: break
            }
        }
        return found + (behindSwitch.map { [$0] } ?? [])
    }

    /// What stands behind a switch that leaves the function while the gesture goes on: it is for the states that end it.
    private var behindSwitch: Arm? {
        for (index, statement) in body.block.enumerated() {
            guard case .select(.register(let register), let cases, _) = statement.kind, case .read(_, .member(_, "state"))? = context.definition(of: register)?.kind else { continue }
            let going = cases.filter { one in one.items.contains { words.states(of: $0.pattern).contains("changed") } }
            let leaves = !going.isEmpty && going.allSatisfy { if case .exit(.returns)? = $0.body.last?.kind { true } else { false } }
            let rest = Array(body.block[(index + 1)...])
            if leaves, let first = rest.first { return Arm(states: [], block: rest, span: first.span) }
        }
        return nil
    }
}
