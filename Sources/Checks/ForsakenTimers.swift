import Findings
import ProgramModel
import RuleLibrary
import SourceText

extension Check {
    /// Repeating timers whose property is set to nil where they were to end: the run loop has them all the same.
    static let forsakenTimers = Check(rules: ["timer_not_invalidated"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        var classes: [TypeID: ForsakenTimers] = [:]
        return input.bodies(inFile: file).flatMap { place -> [Finding] in
            let cleared = ForsakenTimers.cleared(in: place, input.program)
            guard !cleared.isEmpty, let known = classes[place.member.owner] ?? ForsakenTimers(input, place.member.owner) else { return [] }
            classes[place.member.owner] = known
            return cleared.filter { known.isForsaken($0.name, in: place) }.map { name, span in
                input.finding(
                    "timer_not_invalidated", "'\(name)' is set to nil and its repeating timer is not ended: the run loop keeps it, and it goes on firing; call 'invalidate' first",
                    at: span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
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
    /// The base names of the members that end a timer, or call one that does.
    private var ending: Set<String> = []
    /// The base names of what the members that end a timer call.
    private var calledByEnding: Set<String> = []
    /// The base names of what makes an object, and of what that calls: nothing runs yet.
    private var making: Set<String> = []

    /// Nil where the rule data knows no timers.
    init?(_ input: CheckInput, _ type: TypeID) {
        guard let family = input.library.family(named: "timer") else { return nil }
        let program = input.program
        var calls: [String: Set<String>] = [:]
        let ends = Set(family.release.flatMap(\.names).map(ResourceFamily.baseName))
        for id in program.chain(of: type).flatMap(program.members) {
            let base = program[id].baseName
            for (_, body) in program[id].bodies {
                let context = BodyContext(body: body, selfType: type, scope: Scope(file: id.declaration.file, typeName: program[type].name), isStatic: program[id].isStatic)
                let names = body.block.calledNames
                calls[base, default: []].formUnion(names)
                if program[id].kind == .initializer || base.hasPrefix("init") || Self.setUps.contains(base) { making.formUnion(names.union([base])) }
                if !names.isDisjoint(with: ends) {
                    ending.insert(base)
                    calledByEnding.formUnion(names)
                }
                body.block.forEachStatement { statement in
                    switch statement.kind {
                    case .write(let place, let value):
                        if let name = place.ownName, Self.isRepeating(value, context, input.library) { repeating.insert(name.withoutUnderscore) }
                    case .call(let call):
                        guard case .member(let receiver, let name) = call.callee, ends.contains(name), case .register(let register) = context.uncast(receiver) else { break }
                        guard case .read(_, let place)? = context.definition(of: register)?.kind else { break }
                        if case .local(let local) = place, case .register(let source)? = context.value(of: local), case .read(_, let origin)? = context.definition(of: source)?.kind {
                            origin.ownName.map { _ = ended.insert($0.withoutUnderscore) }
                        }
                        place.ownName.map { _ = ended.insert($0.withoutUnderscore) }
                    default: break
                    }
                }
            }
        }
        // A property may end its timer itself when it is set.
        let observed = program.chain(of: type).flatMap(program.members).filter { program[$0].accessors != nil }.map { program[$0].baseName.withoutUnderscore }
        repeating.subtract(observed)
        while let more = calls.first(where: { !ending.contains($0.key) && !$0.value.isDisjoint(with: ending) })?.key { ending.insert(more) }
    }

    private static let setUps: Set<String> = ["awakeFromNib", "viewDidLoad", "loadView", "windowDidLoad"]

    private static func isRepeating(_ value: Operand, _ context: BodyContext, _ library: RuleLibrary) -> Bool {
        guard case .register(let register) = context.uncast(value), let definition = context.definition(of: register) else { return false }
        if case .read(_, .local(let local)) = definition.kind { return context.value(of: local).map { isRepeating($0, context, library) } ?? false }
        return definition.call.flatMap(library.repeatsTimer) ?? false
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

    /// Whether a repeating timer of the property, which others end, is only set to nil by a body, and nobody ends it who calls that or whom that calls.
    func isForsaken(_ property: String, in place: BodyOccurrence) -> Bool {
        let base = place.member.facts.baseName
        guard repeating.contains(property), ended.contains(property), !ending.contains(base), !calledByEnding.contains(base), !making.contains(base) else { return false }
        return !place.body.block.containsStatement { statement in
            switch statement.kind {
            // Who asks whether it is valid knows that it has ended; what is made anew takes its place, and runs show that.
            case .read(_, .member(_, "isValid")), .opaque: true
            case .write(let place, .register): place.ownName?.withoutUnderscore == property
            case .call(let call): call.callee.baseName == "isValid"
            default: false
            }
        }
    }
}
