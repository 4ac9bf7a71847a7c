import Findings
import ProgramModel
import SourceText

extension Check {
    /// Screens that fill the display and out of which nothing in their code leads.
    static let exitlessModals = Check(rules: ["modal_without_exit"]) { input, file in
        guard input.program.resources.areInterfacesWhole else { return [] }
        return input.bodies(inFile: file).flatMap { ModalSearch(input: input, file: file, place: $0).findings() }
    }
}

/// The search for full-screen presentations in one body.
private struct ModalSearch {
    let input: CheckInput
    let file: Int
    let place: BodyOccurrence

    private var program: Program { input.program }
    private var context: BodyContext { place.context }

    /// A controller of the project that the body makes.
    private struct Candidate {
        let type: TypeID
        let uses: ValueUses
    }

    func findings() -> [Finding] {
        var isPresenting = false
        place.body.block.forEachStatement { if $0.call?.presents ?? false { isPresenting = true } }
        guard isPresenting, !input.isForTelevision(file) else { return [] }
        return candidates.compactMap(finding)
    }

    private func finding(_ candidate: Candidate) -> Finding? {
        guard let presented = presentation(of: candidate.uses, isRoot: false), presented.isFullScreen ?? isFullScreenByItself(candidate.type), !presenterDismisses,
              let name = program[candidate.type].name.split(separator: ".").last else { return nil }
        var search = ExitSearch(input)
        guard !search.hasExit(candidate.type) else { return nil }
        return input.finding(
            "modal_without_exit",
            "'\(name)' fills the screen, and nothing in its code dismisses it or asks anybody to: who gets there cannot leave; give it a way out, or present it as a sheet",
            at: presented.statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
    }

    // MARK: What is made

    private static let plainRoots: Set<String> = ["UIViewController", "UITableViewController", "UICollectionViewController"]

    private func controller(_ type: TypeReference) -> TypeID? {
        guard case .project(let types) = program.resolve(type.unwrapped, in: context.scope), types.count == 1, let root = program.platformClass(of: types[0]), Self.plainRoots.contains(root),
              !program[types[0]].hasAmbiguousExtensions else { return nil }
        return types[0]
    }

    private var candidates: [Candidate] {
        var found: [Candidate] = []
        func instantiates(_ operand: Operand?) -> Bool {
            guard case .register(let register) = operand, let call = context.definition(of: register)?.call, let name = call.callee.baseName else { return false }
            return name.hasPrefix("instantiate")
        }
        func add(_ type: TypeReference, _ register: Register) {
            if let type = controller(type) { found.append(Candidate(type: type, uses: ValueUses(of: [register], in: place.body))) }
        }
        place.body.block.forEachStatement { statement in
            switch statement.kind {
            case .call(let call): if case .initializer(let type) = call.callee { add(type, call.result) }
            case .compute(let result, .forcedCast(let type), let operands), .compute(let result, .conditionalCast(let type), let operands): if instantiates(operands.first) { add(type, result) }
            case .declare(let local, let value?):
                if let type = place.body[local].type, instantiates(value), case .register(let register) = value { add(type, register) }
            default: break
            }
        }
        return found
    }

    // MARK: How it is presented

    /// Where a value is presented, and whether over the whole screen, where this is said; nil where other code gets it.
    private func presentation(of uses: ValueUses, isRoot: Bool) -> (statement: Statement, isFullScreen: Bool?)? {
        guard !uses.isMixed else { return nil }
        var presentation: Statement?
        var styles: Set<Bool> = []
        var wrapped: (statement: Statement, isFullScreen: Bool?)?
        for (use, statement) in uses.all {
            switch use {
            case .read, .called: continue
            case .set(let property, let value):
                // Who animates the transition may let people drag the screen away.
                if property == "transitioningDelegate" { return nil }
                if property == "modalPresentationStyle" { styles.insert(["fullScreen", "overFullScreen"].contains(context.caseName(value, prefix: "UIModalPresentation") ?? "")) }
            case .given(let call, let argument):
                if call.presents, argument == call.arguments.first {
                    presentation = presentation ?? statement
                } else if !isRoot, case .initializer(let type) = call.callee, type.name == "UINavigationController", argument.label == "rootViewController" {
                    guard wrapped == nil, let inner = self.presentation(of: ValueUses(of: [call.result], in: place.body), isRoot: true), inner.isFullScreen != nil else { return nil }
                    wrapped = inner
                } else {
                    return nil
                }
            case .kept, .returned, .other: return nil
            }
        }
        if let wrapped { return presentation == nil ? wrapped : nil }
        guard let presentation, styles.count < 2 else { return nil }
        return (presentation, styles.first)
    }

    /// Whether the class makes itself fill the screen.
    private func isFullScreenByItself(_ type: TypeID) -> Bool {
        var styles: Set<Bool> = []
        for id in program.chain(of: type).flatMap({ program.members(of: $0) }) {
            for (_, body) in program[id].bodies {
                let context = program.context(of: body, in: id, as: type)
                body.block.forEachStatement { statement in
                    switch statement.kind {
                    case .write(.name("modalPresentationStyle"), let value), .write(.member(.selfObject, "modalPresentationStyle"), let value):
                        styles.insert(program[id].kind == .initializer && ["fullScreen", "overFullScreen"].contains(context.caseName(value, prefix: "UIModalPresentation") ?? ""))
                    default: break
                    }
                }
            }
        }
        return styles == [true]
    }

    /// Whether the class that presents dismisses anything: it may do so after a time, or when somebody tells it.
    private var presenterDismisses: Bool {
        program.chain(of: place.member.owner).flatMap { program.members(of: $0) }.flatMap { program[$0].bodies }.contains { _, body in
            var found = false
            body.block.forEachStatement { if $0.call?.callee.baseName?.lowercased().contains("dismiss") ?? false { found = true } }
            return found
        }
    }
}

/// The search for a way out in all code that a controller may run; what is not known counts as one.
private struct ExitSearch {
    private let input: CheckInput
    private var types: Set<TypeID> = []
    private var members: Set<MemberID> = []
    private var isFound = false

