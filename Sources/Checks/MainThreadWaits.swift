import Findings
import ProgramModel
import SourceText

extension Check {
    /// Code on the main thread that waits: for a server, a semaphore, a time, or for the main thread itself.
    static let mainThreadWaits = Check(rules: ["blocking_main"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        var seen: Set<SourceSpan> = []
        return input.members(inFile: file).flatMap { MainThreadWaits(input: input, file: file, member: $0)?.findings() ?? [] }.filter { seen.insert($0.span).inserted }
    }
}

/// The waits of one member that Cocoa calls on the main thread.
private struct MainThreadWaits {
    private let input: CheckInput
    private let file: Int
    private let member: MemberOccurrence

    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        (self.input, self.file, self.member) = (input, file, member)
        let facts = member.facts
        // An object is freed on the thread of whoever lets go of it last, which mostly is the main one.
        if facts.kind == .deinitializer, !facts.isPartial { return }
        // An app that ends may wait for its last work.
        guard facts.kind == .function, !facts.isPartial, !facts.isStatic, !facts.modifiers.contains("async"), !facts.modifiers.contains("nonisolated"),
              !facts.fullName.lowercased().contains("terminate"), isUserInterface(member.owner) || hasSenderOfUserInterface,
              isLifecycle || isAction || hasSenderOfUserInterface else { return nil }
    }

    func findings() -> [Finding] {
        var found: [Finding] = []
        EventCode(input: input, type: member.owner, followsStatics: true, followsOthers: true).visit(member, file: file) { step in
            guard let call = step.statement.call, step.asked.isDisjoint(with: ["isMainThread", "isMainQueue"]), let wait = wait(call, step),
                  !step.isConditionalInCallee || wait.isDeadlock && !isChoiceOfCaller(step) else { return }
            if member.facts.kind == .deinitializer {
                if wait.isDeadlock, !step.isLater { found.append(endlessEnd(wait, step)) }
                return
            }
            if wait.isDeadlock, step.file == file, let waiting = step.callers.last { return found.append(endlessWait(wait, step, in: waiting)) }
            let way = step.callers.first.map { ", by '\($0)'," } ?? ""
            let path = input.program.files[step.file].path
            let trace = step.callers.isEmpty ? [] : [TraceStep(event: member.facts.baseName, path: path, line: step.statement.span.start.line, note: "by '\(step.callers.joined(separator: "', '"))'")]
            found.append(Finding(
                rule: "blocking_main", severity: wait.isDeadlock ? .error : .warning, message: "\(wait.what)\(way) \(wait.why)", path: input.program.files[file].path, span: step.entry,
                type: member.typeName, member: member.facts.fullName, trace: trace))
        }
        return found
    }

    /// What waits for the main thread in a method that is called there: one mistake, by however many ways it is reached.
    private func endlessWait(_ wait: Wait, _ step: EventCode.Step, in waiting: String) -> Finding {
        let path = input.program.files[file].path
        let call = TraceStep(event: member.facts.baseName, path: path, line: step.entry.start.line, note: "calls '\(step.callers.joined(separator: "', which calls '"))'")
        return Finding(
            rule: "blocking_main", severity: .error, message: "\(wait.what) \(wait.why)", path: path, span: step.statement.span, type: member.typeName, member: waiting, trace: [call])
    }

    /// Whether the conditions on the way ask what a caller may decide: the arguments of the method that waits, or on which thread it runs.
    private func isChoiceOfCaller(_ step: EventCode.Step) -> Bool {
        let body = step.context.body
        return step.asked.contains { name in
            body.parameters.contains { body[$0].name == name } || ["thread", "queue", "main", "sync", "background"].contains { name.lowercased().contains($0) }
        }
    }

    /// What waits for the main thread while the object is freed, perhaps there.
    private func endlessEnd(_ wait: Wait, _ step: EventCode.Step) -> Finding {
        Finding(
            rule: "blocking_main", severity: .warning,
            message: "\(wait.what) while the object is freed: where the main thread lets go of it last, it waits for itself for ever; ask 'Thread.isMainThread' first and run the code directly there",
            path: input.program.files[file].path, span: step.entry, type: member.typeName, member: member.facts.fullName)
    }

