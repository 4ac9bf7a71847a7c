import ProgramModel
import RuleLibrary

/// What the runs of one class look up again and again; belongs to one thread and is dropped with the class.
package final class Lookups {
    /// A body by where it stands.
    private struct BodyKey: Hashable {
        let place: BodyPlace
        let member: String
        let type: TypeID?
        let isStatic: Bool
    }

    private struct MemberKey: Hashable {
        let type: TypeID
        let name: String
    }

    /// A property of a project type with the file and the type that declare it.
    final class Property {
        let member: MemberFacts
        /// What it is as a piece of code.
        let node: CodeNode
        let file: Int
        let owner: TypeID?
        let isWeak: Bool

        init(_ member: MemberFacts, _ node: CodeNode, file: Int, owner: TypeID?) {
            self.member = member
            self.node = node
            self.file = file
            self.owner = owner
            isWeak = member.modifiers.contains { $0.hasPrefix("weak") || $0.hasPrefix("unowned") }
        }
    }

    let program: Program
    /// What `setByLayout`, `calledByLayout`, `fitted`, `hasSteadyWidth` and `isLetterboxed` found.
    var laidOut: [TypeID: [String: Set<String>]] = [:]
    var calledInLayouts: [TypeID: Set<String>] = [:]
    var fittedProperties: [TypeID: Set<String>] = [:]
    var steady: [TypeID: Bool] = [:]
    var letterboxed: [TypeID: Bool] = [:]
    /// What `reads` found.
    var askingForAdditions: [MemberID: Bool] = [:]
    /// What `clearsForReuse` found.
    var clearing: [TypeID: Bool] = [:]
    private var constantTexts: [String: String?] = [:]
    private var properties: [MemberKey: Property?] = [:]
    private var contexts: [BodyKey: BodyContext] = [:]
    /// What `emptiers` found.
    var emptied: [TypeID: [String: Set<String>]] = [:]
    private var written: [TypeID: Set<String>] = [:]
    private var demanded: [TypeID: Set<String>] = [:]
    private var begun: [TypeID: Set<String>] = [:]
    private var firstConstants: [MemberKey: Value?] = [:]
    private var members: [MemberKey: [MemberID]] = [:]
    private struct ScopedName: Hashable {
        let name: String
        let file: Int
        let typeName: String
    }

    private var resolutions: [ScopedName: TypeResolution] = [:]
    private var stored: [TypeID: [Property]] = [:]

    private var callers: [TypeID: OutsideCallers] = [:]

    /// What code outside can do to the objects of another class.
    func outsideCallers(of type: TypeID, _ library: RuleLibrary, _ relevance: Relevance) -> OutsideCallers {
        if let known = callers[type] { return known }
        let found = OutsideCallers(program: program, library: library, relevance: relevance, type: type, events: nil)
        callers[type] = found
        return found
    }

    private var effects: [BodyPlace: Relevance.Effect] = [:]

    /// What a statement can do to what the monitors watch.
    func effect(of statement: Statement, in context: BodyContext, _ relevance: Relevance) -> Relevance.Effect {
        let place = BodyPlace(statement, file: context.scope.file)
        if let known = effects[place] { return known }
        let found = relevance.effect(of: statement, in: context)
        effects[place] = found
        return found
    }

    private var writtenClasses: [BodyPlace: String?] = [:]

    /// The SDK class of a call's receiver, where the text tells it.
    func writtenClass(ofReceiverOf call: Call, at statement: Statement, in context: BodyContext) -> String? {
        let place = BodyPlace(statement, file: context.scope.file)
        if let known = writtenClasses[place] { return known }
        let receivers = TypeInference(program).receivers(of: call, in: context)
        let found = receivers.isMetatype ? nil : receivers.platformClass
        writtenClasses[place] = .some(found)
        return found
    }

    private var following: [BodyPlace: [BodyPlace: Bool]] = [:]

    /// Whether anything that matters can run after a place of choice in the same body.
    func matters(after place: BodyPlace, in context: BodyContext, _ relevance: Relevance) -> Bool {
        let body = BodyPlace(context.body, file: context.scope.file)
        if let known = following[body] { return known[place] ?? true }
        let found = relevance.whatFollows(in: context.body.block, of: context)
        following[body] = found
        return found[place] ?? true
    }

    private var demands: [BodyPlace: DemandedValues] = [:]

    /// The values of a body that somebody asks for.
    func demanded(in context: BodyContext, _ relevance: Relevance) -> DemandedValues {
        let body = BodyPlace(context.body, file: context.scope.file)
        if let known = demands[body] { return known }
        let found = DemandedValues(of: context, relevance, self)
        demands[body] = found
        return found
    }

    private struct ClosureKey: Hashable {
        let closure: ObjectIdentifier
        let owner: TypeID?
    }

    private var mentions: [ClosureKey: ClosureMentions] = [:]
    private var acquiring: [ObjectIdentifier: Bool] = [:]

    /// What a closure of a class's code mentions of the frame around it.
    func mentions(_ closure: Closure, owner: TypeID?) -> ClosureMentions {
        let key = ClosureKey(closure: ObjectIdentifier(closure), owner: owner)
        if let known = mentions[key] { return known }
        let found = ClosureMentions(closure, program: program, owner: owner) { self.members(named: $0, on: $1) }
        mentions[key] = found
        return found
    }

    /// Whether a closure, or one that it makes, acquires a resource in its own text.
    func acquires(_ closure: Closure, _ library: RuleLibrary) -> Bool {
        if let known = acquiring[ObjectIdentifier(closure)] { return known }
        let found = closure.block.containsStatement { statement in
            guard let call = statement.call else { return false }
            if case .initializer(let type) = call.callee { return library.families.contains { $0.acquire.contains { $0.receiver == type.name } } }
            guard let name = call.fullName else { return false }
            return [name, "static \(name)"].contains { !library.families(acquiredBy: $0).isEmpty }
        }
        acquiring[ObjectIdentifier(closure)] = found
        return found
    }

    /// What the texts of closures tell of who is given them.
    var closureUses: [ObjectIdentifier: ClosureUse] = [:]
    var closureStores: [ObjectIdentifier: Bool] = [:]
    /// What `keepsParameters`, `takesClosures` and `namesEmptied` found.
    var keptParameters: [ObjectIdentifier: Bool] = [:]
    var closureTakers: [TypeID: Bool] = [:]
    var emptiedByBody: [ObjectIdentifier: Set<String>] = [:]

    private var numbers: [String: Int] = [:]

    /// A number for an unknown value that the text names, the same for the same text and never that of another value.
    func number(of text: String) -> Int {
        if let known = numbers[text] { return known }
        numbers[text] = -1 - numbers.count
        return -numbers.count
    }

    init(_ program: Program) {
        self.program = program
    }

    /// The text of a constant of Objective-C that is declared outside classes, in whatever file it gets its value.
    func text(ofConstant name: String) -> String? {
        if let known = constantTexts[name] { return known }
        let bodies = program.freeMembers(named: name).filter { $0.member.kind == .property }.compactMap(\.member.body)
        let found = bodies.lazy.compactMap { body -> String? in if case .exit(.returns(.constant(.string(let text))))? = body.block.last?.kind { text } else { nil } }.first
        constantTexts[name] = .some(found)
        return found
    }

    func context(_ body: Body, file: Int, member: String, type: TypeID?, isStatic: Bool) -> BodyContext {
        let key = BodyKey(place: BodyPlace(body, file: file), member: member, type: type, isStatic: isStatic)
        if let known = contexts[key] { return known }
        let context = BodyContext(
            body: body, selfType: type, scope: Scope(file: file, typeName: type.map { program[$0].name } ?? ""), isStatic: isStatic)
        contexts[key] = context
        return context
    }

    private var texts: [BodyKey: FrameText] = [:]

    /// What all frames of a body have in common.
    func frameText(_ body: Body, file: Int, member: String, type: TypeID?, isStatic: Bool, _ relevance: Relevance) -> FrameText {
        let key = BodyKey(place: BodyPlace(body, file: file), member: member, type: type, isStatic: isStatic)
        if let known = texts[key] { return known }
        let context = context(body, file: file, member: member, type: type, isStatic: isStatic)
        let text = FrameText(
            context: context, used: body.usedRegisters, demanded: demanded(in: context, relevance), file: file, member: member, declaringType: type)
        texts[key] = text
        return text
    }

    /// The functions that the project adds to classes of the SDK, by base name.
    func extensionFunctions(named name: String) -> [MemberID] { program.extensionFunctions(named: name) }

    /// The constant with which a stored property begins; nil where it begins with something else.
    package func firstConstant(of name: String, in type: TypeID) -> Value? {
        let key = MemberKey(type: type, name: name)
        if let known = firstConstants[key] { return known }
        var found: Value?
        if let property = property(name, of: type), property.member.isStored, !property.member.modifiers.contains("lazy"), let block = property.member.body?.block {
            switch (block.first?.kind, block.last?.kind) {
            case (_, .exit(.returns(.constant(.boolean(let value))))) where block.count == 1: found = .boolean(value)
            case (_, .exit(.returns(.constant(.integer(let value))))) where block.count == 1: found = .integer(value)
            case (_, .exit(.returns(.constant(.string(let text))))) where block.count == 1: found = .string(text)
            case (.compute(let register, .array, let operands), .exit(.returns(.register(let returned)))) where block.count == 2 && register == returned && operands.isEmpty:
                found = .collection([])
            default: break
            }
        }
        firstConstants[key] = .some(found)
        return found
    }

    /// Whether code of the class or of its project superclasses puts anything but nil into a property of this name of self.
    package func isWritten(_ name: String, by type: TypeID) -> Bool {
        if let known = written[type] { return known.contains(name) }
        var names: Set<String> = []
        for link in program.chain(of: type) {
            for id in program.members(of: link) {
                for (_, body) in program[id].bodies {
                    body.block.forEachStatement { statement in
                        switch statement.kind {
                        case .write(.name(let name), let value) where value != .constant(.null): names.insert(name)
                        // Closures write to a captured self, which is a local there.
                        case .write(.member(_, let name), let value) where value != .constant(.null): names.insert(name)
                        default: break
                        }
                    }
                }
            }
        }
        written[type] = names
        return names.contains(name)
    }

    /// Whether an initialiser of the class or of its project superclasses puts anything but nil into a property of this name.
    func isBegun(_ name: String, by type: TypeID) -> Bool {
        if let known = begun[type] { return known.contains(name) }
        var names: Set<String> = []
        for link in program.chain(of: type) {
            for id in program.members(of: link) where program[id].kind == .initializer {
                program[id].body?.block.forEachStatement { statement in
                    switch statement.kind {
                    case .write(.name(let name), let value) where value != .constant(.null): names.insert(name)
                    case .write(.member(.selfObject, let name), let value) where value != .constant(.null): names.insert(name)
                    default: break
                    }
                }
            }
        }
        begun[type] = names
        return names.contains(name)
    }

    /// Whether code of the class or of its project superclasses ends the app where a property of this name is nil:
    /// `guard let store else { fatalError() }`.
    func isDemanded(_ name: String, by type: TypeID) -> Bool {
        if let known = demanded[type] { return known.contains(name) }
        var names: Set<String> = []
        for link in program.chain(of: type) {
            for id in program.members(of: link) {
                for (_, body) in program[id].bodies { body.block.forEachStatement { names.formUnion(Self.demanded(by: $0)) } }
            }
        }
        demanded[type] = names
        return names.contains(name)
    }

    private static func demanded(by statement: Statement) -> [String] {
        guard case .branch(let clauses, _, let otherwise) = statement.kind, otherwise.last?.kind == .exit(.trap) else { return [] }
        return clauses.compactMap { clause in
            guard case .register(let tested)? = clause.test.optional else { return nil }
            return clause.setup.lazy.compactMap { statement -> String? in
                switch statement.kind {
                case .read(tested, .name(let name)), .read(tested, .member(.selfObject, let name)): name
                default: nil
                }
            }.first
        }
    }

    /// Whether a property always has an object and no initial value says which.
    package func isSurelyThere(_ name: String, of type: TypeID) -> Bool {
        guard let member = property(name, of: type)?.member else { return false }
        return member.body == nil && member.type?.isOptional == false
    }

    /// The property that a name means on a type or its project superclasses.
    func property(_ name: String, of type: TypeID) -> Property? {
        let key = MemberKey(type: type, name: name)
        if let known = properties[key] { return known }
        var found: Property?
        for id in members(named: name, on: type) where program[id].kind == .property {
            let owner = program.owners(of: id.declaration).first { [type] == [$0] || program.ancestry(of: type).projectTypes.contains($0) }
            found = Property(program[id], .member(id), file: id.declaration.file, owner: owner ?? type)
            break
        }
        properties[key] = .some(found)
        return found
    }

    /// The stored properties of one type, in order, whose initial values an object gets when it is made.
    func storedProperties(of type: TypeID, _ relevance: Relevance) -> [Property] {
        if let known = stored[type] { return known }
        let found = program.members(of: type).compactMap { id -> Property? in
            let member = program[id]
            guard member.kind == .property, !member.isStatic, member.isStored, !member.modifiers.contains("lazy"), let body = member.body,
                  relevance.mattersWhenMade(body, in: context(body, file: id.declaration.file, member: member.baseName, type: type, isStatic: false)) else { return nil }
            return Property(member, .member(id), file: id.declaration.file, owner: type)
        }
        stored[type] = found
        return found
    }

    /// A place of a class that acquires something of a family with a key that the text tells.
    struct Acquisition {
        let key: [Value]
        let body: BodyPlace
    }

    private var acquisitions: [String: [Acquisition]] = [:]

    /// Where a class and its project superclasses acquire something of a family.
    func acquisitions(of family: ResourceFamily, by type: TypeID) -> [Acquisition] {
        let title = "\(type.index) \(family.name)"
        if let known = acquisitions[title] { return known }
        var found: [Acquisition] = []
        for link in program.chain(of: type) {
            for id in program.members(of: link) {
                for (_, body) in program[id].bodies {
                    body.block.forEachStatement { statement in
                        guard let call = statement.call, let name = call.fullName, let operation = family.acquire.first(where: { $0.names.contains(name) }) else { return }
                        let key = operation.key.compactMap { $0 < call.arguments.count ? WrittenKey.known(call.arguments[$0].value, [:]) : nil }
                        if key.count == operation.key.count { found.append(Acquisition(key: key, body: BodyPlace(body, file: id.declaration.file))) }
                    }
                }
            }
        }
        acquisitions[title] = found
        return found
    }

    /// What a type's name means in a scope, for the configuration of the run.
    func resolve(_ type: TypeReference, in scope: Scope) -> TypeResolution {
        // Generic and nested references are rare; their parts are looked up by the name alone.
        let key = ScopedName(name: type.name, file: scope.file, typeName: scope.typeName)
        if type == TypeReference(type.name), let known = resolutions[key] { return known }
        let found = program.resolve(type, in: scope)
        if type == TypeReference(type.name) { resolutions[key] = found }
        return found
    }

    /// Whether a name, read as a value, is a method of the type's objects.
    func isMethod(_ name: String, of type: TypeID) -> Bool { program.isMethod(name, of: type, among: members(named: name, on: type)) }

    private var decisive: [MemberKey: Bool] = [:]

    /// Whether the value of a property of a class's objects may decide anything.
    package func mayDecide(_ name: String, of type: TypeID, _ relevance: Relevance) -> Bool {
        let key = MemberKey(type: type, name: name)
        if let known = decisive[key] { return known }
        let found = relevance.mayDecideForSDK(name) || members(named: name, on: type).contains(where: relevance.mayDecide)
        decisive[key] = found
        return found
    }

    /// The properties that code outside gives their values, by class, once they were asked for.
    var given: [TypeID: [Property]] = [:]

    private var observed: [TypeID: Set<String>] = [:]

    /// Whether code of a class observes what a property of its objects has, or stops doing so, which raises an exception where it does not
    /// observe that: whether there is an object matters then, and which.
    package func isObserved(_ name: String, of type: TypeID, _ relevance: Relevance) -> Bool {
        if let known = observed[type] { return known.contains(name) }
        var found: Set<String> = []
        for body in program.chain(of: type).flatMap({ program.members(of: $0) }).flatMap({ program[$0].bodies }).map(\.body) {
            var read: [Register: String] = [:]
            body.block.forEachStatement { statement in
                if case .read(let register, let place) = statement.kind { read[register] = place.ownName?.withoutUnderscore }
                guard let call = statement.call, case .member(.register(let receiver), let name) = call.callee, let property = read[receiver], relevance.resourceNames.contains(name) else { return }
                found.formUnion([property, "_\(property)"])
            }
        }
        observed[type] = found
        return found.contains(name)
    }

    private var hot: [TypeID: Bool] = [:]

    /// Whether any code of a class or of its project superclasses may matter.
    package func isHot(_ type: TypeID, _ relevance: Relevance) -> Bool {
        if let known = hot[type] { return known }
        let found = program.chain(of: type).contains { link in
            relevance.isHotToMake(program[link].name) || program.members(of: link).contains { relevance.isHot(.node(.member($0))) }
        }
        hot[type] = found
        return found
    }

    /// The Objective-C method of a class that sets a property which its superclass in the SDK declares.
    func overridingSetter(of property: String, on type: TypeID) -> MemberID? {
        members(named: "set" + property.prefix(1).uppercased() + property.dropFirst(), on: type).first { id in
            program[id].kind == .function && !program[id].isStatic && program[id].parameters.count == 1 && program.files[id.declaration.file].facts.language == .objectiveC
        }
    }

    func members(named name: String, on type: TypeID) -> [MemberID] {
        let key = MemberKey(type: type, name: name)
        if let known = members[key] { return known }
        // A subclass may overload a name of its superclass: all of them, nearest first.
        let links = program.chain(of: type).flatMap { program[$0].membersByName[name] ?? [] }
        let found = links.isEmpty ? program.members(named: name, on: type) : links
        members[key] = found
        return found
    }
}
