import ProgramModel
import SourceText
import SwiftSyntax

/// The members of types: functions, initialisers, properties and subscripts.
extension DeclarationLowering {
    func function(_ node: FunctionDeclSyntax, in type: String, _ condition: ConfigurationCondition) -> MemberFacts {
        var modifiers = Self.modifiers(node.modifiers)
        if node.signature.effectSpecifiers?.asyncSpecifier != nil { modifiers.append("async") }
        if node.signature.effectSpecifiers?.throwsClause != nil { modifiers.append("throws") }
        let (baseName, parameters) = today(node.name.plainText, parameters(node.signature.parameterClause), isOverride: modifiers.contains("override"))
        return MemberFacts(
            kind: .function, baseName: baseName, parameters: parameters,
            type: node.signature.returnClause.map { TypeReference($0.type) }, attributes: Self.attributes(node.attributes),
            modifiers: modifiers, body: body(node.body, parameters: node.signature.parameterClause, givesValue: node.signature.returnClause != nil, in: type),
            condition: condition, isPartial: SyntaxErrors.isBroken(node), span: span(of: node), nameSpan: span(of: node.name))
    }

    /// The name and the parameters of a function as today's SDK has them.
    private func today(_ baseName: String, _ parameters: [MemberFacts.Parameter], isOverride: Bool) -> (String, [MemberFacts.Parameter]) {
        guard let name = today(ofFunction: baseName, parameters, isOverride: isOverride) else { return (baseName, parameters) }
        return (name.base, zip(parameters, name.labels).map { parameter, label in
            MemberFacts.Parameter(
                label: label, name: parameter.name, type: parameter.type, hasDefault: parameter.hasDefault, isVariadic: parameter.isVariadic,
                defaultValue: parameter.defaultValue)
        })
    }

    func initializer(_ node: InitializerDeclSyntax, in type: String, _ condition: ConfigurationCondition) -> MemberFacts {
        var modifiers = Self.modifiers(node.modifiers)
        if node.optionalMark != nil { modifiers.append("failable") }
        if node.signature.effectSpecifiers?.asyncSpecifier != nil { modifiers.append("async") }
        if node.signature.effectSpecifiers?.throwsClause != nil { modifiers.append("throws") }
        return MemberFacts(
            kind: .initializer, baseName: "init", parameters: parameters(node.signature.parameterClause),
            attributes: Self.attributes(node.attributes), modifiers: modifiers,
            body: body(node.body, parameters: node.signature.parameterClause, in: type),
            condition: condition, isPartial: SyntaxErrors.isBroken(node), span: span(of: node), nameSpan: span(of: node.initKeyword))
    }

    /// A macro that stands among declarations: what it becomes is not known, its arguments and closures are.
    func macro(
        _ node: some SyntaxProtocol, name: TokenSyntax, _ arguments: LabeledExprListSyntax, _ trailing: ClosureExprSyntax?,
        _ more: MultipleTrailingClosureElementListSyntax, in type: String, _ condition: ConfigurationCondition
    ) -> MemberFacts {
        let lowering = BodyLowering(declarations: self, typeName: type)
        _ = lowering.call(.macro(name.text), arguments, trailing: trailing, more: more, at: node)
        return MemberFacts(
            kind: .macro, baseName: name.text, body: lowering.finish(span(of: node)),
            condition: condition, isPartial: SyntaxErrors.isBroken(node), span: span(of: node), nameSpan: span(of: name))
    }

    func deinitializer(_ node: DeinitializerDeclSyntax, in type: String, _ condition: ConfigurationCondition) -> MemberFacts {
        MemberFacts(
            kind: .deinitializer, baseName: "deinit", attributes: Self.attributes(node.attributes), modifiers: Self.modifiers(node.modifiers),
            body: body(node.body, parameters: nil, in: type),
            condition: condition, isPartial: SyntaxErrors.isBroken(node), span: span(of: node), nameSpan: span(of: node.deinitKeyword))
    }

    func subscriptMember(_ node: SubscriptDeclSyntax, in type: String, _ condition: ConfigurationCondition) -> MemberFacts {
        MemberFacts(
            kind: .subscript, baseName: "subscript", parameters: parameters(node.parameterClause), type: TypeReference(node.returnClause.type),
            attributes: Self.attributes(node.attributes), modifiers: Self.modifiers(node.modifiers),
            accessors: node.accessorBlock.map { accessors($0, parameters: node.parameterClause, in: type) },
            condition: condition, isPartial: SyntaxErrors.isBroken(node), span: span(of: node), nameSpan: span(of: node.subscriptKeyword))
    }

