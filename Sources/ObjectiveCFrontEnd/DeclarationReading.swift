internal import CLibClang
import ProgramModel
import SourceText

/// Collects the declarations of one text; lives while the text is read and is dropped with it.
final class DeclarationReading {
    let tokens: TokenList
    let lines: LineTable
    let names: ImportedNames
    let classes: ClassTable
    /// The messages of the bodies, by the tokens, and those that the tree does not have.
    var messageCount = 0
    var lostMessageCount = 0
    private(set) var types: [TypeFacts] = []
    private(set) var freeMembers: [MemberFacts] = []
    /// What the preprocessor left out of the text.
    let skipped: [(start: Int, end: Int)]
    /// Whether the text counts references itself.
    private let isManual: Bool
    /// Whether the compiler is known to count references.
    private let isAutomatic: Bool

    init(tokens: TokenList, lines: LineTable, names: ImportedNames, root: Cursor, madeUp: Set<String>, skipped: [(start: Int, end: Int)], isManual: Bool, isAutomatic: Bool) {
        self.isManual = isManual
        self.isAutomatic = isAutomatic
        self.tokens = tokens
        self.lines = lines
        self.skipped = skipped
        classes = ClassTable(root: root, madeUp: madeUp, tokens: tokens)
        self.names = names.excepting(classes.plainSelectors)
    }

    func span(of cursor: Cursor) -> SourceSpan {
        let offsets = cursor.offsets
        return lines.span(from: offsets.start, to: max(offsets.start, offsets.end))
    }

    /// The stretch of the word at the place of a declaration.
    func nameSpan(of cursor: Cursor) -> SourceSpan {
        let start = cursor.nameOffset
        let index = tokens.index(at: start)
        guard index < tokens.all.count, tokens.all[index].start == start else { return lines.span(from: start, to: start) }
        return lines.span(from: start, to: tokens.all[index].end)
    }

    /// Reads what the text itself declares; headers have facts of their own.
    func read(_ root: Cursor) {
        for child in root.children where child.isInMainFile || child.isImplementationHere { read(declaration: child) }
    }

    private func read(declaration cursor: Cursor) {
        switch cursor.kind {
        case CXCursor_ObjCInterfaceDecl:
            add(.class, cursor, name: cursor.spelling, inherited: inherited(cursor), members: properties(of: cursor, in: cursor.spelling))
        case CXCursor_ObjCCategoryDecl:
            guard let name = classes.className(ofCategory: cursor) else { return }
            // A category that has a name stores nothing, and so keeps no object alive: what it declares, the class declares as well, or an
            // implementation has accessors for.
            let isNamed = !cursor.spelling.isEmpty
            let members = properties(of: cursor, in: name).filter { property in
                !isNamed || property.isOutlet || property.type?.isOptional != true || property.modifiers.contains { $0.hasPrefix("weak") || $0.hasPrefix("unowned") }
            }
            add(.extension, cursor, name: name, inherited: protocols(of: cursor), members: members)
        case CXCursor_ObjCProtocolDecl:
            let requirements = cursor.children.filter { $0.kind == CXCursor_ObjCInstanceMethodDecl }.filter { !classes.isAccessor($0) }.map { requirement($0) }
            add(.protocol, cursor, name: cursor.spelling, inherited: protocols(of: cursor), members: requirements)
        case CXCursor_ObjCImplementationDecl:
            read(implementation: cursor, of: cursor.spelling, isCategory: false)
        case CXCursor_ObjCCategoryImplDecl:
            guard let name = classes.className(ofCategory: cursor) else { return }
            read(implementation: cursor, of: name, isCategory: true)
        case CXCursor_FunctionDecl:
            if let function = function(cursor) { freeMembers.append(function) }
        case CXCursor_VarDecl:
            freeMembers.append(MemberFacts(
                kind: .property, baseName: cursor.spelling, type: cursor.type.reference, modifiers: cursor.isStatic ? ["private"] : [],
                body: initialValue(of: cursor), isConstant: false, span: span(of: cursor), nameSpan: nameSpan(of: cursor)))
        case CXCursor_LinkageSpec, CXCursor_Namespace, CXCursor_UnexposedDecl:
            for child in cursor.children { read(declaration: child) }
        default:
            break
        }
    }

