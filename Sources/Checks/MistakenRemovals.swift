import Findings
import ProgramModel
import SourceText

extension Check {
    /// Removals of observers that by their names were meant for another registration, which stays, and those that leave one out at the end.
    static let mistakenRemovals = Check(rules: ["observer_unbalanced", "observer_not_removed"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        let owners = input.members(inFile: file).filter { $0.facts.bodies.contains { MistakenRemovals.removesByName($0.body) } }.map(\.owner)
        var seen: Set<TypeID> = []
        return owners.filter { seen.insert($0).inserted }.flatMap { owner in
            MistakenRemovals(input: input, owner: owner)?.findings(inFile: file) ?? []
        }
    }
}

/// The registrations and removals of one class by name.
private struct MistakenRemovals {
    /// One call that adds or removes self by a name that the text tells.
    struct Operation {
        let name: NotificationName
        let object: Operand?
        let handler: String?
        /// Which of the bodies of the class it stands in.
        let body: Int
        let file: Int
        let member: String
        let typeName: String
        let span: SourceSpan
        /// Whether the object is on its way out.
        let isAtEnd: Bool
        /// Whether the member runs when Cocoa says so, in runs that show what becomes of it, or once.
        let isOfLifecycle: Bool
    }

    let input: CheckInput
    private var added: [Operation] = []
    private var removed: [Operation] = []
    private var removesAllAtEnd = false

    static func removesByName(_ body: Body) -> Bool {
        var found = false
        body.block.forEachStatement { statement in
            if let call = statement.call, call.callee.baseName == "removeObserver", call.arguments.contains(where: { $0.label == "name" }) { found = true }
        }
        return found
    }

    /// Reads the class with its project superclasses; nil where a name is not told, or all is removed at once before the end.
    init?(input: CheckInput, owner: TypeID) {
        self.input = input
        let program = input.program
        var bodies = 0
        for type in program.chain(of: owner) {
            for declaration in program[type].declarations {
                let scope = Scope(file: declaration.file, typeName: program[type].name)
                for member in program[declaration].members {
                    for (_, body) in member.bodies {
                        let context = BodyContext(body: body, selfType: type, scope: scope, isStatic: member.isStatic)
                        bodies += 1
                        let isAtEnd = member.kind == .deinitializer || member.baseName == "dealloc"
                        var isTold = true
                        body.block.forEachStatement { statement in
                            guard let call = statement.call, let base = call.callee.baseName, base == "addObserver" || base == "removeObserver",
                                  call.arguments.first?.value == .selfObject else { return }
                            guard let observation = NotificationTraffic.observation(call) else {
                                // What is removed when the object goes was called until then.
                                if base == "removeObserver", call.arguments.count == 1 {
                                    if isAtEnd { removesAllAtEnd = true } else { isTold = false }
                                }
                                return
                            }
                            guard let name = input.notifications.name(observation.name, in: context) else {
                                if base == "removeObserver" { isTold = false }
                                return
                            }
                            let operation = Operation(
                                name: name, object: observation.object, handler: observation.handler, body: bodies, file: declaration.file, member: member.fullName, typeName: program[type].name, span: statement.span,
                                isAtEnd: isAtEnd, isOfLifecycle: member.kind != .function || member.isOverride || Self.once.contains(member.baseName) || input.runsAtTheEnd(member, of: owner))
                            if base == "addObserver" { added.append(operation) } else { removed.append(operation) }
                        }
                        guard isTold else { return nil }
                    }
                }
            }
        }
    }

    func findings(inFile file: Int) -> [Finding] {
        let everRemoved = Set(removed.map(\.name))
        let staying = added.filter { !everRemoved.contains($0.name) }
        var found: [Finding] = []
        var told: Set<NotificationName> = []
        for (index, removal) in removed.enumerated() where removal.file == file {
            if let addition = additionFromAnybody(besides: removal) {
                found.append(input.finding(
                    "observer_unbalanced", "this removes '\(removal.name.title)' as posted by the object itself, and '\(addition.member)' adds it for whoever posts it, "
                        + "so nothing is removed: give nil for the object here too",
                    at: removal.span, in: file, type: removal.typeName, member: removal.member))
            // What stays when the object goes is told where it was added: its handler is not called any more.
            } else if !removal.isAtEnd, let forgotten = forgotten(insteadOf: removal, at: index, staying) {
                told.insert(forgotten.operation.name)
                var mistaken = input.finding(
                    "observer_unbalanced", "'\(removal.name.title)' is removed here\(forgotten.isSecond ? " a second time" : "") and '\(forgotten.operation.name.title)', "
                        + "which '\(forgotten.operation.member)' adds, never is: its handler goes on being called; remove that name",
                    at: removal.span, in: file, type: removal.typeName, member: removal.member)
                mistaken.trace = [TraceStep(
                    event: forgotten.operation.member, path: input.program.files[forgotten.operation.file].path, line: forgotten.operation.span.start.line,
                    note: "'\(forgotten.operation.name.title)' is observed from here on")]
                found.append(mistaken)
            }
        }
        // What is not removed because another is removed in its place is told there.
        return found + leftAtEnd(inFile: file, besides: told) + (found.isEmpty ? leftByStop(inFile: file, staying) : [])
    }

