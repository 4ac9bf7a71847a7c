internal import CLibClang
import ProgramModel

/// Expressions, but for messages.
extension BodyReading {
    /// Lowers an expression; the operand is its value.
    func lower(_ cursor: Cursor) -> Operand {
        deeper(at: cursor) { lowerShallow(cursor) }
    }

    private func lowerShallow(_ cursor: Cursor) -> Operand {
        switch cursor.kind {
        case CXCursor_ParenExpr, CXCursor_ObjCBridgedCastExpr, CXCursor_CompoundLiteralExpr, CXCursor_CXXStaticCastExpr, CXCursor_CXXReinterpretCastExpr,
             CXCursor_CXXConstCastExpr, CXCursor_CXXFunctionalCastExpr:
            guard let inner = cursor.children.last(where: \.isExpression) else { return opaque("expression", at: cursor) }
            return lower(inner)
        case CXCursor_UnexposedExpr:
            return unexposed(cursor)
        case CXCursor_DeclRefExpr:
            return name(cursor)
        case CXCursor_MemberRefExpr:
            return member(cursor)
        case CXCursor_CallExpr:
            return call(cursor)
        case CXCursor_ObjCMessageExpr:
            return message(cursor)
        case CXCursor_BlockExpr, CXCursor_LambdaExpr:
            let closure = closure(cursor)
            return value(at: cursor) { .closure($0, closure) }
        case CXCursor_IntegerLiteral, CXCursor_CharacterLiteral, CXCursor_UnaryExpr:
            return .constant(cursor.constant.integer.map(Constant.integer) ?? .number(text(of: cursor)))
        case CXCursor_FloatingLiteral:
            return .constant(.number(text(of: cursor)))
        case CXCursor_StringLiteral, CXCursor_ObjCStringLiteral:
            return .constant(.string(cursor.constant.text ?? unquoted(text(of: cursor))))
        case CXCursor_ObjCBoolLiteralExpr, CXCursor_CXXBoolLiteralExpr:
            let text = text(of: cursor)
            return .constant(.boolean(text == "YES" || text == "true" || text == "__objc_yes" || cursor.constant.integer == 1))
        case CXCursor_ObjCSelfExpr:
            return .selfObject
        case CXCursor_ObjCSelectorExpr:
            return .constant(.selector(declarations.names.name(ofSelector: selector(of: cursor)).full))
        case CXCursor_UnaryOperator:
            return unary(cursor)
        case CXCursor_BinaryOperator:
            return binary(cursor)
        case CXCursor_CompoundAssignOperator:
            return change(cursor)
        case CXCursor_ConditionalOperator:
            return conditional(cursor)
        case CXCursor_CStyleCastExpr:
            return cast(cursor)
        case CXCursor_ArraySubscriptExpr:
            guard let place = place(cursor) else { return opaque("subscript", at: cursor) }
            return value(at: cursor) { .read($0, place) }
        case CXCursor_InitListExpr:
            let parts = cursor.children.filter(\.isExpression).map { lower($0) }
            return compute(.tuple, parts, at: cursor)
        case CXCursor_ObjCAvailabilityCheckExpr:
            return .constant(.availability("#available" + text(of: cursor).drop { $0 != "(" }))
        case CXCursor_GNUNullExpr, CXCursor_CXXNullPtrLiteralExpr:
            return .constant(.null)
        case CXCursor_ObjCEncodeExpr, CXCursor_ObjCProtocolExpr:
            return compute(.other("type"), [], at: cursor)
        case CXCursor_StmtExpr:
            // Its value is that of its last statement.
            return cursor.children.first.map { lower(valueOfStatements: $0) } ?? .constant(.void)
        default:
            if let other = shortConditional(cursor) { return other }
            let parts = cursor.children.filter(\.isExpression).map { lower($0) }
            return parts.isEmpty ? opaque("expression", at: cursor) : compute(.other("expression"), parts, at: cursor)
        }
    }

    func text(of cursor: Cursor) -> String {
        let range = cursor.offsets
        return tokens.text(range.start, range.end)
    }

