internal import CLibClang
import ProgramModel

/// Messages.
extension BodyReading {
    /// Who gets a message.
    private enum Receiver {
        case inherited
        case type(String)
        case value(Operand)
    }

    func message(_ cursor: Cursor) -> Operand {
        let range = cursor.offsets
        sentOffsets.insert(range.start)
        let parts = cursor.children
        let written = writtenMessage(at: range.start)
        var arguments = parts.filter(\.isExpression)
        let selector: String = {
            let known = cursor.spelling
            return known.isEmpty ? written?.selector ?? "" : known
        }()
        if written?.receiver == "super" { return send(selector, to: .inherited, arguments, at: cursor) }
        if let type = parts.first(where: { $0.kind == CXCursor_ObjCClassRef || $0.kind == CXCursor_TypeRef }), parts.first?.isExpression != true {
            return send(selector, to: .type(type.spelling), arguments, at: cursor)
        }
        guard !arguments.isEmpty else { return opaque("message", at: cursor) }
        let receiver = arguments.removeFirst()
        if let made = creation(selector, receiver, arguments, at: cursor) { return made }
        return send(selector, to: .value(lower(receiver)), arguments, at: cursor, declaration: cursor.referenced)
    }

    private func writtenMessage(at offset: Int) -> TokenMessage? {
        let index = tokens.index(at: offset)
        guard index < tokens.all.count, tokens.all[index].start == offset else { return nil }
        return tokens.message(at: index)
    }

    /// `[[Type alloc] init…]`.
    private func creation(_ selector: String, _ receiver: Cursor, _ arguments: [Cursor], at cursor: Cursor) -> Operand? {
        let inner = receiver.essence
        let name = declarations.names.name(ofSelector: selector)
        guard name.base == "init", inner.kind == CXCursor_ObjCMessageExpr, let written = writtenMessage(at: inner.offsets.start),
              written.selector == "alloc" || written.selector == "allocWithZone:" else { return nil }
        sentOffsets.insert(inner.offsets.start)
        let type: TypeReference
        if let reference = inner.children.first(where: { $0.kind == CXCursor_ObjCClassRef || $0.kind == CXCursor_TypeRef }) {
            type = TypeReference(reference.spelling)
        } else {
            for child in inner.children where child.isExpression { _ = lower(child) }
            type = TypeReference(written.receiver.hasPrefix("[") || written.receiver == "self" ? "Self" : "_")
        }
        return create(type, name, arguments, at: cursor)
    }

    private func create(_ type: TypeReference, _ name: ImportedNames.Name, _ arguments: [Cursor], at cursor: Cursor) -> Operand {
        if Self.collections.contains(type.name) {
            let elements = arguments.map { lower($0) }
            return compute(type.name.hasSuffix("Dictionary") ? .dictionary : .array, type.name.hasSuffix("Dictionary") || name.labels.first == "capacity" ? [] : elements.filter { $0 != .constant(.null) }, at: cursor)
        }
        let lowered = self.arguments(arguments, name)
        return value(at: cursor) { .call(Call(result: $0, callee: .initializer(type), arguments: lowered)) }
    }

    private static let collections: Set<String> = ["NSMutableArray", "NSArray", "NSMutableDictionary", "NSMutableSet", "NSHashTable", "NSMutableOrderedSet"]

    private func arguments(_ cursors: [Cursor], _ name: ImportedNames.Name) -> [Argument] {
        cursors.enumerated().map { index, cursor in argument(cursor, label: index < name.labels.count ? name.labels[index] : nil) }
    }

