import Findings
import ProgramModel
import RuleLibrary

extension Check {
    /// Selectors that the object they are sent to does not answer.
    static let unresolvedSelectors = Check(rules: ["selector_unresolved"]) { input, file in
        input.bodies(inFile: file).flatMap { SelectorSearch(input: input, file: file, place: $0).findings() }
    }
}

/// The search in one body.
private struct SelectorSearch {
    let input: CheckInput
    let file: Int
    let place: BodyOccurrence

    private var program: Program { input.program }
    private var member: MemberOccurrence { place.member }

    /// A selector as the text writes it.
    private struct Written {
        /// The type before the name, `Cell.tap`; nil where there is none.
        let type: String?
        let baseName: String
        /// The name with labels, where Swift's spelling tells it.
        let fullName: String?
        /// The selector with its colons; nil where the text leaves out how many arguments there are.
        let selector: String?
    }

    func findings() -> [Finding] {
        // Where `self` is no object yet, the target is none, and what is above the control may answer.
        if member.facts.isMadeBeforeSelf, place.body == member.facts.body { return [] }
        let context = place.context
        var found: [Finding] = []
        place.body.block.forEachStatement { statement in
            guard let call = statement.call, let written = call.arguments.lazy.compactMap({ selector($0, context) }).first,
                  let target = target(of: call),
                  let message = problem(with: written, sentTo: target, by: call, context) ?? excess(of: written, in: call) else { return }
            var one = input.finding("selector_unresolved", message, at: statement.span, in: file, type: member.typeName, member: member.facts.fullName)
            if call.callee.baseName == Self.cancellation { one.severity = .warning }
            found.append(one)
        }
        return found
    }

    // MARK: The call

    /// Takes back what `perform` put off, where target and selector are the same.
    private static let cancellation = "cancelPreviousPerformRequests"
    private static let targetLabels: Set<String> = ["target", "toTarget", "onTarget"]

    /// The object that a call makes answer a selector.
    private func target(of call: Call) -> Operand? {
        if let labelled = call.arguments.first(where: { $0.label.map(Self.targetLabels.contains) ?? false }) { return labelled.value }
        switch call.callee.baseName {
        case Self.cancellation: return call.arguments.first { $0.label == "withTarget" }?.value
        case "addTarget", "addObserver": return call.arguments.first?.value
        case "perform", "performSelector", "performSelectorOnMainThread", "performSelectorInBackground":
            switch call.callee {
            case .member(let receiver, _): return receiver
            case .name: return .selfObject
            default: return nil
            }
        default: return nil
        }
    }

    /// The most arguments with which a call makes a selector be sent; nil where nobody knows.
    private func mostArguments(of call: Call) -> Int? {
        switch call.callee {
        case .initializer(let type) where Self.senders.contains(type.name) || isRecognizer(type): 1
        case .member(.type(let type), _) where Self.senders.contains(type.name): 1
        case .member(_, "addObserver"): 1
        case .name("addTarget") where isActionOfRecognizer(call, of: .selfObject): 1
        case .member(let receiver, "addTarget") where isActionOfRecognizer(call, of: receiver): 1
        // Of a method of the project with this name nobody knows how it sends the selector.
        case .member(_, "addTarget") where call.arguments.contains { $0.label == "action" }: 2
        default: nil
        }
    }

    private static let senders: Set<String> = ["Timer", "NSTimer", "CADisplayLink"]

    /// Whether a call gives a gesture recogniser an action; that of a control tells for which events.
    private func isActionOfRecognizer(_ call: Call, of receiver: Operand) -> Bool {
        guard call.arguments.count == 2, call.arguments[1].label == "action" else { return false }
        if receiver == .selfObject { return program.platformClass(of: member.owner).map(isRecognizer) ?? false }
        guard let type = input.inference.type(of: receiver, in: place.context), case .platform(let name) = input.inference.resolve(type) else { return false }
        return isRecognizer(name)
    }

