import ProgramModel
import SourceText
import SwiftSyntax

/// Names, members, calls and subscripts, and the optional chains through them.
extension BodyLowering {
    /// Lowers a whole chain: after a nil in it the value is nil and nothing more of it runs.
    func lowerChain(_ expression: ExprSyntax) -> Operand {
        openChains.append([])
        let value = link(expression)
        guard openChains.last?.isEmpty == false else {
            openChains.removeLast()
            return value
        }
        let result = register()
        emit(.assign(result, value), at: expression)
        closeChains(result: result)
        return .register(result)
    }

    /// Ends the chains opened last: each becomes a branch around what was emitted since.
    func closeChains(result: Register?) {
        for chain in openChains.removeLast().reversed() {
            let then = block
            block = []
            let otherwise = nested { if let result { emit(.assign(result, .constant(.null)), at: chain.node) } }
            block = chain.before
            emit(.branch([Clause(setup: [], test: .isPresent(chain.subject))], then: then, otherwise: otherwise), at: chain.node)
        }
    }

    /// Lowers one link of a chain and those before it.
    private func link(_ expression: ExprSyntax) -> Operand {
        deeper(at: expression) {
            switch expression.as(ExprSyntaxEnum.self) {
            case .declReferenceExpr(let node):
                return name(node)
            case .superExpr:
                return .selfObject
            case .memberAccessExpr(let node):
                return member(node)
            case .functionCallExpr(let node):
                return call(node)
            case .subscriptCallExpr(let node):
                let place = element(node)
                return value(at: node) { .read($0, place) }
            case .optionalChainingExpr(let node):
                let subject = link(node.expression)
                openChains[openChains.count - 1].append(OpenChain(before: block, subject: subject, node: Syntax(node)))
                block = []
                return subject
            case .forceUnwrapExpr(let node):
                return compute(.forceUnwrap, [link(node.expression)], at: node)
            case .genericSpecializationExpr(let node):
                if let type = typeReference(ExprSyntax(node)) { return .type(type) }
                return link(node.expression)
            case .postfixIfConfigExpr(let node):
                return postfixConfiguration(node)
            default:
                return lower(expression)
            }
        }
    }

    // MARK: Names and members

    private func name(_ node: DeclReferenceExprSyntax) -> Operand {
        let text = node.baseName.plainText
        if let local = lookUp(text) {
            // What is computed is made anew at each use.
            return value(at: node) { computedLocals.contains(local) ? .call(Call(result: $0, callee: .local(local), arguments: [])) : .read($0, .local(local)) }
        }
        switch text {
        case "self": return .selfObject
        case "Self": return .type(TypeReference("Self"))
        default: break
        }
        if let anonymous = anonymousParameter(text) { return value(at: node) { .read($0, .local(anonymous)) } }
        if beginsTypeName(text), node.argumentNames == nil { return .type(TypeReference(text)) }
        return value(at: node) { .read($0, .name(text)) }
    }

    /// Whether a name is that of a type, judged by its capital letter; of no variable of the same text.
    private func beginsTypeName(_ name: String) -> Bool { name.first?.isUppercase == true && !declarations.capitalVariables.contains(name) }

    private func anonymousParameter(_ text: String) -> LocalID? {
        guard text.hasPrefix("$"), let index = Int(text.dropFirst()), !anonymousParameters.isEmpty else { return nil }
        let top = anonymousParameters.count - 1
        if let known = anonymousParameters[top][index] { return known }
        let local = declareHidden(text)
        anonymousParameters[top][index] = local
        return local
    }

    private func member(_ node: MemberAccessExprSyntax) -> Operand {
        let name = node.declName.baseName.plainText
        guard let base = node.base else {
            if let receiver = takeImplicitBase() { return value(at: node) { .read($0, .member(receiver, name)) } }
            return .constant(.implicitMember(name))
        }
        if base.is(SuperExprSyntax.self) { return value(at: node) { .read($0, .superMember(name)) } }
        if let type = typeReference(ExprSyntax(node)) { return .type(type) }
        let receiver = link(base)
        if name == "self" { return receiver }
        if Int(name) != nil { return compute(.tupleElement(name), [receiver], at: node) }
        return value(at: node) { .read($0, .member(receiver, name)) }
    }

