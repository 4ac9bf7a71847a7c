import SwiftSyntax

extension ClosureExprSyntax {
    /// Whether somebody collects the values of the statements, as a result builder does: one of several only names a value or writes one
    /// down, or all only make objects, which by itself does nothing.
    var isOfResultBuilder: Bool {
        statements.count > 1 && (Self.namesValues(statements) || statements.allSatisfy(Self.makesObject)) || statements.contains { Self.choosesValues($0) }
    }

    private static func namesValues(_ statements: CodeBlockItemListSyntax) -> Bool {
        statements.contains { item in
            guard case .expr(let expression) = item.item else { return choosesValues(item) }
            return expression.is(DeclReferenceExprSyntax.self) || expression.is(MemberAccessExprSyntax.self) || expression.is(StringLiteralExprSyntax.self)
        }
    }

    /// Whether a statement is no more than a call of an initialiser; functions of C may be written so too, but do something.
    private static func makesObject(_ item: CodeBlockItemSyntax) -> Bool {
        guard case .expr(let expression) = item.item, let called = expression.as(FunctionCallExprSyntax.self)?.calledExpression.as(DeclReferenceExprSyntax.self) else { return false }
        return called.baseName.text.first?.isUppercase ?? false
    }

    /// Whether the statement is an `if` of which a branch only names a value; the last one of a closure may be what it returns.
    private static func choosesValues(_ item: CodeBlockItemSyntax) -> Bool {
        guard case .stmt(let statement) = item.item, let choice = statement.as(ExpressionStmtSyntax.self)?.expression.as(IfExprSyntax.self), choice.elseBody == nil else { return false }
        return namesValues(choice.body.statements)
    }
}