    private func unquoted(_ text: String) -> String {
        guard let first = text.firstIndex(of: "\""), let last = text.lastIndex(of: "\""), first < last else { return text }
        return String(text[text.index(after: first)..<last])
    }

    private func selector(of cursor: Cursor) -> String {
        let written = cursor.spelling
        if !written.isEmpty { return written }
        let text = text(of: cursor)
        guard let first = text.firstIndex(of: "("), let last = text.lastIndex(of: ")"), first < last else { return text }
        return text[text.index(after: first)..<last].filter { !$0.isWhitespace }
    }

    // MARK: Literals and casts

    /// Implicit casts, boxed values, collections and subscripts, which libclang does not tell apart.
    private func unexposed(_ cursor: Cursor) -> Operand {
        let parts = cursor.children.filter(\.isExpression)
        let range = cursor.offsets
        let first = tokens.index(at: range.start)
        if first + 1 < tokens.all.count, tokens.all[first].start == range.start, tokens.matches(tokens.all[first], "@") {
            let sign = tokens.all[first + 1]
            // The literal stands inside a cast that the compiler adds.
            if parts.count == 1, parts[0].offsets == range { return lower(parts[0]) }
            if tokens.matches(sign, "["), tokens.closing(of: first + 1).map({ tokens.all[$0].end == range.end }) ?? false {
                return compute(.array, parts.map { lower($0) }, at: cursor)
            }
            if tokens.matches(sign, "{") { return compute(.dictionary, parts.map { lower($0) }, at: cursor) }
        }
        if let place = unknownMember(cursor, parts) { return value(at: cursor) { .read($0, place) } }
        if parts.count == 1, let only = parts.first { return lower(only) }
        // What the compiler could not join for its types: `point.x = [self unknown]`.
        if parts.count == 2 {
            let sign = binaryOperator(cursor)
            if Self.signs.contains(sign) { return binary(cursor) }
            if sign.count == 2, sign.hasSuffix("=") { return change(cursor) }
        }
        if let place = place(cursor) { return value(at: cursor) { .read($0, place) } }
        if parts.isEmpty { return opaque("expression", at: cursor) }
        if let other = shortConditional(cursor) { return other }
        return compute(.other("expression"), parts.map { lower($0) }, at: cursor)
    }

    /// `object.name`, where the compiler knows no member of the name.
    private func unknownMember(_ cursor: Cursor, _ parts: [Cursor]) -> Place? {
        guard parts.count == 1, let inner = parts.first, inner.offsets.end < cursor.offsets.end else { return nil }
        let rest = tokens.tokens(from: inner.offsets.end, to: cursor.offsets.end)
        guard rest.count == 2, let sign = rest.first, let name = rest.last, tokens.matches(sign, ".") || tokens.matches(sign, "->"), name.kind == .word else { return nil }
        return .member(lower(inner), tokens.text(name))
    }

    /// The operators that join two values.
    private static let signs: Set<String> = ["=", "+", "-", "*", "/", "==", "!=", "<", ">", "<=", ">=", "&&", "||", "&", "|"]

    private func cast(_ cursor: Cursor) -> Operand {
        guard let inner = cursor.children.last(where: \.isExpression) else { return opaque("cast", at: cursor) }
        let essence = inner.essence
        if cursor.type.isPointer, essence.kind == CXCursor_IntegerLiteral || (essence.kind == CXCursor_CStyleCastExpr && essence.type.isPointer) {
            let value = lower(essence)
            if value == .constant(.integer(0)) || value == .constant(.null) { return .constant(.null) }
        }
        let value = lower(inner)
        guard value != .selfObject, value != .constant(.null), cursor.type.isObject, let type = cursor.type.reference else { return value }
        return compute(.coercion(type.unwrapped), [value], at: cursor)
    }

    // MARK: Names and members

    private func name(_ cursor: Cursor) -> Operand {
        guard let place = namedPlace(cursor) else {
            return .constant(.implicitMember(cursor.spelling))
        }
        return value(at: cursor) { .read($0, place) }
    }

