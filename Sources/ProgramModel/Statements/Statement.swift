import SourceText

/// One step of a body, with exactly one effect; `SEMANTICS.md` says what each kind does.
public struct Statement: Hashable, Sendable {
    /// The number of the statement in its body, in order of the text; stable for the same text.
    public let id: Int32
    /// The text that the statement was made from.
    public let span: SourceSpan
    /// What the statement does.
    public let kind: StatementKind

    /// Makes a statement.
    public init(id: Int32, span: SourceSpan, kind: StatementKind) {
        self.id = id
        self.span = span
        self.kind = kind
    }
}

/// A sequence of statements with a scope of its own: what `deferred` statements in it leave runs at its end.
public typealias Block = [Statement]

/// The kinds of statements.
public indirect enum StatementKind: Hashable, Sendable {
    /// Puts the value of a place into a register.
    case read(Register, Place)
    /// Puts a value into a place.
    case write(Place, Operand)
    /// Makes a local variable, without a value where there is none.
    case declare(LocalID, Operand?)
    /// Calls something.
    case call(Call)
    /// Works on a collection, if the receiver is one; else it is the call of the same spelling.
    case collection(CollectionOperation, Call)
    /// Makes a closure value.
    case closure(Register, Closure)
    /// Computes a value without any effect, but for traps.
    case compute(Register, Operator, [Operand])
    /// Makes a value known in an arm of a branch the result of the whole: assigns a register.
    case assign(Register, Operand)
    /// Tests clauses in order; the first that fails leads to `otherwise`.
    case branch([Clause], then: Block, otherwise: Block)
    /// Runs the first case that matches.
    case select(Operand, [SelectCase], label: String?)
    /// Repeats.
    case loop(Loop)
    /// A `do` block.
    case scope(Block, label: String?)
    /// Runs a block; a throw inside it goes on in the first catch clause that matches.
    case attempt(Block, catches: [CatchClause], label: String?)
    /// Leaves a block to be run when the enclosing block is left, on any way.
    case deferred(Block)
    /// Leaves the block, the loop or the body.
    case exit(Exit)
    /// A conditional compilation: one arm exists, and the other never did, for a whole run.
    case configuration(ConfigurationCondition, then: Block, otherwise: Block)
    /// Makes a local function.
    case function(LocalID, Closure)
    /// Starts a child task whose result the local will hold (`async let`).
    case spawn(LocalID, Closure)
    /// Suspends the body until the value is there, where no call does it (`await task.value`).
    case suspend(Operand)
    /// Something that could not be lowered: it may read and write these names, and do anything else.
    case opaque(Opaque)
}

/// A call with everything that is known of it from the text; a class, for runs pass it on and it never changes.
public final class Call: Hashable, Sendable {
    /// Where the result goes.
    public let result: Register
    /// What is called.
    public let callee: Callee
    /// The full name as Swift writes it, `name(label:_:)`, where the callee has a name.
    public let fullName: String?
    /// The arguments in order; trailing closures come last.
    public let arguments: [Argument]
    /// Whether the call is marked with `try`, so that it may continue at the innermost handler.
    public let mayThrow: Bool
    /// Whether the call is marked with `await`, so that other events may happen before it is done.
    public let maySuspend: Bool

    /// Makes a call.
    public init(result: Register, callee: Callee, arguments: [Argument], mayThrow: Bool = false, maySuspend: Bool = false) {
        self.result = result
        self.callee = callee
        fullName = callee.baseName.map { base in base + "(" + arguments.map { ($0.label ?? "_") + ":" }.joined() + ")" }
        self.arguments = arguments
        self.mayThrow = mayThrow
        self.maySuspend = maySuspend
    }

    /// The literal that the argument at a position is, counted from 0; nil for other arguments, and where there is none.
    public func boolean(at position: Int) -> Bool? {
        guard position < arguments.count, case .constant(.boolean(let value)) = arguments[position].value else { return nil }
        return value
    }

