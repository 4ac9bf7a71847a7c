import Findings
import ProgramModel
import SourceText

extension Check {
    /// Properties that a memory warning clears and that other code takes to be there.
    static let memoryWarningLosses = Check(rules: ["memory_warning_breaks_state"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).flatMap { MemoryWarningLosses(input: input, file: file, member: $0)?.findings() ?? [] }
    }
}

/// What one `didReceiveMemoryWarning` clears.
private struct MemoryWarningLosses {
    private let input: CheckInput
    private let file: Int
    private let member: MemberOccurrence

    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        guard member.facts.fullName == "didReceiveMemoryWarning()", !member.facts.isPartial, input.program.isType(member.owner, kindOf: "UIViewController") else { return nil }
        (self.input, self.file, self.member) = (input, file, member)
    }

    func findings() -> [Finding] {
        var found: [Finding] = []
        var cleared: Set<String> = []
        EventCode(input: input, type: member.owner).visit(member, file: file) { step in
            guard !step.isConditional, case .write(let place, let value) = step.statement.kind, let name = place.ownName else { return }
            guard value == .constant(.null) else {
                cleared.remove(name)
                found.removeAll { $0.message.hasPrefix("'\(name)'") }
                return
            }
            guard cleared.insert(name).inserted, let user = user(of: name) else { return }
            let way = step.callers.first.map { ", by '\($0)'" } ?? ""
            found.append(Finding(
                rule: "memory_warning_breaks_state", severity: input.library.rules["memory_warning_breaks_state"]?.severity ?? .error,
                message: "'\(name)' is set to nil here\(way), and '\(user.member)' \(user.way): after a memory warning that ends the app; make the value anew there, or ask whether it is there",
                path: input.program.files[file].path, span: step.entry, type: member.typeName, member: member.facts.fullName,
                trace: [TraceStep(event: user.member, path: input.program.files[user.file].path, line: user.line, note: user.way)]))
        }
        return found
    }

    /// Code that takes the property to be there.
    private struct User {
        let member: String
        let way: String
        let file: Int
        let line: Int
    }

    /// The first member, but for those that only run before a warning, that uses the property without looking at it first.
    private func user(of name: String) -> User? {
        let program = input.program
        let properties = program.members(named: name, on: member.owner).map { program[$0] }.filter { $0.kind == .property }
        guard properties.count == 1, let property = properties.first, property.isStored, !property.modifiers.contains("lazy"), !property.isOutlet else { return nil }
        for id in program.chain(of: member.owner).flatMap({ program.members(of: $0) }) {
            let facts = program[id]
            guard facts.kind == .function, facts.baseName != member.facts.baseName, !Self.before.contains(facts.baseName), !facts.isStatic,
                  let body = facts.body else { continue }
            var isSettled = false
            var user: User?
            // What an optional chain asks before it goes on.
            var asked: Set<Register> = []
            EventCode(input: input, type: member.owner).visit(body, file: id.declaration.file, typeName: program[id.declaration].name) { step in
                guard user == nil, !isSettled else { return }
                if case .write(let place, _) = step.statement.kind, place.ownName == name { isSettled = true }
                // Whoever asks for a value, this one or another, may know whether it is there.
                if step.isConditional || !step.callers.isEmpty { return }
                if case .branch(let clauses, _, _) = step.statement.kind { for case .isPresent(.register(let register)) in clauses.map(\.test) { asked.insert(register) } }
                guard let way = use(of: name, asked, isUnwrapped: property.isImplicitlyUnwrapped && program.files[file].facts.language == .swift, step) else { return }
                user = User(member: facts.baseName, way: way, file: step.file, line: step.statement.span.start.line)
            }
            if let user, !isMadeBefore(name, facts) { return user }
        }
        return nil
    }

    private static let before: Set<String> = ["viewDidLoad", "loadView", "awakeFromNib", "viewDidUnload"]

    /// Whether everything that calls the member gives the property a value.
    private func isMadeBefore(_ name: String, _ user: MemberFacts) -> Bool {
        let program = input.program
        let callers = program.members(of: member.owner).map { program[$0] }.filter { caller in
            caller.fullName != user.fullName && caller.bodies.contains { _, body in
                var found = false
                body.block.forEachStatement { if $0.call?.callee.baseName == user.baseName { found = true } }
                return found
            }
        }
        // What is only called by members that set it, or that run before, is fine.
        return !callers.isEmpty && callers.allSatisfy { caller in
            Self.before.contains(caller.baseName) || caller.kind == .initializer || caller.bodies.contains { _, body in
                var found = false
                body.block.forEachStatement { statement in
                    if case .write(let place, _) = statement.kind, place.ownName == name { found = true }
                    if case .read(_, let place) = statement.kind, place.ownName == name { found = true }
                }
                return found
            }
        }
    }

    /// How a statement takes the property to be there, where it ends the app otherwise; the registers that are `asked` are known to hold one.
    private func use(of name: String, _ asked: Set<Register>, isUnwrapped: Bool, _ step: EventCode.Step) -> String? {
        func isRead(_ operand: Operand) -> Bool {
            guard case .register(let register) = operand, !asked.contains(register), case .read(_, let place)? = step.context.definition(of: register)?.kind else { return false }
            return place.ownName == name
        }
        switch step.statement.kind {
        case .compute(_, .forceUnwrap, let operands): return operands.contains(where: isRead) ? "unwraps it" : nil
        case .read(_, .member(let base, _)), .write(.member(let base, _), _): return isUnwrapped && isRead(base) ? "unwraps it" : nil
        case .call(let call):
            guard case .member(let receiver, _) = call.callee else { return nil }
            return isUnwrapped && isRead(receiver) ? "unwraps it" : nil
        case .compute(_, .array, let operands), .compute(_, .dictionary, let operands):
            guard input.program.files[step.file].facts.language == .objectiveC else { return nil }
            return operands.contains(where: isRead) ? "puts it into a collection" : nil
        default: return nil
        }
    }
}
