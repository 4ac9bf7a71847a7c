import Findings
import ProgramModel
import SourceText

extension Check {
    /// State that is saved when the app is terminated and at no other time.
    static let lateSaves = Check(rules: ["save_only_in_will_terminate"]) { input, file in
        input.bodies(inFile: file).compactMap { LateSaveSearch(input: input, file: file, place: $0)?.finding() }
    }
}

/// The search for what one `applicationWillTerminate` saves.
private struct LateSaveSearch {
    private let input: CheckInput
    private let file: Int
    private let place: BodyOccurrence
    private static let deepest = 3

    private var program: Program { input.program }

    init?(input: CheckInput, file: Int, place: BodyOccurrence) {
        guard place.member.facts.fullName == "applicationWillTerminate(_:)", place.member.facts.kind == .function, !place.member.facts.isPartial,
              input.program.chain(of: place.member.owner).contains(where: { input.program[$0].conformances.contains { $0.name == "UIApplicationDelegate" } }),
              // Whoever calls it by hand does so at another time.
              !input.names.called.contains("applicationWillTerminate(_:)") else { return nil }
        (self.input, self.file, self.place) = (input, file, place)
    }

    /// One place that saves a property, with the functions that lead to it.
    private struct Save {
        let call: Call
        /// What tells the same save elsewhere: the text of its key; nil where the call's name must do.
        let key: Operand?
        let context: BodyContext
        let way: [MemberID]
    }

    func finding() -> Finding? {
        let saves = saves(in: place, way: [place.member.id])
        guard let save = saves.first, !saves.contains(where: isSavedElsewhere) else { return nil }
        let what = save.way.count > 1 ? "'\(program[save.way[1]].baseName)', which saves, is called" : "what '\(save.call.callee.baseName ?? "")' keeps is saved"
        return input.finding(
            "save_only_in_will_terminate",
            "\(what) only here, and the system ends most apps while they are suspended, without this call: what has changed since the last save is lost; save when the app goes to the background as well",
            at: place.member.facts.nameSpan, in: file, type: place.member.typeName, member: place.member.facts.fullName)
    }

    // MARK: Saves

    private func saves(in place: BodyOccurrence, way: [MemberID]) -> [Save] {
        var found: [Save] = []
        place.body.block.forEachStatement { statement in
            guard let call = statement.call else { return }
            if let key = savedKey(call, place.context) {
                found.append(Save(call: call, key: key, context: place.context, way: way))
            } else if way.count <= Self.deepest, let helper = helper(call, place.context), !way.contains(helper.member.id) {
                found += saves(in: helper, way: way + [helper.member.id])
            }
        }
        return found
    }

    private static let setters: Set<String> = [
        "set", "setObject", "setValue", "setInteger", "setBool", "setDouble", "setFloat", "setURL",
    ]

    /// The key under which a call keeps a property in the user defaults.
    private func savedKey(_ call: Call, _ context: BodyContext) -> Operand? {
        guard case .member(let receiver, let name) = call.callee, Self.setters.contains(name), call.arguments.count == 2, call.arguments[1].label == "forKey", isDefaults(receiver, context),
              isProperty(call.arguments[0].value, context, depth: 0) else { return nil }
        return call.arguments[1].value
    }

    private func isDefaults(_ operand: Operand, _ context: BodyContext) -> Bool {
        if let type = input.inference.type(of: operand, in: context), !type.isMetatype { return Self.defaults.contains(type.reference.unwrapped.name) }
        guard case .register(let register) = operand, let statement = context.definition(of: register) else { return false }
        switch statement.kind {
        case .read(_, .member(.type(let type), "standard")): return Self.defaults.contains(type.name)
        case .call(let call):
            if case .member(.type(let type), "standardUserDefaults") = call.callee { return Self.defaults.contains(type.name) }
            return false
        case .read(_, .local(let local)): return context.value(of: local).map { isDefaults($0, context) } ?? false
        default: return false
        }
    }

    private static let defaults: Set<String> = ["UserDefaults", "NSUserDefaults"]

