import Findings
import ProgramModel
import RuleLibrary
import SourceText

extension Check {
    /// Calls by hand of methods that only Cocoa may call.
    static let directLifecycleCalls = Check(rules: ["direct_lifecycle_call"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return bodies(in: file, of: input).flatMap { $0.findings() }
    }

    /// Every body of a file as a place to search: those of members, of extensions of SDK classes, of free functions and of the top level.
    private static func bodies(in file: Int, of input: CheckInput) -> [DirectCallSearch] {
        let facts = input.program.files[file].facts
        var searches: [DirectCallSearch] = []
        func add(_ member: MemberFacts, typeName: String, owner: TypeID?, selfClass: String?) {
            // Previews, in the editor or in Interface Builder, are no runs of the app.
            guard member.kind != .macro, member.baseName != "prepareForInterfaceBuilder" else { return }
            for (_, body) in member.bodies {
                let context = BodyContext(body: body, selfType: owner, scope: Scope(file: file, typeName: typeName), isStatic: member.isStatic)
                searches.append(DirectCallSearch(
                    input: input, file: file, context: context, selfClass: selfClass, typeName: typeName, memberName: member.fullName, baseName: member.baseName))
            }
        }
        for (index, type) in facts.types.enumerated() {
            let owner = input.program.owners(of: DeclarationID(file: file, index: index)).first
            if let owner, input.isTestOrPreview(owner) { continue }
            let isSDKClass = owner == nil && type.kind == .extension && input.program.platform.isClass(type.name)
            for member in type.members { add(member, typeName: owner.map { input.program[$0].name } ?? type.name, owner: owner, selfClass: isSDKClass ? type.name : nil) }
        }
        for member in facts.members { add(member, typeName: "", owner: nil, selfClass: nil) }
        if let body = facts.topLevel {
            let context = BodyContext(body: body, selfType: nil, scope: Scope(file: file, typeName: ""), isStatic: false)
            searches.append(DirectCallSearch(input: input, file: file, context: context, selfClass: nil, typeName: "", memberName: "", baseName: ""))
        }
        return searches
    }
}

/// The search in one body.
private struct DirectCallSearch {
    let input: CheckInput
    let file: Int
    let context: BodyContext
    /// The SDK class whose extension the body stands in.
    let selfClass: String?
    let typeName: String
    let memberName: String
    let baseName: String

    private var program: Program { input.program }

    /// Calls of `dealloc` by hand, in code that counts references itself; an initialiser that fails may free what it has just got.
    private func freedByHand() -> [Finding] {
        guard program.files[file].facts.language == .objectiveC, !memberName.hasPrefix("init") else { return [] }
        var found: [Finding] = []
        context.body.block.forEachStatement { statement in
            guard let call = statement.call, case .member(let receiver, "dealloc") = call.callee, call.arguments.isEmpty else { return }
            let message = if !isSelf(receiver) {
                "'dealloc' is called by hand on another object: whoever still holds that has an address of freed memory; call 'release'"
            } else if baseName == "deinit" {
                "'dealloc' calls itself until the stack is used up; call '[super dealloc]'"
            } else {
                "'dealloc' is called by hand on itself: whoever still holds it has an address of freed memory; let the last 'release' do it"
            }
            found.append(input.finding("direct_lifecycle_call", message, at: statement.span, in: file, type: typeName, member: memberName))
        }
        return found
    }

    func findings() -> [Finding] { freedByHand() + callsOfEvents() }

    private func callsOfEvents() -> [Finding] {
        var suspects: [(statement: Statement, call: Call, receiver: Operand, name: String)] = []
        context.body.block.forEachStatement { statement in
            // No method of this kind takes a closure; a trailing one has a label that the call does not show.
            guard let call = statement.call, let base = call.callee.baseName, input.lifecycleNames.calledByCocoaOnly.contains(base), base != "dealloc",
                  !call.arguments.contains(where: \.isTrailing) else { return }
            switch call.callee {
            case .member(let receiver, _): suspects.append((statement, call, receiver, base))
            case .name: suspects.append((statement, call, .selfObject, base))
            default: break
            }
        }
        guard !suspects.isEmpty else { return [] }
        let isForwarding = forwardsAppearance()
        let wrong = suspects.compactMap { suspect -> (name: String, span: SourceSpan, receiver: Operand, method: LifecycleClass.Method)? in
            // For a segue that the code makes and performs itself nobody else prepares.
            if suspect.name == "prepare", performsSegue { return nil }
            if isForEarlierSystems(suspect.statement) { return nil }
            guard let full = suspect.call.fullName, let method = method(full, suspect.name, suspect.receiver), !isForwarding || method.role != .lifecycle else { return nil }
            return (suspect.name, suspect.statement.span, suspect.receiver, method)
        }
        /// Who sends one object several events by hand makes one mistake.
        func follows(_ other: Int, _ head: Int) -> Bool {
            head < other && wrong[other].method.role == .lifecycle && wrong[head].method.role == .lifecycle && isSame(wrong[other].receiver, wrong[head].receiver)
        }
        return wrong.indices.filter { index in !wrong.indices.contains { follows(index, $0) } }.map { index in
            let head = wrong[index]
            let others = wrong.indices.filter { follows($0, index) }.map { "'\(wrong[$0].name)' in line \(wrong[$0].span.start.line)" }
            let target = isSelf(head.receiver) ? "itself" : "another object"
            return input.finding(
                "direct_lifecycle_call",
                "'\(head.name)' is called by hand on \(target), though only Cocoa may call it: \(head.method.why)" + (others.isEmpty ? "" : "; the same holds for \(others.joined(separator: ", "))"),
                at: head.span, in: file, type: typeName, member: memberName)
        }
    }

