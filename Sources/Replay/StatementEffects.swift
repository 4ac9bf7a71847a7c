import ProgramModel
import RuleLibrary

/// What statements can do to what the monitors watch.
extension Relevance {
    /// What a statement can do, from the least to the most.
    enum Effect: Int, Comparable {
        case none
        /// It sets values of the body that it stands in.
        case values
        /// It leaves the body, or a part of it, so that what follows does not run.
        case exits
        case some

        static func < (left: Effect, right: Effect) -> Bool { left.rawValue < right.rawValue }
    }

    /// What a statement does, with all that is inside it.
    func effect(of statement: Statement, in context: BodyContext) -> Effect {
        effect(of: statement, in: context, insideLoop: false)
    }

    private func effect(of statement: Statement, in context: BodyContext, insideLoop: Bool) -> Effect {
        func inner(_ isLoop: Bool) -> Effect {
            var found = Effect.none
            for block in statement.innerBlocks(enteringClosures: false) {
                for one in block where found != .some { found = max(found, effect(of: one, in: context, insideLoop: insideLoop || isLoop)) }
            }
            return found
        }
        switch statement.kind {
        case .read(_, let place): return runsCodeThatMatters(place, in: context) ? .some : .none
        case .compute, .suspend, .declare: return .none
        case .assign, .write(.local, _): return .values
        case .write(let place, let value): return effectOfWriting(value, to: place, in: context)
        case .call(let call): return effect(of: call, in: context)
        case .collection(let operation, let call): return effect(of: operation, call, in: context)
        case .closure(_, let closure): return effectOfMaking(closure, in: context)
        case .exit(.breaks(nil)), .exit(.continues(nil)): return insideLoop ? .none : .exits
        case .exit: return .exits
        case .select, .loop: return inner(true)
        case .branch, .scope, .attempt, .configuration, .deferred: return inner(false)
        case .function, .spawn, .opaque: return .some
        }
    }

    /// Whether reading a place runs a getter, or makes the value of a lazy property, by code that matters.
    private func runsCodeThatMatters(_ place: Place, in context: BodyContext) -> Bool {
        guard let name = place.propertyName, isHot(anyNamed: name) else { return false }
        return resolver.uses(of: place, in: context).contains { use in
            guard isHot(use), case .node(.member(let id)) = use else { return false }
            return program[id].accessors?.get != nil || program[id].modifiers.contains("lazy")
        }
    }

    private func effect(of call: Call, in context: BodyContext) -> Effect {
        if case .initializer(let type) = call.callee, isHotToMake(type.name) || resourceNames.contains(type.name) { return .some }
        if let geometry, let name = call.callee.baseName,
           geometry.laysOut.contains(name) || geometry.laysOutLater(name) || geometry.addedTo[name] != nil || geometry.removes.contains(name) { return .some }
        // What was ended is not to be used again.
        if let name = call.fullName, Machine.starting.contains(name) { return .some }
        guard let name = call.callee.baseName, !resourceNames.contains(name), isOfResources || !Machine.adopting(name) else { return .some }
        let used = resolver.uses(of: call, in: context)
        if used.contains(where: isHot) { return .some }
        // Code of others that gets the object itself, or something that it keeps, may act for it.
        if mattersElsewhere(used), call.arguments.contains(where: { isOwn($0.value, in: context) }) { return .some }
        // Somebody gets what stands for something acquired, and may keep or end it.
        if call.arguments.contains(where: { isAcquired($0.value, in: context) }) { return .some }
        // What a function of the project does with a closure its body tells, which runs; others may keep it.
        return call.arguments.contains { isClosure($0.value, in: context) && !isIdle($0.value, in: context) } && mayKeepClosures(call) ? .some : .none
    }

    /// Whether a value is what the body itself got for something that it acquires.
    private func isAcquired(_ operand: Operand, in context: BodyContext, depth: Int = 0) -> Bool {
        guard depth < 4, case .register(let register) = context.uncast(operand), let definition = context.definition(of: register) else { return false }
        switch definition.kind {
        case .call(let call): return call.callee.baseName.map(resourceNames.contains) ?? false
        case .read(_, .local(let local)): return context.value(of: local).map { isAcquired($0, in: context, depth: depth + 1) } ?? false
        default: return false
        }
    }

    private func isOwn(_ operand: Operand, in context: BodyContext) -> Bool {
        switch operand {
        case .selfObject: return true
        case .constant, .type: return false
        case .register(let register):
            switch context.definition(of: register)?.kind {
            case .read(_, .name), .read(_, .member(.selfObject, _)), .read(_, .local): return !isPlain(operand, in: context)
            case .compute(_, _, let operands): return operands.contains { isOwn($0, in: context) }
            case .closure: return true
            default: return false
            }
        }
    }

    private func mayKeepClosures(_ call: Call) -> Bool {
        switch call.callee {
        case .initializer(let type): closureRoles[type.name].map { $0 == .kept } ?? true
        case .member(.type(let type), _) where closureRoles[type.name] == .kept: true
        default: closureRoles.isKeptByReceiver(call) || (call.callee.baseName.map { name in closureRoles[name].map { $0 == .kept } ?? program.hasFunction(named: name) } ?? true)
        }
    }

