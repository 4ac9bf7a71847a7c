/// Declares what a text uses and no header here declares, from what the compiler complains of; made anew for each text, or from what its
/// prefix header lacks.
struct Healing: Sendable {
    private let isPlus: Bool
    /// The superclasses of classes whose headers may be missing, where they are known.
    private let superclasses: [String: String]
    /// The classes that the text itself declares.  A header that names one of them before the text does (the prefix header imports them all)
    /// makes the compiler complain, yet a class made up then would take the place of the real one.
    private var declared: Set<String> = []
    private var lines: [Line] = []
    private var positions: [String: Int] = [:]
    /// Classes that were made up: nothing but their names is known.
    private(set) var madeUpClasses: Set<String> = []

    private struct Line {
        let key: String
        var text: String
    }

    init(isPlus: Bool, isMac: Bool, superclasses: [String: String]) {
        self.isPlus = isPlus
        self.superclasses = superclasses
        if isMac { add("#LLHF_ios", "#undef LLHF_ios\n#define LLHF_ios 0\n" + AvailabilityMacros.textForMac) }
    }

    /// The declarations for a text that stands behind what was healed so far: what it declares itself is not made up for what stands
    /// before it.
    func followed(by text: TokenList) -> Healing {
        var next = self
        next.declared = text.declaredClasses
        for name in next.declared {
            guard let position = positions[name], next.lines[position].text.hasPrefix("@interface") else { continue }
            next.lines[position].text = "@class \(name);"
            next.madeUpClasses.remove(name)
        }
        for macro in text.declarationMacros { next.add("#\(macro.name)", macro.definition) }
        for macro in text.ownershipMacros { next.add("#\(macro.name)", macro.definition) }
        return next
    }

    /// The declarations, as a header.
    var text: String { lines.map(\.text).joined(separator: "\n") + "\n" }

    /// Adds declarations for what the errors name; false when there is nothing more to add.
    mutating func heal(_ diagnostics: [TranslationUnit.Diagnostic]) -> Bool {
        let errors = diagnostics.filter(\.isError)
        let before = (lines.count, changes)
        for error in errors { heal(types: error) }
        // Identifiers are often the fallout of an unknown type: they come when the types are there.
        let foundTypes = lines.count > before.0
        for error in errors { heal(names: error, onlyCapitals: foundTypes) }
        return (lines.count, changes) != before
    }

    private var changes = 0

    private mutating func add(_ key: String, _ text: String) {
        guard positions[key] == nil else { return }
        positions[key] = lines.count
        lines.append(Line(key: key, text: text))
    }

    private mutating func replace(_ key: String, by text: String) {
        guard let position = positions[key], lines[position].text != text, !retyped.contains(key) else { return }
        retyped.insert(key)
        lines[position].text = text
        changes += 1
    }

    private var retyped: Set<String> = []

    // MARK: Types

    private mutating func heal(types error: TranslationUnit.Diagnostic) {
        let quoted = Self.quoted(error.message)
        // Of the type of a block's parameter the compiler gives no name.
        if error.message == "type-id cannot have a name" || error.message == "expected a type", let name = error.after.first, Self.isCapital(name) { return addType(name, error) }
        // What a block gives, between `^` and its parameters or its body, is the type of no name that the compiler knows.
        if error.message.hasPrefix("type name requires a specifier"), error.before.first == "^", let name = error.after.first, Self.isCapital(name) { return addType(name, error) }
        // `static void DNSSD_API reply(…)`: the word between a type and a function's name says how it is called.
        if error.message.hasPrefix("expected ';' after top level declarator"), let name = error.before.first, Self.isMacro(name), Self.isWord(error.after.first ?? "") {
            return add(name, "#define \(name)")
        }
        guard let name = quoted.first else { return }
        if error.message.hasPrefix("unknown type name") {
            addType(name, error)
        } else if error.message.hasPrefix("cannot find interface declaration for") || error.message.hasPrefix("attempting to use the forward class") {
            addClass(name)
        } else if error.message.hasPrefix("cannot find protocol declaration for") || error.message.hasPrefix("no type or protocol named") {
            add("protocol \(name)", "@protocol \(name) <NSObject> @end")
        } else if error.message.hasPrefix("property '"), error.message.contains("forward class"), let type = quoted.last {
            addClass(Self.className(type))
            addProperty(name)
        } else if error.message.contains("is a forward declaration") || error.message.contains("forward class"), Self.isCapital(name) {
            addClass(name.split(separator: " ").first.map(String.init) ?? name)
        } else if error.message.contains("element not found on object of type") {
            let type = Self.className(quoted.last ?? name)
            if SDKDeclarations.isIdentifier(type) { add("subscripts \(type)", "@class \(type); LL_SUBSCRIPTS(\(type))") }
        }
    }

    private mutating func addClass(_ name: String) {
        guard SDKDeclarations.isIdentifier(name) else { return }
        if declared.contains(name) { return add(name, "@class \(name);") }
        if let superclass = superclasses[name] {
            if superclasses[superclass] != nil { addClass(superclass) }
            return add(name, "@interface \(name) : \(superclass) @end")
        }
        madeUpClasses.insert(name)
        add(name, "@interface \(name) : NSObject @end")
    }

