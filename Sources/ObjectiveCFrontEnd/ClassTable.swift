internal import CLibClang

/// The classes that a text and the headers reached from it declare: their properties, and which variable stands for which.
final class ClassTable {
    /// One declared property.
    struct Property {
        let cursor: Cursor
        /// The name under which the program model knows it: that of the getter, as in Swift.
        let name: String
        let getter: String
        let setter: String
        /// The instance variable behind it.
        let variable: String
        let isReadOnly: Bool
        /// Whether the text itself declares it, and not a header.
        let isHere: Bool
        /// What is known of the attributes of a property of a header.
        let words: Set<String>

        /// The field in which the variable's value lies where the property has accessors of its own: a variable with the property's
        /// own name needs another, or its reads and writes would be taken for calls of the accessors.
        var storage: String { variable == name ? "_" + name : variable }
    }

    private var interfaces: Set<String> = []
    private var superclasses: [String: String] = [:]
    private var declared: [String: [String: Property]] = [:]
    /// The properties whose accessors some implementation here writes.
    private var custom: [String: Set<String>] = [:]
    /// The instance variables that are declared as such.
    private var variables: [String: Set<String>] = [:]
    /// Those that the text itself declares.
    private var variablesHere: [String: Set<String>] = [:]
    /// Accessors by the declaration that has them.
    private var accessorsByParent: [String: Set<String>] = [:]
    /// The selectors that headers list for a class, those of its categories and its class extension among them.
    private var listed: [String: Set<String>] = [:]
    /// The selectors that begin like those of initialisers and belong to methods that give no object: `- (void)initLayout`.
    private(set) var plainSelectors: Set<String> = []

    init(root: Cursor, madeUp: Set<String>, tokens: TokenList) {
        var synthesized: [String: [String: String]] = [:]
        var implementations: [Cursor] = []
        for cursor in root.children {
            switch cursor.kind {
            case CXCursor_ObjCInterfaceDecl:
                let name = cursor.spelling
                if !madeUp.contains(name) || cursor.isInMainFile { interfaces.insert(name) }
                addListedSelectors(of: cursor, to: name)
                addPlainSelectors(of: cursor)
                superclasses[name] = cursor.children.first { $0.kind == CXCursor_ObjCSuperClassRef }?.spelling
                addProperties(of: cursor, to: name)
                addVariables(of: cursor, to: name)
            case CXCursor_ObjCCategoryDecl:
                guard let name = className(ofCategory: cursor) else { continue }
                addListedSelectors(of: cursor, to: name)
                addPlainSelectors(of: cursor)
                addProperties(of: cursor, to: name)
                addVariables(of: cursor, to: name)
            case CXCursor_ObjCImplementationDecl, CXCursor_ObjCCategoryImplDecl:
                guard cursor.isInMainFile || cursor.isImplementationHere else { continue }
                implementations.append(cursor)
                addPlainSelectors(of: cursor)
                // A category has no variables.
                if cursor.kind == CXCursor_ObjCImplementationDecl { addVariables(of: cursor, to: cursor.spelling) }
            default:
                break
            }
        }
        for cursor in implementations {
            guard let name = cursor.kind == CXCursor_ObjCImplementationDecl ? cursor.spelling : className(ofCategory: cursor) else { continue }
            let extent = cursor.offsets
            synthesized[name, default: [:]].merge(Self.synthesized(tokens, from: extent.start, to: extent.end)) { first, _ in first }
            let selectors = Set(cursor.children.filter { $0.kind == CXCursor_ObjCInstanceMethodDecl }.map(\.spelling))
            for (key, property) in declared[name] ?? [:] where selectors.contains(property.getter) || selectors.contains(property.setter) {
                custom[name, default: []].insert(key)
            }
        }
        for (name, variables) in synthesized {
            for (property, variable) in variables {
                guard let (key, known) = declared[name]?.first(where: { $0.value.cursor.spelling == property }) else { continue }
                declared[name]?[key] = Property(
                    cursor: known.cursor, name: known.name, getter: known.getter, setter: known.setter, variable: variable, isReadOnly: known.isReadOnly,
                    isHere: known.isHere, words: known.words)
            }
        }
    }

    private func addPlainSelectors(of cursor: Cursor) {
        for child in cursor.children where child.kind == CXCursor_ObjCInstanceMethodDecl && ImportedNames.isInitializer(child.spelling) && !child.resultType.isObject {
            plainSelectors.insert(child.spelling)
        }
    }

    private func addListedSelectors(of cursor: Cursor, to name: String) {
        for child in cursor.children where child.kind == CXCursor_ObjCInstanceMethodDecl && !child.isInMainFile { listed[name, default: []].insert(child.spelling) }
    }

    /// Whether the interface of a class is here and no header lists a method, so that other code has no way to name it but as text.
    func isUnlisted(_ selector: String, in name: String) -> Bool { interfaces.contains(name) && !(listed[name]?.contains(selector) ?? false) }

    private func addVariables(of cursor: Cursor, to name: String) {
        let extent = cursor.offsets
        for child in cursor.children where child.kind == CXCursor_ObjCIvarDecl {
            // What the compiler makes for a property has the property's place.
            if child.isInMainFile, child.nameOffset < extent.start { continue }
            variables[name, default: []].insert(child.spelling)
            if child.isInMainFile { variablesHere[name, default: []].insert(child.spelling) }
        }
    }

    /// Whether the class declares the variable behind a property itself.
    func declaresVariable(of property: Property, in name: String) -> Bool {
        // A header that declares it by the property's own name does not know that it is behind the property, and shows the property alone.
        (property.variable != property.name && variables[name]?.contains(property.variable) ?? false) || variablesHere[name]?.contains(property.name) ?? false
    }

