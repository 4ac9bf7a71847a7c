import ProgramModel

/// What other code does to one object of the class one after the other.
extension OutsideCallers {
    /// The names of the methods, each with those that some code outside calls, or of the properties that it sets, on the same object after it.
    func followers(of methods: [Method], _ relevance: Relevance) -> [String: Set<String>] {
        var names: [MemberID: [(isSet: Bool, base: String, name: String)]] = [:]
        for (name, id) in methods.map({ ($0.name, $0.member) }) {
            let isSet = program[id].kind == .property
            for user in Set(isSet ? relevance.setters(of: id, outside: chain) : relevance.users(of: id)) where !program.files[user.declaration.file].isTest && program.owners(of: user.declaration).allSatisfy({ !chain.contains($0) }) {
                names[user, default: []].append((isSet, program[id].baseName, name))
            }
        }
        var found: [String: Set<String>] = [:]
        for (user, used) in names {
            for (_, body) in program[user].bodies {
                note(used, in: body.block, &found)
                body.block.forEachStatement { statement in statement.innerBlocks(enteringClosures: true).forEach { note(used, in: $0, &found) } }
            }
        }
        return found
    }

    /// Notes what the statements of one block use of an object in order.
    private func note(_ used: [(isSet: Bool, base: String, name: String)], in block: Block, _ found: inout [String: Set<String>]) {
        var places: [Register: Place] = [:]
        var before: [Place: [String]] = [:]
        for statement in block {
            var use: (object: Register, isSet: Bool, base: String)?
            switch statement.kind {
            case .read(let register, let place): places[register] = place
            case .write(.member(.register(let object), let name), _): use = (object, true, name)
            // Another object from here on.
            case .write(let place, _): before[place] = nil
            default: if case .member(.register(let object), let name)? = statement.call?.callee { use = (object, false, name) }
            }
            guard let use, let place = places[use.object], let name = used.first(where: { $0.isSet == use.isSet && $0.base == use.base })?.name else { continue }
            for earlier in before[place] ?? [] { found[earlier, default: []].insert(name) }
            before[place, default: []].append(name)
        }
    }
}
