import Findings
import ProgramModel
import SourceText

extension Check {
    /// Attributed texts whose attributes the next lines wipe out.
    static let clobberedTexts = Check(rules: ["attributed_text_clobbered"]) { input, file in
        input.bodies(inFile: file).flatMap { occurrence in
            var walk = ClobberedTexts(input: input, file: file, place: occurrence)
            walk.run(occurrence.body.block)
            return walk.found
        }
    }
}

/// The walk through one body, which knows which views have an attributed text by now.
private struct ClobberedTexts {
    let input: CheckInput
    let file: Int
    let place: BodyOccurrence
    private(set) var found: [Finding] = []
    /// The views that were given an attributed text on this path, by the text that names them, with the attributes that it is known to have.
    private var attributed: [String: Set<String>] = [:]

    private static let classes = ["UILabel", "UITextView", "UITextField"]
    /// What a property replaces of an attributed text: the keys of its attributes, none for all of them, and the reason.
    private static let wiping: [String: (keys: Set<String>, why: String)] = [
        "font": (["font", "NSFontAttributeName"], "one font for all letters replaces those of the attributes"),
        "textColor": (["foregroundColor", "NSForegroundColorAttributeName"], "one colour for all letters replaces those of the attributes"),
        "text": ([], "the plain text replaces it with all attributes"),
    ]

    init(input: CheckInput, file: Int, place: BodyOccurrence) {
        (self.input, self.file, self.place) = (input, file, place)
    }

    mutating func run(_ block: Block) {
        for statement in block {
            switch statement.kind {
            case .write(.member(let base, let name), let value):
                guard let view = view(base) else { continue }
                if name == "attributedText" {
                    attributed[view] = keys(ofTextIn: value)
                } else if let (keys, why) = Self.wiping[name], let known = attributed[view], keys.isEmpty ? !known.isEmpty : !known.isDisjoint(with: keys),
                          value != .constant(.null) {
                    attributed[view] = nil
                    found.append(input.finding(
                        "attributed_text_clobbered", "'\(name)' of '\(view)' is set after its 'attributedText', and \(why); set it before, or in the attributes",
                        at: statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName))
                }
            // Another object may stand behind the name from here on.
            case .write(let target, _):
                if let name = ConditionAtom.name(of: target, in: place.context) { attributed = attributed.filter { $0.key != name && !$0.key.hasPrefix(name + ".") } }
            case .branch(let clauses, let then, let otherwise):
                for clause in clauses { run(clause.setup) }
                runArms([then, otherwise])
            case .select(_, let cases, _): runArms(cases.map(\.body))
            case .loop, .attempt:
                let before = attributed
                for inner in statement.innerBlocks(enteringClosures: false) {
                    attributed = before
                    run(inner)
                }
                attributed = before
            case .closure(_, let closure), .function(_, let closure), .spawn(_, let closure):
                // A closure runs at a time of its own.
                let before = attributed
                attributed = [:]
                run(closure.block)
                attributed = before
            default:
                for inner in statement.innerBlocks(enteringClosures: false) { run(inner) }
            }
        }
    }

    /// What holds after arms is what holds after each that goes on.
    private mutating func runArms(_ arms: [Block]) {
        let before = attributed
        var after: [String: Set<String>]?
        for arm in arms {
            attributed = before
            run(arm)
            if arm.lastExit != nil { continue }
            after = after.map { known in known.filter { attributed[$0.key] == $0.value } } ?? attributed
        }
        attributed = after ?? [:]
    }

    // MARK: Attributes

    private static let texts: Set<String> = ["NSAttributedString", "NSMutableAttributedString"]

    /// The keys of the attributes that the code here gives a text.
    private func keys(ofTextIn operand: Operand, depth: Int = 0) -> Set<String> {
        guard depth < 6, case .register(let register) = operand else { return [] }
        switch place.context.definition(of: register)?.kind {
        case .call(let call):
            guard case .initializer(let type) = call.callee, Self.texts.contains(type.name), let attributes = call.arguments.first(where: { $0.label == "attributes" }) else { return [] }
            return keys(ofDictionary: attributes.value)
        case .read(_, .local(let local)): return (place.context.value(of: local).map { keys(ofTextIn: $0, depth: depth + 1) } ?? []).union(keys(addedTo: local))
        default: return []
        }
    }

    private func keys(ofDictionary operand: Operand, depth: Int = 0) -> Set<String> {
        guard depth < 4, case .register(let register) = operand else { return [] }
        switch place.context.definition(of: register)?.kind {
        case .compute(_, .dictionary, let operands): return Set(operands.enumerated().compactMap { $0.offset.isMultiple(of: 2) ? key($0.element) : nil })
        case .read(_, .local(let local)): return place.context.value(of: local).map { keys(ofDictionary: $0, depth: depth + 1) } ?? []
        default: return []
        }
    }

    /// The keys of the attributes that the body adds to the text in a local.
    private func keys(addedTo local: LocalID) -> Set<String> {
        var found: Set<String> = []
        place.body.block.forEachStatement { statement in
            guard let call = statement.call, case .member(.register(let receiver), let name) = call.callee, let first = call.arguments.first?.value,
                  case .read(_, .local(local))? = place.context.definition(of: receiver)?.kind else { return }
            if name == "addAttribute", let key = key(first) { found.insert(key) }
            if name == "addAttributes" || name == "setAttributes" { found.formUnion(keys(ofDictionary: first)) }
        }
        return found
    }

    private func key(_ operand: Operand) -> String? {
        switch operand {
        case .constant(.implicitMember(let name)): return name
        case .register(let register):
            switch place.context.definition(of: register)?.kind {
            case .read(_, .member(.type(_), let name)), .read(_, .name(let name)): return name
            default: return nil
            }
        default: return nil
        }
    }

    /// The name of a text view or label.
    private func view(_ operand: Operand) -> String? {
        guard let name = ConditionAtom.text(of: operand, in: place.context), let type = input.inference.type(of: operand, in: place.context) else { return nil }
        let known: String? = switch input.inference.resolve(type) {
        case .platform(let name): name
        case .project(let types): types.count == 1 ? input.program.platformClass(of: types[0]) : nil
        case .unknown: nil
        }
        return known.map { known in Self.classes.contains { input.program.platform.isClass(known, kindOf: $0) } } ?? false ? name : nil
    }
}
