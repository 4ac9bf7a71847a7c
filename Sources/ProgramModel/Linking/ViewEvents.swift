/// The code that a SwiftUI view gives to its events, `.onAppear { … }`, `.task { … }` and `.onDisappear { … }` in what `body` shows, as functions of the view:
/// SwiftUI calls them as UIKit calls the methods of a controller.  What each says stays where it is written, too, and is judged there.
public enum ViewEvents {
    /// The modifiers whose closures SwiftUI calls as the view comes and goes.
    private static let modifiers = ["onAppear", "task", "onDisappear"]
    /// The full names of the functions.
    public static let functions = modifiers.map { ".\($0)()" }

    /// The files with the functions of their views; each group has the declaration of a type, then its extensions.
    static func adding(to files: [ProgramFile], types: [[DeclarationID]]) -> [ProgramFile] {
        var added: [DeclarationID: [MemberFacts]] = [:]
        for declarations in types {
            guard let first = declarations.first, files[first.file].facts.types[first.index].kind == .struct else { continue }
            for (declaration, function) in functions(of: declarations, in: files) { added[declaration, default: []].append(function) }
        }
        guard !added.isEmpty else { return files }
        return files.enumerated().map { file, one in
            let types = one.facts.types.enumerated().map { index, type in added[DeclarationID(file: file, index: index)].map { type.adding($0) } ?? type }
            return one.with(one.facts.with(types))
        }
    }

    /// A member of a view, and what it gives to one modifier.
    private struct Part {
        let declaration: DeclarationID
        let member: MemberFacts
        let body: Body
    }

    private static func functions(of declarations: [DeclarationID], in files: [ProgramFile]) -> [(DeclarationID, MemberFacts)] {
        var parts: [String: [Part]] = [:]
        for id in declarations where files[id.file].facts.language == .swift && files[id.file].facts.imports.contains("SwiftUI") {
            for member in files[id.file].facts.types[id.index].members where !member.isStatic {
                for (_, body) in member.bodies {
                    for (modifier, given) in givenCode(in: body) { parts[modifier, default: []].append(Part(declaration: id, member: member, body: given)) }
                }
            }
        }
        return modifiers.flatMap { functions(of: $0, parts[$0] ?? []) }
    }

    private static func functions(of modifier: String, _ parts: [Part]) -> [(DeclarationID, MemberFacts)] {
        guard let first = parts.first else { return [] }
        // What several members show, in extensions or not, has events of each.
        let names = parts.indices.map { parts.count == 1 ? ".\(modifier)" : ".\(modifier) \($0 + 1)" }
        let functions = zip(names, parts).map { name, part in
            (part.declaration, MemberFacts(
                kind: .function, baseName: name, modifiers: [MemberFacts.ofEvent], body: part.body, condition: part.member.condition, isPartial: part.member.isPartial,
                span: part.member.span, nameSpan: part.member.nameSpan))
        }
        guard parts.count > 1 else { return functions }
        let (span, nameSpan) = (first.member.span, first.member.nameSpan)
        let calls = names.enumerated().map { index, name in
            Statement(id: Int32(index), span: nameSpan, kind: .call(Call(result: Register(index), callee: .name(name), arguments: [])))
        }
        let all = Body(locals: [], parameters: [], block: calls, registerCount: calls.count, statementCount: calls.count, span: span)
        return functions + [(first.declaration, MemberFacts(kind: .function, baseName: ".\(modifier)", modifiers: [MemberFacts.ofEvent], body: all, span: span, nameSpan: nameSpan))]
    }

    /// The code that calls what a body gives to each of the modifiers, in the order of the text.
    private static func givenCode(in body: Body) -> [String: Body] {
        var made: [Register: Statement] = [:]
        var blocks: [String: [Statement]] = [:]
        var next = body.registerCount
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .closure(let register, _), .read(let register, .name), .read(let register, .member(.selfObject, _)): made[register] = statement
            case .call(let call):
                guard case .member(_, let modifier) = call.callee, modifiers.contains(modifier), let given = call.arguments.last, case .register(let register) = given.value,
                      let value = made[register] else { return }
                let callee: Callee = switch value.kind {
                case .read(_, .name(let name)): .name(name)
                case .read(_, .member(let receiver, let name)): .member(receiver, name)
                default: .value(given.value)
                }
                if case .value = callee { blocks[modifier, default: []].append(value) }
                let id = Int32(body.statementCount + next - body.registerCount)
                blocks[modifier, default: []].append(Statement(id: id, span: statement.span, kind: .call(Call(result: Register(next), callee: callee, arguments: []))))
                next += 1
            default: break
            }
        }
        return blocks.mapValues { block in
            Body(locals: body.locals, parameters: [], block: block, registerCount: next, statementCount: body.statementCount + next - body.registerCount, span: body.span)
        }
    }
}

extension MemberFacts {
    /// The modifier of functions that the linker makes of a view's events.
    static let ofEvent = "event"

    /// Whether the linker made the function of what a view gives to an event; its text is part of another member.
    public var isOfEvent: Bool { modifiers.contains(Self.ofEvent) }
}

extension Program {
    /// Whether SwiftUI takes a structure for a view, a scene or the app, as its declaration says: `View`, `Scene`, `App`.
    public func isSwiftUI(_ protocolName: String, _ type: TypeID) -> Bool {
        self[type].kind == .struct && self[type].conformances.contains { $0.name == protocolName || $0.name == "SwiftUI.\(protocolName)" }
    }

    /// Whether events run the code of a type: objects live by an automaton, and so do the views of SwiftUI.
    public func hasLife(_ type: TypeID) -> Bool { self[type].kind == .class || isSwiftUI("View", type) }
}