    /// The type that an expression names, judged by its capital letter: `Outer.Inner`, `Box<Int>`, `View.self`.
    private func typeReference(_ expression: ExprSyntax) -> TypeReference? {
        switch expression.as(ExprSyntaxEnum.self) {
        case .declReferenceExpr(let node):
            let text = node.baseName.plainText
            guard beginsTypeName(text), node.argumentNames == nil, lookUp(text) == nil else { return nil }
            return TypeReference(text)
        case .memberAccessExpr(let node):
            guard let base = node.base, let outer = typeReference(base) else { return nil }
            let name = node.declName.baseName.plainText
            if name == "self" || name == "Type" { return outer }
            guard beginsTypeName(name), node.declName.argumentNames == nil else { return nil }
            return TypeReference("\(outer.name).\(name)")
        case .genericSpecializationExpr(let node):
            guard let generic = typeReference(node.expression) else { return nil }
            return TypeReference(generic.name, arguments: node.genericArgumentClause.arguments.map { argument in
                argument.argument.as(TypeSyntax.self).map { TypeReference($0) } ?? TypeReference("_")
            })
        case .arrayExpr(let node):
            guard node.elements.count == 1, let only = node.elements.first, let element = typeReference(only.expression) else { return nil }
            return TypeReference("Array", arguments: [element])
        case .dictionaryExpr(let node):
            guard case .elements(let elements) = node.content, elements.count == 1, let only = elements.first,
                  let key = typeReference(only.key), let value = typeReference(only.value) else { return nil }
            return TypeReference("Dictionary", arguments: [key, value])
        case .optionalChainingExpr(let node):
            return typeReference(node.expression)?.optional
        case .typeExpr(let node):
            return TypeReference(node.type)
        default:
            return nil
        }
    }

    private func postfixConfiguration(_ node: PostfixIfConfigExprSyntax) -> Operand {
        guard let base = node.base.map({ link($0) }) ?? takeImplicitBase() else { return opaque("postfix #if", at: node) }
        let result = register()
        var clauses = Array(node.config.clauses)
        func rest() -> Block {
            guard !clauses.isEmpty else { return nested { emit(.assign(result, base), at: node) } }
            let clause = clauses.removeFirst()
            let then = nested {
                guard case .postfixExpression(let links) = clause.elements else {
                    emit(.assign(result, base), at: clause)
                    return
                }
                implicitBase = base
                emit(.assign(result, link(links)), at: links)
                implicitBase = nil
            }
            if clause.condition == nil { return then }
            let otherwise = rest()
            return nested { emit(.configuration(ConfigurationCondition(clause.condition), then: then, otherwise: otherwise), at: clause) }
        }
        block += rest()
        return .register(result)
    }

    /// The value before a postfix `#if`, for the first link inside it.
    private func takeImplicitBase() -> Operand? {
        defer { implicitBase = nil }
        return implicitBase
    }

    // MARK: Calls

    private func call(_ node: FunctionCallExprSyntax) -> Operand {
        if let operation = literalType(node) ?? addressed(node) { return operation }
        let callee = callee(node)
        return call(callee, node.arguments, trailing: node.trailingClosure, more: node.additionalTrailingClosures, at: node)
    }

    /// `[String]()` and `[Int: String]()` are types here although they look like literals.
    private func literalType(_ node: FunctionCallExprSyntax) -> Operand? {
        guard node.calledExpression.is(ArrayExprSyntax.self) || node.calledExpression.is(DictionaryExprSyntax.self) else { return nil }
        guard let type = typeReference(node.calledExpression) else { return nil }
        return call(.initializer(type), node.arguments, trailing: node.trailingClosure, more: node.additionalTrailingClosures, at: node)
    }

