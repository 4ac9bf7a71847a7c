import ProgramModel
import RuleLibrary
import SourceText

/// The search for what the code of one class releases, with the ways to it.
struct ReleaseSearch {
    let program: Program
    let library: RuleLibrary
    let relevance: Relevance
    let type: TypeID
    /// The members of the class and of its project superclasses, with their base names.
    let members: [(id: MemberID, base: String)]
    /// The base names of the members that call a method, by its base name.
    let callers: [String: Set<String>]
    /// The base names of what selectors and interface files may name.
    let asked: Set<String>

    /// What stands for the closures of a class among the ways to a release: nobody knows when they run.
    static let closures = "a closure"

    /// The releases, in the order of the members.
    func releases() -> [OutsideCallers.Release] {
        let own = Set(program.chain(of: type))
        // Who calls other methods of the object is at hand, and would call these.
        lazy var isKnown = relevance.isMade(program[type].name) && members.contains { member in
            !program[member.id].isOverride && (program[member.id].kind == .function ? relevance.isCalled(member.id, outside: own) : relevance.isSet(member.id, outside: own))
        }
        lazy var dead = isKnown ? Set(members.filter { isDead($0.id) }.map(\.base)) : []
        lazy var borrowed = self.borrowed()
        let makers = makers()
        let calledLater = Set(members.flatMap { program[$0.id].bodies }.flatMap { body in statementsOfLaterClosures(in: body.body.block).compactMap { $0.call?.callee.baseName } })
        // Whoever uses the object may call what is not private, where that one is not here.
        let open = isKnown ? [] : Set(members.filter { program[$0.id].kind == .function && !program[$0.id].isPrivate }.map(\.base))
        let calledByOthers = Set(members.filter { program[$0.id].kind == .function && !program[$0.id].isPrivate && relevance.isCalled($0.id, outside: own) }.map(\.base))
        var releases: [OutsideCallers.Release] = []
        for (id, base) in members {
            // Observers of a property run when somebody sets it; what nobody ever sets to nil keeps its last value to the end.
            // One that holds a plain value, as a switch does, can get another at any time.
            let scope = Scope(file: id.declaration.file, typeName: program[type].name)
            let isPlain = program[id].type.map { relevance.isPlain($0, in: scope) } ?? true
            guard program[id].kind != .property || program[id].accessors == nil || isPlain || relevance.isCleared(base) else { continue }
            for (_, body) in program[id].bodies {
                let reads = WrittenKey.platformReads(in: body, scope, program)
                let properties = Self.ownReads(in: body)
                let inClosures = Set(statementsOfLaterClosures(in: body.block).map(\.id))
                body.block.forEachStatement { statement in
                    // What could not be read and names a release may be one, of whatever key.
                    if case .opaque(let opaque) = statement.kind {
                        let named = library.families.filter { $0.isReleased(in: opaque.reads) }
                        if !named.isEmpty {
                            let keys = Dictionary(uniqueKeysWithValues: named.map { ($0.name, [Value?]()) })
                            releases.append(OutsideCallers.Release(span: statement.span, file: id.declaration.file, keys: keys, entries: entries(to: base, calledByOthers, open, calledLater) { _, _ in false }.subtracting(dead).union(inClosures.contains(statement.id) ? [Self.closures] : []), property: nil))
                        }
                        return
                    }
                    guard let call = statement.call, let name = call.fullName else { return }
                    var keys: [String: [Value?]] = [:]
                    var detaching: Set<String> = []
                    var property: String?
                    let endings = endings(of: call)
                    // What is ended by its name in the object, though it is no token.
                    var subjects: [String: String] = [:]
                    for family in library.families {
                        guard let operation = family.release.first(where: { $0.isCalled(name) }) ?? family.release.first(where: { $0.token == -1 && endings.contains(where: $0.isCalled) }) else { continue }
                        // A key-value observer that only its own call ends is not ended when that call never comes.
                        if base == "observeValue" || base == "observeValueForKeyPath", family.rules["absent"] != nil, !isOfLayout(operation, call, reads) { continue }
                        property = Self.register(operation.token, call).flatMap { properties[$0] }.flatMap { borrowed.contains($0) ? nil : $0 }
                        if family.isHeldByObserved { subjects[family.name] = Self.register(operation.observed, call).flatMap { properties[$0] } }
                        if operation.isDetaching { detaching.insert(family.name) }
                        keys[family.name] = operation.key.map { $0 < call.arguments.count ? WrittenKey.known(call.arguments[$0].value, reads) : nil }
                    }
                    keys = keys.filter { !isRenewed($0.key, $0.value, property ?? subjects[$0.key], after: statement, in: body, reads, makers[$0.key] ?? [:]) }
                    // One call may end what several families have; who begins anew does so for one of them.
                    for (family, key) in keys.sorted(by: { $0.key < $1.key }) {
                        let entries = entries(to: base, calledByOthers, open, calledLater) { caller, called in
                            key.isEmpty && restarts(family, property, by: caller, calling: called, makers[family] ?? [:])
                        }
                        releases.append(OutsideCallers.Release(
                            span: statement.span, file: id.declaration.file, keys: [family: key], entries: entries.subtracting(dead).union(inClosures.contains(statement.id) ? [Self.closures] : []),
                            property: property, detaching: detaching))
                    }
                }
            }
        }
        return releases
    }

