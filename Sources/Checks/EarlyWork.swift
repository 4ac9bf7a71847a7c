import Findings
import ProgramModel
import SourceText

extension Check {
    /// Fetches that begin when a controller is made or its view is loaded, and so perhaps for a view that nobody ever sees.
    static let earlyWork = Check(rules: ["work_before_visible"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).flatMap { EarlyWork(input: input, file: file, member: $0)?.findings() ?? [] }
    }
}

/// The work of one method that runs before the view is shown.
private struct EarlyWork {
    private let input: CheckInput
    private let file: Int
    private let member: MemberOccurrence

    private var program: Program { input.program }

    private static let deepestCall = 4
    private static let early: Set<String> = ["viewDidLoad()", "loadView()", "awakeFromNib()"]

    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        let facts = member.facts
        guard facts.kind == .initializer || Self.early.contains(facts.fullName), !facts.isPartial, !facts.isStatic,
              ["UIViewController", "NSViewController"].contains(where: { input.program.isType(member.owner, kindOf: $0) }) else { return nil }
        (self.input, self.file, self.member) = (input, file, member)
    }

    /// A fetch and the functions that lead to it.
    private struct Start {
        let what: String
        let file: Int
        let span: SourceSpan
        let callers: [String]
    }

    func findings() -> [Finding] {
        guard let body = member.facts.body, !isShownAtOnce else { return [] }
        let context = member.context(of: body)
        var found: [Finding] = []
        for (entry, start) in starts(in: body.block, context, [body.span]) {
            let way = start.callers.first.map { ", by '\($0)'," } ?? ""
            let trace = start.callers.isEmpty ? [] : [TraceStep(
                event: member.facts.baseName, path: program.files[start.file].path, line: start.span.start.line, note: "by '\(start.callers.joined(separator: "', '"))'")]
            let event = member.facts.kind == .initializer ? "when the controller is made" : "when the view is loaded"
            found.append(Finding(
                rule: "work_before_visible", severity: input.library.rules["work_before_visible"]?.severity ?? .note,
                message: "\(start.what)\(way) \(event), which may never be shown: the traffic is for nothing then; start it when the view first appears, or when something needs the answer",
                path: program.files[file].path, span: entry, type: member.typeName, member: member.facts.fullName, trace: trace))
        }
        return found
    }

    // MARK: What is started

    /// The first fetch of each statement of a block, and the statement; code of closures that run later is left out, but for tasks.
    private func starts(in block: Block, _ context: BodyContext, _ running: Set<SourceSpan>, callers: [String] = []) -> [(entry: SourceSpan, start: Start)] {
        var found: [(entry: SourceSpan, start: Start)] = []
        for statement in block {
            for inner in blocks(in: statement, isInCallee: !callers.isEmpty) { found += starts(in: inner, context, running, callers: callers) }
            guard let call = statement.call else { continue }
            if let what = fetch(call, context) {
                found.append((statement.span, Start(what: what, file: context.scope.file, span: statement.span, callers: callers)))
            } else if let start = closures(runBy: call, context).lazy.flatMap({ starts(in: $0.block, context, running, callers: callers) }).first?.start ?? start(in: call, context, running, callers) {
                found.append((statement.span, start))
            }
        }
        var seen: Set<SourceSpan> = []
        return found.filter { seen.insert($0.entry).inserted }
    }

    /// The blocks of a statement that count: what a condition of a called function lets through may not be what happens here.
    private func blocks(in statement: Statement, isInCallee: Bool) -> [Block] {
        let all = statement.innerBlocks(enteringClosures: false)
        guard isInCallee else { return all }
        switch statement.kind {
        case .branch(let clauses, _, _):
            let isBinding = clauses.allSatisfy { clause in
                switch clause.test {
                case .isPresent, .matches(_, .present): true
                case .isTrue(.constant): true
                case .isTrue, .matches: false
                }
            }
            return isBinding ? all : clauses.map(\.setup)
        case .select: return []
        default: return all
        }
    }

    /// The closures of a call that run at once, or without waiting for anything.
    private func closures(runBy call: Call, _ context: BodyContext) -> [Closure] {
        let isTask = if case .initializer(let type) = call.callee { type.name == "Task" } else { false }
        let name = call.callee.baseName ?? ""
        guard isTask || ["async", "dispatch_async"].contains(name) || input.library.closureRoles[name] == .now else { return [] }
        return call.arguments.compactMap { argument in
            guard case .register(let register) = argument.value, case .closure(_, let closure)? = context.definition(of: register)?.kind else { return nil }
            return closure
        }
    }

    /// The first fetch of a function of the project that a call runs.
    private func start(in call: Call, _ context: BodyContext, _ running: Set<SourceSpan>, _ callers: [String]) -> Start? {
        guard callers.count < Self.deepestCall, let callee = callee(of: call, context), let body = program[callee.id].body, !running.contains(body.span) else { return nil }
        let inner = BodyContext(
            body: body, selfType: callee.owner, scope: Scope(file: callee.id.declaration.file, typeName: program[callee.id.declaration].name), isStatic: program[callee.id].isStatic)
        return starts(in: body.block, inner, running.union([body.span]), callers: callers + [program[callee.id].baseName]).first?.start
    }

    /// The only function of the project that a call can mean, and the class of its object.
    private func callee(of call: Call, _ context: BodyContext) -> (id: MemberID, owner: TypeID)? {
        let owner: TypeID
        let name: String
        switch call.callee {
        case .name(let base), .member(.selfObject, let base):
            guard let type = context.selfType else { return nil }
            (owner, name) = (type, base)
        case .member(let receiver, let base):
            guard let type = input.inference.type(of: receiver, in: context), type.provenance <= .platformData, case .project(let types) = input.inference.resolve(type), types.count == 1,
                  program[types[0]].kind != .protocol else { return nil }
            (owner, name) = (types[0], base)
        default: return nil
        }
        let functions = program.members(named: name, on: owner).filter { program[$0].kind == .function && program[$0].body != nil && !program[$0].isPartial }
        let exact = functions.filter { program[$0].fullName == call.fullName }
        let meant = exact.isEmpty ? functions : exact
        guard meant.count == 1, !program.files[meant[0].declaration.file].isThirdParty else { return nil }
        return (meant[0], owner)
    }

    // MARK: What is a fetch

    private static let taskClasses = ["URLSessionDataTask", "URLSessionDownloadTask", "URLSessionUploadTask"]
    private static let awaited: Set<String> = ["data", "download", "upload", "bytes"]
    private static let connections: Set<String> = ["sendSynchronousRequest", "sendAsynchronousRequest", "connectionWithRequest"]
    private static let libraries: Set<String> = ["AF", "Alamofire"]

    /// What a call fetches.
    private func fetch(_ call: Call, _ context: BodyContext) -> String? {
        switch call.callee {
        case .member(let receiver, "resume"):
            guard call.arguments.isEmpty, isFetchTask(receiver, context) else { return nil }
            return "a task of 'URLSession' is started"
        case .member(.type(let type), let name):
            if type.name == "NSURLConnection", Self.connections.contains(name) { return "'\(name)' of 'NSURLConnection' is called" }
            return Self.libraries.contains(type.name) && name == "request" && !isOfProject(type, context) ? "a request of '\(type.name)' is started" : nil
        case .member(let receiver, let name):
            guard Self.awaited.contains(name), call.maySuspend, let type = input.inference.type(of: receiver, in: context), !type.isMetatype, case .platform(let known) = input.inference.resolve(type),
                  program.platform.isClass(known, kindOf: "URLSession") else { return nil }
            return "'\(name)' of 'URLSession' is called"
        case .initializer(let type):
            guard type.name == "NSURLConnection", !call.arguments.contains(where: { $0.label == "startImmediately" }) else { return nil }
            return "a connection is started"
        default: return nil
        }
    }

    private func isOfProject(_ type: TypeReference, _ context: BodyContext) -> Bool {
        if case .project = program.resolve(type, in: context.scope) { true } else { false }
    }

    /// Whether a value is a task that a session has made.
    private func isFetchTask(_ operand: Operand, _ context: BodyContext, depth: Int = 0) -> Bool {
        guard depth < 6, case .register(let register) = operand, let statement = context.definition(of: register) else { return false }
        switch statement.kind {
        case .call(let call):
            guard let name = call.callee.baseName, input.library.threads?.sessionTasks.contains(name) ?? false, case .member(let session, _) = call.callee,
                  let type = input.inference.type(of: session, in: context), case .platform(let known) = input.inference.resolve(type) else { return false }
            return program.platform.isClass(known, kindOf: "URLSession")
        case .read(_, .local(let local)):
            if let value = context.value(of: local), isFetchTask(value, context, depth: depth + 1) { return true }
        case .compute(_, .forceUnwrap, let operands): return operands.first.map { isFetchTask($0, context, depth: depth + 1) } ?? false
        case .read: break
        default: return false
        }
        guard let type = input.inference.type(of: operand, in: context), type.provenance <= .platformData, case .platform(let known) = input.inference.resolve(type) else { return false }
        return Self.taskClasses.contains { program.platform.isClass(known, kindOf: $0) }
    }

    // MARK: Who is shown at once

    /// Whether the app begins with the controller: a window gets it, or a storyboard starts there.
    private var isShownAtOnce: Bool {
        let family = input.family(of: member.owner)
        let starts = program.resources.interfaces.contains { interface in
            guard let first = interface.facts.initialController.flatMap(interface.facts.object)?.customClass else { return false }
            return !family.isDisjoint(with: program.classes(namedInInterface: first))
        }
        return starts || ["rootViewController", "contentViewController"].flatMap { input.writes[$0] }.contains { place in
            let owner = program.owners(of: place.member.declaration).first
            let context = BodyContext(body: place.body, selfType: owner, scope: Scope(file: place.member.declaration.file, typeName: ""), isStatic: false)
            guard case .write(_, let value) = place.statement.kind, let type = input.inference.type(of: value, in: context), case .project(let types) = input.inference.resolve(type) else { return false }
            return !family.isDisjoint(with: types)
        }
    }
}
