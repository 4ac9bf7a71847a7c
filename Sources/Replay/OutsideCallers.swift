import ProgramModel
import RuleLibrary
import SourceText

/// What code outside a class can do to its objects: which of its methods nobody inside calls, and which releases only they reach.
struct OutsideCallers {
    /// A call that releases, with the ways to it.
    private struct Release {
        let span: SourceSpan
        let file: Int
        let families: Set<String>
        /// The methods from which it is reached and that no code of the class calls.
        let entries: Set<String>
    }

    private let releases: [Release]
    /// Methods with code about resources that nothing inside the class calls and Cocoa's automaton does not either.
    let methods: [String]

    init(program: Program, library: RuleLibrary, type: TypeID, automaton: Automaton, slice: ResourceSlice) {
        var callers: [String: Set<String>] = [:]
        var members: [(id: MemberID, base: String)] = []
        for link in [type] + program.ancestry(of: type).projectTypes {
            for id in program.members(of: link) {
                members.append((id, program[id].baseName))
                for (_, body) in program[id].bodies {
                    body.block.forEachStatement { statement in
                        switch statement.call?.callee {
                        case .name(let name), .member(_, let name), .superMember(let name): callers[name, default: []].insert(program[id].baseName)
                        default: break
                        }
                    }
                }
            }
        }
        func entries(to base: String) -> Set<String> {
            var seen: Set<String> = [base]
            var pending = [base]
            var found: Set<String> = []
            while let name = pending.popLast() {
                let above = (callers[name] ?? []).subtracting([name])
                if above.isEmpty { found.insert(name) }
                for caller in above where seen.insert(caller).inserted { pending.append(caller) }
            }
            return found
        }
        var releases: [Release] = []
        for (id, base) in members {
            for (_, body) in program[id].bodies {
                body.block.forEachStatement { statement in
                    guard let name = statement.call?.fullName else { return }
                    let families = Set(library.families.filter { family in family.release.contains { $0.names.contains(name) } }.map(\.name))
                    if !families.isEmpty {
                        releases.append(Release(span: statement.span, file: id.declaration.file, families: families, entries: entries(to: base)))
                    }
                }
            }
        }
        self.releases = releases
        let ofAutomaton = Set(automaton.transitions.flatMap(\.calls))
        var methods: [String] = []
        for (id, base) in members where program.owners(of: id.declaration).contains(type) {
            let member = program[id]
            guard member.kind == .function, !member.isStatic, member.body != nil, (callers[base] ?? []).subtracting([base]).isEmpty,
                  slice.isTouched(member.fullName), !ofAutomaton.contains(member.fullName), !methods.contains(member.fullName) else { continue }
            methods.append(member.fullName)
        }
        self.methods = methods
    }

    /// Whether somebody outside can release what a run left: a release that did not run and that more than `deinit` leads to.
    func canRelease(_ family: String, besides ran: Set<Site>) -> Bool {
        releases.contains { release in
            release.families.contains(family) && !release.entries.subtracting(["deinit"]).isEmpty
                && !ran.contains { $0.file == release.file && $0.span == release.span }
        }
    }

    /// Whether only the end of the object would release the family.
    func isReleasedInDeinit(_ family: String) -> Bool {
        releases.contains { $0.families.contains(family) && $0.entries.contains("deinit") }
    }
}
