import ProgramModel
import SourceText
import SwiftSyntax

/// Expressions, but for chains of calls and members, closures and conditions.
extension BodyLowering {
    /// Lowers an expression; the operand is its value.
    func lower(_ expression: ExprSyntax) -> Operand {
        deeper(at: expression) { lowerShallow(expression) }
    }

    private func lowerShallow(_ expression: ExprSyntax) -> Operand {
        switch expression.as(ExprSyntaxEnum.self) {
        case .declReferenceExpr, .memberAccessExpr, .functionCallExpr, .subscriptCallExpr, .optionalChainingExpr, .forceUnwrapExpr,
             .postfixIfConfigExpr, .genericSpecializationExpr, .superExpr:
            return lowerChain(expression)
        case .nilLiteralExpr:
            return .constant(.null)
        case .booleanLiteralExpr(let node):
            return .constant(.boolean(node.literal.tokenKind == .keyword(.true)))
        case .integerLiteralExpr(let node):
            return .constant(Self.integer(node.literal.text))
        case .floatLiteralExpr(let node):
            return .constant(.number(node.literal.text))
        case .stringLiteralExpr(let node):
            return string(node)
        case .simpleStringLiteralExpr(let node):
            return .constant(.string(node.segments.map(\.content.text).joined()))
        case .regexLiteralExpr(let node):
            return compute(.other("regularExpression"), [], at: node)
        case .arrayExpr(let node):
            return compute(.array, node.elements.map { lower($0.expression) }, at: node)
        case .dictionaryExpr(let node):
            guard case .elements(let elements) = node.content else { return compute(.dictionary, [], at: node) }
            return compute(.dictionary, elements.flatMap { [lower($0.key), lower($0.value)] }, at: node)
        case .tupleExpr(let node):
            if node.elements.isEmpty { return .constant(.void) }
            if node.elements.count == 1, let only = node.elements.first, only.label == nil { return lower(only.expression) }
            return compute(.tuple, node.elements.map { lower($0.expression) }, at: node)
        case .infixOperatorExpr(let node):
            return infix(node)
        case .sequenceExpr(let node):
            // Left unfolded only where precedence is unknown: the parts still run in order.
            return compute(.other("sequence"), node.elements.filter { !$0.is(BinaryOperatorExprSyntax.self) }.map { lower($0) }, at: node)
        case .prefixOperatorExpr(let node):
            return prefix(node)
        case .postfixOperatorExpr(let node):
            return compute(.symbol("postfix \(node.operator.text)"), [lower(node.expression)], at: node)
        case .ternaryExpr(let node):
            return ternary(node)
        case .asExpr(let node):
            let type = TypeReference(node.type)
            let operation: Operator = switch node.questionOrExclamationMark?.tokenKind {
            case .postfixQuestionMark: .conditionalCast(type)
            case .exclamationMark: .forcedCast(type)
            default: .coercion(type)
            }
            return compute(operation, [lower(node.expression)], at: node)
        case .isExpr(let node):
            return compute(.typeTest(TypeReference(node.type)), [lower(node.expression)], at: node)
        case .tryExpr(let node):
            return lower(trying: node)
        case .awaitExpr(let node):
            return lower(awaiting: node)
        case .unsafeExpr(let node):
            return lower(node.expression)
        case .closureExpr(let node):
            let made = closure(node)
            return value(at: node) { .closure($0, made) }
        case .ifExpr(let node):
            return lower(node, resultWanted: true)
        case .switchExpr(let node):
            return lower(node, label: nil, resultWanted: true)
        case .keyPathExpr(let node):
            return keyPath(node)
        case .macroExpansionExpr(let node):
            return macro(node)
        case .inOutExpr(let node):
            return lower(node.expression)
        case .typeExpr(let node):
            return .type(TypeReference(node.type))
        case .discardAssignmentExpr:
            return .constant(.void)
        case .copyExpr(let node):
            return lower(node.expression)
        case .consumeExpr(let node):
            return lower(node.expression)
        case .borrowExpr(let node):
            return lower(node.expression)
        case .packExpansionExpr(let node):
            return compute(.other("packExpansion"), [lower(node.repetitionPattern)], at: node)
        case .packElementExpr(let node):
            return compute(.other("packElement"), [lower(node.pack)], at: node)
        case .missingExpr, .editorPlaceholderExpr:
            return opaque("syntax error", at: expression)
        case .patternExpr(let node):
            return opaque("pattern", at: node)
        default:
            return opaque("expression", at: expression)
        }
    }

