import ProgramModel

extension Lookups {
    /// Whether two classes of a chain have a stored property of the same name each, which Swift allows of private ones.
    func hasTwins(_ type: TypeID) -> Bool {
        var seen: Set<String> = []
        let chain = program.chain(of: type)
        return chain.count > 1 && chain.contains { link in
            let own = Set(program.members(of: link).map { program[$0] }.filter { $0.kind == .property && $0.isStored && !$0.isStatic && $0.isPrivate && !$0.isOverride }.map(\.baseName))
            defer { seen.formUnion(own) }
            return !seen.isDisjoint(with: own)
        }
    }

    /// The properties of a class's objects that begin with a plain value and get another from code of other classes, mostly before the object
    /// is used: they set it, or call a method that does nothing of interest but set it to what it is told.
    func propertiesGiven(to type: TypeID, _ relevance: Relevance) -> [Property] {
        if let known = given[type] { return known }
        let chain = program.chain(of: type)
        let told = setByWhatIsTold(chain, relevance)
        let found = chain.flatMap { link in
            program.members(of: link).compactMap { id -> Property? in
                let member = program[id]
                guard member.kind == .property, member.isStored, !member.isStatic, !member.isConstant, !member.isOutlet, !member.modifiers.contains("lazy"), let body = member.body, body.isPlainBeginning,
                      !relevance.isHot(.node(.member(id))), told.contains(member.baseName) || isSetByOthers(id, chain, relevance) else { return nil }
                return Property(member, .member(id), file: id.declaration.file, owner: link)
            }
        }
        given[type] = found
        return found
    }

    private func isSetByOthers(_ id: MemberID, _ chain: [TypeID], _ relevance: Relevance) -> Bool {
        !program[id].isPrivate && !program[id].modifiers.contains { $0.hasSuffix("(set)") } && relevance.isSet(id, outside: Set(chain))
    }

    /// The names of the properties that methods set to what they are told which other classes call.
    private func setByWhatIsTold(_ chain: [TypeID], _ relevance: Relevance) -> Set<String> {
        var found: Set<String> = []
        for id in chain.flatMap({ program.members(of: $0) }) {
            let member = program[id]
            guard member.kind == .function, !member.isStatic, !member.isOverride, !member.parameters.isEmpty, let body = member.body, body.block.calledNames.isDisjoint(with: relevance.resourceNames) else { continue }
            var told: Set<Register> = []
            var set: Set<String> = []
            body.block.forEachStatement(enteringClosures: false) { statement in
                switch statement.kind {
                case .read(let register, .local(let local)): if body.parameters.contains(local) { told.insert(register) }
                case .write(let place, .register(let value)): if told.contains(value), let name = place.ownName { set.insert(name) }
                default: break
                }
            }
            if !set.isEmpty, relevance.isCalled(id, outside: Set(chain)) { found.formUnion(set) }
        }
        return found
    }
}

extension Body {
    /// Whether it gives a property a constant, a case or an empty list to begin with, and not nil.
    fileprivate var isPlainBeginning: Bool {
        guard let last = block.last, case .exit(.returns(let value)) = last.kind else { return false }
        switch value {
        case .constant(let constant): return block.count == 1 && constant != .null
        case .register(let register):
            guard block.count == 2 else { return false }
            return switch block[0].kind {
            case .compute(register, .array, let parts), .compute(register, .dictionary, let parts): parts.isEmpty
            case .compute(register, .symbol("-"), let parts): parts.count == 1
            case .read(register, .member(.type, _)): true
            case .call(let call): call.arguments.isEmpty && call.callee.makesList
            default: false
            }
        default: return false
        }
    }
}

extension Callee {
    /// Whether it is the initialiser of a list.
    fileprivate var makesList: Bool { if case .initializer(let type) = self { type.element != nil || ["Array", "Set", "Dictionary"].contains(type.name) } else { false } }
}
