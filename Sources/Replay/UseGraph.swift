import ProgramModel

/// Which code uses which.
struct UseGraph: Sendable {
    fileprivate var users: [CodeNode: [CodeNode]] = [:]
    fileprivate var usersByFullName: [String: [CodeNode]] = [:]
    /// Who reads, and who sets, a property of an object of which nobody knows the type.
    fileprivate var readersByName: [String: [CodeNode]] = [:]
    fileprivate var writersByName: [String: [CodeNode]] = [:]

    /// Properties of all collections: on what nobody knows the type of they are those, whatever the project calls the same.
    private static let ofCollections: Set<String> = ["count", "isEmpty", "first", "last", "indices", "keys", "values", "startIndex", "endIndex"]

    init(_ parts: [Relevance.Part]) {
        for part in parts {
            for (node, used) in part.uses {
                for use in used {
                    switch use {
                    case .node(let one): users[one, default: []].append(node)
                    case .call(let full, _): usersByFullName[full, default: []].append(node)
                    case .property(let name): if !Self.ofCollections.contains(name) { readersByName[name, default: []].append(node) }
                    }
                }
            }
            for (node, written) in part.writes {
                for use in written {
                    switch use {
                    case .node(let one): users[one, default: []].append(node)
                    case .property(let name), .call(_, let name): writersByName[name, default: []].append(node)
                    }
                }
            }
        }
    }
}

extension UseGraph {
    /// The code that uses a member: where the type of the receiver tells, or no other function has these labels.
    func users(of member: MemberID, in program: Program) -> [CodeNode] { (users[.member(member)] ?? []) + (usersByFullName[program[member].fullName] ?? []) }
}

/// Follows from code that matters to the code that uses it.
struct Reach {
    private let graph: UseGraph
    private let program: Program
    private(set) var reached: Set<CodeNode> = []
    /// The members that reached ones override.
    private(set) var overridden: Set<MemberID> = []
    private(set) var baseNames: Set<String> = []
    private(set) var fullNames: Set<String> = []
    /// The names by which reached code runs when a property is read, and when it is set.
    private var readNames: Set<String> = []
    private(set) var setNames: Set<String> = []

    init(_ graph: UseGraph, _ program: Program) {
        self.graph = graph
        self.program = program
    }

    /// Adds code with all that uses it, directly or through others.
    mutating func add(_ nodes: Set<CodeNode>, _ includes: (CodeNode) -> Bool) {
        var pending = nodes.filter { reached.insert($0).inserted }
        func follow(_ more: [CodeNode]?) { for node in more ?? [] where includes(node) && reached.insert(node).inserted { pending.insert(node) } }
        while let node = pending.popFirst() {
            follow(graph.users[node])
            switch node {
            case .member(let id):
                let (base, full) = (program[id].baseName, program[id].fullName)
                baseNames.insert(base)
                if program.runsWhenRead(id), readNames.insert(base).inserted { follow(graph.readersByName[base]) }
                if program.runsWhenSet(id), setNames.insert(base).inserted { follow(graph.writersByName[base]) }
                if fullNames.insert(full).inserted { follow(graph.usersByFullName[full]) }
                for above in overriddenMembers(by: id) where overridden.insert(above).inserted { follow(graph.users[.member(above)]) }
            case .free(let name):
                baseNames.insert(name)
                if readNames.insert(name).inserted { follow(graph.readersByName[name]) }
                if setNames.insert(name).inserted { follow(graph.writersByName[name]) }
            case .making: break
            }
        }
    }

    private func overriddenMembers(by id: MemberID) -> [MemberID] {
        let (base, full) = (program[id].baseName, program[id].fullName)
        return program.owners(of: id.declaration).flatMap { owner in
            program.ancestry(of: owner).projectTypes.flatMap { (program[$0].membersByName[base] ?? []).filter { program[$0].fullName == full } }
        }
    }
}

extension Program {
    /// Whether code runs when the name of a member is read: a getter, the first value of what is lazy, a method of Objective-C without parameters.
    func runsWhenRead(_ id: MemberID) -> Bool {
        let member = self[id]
        guard member.kind == .property else { return member.parameters.isEmpty && files[id.declaration.file].facts.language == .objectiveC }
        return member.accessors?.get != nil || member.modifiers.contains("lazy")
    }

    /// Whether code runs when a member is set.
    func runsWhenSet(_ id: MemberID) -> Bool {
        let accessors = self[id].accessors
        return accessors?.set != nil || accessors?.willSet != nil || accessors?.didSet != nil
    }
}
