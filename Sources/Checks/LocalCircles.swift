import Findings
import ProgramModel

extension Check {
    /// Closures that are put into an object that the body knows by a local, a cell above all, and that hold this object by the same local.
    static let localCircles = Check(rules: ["closure_retains_controller"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.bodies(inFile: file).flatMap { LocalCircles(input: input, file: file, place: $0).findings() }
    }
}

/// The search in one body.
private struct LocalCircles {
    let input: CheckInput
    let file: Int
    let place: BodyOccurrence

    private var program: Program { input.program }

    func findings() -> [Finding] {
        var found: [Finding] = []
        place.body.block.forEachStatement { statement in
            switch statement.kind {
            case .write(.member(let base, let slot), let value):
                guard let holder = holder(base) else { return }
                if let closure = closure(value, holding: holder.local) {
                    if keeps(slot, holder), !holder.types.contains(where: { input.clears(slot, of: $0) }) { found.append(finding(closure, slot, holder)) }
                } else if let (closure, around) = closureAround(value, holder), keeps(slot, holder), !holder.types.contains(where: { input.clears(slot, of: $0) }) {
                    found.append(finding(closure, slot, holder, around))
                } else if let closure = subscribed(value, holding: holder.local), keeps(slot, holder), !isRenewed(slot, of: holder) {
                    found.append(finding(closure, slot, holder))
                }
            case .collection(.store, let call):
                guard case .member(let token, _) = call.callee, case .member(let base, let bag)? = call.arguments.first?.place, let holder = holder(base),
                      let closure = subscribed(token, holding: holder.local), keeps(bag, holder), !isRenewed(bag, of: holder) else { return }
                found.append(finding(closure, bag, holder))
            case .call(let call): if let finding = findingOfSDK(call) { found.append(finding) }
            default: break
            }
        }
        return found
    }