    private func callee(_ node: FunctionCallExprSyntax) -> Callee {
        let called = node.calledExpression
        switch called.as(ExprSyntaxEnum.self) {
        case .declReferenceExpr(let reference):
            let text = reference.baseName.plainText
            if let local = lookUp(text) ?? anonymousParameter(text) { return .local(local) }
            if beginsTypeName(text) { return .initializer(TypeReference(text)) }
            if text == "self" { return .value(.selfObject) }
            return .name(text)
        case .memberAccessExpr(let access):
            let name = access.declName.baseName.plainText
            guard let base = access.base else {
                if let receiver = takeImplicitBase() { return .member(receiver, name) }
                if name == "init", let type = contextualType(of: node) { return .initializer(type) }
                return .implicitMember(name)
            }
            if base.is(SuperExprSyntax.self) { return .superMember(name) }
            if name == "init", let type = typeReference(base) { return .initializer(type) }
            if let type = typeReference(called) { return .initializer(type) }
            let receiver = typeReference(base).map(Operand.type) ?? link(base)
            return .member(receiver, name)
        case .genericSpecializationExpr(let special):
            if let type = typeReference(called) { return .initializer(type) }
            if let reference = special.expression.as(DeclReferenceExprSyntax.self), lookUp(reference.baseName.plainText) == nil {
                return .name(reference.baseName.plainText)
            }
            return .value(link(special.expression))
        default:
            return .value(link(called))
        }
    }

    /// The type that the code around a value writes for it, as far as one declaration shows it: of a variable, or of what a body returns.
    private func contextualType(of node: FunctionCallExprSyntax) -> TypeReference? {
        guard var parent = node.parent else { return nil }
        // `try .init()`
        while parent.is(TryExprSyntax.self) || parent.is(AwaitExprSyntax.self), let outer = parent.parent { parent = outer }
        if parent.is(InitializerClauseSyntax.self) {
            return parent.parent?.as(PatternBindingSyntax.self)?.typeAnnotation.map { TypeReference($0.type).unwrapped }
        }
        guard parent.is(ReturnStmtSyntax.self) || parent.as(CodeBlockItemSyntax.self)?.parent?.as(CodeBlockItemListSyntax.self)?.count == 1 else { return nil }
        while let outer = parent.parent {
            if let function = outer.as(FunctionDeclSyntax.self) { return function.signature.returnClause.map { TypeReference($0.type).unwrapped } }
            if let binding = outer.as(PatternBindingSyntax.self) { return binding.typeAnnotation.map { TypeReference($0.type).unwrapped } }
            if outer.is(ClosureExprSyntax.self) || outer.is(SubscriptDeclSyntax.self) { return nil }
            parent = outer
        }
        return nil
    }

    /// Emits a call; arguments are evaluated in order, each in a chain of its own.
    func call(
        _ callee: Callee, _ arguments: LabeledExprListSyntax, trailing: ClosureExprSyntax?, more: MultipleTrailingClosureElementListSyntax,
        at node: some SyntaxProtocol
    ) -> Operand {
        var values = visitor(callee, arguments, trailing) ?? self.arguments(arguments)
        if let trailing {
            values.append(Argument(label: nil, value: lower(ExprSyntax(trailing)), isTrailing: true))
        }
        for element in more {
            values.append(Argument(label: element.label.plainText, value: lower(ExprSyntax(element.closure)), isTrailing: true))
        }
        let result = register()
        let (callee, arguments) = today(callee, values)
        let call = Call(result: result, callee: callee, arguments: arguments, mayThrow: tryDepth > 0, maySuspend: awaitDepth > 0)
        if case .name(let name) = callee, Self.trapping.contains(name) {
            emit(.call(call), at: node)
            emit(.exit(.trap), at: node)
        } else if case .member(let table, "updateValue") = callee, arguments.count == 2, arguments[0].label == nil, arguments[1].label == "forKey" {
            // A value under a key, by another name; what was there before is given back.
            let key = Argument(label: nil, value: arguments[1].value)
            emit(.read(result, .element(table, [key])), at: node)
            emit(.write(.element(table, [key]), arguments[0].value), at: node)
        } else if case .member(_, let name) = callee, let operation = name == "formUnion" ? .append : CollectionOperation(rawValue: name), operation != .store || arguments.map(\.label) == ["in"] {
            emit(.collection(operation, call), at: node)
        } else {
            emit(.call(call), at: node)
        }
        return .register(result)
    }

