/// A message as the tokens show it.
struct TokenMessage {
    let start: Int
    let end: Int
    /// The first word after the bracket.
    let receiver: String
    let selector: String
    let isDirective: Bool
}

extension TokenList {
    /// The messages that begin between two offsets, judged by their tokens alone: a bracket that follows no operand, with a word after its receiver.
    func messages(from start: Int, to end: Int) -> [TokenMessage] {
        let first = index(at: start)
        return (first..<index(at: end)).compactMap { message(at: $0) }
    }

    /// The message whose bracket is the token of this index; nil when it is a literal, a subscript or an attribute.
    func message(at index: Int) -> TokenMessage? {
        guard matches(all[index], "[") else { return nil }
        // What stands on a line of the preprocessor is no part of the statement below it.
        if index > 0, all[index - 1].isDirective == all[index].isDirective {
            let previous = all[index - 1]
            if matches(previous, "]") || matches(previous, "@") { return nil }
            if previous.kind == .string || previous.kind == .number { return nil }
            // `x[0]` and `f()[0]` are subscripts; `return [x y]` and `(Type)[x y]` are messages, and so is what follows a macro without a semicolon.
            if previous.kind == .word, !Self.wordsBeforeValues.contains(text(previous)), !hasLineBreak(from: previous.end, to: all[index].start) { return nil }
        }
        guard let close = closing(of: index), close > index + 2 else { return nil }
        guard let nameIndex = endOfReceiver(index + 1, close), nameIndex < close else { return nil }
        guard all[nameIndex].kind == .word || matches(all[nameIndex], ":") else { return nil }
        return TokenMessage(
            start: all[index].start, end: all[close].end, receiver: text(all[index + 1]), selector: selector(from: nameIndex, to: close), isDirective: all[index].isDirective)
    }

    /// Whether the text counts references itself, by the messages that do it; a text that asks for the compiler's counting is written for
    /// both, and what stands after an `#else` may never be compiled.
    var countsReferences: Bool {
        var found = false
        var isAlternative: [Bool] = []
        for index in all.indices.dropLast() where all[index].kind == .word {
            if matches(all[index], "objc_arc") { return false }
            if index > 0, matches(all[index - 1], "#") {
                switch text(all[index]) {
                case "if", "ifdef", "ifndef": isAlternative.append(false)
                case "else", "elif": if !isAlternative.isEmpty { isAlternative[isAlternative.count - 1] = true }
                case "endif": _ = isAlternative.popLast()
                default: break
                }
            }
            guard !isAlternative.contains(true) else { continue }
            if matches(all[index + 1], "]"), index > 0, matches(all[index], "release") || matches(all[index], "autorelease") || matches(all[index], "retain") { found = true }
            if matches(all[index + 1], "("), Self.releases(macro: text(all[index])) { found = true }
        }
        return found
    }

    /// Whether a macro's name says that it releases and sets to nil, which only code asks for that counts references: `TT_RELEASE_SAFELY`;
    /// one that names the compiler's counting is for both.
    private static func releases(macro name: String) -> Bool { name.contains("RELEASE") && name.contains("SAFE") && !name.contains("ARC") }

    /// The names of the classes that the text declares with an interface of their own.
    var declaredClasses: Set<String> {
        var found: Set<String> = []
        for index in all.indices.dropLast(2).dropFirst() where matches(all[index], "interface") && matches(all[index - 1], "@") && all[index + 1].kind == .word {
            if !matches(all[index + 2], "(") { found.insert(text(all[index + 1])) }
        }
        return found
    }

    /// Whether what the preprocessor leaves out from an offset on is code of no configuration: `#if 0`.
    func isDead(_ offset: Int) -> Bool {
        // The stretch begins at the sign of its directive, or at the end of the line.
        let first = index(at: lineStart(of: offset))
        guard first + 2 < all.count else { return false }
        return matches(all[first], "#") && matches(all[first + 1], "if") && matches(all[first + 2], "0")
    }

    private func lineStart(of offset: Int) -> Int {
        var start = min(offset, bytes.count)
        while start > 0, bytes[start - 1] != 0x0A { start -= 1 }
        return start
    }

    /// Where the statement begins that is around an offset.
    func startOfStatement(around offset: Int) -> Int {
        var index = index(at: offset)
        while index > 0, !matches(all[index - 1], ";"), !matches(all[index - 1], "{"), !matches(all[index - 1], "}"), all[index - 1].isDirective == all[index].isDirective { index -= 1 }
        return index < all.count ? all[index].start : offset
    }

    private func hasLineBreak(from start: Int, to end: Int) -> Bool { bytes[start..<end].contains(0x0A) }

    private static let wordsBeforeValues: Set<String> = ["return", "else", "in", "do", "case", "throw"]

    /// The index of the bracket that closes the one of this index; nil when nothing does.
    func closing(of index: Int) -> Int? {
        var depth = 0
        for position in index..<all.count where all[position].kind == .sign {
            let token = all[position]
            if matches(token, "[") || matches(token, "(") || matches(token, "{") { depth += 1 }
            if matches(token, "]") || matches(token, ")") || matches(token, "}") {
                depth -= 1
                if depth == 0 { return position }
            }
        }
        return nil
    }

    /// The index of the token after the receiver that begins at an index.
    private func endOfReceiver(_ first: Int, _ close: Int) -> Int? {
        var position = first
        // `(Type)receiver`, `*receiver`, `@"text"`, `@[…]`
        while position < close, matches(all[position], "(") && !isFollowedByName(position, close) || matches(all[position], "*") || matches(all[position], "@") || matches(all[position], "&") {
            if matches(all[position], "("), let end = closing(of: position) { position = end + 1 } else { position += 1 }
        }
        guard position < close else { return nil }
        if let end = opening(all[position]) ? closing(of: position) : position { position = end + 1 }
        while position < close {
            if matches(all[position], ".") || matches(all[position], "->") || matches(all[position], "::") {
                position += 2
            } else if matches(all[position], "[") || matches(all[position], "("), let end = closing(of: position) {
                position = end + 1
            } else {
                return position
            }
        }
        return nil
    }

    private func opening(_ token: Token) -> Bool { matches(token, "[") || matches(token, "(") || matches(token, "{") }

    /// Whether what follows a parenthesis is the name of a method, so that the parenthesis is the receiver and no cast.
    private func isFollowedByName(_ index: Int, _ close: Int) -> Bool {
        guard let end = closing(of: index), end + 1 < close, all[end + 1].kind == .word else { return false }
        return end + 2 == close || matches(all[end + 2], ":")
    }

    /// The selector whose first part is at an index, up to the closing bracket.
    func selector(from first: Int, to close: Int) -> String {
        var parts: [String] = []
        var position = first
        var questions = 0
        while position < close {
            let token = all[position]
            if opening(token), let end = closing(of: position) {
                position = end + 1
                continue
            }
            if matches(token, "?") { questions += 1 }
            if matches(token, ":") {
                if questions > 0 {
                    questions -= 1
                } else {
                    parts.append(position > first || all[position].kind == .word ? (all[position - 1].kind == .word ? text(all[position - 1]) : "") : "")
                }
            }
            position += 1
        }
        return parts.isEmpty ? text(all[first]) : parts.map { $0 + ":" }.joined()
    }
}