    /// Whether a value is read from a property, and no mark of the end itself: a constant or the time.
    private func isProperty(_ operand: Operand, _ context: BodyContext, depth: Int) -> Bool {
        guard depth < 6, case .register(let register) = operand, let statement = context.definition(of: register) else { return false }
        switch statement.kind {
        case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)):
            return context.selfType.map { type in program.members(named: name, on: type).contains { program[$0].isStored && !program[$0].isConstant } } ?? false
        case .read(_, .member(let base, _)): return isProperty(base, context, depth: depth + 1)
        case .read(_, .local(let local)): return context.value(of: local).map { isProperty($0, context, depth: depth + 1) } ?? false
        case .compute(_, _, let operands): return operands.contains { isProperty($0, context, depth: depth + 1) }
        case .call(let call):
            guard case .member(let receiver, _) = call.callee else { return call.arguments.contains { isProperty($0.value, context, depth: depth + 1) } }
            return isProperty(receiver, context, depth: depth + 1) || call.arguments.contains { isProperty($0.value, context, depth: depth + 1) }
        case .collection(_, let call):
            if case .member(let receiver, _) = call.callee { return isProperty(receiver, context, depth: depth + 1) }
            return false
        default: return false
        }
    }

    /// The only function of the project that a call means.
    private func helper(_ call: Call, _ context: BodyContext) -> BodyOccurrence? {
        let receivers = input.inference.receivers(of: call, in: context)
        guard receivers.types.count == 1, receivers.provenance <= .platformData, let owner = receivers.types.first, let name = call.callee.baseName else { return nil }
        let functions = program.members(named: name, on: owner).filter { program[$0].fullName == call.fullName && program[$0].body != nil && !program[$0].isPartial }
        guard functions.count == 1, let body = program[functions[0]].body else { return nil }
        return occurrence(functions[0], body, owner: owner)
    }

    private func occurrence(_ id: MemberID, _ body: Body, owner: TypeID) -> BodyOccurrence {
        let member = MemberOccurrence(id: id, facts: program[id], owner: owner, typeName: program[id.declaration].name)
        let scope = Scope(file: id.declaration.file, typeName: member.typeName)
        return BodyOccurrence(member: member, body: body, context: BodyContext(body: body, selfType: owner, scope: scope, isStatic: member.facts.isStatic))
    }

    // MARK: Elsewhere

    /// Whether some other code saves the same, or calls one of the functions that do.
    private func isSavedElsewhere(_ save: Save) -> Bool {
        let helpers = save.way.dropFirst()
        let names = Set(helpers.map { program[$0].baseName })
        let key = save.key.flatMap { ConditionAtom.text(of: $0, in: save.context) }
        guard let key else { return true }
        for (index, one) in program.files.enumerated() where !one.isTest {
            if let body = one.facts.topLevel, mentions(body, names) { return true }
            if one.facts.members.flatMap(\.bodies).contains(where: { mentions($0.body, names) }) { return true }
            for (number, type) in one.facts.types.enumerated() {
                guard let owner = program.owners(of: DeclarationID(file: index, index: number)).first else {
                    if type.members.flatMap(\.bodies).contains(where: { mentions($0.body, names) }) { return true }
                    continue
                }
                for position in type.members.indices {
                    let id = MemberID(declaration: DeclarationID(file: index, index: number), index: position)
                    for (_, body) in type.members[position].bodies where saves(body, key: key, id: id, save: save, names: names, owner: owner) { return true }
                }
            }
        }
        return false
    }

    private func mentions(_ body: Body, _ names: Set<String>) -> Bool {
        body.block.containsStatement { $0.call?.callee.baseName.map(names.contains) ?? false }
    }

    private func saves(_ body: Body, key: String, id: MemberID, save: Save, names: Set<String>, owner: TypeID) -> Bool {
        var context: BodyContext?
        func known() -> BodyContext {
            if let context { return context }
            let made = occurrence(id, body, owner: owner).context
            context = made
            return made
        }
        return body.block.containsStatement { statement in
            // A selector or a reference to the function may lead to it.
            if case .read(_, let place) = statement.kind, let name = Self.name(of: place), names.contains(name), program[id].kind != .property { return true }
            guard let call = statement.call else { return false }
            if call.arguments.contains(where: { if case .constant(.selector(let text)) = $0.value { names.contains { text.contains($0) } } else { false } }) { return true }
            if save.way.contains(id) { return false }
            if call.arguments.count == 2, call.arguments[1].label == "forKey", ConditionAtom.text(of: call.arguments[1].value, in: known()).map({ Self.last($0) == Self.last(key) }) ?? true { return Self.setters.contains(call.callee.baseName ?? "") }
            guard let name = call.callee.baseName, names.contains(name) else { return false }
            let receivers = input.inference.receivers(of: call, in: known())
            guard receivers.provenance <= .platformData, receivers.platformClass == nil, !receivers.types.isEmpty else { return receivers.platformClass == nil }
            let owners = Set(save.way.flatMap { program.owners(of: $0.declaration) })
            return receivers.types.contains { !owners.isDisjoint(with: program.chain(of: $0)) }
        }
    }

    private static func name(of place: Place) -> String? {
        switch place {
        case .name(let name), .member(_, let name), .superMember(let name): name
        case .local, .element: nil
        }
    }

    private static func last(_ key: String) -> Substring { key.split(separator: ".").last ?? "" }
}
