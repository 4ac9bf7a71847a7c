import ProgramModel
import RuleLibrary

/// A function of the project that a call runs.
struct Target {
    let member: MemberFacts
    let body: Body
    let file: Int
    /// The type that declares it; nil for free functions.
    let owner: TypeID?
}

/// Calls: methods of the project run, the SDK's do what the data says, others nobody knows.
extension Machine {
    mutating func perform(_ call: Call, in frame: Int, at statement: Statement) -> Flow {
        let arguments = call.arguments.map { operand($0.value, in: frame) }
        let (value, flow) = evaluate(call, arguments, in: frame, at: statement)
        if flow == .stopped || flow == .trapped { return flow }
        if case .threw(let error) = flow { return .threw(error) }
        set(call.result, value, nil, in: frame)
        return .normal
    }

    private mutating func evaluate(_ call: Call, _ arguments: [Value], in frame: Int, at statement: Statement) -> (Value, Flow) {
        let current = world.frames[frame]
        switch call.callee {
        case .local(let local):
            let value = frameOf(local, from: frame).flatMap { world.frames[$0].locals[local] } ?? .null
            return invoke(value, arguments)
        case .value(let value):
            return invoke(operand(value, in: frame), arguments)
        case .name(let name):
            if case .object(let id) = current.selfValue, case .project(let type) = world[id].kind {
                if let target = target(name, call, on: type, isStatic: nil) { return run(target, call, arguments, selfValue: .object(id)) }
                if owns(property: name, id) { return invoke(readField(name, of: id).0, arguments) }
                let known = program.platformClass(of: type)
                return platformCall(call, arguments, receiver: .object(id), className: known, isStatic: false, in: frame, at: statement)
            }
            if let type = current.declaringType, let target = target(name, call, on: type, isStatic: true) {
                return run(target, call, arguments, selfValue: .type(program[type].name))
            }
            if let (file, member) = program.freeMembers(named: name).first(where: { $0.member.body != nil && $0.member.kind == .function }), let body = member.body {
                return run(Target(member: member, body: body, file: file, owner: nil), call, arguments, selfValue: .void)
            }
            return unknownCall(call, arguments, role: library.closureRoles[name])
        case .superMember(let name):
            return superCall(name, call, arguments, in: frame, at: statement)
        case .initializer(let type):
            return create(type, call, arguments, in: frame, at: statement)
        case .implicitMember(let name):
            return (.named(name, arguments), .normal)
        case .macro:
            return unknownCall(call, arguments, role: nil)
        case .member(let receiver, let name):
            return memberCall(name, call, arguments, receiver: operand(receiver, in: frame), in: frame, at: statement)
        }
    }

    private mutating func memberCall(
        _ name: String, _ call: Call, _ arguments: [Value], receiver: Value, in frame: Int, at statement: Statement
    ) -> (Value, Flow) {
        switch receiver {
        case .object(let id):
            switch world[id].kind {
            case .project(let type):
                if let target = target(name, call, on: type, isStatic: false) { return run(target, call, arguments, selfValue: receiver) }
                if owns(property: name, id) { return invoke(readField(name, of: id).0, arguments) }
                return platformCall(call, arguments, receiver: receiver, className: program.platformClass(of: type), isStatic: false, in: frame, at: statement)
            case .platform(let className):
                if let target = extensionTarget(name, call, of: className) { return run(target, call, arguments, selfValue: receiver) }
                return platformCall(call, arguments, receiver: receiver, className: className, isStatic: false, in: frame, at: statement)
            }
        case .type(let type):
            let scope = Scope(file: world.frames[frame].file, typeName: world.frames[frame].declaringType.map { program[$0].name } ?? "")
            switch program.resolve(TypeReference(type), in: scope) {
            case .project(let types) where types.count == 1:
                if let target = target(name, call, on: types[0], isStatic: true) { return run(target, call, arguments, selfValue: .type(program[types[0]].name)) }
                if program[program[types[0]].declarations[0]].cases.contains(name) { return (.named(name, arguments), .normal) }
                return unknownCall(call, arguments, role: library.closureRoles[name])
            case .platform(let className):
                return platformCall(call, arguments, receiver: receiver, className: className, isStatic: true, in: frame, at: statement)
            default:
                return unknownCall(call, arguments, role: library.closureRoles[name])
            }
        case .closure where name == "callAsFunction":
            return invoke(receiver, arguments)
        default:
            return platformCall(call, arguments, receiver: receiver, className: nil, isStatic: false, in: frame, at: statement)
        }
    }

