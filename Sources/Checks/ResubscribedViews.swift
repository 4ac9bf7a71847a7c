import Findings
import ProgramModel
import RuleLibrary

extension Check {
    /// Subscriptions to what a cell publishes that are made each time the cell is used again and kept where nobody ends them.
    static let resubscribedViews = Check(rules: ["repeated_setup"]) { input, file in
        guard let knowledge = input.library.geometry, !input.program.files[file].isTest else { return [] }
        return input.bodies(inFile: file).compactMap { ResubscribedViews(input: input, knowledge, file: file, place: $0)?.finding() }
    }
}

/// The search in one body that gets cells, headers or other views that a list uses again.
private struct ResubscribedViews {
    private let input: CheckInput
    private let file: Int
    private let place: BodyOccurrence
    private let views: ReusedViews

    private var program: Program { input.program }

    init?(input: CheckInput, _ knowledge: GeometryKnowledge, file: Int, place: BodyOccurrence) {
        guard let views = ReusedViews(in: place, knowledge) else { return nil }
        (self.input, self.file, self.place, self.views) = (input, file, place, views)
    }

    /// The first such subscription of the body: what one cell publishes is one mistake.
    func finding() -> Finding? {
        let open = views.openStatements
        var first: (statement: Statement, bag: String, isOfView: Bool)?
        place.body.block.forEachStatement { statement in
            guard first == nil, open.contains(statement.id), let (token, bag) = place.context.kept(by: statement), isPublishedByView(token), let (name, owners, isOfView) = owner(of: bag),
                  !owners.isEmpty, !owners.contains(where: { isEmptied(name, in: $0) }) else { return }
            first = (statement, name, isOfView)
        }
        guard let first else { return nil }
        let keeper = first.isOfView ? "'\(first.bag)' of the view" : "'\(first.bag)'"
        return input.finding(
            "repeated_setup",
            "each time the view is used again this subscribes to it once more, and \(keeper) keeps the subscriptions before: what the view sends is handled several times; "
                + "keep the token in the view and end it in 'prepareForReuse()'",
            at: first.statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
    }

    // MARK: What is kept, and where

    /// The bag's name with the classes whose property it is: those of this body's object, or of the view.
    private func owner(of bag: Place) -> (name: String, types: [TypeID], isOfView: Bool)? {
        switch bag {
        case .name(let name), .member(.selfObject, let name):
            guard isProperty(name, of: place.member.owner) else { return nil }
            return (name, [place.member.owner], false)
        case .member(let base, let name):
            guard views.reused.holds(base) else { return nil }
            let classes = views.classes(input)
            return classes.allSatisfy({ isProperty(name, of: $0) }) ? (name, classes, true) : nil
        default: return nil
        }
    }

    private func isProperty(_ name: String, of type: TypeID) -> Bool {
        program.members(named: name, on: type).contains { program[$0].kind == .property && program[$0].isStored && !program[$0].isStatic }
    }

    /// Whether some code puts another bag there or empties it.
    private func isEmptied(_ name: String, in type: TypeID) -> Bool { !input.places(writing: name, of: type).isEmpty || input.takesOut(of: name, of: type, isOfTokens: true) }

    // MARK: What is published

    /// Whether a subscription is one to something that belongs to the view itself and stays with it, whatever the view shows.
    private func isPublishedByView(_ token: Operand) -> Bool {
        var operand = token
        var path: [String] = []
        for _ in 0..<Self.longestChain {
            guard case .register(let register) = operand, let made = place.context.definition(of: register)?.kind else { return false }
            switch made {
            case .call(let call), .collection(_, let call):
                guard case .member(let base, _) = call.callee else { return false }
                // What a method of the view returns may be new each time.
                if views.reused.holds(base) { return false }
                operand = base
            case .read(_, .member(let base, let name)):
                if views.reused.holds(base) { return staysWithView(name) && path.allSatisfy { input.writes[$0].isEmpty } }
                path.append(name)
                operand = base
            default: return false
            }
        }
        return false
    }

    private static let longestChain = 24

    /// Whether a property of the view is what it was when it was first used.
    private func staysWithView(_ name: String) -> Bool {
        let classes = views.classes(input)
        if name == "rx" { return true }
        // The publisher of a published property is one whatever the property holds.
        if name.hasPrefix("$") { return classes.contains { isProperty(String(name.dropFirst()), of: $0) } }
        return !classes.isEmpty && classes.allSatisfy { isSteady(name, of: $0, depth: 0) }
    }

    private func isSteady(_ name: String, of type: TypeID, depth: Int) -> Bool {
        guard depth < 4 else { return false }
        let properties = program.members(named: name, on: type).map { program[$0] }.filter { $0.kind == .property }
        return !properties.isEmpty && properties.allSatisfy { property in
            if property.isStored { return property.isOutlet || property.isConstant || property.modifiers.contains("lazy") || input.places(writing: name, of: type).isEmpty && property.body != nil }
            // A publisher that is computed from what stays.
            guard let get = property.accessors?.get else { return false }
            return !get.block.containsStatement { statement in
                guard case .read(_, let source) = statement.kind, let inner = source.ownName, inner != "rx" else { return false }
                return !isSteady(inner, of: type, depth: depth + 1)
            }
        }
    }
}

extension BodyContext {
    /// The token of a subscription and the bag that a statement puts it into: `store(in: &bag)` of Combine, `disposed(by: bag)` of RxSwift.
    func kept(by statement: Statement) -> (token: Operand, bag: Place)? {
        switch statement.kind {
        case .collection(.store, let call):
            guard case .member(let token, _) = call.callee, let bag = call.arguments.first?.place else { return nil }
            return (token, bag)
        case .call(let call):
            guard case .member(let token, let name) = call.callee, let argument = call.arguments.first, name == "disposed" && argument.label == "by" || name == "addDisposableTo",
                  case .register(let register) = argument.value, case .read(_, let bag)? = definition(of: register)?.kind else { return nil }
            return (token, bag)
        default: return nil
        }
    }
}
