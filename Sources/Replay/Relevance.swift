import ProgramModel
import RuleLibrary

/// Which functions of the project can matter to a monitor at all: those that acquire, release, or make closures that
/// somebody keeps, and those that call them.  What cannot matter need not run when nobody asks for its value.
public final class Relevance: Sendable {
    private let hot: Set<CodeNode>
    /// The members that a member which matters overrides: calls of them may run it.
    private let overridden: Set<MemberID>
    /// The names of members that matter, for calls on objects of which nobody knows the type.
    private let hotBaseNames: Set<String>
    private let hotFullNames: Set<String>
    /// The names of the properties whose setting runs code that matters.
    private let hotSetNames: Set<String>
    /// The properties that conditions of what matters read, and their names.
    let guards: Set<Use>
    private let guardNames: Set<String>
    /// The names of those of which nobody knows the type.
    private let guardNamesOfAnything: Set<String>
    private let knowledge: Knowledge
    /// What matters to all classes, where this is what matters to one; empty otherwise.
    private let all: [Relevance]
    /// The base names that acquire or release, and the classes whose objects are resources.
    let resourceNames: Set<String>
    /// Whether only resources matter: not what closures that are kept, and views that are added, keep alive.
    let isOfResources: Bool

    /// What is the same for all classes.
    private struct Knowledge: Sendable {
        let program: Program
        let resolver: Uses
        /// The code that does something of interest itself, with the names of it that acquire or release.
        let seeds: [CodeNode: Set<String>]
        /// Those of it that are no type's own.
        let commonSeeds: Set<CodeNode>
        /// The properties that the conditions of a piece of code read, and the code that sets a property.
        let tests: [CodeNode: Set<Use>]
        let setters: [Use: [CodeNode]]
        /// The base names of the properties that any code sets.
        let namesSet: Set<String>
        let graph: UseGraph
        let closureRoles: [String: ClosureRoles.Role]
        let releasing: Set<String>
        let releaseNames: Set<String>
        let cleared: Set<String>
        /// The properties whose values code of other objects releases.
        let releasedOfOthers: Set<Use>
        /// Whether code says how far the views of controllers go below bars.
        let endsSubjects: Bool
        let setsBars: Bool
        /// The classes of controllers that say it of their own views only.
        let ownBars: Set<TypeID>
        /// The short names of the classes whose objects are all made with frames that are to stay.
        let lastinglyFramed: Set<String>
        let constantlyFramed: Set<String>
        /// The short names of the types of which any code makes objects.
        let made: Set<String>
        /// What counts beside names when sizes and places are followed.
        let geometry: GeometryKnowledge?
        let apps: AppUnits
    }

    /// Follows the uses of all files.
    convenience init(_ parts: [Part], program: Program, library: RuleLibrary, names: ResourceNames, geometry: GeometryKnowledge? = nil) {
        let seeds = parts.reduce(into: [CodeNode: Set<String>]()) { seeds, part in
            if geometry == nil { seeds.merge(part.seeds) { $0.union($1) } } else { for node in part.geometrySeeds { seeds[node] = [] } }
        }
        var tests: [CodeNode: Set<Use>] = [:]
        var setters: [Use: [CodeNode]] = [:]
        for part in parts {
            tests.merge(part.tests) { $0.union($1) }
            for (node, written) in part.writes { for property in written { setters[property, default: []].append(node) } }
        }
        let namesSet = Set(setters.keys.compactMap { Self.propertyName(of: $0, program) })
        let knowledge = Knowledge(
            program: program, resolver: Uses(program), seeds: seeds, commonSeeds: Set(seeds.keys.filter { Self.isOwn($0, [], program) }), tests: tests, setters: setters, namesSet: namesSet, graph: UseGraph(parts), closureRoles: library.closureRoles, releasing: Self.releasing(parts),
            releaseNames: names.releasing, cleared: parts.reduce(into: []) { $0.formUnion($1.cleared) }, releasedOfOthers: parts.reduce(into: []) { $0.formUnion($1.releasedOfOthers) }, endsSubjects: parts.contains(where: \.endsSubjects), setsBars: parts.contains(where: \.setsBars), ownBars: parts.reduce(into: []) { $0.formUnion($1.ownBars) },
            lastinglyFramed: geometry == nil ? [] : Set(parts.reduce(into: [String: Bool]()) { $0.merge($1.lastingFrames) { $0 && $1 } }.filter(\.value).keys),
            constantlyFramed: geometry == nil ? [] : Set(parts.reduce(into: [String: Bool]()) { $0.merge($1.constantFrames) { $0 && $1 } }.filter(\.value).keys),
            made: parts.reduce(into: []) { made, part in for names in part.names.values { for name in names where name.hasPrefix("init ") { made.insert(String(name.dropFirst(5))) } } },
            geometry: geometry, apps: AppUnits(program))
        self.init(knowledge, all: [], resourceNames: names.all, isOfResources: false, seeds: Set(seeds.keys), tests: tests) { _ in true }
    }

