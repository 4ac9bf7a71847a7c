/// The name of the result of one statement; unique within one member's body.
public struct Register: Hashable, Sendable {
    /// The number, counted from 0 in order of the text.
    public let index: Int32

    /// Makes the register of this number.
    public init(_ index: Int) {
        self.index = Int32(index)
    }
}

/// The name of a local variable, parameter or local function; unique within one member's body.
public struct LocalID: Hashable, Sendable {
    /// The index into `Body.locals`.
    public let index: Int32

    /// Makes the local of this index.
    public init(_ index: Int) {
        self.index = Int32(index)
    }
}

/// What a statement works on: a result of an earlier statement, or something that needs no evaluation.
public enum Operand: Hashable, Sendable {
    /// The result of an earlier statement.
    case register(Register)
    /// A value known from the text.
    case constant(Constant)
    /// The object whose member the body is.
    case selfObject
    /// A type as a value, as the receiver of a static member or of an initialiser.
    case type(TypeReference)
}

/// A value known from the text alone.
public enum Constant: Hashable, Sendable {
    /// `nil`.
    case null
    /// `()`, the result of what returns nothing.
    case void
    case boolean(Bool)
    case integer(Int)
    /// A number that is no `Int`, as it is written.
    case number(String)
    /// A string without interpolation, escapes resolved.
    case string(String)
    /// The argument of `#selector`, as written without white space: `Self.tick(_:)`.
    case selector(String)
    /// A key path: the root type where it is written, and the dotted path.
    case keyPath(root: String?, path: String)
    /// `.name` whose type only the context tells: an enum case or a static member.
    case implicitMember(String)
    /// `#available(…)`, as written: true or false for a whole run; `#unavailable(…)` is its negation.
    case availability(String)
    /// A compile-time literal such as `#file` or `#line`.
    case literalMacro(String)
}

/// Something that can be read and written.
public enum Place: Hashable, Sendable {
    /// A local variable or parameter.
    case local(LocalID)
    /// A name that is no local: the linker decides between a member of self, of an enclosing type, and a global.
    case name(String)
    /// The property of a value.
    case member(Operand, String)
    /// The inherited property, `super.name`.
    case superMember(String)
    /// The element of a value, `base[arguments]`.
    case element(Operand, [Argument])
}

/// One argument of a call or subscript.
public struct Argument: Hashable, Sendable {
    /// The label as written at the call, without the colon.
    public let label: String?
    /// The value that is passed.
    public let value: Operand
    /// The place that the callee may write, for an argument given with `&`.
    public let place: Place?
    /// Whether the argument is a closure written after the parentheses.
    public let isTrailing: Bool

    /// Makes an argument.
    public init(label: String?, value: Operand, place: Place? = nil, isTrailing: Bool = false) {
        self.label = label
        self.value = value
        self.place = place
        self.isTrailing = isTrailing
    }
}
