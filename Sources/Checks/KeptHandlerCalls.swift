import ProgramModel
import RuleLibrary

/// Which closures that objects of the project keep in properties some code calls, itself or by functions and observers of properties.
struct KeptHandlerCalls {
    let input: CheckInput
    let threads: ThreadKnowledge

    private static let deepest = 2

    private var program: Program { input.program }

    /// The properties whose closures are called when a block runs; what it hands to other queues is left out.
    func handlers(calledIn block: Block, _ context: BodyContext) -> Set<MemberID> {
        handlers(calledIn: block, context, depth: 0).filter { !isCalledOnMain($0) }
    }

    /// The property of an object of the project, by its name; nil where nobody knows the object's class.
    static func property(_ name: String, of object: Operand, _ context: BodyContext, _ input: CheckInput) -> MemberID? {
        let owner: TypeID?
        if object == .selfObject { owner = context.selfType } else {
            guard let inferred = input.inference.type(of: object, in: context), !inferred.isMetatype, inferred.provenance <= .platformData,
                  case .project(let types) = input.inference.resolve(inferred), types.count == 1 else { return nil }
            owner = types[0]
        }
        guard let owner, let id = input.program.members(named: name, on: owner).first, input.program[id].kind == .property, !input.program[id].attributes.contains(where: { $0.name == "MainActor" }) else { return nil }
        return id
    }

    private func handlers(calledIn block: Block, _ context: BodyContext, depth: Int) -> Set<MemberID> {
        var found: Set<MemberID> = []
        block.forEachStatement(enteringClosures: false) { statement in
            if let called = called(by: statement, context) { found.insert(called) }
            guard depth < Self.deepest else { return }
            switch statement.kind {
            case .write(.member(let base, let name), _): found.formUnion(handlersOfObserver(of: name, base, context, depth: depth))
            case .write(.name(let name), _): found.formUnion(handlersOfObserver(of: name, .selfObject, context, depth: depth))
            default:
                guard let call = statement.call, !call.maySuspend, let target = ViewUses(input: input, threads: threads).target(of: call, context), let (member, type) = target,
                      let body = program[member].body, isCalledWhereItStands(member, body) else { return }
                found.formUnion(handlers(calledIn: body.block, program.context(of: body, in: member, as: type), depth: depth + 1))
            }
        }
        return found
    }

    private func handlersOfObserver(of name: String, _ base: Operand, _ context: BodyContext, depth: Int) -> Set<MemberID> {
        guard let id = Self.property(name, of: base, context, input), let owner = program.owners(of: id.declaration).first else { return [] }
        return [program[id].accessors?.set, program[id].accessors?.didSet].compactMap { $0 }.reduce(into: []) { found, body in
            if isCalledWhereItStands(id, body) { found.formUnion(handlers(calledIn: body.block, program.context(of: body, in: id, as: owner), depth: depth + 1)) }
        }
    }

    /// Whether a body runs on the thread that calls it, and does not ask which one that is.
    private func isCalledWhereItStands(_ id: MemberID, _ body: Body) -> Bool {
        !program[id].modifiers.contains("async") && !program[id].attributes.contains { $0.name == "MainActor" } && !program[id].isPartial && !ViewUses.asksForThread(body)
    }

    /// The property whose closure a statement calls.
    private func called(by statement: Statement, _ context: BodyContext) -> MemberID? {
        guard let call = statement.call else { return nil }
        switch call.callee {
        case .value(let value):
            guard case .register(let register) = context.uncast(value) else { return nil }
            switch context.definition(of: register)?.kind {
            case .read(_, .name(let name)): return Self.property(name, of: .selfObject, context, input)
            case .read(_, .member(let base, let name)): return Self.property(name, of: base, context, input)
            default: return nil
            }
        case .name(let name): return property(calledAs: name, of: .selfObject, context)
        case .member(let base, let name): return property(calledAs: name, of: base, context)
        default: return nil
        }
    }

    private func property(calledAs name: String, of base: Operand, _ context: BodyContext) -> MemberID? {
        guard let id = Self.property(name, of: base, context, input), program[id].type?.name == "->" || program[id].type?.name.first?.isUppercase ?? false, program[id].accessors?.get == nil else { return nil }
        return id
    }

    /// Whether its class also calls it by way of other code, mostly of the main queue: where it does not, that may be on purpose.
    private func isCalledOnMain(_ handler: MemberID) -> Bool {
        program.owners(of: handler.declaration).contains { owner in
            program.members(of: owner).contains { id in
                program[id].bodies.contains { _, body in
                    let context = program.context(of: body, in: id, as: owner)
                    let place = BodyOccurrence(member: MemberOccurrence(id: id, facts: program[id], owner: owner, typeName: program[owner].name), body: body, context: context)
                    let search = ClosureThreads(input: input, threads: threads, place: place)
                    return body.block.containsStatement { statement in
                        guard let call = statement.call, search.reason(call) == nil else { return false }
                        return call.arguments.contains { argument in
                            guard case .register(let register) = argument.value, case .closure(_, let closure)? = context.definition(of: register)?.kind else { return false }
                            return QueueSearch(input: input, place: place).isMain(call) && closure.block.containsStatement { called(by: $0, context) == handler }
                        }
                    }
                }
            }
        }
    }
}