    static func integer(_ text: String) -> Constant {
        let digits = text.filter { $0 != "_" }
        for (prefix, radix) in [("0x", 16), ("0b", 2), ("0o", 8)] where digits.hasPrefix(prefix) {
            return Int(digits.dropFirst(2), radix: radix).map(Constant.integer) ?? .number(digits)
        }
        return Int(digits).map(Constant.integer) ?? .number(digits)
    }

    private func string(_ node: StringLiteralExprSyntax) -> Operand {
        if node.segments.count == 1, case .stringSegment(let only)? = node.segments.first {
            return .constant(.string(node.representedLiteralValue ?? only.content.text))
        }
        var values: [Operand] = []
        for segment in node.segments {
            switch segment {
            case .stringSegment(let text):
                if !text.content.text.isEmpty { values.append(.constant(.string(text.content.text))) }
            case .expressionSegment(let inner):
                values += inner.expressions.map { lower($0.expression) }
            @unknown default:
                values.append(opaque("string segment", at: segment))
            }
        }
        if values.allSatisfy({ if case .constant(.string) = $0 { true } else { false } }), let text = node.representedLiteralValue {
            return .constant(.string(text))
        }
        return compute(.interpolation, values, at: node)
    }

    private func prefix(_ node: PrefixOperatorExprSyntax) -> Operand {
        let value = lower(node.expression)
        if node.operator.text == "-" {
            if case .constant(.integer(let number)) = value { return .constant(.integer(-number)) }
            if case .constant(.number(let number)) = value { return .constant(.number("-" + number)) }
        }
        return compute(.symbol("prefix \(node.operator.text)"), [value], at: node)
    }

    private func infix(_ node: InfixOperatorExprSyntax) -> Operand {
        if node.operator.is(AssignmentExprSyntax.self) {
            assign(node.rightOperand, to: node.leftOperand, at: node)
            return .constant(.void)
        }
        guard let symbol = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text else {
            return compute(.other("infix"), [lower(node.leftOperand), lower(node.rightOperand)], at: node)
        }
        switch symbol {
        case "&&":
            return choice(node, when: lower(node.leftOperand), then: { self.lower(node.rightOperand) }, otherwise: { .constant(.boolean(false)) })
        case "||":
            return choice(node, when: lower(node.leftOperand), then: { .constant(.boolean(true)) }, otherwise: { self.lower(node.rightOperand) })
        case "??":
            let left = lower(node.leftOperand)
            let result = register()
            let then = nested { emit(.assign(result, left), at: node.leftOperand) }
            let otherwise = nested { emit(.assign(result, lower(node.rightOperand)), at: node.rightOperand) }
            emit(.branch([Clause(setup: [], test: .isPresent(left))], then: then, otherwise: otherwise), at: node)
            return .register(result)
        default:
            if let plain = Self.operatorOfAssignment(symbol) {
                change(node.leftOperand, by: plain, node.rightOperand, at: node)
                return .constant(.void)
            }
            let left = lower(node.leftOperand)
            return compute(.symbol(symbol), [left, lower(node.rightOperand)], at: node)
        }
    }

    /// `+` for `+=`; nil for an operator that compares, and for one that is no assignment.
    private static func operatorOfAssignment(_ symbol: String) -> String? {
        guard symbol.count > 1, symbol.hasSuffix("="), !["==", "!=", "<=", ">=", "===", "!==", "~="].contains(symbol) else { return nil }
        return String(symbol.dropLast())
    }

    private func choice(_ node: some SyntaxProtocol, when test: Operand, then: () -> Operand, otherwise: () -> Operand) -> Operand {
        let result = register()
        let first = nested { emit(.assign(result, then()), at: node) }
        let second = nested { emit(.assign(result, otherwise()), at: node) }
        emit(.branch([Clause(setup: [], test: .isTrue(test))], then: first, otherwise: second), at: node)
        return .register(result)
    }

    private func ternary(_ node: TernaryExprSyntax) -> Operand {
        let result = register()
        let clauses = clauses(of: node.condition)
        let then = nested { emit(.assign(result, lower(node.thenExpression)), at: node.thenExpression) }
        let otherwise = nested { emit(.assign(result, lower(node.elseExpression)), at: node.elseExpression) }
        emit(.branch(clauses, then: then, otherwise: otherwise), at: node)
        return .register(result)
    }

    private func lower(trying node: TryExprSyntax) -> Operand {
        tryDepth += 1
        defer { tryDepth -= 1 }
        guard let mark = node.questionOrExclamationMark else { return lower(node.expression) }
        let result = register()
        let inner = nested { emit(.assign(result, lower(node.expression)), at: node.expression) }
        let failed = nested {
            if mark.tokenKind == .exclamationMark {
                emit(.exit(.trap), at: node)
            } else {
                emit(.assign(result, .constant(.null)), at: node)
            }
        }
        emit(.attempt(inner, catches: [CatchClause(items: [], error: declareHidden("error"), body: failed)], label: nil), at: node)
        return .register(result)
    }

