import ProgramModel
import RuleLibrary

/// Which functions of the project can matter to a monitor at all, by name: those that acquire, release, or make closures that
/// somebody keeps, and those that call them.  What cannot matter need not run when nobody asks for its value.
public struct Relevance: Sendable {
    /// What one file adds.
    public struct Part: Sendable {
        /// The base names of members that do something of interest themselves.
        fileprivate var seeds: Set<String> = []
        /// The base names that a member of a base name uses.
        fileprivate var uses: [String: Set<String>] = [:]
        /// The properties of self that a member's conditions read, and those that a member writes.
        fileprivate var tests: [String: Set<String>] = [:]
        fileprivate var writes: [String: Set<String>] = [:]
    }

    private let hot: Set<String>

    /// Reads the bodies of one file.
    static func part(of file: Int, in program: Program, names: ResourceNames, library: RuleLibrary) -> Part {
        let lookups = Lookups(program)
        let facts = program.files[file].facts
        var part = Part()
        func read(_ member: MemberFacts, owner: TypeID?, typeName: String) {
            // Making an object runs its initialisers and the initial values of its properties.
            let isPartOfMaking = member.kind == .initializer || (member.kind == .property && member.isStored && !member.modifiers.contains("lazy"))
            for (accessor, body) in member.bodies {
                let name = isPartOfMaking && accessor == nil ? "init \(typeName)" : member.baseName
                if ClassSlice.mentions(body, names.all) || StrongClosures.areKept(in: body, owner: owner, program: program, library: library, lookups: lookups) {
                    part.seeds.insert(name)
                }
                var used: Set<String> = []
                body.block.forEachStatement { statement in
                    if let call = statement.call {
                        if case .initializer(let type) = call.callee { used.insert("init \(Self.shortName(type.name))") } else if let name = call.callee.baseName { used.insert(name) }
                    }
                    switch statement.kind {
                    case .read(_, .name(let name)), .read(_, .member(_, let name)), .write(.name(let name), _), .write(.member(_, let name), _): used.insert(name)
                    default: break
                    }
                }
                part.uses[name, default: []].formUnion(used)
                part.tests[name, default: []].formUnion(Self.tested(in: body))
                part.writes[name, default: []].formUnion(Self.written(in: body))
            }
        }
        for (index, type) in facts.types.enumerated() {
            let owner = program.owners(of: DeclarationID(file: file, index: index)).first
            for member in type.members { read(member, owner: owner, typeName: shortName(type.name)) }
            // A subclass makes what its superclass makes.
            for inherited in type.inherited { part.uses["init \(shortName(type.name))", default: []].insert("init \(shortName(inherited.name))") }
        }
        for member in facts.members { read(member, owner: nil, typeName: "") }
        return part
    }

    /// Follows the uses of all files.
    init(_ parts: [Part]) {
        var users: [String: Set<String>] = [:]
        var hot: Set<String> = []
        for part in parts {
            hot.formUnion(part.seeds)
            for (name, used) in part.uses { for one in used { users[one, default: []].insert(name) } }
        }
        func follow(_ start: Set<String>) {
            var pending = Array(start)
            while let name = pending.popLast() {
                for user in users[name] ?? [] where hot.insert(user).inserted { pending.append(user) }
            }
        }
        follow(hot)
        // A flag that guards what matters is set by code that matters.
        var guards: Set<String> = []
        for part in parts { for (name, tested) in part.tests where hot.contains(name) { guards.formUnion(tested) } }
        var setters: Set<String> = []
        for part in parts { for (name, written) in part.writes where !hot.contains(name) && !written.isDisjoint(with: guards) { setters.insert(name) } }
        hot.formUnion(setters)
        follow(setters)
        self.hot = hot
    }

    /// The properties of self that are read for a condition.
    private static func tested(in body: Body) -> Set<String> {
        var names: Set<String> = []
        func note(_ block: Block) {
            block.forEachStatement { statement in
                switch statement.kind {
                case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)): names.insert(name)
                default: break
                }
            }
        }
        var read: [Register: String] = [:]
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .read(let register, .name(let name)), .read(let register, .member(.selfObject, let name)): read[register] = name
            case .branch(let clauses, _, _): clauses.forEach { note($0.setup) }
            case .select(.register(let register), let cases, _):
                if let name = read[register] { names.insert(name) }
                for item in cases.flatMap(\.items) { note(item.setup) }
            case .loop(let loop):
                if case .whileTrue(let clauses) = loop.kind { clauses.forEach { note($0.setup) } }
            default: break
            }
        }
        return names
    }

    private static func written(in body: Body) -> Set<String> {
        var names: Set<String> = []
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .write(.name(let name), _), .write(.member(.selfObject, let name), _): names.insert(name)
            default: break
            }
        }
        return names
    }

    /// Whether a function, accessor or observer of this base name may matter.
    func isHot(_ baseName: String) -> Bool { hot.contains(baseName) }

    /// Whether making an object of a type of this name may matter.
    func isHotToMake(_ typeName: String) -> Bool { hot.contains("init \(Self.shortName(typeName))") }

    var count: Int { hot.count }

    private static func shortName(_ name: String) -> String { name.split(separator: ".").last.map(String.init) ?? name }
}
