import Findings
import ProgramModel

extension Check {
    /// Stored properties whose initial value is given `self`, which is no object there.
    static let selfInInitialValues = Check(rules: ["self_before_init"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).compactMap { member in
            let facts = member.facts
            guard facts.isMadeBeforeSelf, input.program[member.owner].kind == .class,
                  let body = facts.body, let call = callWithSelf(in: body, of: member.owner, input.program) else { return nil }
            let message = "'self' is not the object in the initial value of '\(facts.baseName)', but a method of it: '\(call.name)' is given no target; make the property lazy"
            return input.finding("self_before_init", message, at: call.statement.span, in: file, type: member.typeName, member: facts.baseName)
        }
    }

    /// The first call that is given `self`, outside closures but for those that the value itself calls: `let item: UIBarButtonItem = { … }()`.
    private static func callWithSelf(in body: Body, of owner: TypeID, _ program: Program) -> (statement: Statement, name: String)? {
        var closures: [Register: Closure] = [:]
        var blocks = [body.block]
        body.block.forEachStatement(enteringClosures: false) { statement in
            if case .closure(let register, let closure) = statement.kind { closures[register] = closure }
            if case .value(.register(let register))? = statement.call?.callee, let called = closures[register], called.captures.isEmpty { blocks.append(called.block) }
        }
        return blocks.lazy.compactMap { callWithSelf(in: $0, of: owner, program) }.first
    }

    private static func callWithSelf(in block: Block, of owner: TypeID, _ program: Program) -> (statement: Statement, name: String)? {
        var found: (Statement, String)?
        block.forEachStatement(enteringClosures: false) { statement in
            guard found == nil, let call = statement.call, call.arguments.contains(where: { $0.value == .selfObject }), !isForSomebodyElse(call, owner, program),
                  // Without an action no target matters.
                  !call.arguments.contains(where: { $0.label == "action" && $0.value == .constant(.null) }) else { return }
            if case .initializer(let type) = call.callee { found = (statement, type.name) } else { found = (statement, call.callee.baseName ?? "the call") }
        }
        return found
    }

    /// Whether the action of a call is that of another type, which the responder chain finds where there is no target.
    private static func isForSomebodyElse(_ call: Call, _ owner: TypeID, _ program: Program) -> Bool {
        call.arguments.contains { argument in
            guard case .constant(.selector(let text)) = argument.value, let type = text.prefix(while: { $0 != "(" }).split(separator: ".").dropLast().last else { return false }
            return type != "self" && !program.chain(of: owner).contains { program[$0].shortName == type }
        }
    }
}

extension MemberFacts {
    /// Whether it is a stored property of objects whose initial value is made before there is an object.
    var isMadeBeforeSelf: Bool { kind == .property && isStored && !isStatic && !modifiers.contains("lazy") }
}
