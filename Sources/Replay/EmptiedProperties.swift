import ProgramModel

/// The properties whose values the code of a class lets go while its objects live.
extension Lookups {
    /// Whether code outside initialisers and `deinit` of the class or its project superclasses sets a property to nil, empties it
    /// as a collection, or cancels what is in it.  `prepareForReuse` does not count: the last cells are never used again.
    func isEmptied(_ name: String, by type: TypeID) -> Bool { !emptiers(of: name, in: type).isEmpty }

    /// The base names of the members that do so.
    func emptiers(of name: String, in type: TypeID) -> Set<String> {
        if let known = emptied[type] { return known[name] ?? [] }
        var found: [String: Set<String>] = [:]
        for member in program.chain(of: type).flatMap({ program.members(of: $0) }).map({ program[$0] }) {
            let isOfUse = member.kind != .deinitializer && member.kind != .initializer && (member.kind != .property || member.accessors != nil)
            guard isOfUse, !member.isWithdrawnEvent, member.baseName != "prepareForReuse" else { continue }
            for (_, body) in member.bodies {
                var names = Self.emptied(in: body) { staysWhenCancelled($0, of: type) }
                // What holds what was given to it, and begins anew with one that holds nothing.
                if member.kind == .function { names.formUnion(body.block.namesRenewed.filter { property($0, of: type)?.member.body != nil }) }
                for name in names { found[name, default: []].insert(member.baseName) }
            }
        }
        emptied[type] = found
        return found[name] ?? []
    }

    /// Whether what a property has goes on holding its closure once it is cancelled: a work item, and an object of the project, whose own code
    /// says what it lets go.
    private func staysWhenCancelled(_ name: String, of type: TypeID) -> Bool {
        guard let property = property(name, of: type), let written = property.member.type?.unwrapped else { return false }
        if written.name == "DispatchWorkItem" { return true }
        guard case .project(let types) = program.resolve(written, in: Scope(file: property.file, typeName: program[type].name)), types.count == 1, program[types[0]].kind == .class else { return false }
        return program.members(named: "cancel", on: types[0]).contains { program[$0].kind == .function && program[$0].body != nil }
    }

    /// Whether a new object of the type holds nothing and takes the place of one that held something: collections, and bags of tokens.
    private static func isCollection(_ type: TypeReference) -> Bool {
        ["Array", "Set", "Dictionary", "ContiguousArray"].contains(type.name) || type.name.hasSuffix("Bag") || type.name.hasSuffix("Disposable")
    }

    static func emptied(in body: Body, staysWhenCancelled: (String) -> Bool) -> Set<String> {
        var names: Set<String> = []
        var sources: [Register: String] = [:]
        var empty: Set<Register> = []
        var leaving: Set<Register> = []
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .closure(let register, let closure): if leavesItsParameter(closure) { leaving.insert(register) }
            case .read(let register, .name(let name)), .read(let register, .member(_, let name)): sources[register] = name
            case .compute(let register, .forceUnwrap, let operands):
                if case .register(let source)? = operands.first { sources[register] = sources[source] }
            case .compute(let register, .array, let operands) where operands.isEmpty: empty.insert(register)
            case .compute(let register, .dictionary, let operands) where operands.isEmpty: empty.insert(register)
            case .write(.name(let name), .constant(.null)), .write(.member(_, let name), .constant(.null)): names.insert(name)
            // An entry of a dictionary is taken out again: each of its keys may be.
            case .write(.element(.register(let dictionary), _), .constant(.null)): sources[dictionary].map { _ = names.insert($0) }
            case .write(.name(let name), .register(let register)), .write(.member(_, let name), .register(let register)):
                if empty.contains(register) { names.insert(name) }
            case .call(let call), .collection(_, let call):
                if case .initializer(let type) = call.callee, call.arguments.isEmpty, isCollection(type) { empty.insert(call.result) }
                names.formUnion(handedToClosure(by: call))
                if let property = call.propertyItClears { names.insert(property) }
                guard case .member(.register(let receiver), let method) = call.callee, let name = sources[receiver],
                      method.hasPrefix("remove") || ["popLast", "popFirst", "cancel", "invalidate", "forEach"].contains(method) else { break }
                // What leaves its superview or run loop stays in its property.
                if method.hasPrefix("removeFrom") || (method == "remove" && call.arguments.first?.label == "from") { break }
                // A work item that is cancelled, or done, still has its block.
                if method == "cancel", staysWhenCancelled(name) { break }
                // Who asks or calls all that it collected keeps it; with tokens something is done that ends them.
                guard method != "forEach" || !call.arguments.contains(where: { if case .register(let closure) = $0.value { leaving.contains(closure) } else { false } }) else { break }
                names.insert(name)
            default: break
            }
        }
        return names.filter { !isRenewed($0, in: body.block, empty) }
    }

    /// Whether a body fills a property anew in any case and makes a closure there: what it empties before ends nothing.
    private static func isRenewed(_ name: String, in block: Block, _ empty: Set<Register>) -> Bool {
        let last = block.lastIndex { statement in
            switch statement.kind {
            case .write(.name(name), let value), .write(.member(.selfObject, name), let value):
                if case .register(let register) = value { !empty.contains(register) } else { value != .constant(.null) }
            default: false
            }
        }
        guard let last else { return false }
        func empties(_ statement: Statement) -> Bool {
            switch statement.kind {
            case .write(.name(name), .constant(.null)), .write(.member(_, name), .constant(.null)): true
            default: false
            }
        }
        var makesClosure = false
        for statement in block {
            // What a closure empties, it empties when it is called.
            guard case .closure(_, let closure) = statement.kind else { continue }
            if closure.block.containsStatement(empties) { return false }
            makesClosure = true
        }
        return makesClosure && !Array(block[(last + 1)...]).containsStatement(empties)
    }

    /// The properties that a call hands, to be changed, to a closure that the body was given: nobody knows what that takes out.
    private static func handedToClosure(by call: Call) -> [String] {
        switch call.callee {
        case .local, .value:
            call.arguments.compactMap { argument in
                switch argument.place {
                case .name(let name)?, .member(.selfObject, let name)?: name
                default: nil
                }
            }
        default: []
        }
    }

    /// Whether a closure does nothing to what it is given that may end it.
    private static func leavesItsParameter(_ closure: Closure) -> Bool {
        guard !closure.parameters.isEmpty else { return false }
        var given: Set<Register> = []
        closure.block.forEachStatement { statement in
            switch statement.kind {
            case .read(let register, .local(let local)) where closure.parameters.contains(local): given.insert(register)
            case .read(let register, .member(.register(let base), _)) where given.contains(base): given.insert(register)
            default: break
            }
        }
        return !closure.block.containsStatement { statement in
            switch statement.kind {
            case .write(.member(.register(let base), _), .constant(.null)): return given.contains(base)
            case .opaque: return true
            default: break
            }
            guard let call = statement.call, let name = call.callee.baseName?.lowercased(), endings.contains(where: name.hasPrefix) else { return false }
            let isOnIt = if case .member(.register(let receiver), _) = call.callee { given.contains(receiver) } else { false }
            return isOnIt || call.arguments.contains { if case .register(let register) = $0.value { given.contains(register) } else { false } }
        }
    }

    /// How functions are called that end what they are asked of or given.
    private static let endings = ["cancel", "invalidate", "dispose", "remove", "stop", "end", "close", "clear", "clean", "reset", "tear", "finish", "detach", "destroy", "release", "un", "dis", "deinit", "kill", "abort", "suspend", "terminate", "drop", "free"]
}