    // MARK: What runs on the main thread

    private func isUserInterface(_ type: TypeID) -> Bool {
        ["UIResponder", "NSResponder", "UIGestureRecognizer"].contains { input.program.isType(type, kindOf: $0) }
    }

    private var isLifecycle: Bool {
        guard isUserInterface(member.owner), let chain = input.platformChain(of: member.owner), !chain.isByNameOnly else { return false }
        return input.library.method(named: member.facts.fullName, inAncestry: chain.classes) != nil
    }

    /// Whether the first parameter is the view or controller that calls its delegate.
    private var hasSenderOfUserInterface: Bool {
        guard let sender = member.facts.parameters.first, sender.label == nil, !input.names.called.contains(member.facts.fullName),
              case .platform(let name) = input.program.resolve(sender.type.unwrapped, in: Scope(file: file, typeName: member.typeName)) else { return false }
        guard !["UIView", "NSView"].contains(name), ["UIView", "UIApplication", "NSView", "NSApplication"].contains(where: { input.program.platform.isClass(name, kindOf: $0) }) else { return false }
        // A delegate's method begins with the name of who calls it, without the two letters before it.
        let short = name.dropFirst(2)
        return member.facts.baseName.hasPrefix(short.prefix(1).lowercased() + short.dropFirst()) && !member.facts.parameters.contains { $0.hasDefault }
    }

    /// Whether controls and gestures send it, and nothing else calls it.
    private var isAction: Bool {
        let facts = member.facts
        guard isUserInterface(member.owner), facts.parameters.count < 3, !facts.parameters.contains(where: \.hasDefault), !input.names.called.contains(facts.fullName) else { return false }
        if facts.isAction { return true }
        guard facts.attributes.contains(where: { $0.name == "objc" }), input.program.files[file].facts.language == .swift else { return false }
        var isSent = false
        var isUsedOtherwise = false
        for id in input.program.members(of: member.owner) {
            for (_, body) in input.program[id].bodies {
                body.block.forEachStatement { statement in
                    guard let call = statement.call else { return }
                    for case .constant(.selector(let text)) in call.arguments.map(\.value) where ObjectiveCSelector.baseName(of: text) == facts.baseName {
                        if call.givesAction { isSent = true } else { isUsedOtherwise = true }
                    }
                }
            }
        }
        return !isUsedOtherwise && (isSent || !input.names.called.contains(facts.baseName))
    }

    // MARK: What waits

    private struct Wait {
        let what: String
        let why: String
        var isDeadlock = false
    }

    private static let still = "on the main thread, and the app stands still until"
    private static let loaders: Set<String> = ["Data", "NSData", "String", "NSString", "NSDictionary", "NSArray", "XMLParser", "NSXMLParser"]

    private func wait(_ call: Call, _ step: EventCode.Step) -> Wait? {
        switch call.callee {
        case .initializer(let type):
            guard Self.loaders.contains(type.name), let first = call.arguments.first, ["contentsOf", "contentsOfURL"].contains(first.label),
                  isRemote(first.value, step.context) else { return nil }
            return Wait(what: "'\(type.name)(contentsOf:)' fetches a remote URL", why: "\(Self.still) the server has answered; use 'URLSession'")
        case .name(let name):
            return function(name, call, step)
        case .member(let receiver, let name):
            return method(name, receiver, call, step)
        default: return nil
        }
    }