    /// What matters to the objects of a class by its own code alone: that of its chain, and what is not of another type.  With `names`,
    /// what matters to the resources of these.
    func ofOwnCode(_ chain: Set<TypeID>, only names: ResourceNames? = nil) -> Relevance {
        let program = program
        var seeds = knowledge.commonSeeds
        for link in chain {
            seeds.formUnion((program.members(of: link).map(CodeNode.member) + [.making(ProgramType.shortName(of: program[link].name))]).filter { knowledge.seeds[$0] != nil })
        }
        if let names {
            seeds = seeds.filter { !(knowledge.seeds[$0]?.isDisjoint(with: names.all) ?? true) }
            if !names.starting.isEmpty {
                seeds.formUnion(chain.flatMap(program.members).filter { id in program[id].bodies.contains { ClassSlice.mentions($0.body, names.starting) } }.map(CodeNode.member))
            }
        }
        func matters(_ tests: [CodeNode: Set<Use>]) -> Relevance {
            Relevance(knowledge, all: [self], resourceNames: names?.all ?? resourceNames, isOfResources: names != nil, seeds: seeds, tests: tests) { Self.isOwn($0, chain, program) }
        }
        var found = matters(knowledge.tests)
        guard names != nil else { return found }
        // What a condition reads matters only where what it decides does; with fewer properties that matter, less code does.
        for _ in 0..<Self.refinements { found = matters(found.decisiveTests(chain)) }
        return found
    }

    /// What matters where only these pieces of code do, with what uses them.
    func of(_ seeds: Set<CodeNode>) -> Relevance {
        Relevance(knowledge, all: [], resourceNames: [], isOfResources: false, seeds: seeds, tests: knowledge.tests) { _ in true }
    }

    /// How often it is asked again which conditions decide anything.
    private static let refinements = 2

    /// The properties that conditions read of which something that matters depends; those of other code than the chain's are all taken for such.
    private func decisiveTests(_ chain: Set<TypeID>) -> [CodeNode: Set<Use>] {
        var tests: [CodeNode: Set<Use>] = [:]
        let lookups = Lookups(program)
        for node in hot { if case .free = node { tests[node] = knowledge.tests[node] } }
        for link in chain {
            let name = program[link].name
            for id in program.members(of: link) {
                let member = program[id]
                let context = { (body: Body) in BodyContext(body: body, selfType: link, scope: Scope(file: id.declaration.file, typeName: name), isStatic: member.isStatic) }
                for (accessor, body) in member.bodies {
                    let node: CodeNode = member.isPartOfMaking && accessor == nil ? .making(ProgramType.shortName(of: name)) : .member(id)
                    guard isHot(node) else { continue }
                    tests[node, default: []].formUnion(decisiveTests(in: context(body), lookups))
                }
            }
        }
        return tests
    }

    /// The properties that those conditions of a body read of which something that matters depends.
    private func decisiveTests(in context: BodyContext, _ lookups: Lookups) -> Set<Use> {
        ConditionReading.properties(readIn: context.body, context, resolver) { statement in
            switch lookups.effect(of: statement, in: context, self) {
            case .none: false
            case .some, .exits: true
            case .values: lookups.demanded(in: context, self).includes(valuesSetBy: statement, isResultUsed: true)
            }
        }
    }

    private static func isOwn(_ node: CodeNode, _ chain: Set<TypeID>, _ program: Program) -> Bool {
        switch node {
        case .free: true
        case .making(let name): chain.contains { ProgramType.shortName(of: program[$0].name) == name }
        case .member(let id):
            program.owners(of: id.declaration).allSatisfy { chain.contains($0) || program[$0].kind == .protocol || $0.index >= program.types.count }
        }
    }

