import Findings
import ProgramModel
import RuleLibrary
import SourceText

extension Check {
    /// Observed objects whose property is set to nil while the observer that the class removes elsewhere is still registered.
    static let forsakenObservations = Check(rules: ["kvo_not_removed"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        var classes: [TypeID: ForsakenObservations] = [:]
        return input.bodies(inFile: file).flatMap { place -> [Finding] in
            guard place.body.block.containsStatement({ $0.call.map(isRegistration) ?? false }) else { return [] }
            let known = classes[place.member.owner] ?? ForsakenObservations(input, place.member.owner)
            classes[place.member.owner] = known
            return known.forsaken(in: place).map { span, name, dropper in
                input.finding(
                    "kvo_not_removed",
                    "'\(dropper.name)' sets '\(name)' to nil (line \(dropper.line)) while this observer is registered with it, and no code can remove it from then on: remove it there first",
                    at: span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
            }
        }
    }

    fileprivate static func isRegistration(_ call: Call) -> Bool { KeyPathTraffic.isObservation(call) && call.callee.baseName == "addObserver" }
}

/// Which members of a class remove its key-value observers, and which set the properties with what is observed to nil.
private struct ForsakenObservations {
    /// A method that sets a property to nil.
    struct Dropper {
        let name: String
        let base: String
        let line: Int
    }

    private let input: CheckInput
    private let chain: Set<TypeID>
    /// The properties from whose objects some code removes observers.
    private var removed: Set<String> = []
    /// The methods that set a property to nil, by its name.
    private var droppers: [String: [Dropper]] = [:]
    /// The base names of the members that remove an observer, or call one that does.
    private var removing: Set<String> = []
    /// The base names that the members of a base name call.
    private var calls: [String: Set<String>] = [:]

    init(_ input: CheckInput, _ type: TypeID) {
        self.input = input
        let program = input.program
        chain = Set(program.chain(of: type))
        for id in program.chain(of: type).flatMap(program.members) {
            let member = program[id]
            for (_, body) in member.bodies {
                let context = program.context(of: body, in: id, as: type)
                calls[member.baseName, default: []].formUnion(body.block.calledNames)
                body.block.forEachStatement { statement in
                    if let call = statement.call, KeyPathTraffic.isObservation(call), call.callee.baseName == "removeObserver" {
                        removing.insert(member.baseName)
                        Self.observed(by: call, context).map { _ = removed.insert($0) }
                    }
                    guard case .write(let place, .constant(.null)) = statement.kind, let name = place.ownName?.withoutUnderscore,
                          member.kind == .function, !member.isOverride, !member.isStatic, !member.isPartial else { return }
                    droppers[name, default: []].append(Dropper(name: member.fullName, base: member.baseName, line: statement.span.start.line))
                }
            }
        }
        // A property may remove the observers of its old value itself.
        for id in program.chain(of: type).flatMap(program.members) where program[id].accessors != nil || program[id].baseName.hasPrefix("set") {
            let name = program[id].baseName
            droppers[name.withoutUnderscore] = nil
            if let property = name.propertyItSets { droppers[property] = nil }
        }
        removing = calls.namesLeading(to: removing)
    }

    /// The property of the object whose value a call observes, or no longer does.
    private static func observed(by call: Call, _ context: BodyContext) -> String? {
        if case .member(let receiver, _) = call.callee { context.ownProperty(behind: receiver) } else { nil }
    }

    /// The registrations of a body whose object somebody drops who neither removes them nor is only called by those who did.
    func forsaken(in place: BodyOccurrence) -> [(span: SourceSpan, property: String, dropper: Dropper)] {
        var found: [(span: SourceSpan, property: String, dropper: Dropper)] = []
        place.body.block.forEachStatement { statement in
            guard let call = statement.call, Check.isRegistration(call), call.arguments.first?.value == .selfObject, let name = Self.observed(by: call, place.context),
                  removed.contains(name), !found.contains(where: { $0.property == name }) else { return }
            let dropper = (droppers[name] ?? []).first { one in
                // Who adds it again has made something new before.
                one.base != place.member.facts.baseName && !removing.contains(one.base) && isCalledByOthers(one.base)
            }
            if let dropper { found.append((statement.span, name, dropper)) }
        }
        return found
    }

    /// Whether somebody calls a method who does not remove the observers.
    private func isCalledByOthers(_ base: String) -> Bool {
        if calls.contains(where: { !removing.contains($0.key) && $0.key != base && $0.value.contains(base) }) { return true }
        return input.program.files.indices.contains { file in
            input.bodies(inFile: file).contains { place in
                !chain.contains(place.member.owner) && place.body.block.containsStatement { statement in
                    if case .member(let receiver, base)? = statement.call?.callee { receiver != .selfObject && isOwn(receiver, place.context) } else { false }
                }
            }
        }
    }

    /// Whether a value is an object of the class, as far as anybody knows its type.
    private func isOwn(_ receiver: Operand, _ context: BodyContext) -> Bool {
        guard let inferred = input.inference.type(of: receiver, in: context), case .project(let types) = input.inference.resolve(inferred) else { return false }
        return types.contains(where: chain.contains)
    }
}
