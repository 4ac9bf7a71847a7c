import Findings
import ProgramModel
import RuleLibrary
import SourceText

extension Check {
    /// Tokens of block observers that are given back under another notification's name only, which removes nothing.
    static let misnamedTokenRemovals = Check(rules: ["observation_token_not_removed"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.bodies(inFile: file).flatMap { place -> [Finding] in
            MisnamedTokenRemovals.registrations(in: place.context, input).compactMap { registration in
                guard let removal = MisnamedTokenRemovals.removal(of: registration, place, input) else { return nil }
                let (added, removed) = (registration.name.title, removal.name.title)
                var finding = input.finding(
                    "observation_token_not_removed",
                    "the token that observes '\(added)' is given back under '\(removed)' only, which removes nothing: the block stays and goes on being called; say '\(added)' there, or give the token alone to 'removeObserver'",
                    at: registration.statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
                finding.trace = [TraceStep(event: removal.member, path: input.program.files[removal.file].path, line: removal.line, note: "'\(removed)' is removed, which this token does not observe")]
                return finding
            }
        }
    }
}

private enum MisnamedTokenRemovals {
    /// A block observer whose notification the text tells.
    struct Registration {
        let statement: Statement
        let call: Call
        let name: NotificationName
    }

    /// A call that gives a token back under a name.
    struct Removal {
        let name: NotificationName
        let file: Int
        let member: String
        let line: Int
    }

    static func registrations(in context: BodyContext, _ input: CheckInput) -> [Registration] {
        var found: [Registration] = []
        context.body.block.forEachStatement { statement in
            guard let call = statement.call, let called = call.fullName, input.library.families(acquiredBy: called).contains(where: { $0.name == "block_observer" }),
                  let observation = NotificationTraffic.observation(call), let name = input.notifications.name(observation.name, in: context) else { return }
            found.append(Registration(statement: statement, call: call, name: name))
        }
        return found
    }

    /// The first removal of the token, where each thing that is done with it is a removal under another name.
    static func removal(of registration: Registration, _ place: BodyOccurrence, _ input: CheckInput) -> Removal? {
        var removals: [Removal] = []
        var properties: Set<String> = []
        func areRemovals(_ uses: ValueUses, _ context: BodyContext, _ file: Int, _ member: String) -> Bool {
            !uses.isMixed && uses.all.allSatisfy { use, statement in
                switch use {
                case .given(let call, let argument):
                    guard call.callee.baseName == "removeObserver", argument == call.arguments.first, let named = call.arguments.first(where: { $0.label == "name" }),
                          let name = input.notifications.name(named.value, in: context), name.isSurelyOther(than: registration.name) else { return false }
                    removals.append(Removal(name: name, file: file, member: member, line: statement.span.start.line))
                    return true
                case .kept(let kept):
                    guard let property = kept.ownName else { return false }
                    properties.insert(property.withoutUnderscore)
                    return true
                case .called, .set, .read, .returned, .other: return false
                }
            }
        }
        guard areRemovals(ValueUses(of: [registration.call.result], in: place.body), place.context, place.member.id.declaration.file, place.member.facts.fullName) else { return nil }
        for property in properties {
            guard properties.count == 1, areReads(of: property, place, input, areRemovals) else { return nil }
        }
        return removals.first
    }

    /// Whether all that code of the project does with an own property of that name holds; what other classes read of it does not.
    private static func areReads(
        of property: String, _ place: BodyOccurrence, _ input: CheckInput, _ hold: (ValueUses, BodyContext, Int, String) -> Bool
    ) -> Bool {
        let program = input.program
        guard !input.isRead(property, outside: place.member.owner) else { return false }
        for id in program.chain(of: place.member.owner).flatMap(program.members) {
            let member = program[id]
            guard !member.isPartial, member.accessors == nil || member.baseName.withoutUnderscore != property else { return false }
            for (_, body) in member.bodies {
                var registers: Set<Register> = []
                var isOpen = false
                body.block.forEachStatement { statement in
                    switch statement.kind {
                    case .read(let register, let read) where read.ownName?.withoutUnderscore == property: registers.insert(register)
                    case .write(let written, let value) where written.ownName?.withoutUnderscore == property:
                        // Another token of the property may be the one that is removed.
                        if value != .constant(.null), body != place.body { isOpen = true }
                    case .opaque(let part): if (part.reads + part.writes).contains(where: { $0.withoutUnderscore == property }) { isOpen = true }
                    default: break
                    }
                }
                guard !isOpen, registers.isEmpty || hold(ValueUses(of: registers, in: body), program.context(of: body, in: id, as: place.member.owner), id.declaration.file, member.fullName) else { return false }
            }
        }
        return true
    }
}
