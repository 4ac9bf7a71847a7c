internal import CLibClang
import ProgramModel

/// Messages.
extension BodyReading {
    /// Who gets a message.
    enum Receiver {
        case inherited
        case type(String)
        /// An object with its class, where that is known.
        case value(Operand, className: String?)
    }

    func message(_ cursor: Cursor) -> Operand {
        sentOffsets.insert(cursor.offsets.start)
        let parts = cursor.children
        var arguments = parts.filter(\.isExpression)
        guard let selector = selector(ofMessage: cursor) else {
            noteLoss()
            for argument in arguments { _ = lower(argument) }
            return opaque("lost message", at: cursor)
        }
        if let type = parts.first(where: { $0.kind == CXCursor_ObjCClassRef || $0.kind == CXCursor_TypeRef }), parts.first?.isExpression != true {
            return send(selector, to: .type(className(of: type)), arguments, at: cursor)
        }
        // No other is bound so early, but the first to what `alloc` gives.
        if !cursor.isDynamicCall, !isSentToAllocated(cursor) { return send(selector, to: .inherited, arguments, at: cursor) }
        guard !arguments.isEmpty else { return opaque("message", at: cursor) }
        let receiver = arguments.removeFirst()
        if let made = creation(selector, receiver, arguments, at: cursor) { return made }
        return send(selector, to: .value(lower(receiver), className: receiver.valueType.className), arguments, at: cursor, declaration: cursor.referenced)
    }

    /// The class that a message names as its receiver.
    private func className(of reference: Cursor) -> String {
        reference.kind == CXCursor_TypeRef ? reference.valueType.namedClass ?? reference.spelling : reference.spelling
    }

    /// The selector of a message: of the method that is declared, else as it is spelled; nil where that cannot be read.
    func selector(ofMessage cursor: Cursor) -> String? {
        let declared = cursor.spelling
        if !declared.isEmpty { return declared }
        let words = cursor.selectorWords
        guard let first = words.first, !first.isEmpty else { return nil }
        if words.count > 1 || first == ":" { return words.map { $0 == ":" ? ":" : $0 + ":" }.joined() }
        // One word may have an argument: all but the receiver.
        let values = cursor.children.filter(\.isExpression).count
        let receivers = cursor.isDynamicCall || isSentToAllocated(cursor) ? 1 : 0
        return values > receivers ? first + ":" : first
    }

    /// Whether the receiver of a message is what `alloc` gives.
    private func isSentToAllocated(_ cursor: Cursor) -> Bool {
        guard let inner = cursor.children.first?.withoutCasts else { return false }
        if inner.kind == CXCursor_MemberRefExpr { return lastWord(of: inner) == "alloc" }
        guard inner.kind == CXCursor_ObjCMessageExpr else { return false }
        return selector(ofMessage: inner)?.hasPrefix("alloc") == true
    }

    /// `[[Type alloc] init…]`, with brackets or a dot before `alloc`.
    func creation(_ selector: String, _ receiver: Cursor, _ arguments: [Cursor], at cursor: Cursor) -> Operand? {
        let inner = receiver.withoutCasts
        guard ImportedNames.isInitializer(selector) else { return nil }
        let name = declarations.names.name(ofSelector: selector)
        guard name.base == "init" else { return nil }
        if inner.kind == CXCursor_MemberRefExpr, lastWord(of: inner) == "alloc", case .type(let type)? = base(of: inner) { return create(type, selector, name, arguments, at: cursor) }
        guard inner.kind == CXCursor_ObjCMessageExpr, let allocation = self.selector(ofMessage: inner), allocation == "alloc" || allocation == "allocWithZone:" else { return nil }
        sentOffsets.insert(inner.offsets.start)
        let type: TypeReference
        if let reference = inner.children.first(where: { $0.kind == CXCursor_ObjCClassRef || $0.kind == CXCursor_TypeRef }) {
            type = TypeReference(className(of: reference))
        } else {
            switch inner.children.filter(\.isExpression).map({ lower($0) }).first {
            case .type(let known)?: type = known
            case .selfObject?, nil: type = TypeReference("Self")
            default: type = TypeReference("_")
            }
        }
        return create(type, selector, name, arguments, at: cursor)
    }

    private func create(_ type: TypeReference, _ selector: String, _ name: ImportedNames.Name, _ arguments: [Cursor], at cursor: Cursor) -> Operand {
        if let made = collection(selector, of: type.name, arguments, at: cursor) { return made }
        let lowered = self.arguments(arguments, name)
        return value(at: cursor) { .call(Call(result: $0, callee: .initializer(type), arguments: lowered)) }
    }

