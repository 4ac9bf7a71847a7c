import ProgramModel
import RuleLibrary

/// What a body does with some value.
enum ValueUse {
    /// A method of it is called.
    case called(Call)
    /// One of its properties is written.
    case set(String, Operand)
    /// One of its properties is read.
    case read(String)
    /// It is an argument of a call.
    case given(Call, Argument)
    /// It is written to a place that is no local of the body.
    case kept(Place)
    /// It is the result of the body or of a closure.
    case returned
    /// Something else becomes of it, and nobody knows what.
    case other
}

/// A value in a body: the registers and locals that hold it, and all that is done with it.
struct ValueUses {
    private(set) var registers: Set<Register>
    private(set) var locals: Set<LocalID> = []
    /// Every use with its statement, in order of the text.
    private(set) var all: [(use: ValueUse, at: Statement)] = []
    /// Whether a local that holds it may hold another value as well.
    private(set) var isMixed = false

    /// Follows the value that the registers get.
    init(of registers: Set<Register>, in body: Body) {
        self.registers = registers
        var count = -1
        while count != self.registers.count + locals.count {
            count = self.registers.count + locals.count
            body.block.forEachStatement { spread($0) }
        }
        body.block.forEachStatement { note($0, in: body) }
    }

    /// Whether the operand is the value.
    func holds(_ operand: Operand) -> Bool {
        if case .register(let register) = operand { registers.contains(register) } else { false }
    }

    private mutating func spread(_ statement: Statement) {
        switch statement.kind {
        case .read(let result, .local(let local)) where locals.contains(local): registers.insert(result)
        case .declare(let local, let value?) where holds(value): locals.insert(local)
        case .write(.local(let local), let value) where holds(value): locals.insert(local)
        case .assign(let result, let value) where holds(value): registers.insert(result)
        case .compute(let result, let operation, let operands) where operands.first.map(holds) ?? false:
            switch operation {
            case .forceUnwrap, .conditionalCast, .forcedCast, .coercion: registers.insert(result)
            default: break
            }
        case .branch(let clauses, _, _):
            for clause in clauses { if case .matches(let value, let pattern) = clause.test, holds(value) { bind(pattern) } }
        case .closure(_, let closure), .function(_, let closure), .spawn(_, let closure):
            for capture in closure.captures where holds(capture.value) { locals.insert(capture.local) }
        default: break
        }
    }

    private mutating func bind(_ pattern: Pattern) {
        switch pattern {
        case .bind(let local): locals.insert(local)
        case .present(let inner), .type(_, let inner): bind(inner)
        case .wildcard, .value, .enumCase, .tuple: break
        }
    }

    private mutating func note(_ statement: Statement, in body: Body) {
        func add(_ use: ValueUse) { all.append((use, statement)) }
        switch statement.kind {
        case .call(let call), .collection(_, let call):
            if case .member(let receiver, _) = call.callee, holds(receiver) { add(.called(call)) }
            if case .value(let callee) = call.callee, holds(callee) { add(.other) }
            for argument in call.arguments where holds(argument.value) { add(.given(call, argument)) }
        case .read(_, .member(let base, let name)): if holds(base) { add(.read(name)) }
        case .read(_, .element(let base, let arguments)): if holds(base) || arguments.contains(where: { holds($0.value) }) { add(.other) }
        case .write(let place, let value):
            if case .member(let base, let name) = place, holds(base) { add(.set(name, value)) }
            if case .element(let base, _) = place, holds(base) { add(.other) }
            if case .local(let local) = place {
                if locals.contains(local), !holds(value), value != .constant(.null) { isMixed = true }
            } else if holds(value) {
                add(.kept(place))
            }
        case .declare(let local, let value?): if locals.contains(local), !holds(value), value != .constant(.null) { isMixed = true }
        case .assign(let result, let value): if registers.contains(result), !holds(value), value != .constant(.null) { isMixed = true }
        case .compute(_, let operation, let operands):
            switch operation {
            case .forceUnwrap, .conditionalCast, .forcedCast, .coercion, .typeTest, .symbol("=="), .symbol("!="), .symbol("==="), .symbol("!=="): break
            default: if operands.contains(where: holds) { add(.other) }
            }
        case .exit(.returns(let value)): if holds(value) { add(.returned) }
        case .exit(.throwing(let value)), .suspend(let value): if holds(value) { add(.other) }
        case .select(let subject, _, _): if holds(subject) { add(.other) }
        case .loop(let loop): if case .forEach(_, let sequence, _, _) = loop.kind, holds(sequence) { add(.other) }
        case .opaque(let part):
            let names = Set(part.reads + part.writes)
            if locals.contains(where: { names.contains(body[$0].name) }) { add(.other) }
        default: break
        }
    }
}

/// An object that a body makes by an initialiser, and all that it does with it.
struct MadeObject {
    let statement: Statement
    let call: Call
    let type: TypeReference
    let uses: ValueUses
}

extension BodyOccurrence {
    /// The objects that the body makes of the types that are asked for.
    func madeObjects(where isWanted: (TypeReference) -> Bool) -> [MadeObject] {
        var found: [MadeObject] = []
        body.block.forEachStatement { statement in
            guard let call = statement.call, case .initializer(let written) = call.callee else { return }
            let type = written.name == "Self" ? TypeReference(member.typeName) : written
            guard isWanted(type) else { return }
            found.append(MadeObject(statement: statement, call: call, type: type, uses: ValueUses(of: [call.result], in: body)))
        }
        return found
    }

    /// The objects that functions of the class, or factories of views and layers, make anew for each call, which the body gets and nobody keeps;
    /// `callingNone` says that none of their methods may be called there.
    func objectsMadeByFunctions(_ program: Program, _ knowledge: GeometryKnowledge?, callingNone: Bool = false) -> [MadeObject] {
        var found: [MadeObject] = []
        body.block.forEachStatement { statement in
            guard let call = statement.call else { return }
            // A factory of the SDK's class gives a new one.
            if case .member(.type(let type), _) = call.callee, let name = call.fullName, knowledge?.makesNew(name) ?? false {
                return found.append(MadeObject(statement: statement, call: call, type: type, uses: ValueUses(of: [call.result], in: body)))
            }
            guard let name = call.callee.nameCalledOnSelf else { return }
            let functions = program.members(named: name, on: member.owner).filter { program[$0].kind == .function && program[$0].accepts(call) }
            guard functions.count == 1, let made = program.typeMadeAnew(by: functions[0], as: member.owner, callingNone: callingNone) else { return }
            found.append(MadeObject(statement: statement, call: call, type: made, uses: ValueUses(of: [call.result], in: body)))
        }
        return found
    }
}

extension Program {
    /// The type of the object that a function makes for each call and gives to the caller alone; nil where it does not.
    fileprivate func typeMadeAnew(by id: MemberID, as owner: TypeID, callingNone: Bool) -> TypeReference? {
        guard let body = self[id].body, case .exit(.returns(let result))? = body.block.last?.kind else { return nil }
        let member = MemberOccurrence(id: id, facts: self[id], owner: owner, typeName: self[owner].name)
        let place = BodyOccurrence(member: member, body: body, context: context(of: body, in: id, as: owner))
        return place.madeObjects { _ in true }.first { object in
            object.uses.holds(result) && !object.uses.isMixed && object.uses.all.allSatisfy { use, _ in
                switch use {
                case .set, .read, .returned: true
                case .called: !callingNone
                case .given, .kept, .other: false
                }
            }
        }?.type
    }
}
