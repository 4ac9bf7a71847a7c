internal import CLibClang
import ProgramModel
import SourceText

/// Lowers the code of one method or function into the statement language; used for one body and then dropped.
final class BodyReading {
    let declarations: DeclarationReading
    /// The class whose method it is; nil outside classes.
    let className: String?
    let isStatic: Bool

    private var locals: [Local] = []
    private var parameters: [LocalID] = []
    private var registerCount = 0
    private var statementCount: Int32 = 0
    /// Where a local is declared: a macro may declare several at one place.
    private struct Declaration: Hashable {
        let offset: Int
        let name: String
    }

    /// A stretch of text for which no statement may stand: what the preprocessor left out, or a message that libclang may have dropped.
    private struct Gap {
        let start: Int
        let end: Int
        /// The message; nil for what the preprocessor left out.
        let message: TokenMessage?
    }

    /// The locals by their declarations: what names them refers to it.
    private var localsByDeclaration: [Declaration: LocalID] = [:]
    /// Locals with static storage, which live as long as the app.
    private var lastingLocals: [Declaration: String] = [:]
    /// The statements of the block being made.
    var block: Block = []
    /// Where the messages begin that were lowered.
    var sentOffsets: Set<Int> = []
    /// Whether some message of the text is not in the tree, so that nothing in the body may be called missing.
    private(set) var isPartial = false
    /// What the tokens of the body show and the tree may not have, in the order of the text.
    private var gaps: [Gap] = []
    var isInitializer = false
    private var methodName = ""
    private var depth = 0

    /// Beyond this nesting an expression is opaque; deeper code is generated, and recursion must end.
    private static let deepestNesting = 500

    init(declarations: DeclarationReading, className: String?, isStatic: Bool) {
        self.declarations = declarations
        self.className = className
        self.isStatic = isStatic
    }

    var tokens: TokenList { declarations.tokens }

    // MARK: Bodies

    /// The body of a method or function with its block.
    func body(of cursor: Cursor, _ compound: Cursor) -> Body {
        methodName = cursor.spelling
        isInitializer = !isStatic && declarations.names.name(ofSelector: methodName).base == "init" && ImportedNames.isInitializer(methodName)
        for parameter in cursor.children where parameter.kind == CXCursor_ParmDecl {
            parameters.append(declare(parameter))
        }
        followGaps(in: compound.offsets)
        lower(statementsOf: compound)
        return finish(declarations.span(of: cursor))
    }

    func body(ofValue expression: Cursor) -> Body {
        let value = lower(expression)
        emit(.exit(.returns(value)), at: expression)
        return finish(declarations.span(of: expression))
    }

    /// A body that gives a constant.
    static func constant(_ value: Constant, at span: SourceSpan) -> Body {
        Body(locals: [], parameters: [], block: [Statement(id: 0, span: span, kind: .exit(.returns(.constant(value))))], registerCount: 0, statementCount: 1, span: span)
    }

    /// The getter that the compiler makes.
    static func getter(of variable: String, at span: SourceSpan) -> Body {
        let register = Register(0)
        return Body(
            locals: [], parameters: [],
            block: [
                Statement(id: 0, span: span, kind: .read(register, .member(.selfObject, variable))),
                Statement(id: 1, span: span, kind: .exit(.returns(.register(register)))),
            ], registerCount: 1, statementCount: 2, span: span)
    }

    /// The setter that the compiler makes.
    static func setter(of variable: String, at span: SourceSpan) -> Body {
        let (register, parameter) = (Register(0), LocalID(0))
        return Body(
            locals: [Local(name: "newValue", type: nil, isMutable: false)], parameters: [parameter],
            block: [
                Statement(id: 0, span: span, kind: .read(register, .local(parameter))),
                Statement(id: 1, span: span, kind: .write(.member(.selfObject, variable), .register(register))),
            ], registerCount: 1, statementCount: 2, span: span)
    }

    /// Begins to follow what the tree of a body may leave out.
    private func followGaps(in range: (start: Int, end: Int)) {
        let skipped = declarations.skipped
        let messages = tokens.messages(from: range.start, to: range.end)
            .filter { message in !message.isDirective && !skipped.contains { $0.start <= message.start && message.start < $0.end } }
        declarations.messageCount += messages.count
        gaps = messages.map { Gap(start: $0.start, end: $0.end, message: $0) }
        gaps += skipped.filter { $0.start >= range.start && $0.end <= range.end && !tokens.isDead($0.start) }.map { Gap(start: $0.start, end: $0.end, message: nil) }
        gaps.sort { $0.start < $1.start }
    }

    private func finish(_ span: SourceSpan) -> Body {
        Body(locals: locals, parameters: parameters, block: block, registerCount: registerCount, statementCount: Int(statementCount), span: span)
    }

    // MARK: Making statements

    func register() -> Register {
        defer { registerCount += 1 }
        return Register(registerCount)
    }

    func emit(_ kind: StatementKind, at cursor: Cursor) {
        emit(kind, span: declarations.span(of: cursor))
    }

