import Findings
import ProgramModel
import RuleLibrary
import SourceText

extension Check {
    /// Repeating timers whose property is set to nil where they were to end: the run loop has them all the same.
    static let forsakenTimers = Check(rules: ["timer_not_invalidated"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        var classes: [TypeID: ForsakenTimers?] = [:]
        func timers(of type: TypeID) -> ForsakenTimers? {
            if let known = classes[type] { return known }
            let read = ForsakenTimers(input, type)
            classes[type] = .some(read)
            return read
        }
        return input.bodies(inFile: file).flatMap { place -> [Finding] in
            func finding(_ message: String, _ span: SourceSpan) -> Finding {
                input.finding("timer_not_invalidated", message, at: span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
            }
            let cleared = ForsakenTimers.cleared(in: place, input.program)
            let made = ForsakenTimers.made(in: place, input.library)
            guard !cleared.isEmpty || !made.isEmpty, let known = timers(of: place.member.owner) else { return [] }
            return cleared.filter { known.isForsaken($0.name, in: place) }.map { name, span in
                finding("'\(name)' is set to nil and its repeating timer is not ended: the run loop keeps it, and it goes on firing; call 'invalidate' first", span)
            } + made.compactMap { name, span in
                known.forgetter(of: name, input).map { finding("'\($0)' sets '\(name)' to nil and nobody ends this repeating timer: the run loop keeps it, and it goes on firing; call 'invalidate' first", span) }
            }
        }
    }
}

/// The repeating timers that a class keeps in properties, and who ends them.
private struct ForsakenTimers {
    /// The properties that are given a repeating timer.
    private var repeating: Set<String> = []
    /// The properties whose timers some code of the class ends, so that those who only set them to nil have forgotten it.
    private var ended: Set<String> = []
    /// The methods that set a property to nil, by its name.
    private var clearers: [String: [(base: String, body: Body)]] = [:]
    /// The properties whose timers are handed to other code than the run loop.
    private var handedOut: Set<String> = []
    /// The base names of the members that end a timer of which they do not say where it is kept.
    private var endingOthers: Set<String> = []
    /// The base names of the members that end a timer, or call one that does.
    private var ending: Set<String> = []
    /// The base names of what the members that end a timer call.
    private var calledByEnding: Set<String> = []
    /// The base names of what makes an object, and of what that calls: nothing runs yet.
    private var making: Set<String> = []

    private let type: TypeID

    /// Nil where the rule data knows no timers.
    init?(_ input: CheckInput, _ type: TypeID) {
        self.type = type
        guard let family = input.library.family(named: "timer") else { return nil }
        let program = input.program
        var calls: [String: Set<String>] = [:]
        let ends = Set(family.release.flatMap(\.names).map(ResourceFamily.baseName))
        /// Whether a call of this base name ends a timer, or does so by what the project adds to it, or says that it does.
        func isEnd(_ name: String) -> Bool {
            ends.contains { name.lowercased().contains($0) } || program.callsOnSelf(byAdded: name).contains { ends.contains(ResourceFamily.baseName(of: $0)) }
        }
        for id in program.chain(of: type).flatMap(program.members) {
            let base = program[id].baseName
            for (_, body) in program[id].bodies {
                let context = program.context(of: body, in: id, as: type)
                let names = body.block.calledNames
                calls[base, default: []].formUnion(names)
                if program[id].kind == .initializer || base.hasPrefix("init") || Self.setUps.contains(base) { making.formUnion(names.union([base])) }
                if names.contains(where: isEnd) {
                    ending.insert(base)
                    calledByEnding.formUnion(names)
                }
                body.block.forEachStatement { statement in
                    switch statement.kind {
                    case .write(let place, let value):
                        guard let name = place.ownName?.withoutUnderscore else { break }
                        if Self.repeatingTimer(value, context, input.library) != nil { repeating.insert(name) }
                        if value == .constant(.null), program[id].kind == .function, !program[id].isOverride, !program[id].isStatic, !program[id].isPartial { clearers[name, default: []].append((base, body)) }
                    case .call(let call):
                        if !Self.schedules.contains(call.callee.baseName ?? "") {
                            for argument in call.arguments { context.ownProperty(behind: argument.value).map { _ = handedOut.insert($0) } }
                        }
                        guard case .member(let receiver, let name) = call.callee, isEnd(name) else { break }
                        if let kept = context.ownProperty(behind: receiver) { ended.insert(kept) } else { endingOthers.insert(base) }
                    default: break
                    }
                }
            }
        }
        // A property may end its timer itself when it is set.
        let observed = program.chain(of: type).flatMap(program.members).filter { program[$0].accessors != nil }.map { program[$0].baseName.withoutUnderscore }
        repeating.subtract(observed)
        ending = calls.namesLeading(to: ending)
    }

    /// What is called with a timer so that it fires.
    private static let schedules: Set<String> = ["add", "addTimer"]

    private static let setUps: Set<String> = ["awakeFromNib", "viewDidLoad", "loadView", "windowDidLoad"]

    /// The statement that makes the repeating timer that a value is; nil for other values.
    private static func repeatingTimer(_ value: Operand, _ context: BodyContext, _ library: RuleLibrary) -> Statement? {
        guard case .register(let register) = context.uncast(value), let definition = context.definition(of: register) else { return nil }
        if case .read(_, .local(let local)) = definition.kind { return context.value(of: local).flatMap { repeatingTimer($0, context, library) } }
        return definition.call.flatMap { library.isRepeated(armedBy: $0.fullName, flag: $0.boolean) } ?? false ? definition : nil
    }

    /// The properties of a timer's type that a body sets to nil.
    static func cleared(in place: BodyOccurrence, _ program: Program) -> [(name: String, span: SourceSpan)] {
        let facts = place.member.facts
        // Runs of the object show what its lifecycle does.
        guard facts.kind == .function, !facts.isOverride, !facts.isStatic, !facts.isPartial else { return [] }
        var found: [(name: String, span: SourceSpan)] = []
        place.body.block.forEachStatement { statement in
            guard case .write(let place, .constant(.null)) = statement.kind, let name = place.ownName else { return }
            if isTimer(name) { found.append((name.withoutUnderscore, statement.span)) }
        }
        func isTimer(_ name: String) -> Bool {
            [name, name.withoutUnderscore].contains { one in
                program.members(named: one, on: place.member.owner).contains { program[$0].kind == .property && ["Timer", "NSTimer"].contains(program[$0].type?.unwrapped.name) }
            }
        }
        return found
    }

    /// The properties into which a body puts repeating timers, and where it makes these.
    static func made(in place: BodyOccurrence, _ library: RuleLibrary) -> [(name: String, span: SourceSpan)] {
        var found: [(name: String, span: SourceSpan)] = []
        place.body.block.forEachStatement { statement in
            if case .write(let written, let value) = statement.kind, let name = written.ownName, let timer = repeatingTimer(value, place.context, library) { found.append((name.withoutUnderscore, timer.span)) }
        }
        return found
    }

    /// Whether a repeating timer of the property, which others end, is only set to nil by a body, and nobody ends it who calls that or whom that calls.
    func isForsaken(_ property: String, in place: BodyOccurrence) -> Bool { ended.contains(property) && forgets(property, place.member.facts.baseName, place.body) }

    /// The method that sets the property to nil where nobody ends the timers in it.
    func forgetter(of property: String, _ input: CheckInput) -> String? {
        guard !ended.contains(property), let found = clearers[property]?.first(where: { forgets(property, $0.base, $0.body) }), isNeverEnded(property, of: type, input) else { return nil }
        return found.base
    }

    private func forgets(_ property: String, _ base: String, _ body: Body) -> Bool {
        guard repeating.contains(property), !ending.contains(base), !calledByEnding.contains(base), !making.contains(base) else { return false }
        return !body.block.containsStatement { statement in
            switch statement.kind {
            // Who asks whether it is valid knows that it has ended; what is made anew takes its place, and runs show that.
            case .read(_, .member(_, "isValid")), .opaque: true
            case .write(let place, .register): place.ownName?.withoutUnderscore == property
            case .call(let call): call.callee.baseName == "isValid"
            default: false
            }
        }
    }

    /// Whether no code that is called can end what the property has.
    private func isNeverEnded(_ property: String, of type: TypeID, _ input: CheckInput) -> Bool {
        guard !handedOut.contains(property) else { return false }
        let called = Set(input.names.called.map(ResourceFamily.baseName))
        guard endingOthers.isDisjoint(with: called) else { return false }
        let chain = Set(input.program.chain(of: type))
        let names: Set<String> = [property, "_\(property)"]
        return !input.program.files.indices.contains { file in
            input.bodies(inFile: file).contains { place in
                !chain.contains(place.member.owner) && place.body.block.containsStatement { statement in
                    if case .read(_, .member(_, let name)) = statement.kind { return names.contains(name) }
                    return false
                }
            }
        }
    }
}