    /// Adds a local with static storage, which is a variable of the file in all but its scope; gives the places of the messages in its value.
    func addLasting(_ name: String, _ cursor: Cursor, initial: Cursor?) -> Set<Int> {
        let reading = BodyReading(declarations: self, className: nil, isStatic: true)
        let body = initial.map { reading.body(ofValue: $0) }
            ?? BodyReading.constant(cursor.type.isObject ? .null : .integer(0), at: span(of: cursor))
        freeMembers.append(MemberFacts(
            kind: .property, baseName: name, type: cursor.type.reference, modifiers: ["private"], body: body, span: span(of: cursor), nameSpan: nameSpan(of: cursor)))
        return reading.sentOffsets
    }

    private func initialValue(of cursor: Cursor) -> Body? {
        guard let value = cursor.children.last, value.isExpression, value.essence.kind != CXCursor_InitListExpr, value.essence.kind != CXCursor_UnaryOperator else { return nil }
        return BodyReading(declarations: self, className: nil, isStatic: true).body(ofValue: value)
    }

    private func add(_ kind: TypeFacts.Kind, _ cursor: Cursor, name: String, inherited: [TypeReference], members: [MemberFacts], isPartial: Bool = false) {
        types.append(TypeFacts(
            kind: kind, name: name, genericParameters: [], inherited: inherited, attributes: [], modifiers: [], members: members, cases: [], payload: [],
            condition: .always, isLocal: false, isPartial: isPartial, span: span(of: cursor), nameSpan: nameSpan(of: cursor)))
    }

    private func inherited(_ cursor: Cursor) -> [TypeReference] {
        let superclass = cursor.children.first { $0.kind == CXCursor_ObjCSuperClassRef }.map { [TypeReference($0.spelling)] } ?? []
        return superclass + protocols(of: cursor)
    }

    private func protocols(of cursor: Cursor) -> [TypeReference] {
        cursor.children.filter { $0.kind == CXCursor_ObjCProtocolRef }.map { TypeReference($0.spelling) }.filter { $0.name != "NSObject" }
    }

    // MARK: Properties

    /// The properties and instance variables that an interface declares.
    private func properties(of cursor: Cursor, in className: String) -> [MemberFacts] {
        cursor.children.compactMap { child in
            switch child.kind {
            case CXCursor_ObjCPropertyDecl: property(child)
            case CXCursor_ObjCIvarDecl: variable(child, in: className)
            // Other methods of an interface say nothing that their code does not say.
            case CXCursor_ObjCInstanceMethodDecl where child.children.contains { $0.kind == CXCursor_ObjCRequiresSuper }: requirement(child, asksForSuper: true)
            default: nil
            }
        }
    }

    private func property(_ cursor: Cursor) -> MemberFacts {
        let words = attributeWords(of: cursor).union(ClassTable.ownership(ofProperty: cursor))
        return MemberFacts(
            kind: .property, baseName: classes.name(ofProperty: cursor), type: cursor.type.reference, attributes: outlet(cursor),
            modifiers: ownership(words, cursor.type) + (words.contains("class") ? ["static"] : []), span: span(of: cursor), nameSpan: nameSpan(of: cursor))
    }

    /// An instance variable that no property stands for, or one with accessors of its own.
    private func variable(_ cursor: Cursor, in className: String) -> MemberFacts? {
        guard let name = classes.ownField(ofVariable: cursor.spelling, in: className) else { return nil }
        // Code without the compiler's counting has no use for the word, and its tree does not keep it.
        let words: Set<String> = cursor.isInMainFile && tokens.declaresWeakly(cursor.spelling, at: cursor.nameOffset) == true && !cursor.type.isWeak ? ["unsafe_unretained"] : []
        return MemberFacts(
            kind: .property, baseName: name, type: cursor.type.reference, attributes: outlet(cursor), modifiers: ["private"] + ownership(words, cursor.type, isVariable: true),
            span: span(of: cursor), nameSpan: nameSpan(of: cursor))
    }

    private func outlet(_ cursor: Cursor) -> [AttributeFacts] {
        cursor.children.contains { $0.kind == CXCursor_IBOutletAttr || $0.kind == CXCursor_IBOutletCollectionAttr } ? [AttributeFacts(name: "IBOutlet")] : []
    }

