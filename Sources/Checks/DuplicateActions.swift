import Findings
import ProgramModel
import SourceText

extension Check {
    /// Controls of which two handlers do the same work for one event.
    static let duplicateActions = Check(rules: ["duplicate_target_action"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        var told: Set<SourceSpan> = []
        return input.members(inFile: file).flatMap { DuplicateActions(input: input, file: file, member: $0).findings() }.filter { told.insert($0.span).inserted }
    }
}

/// What one member gives to controls.
private struct DuplicateActions {
    let input: CheckInput
    let file: Int
    let member: MemberOccurrence

    private var program: Program { input.program }

    /// A handler of a control.
    private struct Registration {
        /// The control as the text names it.
        let control: String
        let events: Set<String>
        let work: HandlerWork
        /// The method; nil for a closure.
        let method: MemberID?
        /// Where code gives it; nil where a storyboard does.
        let span: SourceSpan?
    }

    func findings() -> [Finding] {
        guard program[member.owner].kind == .class else { return [] }
        return member.facts.bodies.flatMap { _, body -> [Finding] in
            guard mentionsActions(body) else { return [] }
            let context = member.context(of: body)
            return runs(of: body.block, context).flatMap(pairs)
        }
    }

    private func mentionsActions(_ body: Body) -> Bool {
        var found = false
        body.block.forEachStatement { if let name = $0.call?.callee.baseName, name == "addTarget" || name == "addAction" { found = true } }
        return found
    }

    private func pairs(_ run: [Registration]) -> [Finding] {
        var found: [Finding] = []
        for (index, second) in run.enumerated() {
            guard let span = second.span, !isTakenBack(second.control) else { continue }
            for first in connected(to: second.control) + run[..<index] where first.control == second.control && first.work == second.work {
                guard let event = first.events.intersection(second.events).min() else { continue }
                let name = Self.shown(second.control)
                if let method = first.method, method == second.method {
                    // UIKit sends what is given twice in code once, and what a nib gave as well.
                    guard first.span == nil else { continue }
                    var finding = input.finding(
                        "duplicate_target_action",
                        "the storyboard or xib sends '\(program[method].baseName)' for '\(event)' of '\(name)' already, so this call is redundant and changes nothing: remove one of the two",
                        at: span, in: file, type: member.typeName, member: member.facts.fullName)
                    finding.severity = .note
                    found.append(finding)
                } else {
                    let title = second.method.map { "'\(program[$0].baseName)'" } ?? "this action"
                    let other = first.method.map { "'\(program[$0].baseName)'" } ?? "an action before it"
                    found.append(input.finding(
                        "duplicate_target_action",
                        "\(title) does the same as \(other), and '\(name)' sends both for '\(event)', so each event does the work twice: remove one of the two",
                        at: span, in: file, type: member.typeName, member: member.facts.fullName))
                }
                break
            }
        }
        return found
    }

    /// The name of a control without the number of the local.
    private static func shown(_ control: String) -> String { String(control.prefix { $0 != "#" }) }

    // MARK: What code gives

    /// The registrations that are made together, one list for each block.
    private func runs(of block: Block, _ context: BodyContext) -> [[Registration]] {
        var own: [Registration] = []
        var others: [[Registration]] = []
        func collect(_ block: Block) {
            for statement in block {
                switch statement.kind {
                case .call(let call):
                    if let found = registration(call, at: statement.span, context) { own.append(found) }
                case .write(let place, _):
                    // Another control has the name from here on.
                    if let name = ConditionAtom.name(of: place, in: context) { own.removeAll { $0.control == name || $0.control.hasPrefix("\(name).") } }
                case .branch(let clauses, let then, let otherwise) where clauses.allSatisfy({ if case .isPresent = $0.test { true } else { false } }):
                    // An optional chain: what stands in it runs with what stands around it.
                    for clause in clauses { collect(clause.setup) }
                    collect(then)
                    others += runs(of: otherwise, context)
                case .scope(let block, _): collect(block)
                default: for inner in statement.innerBlocks(enteringClosures: true) { others += runs(of: inner, context) }
                }
            }
        }
        collect(block)
        return [own] + others
    }