    private static let most = 400

    private var program: Program { input.program }

    init(_ input: CheckInput) { self.input = input }

    mutating func hasExit(_ type: TypeID) -> Bool {
        visit(type)
        return isFound || leavesInInterface
    }

    private mutating func visit(_ type: TypeID) {
        guard !isFound, types.insert(type).inserted else { return }
        if program[type].kind == .class, case .foreign = program.ancestry(of: type).root { isFound = true }
        for link in program.chain(of: type) { for id in program.members(of: link) { visit(id, selfType: type) } }
    }

    private mutating func visit(_ id: MemberID, selfType: TypeID?) {
        guard !isFound, members.insert(id).inserted else { return }
        guard members.count < Self.most, !program[id].isPartial else {
            isFound = true
            return
        }
        for (_, body) in program[id].bodies { read(body, selfType: selfType ?? program.owners(of: id.declaration).first, file: id.declaration.file) }
    }

    private mutating func read(_ body: Body, selfType: TypeID?, file: Int) {
        let context = BodyContext(body: body, selfType: selfType, scope: Scope(file: file, typeName: selfType.map { program[$0].name } ?? ""), isStatic: false)
        var functions: Set<LocalID> = []
        var made: [TypeReference] = []
        var called: [Call] = []
        var leaves = false
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .function(let local, _): functions.insert(local)
            case .read(_, .name(let name)), .read(_, .member(_, let name)): if Self.isWay(name) || name.lowercased().hasSuffix("delegate") && selfType != nil && isProtocol(name, selfType) { leaves = true }
            case .write(.name(let name), _), .write(.member(_, let name), _): if Self.isWay(name) { leaves = true }
            case .opaque: leaves = true
            default: break
            }
            guard let call = statement.call else { return }
            if let name = call.callee.baseName, Self.isWay(name) { leaves = true }
            for case .constant(.selector(let text)) in call.arguments.map(\.value) where Self.isWay(text) { leaves = true }
            switch call.callee {
            case .value(let callee):
                if case .register(let register) = callee, case .closure? = context.definition(of: register)?.kind { break }
                leaves = true
            case .local(let local): if !functions.contains(local) && !isClosureMadeHere(local, context) { leaves = true }
            case .initializer(let type): made.append(type)
            case .macro: leaves = true
            case .superMember: break
            default: called.append(call)
            }
        }
        guard !leaves else {
            isFound = true
            return
        }
        for type in made { if case .project(let types) = program.resolve(type.unwrapped, in: context.scope) { for one in types { visit(one) } } }
        for call in called { follow(call, selfType) }
    }

    private func isClosureMadeHere(_ local: LocalID, _ context: BodyContext) -> Bool {
        guard case .register(let register)? = context.value(of: local), case .closure? = context.definition(of: register)?.kind else { return false }
        return true
    }

    private mutating func follow(_ call: Call, _ selfType: TypeID?) {
        guard let base = call.callee.baseName, let full = call.fullName else { return }
        if let selfType {
            switch call.callee {
            case .name, .member(.selfObject, _):
                let own = program.members(named: base, on: selfType)
                // A property that is called is a closure that somebody gave.
                if own.contains(where: { program[$0].kind == .property }) { isFound = true }
                if !own.isEmpty {
                    for id in own { visit(id, selfType: selfType) }
                    return
                }
            default: break
            }
        }
        guard program.hasFunction(named: base) || program.hasFreeMember(named: base) else { return }
        let exact = program.functions(named: full)
        if exact.isEmpty || program.hasFreeMember(named: base) { isFound = true }
        for id in exact { visit(id, selfType: nil) }
    }

    /// Whether a property of the controller is one that another class answers to.
    private func isProtocol(_ name: String, _ selfType: TypeID?) -> Bool {
        guard let selfType else { return false }
        return program.members(named: name, on: selfType).contains { program[$0].kind == .property }
    }

    private static let ways = ["dismiss", "unwind", "segue", "presentingviewcontroller", "rootviewcontroller", "coordinator", "router", "openurl", "instantiate"]
    private static let exactWays: Set<String> = ["post", "postNotificationName", "send", "sendAction", "perform", "performSelector", "open", "exit", "abort", "prepare", "delegate", "popViewController", "setViewControllers", "presentationController"]

    /// Whether a name is that of a way out, or of something that may lead there.
    private static func isWay(_ name: String) -> Bool {
        let lower = name.lowercased()
        return exactWays.contains(name) || ways.contains(where: lower.contains)
    }

    /// Whether a storyboard or xib leads out of one of the classes: by a segue, or by an action that somebody else answers.
    private var leavesInInterface: Bool {
        types.flatMap { program.interfaceObjects(of: $0) }.contains { id in
            let facts = program.resources.interfaces[id.interface].facts
            let scene = program[id].scene
            return facts.objects.filter { $0.scene == scene }.flatMap(\.connections).contains { connection in
                switch connection.kind {
                case .segue: true
                case .action: facts.object(connection.destination).map { $0.customClass == nil } ?? true
                case .outlet, .outletCollection: false
                }
            }
        }
    }
}