    private func namedPlace(_ cursor: Cursor) -> Place? {
        let name = cursor.spelling
        guard let declaration = cursor.referenced else { return .name(name) }
        switch declaration.kind {
        case CXCursor_EnumConstantDecl:
            return nil
        case CXCursor_ParmDecl, CXCursor_VarDecl:
            if let lasting = lastingName(declaration) { return .name(lasting) }
            if let local = local(declaredBy: declaration) { return .local(local) }
            // A variable that nothing here declares: that of a property which is not synthesised, or of a superclass whose header is not here.
            if name.hasPrefix("_"), !isStatic, let className, !declaration.isInMainFile {
                return .member(.selfObject, declarations.classes.isVariable(name, of: className) ? field(name) : String(name.dropFirst()))
            }
            // A constant is its name, whatever file defines it.
            return declaration.type.spelling.contains("const") ? nil : .name(name)
        default:
            return .name(name)
        }
    }

    private func member(_ cursor: Cursor) -> Operand {
        if let called = calledByDot(cursor) { return called }
        guard let place = memberPlace(cursor) else { return opaque("member", at: cursor) }
        return value(at: cursor) { .read($0, place) }
    }

    /// `object.method`, where no property has the name.
    private func calledByDot(_ cursor: Cursor) -> Operand? {
        guard let method = cursor.referenced, method.kind == CXCursor_ObjCInstanceMethodDecl || method.kind == CXCursor_ObjCClassMethodDecl,
              !declarations.classes.isAccessor(method) else { return nil }
        let name = lastWord(of: cursor)
        if className.flatMap({ declarations.classes.properties(of: $0)[name] }) != nil { return nil }
        if let receiver = cursor.children.first(where: \.isExpression), let made = creation(name, receiver, [], at: cursor) { return made }
        switch base(of: cursor) {
        case nil: return send(name, to: .inherited, [], at: cursor, declaration: method)
        case .type(let type)?: return send(name, to: .type(type.name), [], at: cursor)
        case let object?:
            let receiver = cursor.children.first(where: \.isExpression)
            return send(name, to: .value(object, className: receiver?.valueType.className), [], at: cursor, declaration: method)
        }
    }

    private func memberPlace(_ cursor: Cursor) -> Place? {
        let declaration = cursor.referenced
        if declaration?.kind == CXCursor_ObjCIvarDecl {
            guard let inner = cursor.children.first(where: \.isExpression) else { return .member(.selfObject, field(cursor.spelling)) }
            return .member(lower(inner), field(cursor.spelling))
        }
        let name = declaration.map { $0.kind == CXCursor_ObjCPropertyDecl ? element(declarations.classes.name(ofProperty: $0), of: $0) : lastWord(of: cursor) } ?? lastWord(of: cursor)
        if let base = base(of: cursor) { return .member(base, name) }
        return .superMember(name)
    }

    /// What stands before the dot; nil for `super`.
    func base(of cursor: Cursor) -> Operand? {
        if let inner = cursor.children.first(where: { $0.isExpression }) { return lower(inner) }
        if let type = cursor.children.first(where: { $0.kind == CXCursor_ObjCClassRef }) { return .type(TypeReference(type.spelling)) }
        let range = cursor.offsets
        let first = tokens.index(at: range.start)
        if first < tokens.all.count, tokens.matches(tokens.all[first], "super") { return nil }
        if first < tokens.all.count, tokens.all[first].kind == .word, tokens.text(tokens.all[first]).first?.isUppercase == true { return .type(TypeReference(tokens.text(tokens.all[first]))) }
        return .selfObject
    }

    func lastWord(of cursor: Cursor) -> String {
        let range = cursor.offsets
        return tokens.tokens(from: range.start, to: range.end).last { $0.kind == .word }.map { tokens.text($0) } ?? cursor.spelling
    }