    /// The base names of the methods that selectors among the arguments name.
    public var handlers: [String] {
        arguments.compactMap { argument in
            if case .constant(.selector(let text)) = argument.value { ObjectiveCSelector.baseName(of: text) } else { nil }
        }
    }

    /// Whether the call gives a control, a bar item, a menu item or a recogniser what to send.
    public var givesAction: Bool {
        if case .initializer(let type) = callee { return ["GestureRecognizer", "BarButtonItem", "MenuItem"].contains { type.name.hasSuffix($0) } }
        return callee.baseName == "addTarget"
    }

    /// Whether two calls say the same.
    public static func == (first: Call, second: Call) -> Bool {
        first === second || first.result == second.result && first.callee == second.callee && first.arguments == second.arguments
            && first.mayThrow == second.mayThrow && first.maySuspend == second.maySuspend
    }

    /// Equal calls have equal callees and results.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(result)
        hasher.combine(callee)
    }
}

/// What a call calls.
public enum Callee: Hashable, Sendable {
    /// `receiver.name(…)`.
    case member(Operand, String)
    /// `super.name(…)`.
    case superMember(String)
    /// `name(…)` where the name is no local: a method of self or of an enclosing type, or a free function.
    case name(String)
    /// `name(…)` where the name is a local variable, parameter or local function.
    case local(LocalID)
    /// `Type(…)`, the initialiser of a type.
    case initializer(TypeReference)
    /// `.name(…)` whose type only the context tells.
    case implicitMember(String)
    /// A value that is called.
    case value(Operand)
    /// `#name(…)`, a macro that is not expanded.
    case macro(String)

    /// The name before the parentheses, where there is one.
    public var baseName: String? {
        switch self {
        case .member(_, let name), .superMember(let name), .name(let name), .implicitMember(let name), .macro(let name): name
        case .initializer: "init"
        case .local, .value: nil
        }
    }

    /// The name of the function of no type that may be meant; one that begins with a capital reads like the making of an object.
    public var functionName: String? {
        switch self {
        case .name(let name): name
        case .initializer(let type): type.name
        default: nil
        }
    }

    /// The name where it is called on self, as far as the call tells: a free function is called the same way.
    public var nameCalledOnSelf: String? {
        switch self {
        case .name(let name), .member(.selfObject, let name): name
        default: nil
        }
    }
}

/// The operations on collections that the language knows.
public enum CollectionOperation: String, Hashable, Sendable, CaseIterable {
    case append, insert, remove, removeAll, removeFirst, removeLast, popFirst, popLast
    case forEach, map, compactMap, flatMap, filter, first, contains, store
}

/// The computations without effect.
public enum Operator: Hashable, Sendable {
    /// A unary or binary operator of the language or of a library, by its spelling: `==`, `!`, `+`, `...`.
    case symbol(String)
    /// `value as? Type`: nil when the value is no such type.
    case conditionalCast(TypeReference)
    /// `value as! Type`: traps when the value is no such type.
    case forcedCast(TypeReference)
    /// `value as Type`.
    case coercion(TypeReference)
    /// `value is Type`.
    case typeTest(TypeReference)
    /// `value!`: traps on nil.
    case forceUnwrap
    case array, dictionary, tuple
    /// An element of a tuple, by number or label.
    case tupleElement(String)
    /// A string with interpolated values.
    case interpolation
    /// A key path applied, a type's metatype, a regular expression and other values without effect, by kind.
    case other(String)
}

/// One test of a branch with what must be evaluated before it.
public struct Clause: Hashable, Sendable {
    /// The statements that compute what is tested.
    public let setup: Block
    /// The test.
    public let test: Test

    /// Makes a clause.
    public init(setup: Block, test: Test) {
        self.setup = setup
        self.test = test
    }

    /// The question for the version of the system that it asks, which has one answer for a whole run: as `#available` writes it, and
    /// whether the clause holds where that does not; nil for other clauses.
    public var systemQuestion: (text: String, isNegated: Bool)? {
        guard case .isTrue(let value) = test else { return nil }
        if case .constant(.availability(let text)) = value { return (text, false) }
        guard case .register(let register) = value, case .compute(register, .symbol("prefix !"), let operands)? = setup.last?.kind,
              case .constant(.availability(let text))? = operands.first else { return nil }
        return (text, true)
    }
}

