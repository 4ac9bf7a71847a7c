internal import CLibClang
import ProgramModel

/// Statements.
extension BodyReading {
    func lower(statementsOf compound: Cursor) {
        let range = compound.offsets
        for child in compound.children {
            addGaps(from: range.start, before: child.offsets.start)
            lower(statement: child)
        }
        addGaps(from: range.start, before: range.end)
    }

    /// Lowers the statements of `({ … })`; the last one, if it is an expression, is the value of all.
    func lower(valueOfStatements compound: Cursor) -> Operand {
        guard let last = compound.children.last, last.isExpression else {
            lower(statementsOf: compound)
            return .constant(.void)
        }
        let range = compound.offsets
        for child in compound.children.dropLast() {
            addGaps(from: range.start, before: child.offsets.start)
            lower(statement: child)
        }
        addGaps(from: range.start, before: last.offsets.start)
        let value = lower(last)
        addGaps(from: range.start, before: range.end)
        return value
    }

    /// Lowers a statement in a scope of its own.
    private func scoped(_ cursor: Cursor?) -> Block {
        nested { if let cursor { lower(statement: cursor) } }
    }

    func lower(statement cursor: Cursor) {
        switch cursor.kind {
        case CXCursor_CompoundStmt:
            // A block in the place of a statement is no more than its statements: names are told apart by their declarations.
            lower(statementsOf: cursor)
        case CXCursor_DeclStmt:
            for child in cursor.children where child.kind == CXCursor_VarDecl && !child.isExtern { lower(variable: child) }
        case CXCursor_IfStmt:
            lower(if: cursor)
        case CXCursor_SwitchStmt:
            lower(switch: cursor)
        case CXCursor_WhileStmt:
            guard let (clauses, rest) = condition(of: cursor), let body = rest.last else { return }
            emit(.loop(Loop(kind: .whileTrue(clauses), body: scoped(body), label: nil)), at: cursor)
        case CXCursor_DoStmt:
            let parts = cursor.children
            guard let body = parts.first, let test = parts.last, parts.count > 1 else { return }
            emit(.loop(Loop(kind: .repeatWhile(clauses(of: test)), body: scoped(body), label: nil)), at: cursor)
        case CXCursor_ForStmt:
            lower(for: cursor)
        case CXCursor_ObjCForCollectionStmt, CXCursor_CXXForRangeStmt:
            lower(each: cursor)
        case CXCursor_ReturnStmt:
            guard let expression = cursor.children.first else { return emit(.exit(.returns(.constant(.void))), at: cursor) }
            let value = lower(expression)
            let range = cursor.offsets
            addGaps(from: range.start, before: range.end)
            // An initialiser that gives itself is done, as in Swift.
            emit(.exit(.returns(isInitializer && value == .selfObject ? .constant(.void) : value)), at: cursor)
        case CXCursor_BreakStmt:
            emit(.exit(.breaks(label: nil)), at: cursor)
        case CXCursor_ContinueStmt:
            emit(.exit(.continues(label: nil)), at: cursor)
        case CXCursor_ObjCAtTryStmt, CXCursor_CXXTryStmt:
            lower(try: cursor)
        case CXCursor_ObjCAtThrowStmt:
            let value = cursor.children.first.map { lower($0) } ?? .constant(.null)
            emit(.exit(.throwing(value)), at: cursor)
        case CXCursor_ObjCAtSynchronizedStmt:
            let parts = cursor.children
            if parts.count > 1, let lock = parts.first { _ = lower(lock) }
            if let body = parts.last { emit(.scope(scoped(body), label: nil), at: cursor) }
        case CXCursor_ObjCAutoreleasePoolStmt:
            for child in cursor.children { lower(statement: child) }
        case CXCursor_LabelStmt, CXCursor_CaseStmt, CXCursor_DefaultStmt:
            if let last = cursor.children.last { lower(statement: last) }
        case CXCursor_NullStmt:
            break
        case _ where cursor.isExpression:
            lowerAlone(cursor)
        default:
            _ = opaque("statement", at: cursor)
        }
    }

    private func lower(variable cursor: Cursor) {
        var initial = cursor.children.last.flatMap { $0.isExpression && !isArrayLength($0, of: cursor) ? $0 : nil }
        // In C++ every variable of a structure is made, whatever is written.
        if let made = initial, made.referenced?.kind == CXCursor_Constructor, made.children.isEmpty { initial = nil }
        if cursor.isStatic {
            guard let name = lastingName(cursor, declares: true) else { return }
            sentOffsets.formUnion(declarations.addLasting(name, cursor, initial: initial))
            return
        }
        // A block may capture the variable that it is the value of.
        if let initial, text(of: initial).contains("^") {
            let local = declare(cursor)
            emit(.declare(local, .constant(.null)), at: cursor)
            emit(.write(.local(local), lower(initial)), at: cursor)
            return
        }
        let value = initial.map { lower($0) }
        emit(.declare(declare(cursor), value ?? (cursor.type.isObject ? .constant(.null) : nil)), at: cursor)
    }

