import ProgramModel
import SourceText
import SwiftSyntax

/// Collects the declarations of one file; lives while the file is read and is dropped with it.
final class DeclarationLowering {
    let lines: LineTable
    private let names: EarlierNames
    /// The variables that the text declares with a capital letter, which elsewhere begins a type's name.
    let capitalVariables: Set<String>
    /// Whether a name of before Swift 3 was found.
    private(set) var isOfEarlierSwift = false
    private(set) var imports: [String] = []
    private(set) var types: [TypeFacts] = []
    private(set) var freeMembers: [MemberFacts] = []
    private(set) var aliases: [AliasFacts] = []
    private(set) var topLevel: Body?

    init(lines: LineTable, names: EarlierNames, capitalVariables: Set<String>) {
        self.capitalVariables = capitalVariables
        self.lines = lines
        self.names = names
    }

    /// The name of today for a call; nil where the text has it already.
    func today(ofCall base: String, _ arguments: [Argument]) -> EarlierNames.Name? {
        if arguments.isEmpty, EarlierNames.accessors.contains(base) { isOfEarlierSwift = true }
        return noted(names.name(ofCall: base, arguments))
    }

    /// The name of today for a declaration; nil where the text has it already.
    func today(ofFunction base: String, _ parameters: [MemberFacts.Parameter], isOverride: Bool) -> EarlierNames.Name? {
        noted(names.name(ofFunction: base, parameters, isOverride: isOverride))
    }

    private func noted(_ name: EarlierNames.Name?) -> EarlierNames.Name? {
        if name != nil { isOfEarlierSwift = true }
        return name
    }

    /// The stretch of a node without the white space and comments around it.
    func span(of node: some SyntaxProtocol) -> SourceSpan {
        lines.span(from: node.positionAfterSkippingLeadingTrivia.utf8Offset, to: node.endPositionBeforeTrailingTrivia.utf8Offset)
    }

    /// Reads a whole file.
    func lower(_ file: SourceFileSyntax) {
        var loose: [CodeBlockItemSyntax] = []
        freeMembers = lower(topLevel: file.statements, condition: .always, loose: &loose)
        if !loose.isEmpty {
            let lowering = BodyLowering(declarations: self, typeName: "")
            topLevel = lowering.body(ofItems: loose, span: span(of: file))
        }
    }

    private func lower(topLevel items: CodeBlockItemListSyntax, condition: ConfigurationCondition, loose: inout [CodeBlockItemSyntax]) -> [MemberFacts] {
        var members: [MemberFacts] = []
        for item in items {
            guard case .decl(let declaration) = item.item else {
                // A macro outside types is parsed as an expression, and is a declaration all the same.
                if case .expr(let expression) = item.item, let node = expression.as(MacroExpansionExprSyntax.self) {
                    members.append(macro(
                        node, name: node.macroName, node.arguments, node.trailingClosure, node.additionalTrailingClosures, in: "", condition))
                } else {
                    loose.append(item)
                }
                continue
            }
            if let config = declaration.as(IfConfigDeclSyntax.self) {
                for (inner, clause) in ConfigurationCondition.clauses(of: config) {
                    if case .statements(let statements) = clause.elements {
                        members += lower(topLevel: statements, condition: condition.and(inner), loose: &loose)
                    }
                }
            } else {
                members += lower(declaration, in: "", condition: condition, isLocal: false)
            }
        }
        return members
    }

