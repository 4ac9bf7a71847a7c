import Findings
import ProgramModel
import SourceText

extension Check {
    /// Handlers that take in what a gesture has covered since its beginning again at each change.
    static let accumulatedGestureDeltas = Check(rules: ["gesture_delta_accumulates"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).compactMap { GestureDeltaSearch(input: input, file: file, member: $0)?.finding() }
    }
}

/// What a recogniser counts from the beginning of its gesture.
private struct GestureDelta {
    let recognizer: String
    let name: String
    /// The properties and calls that read it.
    let readers: Set<String>
    /// The calls that set it back; the properties are set back by a write.
    let resets: Set<String>
    /// The value that stands for no change.
    let rest: String

    static let all = [
        GestureDelta(recognizer: "UIPanGestureRecognizer", name: "translation", readers: ["translation", "translationInView"], resets: ["setTranslation"], rest: "zero"),
        GestureDelta(recognizer: "UIPinchGestureRecognizer", name: "scale", readers: ["scale"], resets: ["setScale"], rest: "1"),
        GestureDelta(recognizer: "UIRotationGestureRecognizer", name: "rotation", readers: ["rotation"], resets: ["setRotation"], rest: "0"),
        GestureDelta(recognizer: "NSPanGestureRecognizer", name: "translation", readers: ["translation", "translationInView"], resets: ["setTranslation"], rest: "zero"),
        GestureDelta(recognizer: "NSMagnificationGestureRecognizer", name: "magnification", readers: ["magnification"], resets: ["setMagnification"], rest: "0"),
        GestureDelta(recognizer: "NSRotationGestureRecognizer", name: "rotation", readers: ["rotation", "rotationInDegrees"], resets: ["setRotation"], rest: "0"),
    ]
}

