import Findings
import ProgramModel
import SourceText

extension Check {
    /// Closures that a screen stores in an object that it was given and keeps, and that hold the screen.
    static let givenCircles = Check(rules: ["closure_retains_controller"]) { input, file in
        input.bodies(inFile: file).flatMap { place -> [Finding] in
            guard place.member.facts.kind != .deinitializer, !place.member.facts.isStatic,
                  input.program[place.member.owner].kind == .class, !input.lifetimes.lastAsLongAsTheApp(place.member.owner) else { return [] }
            return GivenCircles(input: input, file: file, place: place).findings()
        }
    }
}

/// The search in one body.  What the class makes itself the runs follow; what it is given, by a parameter or a nib, they do not know.
private struct GivenCircles {
    let input: CheckInput
    let file: Int
    let place: BodyOccurrence

    private var program: Program { input.program }
    private var owner: TypeID { place.member.owner }

    func findings() -> [Finding] {
        var found: [Finding] = []
        place.body.block.forEachStatement(enteringClosures: false) { statement in
            switch statement.kind {
            case .write(.member(let base, let slot), let value):
                guard let what = whatHoldsSelf(value, writtenAt: statement.span) else { return }
                if what.isClosure, let (keeper, type) = ownValue(base), program.keeps(slot, of: type), !input.writes.clears(slot) {
                    found += finding(what, in: slot, of: keeper, nil)
                } else if let keeper = keeper(of: base), let holder = holder(keeper) {
                    guard keeps(slot, holder), what.isClosure || !makes(keeper) else { return }
                    found += finding(what, in: slot, of: keeper, holder)
                } else if let (keeper, part, holder) = part(base), keeps(slot, holder) {
                    found += finding(what, in: slot, of: keeper, part: part.baseName, holder)
                } else if what.isClosure, let (keeper, type) = foreignKeeper(of: base), StrangeSlot(type: type, name: slot).isLasting, !input.writes.clears(slot) {
                    found += finding(what, in: slot, of: keeper, nil)
                } else if what.isClosure, let keeper = keeperBeside(base, slot), !input.writes.clears(slot) {
                    found += finding(what, in: slot, of: keeper, nil)
                }
            case .call(let call):
                guard case .member(let base, _) = call.callee, call.arguments.contains(where: { whatHoldsSelf($0.value) != nil }) else { return }
                if let keeper = keeper(of: base) {
                    guard let holder = holder(keeper), program[holder].kind == .class, !makes(keeper) else { return }
                    found += findings(of: call, on: keeper, nil, holder)
                } else if let (keeper, part, holder) = part(base), program[holder].kind == .class {
                    found += findings(of: call, on: keeper, part.baseName, holder)
                }
            default: break
            }
        }
        return found
    }

    /// The closures that a call hands to an object which keeps them.
    private func findings(of call: Call, on keeper: MemberFacts, _ part: String?, _ holder: TypeID) -> [Finding] {
        call.arguments.enumerated().flatMap { index, argument -> [Finding] in
            guard let what = whatHoldsSelf(argument.value), let slot = KeptParameters(program: program).property(keeping: index, of: call, on: holder),
                  !input.takesOut(of: slot, of: holder, besides: namesOfNoUse(after: call, on: holder)), !isRenewedList(slot, of: holder), part == nil || !slot.tellsOfAnEnd else { return [] }
            return finding(what, in: slot, of: keeper, part: part, holder)
        }
    }

    /// The functions of a class that want to be told by what a call returns what to take out, where that is dropped.
    private func namesOfNoUse(after call: Call, on holder: TypeID) -> Set<String> {
        guard !place.body.usedRegisters.contains(call.result), let name = call.callee.baseName,
              let token = program.members(named: name, on: holder).map({ program[$0] }).first(where: { $0.accepts(call) })?.type?.unwrapped, token.name != "()" else { return [] }
        return Set(program.chain(of: holder).flatMap(program.members).map { program[$0] }.filter { one in
            one.kind == .function && one.parameters.contains { $0.type.unwrapped == token }
        }.map(\.baseName))
    }

    /// Whether a property is a collection, and some code puts another one there: what was in it has been called, mostly.
    private func isRenewedList(_ slot: String, of type: TypeID) -> Bool {
        let isList = program.members(named: slot, on: type).contains { program[$0].type?.isHoldingCollection ?? false }
        return isList && !input.places(writing: slot, of: type).isEmpty
    }

    private func finding(_ what: Held, in slot: String, of keeper: MemberFacts, part: String? = nil, _ holder: TypeID?) -> [Finding] {
        guard holder.map({ !input.clears(slot, of: $0) }) ?? true, !input.clears(keeper.baseName, of: owner) else { return [] }
        let name = part.map { "\(keeper.baseName).\($0)" } ?? keeper.baseName
        return [input.finding(
            "closure_retains_controller", "\(what.title) in '\(slot)' of '\(name)' holds the '\(place.member.typeName)', which keeps '\(name)', so neither is ever freed: "
                + "capture 'self' weakly, or set '\(slot)' to nil when the screen goes",
            at: what.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)]
    }