    private func function(_ name: String, _ call: Call, _ step: EventCode.Step) -> Wait? {
        guard !input.program.hasFreeMember(named: name), input.program.members(named: name, on: owner(step.context)).isEmpty else { return nil }
        switch name {
        case "sleep": return isLong(call.arguments.first?.value, unit: 1) ? sleep(name) : nil
        case "usleep": return isLong(call.arguments.first?.value, unit: 1_000_000) ? sleep(name) : nil
        case "dispatch_sync":
            guard let queue = call.arguments.first?.value, calls("dispatch_get_main_queue", queue, step.context) else { return nil }
            return deadlock(name)
        case "dispatch_semaphore_wait", "dispatch_group_wait":
            guard call.arguments.count == 2, isForever(call.arguments[1].value, step.context), name == "dispatch_group_wait" || isClosed(call.arguments[0].value, step) else { return nil }
            return Wait(what: "'\(name)' waits", why: "\(Self.still) other code signals; let that code call back instead")
        default: return nil
        }
    }

    private func method(_ name: String, _ receiver: Operand, _ call: Call, _ step: EventCode.Step) -> Wait? {
        switch (receiver, name) {
        case (.type(let type), "sleep"), (.type(let type), "sleepForTimeInterval"):
            guard ["Thread", "NSThread"].contains(type.name), isLong(call.arguments.first?.value, unit: 1) else { return nil }
            return sleep("\(type.name).\(name)")
        case (.type(let type), "sendSynchronousRequest") where type.name == "NSURLConnection":
            return Wait(what: "'sendSynchronousRequest' waits", why: "\(Self.still) the server has answered; use 'NSURLSession'")
        case (.register(let register), "sync"):
            guard case .read(_, .member(.type(let type), "main"))? = step.context.definition(of: register)?.kind, type.name == "DispatchQueue" else { return nil }
            return deadlock("DispatchQueue.main.sync")
        case (_, "wait"):
            guard call.arguments.isEmpty || isForever(call.arguments[0].value, step.context), let type = input.inference.type(of: receiver, in: step.context) else { return nil }
            guard type.reference.name == "DispatchGroup" || (type.reference.name == "DispatchSemaphore" && isClosed(receiver, step)) else { return nil }
            return Wait(what: "'wait' of a '\(type.reference.name)' is called", why: "\(Self.still) other code signals; let that code call back, or await it")
        default: return nil
        }
    }

    private func sleep(_ name: String) -> Wait { Wait(what: "'\(name)' is called", why: "\(Self.still) the time is over; use a timer or 'asyncAfter'") }

    private func deadlock(_ name: String) -> Wait {
        Wait(what: "'\(name)' is called", why: "on the main thread, which then waits for itself for ever; call the code directly", isDeadlock: true)
    }

    /// Whether a time is longer than anybody would notice; one that is computed may be.
    private func isLong(_ value: Operand?, unit: Double) -> Bool {
        switch value {
        case .constant(.integer(let count)): Double(count) / unit >= 0.1
        case .constant(.number(let text)): (Double(text) ?? 0) / unit >= 0.1
        default: false
        }
    }

    private func isForever(_ value: Operand, _ context: BodyContext) -> Bool {
        switch value {
        case .constant(.implicitMember("distantFuture")): true
        case .register(let register):
            switch context.definition(of: register)?.kind {
            case .compute(_, .symbol(let name), _): name.contains("DISPATCH_TIME_FOREVER")
            case .read(_, .name(let name)): name == "DISPATCH_TIME_FOREVER"
            case .read(_, .member(_, let name)): name == "distantFuture"
            default: false
            }
        default: false
        }
    }

    private func calls(_ name: String, _ operand: Operand, _ context: BodyContext) -> Bool {
        guard case .register(let register) = operand, case .call(let call)? = context.definition(of: register)?.kind else { return false }
        return call.callee.baseName == name
    }

