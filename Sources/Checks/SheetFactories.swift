import Findings
import ProgramModel

/// Controllers that other functions make than the one that presents them.
extension PopoverSearch {
    /// The controllers that functions of the project make, added to their class or to that which presents them, and that know nothing of sources either.
    var fromFactories: [MadeObject] {
        var found: [MadeObject] = []
        place.body.block.forEachStatement { statement in
            guard let call = statement.call else { return }
            if let made = objectOfFactory(call, statement) { return found.append(made) }
            guard case .member(.type(let type), let name) = call.callee, isPlatformController(type) else { return }
            let factories = input.program.extensionFunctions(named: name).map { input.program[$0] }
            guard !factories.isEmpty, factories.allSatisfy({ one in
                one.isStatic && one.type.map { $0.unwrapped.name == type.name || ["instancetype", "Self"].contains($0.unwrapped.name) } ?? false
                    && !(one.body?.block.containsStatement { Self.tellsOfDevices($0) || Self.setsSource($0) } ?? true)
            }) else { return }
            // What an alert looks like, the function that makes it says.
            if type.name == "UIAlertController", !factories.allSatisfy(Self.makesSheet) { return }
            found.append(MadeObject(statement: statement, call: type.name == "UIAlertController" ? factories.lazy.compactMap(Self.alert).first ?? call : call, type: type, uses: ValueUses(of: [call.result], in: place.body)))
        }
        return found
    }

    /// The call by which a function makes an alert.
    private static func alert(madeBy function: MemberFacts) -> Call? {
        var found: Call?
        function.body?.block.forEachStatement { statement in
            if case .initializer(let type)? = statement.call?.callee, ["UIAlertController", "Self", "self"].contains(type.name) { found = found ?? statement.call }
        }
        return found
    }

    /// Whether a function makes an action sheet, as far as its text says so.
    private static func makesSheet(_ function: MemberFacts) -> Bool {
        guard let style = alert(madeBy: function)?.arguments.first(where: { $0.label == "preferredStyle" })?.value, case .constant(.implicitMember(let name)) = style else { return false }
        return name.lowercased().hasSuffix("actionsheet")
    }

    /// The controller that a method of the class, or of another class that is known, makes and gives back, if it knows nothing of sources.
    private func objectOfFactory(_ call: Call, _ statement: Statement) -> MadeObject? {
        guard let (owner, name) = factory(called: call.callee) else { return nil }
        let found = input.program.members(named: name, on: owner)
        guard found.count == 1, let id = found.first, case let facts = input.program[id], facts.kind == .function, !facts.isPartial, let body = facts.body,
              !input.subclasses(of: owner).contains(where: { input.program[$0].membersByName[name] != nil }),
              !body.block.containsStatement({ Self.tellsOfDevices($0) || Self.setsSource($0) }) else { return nil }
        let member = MemberOccurrence(id: id, facts: facts, owner: owner, typeName: input.program[owner].name)
        let factory = BodyOccurrence(member: member, body: body, context: member.context(of: body))
        guard let search = PopoverSearch(input: input, place: factory),
              let made = factory.madeObjects(where: isPlatformController).first(where: search.isGivenBack), search.popover(made) != nil,
              // What it looks like must be known here as well.
              made.type.name != "UIAlertController" || Self.makesSheet(facts) else { return nil }
        return MadeObject(statement: statement, call: made.call, type: made.type, uses: ValueUses(of: [call.result], in: place.body))
    }

    /// The project's type whose method is called, and the method's name.
    private func factory(called callee: Callee) -> (owner: TypeID, name: String)? {
        switch callee {
        case .name(let name), .member(.selfObject, let name): return (place.member.owner, name)
        case .member(let base, let name):
            guard let type = input.inference.type(of: base, in: place.context), case .project(let owners) = input.inference.resolve(type), owners.count == 1,
                  input.program[owners[0]].kind != .protocol else { return nil }
            return (owners[0], name)
        default: return nil
        }
    }

    /// Whether an object is made ready and given back, and nobody else gets it.
    private func isGivenBack(_ made: MadeObject) -> Bool {
        guard !made.uses.isMixed, made.uses.all.contains(where: { if case .returned = $0.0 { true } else { false } }) else { return false }
        return made.uses.all.allSatisfy { use, _ in
            switch use {
            case .set, .returned: true
            case .called(let call): call.callee.baseName.map(Self.harmless.contains) ?? false || isHarmless(call, on: made.type)
            default: false
            }
        }
    }
}
