import Findings
import ProgramModel
import SourceText

extension Check {
    /// Lists that hold strongly the listeners which a method enters, and that keep one of these alive.
    static let listenerLists = Check(rules: ["strong_delegate"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).compactMap { ListenerList(input: input, file: file, member: $0)?.finding() }
    }
}

/// A property in which objects of a class collect those that they tell of what happens.
private struct ListenerList {
    let input: CheckInput
    let file: Int
    let member: MemberOccurrence

    private var program: Program { input.program }
    private var name: String { member.facts.baseName }

    /// Nil for properties that are no list of listeners, or one that holds them weakly.
    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        guard member.facts.holdsStrongly, let type = member.facts.type?.unwrapped, type.isHoldingCollection, input.program[member.owner].kind == .class,
              Self.listens(member.facts.baseName) || type.arguments.contains(where: { Self.listens($0.unwrapped.name) }) else { return nil }
        (self.input, self.file, self.member) = (input, file, member)
        guard !isMadeWeak else { return nil }
    }

    /// Whether a name says that its objects are told of something.
    private static func listens(_ name: String) -> Bool {
        let lower = name.lowercased()
        return ["delegate", "listener", "observer", "subscriber", "watcher"].contains { word in
            lower.hasSuffix(word) || ["s", "list", "array"].contains { lower.contains(word + $0) }
        }
    }

    /// Whether some code gives the property a collection that another function makes, which need not hold what is in it.
    private var isMadeWeak: Bool {
        func isOther(_ value: Operand, _ context: BodyContext) -> Bool {
            guard case .register(let register) = context.uncast(value), let call = context.definition(of: register)?.call else { return false }
            switch call.callee {
            case .initializer(let made): return !made.isHoldingCollection
            case .member(.type(let made), let maker): return !made.isHoldingCollection || maker.lowercased().contains("weak") || maker.lowercased().contains("nonretain")
            default: return !["copy", "mutableCopy", "filter", "sorted", "map", "compactMap"].contains(call.callee.baseName ?? "")
            }
        }
        if let body = member.facts.body, case .exit(.returns(let value))? = body.block.last?.kind, isOther(value, member.context(of: body)) { return true }
        return contexts.contains { context in
            context.body.block.containsStatement { statement in
                guard case .write(let place, let value) = statement.kind, isList(place) else { return false }
                return isOther(value, context)
            }
        }
    }

    /// The bodies of the class.
    private var contexts: [BodyContext] {
        program.members(of: member.owner).flatMap { id in program[id].bodies.map { program.context(of: $0.body, in: id, as: member.owner) } }
    }

    func finding() -> Finding? {
        let entries = program.members(of: member.owner).flatMap { id in
            program[id].kind == .function && !program[id].isStatic ? keptEntries(of: id).map { (id, $0) } : []
        }
        guard !entries.isEmpty, !empties else { return nil }
        let removals = self.removals
        let found = entries.lazy.flatMap { id, index in (input.delegateGifts.handings[program[id].fullName] ?? []).map { ($0, index) } }.first { isLost($0, $1, removals) }
        // Who has the listeners may take them out.
        guard let (handing, _) = found, !removals.contains(where: isCalledWithOthers) else { return nil }
        let giver = program[handing.search.owner].name
        let place = handing.search.file == file ? "line \(handing.span.start.line)" : "\(program.files[handing.search.file].path):\(handing.span.start.line)"
        let leaves = removals.contains { isTakenOut(handing, by: $0, atEnd: true) } ? ", and takes itself out only as it goes, which the list keeps from coming" : ""
        let isForLife = isOfShared(handing)
        let message = isForLife
            ? "'\(name)' holds what is in it strongly, and '\(giver)' enters itself with the one '\(program[member.owner].name)' that lives as long as the app (\(place))\(leaves): it is never freed; hold the objects weakly, or take them out when their screen goes"
            : "'\(name)' holds what is in it strongly, and '\(giver)', which keeps its '\(program[member.owner].name)', enters itself there (\(place))\(leaves): neither is ever freed; hold the objects weakly"
        var finding = input.finding("strong_delegate", message, at: member.facts.nameSpan, in: file, type: member.typeName, member: name)
        finding.isStray = isForLife
        return finding
    }

    // MARK: Who is lost

    /// Whether the one that enters itself never takes itself out, and should be freed one day.
    private func isLost(_ handing: DelegateGifts.Handing, _ index: Int, _ removals: [String]) -> Bool {
        let (search, giver) = (handing.search, handing.search.owner)
        guard program[giver].kind == .class, !program.files[search.file].isTest, index < handing.call.arguments.count, handing.call.arguments[index].value == .selfObject,
              case .member(let receiver, _) = handing.call.callee, let type = search.type(of: receiver), program.chain(of: type).contains(member.owner),
              !input.lifetimes.areNeverFreed(giver), !program.keepsOneForAll(giver), !input.lifetimes.isDelegateOfApp(giver) else { return false }
        if isOfShared(handing) {
            // A model that is entered with what is shared may well be meant to stay.
            guard program.isInterfaceObject(giver) else { return false }
        } else {
            let keepers = search.keepers(of: receiver)
            guard !keepers.isEmpty, !keepers.contains(where: { input.clears($0, of: giver) }) else { return false }
        }
        return !removals.contains { isTakenOut(handing, by: $0, atEnd: false) }
    }

    private func isOfShared(_ handing: DelegateGifts.Handing) -> Bool {
        guard case .member(let receiver, _) = handing.call.callee, let type = handing.search.type(of: receiver) else { return false }
        return handing.search.isTheOnlyOne(receiver, of: type)
    }

    /// Whether code of the one that entered itself takes it out; with `atEnd` as the object goes.
    private func isTakenOut(_ handing: DelegateGifts.Handing, by removal: String, atEnd: Bool) -> Bool {
        let giver = handing.search.owner
        return (input.delegateGifts.handings[removal] ?? []).contains { other in
            guard other.isAtEnd == atEnd, program.chain(of: giver).contains(other.search.owner) || program.chain(of: other.search.owner).contains(giver),
                  case .member(let receiver, _) = other.call.callee else { return false }
            // The notification centre has functions of such names, too.
            return !isOfPlatform(receiver, other.search.context)
        }
    }

    private func isOfPlatform(_ receiver: Operand, _ context: BodyContext) -> Bool {
        guard let type = input.inference.type(of: receiver, in: context), !type.isMetatype, case .platform = input.inference.resolve(type) else { return false }
        return true
    }

    /// Whether some code outside the class takes out what is not its own object.
    private func isCalledWithOthers(_ removal: String) -> Bool {
        var found = false
        program.forEachBody { member, body in
            guard !found, !program.chain(of: member.owner).contains(self.member.owner) else { return }
            found = body.block.containsStatement { statement in
                guard let call = statement.call, call.fullName == removal, case .member(let receiver, _) = call.callee, !call.arguments.contains(where: { $0.value == .selfObject }) else { return false }
                return !isOfPlatform(receiver, member.context(of: body))
            }
        }
        return found
    }

    // MARK: What the class does with the list

    /// The full names of the functions that take out what they are given; one that enters it may take it out before.
    private var removals: [String] {
        program.members(of: member.owner).filter { id in
            program[id].kind == .function && !program[id].parameters.isEmpty && program[id].bodies.contains { takesOut($0.body, of: id) } && entered(by: id).isEmpty
        }.map { program[$0].fullName }
    }

    /// Whether the class empties the list, or takes something out, in code that nobody gives the object to take out.
    private var empties: Bool {
        program.members(of: member.owner).contains { id in
            let one = program[id]
            guard one.kind != .deinitializer, one.kind != .initializer, !one.isWithdrawnEvent, one.kind != .function || one.parameters.isEmpty else { return false }
            return one.bodies.contains { takesOut($0.body, of: id) || $0.body.block.clears(name) }
        }
    }

    private func takesOut(_ body: Body, of id: MemberID) -> Bool {
        let context = program.context(of: body, in: id, as: member.owner)
        var reads: Set<Register> = []
        return body.block.containsStatement { statement in
            switch statement.kind {
            case .read(let register, let place):
                if isList(place) { reads.insert(register) }
                if case .element(.register(let list), _) = place, reads.contains(list) { reads.insert(register) }
                return false
            case .write(.element(.register(let list), _), .constant(.null)): return reads.contains(list)
            // What is left after a filter, an empty one, or another one.
            case .write(let place, let value): return isList(place) && !adds(value, context)
            default:
                guard let call = statement.call, case .member(.register(let list), let method) = call.callee, reads.contains(list) else { return false }
                return method.hasPrefix("remove") || method.hasPrefix("pop") || method == "subtract" || method == "minusSet" || method == "setArray" || method == "filterUsingPredicate"
            }
        }
    }

    /// Whether a new value of the list is made of the old one and more.
    private func adds(_ value: Operand, _ context: BodyContext) -> Bool {
        guard case .register(let register) = value else { return false }
        switch context.definition(of: register)?.kind {
        case .compute(_, .symbol("+"), _)?, .compute(_, .symbol("+="), _)?: return true
        default: return false
        }
    }

    private func isList(_ place: Place) -> Bool { place.ownName?.withoutUnderscore == name.withoutUnderscore }

    /// The parameters that a function puts into the list for good, as they are or in a value that holds them: with what it returns one may
    /// take them out again.
    private func keptEntries(of id: MemberID) -> [Int] {
        program[id].type != nil && program[id].bodies.contains { takesOut($0.body, of: id) } ? [] : entered(by: id)
    }

    /// The parameters that a function puts into the list as they are, or in a value that holds them.
    private func entered(by id: MemberID) -> [Int] {
        guard let body = program[id].body else { return [] }
        return body.parameters.indices.filter { enters(body.parameters[$0], body, id) }
    }

    private func enters(_ parameter: LocalID, _ body: Body, _ id: MemberID) -> Bool {
        var (carriers, values, reads): (Set<LocalID>, Set<Register>, Set<Register>) = ([parameter], [], [])
        func carries(_ operand: Operand) -> Bool { if case .register(let register) = operand { values.contains(register) } else { false } }
        let scope = Scope(file: id.declaration.file, typeName: member.typeName)
        return body.block.containsStatement { statement in
            switch statement.kind {
            case .read(let register, .local(let local)): if carriers.contains(local) { values.insert(register) }
            case .read(let register, .element(.register(let list), _)): if reads.contains(list) { reads.insert(register) }
            case .read(let register, let place): if isList(place) { reads.insert(register) }
            case .declare(let local, let value?), .write(.local(let local), let value): if carries(value) { carriers.insert(local) }
            case .assign(let register, let value): if carries(value) { values.insert(register) }
            case .compute(let register, let operation, let operands):
                if Self.keeps(operation), operands.contains(where: carries) { values.insert(register) }
            case .collection(let operation, let call):
                guard operation == .append || operation == .insert, case .member(.register(let list), _) = call.callee else { return false }
                return reads.contains(list) && call.arguments.contains { carries($0.value) }
            case .write(.element(.register(let list), _), let value): return reads.contains(list) && carries(value)
            case .write(let place, let value): return isList(place) && carries(value)
            case .call(let call):
                guard case .initializer(let made) = call.callee, call.arguments.contains(where: { carries($0.value) && holds(made, $0.label, scope) }) else { return false }
                values.insert(call.result)
            default: break
            }
            return false
        }
    }

    /// Whether the result of a computation is its operand, or a collection with it.
    private static func keeps(_ operation: Operator) -> Bool {
        switch operation {
        case .conditionalCast, .forcedCast, .coercion, .forceUnwrap, .array, .dictionary, .tuple, .symbol("+"), .symbol("??"): true
        default: false
        }
    }

    /// Whether a value of the project holds what its initialiser is given under a label.
    private func holds(_ made: TypeReference, _ label: String?, _ scope: Scope) -> Bool {
        guard let label, case .project(let types) = program.resolve(made.unwrapped, in: scope), let type = types.first, program[type].kind == .struct else { return false }
        return program.members(named: label, on: type).contains { program[$0].holdsStrongly }
    }
}