    private func owns(property name: String, _ id: ObjectID) -> Bool {
        guard case .project(let type) = world[id].kind else { return false }
        return property(name, of: type) != nil
    }

    // MARK: Functions of the project

    /// The function that a call of this name on a type runs; the labels choose among overloads.
    func target(_ name: String, _ call: Call, on type: TypeID, isStatic: Bool?) -> Target? {
        choose(lookups.members(named: name, on: type), call, isStatic: isStatic, selfType: type)
    }

    private func choose(_ members: [MemberID], _ call: Call, isStatic: Bool?, selfType: TypeID) -> Target? {
        let candidates = members.filter { id in
            let member = program[id]
            return member.kind == .function && member.body != nil && (isStatic.map { $0 == member.isStatic } ?? true)
                && member.condition.holds(under: choices.configuration)
        }
        let fitting = candidates.first { program[$0].fullName == call.fullName } ?? candidates.first { accepts(program[$0], call) }
        guard let id = fitting, let body = program[id].body else { return nil }
        let owners = program.owners(of: id.declaration)
        let chain = [selfType] + program.ancestry(of: selfType).projectTypes
        return Target(member: program[id], body: body, file: id.declaration.file, owner: chain.first(where: owners.contains) ?? selfType)
    }

    /// Whether a call with fewer labels can mean the function: what is left out has defaults.
    private func accepts(_ member: MemberFacts, _ call: Call) -> Bool {
        let required = member.parameters.count { !$0.hasDefault && !$0.isVariadic }
        return call.arguments.count <= member.parameters.count && call.arguments.count >= required
    }

    /// A method that the project adds to a class of the SDK.
    private func extensionTarget(_ name: String, _ call: Call, of className: String) -> Target? {
        let classes = program.platform.ancestry(of: className)
        for id in program.functions(named: call.fullName ?? "") {
            let declaration = program[id.declaration]
            if declaration.kind == .extension, classes.contains(declaration.name), !program[id].isStatic, let body = program[id].body {
                return Target(member: program[id], body: body, file: id.declaration.file, owner: nil)
            }
        }
        return nil
    }

    mutating func run(_ target: Target, _ call: Call, _ arguments: [Value], selfValue: Value, initializing: ObjectID? = nil) -> (Value, Flow) {
        let bound = bind(call, arguments, to: target.member)
        let flow = run(target.body, file: target.file, member: target.member.fullName, selfValue: selfValue, declaringType: target.owner,
                       arguments: bound, initializing: initializing)
        if case .returned(let value) = flow { return (value, .normal) }
        return (.void, flow)
    }

    /// The arguments in order of the parameters; what is left out is unknown.
    private mutating func bind(_ call: Call, _ arguments: [Value], to member: MemberFacts) -> [Value] {
        var rest = Array(zip(call.arguments, arguments))
        var bound: [Value] = []
        for parameter in member.parameters {
            if let first = rest.first, first.0.label == parameter.label || first.0.isTrailing || rest.count == member.parameters.count - bound.count {
                bound.append(first.1)
                rest.removeFirst()
            } else {
                bound.append(parameter.type.isOptional ? .null : world.unknown())
            }
        }
        return bound
    }

    private mutating func superCall(_ name: String, _ call: Call, _ arguments: [Value], in frame: Int, at statement: Statement) -> (Value, Flow) {
        let current = world.frames[frame]
        guard let declaring = current.declaringType else { return (world.unknown(), .normal) }
        for base in program.ancestry(of: declaring).projectTypes {
            if name == "init" {
                if case .object(let id) = current.selfValue { return initialize(id, as: base, call, arguments) }
                continue
            }
            if let members = program[base].membersByName[name], let target = choose(members, call, isStatic: nil, selfType: base) {
                return run(target, call, arguments, selfValue: current.selfValue)
            }
        }
        return (world.unknown(), .normal)
    }

    // MARK: Closures

    mutating func invoke(_ value: Value, _ arguments: [Value]) -> (Value, Flow) {
        guard case .closure(let index) = value else { return (world.unknown(), .normal) }
        let flow = run(closure: index, arguments: arguments)
        if case .returned(let result) = flow { return (result, .normal) }
        return (world.unknown(), flow)
    }