    /// The full names of what a call runs on its object by a function that the project adds to that; of functions that are not here their names tell.
    private func endings(of call: Call) -> Set<String> {
        guard case .member(let receiver, let name) = call.callee, receiver != .selfObject else { return [] }
        let known = program.callsOnSelf(byAdded: name)
        guard known.isEmpty, name.lowercased().contains("invalidate"), !program.hasFunction(named: name) else { return known }
        return ["invalidate()"]
    }

    /// Whether a call ends the observer of what every first layout changes.
    private func isOfLayout(_ operation: ResourceFamily.Operation, _ call: Call, _ reads: [Register: Value]) -> Bool {
        operation.key.contains { index in
            guard index < call.arguments.count, case .string(let path)? = WrittenKey.known(call.arguments[index].value, reads) else { return false }
            return path == "contentSize" || library.geometry?.reads.contains(path) ?? false
        }
    }

    /// The members from which a member is reached and that no code of the class calls, or that others call as well; nobody reaches it by a
    /// caller that is `inVain`, as by one that begins anew.
    private func entries(to base: String, _ calledByOthers: Set<String>, _ open: Set<String>, _ calledLater: Set<String>, inVain: (_ caller: String, _ called: String) -> Bool) -> Set<String> {
        var seen: Set<String> = [base]
        var pending = [base]
        var found: Set<String> = []
        while let name = pending.popLast() {
            let above = (callers[name] ?? []).subtracting([name])
            let useful = above.filter { !inVain($0, name) }
            if above.isEmpty || calledByOthers.contains(name) || asked.contains(name) || useful.count < above.count && open.contains(name) { found.insert(name) }
            if calledLater.contains(name) { found.insert(Self.closures) }
            for caller in useful where seen.insert(caller).inserted { pending.append(caller) }
        }
        return found
    }

    /// The statements of the closures in a block that do not run where they stand.
    private func statementsOfLaterClosures(in block: Block) -> [Statement] {
        var now: Set<Register> = []
        block.forEachStatement { statement in
            guard let call = statement.call else { return }
            let isCollection = if case .collection = statement.kind { true } else { false }
            guard isCollection || call.callee.baseName.map({ library.closureRoles[$0] == .now }) ?? false else { return }
            for case .register(let register) in call.arguments.map(\.value) { now.insert(register) }
        }
        var found: [Statement] = []
        block.forEachStatement { statement in
            switch statement.kind {
            case .closure(let register, let closure): if !now.contains(register) { closure.block.forEachStatement { found.append($0) } }
            case .function(_, let closure), .spawn(_, let closure): closure.block.forEachStatement { found.append($0) }
            default: break
            }
        }
        return found
    }

    /// Whether each body of a member that calls what ends a resource, makes another one for the same property afterwards.
    private func restarts(_ family: String, _ property: String?, by caller: String, calling called: String, _ makers: [String: Set<String>]) -> Bool {
        let operations = library.family(named: family)?.acquire ?? []
        let bodies = members.filter { $0.base == caller }.flatMap { program[$0.id].bodies }.filter { $0.body.block.calledNames.contains(called) }
        return !bodies.isEmpty && bodies.allSatisfy { _, body in
            guard let place = body.block.firstIndex(where: { $0.call?.callee.baseName == called }), caller != called else { return false }
            let rest = body.block[(place + 1)...]
            let isFilled = property.map { property in rest.contains { if case .write(let place, _) = $0.kind { place.propertyName == property } else { false } } } ?? false
            let next = rest.firstIndex { statement in
                guard let call = statement.call, let name = call.fullName else { return false }
                if let base = call.callee.baseName, let filled = makers[base] { return property.map { filled.isEmpty || filled.contains($0) } ?? true }
                return isFilled && operations.contains { $0.isCalled(name) }
            }
            return next.map { !rest[..<$0].contains(where: \.mayLeaveOnDemand) } ?? false
        }
    }