    private func registration(_ call: Call, at span: SourceSpan, _ context: BodyContext) -> Registration? {
        guard case .member(let receiver, let name) = call.callee, let last = call.arguments.last, last.label == "for" || last.label == "forControlEvents",
              let events = context.controlEvents(last.value), !events.isEmpty, let control = ConditionAtom.text(of: receiver, in: context), let first = call.arguments.first?.value else { return nil }
        switch name {
        case "addTarget":
            guard call.arguments.count == 3, context.isSelf(first), case .constant(.selector(let selector)) = call.arguments[1].value, let method = method(selector),
                  let work = HandlerWork(of: method, on: member.owner, program) else { return nil }
            return Registration(control: control, events: events, work: work, method: method, span: span)
        case "addAction":
            guard let closure = closure(of: first, context), let work = HandlerWork(of: closure, in: context, on: member.owner, program) else { return nil }
            return Registration(control: control, events: events, work: work, method: nil, span: span)
        default: return nil
        }
    }

    /// The handler of an action that is made for this call and has no identifier: one of the same identifier takes the place of the first.
    private func closure(of operand: Operand, _ context: BodyContext) -> Closure? {
        guard case .register(let register) = operand, case .call(let call)? = context.definition(of: register)?.kind, !call.arguments.contains(where: { $0.label == "identifier" }) else { return nil }
        switch call.callee {
        case .initializer(let type) where type.name == "UIAction": break
        case .member(.type(let type), let name) where type.name == "UIAction" && (name == "init" || name == "actionWithHandler"): break
        default: return nil
        }
        return call.arguments.lazy.compactMap { argument -> Closure? in
            guard case .register(let value) = argument.value, case .closure(_, let closure)? = context.definition(of: value)?.kind else { return nil }
            return closure
        }.first
    }

    /// The only method of the class that a selector, as `#selector` writes it, can mean.
    private func method(_ selector: String) -> MemberID? {
        guard !selector.hasPrefix("getter:"), !selector.hasPrefix("setter:") else { return nil }
        let name = selector.prefix { $0 != "(" }
        let path = name.split(separator: ".")
        guard let base = path.last.map(String.init), path.count == 1 || ["self", "Self", program[member.owner].name].contains(path.dropLast().joined(separator: ".")) else { return nil }
        let functions = program.members(named: base, on: member.owner).filter { program[$0].kind == .function }
        let exact = selector.contains("(") ? functions.filter { program[$0].fullName == base + selector.dropFirst(name.count) } : functions
        // A subclass may give it other work.
        guard exact.count == 1, input.subclasses(of: member.owner).allSatisfy({ program[$0].membersByName[base] == nil }) else { return nil }
        return exact[0]
    }

    /// Whether code of the class takes handlers from the control.
    private func isTakenBack(_ control: String) -> Bool {
        input.family(of: member.owner).contains { type in
            program.members(of: type).contains { id in
                program[id].bodies.contains { _, body in
                    var found = false
                    var context: BodyContext?
                    body.block.forEachStatement { statement in
                        guard let call = statement.call, let name = call.callee.baseName, name == "removeTarget" || name.hasPrefix("removeAction") else { return }
                        guard case .member(let receiver, _) = call.callee else { return found = true }
                        let known = context ?? program.context(of: body, in: id, as: type)
                        context = known
                        let text = ConditionAtom.text(of: receiver, in: known)
                        if text == nil || text?.contains("#") == true || text == control { found = true }
                    }
                    return found
                }
            }
        }
    }

    // MARK: What storyboards and xibs connect

    /// The actions that every scene of the class connects from the control to it.
    private func connected(to control: String) -> [Registration] {
        let scenes = program.interfaceObjects(of: member.owner).map { id -> Set<Link> in
            let facts = program.resources.interfaces[id.interface].facts
            let outlets = Set(program[id].connections.compactMap { $0.kind == .outlet(control) ? $0.destination : nil })
            return Set(facts.objects.filter { outlets.contains($0.id) }.flatMap(\.connections).compactMap { connection in
                guard case .action(let selector, let event?) = connection.kind, connection.destination == program[id].id else { return nil }
                return Link(selector: selector, event: event)
            })
        }
        guard let first = scenes.first, program[member.owner].hasAmbiguousExtensions == false else { return [] }
        return scenes.dropFirst().reduce(first) { $0.intersection($1) }.sorted { ($0.selector, $0.event) < ($1.selector, $1.event) }.compactMap { link in
            let methods = program.chain(of: member.owner).flatMap { program.members(of: $0) }.filter { program[$0].selector == link.selector && program[$0].kind == .function }
            guard let method = methods.first, let work = HandlerWork(of: method, on: member.owner, program) else { return nil }
            return Registration(control: control, events: [link.event], work: work, method: method, span: nil)
        }
    }

    /// An action of a control as a nib writes it.
    private struct Link: Hashable {
        let selector: String
        let event: String
    }
}