    private func send(_ selector: String, to receiver: Receiver, _ arguments: [Cursor], at cursor: Cursor, declaration: Cursor? = nil) -> Operand {
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
            if name.base == "init" || selector == "new" { return create(TypeReference(type), selector == "new" ? .init(base: "init", labels: []) : name, arguments, at: cursor) }
            if Self.collections.contains(type), selector.hasPrefix("array") || selector.hasPrefix("set") || selector.hasPrefix("dictionary") || selector.hasPrefix("weakObjects") || selector.hasPrefix("orderedSet") {
                return create(TypeReference(type), .init(base: "init", labels: [selector.contains("apacity") ? "capacity" : nil]), arguments, at: cursor)
            }
            if let factory = self.factory(selector, of: type) { return create(TypeReference(type), factory, arguments, at: cursor) }
            let lowered = self.arguments(arguments, name)
            return value(at: cursor) { .call(Call(result: $0, callee: .member(.type(TypeReference(type)), name.base), arguments: lowered)) }
        case .value(let object):
            return send(selector, name, to: object, arguments, at: cursor, declaration)
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
        _ selector: String, _ name: ImportedNames.Name, to object: Operand, _ arguments: [Cursor], at cursor: Cursor, _ declaration: Cursor?
    ) -> Operand {
        switch selector {
        case "retain", "autorelease", "self", "copy", "mutableCopy":
            return object
        case "release", "drain":
            return .constant(.void)
        case "class":
            return object == .selfObject ? .type(TypeReference("Self")) : compute(.other("class"), [object], at: cursor)
        case "new" where isStatic && object == .selfObject, "alloc" where isStatic && object == .selfObject:
            return create(TypeReference("Self"), .init(base: "init", labels: []), [], at: cursor)
        case "performSelector:", "performSelector:withObject:", "performSelectorOnMainThread:withObject:waitUntilDone:":
            if let direct = performed(on: object, arguments, at: cursor) { return direct }
        default:
            break
        }
        if let property = accessed(selector, declaration) { return access(property, of: object, arguments, at: cursor) }
        if let operation = Self.collectionOperations[selector] {
            let lowered = arguments.map { argument($0, label: nil) }
            let call = Call(result: register(), callee: .member(object, operation.rawValue), arguments: operation == .insert || operation == .forEach ? lowered : Array(lowered.prefix(1)))
            emit(.collection(operation, call), at: cursor)
            return .register(call.result)
        }
        if let element = Self.elements[selector] { return value(at: cursor) { .read($0, .member(object, element)) } }
        if selector == "objectForKey:" || selector == "objectAtIndex:" || selector == "objectForKeyedSubscript:", let key = arguments.first {
            let index = lower(key)
            return value(at: cursor) { .read($0, .element(object, [Argument(label: nil, value: index)])) }
        }
        if selector == "removeObjectForKey:", let key = arguments.first {
            let index = lower(key)
            return value(at: cursor) { .call(Call(result: $0, callee: .member(object, "removeValue"), arguments: [Argument(label: "forKey", value: index)])) }
        }
        if selector == "setObject:forKey:" || selector == "setValue:forKey:" && object != .selfObject, arguments.count == 2, declaration?.parent?.spelling.contains("Dictionary") ?? true {
            let new = lower(arguments[0])
            let key = lower(arguments[1])
            emit(.write(.element(object, [Argument(label: nil, value: key)]), new), at: cursor)
            return .constant(.void)
        }
        let lowered = self.arguments(arguments, name)
        let result = value(at: cursor) { .call(Call(result: $0, callee: .member(object, name.base), arguments: lowered)) }
        return name.base == "init" && object == .selfObject ? .selfObject : result
    }

    private static let collectionOperations: [String: CollectionOperation] = [
        "addObject:": .append, "removeObject:": .remove, "removeAllObjects": .removeAll, "insertObject:atIndex:": .insert,
        "enumerateObjectsUsingBlock:": .forEach, "removeLastObject": .removeLast, "removeObjectAtIndex:": .remove, "removeObjectsInArray:": .removeAll, "removeObjectIdenticalTo:": .remove,
    ]
    private static let elements = ["firstObject": "first", "lastObject": "last", "anyObject": "first"]

    /// A selector that is called at once is a call.
    private func performed(on object: Operand, _ arguments: [Cursor], at cursor: Cursor) -> Operand? {
        guard let first = arguments.first, first.essence.kind == CXCursor_ObjCSelectorExpr, case .constant(.selector(let text)) = lower(first.essence) else { return nil }
        let takesObject = text.contains(":")
        let given = takesObject && arguments.count > 1 ? [argument(arguments[1], label: nil)] : []
        let base = String(text.prefix { $0 != "(" })
        return value(at: cursor) { .call(Call(result: $0, callee: .member(object, base), arguments: given)) }
    }

    // MARK: Accessors

    /// A property that a message reads or writes.
    private struct Access {
        let name: String
        let isWrite: Bool
    }

    private func accessed(_ selector: String, _ declaration: Cursor?) -> Access? {
        let isSetter = selector.hasPrefix("set") && selector.hasSuffix(":") && selector.filter { $0 == ":" }.count == 1 && selector.count > 4
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