    private func isClosure(_ operand: Operand, in context: BodyContext) -> Bool {
        guard case .register(let register) = operand, let definition = context.definition(of: register) else { return false }
        switch definition.kind {
        case .closure: return true
        case .compute(_, _, let operands): return operands.contains { isClosure($0, in: context) }
        case .assign(_, let value): return isClosure(value, in: context)
        default: return false
        }
    }

    /// What is in a closure may run where it is given away; where it is kept, what keeps it has the effect.
    private func effectOfMaking(_ closure: Closure, in context: BodyContext) -> Effect {
        guard geometry == nil else { return .some }
        var found = Effect.none
        for one in closure.block where found != .some { found = max(found, effect(of: one, in: context)) }
        return found == .exits ? .values : found
    }

    private func effectOfWriting(_ value: Operand, to place: Place, in context: BodyContext) -> Effect {
        guard let name = place.propertyName else { return geometry == nil && isPlain(value, in: context) ? .values : .some }
        if let geometry, geometry.decidesOfSizes(name) || geometry.listedBy[name] != nil { return .some }
        switch value {
        case .constant(.null): return .some
        case .constant: break
        default:
            let isHarmless = geometry == nil ? isPlain(value, in: context) || isPlain(place, in: context) || isIdle(value, in: context) : isWithoutSize(value, place, in: context)
            guard isHarmless else { return .some }
        }
        return resolver.uses(of: place, in: context).contains { guards.contains($0) || isHotToSet($0) } ? .some : .none
    }

    /// Collections that only ever get plain values hold nothing that anybody watches.
    private func effect(of operation: CollectionOperation, _ call: Call, in context: BodyContext) -> Effect {
        if changes(operation), case .member(.register(let register), _) = call.callee, case .read(_, let place)? = context.definition(of: register)?.kind,
           resolver.uses(of: place, in: context).contains(where: { guards.contains($0) || isHot($0) }) { return .some }
        return switch operation {
        case .append, .insert: geometry == nil && (call.arguments.first.map { isPlain($0.value, in: context) } ?? true) ? .values : .some
        case .contains: .none
        case .map, .compactMap, .flatMap, .filter, .first:
            geometry == nil && call.arguments.allSatisfy { !isClosure($0.value, in: context) || effectOfClosure($0.value, in: context) != .some } ? .values : .some
        case .forEach, .store, .remove, .removeAll, .removeFirst, .removeLast, .popFirst, .popLast: .some
        }
    }

    private func changes(_ operation: CollectionOperation) -> Bool {
        switch operation {
        case .append, .insert, .remove, .removeAll, .removeFirst, .removeLast, .popFirst, .popLast: true
        case .forEach, .map, .compactMap, .flatMap, .filter, .first, .contains, .store: false
        }
    }

    /// Whether a value is a closure that does nothing that matters, where what it keeps alive does not either.
    private func isIdle(_ operand: Operand, in context: BodyContext) -> Bool { isOfResources && isClosure(operand, in: context) && effectOfClosure(operand, in: context) != .some }

    private func effectOfClosure(_ operand: Operand, in context: BodyContext) -> Effect {
        guard case .register(let register) = operand, case .closure(_, let closure)? = context.definition(of: register)?.kind else { return .some }
        return effectOfMaking(closure, in: context)
    }

    // MARK: Plain values

    /// Whether a value is surely neither an object that somebody may own, nor a closure, nor what holds such.
    func isPlain(_ value: Operand, in context: BodyContext) -> Bool {
        switch value {
        case .constant: return true
        case .type, .selfObject: return false
        case .register(let register):
            if case .compute(_, .symbol, _)? = context.definition(of: register)?.kind { return true }
            return resolver.type(of: value, in: context).map { isPlain($0.reference, in: $0.scope) } ?? false
        }
    }

    func isPlain(_ place: Place, in context: BodyContext) -> Bool {
        resolver.type(of: place, in: context).map { isPlain($0.reference, in: $0.scope) } ?? false
    }

    /// Whether the values of a type are neither objects that somebody may own, nor closures, nor hold such.
    func isPlain(_ type: TypeReference, in scope: Scope, depth: Int = 0) -> Bool {
        if let element = type.element { return isPlain(element, in: scope, depth: depth) }
        switch program.resolve(type.unwrapped, in: scope) {
        case .platform(let name): return Self.plainTypes.contains(name)
        case .project(let types): return types.allSatisfy { isPlainEnum($0, depth: depth) }
        case .unknown(let name): return Self.plainTypes.contains(name)
        }
    }

    /// Whether the cases of an enum carry only plain values; one that carries itself ends at a depth.
    private func isPlainEnum(_ type: TypeID, depth: Int) -> Bool {
        guard program[type].kind == .enum, depth < 4 else { return false }
        let scope = Scope(file: program[type].file, typeName: program[type].name)
        return program[program[type].declarations[0]].payload.allSatisfy { isPlain($0, in: scope, depth: depth + 1) }
    }