    /// A value that holds self, with the place that says so.
    private struct Held {
        let title: String
        let span: SourceSpan
        /// Whether it is written as a closure, or else as the name of a method.
        let isClosure: Bool
    }

    /// A closure that holds self, or a method of it; nil for other values.  A method stands where it is written to a property, as runs have it.
    private func whatHoldsSelf(_ value: Operand, writtenAt write: SourceSpan? = nil) -> Held? {
        guard case .register(let register) = value, let made = place.context.definition(of: register) else { return nil }
        switch made.kind {
        case .closure(_, let closure): return place.holdsSelf(closure, in: program) ? Held(title: "the closure", span: made.span, isClosure: true) : nil
        case .call(let call):
            // A data source of the SDK keeps the closure that it is made with.
            guard case .initializer(let type) = call.callee, input.library.closureRoles[type.name] == .kept else { return nil }
            return call.arguments.lazy.compactMap { whatHoldsSelf($0.value) }.first
        case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)): return program.isMethod(name, of: owner) ? Held(title: "the method '\(name)' as a closure", span: write ?? made.span, isClosure: false) : nil
        default: return nil
        }
    }

    /// Whether code of the class makes the object that a property keeps: then the runs follow what it does.
    private func makes(_ keeper: MemberFacts) -> Bool {
        program.members(of: owner).contains { id in
            program[id].bodies.contains { _, body in
                var made: Set<Register> = []
                var found = false
                body.block.forEachStatement { statement in
                    switch statement.kind {
                    case .call(let call): if case .initializer = call.callee { made.insert(call.result) }
                    case .write(.name(keeper.baseName), .register(let register)), .write(.member(.selfObject, keeper.baseName), .register(let register)):
                        if made.contains(register) { found = true }
                    default: break
                    }
                }
                return found
            }
        }
    }

    // MARK: Who is kept

    /// The property that keeps the object whose slot is written: it is read from there, or put there by the same body.
    private func keeper(of operand: Operand, depth: Int = 0) -> MemberFacts? {
        guard depth < 4, case .register(let register) = operand, case .read(_, let source)? = place.context.definition(of: register)?.kind else { return nil }
        switch source {
        case .name(let name), .member(.selfObject, let name): return property(name)
        case .local(let local):
            if let value = place.context.value(of: local), let found = keeper(of: value, depth: depth + 1) { return found }
            return property(inWhichIsPut: local)
        default: return nil
        }
    }

    /// A property of the class that holds a value of a struct, which it has for itself whoever gave it, with the struct; where it is set
    /// elsewhere to a value that nobody knows, the runs do not follow what becomes of a closure in it.
    private func ownValue(_ operand: Operand) -> (keeper: MemberFacts, type: TypeID)? {
        guard case .register(let register) = operand, case .read(_, let source)? = place.context.definition(of: register)?.kind, let name = source.ownName,
              let keeper = kept(name, of: owner, isMadeToo: true), keeper.accessors?.didSet == place.body || !makes(keeper) && keeper.body == nil,
              let type = (keeper.type ?? keeper.firstType)?.unwrapped, case .project(let types) = program.resolve(type, in: place.context.scope), types.count == 1,
              program[types[0]].kind == .struct else { return nil }
        return (keeper, types[0])
    }

    /// A part of an object that the class keeps: what one of that object's own properties holds, with the class of the part.
    private func part(_ operand: Operand) -> (keeper: MemberFacts, part: MemberFacts, holder: TypeID)? {
        guard case .register(let register) = operand, case .read(_, .member(.register(let inner), let name))? = place.context.definition(of: register)?.kind,
              let source = place.context.definition(of: inner)?.kind else { return nil }
        let keeper: MemberFacts
        switch source {
        case .read(_, .name(let outer)), .read(_, .member(.selfObject, let outer)):
            guard let found = kept(outer, of: owner, isMadeToo: true) else { return nil }
            keeper = found
        default: return nil
        }
        guard let outer = holder(keeper) else { return nil }
        // Of a protocol each class that may be meant has it.
        let classes = program[outer].kind == .protocol ? program.conformers(to: program[outer].name).filter { program[$0].kind == .class } : [outer]
        let parts = classes.compactMap { kept(name, of: $0, isMadeToo: true) }
        guard let part = parts.first, parts.count == classes.count, let holder = holder(part), !classes.contains(where: { input.clears(name, of: $0) }) else { return nil }
        return (keeper, part, holder)
    }

    /// The property that keeps an object of a class that is not here, with the name of the class.
    private func foreignKeeper(of operand: Operand) -> (keeper: MemberFacts, type: String)? {
        guard case .register(let register) = operand, case .read(_, let source)? = place.context.definition(of: register)?.kind,
              let name = source.ownName, let keeper = kept(name, of: owner, isMadeToo: true),
              let type = (keeper.type ?? keeper.firstType)?.unwrapped, type.element == nil, case .unknown(let unknown) = program.resolve(type, in: place.context.scope),
              unknown == type.name, !program.chain(of: owner).contains(where: { program[$0].declarations.contains { program[$0].genericParameters.contains(unknown) } }) else { return nil }
        return (keeper, unknown)
    }

    /// The property that keeps an object of the SDK beside which an extension of the project keeps what the slot is set to.
    private func keeperBeside(_ operand: Operand, _ slot: String) -> MemberFacts? {
        guard let keeper = keeper(of: operand), !makes(keeper), let type = keeper.type?.unwrapped, case .platform(let known) = program.resolve(type, in: place.context.scope),
              let id = program.extensionProperty(named: slot, ofPlatformClass: known), let setter = program[id].accessors?.set else { return nil }
        let isKept = setter.block.containsStatement { statement in
            guard case .name("objc_setAssociatedObject")? = statement.call?.callee, let arguments = statement.call?.arguments, arguments.count == 4 else { return false }
            return !holdsNothing(arguments[3].value, setter)
        }
        return isKept ? keeper : nil
    }

    /// Whether the policy of an association is OBJC_ASSOCIATION_ASSIGN.
    private func holdsNothing(_ policy: Operand, _ body: Body) -> Bool {
        switch policy {
        case .constant(.integer(let number)): return number == 0
        case .constant(.implicitMember(let name)): return name.hasSuffix("ASSIGN")
        case .register(let register):
            return body.block.containsStatement { statement in
                if case .read(register, let place) = statement.kind { place.propertyName?.hasSuffix("ASSIGN") ?? false } else { false }
            }
        default: return false
        }
    }

    private func property(inWhichIsPut local: LocalID) -> MemberFacts? {
        var reads: Set<Register> = []
        var found: MemberFacts?
        place.body.block.forEachStatement(enteringClosures: false) { statement in
            switch statement.kind {
            case .read(let register, .local(local)): reads.insert(register)
            case .write(.name(let name), .register(let register)), .write(.member(.selfObject, let name), .register(let register)):
                if reads.contains(register) { found = found ?? property(name) }
            default: break
            }
        }
        return found
    }

    /// A stored property of the class that keeps what it was given: what it makes itself, the runs follow.
    private func property(_ name: String) -> MemberFacts? { kept(name, of: owner, isMadeToo: false) }

    private func kept(_ name: String, of type: TypeID, isMadeToo: Bool) -> MemberFacts? {
        let plain = name.withoutUnderscore
        guard let id = program.members(named: name, on: type).first ?? program.members(named: plain, on: type).first else { return nil }
        let member = program[id]
        guard member.isStored, !member.isStatic, member.body == nil || isMadeToo else { return nil }
        // A view is held by the view that shows it, and that by its controller.
        return member.modifiers.contains { $0.hasPrefix("weak") || $0.hasPrefix("unowned") || $0.hasPrefix("unsafe") || $0 == "assign" } && !program.showsOutlet(member.baseName, of: owner) ? nil : member
    }

    /// The class or protocol of the project that a property's type names, or its first value says.
    private func holder(_ keeper: MemberFacts) -> TypeID? {
        guard let written = (keeper.type ?? keeper.firstType)?.unwrapped, case .project(let types) = program.resolve(program.argument(for: written, of: owner), in: place.context.scope), types.count == 1,
              program[types[0]].kind == .class || program[types[0]].kind == .protocol else { return nil }
        return types[0]
    }

    /// Whether the holder keeps what is put into the slot.
    private func keeps(_ slot: String, _ holder: TypeID) -> Bool {
        program.keeps(slot, of: holder)
            // Of protocols in Objective-C the facts have no properties.
            || program[holder].kind == .protocol && program.files[program[holder].file].facts.language == .objectiveC
                && !program.members(named: slot, on: holder).contains { program[$0].kind == .property }
    }
}

/// A property that the text puts a closure into and that no header here declares.
private struct StrangeSlot {
    let type: String
    let name: String

    /// Whether nothing says that the closure goes when the object has done its work: neither the property's name nor that of its class.
    var isLasting: Bool {
        !name.tellsOfAnEnd && !Self.jobs.contains(where: type.hasSuffix)
    }

    /// How classes are called whose objects do one thing and are done.
    private static let jobs = ["Request", "Operation", "Task", "Job", "Query", "Animator", "Animation", "Transition", "Promise", "Future", "HUD", "Alert", "Process", "Session"]
}