    private mutating func addType(_ name: String, _ error: TranslationUnit.Diagnostic) {
        guard SDKDeclarations.isIdentifier(name) else { return }
        let next = error.after.dropFirst().first ?? ""
        let afterNext = error.after.dropFirst(2).first ?? ""
        // No type stands before `@end`, nor before what else begins with that sign.
        if next == "@" || Self.isMacro(name) && Self.isWord(next) {
            add(name, "#define \(name)")
        } else if next == "*" || (next == "<" && error.after.prefix(8).contains("*")) {
            addClass(name)
        } else if Self.isWord(next), Self.isWord(afterNext) || afterNext == "*", next != "const" {
            add(name, "#define \(name)")
        } else if name.hasSuffix("Ref") {
            add(name, "typedef struct LL\(name) *\(name);")
        } else if ["Block", "Handler", "Completion", "Callback", "Closure"].contains(where: name.hasSuffix) {
            add(name, "typedef LLAny *(^\(name))(\(isPlus ? "..." : ""));")
        } else {
            add(name, "typedef NSInteger \(name);")
        }
    }

    /// Whether a name is in capitals, as those of macros are.
    private static func isMacro(_ name: String) -> Bool { name.allSatisfy { $0.isUppercase || $0 == "_" || $0.isNumber } }

    // MARK: Names

    private mutating func heal(names error: TranslationUnit.Diagnostic, onlyCapitals: Bool) {
        let quoted = Self.quoted(error.message)
        if error.message.hasPrefix("use of undeclared identifier"), let name = quoted.first, SDKDeclarations.isIdentifier(name) {
            if onlyCapitals, !Self.isCapital(name), !name.hasPrefix("k"), !name.hasPrefix("_") { return }
            if Self.isCast(error) { addType(name, error) } else { addIdentifier(name, error) }
        } else if error.message.hasPrefix("property '"), error.message.contains("not found on object of type"), let name = quoted.first {
            // Where every object has the property and this class has not, it is declared by name only.
            if positions[".\(name)"] != nil, let type = quoted.last, error.before.first == ".", error.before.dropFirst().first == type { addClass(type) }
            addProperty(name)
            if quoted.last == "id", let method = Self.sendBefore(error.before) { add("-\(method)", "@interface NSObject (LL\(lines.count)) - (LLAny *)\(method); + (LLAny *)\(method); @end") }
        } else if error.message.hasPrefix("collection element of type"), let name = error.after.first {
            if let position = positions[name], lines[position].text.hasPrefix("enum") { replace(name, by: Self.constant(name)) }
        } else if error.message.contains("'LLAny *'") || error.message.contains("LLValue"), let type = quoted.first(where: { !$0.hasPrefix("LLAny") }) ?? quoted.first {
            retype(error, to: type)
        }
    }

    /// Whether the name stands alone between parentheses before a value: `(CFRunLoopTimerRef)timer`.
    private static func isCast(_ error: TranslationUnit.Diagnostic) -> Bool {
        let before = error.before.drop { $0.hasPrefix("__bridge") }
        guard before.first == "(", error.after.dropFirst().first == ")", let value = error.after.dropFirst(2).first else { return false }
        // An argument of a message, after which the next part of the selector comes: `options:(Some) context:nil`.
        if before.dropFirst().first == ":", isWord(value), error.after.dropFirst(3).first == ":" { return false }
        // A condition, or the argument of a call.
        if let word = before.dropFirst().first, isWord(word), word != "return" { return false }
        return isWord(value) || value == "[" || value == "@"
    }

    private mutating func addProperty(_ name: String) {
        guard SDKDeclarations.isIdentifier(name), name != "class" else { return }
        add(".\(name)", property(name, Self.guess(name)))
    }

    private func property(_ name: String, _ type: String) -> String { "@interface NSObject (LLProperty_\(name)) @property \(type) \(name); + (\(type))\(name); @end" }

    /// The type that a property's name suggests.
    private static func guess(_ name: String) -> String {
        for suffix in ["Height", "Width", "Alpha", "Scale", "Duration", "Interval", "Radius", "Offset", "Spacing", "Padding", "Margin", "Inset"] where name.hasSuffix(suffix) { return "double" }
        for suffix in ["Count", "Index", "Style", "Mode", "Type", "State", "Status", "Orientation"] where name.hasSuffix(suffix) { return "NSInteger" }
        for suffix in ["Size"] where name.hasSuffix(suffix) { return "CGSize" }
        for suffix in ["Frame", "Rect", "Bounds"] where name.hasSuffix(suffix) { return "CGRect" }
        for suffix in ["Insets"] where name.hasSuffix(suffix) { return "UIEdgeInsets" }
        for suffix in ["Enabled", "Hidden"] where name.hasSuffix(suffix) { return "BOOL" }
        for prefix in ["is", "has", "should", "can", "allows", "shows", "uses", "needs"] where name.hasPrefix(prefix) && name.dropFirst(prefix.count).first?.isUppercase == true { return "BOOL" }
        return "LLAny *"
    }