/// The search in one handler.
private struct GestureDeltaSearch {
    private let input: CheckInput
    private let file: Int
    private let member: MemberOccurrence
    private let body: Body
    private let context: BodyContext
    private let words: GestureStates
    private let recognizer: LocalID
    private let delta: GestureDelta

    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        // What other code calls may be called for a recogniser that the caller sets back.
        guard let body = member.facts.body, member.facts.attributes.contains(where: { ["objc", "IBAction"].contains($0.name) }), body.parameters.count <= 2,
              !input.names.called.contains(member.facts.fullName), let found = input.recognizerParameter(of: member, file: file), found.local == body.parameters.first,
              let delta = GestureDelta.all.first(where: { input.program.platform.isClass(found.platformClass, kindOf: $0.recognizer) }) else { return nil }
        (self.input, self.file, self.member, self.body, recognizer, self.delta) = (input, file, member, body, found.local, delta)
        context = member.context(of: body)
        words = GestureStates(context: context)
    }

    func finding() -> Finding? {
        guard !isResetOrHandedOn else { return nil }
        var writes: [(path: String, accumulates: Bool, span: SourceSpan)] = []
        walk(body.block, in: GestureStates.all) { statement, states in
            guard states.contains("changed"), case .write(let place, let value) = statement.kind, isLasting(place), let path = path(of: place) else { return }
            writes.append((path, accumulates(value, into: path), statement.span))
        }
        // A place that is set to something else as well starts each time from there.
        let found = writes.first { one in
            one.accumulates && !writes.contains { !$0.accumulates && (isPart($0.path, of: one.path) || isPart(one.path, of: $0.path)) }
        }
        guard let found else { return nil }
        let place = found.path.replacing(/#\d+/, with: "")
        return input.finding(
            "gesture_delta_accumulates",
            "'\(delta.name)' counts from the beginning of the gesture, and '\(place)' takes the whole of it in again at each change (line \(found.span.start.line)), so it runs away from the fingers: "
                + "set '\(delta.name)' back to \(delta.rest) after each change, or start from a value that is saved at 'began'",
            at: member.facts.nameSpan, in: file, type: member.typeName, member: member.facts.fullName)
    }

    // MARK: The recogniser

    /// Whether the handler, or any code of the class, sets the delta back, or gives the recogniser to code that may.
    private var isResetOrHandedOn: Bool {
        let program = input.program
        var found = false
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .call(let call), .collection(_, let call): if call.arguments.contains(where: { isRecognizer($0.value) }) { found = true }
            case .write(_, let value): if isRecognizer(value) { found = true }
            case .declare(_, let value?): if isRecognizer(value) { found = true }
            case .opaque(let part): if part.reads.contains(body[recognizer].name) { found = true }
            default: break
            }
        }
        guard !found else { return true }
        for id in program.chain(of: member.owner).flatMap({ program.members(of: $0) }) {
            for (_, other) in program[id].bodies {
                let context = program.context(of: other, in: id, as: member.owner)
                // Another handler sets back the recogniser that it was given, and no other.
                let isOwn = other == body
                func isOfOther(_ operand: Operand) -> Bool {
                    guard !isOwn, case .register(let register) = operand, case .read(_, .local(let local))? = context.definition(of: register)?.kind else { return false }
                    return other.parameters.contains(local)
                }
                other.block.forEachStatement { statement in
                    if let call = statement.call, let name = call.callee.baseName, delta.resets.contains(name), case .member(let base, _) = call.callee, !isOfOther(base) { found = true }
                    if case .write(.member(let base, let name), _) = statement.kind, name == delta.name, !isOfOther(base), let type = input.inference.type(of: base, in: context),
                       input.recognizerClass(type.reference, in: type.scope) != nil { found = true }
                }
            }
        }
        return found
    }

    private func isRecognizer(_ operand: Operand) -> Bool {
        switch definition(operand)?.kind {
        case .read(_, .local(recognizer)): true
        case .compute(_, .forceUnwrap, let operands), .compute(_, .conditionalCast, let operands), .compute(_, .forcedCast, let operands): operands.first.map(isRecognizer) ?? false
        default: false
        }
    }

    private func definition(_ operand: Operand) -> Statement? {
        guard case .register(let register) = operand, let statement = context.definition(of: register) else { return nil }
        if case .assign(_, let value) = statement.kind { return definition(value) }
        return statement
    }

    // MARK: The value

    /// Calls that turn and move what they are given by what they are given.
    private static let cumulativeCalls: Set<String> = [
        "scaledBy", "rotated", "translatedBy", "concatenating", "offsetBy", "CGAffineTransformScale", "CGAffineTransformRotate", "CGAffineTransformTranslate",
        "CGAffineTransformConcat", "CGRectOffset", "CATransform3DScale", "CATransform3DRotate", "CATransform3DTranslate", "CATransform3DConcat",
    ]
    private static let wrappers: Set<String> = ["CGPointMake", "CGSizeMake", "CGRectMake", "min", "max", "MIN", "MAX", "fmin", "fmax", "CGAffineTransformMakeScale", "CGAffineTransformMakeRotation", "CGAffineTransformMakeTranslation"]
    private static let valueTypes: Set<String> = ["CGPoint", "CGSize", "CGRect", "CGVector", "CGFloat", "Double", "Float", "CGAffineTransform"]

    /// Whether a value is what is in the place already, with the delta on top.
    private func accumulates(_ value: Operand, into path: String, depth: Int = 0) -> Bool {
        guard depth < 12, let statement = definition(value) else { return false }
        switch statement.kind {
        case .read(_, .local(let local)): return constant(local).map { accumulates($0, into: path, depth: depth + 1) } ?? false
        case .compute(_, .symbol(let symbol), let operands) where operands.count == 2:
            switch symbol {
            case "+", "*": return (holds(operands[0], path) && isDelta(operands[1])) || (holds(operands[1], path) && isDelta(operands[0]))
            case "-", "/": return holds(operands[0], path) && isDelta(operands[1])
            default: return false
            }
        case .call(let call):
            if let name = call.callee.baseName, Self.cumulativeCalls.contains(name) {
                var parts = call.arguments.map(\.value)
                if case .member(let receiver, _) = call.callee { parts.append(receiver) }
                return parts.contains { holds($0, path) } && parts.contains { isDelta($0) }
            }
            return isWrapper(call) && call.arguments.contains { accumulates($0.value, into: path, depth: depth + 1) }
        default: return false
        }
    }

    private func isWrapper(_ call: Call) -> Bool {
        switch call.callee {
        case .initializer(let type): Self.valueTypes.contains(type.name)
        case .name(let name): Self.wrappers.contains(name)
        default: false
        }
    }

    /// Whether the value is read from the place, or from a part of it.
    private func holds(_ value: Operand, _ path: String, depth: Int = 0) -> Bool {
        guard depth < 12, let statement = definition(value) else { return false }
        switch statement.kind {
        case .read(_, .local(let local)):
            if let value = constant(local) { return holds(value, path, depth: depth + 1) }
            return self.path(of: .local(local)) == path
        case .read(_, let place): return self.path(of: place).map { isPart($0, of: path) } ?? false
        case .call(let call): return isWrapper(call) && call.arguments.count == 1 && holds(call.arguments[0].value, path, depth: depth + 1)
        case .compute(_, .coercion, let operands), .compute(_, .forceUnwrap, let operands): return operands.first.map { holds($0, path, depth: depth + 1) } ?? false
        default: return false
        }
    }

    /// Whether the value is the delta, perhaps multiplied; what is added to it or taken from it may be what was taken in before.
    private func isDelta(_ value: Operand, depth: Int = 0) -> Bool {
        guard depth < 12, let statement = definition(value) else { return false }
        switch statement.kind {
        case .read(_, .local(let local)): return constant(local).map { isDelta($0, depth: depth + 1) } ?? false
        case .read(_, .member(let base, let name)):
            return (isRecognizer(base) && delta.readers.contains(name)) || (["x", "y"].contains(name) && isDelta(base, depth: depth + 1))
        case .compute(_, .symbol(let symbol), let operands):
            let isScaled = ["*", "/", "prefix -", "prefix +"].contains(symbol)
            // A magnification counts from zero, and is made a factor by adding one.
            let isFactor = symbol == "+" && operands.contains { [.constant(.integer(1)), .constant(.number("1.0"))].contains($0) }
            return (isScaled || isFactor) && operands.contains { isDelta($0, depth: depth + 1) }
        case .compute(_, .coercion, let operands): return operands.first.map { isDelta($0, depth: depth + 1) } ?? false
        case .call(let call):
            if case .member(let receiver, let name) = call.callee, delta.readers.contains(name), isRecognizer(receiver) { return true }
            return isWrapper(call) && call.arguments.contains { isDelta($0.value, depth: depth + 1) }
        default: return false
        }
    }

    /// The value of a local that only its declaration sets.
    private func constant(_ local: LocalID) -> Operand? {
        guard let value = context.value(of: local) else { return nil }
        var isWritten = false
        body.block.forEachStatement { if case .write(let place, _) = $0.kind, root(of: place) == local { isWritten = true } }
        return isWritten ? nil : value
    }

    // MARK: Places

    /// The text of a place; unwrapped or cast it is the same place.
    private func path(of place: Place) -> String? {
        switch place {
        case .local(let local): "\(body[local].name)#\(local.index)"
        case .name(let name), .superMember(let name), .member(.selfObject, let name): name
        case .member(let base, let name): path(of: base).map { "\($0).\(name)" }
        case .element: nil
        }
    }

    private func path(of operand: Operand) -> String? {
        switch definition(operand)?.kind {
        case .read(_, let place): path(of: place)
        case .compute(_, .forceUnwrap, let operands), .compute(_, .forcedCast, let operands), .compute(_, .conditionalCast, let operands), .compute(_, .coercion, let operands):
            operands.first.flatMap(path(of:))
        default: nil
        }
    }

    private func isPart(_ path: String, of whole: String) -> Bool { path == whole || path.hasPrefix(whole + ".") }

    private func root(of place: Place) -> LocalID? {
        switch place {
        case .local(let local): return local
        case .member(let base, _):
            if case .read(_, let inner)? = definition(base)?.kind { return root(of: inner) }
            return nil
        default: return nil
        }
    }

    /// Whether what is written there is there at the next change: a property, of self or of an object.
    private func isLasting(_ place: Place) -> Bool {
        guard let local = root(of: place) else { return true }
        guard case .member = place else { return false }
        // A property of the recogniser's view, and not one of the recogniser.
        if local == recognizer { return path(of: place).map { $0.contains(".view.") } ?? false }
        guard let type = input.inference.type(of: .local(local), in: context) else { return false }
        return switch input.inference.resolve(type) {
        case .project(let types): types.count == 1 && input.program[types[0]].kind == .class
        case .platform(let name): input.program.platform.isClass(name)
        case .unknown: false
        }
    }

    // MARK: States

    /// Visits the statements with the states in which they can run.
    private func walk(_ block: Block, in states: Set<String>, _ visit: (Statement, Set<String>) -> Void) {
        var states = states
        for statement in block {
            visit(statement, states)
            switch statement.kind {
            case .select(let subject, let cases, _) where isState(subject):
                let named = cases.map { one in one.items.reduce(into: Set<String>()) { $0.formUnion(words.states(of: $1.pattern)) } }
                let rest = states.subtracting(named.reduce([]) { $0.union($1) })
                var leaving: Set<String> = []
                for (one, named) in zip(cases, named) {
                    let isOther = one.items.isEmpty || one.items.contains { $0.pattern == .wildcard }
                    let entering = isOther ? rest : states.intersection(named)
                    walk(one.body, in: entering, visit)
                    if leaves(one.body) { leaving.formUnion(entering) }
                }
                states.subtract(leaving)
            case .branch(let clauses, let then, let otherwise):
                let (taken, refused) = split(states, by: clauses)
                for clause in clauses { walk(clause.setup, in: states, visit) }
                walk(then, in: taken, visit)
                walk(otherwise, in: refused, visit)
                if leaves(otherwise) { states = taken }
                if leaves(then) { states = refused }
            default:
                for inner in statement.innerBlocks(enteringClosures: true) { walk(inner, in: states, visit) }
            }
        }
    }

    /// The states in which all clauses can hold, and those in which one can fail.
    private func split(_ states: Set<String>, by clauses: [Clause]) -> (Set<String>, Set<String>) {
        let equal = words.states(comparedBy: "==", in: clauses)
        let unequal = words.states(comparedBy: "!=", in: clauses)
        if !equal.isEmpty, unequal.isEmpty { return (states.intersection(equal), clauses.count == 1 && asksNothingElse(clauses[0]) ? states.subtracting(equal) : states) }
        if !unequal.isEmpty, equal.isEmpty { return (states.subtracting(unequal), clauses.count == 1 && asksNothingElse(clauses[0]) ? states.intersection(unequal) : states) }
        return (states, states)
    }

    /// Whether a clause compares states and nothing else.
    private func asksNothingElse(_ clause: Clause) -> Bool {
        var found = true
        clause.setup.forEachStatement { statement in
            switch statement.kind {
            case .call, .collection, .opaque: found = false
            case .compute(_, .symbol, let operands): if !operands.contains(where: { words.state($0) != nil }) { found = false }
            default: break
            }
        }
        return found
    }

    private func isState(_ operand: Operand) -> Bool {
        if case .read(_, .member(let base, "state"))? = definition(operand)?.kind { return isRecognizer(base) }
        return false
    }

    private func leaves(_ block: Block) -> Bool {
        switch block.lastExit {
        case nil, .breaks: false
        default: true
        }
    }
}
