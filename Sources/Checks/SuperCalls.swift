import Findings
import ProgramModel
import RuleLibrary
import SourceText

extension Check {
    /// Overrides that owe their superclass a call: missing, on some paths only, to another method, or where none may be.
    static let superCalls = Check(rules: ["missing_super_call", "conditional_super_call", "wrong_super_call", "prohibited_super_call"]) { input, file in
        // A method that a category gives to a class of the SDK has no superclass' method to call, or takes its place; Swift's `override` says
        // that there is one.
        let isSwift = input.program.files[file].facts.language == .swift
        return input.members(inFile: file).filter { !input.program.isExtended($0.owner) || isSwift && $0.facts.isOverride }.flatMap { SuperCallCheck(input: input, file: file, occurrence: $0).findings() }
    }
}

/// The check of one member.
private struct SuperCallCheck {
    let input: CheckInput
    let file: Int
    let occurrence: MemberOccurrence

    private var program: Program { input.program }

    func findings() -> [Finding] {
        let member = occurrence.facts
        // A deinitialiser that overrides is the `dealloc` of a class that counts references itself.
        let name = member.kind == .deinitializer ? "dealloc" : member.fullName
        let declared = requiringSuper(member) ?? resetting(member)
        guard member.kind == .function || member.kind == .deinitializer, member.isOverride || declared != nil, !member.isStatic, let body = member.body,
              !program[occurrence.owner].hasAmbiguousExtensions || program.owners(of: occurrence.id.declaration).count == 1,
              let chain = input.platformChain(of: occurrence.owner) ?? chainOfCounting, input.isJudged(occurrence.owner, chain: chain.classes),
              let method = declared ?? input.library.method(named: name, inAncestry: chain.classes)?.method else { return copiedCalls() + endlessCalls() }
        guard member.kind != .deinitializer || !endsOtherwise(body), !answersItself(method) else { return [] }
        let flow = SuperCallFlow(input: input, method: method, classes: chain.classes, owner: occurrence.owner)
        let wrong = wrongCalls(in: body, method, chain, flow)
        if !wrong.isEmpty { return wrong }
        switch method.superCall {
        case .required, .requiredInUIKit:
            guard method.superCall == .required || isOverriddenInProject(method) || !program.isForAppKit(file) else { return [] }
            guard !chain.isByNameOnly || method.role == .lifecycle || Self.certainByName.contains(method.name) else { return [] }
            guard name != "awakeFromNib()" || !isMadeByCodeAlone else { return [] }
            return owed(method, flow.counts(of: member, body: body))
        case .requiredBelow:
            guard isOverriddenInProject(method) || chain.isByNameOnly || input.library.method(named: name, inAncestry: chain.classes).map({ $0.owner != chain.classes.first }) ?? true else { return [] }
            return owed(method, flow.counts(of: member, body: body))
        case .requiredOverProject:
            return isOverriddenInProject(method, onlyBesides: body) ? owed(method, flow.counts(of: member, body: body)) : []
        case .replaceableView:
            return flow.assigns(SuperCallFlow.viewsOfLists, body) ? [] : owed(method, flow.counts(of: member, body: body))
        case .optional:
            return []
        case .forbidden:
            // Super is the project's own implementation then.
            guard !chain.isByNameOnly, !isOverriddenInProject(method) else { return [] }
            return flow.superCalls(in: body).map { prohibited($0, method) }
        case .replacedView:
            return loadView(method, body, flow, chain)
        }
    }

    /// The chain of a class with a base that nobody knows, for the one method that every class has which counts references itself.
    private var chainOfCounting: PlatformChain? {
        guard occurrence.facts.kind == .deinitializer, case .foreign = program.ancestry(of: occurrence.owner).root else { return nil }
        return PlatformChain(classes: ["NSObject"], isByNameOnly: true)
    }

    /// Whether code makes objects of the class, or lets a list make them, and no storyboard or xib has one, nor has one that inherits it:
    /// nothing wakes them. UIKit does not wake the owner of a xib either (NSObject.awakeFromNib page: the objects of the archive).
    private var isMadeByCodeAlone: Bool {
        guard program.resources.areInterfacesWhole, !program.resources.interfaces.isEmpty, input.lifetimes.areOfAppsAlone(occurrence.owner),
              !program[occurrence.owner].declarations.contains(where: { program[$0].modifiers.contains { $0 == "public" || $0 == "open" } }) else { return false }
        let family = [occurrence.owner] + input.subclasses(of: occurrence.owner)
        return family.allSatisfy { type in
            let name = program[type].name
            let isOnlyOwner = program.interfaceObjects(of: type).allSatisfy { program[$0].isPlaceholder && program.resources.interfaces[$0.interface].facts.isCocoaTouch }
            return isOnlyOwner && (input.names.constructions[name] != nil || input.names.registered.contains(name))
        }
    }

