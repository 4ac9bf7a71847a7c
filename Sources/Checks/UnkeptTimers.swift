import Findings
import ProgramModel
import RuleLibrary

extension Check {
    /// Repeating timers that nothing keeps, beside a property for a timer that the class ends and never sets.
    static let unkeptTimers = Check(rules: ["timer_not_invalidated"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        var classes: [TypeID: String?] = [:]
        return input.bodies(inFile: file).flatMap { place -> [Finding] in
            var found: [Finding] = []
            lazy var used = place.body.usedRegisters
            place.body.block.forEachStatement { statement in
                guard let call = statement.call, schedules(call), input.library.isRepeated(armedBy: call.fullName, flag: call.boolean) == true, !used.contains(call.result) else { return }
                let property = classes[place.member.owner] ?? emptyTimer(of: place.member.owner, input)
                classes[place.member.owner] = .some(property)
                guard let property else { return }
                found.append(input.finding(
                    "timer_not_invalidated", "nothing keeps this repeating timer, and '\(property)', which is ended and set to nil, is never given one: it fires on and another is added each time; put it into '\(property)'",
                    at: statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName))
            }
            return found
        }
    }

    private static func schedules(_ call: Call) -> Bool { call.callee.baseName?.hasPrefix("scheduledTimer") ?? false }

    /// The property for a timer that code of the class ends and that no code gives one; nil where there is none.
    private static func emptyTimer(of type: TypeID, _ input: CheckInput) -> String? {
        let program = input.program
        let timers: [MemberFacts] = program.chain(of: type).flatMap(program.members).map { program[$0] }.filter { member in
            member.kind == .property && !member.isConstant && member.isStored && member.body == nil && member.accessors == nil && ["Timer", "NSTimer"].contains(member.type?.unwrapped.name)
        }
        guard !timers.isEmpty else { return nil }
        let ends = Set((input.library.family(named: "timer")?.release ?? []).flatMap(\.names).map(ResourceFamily.baseName))
        var ended: Set<String> = []
        for id in program.chain(of: type).flatMap(program.members) {
            for (_, body) in program[id].bodies {
                let context = program.context(of: body, in: id, as: type)
                body.block.forEachStatement { statement in
                    guard let call = statement.call, case .member(let receiver, let name) = call.callee, ends.contains(name) else { return }
                    context.ownProperty(behind: receiver).map { _ = ended.insert($0) }
                }
            }
        }
        return timers.map(\.baseName).filter { ended.contains($0.withoutUnderscore) && isNeverSet($0, of: type, input) }.min()
    }

    /// Whether all that is ever put into a property is nil.
    private static func isNeverSet(_ property: String, of type: TypeID, _ input: CheckInput) -> Bool {
        let places = input.places(writing: property, of: type)
        // Who passes it by reference may set it.
        return !places.isEmpty && places.allSatisfy { if case .write(_, .constant(.null)) = $0.statement.kind { true } else { false } }
    }
}
