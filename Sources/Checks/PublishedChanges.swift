import Findings
import ProgramModel
import SourceText

extension Check {
    /// What a model publishes to views of SwiftUI, set by `async` code that belongs to no actor: it runs on threads of the cooperative pool.
    static let publishedChanges = Check(rules: ["ui_off_main"]) { input, file in
        input.bodies(inFile: file).compactMap { place in
            guard !place.member.facts.isStatic, place.belongsToNoActor(input), !ViewUses.asksForThread(place.body) else { return nil }
            guard let change = PublishedChanges(input: input, place: place).first else { return nil }
            return input.finding(
                "ui_off_main",
                "'\(change.property)', which views of SwiftUI observe, is set off the main thread, for \(change.reason), and only the main thread may publish to views; mark the code '@MainActor', or set it in 'MainActor.run'",
                at: change.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
        }
    }
}

extension MemberOccurrence {
    /// Whether the extension that the member stands in belongs to a global actor.
    fileprivate func isOfActor(in program: Program) -> Bool { program[id.declaration].attributes.contains(where: \.namesActor) }
}

extension BodyOccurrence {
    /// Whether it is the body of a method or initialiser that no actor runs, so that its tasks run on threads of the cooperative pool.
    func belongsToNoActor(_ input: CheckInput) -> Bool {
        (member.facts.kind == .function || member.facts.kind == .initializer) && !member.facts.isIsolated && !member.isOfActor(in: input.program) && !input.models.belongsToActor(member.owner)
    }
}

/// The search in one body of a class that no actor runs.
private struct PublishedChanges {
    let input: CheckInput
    let place: BodyOccurrence

    struct Change {
        let property: String
        let reason: String
        let span: SourceSpan
    }

    /// The first change that async code makes.
    var first: Change? {
        let facts = place.member.facts
        if facts.kind == .function, facts.modifiers.contains("async") {
            return change(in: place.body.block, "'\(facts.baseName)' is async and belongs to no actor")
        }
        var found: Change?
        place.body.block.forEachStatement(enteringClosures: false) { statement in
            guard found == nil, let call = statement.call, call.makesTask else { return }
            for case .register(let register) in call.arguments.map(\.value) {
                guard case .closure(_, let closure)? = place.context.definition(of: register)?.kind, !closure.attributes.contains(where: { $0.hasSuffix("Actor") }) else { continue }
                found = found ?? change(in: closure.block, "a task of '\(facts.baseName)', which belongs to no actor, runs on no thread in particular")
            }
        }
        return found
    }

    /// The first change in a block; what its closures do is done elsewhere.
    private func change(in block: Block, _ reason: String) -> Change? {
        for statement in block {
            if case .write(let written, _) = statement.kind, let property = published(written) { return Change(property: property, reason: reason, span: statement.span) }
            for inner in statement.innerBlocks(enteringClosures: false) { if let found = change(in: inner, reason) { return found } }
        }
        return nil
    }

    private func published(_ written: Place) -> String? {
        let name: String
        switch written {
        case .name(let own), .member(.selfObject, let own): name = own
        case .member(.register(let register), let own):
            // `self` that a task holds weakly.
            guard case .read(_, .local(let local))? = place.context.definition(of: register)?.kind, place.body[local].name == "self" else { return nil }
            name = own
        default: return nil
        }
        return input.models.publishes(name, of: place.member.owner) ? name : nil
    }
}