    private mutating func addIdentifier(_ name: String, _ error: TranslationUnit.Diagnostic) {
        let previous = error.before.first ?? ""
        let next = error.after.dropFirst().first ?? ""
        let afterNext = error.after.dropFirst(2).first ?? ""
        let startsStatement = [";", "{", "}"].contains(previous) || previous == "(" && error.before.dropFirst().first == "for"
        let isCast = previous == "(" && next == "*" && afterNext == ")"
        if Self.isElement(error) {
            add(name, Self.constant(name))
        } else if next == "(" {
            add(name, isPlus ? "extern \"C\" LLAny *\(name)(...);" : "LLAny *\(name)();")
        } else if Self.isCapital(name), (previous == "[" && Self.isWord(next)) || isCast || next == "." || (next == "*" && Self.isWord(afterNext) && startsStatement) || (next == "class") {
            addClass(name)
        } else if Self.isCapital(name), Self.isWord(next), startsStatement {
            add(name, "typedef NSInteger \(name);")
        } else if ["Key", "Name", "Notification", "Identifier", "Domain", "String", "Path", "URL"].contains(where: name.hasSuffix) || previous == "name" || error.before.dropFirst().first == "forKey"
                    || (previous == ":" && ["name", "forKey", "objectForKey", "forKeyPath"].contains(error.before.dropFirst().first ?? "")) {
            add(name, Self.constant(name))
        } else if previous == "[" || next == "." || name.hasPrefix("_") || name.first?.isLowercase == true && !name.hasPrefix("k") {
            add(name, "extern LLAny *\(name);")
        } else {
            add(name, isPlus ? "extern const LLValue \(name);" : "enum { \(name) = \(1000 + lines.count) };")
        }
    }

    /// Whether the word at an error is an element of `@[…]` or `@{…}`, which must be an object.
    private static func isElement(_ error: TranslationUnit.Diagnostic) -> Bool {
        guard [",", ":", "]", "}"].contains(error.after.dropFirst().first ?? ""), [",", ":", "[", "{"].contains(error.before.first ?? "") else { return false }
        var depth = 0
        for (index, word) in error.before.enumerated() {
            if ["]", "}", ")"].contains(word) { depth += 1 }
            guard ["[", "{", "("].contains(word) else { continue }
            if depth == 0 { return index + 1 < error.before.count && error.before[index + 1] == "@" }
            depth -= 1
        }
        return false
    }

    private static func constant(_ name: String) -> String { "extern NSString *const \(name);" }

    /// Gives what was made up in the statement the type that the compiler wants there.
    private mutating func retype(_ error: TranslationUnit.Diagnostic, to wanted: String) {
        let type = ["CGRect", "CGSize", "CGPoint", "UIEdgeInsets", "NSRange", "CGAffineTransform", "CMTime", "BOOL"].first(where: wanted.hasPrefix) ?? "double"
        let statement = error.before.prefix { $0 != ";" && $0 != "{" && $0 != "}" }.reversed() + error.after.prefix { $0 != ";" && $0 != "{" && $0 != "}" }
        for (index, word) in statement.enumerated() {
            // What stands before a dot, or before the name of a message, is an object.
            let next = index + 1 < statement.count ? statement[index + 1] : ""
            if next == "." && !(index + 2 < statement.count && Self.fields.contains(statement[index + 2])) || Self.isWord(next) { continue }
            if positions[".\(word)"] != nil { replace(".\(word)", by: property(word, type)) }
            if positions[word] != nil, let line = positions[word].map({ lines[$0].text }), line.hasPrefix("extern LLAny *") {
                replace(word, by: isPlus ? "extern const LLValue \(word);" : "enum { \(word) = \(2000 + lines.count) };")
            }
        }
    }

    /// The members of the structures that a property may have.
    private static let fields: Set<String> = ["x", "y", "width", "height", "origin", "size", "top", "left", "bottom", "right", "location", "length", "value", "timescale"]

    // MARK: Words

    /// The selector of the message before a dot: `[Store shared].name`; nil when it has arguments, the last of which stands there:
    /// `[Path pathWithRect:self.bounds].name`.
    private static func sendBefore(_ before: [String]) -> String? {
        guard before.first == ".", before.dropFirst().first == "]", let name = before.dropFirst(2).first, isWord(name),
              let receiver = before.dropFirst(3).first, isWord(receiver) || receiver == "]" else { return nil }
        return name
    }

    private static func className(_ type: String) -> String {
        String(type.prefix { $0 != " " && $0 != "<" && $0 != "*" })
    }

    /// What stands between quotes in a message.
    static func quoted(_ message: String) -> [String] {
        message.split(separator: "'", omittingEmptySubsequences: false).enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    private static func isCapital(_ name: String) -> Bool { name.first?.isUppercase == true }
    private static func isWord(_ text: String) -> Bool { text.first.map { $0.isLetter || $0 == "_" } ?? false }
}