    func properties(_ node: VariableDeclSyntax, in type: String, _ condition: ConfigurationCondition) -> [MemberFacts] {
        let attributes = Self.attributes(node.attributes)
        let modifiers = Self.modifiers(node.modifiers)
        let isConstant = node.bindingSpecifier.tokenKind == .keyword(.let)
        // `let a, b: Int` writes the type once, at the end.
        let lastType = node.bindings.last?.typeAnnotation
        return node.bindings.flatMap { binding -> [MemberFacts] in
            let annotation = binding.typeAnnotation ?? (binding.initializer == nil && binding.accessorBlock == nil ? lastType : nil)
            let initial = binding.initializer.map { initializer in
                BodyLowering(declarations: self, typeName: type).body(ofValue: initializer.value, span: span(of: initializer.value))
            }
            return names(in: binding.pattern).map { name in
                MemberFacts(
                    kind: .property, baseName: name.plainText, type: annotation.map { TypeReference($0.type) }, attributes: attributes,
                    modifiers: modifiers, body: initial,
                    accessors: binding.accessorBlock.map { accessors($0, parameters: nil, in: type) }, isConstant: isConstant,
                    isImplicitlyUnwrapped: annotation?.type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) ?? false,
                    condition: condition, isPartial: SyntaxErrors.isBroken(node), span: span(of: node.bindings.count == 1 ? Syntax(node) : Syntax(binding)),
                    nameSpan: span(of: name))
            }
        }
    }

    private func names(in pattern: PatternSyntax) -> [TokenSyntax] {
        if let identifier = pattern.as(IdentifierPatternSyntax.self) { return [identifier.identifier] }
        if let tuple = pattern.as(TuplePatternSyntax.self) { return tuple.elements.flatMap { names(in: $0.pattern) } }
        return []
    }

    private func parameters(_ clause: FunctionParameterClauseSyntax) -> [MemberFacts.Parameter] {
        clause.parameters.map { parameter in
            let first = parameter.firstName
            return MemberFacts.Parameter(
                label: first.tokenKind == .wildcard ? nil : first.plainText, name: (parameter.secondName ?? first).plainText,
                type: TypeReference(parameter.type), hasDefault: parameter.defaultValue != nil, isVariadic: parameter.ellipsis != nil,
                defaultValue: parameter.defaultValue.flatMap { constant($0.value) })
        }
    }

    /// The value of an expression that is a literal or a case of an enum.
    private func constant(_ value: ExprSyntax) -> Constant? {
        switch value.as(ExprSyntaxEnum.self) {
        case .nilLiteralExpr: .null
        case .booleanLiteralExpr(let literal): .boolean(literal.literal.tokenKind == .keyword(.true))
        case .integerLiteralExpr(let literal): Int(literal.literal.text).map(Constant.integer)
        case .memberAccessExpr(let member) where member.base == nil: .implicitMember(member.declName.baseName.plainText)
        default: nil
        }
    }

    private func body(_ block: CodeBlockSyntax?, parameters: FunctionParameterClauseSyntax?, givesValue: Bool = false, in type: String) -> Body? {
        guard let block else { return nil }
        let lowering = BodyLowering(declarations: self, typeName: type)
        parameters.map(lowering.declareParameters)
        return lowering.body(ofItems: block.statements, givesValue: givesValue, span: span(of: block))
    }

    private func accessors(_ block: AccessorBlockSyntax, parameters: FunctionParameterClauseSyntax?, in type: String) -> MemberFacts.Accessors {
        switch block.accessors {
        case .getter(let items):
            let lowering = BodyLowering(declarations: self, typeName: type)
            parameters.map(lowering.declareParameters)
            return MemberFacts.Accessors(get: lowering.body(ofItems: items, span: span(of: block)))
        case .accessors(let list):
            var bodies: [Keyword: Body] = [:]
            for accessor in list {
                guard case .keyword(let keyword) = accessor.accessorSpecifier.tokenKind else { continue }
                let lowering = BodyLowering(declarations: self, typeName: type)
                parameters.map(lowering.declareParameters)
                let implicit: String? = switch keyword {
                case .set, .willSet: "newValue"
                case .didSet: "oldValue"
                default: nil
                }
                if let name = accessor.parameters?.name.plainText ?? implicit { lowering.declareParameter(name, type: nil) }
                // A protocol's `{ get set }` has no code, yet says that there is no storage to look at.
                bodies[keyword] = accessor.body.map { lowering.body(ofItems: $0.statements, span: span(of: $0)) }
                    ?? lowering.body(ofItems: [], span: span(of: accessor))
            }
            return MemberFacts.Accessors(
                get: bodies[.get] ?? bodies[._read] ?? bodies[.unsafeAddress], set: bodies[.set] ?? bodies[._modify],
                willSet: bodies[.willSet], didSet: bodies[.didSet])
        @unknown default:
            return MemberFacts.Accessors()
        }
    }
}
