import Findings
import ProgramModel
import SourceText

extension Check {
    /// Constraints that a class holds weakly, takes out of their view and puts back: they are gone in between.
    static let lostConstraints = Check(rules: ["weak_slot_loses_object"]) { input, file in
        input.program.occurrences(inFile: file).compactMap { LostConstraint(input: input, property: $0)?.finding(file) }
    }
}

/// A property that holds a constraint weakly, and what the code of its class does with it.
private struct LostConstraint {
    let input: CheckInput
    let property: MemberOccurrence
    /// Where the constraint leaves its view, and where it is asked to come back.
    private var left: SourceSpan?
    private var back: SourceSpan?
    private var isHeldElsewhere = false

    /// Nil where the property is none that holds a constraint weakly.
    init?(input: CheckInput, property: MemberOccurrence) {
        let facts = property.facts
        guard facts.kind == .property, facts.isStored, facts.modifiers.contains("weak"), facts.type?.unwrapped.name == "NSLayoutConstraint",
              !input.program.files[property.id.declaration.file].facts.countsReferences else { return nil }
        (self.input, self.property) = (input, property)
        let program = input.program
        let members = program.members(of: property.owner)
        // Who has them all in another property holds them there.
        isHeldElsewhere = members.contains { id in
            let other = program[id]
            return other.kind == .property && !other.modifiers.contains("weak") && (other.type?.unwrapped).map { $0.arguments.first?.name == "NSLayoutConstraint" || $0.name.hasSuffix("Array") } ?? false
        }
        guard !isHeldElsewhere else { return }
        let once = methodsThatRunOnce(members)
        for id in members {
            let name = program[id].baseName
            for (_, body) in program[id].bodies where mentions(body) { read(body, runsOnce: once.contains(name), mayDiffer: !Self.appearances.contains(name)) }
        }
    }

    /// Events at which most conditions are what they were the last time: whether there is a bar above the screen.
    private static let appearances: Set<String> = ["viewWillAppear", "viewDidAppear"]

    /// The base names of what runs once for each object, so that what it takes out and puts back is one choice: the set-up with what that
    /// alone calls, and the property's own observers, for the nib sets it once.
    private func methodsThatRunOnce(_ members: [MemberID]) -> Set<String> {
        var callers: [String: Set<String>] = [:]
        for id in members {
            let called = input.program[id].bodies.reduce(into: Set<String>()) { $0.formUnion($1.body.block.namesCalledOnSelf) }
            for name in called { callers[name, default: []].insert(input.program[id].baseName) }
        }
        var once: Set<String> = ["init", "viewDidLoad", "awakeFromNib", "loadView", property.facts.baseName]
        while let next = callers.first(where: { !once.contains($0.key) && $0.value.isSubset(of: once) })?.key { once.insert(next) }
        return once
    }

    private func mentions(_ body: Body) -> Bool { body.block.containsStatement { reading($0) != nil || writes($0) } }

    /// The register into which a statement reads the property.
    private func reading(_ statement: Statement) -> Register? {
        let name = property.facts.baseName
        switch statement.kind {
        case .read(let register, .name(name)), .read(let register, .member(.selfObject, name)), .read(let register, .name("_" + name)): return register
        default: return nil
        }
    }

    private func writes(_ statement: Statement) -> Bool {
        let name = property.facts.baseName
        return switch statement.kind {
        case .write(.name(name), _), .write(.member(.selfObject, name), _), .write(.name("_" + name), _): true
        default: false
        }
    }

    private mutating func read(_ body: Body, runsOnce: Bool, mayDiffer: Bool) {
        var constraints: Set<Register> = []
        var lists: Set<Register> = []
        var (left, back, isHeld): (SourceSpan?, SourceSpan?, Bool) = (nil, nil, false)
        func isConstraint(_ operand: Operand) -> Bool { if case .register(let register) = operand { constraints.contains(register) } else { false } }
        /// What the object itself chooses by, or is told: what it asks of others is mostly the same each time.
        var choices = Set(body.parameters.map { Place.local($0) })
        var chosen: Set<Register> = []
        func isChoice(_ operand: Operand) -> Bool { if case .register(let register) = operand { mayDiffer && chosen.contains(register) } else { false } }
        func isList(_ operand: Operand) -> Bool { if case .register(let register) = operand { lists.contains(register) } else { false } }
        body.block.forEachStatement { statement in
            if let register = reading(statement) { constraints.insert(register) }
            switch statement.kind {
            case .read(let register, let place) where choices.contains(place) || place.ownName != nil: chosen.insert(register)
            case .compute(let register, let operation, let parts) where operation != .array: if parts.contains(where: isChoice) { chosen.insert(register) }
            case .declare(let local, let value?): if isChoice(value) { choices.insert(.local(local)) }
            case .compute(let register, .array, let parts): if parts.contains(where: isConstraint) { lists.insert(register) }
            case .write(.member(let object, "isActive"), let value), .write(.member(let object, "active"), let value):
                guard isConstraint(object) else { break }
                // By what it is asked, it leaves at one time and comes back at another.
                if value == .constant(.boolean(false)) || isChoice(value) { left = left ?? statement.span }
                if value == .constant(.boolean(true)) || isChoice(value) { back = back ?? statement.span }
            // What else holds it, or is given to it, may hold it well.
            case .write(_, let value), .assign(_, let value): if isConstraint(value) || isList(value) { isHeld = true }
            case .call(let call), .collection(_, let call):
                let isGiven = call.arguments.contains { isConstraint($0.value) || isList($0.value) }
                switch call.callee.baseName {
                case "deactivate", "deactivateConstraints", "removeConstraint", "removeConstraints": if isGiven { left = left ?? statement.span }
                case "activate", "activateConstraints", "addConstraint", "addConstraints": if isGiven { back = back ?? statement.span }
                case "setActive":
                    guard case .member(let object, _) = call.callee, isConstraint(object) else { break }
                    let isChosen = call.arguments.first.map { isChoice($0.value) } ?? false
                    if call.boolean(at: 0) == false || isChosen { left = left ?? statement.span }
                    if call.boolean(at: 0) == true || isChosen { back = back ?? statement.span }
                default: if isGiven { isHeld = true }
                }
            case .exit(.returns(let value)): if isConstraint(value) || isList(value) { isHeld = true }
            default: break
            }
            if writes(statement) { isHeld = true }
        }
        self.left = self.left ?? left
        if !runsOnce { self.back = self.back ?? back }
        isHeldElsewhere = isHeldElsewhere || isHeld
    }

    func finding(_ file: Int) -> Finding? {
        guard let left, let back, !isHeldElsewhere else { return nil }
        let facts = property.facts
        let asks = back.start.line == left.start.line ? "it" : "line \(back.start.line)"
        var finding = input.finding(
            "weak_slot_loses_object",
            "a constraint that is not active belongs to no view, and only the weak '\(facts.baseName)' has this one: line \(left.start.line) takes it out and so frees it, and when \(asks) asks it to come back, it is gone; make the property strong",
            at: facts.nameSpan, in: file, type: property.typeName, member: facts.fullName)
        // Whether both ever happen to one object, its users know.
        finding.severity = .warning
        return finding
    }
}
