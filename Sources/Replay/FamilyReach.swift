import ProgramModel
import RuleLibrary

/// Which families of resources the methods of a class can acquire or release, by themselves or through what they use of self.
package struct FamilyReach {
    /// By base name of a member: what it uses, calls, and sets.
    private var uses: [String: Set<String>] = [:]
    private var calls: [String: Set<String>] = [:]
    private var written: [String: Set<String>] = [:]
    /// By family: the names that acquire or release, and the properties that keep what ends when nobody keeps it.
    private var names: [String: Set<String>] = [:]
    private var keepers: [String: Set<String>] = [:]

    package init(of type: TypeID, in program: Program, library: RuleLibrary) {
        let resolver = Uses(program)
        let chain = program.chain(of: type)
        for link in chain {
            for id in program.members(of: link) {
                let scope = Scope(file: id.declaration.file, typeName: program[link].name)
                for (_, body) in program[id].bodies {
                    note(body, of: program[id].baseName)
                    let context = BodyContext(body: body, selfType: link, scope: scope, isStatic: program[id].isStatic)
                    uses[program[id].baseName, default: []].formUnion(Self.used(in: body, context, resolver, program, chain))
                }
            }
        }
        for family in library.families {
            let known = ResourceNames([family])
            names[family.name] = known.all
            guard family.tokenEnd == .ends else { continue }
            let acquirers = calls.filter { !$0.value.isDisjoint(with: known.acquiring) }.keys
            keepers[family.name] = acquirers.reduce(into: []) { $0.formUnion(written[$1] ?? []) }
        }
    }

    /// The base names of the members of the class that a body may use.
    private static func used(in body: Body, _ context: BodyContext, _ resolver: Uses, _ program: Program, _ chain: [TypeID]) -> Set<String> {
        var names: Set<String> = []
        func note(_ uses: [Use]) {
            for use in uses {
                switch use {
                case .node(.member(let id)): if program.owners(of: id.declaration).contains(where: chain.contains) || program[id.declaration].kind == .extension { names.insert(program[id].baseName) }
                case .node(.free(let name)), .property(let name), .call(_, let name): names.insert(name)
                case .node(.making): break
                }
            }
        }
        body.block.forEachStatement { statement in
            if let call = statement.call { note(resolver.uses(of: call, in: context)) }
            switch statement.kind {
            case .read(_, let place), .write(let place, _): note(resolver.uses(of: place, in: context))
            default: break
            }
        }
        return names
    }

    private mutating func note(_ body: Body, of member: String) {
        body.block.forEachStatement { statement in
            if let call = statement.call {
                if case .initializer(let type) = call.callee { calls[member, default: []].insert(type.name) }
                if let name = call.callee.baseName { calls[member, default: []].insert(name) }
            }
            switch statement.kind {
            case .read(_, .name(let name)), .read(_, .member(_, let name)):
                // A collection that is read may be emptied.
                written[member, default: []].insert(name)
            case .write(.name(let name), _), .write(.member(_, let name), _):
                written[member, default: []].insert(name)
            case .opaque(let opaque): calls[member, default: []].formUnion(opaque.reads)
            default: break
            }
        }
    }

    /// Whether a method, by its full name, may acquire or release something of a family.
    package func mayTouch(_ family: String, from method: String) -> Bool {
        let (names, keepers) = (names[family] ?? [], keepers[family] ?? [])
        var seen: Set<String> = [Automaton.Transition.property(setBy: method) ?? ResourceNames.baseName(method)]
        var pending = Array(seen)
        while let member = pending.popLast() {
            if !(calls[member] ?? []).isDisjoint(with: names) || !(written[member] ?? []).isDisjoint(with: keepers) { return true }
            for used in uses[member] ?? [] where seen.insert(used).inserted { pending.append(used) }
        }
        return false
    }
}
