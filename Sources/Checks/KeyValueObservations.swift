import Findings
import ProgramModel
import SourceText

extension Check {
    /// Observations that ask for less than they read, and those of what tells nobody of its changes.
    static let keyValueObservations = Check(rules: ["kvo_option_missing", "kvo_not_observable"]) { input, file in
        input.bodies(inFile: file).flatMap { place -> [Finding] in
            var found: [Finding] = []
            place.body.block.forEachStatement { statement in
                guard case .call(let call) = statement.kind, let observation = KeyValueObservation(call, place.context) else { return }
                found += observation.missingOptions(place, file, input)
                if let finding = SilentProperty(input: input, place: place, observation: observation).finding(at: statement.span, file) { found.append(finding) }
            }
            return found + unaskedValues(place, file, input)
        }
    }

    /// `observeValue` of a class all of whose registrations lack the option for a value that it reads.
    private static func unaskedValues(_ place: BodyOccurrence, _ file: Int, _ input: CheckInput) -> [Finding] {
        guard place.member.facts.baseName == "observeValue", place.body.parameters.count == 4 else { return [] }
        let change = place.body.parameters[2]
        let reads = KeyValueObservation.keysRead(of: change, place)
        guard !reads.isEmpty, let registered = registeredOptions(of: place.member.owner, input), !registered.isEmpty else { return [] }
        return reads.compactMap { key, span in
            guard registered.allSatisfy({ !$0.contains(key) }) else { return nil }
            return input.finding(
                "kvo_option_missing",
                "no registration of '\(place.member.typeName)' as an observer asks for the option '\(key)', so the \(key) value is not in the change and this is nil: add '.\(key)' to the options",
                at: span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
        }
    }

    /// The options of all registrations of self by the class; nil when some are not known, or others may register it.
    private static func registeredOptions(of owner: TypeID, _ input: CheckInput) -> [Set<String>]? {
        let program = input.program
        let family = Set(program.chain(of: owner))
        // What a subclass registers is given to the method of its superclass.
        let related = input.keyPaths.registrations.filter { one in one.observer.map { family.contains($0) || program.chain(of: $0).contains(owner) } ?? true }
        let known = related.filter(\.isOfSelf).compactMap(\.options)
        return known.count == related.count ? known : nil
    }
}

/// What an observation asks the changes to carry.
enum KeyValueOptions {
    /// The options that an operand names; nil where the text does not tell them.
    static func named(by operand: Operand?, in context: BodyContext) -> Set<String>? {
        func option(_ name: String) -> Set<String>? {
            let short = name.hasPrefix("NSKeyValueObservingOption") ? String(name.dropFirst("NSKeyValueObservingOption".count)) : name
            let lower = short.lowercased()
            return ["new", "old", "initial", "prior"].contains(lower) ? [lower] : nil
        }
        switch operand {
        case .constant(.integer(0)): return []
        case .constant(.implicitMember(let name)): return option(name)
        case .register(let register):
            switch context.definition(of: register)?.kind {
            case .read(_, .member(.type, let name)), .read(_, .name(let name)): return option(name)
            case .compute(_, .array, let operands), .compute(_, .symbol("|"), let operands):
                let parts = operands.map { named(by: $0, in: context) }
                return parts.contains { $0 == nil } ? nil : parts.reduce(into: []) { $0.formUnion($1 ?? []) }
            default: return nil
            }
        default: return nil
        }
    }
}

/// A call that observes a key path.
private struct KeyValueObservation {
    let observed: Operand
    let path: String
    /// Whether the path is a key path of Swift, so that a property without a name in Objective-C ends the app.
    let isTyped: Bool
    let options: Set<String>?
    /// The closure that is told of a change.
    let handler: Closure?