    /// Whether the class tells itself what the inherited method would note, as an operation that answers whether it is cancelled.
    private func answersItself(_ method: LifecycleClass.Method) -> Bool {
        method.answeredBy.map { property in program.chain(of: occurrence.owner).contains { program[$0].membersByName[property] != nil } } ?? false
    }

    /// Whether a 'dealloc' calls itself, which is a defect of its own, or super by a macro that stands for 'dealloc' where references are
    /// counted by hand, and for 'self' elsewhere.
    private func endsOtherwise(_ body: Body) -> Bool {
        let context = occurrence.context(of: body)
        return body.block.containsStatement { statement in
            switch statement.call?.callee {
            case .member(let receiver, "dealloc"): context.isSelf(receiver)
            case .superMember("self"): true
            default: false
            }
        }
    }

    /// The method of a superclass of the project whose declaration asks overrides to call super.
    private func requiringSuper(_ member: MemberFacts) -> LifecycleClass.Method? {
        guard member.kind == .function, let selector = member.attributes.first(where: { $0.name == "objc" })?.arguments else { return nil }
        let asks = program.ancestry(of: occurrence.owner).projectTypes.contains { base in
            (program[base].membersByName[member.baseName] ?? []).contains { id in
                program[id].fullName == member.fullName && program[id].attributes.contains { $0.name == "NS_REQUIRES_SUPER" }
            }
        }
        return asks ? .requiringSuper(name: member.fullName, selector: selector) : nil
    }

    /// The method of a superclass of the project that makes its views ready for their next use, as that of cells does.
    private func resetting(_ member: MemberFacts) -> LifecycleClass.Method? {
        guard member.kind == .function, member.fullName == "prepareForReuse()", !member.isStatic, let chain = input.platformChain(of: occurrence.owner),
              input.library.method(named: member.fullName, inAncestry: chain.classes) == nil else { return nil }
        let resets = program.ancestry(of: occurrence.owner).projectTypes.contains { base in
            base != occurrence.owner && (program[base].membersByName[member.baseName] ?? []).contains { program[$0].fullName == member.fullName && program[$0].body?.block.isEmpty == false }
        }
        return resets ? .resetting(name: member.fullName, selector: member.baseName) : nil
    }

    /// Hooks whose name no other kind of class has, so that a foreign base's name is evidence enough.
    private static let certainByName: Set<String> = ["prepareForReuse()", "awakeFromNib()", "didReceiveMemoryWarning()", "dealloc"]

    /// Hooks that reset or finish something, and so are owed whatever the override finds.
    private static let owedOnEveryPath: Set<String> = certainByName.union(["updateConstraints()", "updateViewConstraints()"])

    private func owed(_ method: LifecycleClass.Method, _ counts: SuperCallCounts) -> [Finding] {
        let name = occurrence.facts.fullName
        switch counts {
        case .exactlyOnce, .undecided:
            return []
        case .never:
            // An empty override of a setter such as `setEditing` switches it off, and means to.
            let switchesOff = method.role == .hook && !occurrence.facts.parameters.isEmpty && occurrence.facts.body?.block.isEmpty == true
            guard !occurrence.facts.isPartial || namesNoSuper, !switchesOff else { return [] }
            return [report("missing_super_call", "'\(name)' never calls 'super.\(method.baseName)': \(method.why)")]
        case .sometimes:
            // A hook or a link of the responder chain may rightly be left alone, as when nothing changes.
            guard !occurrence.facts.isPartial, method.role == .lifecycle || method.role == .drawing || Self.owedOnEveryPath.contains(method.name), !holdsLayout else { return [] }
            return [report("conditional_super_call",
                           "'\(name)' returns on some path without calling 'super.\(method.baseName)': \(method.why)")]
        case .twice(let span):
            guard method.role != .responder else { return [] }
            return [report("conditional_super_call", "'\(name)' calls 'super.\(method.baseName)' twice on one path, the second time in line "
                + "\(span.start.line), so the superclass does its work twice")]
        }
    }

    /// Whether the method is a layout that a way out before all else holds up as a whole: `guard !isClosing else { return }`.
    private var holdsLayout: Bool {
        guard ["layoutSubviews()", "layout()"].contains(occurrence.facts.fullName), let block = occurrence.facts.body?.block,
              case .branch(_, let then, let otherwise)? = block.first?.kind else { return false }
        return [then, otherwise].contains { arm in if arm.count == 1, case .exit(.returns)? = arm.first?.kind { true } else { false } }
    }