    /// Reads one declaration: types are collected, members are returned.
    func lower(_ declaration: DeclSyntax, in outer: String, condition: ConfigurationCondition, isLocal: Bool) -> [MemberFacts] {
        switch declaration.as(DeclSyntaxEnum.self) {
        case .importDecl(let node):
            imports.append(node.path.map(\.name.text).joined(separator: "."))
        case .classDecl(let node):
            addType(.class, node, name: node.name, generics: node.genericParameterClause, in: outer, condition, isLocal)
        case .actorDecl(let node):
            addType(.actor, node, name: node.name, generics: node.genericParameterClause, in: outer, condition, isLocal)
        case .structDecl(let node):
            addType(.struct, node, name: node.name, generics: node.genericParameterClause, in: outer, condition, isLocal)
        case .enumDecl(let node):
            addType(.enum, node, name: node.name, generics: node.genericParameterClause, in: outer, condition, isLocal)
        case .protocolDecl(let node):
            addType(.protocol, node, name: node.name, generics: nil, in: outer, condition, isLocal)
        case .extensionDecl(let node):
            addExtension(node, condition)
        case .typeAliasDecl(let node):
            aliases.append(AliasFacts(
                name: qualified(node.name.plainText, in: outer), target: TypeReference(node.initializer.value), condition: condition,
                isPrivate: node.modifiers.contains { [.keyword(.private), .keyword(.fileprivate)].contains($0.name.tokenKind) }))
        case .functionDecl(let node):
            return [function(node, in: outer, condition)]
        case .initializerDecl(let node):
            return [initializer(node, in: outer, condition)]
        case .deinitializerDecl(let node):
            return [deinitializer(node, in: outer, condition)]
        case .subscriptDecl(let node):
            return [subscriptMember(node, in: outer, condition)]
        case .variableDecl(let node):
            return properties(node, in: outer, condition)
        case .macroExpansionDecl(let node):
            return [macro(node, name: node.macroName, node.arguments, node.trailingClosure, node.additionalTrailingClosures, in: outer, condition)]
        case .ifConfigDecl(let node):
            return ConfigurationCondition.clauses(of: node).flatMap { inner, clause -> [MemberFacts] in
                guard case .decls(let members) = clause.elements else { return [] }
                return members.flatMap { lower($0.decl, in: outer, condition: condition.and(inner), isLocal: isLocal) }
            }
        default:
            break  // operators, precedence groups, associated types, enum cases and unexpanded macros hold no code
        }
        return []
    }

    private func qualified(_ name: String, in outer: String) -> String {
        outer.isEmpty ? name : "\(outer).\(name)"
    }

    private func addType(
        _ kind: TypeFacts.Kind, _ node: some DeclGroupSyntax, name: TokenSyntax, generics: GenericParameterClauseSyntax?,
        in outer: String, _ condition: ConfigurationCondition, _ isLocal: Bool
    ) {
        let qualifiedName = qualified(name.plainText, in: outer)
        add(kind, node, name: qualifiedName, generics: generics?.parameters.map(\.name.text) ?? [], condition, isLocal, nameSpan: span(of: name))
    }

    private func addExtension(_ node: ExtensionDeclSyntax, _ condition: ConfigurationCondition) {
        let type = TypeReference(node.extendedType)
        add(.extension, node, name: type.name, generics: [], condition, false, nameSpan: span(of: node.extendedType))
    }

    private func add(
        _ kind: TypeFacts.Kind, _ node: some DeclGroupSyntax, name: String, generics: [String], _ condition: ConfigurationCondition,
        _ isLocal: Bool, nameSpan: SourceSpan
    ) {
        // The place is kept before the members are read, so that a nested type follows the one that holds it.
        let index = types.count
        // What a protocol asks of `Self` in a `where` clause it inherits as well.
        let required = Syntax(node).as(ProtocolDeclSyntax.self)?.genericWhereClause?.requirements.compactMap { requirement -> TypeReference? in
            guard case .conformanceRequirement(let one) = requirement.requirement, TypeReference(one.leftType).name == "Self" else { return nil }
            return TypeReference(one.rightType)
        }
        let inherited = (node.inheritanceClause?.inheritedTypes.map { TypeReference($0.type) } ?? []) + (required ?? [])
        let attributes = Self.attributes(node.attributes)
        let modifiers = Self.modifiers(node.modifiers)
        let isPartial = (node.inheritanceClause?.hasError ?? false)
        let cases = node.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }.flatMap(\.elements)
        let payload = cases.flatMap { $0.parameterClause?.parameters.map { TypeReference($0.type) } ?? [] }
        func facts(_ members: [MemberFacts]) -> TypeFacts {
            TypeFacts(
                kind: kind, name: name, genericParameters: generics, inherited: inherited, attributes: attributes, modifiers: modifiers,
                members: members, cases: cases.map(\.name.plainText), payload: payload, condition: condition, isLocal: isLocal, isPartial: isPartial, span: span(of: node), nameSpan: nameSpan)
        }
        types.append(facts([]))
        let members = node.memberBlock.members.flatMap { lower($0.decl, in: name, condition: condition, isLocal: isLocal) }
        types[index] = facts(members)
    }

    static func attributes(_ list: AttributeListSyntax) -> [AttributeFacts] {
        list.compactMap { element in
            guard case .attribute(let attribute) = element else { return nil }
            return AttributeFacts(name: TypeReference(attribute.attributeName).name, arguments: attribute.arguments?.trimmedDescription)
        }
    }

    static func modifiers(_ list: DeclModifierListSyntax) -> [String] {
        list.map { modifier in
            guard let detail = modifier.detail else { return modifier.name.text }
            return "\(modifier.name.text)(\(detail.detail.text))"
        }
    }
}