    init?(_ call: Call, _ context: BodyContext) {
        let receiver: Operand
        switch call.callee {
        case .member(let operand, _): receiver = operand
        case .name: receiver = .selfObject
        default: return nil
        }
        switch call.callee.baseName {
        case "observe":
            guard let first = call.arguments.first, first.label == nil, case .constant(.keyPath(_, let path)) = first.value, call.arguments.count == 2 || call.arguments.dropFirst().first?.label == "options",
                  call.arguments.count > 1, let last = call.arguments.last, case .register(let register) = last.value, case .closure(_, let closure)? = context.definition(of: register)?.kind else { return nil }
            (observed, self.path, isTyped, handler) = (receiver, path, true, closure)
            options = call.arguments.count == 2 ? [] : KeyValueOptions.named(by: call.arguments[1].value, in: context)
        case "addObserver":
            guard call.arguments.count >= 3, call.arguments[1].label == "forKeyPath" else { return nil }
            guard let told = KeyPathTraffic.path(call.arguments[1].value, in: context) else { return nil }
            path = told
            (observed, isTyped, handler, options) = (receiver, false, nil, nil)
        default: return nil
        }
    }

    /// The values that a closure reads of its change and that the options do not ask for.
    func missingOptions(_ place: BodyOccurrence, _ file: Int, _ input: CheckInput) -> [Finding] {
        guard let handler, let options, handler.parameters.count == 2, !hasOwnWay(place, input) else { return [] }
        let change = handler.parameters[1]
        var holders: Set<Register> = []
        var found: [Finding] = []
        func report(_ reads: [String], at span: SourceSpan) {
            for name in reads {
                guard let key = ["newValue": "new", "oldValue": "old"][name], !options.contains(key) else { continue }
                found.append(input.finding(
                    "kvo_option_missing",
                    "the options of this observation lack '\(key)', so '\(name)' of the change to '\(path)' is always nil: add '.\(key)' to the options",
                    at: span, in: file, type: place.member.typeName, member: place.member.facts.fullName))
            }
        }
        handler.block.forEachStatement { statement in
            switch statement.kind {
            case .read(let register, .local(change)): holders.insert(register)
            case .read(_, .member(.register(let register), let name)): if holders.contains(register) { report([name], at: statement.span) }
            case .call(let call):
                // A method of the class that gets the change reads it.
                guard let index = call.arguments.firstIndex(where: { if case .register(let register) = $0.value { holders.contains(register) } else { false } }), let name = call.callee.baseName else { return }
                let methods = input.program.members(named: name, on: place.member.owner).filter { input.program[$0].accepts(call) }
                guard methods.count == 1, let body = input.program[methods[0]].body, index < body.parameters.count else { return }
                report(Self.parts(readOf: body.parameters[index], in: body), at: statement.span)
            default: break
            }
        }
        return found
    }

    /// The properties that a body reads of a parameter.
    private static func parts(readOf parameter: LocalID, in body: Body) -> [String] {
        var holders: Set<Register> = []
        var found: [String] = []
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .read(let register, .local(parameter)): holders.insert(register)
            case .read(_, .member(.register(let register), let name)): if holders.contains(register), !found.contains(name) { found.append(name) }
            default: break
            }
        }
        return found
    }

    /// Whether a function of the project of that name may be meant.
    func hasOwnWay(_ place: BodyOccurrence, _ input: CheckInput) -> Bool {
        if input.program.extensionFunctions(named: "observe").contains(where: { !input.program[$0].parameters.isEmpty }) { return true }
        guard let type = input.inference.type(of: observed, in: place.context) else { return false }
        if case .project(let types) = input.inference.resolve(type) { return types.contains { !input.program.members(named: "observe", on: $0).isEmpty } }
        return false
    }

    /// The keys of a change that a body asks for, each where it does.
    static func keysRead(of change: LocalID, _ place: BodyOccurrence) -> [(String, SourceSpan)] {
        func key(_ operand: Operand) -> String? {
            let name: String
            switch operand {
            case .constant(.implicitMember(let text)): name = text
            case .register(let register):
                switch place.context.definition(of: register)?.kind {
                case .read(_, .member(.type, let text)), .read(_, .name(let text)): name = text
                default: return nil
                }
            default: return nil
            }
            return ["newKey": "new", "oldKey": "old", "NSKeyValueChangeNewKey": "new", "NSKeyValueChangeOldKey": "old"][name]
        }
        var holders: Set<Register> = []
        place.body.block.forEachStatement { if case .read(let register, .local(change)) = $0.kind { holders.insert(register) } }
        let uses = ValueUses(of: holders, in: place.body)
        var found: [(String, SourceSpan)] = []
        place.body.block.forEachStatement { statement in
            guard case .read(_, .element(let base, let arguments)) = statement.kind, uses.holds(base), let key = arguments.first.flatMap({ key($0.value) }) else { return }
            found.append((key, statement.span))
        }
        return found
    }
}