    private func isArrayLength(_ child: Cursor, of variable: Cursor) -> Bool {
        variable.type.spelling.hasSuffix("]") && child.kind == CXCursor_IntegerLiteral
    }

    private func lower(if cursor: Cursor) {
        guard let (clauses, rest) = condition(of: cursor), let first = rest.first else { return }
        let then = scoped(first)
        let otherwise = rest.count > 1 ? scoped(rest.last) : []
        emit(.branch(clauses, then: then, otherwise: otherwise), at: cursor)
    }

    private func lower(for cursor: Cursor) {
        let parts = cursor.children
        guard let body = parts.last else { return }
        let range = cursor.offsets
        // Absent parts have no node: the semicolons between the parentheses tell which are there.
        let first = tokens.index(at: range.start) + 1
        guard first < tokens.all.count, let close = tokens.closing(of: first) else { return }
        var depth = 0
        var semicolons: [Int] = []
        for position in first..<close {
            let token = tokens.all[position]
            if tokens.matches(token, "(") || tokens.matches(token, "[") || tokens.matches(token, "{") { depth += 1 }
            if tokens.matches(token, ")") || tokens.matches(token, "]") || tokens.matches(token, "}") { depth -= 1 }
            if depth == 1, tokens.matches(token, ";") { semicolons.append(token.start) }
        }
        guard semicolons.count == 2 else { return }
        var test: [Clause] = []
        var step: Cursor?
        for part in parts.dropLast() {
            let start = part.offsets.start
            if start < semicolons[0] {
                lower(statement: part)
            } else if start < semicolons[1] {
                test = clauses(of: part)
            } else {
                step = part
            }
        }
        let inner = nested {
            // `continue` runs the step as well.
            if let step { emit(.deferred(nested { _ = lower(step) }), at: step) }
            lower(statement: body)
        }
        emit(.loop(Loop(kind: .whileTrue(test), body: inner, label: nil)), at: cursor)
    }

    private func lower(each cursor: Cursor) {
        let parts = cursor.children
        guard let first = parts.first, let body = parts.last, parts.count > 2 else { return }
        let collection = parts.dropLast().last { $0.isExpression }.map { lower($0) } ?? .constant(.null)
        let variable = first.kind == CXCursor_DeclStmt ? first.children.first { $0.kind == CXCursor_VarDecl } : first.kind == CXCursor_VarDecl ? first : nil
        let element = variable.map { declare($0) } ?? first.essence.referenced.flatMap { local(declaredBy: $0) } ?? declareHidden("element")
        emit(.loop(Loop(kind: .forEach(.bind(element), collection, guards: [], isAsync: false), body: scoped(body), label: nil)), at: cursor)
    }

    private func lower(switch cursor: Cursor) {
        let (declarations, parts) = head(of: cursor)
        guard let subject = parts.first, let body = parts.last, parts.count > 1 else { return }
        lower(head: declarations)
        let value = lower(subject)
        var cases: [SelectCase] = []
        var items: [SelectItem] = []
        var isDefault = false
        var isOpen = false
        var arm: Block = []
        func close() {
            guard isOpen else { return }
            var block = arm
            // Without a way out an arm goes on with the next one.
            if block.lastExit == nil { block += nested { emit(.exit(.fallsThrough), at: cursor) } }
            cases.append(SelectCase(items: isDefault ? [] : items, body: block))
            (items, isDefault, isOpen, arm) = ([], false, false, [])
        }
        func enter(_ label: Cursor) {
            // `case 1: case 2: statement` nests.
            if !arm.isEmpty { close() }
            isOpen = true
            let inner = label.children
            if label.kind == CXCursor_DefaultStmt {
                isDefault = true
            } else if let test = inner.first {
                var operand = Operand.constant(.void)
                let setup = nested { operand = lower(test) }
                items.append(SelectItem(setup: setup, pattern: .value(operand), guards: []))
            }
            guard let statement = inner.last, inner.count > (label.kind == CXCursor_DefaultStmt ? 0 : 1) else { return }
            if statement.kind == CXCursor_CaseStmt || statement.kind == CXCursor_DefaultStmt { enter(statement) } else { arm += scoped(statement) }
        }
        let range = body.offsets
        for child in body.children {
            arm += nested { addGaps(from: range.start, before: child.offsets.start) }
            if child.kind == CXCursor_CaseStmt || child.kind == CXCursor_DefaultStmt { enter(child) } else { arm += scoped(child) }
        }
        arm += nested { addGaps(from: range.start, before: range.end) }
        // The last arm leaves the switch at its end.
        if isOpen { cases.append(SelectCase(items: isDefault ? [] : items, body: arm)) }
        emit(.select(value, cases, label: nil), at: cursor)
    }

