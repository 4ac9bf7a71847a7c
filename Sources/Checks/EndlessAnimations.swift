import Findings
import ProgramModel
import SourceText

extension Check {
    /// Animations without an end that are started once, when the view is loaded.
    static let endlessAnimations = Check(rules: ["animation_unbalanced"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).flatMap { EndlessAnimations(input: input, file: file, member: $0)?.findings() ?? [] }
    }
}

/// The endless animations that one `viewDidLoad` starts.
private struct EndlessAnimations {
    private let input: CheckInput
    private let file: Int
    private let member: MemberOccurrence

    private var program: Program { input.program }

    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        guard member.facts.fullName == "viewDidLoad()", !member.facts.isPartial, input.program.isType(member.owner, kindOf: "UIViewController") else { return nil }
        (self.input, self.file, self.member) = (input, file, member)
    }

    func findings() -> [Finding] {
        var steps: [EventCode.Step] = []
        EventCode(input: input, type: member.owner).visit(member, file: file) { step in
            if !step.isConditional, isEndless(step.statement, step.context) { steps.append(step) }
        }
        let places = Set(steps.map(\.statement.span))
        return steps.compactMap { step in
            guard !isStartedElsewhere(step, besides: places) else { return nil }
            let way = step.callers.first.map { "'\($0)' starts" } ?? "this starts"
            return input.finding(
                "animation_unbalanced",
                "\(way) an animation without end, once, when the view is loaded: it is dropped when the view leaves the window or the app goes to the background, and nothing starts it again; start it in 'viewWillAppear' and when the app comes to the foreground",
                at: step.entry, in: file, type: member.typeName, member: member.facts.fullName)
        }
    }

    /// Whether a statement starts an animation of views that repeats for ever.
    private func isEndless(_ statement: Statement, _ context: BodyContext) -> Bool {
        guard let call = statement.call else { return false }
        if addsEndlessly(call, context) { return true }
        guard case .member(.type(let type), let name) = call.callee, type.name == "UIView", name == "animate" || name == "animateKeyframes" || name.hasPrefix("animateWithDuration"),
              let options = call.arguments.first(where: { $0.label == "options" })?.value else { return false }
        return repeats(options, context, depth: 0)
    }

    /// Whether a call adds an animation to a layer that the body has told to repeat for ever, and that goes when it is interrupted.
    private func addsEndlessly(_ call: Call, _ context: BodyContext) -> Bool {
        guard ["add(_:forKey:)", "addAnimation(_:forKey:)"].contains(call.fullName), let added = local(in: call.arguments.first?.value, context) else { return false }
        var (isEndless, stays) = (false, false)
        context.body.block.forEachStatement { statement in
            guard case .write(.member(let receiver, let property), let value) = statement.kind, local(in: receiver, context) == added else { return }
            if property == "repeatCount" || property == "repeatDuration" { isEndless = Self.endless.contains(name(of: value, context) ?? "") }
            if ["isRemovedOnCompletion", "removedOnCompletion"].contains(property) { stays = value == .constant(.boolean(false)) }
        }
        return isEndless && !stays
    }

    private func local(in operand: Operand?, _ context: BodyContext) -> LocalID? {
        guard case .register(let register)? = operand, case .read(_, .local(let local))? = context.definition(of: register)?.kind else { return nil }
        return local
    }

    /// How numbers are written that no count reaches.
    private static let endless: Set<String> = ["infinity", "greatestFiniteMagnitude", "HUGE_VALF", "HUGE_VAL", "HUGE", "INFINITY", "MAXFLOAT", "FLT_MAX", "CGFLOAT_MAX", "__builtin_huge_valf", "__builtin_inff"]

    private func name(of value: Operand, _ context: BodyContext) -> String? {
        switch value {
        case .constant(.implicitMember(let name)): name
        case .register(let register):
            switch context.definition(of: register)?.kind {
            case .read(_, .member(.type, let name)), .read(_, .name(let name)): name
            case .call(let call): call.callee.baseName
            default: nil
            }
        default: nil
        }
    }

    private func repeats(_ operand: Operand, _ context: BodyContext, depth: Int) -> Bool {
        func isRepeat(_ name: String) -> Bool { ["repeat", "UIViewAnimationOptionRepeat"].contains(name) }
        guard depth < 6 else { return false }
        switch operand {
        case .constant(.implicitMember(let name)): return isRepeat(name)
        case .register(let register):
            switch context.definition(of: register)?.kind {
            case .read(_, .member(.type, let name)), .read(_, .name(let name)): return isRepeat(name)
            case .read(_, .local(let local)): return context.value(of: local).map { repeats($0, context, depth: depth + 1) } ?? false
            case .compute(_, .array, let operands), .compute(_, .symbol("|"), let operands): return operands.contains { repeats($0, context, depth: depth + 1) }
            default: return false
            }
        default: return false
        }
    }

    /// Whether the class starts another endless animation, or the functions that lead to this one are called by more than the loading.
    private func isStartedElsewhere(_ step: EventCode.Step, besides places: Set<SourceSpan>) -> Bool {
        let callers = Set(step.callers)
        // A selector or a reference may lead there as well.
        if !input.names.called.isDisjoint(with: callers) { return true }
        for type in program.chain(of: member.owner) {
            for id in program.members(of: type) {
                for (_, body) in program[id].bodies {
                    let context = program.context(of: body, in: id, as: type)
                    var found = false
                    body.block.forEachStatement { if isEndless($0, context), !places.contains($0.span) { found = true } }
                    if found { return true }
                }
            }
        }
        for one in program.files where !one.isTest {
            for facts in one.facts.types.flatMap(\.members) where facts.span != member.facts.span && !callers.contains(facts.baseName) {
                for (_, body) in facts.bodies {
                    var found = false
                    body.block.forEachStatement { if let name = $0.call?.callee.baseName, callers.contains(name) { found = true } }
                    if found { return true }
                }
            }
        }
        return false
    }
}