/// The search for a property whose changes nobody is told of.
private struct SilentProperty {
    let input: CheckInput
    let place: BodyOccurrence
    let observation: KeyValueObservation

    private var program: Program { input.program }

    /// Properties of views that UIKit and AppKit change without a word.
    private static let unannounced: Set<String> = ["frame", "center"]

    func finding(at span: SourceSpan, _ file: Int) -> Finding? {
        let path = observation.path
        guard !path.isEmpty, path.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }), !observation.hasOwnWay(place, input),
              let type = input.inference.type(of: observation.observed, in: place.context), !type.isMetatype else { return nil }
        func finding(_ message: String) -> Finding {
            input.finding("kvo_not_observable", message, at: span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
        }
        func unannounced(_ known: String) -> Finding? {
            guard Self.unannounced.contains(path), program.platform.isClass(known, kindOf: "UIView") else { return nil }
            var note = finding("observers of '\(path)' are not told of all the moves that UIKit makes, so some changes are missed: override 'layoutSubviews' or use a layout callback")
            note.severity = .note
            return note
        }
        switch input.inference.resolve(type) {
        case .platform(let name): return unannounced(name)
        case .unknown: return nil
        case .project(let types):
            guard types.count == 1, let owner = types.first, program[owner].kind == .class, !program[owner].hasAmbiguousExtensions else { return nil }
            guard let id = program.members(named: path, on: owner).first(where: { program[$0].kind == .property }) else { return program.platformClass(of: owner).flatMap(unannounced) }
            return silence(of: id, owner).map { severity, message in
                var found = finding(message)
                found.severity = severity
                return found
            }
        }
    }

    private func silence(of id: MemberID, _ owner: TypeID) -> (Severity, String)? {
        let member = program[id]
        let declaration = program[id.declaration]
        let marks = member.attributes.map(\.name)
        guard program.files[id.declaration.file].facts.language == .swift, declaration.kind == .class || declaration.kind == .extension,
              !member.modifiers.contains("dynamic"), !member.isOverride, !member.isStatic, !member.isConstant, !marks.contains("NSManaged"), !announces(member.baseName, owner) else { return nil }
        let isExposed = !Set(marks).isDisjoint(with: ["objc", "IBOutlet", "IBInspectable", "GKInspectable"])
            || program.chain(of: owner).contains { program[$0].declarations.contains { program[$0].attributes.contains { $0.name == "objcMembers" } } }
        let title = "'\(program[owner].name).\(member.baseName)'"
        if !isExposed {
            return observation.isTyped ? (.error, "\(title) is not '@objc', so it has no name for key-value observing and the app ends here: declare it '@objc dynamic'") : nil
        }
        // A computed property may be announced through what it depends on.
        guard member.isStored else { return nil }
        return (.warning, "\(title) is not 'dynamic', so Swift sets it without telling observers and this one hears nothing: declare it '@objc dynamic'")
    }

    /// Whether the class tells observers of its changes by hand, or names what the property depends on.
    private func announces(_ property: String, _ owner: TypeID) -> Bool {
        let chain = program.chain(of: owner)
        let names = ["keyPathsForValuesAffecting" + property.prefix(1).uppercased() + property.dropFirst(), "keyPathsForValuesAffectingValue", "automaticallyNotifiesObservers"]
        return chain.contains { link in
            names.contains { program[link].membersByName[$0] != nil } || program.members(of: link).contains { id in
                program[id].bodies.contains { _, body in
                    var found = false
                    body.block.forEachStatement { if let name = $0.call?.callee.baseName, name == "willChangeValue" || name == "didChangeValue" { found = true } }
                    return found
                }
            }
        }
    }
}
