/// How a receiver's type is known, surest first.
public enum TypeProvenance: Int, Comparable, Sendable {
    /// Written in the text.
    case declared
    /// From an initialiser that was called.
    case initializer
    /// From the result type of a function of the project.
    case returnType
    /// From the data about the SDK.
    case platformData
    /// From the only type that answers the selector.
    case uniqueSelector
    case unknown

    /// Orders from sure to unsure.
    public static func < (left: TypeProvenance, right: TypeProvenance) -> Bool { left.rawValue < right.rawValue }
}

/// The types that a value can have.
public struct InferredType: Hashable, Sendable {
    /// The reference, to be resolved in `scope`.
    public let reference: TypeReference
    public let scope: Scope
    public let provenance: TypeProvenance
    /// Whether the value is the type itself and no object of it.
    public let isMetatype: Bool

    func with(_ reference: TypeReference, provenance: TypeProvenance? = nil) -> InferredType {
        InferredType(reference: reference, scope: scope, provenance: max(self.provenance, provenance ?? self.provenance), isMetatype: false)
    }
}

/// Finds the types of values by what the text and the data say, in the order of `TypeProvenance`.
public struct TypeInference: Sendable {
    let program: Program
    private static let deepest = 12

    /// Makes the inference over a program.
    public init(_ program: Program) {
        self.program = program
    }

    /// The type of an operand in a body; nil when nothing tells it.
    public func type(of operand: Operand, in context: BodyContext) -> InferredType? {
        type(of: operand, context, depth: 0)
    }

    /// The type of a place in a body; nil when nothing tells it.
    public func type(of place: Place, in context: BodyContext) -> InferredType? {
        type(of: place, context, depth: 0)
    }

    /// The meanings of an inferred type; of a composition those of the class in it, which has the most to say.
    public func resolve(_ type: InferredType) -> TypeResolution {
        let parts = program.parts(of: type.reference, in: type.scope)
        guard parts.count > 1 else { return program.resolve(type.reference, in: type.scope) }
        let meanings = parts.map { program.resolve($0, in: type.scope) }
        return meanings.first { meaning in
            switch meaning {
            case .project(let types): types.allSatisfy { program[$0].kind == .class }
            case .platform(let name): program.platform.isClass(name)
            case .unknown: false
            }
        } ?? meanings[0]
    }

    private func type(of operand: Operand, _ context: BodyContext, depth: Int) -> InferredType? {
        guard depth < Self.deepest else { return nil }
        switch operand {
        case .selfObject:
            guard let type = context.selfType else { return nil }
            return InferredType(reference: TypeReference(program[type].name), scope: Scope(file: program[type].file, typeName: ""),
                                provenance: .declared, isMetatype: context.isStatic)
        case .type(let reference):
            if reference.name == "Self", let type = context.selfType {
                return InferredType(reference: TypeReference(program[type].name), scope: Scope(file: program[type].file, typeName: ""),
                                    provenance: .declared, isMetatype: true)
            }
            return InferredType(reference: reference, scope: context.scope, provenance: .declared, isMetatype: true)
        case .constant(.string):
            return InferredType(reference: TypeReference("String"), scope: context.scope, provenance: .declared, isMetatype: false)
        case .constant:
            return nil
        case .register(let register):
            guard let statement = context.definition(of: register) else { return nil }
            return type(of: statement, context, depth: depth + 1)
        }
    }

    private func type(of statement: Statement, _ context: BodyContext, depth: Int) -> InferredType? {
        switch statement.kind {
        case .read(_, let place): type(of: place, context, depth: depth)
        case .assign(_, let value): type(of: value, context, depth: depth)
        case .call(let call), .collection(_, let call): type(of: call, context, depth: depth)
        case .compute(_, let operation, let operands): type(of: operation, operands, context, depth: depth)
        default: nil
        }
    }

