import ProgramModel

/// A notification as some code names it.
enum NotificationName: Hashable, Sendable {
    /// One of the SDK, as Objective-C spells it.
    case system(String)
    /// A constant of the project, with its text where that is written.
    case own(String, text: String?)
    /// A text at the place itself.
    case literal(String)

    /// The name as a message has it.
    var title: String {
        switch self {
        case .system(let name), .own(let name, _), .literal(let name): name
        }
    }

    /// Whether both name different notifications, whatever is not known of them.
    func isSurelyOther(than other: NotificationName) -> Bool {
        switch (self, other) {
        case (.own(_, nil), _), (_, .own(_, nil)): false
        case (.own(_, let text?), .own(_, let otherText?)): text != otherText
        case (.own(_, let text?), .literal(let otherText)), (.literal(let otherText), .own(_, let text?)): text != otherText
        case (.literal, .system), (.system, .literal): false
        default: self != other
        }
    }
}

/// One call that registers for a notification.
struct NotificationObservation {
    let call: Call
    let name: Operand
    /// The object by which it filters; nil where the call names none.
    let object: Operand?
    /// The function that is called, where a selector names it.
    let handler: String?
}

/// The names of notifications that the project declares, and all that its code mentions but for the observing.
struct NotificationTraffic: Sendable {
    /// A constant that holds a notification's name.
    struct Declaration: Sendable {
        let text: String?
        let isPublic: Bool
    }

    private var declarations: [String: [Declaration]] = [:]
    private var constantsByText: [String: Set<String>] = [:]
    private var mentionedConstants: Set<String> = []
    private var mentionedTexts: Set<String> = []
    /// The constants that are posted with no object, and those that are mentioned anywhere but in such a post.
    private var postedByNobody: Set<String> = []
    private var mentionedElsewhere: Set<String> = []
    /// The texts that are given directly to calls that post.
    private(set) var postedTexts: Set<String> = []
    /// The base names of all calls, and the names of all properties that are written.
    private(set) var done: Set<String> = []
    /// Whether parts of some file could not be read, so that nothing may be called missing.
    private(set) var isIncomplete = false

    /// Reads every body of the program.
    init(_ program: Program) {
        for file in program.files {
            if file.facts.lostMessageCount > 0 || file.facts.syntaxErrors.contains(where: \.endsReading) { isIncomplete = true }
            for member in file.facts.types.flatMap(\.members) + file.facts.members { read(member, isReported: !file.isTest && !file.isThirdParty) }
            if let body = file.facts.topLevel { mention(body) }
        }
    }

    private mutating func read(_ member: MemberFacts, isReported: Bool) {
        if member.kind == .property, let body = member.body ?? member.accessors?.get, let text = Self.declaredText(body, type: member.type) {
            declarations[member.baseName, default: []].append(Declaration(text: text.text, isPublic: member.modifiers.contains { $0 == "public" || $0 == "open" } || !isReported))
            if let text = text.text { constantsByText[text, default: []].insert(Self.bare(member.baseName)) }
            // A text that is no name may have observers that post.
            for body in [member.accessors?.set, member.accessors?.willSet, member.accessors?.didSet] { body.map { mention($0) } }
            return
        }
        for (_, body) in member.bodies { mention(body) }
    }

    /// The text of a name that a constant holds; nil where the body makes no name.
    private static func declaredText(_ body: Body, type: TypeReference?) -> (text: String?, Void)? {
        guard body.statementCount < 8, case .exit(.returns(let value))? = body.block.last?.kind else { return nil }
        if case .constant(.string(let text)) = value { return (text, ()) }
        guard case .register(let register) = value else { return nil }
        for statement in body.block {
            guard let call = statement.call, call.result == register else { continue }
            switch call.callee {
            case .initializer(let made) where made.name.hasSuffix("Name"): break
            case .implicitMember("init") where type?.name.hasSuffix("Name") == true: break
            default: return nil
            }
            if call.arguments.count == 1, case .constant(.string(let text)) = call.arguments[0].value { return (text, ()) }
            return (nil, ())
        }
        return nil
    }

    // MARK: Mentions