    private init(_ knowledge: Knowledge, all: [Relevance], resourceNames: Set<String>, isOfResources: Bool, seeds: Set<CodeNode>, tests: [CodeNode: Set<Use>], includes: (CodeNode) -> Bool) {
        self.knowledge = knowledge
        self.all = all
        self.resourceNames = resourceNames
        self.isOfResources = isOfResources
        var reach = Reach(knowledge.graph, knowledge.program)
        reach.add(seeds, includes)
        // A flag that guards what matters is set by code that matters.
        var guards: Set<Use> = []
        var setters: Set<CodeNode> = []
        for node in reach.reached { guards.formUnion(tests[node] ?? []) }
        for property in guards { setters.formUnion((knowledge.setters[property] ?? []).filter(includes)) }
        reach.add(setters, includes)
        hot = reach.reached
        overridden = reach.overridden
        hotBaseNames = reach.baseNames
        hotFullNames = reach.fullNames
        hotSetNames = reach.setNames
        self.guards = guards
        guardNames = Set(guards.compactMap { Self.propertyName(of: $0, knowledge.program) })
        guardNamesOfAnything = Set(guards.compactMap { use in
            switch use {
            case .property(let name): name
            // Whose property it is, is known only by a protocol.
            case .node(.member(let id)) where knowledge.program.owners(of: id.declaration).contains { knowledge.program[$0].kind == .protocol }: knowledge.program[id].baseName
            default: nil
            }
        })
    }

    /// Whether the value that an object of the SDK has for a property may decide anything.
    package func mayDecideForSDK(_ property: String) -> Bool { guardNamesOfAnything.contains(property) }

    /// Whether the value of a property may decide anything.
    func mayDecide(_ property: MemberID) -> Bool { guards.contains(.node(.member(property))) || isHot(.node(.member(property))) }

    var program: Program { knowledge.program }
    var resolver: Uses { knowledge.resolver }
    var closureRoles: [String: ClosureRoles.Role] { knowledge.closureRoles }
    var geometry: GeometryKnowledge? { knowledge.geometry }
    private var releasing: Set<String> { knowledge.releasing }

    /// Whether a call that does not matter by the code of one class runs what matters to others.
    func mattersElsewhere(_ uses: [Use]) -> Bool { all.contains { other in uses.contains(where: other.isHot) } }

    /// The base names that lead to a release, whatever the types.
    private static func releasing(_ parts: [Part]) -> Set<String> {
        var users: [String: Set<String>] = [:]
        var found: Set<String> = []
        for part in parts {
            found.formUnion(part.releasers)
            for (name, used) in part.names { for one in used { users[one, default: []].insert(name) } }
        }
        var pending = Array(found)
        while let name = pending.popLast() {
            for user in users[name] ?? [] where found.insert(user).inserted { pending.append(user) }
        }
        return found
    }

    /// Whether an initial value does more than make a value: one that does not is made when somebody first asks for it.
    func mattersWhenMade(_ body: Body, in context: BodyContext) -> Bool {
        body.block.contains { statement in
            if case .exit(.returns) = statement.kind { return false }
            return effect(of: statement, in: context) != .none
        }
    }

    /// Whether a piece of code may matter.
    func isHot(_ node: CodeNode) -> Bool { hot.contains(node) }

    /// Whether a function, accessor or observer of this name of any type may matter.
    package func isHot(anyNamed baseName: String) -> Bool { hotBaseNames.contains(baseName) }

    func isHot(_ use: Use) -> Bool {
        switch use {
        case .node(.member(let id)): hot.contains(.member(id)) || overridden.contains(id)
        case .node(let node): hot.contains(node)
        case .call(let full, _): hotFullNames.contains(full)
        case .property(let name): hotBaseNames.contains(name)
        }
    }

    /// Whether setting what is used so runs code that matters.
    func isHotToSet(_ use: Use) -> Bool {
        switch use {
        case .node(.member(let id)): isHot(use) && program.runsWhenSet(id)
        case .node: isHot(use)
        case .property(let name), .call(_, let name): hotSetNames.contains(name)
        }
    }

    /// Whether the value of a property of this name may decide anything: a condition of code that matters reads it, or code runs when it is read or set.
    package func mayDecide(_ property: String) -> Bool { guardNames.contains(property) || hotBaseNames.contains(property) }

    /// Whether a function, accessor or observer of this base name may release something.
    func mayRelease(_ baseName: String) -> Bool { releasing.contains(baseName) }

    /// Whether a call of this base name releases something, or runs what may.
    func isReleaseOrLeadsToOne(_ baseName: String) -> Bool { knowledge.releaseNames.contains(baseName) || releasing.contains(baseName) }

    /// The base name of what is used as a property; nil for what is none.
    private static func propertyName(of use: Use, _ program: Program) -> String? {
        switch use {
        case .node(.member(let id)): program[id].baseName
        case .node(.free(let name)), .property(let name): name
        case .node(.making), .call: nil
        }
    }

    /// Whether any code sets a property of this name.
    package func isSet(_ property: String) -> Bool { knowledge.namesSet.contains(property) }

    /// Whether any code sets a property of this name to nil.
    func isCleared(_ property: String) -> Bool { knowledge.cleared.contains(property) }

    /// Whether code of other objects releases what a property of a class has.
    func isReleasedByOthers(_ property: MemberID) -> Bool { knowledge.releasedOfOthers.contains(.node(.member(property))) }

