import Findings
import ProgramModel

extension Check {
    /// Stored properties whose initial value is given `self`, which is no object there.
    static let selfInInitialValues = Check(rules: ["self_before_init"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).compactMap { member in
            let facts = member.facts
            guard facts.kind == .property, facts.isStored, !facts.isStatic, !facts.modifiers.contains("lazy"), input.program[member.owner].kind == .class,
                  let body = facts.body, let call = callWithSelf(in: body) else { return nil }
            let message = "'self' is not the object in the initial value of '\(facts.baseName)', but a method of it: '\(call.name)' is given no target; make the property lazy"
            return input.finding("self_before_init", message, at: call.statement.span, in: file, type: member.typeName, member: facts.baseName)
        }
    }

    /// The first call outside closures that is given `self`.
    private static func callWithSelf(in body: Body) -> (statement: Statement, name: String)? {
        var found: (Statement, String)?
        body.block.forEachStatement(enteringClosures: false) { statement in
            guard found == nil, let call = statement.call, call.arguments.contains(where: { $0.value == .selfObject }) else { return }
            if case .initializer(let type) = call.callee { found = (statement, type.name) } else { found = (statement, call.callee.baseName ?? "the call") }
        }
        return found
    }
}
