import ProgramModel
import SourceText
import SwiftSyntax

/// Lowers the code of one member into the statement language; used for one body and then dropped.
final class BodyLowering {
    let declarations: DeclarationLowering
    /// The qualified name of the enclosing type, under which local types are collected.
    let typeName: String

    private(set) var locals: [Local] = []
    private var parameters: [LocalID] = []
    private var registerCount = 0
    private var statementCount: Int32 = 0
    private var scopes: [[String: LocalID]] = [[:]]
    /// The `#if`s and the patterns of one case that are being lowered, innermost last.
    private var alternatives: [Alternatives] = []
    /// The statements of the block being made.
    var block: Block = []
    /// The optional chains that are open in the expression being lowered, outermost first.
    var openChains: [[OpenChain]] = [[]]
    /// The closures being lowered that name no parameters, innermost last: the indices of `$0` and its kin that they use.
    var anonymousParameters: [[Int: LocalID]] = []
    /// The locals that are computed: functions without parameters, called by their name alone.
    var computedLocals: Set<LocalID> = []
    /// The value to which the first link inside a postfix `#if` belongs.
    var implicitBase: Operand?
    var tryDepth = 0
    var awaitDepth = 0
    private var depth = 0

    /// Beyond this nesting an expression is opaque; deeper code is generated, and recursion must end.
    private static let deepestNesting = 500

    init(declarations: DeclarationLowering, typeName: String) {
        self.declarations = declarations
        self.typeName = typeName
    }

    // MARK: Bodies

    func declareParameters(_ clause: FunctionParameterClauseSyntax) {
        for parameter in clause.parameters {
            declareParameter((parameter.secondName ?? parameter.firstName).plainText, type: TypeReference(parameter.type))
        }
    }

    func declareParameter(_ name: String, type: TypeReference?) {
        parameters.append(declare(name, type: type, isMutable: false))
    }

    /// The body of a function or accessor; the only expression of one that gives no value is not what it returns.
    func body(ofItems items: some Collection<CodeBlockItemSyntax>, givesValue: Bool = true, span: SourceSpan) -> Body {
        if givesValue { lowerResult(of: items) } else { lower(items: items) }
        return finish(span)
    }

    /// Lowers a body whose only expression is what it returns.
    func lowerResult(of items: some Collection<CodeBlockItemSyntax>) {
        if items.count == 1, let value = items.first?.valueExpression {
            emit(.exit(.returns(lower(value))), at: value)
        } else {
            lower(items: items)
        }
    }

    func body(ofValue expression: ExprSyntax, span: SourceSpan) -> Body {
        emit(.exit(.returns(lower(expression))), at: expression)
        return finish(span)
    }

    /// The body of what was lowered so far.
    func finish(_ span: SourceSpan) -> Body {
        Body(locals: locals, parameters: parameters, block: block, registerCount: registerCount, statementCount: Int(statementCount), span: span)
    }

    // MARK: Making statements

    func register() -> Register {
        defer { registerCount += 1 }
        return Register(registerCount)
    }

    func emit(_ kind: StatementKind, at node: some SyntaxProtocol) {
        block.append(Statement(id: statementCount, span: declarations.span(of: node), kind: kind))
        statementCount += 1
    }

    /// Emits a statement that gives a value.
    func value(at node: some SyntaxProtocol, _ kind: (Register) -> StatementKind) -> Operand {
        let result = register()
        emit(kind(result), at: node)
        return .register(result)
    }

    func compute(_ operation: Operator, _ operands: [Operand], at node: some SyntaxProtocol) -> Operand {
        value(at: node) { .compute($0, operation, operands) }
    }

    func opaque(_ reason: String, at node: some SyntaxProtocol) -> Operand {
        let names = Set(node.tokens(viewMode: .sourceAccurate).compactMap { token -> String? in
            switch token.tokenKind {
            case .identifier(let name): return name
            case .keyword(.super): return "super"
            default: return nil
            }
        }).sorted()
        return value(at: node) { .opaque(Opaque(reads: names, writes: names, reason: reason, result: $0)) }
    }

    /// The statements that `work` emits, in a block of their own.
    func nested(_ work: () -> Void) -> Block {
        let saved = block
        block = []
        work()
        defer { block = saved }
        return block
    }

    /// Runs `work` one level deeper, or gives an opaque value when that is too deep.
    func deeper(at node: some SyntaxProtocol, _ work: () -> Operand) -> Operand {
        guard depth < Self.deepestNesting else { return opaque("nesting", at: node) }
        depth += 1
        defer { depth -= 1 }
        return work()
    }

    // MARK: Names

    func inScope<Result>(_ work: () -> Result) -> Result {
        scopes.append([:])
        defer { scopes.removeLast() }
        return work()
    }

    /// Declares a name in the innermost scope; what the alternatives of one `#if` or case call alike is one local.
    @discardableResult
    func declare(_ name: String, type: TypeReference?, isMutable: Bool, isWeak: Bool = false, isUnowned: Bool = false) -> LocalID {
        let known = alternatives.last.flatMap { $0.depth == scopes.count ? $0.names[name] : nil }
        let local = known ?? LocalID(locals.count)
        if known == nil { locals.append(Local(name: name, type: type, isMutable: isMutable, isWeak: isWeak, isUnowned: isUnowned)) }
        bring([name: local])
        return local
    }

    /// What the innermost scope declares.
    var namesOfScope: [String: LocalID] { scopes[scopes.count - 1] }

    /// Makes names known in the innermost scope, and after the `#if` whose arm declares them.
    func bring(_ names: [String: LocalID]) {
        scopes[scopes.count - 1].merge(names) { _, new in new }
        guard let last = alternatives.indices.last, alternatives[last].depth == scopes.count else { return }
        alternatives[last].names.merge(names) { _, new in new }
    }

    /// Runs `work`, which lowers the arms of one `#if` or the patterns of one case; what they declare is known after it.
    func inAlternatives<Result>(_ work: () -> Result) -> Result {
        alternatives.append(Alternatives(depth: scopes.count, before: namesOfScope))
        let result = work()
        let declared = alternatives.removeLast().names
        bring(declared)
        return result
    }

    /// The statements of one arm of the innermost `#if`, which sees nothing that its other arms declare.
    func arm(_ work: () -> Void) -> Block {
        if let innermost = alternatives.last { scopes[scopes.count - 1] = innermost.before }
        return nested(work)
    }

    /// A local without a name in the text: an implicit parameter or error.
    func declareHidden(_ name: String) -> LocalID {
        let local = LocalID(locals.count)
        locals.append(Local(name: name, type: nil, isMutable: false))
        return local
    }

    func lookUp(_ name: String) -> LocalID? {
        for scope in scopes.reversed() {
            if let local = scope[name] { return local }
        }
        return nil
    }

    // MARK: Local types and functions

    func lowerLocalType(_ declaration: DeclSyntax) {
        // Members that the lowering returns belong to no type: only nested types and aliases are kept.
        _ = declarations.lower(declaration, in: typeName, condition: .always, isLocal: true)
    }
}

/// The arms of one `#if`, of which a build compiles one, or the patterns of one case, of which one matches.
private struct Alternatives {
    /// How many scopes are open around it.
    let depth: Int
    /// What the scope around it declares before it.
    let before: [String: LocalID]
    /// What its arms declare.
    var names: [String: LocalID] = [:]
}

/// An optional chain that waits for its end: what stood before it, and the value that must not be nil.
struct OpenChain {
    let before: Block
    let subject: Operand
    let node: Syntax
}
