import ProgramModel
import SwiftSyntax

extension ConfigurationCondition {
    /// The condition that an `#if` expression stands for; what is not understood becomes a flag of its own.
    init(_ expression: ExprSyntax?) {
        guard let expression else { self = .always; return }
        if let tuple = expression.as(TupleExprSyntax.self), tuple.elements.count == 1, let only = tuple.elements.first {
            self.init(only.expression)
        } else if let prefix = expression.as(PrefixOperatorExprSyntax.self), prefix.operator.text == "!" {
            self = .not(ConfigurationCondition(prefix.expression))
        } else if let infix = expression.as(InfixOperatorExprSyntax.self), let symbol = infix.operator.as(BinaryOperatorExprSyntax.self)?.operator.text {
            let sides = [ConfigurationCondition(infix.leftOperand), ConfigurationCondition(infix.rightOperand)]
            switch symbol {
            case "&&": self = .all(sides)
            case "||": self = .any(sides)
            default: self = .flag(expression.compactText)
            }
        } else if expression.trimmedDescription == "true" {
            self = .always
        } else if expression.trimmedDescription == "false" {
            self = .not(.always)
        } else {
            self = .flag(expression.compactText)
        }
    }

    /// The conditions of the clauses of an `#if`, each with the negation of those before it.
    static func clauses(of config: IfConfigDeclSyntax) -> [(condition: ConfigurationCondition, clause: IfConfigClauseSyntax)] {
        var before: [ConfigurationCondition] = []
        return config.clauses.map { clause in
            let own = ConfigurationCondition(clause.condition)
            let condition = before.reduce(ConfigurationCondition.always) { $0.and(.not($1)) }.and(clause.condition == nil ? .always : own)
            before.append(own)
            return (condition, clause)
        }
    }
}

extension SyntaxProtocol {
    /// The text without white space and comments.
    var compactText: String {
        tokens(viewMode: .sourceAccurate).map(\.text).joined()
    }
}
