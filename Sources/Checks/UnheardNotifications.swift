import Findings
import ProgramModel

extension Check {
    /// Registrations for notifications that never come: nobody posts them, or not with that object, or not before something is switched on.
    static let unheardNotifications = Check(rules: ["notification_never_posted", "notification_object_filter", "generation_not_begun"]) { input, file in
        input.observations(inFile: file).flatMap { one -> [Finding] in
            let search = UnheardNotification(input: input, one: one)
            return [
                search.neverPosted.map { ("notification_never_posted", $0) }, (search.wrongObject ?? search.noObject).map { ("notification_object_filter", $0) },
                search.notBegun.map { ("generation_not_begun", $0) },
            ].compactMap { $0 }.map { rule, message in
                input.finding(rule, message, at: one.statement.span, in: file, type: one.place.member.typeName, member: one.place.member.facts.fullName)
            }
        }
    }
}

/// What is wrong with one registration, as messages.
private struct UnheardNotification {
    let input: CheckInput
    let one: PlacedObservation

    private var consequence: String { one.observation.handler.map { "'\($0)' is never called" } ?? "nothing arrives here" }

    var neverPosted: String? {
        if case .literal(let text) = one.name, !Self.isSystemText(text), let meant = input.notifications.spellingMeant(by: text) {
            return "nothing in the project posts '\(text)', only '\(meant)', so \(consequence): spell both alike, or declare the name once as a constant"
        }
        guard case .own(let constant, let text?) = one.name, input.notifications.isNeverPosted(constant, text: text), !Self.isSystemText(text), !isCalledUnderAnotherName else { return nil }
        return "nothing in the project posts '\(constant)', so \(consequence): post it where the change is made, or remove the observer"
    }

    /// Whether the class registers the handler as well under a name that the text does not tell.
    private var isCalledUnderAnotherName: Bool {
        guard let handler = one.observation.handler else { return false }
        let program = input.program
        return program.chain(of: one.place.member.owner).flatMap(program.members).contains { id in
            program[id].bodies.contains { _, body in
                let context = program.context(of: body, in: id, as: one.place.member.owner)
                return body.block.containsStatement { statement in
                    guard let call = statement.call, call.callee.baseName == "addObserver", let other = NotificationTraffic.observation(call), other.handler == handler else { return false }
                    return other.name != .constant(.null) && input.notifications.name(other.name, in: context) == nil
                }
            }
        }
    }

    /// Names of the system that have no constant are spelt by those who observe them.
    private static func isSystemText(_ text: String) -> Bool {
        text.hasPrefix("_") || text.contains("com.apple") || prefixes.contains { prefix in
            text.hasPrefix(prefix) && text.dropFirst(prefix.count).first?.isUppercase == true
        }
    }

    private static let prefixes = ["NS", "UI", "AV", "CA", "CB", "CL", "CN", "CK", "EK", "GK", "HK", "HM", "MK", "MP", "PH", "PK", "SK", "UN", "WK", "AB", "AC", "TV", "QL", "MC", "NE", "NF", "GC", "SB", "Apple", "Web", "IO", "kSec", "kCF"]

    var wrongObject: String? {
        guard case .system(let name) = one.name, let sender = input.library.notificationSenders[name], let object = one.observation.object, object != .constant(.null), !isWindowToCome(object, in: one.place),
              let type = input.inference.type(of: object, in: one.place.context), !type.isMetatype, type.provenance <= .platformData, let title = unrelated(type, to: sender) else { return nil }
        let filter = object == .selfObject ? "this object" : "'\(title)'"
        return "'\(name)' is posted by \(sender == "nil" ? "no object at all" : "the '\(sender)'"), and this registration hears only what \(filter) posts: \(consequence); filter by that object, or by nil"
    }

    var noObject: String? {
        guard case .own(let constant, let text?) = one.name, one.observation.object == .selfObject, input.notifications.isPostedByNobody(constant, text: text) else { return nil }
        return "the project posts '\(constant)' for no object, and this registration hears only what this object posts: \(consequence); filter by nil, or post it for the object"
    }

    /// Whether a value is the window of a view that may be in none yet, so that the registration hears everything: only when it has
    /// appeared, it surely is in one.
    private func isWindowToCome(_ object: Operand, in place: BodyOccurrence) -> Bool {
        guard place.member.facts.baseName != "viewDidAppear", case .register(let register) = place.context.uncast(object),
              case .read(_, let read)? = place.context.definition(of: register)?.kind else { return false }
        return read.propertyName == "window"
    }

    /// The name of a class that can be no sender; nil where one of its objects might be.
    private func unrelated(_ type: InferredType, to sender: String) -> String? {
        let program = input.program
        switch input.inference.resolve(type) {
        case .platform(let name):
            // A class of both systems, such as WKWebView, has the window of either.
            if name.prefix(2) != sender.prefix(2), [name, sender].allSatisfy({ $0.hasPrefix("UI") || $0.hasPrefix("NS") }) { return nil }
            return program.platform.isClass(name) && !program.platform.isClass(name, kindOf: sender) && !program.platform.isClass(sender, kindOf: name) ? name : nil
        case .project(let types):
            guard types.count == 1, program[types[0]].kind == .class, let root = program.platformClass(of: types[0]) else { return nil }
            // A superclass of the sender may stand for it.
            return program.platform.isClass(root, kindOf: sender) ? nil : program[types[0]].name
        case .unknown: return nil
        }
    }

    var notBegun: String? {
        guard case .system(let name) = one.name, let switches = input.library.notificationSwitches[name], let first = switches.first,
              !input.notifications.isIncomplete, input.notifications.done.isDisjoint(with: switches) else { return nil }
        return "'\(name)' is posted only after '\(first)' has switched it on, and nothing in the project does: \(consequence); switch it on before, and off when it is no longer needed"
    }
}