    /// Whether some code ends a subject of Combine.
    var endsSubjects: Bool { knowledge.endsSubjects }

    /// Whether code says how far the view of a controller goes below bars, or the views of all.
    func setsBars(for type: TypeID) -> Bool { knowledge.setsBars || !knowledge.ownBars.isDisjoint(with: program.chain(of: type)) }

    /// Whether each object of a class that code makes gets a frame then that is to stay.
    func isLastinglyFramed(_ shortName: String) -> Bool { knowledge.lastinglyFramed.contains(shortName) }

    /// Whether each object of a class that code makes gets a frame of numbers then, and nobody lays it out.
    func isConstantlyFramed(_ shortName: String) -> Bool { knowledge.constantlyFramed.contains(shortName) }

    /// Whether some code makes objects of a type of this name, so that those who use them are at hand.
    func isMade(_ type: String) -> Bool { knowledge.made.contains(ProgramType.shortName(of: type)) }

    /// Whether any code calls a method, or may: of what it calls it on nobody may know the type.
    func isCalled(_ method: MemberID) -> Bool { !knowledge.graph.users(of: method, in: program).isEmpty }

    /// The members that use a method, or may: of what they call it on nobody may know the type.
    func users(of method: MemberID) -> [MemberID] {
        knowledge.graph.users(of: method, in: program).compactMap { if case .member(let id) = $0 { id } else { nil } }
    }

    /// Whether code that does not make its object sets a property.
    func isSetLater(_ property: Lookups.Property) -> Bool {
        let setters = knowledge.setters[.node(property.node)] ?? []
        if setters.contains(where: { if case .making = $0 { false } else { true } }) { return true }
        return !property.member.isPrivate && knowledge.setters[.property(property.member.baseName)] != nil
    }

    /// Whether code of other types, tests left out, sets a property of objects of a class with this chain.
    func isSet(_ property: MemberID, outside chain: Set<TypeID>) -> Bool {
        (knowledge.setters[.node(.member(property))] ?? []).contains { isOther($0, than: chain) }
    }

    /// The members of other types that set a property of objects of a class with this chain, tests left out.
    func setters(of property: MemberID, outside chain: Set<TypeID>) -> [MemberID] {
        (knowledge.setters[.node(.member(property))] ?? []).compactMap { node in
            if case .member(let id) = node, isOther(node, than: chain) { id } else { nil }
        }
    }

    /// Whether other types set a property, or call a method, of an object more than once, as far as the code shows: one of them does so in
    /// several members.  Where none does, nobody knows how often those do who are not here.
    func isUsedAgain(_ member: MemberID, outside chain: Set<TypeID>) -> Bool {
        let users = program[member].kind == .property ? knowledge.setters[.node(.member(member))].map(Array.init) ?? [] : Array(knowledge.graph.users(of: member, in: program))
        var count: [TypeID: Int] = [:]
        for node in users where isOther(node, than: chain) {
            guard case .member(let id) = node else { continue }
            for owner in program.owners(of: id.declaration) { count[owner, default: 0] += 1 }
        }
        return count.isEmpty || count.values.contains { $0 > 1 }
    }

    /// Whether code of other types, tests left out, calls a method of objects of a class with this chain.
    func isCalled(_ method: MemberID, outside chain: Set<TypeID>) -> Bool {
        knowledge.graph.users(of: method, in: program).contains { isOther($0, than: chain) }
    }

    /// Whether a member of one of these full names calls a method, itself or by way of some helpers.
    func isCalled(_ method: MemberID, byAnyOf names: Set<String>) -> Bool {
        var seen: Set<MemberID> = [method]
        var level = [method]
        for _ in 0..<Self.mostHelpers {
            level = level.flatMap { knowledge.graph.users(of: $0, in: program) }.compactMap { if case .member(let id) = $0, seen.insert(id).inserted { id } else { nil } }
            if level.contains(where: { names.contains(program[$0].fullName) }) { return true }
        }
        return false
    }

    /// Through how many calls a list comes to what prepares its cells at most: a helper that makes them, and overloads with fewer parameters.
    private static let mostHelpers = 5

    /// Whether code is a member of a type that is none of these, and no test.
    private func isOther(_ node: CodeNode, than chain: Set<TypeID>) -> Bool {
        guard case .member(let id) = node, !program.files[id.declaration.file].isTest else { return false }
        return program.owners(of: id.declaration).allSatisfy { !chain.contains($0) }
    }

    /// Whether making an object of a type of this name may matter.
    func isHotToMake(_ typeName: String) -> Bool { hot.contains(.making(ProgramType.shortName(of: typeName))) }
}
