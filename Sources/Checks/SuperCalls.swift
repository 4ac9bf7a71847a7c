import Findings
import ProgramModel
import RuleLibrary
import SourceText

extension Check {
    /// Overrides that owe their superclass a call: missing, on some paths only, to another method, or where none may be.
    static let superCalls = Check(rules: ["missing_super_call", "conditional_super_call", "wrong_super_call", "prohibited_super_call"]) { input, file in
        input.members(inFile: file).flatMap { SuperCallCheck(input: input, file: file, occurrence: $0).findings() }
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
        guard member.kind == .function, member.isOverride, !member.isStatic, let body = member.body,
              !program[occurrence.owner].hasAmbiguousExtensions || program.owners(of: occurrence.id.declaration).count == 1,
              let chain = input.platformChain(of: occurrence.owner), input.isJudged(occurrence.owner, chain: chain.classes),
              let (_, method) = input.library.method(named: member.fullName, inAncestry: chain.classes) else { return [] }
        let flow = SuperCallFlow(input: input, method: method, owner: occurrence.owner)
        let wrong = wrongCalls(in: body, method, chain)
        if !wrong.isEmpty { return wrong }
        switch method.superCall {
        case .required:
            guard !chain.isByNameOnly || method.role == .lifecycle || Self.certainByName.contains(method.name) else { return [] }
            return owed(method, flow.counts(of: member, body: body))
        case .optional:
            return []
        case .forbidden:
            return flow.superCalls(in: body).map { prohibited($0, method) }
        case .replacedView:
            return loadView(method, body, flow, chain)
        }
    }

    /// Hooks whose name no other kind of class has, so that a foreign base's name is evidence enough.
    private static let certainByName: Set<String> = ["prepareForReuse()", "awakeFromNib()", "didReceiveMemoryWarning()"]

    private func owed(_ method: LifecycleClass.Method, _ counts: SuperCallCounts) -> [Finding] {
        let name = occurrence.facts.fullName
        switch counts {
        case .exactlyOnce, .undecided:
            return []
        case .never:
            // An empty override of a setter such as `setEditing` switches it off, and means to.
            let switchesOff = method.role == .hook && !occurrence.facts.parameters.isEmpty && occurrence.facts.body?.block.isEmpty == true
            guard !occurrence.facts.isPartial, !switchesOff else { return [] }
            return [report("missing_super_call", "'\(name)' never calls 'super.\(method.baseName)': \(method.why)")]
        case .sometimes:
            // A hook that is given a value may rightly be left alone when the value changes nothing; one that gives a value may
            // know it without super.
            guard !occurrence.facts.isPartial, occurrence.facts.type == nil, method.role != .hook || occurrence.facts.parameters.isEmpty else { return [] }
            return [report("conditional_super_call",
                           "'\(name)' returns on some path without calling 'super.\(method.baseName)': \(method.why)")]
        case .twice(let span):
            return [report("conditional_super_call", "'\(name)' calls 'super.\(method.baseName)' twice on one path, the second time in line "
                + "\(span.start.line), so the superclass does its work twice")]
        }
    }

    // MARK: Calls of the wrong method

    private func wrongCalls(in body: Body, _ method: LifecycleClass.Method, _ chain: PlatformChain) -> [Finding] {
        guard method.role == .lifecycle || method.role == .hook else { return [] }
        var findings: [Finding] = []
        body.block.forEachStatement { statement in
            guard let call = statement.call, case .superMember(let name) = call.callee, name != method.baseName,
                  input.lifecycleNames.lifecycle.contains(name), let full = call.fullName,
                  let (_, other) = input.library.method(named: full, inAncestry: chain.classes), other.role == .lifecycle,
                  other.name != method.name else { return }
            findings.append(report(
                "wrong_super_call", "'\(occurrence.facts.fullName)' calls 'super.\(name)', so the superclass sees another event than the one that happens; "
                    + "call 'super.\(method.baseName)'", at: statement.span))
        }
        return findings
    }

    // MARK: Calls that must not be

    private func prohibited(_ span: SourceSpan, _ method: LifecycleClass.Method) -> Finding {
        report("prohibited_super_call", "'\(occurrence.facts.fullName)' must not call super: \(method.why)", at: span)
    }

    private func loadView(_ method: LifecycleClass.Method, _ body: Body, _ flow: SuperCallFlow, _ chain: PlatformChain) -> [Finding] {
        guard !chain.isByNameOnly, !isOverriddenInProject(method) else { return [] }
        let calls = flow.superCalls(in: body)
        let assigns = flow.assignsView(body)
        if assigns {
            return calls.map { report("prohibited_super_call", "'\(occurrence.facts.fullName)' assigns 'view', so the view that 'super.loadView' makes is thrown away", at: $0) }
        }
        return []
    }

    private func isOverriddenInProject(_ method: LifecycleClass.Method) -> Bool {
        program.ancestry(of: occurrence.owner).projectTypes.contains { base in
            (program[base].membersByName[method.baseName] ?? []).contains { program[$0].fullName == method.name }
        }
    }

    private func report(_ rule: String, _ message: String, at span: SourceSpan? = nil) -> Finding {
        input.finding(rule, message, at: span ?? occurrence.facts.nameSpan, in: file, type: occurrence.typeName, member: occurrence.facts.fullName)
    }
}