    private func emit(_ kind: StatementKind, span: SourceSpan) {
        block.append(Statement(id: statementCount, span: span, kind: kind))
        statementCount += 1
    }

    /// Emits a statement that gives a value.
    func value(at cursor: Cursor, _ kind: (Register) -> StatementKind) -> Operand {
        let result = register()
        emit(kind(result), at: cursor)
        return .register(result)
    }

    func compute(_ operation: Operator, _ operands: [Operand], at cursor: Cursor) -> Operand {
        value(at: cursor) { .compute($0, operation, operands) }
    }

    func opaque(_ reason: String, at cursor: Cursor) -> Operand {
        let words = words(from: cursor.offsets.start, to: cursor.offsets.end)
        return value(at: cursor) { .opaque(Opaque(reads: words, writes: words, reason: reason, result: $0)) }
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
    func deeper(at cursor: Cursor, _ work: () -> Operand) -> Operand {
        guard depth < Self.deepestNesting else { return opaque("nesting", at: cursor) }
        depth += 1
        defer { depth -= 1 }
        return work()
    }

    // MARK: Names

    @discardableResult
    func declare(_ cursor: Cursor) -> LocalID {
        let local = LocalID(locals.count)
        locals.append(Local(name: cursor.spelling, type: cursor.type.reference, isMutable: true, isWeak: tokens.declaresWeakly(cursor.spelling, at: cursor.nameOffset) ?? cursor.type.isWeak))
        localsByDeclaration[Declaration(offset: cursor.nameOffset, name: cursor.spelling)] = local
        return local
    }

    func declareHidden(_ name: String) -> LocalID {
        let local = LocalID(locals.count)
        locals.append(Local(name: name, type: nil, isMutable: false))
        return local
    }

    /// The local that a declaration declares; what no statement declared (the error of a `@catch`) is declared now.
    func local(declaredBy cursor: Cursor) -> LocalID? {
        if let known = localsByDeclaration[Declaration(offset: cursor.nameOffset, name: cursor.spelling)] { return known }
        switch cursor.parent?.kind {
        case CXCursor_ObjCInstanceMethodDecl?, CXCursor_ObjCClassMethodDecl?, CXCursor_FunctionDecl?: return declare(cursor)
        default: return nil
        }
    }

    /// The name under which a local with static storage lives outside all frames.
    func lastingName(_ cursor: Cursor, declares: Bool = false) -> String? {
        let declaration = Declaration(offset: cursor.nameOffset, name: cursor.spelling)
        if declares { lastingLocals[declaration] = "\(className ?? "").\(methodName).\(cursor.spelling)" }
        return lastingLocals[declaration]
    }

    /// The field of self that a variable stands for.
    func field(_ variable: String) -> String {
        className.map { declarations.classes.field(ofVariable: variable, in: $0) } ?? variable
    }

    // MARK: What the tree left out

    /// Adds what stands between two places and the tree left out; whatever it has of that stretch must be lowered by then.
    func addGaps(from start: Int, before end: Int) {
        let first = gaps.firstIndex { $0.start >= start } ?? gaps.endIndex
        let last = gaps[first...].firstIndex { $0.start >= end } ?? gaps.endIndex
        guard first < last else { return }
        let passed = gaps[first..<last]
        gaps.removeSubrange(first..<last)
        for gap in passed {
            guard let message = gap.message else {
                addOpaque("skipped by #if", from: gap.start, gap, result: nil)
                continue
            }
            if !sentOffsets.contains(message.start) { addLost(message, gap) }
        }
    }

    private func addOpaque(_ reason: String, from start: Int, _ gap: Gap, result: Register?) {
        let words = words(from: start, to: gap.end)
        emit(.opaque(Opaque(reads: words, writes: words, reason: reason, result: result)), span: declarations.lines.span(from: gap.start, to: gap.end))
    }

    /// Adds a message that libclang dropped with the statement around it, by its tokens.
    private func addLost(_ message: TokenMessage, _ gap: Gap) {
        declarations.lostMessageCount += 1
        isPartial = true
        guard message.receiver == "super" else {
            // What the statement assigns to is lost with it.
            return addOpaque("lost message", from: tokens.startOfStatement(around: message.start), gap, result: register())
        }
        let name = declarations.names.name(ofSelector: message.selector)
        let arguments = name.labels.map { Argument(label: $0, value: .constant(.implicitMember("lost"))) }
        emit(.call(Call(result: register(), callee: .superMember(name.base), arguments: arguments)), span: declarations.lines.span(from: gap.start, to: gap.end))
    }

    /// Counts a message of which the tree tells too little.
    func noteLoss() {
        declarations.messageCount += 1
        declarations.lostMessageCount += 1
        isPartial = true
    }

    private func words(from start: Int, to end: Int) -> [String] {
        Set(tokens.tokens(from: start, to: end).filter { $0.kind == .word && !$0.isDirective }.map { tokens.text($0) }).sorted()
    }
}