/// A test: its outcome may depend on a choice that no analysis can see.
public enum Test: Hashable, Sendable {
    /// The operand is true.
    case isTrue(Operand)
    /// The operand is not nil.
    case isPresent(Operand)
    /// The operand matches; names in the pattern are bound for the then-arm, and after the branch when it falls through.
    case matches(Operand, Pattern)

    /// The value of which it asks whether it is there, with or without a name for it; nil for other tests.
    public var optional: Operand? {
        switch self {
        case .isPresent(let operand), .matches(let operand, .present): operand
        default: nil
        }
    }
}

/// A pattern of a case, a binding or a catch clause.
public indirect enum Pattern: Hashable, Sendable {
    case wildcard
    /// Binds the value to a new local.
    case bind(LocalID)
    /// Equal to (or in the range of) the operand.
    case value(Operand)
    /// An enum case with patterns for what it carries.
    case enumCase(String, [Pattern])
    case tuple([Pattern])
    /// Is of the type, and as such matches the pattern.
    case type(TypeReference, Pattern)
    /// Is not nil, and matches the pattern.
    case present(Pattern)
}

/// One case of a `select`.
public struct SelectCase: Hashable, Sendable {
    /// The alternatives, in order; empty for `default`.
    public let items: [SelectItem]
    /// What runs when one matches.
    public let body: Block
    /// The configuration in which the case exists.
    public let condition: ConfigurationCondition

    /// Makes a case.
    public init(items: [SelectItem], body: Block, condition: ConfigurationCondition = .always) {
        self.items = items
        self.body = body
        self.condition = condition
    }
}

/// One alternative of a case: what is evaluated first, the pattern, and the clauses of `where`.
public struct SelectItem: Hashable, Sendable {
    public let setup: Block
    public let pattern: Pattern
    public let guards: [Clause]

    /// Makes an alternative.
    public init(setup: Block, pattern: Pattern, guards: [Clause]) {
        self.setup = setup
        self.pattern = pattern
        self.guards = guards
    }
}

/// A loop.
public struct Loop: Hashable, Sendable {
    /// The kinds of loops.
    public indirect enum Kind: Hashable, Sendable {
        /// Tests the clauses before each round.
        case whileTrue([Clause])
        /// Tests the clauses after each round.
        case repeatWhile([Clause])
        /// Runs once for each element that matches; `isAsync` loops suspend before each round.
        case forEach(Pattern, Operand, guards: [Clause], isAsync: Bool)
    }

    public let kind: Kind
    public let body: Block
    public let label: String?

    /// Makes a loop.
    public init(kind: Kind, body: Block, label: String?) {
        self.kind = kind
        self.body = body
        self.label = label
    }
}

/// A catch clause; without alternatives it catches everything.
public struct CatchClause: Hashable, Sendable {
    public let items: [SelectItem]
    /// The local that holds the error.
    public let error: LocalID
    public let body: Block

    /// Makes a clause.
    public init(items: [SelectItem], error: LocalID, body: Block) {
        self.items = items
        self.error = error
        self.body = body
    }
}

/// The ways to leave.
public enum Exit: Hashable, Sendable {
    case returns(Operand)
    case throwing(Operand)
    case breaks(label: String?)
    case continues(label: String?)
    case fallsThrough
    /// Ends the program: `fatalError()` and its kin.
    case trap
}

/// A part of the text that the front end could not lower.
public struct Opaque: Hashable, Sendable {
    /// The names that it mentions.
    public let reads: [String]
    /// The names that it may write.
    public let writes: [String]
    /// Why it was not lowered, in one or two words; the unit of the statistics.
    public let reason: String
    /// The register that holds its value, where it has one.
    public let result: Register?

    /// Makes an opaque part.
    public init(reads: [String], writes: [String], reason: String, result: Register?) {
        self.reads = reads
        self.writes = writes
        self.reason = reason
        self.result = result
    }
}
