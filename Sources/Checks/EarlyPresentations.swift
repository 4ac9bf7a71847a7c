import Findings
import ProgramModel
import SourceText

extension Check {
    /// Presentations and segues of a controller whose view is in no window yet, or that come again with each appearance.
    static let earlyPresentations = Check(rules: ["presentation_before_window"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).flatMap { EarlyPresentations(input: input, file: file, member: $0).findings() }
    }
}

/// The presentations that one lifecycle method leads to.
private struct EarlyPresentations {
    let input: CheckInput
    let file: Int
    let member: MemberOccurrence

    private static let early: Set<String> = ["loadView()", "viewDidLoad()", "viewWillAppear(_:)"]
    private static let presenting: Set<String> = [
        "present(_:animated:)", "present(_:animated:completion:)", "performSegue(withIdentifier:sender:)", "performSegueWithIdentifier(_:sender:)",
    ]
    /// What tells whether the view is on screen, or whether something has been presented before.
    private static let askedForPlace: Set<String> = ["window", "isViewLoaded", "viewIfLoaded", "isOnScreen", "presentingViewController", "presentedViewController"]

    func findings() -> [Finding] {
        let program = input.program
        guard !member.facts.isPartial, program.isType(member.owner, kindOf: "UIViewController") else { return [] }
        let isEarly = member.facts.kind == .initializer || Self.early.contains(member.facts.fullName)
        guard isEarly || member.facts.fullName == "viewDidAppear(_:)" else { return [] }
        guard !isEarly || !mayBeContained else { return [] }
        var found: [Finding] = []
        EventCode(input: input, type: member.owner).visit(member, file: file) { step in
            guard let call = step.statement.call, let name = call.callee.baseName, isOnSelf(call), Self.presenting.contains(call.fullName ?? ""),
                  !program.members(named: name, on: member.owner).contains(where: { program[$0].fullName == call.fullName }) else { return }
            if isEarly {
                guard !step.isConditionalInCallee || isOnlyForEarly(step.callers), !pushes(call), step.asked.isDisjoint(with: Self.askedForPlace) else { return }
                found.append(early(name, step))
            } else if !step.isConditional {
                found.append(repeated(name, step))
            }
        }
        return found
    }

    private static let containers: Set<String> = ["navigationController", "tabBarController", "splitViewController", "parent", "parentViewController", "extensionContext", "didMove", "willMove"]
    private static let containing: Set<String> = ["pushViewController", "addChild", "show", "showDetailViewController", "showViewController", "setViewControllers", "setViewController"]

    /// Whether the controller may be in a container that is in a window already, for then UIKit presents from the container: what knows a
    /// container of its own, and what the project puts into one.  The host of an extension is a container, too.
    private var mayBeContained: Bool {
        let program = input.program
        let mentions = program.chain(of: member.owner).flatMap { program.members(of: $0) }.contains { id in
            Self.containers.contains(program[id].baseName) || program[id].bodies.contains { _, body in
                var found = false
                body.block.forEachStatement { statement in
                    if case .read(_, .name(let name)) = statement.kind, Self.containers.contains(name) { found = true }
                    if case .read(_, .member(.selfObject, let name)) = statement.kind, Self.containers.contains(name) { found = true }
                }
                return found
            }
        }
        return mentions || isPutIntoContainer
    }

    private var isPutIntoContainer: Bool {
        let program = input.program
        let name = program[member.owner].name.split(separator: ".").last.map(String.init) ?? ""
        return (input.names.constructions[name] ?? []).contains { place in
            let context = BodyContext(body: place.body, selfType: place.owner, scope: Scope(file: place.file, typeName: place.owner.map { program[$0].name } ?? ""), isStatic: false)
            var found = false
            place.body.block.forEachStatement { statement in
                guard let call = statement.call, Self.containing.contains(call.callee.baseName ?? ""), let first = call.arguments.first?.value else { return }
                guard let type = input.inference.type(of: first, in: context), let element = type.reference.element ?? Optional(type.reference) else { return }
                if case .project(let types) = program.resolve(element, in: type.scope), types.contains(member.owner) { found = true }
            }
            return found
        }
    }

