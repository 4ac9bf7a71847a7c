import Findings
import ProgramModel

extension Check {
    /// Properties that hold the view or controller which keeps their object and handed itself to it, to its initialiser or by the property.
    static let backReferences = Check(rules: ["strong_delegate"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).compactMap { BackReference(input: input, file: file, member: $0)?.finding() }
    }
}

/// A stored property that may hold who made its object.
private struct BackReference {
    let input: CheckInput
    let file: Int
    let member: MemberOccurrence

    private var program: Program { input.program }

    /// Nil for properties that hold nothing, or weakly, and for delegates, of which more is known.
    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        guard member.facts.holdsStrongly, !DelegateGifts.isDelegateName(member.facts.baseName), member.facts.body == nil else { return nil }
        (self.input, self.file, self.member) = (input, file, member)
    }

    func finding() -> Finding? {
        let name = member.facts.baseName
        guard !countsByHand(member.owner), !input.clears(name, of: member.owner) else { return nil }
        let circle = (input.delegateGifts.toKept[member.owner] ?? []).first { gift in
            // Others may be made once and live as long as the app, so that a circle costs nothing.
            gift.property == name && (program.isInterfaceObject(gift.giver) || isShown) && !program.keepsOneForAll(gift.giver) && !countsByHand(gift.giver) && !gift.keepers.contains { input.clears($0, of: gift.giver) }
        }
        guard let circle, let keeper = circle.keepers.min() else { return nil }
        let (giver, own) = (program[circle.giver].name, program[member.owner].name)
        let place = circle.file == file ? "line \(circle.span.start.line)" : "\(program.files[circle.file].path):\(circle.span.start.line)"
        return input.finding(
            "strong_delegate",
            "'\(name)' holds its object strongly, and '\(giver)', which keeps its '\(own)' in '\(keeper)', hands itself to it (\(place)): neither is ever freed; make '\(name)' weak, "
                + "or set '\(keeper)' to nil when the work is done",
            at: member.facts.nameSpan, in: file, type: member.typeName, member: name)
    }

    /// Whether the object is a part of what is on the screen, which comes and goes whoever keeps it.
    private var isShown: Bool {
        program.isInterfaceObject(member.owner) || ["UIGestureRecognizer", "NSGestureRecognizer"].contains { program.isType(member.owner, kindOf: $0) }
    }

    /// Whether the code of a class counts references itself, so that its variables hold only what it retains.
    private func countsByHand(_ type: TypeID) -> Bool {
        program[type].declarations.contains { declaration in
            program.files[declaration.file].facts.language == .objectiveC && program.files[declaration.file].facts.types.contains { one in
                one.members.contains { $0.kind == .deinitializer && $0.modifiers.contains("override") }
            }
        }
    }
}
