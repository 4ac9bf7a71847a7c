import Findings
import ProgramModel
import SourceText

extension Check {
    /// Destinations of segues that are taken for what the storyboard does not show, and segues that no storyboard has.
    static let assumedDestinations = Check(rules: ["segue_destination_assumed"]) { input, file in
        guard input.program.resources.areInterfacesWhole, !input.program.resources.interfaces.isEmpty else { return [] }
        return input.bodies(inFile: file).flatMap { place -> [Finding] in
            guard let search = DestinationSearch(input: input, file: file, place: place) else { return [] }
            return search.casts() + search.unknownSegues()
        }
    }
}

/// The search in one body of a controller of a storyboard.
private struct DestinationSearch {
    let input: CheckInput
    let file: Int
    let place: BodyOccurrence
    /// The segues that leave the scenes of the class and of its subclasses.
    private let segues: [(segue: InterfaceConnection.Segue, destination: InterfaceObjectID?)]

    /// Nil for a class that is in no storyboard, or that a subclass or another class of the name may stand for.
    init?(input: CheckInput, file: Int, place: BodyOccurrence) {
        let program = input.program
        var isConcerned = false
        place.body.block.forEachStatement { statement in
            switch statement.kind {
            case .read(_, .member(_, let name)): if Self.destinations.contains(name) { isConcerned = true }
            case .call(let call): if let name = call.callee.baseName, Self.performing.contains(name) { isConcerned = true }
            default: break
            }
        }
        guard isConcerned, input.isWhollyLinked(place.member.owner) else { return nil }
        let family = input.family(of: place.member.owner)
        let objects = family.flatMap { program.interfaceObjects(of: $0) }.filter { program.resources.interfaces[$0.interface].facts.kind == .storyboard }
        guard objects.contains(where: { program[$0].isSceneController }) else { return nil }
        var segues: [(InterfaceConnection.Segue, InterfaceObjectID?)] = []
        for id in objects where program[id].isSceneController {
            for object in program.resources.interfaces[id.interface].facts.objects where object.scene == program[id].scene {
                for connection in object.connections {
                    if let segue = connection.segue { segues.append((segue, program.destination(of: connection, in: id.interface))) }
                }
            }
        }
        (self.input, self.file, self.place, self.segues) = (input, file, place, segues)
    }

    private static let destinations: Set<String> = ["destination", "destinationViewController"]
    private static let performing: Set<String> = ["performSegue", "performSegueWithIdentifier"]

