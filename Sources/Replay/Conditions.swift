import ProgramModel

/// A flow that ends the evaluation of a condition.
struct Interrupted: Error {
    let flow: Flow
}

/// Conditions, patterns, loops and computations.
extension Machine {
    /// Whether all clauses hold; names that they bind are set.
    mutating func test(_ clauses: [Clause], in frame: Int) -> Result<Bool, Interrupted> {
        for clause in clauses {
            let flow = run(clause.setup, in: frame)
            guard flow == .normal else { return .failure(Interrupted(flow: flow)) }
            if !holds(clause.test, in: frame) { return .success(false) }
        }
        return .success(true)
    }

    private mutating func holds(_ test: Test, in frame: Int) -> Bool {
        switch test {
        case .isTrue(let value): return isTrue(operand(value, in: frame))
        case .isPresent(let value): return isPresent(operand(value, in: frame))
        case .matches(let value, let pattern): return matches(operand(value, in: frame), pattern, in: frame)
        }
    }

    mutating func isTrue(_ value: Value) -> Bool {
        switch value {
        case .boolean(let value): value
        case .unknown(let number): choices.answer(.isTrue(number))
        case .null: false
        default: true
        }
    }

    /// What a condition found out of a property that nobody knew, it has from then on.
    mutating func settleAnswer(of property: String, _ id: ObjectID) {
        if case .unknown(let number)? = world[id].fields[property], let answer = choices.answers[.isTrue(number)] { world[id].fields[property] = .boolean(answer) }
    }

    mutating func isPresent(_ value: Value) -> Bool {
        switch value {
        case .null: false
        case .unknown(let number): choices.answer(.isPresent(number))
        default: true
        }
    }

    mutating func matches(_ value: Value, _ pattern: Pattern, in frame: Int) -> Bool {
        switch pattern {
        case .wildcard:
            return true
        case .bind(let local):
            setLocal(local, value, in: frame, declaring: true)
            return true
        case .present(let inner):
            return isPresent(value) && matches(value, inner, in: frame)
        case .value(let operand):
            return equal(value, self.operand(operand, in: frame))
        case .enumCase(let name, let parts):
            switch value {
            case .named(let other, let carried):
                guard other == name || other.hasSuffix(".\(name)") else { return false }
                for (index, part) in parts.enumerated() where !matches(index < carried.count ? carried[index] : world.unknown(), part, in: frame) { return false }
                return true
            case .unknown(let number):
                guard choices.answer(.matches(number, name)) else { return false }
                for part in parts { _ = matches(world.unknown(), part, in: frame) }
                return true
            default:
                return false
            }
        case .tuple(let parts):
            guard case .tuple(let values) = value, values.count == parts.count else {
                for part in parts { _ = matches(world.unknown(), part, in: frame) }
                return true
            }
            return zip(values, parts).allSatisfy { matches($0, $1, in: frame) }
        case .type(let type, let inner):
            switch cast(value, to: type, in: frame) {
            case .null: return false
            case let cast: return matches(cast, inner, in: frame)
            }
        }
    }

    mutating func equal(_ left: Value, _ right: Value) -> Bool {
        if left == right { return true }
        switch (left, right) {
        case (.unknown(let number), .null): return !choices.answer(.isPresent(number))
        case (.null, .unknown(let number)): return !choices.answer(.isPresent(number))
        case (.unknown(let number), _): return choices.answer(.equals(number, right))
        case (_, .unknown(let number)): return choices.answer(.equals(number, left))
        default: return false
        }
    }

    /// The value as the type: nil when it is known to be no such thing.
    private mutating func cast(_ value: Value, to type: TypeReference, in frame: Int) -> Value {
        switch value {
        case .null: return .null
        case .object(let id):
            upgrade(id, to: type, in: frame)
            guard case .project(let kind) = world[id].kind,
                  case .project(let wanted) = lookups.resolve(type, in: Scope(file: world.frames[frame].file, typeName: "")), wanted.count == 1,
                  program[wanted[0]].kind == .class else { return value }
            if program.chain(of: kind).contains(wanted[0]) { return value }
            // What code outside made may be of any subclass.
            guard world[id].isShared, program.chain(of: wanted[0]).contains(kind), case .unknown(let number) = dynamicType(of: id), choices.answer(.matches(number, "as \(type.name)")) else { return .null }
            world[id].kind = .project(wanted[0])
            return value
        case .unknown(let number): return choices.answer(.matches(number, "as \(type.name)")) ? value : .null
        default: return value
        }
    }

    /// An object of the SDK's class that is cast to a subclass of the project is one of it, which the SDK has.
    private mutating func upgrade(_ id: ObjectID, to type: TypeReference, in frame: Int) {
        guard let wanted = subclass(type, of: id, in: frame) else { return }
        world[id].kind = .project(wanted)
        world[id].isOfSDK = true
        setInitialValues(of: id)
    }