    /// Whether what could not be read of a method has no word of super in it, by its tokens.
    private var namesNoSuper: Bool {
        guard program.files[file].facts.language == .objectiveC, let body = occurrence.facts.body else { return false }
        var lost: [Opaque] = []
        body.block.forEachStatement { if case .opaque(let opaque) = $0.kind { lost.append(opaque) } }
        return !lost.isEmpty && lost.allSatisfy { opaque in !opaque.reads.isEmpty && !opaque.reads.contains { $0.lowercased().contains("super") } }
    }

    // MARK: Calls of the wrong method

    private func wrongCalls(in body: Body, _ method: LifecycleClass.Method, _ chain: PlatformChain, _ flow: SuperCallFlow) -> [Finding] {
        guard method.role != .query else { return [] }
        // Beside its own super a method may announce another event, as a container does with `willMove(toParent:)`.
        let callsItsOwn = !flow.superCalls(in: body).isEmpty
        var findings: [Finding] = []
        body.block.forEachStatement { statement in
            guard let call = statement.call, case .superMember(let name) = call.callee, name != method.baseName,
                  let full = call.fullName,
                  let (_, other) = input.library.method(named: full, inAncestry: chain.classes), isEvent(other, besides: method) || isOtherPhase(other, than: method), other.name != method.name,
                  !callsItsOwn || name.hasPrefix("view") else { return }
            findings.append(report(
                "wrong_super_call", "'\(occurrence.facts.fullName)' calls 'super.\(name)', so the superclass sees another event than the one that happens; "
                    + "call 'super.\(method.baseName)'", at: statement.span))
        }
        return findings
    }

    /// Calls of a sibling's super method, which the sibling itself makes too: a body that was copied from it, in an override of what a
    /// superclass of the project does.
    private func copiedCalls() -> [Finding] {
        let member = occurrence.facts
        let isObjectiveC = program.files[file].facts.language == .objectiveC
        guard member.kind == .function, member.isOverride || isObjectiveC, !member.isStatic, let body = member.body else { return [] }
        let called = Self.superCalls(in: body)
        guard let wrong = called.first, called.count == 1, wrong.name != member.fullName,
              let sibling = program.members(of: occurrence.owner).map({ program[$0] }).first(where: { $0.fullName == wrong.name && ($0.isOverride || isObjectiveC) }),
              let own = sibling.body.map(Self.superCalls), own.contains(where: { $0.name == wrong.name }),
              sibling.parameters.map(\.type) == member.parameters.map(\.type), sibling.type == member.type,
              let base = baseThatDoes(member) else { return [] }
        return [report(
            "wrong_super_call", "'\(member.fullName)' calls 'super.\(sibling.baseName)', as '\(sibling.fullName)' does too, so what '\(base)' does in '\(member.fullName)' never happens; "
                + "call 'super.\(member.baseName)'", at: wrong.span)]
    }

    /// The name of the superclass that does something in a method which the member overrides: one of the project, or the controller of
    /// a table, which answers for the static cells of a storyboard (UITableViewController page).
    private func baseThatDoes(_ member: MemberFacts) -> String? {
        if let base = program.ancestry(of: occurrence.owner).projectTypes.first(where: { base in
            (program[base].membersByName[member.baseName] ?? []).contains { program[$0].fullName == member.fullName && program[$0].body?.block.isEmpty == false }
        }) { return program[base].name }
        let table = "UITableViewController"
        return member.baseName == "tableView" && member.fullName != "tableView()" && program.isType(occurrence.owner, kindOf: table) ? table : nil
    }

    /// A call of the override itself, on every way and with what it was given itself, where super is meant.
    private func endlessCalls() -> [Finding] {
        let member = occurrence.facts
        guard member.kind == .function, member.isOverride, !member.isStatic, let body = member.body,
              program.members(of: occurrence.owner).count(where: { program[$0].fullName == member.fullName }) == 1 else { return [] }
        var given: [Register: LocalID] = [:]
        for statement in body.block {
            switch statement.kind {
            case .read(let register, .local(let local)): given[register] = local
            case .call(let call) where call.fullName == member.fullName && !call.maySuspend:
                let isOnSelf = switch call.callee {
                case .name: true
                case .member(let receiver, _): receiver == .selfObject
                default: false
                }
                let arguments = call.arguments.map { argument in if case .register(let register) = argument.value { given[register] } else { LocalID?.none } }
                guard isOnSelf, arguments == body.parameters.map(Optional.some) else { continue }
                return [report("missing_super_call", "'\(member.fullName)' calls itself until the stack is used up; call 'super.\(member.baseName)'", at: statement.span)]
            case .exit, .branch, .select, .attempt, .loop: return []
            default: continue
            }
        }
        return []
    }

    /// The full names of the super methods that a body calls, itself or in its closures.
    private static func superCalls(in body: Body) -> [(name: String, span: SourceSpan)] {
        var found: [(name: String, span: SourceSpan)] = []
        body.block.forEachStatement { statement in
            if let call = statement.call, case .superMember = call.callee, let name = call.fullName { found.append((name, statement.span)) }
        }
        return found
    }

