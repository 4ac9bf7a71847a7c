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
                } else if let closure = subscribed(value, holding: holder.local), keeps(slot, holder), !isRenewed(slot, of: holder) {
                    found.append(finding(closure, slot, holder))
                }
            case .collection(.store, let call):
                guard case .member(let token, _) = call.callee, case .member(let base, let bag)? = call.arguments.first?.place, let holder = holder(base),
                      let closure = subscribed(token, holding: holder.local), keeps(bag, holder), !isRenewed(bag, of: holder) else { return }
                found.append(finding(closure, bag, holder))
            default: break
            }
        }
        return found
    }

    private func finding(_ closure: Statement, _ slot: String, _ holder: Holder) -> Finding {
        let (local, type) = (place.body[holder.local].name, holder.title)
        return input.finding(
            "closure_retains_controller", "this closure ends up in '\(slot)' of the '\(type)' that it holds as '\(local)', so the '\(type)' is never freed: capture '\(local)' weakly, "
                + "or set '\(slot)' to nil when the '\(type)' goes",
            at: closure.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
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
