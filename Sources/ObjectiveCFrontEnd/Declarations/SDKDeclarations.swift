import ProgramModel

/// The SDK as the parser is told of it: no header of Apple's is read.
enum SDKDeclarations {
    /// A header that declares what lifelint knows of the SDK; the same knowledge gives the same text.
    static func text(of platform: PlatformKnowledge) -> String {
        let ownNames = ownNames(in: platform)
        let superclasses = superclasses(of: platform)
        let names = Set(platform.superclasses.keys).union(platform.rootClasses).filter { isIdentifier($0) && !declared.contains($0) && !platform.libraryClasses.contains($0) && ownNames[$0] == nil }
        let protocols = platform.protocols.filter { isIdentifier($0) && !declaredProtocols.contains($0) }.sorted()
        var lines = [AvailabilityMacros.text, LanguageDeclarations.text]
        lines += protocols.map { "@protocol \($0) <NSObject> @end" }
        lines.append("@class " + names.sorted().joined(separator: ", ") + ";")
        var written = declared
        func write(_ name: String) {
            guard written.insert(name).inserted else { return }
            let swiftName = platform.superclasses[name].flatMap { ownNames[$0] == name ? $0 : nil }
            let superclass = superclasses[name] ?? "NSObject"
            write(superclass)
            func members(_ table: [String: [String: TypeReference]]) -> [String: TypeReference] {
                (table[name] ?? [:]).merging(swiftName.flatMap { table[$0] } ?? [:]) { own, _ in own }
            }
            func spelling(_ type: TypeReference) -> String { Self.spelling(type, platform, ownNames) }
            let parameters = generic[name].map { "<\($0)>" } ?? ""
            lines.append("@interface \(name)\(parameters) : \(superclass)")
            for (property, type) in members(platform.properties).sorted(by: { $0.key < $1.key }) where isIdentifier(property) && !reserved.contains(property) {
                lines.append("@property \(spelling(type))\(property);")
            }
            for (method, type) in members(platform.methods).sorted(by: { $0.key < $1.key }) {
                guard let head = head(ofMethod: method) else { continue }
                lines.append("\(head.isStatic ? "+" : "-") (\(spelling(type)))\(head.name);")
            }
            lines.append("@end")
        }
        for name in names.sorted() { write(name) }
        lines.append(UserInterfaceDeclarations.text)
        return lines.joined(separator: "\n") + "\n"
    }

    /// The superclasses of the SDK's classes by the names that Objective-C has for them.
    static func superclasses(of platform: PlatformKnowledge) -> [String: String] {
        let ownNames = ownNames(in: platform)
        var found: [String: String] = [:]
        for (name, superclass) in platform.superclasses where isIdentifier(name) && ownNames[name] == nil && !platform.libraryClasses.contains(name) {
            let named = ownNames[superclass] == name ? platform.superclasses[superclass] ?? "NSObject" : superclass
            let written = platform.ancestry(of: named).first(where: isIdentifier) ?? "NSObject"
            found[name] = ownNames[written] ?? written
        }
        return found
    }

    /// What Objective-C calls the classes that have a shorter name in Swift.  The table has Swift's as the superclass; here a project
    /// may have a class of that name, `@interface Operation : NSOperation`, and libclang walks a circle of superclasses without end.
    private static func ownNames(in platform: PlatformKnowledge) -> [String: String] {
        var names = ["Process": "NSTask"]
        for (name, superclass) in platform.superclasses where name == "NS" + superclass { names[superclass] = name }
        return names.filter { platform.superclasses[$0.value] == $0.key }
    }

    /// The Objective-C name of a method without arguments; nil for others, whose result is taken for an object anyway.
    private static func head(ofMethod name: String) -> (isStatic: Bool, name: String)? {
        let isStatic = name.hasPrefix("static ")
        let full = isStatic ? String(name.dropFirst("static ".count)) : name
        guard full.hasSuffix("()") else { return nil }
        let base = String(full.dropLast(2))
        return isIdentifier(base) && !reserved.contains(base) ? (isStatic, base) : nil
    }

    private static func spelling(_ type: TypeReference, _ platform: PlatformKnowledge, _ ownNames: [String: String]) -> String {
        switch type.name {
        case "Array": return "NSArray<\(type.arguments.first.map { spelling($0, platform, ownNames) } ?? "id")> *"
        case "String": return "NSString *"
        case "Bool": return "BOOL "
        case "Int": return "NSInteger "
        case let name where platform.protocols.contains(name): return "id<\(name)> "
        case let name where isIdentifier(name) && (platform.isClass(name) || declared.contains(name)): return "\(ownNames[name] ?? name) *"
        default: return "LLAny *"
        }
    }

    static func isIdentifier(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { ($0 >= 0x41 && $0 <= 0x5A) || ($0 >= 0x61 && $0 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x5F }
    }

    /// Words that cannot be names in C or C++.
    private static let reserved: Set<String> = ["default", "class", "template", "operator", "new", "delete", "private", "public", "this", "register", "signed", "short", "long", "static", "extern", "auto", "self"]
    /// What `LanguageDeclarations` declares.
    private static let declared: Set<String> = [
        "NSObject", "LLAny", "NSString", "NSMutableString", "NSValue", "NSNumber", "NSArray", "NSMutableArray", "NSDictionary", "NSMutableDictionary", "NSSet",
        "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet", "NSCountedSet", "NSEnumerator", "NSHashTable", "NSMapTable", "NSCache", "NSFetchRequest",
        "NSFetchedResultsController", "NSData", "NSMutableData", "Protocol", "NSProxy", "NSMethodSignature", "NSInvocation",
    ]
    private static let declaredProtocols: Set<String> = ["NSObject", "NSCopying", "NSMutableCopying", "NSCoding", "NSSecureCoding", "NSFastEnumeration"]
    private static let generic = [
        "NSLayoutAnchor": "A", "UICollectionViewDiffableDataSource": "S, I", "UITableViewDiffableDataSource": "S, I", "NSDiffableDataSourceSnapshot": "S, I",
        "NSMeasurement": "U", "NSPersistentCloudKitContainer": "A",
    ]
}
