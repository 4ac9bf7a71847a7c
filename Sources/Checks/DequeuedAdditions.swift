import Findings
import ProgramModel
import RuleLibrary

extension Check {
    /// Views, layers and recognisers that are made and added each time a cell is used again.
    static let dequeuedAdditions = Check(rules: ["repeated_setup"]) { input, file in
        guard let knowledge = input.library.geometry, !input.program.files[file].isTest else { return [] }
        return input.bodies(inFile: file).flatMap { place in
            DequeuedAdditions(input: input, knowledge: knowledge, file: file, place: place)?.findings() ?? []
        }
    }
}

/// The search in one body that gets cells, headers or other views that a list uses again.
private struct DequeuedAdditions {
    private let input: CheckInput
    private let knowledge: GeometryKnowledge
    private let file: Int
    private let place: BodyOccurrence
    private let views: ReusedViews

    private var program: Program { input.program }

    init?(input: CheckInput, knowledge: GeometryKnowledge, file: Int, place: BodyOccurrence) {
        (self.input, self.knowledge, self.file, self.place) = (input, knowledge, file, place)
        guard let views = ReusedViews(in: place), !place.body.block.containsStatement({ $0.call?.callee.baseName.map(knowledge.removes.contains) ?? false }) else { return nil }
        self.views = views
        guard !isEmptied else { return nil }
    }

    /// Whether the class of the view takes something away, before the next use or at its own time, or its owner does when it has gone.
    private var isEmptied: Bool {
        func takesAway(_ id: MemberID) -> Bool {
            program[id].bodies.contains { $0.body.block.containsStatement { $0.call?.callee.baseName.map(knowledge.removes.contains) ?? false } }
        }
        return views.classes(input).contains { program.chain(of: $0).contains { program.members(of: $0).contains(where: takesAway) } }
            || program.chain(of: place.member.owner).contains { type in program.members(of: type).contains { program[$0].fullName.contains("didEndDisplaying") && takesAway($0) } }
    }

    // MARK: Additions

    func findings() -> [Finding] {
        let open = views.openStatements
        return place.madeObjects { _ in true }.compactMap { object in
            // What somebody keeps, somebody may take away.
            guard !object.uses.isMixed, !object.uses.all.contains(where: { if case .kept = $0.use { true } else { false } }) else { return nil }
            for (use, statement) in object.uses.all {
                guard case .given(let call, let argument) = use, call.arguments.first == argument, case .member(let base, let name) = call.callee,
                      knowledge.adds.contains(name), views.isDerived(base), open.contains(statement.id), open.contains(object.statement.id) else { continue }
                return input.finding(
                    "repeated_setup",
                    "a new '\(object.type.name)' is added each time the view is used again, and those before stay on it; add it once, in the class of the view, or take the old one away first",
                    at: statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
            }
            return nil
        }
    }
}