    /// The place that an expression names; nil when it names none.
    func place(_ cursor: Cursor) -> Place? {
        switch cursor.kind {
        case CXCursor_ParenExpr:
            return cursor.children.last(where: \.isExpression).flatMap { place($0) }
        case CXCursor_DeclRefExpr:
            return namedPlace(cursor)
        case CXCursor_MemberRefExpr:
            return memberPlace(cursor)
        case CXCursor_ArraySubscriptExpr:
            let parts = cursor.children.filter(\.isExpression)
            guard parts.count == 2 else { return nil }
            return .element(lower(parts[0]), [Argument(label: nil, value: lower(parts[1]))])
        case CXCursor_UnexposedExpr:
            let parts = cursor.children.filter(\.isExpression)
            if let place = unknownMember(cursor, parts) { return place }
            if parts.count == 1 { return place(parts[0]) }
            let range = cursor.offsets
            guard parts.count == 2, range.end > 0, tokens.text(range.end - 1, range.end) == "]" else { return nil }
            return .element(lower(parts[0]), [Argument(label: nil, value: lower(parts[1]))])
        default:
            return nil
        }
    }

    // MARK: Operators

    /// An expression whose value nobody uses.  What a macro makes has no sign between its operands; only an assignment makes sense alone.
    func lowerAlone(_ cursor: Cursor) {
        let parts = cursor.children
        let isSignless = cursor.kind == CXCursor_BinaryOperator && parts.count == 2 && binaryOperator(cursor).isEmpty
        guard isSignless, [CXCursor_DeclRefExpr, CXCursor_MemberRefExpr].contains(parts[0].essence.kind) else {
            _ = lower(cursor)
            return
        }
        _ = assign(parts[1], to: parts[0], at: cursor)
    }

    /// The sign between the operands.
    func binaryOperator(_ cursor: Cursor) -> String {
        let parts = cursor.children
        guard parts.count == 2 else { return "" }
        let range = (parts[0].offsets.end, parts[1].offsets.start)
        // Macros have the place of their use, so that the operands may seem to overlap.
        if let token = tokens.tokens(from: range.0, to: range.1).first(where: { $0.kind == .sign && !tokens.matches($0, ")") && !tokens.matches($0, "(") }) { return tokens.text(token) }
        return ""
    }

    func unaryOperator(_ cursor: Cursor) -> String {
        let range = cursor.offsets
        let list = tokens.tokens(from: range.start, to: range.end)
        guard let first = list.first, let last = list.last else { return "" }
        if first.kind == .sign, !tokens.matches(first, "("), !tokens.matches(first, "["), !tokens.matches(first, "@") { return tokens.text(first) }
        return "postfix " + tokens.text(last)
    }

    private func unary(_ cursor: Cursor) -> Operand {
        guard let inner = cursor.children.last(where: \.isExpression) else { return opaque("operator", at: cursor) }
        let sign = unaryOperator(cursor)
        switch sign {
        case "!":
            let isTestedForNil = isTestedForNil(inner)
            let operand = lower(inner)
            if isTestedForNil { return compute(.symbol("=="), [operand, .constant(.null)], at: cursor) }
            if inner.valueType.isBoolean || inner.valueType.isPointer || inner.essence.kind == CXCursor_BinaryOperator || inner.essence.kind == CXCursor_UnaryOperator { return compute(.symbol("prefix !"), [operand], at: cursor) }
            return compute(.symbol("=="), [operand, .constant(.integer(0))], at: cursor)
        case "-":
            switch lower(inner) {
            // The smallest number has no opposite.
            case .constant(.integer(let number)) where number != .min: return .constant(.integer(-number))
            case .constant(.number(let number)): return .constant(.number("-" + number))
            case let operand: return compute(.symbol("prefix -"), [operand], at: cursor)
            }
        case "++", "--", "postfix ++", "postfix --":
            guard let place = place(inner.essence) else { return lower(inner) }
            let current = value(at: inner) { .read($0, place) }
            let changed = compute(.symbol(sign.hasSuffix("+") ? "+" : "-"), [current, .constant(.integer(1))], at: cursor)
            emit(.write(place, changed), at: cursor)
            return sign.hasPrefix("postfix") ? current : changed
        case "&", "*", "+":
            return lower(inner)
        default:
            return compute(.symbol("prefix \(sign)"), [lower(inner)], at: cursor)
        }
    }