    /// Whether the other method reports another phase of the same touches or presses; one that is cancelled may be told as ended.
    private func isOtherPhase(_ other: LifecycleClass.Method, than method: LifecycleClass.Method) -> Bool {
        guard method.role == .responder, other.role == .responder else { return false }
        if Self.isOpposite(other.baseName, of: method.baseName) || Self.crossings.contains(method.baseName) && Self.movements.contains(other.baseName) { return true }
        guard let kind = Self.phased.first(where: method.baseName.hasPrefix) else { return false }
        return other.baseName.hasPrefix(kind) && !(method.baseName.hasSuffix("Cancelled") && other.baseName.hasSuffix("Ended"))
    }

    /// How the names of responder methods begin that come in phases: began, moved, ended, cancelled.
    private static let phased = ["touches", "presses", "motion"]

    /// The pointer comes and goes once, and moves in between.
    private static let crossings: Set<String> = ["mouseEntered", "mouseExited"]
    private static let movements: Set<String> = ["mouseMoved", "mouseDragged"]

    /// Whether of two events of one device the one ends what the other begins, as `mouseUp` and `mouseDown` do.
    private static func isOpposite(_ other: String, of name: String) -> Bool {
        [("Down", "Up"), ("Up", "Down"), ("Entered", "Exited"), ("Exited", "Entered")].contains { name.hasSuffix($0.0) && other == name.dropLast($0.0.count) + $0.1 }
    }

    /// Whether calling the other method on super means another event than the override's own.
    private func isEvent(_ other: LifecycleClass.Method, besides method: LifecycleClass.Method) -> Bool {
        other.role == .lifecycle || (other.role == .drawing && method.role == .drawing && method.name.hasPrefix("view"))
    }

    // MARK: Calls that must not be

    private func prohibited(_ span: SourceSpan, _ method: LifecycleClass.Method) -> Finding {
        report("prohibited_super_call", "'\(occurrence.facts.fullName)' must not call super: \(method.why)", at: span)
    }

    private func loadView(_ method: LifecycleClass.Method, _ body: Body, _ flow: SuperCallFlow, _ chain: PlatformChain) -> [Finding] {
        guard !chain.isByNameOnly, !isOverriddenInProject(method), !occurrence.facts.isPartial else { return [] }
        if flow.superCalls(in: body).isEmpty, !flow.assigns(["view"], body), !callsSelf(body) {
            return [report("missing_super_call", "'\(occurrence.facts.fullName)' neither assigns 'view' nor calls 'super.loadView', so there is no view to show")]
        }
        return flow.viewsThrownAway(in: body).map {
            report("prohibited_super_call", "'\(occurrence.facts.fullName)' assigns 'view', so the view that 'super.loadView' makes is thrown away", at: $0)
        }
    }

    /// Whether a body calls anything on self, which may do what the body does not.
    private func callsSelf(_ body: Body) -> Bool {
        var found = false
        body.block.forEachStatement { statement in
            switch statement.call?.callee {
            case .name, .member(.selfObject, _): found = true
            default: break
            }
        }
        return found
    }

    /// Whether a body does more than call super and set what another one sets, too.
    private static func doesMore(_ body: Body?, than override: Body) -> Bool {
        guard let body else { return true }
        let (own, others) = (propertiesSet(in: body), propertiesSet(in: override))
        return body.block.contains(where: isWork) && (own.isEmpty || !own.isSubset(of: others))
    }

    private static func propertiesSet(in body: Body) -> Set<String> {
        var found: Set<String> = []
        body.block.forEachStatement { if case .write(.member(_, let name), _) = $0.kind { found.insert(name) } }
        return found
    }

    /// Whether a statement does more than call super.
    private static func isWork(_ statement: Statement) -> Bool {
        switch statement.kind {
        case .read, .exit: return false
        default: if case .superMember? = statement.call?.callee { return false } else { return true }
        }
    }

    /// Whether a superclass of the project has the method; with the body of an override, one that does something which that does not do as well.
    private func isOverriddenInProject(_ method: LifecycleClass.Method, onlyBesides override: Body? = nil) -> Bool {
        program.ancestry(of: occurrence.owner).projectTypes.contains { base in
            (program[base].membersByName[method.baseName] ?? []).contains { id in
                program[id].fullName == method.name && (override.map { Self.doesMore(program[id].body, than: $0) } ?? true)
            }
        }
    }

    private func report(_ rule: String, _ message: String, at span: SourceSpan? = nil) -> Finding {
        input.finding(rule, message, at: span ?? occurrence.facts.nameSpan, in: file, type: occurrence.typeName, member: occurrence.facts.fullName)
    }
}
