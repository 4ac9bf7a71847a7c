internal import CLibClang
import ProgramModel

/// Messages to collections, which the statement language knows as values.
extension BodyReading {
    private static let classes: Set<String> = [
        "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSCountedSet", "NSOrderedSet", "NSMutableOrderedSet", "NSHashTable", "NSPointerArray",
        "NSDictionary", "NSMutableDictionary", "NSMapTable", "NSCache",
    ]
    /// The collections that messages to their classes make; what the others hold cannot be told from the message.
    private static let madeWhole = classes.subtracting(["NSPointerArray", "NSMapTable", "NSCache"])

    private static let operations: [String: CollectionOperation] = [
        "addObject:": .append, "containsObject:": .contains, "addObjectsFromArray:": .append, "unionSet:": .append, "addEntriesFromDictionary:": .append, "removeObject:": .remove, "removeAllObjects": .removeAll, "insertObject:atIndex:": .insert,
        "enumerateObjectsUsingBlock:": .forEach, "removeLastObject": .removeLast, "removeObjectAtIndex:": .remove, "removeObjectsInArray:": .removeAll, "removeObjectIdenticalTo:": .remove,
    ]
    /// Those of them that take all elements of another collection.
    private static let takesAll: Set<String> = ["addObjectsFromArray:", "unionSet:", "addEntriesFromDictionary:"]
    /// Properties of collections, with the names that they have in the statement language.
    private static let elements = ["firstObject": "first", "lastObject": "last", "anyObject": "first"]
    private static let readsElement: Set<String> = ["objectForKey:", "objectAtIndex:", "objectForKeyedSubscript:", "objectAtIndexedSubscript:"]

    /// Whether objects of a class are collections; nil where the class is not known.
    private func isCollection(_ className: String?) -> Bool? {
        className.map { name in declarations.classes.chain(of: name).contains { Self.classes.contains($0) } }
    }

    /// The name of a property that a class declares, as the statement language spells it.
    func element(_ property: String, of declaration: Cursor?) -> String {
        guard let name = Self.elements[property], isCollection(declaration?.parent?.spelling) == true else { return property }
        return name
    }

    /// Whether a selector tells that what it gives is an object, though nobody declares it.
    static func givesObject(_ selector: String) -> Bool {
        readsElement.contains(selector) || elements[selector] != nil || ["init", "new", "copy", "mutableCopy", "retain", "autorelease", "self"].contains(selector) || selector.hasPrefix("initWith")
    }

    /// A message to a collection, or to what may be one; nil when it is no other than those to objects.
    func sendToCollection(_ selector: String, _ object: Operand, _ className: String?, _ arguments: [Cursor], at cursor: Cursor) -> Operand? {
        let known = isCollection(className)
        guard known != false else { return nil }
        if let operation = Self.operations[selector] {
            let lowered = arguments.map { argument($0, label: Self.takesAll.contains(selector) ? "contentsOf" : nil) }
            let call = Call(result: register(), callee: .member(object, operation.rawValue), arguments: operation == .insert || operation == .forEach ? lowered : Array(lowered.prefix(1)))
            emit(.collection(operation, call), at: cursor)
            return .register(call.result)
        }
        if let element = Self.elements[selector] { return value(at: cursor) { .read($0, .member(object, element)) } }
        if Self.readsElement.contains(selector), let key = arguments.first {
            let index = lower(key)
            return value(at: cursor) { .read($0, .element(object, [Argument(label: nil, value: index)])) }
        }
        if selector == "removeObjectForKey:", let key = arguments.first {
            let index = lower(key)
            return value(at: cursor) { .call(Call(result: $0, callee: .member(object, "removeValue"), arguments: [Argument(label: "forKey", value: index)])) }
        }
        // Any object takes `setValue:forKey:`, which sets a property of it.
        guard selector == "setObject:forKey:" || selector == "setObject:forKeyedSubscript:" || selector == "setValue:forKey:" && known == true, arguments.count == 2 else { return nil }
        let new = lower(arguments[0])
        let key = lower(arguments[1])
        emit(.write(.element(object, [Argument(label: nil, value: key)]), new), at: cursor)
        return .constant(.void)
    }

    /// What a message to the class of a collection makes; nil where its elements cannot be told.
    func collection(_ selector: String, of type: String, _ arguments: [Cursor], at cursor: Cursor) -> Operand? {
        guard Self.madeWhole.contains(type) else { return nil }
        let shape: Operator = type.hasSuffix("Dictionary") ? .dictionary : .array
        guard let start = ["init", "new", "array", "set", "orderedSet", "dictionary", "weakObjects", "hashTable"].first(where: selector.hasPrefix) else { return nil }
        switch String(selector.dropFirst(start.count)) {
        case "", "HashTable", "WithCapacity:", "WithOptions:", "WithOptions:capacity:":
            for argument in arguments { _ = lower(argument) }
            return compute(shape, [], at: cursor)
        case "WithArray:", "WithSet:", "WithOrderedSet:", "WithDictionary:", "WithArray:copyItems:", "WithSet:copyItems:", "WithDictionary:copyItems:":
            // A copy has the elements of what it is made from, and values are copied anyway.
            return arguments.map { lower($0) }.first
        case "WithObject:", "WithObjects:":
            return compute(shape, elements(arguments), at: cursor)
        case "WithObject:forKey:", "WithObjectsAndKeys:":
            let given = elements(arguments)
            return compute(shape, stride(from: 0, to: given.count - 1, by: 2).flatMap { [given[$0 + 1], given[$0]] }, at: cursor)
        default:
            return nil
        }
    }

    /// The elements that a message lists, up to the `nil` that ends them.
    private func elements(_ arguments: [Cursor]) -> [Operand] {
        Array(arguments.map { lower($0) }.prefix { $0 != .constant(.null) })
    }
}
