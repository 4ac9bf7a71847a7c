import Findings
import ProgramModel
import RuleLibrary

extension Replay {
    /// What runs of the giver show of a circle; nil where they do not show it.
    public func reproduction(of circle: DelegateCircle) -> Finding? {
        if circle.endsForSure, lifetimes.lastAsLongAsTheApp(circle.giver) || !lifetimes.isKnownToEnd(circle.giver) { return nil }
        let lookups = Lookups(program)
        let (nodes, names) = code(about: circle)
        let slice = ClassSlice(of: circle.giver, in: program, names: ResourceNames([ResourceFamily]()), library: library, lookups: lookups, isOfClosures: false, touching: names)
        let automaton = automaton(of: circle.giver)
        let runs = ClassRuns(replay: self, type: circle.giver, automaton: automaton, lookups: lookups, slice: slice, circle: (circle, relevance.of(nodes)))
        let lives = wholeLives(automaton, slice)
        guard let life = lives.first else { return nil }
        var study = ReplayStudy()
        var checkpoints = Checkpoints()
        var defects = Defects(library: library)
        defects.add(runs.explore(life, &study, &checkpoints))
        let outside = runs.outside.methods(besides: study.covered, slice: slice, automaton: automaton, relevance)
        for sequence in withOutsideCalls(outside, in: lives, automaton, slice) { defects.add(runs.explore(sequence, &study, &checkpoints)) }
        return defects.findings(on: circle.giver, in: program).first { $0.status != .unconfirmed }
    }

    /// The code of both classes that makes, gives or takes away what the circle is made of, and the full names of the giver's members with it.
    private func code(about circle: DelegateCircle) -> (nodes: Set<CodeNode>, members: Set<String>) {
        let properties = Set((circle.keepers.union([circle.property])).flatMap { [$0, "_\($0)"] })
        let receivers = Set(program.chain(of: circle.receiver).map { ProgramType.shortName(of: program[$0].name) })
        func isAbout(_ body: Body) -> Bool {
            body.block.containsStatement { statement in
                switch statement.kind {
                case .write(let place, _): place.propertyName.map(properties.contains) ?? false
                case .call(let call): if case .initializer(let type) = call.callee { receivers.contains(ProgramType.shortName(of: type.name)) } else { false }
                default: false
                }
            }
        }
        var nodes: Set<CodeNode> = Set(receivers.map(CodeNode.making))
        var members: Set<String> = []
        for link in program.chain(of: circle.giver) + program.chain(of: circle.receiver) {
            for id in program.members(of: link) where program[id].bodies.contains(where: { isAbout($0.body) }) {
                nodes.insert(program[id].isPartOfMaking ? .making(ProgramType.shortName(of: program[link].name)) : .member(id))
                members.insert(program[id].fullName)
            }
        }
        return (nodes, members)
    }
}

extension Machine {
    /// Objects whose property holds what leads back to them, when nothing else keeps them and no code that did not run ends that.
    mutating func watch(_ circle: DelegateCircle) {
        let references = StrongReferences(of: self)
        let reached = references.reached(from: roots(owner: .null).map(\.node))
        for index in world.objects.indices {
            let id = ObjectID(index: index)
            guard case .project(let type) = world[id].kind, !world[id].isFreed, program.chain(of: type).contains(circle.receiver), !reached.contains(.object(id)),
                  let field = [circle.property, "_\(circle.property)"].first(where: { world[id].fields[$0] != nil }), !world[id].weakFields.contains(field),
                  case .object(let target)? = world[id].fields[field], let back = target == id ? [.object(id)] : path(from: [.object(target)], to: .object(id)),
                  let found = property(circle.property, of: type) else { continue }
            let way = [.object(id)] + back
            guard !mayBeBroken(way) else { continue }
            var violation = Violation(
                rule: "strong_delegate", family: "", state: "circle", site: Site(file: found.file, span: found.member.nameSpan, member: circle.property, type: circle.receiver), detail: "", related: [])
            violation.steps = [LogEntry(event: event, site: world[id].writes[field] ?? violation.site, note: "the owner lets go, and the circle keeps itself alive: \(titles(of: way))")]
            add(violation)
        }
    }
}
