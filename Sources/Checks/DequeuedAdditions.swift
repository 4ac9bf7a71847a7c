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
        guard place.body.block.containsStatement({ $0.call?.callee.baseName.map { knowledge.addedTo[$0] != nil || !input.program.extensionFunctions(named: $0).isEmpty } ?? false }),
              let views = ReusedViews(in: place, knowledge, orUpdated: true, given: ReusedViews.parameters(givenTo: place, in: input.program, knowledge)), !place.body.block.containsStatement({ $0.call?.callee.baseName.map(knowledge.removes.contains) ?? false }) else { return nil }
        self.views = views
        guard !isEmptied, !isEmptiedByFunctions else { return nil }
    }

    /// Whether the class of the view takes something away, before the next use or at its own time, or its owner does when it has gone.
    private var isEmptied: Bool {
        func takesAway(_ id: MemberID) -> Bool {
            program[id].bodies.contains { $0.body.block.containsStatement { $0.call?.callee.baseName.map(knowledge.removes.contains) ?? false } }
        }
        return views.classes(input).contains { program.chain(of: $0).contains { program.members(of: $0).contains(where: takesAway) } }
            || program.chain(of: place.member.owner).contains { type in program.members(of: type).contains { program[$0].fullName.contains("didEndDisplaying") && takesAway($0) } }
    }

    /// Whether the body calls a function of its class, or one that the project adds to the view's, which takes something away.
    private var isEmptiedByFunctions: Bool {
        place.body.block.calledNames.contains { name in
            (program.extensionFunctions(named: name) + program.members(named: name, on: place.member.owner)).contains { id in
                program[id].body?.block.containsStatement { $0.call?.callee.baseName.map(knowledge.removes.contains) ?? false } ?? false
            }
        }
    }

    /// Whether code on the way to a statement sets a list of what is on the view anew: `cell.gestureRecognizers = nil`.
    private func isEmptied(before statement: Statement, in block: Block) -> Bool {
        guard let place = block.firstIndex(where: { $0.id == statement.id || $0.innerBlocks(enteringClosures: true).contains { $0.containsStatement { $0.id == statement.id } } }) else { return false }
        let isSet = block[..<place].contains { earlier in
            guard case .write(.member(let base, let name), _) = earlier.kind else { return false }
            return knowledge.listedBy[name] != nil && views.isDerived(base)
        }
        return isSet || block[place].innerBlocks(enteringClosures: true).contains { isEmptied(before: statement, in: $0) }
    }

    private var again: String { views.isUpdated ? "SwiftUI updates the view" : "the view is used again" }
    private var home: String { views.isUpdated ? "'\(place.member.facts.baseName.replacing("update", with: "make", maxReplacements: 1))'" : "the class of the view" }

    // MARK: Additions

    func findings() -> [Finding] { madeHere() + madeByExtensions() }

    private func madeHere() -> [Finding] {
        let open = views.openStatements
        return (place.madeObjects { _ in true } + place.objectsMadeByFunctions(program, knowledge)).compactMap { object in
            // An action takes the place of the one of its identifier.
            guard !object.call.hasIdentifier else { return nil }
            // What somebody keeps, somebody may take away.
            guard !object.uses.isMixed, !object.uses.all.contains(where: { if case .kept = $0.use { true } else { false } }) else { return nil }
            for (use, statement) in object.uses.all {
                guard case .given(let call, let argument) = use, call.arguments.first == argument, case .member(let base, let name) = call.callee,
                      knowledge.addedTo[name] != nil, views.isDerived(base), open.contains(statement.id), open.contains(object.statement.id), !isEmptied(before: statement, in: place.body.block) else { continue }
                return input.finding(
                    "repeated_setup",
                    "a new '\(object.type.name)' is added each time \(again), and those before stay on it; add it once, in \(home), or take the old one away first",
                    at: statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
            }
            return nil
        }
    }

    /// What functions of extensions make and add, which code calls on the view or a part of it.
    private func madeByExtensions() -> [Finding] {
        let open = views.openStatements
        var found: [Finding] = []
        place.body.block.forEachStatement(enteringClosures: false) { statement in
            guard let call = statement.call, open.contains(statement.id), case .member(let base, let name) = call.callee, views.isDerived(base) else { return }
            let functions = program.extensionFunctions(named: name).filter { !program[$0].isStatic && program[$0].accepts(call) }
            guard !functions.isEmpty, functions.allSatisfy({ ExtensionAdditions(program, knowledge, $0)?.addsEachTime ?? false }) else { return }
            found.append(input.finding(
                "repeated_setup",
                "'\(name)' adds a new object each time \(again), and those before stay on it; call it once, in \(home), or take the old one away first",
                at: statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName))
        }
        return found
    }
}

/// What a function of an extension of a view's class makes and adds to the view.
private struct ExtensionAdditions {
    private let program: Program
    private let knowledge: GeometryKnowledge
    private let context: BodyContext

    private var block: Block { context.body.block }

    init?(_ program: Program, _ knowledge: GeometryKnowledge, _ id: MemberID) {
        guard let body = program[id].body else { return nil }
        (self.program, self.knowledge) = (program, knowledge)
        context = BodyContext(body: body, selfType: program.owners(of: id.declaration).first, scope: Scope(file: id.declaration.file, typeName: program[id.declaration].name), isStatic: false)
    }

    /// Whether each call adds another object, whatever the view has on it.
    var addsEachTime: Bool {
        guard !replaces else { return false }
        for statement in block {
            // What leaves before that may have found the one that is there.
            if case .branch(_, let then, let otherwise) = statement.kind, then.lastExit != nil || otherwise.lastExit != nil { return false }
            if let call = statement.call, adds(call) { return true }
        }
        return false
    }

    /// Whether the function takes something away, or sets the list of what is there.
    private var replaces: Bool {
        block.containsStatement { statement in
            if case .write(let place, _) = statement.kind, ["gestureRecognizers", "sublayers", "interactions"].contains(place.propertyName ?? "") { return true }
            return statement.call?.callee.baseName.map { knowledge.removes.contains($0) || $0.hasPrefix("remove") } ?? false
        }
    }

    private func adds(_ call: Call) -> Bool {
        guard isOwn(call.callee), let name = call.callee.baseName, let first = call.arguments.first?.value, let made = made(first) else { return false }
        if knowledge.addedTo[name] != nil { return true }
        // A control holds its target weakly: it calls those that something keeps under a key of their own.
        guard name == "addTarget", case .initializer(let type) = made.callee else { return false }
        let makers = program.types.filter { $0.shortName == ProgramType.shortName(of: type.name) }.flatMap { program.members(of: $0.id) }.filter { program[$0].kind == .initializer }
        return ([block] + makers.compactMap { program[$0].body?.block }).contains { !$0.calledNames.isDisjoint(with: Self.chances) }
    }

    private static let chances: Set<String> = ["arc4random", "arc4random_uniform", "UUID", "random"]

    /// Whether a call is one of the view or of its layer.
    private func isOwn(_ callee: Callee) -> Bool {
        switch callee {
        case .name, .member(.selfObject, _): true
        case .member(.register(let register), _): if case .read(_, let place)? = context.definition(of: register)?.kind { place.ownName == "layer" } else { false }
        default: false
        }
    }

    /// The call that makes the object which a value is, where the function itself makes it.
    private func made(_ value: Operand) -> Call? {
        guard case .register(let register) = value, let definition = context.definition(of: register) else { return nil }
        switch definition.kind {
        case .read(_, .local(let local)): return context.value(of: local).flatMap(made)
        case .call(let call): return if case .initializer = call.callee { call } else { nil }
        default: return nil
        }
    }
}
