import Findings
import ProgramModel
import SourceText

extension Check {
    /// Removals of key-value observers that nobody ever adds, which raise an exception when they run.
    static let unregisteredKeyPaths = Check(rules: ["kvo_unbalanced"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.bodies(inFile: file).flatMap { UnregisteredKeyPaths(input: input, file: file, place: $0).findings() }
    }
}

/// The search in one body.
private struct UnregisteredKeyPaths {
    let input: CheckInput
    let file: Int
    let place: BodyOccurrence

    private var program: Program { input.program }
    private var traffic: KeyPathTraffic { input.keyPaths }

    func findings() -> [Finding] { unguarded(place.body.block).compactMap { KeyPathTraffic.isObservation($0.call) ? finding($0.call, $0.span) : pathless($0.call, $0.span) } }

    /// The removals for which no handler of exceptions waits.
    private func unguarded(_ block: Block) -> [(call: Call, span: SourceSpan)] {
        block.flatMap { statement -> [(call: Call, span: SourceSpan)] in
            if case .attempt = statement.kind { return [] }
            if let call = statement.call, call.callee.baseName == "removeObserver", KeyPathTraffic.isObservation(call) || call.arguments.count == 1 { return [(call, statement.span)] }
            return statement.innerBlocks(enteringClosures: true).flatMap(unguarded)
        }
    }

