/// A type as it is written in a file, before any name is resolved.
public struct TypeReference: Hashable, Sendable {
    /// The dotted name without generic arguments.  Sugar has the name of what it stands for (`Array`,
    /// `Dictionary`); `->` is a function, `()` a tuple, `&` a composition, `.Type` a metatype, `_` unknown.
    public let name: String
    /// The generic arguments; for a function its parameters and then its result.
    public let arguments: [TypeReference]
    /// Whether the type is written with `?` or `!`.
    public let isOptional: Bool

    /// Makes a reference.
    public init(_ name: String, arguments: [TypeReference] = [], isOptional: Bool = false) {
        self.name = name
        self.arguments = arguments
        self.isOptional = isOptional
    }

    /// The same type as an optional.
    public var optional: TypeReference { TypeReference(name, arguments: arguments, isOptional: true) }
    /// The same type, not optional.
    public var unwrapped: TypeReference { TypeReference(name, arguments: arguments) }

    /// The type of the elements that iteration over the collection gives, when it is a known collection.
    public var element: TypeReference? {
        switch name {
        case "Array", "Set", "ArraySlice", "ContiguousArray": arguments.first
        case "Dictionary": arguments.last
        default: nil
        }
    }
}

extension TypeReference: CustomStringConvertible {
    /// The type as Swift writes it.
    public var description: String {
        let plain: String
        switch name {
        case "->" where !arguments.isEmpty:
            plain = "(" + arguments.dropLast().map(\.description).joined(separator: ", ") + ") -> " + arguments.last!.description
            return isOptional ? "(\(plain))?" : plain
        case "()":
            plain = "(" + arguments.map(\.description).joined(separator: ", ") + ")"
        case "&":
            plain = arguments.map(\.description).joined(separator: " & ")
            return isOptional ? "(\(plain))?" : plain
        case ".Type":
            plain = "\(arguments.first?.description ?? "_").Type"
        case "Array" where arguments.count == 1:
            plain = "[\(arguments[0])]"
        case "Dictionary" where arguments.count == 2:
            plain = "[\(arguments[0]): \(arguments[1])]"
        default:
            plain = arguments.isEmpty ? name : "\(name)<" + arguments.map(\.description).joined(separator: ", ") + ">"
        }
        return isOptional ? plain + "?" : plain
    }
}

extension TypeReference {
    /// Whether it names a collection, optional or not, that holds what is in it: those of Swift, and the mutable ones of Foundation.
    public var isHoldingCollection: Bool { Self.collections.contains(unwrapped.name) }

    private static let collections: Set<String> = [
        "Array", "Set", "Dictionary", "ContiguousArray", "NSMutableArray", "NSMutableSet", "NSMutableDictionary", "NSMutableOrderedSet",
    ]
}
