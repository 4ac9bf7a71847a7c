import SourceText

/// A closure or local function: code with a scope of its own inside a body; a class, for runs pass it on and it never changes.
public final class Closure: Hashable, Sendable {
    /// The capture list; what is not in it is captured strongly, as written in the text.
    public let captures: [Capture]
    /// The parameters in order; `$0` and its kin where they are not named.
    public let parameters: [LocalID]
    /// What runs when it is called.
    public let block: Block
    /// Whether it is marked or must be `async`.
    public let isAsync: Bool
    /// The attributes and global actor written on it: `MainActor`, `Sendable`.
    public let attributes: [String]

    /// Whether its statements are values that somebody collects when it is called, as those of a result builder are.
    public let isOfResultBuilder: Bool

    /// Whether it is written as a closure of Swift, which has to say `self` where it may escape; local functions need not.
    public let isExpression: Bool

    /// Makes a closure.
    public init(
        captures: [Capture], parameters: [LocalID], block: Block, isAsync: Bool, attributes: [String], isOfResultBuilder: Bool = false, isExpression: Bool = false
    ) {
        self.captures = captures
        self.parameters = parameters
        self.block = block
        self.isAsync = isAsync
        self.attributes = attributes
        self.isOfResultBuilder = isOfResultBuilder
        self.isExpression = isExpression
    }

    /// Whether two closures say the same.
    public static func == (first: Closure, second: Closure) -> Bool {
        first === second || first.captures == second.captures && first.parameters == second.parameters && first.block == second.block
            && first.isAsync == second.isAsync && first.attributes == second.attributes && first.isOfResultBuilder == second.isOfResultBuilder
            && first.isExpression == second.isExpression
    }

    /// Equal closures have equal parameters and captures.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(captures)
        hasher.combine(parameters)
        hasher.combine(block.count)
    }
}

/// One entry of a capture list.
public struct Capture: Hashable, Sendable {
    /// How the closure holds what it captured.
    public enum Strength: String, Hashable, Sendable {
        case strong, weak, unowned
    }

    /// The local by which the closure's code knows the value.
    public let local: LocalID
    public let strength: Strength
    /// The captured value, evaluated where the closure is made.
    public let value: Operand

    /// Makes an entry.
    public init(local: LocalID, strength: Strength, value: Operand) {
        self.local = local
        self.strength = strength
        self.value = value
    }
}

/// A local variable, parameter or local function.
public struct Local: Hashable, Sendable {
    public let name: String
    /// The type, where it is written.
    public let type: TypeReference?
    public let isMutable: Bool
    /// Whether the local holds its object weakly (`weak var`, `[weak self]`).
    public let isWeak: Bool
    /// Whether it refers to its object without a count (`unowned let`, `[unowned self]`); closures that mention it keep nothing alive either.
    public let isUnowned: Bool

    /// Makes a local.
    public init(name: String, type: TypeReference?, isMutable: Bool, isWeak: Bool = false, isUnowned: Bool = false) {
        self.name = name
        self.type = type
        self.isMutable = isMutable
        self.isWeak = isWeak
        self.isUnowned = isUnowned
    }
}

/// The code of one member, lowered; a class, for runs pass it on and it never changes.
public final class Body: Hashable, Sendable {
    /// Every local of the body and of the closures in it, by `LocalID`.
    public let locals: [Local]
    /// The parameters in order.
    public let parameters: [LocalID]
    public let block: Block
    /// How many registers the body uses.
    public let registerCount: Int
    /// How many statements it has, those of closures included.
    public let statementCount: Int
    public let span: SourceSpan

    /// Makes a body.
    public init(locals: [Local], parameters: [LocalID], block: Block, registerCount: Int, statementCount: Int, span: SourceSpan) {
        self.locals = locals
        self.parameters = parameters
        self.block = block
        self.registerCount = registerCount
        self.statementCount = statementCount
        self.span = span
    }

    /// Whether two bodies say the same at the same place of a text.
    public static func == (first: Body, second: Body) -> Bool {
        first === second || first.span == second.span && first.locals == second.locals && first.parameters == second.parameters && first.block == second.block
            && first.registerCount == second.registerCount && first.statementCount == second.statementCount
    }

    /// Equal bodies have equal spans.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(span)
        hasher.combine(statementCount)
    }

    /// The local of this name in the body's table.
    public subscript(_ local: LocalID) -> Local { locals[Int(local.index)] }
}