    /// The words in the parentheses of a property.
    private func attributeWords(of cursor: Cursor) -> Set<String> {
        let range = cursor.offsets
        // Of `@property (…) A *a, *b;` every declaration begins at the sign.
        let list = tokens.tokens(from: range.start, to: range.end)
        guard let opening = list.firstIndex(where: { tokens.matches($0, "(") }), opening - list.startIndex <= 2,
              let closing = list[opening...].firstIndex(where: { tokens.matches($0, ")") }) else { return [] }
        return Set(list[opening..<closing].filter { $0.kind == .word }.map { tokens.text($0) })
    }

    private func ownership(_ words: Set<String>, _ type: ObjectiveCType, isVariable: Bool = false) -> [String] {
        guard type.isObject else { return [] }
        // Without the compiler's counting a variable holds what the code retains, and a delegate is not retained.
        if isVariable, isManual, type.reference?.name.hasSuffix("Delegate") ?? true { return ["unowned(unsafe)"] }
        if words.contains("weak") || type.isWeak { return ["weak"] }
        if words.contains("assign") || words.contains("unsafe_unretained") || type.spelling.contains("__unsafe_unretained") { return ["unowned(unsafe)"] }
        return []
    }

    // MARK: Implementations

    private func read(implementation cursor: Cursor, of className: String, isCategory: Bool) {
        var members: [MemberFacts] = []
        var getters: [String: Body] = [:]
        var setters: [String: Body] = [:]
        for child in cursor.children {
            switch child.kind {
            case CXCursor_ObjCInstanceMethodDecl, CXCursor_ObjCClassMethodDecl:
                guard let block = child.children.last, block.kind == CXCursor_CompoundStmt else { continue }
                let isStatic = child.kind == CXCursor_ObjCClassMethodDecl
                let reading = BodyReading(declarations: self, className: className, isStatic: isStatic)
                let method = method(child, reading.body(of: child, block), of: className, isStatic: isStatic, isPartial: reading.isPartial)
                if !isStatic, let accessor = classes.accessor(child.spelling, in: className) {
                    if accessor.isGetter { getters[accessor.property] = method.body } else { setters[accessor.property] = method.body }
                } else {
                    members.append(method)
                }
            case CXCursor_ObjCIvarDecl:
                if let variable = variable(child, in: className) { members.append(variable) }
            case CXCursor_FunctionDecl:
                if let function = function(child) { freeMembers.append(function) }
            case CXCursor_VarDecl:
                read(declaration: child)
            default:
                break
            }
        }
        for property in Set(getters.keys).union(setters.keys).sorted() {
            guard let declared = classes.properties(of: className)[property] else { continue }
            members += accessors(of: declared, in: className, get: getters[property], set: setters[property], isCategory: isCategory)
        }
        if isCategory || classes.hasInterface(className) {
            add(.extension, cursor, name: className, inherited: [], members: members)
        } else {
            // Nobody here declares the class: what it inherits from is not known.
            add(.class, cursor, name: className, inherited: [TypeReference("_")], members: members, isPartial: true)
        }
    }

    /// A property with accessors of its own, and the variable behind it.
    private func accessors(of property: ClassTable.Property, in className: String, get: Body?, set: Body?, isCategory: Bool) -> [MemberFacts] {
        let cursor = property.cursor
        let words = property.words.union(property.isHere ? attributeWords(of: cursor) : [])
        let place = get?.span ?? set?.span ?? .start
        let modifiers = ownership(words, cursor.type)
        let computed = MemberFacts(
            kind: .property, baseName: property.name, type: cursor.type.reference, attributes: outlet(cursor), modifiers: modifiers,
            accessors: MemberFacts.Accessors(
                get: get ?? BodyReading.getter(of: property.storage, at: place), set: set ?? (property.isReadOnly ? nil : BodyReading.setter(of: property.storage, at: place))),
            span: place, nameSpan: place)
        // A variable that is declared has an ownership of its own.
        if isCategory || classes.declaresVariable(of: property, in: className) { return [computed] }
        return [computed, MemberFacts(
            kind: .property, baseName: property.storage, type: cursor.type.reference, modifiers: ["private"] + modifiers, span: place, nameSpan: place)]
    }

