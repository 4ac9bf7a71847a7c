import Findings
import ProgramModel

extension Check {
    /// Delegate properties that point without holding in code that could hold weakly, for others to set.
    static let pointingDelegates = Check(rules: ["delegate_not_cleared"]) { input, file in
        let program = input.program
        // Before these systems nothing was weak.
        let couldBeWeak = DeploymentTargets([.iOS: SystemVersion(5), .macOS: SystemVersion(10, 7)])
        guard !program.files[file].isTest, program.files[file].facts.language == .objectiveC, input.targets(ofFile: file).system(before: couldBeWeak) == nil else { return [] }
        return input.members(inFile: file).compactMap { member in
            guard member.facts.kind == .property, member.facts.modifiers.contains("unowned(unsafe)"), DelegateGifts.isDelegateName(member.facts.baseName), !member.facts.baseName.hasPrefix("_"),
                  // What is computed points to nothing.
                  !program.members(named: member.facts.baseName, on: member.owner).contains(where: { program[$0].accessors?.get != nil || program[$0].kind == .function && program[$0].body != nil }),
                  program[member.owner].kind == .class, program[member.owner].declarations.count > 1, !countsByHand(member.owner, in: program),
                  // Who gives what to whom is known then, and each is judged by itself.
                  !(input.delegateGifts.kept[member.owner] ?? []).contains(where: { $0.property == member.facts.baseName }), !isSetWhenMade(member.facts.baseName, of: member.owner, in: program),
                  // What is declared again in a class extension or a subclass is one property.
                  !program.members(named: member.facts.baseName, on: member.owner).contains(where: { program[$0].modifiers.contains("weak") }) else { return nil }
            return input.finding(
                "delegate_not_cleared",
                "'\(member.facts.baseName)' points to its delegate without holding it: when the delegate is freed and has not set it to nil, the next message goes to freed memory; declare it weak",
                at: member.facts.nameSpan, in: file, type: member.typeName, member: member.facts.baseName)
        }
    }

    /// Whether an initialiser of the class fills a property.
    private static func isSetWhenMade(_ name: String, of type: TypeID, in program: Program) -> Bool {
        program.members(of: type).contains { id in
            program[id].baseName == "init" && (program[id].parameters.contains { $0.label == name } || program[id].bodies.contains { _, body in
                body.block.containsStatement { statement in
                    guard case .write(let place, _) = statement.kind else { return false }
                    return place.ownName?.withoutUnderscore == name
                }
            })
        }
    }

    /// Whether the code of a class counts references itself, where pointing is the custom.
    private static func countsByHand(_ type: TypeID, in program: Program) -> Bool {
        let units = Set(program[type].declarations.flatMap { program.files[$0.file].units })
        return program.files.contains { (!units.isDisjoint(with: $0.units) || units.isEmpty && $0.units.isEmpty) && $0.facts.countsReferences }
    }
}
