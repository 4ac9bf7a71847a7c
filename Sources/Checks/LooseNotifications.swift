import Findings
import ProgramModel

extension Check {
    /// Notifications whose names are spelt twice, and those that carry a value in place of their sender.
    static let looseNotifications = Check(rules: ["notification_name_literal", "notification_object_misuse"]) { input, file in
        let repeated = input.observations(inFile: file).compactMap { one -> Finding? in
            // In Objective-C the text may be that of a macro, which is a constant of its own.
            guard input.program.files[file].facts.language == .swift, case .literal(let text) = one.name, input.notifications.postedTexts.contains(text) else { return nil }
            return input.finding(
                "notification_name_literal",
                "the name '\(text)' is written out here and where it is posted: a slip in one of them is no error and nothing arrives; declare it once, in an extension of 'Notification.Name'",
                at: one.statement.span, in: file, type: one.place.member.typeName, member: one.place.member.facts.fullName)
        }
        return repeated + input.bodies(inFile: file).flatMap { misused(in: $0, file, input) }
    }

    private static func misused(in place: BodyOccurrence, _ file: Int, _ input: CheckInput) -> [Finding] {
        var found: [Finding] = []
        place.body.block.forEachStatement { statement in
            guard let call = statement.call, let title = call.callee.baseName, NotificationTraffic.posting.contains(title), let name = call.arguments.first?.value, call.arguments.count == 2,
                  call.arguments[1].label == "object", case .member(let receiver, _) = call.callee,
                  let centre = input.inference.type(of: receiver, in: place.context), ["NotificationCenter", "NSNotificationCenter"].contains(centre.reference.unwrapped.name),
                  let posted = input.notifications.name(name, in: place.context), let value = value(call.arguments[1].value, place.context, input) else { return }
            if case .system = posted { return }
            found.append(input.finding(
                "notification_object_misuse",
                "the object of a notification says who posts it, and this one is of type '\(value)': observers that filter by their sender never hear it; pass the value in 'userInfo', and the sender as the object",
                at: statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName))
        }
        return found
    }

    private static let values: Set<String> = [
        "String", "URL", "Int", "Bool", "Double", "Float", "CGFloat", "Date", "Data", "Array", "Dictionary", "Set", "UUID", "CGRect", "CGSize", "CGPoint", "IndexPath",
        "NSString", "NSURL", "NSNumber", "NSArray", "NSDictionary", "NSDate", "NSData", "NSIndexPath",
    ]

    /// The type of an operand that is a value and can be no sender.
    private static func value(_ operand: Operand, _ context: BodyContext, _ input: CheckInput) -> String? {
        switch operand {
        case .constant(.string): return "String"
        case .constant(.integer): return "Int"
        case .constant(.boolean): return "Bool"
        case .register(let register):
            if case .compute(_, .dictionary, _)? = context.definition(of: register)?.kind { return "Dictionary" }
            guard let type = input.inference.type(of: operand, in: context), !type.isMetatype, type.provenance <= .platformData else { return nil }
            let name = type.reference.unwrapped.name
            guard values.contains(name) else { return nil }
            if case .project = input.inference.resolve(type) { return nil }
            return name
        default: return nil
        }
    }
}