    private func lower(try cursor: Cursor) {
        var body: Block = []
        var catches: [CatchClause] = []
        var last: Block = []
        for child in cursor.children {
            switch child.kind {
            case CXCursor_ObjCAtCatchStmt, CXCursor_CXXCatchStmt:
                let error = child.children.first { $0.kind == CXCursor_VarDecl }.map { declare($0) } ?? declareHidden("error")
                catches.append(CatchClause(items: [], error: error, body: scoped(child.children.last { $0.kind == CXCursor_CompoundStmt })))
            case CXCursor_ObjCAtFinallyStmt:
                last = nested { for inner in child.children { lower(statement: inner) } }
            default:
                body = scoped(child)
            }
        }
        if !last.isEmpty { emit(.deferred(last), at: cursor) }
        emit(.attempt(body, catches: catches, label: nil), at: cursor)
    }

    // MARK: Conditions

    /// What C++ declares between the parentheses of a statement, as in `if (id one = [self one])`, and the other parts of the statement.
    private func head(of statement: Cursor) -> (declarations: [Cursor], parts: ArraySlice<Cursor>) {
        let children = statement.children
        let declarations = children.prefix { $0.kind == CXCursor_VarDecl || $0.kind == CXCursor_DeclStmt }
        return (declarations.sorted { $0.offsets.start < $1.offsets.start }, children[declarations.endIndex...])
    }

    private func lower(head declarations: [Cursor]) {
        for one in declarations { if one.kind == CXCursor_VarDecl { lower(variable: one) } else { lower(statement: one) } }
    }

    /// The clauses of a statement's condition, and the parts of the statement that come after it; nil where some are missing.
    private func condition(of statement: Cursor) -> (clauses: [Clause], rest: ArraySlice<Cursor>)? {
        let (declarations, parts) = head(of: statement)
        guard let test = parts.first, parts.count > 1 else { return nil }
        let setup = nested { lower(head: declarations) }
        var clauses = clauses(of: test)
        if !setup.isEmpty, let first = clauses.first { clauses[0] = Clause(setup: setup + first.setup, test: first.test) }
        return (clauses, parts.dropFirst())
    }

    /// The clauses of a condition: `a && b` is two clauses, so that neither is hidden in the other.
    func clauses(of cursor: Cursor) -> [Clause] {
        let test = cursor.essence
        if test.kind == CXCursor_BinaryOperator, binaryOperator(test) == "&&" {
            let parts = test.children
            if parts.count == 2 { return clauses(of: parts[0]) + clauses(of: parts[1]) }
        }
        var outcome = Test.isTrue(.constant(.boolean(true)))
        let setup = nested { outcome = self.test(test) }
        return [Clause(setup: setup, test: outcome)]
    }

    /// What is tested: objects for nil, numbers for zero.
    private func test(_ cursor: Cursor) -> Test {
        // `if ((self = [super init]))`: what could not be made is not tested for here, as in Swift.
        if cursor.kind == CXCursor_BinaryOperator, binaryOperator(cursor) == "=", let left = cursor.children.first, left.essence.kind == CXCursor_ObjCSelfExpr {
            _ = lower(cursor)
            return .isTrue(.constant(.boolean(true)))
        }
        return test(lower(cursor), of: cursor)
    }

    /// What is tested of a value.
    func test(_ operand: Operand, of cursor: Cursor) -> Test {
        let type = cursor.valueType
        if isTestedForNil(cursor) { return .isPresent(operand) }
        if isComparison(cursor) || type.isBoolean || type.isPointer { return .isTrue(operand) }
        if case .constant(.integer(let number)) = operand { return .isTrue(.constant(.boolean(number != 0))) }
        if case .constant(.boolean) = operand { return .isTrue(operand) }
        return .isTrue(compute(.symbol("!="), [operand, .constant(.integer(0))], at: cursor))
    }

    private func isComparison(_ cursor: Cursor) -> Bool {
        if cursor.kind == CXCursor_UnaryOperator { return unaryOperator(cursor) == "!" }
        guard cursor.kind == CXCursor_BinaryOperator else { return cursor.kind == CXCursor_ObjCAvailabilityCheckExpr }
        return ["==", "!=", "<", ">", "<=", ">=", "&&", "||"].contains(binaryOperator(cursor))
    }

    /// Whether a condition asks if a value is there: not of what an undeclared method gives, for that may be a number as well as an object.
    func isTestedForNil(_ cursor: Cursor) -> Bool {
        let inner = cursor.essence
        guard inner.valueType.isPointer else { return false }
        guard inner.kind == CXCursor_ObjCMessageExpr, inner.referenced == nil else { return true }
        return selector(ofMessage: inner).map { Self.givesObject($0) } ?? true
    }
}
