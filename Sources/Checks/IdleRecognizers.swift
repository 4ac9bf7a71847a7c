import Findings
import ProgramModel

extension Check {
    /// Gesture recognisers that never recognise anything: no view has them, or they are of the class that only subclasses make useful.
    static let idleRecognizers = Check(rules: ["gesture_not_attached", "abstract_recognizer"]) { input, file in
        input.bodies(inFile: file).flatMap { place in
            place.madeObjects { input.recognizerClass($0, in: place.context.scope) != nil }.compactMap { made in
                abstractClass(made, place, file, input) ?? unattached(made, place, file, input)
            }
        }
    }

    private static func unattached(_ made: MadeObject, _ place: BodyOccurrence, _ file: Int, _ input: CheckInput) -> Finding? {
        guard !attachesItself(made.type, place.context.scope, input), !made.uses.isMixed else { return nil }
        var keepers: Set<String> = []
        guard !mayAttach(made.uses, place, &keepers), keepers.allSatisfy({ isIdle($0, place, input) }) else { return nil }
        let name = keepers.first ?? made.uses.locals.first.map { place.body[$0].name }
        return input.finding(
            "gesture_not_attached",
            "\(name.map { "'\($0)'" } ?? "this '\(made.type.name)'") is given to no view, so no touch reaches it and its action is never sent: add it to the view with 'addGestureRecognizer'",
            at: made.statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
    }

    /// Whether what is done with a recogniser may give it to a view; the properties that keep it are noted.
    private static func mayAttach(_ uses: ValueUses, _ place: BodyOccurrence, _ keepers: inout Set<String>) -> Bool {
        let facts = place.member.facts
        return uses.all.contains { use, _ in
            switch use {
            case .set, .read: return false
            // What a method of an extension does with its recogniser is not known.
            case .called(let call): return !["addTarget", "removeTarget", "require"].contains(call.callee.baseName) && !(call.callee.baseName ?? "").hasPrefix("requireGestureRecognizer") && !isSetter(call)
            case .given(let call, _): return call.callee.baseName != "require" && !(call.callee.baseName ?? "").hasPrefix("requireGestureRecognizer")
            case .kept(let kept):
                guard let name = kept.ownName else { return true }
                keepers.insert(name)
                return false
            case .returned:
                guard facts.kind == .property, facts.accessors?.get == nil, facts.body == place.body else { return true }
                keepers.insert(facts.baseName)
                return false
            case .other: return true
            }
        }
    }

    /// Whether a private property keeps its recogniser from every view: all code that can read it is here, and does something else with it. What
    /// nobody reads at all is left over.
    private static func isIdle(_ name: String, _ place: BodyOccurrence, _ input: CheckInput) -> Bool {
        let program = input.program
        let properties = program.members(named: name, on: place.member.owner)
        guard properties.count == 1, program[properties[0]].kind == .property, program[properties[0]].isPrivate, !program[properties[0]].isOutlet else { return false }
        var isRead = false
        let isIdle = program.members(of: place.member.owner).allSatisfy { id in
            program[id].bodies.allSatisfy { _, body in
                var read: Set<Register> = []
                var isHidden = false
                body.block.forEachStatement { statement in
                    switch statement.kind {
                    case .read(let register, let source): if source.propertyName == name { read.insert(register) }
                    case .opaque(let part): if part.reads.contains(name) { isHidden = true }
                    default: break
                    }
                }
                guard !isHidden, !read.isEmpty else { return !isHidden }
                isRead = true
                var keepers: Set<String> = []
                let uses = ValueUses(of: read, in: body)
                let reader = BodyOccurrence(
                    member: MemberOccurrence(id: id, facts: program[id], owner: place.member.owner, typeName: place.member.typeName), body: body, context: program.context(of: body, in: id, as: place.member.owner))
                return !mayAttach(uses, reader, &keepers) && keepers.isEmpty
            }
        }
        return isIdle && isRead
    }

    private static func isSetter(_ call: Call) -> Bool { call.arguments.count == 1 && call.callee.baseName?.propertyItSets != nil }

    /// Whether a class of the project has an initialiser, which may add the recogniser to a view.
    private static func attachesItself(_ type: TypeReference, _ scope: Scope, _ input: CheckInput) -> Bool {
        guard case .project(let types) = input.program.resolve(type.unwrapped, in: scope) else { return false }
        return types.contains { type in input.program.chain(of: type).contains { input.program[$0].membersByName["init"] != nil } }
    }

    private static let abstract: Set<String> = ["UIGestureRecognizer", "NSGestureRecognizer"]

    private static func abstractClass(_ made: MadeObject, _ place: BodyOccurrence, _ file: Int, _ input: CheckInput) -> Finding? {
        guard case .platform(let name) = input.program.resolve(made.type.unwrapped, in: place.context.scope), abstract.contains(name) else { return nil }
        // One without a target and a view is a stand-in, to be handed to a handler.
        let hasTarget = made.call.arguments.contains { $0.label == "target" && $0.value != .constant(.null) }
        let isUsed = hasTarget || made.uses.all.contains { use, _ in
            switch use {
            case .called(let call): call.callee.baseName == "addTarget"
            case .given(let call, _): call.callee.baseName == "addGestureRecognizer"
            default: false
            }
        }
        guard isUsed else { return nil }
        return input.finding(
            "abstract_recognizer",
            "'\(name)' itself recognises no gesture, only its subclasses do, so the action is never sent: make one of a subclass, such as '\(name.prefix(2))\(name.hasPrefix("UI") ? "Tap" : "Click")GestureRecognizer'",
            at: made.statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
    }
}