    private func addProperties(of cursor: Cursor, to name: String) {
        for child in cursor.children where child.kind == CXCursor_ObjCPropertyDecl {
            let attributes = child.propertyAttributes
            let key = self.name(ofProperty: child)
            let isReadOnly = attributes & CXObjCPropertyAttr_readonly.rawValue != 0
            // A class extension declares a property again to make it writable.
            if let known = declared[name]?[key], !known.isReadOnly, isReadOnly { continue }
            declared[name, default: [:]][key] = Property(
                cursor: child, name: key, getter: child.getterName, setter: child.setterName, variable: "_" + child.spelling,
                isReadOnly: isReadOnly, isHere: child.isInMainFile, words: Self.ownership(ofProperty: child))
        }
    }

    /// How a property is declared to hold its object, where it does not hold it: also by a word that is a macro, `@property (MB_WEAK)`.
    static func ownership(ofProperty cursor: Cursor) -> Set<String> {
        let attributes = cursor.propertyAttributes
        if attributes & CXObjCPropertyAttr_weak.rawValue != 0 { return ["weak"] }
        let strong = CXObjCPropertyAttr_retain.rawValue | CXObjCPropertyAttr_strong.rawValue | CXObjCPropertyAttr_copy.rawValue
        let unsafe = CXObjCPropertyAttr_unsafe_unretained.rawValue | CXObjCPropertyAttr_assign.rawValue
        return attributes & strong == 0 && attributes & unsafe != 0 ? ["unsafe_unretained"] : []
    }

    /// What `@synthesize a = _a, b;` says: the variable of each property.
    private static func synthesized(_ tokens: TokenList, from start: Int, to end: Int) -> [String: String] {
        var found: [String: String] = [:]
        let list = tokens.tokens(from: start, to: end)
        var index = list.startIndex
        while index < list.endIndex {
            guard tokens.matches(list[index], "synthesize") else {
                index += 1
                continue
            }
            index += 1
            var property = ""
            while index < list.endIndex, !tokens.matches(list[index], ";") {
                if list[index].kind == .word {
                    if list[index - 1].kind == .sign, tokens.matches(list[index - 1], "=") { found[property] = tokens.text(list[index]) } else {
                        property = tokens.text(list[index])
                        found[property] = property
                    }
                }
                index += 1
            }
        }
        return found
    }

    /// The class and its superclasses, as far as they are declared here.
    func chain(of name: String) -> [String] {
        var chain = [name]
        while chain.count < Self.longestChain, let next = superclasses[chain[chain.count - 1]] { chain.append(next) }
        return chain
    }

    /// The class that a category extends.
    func className(ofCategory cursor: Cursor) -> String? {
        cursor.children.first { $0.kind == CXCursor_ObjCClassRef }?.spelling
    }

    /// Whether some `@interface` here or in a header declares the class.
    func hasInterface(_ name: String) -> Bool { interfaces.contains(name) }

    func name(ofProperty cursor: Cursor) -> String {
        let getter = cursor.getterName
        return getter.isEmpty ? cursor.spelling : getter
    }

    func properties(of name: String) -> [String: Property] { declared[name] ?? [:] }

    private static let longestChain = 32

    /// The field in which a variable's value lies: that of the property which it stands for, unless that has accessors of its own.
    func field(ofVariable variable: String, in className: String) -> String {
        guard let (owner, property) = property(ofVariable: variable, in: className) else { return variable }
        return hasOwnAccessors(property, in: owner) ? property.storage : property.name
    }

    /// The field of a variable that no property stands for, or whose property has accessors of its own; nil for any other.
    func ownField(ofVariable variable: String, in className: String) -> String? {
        guard let (owner, property) = property(ofVariable: variable, in: className) else { return variable }
        return hasOwnAccessors(property, in: owner) ? property.storage : nil
    }

    private func hasOwnAccessors(_ property: Property, in owner: String) -> Bool { custom[owner]?.contains(property.name) ?? false }

    /// The property that a variable stands behind, with the class that declares it.
    private func property(ofVariable variable: String, in className: String) -> (owner: String, property: Property)? {
        for link in chain(of: className) {
            if let property = declared[link]?.values.filter({ $0.variable == variable }).min(by: { $0.name < $1.name }) { return (link, property) }
            // A class that declares it has its own, whatever properties stand above.
            if variables[link]?.contains(variable) ?? false { break }
        }
        // Where both accessors are written by hand, no `@synthesize` says so.
        return declared[className]?[variable].map { (className, $0) }
    }

    /// Whether a variable stands behind a property of the class itself.
    func isVariable(_ name: String, of className: String) -> Bool { (declared[className] ?? [:]).values.contains { $0.variable == name } }

    /// The property whose getter or setter a selector is.
    func accessor(_ selector: String, in className: String) -> (property: String, isGetter: Bool)? {
        for (key, property) in (declared[className] ?? [:]).sorted(by: { $0.key < $1.key }) {
            if property.getter == selector { return (key, true) }
            if property.setter == selector, !property.isReadOnly { return (key, false) }
        }
        return nil
    }

    /// Whether a method is declared by a property.
    func isAccessor(_ method: Cursor) -> Bool {
        guard let parent = method.parent else { return false }
        let key = "\(parent.spelling) \(parent.nameOffset)"
        if let known = accessorsByParent[key] { return known.contains(method.spelling) }
        let found = Set(parent.children.filter { $0.kind == CXCursor_ObjCPropertyDecl }.flatMap { [$0.getterName, $0.setterName] })
        accessorsByParent[key] = found
        return found.contains(method.spelling)
    }
}
