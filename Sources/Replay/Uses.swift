import ProgramModel
import RuleLibrary

/// A piece of code that can be used from elsewhere.
enum CodeNode: Hashable, Sendable {
    /// A function or accessor of a type.
    case member(MemberID)
    /// What runs when an object of a type of this name is made: initialisers and the initial values of properties.
    case making(String)
    /// A function or variable outside types, by base name.
    case free(String)
}

/// What a statement uses: code that is known, or a name that any type may answer.
enum Use: Hashable, Sendable {
    case node(CodeNode)
    /// A call on an object of which nobody knows the type, where functions have just these labels.
    case call(full: String, base: String)
    /// A property of an object of which nobody knows the type.
    case property(String)
}

/// Finds the code that statements use, by the types of the receivers where the text tells them.
struct Uses {
    private let program: Program
    private let inference: TypeInference

    init(_ program: Program) {
        self.program = program
        inference = TypeInference(program)
    }

    /// The short name of the type of which an initialiser makes an object, where it is written as `Self` as well.
    func madeName(_ type: TypeReference, in context: BodyContext) -> String {
        ProgramType.shortName(of: type.name == "Self" ? context.selfType.map { program[$0].name } ?? type.name : type.name)
    }

    /// What a call uses.
    func uses(of call: Call, in context: BodyContext) -> [Use] {
        if case .initializer(let type) = call.callee { return [.node(.making(madeName(type, in: context)))] }
        guard let base = call.callee.baseName, let full = call.fullName else { return [] }
        switch call.callee {
        case .superMember:
            guard let type = context.selfType else { return anyOf(call, full, base) }
            let above = program.ancestry(of: type).projectTypes.compactMap { program[$0].membersByName[base] }.first
            return above.map { choose($0, full) } ?? []
        case .name:
            guard let type = context.selfType else { return program.hasFreeMember(named: base) ? [.node(.free(base))] : anyOf(call, full, base) }
            if let found = members(base, full, on: type) { return found }
            if program.hasFreeMember(named: base) { return [.node(.free(base))] }
            return isClosed(type) ? [] : anyOf(call, full, base)
        case .member(let receiver, _):
            if case .selfObject = receiver, let type = context.selfType, let found = members(base, full, on: type) { return found }
            let known = inference.receivers(of: call, in: context)
            guard known.provenance != .uniqueSelector, known.provenance != .unknown else { return anyOf(call, full, base) }
            if base == "init" { return known.types.map { .node(.making(ProgramType.shortName(of: program[$0].name))) } }
            if let name = known.platformClass { return uses(of: call, full, base, ofPlatform: name) }
            var found: [Use] = []
            for type in known.types {
                if let own = members(base, full, on: type) { found += own } else if !isClosed(type) { return anyOf(call, full, base) }
            }
            return known.types.isEmpty ? anyOf(call, full, base) : found
        default:
            return anyOf(call, full, base)
        }
    }

    /// What a call uses on an object of which nobody knows the type: the functions of just these labels, where there are some, or else those
    /// that take them with defaults for the rest.
    private func anyOf(_ call: Call, _ full: String, _ base: String) -> [Use] {
        program.functions(named: full).isEmpty ? program.functions(named: base, accepting: call).map { .node(.member($0)) } : [.call(full: full, base: base)]
    }

    /// What reading or setting a property uses.
    func uses(of place: Place, in context: BodyContext) -> [Use] {
        switch place {
        case .name(let name):
            guard let type = context.selfType else { return program.hasFreeMember(named: name) ? [.node(.free(name))] : [.property(name)] }
            if let found = properties(name, on: type) { return found }
            if program.hasFreeMember(named: name) { return [.node(.free(name))] }
            return isClosed(type) ? [] : [.property(name)]
        case .member(let receiver, let name):
            guard let inferred = inference.type(of: receiver, in: context) else { return [.property(name)] }
            switch inference.resolve(inferred) {
            case .platform(let known):
                guard program.platform.isClass(known) else { return [.property(name)] }
                let classes = program.platform.ancestry(of: known)
                return program.extendedTypes.filter { classes.contains($0.name) }.flatMap { $0.membersByName[name] ?? [] }.map { .node(.member($0)) }
            case .project(let types):
                var found: [Use] = []
                for type in types {
                    guard program[type].kind != .protocol, let own = properties(name, on: type) else { return [.property(name)] }
                    found += own
                }
                return found
            case .unknown: return [.property(name)]
            }
        case .superMember(let name):
            guard let type = context.selfType else { return [.property(name)] }
            return program.ancestry(of: type).projectTypes.compactMap { program[$0].membersByName[name] }.first?.map { .node(.member($0)) } ?? []
        case .local, .element:
            return []
        }
    }

    /// The type of an operand, and of a place; nil where nothing tells it.
    func type(of operand: Operand, in context: BodyContext) -> InferredType? { inference.type(of: operand, in: context) }

    func type(of place: Place, in context: BodyContext) -> InferredType? { inference.type(of: place, in: context) }

    // MARK: Members

    /// The functions of a name that a type has, itself or by extensions of the class of the SDK that it is; nil where there is none.
    private func members(_ base: String, _ full: String, on type: TypeID) -> [Use]? {
        let links = program.chain(of: type).flatMap { program[$0].membersByName[base] ?? [] }
        let found = links.isEmpty ? program.members(named: base, on: type) : links
        if !found.isEmpty { return choose(found, full) }
        guard let known = program.platformClass(of: type) else { return nil }
        let extended = extensions(base, full, ofClass: known)
        return extended.isEmpty ? nil : extended
    }

    private func properties(_ name: String, on type: TypeID) -> [Use]? {
        let found = program.members(named: name, on: type)
        if !found.isEmpty { return found.map { .node(.member($0)) } }
        guard let known = program.platformClass(of: type) else { return nil }
        let classes = program.platform.ancestry(of: known)
        let extended = program.extendedTypes.filter { classes.contains($0.name) }.flatMap { $0.membersByName[name] ?? [] }
        return extended.isEmpty ? nil : extended.map { .node(.member($0)) }
    }

    /// The functions that the labels choose; all of the name where they choose none.
    private func choose(_ members: [MemberID], _ full: String) -> [Use] {
        let exact = members.filter { program[$0].fullName == full }
        return (exact.isEmpty ? members : exact).map { .node(.member($0)) }
    }

    private func extensions(_ base: String, _ full: String, ofClass name: String) -> [Use] {
        let classes = program.platform.ancestry(of: name)
        return choose(program.extensionFunctions(named: base).filter { classes.contains(program[$0.declaration].name) }, full)
    }

    /// What a call on an object of the SDK uses: what the project adds to its class, and what subclasses in the project override.
    private func uses(of call: Call, _ full: String, _ base: String, ofPlatform name: String) -> [Use] {
        guard program.platform.isClass(name) else { return anyOf(call, full, base) }
        let overrides = program.functions(named: full).filter { id in program.owners(of: id.declaration).contains { program.isType($0, kindOf: name) } }
        return extensions(base, full, ofClass: name) + overrides.map { .node(.member($0)) }
    }

    /// Whether everything that an object of the type answers is known: a name that is not found is the SDK's.
    private func isClosed(_ type: TypeID) -> Bool {
        guard !program[type].hasAmbiguousExtensions, program[type].kind != .protocol, !program[type].name.contains(".") else { return false }
        switch program.ancestry(of: type).root {
        case .platform: return true
        case .none: return !program.hasUnknownConformance(type)
        case .foreign, .ambiguous: return false
        }
    }
}