    /// A call whose body nobody sees: closures run as their role says; one of unknown role is kept for as long as the event lasts.
    mutating func unknownCall(_ call: Call, _ arguments: [Value], role: ClosureRoles.Role?) -> (Value, Flow) {
        for case .closure(let index) in arguments {
            switch role {
            case .now:
                let flow = run(closure: index, arguments: [])
                if flow == .stopped || flow == .trapped { return (.void, flow) }
            case .later:
                world.queue.append((index, []))
            case .kept, nil:
                break
            }
        }
        return (world.unknown(), .normal)
    }

    // MARK: Objects

    private mutating func create(_ type: TypeReference, _ call: Call, _ arguments: [Value], in frame: Int, at statement: Statement) -> (Value, Flow) {
        let scope = Scope(file: world.frames[frame].file, typeName: world.frames[frame].declaringType.map { program[$0].name } ?? "")
        let wanted = type.name == "Self" ? world.frames[frame].declaringType.map { TypeReference(program[$0].name) } ?? type : type
        if type.element != nil || ["Array", "Set", "Dictionary"].contains(type.name) {
            if case .collection(let elements)? = arguments.first { return (.collection(elements), .normal) }
            return (.collection([]), .normal)
        }
        switch program.resolve(wanted, in: scope) {
        case .project(let types) where types.count == 1 && program[types[0]].kind != .protocol:
            if program[types[0]].kind == .enum { return (world.unknown(), .normal) }
            let id = world.make(.project(types[0]))
            return initialize(id, as: types[0], call, arguments)
        case .platform(let className):
            if className.hasSuffix("Notification.Name"), let first = arguments.first, case .string(let name) = first { return (.named(name, []), .normal) }
            return platformCall(call, arguments, receiver: .type(className), className: className, isStatic: false, in: frame, at: statement)
        default:
            if type.name.hasSuffix("Name"), case .string(let name)? = arguments.first { return (.named(name, []), .normal) }
            return unknownCall(call, arguments, role: library.closureRoles[type.name])
        }
    }

    /// Gives an object its initial values, base classes first, and runs the initialiser that the labels choose.
    mutating func initialize(_ id: ObjectID, as type: TypeID, _ call: Call?, _ arguments: [Value]) -> (Value, Flow) {
        if case .project(let own) = world[id].kind, own == type {
            for link in ([type] + program.ancestry(of: type).projectTypes).reversed() {
                let flow = setInitialValues(of: id, from: link)
                guard flow == .normal else { return (.object(id), flow) }
            }
        }
        let members = (program[type].membersByName["init"] ?? []).filter { program[$0].body != nil }
        let chosen = call.flatMap { call in
            members.first { program[$0].parameters.map(\.label) == call.arguments.map(\.label) } ?? members.first { accepts(program[$0], call) }
        } ?? (call == nil ? members.first : nil)
        guard let chosen, let body = program[chosen].body else {
            // The memberwise initialiser of a struct.
            if let call { for (argument, value) in zip(call.arguments, arguments) { if let label = argument.label { world[id].fields[label] = value } } }
            return (.object(id), .normal)
        }
        let target = Target(member: program[chosen], body: body, file: chosen.declaration.file, owner: type)
        if let call {
            let (_, flow) = run(target, call, arguments, selfValue: .object(id), initializing: id)
            return (.object(id), flow)
        }
        let flow = run(body, file: target.file, member: target.member.fullName, selfValue: .object(id), declaringType: type,
                       arguments: target.member.parameters.map { _ in world.unknown() }, initializing: id)
        return (.object(id), flow == .stopped || flow == .trapped ? flow : .normal)
    }

    private mutating func setInitialValues(of id: ObjectID, from type: TypeID) -> Flow {
        for memberID in program.members(of: type) {
            let member = program[memberID]
            guard member.kind == .property, !member.isStatic, member.isStored, !member.modifiers.contains("lazy"), let body = member.body else { continue }
            let flow = run(body, file: memberID.declaration.file, member: member.baseName, selfValue: .object(id), declaringType: type, arguments: [], initializing: id)
            if flow == .stopped || flow == .trapped { return flow }
            if case .returned(let value) = flow { world[id].fields[member.baseName] = value }
        }
        return .normal
    }
}