    /// Whether a body that releases a resource makes another one in any case, so that none of its calls ends the use; `property` is
    /// the one that keeps the token.
    private func isRenewed(
        _ family: String, _ key: [Value?], _ property: String?, after release: Statement, in body: Body, _ reads: [Register: Value], _ makers: [String: Set<String>]
    ) -> Bool {
        let operations = library.family(named: family)?.acquire ?? []
        func renews(_ statement: Statement) -> Bool {
            guard let call = statement.call else { return false }
            // Who makes something for another property leaves this one ended.
            if let name = call.callee.baseName, let filled = makers[name] { return property.map { filled.isEmpty || filled.contains($0) } ?? true }
            guard let name = call.fullName, !key.isEmpty, !key.contains(nil), let operation = operations.first(where: { $0.names.contains(name) }) else { return false }
            return operation.key.map { $0 < call.arguments.count ? WrittenKey.known(call.arguments[$0].value, reads) : nil } == key
        }
        func fills(_ statement: Statement) -> Bool { if case .write(let place, let value) = statement.kind { place.propertyName == property && value != .constant(.null) } else { false } }
        /// What has no key is another one of the same when its token takes the place of the first.
        func replaces(_ block: ArraySlice<Statement>) -> Bool {
            guard key.isEmpty, property != nil, block.contains(where: fills) else { return false }
            return block.contains { statement in
                guard let name = statement.call?.fullName else { return false }
                return operations.contains { $0.isCalled(name) }
            }
        }
        func isRenewed(in block: Block) -> Bool {
            guard let place = block.firstIndex(where: { [$0].containsStatement { $0.id == release.id } }) else { return false }
            // Who releases and leaves makes no other.
            let leaves = block[place].innerBlocks(enteringClosures: false).contains { inner in
                guard case .exit? = inner.last?.kind else { return false }
                return inner.containsStatement { $0.id == release.id }
            }
            if leaves { return false }
            // A closure runs at another time than what comes after it.
            let inner = block[place].innerBlocks(enteringClosures: true)
            if !inner.isEmpty, block[place].innerBlocks(enteringClosures: false).isEmpty { return inner.contains(where: isRenewed) }
            let rest = block[(place + 1)...]
            return (rest.contains(where: renews) || replaces(rest)) && !rest.prefix(while: { !renews($0) && !fills($0) }).contains(where: \.mayLeaveOnDemand) || inner.contains(where: isRenewed)
        }
        return isRenewed(in: body.block)
    }

    /// The members that make a resource of a family by a class's own function, which no missing receiver keeps from it, with the
    /// properties that they set: by family.
    private func makers() -> [String: [String: Set<String>]] {
        var found: [String: [String: Set<String>]] = [:]
        for (id, base) in members {
            // What it makes in some cases only is nothing to rely on.
            for statement in program[id].body?.block ?? [] {
                guard let call = statement.call, let name = call.fullName else { continue }
                switch call.callee {
                case .initializer, .member(.type, _): break
                default: continue
                }
                for family in library.families where family.acquire.contains(where: { $0.isCalled(name) }) {
                    let filled = (program[id].body?.block ?? []).compactMap { if case .write(let place, _) = $0.kind { place.propertyName } else { nil } }
                    found[family.name, default: [:]][base, default: []].formUnion(filled)
                }
            }
        }
        return found
    }

    /// Whether a method is there for nobody: an internal one without parameters that no code names, no protocol demands and no runtime finds.
    private func isDead(_ id: MemberID) -> Bool {
        let member = program[id]
        guard program.files[id.declaration.file].facts.language == .swift, member.kind == .function, member.parameters.isEmpty, !member.isOverride, member.attributes.isEmpty,
              !program.isOffered(id), !relevance.isCalled(id) else { return false }
        return program.protocols(of: type).allSatisfy { one in !program.members(of: one).contains { program[$0].baseName == member.baseName && $0 != id } }
    }

    /// The properties into which code of the class puts something that it did not get from a call just then.
    private func borrowed() -> Set<String> {
        var found: Set<String> = []
        for (_, body) in members.flatMap({ program[$0.id].bodies }) {
            var made: Set<Register> = []
            // A local that was just made is no loan either.
            var fresh: Set<LocalID> = []
            body.block.forEachStatement { statement in
                if let call = statement.call { made.insert(call.result) }
                switch statement.kind {
                case .declare(let local, .register(let register)?) where made.contains(register): fresh.insert(local)
                case .read(let register, .local(let local)) where fresh.contains(local): made.insert(register)
                default: break
                }
                guard case .write(let place, let value) = statement.kind, let property = place.propertyName else { return }
                switch value {
                case .constant(.null): break
                case .register(let register) where made.contains(register): break
                default: found.insert(property)
                }
            }
        }
        return found
    }

    /// The registers of a body that hold what a property of the object was.
    private static func ownReads(in body: Body) -> [Register: String] {
        var reads: [Register: String] = [:]
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .read(let register, .name(let name)), .read(let register, .member(.selfObject, let name)): reads[register] = name
            default: break
            }
        }
        return reads
    }

    /// The register that a call gets at a position of its arguments, or as its receiver.
    private static func register(_ position: Int?, _ call: Call) -> Register? {
        let operand: Operand? = switch position {
        case -1: if case .member(let receiver, _) = call.callee { receiver } else { nil }
        case let index?: index < call.arguments.count ? call.arguments[index].value : nil
        case nil: nil
        }
        return if case .register(let register)? = operand { register } else { nil }
    }
}

extension Statement {
    /// Whether a body is left here where a flag or an unknown answer says so.  That a list is empty, or somebody is gone, is no wish of who calls.
    fileprivate var mayLeaveOnDemand: Bool {
        guard case .branch(let clauses, _, _) = kind, innerBlocks(enteringClosures: false).contains(where: { if case .exit? = $0.last?.kind { true } else { false } }) else { return false }
        return clauses.contains { clause in
            guard case .isTrue = clause.test else { return false }
            return !clause.setup.contains { if case .read(_, .member(_, let name)) = $0.kind { ["count", "isEmpty", "length"].contains(name) } else { false } }
        }
    }
}
