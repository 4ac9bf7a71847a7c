import ProgramModel

/// What the runs of one class look up again and again; belongs to one thread and is dropped with the class.
final class Lookups {
    /// A body by where it stands.
    private struct BodyKey: Hashable {
        let file: Int
        let span: SourceSpanKey
        let type: TypeID?
        let isStatic: Bool
    }

    private struct SourceSpanKey: Hashable {
        let line: Int
        let column: Int
        let statements: Int
    }

    private struct MemberKey: Hashable {
        let type: TypeID
        let name: String
    }

    private let program: Program
    private var contexts: [BodyKey: BodyContext] = [:]
    private var members: [MemberKey: [MemberID]] = [:]

    init(_ program: Program) {
        self.program = program
    }

    func context(_ body: Body, file: Int, type: TypeID?, isStatic: Bool) -> BodyContext {
        let span = SourceSpanKey(line: body.span.start.line, column: body.span.start.column, statements: body.statementCount)
        let key = BodyKey(file: file, span: span, type: type, isStatic: isStatic)
        if let known = contexts[key] { return known }
        let context = BodyContext(
            body: body, selfType: type, scope: Scope(file: file, typeName: type.map { program[$0].name } ?? ""), isStatic: isStatic)
        contexts[key] = context
        return context
    }

    func members(named name: String, on type: TypeID) -> [MemberID] {
        let key = MemberKey(type: type, name: name)
        if let known = members[key] { return known }
        let found = program.members(named: name, on: type)
        members[key] = found
        return found
    }
}