    /// A registration for any sender, where the class has no others of the name, that a removal for self as the sender misses.
    private func additionFromAnybody(besides removal: Operation) -> Operation? {
        let additions = added.filter { $0.name == removal.name }
        guard removal.object == .selfObject, additions.allSatisfy({ $0.object == .constant(.null) }),
              !removed.contains(where: { $0.name == removal.name && $0.object == .constant(.null) }) else { return nil }
        return additions.first
    }

    /// The registrations that stay when the object goes, while those that are made beside them are removed there by name.
    private func leftAtEnd(inFile file: Int, besides told: Set<NotificationName>) -> [Finding] {
        guard !removesAllAtEnd else { return [] }
        let ends = removed.filter(\.isAtEnd)
        return added.compactMap { addition in
            // A body that removes before it adds ends nothing.
            let adding = Set(added.filter { $0.name == addition.name }.map(\.body))
            guard addition.file == file, !told.contains(addition.name), !removed.contains(where: { $0.name == addition.name && !adding.contains($0.body) }) else { return nil }
            let beside = Set(added.filter { $0.body == addition.body }.map(\.name))
            guard let end = ends.first(where: { beside.contains($0.name) }) else { return nil }
            return input.finding(
                "observer_not_removed", "'\(end.member)' removes '\(end.name.title)' and leaves '\(addition.name.title)', which is added beside it: remove that name there too, "
                    + "or all at once with 'removeObserver(self)'",
                at: addition.span, in: file, type: addition.typeName, member: addition.member)
        }
    }

    /// The registrations of a method that anybody may call again, of which another method removes all but one.  One that the class
    /// removes at its end, or that has the handler of another, may be kept on purpose.
    private func leftByStop(inFile file: Int, _ staying: [Operation]) -> [Finding] {
        guard !removesAllAtEnd else { return [] }
        return staying.filter { $0.file == file && !$0.isOfLifecycle }.compactMap { left in
            let others = added.filter { $0.body == left.body && $0.name != left.name }
            let beside = Set(others.map(\.name))
            guard !others.contains(where: { $0.handler != nil && $0.handler == left.handler }), staying.count(where: { $0.body == left.body }) == 1, !beside.isEmpty, !removed.contains(where: { $0.body == left.body }),
                  let stop = removed.first(where: { removal in
                      !removal.isAtEnd && !removal.isOfLifecycle && removal.body != left.body && beside.isSubset(of: removed.filter { $0.body == removal.body }.map(\.name))
                  }) else { return nil }
            return input.finding(
                "observer_unbalanced", "'\(stop.member)' removes '\(stop.name.title)' and leaves '\(left.name.title)', which '\(left.member)' adds beside it: after the next call of that there are two; "
                    + "remove that name too",
                at: left.span, in: file, type: left.typeName, member: left.member)
        }
    }

    /// What runs once in the life of an object, by its name.
    private static let once: Set<String> = ["viewDidLoad", "awakeFromNib", "loadView", "windowDidLoad", "init", "setup", "setUp", "commonInit", "configure"]

    /// The registration that a removal was meant for, where nothing else can have been.
    private func forgotten(insteadOf removal: Operation, at index: Int, _ staying: [Operation]) -> (operation: Operation, isSecond: Bool)? {
        // The same name twice in one body, while of the names that are added together another one stays.
        if removed[..<index].contains(where: { $0.body == removal.body && $0.name == removal.name }) {
            let together = Set(added.filter { $0.name == removal.name }.map(\.body))
            let left = staying.filter { together.contains($0.body) }
            if left.count == 1, removed.count(where: { $0.body == removal.body }) == added.count(where: { $0.body == left[0].body }) { return (left[0], true) }
        }
        // A body that adds one name and removes another one, which has a pair of its own elsewhere.
        let own = added.filter { $0.body == removal.body }
        if own.count == 1, removed.count(where: { $0.body == removal.body }) == 1, let left = staying.first(where: { $0.body == removal.body }),
           added.contains(where: { add in add.body != removal.body && add.name == removal.name && removed.contains { $0.body == add.body && $0.name == removal.name } }) {
            return (left, false)
        }
        // The one name that nothing adds, beside the others that are added, while of those one stays.
        let names = Set(added.map(\.name)), together = removed.filter { $0.body == removal.body }
        if !names.contains(removal.name), Set(removed.map(\.name)).subtracting(names).count == 1, Set(staying.map(\.name)).count == 1, let left = staying.first,
           together.count > 1, together.allSatisfy({ $0.name == removal.name || names.contains($0.name) }) {
            return (left, false)
        }
        return nil
    }
}
