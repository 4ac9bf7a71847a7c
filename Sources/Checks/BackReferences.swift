import Findings
import ProgramModel

extension Check {
    /// Properties that hold the view or controller which keeps their object and handed itself to it, to its initialiser or by the property.
    static let backReferences = Check(rules: ["strong_delegate"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).compactMap { BackReference(input: input, file: file, member: $0)?.finding() }
    }
}

/// A stored property that may hold who made its object.
private struct BackReference {
    let input: CheckInput
    let file: Int
    let member: MemberOccurrence

    private var program: Program { input.program }

    /// Nil for properties that hold nothing, or weakly, and for delegates, of which more is known.
    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        guard member.facts.holdsStrongly, !DelegateGifts.isDelegateName(member.facts.baseName), !member.facts.beginsWithObject,
              !input.program.isDeclaredWeak(member.facts.baseName, of: member.owner) else { return nil }
        (self.input, self.file, self.member) = (input, file, member)
    }

    func finding() -> Finding? {
        if let finding = findingOfParent() { return finding }
        let name = member.facts.baseName
        guard input.delegateGifts.namesToKept.contains(name), !program.countsByHand(member.owner), !input.clears(name, of: member.owner) else { return nil }
        let gifts = ([member.owner] + input.subclasses(of: member.owner)).flatMap { input.delegateGifts.toKept[$0] ?? [] }
        guard let (gift, run) = gifts.lazy.compactMap(reproduced).first, let keeper = gift.keepers.min() else { return nil }
        let (giver, own) = (program[gift.giver].name, program[member.owner].name)
        let place = gift.file == file ? "line \(gift.span.start.line)" : "\(program.files[gift.file].path):\(gift.span.start.line)"
        let finding = input.finding(
            "strong_delegate",
            "'\(name)' holds its object strongly, and '\(giver)', which keeps its '\(own)' in '\(keeper)', is handed to it (\(place)): neither is ever freed; make '\(name)' weak"
                // The table of a controller stays as long as that.
                + (program.members(named: keeper, on: gift.giver).isEmpty ? "" : ", or set '\(keeper)' to nil when the work is done"),
            at: member.facts.nameSpan, in: file, type: member.typeName, member: name)
        return run.map(finding.reproduced) ?? finding
    }

    /// A gift that closes a circle with the property, and the run that shows it, if one does.
    private func reproduced(_ gift: DelegateGifts.Gift) -> (gift: DelegateGifts.Gift, run: Finding?)? {
        guard gift.property == member.facts.baseName, !program.keepsOneForAll(gift.giver), !program.countsByHand(gift.giver),
              !gift.keepers.contains(where: { input.clears($0, of: gift.giver) || input.takesOut(of: $0, of: gift.giver) }),
              gift.keepers != [GiftSearch.subviews] || !leaves,
              !gift.keepers.isSubset(of: Self.ofContainers) || !letsChildrenGo(gift.giver) else { return nil }
        var circle = gift.circle
        // Others may be made once and live as long as the app, so that a circle costs nothing.
        circle.endsForSure = !program.isInterfaceObject(gift.giver) && !isShown && !isParent
        let run = input.reproduction(circle)
        return circle.endsForSure && run == nil ? nil : (gift, run)
    }

    /// The properties in which a controller of the SDK has its children.
    private static let ofContainers: Set<String> = ["children", "viewControllers"]

    /// Whether code of a controller takes some child away from its parent.
    private func letsChildrenGo(_ type: TypeID) -> Bool {
        program.chain(of: type).flatMap { program.members(of: $0) }.contains { id in
            program[id].bodies.contains { !$0.body.block.calledNames.isDisjoint(with: ["removeFromParent", "removeFromParentViewController"]) }
        }
    }

    /// A controller that keeps its parent, or a view that keeps what it lies in, by whom it is kept.
    private func findingOfParent() -> Finding? {
        let name = member.facts.baseName
        guard program.isInterfaceObject(member.owner), !program.countsByHand(member.owner), !input.clears(name, of: member.owner), let source = parentPut(into: name) else { return nil }
        return input.finding(
            "strong_delegate",
            "'\(name)' holds \(source) strongly, which keeps this '\(program[member.owner].name)': when that goes neither is freed; make '\(name)' weak",
            at: member.facts.nameSpan, in: file, type: member.typeName, member: name)
    }

    /// What the code of the class puts into a property of those that keep its objects, for people.
    private func parentPut(into name: String) -> String? {
        let functions = input.places(writing: name, of: member.owner).filter { $0.base == .selfObject }.lazy.compactMap { place in source(of: place.statement, in: place.body, of: place.member) }
        let initializers = program.members(of: member.owner).filter { program[$0].kind == .initializer }.lazy.compactMap { id -> String? in
            guard let body = program[id].body else { return nil }
            return body.block.lazy.compactMap { statement -> String? in
                guard case .write(let place, _) = statement.kind, place.ownName == name else { return nil }
                return source(of: statement, in: body, of: id)
            }.first
        }
        return functions.first ?? initializers.first
    }

    private func source(of statement: Statement, in body: Body, of writer: MemberID) -> String? {
        guard case .write(_, let value) = statement.kind else { return nil }
        let context = program.context(of: body, in: writer, as: member.owner)
        return Self.keeper(in: value, context, program[writer]) ?? (joins(value, context, by: ["addChild", "addChildViewController"]) ? "the controller whose child it makes itself" : nil)
            ?? (!leaves && joins(value, context, by: ["addSubview", "insertSubview"]) ? "the view around it" : nil)
    }

    /// Whether the class takes its object out of the view around it.
    private var leaves: Bool {
        program.chain(of: member.owner).flatMap { program.members(of: $0) }.contains { id in
            program[id].bodies.contains { $0.body.block.namesCalledOnSelf.contains("removeFromSuperview") }
        }
    }

    /// Whether a body makes its object a part of what it puts into the property: `parent.addChild(self)`.
    private func joins(_ value: Operand, _ context: BodyContext, by methods: Set<String>) -> Bool {
        guard case .register(let register) = context.uncast(value), case .read(_, .local(let parent))? = context.definition(of: register)?.kind else { return false }
        let name = member.facts.baseName
        return context.body.block.containsStatement { statement in
            guard let call = statement.call, case .member(.register(let receiver), let method) = call.callee, methods.contains(method),
                  call.arguments.first?.value == .selfObject, case .read(_, let source)? = context.definition(of: receiver)?.kind else { return false }
            return source == .local(parent) || source.ownName == name
        }
    }

    private static func keeper(in operand: Operand, _ context: BodyContext, _ member: MemberFacts) -> String? {
        guard case .register(let register) = context.uncast(operand) else { return nil }
        switch context.definition(of: register)?.kind {
        case .read(_, .name(let name))?, .read(_, .member(.selfObject, let name))?: return keepers[name]
        case .read(_, .local(let local))?:
            if let value = context.value(of: local) { return keeper(in: value, context, member) }
            return context.body.parameters.first == local ? joined[member.fullName] : nil
        default: return nil
        }
    }

    /// Whose properties lead to who keeps the object.
    private static let keepers = ["parent": "the parent controller", "parentViewController": "the parent controller", "superview": "the view around it"]
    /// What methods are told of who keeps the object from then on.
    private static let joined = [
        "didMove(toParent:)": "the parent controller", "didMove(toParentViewController:)": "the parent controller", "didMoveToParentViewController(_:)": "the parent controller",
        "willMove(toParent:)": "the parent controller", "willMove(toParentViewController:)": "the parent controller", "willMoveToParentViewController(_:)": "the parent controller",
        "willMove(toSuperview:)": "the view around it", "willMoveToSuperview(_:)": "the view around it", "viewWillMove(toSuperview:)": "the view around it", "viewWillMoveToSuperview(_:)": "the view around it",
    ]

    /// Whether the object is a part of what is on the screen, which comes and goes whoever keeps it.
    private var isShown: Bool {
        program.isInterfaceObject(member.owner) || ["UIGestureRecognizer", "NSGestureRecognizer"].contains { program.isType(member.owner, kindOf: $0) }
    }

    /// Whether the name says that the object is a part of what the property holds.
    private var isParent: Bool { member.facts.baseName.withoutUnderscore.hasPrefix("parent") }
}
