import ProgramModel

/// Sequences of RxSwift and publishers of Combine, and whether they go on until somebody ends the subscription.
struct LastingSequences {
    let input: CheckInput
    let place: BodyOccurrence
    /// How many properties and functions of the project led here.
    var depth = 0

    private var program: Program { input.program }

    /// What never completes, RelayKit and RxCocoa documentation: relays have no way to, and what a control tells ends with the control.
    private static let lasting: Set<String> = ["BehaviorRelay", "PublishRelay", "ReplayRelay", "Variable", "ControlEvent", "ControlProperty"]
    /// What completes when somebody says so.
    private static let subjects: Set<String> = ["BehaviorSubject", "PublishSubject", "ReplaySubject", "PassthroughSubject", "CurrentValueSubject"]
    /// Publishers that Combine puts together from others, and that go on as long as one of those.
    private static let joined = ["CombineLatest", "CombineLatest3", "CombineLatest4", "Merge", "Merge3", "Merge4", "MergeMany"]
    /// Operators after which a sequence ends by itself.
    static let endings: Set<String> = [
        "prefix", "output", "last", "take", "takeUntil", "takeWhile", "first", "single", "elementAt", "element", "asSingle", "timeout", "concat", "toArray", "reduce", "asMaybe", "asCompletable", "ignoreElements", "amb",
    ]

    /// Whether a sequence goes on for good, nil where it ends by itself, and the closures that its operators were given.
    func read(_ sequence: Operand) -> (lasts: Bool?, operators: [Operand]) {
        var operators: [Operand] = []
        for link in place.context.chain(behind: sequence) {
            if let text = filledText(link.value) {
                let rest = read(text)
                return (rest.lasts, operators + rest.operators)
            }
            if isLasting(link.value) { return (true, operators) }
            if isEndedWhereItIsMade(link.value) { return (nil, operators) }
            switch SequenceOrigins(input: input, place: place, depth: depth).end(of: link.value) {
            case .never: return (true, operators)
            case .byItself: return (nil, operators)
            case .unknown: break
            }
            if let parts = joinedParts(link.value) { return (parts.contains { read($0).lasts == true }, operators) }
            guard let call = link.call, case .member(let receiver, let name) = call.callee else { break }
            if Self.endings.contains(name) { return (nil, operators) }
            operators += call.arguments.map(\.value)
            if case .type = receiver { return (["combineLatest", "merge"].contains(name) && parts(of: call).contains { read($0).lasts == true }, operators) }
        }
        return (false, operators)
    }

    /// The property of a control whose values are made texts: `field.rx.text.orEmpty`, which RxCocoa has as a property and not as a call.
    private func filledText(_ operand: Operand) -> Operand? {
        guard case .register(let register) = operand, case .read(_, .member(let text, "orEmpty"))? = place.context.definition(of: register)?.kind else { return nil }
        return text
    }

    /// When a sequence ends, as other code needs to know of it.
    func end(of sequence: Operand) -> SequenceOrigins.End {
        switch read(sequence).lasts {
        case true?: .never
        case nil: .byItself
        case false?: .unknown
        }
    }

    /// Whether it is a property of the object itself whose own code gives it an end: `lazy var values = { source.takeUntil(gone) }()`.
    private func isEndedWhereItIsMade(_ operand: Operand) -> Bool {
        guard case .register(let register) = operand, case .read(_, let source)? = place.context.definition(of: register)?.kind, let name = source.ownName else { return false }
        return program.members(named: name, on: place.member.owner).contains { id in
            program[id].kind == .property && program[id].bodies.contains { !$0.body.block.calledNames.isDisjoint(with: Self.endings) }
        }
    }

    /// What a sequence is put together from.
    private func parts(of call: Call) -> [Operand] {
        call.arguments.flatMap { argument -> [Operand] in
            guard case .register(let register) = argument.value, case .compute(_, .array, let elements)? = place.context.definition(of: register)?.kind else { return [argument.value] }
            return elements
        }
    }

    /// What `Publishers.CombineLatest(a, b)` and its like are made of.
    private func joinedParts(_ operand: Operand) -> [Operand]? {
        guard case .register(let register) = operand, let call = place.context.definition(of: register)?.call, case .initializer(let type) = call.callee,
              type.name.hasPrefix("Publishers."), Self.joined.contains(String(type.name.dropFirst("Publishers.".count))) else { return nil }
        return call.arguments.map(\.value)
    }

    private func isLasting(_ operand: Operand) -> Bool {
        if isOfControl(operand) || isOfFoundation(operand) || isOfReactor(operand) { return true }
        guard let type = input.inference.type(of: operand, in: place.context), !type.isMetatype else { return false }
        let name = type.reference.unwrapped.name.split(separator: ".").last.map(String.init) ?? ""
        return Self.lasting.contains(name) || Self.subjects.contains(name) && !mayComplete(operand)
    }