    private func type(of operation: Operator, _ operands: [Operand], _ context: BodyContext, depth: Int) -> InferredType? {
        switch operation {
        case .conditionalCast(let type), .forcedCast(let type), .coercion(let type):
            return InferredType(reference: type.unwrapped, scope: context.scope, provenance: .declared, isMetatype: false)
        case .forceUnwrap:
            return operands.first.flatMap { type(of: $0, context, depth: depth) }.map { $0.with($0.reference.unwrapped) }
        case .array:
            guard let element = operands.first.flatMap({ type(of: $0, context, depth: depth) }) else { return nil }
            return element.with(TypeReference("Array", arguments: [element.reference]))
        default:
            return nil
        }
    }

    // MARK: Places

    private func type(of place: Place, _ context: BodyContext, depth: Int) -> InferredType? {
        switch place {
        case .local(let local):
            return type(of: local, context, depth: depth)
        case .name(let name):
            if let type = context.selfType, let found = property(name, of: type, isStatic: nil, depth: depth) { return found }
            if let outer = enclosingType(of: context), let found = property(name, of: outer, isStatic: true, depth: depth) { return found }
            for (file, member) in program.freeMembers(named: name, seenFrom: context.scope.file) where member.kind == .property {
                return type(ofProperty: member, scope: Scope(file: file, typeName: ""), selfType: nil, depth: depth)
            }
            return nil
        case .member(let base, let name):
            guard let receiver = type(of: base, context, depth: depth + 1) else { return nil }
            return property(name, of: receiver, depth: depth)
        case .superMember(let name):
            return context.selfType.flatMap { property(name, of: $0, isStatic: nil, depth: depth) }
        case .element(let base, let arguments):
            guard let receiver = type(of: base, context, depth: depth + 1), let element = receiver.reference.element else { return nil }
            let isRange = arguments.count != 1
            return isRange ? nil : receiver.with(element.unwrapped)
        }
    }

    private func type(of local: LocalID, _ context: BodyContext, depth: Int) -> InferredType? {
        guard depth < Self.deepest else { return nil }
        if let written = context.body[local].type {
            return InferredType(reference: written.unwrapped, scope: context.scope, provenance: .declared, isMetatype: false)
        }
        switch context.localSources[local] {
        case .value(let value), .unwrapped(let value):
            return type(of: value, context, depth: depth + 1)
        case .element(let sequence):
            guard let collection = type(of: sequence, context, depth: depth + 1) else { return nil }
            return collection.reference.element.map { collection.with($0.unwrapped) }
        case .cast(let type):
            return InferredType(reference: type.unwrapped, scope: context.scope, provenance: .declared, isMetatype: false)
        case nil:
            return nil
        }
    }

    private func enclosingType(of context: BodyContext) -> TypeID? {
        guard let type = context.selfType, let dot = program[type].name.lastIndex(of: ".") else { return nil }
        let outer = TypeReference(String(program[type].name[..<dot]))
        if case .project(let found) = program.resolve(outer, in: Scope(file: program[type].file, typeName: "")) { return found.first }
        return nil
    }

    private func property(_ name: String, of receiver: InferredType, depth: Int) -> InferredType? {
        if let element = receiver.reference.element {
            switch name {
            case "first", "last": return receiver.with(element.unwrapped)
            case "values": return receiver.with(TypeReference("Array", arguments: [element]))
            default: return nil
            }
        }
        switch resolve(receiver) {
        case .project(let types):
            guard types.count == 1 else { return nil }
            // A chain is no surer than its weakest link.
            return property(name, of: types[0], isStatic: receiver.isMetatype ? true : nil, depth: depth).map { $0.with($0.reference, provenance: receiver.provenance) }
        case .platform(let known):
            return platform(program.platform.type(ofProperty: name, of: known), receiver) ?? extensionProperty(name, of: known, depth: depth)
        case .unknown:
            return nil
        }
    }

    /// The type of a property that an extension in the project gives to a class of the SDK.
    private func extensionProperty(_ name: String, of known: String, depth: Int) -> InferredType? {
        guard let id = program.extensionProperty(named: name, ofPlatformClass: known) else { return nil }
        return type(ofProperty: program[id], scope: Scope(file: id.declaration.file, typeName: program[id.declaration].name), selfType: nil, depth: depth)
    }