    private func finding(_ call: Call, _ span: SourceSpan) -> Finding? {
        guard !place.member.facts.isPartial, let observer = call.arguments.first?.value else { return nil }
        let message: String
        var trace: [TraceStep] = []
        if isOfNotificationCenter(call) {
            message = "this removes a key-value observer of the notification center, which nobody adds, so it raises an exception and the notification stays observed: call 'removeObserver' with the name of the notification"
        } else if observer == .selfObject, let added = addedOtherwise(call) {
            message = "this removes the '\(place.member.typeName)' as an observer of '\(KeyPathTraffic.literal(call) ?? "")', which nothing adds, so it raises an exception: it is '\(added.path)' that is observed there (line \(added.span.start.line)); "
                + "remove that"
            trace = self.trace(of: added)
        } else if observer == .selfObject {
            guard !isEverAdded else { return nil }
            message = "this removes the '\(place.member.typeName)' as a key-value observer, and nothing ever adds it as one, so the removal raises an exception: remove the line, or add the observer"
        } else {
            guard let swapped = swapped(call, observer) else { return nil }
            let observed = (ConditionAtom.text(of: observer, in: place.context) ?? "").replacing(/#[0-9]+/, with: "")
            message = "observer and observed object are swapped: '\(swapped.member)' adds the '\(place.member.typeName)' as observer of '\(observed)' (line \(swapped.span.start.line)), and this removes "
                + "that as observer of self, which raises an exception; call 'removeObserver' on '\(observed)'"
        }
        return input.finding("kvo_unbalanced", message, at: span, in: file, type: place.member.typeName, member: place.member.facts.fullName, trace: trace)
    }

    private func trace(of added: KeyPathTraffic.Operation) -> [TraceStep] {
        [TraceStep(event: added.member, path: program.files[file].path, line: added.span.start.line, note: "adds the observer, which nothing removes")]
    }

    /// A removal without a key path, as notification centers have it, from an object of the SDK that is observed under key paths.
    private func pathless(_ call: Call, _ span: SourceSpan) -> Finding? {
        guard call.arguments[0].value == .selfObject, case .member(let receiver, _) = call.callee, let type = input.inference.type(of: receiver, in: place.context), !type.isMetatype,
              case .platform(let name) = input.inference.resolve(type), program.platform.isClass(name, kindOf: "NSObject"), !name.hasSuffix("Center"),
              program.extensionFunctions(named: "removeObserver").isEmpty, let observed = ConditionAtom.text(of: receiver, in: place.context) else { return nil }
        let own = Set(program.chain(of: place.member.owner))
        guard let added = traffic.additions.first(where: { $0.observed == observed && $0.file == file && ($0.observer.map(own.contains) ?? false) }) else { return nil }
        return input.finding(
            "kvo_unbalanced", "'\(name)' has no 'removeObserver' without a key path, so this raises an exception, and '\(added.path)' stays observed (line \(added.span.start.line)): give the key path",
            at: span, in: file, type: place.member.typeName, member: place.member.facts.fullName,
            trace: trace(of: added))
    }

    /// Whether the observed object is a notification center, which has nothing to observe.
    private func isOfNotificationCenter(_ call: Call) -> Bool {
        guard case .member(let receiver, _) = call.callee, receiver != .selfObject, let type = input.inference.type(of: receiver, in: place.context), !type.isMetatype,
              case .platform(let name) = input.inference.resolve(type) else { return false }
        return program.platform.isClass(name, kindOf: "NotificationCenter")
    }

    /// Whether some code may add an object of the class as a key-value observer, as far as anybody knows.
    private var isEverAdded: Bool {
        guard !mayBeAddedUnseen else { return true }
        return traffic.registrations.contains { registration in
            guard let one = registration.observer else { return true }
            // An extension of a class of the SDK, or of a protocol, may add whatever object it runs for.
            return program.isExtended(one) || program[one].kind != .class || isRelated(one)
        }
    }

    /// What the class observes of the same object, where that is all that it observes and the key path of the removal is none of it.
    private func addedOtherwise(_ call: Call) -> KeyPathTraffic.Operation? {
        guard let path = KeyPathTraffic.literal(call), !mayBeAddedUnseen, case .member(let receiver, _) = call.callee, let observed = ConditionAtom.text(of: receiver, in: place.context) else { return nil }
        let additions = traffic.additions.filter { $0.observer.map(isRelated) ?? true }
        guard traffic.registrations.count(where: { $0.observer.map(isRelated) ?? true }) == additions.count,
              additions.allSatisfy({ $0.observer != nil && $0.isLiteral && $0.path != path }) else { return nil }
        return additions.first { $0.observed == observed && $0.file == file }
    }

    /// Whether a class is this one, one that it inherits, or one that inherits it.
    private func isRelated(_ one: TypeID) -> Bool { program.chain(of: place.member.owner).contains(one) || program.chain(of: one).contains(place.member.owner) }

    /// Whether code that is not here, or that could not be read, may add an object of the class.
    private var mayBeAddedUnseen: Bool {
        let owner = place.member.owner
        switch program.ancestry(of: owner).root {
        case .none, .platform: break
        case .foreign, .ambiguous: return true
        }
        guard program[owner].kind == .class, !program.isExtended(owner), !program[owner].hasAmbiguousExtensions else { return true }
        // What is given away as an observer, or registers by a function of another name, may be added there.
        return program.chain(of: owner).flatMap { program.members(of: $0) }.contains { id in
            program[id].isPartial || program[id].bodies.contains { _, body in body.block.containsStatement(Self.mayAdd) }
        }
    }

    private static func mayAdd(_ statement: Statement) -> Bool {
        if case .opaque(let part) = statement.kind { return (part.reads + part.writes).contains { $0.lowercased().contains("observ") } }
        // What is observed in the classic way is known.
        guard let call = statement.call, !KeyPathTraffic.isObservation(call), let name = call.callee.baseName?.lowercased(), name.contains("observ"), name != "removeobserver",
              call.arguments.contains(where: { $0.value == .selfObject }) else { return false }
        // Of notifications nobody becomes a key-value observer.
        return name != "addobserver" || !call.arguments.contains { ["name", "forName"].contains($0.label) }
    }

    /// The registration of self on the object that is removed as an observer of self, where nothing removes it the right way round.
    private func swapped(_ call: Call, _ observer: Operand) -> KeyPathTraffic.Operation? {
        let isOnSelf = switch call.callee {
        case .name, .member(.selfObject, _): true
        default: false
        }
        guard isOnSelf, call.arguments.count >= 2, let path = KeyPathTraffic.path(call.arguments[1].value, in: place.context),
              let observed = ConditionAtom.text(of: observer, in: place.context) else { return nil }
        func isOfClass(_ one: KeyPathTraffic.Operation) -> Bool { one.observer.map { program.chain(of: place.member.owner).contains($0) } ?? false }
        // A factory adds the object that it makes: `control.scrollView` there is `self.scrollView` here.
        let property = observed.split(separator: ".").last
        func isOfProperty(_ one: KeyPathTraffic.Operation) -> Bool { one.path == path && one.observed?.split(separator: ".").last == property && isOfClass(one) }
        return traffic.removals.contains(where: isOfProperty) ? nil : traffic.additions.first { isOfProperty($0) && !$0.isOfSelf && $0.file == file }
    }
}
