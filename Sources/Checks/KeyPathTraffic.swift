import ProgramModel
import SourceText

/// Who observes which key paths in classic key-value observing, and who stops, found in one pass.
struct KeyPathTraffic: Sendable {
    /// One call that adds or removes an observer under a key path that the text tells.
    struct Operation: Sendable {
        let path: String
        /// The observed object as the text names it; nil where it is no plain place.
        let observed: String?
        /// The class of the observer; nil where nobody knows.
        let observer: TypeID?
        /// The calls of one run are made together: nothing branches between them.
        let run: Int
        let body: Int
        let file: Int
        let member: String
        let typeName: String
        let span: SourceSpan
        /// Whether an object observes itself.
        let isOfSelf: Bool
        /// Whether the path is written out, not the name of a constant.
        let isLiteral: Bool
    }

    /// The values that one call asks the changes to carry.
    struct Registration: Sendable {
        /// The class of the observer; nil where nobody knows.
        let observer: TypeID?
        let isOfSelf: Bool
        /// The names of the options; nil where the text does not tell them.
        let options: Set<String>?
    }

    private(set) var additions: [Operation] = []
    /// Every call that adds an observer, whether or not the text tells its key path.
    private(set) var registrations: [Registration] = []
    private(set) var removals: [Operation] = []
    /// The observers that some code removes under a key path that the text does not tell.
    private(set) var removedUntold: Set<TypeID?> = []

    /// Reads every body of the program that names a key path.
    init(_ program: Program, inference: TypeInference) {
        var runs = 0, bodies = 0
        program.forEachBody { member, body in
            guard Self.mayObserve(body) else { return }
            bodies += 1
            read(Reading(program: program, inference: inference, context: member.context(of: body), member: member, body: bodies), body.block, &runs)
        }
    }

    private static func mayObserve(_ body: Body) -> Bool {
        var found = false
        body.block.forEachStatement { if let call = $0.call, isObservation(call) { found = true } }
        return found
    }

    /// Whether a call adds or removes a key-value observer in the classic way.
    static func isObservation(_ call: Call) -> Bool {
        (call.callee.baseName == "addObserver" || call.callee.baseName == "removeObserver") && call.arguments.count >= 2 && call.arguments[1].label == "forKeyPath"
    }

    /// The key path that a call writes out; nil where it names a constant or computes it.
    static func literal(_ call: Call) -> String? {
        if case .constant(.string(let text)) = call.arguments[1].value { text } else { nil }
    }

    /// The key path that an operand names; nil where the text does not tell it.
    static func path(_ operand: Operand, in context: BodyContext) -> String? {
        switch operand {
        case .constant(.string(let text)): return text
        case .constant(.keyPath(_, let text)): return text.split(separator: ".").last.map(String.init) ?? text
        case .register(let register):
            switch context.definition(of: register)?.kind {
            case .call(let inner):
                guard inner.callee == .name("NSStringFromSelector"), case .constant(.selector(let text))? = inner.arguments.first?.value else { return nil }
                return ObjectiveCSelector.keyPath(of: text)
            // A constant stands for one path, whichever that is.
            case .read(_, .name(let name)): return name.first?.isUppercase == true || name.hasPrefix("k") && name.dropFirst().first?.isUppercase == true ? name : nil
            default: return nil
            }
        default: return nil
        }
    }

    /// What is the same for all statements of one body.
    private struct Reading {
        let program: Program
        let inference: TypeInference
        let context: BodyContext
        let member: MemberOccurrence
        let body: Int

        func observer(_ operand: Operand) -> TypeID? {
            if operand == .selfObject { return member.owner }
            guard let type = inference.type(of: operand, in: context), case .project(let types) = inference.resolve(type), types.count == 1 else { return nil }
            return types.first
        }
    }

    private mutating func read(_ reading: Reading, _ block: Block, _ runs: inout Int) {
        runs += 1
        let run = runs
        var others: [Block] = []
        func straight(_ block: Block) -> [Statement] {
            block.flatMap { statement -> [Statement] in
                switch statement.kind {
                case .branch(let clauses, let then, let otherwise) where clauses.allSatisfy({ if case .isPresent = $0.test { true } else { false } }):
                    // An optional chain: what stands in it runs with what stands around it.
                    others.append(otherwise)
                    return clauses.flatMap { straight($0.setup) } + straight(then)
                case .scope(let inner, _): return straight(inner)
                default:
                    others += statement.innerBlocks(enteringClosures: true)
                    return [statement]
                }
            }
        }
        for statement in straight(block) {
            guard let call = statement.call, Self.isObservation(call) else { continue }
            let observer = reading.observer(call.arguments[0].value)
            if call.callee.baseName == "addObserver" {
                let options = KeyValueOptions.named(by: call.arguments.first { $0.label == "options" }?.value, in: reading.context)
                registrations.append(Registration(observer: observer, isOfSelf: call.arguments[0].value == .selfObject, options: options))
            }
            guard let path = Self.path(call.arguments[1].value, in: reading.context) else {
                if call.callee.baseName == "removeObserver" { removedUntold.insert(observer) }
                continue
            }
            let observed: Operand = if case .member(let operand, _) = call.callee { operand } else { .selfObject }
            let operation = Operation(
                path: path, observed: ConditionAtom.text(of: observed, in: reading.context), observer: observer, run: run, body: reading.body, file: reading.member.id.declaration.file,
                member: reading.member.facts.fullName, typeName: reading.member.typeName, span: statement.span,
                isOfSelf: observed == .selfObject && call.arguments[0].value == .selfObject, isLiteral: Self.literal(call) != nil)
            if call.callee.baseName == "addObserver" { additions.append(operation) } else { removals.append(operation) }
        }
        for other in others { read(reading, other, &runs) }
    }
}