    /// The project's class that a type names, if it is one of those of which an object of the SDK's class may be.
    private func subclass(_ type: TypeReference, of id: ObjectID, in frame: Int) -> TypeID? {
        guard case .platform(let known) = world[id].kind,
              case .project(let wanted) = lookups.resolve(type, in: Scope(file: world.frames[frame].file, typeName: "")), wanted.count == 1,
              let base = program.platformClass(of: wanted[0]), program.platform.isClass(base, kindOf: known) else { return nil }
        return wanted[0]
    }

    /// What a comparison gives of an argument that a caller outside gave with a property that has nothing: who tells a delegate of himself
    /// is somebody.  Nil for other computations, and where the code says `nil` itself; in Swift the type tells.
    func comparison(ofGiven operation: Operator, _ operands: [Operand], _ values: [Value], in frame: Int) -> Value? {
        guard case .symbol(let symbol) = operation, symbol == "==" || symbol == "!=", values.count == 2, values.contains(.null), !operands.contains(.constant(.null)),
              world.frames[frame].caller == nil, program.files[world.frames[frame].file].facts.language == .objectiveC,
              let given = values.first(where: { $0 != .null }), case .unknown(let number) = given, choices.answers[.isPresent(number)] == nil,
              world.frames[frame].context.body.parameters.contains(where: { world.frames[frame].locals[$0] == given }) else { return nil }
        return .boolean(symbol == "!=")
    }

    /// The value of a computation; nil when it traps.
    mutating func compute(_ operation: Operator, _ values: [Value], in frame: Int) -> Value? {
        switch operation {
        case .forceUnwrap:
            // Who goes on has found something.
            if case .unknown(let number) = values[0] {
                if choices.answers[.isPresent(number)] == false { return nil }
                choices.answers[.isPresent(number)] = true
            }
            return values[0] == .null ? nil : values[0]
        case .array:
            return .collection(values)
        case .dictionary:
            return .collection(stride(from: 0, to: values.count - 1, by: 2).map { .tuple([values[$0], values[$0 + 1]]) })
        case .tuple:
            return .tuple(values)
        case .tupleElement(let name):
            if case .tuple(let parts)? = values.first, let index = Int(name), index < parts.count { return parts[index] }
            return world.unknown()
        case .coercion:
            return values[0]
        case .conditionalCast(let type):
            return cast(values[0], to: type, in: frame)
        case .forcedCast(let type):
            // The code ends the app where it fails, so it holds.
            if case .unknown = values[0] { return values[0] }
            let result = cast(values[0], to: type, in: frame)
            return result == .null && values[0] != .null ? nil : result
        case .typeTest(let type):
            if case .unknown(let number) = values[0] { return .boolean(choices.answer(.matches(number, "as \(type.name)"))) }
            // What the SDK handed out is one of the project's subclasses, or of another.
            if case .object(let id) = values[0], subclass(type, of: id, in: frame) != nil, case .unknown(let number) = dynamicType(of: id),
               !choices.answer(.matches(number, "as \(type.name)")) { return .boolean(false) }
            return .boolean(cast(values[0], to: type, in: frame) != .null)
        case .interpolation:
            return world.unknown()
        case .symbol(let symbol):
            return compute(symbol, values)
        case .other:
            return world.unknown()
        }
    }

    /// What an operator of another module gives of an object and a closure that sets it up: the object.
    private func setUp(_ values: [Value]) -> Value? {
        guard values.count == 2, case .object = values[0], setsUp(values[1]) else { return nil }
        return values[0]
    }

    private mutating func compute(_ symbol: String, _ values: [Value]) -> Value {
        switch (symbol, values.count) {
        case ("prefix !", 1): return .boolean(!isTrue(values[0]))
        case ("==", 2), ("===", 2): return .boolean(equal(values[0], values[1]))
        case ("!=", 2), ("!==", 2): return .boolean(!equal(values[0], values[1]))
        default: break
        }
        if values.count == 2, case .integer(let left) = values[0], case .integer(let right) = values[1] {
            switch symbol {
            case "+": return .integer(left &+ right)
            case "-": return .integer(left &- right)
            case "*": return .integer(left &* right)
            case "<": return .boolean(left < right)
            case ">": return .boolean(left > right)
            case "<=": return .boolean(left <= right)
            case ">=": return .boolean(left >= right)
            default: break
            }
        }
        if symbol == "+", values.count == 2, case .collection(let left) = values[0], case .collection(let right) = values[1] {
            return .collection(left + right)
        }
        // The parts of a mask, where they matter.
        if symbol == "|", watchesGeometry { return .collection(values) }
        if symbol == "+", let known = values.first(where: matters), case .collection = known { return known }
        return setUp(values) ?? world.unknown()
    }