    /// The type of a property of the project's type, or of the SDK class that it descends from.
    private func property(_ name: String, of type: TypeID, isStatic: Bool?, depth: Int) -> InferredType? {
        for id in program.members(named: name, on: type) where program[id].kind == .property {
            let member = program[id]
            if let isStatic, member.isStatic != isStatic { continue }
            let owner = program[id.declaration]
            return self.type(ofProperty: member, scope: Scope(file: id.declaration.file, typeName: owner.name), selfType: type, depth: depth)
        }
        // Objective-C asks methods without parameters as it asks properties: `Monitor.shared`.
        if let isStatic, let id = program.member(askedAs: name, of: type, isStatic: isStatic), let written = program[id].type {
            let reference = written.name == "Self" ? TypeReference(program[type].name) : written.unwrapped
            return InferredType(reference: reference, scope: Scope(file: id.declaration.file, typeName: program[id.declaration].name), provenance: .returnType, isMetatype: false)
        }
        guard let known = program.platformClass(of: type) else { return nil }
        guard let found = program.platform.type(ofProperty: name, of: known) else { return extensionProperty(name, of: known, depth: depth) }
        return InferredType(reference: found.unwrapped, scope: Scope(file: program[type].file, typeName: ""), provenance: .platformData, isMetatype: false)
    }

    private func type(ofProperty member: MemberFacts, scope: Scope, selfType: TypeID?, depth: Int) -> InferredType? {
        if let written = member.type {
            return InferredType(reference: written.unwrapped, scope: scope, provenance: .declared, isMetatype: false)
        }
        guard let body = member.body ?? member.accessors?.get, depth < Self.deepest else { return nil }
        return result(of: body, BodyContext(body: body, selfType: selfType, scope: scope, isStatic: member.isStatic), depth: depth + 1)
    }

    /// The type of what a body returns in its last statement.
    private func result(of body: Body, _ context: BodyContext, depth: Int) -> InferredType? {
        guard case .exit(.returns(let value))? = body.block.last?.kind else { return nil }
        if case .register(let register) = value, let statement = context.definition(of: register),
           case .call(let call) = statement.kind, case .value(let called) = call.callee,
           case .register(let closureRegister) = called, case .closure(_, let closure)? = context.definition(of: closureRegister)?.kind,
           case .exit(.returns(let inner))? = closure.block.last?.kind {
            return type(of: inner, context, depth: depth)  // lazy var label: … = { …; return label }()
        }
        return type(of: value, context, depth: depth)
    }

    // MARK: Calls

    private func type(of call: Call, _ context: BodyContext, depth: Int) -> InferredType? {
        switch call.callee {
        case .initializer(let type):
            let reference = type.name == "Self" ? context.selfType.map { TypeReference(program[$0].name) } ?? type : type
            return InferredType(reference: reference.unwrapped, scope: context.scope, provenance: .initializer, isMetatype: false)
        case .name(let name):
            if let type = context.selfType, let found = method(name, call, of: type, context) { return found }
            for (file, member) in program.freeMembers(named: name, seenFrom: context.scope.file) {
                if let written = member.type {
                    return InferredType(reference: written.unwrapped, scope: Scope(file: file, typeName: ""), provenance: .returnType, isMetatype: false)
                }
            }
            return nil
        case .member(let receiver, let name):
            guard let base = type(of: receiver, context, depth: depth + 1) else { return nil }
            // `style.barType.init()` makes an object of the class, or of a subclass.
            if name == "init", base.reference.name == ".Type", let made = base.reference.arguments.first { return base.with(made.unwrapped, provenance: .initializer) }
            if let operation = CollectionOperation(rawValue: name), let element = base.reference.element,
               [.first, .removeFirst, .removeLast, .popFirst, .popLast].contains(operation) {
                return base.with(element.unwrapped)
            }
            if !base.isMetatype, program.givesBackReceiver(call) { return base }
            switch resolve(base) {
            case .project(let types):
                guard types.count == 1 else { return nil }
                if base.isMetatype, program.makesFromFile(types[0], callNamed: name) { return base.with(base.reference, provenance: .returnType) }
                return method(name, call, of: types[0], context)
            case .platform(let known):
                let result = call.fullName.flatMap { program.platform.type(ofMethod: $0, of: known, isStatic: base.isMetatype) }
                return platform(result, base) ?? extensionFunction(name, call, of: known, context)
            case .unknown:
                return nil
            }
        case .superMember, .local, .implicitMember, .value, .macro:
            return nil
        }
    }

