import ProgramModel
import RuleLibrary

/// Calls that come once and whose code asks for the next: together they go on for ever.
extension Machine {
    /// Whether what is called acquires the same again whatever it finds, so that it never ends by itself; who asks again on a
    /// condition waits for something, and ends when it is there.
    func isRearmed(_ family: ResourceFamily, _ arguments: [Value], observer: Value, at site: Site) -> Bool {
        var search = RearmSearch(program: program, lookups: lookups, family: family, site: site, handler: handler(arguments))
        if let handler = search.handler {
            guard case .object(let id) = observer, case .project(let type) = world[id].kind else { return false }
            return search.acquires(inMethod: handler, of: type, depth: 0)
        }
        for case .closure(let index) in arguments {
            let made = world.closures[index]
            // One that holds its object weakly asks for nothing once that is gone.
            guard made.holdsSelf, case .object(let id) = world.frames[made.frame].selfValue, case .project(let type) = world[id].kind else { continue }
            return search.acquires(in: made.closure.block, of: type, file: world.frames[made.frame].file, depth: 0)
        }
        return false
    }

    /// The base name of the method that a selector among the arguments names.
    func handler(_ arguments: [Value]) -> String? {
        for case .selector(let text) in arguments { return ObjectiveCSelector.baseName(of: text) }
        return nil
    }
}

/// The search for the acquisition of a site in code that certainly runs.
private struct RearmSearch {
    let program: Program
    let lookups: Lookups
    let family: ResourceFamily
    let site: Site
    /// The method that a selector names, which another statement may ask for as well.
    let handler: String?
    private var seen: Set<MemberID> = []

    init(program: Program, lookups: Lookups, family: ResourceFamily, site: Site, handler: String?) {
        (self.program, self.lookups, self.family, self.site, self.handler) = (program, lookups, family, site, handler)
    }

    /// Whether a method of the class surely acquires; of several of a name the one that the call, if there is one, names in full.
    mutating func acquires(inMethod name: String, of type: TypeID, by call: Call? = nil, depth: Int) -> Bool {
        guard depth < 4 else { return false }
        let methods = lookups.members(named: name, on: type).filter { program[$0].kind == .function && !program[$0].isStatic }
        let meant = methods.filter { program[$0].fullName == call?.fullName }
        for id in meant.isEmpty ? methods : meant where seen.insert(id).inserted {
            if let body = program[id].body, acquires(in: body.block, of: type, file: id.declaration.file, depth: depth) { return true }
        }
        return false
    }

    /// Whether a block acquires before it may end.
    mutating func acquires(in block: Block, of type: TypeID, file: Int, depth: Int) -> Bool {
        for statement in block {
            if let call = statement.call {
                if acquires(call, statement, file) { return true }
                switch call.callee {
                case .name(let name), .member(.selfObject, let name): if acquires(inMethod: name, of: type, by: call, depth: depth + 1) { return true }
                default: break
                }
            }
            if statement.mayReturn { return false }
        }
        return false
    }

    private func acquires(_ call: Call, _ statement: Statement, _ file: Int) -> Bool {
        guard let name = call.fullName, family.acquire.contains(where: { $0.isRearmed && $0.isCalled(name) }) else { return false }
        if let handler {
            return call.handlers.contains(handler)
        }
        return file == site.file && statement.span == site.span
    }
}