    // MARK: switch, loops and errors

    mutating func select(_ subject: Value, _ cases: [SelectCase], _ label: String?, in frame: Int) -> Flow {
        var chosen: Int?
        let last = lastOfExhaustive(cases, subject, in: frame)
        search: for (index, one) in cases.enumerated() where one.condition.holds(under: choices.configuration) {
            for (position, item) in one.items.enumerated() {
                let flow = run(item.setup, in: frame)
                guard flow == .normal else { return flow }
                choices.isForced = index == last && position == one.items.count - 1
                let isMatched = matches(subject, item.pattern, in: frame)
                choices.isForced = false
                guard isMatched else { continue }
                switch test(item.guards, in: frame) {
                case .failure(let interrupted): return interrupted.flow
                case .success(true):
                    chosen = index
                    break search
                case .success(false): continue
                }
            }
        }
        guard var index = chosen ?? cases.firstIndex(where: { $0.items.isEmpty && $0.condition.holds(under: choices.configuration) }) else { return .normal }
        while index < cases.count {
            let flow = run(cases[index].body, in: frame)
            if flow == .fellThrough {
                index += 1
                continue
            }
            return flow == .broke(nil) || (label != nil && flow == .broke(label)) ? .normal : flow
        }
        return .normal
    }

    /// The case that an unknown value must match when it matched none before: a switch of Swift has a case for every value.
    private func lastOfExhaustive(_ cases: [SelectCase], _ subject: Value, in frame: Int) -> Int? {
        guard case .unknown = subject, program.files[world.frames[frame].file].facts.language == .swift,
              let last = cases.lastIndex(where: { $0.condition.holds(under: choices.configuration) }), let item = cases[last].items.last, item.guards.isEmpty,
              !cases.contains(where: { $0.items.isEmpty && $0.condition.holds(under: choices.configuration) }) else { return nil }
        return last
    }

    mutating func run(_ loop: Loop, in frame: Int) -> Flow {
        /// Whether the loop goes on, or how it ends.
        func after(_ flow: Flow) -> Flow? {
            switch flow {
            case .normal, .continued(nil): return nil
            case .continued(let label) where label == loop.label: return nil
            case .broke(nil): return .normal
            case .broke(let label) where label == loop.label: return .normal
            default: return flow
            }
        }
        switch loop.kind {
        case .whileTrue(let clauses):
            for _ in 0..<Self.mostRounds {
                switch test(clauses, in: frame) {
                case .failure(let interrupted): return interrupted.flow
                case .success(false): return .normal
                case .success(true): if let end = after(run(loop.body, in: frame)) { return end }
                }
            }
            return .normal
        case .repeatWhile(let clauses):
            for _ in 0..<Self.mostRounds {
                if let end = after(run(loop.body, in: frame)) { return end }
                switch test(clauses, in: frame) {
                case .failure(let interrupted): return interrupted.flow
                case .success(false): return .normal
                case .success(true): continue
                }
            }
            return .normal
        case .forEach(let pattern, let sequence, let guards, _):
            let values = operand(sequence, in: frame)
            let elements: [Value] = switch values {
            case .collection(let known): known
            // Objective-C goes through nothing without a word.
            case .null: []
            case .named(let list, let holders): additions(listedBy: list, of: holders)?.map { .object($0.added) } ?? [world.unknown()]
            // The elements of an unknown sequence: one stands for all.
            default: [world.unknown()]
            }
            for element in elements {
                guard matches(element, pattern, in: frame) else { continue }
                switch test(guards, in: frame) {
                case .failure(let interrupted): return interrupted.flow
                case .success(false): continue
                case .success(true): if let end = after(run(loop.body, in: frame)) { return end }
                }
            }
            return .normal
        }
    }

    mutating func attempt(_ block: Block, _ catches: [CatchClause], _ label: String?, in frame: Int) -> Flow {
        // What Swift catches are errors, and no exceptions.
        let isCatching = !catches.isEmpty && program.files[world.frames[frame].file].facts.language == .objectiveC
        if isCatching { catching += 1 }
        let flow = run(block, in: frame)
        if isCatching { catching -= 1 }
        if let label, flow == .broke(label) { return .normal }
        guard case .threw(let error) = flow else { return flow }
        for clause in catches {
            setLocal(clause.error, error, in: frame, declaring: true)
            var isCaught = clause.items.isEmpty
            for item in clause.items where !isCaught {
                let setup = run(item.setup, in: frame)
                guard setup == .normal else { return setup }
                guard matches(error, item.pattern, in: frame) else { continue }
                switch test(item.guards, in: frame) {
                case .failure(let interrupted): return interrupted.flow
                case .success(let holds): isCaught = holds
                }
            }
            if isCaught { return run(clause.body, in: frame) }
        }
        return flow
    }
}
