import Findings
import ProgramModel
import RuleLibrary

extension Check {
    /// Calls of the notification centre that are wrong by themselves, whatever runs before and after.
    static let observerCalls = Check(rules: ["observer_too_broad", "observer_blanket_removal", "observer_unbalanced"]) { input, file in
        input.bodies(inFile: file).flatMap { ObserverCallSearch(input: input, file: file, place: $0).findings() }
    }
}

/// The search in one body.
private struct ObserverCallSearch {
    let input: CheckInput
    let file: Int
    let place: BodyOccurrence

    private var program: Program { input.program }
    private var member: MemberOccurrence { place.member }

    func findings() -> [Finding] {
        let context = place.context
        var found: [Finding] = []
        var names: [Register: String] = [:]
        var registered: Set<Register> = []
        place.body.block.forEachStatement { statement in
            switch statement.kind {
            case .read(let register, .member(.type(let type), let name)):
                if name.hasSuffix("Notification"), case .platform = program.resolve(type, in: context.scope) { names[register] = "\(type.name).\(name)" }
            case .write(let place, .register(let register)) where registered.contains(register):
                let title = Self.name(of: place)
                found.append(finding(
                    "observer_unbalanced", "an observer that is added with a selector has no token: '\(title)' holds nothing, and a removal of it removes nothing; remove 'self' by name",
                    at: statement))
            default:
                break
            }
            guard let call = statement.call, case .member(let receiver, _) = call.callee, isCentre(receiver, context) else { return }
            let name = call.fullName ?? ""
            for family in input.library.families(calling: name) {
                if let adding = family.acquire.first(where: { $0.names.contains(name) }) {
                    if family.tokenEnd == .none { registered.insert(call.result) }
                    if !adding.key.isEmpty, adding.key.allSatisfy({ isNull(call, $0) }) { found.append(tooBroad(at: statement)) }
                } else if let removing = family.release.first(where: { $0.names.contains(name) }), removing.key.isEmpty, let position = removing.observer,
                          position >= 0, position < call.arguments.count {
                    let observer = call.arguments[position].value
                    if case .register(let register) = observer, let name = names[register] {
                        found.append(finding("observer_unbalanced", "'\(name)' is a notification's name, not an observer: nothing is removed; pass the observer, and the name as 'name:'", at: statement))
                    } else if observer == .selfObject, let blanket = blanketRemoval(at: statement) {
                        found.append(blanket)
                    }
                }
            }
        }
        return found
    }

    private func tooBroad(at statement: Statement) -> Finding {
        finding("observer_too_broad", "name and object are both nil, so every notification of the whole process arrives here; name the ones that are meant", at: statement)
    }

    /// The removal of everything outside `deinit`, where a superclass has registered the object as well.
    private func blanketRemoval(at statement: Statement) -> Finding? {
        guard !input.runsAtTheEnd(member.facts, of: member.owner), !member.facts.isWithdrawnEvent, !leavesForGood else { return nil }
        let base = program.ancestry(of: member.owner).projectTypes.first { type in
            program.members(of: type).contains { program[$0].bodies.contains { Self.registersSelf($0.body) } }
        }
        guard let base else {
            var note = finding("observer_blanket_removal", "everything that observes through 'self' is removed here, also what others registered; remove by name", at: statement)
            note.severity = .note
            return note
        }
        return finding(
            "observer_blanket_removal", "this also removes the observers that '\(program[base].name)' registered for this object; remove by name", at: statement)
    }

    /// Whether the method, or each that calls it, is about the controller's leaving its container, or asks for it: mostly that is its end,
    /// whoever registered.
    private var leavesForGood: Bool {
        func leaves(_ facts: MemberFacts) -> Bool { Self.moves.contains(facts.baseName) || facts.reads(oneOf: input.library.leaving, ofItself: true) }
        if leaves(member.facts) { return true }
        let callers = input.callers(of: member.facts, in: member.owner)
        return !callers.isEmpty && callers.allSatisfy(leaves)
    }

    private static let moves: Set<String> = ["willMove", "didMove", "willMoveToParentViewController", "didMoveToParentViewController"]

    private static func registersSelf(_ body: Body) -> Bool {
        var found = false
        body.block.forEachStatement { statement in
            guard let call = statement.call, call.callee.baseName == "addObserver", call.arguments.first?.value == .selfObject, call.fullName?.contains("selector") == true else { return }
            found = true
        }
        return found
    }

    private func isCentre(_ receiver: Operand, _ context: BodyContext) -> Bool {
        guard let type = input.inference.type(of: receiver, in: context) else { return false }
        return ["NotificationCenter", "NSNotificationCenter"].contains(type.reference.unwrapped.name)
    }

    private func isNull(_ call: Call, _ index: Int) -> Bool {
        index < call.arguments.count && call.arguments[index].value == .constant(.null)
    }

    private static func name(of place: Place) -> String {
        switch place {
        case .name(let name), .member(_, let name), .superMember(let name): name
        case .local, .element: "it"
        }
    }

    private func finding(_ rule: String, _ message: String, at statement: Statement) -> Finding {
        input.finding(rule, message, at: statement.span, in: file, type: member.typeName, member: member.facts.fullName)
    }
}
