import Findings
import ProgramModel
import SourceText

extension Check {
    /// Key paths that are observed together and not all given up together.
    static let forgottenKeyPaths = Check(rules: ["kvo_not_removed", "kvo_unbalanced"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return ForgottenKeyPaths(input: input, file: file).findings()
    }
}

/// The search for registrations of one file that the removals of their companions leave behind.
private struct ForgottenKeyPaths {
    typealias Operation = KeyPathTraffic.Operation

    let input: CheckInput
    let file: Int

    private var traffic: KeyPathTraffic { input.keyPaths }

    func findings() -> [Finding] {
        let forgotten = traffic.additions.filter { $0.file == file }.compactMap { addition -> (addition: Operation, companions: [Operation])? in
            guard let companions = removalsOfCompanions(of: addition) else { return nil }
            return (addition, companions)
        }
        var named: Set<String> = []
        return forgotten.map { addition, companions in
            // One path twice, and of two registrations one stays: the second was meant for the other.
            if forgotten.count == 1, let second = secondRemoval(among: traffic.removals.filter { $0.file == file && isRelated($0, addition) }, beside: companions) {
                var mistaken = finding(
                    "kvo_unbalanced", "'\(second.path)' is removed here a second time, which raises an exception where it is not observed, and '\(addition.path)', which "
                        + "'\(addition.member)' observes, never is removed: remove that path here", at: second)
                let path = input.program.files[file].path
                mistaken.trace = [
                    TraceStep(event: addition.member, path: path, line: addition.span.start.line, note: "'\(addition.path)' is observed from here on"),
                    TraceStep(event: second.member, path: path, line: second.span.start.line, note: "'\(second.path)' is removed in its place"),
                ]
                return mistaken
            }
            return finding(
                "kvo_not_removed", "'\(companions[0].member)' removes '\(companions[0].path)', which is observed together with '\(addition.path)', and nothing ever removes "
                    + "'\(addition.path)': a change after this observer died is sent to freed memory; remove both there", at: addition)
        } + traffic.removals.filter { $0.file == file }.compactMap { removal in
            guard let left = leftOut(by: removal), named.insert("\(removal.run) \(left.addition.path)").inserted else { return nil }
            return finding(
                "kvo_not_removed", "'\(left.addition.path)' is observed together with the key paths that are removed here, and '\(left.complete.member)' removes it with them, but this "
                    + "does not: it stays observed, and is observed twice after the next registration; remove it here too", at: removal)
        }
    }

    private func finding(_ rule: String, _ message: String, at place: Operation) -> Finding {
        input.finding(rule, message, at: place.span, in: file, type: place.typeName, member: place.member)
    }

    /// Whether two calls may speak of one observer.
    private func isRelated(_ first: Operation, _ second: Operation) -> Bool {
        guard let one = first.observer, let other = second.observer else { return false }
        return input.program.chain(of: one).contains(other) || input.program.chain(of: other).contains(one)
    }

    /// What is observed in the same breath, the registration itself included.
    private func group(of addition: Operation) -> [Operation] {
        traffic.additions.filter { $0.run == addition.run && $0.observed == addition.observed && $0.observer == addition.observer }
    }

    /// The removals of what is observed together with a registration that nothing removes; nil where it may be removed.
    private func removalsOfCompanions(of addition: Operation) -> [Operation]? {
        guard addition.observer != nil, addition.observed != nil, !addition.isOfSelf, !mayBeRemovedUntold(addition),
              !traffic.removals.contains(where: { $0.path == addition.path && ($0.observer == nil || isRelated($0, addition)) }) else { return nil }
        let companions = Set(group(of: addition).map(\.path)).subtracting([addition.path])
        let removals = traffic.removals.filter { companions.contains($0.path) && $0.file == file && isRelated($0, addition) }
        return removals.isEmpty ? nil : removals
    }

    private func mayBeRemovedUntold(_ addition: Operation) -> Bool {
        traffic.removedUntold.contains { observer in
            guard let observer, let own = addition.observer else { return true }
            return input.program.chain(of: own).contains(observer) || input.program.chain(of: observer).contains(own)
        }
    }

    /// The removal with which a body in which companions of a forgotten registration are removed gives up a path more often than it is observed.
    private func secondRemoval(among removals: [Operation], beside companions: [Operation]) -> Operation? {
        removals.indices.first { index in
            let removal = removals[index]
            let before = removals[..<index].filter { $0.body == removal.body && $0.path == removal.path && $0.run != removal.run }
            return !before.isEmpty && before.count + 1 > traffic.additions.count { $0.path == removal.path && isRelated($0, removal) }
                && companions.contains { $0.body == removal.body }
        }.map { removals[$0] }
    }

    /// The registration that a run of removals leaves out while another run removes all that was observed together.
    private func leftOut(by removal: Operation) -> (addition: Operation, complete: Operation)? {
        let own = traffic.removals.filter { $0.run == removal.run && $0.observer == removal.observer }
        guard own.count > 1, own.first?.span == removal.span else { return nil }
        let paths = Set(own.map(\.path))
        let inBody = Set(traffic.removals.filter { $0.body == removal.body }.map(\.path))
        let groups = Dictionary(grouping: traffic.additions.filter { isRelated($0, removal) && $0.observed != nil }) { $0.run }.values
        // Where one group is just that, or several could be meant, nothing is forgotten.
        let possible = groups.filter { Set($0.map(\.path)).isSuperset(of: paths) }
        guard possible.count == 1, let group = possible.first, let addition = group.first(where: { !inBody.contains($0.path) }),
              Set(group.map(\.path)).count == paths.count + 1, !mayBeRemovedUntold(addition) else { return nil }
        let others = traffic.removals.filter { $0.path == addition.path && ($0.observer == nil || isRelated($0, addition)) }
        let complete = others.filter { other in
            Set(traffic.removals.filter { $0.run == other.run }.map(\.path)).isSuperset(of: group.map(\.path))
        }
        guard let first = complete.first, complete.count == others.count else { return nil }
        return (addition, first)
    }
}