    private func isRecognizer(_ type: TypeReference) -> Bool {
        if case .platform(let name) = program.resolve(type.unwrapped, in: place.context.scope) { isRecognizer(name) } else { false }
    }

    /// Whether a control or a bar item of UIKit sends the action to this very object, of whose class and those above it all actions are known.
    private func isActionOfUIKit(_ call: Call, sentTo type: TypeID) -> Bool {
        let isGiven = switch call.callee {
        case .initializer(let item): item.name == "UIBarButtonItem"
        case .member(_, "addTarget"): call.arguments.contains { $0.label == "for" }
        default: false
        }
        return isGiven && ["UIViewController", "UITableViewController", "UICollectionViewController", "UIView", "UITableViewCell", "UICollectionViewCell", "NSObject"].contains(program.platformClass(of: type))
    }

    /// Whether a class of the SDK sends an action itself alone (UIGestureRecognizer page: the forms of an action take no argument or one).
    private func isRecognizer(_ name: String) -> Bool { program.platform.isClass(name, kindOf: "UIGestureRecognizer") }

    /// What is wrong with a method that takes more arguments than it gets; nil where it takes none too many.
    private func excess(of written: Written, in call: Call) -> String? {
        guard let most = mostArguments(of: call), let count = written.selector?.count(where: { $0 == ":" }) ?? argumentCount(of: written), count > most else { return nil }
        return "'\(title(written))' takes \(count) arguments and is sent with \(most == 1 ? "one" : "\(most) at most"): the others are whatever lies in memory; take no more"
    }

    /// How many arguments the one method has that a name without labels can mean here.
    private func argumentCount(of written: Written) -> Int? {
        guard written.type == nil else { return nil }
        let named = program.members(named: written.baseName, on: member.owner).map { program[$0] }
        return named.count == 1 && named[0].kind == .function && !named[0].isStatic ? named[0].parameters.count : nil
    }

    private func selector(_ argument: Argument, _ context: BodyContext) -> Written? {
        switch argument.value {
        case .constant(.selector(let text)): return parse(text)
        case .constant(.string(let text)): return argument.label.map { ["action", "selector"].contains($0) } ?? false ? parse(string: text) : nil
        case .register(let register):
            guard case .call(let call)? = context.definition(of: register)?.kind, let first = call.arguments.first, case .constant(.string(let text)) = first.value else { return nil }
            if case .initializer(let type) = call.callee, type.name == "Selector" { return parse(string: text) }
            return call.callee.baseName == "NSSelectorFromString" ? parse(string: text) : nil
        default: return nil
        }
    }

    /// `Type.name(label:)`, as Swift writes it.
    private func parse(_ text: String) -> Written? {
        guard !text.hasPrefix("getter:"), !text.hasPrefix("setter:") else { return nil }
        let name = text.prefix { $0 != "(" }
        let parts = name.split(separator: ".")
        guard let base = parts.last.map(String.init) else { return nil }
        let type = parts.dropLast().joined(separator: ".")
        var (selector, full): (String?, String?)
        if let open = text.firstIndex(of: "("), text.hasSuffix(")") {
            let labels = text[text.index(after: open)...].dropLast().split(separator: ":").map { $0 == "_" ? nil : String($0) }
            selector = ObjectiveCSelector.name(ofFunction: base, labels: labels)
            full = base + text[open...]
        }
        return Written(type: type.isEmpty || type == "self" ? nil : type, baseName: base, fullName: full, selector: selector)
    }

    /// `name:label:`, as Objective-C writes it.
    private func parse(string: String) -> Written? {
        guard let base = string.split(separator: ":").first, string.allSatisfy({ $0.isLetter || $0.isNumber || $0 == ":" || $0 == "_" }) else { return nil }
        return Written(type: nil, baseName: String(base), fullName: nil, selector: string)
    }

    // MARK: Who answers