    private func arguments(_ cursors: [Cursor], _ name: ImportedNames.Name) -> [Argument] {
        cursors.enumerated().map { index, cursor in argument(cursor, label: index < name.labels.count ? name.labels[index] : nil) }
    }

    func send(_ selector: String, to receiver: Receiver, _ arguments: [Cursor], at cursor: Cursor, declaration: Cursor? = nil) -> Operand {
        let name = declarations.names.name(ofSelector: selector)
        switch receiver {
        case .inherited:
            if selector == "release" { return .constant(.void) }
            if let property = accessed(selector, declaration ?? cursor.referenced) { return access(property, of: nil, arguments, at: cursor) }
            let lowered = self.arguments(arguments, name)
            let result = value(at: cursor) { .call(Call(result: $0, callee: .superMember(name.base), arguments: lowered)) }
            return name.base == "init" ? .selfObject : result
        case .type(let type):
            if selector == "class" || selector == "self" { return .type(TypeReference(type)) }
            if name.base == "init" || selector == "new" { return create(TypeReference(type), selector, selector == "new" ? .init(base: "init", labels: []) : name, arguments, at: cursor) }
            if let made = collection(selector, of: type, arguments, at: cursor) { return made }
            if let factory = self.factory(selector, of: type) { return create(TypeReference(type), selector, factory, arguments, at: cursor) }
            let lowered = self.arguments(arguments, name)
            return value(at: cursor) { .call(Call(result: $0, callee: .member(.type(TypeReference(type)), name.base), arguments: lowered)) }
        case .value(let object, let className):
            return send(selector, name, to: object, className, arguments, at: cursor, declaration)
        }
    }

    /// A class method of the SDK that makes an object, `[CALayer layer]` or `[UIButton buttonWithType:]`: Swift imports it as an initialiser,
    /// because its name begins with the end of the class's name.
    private func factory(_ selector: String, of type: String) -> ImportedNames.Name? {
        guard !declarations.classes.hasInterface(type) else { return nil }
        let parts = selector.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let count = selector.filter { $0 == ":" }.count
        let capitals = type.indices.filter { type[$0].isUppercase }
        for start in capitals {
            let suffix = type[start...]
            let word = suffix.prefix(1).lowercased() + suffix.dropFirst()
            guard word.count >= 4, parts[0].hasPrefix(word) else { continue }
            let rest = parts[0].dropFirst(word.count)
            guard rest.isEmpty ? count == 0 : rest.hasPrefix("With") && count > 0 else { continue }
            let label = rest.dropFirst("With".count)
            let first: [String?] = count == 0 ? [] : [label.isEmpty ? nil : label.prefix(1).lowercased() + label.dropFirst()]
            return ImportedNames.Name(base: "init", labels: first + (count > 1 ? parts[1..<count].map { $0.isEmpty ? nil : $0 } : []))
        }
        return nil
    }

    private func send(
        _ selector: String, _ name: ImportedNames.Name, to object: Operand, _ className: String?, _ arguments: [Cursor], at cursor: Cursor, _ declaration: Cursor?
    ) -> Operand {
        switch selector {
        case "retain", "autorelease", "self", "copy", "mutableCopy":
            return object
        case "release", "drain":
            return .constant(.void)
        case "class":
            return object == .selfObject ? .type(TypeReference("Self")) : compute(.other("class"), [object], at: cursor)
        case "isKindOfClass:":
            if let tested = testedKind(of: object, arguments, at: cursor) { return tested }
        case "new" where isStatic && object == .selfObject, "alloc" where isStatic && object == .selfObject:
            return create(TypeReference("Self"), selector, .init(base: "init", labels: []), [], at: cursor)
        case "performSelector:", "performSelector:withObject:":
            if let direct = performed(on: object, arguments, at: cursor) { return direct }
        case "performSelectorOnMainThread:withObject:waitUntilDone:":
            if let handed = performedOnMain(object, arguments, at: cursor) { return handed }
        case "makeObjectsPerformSelector:", "makeObjectsPerformSelector:withObject:":
            if performedOnEach(object, arguments, at: cursor) { return .constant(.void) }
        default:
            break
        }
        if let sent = sendToCollection(selector, object, className, arguments, at: cursor) { return sent }
        if let property = accessed(selector, declaration) ?? given(selector, arguments, declaration) { return access(property, of: object, arguments, at: cursor) }
        let lowered = self.arguments(arguments, name)
        let result = value(at: cursor) { .call(Call(result: $0, callee: .member(object, name.base), arguments: lowered)) }
        return name.base == "init" && object == .selfObject ? .selfObject : result
    }

    /// A question for a class that the text names is a test of the type.
    private func testedKind(of object: Operand, _ arguments: [Cursor], at cursor: Cursor) -> Operand? {
        guard let asked = arguments.first?.essence, asked.kind == CXCursor_ObjCMessageExpr, selector(ofMessage: asked) == "class",
              case .type(let type) = lower(asked) else { return nil }
        return compute(.typeTest(type), [object], at: cursor)
    }

