import Findings
import ProgramModel
import RuleLibrary

extension Check {
    /// Actions for events that their control never sends.
    static let unsentControlEvents = Check(rules: ["control_event_mismatch"]) { input, file in
        input.bodies(inFile: file).flatMap { place -> [Finding] in
            var found: [Finding] = []
            place.body.block.forEachStatement { statement in
                guard case .call(let call) = statement.kind, case .member(let receiver, let name) = call.callee, name == "addTarget" || name == "addAction",
                      let last = call.arguments.last, last.label == "for", let events = place.context.controlEvents(last.value), !events.isEmpty,
                      let type = input.inference.type(of: receiver, in: place.context), !type.isMetatype, type.provenance <= .platformData,
                      // A control of the project's own sends what it likes.
                      case .platform(let control) = input.inference.resolve(type), let unsent = unsent(by: control, input), events.isSubset(of: unsent),
                      let event = events.min(), events.isDisjoint(with: sentByHand(input.program)) else { return }
                let advice = control == "UITextField" ? "use 'editingChanged'" : "use 'valueChanged', 'primaryActionTriggered' or, for a button, 'touchUpInside'"
                found.append(input.finding(
                    "control_event_mismatch", "'\(control)' never sends '\(event)', so this action is never called: \(advice)",
                    at: statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName))
            }
            return found
        }
    }

    /// The events that no object of the class sends, as the data of the nearest class says.
    private static func unsent(by control: String, _ input: CheckInput) -> Set<String>? {
        input.program.platform.ancestry(of: control).lazy.compactMap { input.library.unsentEvents[$0] }.first
    }

    /// The events that the project's code sends for a control; where the text does not tell which, every one.
    private static func sentByHand(_ program: Program) -> Set<String> {
        var sent: Set<String> = []
        for (file, one) in program.files.enumerated() {
            for type in one.facts.types {
                for (_, body) in type.members.flatMap(\.bodies) {
                    var context: BodyContext?
                    body.block.forEachStatement { statement in
                        guard let call = statement.call, let name = call.callee.baseName, name.hasPrefix("sendActions"), let last = call.arguments.last else { return }
                        let known = context ?? BodyContext(body: body, selfType: nil, scope: Scope(file: file, typeName: type.name), isStatic: false)
                        context = known
                        sent.formUnion(known.controlEvents(last.value) ?? ["valueChanged", "editingChanged", "editingDidBegin", "editingDidEnd", "editingDidEndOnExit", "allEditingEvents", "touchUpInside"])
                    }
                }
            }
        }
        return sent
    }
}
