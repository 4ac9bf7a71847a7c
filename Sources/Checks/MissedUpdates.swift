import Findings
import ProgramModel

extension Check {
    /// Screens that follow a value only while they are shown and do not read it again when they come back.
    static let missedUpdates = Check(rules: ["missed_updates_while_hidden"]) { input, file in
        input.observations(inFile: file).compactMap { one in MissedUpdate(input: input, one: one)?.finding(in: file) }
    }
}

/// A registration on appear of a controller.
private struct MissedUpdate {
    private let input: CheckInput
    private let one: PlacedObservation
    private let handler: MemberID
    private let title: String

    private var program: Program { input.program }
    private var owner: TypeID { one.place.member.owner }

    private static let appearing: Set<String> = ["viewWillAppear(_:)", "viewIsAppearing(_:)", "viewDidAppear(_:)", "viewWillAppear()", "viewDidAppear()"]
    private static let disappearing: Set<String> = ["viewWillDisappear", "viewDidDisappear"]

    init?(input: CheckInput, one: PlacedObservation) {
        // What the system tells are events, such as the keyboard's: they are over when the screen comes back.
        guard case .own = one.name, Self.appearing.contains(one.place.member.facts.fullName), let name = one.observation.handler,
              ["UIViewController", "NSViewController"].contains(where: { input.program.isType(one.place.member.owner, kindOf: $0) }) else { return nil }
        let functions = input.program.members(named: name, on: one.place.member.owner).filter { input.program[$0].kind == .function && input.program[$0].body != nil && !input.program[$0].isPartial }
        guard functions.count == 1 else { return nil }
        (self.input, self.one, handler, title) = (input, one, functions[0], name)
    }

    /// What some code of the class shows, and which of its functions it runs.
    private struct Effects {
        var shown: Set<String> = []
        var called: Set<String> = []
        var read: Set<String> = []
        var isUnclear = false
    }

    func finding(in file: Int) -> Finding? {
        let told = effects(of: [handler])
        guard !told.isUnclear, let shown = told.shown.min(), removesOnDisappear else { return nil }
        let events = program.chain(of: owner).flatMap { program.members(of: $0) }.filter { Self.appearing.contains(program[$0].fullName) }
        let appears = effects(of: events)
        guard !appears.isUnclear, appears.shown.isDisjoint(with: told.shown), appears.called.isDisjoint(with: told.called.union([title])), appears.read.isDisjoint(with: told.read) else { return nil }
        return input.finding(
            "missed_updates_while_hidden",
            "'\(title)' sets '\(shown)' when it is told of a change, and it is told only while this screen is shown: what changes in between is not seen after the return; call '\(title)' or its refresh here as well",
            at: one.statement.span, in: file, type: one.place.member.typeName, member: one.place.member.facts.fullName)
    }

    private func effects(of members: [MemberID]) -> Effects {
        var found = Effects()
        for id in members {
            guard let body = program[id].body, !program[id].isPartial else {
                found.isUnclear = true
                continue
            }
            EventCode(input: input, type: owner, entersLaterClosures: true).visit(body, file: id.declaration.file, typeName: program[id.declaration].name) { step in
                found.called.formUnion(step.callers)
                switch step.statement.kind {
                case .write(.member(let base, let property), let value):
                    guard let view = view(base, step.context) else { return }
                    found.shown.insert("\(view).\(property)")
                    // What it shows must be read from the object, not from the notification.
                    found.read.formUnion(EventCode(input: input, type: owner).names(of: value, step.context).filter(isModel))
                case .call(let call):
                    guard let name = call.callee.baseName else {
                        found.isUnclear = true
                        return
                    }
                    found.called.insert(name)
                case .opaque: found.isUnclear = true
                default: break
                }
            }
        }
        // Code that shows nothing of the object's own is an event.
        if found.read.isEmpty { found.shown = members == [handler] ? [] : found.shown }
        return found
    }

    /// A property of self that is no view.
    private func isModel(_ name: String) -> Bool {
        program.members(named: name, on: owner).contains { program[$0].kind == .property }
    }

    /// The view of self whose property is written.
    private func view(_ operand: Operand, _ context: BodyContext) -> String? {
        guard case .register(let register) = operand, let statement = context.definition(of: register) else { return nil }
        switch statement.kind {
        case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)):
            guard let type = input.inference.type(of: operand, in: context), !type.isMetatype, case .platform(let known) = input.inference.resolve(type),
                  ["UIView", "NSView"].contains(where: { program.platform.isClass(known, kindOf: $0) }) else { return nil }
            return name
        case .read(_, .local(let local)): return context.value(of: local).flatMap { view($0, context) }
        case .compute(_, .forceUnwrap, let operands): return operands.first.flatMap { view($0, context) }
        default: return nil
        }
    }

    private var removesOnDisappear: Bool {
        program.chain(of: owner).flatMap { program.members(of: $0) }.contains { id in
            guard Self.disappearing.contains(program[id].baseName), let body = program[id].body else { return false }
            var found = false
            EventCode(input: input, type: owner).visit(body, file: id.declaration.file, typeName: program[id.declaration].name) { step in
                if step.statement.call?.callee.baseName == "removeObserver" { found = true }
            }
            return found
        }
    }
}
