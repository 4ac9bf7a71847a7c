import Findings
import ProgramModel

extension Check {
    /// Subscriptions that go on as long as their bag, in a bag of the object that a closure of theirs holds: all of RxSwift's, and of
    /// Combine's those whose operators hold it, for what a `sink` holds the runs show.
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
        var found: [Finding] = []
        place.body.block.forEachStatement(enteringClosures: false) { statement in
            guard let disposal = statement.call, let (subscriptions, bag) = kept(by: disposal) else { return }
            let closures = subscriptions.flatMap { subscription -> [Operand] in disposal.callee.baseName == "store" ? closuresOfOperators(subscription) : closuresOfRxSwift(subscription) }
            guard !closures.isEmpty, isOwn(bag), let made = closures.lazy.compactMap(holding).first else { return }
            found.append(input.finding(
                "closure_retains_controller", "this closure holds the '\(place.member.typeName)', whose own bag keeps the subscription and so the closure: neither is ever freed; capture 'self' weakly",
                at: made.span, in: file, type: place.member.typeName, member: place.member.facts.fullName))
        }
        return found
    }

    /// The subscriptions that a call puts into a bag, and the bag: `subscription.disposed(by: bag)`, `bag.insert(subscription)`.
    private func kept(by disposal: Call) -> (subscriptions: [Call], bag: Argument)? {
        guard case .member(let receiver, let name) = disposal.callee else { return nil }
        func subscription(_ operand: Operand) -> Call? { if case .register(let token) = operand { place.context.definition(of: token)?.call } else { nil } }
        switch (name, disposal.arguments.first?.label) {
        // Before RxSwift 4 the first was called as the third.
        case ("disposed", "by"), ("store", "in"), ("addDisposableTo", nil): return subscription(receiver).flatMap { one in disposal.arguments.first.map { ([one], $0) } }
        case ("insert", nil):
            guard input.inference.type(of: receiver, in: place.context)?.reference.unwrapped.name == "DisposeBag" else { return nil }
            return (disposal.arguments.compactMap { subscription($0.value) }, Argument(label: nil, value: receiver))
        default: return nil
        }
    }

    /// The closures that a subscription of RxSwift keeps as long as its bag.
    private func closuresOfRxSwift(_ subscription: Call) -> [Operand] {
        guard let name = subscription.callee.baseName, Self.subscribing.contains(name), case .member(let sequence, _) = subscription.callee else { return [] }
        let (lasts, operators) = LastingSequences(input: input, place: place).read(sequence)
        guard let lasts, lasts || Self.lasting.contains(name) else { return [] }
        return operators + subscription.arguments.map(\.value)
    }

    /// The closures of the operators before a `sink` of Combine that goes on for good, unless the `sink` itself holds the object.
    private func closuresOfOperators(_ subscription: Call) -> [Operand] {
        guard case .member(let publisher, "sink") = subscription.callee, subscription.arguments.allSatisfy({ holding($0.value) == nil }) else { return [] }
        let (lasts, operators) = LastingSequences(input: input, place: place).read(publisher)
        return lasts == true ? operators : []
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
    private func isOwn(_ bag: Argument) -> Bool {
        let read: Place? = if case .register(let register) = bag.value, case .read(_, let source)? = place.context.definition(of: register)?.kind { source } else { nil }
        switch bag.place ?? read {
        case .name(let name), .member(.selfObject, let name):
            let members = program.members(named: name, on: owner).map { program[$0] }
            return !members.isEmpty && members.allSatisfy { $0.isStored && !$0.isStatic } && input.places(writing: name, of: owner).isEmpty && !input.empties(name, of: owner)
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
