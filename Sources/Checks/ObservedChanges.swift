import Findings
import ProgramModel
import SourceText

extension Check {
    /// Methods that are told of changes and hand the wrong ones on: their own to a superclass that knows none, or none to one that
    /// observes as well.
    static let observedChanges = Check(rules: ["kvo_unbalanced"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.bodies(inFile: file).compactMap { ObservedChanges(input: input, file: file, place: $0).finding() }
    }
}

/// The search in one body.
private struct ObservedChanges {
    let input: CheckInput
    let file: Int
    let place: BodyOccurrence

    private var program: Program { input.program }

    private static let method = "observeValue"
    /// Classes of the SDK that observe nothing by this method themselves, so that a call of super ends at `NSObject`.
    private static let silent: Set<String> = ["NSObject", "UIResponder", "UIView", "UIViewController", "UITableViewCell", "UICollectionViewCell"]

    func finding() -> Finding? {
        let facts = place.member.facts
        guard facts.baseName == Self.method, place.body.parameters.count == 4, !facts.isPartial else { return nil }
        let owner = place.member.owner
        // The classes above that are told as well.
        let above = program.chain(of: owner).dropFirst().filter { link in
            program.members(of: link).contains { program[$0].baseName == Self.method && program[$0].parameters.count == 4 }
        }
        if let base = above.first { return swallowed(of: base) }
        guard case .platform(let root) = program.ancestry(of: owner).root, Self.silent.contains(root), observesItself(owner), let call = callOfSuperOnAllPaths() else { return nil }
        return finding(
            "'super.observeValue' is called for every change, also for those that '\(place.member.typeName)' observes itself, and '\(root)' knows none: it raises an exception; "
                + "call it only for what is not handled here", at: call.span)
    }

    /// The changes that a class above waits for, where none is handed on.
    private func swallowed(of base: TypeID) -> Finding? {
        guard observesItself(base), observesItself(place.member.owner), !mentionsSuper(place.body, seen: []) else { return nil }
        return finding(
            "the changes that '\(program[base].name)' observes arrive here too, and nothing hands them on: call 'super.observeValue' for what is not handled here", at: place.body.span)
    }

    /// Whether code of a class registers its own object as an observer.
    private func observesItself(_ type: TypeID) -> Bool { input.keyPaths.registrations.contains { $0.observer == type } }

    /// The call of super that runs whatever the change is of.
    private func callOfSuperOnAllPaths() -> Statement? {
        for statement in place.body.block {
            if case .superMember(Self.method)? = statement.call?.callee { return statement }
            if leaves(statement) { return nil }
        }
        return nil
    }

    /// Whether the method may be over after a statement.
    private func leaves(_ statement: Statement) -> Bool {
        if case .exit = statement.kind { return true }
        return statement.innerBlocks(enteringClosures: false).contains { $0.contains(where: leaves) }
    }

    /// Whether a body, or a method of the class that it calls, calls super.
    private func mentionsSuper(_ body: Body, seen: Set<String>) -> Bool {
        body.block.containsStatement { statement in
            guard let callee = statement.call?.callee else { return false }
            switch callee {
            case .superMember: return true
            case .name(let name), .member(.selfObject, let name):
                guard !seen.contains(name), seen.count < 4 else { return false }
                return program.members(named: name, on: place.member.owner).contains { id in program[id].body.map { mentionsSuper($0, seen: seen.union([name])) } ?? false }
            default: return false
            }
        }
    }

    private func finding(_ message: String, at span: SourceSpan) -> Finding {
        input.finding("kvo_unbalanced", message, at: span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
    }
}