    /// Whether a value that is set, or its place, is of a type that has nothing to do with sizes and places.
    private func isWithoutSize(_ value: Operand, _ place: Place, in context: BodyContext) -> Bool {
        [resolver.type(of: value, in: context), resolver.type(of: place, in: context)].contains { type in
            guard let type else { return false }
            return isWithoutSize(type.reference, in: type.scope)
        }
    }

    /// Whether a place is of a type that decides of looks alone, but for whether it is there.
    func isOfLooks(_ place: Place, in context: BodyContext) -> Bool {
        guard let type = resolver.type(of: place, in: context) else { return false }
        switch program.resolve(type.reference.unwrapped, in: type.scope) {
        case .platform(let name), .unknown(let name): return Self.typesOfLooks.contains(name)
        case .project: return false
        }
    }

    private static let typesOfLooks: Set<String> = ["UIColor", "NSColor", "CGColor", "UIFont", "NSFont", "UIImage", "NSImage", "NSAttributedString"]

    /// Whether nothing that is watched can be of the type of a place.
    func isIdle(_ place: Place, in context: BodyContext) -> Bool {
        guard geometry != nil else { return isPlain(place, in: context) }
        return resolver.type(of: place, in: context).map { isWithoutSize($0.reference, in: $0.scope) } ?? false
    }

    /// Whether the values of a type have nothing to do with sizes and places.
    func isWithoutSize(_ type: TypeReference, in scope: Scope) -> Bool {
        switch program.resolve(type.unwrapped, in: scope) {
        case .platform(let name), .unknown(let name): Self.typesWithoutSize.contains(name)
        case .project: false
        }
    }

    private static let typesWithoutSize: Set<String> = ["UIColor", "NSColor", "CGColor", "UIImage", "NSImage", "UIFont", "NSFont", "String", "NSString", "NSAttributedString", "URL", "NSURL", "Date", "NSDate", "Data", "NSData", "UUID", "Locale", "NSLocale"]

    /// Types whose values own nothing that a monitor watches.
    private static let plainTypes: Set<String> = [
        "Bool", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64", "Float", "Double", "CGFloat", "Character", "String", "Substring",
        "Date", "URL", "Data", "UUID", "IndexPath", "IndexSet", "Locale", "TimeInterval", "CGRect", "CGSize", "CGPoint", "CGAffineTransform", "UIEdgeInsets", "NSEdgeInsets",
        "BOOL", "NSInteger", "NSUInteger", "NSString", "NSMutableString", "NSNumber", "NSDate", "NSURL", "NSData", "NSIndexPath", "NSAttributedString", "NSMutableAttributedString",
        "AttributedString", "UIColor", "NSColor", "UIFont", "NSFont", "UIImage", "NSImage", "CGColor", "NSLocale", "NSError",
    ]

    // MARK: What follows

    /// The inner blocks of a statement: what works out its conditions, after which others of its blocks run, and those.
    private static func blocks(of statement: Statement) -> (deciding: [Block], others: [Block]) {
        switch statement.kind {
        case .branch(let clauses, let then, let otherwise): (clauses.map(\.setup), [then, otherwise])
        case .select(_, let cases, _): (cases.flatMap { $0.items.flatMap { [$0.setup] + $0.guards.map(\.setup) } }, cases.map(\.body))
        default: ([], statement.innerBlocks(enteringClosures: true))
        }
    }

    /// For each place of a choice in a block, whether anything that matters can run after it.
    func whatFollows(in block: some Sequence<Statement>, of context: BodyContext) -> [BodyPlace: Bool] {
        var found: [BodyPlace: Bool] = [:]
        func walk(_ block: [Statement], _ rest: Bool) -> Bool {
            var rest = rest || block.contains { if case .deferred = $0.kind { effect(of: $0, in: context) == .some } else { false } }
            for statement in block.reversed() {
                let own = effect(of: statement, in: context)
                let isLoop = if case .loop = statement.kind { true } else { false }
                let place = BodyPlace(statement, file: context.scope.file)
                found[place] = (found[place] ?? false) || rest
                let isClosure = switch statement.kind {
                case .closure, .function, .spawn: true
                default: false
                }
                let blocks = Self.blocks(of: statement)
                for inner in blocks.deciding { _ = walk(Array(inner), rest || own == .some) }
                for inner in blocks.others { _ = walk(Array(inner), isClosure ? false : rest || (isLoop && own == .some)) }
                rest = rest || own == .some
            }
            return rest
        }
        _ = walk(Array(block), false)
        return found
    }
}

extension [String: ClosureRoles.Role] {
    /// Whether the receiver of a call keeps the closures that it is given; where others have methods of the name, the data tells the full one.
    func isKeptByReceiver(_ call: Call) -> Bool {
        [call.callee.baseName, call.fullName].contains { name in name.map { self[$0] == .keptByReceiver } ?? false }
    }
}
