import ProgramModel

/// Which code uses which.
struct UseGraph: Sendable {
    fileprivate var users: [CodeNode: [CodeNode]] = [:]
    fileprivate var usersByBaseName: [String: [CodeNode]] = [:]
    fileprivate var usersByFullName: [String: [CodeNode]] = [:]

    init(_ parts: [Relevance.Part], _ program: Program) {
        for part in parts {
            for (node, used) in part.uses {
                for use in used {
                    switch use {
                    case .node(let one): users[one, default: []].append(node)
                    case .call(let full, let base):
                        // A function of just these labels is meant where there is one.
                        if program.functions(named: full).isEmpty { usersByBaseName[base, default: []].append(node) } else { usersByFullName[full, default: []].append(node) }
                    case .property(let name): usersByBaseName[name, default: []].append(node)
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
                if baseNames.insert(base).inserted { follow(graph.usersByBaseName[base]) }
                if fullNames.insert(full).inserted { follow(graph.usersByFullName[full]) }
                for above in overriddenMembers(by: id) where overridden.insert(above).inserted { follow(graph.users[.member(above)]) }
            case .free(let name):
                if baseNames.insert(name).inserted { follow(graph.usersByBaseName[name]) }
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
