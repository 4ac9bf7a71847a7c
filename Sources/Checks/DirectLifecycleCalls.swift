import Findings
import ProgramModel
import RuleLibrary

extension Check {
    /// Calls by hand of methods that only Cocoa may call.
    static let directLifecycleCalls = Check(rules: ["direct_lifecycle_call"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).filter { !input.isTestOrPreview($0.owner) }.flatMap { occurrence in
            // Previews, in the editor or in Interface Builder, are no runs of the app.
            occurrence.facts.kind == .macro || occurrence.facts.baseName == "prepareForInterfaceBuilder" ? [] : occurrence.facts.bodies.flatMap { DirectCallSearch(input: input, file: file, occurrence: occurrence, body: $0.body).findings() }
        }
    }
}

/// The search in one body.
private struct DirectCallSearch {
    let input: CheckInput
    let file: Int
    let occurrence: MemberOccurrence
    let body: Body

    private var program: Program { input.program }

    func findings() -> [Finding] {
        var suspects: [(Statement, Call, Operand, String)] = []
        body.block.forEachStatement { statement in
            // No method of this kind takes a closure; a trailing one has a label that the call does not show.
            guard let call = statement.call, let base = call.callee.baseName, input.lifecycleNames.calledByCocoaOnly.contains(base),
                  !call.arguments.contains(where: \.isTrailing) else { return }
            switch call.callee {
            case .member(let receiver, _): suspects.append((statement, call, receiver, base))
            case .name: suspects.append((statement, call, .selfObject, base))
            default: break
            }
        }
        guard !suspects.isEmpty, !forwardsAppearance() else { return [] }
        let context = input.context(body, of: occurrence)
        return suspects.compactMap { statement, call, receiver, base in
            guard let full = call.fullName, let method = method(full, base, receiver, call, context) else { return nil }
            let target = receiver == .selfObject || isSelf(receiver, context) ? "itself" : "another object"
            return input.finding(
                "direct_lifecycle_call", "'\(base)' is called by hand on \(target), though only Cocoa may call it: \(method.why)",
                at: statement.span, in: file, type: occurrence.typeName, member: occurrence.facts.fullName)
        }
    }

    /// The method of Cocoa that a call runs; nil when it is another method of that name, or nobody knows.
    private func method(_ full: String, _ base: String, _ receiver: Operand, _ call: Call, _ context: BodyContext) -> LifecycleClass.Method? {
        let isOnSelf = receiver == .selfObject || isSelf(receiver, context)
        // A container hands on the event that it got itself.
        if !isOnSelf, occurrence.facts.baseName == base { return nil }
        if isOnSelf, context.isStatic { return nil }
        let classes: [String]
        if isOnSelf {
            guard let found = cocoaClasses(of: occurrence.owner, full) else { return nil }
            classes = found
        } else {
            guard let type = input.inference.type(of: receiver, in: context), !type.isMetatype else { return nil }
            switch input.inference.resolve(type) {
            case .project(let types):
                guard types.count == 1, let found = cocoaClasses(of: types[0], full) else { return nil }
                classes = found
            case .platform(let name):
                guard program.platform.isClass(name) else { return nil }
                classes = program.platform.ancestry(of: name)
            case .unknown:
                return nil
            }
        }
        guard let (_, method) = input.library.method(named: full, inAncestry: classes), method.directCall == .warning,
              method.role == .lifecycle || method.role == .drawing else { return nil }
        return method
    }

    /// The SDK classes above a type, unless the type has a method of its own by that name.
    private func cocoaClasses(of type: TypeID, _ full: String) -> [String]? {
        guard let platformClass = program.platformClass(of: type) else { return nil }
        let base = String(full.prefix { $0 != "(" })
        let own = program.members(named: base, on: type).map { program[$0] }.filter { $0.fullName == full }
        // An overload that only differs in its types or in `async` may be what is meant.
        if own.contains(where: { !$0.isOverride }) { return nil }
        return program.platform.ancestry(of: platformClass)
    }

    private func isSelf(_ operand: Operand, _ context: BodyContext) -> Bool {
        guard case .register(let register) = operand, case .read(_, .local(let local))? = context.definition(of: register)?.kind else { return false }
        return context.body[local].name == "self"
    }

    /// Whether the class drives its children's appearance itself, as UIKit then wants it to.
    private func forwardsAppearance() -> Bool {
        !program.members(named: "shouldAutomaticallyForwardAppearanceMethods", on: occurrence.owner).isEmpty
    }
}