    private func finding(_ closure: Statement, _ slot: String, _ holder: Holder, _ around: LocalID? = nil) -> Finding {
        let (local, type) = (place.body[around ?? holder.local].name, holder.title)
        if around != nil {
            return input.finding(
                "closure_retains_controller", "this closure ends up in '\(slot)' of the '\(type)', which '\(local)' keeps, and holds '\(local)', so neither is ever freed: capture '\(local)' weakly, "
                    + "or set '\(slot)' to nil when the '\(type)' goes",
                at: closure.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
        }
        return input.finding(
            "closure_retains_controller", "this closure ends up in '\(slot)' of the '\(type)' that it holds as '\(local)', so the '\(type)' is never freed: capture '\(local)' weakly, "
                + "or set '\(slot)' to nil when the '\(type)' goes",
            at: closure.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
    }

    // MARK: Objects of the SDK

    /// A closure that a call gives to a control or an operation, for as long as that lives, and that holds it by the same local.
    private func findingOfSDK(_ call: Call) -> Finding? {
        if case .member(.register(let base), let method) = call.callee, case .read(_, .local(let local))? = place.context.definition(of: base)?.kind, !place.body[local].isWeak {
            // A control keeps its actions, and these their handlers.
            if method == "addAction", call.arguments.count > 1, let action = call.arguments.first?.value, isPlatform(.register(base), "UIControl"), let closure = handler(ofAction: action, holding: local) {
                return findingOfSDK(closure, local, "the handler of an action")
            }
            if method == "addExecutionBlock", let block = call.arguments.first?.value, isPlatform(.register(base), "NSBlockOperation"), let closure = closure(block, holding: local) {
                return findingOfSDK(closure, local, "a block")
            }
            return nil
        }
        // An operation that is made with a block which waits for the name to be given.
        guard case .initializer(let made) = call.callee, made.unwrapped.name == "BlockOperation" || made.unwrapped.name == "NSBlockOperation", let block = call.arguments.first?.value else { return nil }
        var locals: Set<LocalID> = []
        place.body.block.forEachStatement { if case .write(.local(let local), .register(call.result)) = $0.kind { locals.insert(local) } }
        return locals.sorted { $0.index < $1.index }.lazy.compactMap { local in closure(block, holding: local).flatMap { findingOfSDK($0, local, "a block") } }.first
    }

    private func findingOfSDK(_ closure: Statement, _ local: LocalID, _ part: String) -> Finding? {
        // Who empties the name lets its object go.
        let isEmptied = place.body.block.containsStatement { if case .write(.local(local), .constant(.null)) = $0.kind { true } else { false } }
        guard !isEmptied, !place.body[local].isWeak else { return nil }
        let name = place.body[local].name
        return input.finding(
            "closure_retains_controller", "this closure is \(part) of '\(name)', which keeps it and which it holds, so '\(name)' is never freed: capture '\(name)' weakly",
            at: closure.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
    }

    private func isPlatform(_ operand: Operand, _ name: String) -> Bool {
        guard let type = input.inference.type(of: operand, in: place.context), !type.isMetatype else { return false }
        switch program.resolve(type.reference.unwrapped, in: type.scope) {
        case .platform(let known): return program.platform.isClass(known, kindOf: name) || known == "BlockOperation" && name == "NSBlockOperation"
        case .project(let types): return types.contains { program.isType($0, kindOf: name) }
        case .unknown: return false
        }
    }

    /// The closure with which an action is made, where it holds the object of a local.
    private func handler(ofAction action: Operand, holding local: LocalID) -> Statement? {
        guard case .register(let register) = place.context.uncast(action), let statement = place.context.definition(of: register) else { return nil }
        if case .read(_, .local(let named)) = statement.kind { return place.context.value(of: named).flatMap { handler(ofAction: $0, holding: local) } }
        guard let call = statement.call else { return nil }
        switch call.callee {
        case .initializer(let made), .member(.type(let made), _): guard made.unwrapped.name == "UIAction" else { return nil }
        default: return nil
        }
        return call.arguments.lazy.compactMap { closure($0.value, holding: local) }.first
    }

    /// The closure that a value is and the local of a container of the SDK around the holder, where the closure holds the container.
    private func closureAround(_ value: Operand, _ holder: Holder) -> (closure: Statement, around: LocalID)? {
        var around: LocalID?
        place.body.block.forEachStatement(enteringClosures: false) { statement in
            guard case .declare(let local, .register(let made)?) = statement.kind, let call = place.context.definition(of: made)?.call, case .initializer = call.callee,
                  let root = call.arguments.first, root.label == "rootViewController", case .register(let given) = root.value,
                  case .read(_, .local(holder.local))? = place.context.definition(of: given)?.kind else { return }
            around = local
        }
        guard let around, !place.body[around].isWeak, let closure = closure(value, holding: around) else { return nil }
        return (closure, around)
    }

    // MARK: Who holds

    /// A view or controller of the project that a local stands for.
    private struct Holder {
        let local: LocalID
        /// The class, or those that conform to a protocol.
        let types: [TypeID]
        let title: String
    }

    private func holder(_ base: Operand) -> Holder? {
        guard case .register(let register) = base, case .read(_, .local(let local))? = place.context.definition(of: register)?.kind,
              !place.body[local].isWeak, place.body[local].name != "self", let type = input.inference.type(of: base, in: place.context),
              case .project(let named) = program.resolve(type.reference.unwrapped, in: type.scope), named.count == 1 else { return nil }
        let types = program[named[0]].kind == .protocol ? program.conformers(to: program[named[0]].name) : named
        guard !types.isEmpty, types.allSatisfy({ program[$0].kind == .class && program.isInterfaceObject($0) }) else { return nil }
        return Holder(local: local, types: types, title: program[named[0]].name)
    }

    /// The closure that a value is, where it holds the object of a local.
    private func closure(_ value: Operand, holding local: LocalID) -> Statement? {
        guard case .register(let register) = value, let made = place.context.definition(of: register), case .closure(_, let closure) = made.kind,
              holds(closure, local) else { return nil }
        return made
    }

    private func holds(_ closure: Closure, _ local: LocalID) -> Bool {
        // A capture by name is another local in the closure.
        ClosureMentions(closure, program: program, owner: nil) { _, _ in [] }.locals.contains(local)
            || closure.captures.contains { capture in
                guard capture.strength == .strong, case .register(let register) = capture.value else { return false }
                return place.context.definition(of: register)?.kind == .read(register, .local(local))
            }
    }

    /// The closure of a subscription that goes on until its token goes, where it holds the object of a local.
    private func subscribed(_ token: Operand, holding local: LocalID) -> Statement? {
        guard case .register(let register) = token, let call = place.context.definition(of: register)?.call, let name = call.fullName else { return nil }
        let isLasting = input.library.families(calling: name).contains { family in
            family.tokenEnd == .ends && family.acquire.contains { $0.names.contains(name) && !$0.isFinite }
        }
        return isLasting ? call.arguments.lazy.compactMap { closure($0.value, holding: local) }.first : nil
    }

    // MARK: What is kept

    private func keeps(_ slot: String, _ holder: Holder) -> Bool { holder.types.allSatisfy { program.keeps(slot, of: $0) } }

    private func isRenewed(_ slot: String, of holder: Holder) -> Bool { holder.types.contains { isRenewed(slot, of: $0) } }

    /// Whether some code takes out again what is in a property, but for what runs when a cell is used again: the last ones never are.
    private func isRenewed(_ slot: String, of type: TypeID) -> Bool {
        let late: Set<String> = ["prepareForReuse", "deinit", "init", slot]
        return input.places(writing: slot, of: type).contains { !late.contains(program[$0.member].baseName) } || input.takesOut(of: slot, of: type, besides: late, isOfTokens: true)
    }
}