    /// A call by the names that today's SDK has.
    private func today(_ callee: Callee, _ arguments: [Argument]) -> (Callee, [Argument]) {
        guard let base = callee.baseName, let name = declarations.today(ofCall: base, arguments) else { return (callee, arguments) }
        let renamed: Callee
        switch callee {
        case .member(let receiver, _): renamed = .member(receiver, name.base)
        case .superMember: renamed = .superMember(name.base)
        case .name: renamed = .name(name.base)
        default: return (callee, arguments)
        }
        return (renamed, zip(arguments, name.labels).map { $0.isTrailing ? $0 : Argument(label: $1, value: $0.value, place: $0.place) })
    }

    /// The method that a collection is told to call with each element, as the closure that calls it: `tokens.forEach(center.remove)`.
    /// Nil where the argument is something else.
    private func visitor(_ callee: Callee, _ arguments: LabeledExprListSyntax, _ trailing: ClosureExprSyntax?) -> [Argument]? {
        guard case .member(_, let operation) = callee, Self.visiting.contains(operation), trailing == nil, arguments.count == 1, let only = arguments.first, only.label == nil,
              let access = only.expression.as(MemberAccessExprSyntax.self), let base = access.base, !base.is(SuperExprSyntax.self),
              typeReference(ExprSyntax(access)) == nil else { return nil }
        let name = access.declName.baseName.plainText
        guard name != "init", name != "self" else { return nil }
        let receiver = typeReference(base).map(Operand.type) ?? link(base)
        let label = access.declName.argumentNames?.arguments.first.map(\.name.plainText).flatMap { $0 == "_" ? nil : $0 }
        let closure = closure(calling: name, label: label, on: receiver, at: access)
        return [Argument(label: nil, value: value(at: access) { .closure($0, closure) })]
    }

    private static let visiting: Set<String> = ["forEach", "map", "compactMap", "flatMap", "filter"]

    /// The functions of the standard library and of libc that never return.
    private static let trapping: Set<String> = ["fatalError", "preconditionFailure", "abort", "exit"]

    func arguments(_ list: LabeledExprListSyntax) -> [Argument] {
        list.map { argument in
            let label = argument.label?.plainText
            if let passed = argument.expression.as(InOutExprSyntax.self) {
                openChains.append([])
                let place = place(passed.expression)
                closeChains(result: nil)
                let current = place.map { place in value(at: passed) { .read($0, place) } } ?? lower(passed.expression)
                return Argument(label: label, value: current, place: place)
            }
            return Argument(label: label, value: lower(argument.expression))
        }
    }

    // MARK: Places

    /// The place that an expression names, with everything before its last link evaluated; nil when it names none.
    func place(_ expression: ExprSyntax) -> Place? {
        switch expression.as(ExprSyntaxEnum.self) {
        case .declReferenceExpr(let node):
            let text = node.baseName.plainText
            return lookUp(text).map(Place.local) ?? anonymousParameter(text).map(Place.local) ?? .name(text)
        case .memberAccessExpr(let node):
            let name = node.declName.baseName.plainText
            guard let base = node.base else { return nil }
            if base.is(SuperExprSyntax.self) { return .superMember(name) }
            return .member(typeReference(base).map(Operand.type) ?? link(base), name)
        case .subscriptCallExpr(let node):
            return element(node)
        case .forceUnwrapExpr(let node):
            return place(node.expression)
        case .optionalChainingExpr(let node):
            // `a? = b` writes only when there is a value already.
            guard let inner = place(node.expression) else { return nil }
            let subject = value(at: node) { .read($0, inner) }
            openChains[openChains.count - 1].append(OpenChain(before: block, subject: subject, node: Syntax(node)))
            block = []
            return inner
        case .tupleExpr(let node):
            guard node.elements.count == 1, let only = node.elements.first else { return nil }
            return place(only.expression)
        default:
            return nil
        }
    }

    private func element(_ node: SubscriptCallExprSyntax) -> Place {
        let base = link(node.calledExpression)
        var values = arguments(node.arguments)
        if let trailing = node.trailingClosure {
            values.append(Argument(label: nil, value: lower(ExprSyntax(trailing)), isTrailing: true))
        }
        return .element(base, values)
    }
}