    /// Whether a semaphore is made with nothing to take, so that a wait needs a signal; others are locks.
    private func isClosed(_ operand: Operand, _ step: EventCode.Step, depth: Int = 0) -> Bool {
        guard depth < 6, case .register(let register) = operand else { return false }
        switch step.context.definition(of: register)?.kind {
        case .call(let call):
            let isSemaphore = if case .initializer(let type) = call.callee { type.name == "DispatchSemaphore" } else { call.callee.baseName == "dispatch_semaphore_create" }
            return isSemaphore && call.arguments.first?.value == .constant(.integer(0))
        case .read(_, .local(let local)):
            return step.context.value(of: local).map { isClosed($0, step, depth: depth + 1) } ?? false
        case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)):
            return input.program.members(named: name, on: owner(step.context)).contains { id in
                guard let body = input.program[id].body, input.program[id].kind == .property else { return false }
                var found = false
                body.block.forEachStatement { statement in
                    if let call = statement.call, case .initializer(let type) = call.callee, type.name == "DispatchSemaphore", call.arguments.first?.value == .constant(.integer(0)) { found = true }
                }
                return found
            }
        default: return false
        }
    }

    // MARK: Remote URLs

    private static let fetchers: Set<String> = ["dataTask", "downloadTask", "data", "download", "dataTaskWithURL"]

    /// Whether a URL is one of the network: made of such a text, or given to the network elsewhere in the class.
    private func isRemote(_ operand: Operand, _ context: BodyContext, depth: Int = 0) -> Bool {
        guard depth < 8, case .register(let register) = operand else { return false }
        switch context.definition(of: register)?.kind {
        case .call(let call):
            let isURL = if case .initializer(let type) = call.callee { ["URL", "NSURL"].contains(type.name) } else { call.callee.baseName == "URLWithString" }
            return isURL && (call.arguments.first.map { isRemoteText($0.value, context) } ?? false)
        case .compute(_, .forceUnwrap, let operands): return operands.first.map { isRemote($0, context, depth: depth + 1) } ?? false
        case .assign(_, let value): return isRemote(value, context, depth: depth + 1)
        case .read(_, .local(let local)): return context.value(of: local).map { isRemote($0, context, depth: depth + 1) } ?? false
        case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)): return isRemoteProperty(name, of: owner(context))
        default: return false
        }
    }

    private func isRemoteText(_ operand: Operand, _ context: BodyContext) -> Bool {
        switch operand {
        case .constant(.string(let text)): return text.hasPrefix("http")
        case .register(let register):
            guard case .compute(_, .interpolation, let operands)? = context.definition(of: register)?.kind, case .constant(.string(let text))? = operands.first else { return false }
            return text.hasPrefix("http")
        default: return false
        }
    }

    /// The type whose code a statement is: the event's own, or that of an object whose method it calls.
    private func owner(_ context: BodyContext) -> TypeID { context.selfType ?? member.owner }

    private func isRemoteProperty(_ name: String, of owner: TypeID) -> Bool {
        let program = input.program
        for id in program.members(named: name, on: owner) where program[id].kind == .property {
            guard let body = program[id].body else { continue }
            let context = program.context(of: body, in: id, as: owner)
            if case .exit(.returns(let value))? = body.block.last?.kind, isRemote(value, context, depth: 4) { return true }
        }
        return program.members(of: owner).contains { id in
            program[id].bodies.contains { _, body in
                let context = program.context(of: body, in: id, as: owner)
                var found = false
                body.block.forEachStatement { statement in
                    guard let call = statement.call, isFetch(call) else { return }
                    for argument in call.arguments where isProperty(name, argument.value, context) { found = true }
                }
                return found
            }
        }
    }

    private func isFetch(_ call: Call) -> Bool {
        if case .initializer(let type) = call.callee { return ["URLRequest", "NSURLRequest", "NSMutableURLRequest"].contains(type.name) }
        return Self.fetchers.contains(call.callee.baseName ?? "")
    }

    private func isProperty(_ name: String, _ operand: Operand, _ context: BodyContext) -> Bool {
        guard case .register(let register) = operand else { return false }
        switch context.definition(of: register)?.kind {
        case .read(_, .name(name)), .read(_, .member(.selfObject, name)): return true
        case .read(_, .local(let local)): return context.value(of: local).map { isProperty(name, $0, context) } ?? false
        default: return false
        }
    }
}
