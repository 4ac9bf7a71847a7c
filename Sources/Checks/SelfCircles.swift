import Findings
import ProgramModel
import SourceText

extension Check {
    /// Properties in which an object keeps itself, as the root of a tree does that is its own root.
    static let selfCircles = Check(rules: ["strong_delegate"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).compactMap { SelfCircle(input: input, file: file, member: $0)?.finding() }
    }
}

/// A stored property that may hold the object whose property it is.
private struct SelfCircle {
    private let input: CheckInput
    private let file: Int
    private let member: MemberOccurrence

    private var program: Program { input.program }

    /// Nil for what holds nothing, for what may be given up, and for delegates, of which others tell.
    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        let name = member.facts.baseName
        guard member.facts.holdsStrongly, !member.facts.isOutlet, !DelegateGifts.isDelegateName(name), input.program[member.owner].kind == .class,
              !input.program.isDeclaredWeak(name, of: member.owner), !input.writes.clears(name), !input.lifetimes.lastAsLongAsTheApp(member.owner) else { return nil }
        (self.input, self.file, self.member) = (input, file, member)
    }

    func finding() -> Finding? {
        let name = member.facts.baseName
        guard let place = place(writingSelfTo: name) else { return nil }
        return input.finding(
            "strong_delegate", "'\(name)' may hold the '\(member.typeName)' itself (line \(place.start.line)), and nothing sets it to nil: such an object is never freed; make the property weak",
            at: member.facts.nameSpan, in: file, type: member.typeName, member: name)
    }

    /// Where code of the class puts its object into the property; nil also where other code of it puts something else there.
    private func place(writingSelfTo name: String) -> SourceSpan? {
        var places: [SourceSpan] = []
        var isReplaced = false
        for id in program.members(of: member.owner) where !program[id].isStatic {
            for (_, body) in program[id].bodies {
                // The registers that hold it on one of the branches.
                var holders: Set<Register> = []
                body.block.forEachStatement { statement in
                    switch statement.kind {
                    case .assign(let register, .selfObject): holders.insert(register)
                    case .assign(let register, .register(let value)) where holders.contains(value): holders.insert(register)
                    case .write(let place, let value) where place.ownName == name:
                        let isSelf = if case .register(let register) = value { holders.contains(register) } else { value == .selfObject }
                        if isSelf, id.declaration.file == file { places.append(statement.span) } else { isReplaced = true }
                    default: break
                    }
                }
            }
        }
        return isReplaced ? nil : places.first
    }
}