    /// Whether a segue, wherever the class has one of the identifier, presents nothing: it goes on in a navigation controller, or is of a kind of its own.
    private func pushes(_ call: Call) -> Bool {
        guard call.callee.baseName?.hasPrefix("performSegue") == true, case .constant(.string(let identifier))? = call.arguments.first?.value else { return false }
        let program = input.program
        let kinds = ([member.owner] + input.subclasses(of: member.owner)).flatMap(program.interfaceObjects).flatMap { object in
            program[object].connections.compactMap(\.segue).filter { $0.identifier == identifier }.map { (object, $0.kind) }
        }
        return !kinds.isEmpty && kinds.allSatisfy { object, kind in
            switch kind {
            case "push", "custom", "embed", "unwind": true
            case "show": isInNavigation(object)
            default: false
            }
        }
    }

    /// Whether a navigation controller of the storyboard begins with a scene.
    private func isInNavigation(_ scene: InterfaceObjectID) -> Bool {
        let program = input.program
        return program.resources.interfaces.indices.contains { interface in
            program.resources.interfaces[interface].facts.objects.contains { object in
                object.connections.contains { connection in
                    guard connection.segue?.relationship == "rootViewController", let root = program.destination(of: connection, in: interface) else { return false }
                    return root == scene || program.target(ofReference: root) == scene
                }
            }
        }
    }

    /// Whether nothing but the beginning of a controller calls the first of these helpers, so that its conditions do not ask when it runs.
    private func isOnlyForEarly(_ helpers: [String]) -> Bool {
        let program = input.program
        guard let helper = helpers.first, let id = program.members(named: helper, on: member.owner).first, program[id].kind == .function else { return false }
        let chain = program.chain(of: member.owner) + input.subclasses(of: member.owner)
        return !program[id].isAction && chain.flatMap(program.members).allSatisfy { other in
            let facts = program[other]
            let isEarly = Self.early.contains(facts.fullName) || facts.kind == .initializer
            return facts.bodies.allSatisfy { _, body in
                !body.block.containsStatement { statement in
                    if case .read(_, let place) = statement.kind, place.ownName == helper { return true }
                    return statement.call.map { !isEarly && $0.callee.baseName == helper || $0.handlers.contains(helper) } ?? false
                }
            }
        }
    }

    private func isOnSelf(_ call: Call) -> Bool {
        switch call.callee {
        case .name, .member(.selfObject, _): true
        default: false
        }
    }

    private func early(_ name: String, _ step: EventCode.Step) -> Finding {
        let way = step.callers.first.map { "'\(name)', by '\($0)'," } ?? "'\(name)'"
        let event = member.facts.kind == .initializer ? "an initialiser" : "'\(member.facts.baseName)'"
        return finding("\(way) comes in \(event), when the view of '\(member.typeName)' is in no window yet, and UIKit drops it with a line in the log; do it in 'viewDidAppear'", step, .error)
    }

    private func repeated(_ name: String, _ step: EventCode.Step) -> Finding {
        finding("'\(name)' comes again each time '\(member.typeName)' appears, also when what it shows has just been closed; keep in a property that it was done", step, .note)
    }

    private func finding(_ message: String, _ step: EventCode.Step, _ severity: Severity) -> Finding {
        let path = input.program.files[step.file].path
        let trace = step.callers.isEmpty ? [] : [TraceStep(event: member.facts.baseName, path: path, line: step.statement.span.start.line, note: "by '\(step.callers.joined(separator: "', '"))'")]
        return Finding(
            rule: "presentation_before_window", severity: severity, message: message, path: input.program.files[file].path, span: step.entry,
            type: member.typeName, member: member.facts.fullName, trace: trace)
    }
}
