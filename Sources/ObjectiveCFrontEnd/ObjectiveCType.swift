internal import CLibClang
import ProgramModel

/// A type of the tree of libclang.
struct ObjectiveCType {
    let raw: CXType
    let clang: LibClang

    var spelling: String { clang.text(clang.typeSpelling(raw)) }
    private var canonical: CXType { clang.canonicalType(raw) }

    /// Whether a value of the type may be nil: an object, a block or a pointer.
    var isPointer: Bool {
        switch canonical.kind {
        case CXType_ObjCObjectPointer, CXType_BlockPointer, CXType_Pointer, CXType_ObjCId, CXType_ObjCClass, CXType_ObjCSel, CXType_NullPtr: true
        default: false
        }
    }

    /// Whether the type is an object's.
    var isObject: Bool {
        switch canonical.kind {
        case CXType_ObjCObjectPointer, CXType_BlockPointer, CXType_ObjCId: true
        default: false
        }
    }

    /// The class of an object; nil where nothing is known of it (`id`, types that were made up) and for what is none.
    var className: String? {
        guard canonical.kind == CXType_ObjCObjectPointer else { return nil }
        let name = baseName(clang.pointeeType(canonical))
        return name == "id" || name == "LLAny" || name == "Class" ? nil : name
    }

    /// The class that the type names itself, whatever other name a `typedef` gives it; nil for what is no class.
    var namedClass: String? {
        guard canonical.kind == CXType_ObjCInterface || canonical.kind == CXType_ObjCObject else { return nil }
        return baseName(canonical)
    }

    /// Whether the type is `BOOL` or `bool`.
    var isBoolean: Bool { canonical.kind == CXType_Bool || canonical.kind == CXType_SChar }

    /// Whether two types are the same but for `const`.
    func isSame(as other: ObjectiveCType) -> Bool {
        func bare(_ type: CXType) -> String { clang.text(clang.typeSpelling(type)).split(separator: " ").filter { $0 != "const" }.joined(separator: " ") }
        return bare(canonical) == bare(other.canonical)
    }

    /// Whether the type holds its objects weakly, as written: `__weak`.
    var isWeak: Bool { spelling.contains("__weak") }

    /// The type as the program model writes it; nil where nothing is known of it (`id`, types that were made up).
    var reference: TypeReference? {
        switch canonical.kind {
        case CXType_ObjCObjectPointer:
            return objectReference(clang.pointeeType(canonical))
        case CXType_ObjCId, CXType_ObjCSel, CXType_ObjCClass, CXType_Void, CXType_Dependent, CXType_Unexposed:
            return nil
        case CXType_BlockPointer:
            return TypeReference("->", isOptional: true)
        default:
            let name = spelling.split(separator: " ").filter { !$0.hasPrefix("_") && $0 != "const" && $0 != "struct" && $0 != "enum" }.joined(separator: " ")
            switch name {
            case "BOOL", "bool": return TypeReference("Bool")
            case "NSInteger", "int", "long": return TypeReference("Int")
            default: return name.contains("*") || name.contains("(") || name.contains("typeof") ? nil : TypeReference(name)
            }
        }
    }

    /// The name of an object's type, without the arguments and protocols.
    private func baseName(_ pointee: CXType) -> String {
        let base = clang.objectBaseType(pointee)
        var name = clang.text(clang.typeSpelling(base.kind == CXType_Invalid ? pointee : base))
        if name.hasPrefix("__kindof ") { name.removeFirst("__kindof ".count) }
        return name.firstIndex { $0 == "<" || $0 == " " }.map { String(name[..<$0]) } ?? name
    }

    private func objectReference(_ pointee: CXType) -> TypeReference? {
        let name = baseName(pointee)
        if name == "id" || name == "LLAny" || name == "Class" {
            guard clang.protocolCount(pointee) > 0 else { return nil }
            let protocolName = clang.text(clang.cursorSpelling(clang.protocolDeclaration(pointee, 0)))
            return protocolName.isEmpty || protocolName == "NSObject" ? nil : TypeReference(protocolName, isOptional: true)
        }
        let arguments = (0..<clang.typeArgumentCount(pointee)).map { ObjectiveCType(raw: clang.typeArgument(pointee, $0), clang: clang).reference ?? TypeReference("_") }
        switch name {
        case "NSArray", "NSMutableArray": return TypeReference("Array", arguments: arguments.map(\.unwrapped), isOptional: true)
        case "NSDictionary" where arguments.count == 2, "NSMutableDictionary" where arguments.count == 2: return TypeReference("Dictionary", arguments: arguments.map(\.unwrapped), isOptional: true)
        case "NSSet", "NSMutableSet": return TypeReference("Set", arguments: arguments.map(\.unwrapped), isOptional: true)
        case "NSString": return TypeReference("String", isOptional: true)
        default: return TypeReference(name, isOptional: true)
        }
    }
}