    private func binary(_ cursor: Cursor) -> Operand {
        let parts = cursor.children
        guard parts.count == 2 else { return opaque("operator", at: cursor) }
        let sign = binaryOperator(cursor)
        switch sign {
        case "=":
            return assign(parts[1], to: parts[0], at: cursor)
        case "&&":
            return choice(cursor, when: clauses(of: parts[0]), then: { self.truth(parts[1]) }, otherwise: { .constant(.boolean(false)) })
        case "||":
            return choice(cursor, when: clauses(of: parts[0]), then: { .constant(.boolean(true)) }, otherwise: { self.truth(parts[1]) })
        case ",":
            _ = lower(parts[0])
            return lower(parts[1])
        default:
            let left = lower(parts[0])
            return compute(.symbol(sign), [left, lower(parts[1])], at: cursor)
        }
    }

    /// The value of a condition as true or false.
    private func truth(_ cursor: Cursor) -> Operand {
        guard isTestedForNil(cursor) else { return lower(cursor) }
        return compute(.symbol("!="), [lower(cursor), .constant(.null)], at: cursor)
    }

    private func choice(_ cursor: Cursor, when clauses: [Clause], then: () -> Operand, otherwise: () -> Operand) -> Operand {
        let result = register()
        let first = nested { emit(.assign(result, then()), at: cursor) }
        let second = nested { emit(.assign(result, otherwise()), at: cursor) }
        emit(.branch(clauses, then: first, otherwise: second), at: cursor)
        return .register(result)
    }

    private func conditional(_ cursor: Cursor) -> Operand {
        let parts = cursor.children
        guard parts.count == 3 else { return compute(.other("conditional"), parts.filter(\.isExpression).map { lower($0) }, at: cursor) }
        return choice(cursor, when: clauses(of: parts[0]), then: { self.lower(parts[1]) }, otherwise: { self.lower(parts[2]) })
    }

    /// `a ?: b`, whose first part libclang shows three times.
    private func shortConditional(_ cursor: Cursor) -> Operand? {
        let parts = cursor.children.filter(\.isExpression)
        guard parts.count == 4, parts[0].offsets == parts[1].offsets else { return nil }
        var first = Operand.constant(.null)
        var outcome = Test.isTrue(first)
        let setup = nested {
            first = lower(parts[0])
            outcome = test(first, of: parts[0])
        }
        return choice(cursor, when: [Clause(setup: setup, test: outcome)], then: { first }, otherwise: { self.lower(parts[3]) })
    }

    private func assign(_ right: Cursor, to left: Cursor, at cursor: Cursor) -> Operand {
        // `self = [super init]` changes nothing that the model knows.
        if left.essence.kind == CXCursor_ObjCSelfExpr {
            let made = lower(right)
            if case .constant = made { return made }
            return .selfObject
        }
        guard let place = place(left) else {
            let value = lower(right)
            _ = opaque("assignment", at: left)
            return value
        }
        let value = lower(right)
        if case .member(let receiver, let name) = place, isSetByMethodAlone(left.essence) {
            let setter = "set" + name.prefix(1).uppercased() + name.dropFirst()
            emit(.call(Call(result: register(), callee: .member(receiver, setter), arguments: [Argument(label: nil, value: value)])), at: cursor)
        } else {
            emit(.write(place, value), at: cursor)
        }
        return value
    }

    /// Whether `object.name = …` sends `setName:` of a class that declares no such property.
    private func isSetByMethodAlone(_ left: Cursor) -> Bool {
        guard left.kind == CXCursor_MemberRefExpr, let method = left.referenced, method.kind == CXCursor_ObjCInstanceMethodDecl else { return false }
        return !declarations.classes.isAccessor(method) && method.spelling.hasPrefix("set")
    }