    private func finding(_ message: String, at span: SourceSpan) -> Finding {
        input.finding("segue_destination_assumed", message, at: span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
    }

    // MARK: Casts

    func casts() -> [Finding] {
        guard place.member.facts.baseName == "prepare" else { return [] }
        var found: [Finding] = []
        walk(place.body.block, identifiers: nil, &found)
        return found
    }

    /// Goes through a block that runs for segues of these identifiers only; nil where that is not known.
    private func walk(_ block: Block, identifiers known: Set<String>?, _ found: inout [Finding]) {
        var identifiers = known
        for statement in block {
            switch statement.kind {
            case .compute(_, .forcedCast(let type), let operands): found += cast(operands.first, to: type, at: statement, identifiers).map { [$0] } ?? []
            case .compute(_, .coercion(let type), let operands):
                // In Objective-C the cast itself says nothing, but the messages reach the wrong object.
                if input.program.files[file].facts.language == .objectiveC { found += cast(operands.first, to: type, at: statement, identifiers).map { [$0] } ?? [] }
            case .branch(let clauses, let then, let otherwise):
                for clause in clauses { walk(clause.setup, identifiers: identifiers, &found) }
                walk(then, identifiers: clauses.lazy.compactMap(identifier).first ?? identifiers, &found)
                walk(otherwise, identifiers: nil, &found)
                // What comes after a guard runs where that holds.
                if case .exit? = otherwise.last?.kind, let asked = clauses.lazy.compactMap(identifier).first { identifiers = asked }
            case .select(let subject, let cases, _):
                for one in cases { walk(one.body, identifiers: isIdentifier(subject) ? alternatives(of: one) : nil, &found) }
            case .scope(let inner, _): walk(inner, identifiers: identifiers, &found)
            default: for inner in statement.innerBlocks(enteringClosures: true) { walk(inner, identifiers: nil, &found) }
            }
        }
    }

    /// The class that the storyboard shows where code casts to another.
    private func cast(_ operand: Operand?, to type: TypeReference, at statement: Statement, _ identifiers: Set<String>?) -> Finding? {
        guard let operand, isDestination(operand), let identifiers, case .project(let types) = input.program.resolve(type.unwrapped, in: place.context.scope), types.count == 1,
              input.program[types[0]].kind == .class else { return nil }
        let meant = segues.filter { $0.segue.identifier.map(identifiers.contains) ?? false }
        guard !meant.isEmpty else { return nil }
        let shown = meant.map { name(of: $0.destination, ifNot: types[0]) }
        guard let first = shown[0], shown.allSatisfy({ $0 == first }), let identifier = meant[0].segue.identifier else { return nil }
        let way = first == "UINavigationController" ? "take the 'topViewController' of the navigation controller" : "cast to what it is"
        let harm = input.program.files[file].facts.language == .objectiveC ? "its messages raise an exception" : "this cast ends the app"
        return finding("the segue '\(identifier)' leads to '\(first)' in the storyboard and not to '\(input.program[types[0]].name)', so \(harm); \(way)", at: statement.span)
    }

    /// The name of the class of a scene that cannot be of the type; nil where it may.
    private func name(of destination: InterfaceObjectID?, ifNot type: TypeID) -> String? {
        guard let destination else { return nil }
        let object = input.program[destination]
        guard !object.isPlaceholder else { return nil }
        if let custom = object.customClass {
            let classes = input.program.classes(namedInInterface: custom)
            guard classes.count == 1, case .platform = input.program.ancestry(of: classes[0]).root, !input.program.chain(of: classes[0]).contains(type) else { return nil }
            return custom
        }
        return Self.controllers[object.element]
    }

    /// The classes of scenes without a class of their own; a class of the project is none of them.
    private static let controllers = [
        "navigationController": "UINavigationController", "tabBarController": "UITabBarController", "splitViewController": "UISplitViewController",
        "viewController": "UIViewController", "tableViewController": "UITableViewController", "collectionViewController": "UICollectionViewController",
        "pageViewController": "UIPageViewController",
    ]

    private func isDestination(_ operand: Operand) -> Bool {
        guard case .register(let register) = operand else { return false }
        switch place.context.definition(of: register)?.kind {
        case .read(_, .member(let base, let name)): return Self.destinations.contains(name) && isSegue(base)
        case .read(_, .local(let local)): return place.context.value(of: local).map(isDestination) ?? false
        default: return false
        }
    }

    /// Whether the operand is the segue that the body is given.
    private func isSegue(_ operand: Operand) -> Bool {
        guard case .register(let register) = operand, case .read(_, .local(let local))? = place.context.definition(of: register)?.kind else { return false }
        return place.body.parameters.first == local
    }

    private func isIdentifier(_ operand: Operand) -> Bool {
        guard case .register(let register) = operand else { return false }
        switch place.context.definition(of: register)?.kind {
        case .read(_, .member(let base, "identifier")): return isSegue(base)
        case .compute(_, .forceUnwrap, let operands): return operands.first.map(isIdentifier) ?? false
        case .read(_, .local(let local)): return place.context.value(of: local).map(isIdentifier) ?? false
        default: return false
        }
    }

    /// The identifiers that a case names; nil where it may be taken for others.
    private func alternatives(of one: SelectCase) -> Set<String>? {
        var names: Set<String> = []
        for item in one.items {
            guard case .value(.constant(.string(let name))) = item.pattern.inner else { return nil }
            names.insert(name)
        }
        return names.isEmpty ? nil : names
    }

    /// The identifier that a clause asks for.
    private func identifier(_ clause: Clause) -> Set<String>? {
        guard case .isTrue(.register(let register)) = clause.test, let statement = place.context.definition(of: register) else { return nil }
        func name(_ operands: [Operand]) -> Set<String>? {
            guard operands.count == 2, operands.contains(where: isIdentifier) else { return nil }
            return operands.lazy.compactMap { if case .constant(.string(let text)) = $0 { [text] } else { nil } }.first
        }
        switch statement.kind {
        case .compute(_, .symbol("=="), let operands): return name(operands)
        case .call(let call):
            guard case .member(let receiver, let method) = call.callee, ["isEqualToString", "isEqual"].contains(method) else { return nil }
            return name([receiver] + call.arguments.map(\.value))
        default: return nil
        }
    }

    // MARK: Segues that are performed

    /// Constant identifiers that no segue of the scenes has.
    func unknownSegues() -> [Finding] {
        guard place.member.facts.isStatic == false else { return [] }
        var found: [Finding] = []
        place.body.block.forEachStatement { statement in
            guard let call = statement.call, let name = call.callee.baseName, Self.performing.contains(name), isOnSelf(call),
                  case .constant(.string(let identifier))? = call.arguments.first?.value, !segues.contains(where: { $0.segue.identifier == identifier }),
                  !isMadeElsewhere else { return }
            found.append(finding(
                "no segue that leaves the scene of '\(place.member.typeName)' has the identifier '\(identifier)', so performing it raises an exception; name the segue in the storyboard or use the identifier that it has",
                at: statement.span))
        }
        return found
    }

    private func isOnSelf(_ call: Call) -> Bool {
        switch call.callee {
        case .name, .member(.selfObject, _): true
        default: false
        }
    }

    /// Whether the class also lives outside its scenes, or performs segues in a way of its own.
    private var isMadeElsewhere: Bool {
        input.program.members(named: "performSegue", on: place.member.owner).contains { input.program[$0].kind == .function }
            || input.family(of: place.member.owner).contains { input.names.constructions[input.program[$0].name] != nil }
    }
}

extension Pattern {
    /// The pattern for the value, where one asks first whether there is any.
    fileprivate var inner: Pattern {
        if case .present(let inner) = self { inner } else { self }
    }
}