    /// Whether it is a published property, which goes on as long as its object, or what a notification centre, a timer or a key path tells,
    /// which never completes (Combine and Foundation documentation; RxSwift's, of `rx.notification`, `interval` and a timer with a period).
    private func isOfFoundation(_ operand: Operand) -> Bool {
        guard case .register(let register) = operand, let definition = place.context.definition(of: register) else { return false }
        switch definition.kind {
        case .read(_, .name(let name)), .read(_, .member(_, let name)): return name.hasPrefix("$")
        default: break
        }
        guard let call = definition.call, case .member(let receiver, let name) = call.callee else { return false }
        if name == "publisher" { return call.arguments.first?.label == "for" }
        if name == "notification", case .register(let reactive) = receiver, case .read(_, .member(_, "rx"))? = place.context.definition(of: reactive)?.kind { return true }
        guard case .type(let type) = receiver else { return false }
        return name == "publish" && type.name == "Timer" || type.name == "Observable" && (name == "interval" || name == "timer" && call.arguments.contains { $0.label == "period" })
    }

    /// Whether it is what a view, a recogniser or the object itself tells of itself: `button.rx.tap`, `rx.viewWillAppear`.
    private func isOfControl(_ operand: Operand) -> Bool {
        guard case .register(let register) = operand else { return false }
        let extended: Operand
        switch place.context.definition(of: register)?.kind {
        case .read(_, .member(let base, _))?: extended = base
        case .call(let call)?: if case .member(let base, let name) = call.callee, Self.events.contains(name) { extended = base } else { return false }
        default: return false
        }
        guard case .register(let reactive) = place.context.uncast(extended) else { return false }
        switch place.context.definition(of: reactive)?.kind {
        case .read(_, .name("rx"))?, .read(_, .member(.selfObject, "rx"))?: return program.isInterfaceObject(place.member.owner)
        case .read(_, .member(let control, "rx"))?: return isOfInterface(control)
        default: return false
        }
    }

    /// Whether it is what a reactor of ReactorKit tells of its state, which goes on as long as the reactor (its README).
    private func isOfReactor(_ operand: Operand) -> Bool {
        guard case .register(let register) = operand, let definition = place.context.definition(of: register) else { return false }
        let reactor: Operand
        switch definition.kind {
        case .read(_, .member(let base, "state")): reactor = base
        case .call(let call): if case .member(let base, "pulse") = call.callee { reactor = base } else { return false }
        default: return false
        }
        guard let type = input.inference.type(of: reactor, in: place.context), !type.isMetatype, case .project(let types) = input.inference.resolve(type) else { return false }
        return !types.isEmpty && types.allSatisfy { type in program.chain(of: type).contains { program[$0].conformances.contains { $0.name == "Reactor" } } }
    }

    /// What is asked of a control by a call: `rx.controlEvent(.valueChanged)`.
    private static let events: Set<String> = ["controlEvent", "modelSelected", "itemSelected", "methodInvoked", "sentMessage", "tapGesture"]

    private func isOfInterface(_ operand: Operand) -> Bool {
        guard let type = input.inference.type(of: operand, in: place.context), !type.isMetatype else { return false }
        let kinds = ["UIView", "UIBarItem", "UIGestureRecognizer", "UIViewController", "NSView"]
        return switch input.inference.resolve(type) {
        case .platform(let name): kinds.contains { program.platform.isClass(name, kindOf: $0) }
        case .project(let types): types.allSatisfy { type in kinds.contains { program.isType(type, kindOf: $0) } }
        case .unknown: false
        }
    }

    /// Whether code of the class, or of the one whose subject it is, completes a subject.
    private func mayComplete(_ operand: Operand) -> Bool {
        guard case .register(let register) = operand, case .read(_, let source)? = place.context.definition(of: register)?.kind else { return true }
        var types = [place.member.owner]
        if case .member(let base, _) = source, base != .selfObject {
            guard let type = input.inference.type(of: base, in: place.context), case .project(let classes) = input.inference.resolve(type) else { return true }
            types += classes
        }
        return types.flatMap { program.chain(of: $0) }.contains { link in
            program.members(of: link).contains { id in
                program[id].bodies.contains { _, body in body.block.containsStatement(Self.completes) }
            }
        }
    }

    /// Whether a statement tells subscribers that nothing more will come.
    private static func completes(_ statement: Statement) -> Bool {
        guard let call = statement.call, let name = call.callee.baseName else { return false }
        return ["onCompleted", "on"].contains(name) || name == "send" && call.arguments.first?.label == "completion"
    }
}