    private mutating func mention(_ body: Body) {
        var definitions: [Register: Statement] = [:]
        var observed: Set<Register> = []
        var posted: Set<Register> = []
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .read(let register, _): definitions[register] = statement
            case .call(let call):
                definitions[call.result] = statement
                if let observation = Self.observation(call) { exclude(observation.name, definitions, &observed) }
                if let name = Self.nameOfPostWithoutObject(call) { exclude(name, definitions, &posted) }
            case .compute(let register, let operation, let operands):
                definitions[register] = statement
                // Whoever compares a notification's name has been sent it.
                if operation == .symbol("==") || operation == .symbol("!=") { for operand in operands { exclude(operand, definitions, &observed) } }
            default: break
            }
        }
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .read(let register, let place): if !observed.contains(register) { mention(place, inPostByNobody: posted.contains(register)) }
            case .write(let place, let value):
                if case .name(let name) = place { done.insert(name) }
                if case .member(_, let name) = place { done.insert(name) }
                mention(value)
            case .declare(_, let value?): mention(value)
            case .assign(_, let value), .exit(.returns(let value)): mention(value)
            case .compute(_, let operation, let operands):
                if operation != .symbol("=="), operation != .symbol("!=") { for operand in operands { mention(operand) } }
            case .call(let call), .collection(_, let call):
                if let name = call.callee.baseName { done.insert(name) }
                if observed.contains(call.result) { break }
                let name = Self.observation(call)?.name
                let posted = Self.nameOfPostWithoutObject(call)
                for argument in call.arguments where argument.value != name { mention(argument.value, inPostByNobody: argument.value == posted) }
                if call.callee.baseName.map(Self.posting.contains) ?? false, let name = call.arguments.first?.value, let text = Self.text(name, definitions) { postedTexts.insert(text) }
            case .opaque(let part): for name in part.reads + part.writes { mention(constant: name, inPostByNobody: false) }
            default: break
            }
        }
    }

    static let posting: Set<String> = ["post", "postNotificationName", "enqueue", "postNotification"]

    /// The text that an operand spells, itself or in an initialiser of a name.
    private static func text(_ operand: Operand, _ definitions: [Register: Statement]) -> String? {
        switch operand {
        case .constant(.string(let text)): return text
        case .register(let register):
            guard let call = definitions[register]?.call, isName(call.callee), call.arguments.count == 1 else { return nil }
            return text(call.arguments[0].value, definitions)
        default: return nil
        }
    }

    private static func isName(_ callee: Callee) -> Bool {
        switch callee {
        case .initializer(let type): type.name.split(separator: ".").last == "Name"
        case .implicitMember("init"): true
        default: false
        }
    }

    private func exclude(_ operand: Operand, _ definitions: [Register: Statement], _ observed: inout Set<Register>) {
        guard case .register(let register) = operand, observed.insert(register).inserted, let statement = definitions[register] else { return }
        if let call = statement.call, Self.isName(call.callee) { for argument in call.arguments { exclude(argument.value, definitions, &observed) } }
        if case .compute(_, _, let operands) = statement.kind { for operand in operands { exclude(operand, definitions, &observed) } }
    }

    private mutating func mention(_ place: Place, inPostByNobody isPost: Bool = false) {
        switch place {
        case .name(let name), .member(_, let name), .superMember(let name): mention(constant: name, inPostByNobody: isPost)
        case .local, .element: break
        }
    }

    private mutating func mention(_ operand: Operand, inPostByNobody isPost: Bool = false) {
        switch operand {
        case .constant(.string(let text)): mentionedTexts.insert(text)
        case .constant(.implicitMember(let name)): mention(constant: name, inPostByNobody: isPost)
        // By its capital a constant looks like a type.
        case .type(let type): mention(constant: type.name, inPostByNobody: isPost)
        default: break
        }
    }

    private mutating func mention(constant name: String, inPostByNobody isPost: Bool) {
        let bare = Self.bare(name)
        mentionedConstants.insert(bare)
        if isPost { postedByNobody.insert(bare) } else { mentionedElsewhere.insert(bare) }
    }

    /// The name that a call posts for no object.
    private static func nameOfPostWithoutObject(_ call: Call) -> Operand? {
        guard call.callee.baseName.map(posting.contains) ?? false, let name = call.arguments.first?.value,
              call.arguments.contains(where: { $0.label == "object" && $0.value == .constant(.null) }) else { return nil }
        return name
    }

    /// A constant's name in a form that is the same in both languages: Swift drops the word at the end.
    private static func bare(_ name: String) -> String {
        let lower = name.lowercased()
        return lower.hasSuffix("notification") ? String(lower.dropLast("notification".count)) : lower
    }

    // MARK: Questions

    /// The registration that a call makes, whatever its receiver is.
    static func observation(_ call: Call) -> NotificationObservation? {
        func argument(_ label: String) -> Operand? { call.arguments.first { $0.label == label }?.value }
        switch call.callee.baseName {
        case "addObserver", "removeObserver", "addObserverForName":
            guard let name = argument("name") ?? argument("forName") else { return nil }
            var handler: String?
            if case .constant(.selector(let text))? = argument("selector") { handler = ObjectiveCSelector.baseName(of: text) }
            return NotificationObservation(call: call, name: name, object: argument("object"), handler: handler)
        case "publisher": return argument("for").map { NotificationObservation(call: call, name: $0, object: argument("object"), handler: nil) }
        case "notifications": return argument("named").map { NotificationObservation(call: call, name: $0, object: argument("object"), handler: nil) }
        default: return nil
        }
    }

    /// Whether nothing in the project but observers mentions a name that it declares for itself.
    func isNeverPosted(_ constant: String, text: String) -> Bool {
        names(of: constant, text: text).map { mentionedConstants.isDisjoint(with: $0) } ?? false
    }

    /// The text that the project posts and of which another, that it only observes, is a misspelling: one or two letters more, less or other ones.
    func spellingMeant(by text: String) -> String? {
        guard !isIncomplete, text.count >= Self.shortestMisspelt, !mentionedTexts.contains(text), !postedTexts.contains(text) else { return nil }
        let near = postedTexts.filter { abs($0.count - text.count) <= Self.mostSlips && Self.isMisspelt(Array(text), as: Array($0)) }
        return near.count == 1 ? near.first : nil
    }

    /// In a shorter word two letters are no slip.
    private static let shortestMisspelt = 10
    private static let mostSlips = 2

    /// Whether two texts differ in a few letters, none of which is a digit: those number things.
    private static func isMisspelt(_ one: [Character], as other: [Character]) -> Bool {
        var last = Array(0...other.count)
        for (row, letter) in one.enumerated() {
            var next = [row + 1]
            for (column, wanted) in other.enumerated() { next.append(min(last[column] + (letter == wanted ? 0 : 1), last[column + 1] + 1, next[column] + 1)) }
            last = next
        }
        return last[other.count] <= mostSlips && one.filter(\.isNumber) == other.filter(\.isNumber)
    }

    /// Whether the project posts a name that it declares for itself, and each time for no object.
    func isPostedByNobody(_ constant: String, text: String) -> Bool {
        names(of: constant, text: text).map { mentionedElsewhere.isDisjoint(with: $0) && !postedByNobody.isDisjoint(with: $0) } ?? false
    }

    /// The names of a notification that is the project's own; nil where code that is not seen may post it.
    private func names(of constant: String, text: String) -> Set<String>? {
        guard !isIncomplete, let own = declarations[constant], own.allSatisfy({ !$0.isPublic && $0.text == text }), !mentionedTexts.contains(text) else { return nil }
        return (constantsByText[text] ?? []).union([Self.bare(constant)])
    }

    /// The notification that an operand names; nil where the text does not tell.
    func name(_ operand: Operand, in context: BodyContext) -> NotificationName? {
        switch operand {
        case .constant(.string(let text)): return .literal(text)
        case .constant(.implicitMember(let name)): return own(name) ?? .system(Self.systemName(name))
        // By its capital a constant looks like a type.
        case .type(let type): return constant(type.name)
        case .register(let register):
            guard let statement = context.definition(of: register) else { return nil }
            switch statement.kind {
            case .call(let call): return Self.isName(call.callee) && call.arguments.count == 1 ? name(call.arguments[0].value, in: context) : nil
            case .read(_, .member(.type(let type), let member)):
                if let own = own(member) { return own }
                let short = type.name.split(separator: ".").last.map(String.init) ?? type.name
                return .system(short == "Name" ? Self.systemName(member) : Self.systemName(member, of: short))
            case .read(_, .name(let constant)):
                return self.constant(constant)
            case .read(_, .member(let base, "rawValue")): return name(base, in: context)
            case .read(_, .local(let local)): return context.value(of: local).flatMap { name($0, in: context) }
            case .compute(_, .coercion, let operands), .compute(_, .forceUnwrap, let operands), .compute(_, .forcedCast, let operands): return operands.first.flatMap { name($0, in: context) }
            default: return nil
            }
        default: return nil
        }
    }

    /// The name that a constant outside types has, of the project or of the SDK before Swift 4.2.
    private func constant(_ name: String) -> NotificationName? {
        own(name) ?? (name.hasSuffix("Notification") && name.first?.isUppercase == true ? .system(name) : nil)
    }

    private func own(_ constant: String) -> NotificationName? {
        guard let own = declarations[constant], let first = own.first else { return nil }
        return .own(constant, text: own.allSatisfy { $0.text == first.text } ? first.text : nil)
    }

    /// `UIApplicationDidBecomeActiveNotification` of `UIApplication.didBecomeActiveNotification`, and of the older `.UIApplicationDidBecomeActive`.
    private static func systemName(_ member: String, of type: String = "") -> String {
        let whole = member.hasSuffix("Notification") ? member : member + "Notification"
        if type.isEmpty { return whole }
        let prefix = ["UIResponder", "UIWindow"].contains(type) && whole.hasPrefix("keyboard") ? "UI" : ["UserDefaults": "NSUserDefaults", "Bundle": "NSBundle", "UndoManager": "NSUndoManager"][type] ?? type
        return prefix + whole.prefix(1).uppercased() + whole.dropFirst()
    }
}

/// A registration with the default centre or another one, in the body that makes it.
struct PlacedObservation {
    let observation: NotificationObservation
    let statement: Statement
    let place: BodyOccurrence
    let name: NotificationName
}

extension CheckInput {
    /// The registrations of a file with notification centres, and the names that are known; removals are none.
    func observations(inFile file: Int) -> [PlacedObservation] {
        bodies(inFile: file).flatMap { place -> [PlacedObservation] in
            var found: [PlacedObservation] = []
            place.body.block.forEachStatement { statement in
                guard let call = statement.call, case .member(let receiver, let title) = call.callee, title != "removeObserver", let observation = NotificationTraffic.observation(call),
                      let centre = inference.type(of: receiver, in: place.context), ["NotificationCenter", "NSNotificationCenter"].contains(centre.reference.unwrapped.name),
                      let name = notifications.name(observation.name, in: place.context) else { return }
                found.append(PlacedObservation(observation: observation, statement: statement, place: place, name: name))
            }
            return found
        }
    }
}