    private func method(_ cursor: Cursor, _ body: Body, of className: String, isStatic: Bool, isPartial: Bool) -> MemberFacts {
        let selector = cursor.spelling
        let span = span(of: cursor)
        if selector == "dealloc", !isStatic {
            // Where the compiler does not count references, an override it is, and owes its superclass a call.
            return MemberFacts(
                kind: .deinitializer, baseName: "deinit", modifiers: isManual || !isAutomatic && countsReferences(cursor) ? ["override"] : [], body: body, isPartial: isPartial, span: span, nameSpan: nameSpan(of: cursor))
        }
        let name = names.name(ofSelector: selector)
        var attributes = [AttributeFacts(name: "objc", arguments: selector)]
        if cursor.children.contains(where: { $0.kind == CXCursor_IBActionAttr }) { attributes.append(AttributeFacts(name: "IBAction")) }
        // What a bridge to another language calls says so by the macro that declares it.
        attributes += cursor.children.filter { $0.kind == CXCursor_AnnotateAttr }.map { AttributeFacts(name: $0.spelling) }
        var modifiers = isStatic ? ["static"] : []
        if names.knows(selector) { modifiers.append("override") }
        if !isStatic, classes.isUnlisted(selector, in: className) { modifiers.append("unlisted") }
        let isInitializer = !isStatic && name.base == "init" && ImportedNames.isInitializer(selector)
        return MemberFacts(
            kind: isInitializer ? .initializer : .function, baseName: name.base,
            parameters: parameters(of: cursor, labels: name.labels), type: isInitializer ? nil : result(of: cursor), attributes: attributes, modifiers: modifiers, body: body, isPartial: isPartial, span: span,
            nameSpan: nameSpan(of: cursor))
    }

    /// Whether some class ends its objects by hand: its `dealloc` overrides, or calls super.
    var endsByHand: Bool {
        types.contains { type in
            type.members.contains { member in
                member.kind == .deinitializer && (member.modifiers.contains("override") || member.body?.block.containsStatement { $0.call?.callee == .superMember("dealloc") } ?? false)
            }
        }
    }

    /// Whether a method counts references in code that the preprocessor left out, and does not call super there.
    private func countsReferences(_ cursor: Cursor) -> Bool {
        let range = cursor.offsets
        let messages = tokens.messages(from: range.start, to: range.end).filter { message in skipped.contains { $0.start <= message.start && message.start < $0.end } }
        return messages.contains { $0.selector == "release" } && !messages.contains { $0.receiver == "super" }
    }

    private func result(of cursor: Cursor) -> TypeReference? {
        let type = cursor.resultType
        return type.spelling.contains("instancetype") ? TypeReference("Self") : type.reference
    }

    private func requirement(_ cursor: Cursor, asksForSuper: Bool = false) -> MemberFacts {
        let name = names.name(ofSelector: cursor.spelling)
        return MemberFacts(
            kind: .function, baseName: name.base,
            parameters: parameters(of: cursor, labels: name.labels), type: result(of: cursor), attributes: [AttributeFacts(name: "objc", arguments: cursor.spelling)] + (asksForSuper ? [AttributeFacts(name: "NS_REQUIRES_SUPER")] : []),
            modifiers: cursor.isOptionalRequirement ? ["optional"] : [], span: span(of: cursor), nameSpan: nameSpan(of: cursor))
    }

    private func parameters(of cursor: Cursor, labels: [String?]) -> [MemberFacts.Parameter] {
        cursor.children.filter { $0.kind == CXCursor_ParmDecl }.enumerated().map { index, parameter in
            MemberFacts.Parameter(label: index < labels.count ? labels[index] : nil, name: parameter.spelling, type: parameter.type.reference ?? TypeReference("Any"))
        }
    }

    private func function(_ cursor: Cursor) -> MemberFacts? {
        guard let block = cursor.children.last, block.kind == CXCursor_CompoundStmt else { return nil }
        let reading = BodyReading(declarations: self, className: nil, isStatic: true)
        let body = reading.body(of: cursor, block)
        return MemberFacts(
            kind: .function, baseName: cursor.spelling,
            parameters: parameters(of: cursor, labels: []), type: cursor.resultType.reference, modifiers: cursor.isStatic ? ["private"] : [], body: body, isPartial: reading.isPartial, span: span(of: cursor),
            nameSpan: nameSpan(of: cursor))
    }
}

extension Cursor {
    var isExpression: Bool { kind.rawValue >= CXCursor_FirstExpr.rawValue && kind.rawValue <= CXCursor_LastExpr.rawValue }
    var isStatement: Bool { kind.rawValue >= CXCursor_FirstStmt.rawValue && kind.rawValue <= CXCursor_LastStmt.rawValue }
}
