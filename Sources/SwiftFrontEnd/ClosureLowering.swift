import ProgramModel
import SourceText
import SwiftSyntax

/// Closures and local functions.
extension BodyLowering {
    func closure(_ node: ClosureExprSyntax) -> Closure {
        // What is captured is evaluated outside, under the names that hold there.
        let captures = node.signature?.capture?.items.map { item in (item, capturedValue(item)) } ?? []
        return freshContext {
            let entries = captures.map { item, value in
                let strength: Capture.Strength = switch item.specifier?.specifier.text {
                case "weak": .weak
                case "unowned": .unowned
                default: .strong
                }
                let local = declare(item.name.plainText, type: nil, isMutable: false, isWeak: strength == .weak, isUnowned: strength == .unowned)
                return Capture(local: local, strength: strength, value: value)
            }
            var parameters = declareParameters(node.signature?.parameterClause)
            anonymousParameters.append([:])
            let inner = nested { lowerResult(of: node.statements) }
            let anonymous = anonymousParameters.removeLast()
            if parameters.isEmpty, let highest = anonymous.keys.max() {
                parameters = (0...highest).map { anonymous[$0] ?? declareHidden("$\($0)") }
            }
            return Closure(
                captures: entries, parameters: parameters, block: inner,
                isAsync: node.signature?.effectSpecifiers?.asyncSpecifier != nil,
                attributes: node.signature.map { DeclarationLowering.attributes($0.attributes).map(\.name) } ?? [], isOfResultBuilder: node.isOfResultBuilder, isExpression: true)
        }
    }

    func localFunction(_ node: FunctionDeclSyntax) -> Closure {
        freshContext {
            let parameters = node.signature.parameterClause.parameters.map { parameter in
                declare((parameter.secondName ?? parameter.firstName).plainText, type: TypeReference(parameter.type), isMutable: false)
            }
            let inner = nested { node.body.map { lowerResult(of: $0.statements) } }
            return Closure(
                captures: [], parameters: parameters, block: inner, isAsync: node.signature.effectSpecifiers?.asyncSpecifier != nil,
                attributes: DeclarationLowering.attributes(node.attributes).map(\.name))
        }
    }

    /// A closure that the text does not write as one: the code of a child task or of a computed local.
    func closure(isAsync: Bool, _ work: () -> Operand) -> Closure {
        freshContext {
            // A child task is awaited, and throws, where its value is read; its calls may do both.
            if isAsync { (tryDepth, awaitDepth) = (1, 1) }
            let inner = nested {
                let value = work()
                if block.lastExit != nil { return }
                block.append(Statement(id: -1, span: block.last?.span ?? .start, kind: .exit(.returns(value))))
            }
            return Closure(captures: [], parameters: [], block: inner, isAsync: isAsync, attributes: [])
        }
    }

    func closure(isAsync: Bool, _ work: () -> Void) -> Closure {
        freshContext {
            Closure(captures: [], parameters: [], block: nested(work), isAsync: isAsync, attributes: [])
        }
    }

    /// The closure with one parameter for which a method reference stands: it holds the receiver as it is now.
    func closure(calling name: String, label: String?, on receiver: Operand, at node: some SyntaxProtocol) -> Closure {
        freshContext {
            var captures: [Capture] = []
            if case .register = receiver { captures = [Capture(local: declareHidden("receiver"), strength: .strong, value: receiver)] }
            let parameter = declareHidden("$0")
            let inner = nested {
                let held = captures.first.map { captured in value(at: node) { .read($0, .local(captured.local)) } } ?? receiver
                let argument = value(at: node) { .read($0, .local(parameter)) }
                let result = value(at: node) { .call(Call(result: $0, callee: .member(held, name), arguments: [Argument(label: label, value: argument)])) }
                emit(.exit(.returns(result)), at: node)
            }
            return Closure(captures: captures, parameters: [parameter], block: inner, isAsync: false, attributes: [])
        }
    }

    /// Runs `work` with the marks of the code around it set aside: `try` and `await` do not reach into a closure.
    private func freshContext<Result>(_ work: () -> Result) -> Result {
        let saved = (tryDepth, awaitDepth)
        (tryDepth, awaitDepth) = (0, 0)
        defer { (tryDepth, awaitDepth) = saved }
        return inScope(work)
    }

    private func capturedValue(_ item: ClosureCaptureSyntax) -> Operand {
        if let initializer = item.initializer { return lower(initializer.value) }
        let name = item.name.plainText
        if let local = lookUp(name) { return value(at: item) { .read($0, .local(local)) } }
        if name == "self" { return .selfObject }
        return value(at: item) { .read($0, .name(name)) }
    }

    private func declareParameters(_ clause: ClosureSignatureSyntax.ParameterClause?) -> [LocalID] {
        switch clause {
        case .simpleInput(let list):
            return list.map { declare($0.name.plainText, type: nil, isMutable: false) }
        case .parameterClause(let clause):
            return clause.parameters.map { parameter in
                declare((parameter.secondName ?? parameter.firstName).plainText, type: parameter.type.map { TypeReference($0) }, isMutable: false)
            }
        default:
            return []
        }
    }
}
