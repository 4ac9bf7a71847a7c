import Findings
import ProgramModel
import Replay
import RuleLibrary

extension Simulation {
    /// Tokens that code throws away which no run came to: what they stand for goes on, and whatever leads there, nobody can end it.
    func unreachedTokens(of subject: Replay.Subject, besides watched: [Exploration.Watched]) -> [Finding] {
        guard !subject.isForLife else { return [] }
        let (program, library, type) = (replay.program, replay.library, subject.runs.type)
        let known = Set(watched.map { "\($0.site.file):\($0.site.span.start.line)" })
        var found: [Finding] = []
        for id in program.members(of: type) where !program[id].isPartial && !program[id].isStatic {
            let (facts, file) = (program[id], id.declaration.file)
            for (_, body) in facts.bodies {
                lazy var used = Self.registersUsedBeyondCopies(of: body)
                body.block.forEachStatement { statement in
                    guard let call = statement.call, let name = call.fullName, !known.contains("\(file):\(statement.span.start.line)"),
                          let family = library.families(calling: name).first(where: { $0.tokenEnd == .goesOn && $0.acquire.contains { $0.isCalled(name) } }),
                          let rule = family.rules["dropped"], !program.hasFunction(named: ResourceFamily.baseName(of: name)), !used.contains(call.result) else { return }
                    found.append(Finding(
                        rule: rule, severity: family.severities["dropped"] ?? library.rules[rule]?.severity ?? .warning, status: .static,
                        message: "nothing keeps the token, so the \(family.title) can never be removed", path: program.files[file].path, span: statement.span,
                        type: program[type].name, member: facts.fullName))
                }
            }
        }
        return found
    }

    /// The registers whose values some statement uses but to copy them into others that nobody uses, as the end of `object?.call()` is.
    private static func registersUsedBeyondCopies(of body: Body) -> Set<Register> {
        var used: Set<Register> = []
        var copies: [(from: Register, to: Register)] = []
        body.block.forEachStatement { statement in
            if case .assign(let copy, .register(let value)) = statement.kind { return copies.append((value, copy)) }
            statement.forEachUse(place: { _ in }, operand: { if case .register(let register) = $0 { used.insert(register) } })
        }
        // A copy comes after what it copies.
        for copy in copies.reversed() where used.contains(copy.to) { used.insert(copy.from) }
        return used
    }
}