    /// Whether two receivers in the body are one object: self, what one of its properties holds, or what one local does.
    private func isSame(_ one: Operand, _ other: Operand) -> Bool {
        if isSelf(one) || isSelf(other) { return isSelf(one) && isSelf(other) }
        func source(_ operand: Operand) -> Place? {
            guard case .register(let register) = context.uncast(operand), case .read(_, let place)? = context.definition(of: register)?.kind else { return nil }
            switch place {
            case .local, .name, .member(.selfObject, _): return place
            default: return nil
            }
        }
        guard let place = source(one) else { return one == other }
        return place == source(other)
    }

    /// Whether a statement runs only where the class of the SDK has, or lacks, some method: where Cocoa does not call it, the code does.
    private func isForEarlierSystems(_ target: Statement) -> Bool {
        context.body.block.containsStatement { statement in
            guard case .branch(let clauses, let taken, let other) = statement.kind, taken.containsStatement({ $0.id == target.id }) || other.containsStatement({ $0.id == target.id }) else { return false }
            return clauses.contains { $0.setup.containsStatement { $0.call?.callee.baseName?.hasPrefix("instancesRespond") ?? false } }
        }
    }

    private var performsSegue: Bool {
        context.body.block.containsStatement { statement in
            if case .member(_, "perform")? = statement.call?.callee { statement.call?.arguments.isEmpty ?? false } else { false }
        }
    }

    /// The method of Cocoa that a call runs; nil when it is another method of that name, or nobody knows.
    private func method(_ full: String, _ base: String, _ receiver: Operand) -> LifecycleClass.Method? {
        let isOnSelf = isSelf(receiver)
        if isOnSelf, context.isStatic { return nil }
        guard let classes = isOnSelf ? classesOfSelf(full) : classes(of: receiver, full) else { return nil }
        // A container hands on the event that it got itself, unless UIKit does; AppKit tells every controller whose view a window gets.
        // What lays out its own subviews has no pass to hand on: the engine lays out every view that asks for it.
        if !isOnSelf, baseName == base, base != "layoutSubviews", !isChild(receiver), !classes.contains("NSViewController") { return nil }
        guard let (_, method) = input.library.method(named: full, inAncestry: classes), method.directCall == .warning,
              method.role == .lifecycle || method.role == .drawing else { return nil }
        return method
    }

    /// Whether the object is one of which the class has made a child, so that UIKit hands the appearance on.
    private func isChild(_ receiver: Operand) -> Bool {
        guard let name = Self.property(receiver, in: context.body), let type = context.selfType, program.isType(type, kindOf: "UIViewController") else { return false }
        return program.chain(of: type).contains { link in
            program.members(of: link).contains { id in
                program[id].bodies.contains { _, body in
                    body.block.containsStatement { statement in
                        guard let call = statement.call, ["addChild", "addChildViewController"].contains(call.callee.baseName), call.arguments.count == 1 else { return false }
                        switch call.callee {
                        case .name, .member(.selfObject, _): return Self.property(call.arguments[0].value, in: body) == name
                        default: return false
                        }
                    }
                }
            }
        }
    }

    /// The property of self that an operand was read from.
    private static func property(_ operand: Operand, in body: Body) -> String? {
        guard case .register(let register) = operand else { return nil }
        var name: String?
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .read(register, .name(let read)), .read(register, .member(.selfObject, let read)): name = read
            default: break
            }
        }
        return name
    }

    private func classesOfSelf(_ full: String) -> [String]? {
        if let selfClass { return program.platform.ancestry(of: selfClass) }
        return context.selfType.flatMap { cocoaClasses(of: $0, full) }
    }

    private func classes(of receiver: Operand, _ full: String) -> [String]? {
        guard let type = input.inference.type(of: receiver, in: context) else { return classesByName(of: receiver) }
        guard !type.isMetatype else { return nil }
        switch input.inference.resolve(type) {
        case .project(let types): return types.count == 1 ? cocoaClasses(of: types[0], full) : nil
        case .platform(let name): return program.platform.isClass(name) ? program.platform.ancestry(of: name) : nil
        case .unknown: return nil
        }
    }

    /// The classes of what is called a view controller, where nothing tells its type.
    private func classesByName(of receiver: Operand) -> [String]? {
        guard case .register(let register) = context.uncast(receiver), case .read(_, let place)? = context.definition(of: register)?.kind else { return nil }
        let name: String? = if case .local(let local) = place { context.body[local].name } else { place.propertyName }
        guard let name, name.lowercased().hasSuffix("viewcontroller") else { return nil }
        return program.platform.ancestry(of: program.isForAppKit(file) ? "NSViewController" : "UIViewController")
    }

    /// The SDK classes above a type, unless the type has a method of its own by that name.
    private func cocoaClasses(of type: TypeID, _ full: String) -> [String]? {
        guard let platformClass = program.platformClass(of: type) else { return nil }
        let base = String(full.prefix { $0 != "(" })
        let own = program.members(named: base, on: type).map { program[$0] }.filter { $0.fullName == full }
        // An overload that only differs in its types or in `async` may be what is meant.
        if own.contains(where: { !$0.isOverride }) { return nil }
        return program.platform.ancestry(of: platformClass)
    }

    private func isSelf(_ operand: Operand) -> Bool {
        if operand == .selfObject { return true }
        guard case .register(let register) = operand, case .read(_, .local(let local))? = context.definition(of: register)?.kind else { return false }
        return context.body[local].name == "self"
    }

    /// Whether the class drives its children's appearance itself, as UIKit then wants it to.
    private func forwardsAppearance() -> Bool {
        context.selfType.map { !program.members(named: "shouldAutomaticallyForwardAppearanceMethods", on: $0).isEmpty } ?? false
    }
}
