/// A macro that stands among the methods of an `@implementation` or `@interface`, or among classes behind an `@`, as libraries have them
/// that make declarations of their own: `EXPORT_MODULE()`, `@Register(Service, Controller)`.
struct DeclarationMacro: Hashable {
    let name: String
    /// The words and signs of each argument, between spaces.
    let arguments: [String]
    /// Whether a body in braces follows, so that the macro writes the head of a method.
    let hasBody: Bool
    /// Whether it stands among classes, behind an `@`.
    var isAmongClasses = false

    /// What stands for it where no header defines it: nothing, or the head of the method that one of the arguments is.
    var definition: String {
        // The `@` in front of it needs a word that it makes a directive of.
        if isAmongClasses { return "#ifndef \(name)\n#define \(name)(...) class LLRegistered;\n#endif" }
        guard hasBody, !arguments.isEmpty else { return "#ifndef \(name)\n#define \(name)(...)\n#endif" }
        // `name:(Type)argument` is a whole head; of plain words the last names it.
        let head = arguments.firstIndex { $0.contains(":") } ?? arguments.count - 1
        let parameters = arguments.indices.map { "LL\($0)" }.joined(separator: ", ")
        return "#ifndef \(name)\n#define \(name)(\(parameters), ...) - (void)LL\(head)\n#endif"
    }
}

extension TokenList {
    /// The macros that stand where methods of a class are declared; those of one name once.
    var declarationMacros: [DeclarationMacro] {
        var found: [DeclarationMacro] = []
        var isInside = false
        var depth = 0
        var index = all.startIndex
        // Where a declaration can begin: behind another one, or behind the head of the class.
        var begins = false
        func add(_ macro: DeclarationMacro) { if !found.contains(where: { $0.name == macro.name }) { found.append(macro) } }
        while index < all.endIndex {
            let token = all[index]
            defer { index += 1 }
            if token.isDirective { continue }
            if matches(token, "@"), index + 1 < all.endIndex {
                if matches(all[index + 1], "implementation") || matches(all[index + 1], "interface") { (isInside, depth, index, begins) = (true, 0, endOfHead(from: index + 2), true) }
                if matches(all[index + 1], "end") { isInside = false }
                if !isInside, index + 2 < all.endIndex, bytes[all[index + 1].start].isCapital, matches(all[index + 2], "(") {
                    add(DeclarationMacro(name: text(all[index + 1]), arguments: [], hasBody: false, isAmongClasses: true))
                }
                continue
            }
            guard isInside else { continue }
            if matches(token, "{") { depth += 1 }
            if matches(token, "}") { depth = max(0, depth - 1) }
            if depth > 0 { continue }
            if begins, isMacroName(token), index + 1 < all.endIndex, matches(all[index + 1], "("), let end = closing(index + 1) {
                let next = end + 1 < all.endIndex ? all[end + 1] : nil
                add(DeclarationMacro(name: text(token), arguments: arguments(index + 2..<end), hasBody: next.map { matches($0, "{") } ?? false))
                index = end
                continue
            }
            begins = matches(token, "}") || matches(token, ";")
        }
        return found
    }

    private func isMacroName(_ token: Token) -> Bool {
        token.kind == .word && token.end - token.start > 3
            && bytes[token.start..<token.end].allSatisfy { $0.isCapital || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x5F }
    }

    /// The last token of the head of a class, with its category, superclass and protocols, from the index of the name on.
    private func endOfHead(from index: Int) -> Int {
        var last = index
        while last + 1 < all.endIndex {
            let next = all[last + 1]
            if matches(next, "(") { last = closing(last + 1) ?? last + 1 } else if matches(next, ":") { last += 2 } else if matches(next, "<") {
                guard let end = all[(last + 1)...].firstIndex(where: { matches($0, ">") }) else { return last }
                last = end
            } else { return last }
        }
        return min(last, all.endIndex - 1)
    }

    /// The index of the bracket that closes the one at an index.
    private func closing(_ open: Int) -> Int? {
        var depth = 0
        for index in open..<all.endIndex {
            if matches(all[index], "(") { depth += 1 }
            if matches(all[index], ")") { depth -= 1 }
            if depth == 0 { return index }
        }
        return nil
    }

    private func arguments(_ range: Range<Int>) -> [String] {
        guard !range.isEmpty else { return [] }
        var parts: [[String]] = [[]]
        var depth = 0
        for token in all[range] {
            if ["(", "[", "{"].contains(where: { matches(token, $0) }) { depth += 1 }
            if [")", "]", "}"].contains(where: { matches(token, $0) }) { depth -= 1 }
            if depth == 0, matches(token, ",") { parts.append([]) } else { parts[parts.count - 1].append(text(token)) }
        }
        return parts.map { $0.joined(separator: " ") }
    }
}

extension UInt8 {
    fileprivate var isCapital: Bool { self >= 0x41 && self <= 0x5A }
}
