import Findings
import ProgramModel
import RuleLibrary

extension Check {
    /// Animations that stay on a layer when they are done, and hold as their delegate the object that has the layer.
    static let keptAnimations = Check(rules: ["strong_delegate"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.bodies(inFile: file).flatMap { KeptAnimations(input: input, file: file, place: $0)?.findings() ?? [] }
    }
}

/// The search in one body that makes itself the delegate of animations.  (CAAnimation page, `delegate`: the animation holds its delegate;
/// `isRemovedOnCompletion`: one that is not removed stays on the layer.)
private struct KeptAnimations {
    private let input: CheckInput
    private let file: Int
    private let place: BodyOccurrence

    private static let lasting: Set<String> = ["isRemovedOnCompletion", "removedOnCompletion"]
    private static let removals: Set<String> = ["removeAllAnimations", "removeAnimation", "removeAnimationForKey"]

    init?(input: CheckInput, file: Int, place: BodyOccurrence) {
        guard !place.member.facts.isStatic, !place.member.facts.isPartial, input.program[place.member.owner].kind == .class, !input.lifetimes.lastAsLongAsTheApp(place.member.owner),
              place.body.block.containsStatement({ if case .write(.member(_, let name), .constant(.boolean(false))) = $0.kind { Self.lasting.contains(name) } else { false } }) else { return nil }
        (self.input, self.file, self.place) = (input, file, place)
    }

    func findings() -> [Finding] {
        guard !isRemoved else { return [] }
        var delegates: [LocalID: Statement] = [:]
        var stays: Set<LocalID> = []
        var added: Set<LocalID> = []
        place.body.block.forEachStatement(enteringClosures: false) { statement in
            switch statement.kind {
            case .write(.member(let base, "delegate"), let value): if place.context.isSelf(value), let local = local(base) { delegates[local] = statement }
            case .write(.member(let base, let name), .constant(.boolean(false))): if Self.lasting.contains(name), let local = local(base) { stays.insert(local) }
            default:
                guard let call = statement.call, case .member(let layer, let name) = call.callee, ["add", "addAnimation"].contains(name), call.arguments.last?.label == "forKey",
                      isOwnLayer(layer), let first = call.arguments.first, let local = local(first.value) else { return }
                added.insert(local)
            }
        }
        return delegates.filter { stays.contains($0.key) && added.contains($0.key) }.sorted { $0.key.index < $1.key.index }.map { _, statement in
            input.finding(
                "strong_delegate",
                "the animation holds its delegate, and stays on the layer when it is done: so '\(place.member.typeName)' and its layer keep each other, and neither is ever freed; "
                    + "remove the animation in 'animationDidStop', or let it be removed on completion",
                at: statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
        }
    }

    /// Whether code of the class takes animations off a layer while the object lives.
    private var isRemoved: Bool {
        let program = input.program
        return program.chain(of: place.member.owner).flatMap(program.members).contains { id in
            program[id].kind != .deinitializer && program[id].baseName != "dealloc" && program[id].bodies.contains { !$0.body.block.calledNames.isDisjoint(with: Self.removals) }
        }
    }

    private func local(_ operand: Operand) -> LocalID? {
        guard case .register(let register) = operand, case .read(_, .local(let local))? = place.context.definition(of: register)?.kind else { return nil }
        return local
    }

    /// Whether a layer is one that the object has, or that of one of its views.
    private func isOwnLayer(_ operand: Operand) -> Bool {
        guard case .register(let register) = operand, case .read(_, let source)? = place.context.definition(of: register)?.kind else { return false }
        switch source {
        case .name, .member(.selfObject, _): return true
        case .member(let view, "layer"): return isOwnLayer(view)
        default: return false
        }
    }
}
