import ProgramModel

extension OutsideCallers {
    /// Whether a method has a counterpart by its name, `start` and `stop`, that somebody calls and that undoes nothing of interest: who has
    /// stopped may start again, and then what the first start acquired is still there.
    func isUndoneInVain(_ id: MemberID, _ slice: ClassSlice, _ relevance: Relevance) -> Bool {
        let member = program[id]
        guard member.kind == .function, !member.isPrivate, !member.isStatic, !member.isOverride, relevance.isCalled(id, outside: chain) || program.isOffered(id) else { return false }
        return Self.counterparts(of: member.baseName).contains { name in
            let found = program.members(named: name, on: type).filter { program[$0].kind == .function && !program[$0].isStatic }
            return !found.isEmpty && found.allSatisfy { other in
                program[other].body != nil && !program[other].isPartial && !slice.isTouched(program[other].fullName)
                    && (relevance.isCalled(other, outside: chain) || !callersBesidesItself(of: program[other]).isEmpty || program.isOffered(other))
            }
        }
    }

    /// The names of what undoes what a method of this base name does, by the custom of both languages.
    private static func counterparts(of name: String) -> [String] {
        pairs.compactMap { begin, end in
            guard name.hasPrefix(begin) else { return nil }
            let rest = name.dropFirst(begin.count)
            return rest.first?.isLowercase ?? false ? nil : end + rest
        }
    }

    private static let pairs: [(begin: String, end: String)] = [
        ("start", "stop"), ("begin", "end"), ("register", "unregister"), ("enable", "disable"), ("subscribe", "unsubscribe"), ("activate", "deactivate"),
        ("connect", "disconnect"), ("attach", "detach"), ("resume", "pause"), ("open", "close"), ("observe", "unobserve"),
    ]
}
