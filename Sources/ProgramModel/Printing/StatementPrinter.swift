/// Prints the statement language in the form that `lifelint dump` shows and that golden tests compare.
public struct StatementPrinter {
    private let body: Body
    private var lines: [String] = []

    private init(_ body: Body) {
        self.body = body
    }

    /// The lines of a body, each indented by `indent` spaces; statements carry the line of the text after `@`.
    public static func lines(of body: Body, indent: Int) -> [String] {
        var printer = StatementPrinter(body)
        printer.print(body.block, indent)
        return printer.lines
    }

    private mutating func add(_ text: String, _ indent: Int) {
        lines.append(String(repeating: " ", count: indent) + text)
    }

    private mutating func print(_ block: Block, _ indent: Int) {
        for statement in block { print(statement, indent) }
    }

    private mutating func print(_ statement: Statement, _ indent: Int) {
        let place = "  @\(statement.span.start.line)"
        switch statement.kind {
        case .read(let result, let source):
            add("\(name(result)) = read \(text(source))" + place, indent)
        case .write(let target, let value):
            add("write \(text(target)) = \(text(value))" + place, indent)
        case .declare(let local, let value):
            let type = body[local].type.map { ": \($0)" } ?? ""
            let kind = (body[local].isWeak ? "weak " : body[local].isUnowned ? "unowned " : "") + (body[local].isMutable ? "var" : "let")
            add("\(kind) \(name(local))\(type)" + (value.map { " = \(text($0))" } ?? "") + place, indent)
        case .call(let call):
            add("\(name(call.result)) = \(marks(call))call \(text(call))" + place, indent)
        case .collection(let operation, let call):
            add("\(name(call.result)) = \(marks(call))\(operation.rawValue)* \(text(call))" + place, indent)
        case .closure(let result, let closure):
            add("\(name(result)) = \(header(closure)) {" + place, indent)
            print(closure.block, indent + 2)
            add("}", indent)
        case .function(let local, let closure):
            add("func \(name(local)) = \(header(closure)) {" + place, indent)
            print(closure.block, indent + 2)
            add("}", indent)
        case .spawn(let local, let closure):
            add("async let \(name(local)) = {" + place, indent)
            print(closure.block, indent + 2)
            add("}", indent)
        case .compute(let result, let operation, let operands):
            add("\(name(result)) = \(text(operation))(" + operands.map(text).joined(separator: ", ") + ")" + place, indent)
        case .assign(let result, let value):
            add("\(name(result)) := \(text(value))" + place, indent)
        case .branch(let clauses, let then, let otherwise):
            print("if", clauses, indent, place)
            print(then, indent + 2)
            if !otherwise.isEmpty {
                add("} else {", indent)
                print(otherwise, indent + 2)
            }
            add("}", indent)
        case .select(let subject, let cases, let label):
            add("\(prefix(label))switch \(text(subject)) {" + place, indent)
            for one in cases {
                let condition = one.condition == .always ? "" : " #if \(one.condition)"
                for item in one.items { print("case \(text(item.pattern))", item, indent) }
                add(one.items.isEmpty ? "default:\(condition)" : "do:\(condition)", indent)
                print(one.body, indent + 2)
            }
            add("}", indent)
        case .loop(let loop):
            print(loop, indent, place)
        case .scope(let block, let label):
            add("\(prefix(label))do {" + place, indent)
            print(block, indent + 2)
            add("}", indent)
        case .attempt(let block, let catches, let label):
            add("\(prefix(label))attempt {" + place, indent)
            print(block, indent + 2)
            for clause in catches {
                for (index, item) in clause.items.enumerated() {
                    print("\(index == 0 ? "} catch" : "or") \(text(item.pattern))", item, indent)
                }
                if clause.items.isEmpty { add("} catch {", indent) }
                print(clause.body, indent + 2)
            }
            add("}", indent)
        case .deferred(let block):
            add("defer {" + place, indent)
            print(block, indent + 2)
            add("}", indent)
        case .exit(let exit):
            add(text(exit) + place, indent)
        case .configuration(let condition, let then, let otherwise):
            add("#if \(condition) {" + place, indent)
            print(then, indent + 2)
            if !otherwise.isEmpty {
                add("} #else {", indent)
                print(otherwise, indent + 2)
            }
            add("}", indent)
        case .suspend(let value):
            add("await \(text(value))" + place, indent)
        case .opaque(let opaque):
            let result = opaque.result.map { "\(name($0)) = " } ?? ""
            add("\(result)opaque \"\(opaque.reason)\" reads \(opaque.reads) writes \(opaque.writes)" + place, indent)
        }
    }

    private mutating func print(_ loop: Loop, _ indent: Int, _ place: String) {
        let label = prefix(loop.label)
        switch loop.kind {
        case .whileTrue(let clauses):
            print("\(label)while", clauses, indent, place)
            print(loop.body, indent + 2)
            add("}", indent)
        case .repeatWhile(let clauses):
            add("\(label)repeat {" + place, indent)
            print(loop.body, indent + 2)
            print("} while", clauses, indent, "", end: "")
        case .forEach(let element, let sequence, let guards, let isAsync):
            add("\(label)for \(isAsync ? "await " : "")\(text(element)) in \(text(sequence)) {" + place, indent)
            if !guards.isEmpty { print("where", guards, indent + 2, "", end: "") }
            print(loop.body, indent + 2)
            add("}", indent)
        }
    }

    /// Clauses on one line when nothing has to be evaluated for them, else one after the other.
    private mutating func print(_ word: String, _ clauses: [Clause], _ indent: Int, _ place: String, end: String = " {") {
        guard clauses.contains(where: { !$0.setup.isEmpty }) else {
            add(word + " " + clauses.map { text($0.test) }.joined(separator: ", ") + end + place, indent)
            return
        }
        for (index, clause) in clauses.enumerated() {
            add(index == 0 ? "\(word) when" + place : "and when", indent)
            print(clause.setup, indent + 4)
            add("  \(text(clause.test))" + (index == clauses.count - 1 ? end : ""), indent)
        }
    }

    private mutating func print(_ head: String, _ item: SelectItem, _ indent: Int) {
        print(item.setup, indent + 4)
        add(head, indent)
        if !item.guards.isEmpty { print("where", item.guards, indent + 2, "", end: "") }
    }

    // MARK: Words

    private func prefix(_ label: String?) -> String { label.map { "\($0): " } ?? "" }
    private func name(_ register: Register) -> String { "%\(register.index)" }
    private func name(_ local: LocalID) -> String { "\(body[local].name)#\(local.index)" }

    private func marks(_ call: Call) -> String {
        (call.mayThrow ? "try " : "") + (call.maySuspend ? "await " : "")
    }

    private func header(_ closure: Closure) -> String {
        let captures = closure.captures.map { "\($0.strength == .strong ? "" : "\($0.strength.rawValue) ")\(name($0.local)) = \(text($0.value))" }
        let attributes = closure.attributes.map { "@\($0) " }.joined()
        return attributes + (captures.isEmpty ? "" : "[" + captures.joined(separator: ", ") + "] ")
            + "(" + closure.parameters.map(name).joined(separator: ", ") + ")" + (closure.isAsync ? " async" : "") + " in"
    }

    private func text(_ operand: Operand) -> String {
        switch operand {
        case .register(let register): name(register)
        case .constant(let constant): text(constant)
        case .selfObject: "self"
        case .type(let type): "type \(type)"
        }
    }

    private func text(_ constant: Constant) -> String {
        switch constant {
        case .null: "nil"
        case .void: "()"
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .number(let text): text
        case .string(let text): "\"" + text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n").replacing("\"", with: "\\\"") + "\""
        case .selector(let name): "#selector(\(name))"
        case .keyPath(let root, let path): "\\\(root ?? "").\(path)"
        case .implicitMember(let name): ".\(name)"
        case .availability(let text): text
        case .literalMacro(let name): "#\(name)"
        }
    }

    private func text(_ place: Place) -> String {
        switch place {
        case .local(let local): name(local)
        case .name(let name): "'\(name)'"
        case .member(let base, let name): "\(text(base)).\(name)"
        case .superMember(let name): "super.\(name)"
        case .element(let base, let arguments): "\(text(base))[\(text(arguments))]"
        }
    }

    private func text(_ arguments: [Argument]) -> String {
        arguments.map { argument in
            (argument.label.map { "\($0): " } ?? "") + (argument.place.map { "&\(text($0))" } ?? text(argument.value))
        }.joined(separator: ", ")
    }

    private func text(_ call: Call) -> String {
        let callee: String = switch call.callee {
        case .member(let receiver, let name): "\(text(receiver)).\(name)"
        case .superMember(let name): "super.\(name)"
        case .name(let name): "'\(name)'"
        case .local(let local): name(local)
        case .initializer(let type): "init \(type)"
        case .implicitMember(let name): ".\(name)"
        case .value(let value): "value \(text(value))"
        case .macro(let name): "#\(name)"
        }
        return "\(callee)(\(text(call.arguments)))"
    }

    private func text(_ operation: Operator) -> String {
        switch operation {
        case .symbol(let symbol): symbol
        case .conditionalCast(let type): "as? \(type) "
        case .forcedCast(let type): "as! \(type) "
        case .coercion(let type): "as \(type) "
        case .typeTest(let type): "is \(type) "
        case .forceUnwrap: "unwrap"
        case .array: "array"
        case .dictionary: "dictionary"
        case .tuple: "tuple"
        case .tupleElement(let name): "element \(name) "
        case .interpolation: "interpolation"
        case .other(let kind): kind
        }
    }

    private func text(_ test: Test) -> String {
        switch test {
        case .isTrue(let value): text(value)
        case .isPresent(let value): "\(text(value)) != nil"
        case .matches(let value, let pattern): "\(text(value)) ~ \(text(pattern))"
        }
    }

    private func text(_ pattern: Pattern) -> String {
        switch pattern {
        case .wildcard: "_"
        case .bind(let local): "let \(name(local))" + (body[local].type.map { ": \($0)" } ?? "")
        case .value(let value): text(value)
        case .enumCase(let name, let parts): ".\(name)" + (parts.isEmpty ? "" : "(" + parts.map(text).joined(separator: ", ") + ")")
        case .tuple(let parts): "(" + parts.map(text).joined(separator: ", ") + ")"
        case .type(let type, let inner): "\(text(inner)) as \(type)"
        case .present(let inner): "some(\(text(inner)))"
        }
    }

    private func text(_ exit: Exit) -> String {
        switch exit {
        case .returns(let value): "return \(text(value))"
        case .throwing(let value): "throw \(text(value))"
        case .breaks(let label): "break" + (label.map { " \($0)" } ?? "")
        case .continues(let label): "continue" + (label.map { " \($0)" } ?? "")
        case .fallsThrough: "fallthrough"
        case .trap: "trap"
        }
    }
}