    private func problem(with written: Written, sentTo target: Operand, by call: Call, _ context: BodyContext) -> String? {
        // What is sent with a notification or a timer is a method of the project's.
        let isTold = mostArguments(of: call) == 1
        let outcome = call.callee.baseName == Self.cancellation ? "nothing is cancelled" : "sending it raises an exception"
        guard let inferred = input.inference.type(of: target, in: context), inferred.provenance <= .initializer,
              case .project(let types) = input.inference.resolve(inferred), types.count == 1, let type = types.first, program[type].kind == .class,
              isKnown(type) else { return nil }
        let name = program[type].name
        func named(_ types: [TypeID]) -> [MemberID] { types.flatMap { members(named: written.baseName, answering: written.selector, of: $0) } }
        func answers(_ id: MemberID) -> Bool {
            written.selector == nil || selectors(id).contains(written.selector) || program[id].kind == .property || isChecked(written, program[id])
        }
        let own = named(program.chain(of: type))
        let answering = own.filter(answers)
        if inferred.isMetatype {
            guard own.allSatisfy({ !program[$0].isStatic }) else { return nil }
            if answering.isEmpty {
                guard isTold, let other = own.first(where: { program[$0].kind == .function }), let wrong = written.selector, let right = program[other].selector else { return nil }
                return "the target is the class '\(name)' itself, which has no method for the selector '\(wrong)'; its objects have one for '\(right)': \(outcome); pass an object and that selector"
            }
            return "the target is the class '\(name)' itself, and only its objects answer '\(title(written))': \(outcome); pass an object"
        }
        guard !answering.contains(where: { !program[$0].isStatic }) else { return nil }
        // What the class does not answer, the object may, which can be of a subclass.
        let family = [type] + input.subclasses(of: type)
        let all = own + named(Array(family.dropFirst()))
        guard !all.contains(where: { answers($0) && !program[$0].isStatic }) else { return nil }
        if let other = all.first(where: { !program[$0].isStatic && program[$0].kind == .function }), let wrong = written.selector, let right = program[other].selector {
            return "'\(name)' has no method for the selector '\(wrong)', only for '\(right)': \(outcome); the colons count the arguments"
        }
        if isTold || isActionOfUIKit(call, sentTo: type), all.isEmpty, let selector = written.selector, written.fullName == nil || program.files[file].facts.language == .objectiveC, !isOfSDK(selector, written.baseName, type) {
            if !program.hasFunction(named: written.baseName), program.members(answering: selector).isEmpty {
                return "nothing answers '\(selector)', which is sent to '\(name)': no method of the project is called so; \(outcome): name the method that is meant, or take the call out"
            }
            // Actions may well be the SDK's own; what hears of notifications is the project's.
            if call.callee.baseName == "addObserver", let other = otherClass(answering: selector) {
                return "'\(name)' does not answer '\(selector)', which only '\(other)' and its like do: \(outcome); add the method, or take the call out"
            }
        }
        if all.isEmpty, let one = written.type, isForeignProtocol(one, to: type, context), let selector = written.selector {
            return "'\(selector)' is a method of '\(one)', to which '\(name)' does not conform, and it has none of its own: \(outcome); name the method that is meant"
        }
        // What nothing here is called like may be the SDK's own.
        guard all.isEmpty, let owner = written.type, case .project(let owners) = program.resolve(TypeReference(owner), in: context.scope), owners.count == 1,
              program[owners[0]].kind == .class, !family.contains(where: { program.chain(of: $0).contains(owners[0]) }), !isOfPlatform(written.baseName, type) else { return nil }
        return "'\(title(written))' is a method of '\(owner)', and the target is '\(name)', which has none: \(outcome); pass the object that has it"
    }

    /// Whether a protocol of the SDK is one that neither the class nor a subclass says to conform to.
    private func isForeignProtocol(_ written: String, to type: TypeID, _ context: BodyContext) -> Bool {
        guard case .platform(let name) = program.resolve(TypeReference(written), in: context.scope), program.platform.protocols.contains(name),
              let known = program.platformClass(of: type), ["NSObject", "UIViewController", "UIView"].contains(known) else { return false }
        return ([type] + input.subclasses(of: type)).flatMap(program.chain).allSatisfy { link in program[link].conformances.allSatisfy { $0.name != name && !$0.name.hasPrefix("\(name)") } }
    }