    /// What a function gives that an extension of the project adds to a class of the SDK.
    private func extensionFunction(_ name: String, _ call: Call, of known: String, _ context: BodyContext) -> InferredType? {
        let classes = program.platform.ancestry(of: known)
        let found = program.extensionFunctions(named: name).first { id in
            classes.contains(program[id.declaration].name) && program[id].fullName == call.fullName
        }
        guard let id = found, let written = program[id].type?.unwrapped else { return dequeued(call, context) }
        if let named = named(by: call, in: program[id], context) { return named }
        let isGeneric = program[id].parameters.contains { $0.type.arguments.contains { $0.name == written.name } }
        guard written.name != "Self", !isGeneric else { return nil }
        return InferredType(reference: written, scope: Scope(file: id.declaration.file, typeName: program[id.declaration].name), provenance: .returnType, isMetatype: false)
    }

    /// The class that a call names where the function gives an object of the class it is given: `func dequeue<T>(_ type: T.Type) -> T`.
    private func named(by call: Call, in function: MemberFacts, _ context: BodyContext) -> InferredType? {
        guard let result = function.type?.unwrapped,
              let position = function.parameters.firstIndex(where: { $0.type.unwrapped.name == ".Type" && $0.type.unwrapped.arguments.first?.name == result.name }) else { return nil }
        let label = function.parameters[position].label
        let given = label == nil ? (position < call.arguments.count ? call.arguments[position] : nil) : call.arguments.first { $0.label == label }
        guard case .type(let type)? = given?.value else { return nil }
        return InferredType(reference: type, scope: context.scope, provenance: .returnType, isMetatype: false)
    }

    /// The class of a cell that a function of a library takes from a list, as the call names it.
    private func dequeued(_ call: Call, _ context: BodyContext) -> InferredType? {
        guard call.callee.baseName?.hasPrefix("dequeue") ?? false else { return nil }
        let named = call.arguments.compactMap { if case .type(let type) = $0.value { type } else { nil } }
        return named.count == 1 ? InferredType(reference: named[0], scope: context.scope, provenance: .returnType, isMetatype: false) : nil
    }

    private func method(_ name: String, _ call: Call, of type: TypeID, _ context: BodyContext) -> InferredType? {
        for id in program.members(named: name, on: type) where program[id].kind == .function {
            guard let written = program[id].type else { return nil }
            if let named = named(by: call, in: program[id], context) { return named }
            let owner = program[id.declaration]
            let reference = written.name == "Self" ? TypeReference(program[type].name) : written.unwrapped
            return InferredType(reference: reference, scope: Scope(file: id.declaration.file, typeName: owner.name), provenance: .returnType, isMetatype: false)
        }
        guard let known = program.platformClass(of: type), let full = call.fullName,
              let result = program.platform.type(ofMethod: full, of: known, isStatic: false) else { return nil }
        return InferredType(reference: result.unwrapped, scope: Scope(file: program[type].file, typeName: ""), provenance: .platformData, isMetatype: false)
    }

    private func platform(_ type: TypeReference?, _ receiver: InferredType) -> InferredType? {
        type.map { InferredType(reference: $0.unwrapped, scope: receiver.scope, provenance: max(receiver.provenance, .platformData), isMetatype: false) }
    }
}

extension Program {
    /// The method of Objective-C that a class answers where its name is read like that of a property; nil where there is none.
    public func member(askedAs name: String, of type: TypeID, isStatic: Bool) -> MemberID? {
        members(named: name, on: type).first { id in
            self[id].kind == .function && self[id].isStatic == isStatic && self[id].parameters.isEmpty && files[id.declaration.file].facts.language == .objectiveC
        }
    }
}