    /// A selector that is called at once is a call.
    private func performed(on object: Operand, _ arguments: [Cursor], at cursor: Cursor) -> Operand? {
        guard let first = arguments.first, first.essence.kind == CXCursor_ObjCSelectorExpr, case .constant(.selector(let text)) = lower(first.essence) else { return nil }
        let takesObject = text.contains(":")
        let given = takesObject && arguments.count > 1 ? [argument(arguments[1], label: nil)] : []
        let base = String(text.prefix { $0 != "(" })
        return value(at: cursor) { .call(Call(result: $0, callee: .member(object, base), arguments: given)) }
    }

    /// A selector that each object of a collection performs: as a loop.  False where the text does not name the selector.
    private func performedOnEach(_ collection: Operand, _ arguments: [Cursor], at cursor: Cursor) -> Bool {
        guard arguments.first?.essence.kind == CXCursor_ObjCSelectorExpr else { return false }
        let element = declareHidden("element")
        let code = nested { _ = performed(on: value(at: cursor) { .read($0, .local(element)) }, arguments, at: cursor) }
        emit(.loop(Loop(kind: .forEach(.bind(element), collection, guards: [], isAsync: false), body: code, label: nil)), at: cursor)
        return true
    }

    /// A selector that the main thread calls: as a block handed to its queue, which is what the message does from any other thread.
    private func performedOnMain(_ object: Operand, _ arguments: [Cursor], at cursor: Cursor) -> Operand? {
        guard arguments.first?.essence.kind == CXCursor_ObjCSelectorExpr else { return nil }
        var local: LocalID?
        if object != .selfObject {
            local = declareHidden("receiver")
            local.map { emit(.declare($0, object), at: cursor) }
        }
        let code = nested {
            let receiver = local.map { local in value(at: cursor) { .read($0, .local(local)) } } ?? .selfObject
            _ = performed(on: receiver, arguments, at: cursor)
        }
        let block = value(at: cursor) { .closure($0, Closure(captures: [], parameters: [], block: code, isAsync: false, attributes: [])) }
        let queue = value(at: cursor) { .call(Call(result: $0, callee: .name("dispatch_get_main_queue"), arguments: [])) }
        let given = [queue, block].map { Argument(label: nil, value: $0) }
        return value(at: cursor) { .call(Call(result: $0, callee: .name("dispatch_async"), arguments: given)) }
    }

    // MARK: Accessors

    /// A property that a message reads or writes.
    private struct Access {
        let name: String
        let isWrite: Bool
    }

    private func accessed(_ selector: String, _ declaration: Cursor?) -> Access? {
        let isSetter = Self.isSetter(selector)
        guard isSetter || !selector.contains(":") else { return nil }
        if let declaration {
            guard declarations.classes.isAccessor(declaration) else { return nil }
            guard isSetter else { return Access(name: selector, isWrite: false) }
            let property = declaration.parent?.children.first { $0.kind == CXCursor_ObjCPropertyDecl && $0.setterName == selector }
            return Access(name: property.map { declarations.classes.name(ofProperty: $0) } ?? Self.propertyName(ofSetter: selector), isWrite: true)
        }
        guard isSetter, let className, declarations.classes.properties(of: className)[Self.propertyName(ofSetter: selector)] != nil else { return nil }
        return Access(name: Self.propertyName(ofSetter: selector), isWrite: true)
    }

    /// The property that a block is put into, where no header says what the message is.
    private func given(_ selector: String, _ arguments: [Cursor], _ declaration: Cursor?) -> Access? {
        guard declaration == nil, Self.isSetter(selector), arguments.first?.essence.kind == CXCursor_BlockExpr else { return nil }
        return Access(name: Self.propertyName(ofSetter: selector), isWrite: true)
    }

    private static func isSetter(_ selector: String) -> Bool {
        selector.hasPrefix("set") && selector.hasSuffix(":") && selector.filter { $0 == ":" }.count == 1 && selector.count > 4
    }

    private static func propertyName(ofSetter selector: String) -> String {
        let name = selector.dropFirst(3).dropLast()
        return name.prefix(1).lowercased() + name.dropFirst()
    }

    private func access(_ access: Access, of object: Operand?, _ arguments: [Cursor], at cursor: Cursor) -> Operand {
        let place = object.map { Place.member($0, access.name) } ?? .superMember(access.name)
        guard access.isWrite, let argument = arguments.first else { return value(at: cursor) { .read($0, place) } }
        let new = lower(argument)
        emit(.write(place, new), at: cursor)
        return .constant(.void)
    }
}