    private func change(_ cursor: Cursor) -> Operand {
        let parts = cursor.children
        guard parts.count == 2, let place = place(parts[0]) else { return opaque("assignment", at: cursor) }
        let current = value(at: parts[0]) { .read($0, place) }
        let sign = String(binaryOperator(cursor).dropLast())
        let changed = compute(.symbol(sign), [current, lower(parts[1])], at: cursor)
        emit(.write(place, changed), at: cursor)
        return changed
    }

    // MARK: Calls and blocks

    private func call(_ cursor: Cursor) -> Operand {
        let parts = cursor.children.filter(\.isExpression)
        if cursor.referenced?.kind == CXCursor_Constructor { return construction(cursor, parts) }
        guard let head = parts.first else { return opaque("call", at: cursor) }
        let callee = head.essence
        let target: Callee
        if callee.kind == CXCursor_DeclRefExpr {
            let declaration = callee.referenced
            if let declaration, declaration.kind == CXCursor_VarDecl || declaration.kind == CXCursor_ParmDecl, let local = local(declaredBy: declaration) {
                target = .local(local)
            } else {
                target = .name(callee.spelling)
            }
        } else if callee.kind == CXCursor_MemberRefExpr, callee.referenced?.kind == CXCursor_CXXMethod {
            target = .name(callee.spelling)
        } else {
            target = .value(lower(head))
        }
        let arguments = parts.dropFirst().map { argument($0, label: nil) }
        if case .name("dispatch_once") = target, arguments.count == 2, let token = arguments[0].place {
            return runOnce(token, arguments[1].value, at: cursor)
        }
        return value(at: cursor) { .call(Call(result: $0, callee: target, arguments: arguments)) }
    }

    /// An object of C++: a copy is the value that it copies.
    private func construction(_ cursor: Cursor, _ parts: [Cursor]) -> Operand {
        if parts.count == 1, let only = parts.first, cursor.type.isSame(as: only.valueType) { return lower(only) }
        guard let type = cursor.type.reference else {
            let lowered = parts.map { lower($0) }
            return compute(.other("construction"), lowered, at: cursor)
        }
        let arguments = parts.map { argument($0, label: nil) }
        return value(at: cursor) { .call(Call(result: $0, callee: .initializer(type), arguments: arguments)) }
    }

    /// `dispatch_once`: the block runs as long as its token is zero.
    private func runOnce(_ token: Place, _ block: Operand, at cursor: Cursor) -> Operand {
        var isFirst = Operand.constant(.void)
        let setup = nested {
            let current = value(at: cursor) { .read($0, token) }
            isFirst = compute(.symbol("=="), [current, .constant(.integer(0))], at: cursor)
        }
        let then = nested {
            emit(.write(token, .constant(.integer(1))), at: cursor)
            emit(.call(Call(result: register(), callee: .value(block), arguments: [])), at: cursor)
        }
        emit(.branch([Clause(setup: setup, test: .isTrue(isFirst))], then: then, otherwise: []), at: cursor)
        return .constant(.void)
    }

    /// An argument; `&place` may be written by the callee.
    func argument(_ cursor: Cursor, label: String?) -> Argument {
        let essence = cursor.essence
        if essence.kind == CXCursor_UnaryOperator, unaryOperator(essence) == "&", let inner = essence.children.last, let place = place(inner.essence) {
            return Argument(label: label, value: value(at: inner) { .read($0, place) }, place: place)
        }
        return Argument(label: label, value: lower(cursor))
    }

    private func closure(_ cursor: Cursor) -> Closure {
        // The parameters and the code stand in a declaration of their own.
        let parts = cursor.children.flatMap { $0.isExpression || $0.isStatement || $0.kind == CXCursor_ParmDecl ? [$0] : $0.children }
        let parameters = parts.filter { $0.kind == CXCursor_ParmDecl }.map { declare($0) }
        let wasInitializer = isInitializer
        isInitializer = false
        defer { isInitializer = wasInitializer }
        let code = nested {
            if let compound = parts.last(where: { $0.kind == CXCursor_CompoundStmt }) { lower(statementsOf: compound) }
        }
        return Closure(captures: [], parameters: parameters, block: code, isAsync: false, attributes: [])
    }
}
