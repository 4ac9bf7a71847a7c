import Findings
import ProgramModel
import SourceText

extension Check {
    /// Windows and parents that are asked for while there is none, so that an optional chain does nothing.
    static let earlyContexts = Check(rules: ["context_before_available"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).flatMap { EarlyContexts(input: input, file: file, member: $0)?.findings() ?? [] }
    }
}

/// What one early method does through a window or a parent.
private struct EarlyContexts {
    private let input: CheckInput
    private let file: Int
    private let member: MemberOccurrence
    /// Whether the parents are missing as well as the window.
    private let isUnparented: Bool

    private static let parents: Set<String> = ["navigationController", "tabBarController", "splitViewController", "parent", "parentViewController"]
    private static let windowless: Set<String> = ["loadView()", "viewDidLoad()", "viewWillAppear(_:)"]
    /// In AppKit the view is in its window when it is about to appear.
    private static let windowlessOnMac: Set<String> = ["loadView()", "viewDidLoad()"]

    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        let program = input.program
        let isMac = program.isType(member.owner, kindOf: "NSViewController")
        guard !member.facts.isPartial, isMac || program.isType(member.owner, kindOf: "UIViewController") else { return nil }
        isUnparented = member.facts.kind == .initializer || (member.facts.fullName == "awakeFromNib()" && !isMac)
        guard isUnparented || (isMac ? Self.windowlessOnMac : Self.windowless).contains(member.facts.fullName) else { return nil }
        (self.input, self.file, self.member) = (input, file, member)
    }

    /// Something that is done to what is missing.
    private struct Use: Hashable {
        let missing: String
        let action: String
    }

    func findings() -> [Finding] {
        var found: [Finding] = []
        var seen: Set<Use> = []
        let code = EventCode(input: input, type: member.owner)
        code.visit(member, file: file) { step in
            guard let use = use(step.statement, step.context), !step.isConditionalInCallee, step.asked.isDisjoint(with: Self.parents.union(["window", "isViewLoaded", "viewIfLoaded"])),
                  step.callers.count < 2, !isRepeated(use, step), seen.insert(use).inserted else { return }
            let way = step.callers.first.map { ", by '\($0)'" } ?? ""
            let event = member.facts.kind == .initializer ? "in an initialiser" : "in '\(member.facts.baseName)'"
            let place = isUnparented ? "'viewDidLoad' or later" : input.program.isType(member.owner, kindOf: "NSViewController") ? "'viewWillAppear'" : "'viewIsAppearing' or 'viewDidAppear'"
            found.append(input.finding(
                "context_before_available",
                "'\(use.missing)' is nil \(event)\(way), so '\(use.action)' reaches nobody and nothing says so; do it in \(place)",
                at: step.entry, in: file, type: member.typeName, member: member.facts.fullName))
        }
        return found
    }

    /// What a statement sets or calls on a window or parent; to ask for a value is no use, for who does so expects nil.
    private func use(_ statement: Statement, _ context: BodyContext) -> Use? {
        switch statement.kind {
        case .write(.member(let base, let name), _): return missing(base, context).map { Use(missing: $0, action: name) }
        case .call(let call):
            guard case .member(let receiver, let name) = call.callee else { return nil }
            return missing(receiver, context).map { Use(missing: $0, action: name) }
        default: return nil
        }
    }

    /// The name of the window or parent through which a value is reached.
    private func missing(_ operand: Operand, _ context: BodyContext, depth: Int = 0) -> String? {
        guard depth < 8, case .register(let register) = operand else { return nil }
        switch context.definition(of: register)?.kind {
        case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)):
            return isUnparented && Self.parents.contains(name) && isInherited(name) ? name : nil
        case .read(_, .member(let base, let name)):
            if name == "window", isOwnView(base, context) { return "view.window" }
            return missing(base, context, depth: depth + 1)
        case .compute(_, .forceUnwrap, let operands): return operands.first.flatMap { missing($0, context, depth: depth + 1) }
        default: return nil
        }
    }

    /// Whether the class leaves the property to its platform class; a delegate's method may have the same name.
    private func isInherited(_ name: String) -> Bool { input.program.members(named: name, on: member.owner).allSatisfy { input.program[$0].kind == .function } }

    private func isOwnView(_ operand: Operand, _ context: BodyContext) -> Bool {
        guard case .register(let register) = operand else { return false }
        switch context.definition(of: register)?.kind {
        case .read(_, .name("view")), .read(_, .member(.selfObject, "view")): return isInherited("view")
        default: return false
        }
    }

    /// Whether other code of the class does the same, or calls the member that does it, at a time when it may work.
    private func isRepeated(_ use: Use, _ step: EventCode.Step) -> Bool {
        let program = input.program
        return program.chain(of: member.owner).flatMap { program.members(of: $0) }.contains { id in
            guard program[id].nameSpan != member.facts.nameSpan || id.declaration.file != file, program[id].kind != .initializer else { return false }
            return program[id].bodies.contains { _, body in
                guard body.span != step.context.body.span || id.declaration.file != step.file else { return false }
                let context = program.context(of: body, in: id, as: member.owner)
                var found = false
                body.block.forEachStatement { statement in
                    if self.use(statement, context) == use { found = true }
                    if let name = statement.call?.callee.baseName, name == step.callers.last { found = true }
                }
                return found
            }
        }
    }
}
