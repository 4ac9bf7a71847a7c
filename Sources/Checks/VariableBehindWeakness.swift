import Findings
import ProgramModel

/// A strong variable in which the accessors of a property put what the property is declared not to hold.  With accessors of their own
/// the compiler does not notice.
struct VariableBehindWeakness {
    private let input: CheckInput
    private let file: Int
    private let member: MemberOccurrence

    private var program: Program { input.program }

    /// Nil for what holds nothing.
    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        guard member.facts.holdsStrongly, member.facts.accessors == nil else { return nil }
        (self.input, self.file, self.member) = (input, file, member)
    }

    /// The finding; nil where no property is declared to be weak.
    func finding() -> Finding? {
        let name = member.facts.baseName
        let (property, what): (String, String)
        if let own = propertyOfSameName() {
            (property, what) = (own, "its own accessors use the variable")
        } else if DelegateGifts.isDelegateName(name), let set = propertyWhoseSetterKeeps(name) {
            (property, what) = (set, "the setter of '\(member.typeName)' keeps the new value there")
        } else {
            return nil
        }
        let weakly = program.files[file].facts.language == .objectiveC ? "__weak" : "weak"
        return input.finding(
            "strong_delegate", "'\(name)' holds its object strongly, though the property '\(property)' is declared weak and \(what); declare the variable as \(weakly)",
            at: member.facts.nameSpan, in: file, type: member.typeName, member: name)
    }

    /// `delegate` for the variable `_delegate` of Objective-C, where the class declares it as weak.
    private func propertyOfSameName() -> String? {
        let name = member.facts.baseName
        guard program.files[file].facts.language == .objectiveC, name.hasPrefix("_") else { return nil }
        let property = String(name.dropFirst())
        let declared = program.members(named: property, on: member.owner)
        // What others may only read, or get made of a variable of another type, is the object's own.
        let type = declared.lazy.compactMap { program[$0].type?.unwrapped }.first
        let isSet = declared.contains { program[$0].accessors?.set != nil }
        guard DelegateGifts.isDelegateName(property) || isSet && type == member.facts.type?.unwrapped else { return nil }
        return isWeak(property, among: declared) ? property : nil
    }

    private func isWeak(_ property: String, among members: [MemberID]) -> Bool {
        members.contains { program[$0].kind == .property && program[$0].modifiers.contains("weak") }
    }

    /// The inherited property that is declared weak and whose setter in this class puts the new value into the variable.
    private func propertyWhoseSetterKeeps(_ variable: String) -> String? {
        program.members(of: member.owner).lazy.compactMap { id -> String? in
            let facts = program[id]
            let kept = KeptParameters(program: program)
            switch facts.kind {
            case .function:
                guard let property = Self.propertySet(by: facts), isInheritedWeakly(property) else { return nil }
                return kept.property(keepingParameter: 0, of: id, on: member.owner) == variable ? property : nil
            case .property:
                guard facts.isOverride, facts.baseName != variable, isInheritedWeakly(facts.baseName) else { return nil }
                let takesNewValue = [facts.accessors?.set, facts.accessors?.willSet].compactMap { $0 }.contains { kept.property(keepingParameter: 0, of: $0, in: id, on: member.owner) == variable }
                return takesNewValue ? facts.baseName : nil
            default: return nil
            }
        }.first
    }

    /// `dataSource` for `setDataSource:`.
    private static func propertySet(by facts: MemberFacts) -> String? {
        guard facts.baseName.hasPrefix("set"), facts.parameters.count == 1, facts.parameters[0].label == nil, let first = facts.baseName.dropFirst(3).first else { return nil }
        return first.lowercased() + facts.baseName.dropFirst(4)
    }

    /// Whether a class above declares the property, and as weak.
    private func isInheritedWeakly(_ property: String) -> Bool {
        for type in program.chain(of: member.owner).dropFirst() {
            if let members = program[type].membersByName[property], members.contains(where: { program[$0].kind == .property }) { return isWeak(property, among: members) }
        }
        guard let known = program.platformClass(of: member.owner) else { return false }
        return program.platform.ancestry(of: known).contains { input.library.weakSlots[$0]?.contains(property) ?? false }
    }
}
