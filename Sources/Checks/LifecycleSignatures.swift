import Findings
import ProgramModel
import RuleLibrary

extension Check {
    /// Methods that look like a lifecycle method of the class and never run.
    static let lifecycleSignatures = Check(rules: ["lifecycle_signature_mismatch"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).compactMap { SignatureCheck(input: input, file: file, occurrence: $0).finding() }
    }
}

/// The check of one method.
private struct SignatureCheck {
    let input: CheckInput
    let file: Int
    let occurrence: MemberOccurrence

    private var program: Program { input.program }

    func finding() -> Finding? {
        let member = occurrence.facts
        guard member.kind == .function, !member.isOverride, !member.isStatic, !member.isPartial, member.body != nil, member.baseName.count >= 8,
              let chain = input.platformChain(of: occurrence.owner), !chain.isByNameOnly,
              let meant = lookAlike(of: member, chain.classes), !isCalled(member), !isWitness(member) else { return nil }
        let problem = meant.baseName == member.baseName ? "has other parameters than" : "is spelt otherwise than"
        return input.finding(
            "lifecycle_signature_mismatch",
            "'\(member.fullName)' \(problem) '\(meant.name)' of '\(chain.classes[0])', so Cocoa never calls it; nothing else does",
            at: member.nameSpan, in: file, type: occurrence.typeName, member: member.fullName)
    }

    /// The lifecycle method that the name was meant to be.
    private func lookAlike(of member: MemberFacts, _ classes: [String]) -> LifecycleClass.Method? {
        if input.library.method(named: member.fullName, inAncestry: classes) != nil { return nil }
        let methods = classes.flatMap { input.library.lifecycles[$0]?.methods ?? [] }.filter { $0.role == .lifecycle }
        // The right name with other parameters: only where no method of that base name takes them.
        if let same = methods.first(where: { $0.baseName == member.baseName }) {
            return looksLikeEvent(member, same) ? same : nil
        }
        return methods.first { Spelling.isSlip(member.baseName, for: $0.baseName) && looksLikeEvent(member, $0) }
    }

    /// Whether the parameters are those of the event or a slip of them: a helper of another shape is no attempt at it.
    private func looksLikeEvent(_ member: MemberFacts, _ method: LifecycleClass.Method) -> Bool {
        let wanted = method.name.filter { $0 == ":" }.count
        guard member.parameters.count <= max(1, wanted), member.type == nil || member.type?.name == "Void" else { return false }
        return member.parameters.allSatisfy { $0.type.name != "->" && !$0.hasDefault }
    }

    /// Whether any code of the project calls a method of this name, or names it in a selector.
    private func isCalled(_ member: MemberFacts) -> Bool {
        input.calledNames.contains(member.baseName)
    }

    /// Whether a protocol of the project asks for the method.
    private func isWitness(_ member: MemberFacts) -> Bool {
        program.protocols(of: occurrence.owner).contains { program[$0].membersByName[member.baseName] != nil }
    }
}

/// Slips of the keyboard.
enum Spelling {
    /// Whether a word is another with one letter added, left out, changed, or two swapped, or with other capitals.
    static func isSlip(_ word: String, for meant: String) -> Bool {
        if word == meant { return false }
        if word.lowercased() == meant.lowercased() { return true }
        let left = Array(word.utf8)
        let right = Array(meant.utf8)
        guard abs(left.count - right.count) <= 1 else { return false }
        var start = 0
        while start < min(left.count, right.count), left[start] == right[start] { start += 1 }
        var end = 0
        while end < min(left.count, right.count) - start, left[left.count - 1 - end] == right[right.count - 1 - end] { end += 1 }
        let leftMiddle = left[start..<(left.count - end)]
        let rightMiddle = right[start..<(right.count - end)]
        if leftMiddle.count <= 1, rightMiddle.count <= 1 { return isPlausible(word, meant) }
        return leftMiddle.count == 2 && rightMiddle.count == 2 && Array(leftMiddle) == rightMiddle.reversed()
    }

    /// `viewDidLoads` is a slip; `viewWillAppear2` and a plural of a word of one's own are not told apart further.
    private static func isPlausible(_ word: String, _ meant: String) -> Bool {
        guard let last = word.last, word.dropLast() == meant else { return true }
        return !last.isNumber
    }
}
