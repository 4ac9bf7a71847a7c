import ProgramModel
import SourceText
import SwiftSyntax

/// Statements and declarations inside bodies.
extension BodyLowering {
    func lower(items: some Sequence<CodeBlockItemSyntax>) {
        for item in items {
            switch item.item {
            case .decl(let declaration): lower(declaration: declaration)
            case .stmt(let statement): lower(statement: statement, label: nil)
            case .expr(let expression): lower(discarded: expression)
            @unknown default: _ = opaque("item", at: item)
            }
        }
    }

    /// Lowers a block in a scope of its own.
    func scopedBlock(_ items: CodeBlockItemListSyntax) -> Block {
        nested { inScope { lower(items: items) } }
    }

    /// An expression whose value nobody uses.
    private func lower(discarded expression: ExprSyntax) {
        if let node = expression.as(IfExprSyntax.self) {
            _ = lower(node, resultWanted: false)
        } else if let node = expression.as(SwitchExprSyntax.self) {
            _ = lower(node, label: nil, resultWanted: false)
        } else {
            _ = lower(expression)
        }
    }

    // MARK: Declarations

    private func lower(declaration: DeclSyntax) {
        switch declaration.as(DeclSyntaxEnum.self) {
        case .variableDecl(let node):
            lower(variable: node)
        case .functionDecl(let node):
            let local = declare(node.name.plainText, type: nil, isMutable: false)
            emit(.function(local, localFunction(node)), at: node)
        case .ifConfigDecl(let node):
            lower(configuration: node)
        case .macroExpansionDecl(let node):
            _ = call(.macro(node.macroName.text), node.arguments, trailing: node.trailingClosure, more: node.additionalTrailingClosures, at: node)
        default:
            lowerLocalType(declaration)
        }
    }

    private func lower(variable node: VariableDeclSyntax) {
        let modifiers = DeclarationLowering.modifiers(node.modifiers)
        let isMutable = node.bindingSpecifier.tokenKind == .keyword(.var)
        let isChildTask = modifiers.contains("async")
        for binding in node.bindings {
            let type = binding.typeAnnotation.map { TypeReference($0.type) }
            if let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.plainText {
                if isChildTask, let initializer = binding.initializer {
                    let task = closure(isAsync: true) { self.lower(initializer.value) }
                    emit(.spawn(declare(name, type: type, isMutable: false), task), at: binding)
                } else if let accessors = binding.accessorBlock {
                    lower(localAccessors: accessors, of: name, type: type, initial: binding.initializer, at: binding)
                } else {
                    // The value is evaluated before its name is known: `let view = view` reads the outer one.
                    let initial = binding.initializer.map { lower($0.value) }
                    let isWeak = modifiers.contains { $0.hasPrefix("weak") }
                    let isUnowned = modifiers.contains { $0.hasPrefix("unowned") }
                    emit(.declare(declare(name, type: type, isMutable: isMutable, isWeak: isWeak, isUnowned: isUnowned), initial), at: binding)
                }
            } else if let initializer = binding.initializer {
                let value = lower(initializer.value)
                destructure(value, pattern(binding.pattern, binds: true, isMutable: isMutable), at: binding)
            }
        }
    }

    /// Binds the names of a pattern that cannot fail.
    private func destructure(_ value: Operand, _ pattern: Pattern, at node: some SyntaxProtocol) {
        switch pattern {
        case .bind(let local):
            emit(.declare(local, value), at: node)
        case .tuple(let parts):
            for (index, part) in parts.enumerated() where part != .wildcard {
                destructure(compute(.tupleElement(String(index)), [value], at: node), part, at: node)
            }
        default:
            break
        }
    }

    /// A computed local is a function without parameters; an observed one keeps its value.
    private func lower(
        localAccessors: AccessorBlockSyntax, of name: String, type: TypeReference?, initial: InitializerClauseSyntax?, at node: some SyntaxProtocol
    ) {
        let value = initial.map { lower($0.value) }
        let local = declare(name, type: type, isMutable: true)
        switch localAccessors.accessors {
        case .getter(let items):
            computedLocals.insert(local)
            emit(.function(local, closure(isAsync: false) { self.lowerResult(of: items) }), at: node)
        case .accessors:
            emit(.declare(local, value), at: node)
            _ = opaque("local accessors", at: localAccessors)
        @unknown default:
            _ = opaque("local accessors", at: localAccessors)
        }
    }

