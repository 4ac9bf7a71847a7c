import Findings
import ProgramModel

extension Check {
    /// Properties whose first value nothing shows, for only their observer does and it does not run then.
    static let unseenFirstValues = Check(rules: ["didset_skipped_at_start"]) { input, file in
        guard input.program.files[file].facts.language == .swift, !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).compactMap { UnseenFirstValue(input: input, file: file, member: $0)?.finding() }
    }
}

/// A property of a screen or a view with a first value and an observer.
private struct UnseenFirstValue {
    private let input: CheckInput
    private let file: Int
    private let member: MemberOccurrence
    private let observer: Body

    private var program: Program { input.program }
    private var name: String { member.facts.baseName }

    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        let facts = member.facts
        guard facts.kind == .property, facts.isStored, !facts.isStatic, !facts.isConstant, !facts.isPartial, !facts.isOutlet, facts.attributes.isEmpty, !facts.modifiers.contains("lazy"),
              let observer = facts.accessors?.didSet, facts.accessors?.willSet == nil, let initial = facts.body, Self.isTelling(initial),
              ["UIViewController", "NSViewController"].contains(where: { input.program.isType(member.owner, kindOf: $0) }) else { return nil }
        (self.input, self.file, self.member, self.observer) = (input, file, member, observer)
    }

    /// Whether a first value is one that an empty screen does not show anyway.
    private static func isTelling(_ body: Body) -> Bool {
        guard case .exit(.returns(.constant(let value)))? = body.block.last?.kind else { return false }
        switch value {
        case .string(let text): return !text.isEmpty
        case .integer(let number): return number != 0
        case .number: return true
        case .boolean, .null, .void, .selector, .keyPath, .implicitMember, .availability, .literalMacro: return false
        }
    }

    private static let starts: Set<String> = [
        "viewDidLoad", "loadView", "awakeFromNib", "viewWillAppear", "viewIsAppearing", "viewDidAppear", "viewWillLayoutSubviews", "viewDidLayoutSubviews", "updateViewConstraints",
        "viewDidLayout", "viewWillLayout", "updateProperties", "didMove", "willMove", "init",
    ]

    func finding() -> Finding? {
        var helpers: Set<String> = []
        var shown: (view: String, property: String)?
        var isPlain = true
        walk(observer, file: file) { step in
            helpers.formUnion(step.callers)
            if let target = target(of: step), shown == nil { shown = target }
            if case .opaque = step.statement.kind { isPlain = false }
        }
        guard isPlain, let shown, !isShownAtStart(shown, helpers), !isSetFromOutside else { return nil }
        return input.finding(
            "didset_skipped_at_start",
            "'\(shown.view).\(shown.property)' follows '\(name)' only in this property's 'didSet', which does not run for the first value: the screen starts without it; show it in 'viewDidLoad' as well",
            at: member.facts.nameSpan, in: file, type: member.typeName, member: member.facts.fullName)
    }

    private func walk(_ body: Body, file: Int, _ visit: (EventCode.Step) -> Void) {
        EventCode(input: input, type: member.owner, entersLaterClosures: true).visit(body, file: file, typeName: member.typeName, visit)
    }

    /// The outlet whose property a step sets, and the property.
    private func target(of step: EventCode.Step) -> (view: String, property: String)? {
        guard case .write(.member(.register(let base), let property), let value) = step.statement.kind, ["text", "title", "stringValue", "attributedText"].contains(property),
              let view = outlet(base, step.context), isValue(value, step.context) else { return nil }
        return (view, property)
    }

    /// Whether what is written is computed from the property itself.
    private func isValue(_ operand: Operand, _ context: BodyContext) -> Bool {
        EventCode(input: input, type: member.owner).names(of: operand, context).contains(name)
    }

    private func outlet(_ register: Register, _ context: BodyContext, depth: Int = 0) -> String? {
        guard depth < 5, let statement = context.definition(of: register) else { return nil }
        switch statement.kind {
        case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)):
            return program.members(named: name, on: member.owner).contains { program[$0].isOutlet } ? name : nil
        case .read(_, .local(let local)):
            guard case .register(let inner)? = context.value(of: local) else { return nil }
            return outlet(inner, context, depth: depth + 1)
        case .compute(_, .forceUnwrap, let operands):
            guard case .register(let inner)? = operands.first else { return nil }
            return outlet(inner, context, depth: depth + 1)
        default: return nil
        }
    }

    /// Whether something that runs at the start reads or sets the property, sets what shows it, or calls what the observer calls.
    private func isShownAtStart(_ shown: (view: String, property: String), _ helpers: Set<String>) -> Bool {
        var isShown = false
        for id in program.chain(of: member.owner).flatMap({ program.members(of: $0) }) where id != member.id {
            let facts = program[id]
            if facts.isPartial { return true }
            let isObserved = facts.kind == .property && facts.isOutlet
            guard isObserved || Self.starts.contains(facts.baseName) || facts.kind == .initializer else { continue }
            for (_, body) in facts.bodies {
                walk(body, file: id.declaration.file) { step in
                    switch step.statement.kind {
                    case .read(_, .name(name)), .read(_, .member(_, name)), .write(.name(name), _), .write(.member(_, name), _): isShown = isShown || !isWrongSignature(facts)
                    case .write(.member(.register(let base), shown.property), _): if outlet(base, step.context) == shown.view { isShown = true }
                    case .call(let call): if let called = call.callee.baseName, helpers.contains(called) { isShown = true }
                    case .opaque: isShown = true
                    default: break
                    }
                }
            }
        }
        return isShown
    }

    /// A method that only looks like one that UIKit calls.
    private func isWrongSignature(_ facts: MemberFacts) -> Bool {
        facts.kind == .function && !facts.isOverride && facts.parameters.isEmpty && !["loadView", "viewDidLoad", "awakeFromNib"].contains(facts.baseName)
    }

    private var isSetFromOutside: Bool {
        input.writes[name].contains { place in
            if place.base == .selfObject { return Self.starts.contains(program[place.member].baseName) }
            // A segue is prepared before the view is loaded: the observer finds no outlet then.
            return program[place.member].fullName != "prepare(for:sender:)"
        }
    }
}