    /// Whether a selector names a method of the SDK's class, as far as the data goes; of those with one argument alone anybody can tell.
    private func isOfSDK(_ selector: String, _ base: String, _ type: TypeID) -> Bool {
        guard selector.count(where: { $0 == ":" }) == 1, !isOfPlatform(base, type), base.propertyItSets == nil, let known = program.platformClass(of: type) else { return true }
        let classes = program.platform.ancestry(of: known)
        return classes.contains { one in
            program.platform.methods[one]?.keys.contains { ResourceFamily.baseName(of: $0) == base } == true
        } || input.library.knowsMethod(base, inAncestry: classes)
    }

    /// The first class of the project that answers a selector with a notification, where no protocol and no extension of a class of the
    /// SDK has it too.  What takes anything else may be called like a method of the SDK that the data does not have.
    private func otherClass(answering selector: String) -> String? {
        let answering = program.members(answering: selector)
        guard answering.allSatisfy({ ["NSNotification", "Notification"].contains(program[$0].parameters.first?.type.unwrapped.name) }) else { return nil }
        let owners = answering.map { program.owners(of: $0.declaration) }
        guard owners.allSatisfy({ !$0.isEmpty && $0.allSatisfy { program[$0].kind == .class } }) else { return nil }
        return owners.joined().map { program[$0].name }.min()
    }

    /// Whether the compiler has found the method for `#selector`.  Only the number of arguments counts: before Swift 3 a first argument
    /// had no label outside, so that `tap(_:)` meant `func tap(sender: UIButton)`.
    private func isChecked(_ written: Written, _ method: MemberFacts) -> Bool {
        written.fullName != nil && method.baseName == written.baseName && method.parameters.count == written.selector?.count { $0 == ":" }
    }

    /// The selectors of a method; before Swift 3 the first argument's name was no part of it.
    private func selectors(_ id: MemberID) -> [String?] {
        let method = program[id]
        guard program.isOfEarlierSwift, !method.attributes.contains(where: { $0.name == "objc" && $0.arguments != nil }) else { return [method.selector] }
        return [method.selector, ObjectiveCSelector.name(ofFunction: method.baseName, labels: [nil] + method.parameters.dropFirst().map(\.label))]
    }

    private func title(_ written: Written) -> String { written.selector ?? written.baseName }

    /// Functions of a name, or of the selector, and the properties whose accessors answer it.
    private func members(named base: String, answering selector: String?, of type: TypeID) -> [MemberID] {
        let named = (program[type].membersByName[base] ?? []) + (base.propertyItSets.flatMap { program[type].membersByName[$0] } ?? []).filter { program[$0].kind == .property }
        guard let selector else { return named }
        let owners = program.members(answering: selector).filter { program.owners(of: $0.declaration).contains(type) }
        return named + owners
    }

    /// Whether all code of the class is here, and it answers nothing that no method says.
    private func isKnown(_ type: TypeID) -> Bool {
        guard case .platform = program.ancestry(of: type).root else { return false }
        return program.chain(of: type).allSatisfy { link in
            !program[link].hasAmbiguousExtensions && Self.forwarding.allSatisfy { program[link].membersByName[$0] == nil }
                && program.members(of: link).allSatisfy { !program[$0].isPartial }
        }
    }

    private static let forwarding = ["forwardInvocation", "forwardingTarget", "forwardingTargetForSelector", "resolveInstanceMethod", "methodSignatureForSelector", "methodSignature"]

    /// Whether an extension of the SDK's class has such a function.
    private func isOfPlatform(_ base: String, _ type: TypeID) -> Bool {
        guard let known = program.platformClass(of: type) else { return true }
        let classes = program.platform.ancestry(of: known)
        return program.extensionFunctions(named: base).contains { classes.contains(program[$0.declaration].name) }
    }
}