    func lower(configuration node: IfConfigDeclSyntax) {
        var clauses = node.clauses.map { (ConfigurationCondition($0.condition), $0) }
        func rest() -> Block {
            guard !clauses.isEmpty else { return [] }
            let (condition, clause) = clauses.removeFirst()
            // Names declared in an arm are seen after `#endif`, so an arm is no scope of its own.
            let then = arm { if case .statements(let items) = clause.elements { lower(items: items) } }
            if clause.condition == nil { return then }
            let otherwise = rest()
            return nested { emit(.configuration(condition, then: then, otherwise: otherwise), at: clause) }
        }
        inAlternatives { block += rest() }
    }

    // MARK: Statements

    private func lower(statement: StmtSyntax, label: String?) {
        switch statement.as(StmtSyntaxEnum.self) {
        case .expressionStmt(let node):
            if let inner = node.expression.as(SwitchExprSyntax.self) {
                _ = lower(inner, label: label, resultWanted: false)
            } else if let inner = node.expression.as(IfExprSyntax.self), let label {
                emit(.scope(nested { _ = lower(inner, resultWanted: false) }, label: label), at: node)
            } else {
                lower(discarded: node.expression)
            }
        case .guardStmt(let node):
            // What the conditions bind is known after the guard, not in its body.
            let (tests, bound) = inScope { (clauses(of: node.conditions), namesOfScope) }
            let otherwise = scopedBlock(node.body.statements)
            bring(bound)
            emit(.branch(tests, then: [], otherwise: otherwise), at: node)
        case .returnStmt(let node):
            let value = node.expression.map { lower($0) } ?? .constant(.void)
            emit(.exit(.returns(value)), at: node)
        case .throwStmt(let node):
            emit(.exit(.throwing(lower(node.expression))), at: node)
        case .breakStmt(let node):
            emit(.exit(.breaks(label: node.label?.text)), at: node)
        case .continueStmt(let node):
            emit(.exit(.continues(label: node.label?.text)), at: node)
        case .fallThroughStmt(let node):
            emit(.exit(.fallsThrough), at: node)
        case .deferStmt(let node):
            emit(.deferred(scopedBlock(node.body.statements)), at: node)
        case .doStmt(let node):
            lower(node, label: label)
        case .whileStmt(let node):
            inScope {
                let clauses = clauses(of: node.conditions)
                let body = scopedBlock(node.body.statements)
                emit(.loop(Loop(kind: .whileTrue(clauses), body: body, label: label)), at: node)
            }
        case .repeatStmt(let node):
            let body = scopedBlock(node.body.statements)
            emit(.loop(Loop(kind: .repeatWhile(clauses(of: node.condition)), body: body, label: label)), at: node)
        case .forStmt(let node):
            lower(node, label: label)
        case .labeledStmt(let node):
            lower(statement: node.statement, label: node.label.text)
        case .yieldStmt(let node):
            switch node.yieldedExpressions {
            case .single(let expression): emit(.exit(.returns(lower(expression))), at: node)
            default: _ = opaque("yield", at: node)
            }
        case .discardStmt(let node):
            _ = lower(node.expression)
        default:
            _ = opaque("statement", at: statement)
        }
    }

    private func lower(_ node: DoStmtSyntax, label: String?) {
        let inner = scopedBlock(node.body.statements)
        if node.catchClauses.isEmpty {
            emit(.scope(inner, label: label), at: node)
        } else {
            emit(.attempt(inner, catches: node.catchClauses.map { catchClause($0, result: nil) }, label: label), at: node)
        }
    }

    func catchClause(_ node: CatchClauseSyntax, result: Register?) -> CatchClause {
        inScope {
            let items = sharingNames(Self.patterns(of: node))
            // `error` is given only where the clause names nothing else.
            let error = items.isEmpty ? declare("error", type: nil, isMutable: false) : declareHidden("error")
            let body = nested { arm(node.body.statements, into: result) }
            return CatchClause(items: items, error: error, body: body)
        }
    }

    private func lower(_ node: ForStmtSyntax, label: String?) {
        let sequence = lower(node.sequence)
        inScope {
            let type = node.typeAnnotation.map { TypeReference($0.type) }
            var element = Pattern.wildcard
            let setup = nested { element = pattern(node.pattern, binds: node.caseKeyword == nil, type: type) }
            block += setup
            let guards = node.whereClause.map { clauses(of: $0.condition) } ?? []
            let body = scopedBlock(node.body.statements)
            emit(.loop(Loop(kind: .forEach(element, sequence, guards: guards, isAsync: node.awaitKeyword != nil), body: body, label: label)), at: node)
        }
    }

    // MARK: if and switch, as statements and as values

    func lower(_ node: IfExprSyntax, resultWanted: Bool) -> Operand {
        let result = resultWanted ? register() : nil
        lower(node, into: result)
        return result.map(Operand.register) ?? .constant(.void)
    }

