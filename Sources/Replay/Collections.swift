import ProgramModel

/// Operations on collections that the run knows; on anything else they are the calls of their spelling.
extension Machine {
    mutating func perform(_ operation: CollectionOperation, _ call: Call, in frame: Int, at statement: Statement) -> Flow {
        guard case .member(let receiver, _) = call.callee else { return perform(call, in: frame, at: statement) }
        let arguments = call.arguments.map { operand($0.value, in: frame) }
        if operation == .store { return store(into: call, operand(receiver, in: frame), in: frame) }
        let collection = operand(receiver, in: frame)
        if case .unknown = collection, Self.visiting.contains(operation), let closure = arguments.first, holdsClosures(closure) {
            // The elements of an unknown collection: one stands for all.
            let (value, flow) = invoke(closure, [world.unknown()])
            if flow == .stopped || flow == .trapped { return flow }
            set(call.result, operation == .forEach ? .void : .collection([value]), nil, in: frame)
            return .normal
        }
        if isPresentOptional(collection, visitedBy: operation), let closure = arguments.first, holdsClosures(closure) {
            let (value, flow) = invoke(closure, [collection])
            if flow == .stopped || flow == .trapped { return flow }
            set(call.result, value, nil, in: frame)
            return .normal
        }
        if let known = search(operation, of: collection, from: origin(of: receiver, in: frame), arguments) {
            set(call.result, known, nil, in: frame)
            return .normal
        }
        guard var elements = elements(of: collection, operation, arguments) else { return perform(call, in: frame, at: statement) }
        var result = Value.void
        var changed = false
        /// The values that a closure gives for the elements, or how it ended.
        func mapped(_ closure: Value) -> (values: [Value], flow: Flow) {
            var values: [Value] = []
            for element in elements {
                let (value, flow) = invoke(closure, [element])
                if flow == .stopped || flow == .trapped { return (values, flow) }
                values.append(value)
            }
            return (values, .normal)
        }
        switch operation {
        case .append:
            if case .collection(let others)? = arguments.first, call.arguments.first?.label == "contentsOf" || call.callee.baseName == "formUnion" {
                elements += others
            } else {
                elements += arguments.prefix(1)
            }
            changed = true
        case .insert:
            if call.arguments.count == 1, let first = arguments.first {
                if !elements.contains(first) { elements.append(first) }
            } else {
                elements += arguments.prefix(1)
            }
            changed = true
        case .remove:
            if let first = arguments.first, let index = elements.firstIndex(of: first) {
                result = elements.remove(at: index)
            } else {
                result = elements.isEmpty ? .null : elements.removeFirst()
            }
            changed = true
        case .removeAll:
            noteReplacedTokens(in: .collection(elements))
            elements = []
            changed = true
        case .removeFirst, .popFirst:
            result = elements.isEmpty ? .null : elements.removeFirst()
            changed = true
        case .removeLast, .popLast:
            result = elements.popLast() ?? .null
            changed = true
        case .forEach, .map, .compactMap, .flatMap, .filter:
            guard let closure = arguments.first else { break }
            let (values, flow) = mapped(closure)
            guard flow == .normal else { return flow }
            switch operation {
            case .map: result = .collection(values)
            case .flatMap: result = .collection(values.flatMap { if case .collection(let parts) = $0 { parts } else { [$0] } })
            case .compactMap: result = .collection(values.filter { $0 != .null })
            case .filter: result = .collection(zip(elements, values).filter { isTrue($1) }.map(\.0))
            default: break
            }
        case .first:
            result = elements.first ?? .null
        case .contains:
            result = arguments.first.flatMap { contains($0, in: elements) }.map(Value.boolean) ?? world.unknown()
        case .store:
            break
        }
        set(call.result, result, nil, in: frame)
        guard changed else { return .normal }
        if let place = element(read: receiver, in: frame) { return write(.collection(elements), to: place, in: frame, at: statement) }
        let home = origin(of: receiver, in: frame)
        // What a function gave to add to is somebody's list, and he has what is added.
        if home == nil { arguments.forEach { handOn($0) } }
        return store(.collection(elements), at: home, in: frame)
    }

    /// The element of another collection that a value was read from, as of a dictionary of lists.
    private func element(read operand: Operand, in frame: Int) -> Place? {
        guard case .register(let register) = operand else { return nil }
        switch world.frames[frame].context.definition(of: register)?.kind {
        case .read(_, let place)?: if case .element = place { return place } else { return nil }
        case .compute(_, .forceUnwrap, let operands)?: return operands.first.flatMap { element(read: $0, in: frame) }
        default: return nil
        }
    }

    /// The most elements that a collection keeps from one event to the next where stores are widened.
    package static let mostElements = 4

    /// The most of those that hold nothing and that the text tells: of these there are only as many different ones as the code names.
    package static let mostPlainElements = 32

    /// Whether a value is among the elements; nil where nobody knows.
    private func contains(_ value: Value, in elements: [Value]) -> Bool? {
        if elements.contains(value) { return true }
        if elements.isEmpty { return false }
        // A collection of as many elements as are kept may have had more.
        return value.isPlain && elements.allSatisfy(\.isPlain) && !(widensValues && elements.count >= Self.mostPlainElements) ? false : nil
    }

    /// The elements that the run knows; of a collection that it does not know, those that are put in and must not be lost.
    private func elements(of collection: Value, _ operation: CollectionOperation, _ arguments: [Value]) -> [Value]? {
        if case .collection(let elements) = collection { return elements }
        if case .unknown = collection, operation == .append || operation == .insert, arguments.contains(where: matters) { return [] }
        return nil
    }

    /// Whether the operation is the one of optionals, on a value that is there: `token.map { … }`.
    private func isPresentOptional(_ value: Value, visitedBy operation: CollectionOperation) -> Bool {
        guard operation == .map || operation == .flatMap, case .object(let id) = value else { return false }
        guard case .project(let type) = world[id].kind else { return className(of: id).map { program.platform.type(ofMethod: "\(operation.rawValue)(_:)", of: $0, isStatic: false) == nil } ?? false }
        return lookups.members(named: operation.rawValue, on: type).isEmpty
    }

    private static let visiting: Set<CollectionOperation> = [.forEach, .map, .compactMap, .flatMap]

    /// `token.store(in: &bag)`: the bag holds the token, whatever kind of bag it is.
    private mutating func store(into call: Call, _ token: Value, in frame: Int) -> Flow {
        guard let argument = call.arguments.first else { return .normal }
        set(call.result, .void, nil, in: frame)
        let origin = origin(of: argument.value, in: frame)
        let bag = operand(argument.value, in: frame)
        // Nobody knows where it goes: a bag of an unknown class that was passed in is somebody else's.
        switch (origin, bag) {
        case (nil, _), (.local, .unknown): handOn(token)
        default: break
        }
        switch bag {
        case .collection(let elements): return store(.collection(elements + [token]), at: origin, in: frame)
        case .object(let id):
            world[id].fields["stored\(world[id].fields.count)"] = token
            return .normal
        default: return store(.collection([token]), at: origin, in: frame)
        }
    }
}
