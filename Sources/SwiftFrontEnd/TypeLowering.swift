import ProgramModel
import SwiftSyntax

extension TypeReference {
    /// The reference that a type's syntax stands for.
    init(_ syntax: TypeSyntax) {
        switch syntax.as(TypeSyntaxEnum.self) {
        case .identifierType(let type):
            let (name, arguments) = (type.name.plainText, Self.arguments(type.genericArgumentClause))
            self = Self.optionals.contains(name) && arguments.count == 1 ? arguments[0].optional : TypeReference(name, arguments: arguments)
        case .memberType(let type):
            self.init("\(TypeReference(type.baseType).name).\(type.name.plainText)", arguments: Self.arguments(type.genericArgumentClause))
        case .optionalType(let type):
            self = TypeReference(type.wrappedType).optional
        case .implicitlyUnwrappedOptionalType(let type):
            self = TypeReference(type.wrappedType).optional
        case .arrayType(let type):
            self.init("Array", arguments: [TypeReference(type.element)])
        case .dictionaryType(let type):
            self.init("Dictionary", arguments: [TypeReference(type.key), TypeReference(type.value)])
        case .attributedType(let type):
            self.init(type.baseType)
        case .someOrAnyType(let type):
            self.init(type.constraint)
        case .compositionType(let type):
            self.init("&", arguments: type.elements.map { TypeReference($0.type) })
        case .functionType(let type):
            self.init("->", arguments: type.parameters.map { TypeReference($0.type) } + [TypeReference(type.returnClause.type)])
        case .tupleType(let type):
            let elements = type.elements.map { TypeReference($0.type) }
            self = elements.count == 1 ? elements[0] : TypeReference("()", arguments: elements)
        case .metatypeType(let type):
            self.init(".Type", arguments: [TypeReference(type.baseType)])
        default:
            self.init("_")
        }
    }

    /// The types that `?` and `!` stand for; the second is that of Swift before 4.2.
    private static let optionals: Set<String> = ["Optional", "ImplicitlyUnwrappedOptional"]

    private static func arguments(_ clause: GenericArgumentClauseSyntax?) -> [TypeReference] {
        guard let clause else { return [] }
        return clause.arguments.map { argument in
            argument.argument.as(TypeSyntax.self).map { TypeReference($0) } ?? TypeReference("_")
        }
    }
}

extension TokenSyntax {
    /// The text without back-quotes.
    var plainText: String {
        let text = self.text
        return text.hasPrefix("`") ? text.replacingBackquotes : text
    }
}

extension String {
    /// The text without its back-quotes.
    fileprivate var replacingBackquotes: String { filter { $0 != "`" } }
}