    private func lower(_ node: IfExprSyntax, into result: Register?) {
        // What the conditions bind is known in the first arm only.
        let (tests, then) = inScope {
            let tests = clauses(of: node.conditions)
            return (tests, nested { inScope { arm(node.body.statements, into: result) } })
        }
        let otherwise = nested {
            switch node.elseBody {
            case .ifExpr(let next): lower(next, into: result)
            case .codeBlock(let block): inScope { arm(block.statements, into: result) }
            case nil: break
            @unknown default: break
            }
        }
        emit(.branch(tests, then: then, otherwise: otherwise), at: node)
    }

    /// The statements of an arm; the value of its last expression goes into the register.
    func arm(_ items: CodeBlockItemListSyntax, into result: Register?) {
        guard let result, let last = items.last, let expression = last.valueExpression else {
            lower(items: items)
            return
        }
        lower(items: items.dropLast())
        emit(.assign(result, lower(expression)), at: expression)
    }

    func lower(_ node: SwitchExprSyntax, label: String?, resultWanted: Bool) -> Operand {
        let result = resultWanted ? register() : nil
        let subject = lower(node.subject)
        emit(.select(subject, cases(node.cases, condition: .always, into: result), label: label), at: node)
        return result.map(Operand.register) ?? .constant(.void)
    }

    private func cases(_ list: SwitchCaseListSyntax, condition: ConfigurationCondition, into result: Register?) -> [SelectCase] {
        list.flatMap { element -> [SelectCase] in
            switch element {
            case .switchCase(let node):
                return [inScope {
                    var items: [SelectItem] = []
                    if case .case(let label) = node.label {
                        items = sharingNames(Self.patterns(of: label))
                    }
                    return SelectCase(items: items, body: nested { arm(node.statements, into: result) }, condition: condition)
                }]
            case .ifConfigDecl(let config):
                return ConfigurationCondition.clauses(of: config).flatMap { inner, clause -> [SelectCase] in
                    guard case .switchCases(let list) = clause.elements else { return [] }
                    return cases(list, condition: condition.and(inner), into: result)
                }
            @unknown default:
                return []
            }
        }
    }

    private static func patterns(of node: CatchClauseSyntax) -> [(PatternSyntax, WhereClauseSyntax?)] {
        node.catchItems.compactMap { item -> (PatternSyntax, WhereClauseSyntax?)? in
            guard let pattern = item.pattern else { return nil }
            return (pattern, item.whereClause)
        }
    }

    private static func patterns(of label: SwitchCaseLabelSyntax) -> [(PatternSyntax, WhereClauseSyntax?)] {
        label.caseItems.map { item -> (PatternSyntax, WhereClauseSyntax?) in (item.pattern, item.whereClause) }
    }

    /// The alternatives of one body: what several of them bind by one name is one local.
    private func sharingNames(_ items: [(PatternSyntax, WhereClauseSyntax?)]) -> [SelectItem] {
        inAlternatives { items.map { selectItem($0.0, whereClause: $0.1) } }
    }

    private func selectItem(_ syntax: PatternSyntax, whereClause: WhereClauseSyntax?) -> SelectItem {
        var lowered = Pattern.wildcard
        let setup = nested { lowered = pattern(syntax) }
        return SelectItem(setup: setup, pattern: lowered, guards: whereClause.map { clauses(of: $0.condition) } ?? [])
    }
}

extension CodeBlockItemSyntax {
    /// The expression whose value the item has: also an `if` or `switch` all of whose arms are a single expression.
    var valueExpression: ExprSyntax? {
        switch item {
        case .expr(let expression):
            return expression
        case .stmt(let statement):
            guard let expression = statement.as(ExpressionStmtSyntax.self)?.expression else { return nil }
            if let node = expression.as(IfExprSyntax.self) { return node.givesValue ? expression : nil }
            if let node = expression.as(SwitchExprSyntax.self) { return node.givesValue ? expression : nil }
            return nil
        default:
            return nil
        }
    }
}

extension CodeBlockItemListSyntax {
    /// Whether the arm is a single expression that is no assignment.
    fileprivate var isSingleValue: Bool {
        guard count == 1, let value = first?.valueExpression else { return false }
        return value.as(InfixOperatorExprSyntax.self)?.operator.is(AssignmentExprSyntax.self) != true
    }
}

extension IfExprSyntax {
    fileprivate var givesValue: Bool {
        guard body.statements.isSingleValue else { return false }
        switch elseBody {
        case .ifExpr(let next): return next.givesValue
        case .codeBlock(let block): return block.statements.isSingleValue
        default: return false
        }
    }
}

extension SwitchExprSyntax {
    fileprivate var givesValue: Bool {
        !cases.isEmpty && cases.allSatisfy { element in
            if case .switchCase(let node) = element { return node.statements.isSingleValue }
            return false
        }
    }
}