    private func lower(awaiting node: AwaitExprSyntax) -> Operand {
        awaitDepth += 1
        let value = lower(node.expression)
        awaitDepth -= 1
        if !node.expression.isCallOrContainsCall { emit(.suspend(value), at: node) }
        return value
    }

    private func keyPath(_ node: KeyPathExprSyntax) -> Operand {
        let path = node.components.compactMap { component -> String? in
            switch component.component {
            case .property(let property): property.declName.trimmedDescription
            case .subscript: "[]"
            case .optional: nil
            default: component.component.trimmedDescription
            }
        }
        return .constant(.keyPath(root: node.root.map { TypeReference($0).description }, path: path.joined(separator: ".")))
    }

    private func macro(_ node: MacroExpansionExprSyntax) -> Operand {
        let name = node.macroName.text
        switch name {
        case "selector":
            // #selector(getter: name) names the accessor's selector.
            let argument = node.arguments.first
            let text = argument.map { ($0.label.map { $0.text + ":" } ?? "") + Self.methodName($0.expression) } ?? ""
            return .constant(.selector(text))
        case "keyPath":
            return .constant(.keyPath(root: nil, path: node.arguments.first?.expression.compactText ?? ""))
        case "file", "fileID", "filePath", "line", "column", "function", "dsohandle":
            return .constant(.literalMacro(name))
        default:
            return call(.macro(name), node.arguments, trailing: node.trailingClosure, more: node.additionalTrailingClosures, at: node)
        }
    }

    /// The name of a method, also of one that a cast chooses among several: `dismiss as () -> Void` is `dismiss()`.
    private static func methodName(_ expression: ExprSyntax) -> String {
        guard let cast = expression.as(AsExprSyntax.self) else { return expression.compactText }
        let name = cast.expression.compactText
        let takesNothing = cast.type.as(FunctionTypeSyntax.self).map { $0.parameters.isEmpty && !$0.returnClause.type.is(FunctionTypeSyntax.self) } ?? false
        return takesNothing && !name.contains("(") ? name + "()" : name
    }

    // MARK: Assignment

    private func assign(_ right: ExprSyntax, to left: ExprSyntax, at node: some SyntaxProtocol) {
        if let tuple = left.as(TupleExprSyntax.self), tuple.elements.count > 1 {
            let value = lower(right)
            for (index, element) in tuple.elements.enumerated() where !element.expression.is(DiscardAssignmentExprSyntax.self) {
                write(compute(.tupleElement(String(index)), [value], at: element), to: element.expression, at: node)
            }
            return
        }
        if left.is(DiscardAssignmentExprSyntax.self) {
            _ = lower(right)
            return
        }
        write(to: left, at: node) { self.lower(right) }
    }

    /// `place += value`: the place is found once, and nothing happens after a nil on the way to it.
    private func change(_ left: ExprSyntax, by symbol: String, _ right: ExprSyntax, at node: some SyntaxProtocol) {
        openChains.append([])
        if let place = place(left) {
            let current = value(at: left) { .read($0, place) }
            let changed = compute(.symbol(symbol), [current, lower(right)], at: node)
            emit(.write(place, changed), at: node)
        } else {
            _ = compute(.symbol(symbol), [lower(left), lower(right)], at: node)
            _ = opaque("assignment", at: left)
        }
        closeChains(result: nil)
    }

    func write(_ value: Operand, to left: ExprSyntax, at node: some SyntaxProtocol) {
        write(to: left, at: node) { value }
    }

    /// Writes a value that is computed after the base of the place, as Swift does; nothing runs after a nil in its chain.
    private func write(to left: ExprSyntax, at node: some SyntaxProtocol, _ makeValue: () -> Operand) {
        openChains.append([])
        if let place = place(left) {
            emit(.write(place, makeValue()), at: node)
        } else {
            let value = makeValue()
            _ = opaque("assignment", at: left)
            _ = value
        }
        closeChains(result: nil)
    }
}

extension ExprSyntax {
    /// Whether the expression makes a call outside closures, so that the call carries the suspension.
    fileprivate var isCallOrContainsCall: Bool {
        if self.is(FunctionCallExprSyntax.self) || self.is(MacroExpansionExprSyntax.self) { return true }
        var pending = [Syntax(self)]
        while let node = pending.popLast() {
            if node.is(FunctionCallExprSyntax.self) { return true }
            if node.is(ClosureExprSyntax.self) { continue }
            pending += node.children(viewMode: .sourceAccurate)
        }
        return false
    }
}
