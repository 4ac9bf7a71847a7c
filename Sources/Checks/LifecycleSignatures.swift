import Findings
import ProgramModel
import RuleLibrary

extension Check {
    /// Methods that look like a lifecycle method of the class and never run.
    static let lifecycleSignatures = Check(rules: ["lifecycle_signature_mismatch"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).compactMap { occurrence in
            let check = SignatureCheck(input: input, file: file, occurrence: occurrence)
            return check.foreignEnd() ?? check.finding()
        }
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
        // In Objective-C nothing marks an override: what overrides has the name of a method of the chain.
        // What an extension adds to a class of the SDK is meant as an addition to it, not as an override.
        guard member.kind == .function, !member.isOverride || isObjectiveC, !member.isStatic, !member.isPartial, member.body != nil, member.baseName.count >= 8,
              !program.isExtended(occurrence.owner),
              let chain = input.platformChain(of: occurrence.owner), !chain.isByNameOnly,
              !isUsedFromOutside(member), let meant = lookAlike(of: member, chain.classes), !isCalled(member), !isWitness(member) else { return nil }
        let problem = meant.baseName == member.baseName ? "has other parameters than" : "is spelt otherwise than"
        return input.finding(
            "lifecycle_signature_mismatch",
            "'\(member.fullName)' \(problem) '\(meant.name)' of '\(chain.classes[0])', so Cocoa never calls it; nothing else does",
            at: member.nameSpan, in: file, type: occurrence.typeName, member: member.fullName)
    }

    /// A method for the end of the object, by the name that it has in the other language, or by a slip of its own.
    func foreignEnd() -> Finding? {
        let member = occurrence.facts
        let (written, meant) = isObjectiveC ? ("deinit", "dealloc") : ("dealloc", "deinit")
        let isSlip = isObjectiveC && Spelling.isSlip(member.baseName, for: meant)
        guard member.kind == .function, member.baseName == written || isSlip, member.parameters.isEmpty, member.type == nil || member.type?.name == "Void", !member.isStatic, !member.isPartial,
              program[occurrence.owner].kind == .class, member.body?.block.isEmpty == false, !isUsedFromOutside(member), !isCalled(member), !isWitness(member) else { return nil }
        if isSlip {
            return input.finding(
                "lifecycle_signature_mismatch", "'\(member.baseName)' is spelt otherwise than 'dealloc', so nothing calls it and what it ends is never ended", at: member.nameSpan, in: file,
                type: occurrence.typeName, member: member.fullName)
        }
        return input.finding(
            "lifecycle_signature_mismatch",
            "nothing calls this method: in \(isObjectiveC ? "Objective-C" : "Swift") the one that runs when the object is freed is \(meant), and \(written) is its name in \(isObjectiveC ? "Swift" : "Objective-C")",
            at: member.nameSpan, in: file, type: occurrence.typeName, member: member.fullName)
    }

    private var isObjectiveC: Bool { program.files[file].facts.language == .objectiveC }

    /// Whether nibs, Objective-C or nobody at all call the method by what is written at it.
    private func isUsedFromOutside(_ member: MemberFacts) -> Bool {
        member.attributes.contains { attribute in
            ["IBAction", "IBSegueAction"].contains(attribute.name) || (attribute.name == "objc" && attribute.arguments != nil && !isObjectiveC)
                || (attribute.name == "available" && attribute.arguments?.contains("unavailable") == true)
        }
    }

    /// The lifecycle method that the name was meant to be.
    private func lookAlike(of member: MemberFacts, _ classes: [String]) -> LifecycleClass.Method? {
        let methods = classes.flatMap { input.library.lifecycles[$0]?.methods ?? [] }.filter { !MemberFacts.withdrawnEvents.contains($0.baseName) }
        // What Swift has as a property is a method of Objective-C.
        if methods.contains(where: { $0.name == member.fullName || (isObjectiveC && $0.name == member.baseName) }) { return nil }
        // A name of an earlier SDK overrides nothing any more.
        if let renamed = methods.first(where: { $0.earlier.contains(member.fullName) }) { return renamed }
        // The right name with other parameters: only where no method of that base name takes them.
        // Hooks such as `setSelected` share their base names with honest helpers.
        if let same = methods.first(where: { $0.baseName == member.baseName }) {
            return (same.role == .lifecycle || same.role == .drawing) && looksLikeEvent(member, same) ? same : nil
        }
        return methods.first { [.lifecycle, .drawing, .hook].contains($0.role) && Spelling.isSlip(member.baseName, for: $0.baseName) && looksLikeEvent(member, $0) }
    }

    /// Whether the parameters are those of the event or a slip of them: a helper of another shape is no attempt at it.
    private func looksLikeEvent(_ member: MemberFacts, _ method: LifecycleClass.Method) -> Bool {
        let wanted = method.name.filter { $0 == ":" }.count
        guard member.parameters.count <= max(1, wanted), member.type == nil || member.type?.name == "Void" else { return false }
        return member.parameters.allSatisfy { $0.type.name != "->" && !$0.hasDefault }
    }

    /// Whether any code of the project calls a method of this name, or hands it on.  An overload of its own is called by super as well.
    private func isCalled(_ member: MemberFacts) -> Bool {
        let labels = member.fullName.dropFirst(member.baseName.count + 1).dropLast().split(separator: ":")
        // Before Swift 3 the first label was not written at calls.
        return input.names.called.contains(member.baseName) || input.names.called.contains(member.fullName) || input.names.called.contains("\(member.baseName)(\(labels.isEmpty ? "" : "_:")\(labels.dropFirst().map { "\($0):" }.joined()))") || input.names.calledOnSuper.contains(member.fullName)
    }

    /// Whether a protocol asks for the method, or one that is not here may do so.
    private func isWitness(_ member: MemberFacts) -> Bool {
        program.protocols(of: occurrence.owner).contains { program[$0].membersByName[member.baseName] != nil }
            || program.hasUnknownConformance(occurrence.owner)
    }
}

/// Slips of the keyboard.
enum Spelling {
    /// Whether a word is another with other capitals, or with a letter (in long words two) added, left out, changed or swapped.
    static func isSlip(_ word: String, for meant: String) -> Bool {
        if word == meant { return false }
        if word.lowercased() == meant.lowercased() { return true }
        // A number at the end counts something: `viewDidAppear2` is a name of its own.
        if let last = word.last, last.isNumber { return false }
        let most = meant.count >= 11 ? 2 : 1
        guard abs(word.utf8.count - meant.utf8.count) <= most else { return false }
        return distance(Array(word.utf8), Array(meant.utf8)) <= most
    }

    /// The number of letters to add, leave out, change or swap with their neighbours (optimal string alignment).
    static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var before = [Int](repeating: 0, count: right.count + 1)
        var last = Array(0...right.count)
        for row in 0..<left.count {
            var current = [row + 1] + [Int](repeating: 0, count: right.count)
            for column in 0..<right.count {
                let cost = left[row] == right[column] ? 0 : 1
                current[column + 1] = min(last[column + 1] + 1, current[column] + 1, last[column] + cost)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    current[column + 1] = min(current[column + 1], before[column - 1] + 1)
                }
            }
            (before, last) = (last, current)
        }
        return last[right.count]
    }
}
