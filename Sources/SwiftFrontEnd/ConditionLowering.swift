import ProgramModel
import SourceText
import SwiftSyntax

/// Conditions, patterns and what they bind.
extension BodyLowering {
    /// The clauses of a condition list, in the order in which they are tested.
    func clauses(of conditions: ConditionElementListSyntax) -> [Clause] {
        conditions.flatMap { element -> [Clause] in
            switch element.condition {
            case .expression(let expression):
                return clauses(of: expression)
            case .availability(let node):
                return [availability(node)]
            case .matchingPattern(let node):
                var subject = Operand.constant(.void)
                var test: Test?
                let setup = nested {
                    subject = lower(node.initializer.value)
                    test = .matches(subject, pattern(node.pattern))
                }
                return [Clause(setup: setup, test: test ?? .isPresent(subject))]
            case .optionalBinding(let node):
                return [binding(node)]
            @unknown default:
                return []
            }
        }
    }

    /// What asks that the system be older is the same question, answered the other way.
    private func availability(_ node: AvailabilityConditionSyntax) -> Clause {
        let question = Operand.constant(.availability(Self.question(node.availabilityArguments)))
        guard node.availabilityKeyword.tokenKind == .poundUnavailable else { return Clause(setup: [], test: .isTrue(question)) }
        var subject = Operand.constant(.void)
        let setup = nested {
            subject = compute(.symbol("prefix !"), [question], at: node)
        }
        return Clause(setup: setup, test: .isTrue(subject))
    }

    /// One text for one question, however it is written: `iOS 15.0` is `iOS 15`, and the star asks nothing.
    private static func question(_ arguments: AvailabilityArgumentListSyntax) -> String {
        let systems = arguments.map { $0.argument.trimmedDescription }.filter { $0 != "*" }.map { $0.replacing(/(\.0)+$/, with: "") }
        return "#available(\((systems + ["*"]).joined(separator: ", ")))"
    }

    /// The clauses of a boolean expression: `a && b` is two clauses, so that neither is hidden in the other.
    func clauses(of expression: ExprSyntax) -> [Clause] {
        if let infix = expression.as(InfixOperatorExprSyntax.self), infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text == "&&" {
            return clauses(of: infix.leftOperand) + clauses(of: infix.rightOperand)
        }
        var subject = Operand.constant(.void)
        let setup = nested { subject = lower(expression) }
        return [Clause(setup: setup, test: .isTrue(subject))]
    }

    private func binding(_ node: OptionalBindingConditionSyntax) -> Clause {
        var test: Test?
        let setup = nested {
            let value: Operand
            if let initializer = node.initializer {
                value = lower(initializer.value)
            } else if let identifier = node.pattern.as(IdentifierPatternSyntax.self) {
                value = lowerChain(ExprSyntax(DeclReferenceExprSyntax(baseName: identifier.identifier)), at: identifier)
            } else {
                value = opaque("binding", at: node)
            }
            let type = node.typeAnnotation.map { TypeReference($0.type) }
            let isMutable = node.bindingSpecifier.tokenKind == .keyword(.var)
            let bound = pattern(node.pattern, binds: true, type: type, isMutable: isMutable)
            test = .matches(value, .present(bound))
        }
        return Clause(setup: setup, test: test ?? .isTrue(.constant(.boolean(true))))
    }

    /// Reads a name that has no expression of its own in the text (`if let name`).
    private func lowerChain(_ reference: ExprSyntax, at node: some SyntaxProtocol) -> Operand {
        guard let name = reference.as(DeclReferenceExprSyntax.self)?.baseName.plainText else { return .constant(.void) }
        if let local = lookUp(name) { return value(at: node) { .read($0, .local(local)) } }
        if name == "self" { return .selfObject }
        return value(at: node) { .read($0, .name(name)) }
    }

    // MARK: Patterns

    /// Lowers a pattern; expressions in it are evaluated into the current block, names are declared in the current scope.
    func pattern(_ node: PatternSyntax, binds: Bool = false, type: TypeReference? = nil, isMutable: Bool = false) -> Pattern {
        switch node.as(PatternSyntaxEnum.self) {
        case .identifierPattern(let identifier):
            return .bind(declare(identifier.identifier.plainText, type: type, isMutable: isMutable))
        case .wildcardPattern:
            return .wildcard
        case .tuplePattern(let tuple):
            let parts = tuple.elements.map { pattern($0.pattern, binds: binds, isMutable: isMutable) }
            return parts.count == 1 ? parts[0] : .tuple(parts)
        case .valueBindingPattern(let binding):
            return pattern(binding.pattern, binds: true, type: type, isMutable: binding.bindingSpecifier.tokenKind == .keyword(.var))
        case .isTypePattern(let test):
            return .type(TypeReference(test.type), .wildcard)
        case .expressionPattern(let expression):
            return pattern(ofExpression: expression.expression, binds: binds, isMutable: isMutable)
        default:
            return .wildcard
        }
    }

    /// Patterns that the parser reads as expressions: `.some(let x)`, `let x as Type`, `x?`.
    private func pattern(ofExpression expression: ExprSyntax, binds: Bool, isMutable: Bool) -> Pattern {
        switch expression.as(ExprSyntaxEnum.self) {
        case .patternExpr(let node):
            return pattern(node.pattern, binds: binds, isMutable: isMutable)
        case .discardAssignmentExpr:
            return .wildcard
        case .declReferenceExpr(let node) where binds:
            return .bind(declare(node.baseName.plainText, type: nil, isMutable: isMutable))
        case .optionalChainingExpr(let node):
            return .present(pattern(ofExpression: node.expression, binds: binds, isMutable: isMutable))
        case .asExpr(let node):
            return .type(TypeReference(node.type), pattern(ofExpression: node.expression, binds: binds, isMutable: isMutable))
        case .tupleExpr(let node):
            let parts = node.elements.map { pattern(ofExpression: $0.expression, binds: binds, isMutable: isMutable) }
            return parts.count == 1 ? parts[0] : .tuple(parts)
        case .memberAccessExpr(let node) where Self.namesCase(node):
            return .enumCase(node.declName.baseName.plainText, [])
        case .functionCallExpr(let node):
            if let access = node.calledExpression.as(MemberAccessExprSyntax.self), Self.namesCase(access) {
                let parts = node.arguments.map { pattern(ofExpression: $0.expression, binds: binds, isMutable: isMutable) }
                let name = access.declName.baseName.plainText
                return name == "some" && parts.count == 1 ? .present(parts[0]) : .enumCase(name, parts)
            }
            return .value(lower(expression))
        default:
            return .value(lower(expression))
        }
    }

    /// Whether a member access can name an enum case: `.name` or `Type.name`.
    private static func namesCase(_ node: MemberAccessExprSyntax) -> Bool {
        guard let base = node.base else { return true }
        if let outer = base.as(DeclReferenceExprSyntax.self) { return outer.baseName.text.first?.isUppercase == true }
        return base.as(MemberAccessExprSyntax.self)?.declName.baseName.text.first?.isUppercase == true
    }
}
