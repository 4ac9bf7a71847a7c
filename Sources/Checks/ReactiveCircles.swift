import Findings
import ProgramModel

extension Check {
    /// Subscriptions of RxSwift that go on as long as their bag, in a bag of the object that their closure holds.
    static let reactiveCircles = Check(rules: ["closure_retains_controller"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.bodies(inFile: file).flatMap { ReactiveCircles(input: input, file: file, place: $0).findings() }
    }
}

/// The search in one body.
private struct ReactiveCircles {
    let input: CheckInput
    let file: Int
    let place: BodyOccurrence

    private var program: Program { input.program }
    private var owner: TypeID { place.member.owner }

    /// What follows a sequence that does not end by itself, RxSwift's traits documentation: drivers and signals cannot fail, and a
    /// binding is one to the interface.  A plain `subscribe` may well be one to a request, which ends.
    private static let lasting: Set<String> = ["drive", "emit", "bind"]

    /// What subscribes to any sequence.
    private static let subscribing: Set<String> = ["subscribe", "drive", "emit", "bind"]

    func findings() -> [Finding] {
        guard program[owner].kind == .class, !place.member.facts.isStatic, !input.lifetimes.lastAsLongAsTheApp(owner) else { return [] }
        let sequences = LastingSequences(input: input, place: place)
        var found: [Finding] = []
        place.body.block.forEachStatement(enteringClosures: false) { statement in
            guard case .call(let disposal) = statement.kind, case .member(.register(let token), "disposed") = disposal.callee, disposal.arguments.first?.label == "by",
                  let bag = disposal.arguments.first?.value, isOwn(bag), let subscription = place.context.definition(of: token)?.call,
                  let name = subscription.callee.baseName, Self.subscribing.contains(name), case .member(let sequence, _) = subscription.callee else { return }
            let (lasts, operators) = sequences.read(sequence)
            guard let lasts, lasts || Self.lasting.contains(name) else { return }
            guard let made = (operators + subscription.arguments.map(\.value)).lazy.compactMap(holding).first else { return }
            found.append(input.finding(
                "closure_retains_controller", "this closure holds the '\(place.member.typeName)', whose own bag keeps the subscription and so the closure: neither is ever freed; capture 'self' weakly",
                at: made.span, in: file, type: place.member.typeName, member: place.member.facts.fullName))
        }
        return found
    }

    /// The statement that makes a closure which holds self, or takes a method of self as one.
    private func holding(_ operand: Operand) -> Statement? {
        guard case .register(let register) = operand, let made = place.context.definition(of: register) else { return nil }
        switch made.kind {
        case .closure(_, let closure): return place.holdsSelf(closure, in: program) ? made : nil
        case .read(_, .member(.selfObject, let name)), .read(_, .name(let name)):
            let members = program.members(named: name, on: owner).map { program[$0] }
            return !members.isEmpty && members.allSatisfy { $0.kind == .function && !$0.isStatic } ? made : nil
        default: return nil
        }
    }

    /// Whether the bag is one that the object keeps from its beginning to its end: a property of its own that nobody replaces, or the
    /// one that NSObject+Rx attaches to it.
    private func isOwn(_ bag: Operand) -> Bool {
        guard case .register(let register) = bag, case .read(_, let source)? = place.context.definition(of: register)?.kind else { return false }
        switch source {
        case .name(let name), .member(.selfObject, let name):
            let members = program.members(named: name, on: owner).map { program[$0] }
            return !members.isEmpty && members.allSatisfy { $0.isStored && !$0.isStatic } && input.places(writing: name, of: owner).isEmpty
        case .member(let extended, "disposeBag"):
            guard case .register(let base) = extended else { return false }
            switch place.context.definition(of: base)?.kind {
            case .read(_, .name("rx")), .read(_, .member(.selfObject, "rx")): return true
            default: return false
            }
        default: return false
        }
    }
}
