import ProgramModel
import RuleLibrary

/// Which functions of the project can matter to a monitor at all, by name: those that acquire, release, or make closures that
/// somebody keeps, and those that call them.  What cannot matter need not run when nobody asks for its value.
public struct Relevance: Sendable {
    /// What one file adds.
    public struct Part: Sendable {
        /// The base names of members that do something of interest themselves.
        fileprivate var seeds: Set<String> = []
        /// The base names of members that read or set sizes and places.
        fileprivate var geometrySeeds: Set<String> = []
        /// Those of them that release something.
        fileprivate var releasers: Set<String> = []
        /// The base names that a member of a base name uses.
        fileprivate var uses: [String: Set<String>] = [:]
        /// The properties of self that a member's conditions read, and those that a member writes.
        fileprivate var tests: [String: Set<String>] = [:]
        fileprivate var writes: [String: Set<String>] = [:]
        /// The properties that are set to nil anywhere.
        fileprivate var cleared: Set<String> = []
    }

    private let hot: Set<String>
    private let releasing: Set<String>
    private let resourceNames: Set<String>
    private let releaseNames: Set<String>
    /// The properties that conditions of what matters read.
    private let guards: Set<String>
    private let cleared: Set<String>
    /// What counts beside names when sizes and places are followed.
    private let geometry: GeometryKnowledge?

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
                if let geometry = library.geometry, ClassSlice.touches(geometry, in: body) { part.geometrySeeds.insert(name) }
                if ClassSlice.mentions(body, names.releasing) { part.releasers.insert(name) }
                var used: Set<String> = []
                body.block.forEachStatement { statement in
                    if let call = statement.call {
                        if case .initializer(let type) = call.callee { used.insert("init \(Self.shortName(type.name))") } else if let name = call.callee.baseName { used.insert(name) }
                    }
                    switch statement.kind {
                    case .write(.name(let name), .constant(.null)), .write(.member(_, let name), .constant(.null)):
                        part.cleared.insert(name)
                        used.insert(name)
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
    init(_ parts: [Part], names: ResourceNames, geometry: GeometryKnowledge? = nil) {
        self.geometry = geometry
        resourceNames = names.all
        releaseNames = names.releasing
        cleared = parts.reduce(into: []) { $0.formUnion($1.cleared) }
        var users: [String: Set<String>] = [:]
        var hot: Set<String> = []
        for part in parts {
            hot.formUnion(geometry == nil ? part.seeds : part.geometrySeeds)
            for (name, used) in part.uses { for one in used { users[one, default: []].insert(name) } }
        }
        func follow(_ start: Set<String>, into reached: inout Set<String>) {
            var pending = Array(start)
            while let name = pending.popLast() {
                for user in users[name] ?? [] where reached.insert(user).inserted { pending.append(user) }
            }
        }
        follow(hot, into: &hot)
        var releasing: Set<String> = []
        for part in parts { releasing.formUnion(part.releasers) }
        follow(releasing, into: &releasing)
        self.releasing = releasing
        // A flag that guards what matters is set by code that matters.
        var guards: Set<String> = []
        for part in parts { for (name, tested) in part.tests where hot.contains(name) { guards.formUnion(tested) } }
        var setters: Set<String> = []
        for part in parts { for (name, written) in part.writes where !hot.contains(name) && !written.isDisjoint(with: guards) { setters.insert(name) } }
        hot.formUnion(setters)
        follow(setters, into: &hot)
        self.hot = hot
        self.guards = guards
    }

    // MARK: Statements

    /// What a statement can do to what the monitors watch.
    enum Effect: Int, Comparable {
        case none
        /// It sets values of the body that it stands in.
        case values
        case some

        static func < (left: Effect, right: Effect) -> Bool { left.rawValue < right.rawValue }
    }

    /// What a statement does, with all that is inside it; calls count by the names that may matter.
    func effect(of statement: Statement, insideLoop: Bool = false) -> Effect {
        func inner(_ isLoop: Bool) -> Effect {
            var found = Effect.none
            for block in statement.innerBlocks(enteringClosures: false) {
                for one in block where found != .some { found = max(found, effect(of: one, insideLoop: insideLoop || isLoop)) }
            }
            return found
        }
        switch statement.kind {
        case .read, .compute, .suspend, .declare: return .none
        case .assign: return .values
        case .write(.local, _): return .values
        case .write(.name(let name), let value), .write(.member(_, let name), let value):
            if let geometry, geometry.keeps.contains(name) || geometry.laysOutLater(name) { return .some }
            if case .constant(let constant) = value, constant != .null, !hot.contains(name), !guards.contains(name) { return .none }
            return .some
        case .call(let call):
            if case .initializer(let type) = call.callee { return isHotToMake(type.name) || resourceNames.contains(type.name) ? .some : .none }
            if let geometry, let name = call.callee.baseName, geometry.laysOut.contains(name) || geometry.laysOutLater(name) || geometry.adds.contains(name) || geometry.removes.contains(name) { return .some }
            return call.callee.baseName.map { hot.contains($0) || resourceNames.contains($0) || Machine.adopting($0) } ?? true ? .some : .none
        case .exit(.breaks(nil)), .exit(.continues(nil)): return insideLoop ? .none : .some
        case .select, .loop: return inner(true)
        case .branch, .scope, .attempt, .configuration: return inner(false)
        case .write, .collection, .closure, .function, .spawn, .deferred, .exit, .opaque: return .some
        }
    }

    /// Whether an initial value does more than make a value: one that does not is made when somebody first asks for it.
    func mattersWhenMade(_ body: Body) -> Bool {
        body.block.contains { statement in
            if case .exit(.returns) = statement.kind { return false }
            return effect(of: statement) != .none
        }
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

    /// Whether the value of a property of this name may decide anything: a condition of code that matters reads it, or code runs when it is read or set.
    package func mayDecide(_ property: String) -> Bool { guards.contains(property) || hot.contains(property) }

    /// Whether a function, accessor or observer of this base name may release something.
    func mayRelease(_ baseName: String) -> Bool { releasing.contains(baseName) }

    /// Whether a call of this base name releases something, or runs what may.
    func isReleaseOrLeadsToOne(_ baseName: String) -> Bool { releaseNames.contains(baseName) || releasing.contains(baseName) }

    /// Whether any code sets a property of this name to nil.
    func isCleared(_ property: String) -> Bool { cleared.contains(property) }

    /// Whether making an object of a type of this name may matter.
    func isHotToMake(_ typeName: String) -> Bool { hot.contains("init \(Self.shortName(typeName))") }

    var count: Int { hot.count }

    private static func shortName(_ name: String) -> String { name.split(separator: ".").last.map(String.init) ?? name }
}
