import Findings
import ProgramModel
import SourceText

extension Check {
    /// Sizes and traits that are read while the view still has those that it is about to leave.
    static let oldGeometryReads = Check(rules: ["transition_reads_old_geometry"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).compactMap { OldGeometryReads(input: input, file: file, member: $0)?.finding() }
    }
}

/// The reads of one `viewWillTransition(to:with:)`.
private struct OldGeometryReads {
    private let input: CheckInput
    private let file: Int
    private let member: MemberOccurrence
    private let body: Body
    private let size: LocalID

    private static let event = "viewWillTransition(to:with:)"
    private static let geometry: Set<String> = ["bounds", "frame"]
    private static let sizeClasses: Set<String> = ["horizontalSizeClass", "verticalSizeClass"]
    /// The methods that come after the transition and look at the new geometry.
    private static let later = ["viewWillLayoutSubviews", "viewDidLayoutSubviews", "traitCollectionDidChange"]

    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        guard member.facts.fullName == Self.event, !member.facts.isPartial, let body = member.facts.body, let size = body.parameters.first,
              input.program.isType(member.owner, kindOf: "UIViewController") else { return nil }
        (self.input, self.file, self.member, self.body, self.size) = (input, file, member, body, size)
    }

    /// A use of the old geometry.
    private struct Use {
        let step: EventCode.Step
        let name: String
    }

    func finding() -> Finding? {
        // Who works with the new size knows which one is the old.
        guard !usesNewSize else { return nil }
        let repeated = calledLater(surely: false)
        let surely = calledLater(surely: true)
        var use: Use?
        EventCode(input: input, type: member.owner).visit(member, file: file) { step in
            guard use == nil, !step.callers.contains(where: repeated.contains), !step.isConditionalInCallee else { return }
            switch step.statement.kind {
            case .write(.member(let base, _), let value):
                guard base != .selfObject, let name = old(value, step.context), !isSnapshot(base, step.context) else { return }
                use = Use(step: step, name: name)
            // Who is told the old size lays out by it.
            case .call(let call) where step.callers.isEmpty && call.callee.nameCalledOnSelf != nil:
                guard let method = call.callee.nameCalledOnSelf, !surely.contains(method), !step.isConditional, let id = input.program.members(named: method, on: member.owner).first,
                      input.program[id].body.map({ writesOthers($0.block) }) ?? false, let name = call.arguments.lazy.compactMap({ old($0.value, step.context) }).first else { return }
                use = Use(step: step, name: name)
            case .call(let call):
                // What is set by a method: setNavigationBarHidden(_:animated:), setCollectionViewLayout(_:animated:).
                guard case .member(let base, let method) = call.callee, base != .selfObject, method.hasPrefix("set"),
                      let name = call.arguments.lazy.compactMap({ old($0.value, step.context) }).first else { return }
                use = Use(step: step, name: name)
            case .branch(let clauses, let then, let otherwise):
                guard writesOthers(then) || writesOthers(otherwise) || choosesForOthers([then, otherwise], in: step.context.body.block) else { return }
                for case .isTrue(let value) in clauses.map(\.test) {
                    if let name = old(value, step.context) { use = Use(step: step, name: name) }
                }
            default: break
            }
        }
        guard let use else { return nil }
        let way = use.step.callers.first.map { ", by '\($0)'," } ?? ""
        let isSize = Self.geometry.contains(use.name)
        return input.finding(
            "transition_reads_old_geometry",
            "'\(use.name)' is read\(way) before the transition, so this goes by the \(isSize ? "size" : "size class") that the view is about to leave; "
                + (isSize ? "use the size that 'viewWillTransition' is given, or read it in 'coordinator.animate'" : "read it in 'coordinator.animate', or in 'traitCollectionDidChange'"),
            at: use.step.entry, in: file, type: member.typeName, member: member.facts.fullName)
    }

    /// Whether the method does anything with the size beside handing it on.
    private var usesNewSize: Bool {
        var read: [Register: Bool] = [:]
        body.block.forEachStatement(enteringClosures: false) { statement in
            if case .read(let register, .local(size)) = statement.kind { read[register] = true }
            // Handing the size on is no use of it.
            if let call = statement.call, call.callee.baseName == "viewWillTransition" {
                for argument in call.arguments { if case .register(let register) = argument.value { read[register] = nil } }
            }
        }
        return !read.isEmpty
    }

    /// The members that also run when the transition is over: in the coordinator's closures, or by what follows it; `surely` leaves out what
    /// conditions decide about there.
    private func calledLater(surely: Bool) -> Set<String> {
        var names: Set<String> = []
        body.block.forEachStatement { statement in
            if case .closure(_, let closure) = statement.kind { closure.block.forEachStatement { if let name = $0.call?.callee.baseName { names.insert(name) } } }
        }
        for id in Self.later.flatMap({ input.program.members(named: $0, on: member.owner) }) {
            guard let body = input.program[id].body else { continue }
            EventCode(input: input, type: member.owner).visit(body, file: id.declaration.file, typeName: input.program[id.declaration].name) { step in
                if let name = step.statement.call?.callee.baseName, !surely || !step.isConditional { names.insert(name) }
            }
        }
        return names
    }

    private func writesOthers(_ block: Block) -> Bool {
        var found = false
        block.forEachStatement(enteringClosures: false) { statement in
            if case .write(.member(let base, _), _) = statement.kind, base != .selfObject { found = true }
        }
        return found
    }

    /// Whether the blocks choose between values, one of which another object gets: `stack.axis = isCompact ? .horizontal : .vertical`.
    private func choosesForOthers(_ blocks: [Block], in whole: Block) -> Bool {
        var chosen: Set<Register> = []
        for statement in blocks.joined() { if case .assign(let register, _) = statement.kind { chosen.insert(register) } }
        guard !chosen.isEmpty else { return false }
        return whole.containsStatement { statement in
            if case .write(.member(let base, _), .register(let value)) = statement.kind { base != .selfObject && chosen.contains(value) } else { false }
        }
    }

    /// The property of the view, or the trait, from which a value is computed; nil where there is none, or another value than constants and
    /// parts of it takes part: two sizes that are compared or related are known to be old.
    private func old(_ operand: Operand, _ context: BodyContext, depth: Int = 0) -> String? {
        guard depth < 10, case .register(let register) = operand else { return nil }
        switch context.definition(of: register)?.kind {
        case .read(_, .member(let base, let name)):
            if Self.geometry.contains(name), isOwnView(base, context) { return name }
            if Self.sizeClasses.contains(name), isOwnTraits(base, context) { return name }
            return ["size", "width", "height"].contains(name) ? old(base, context, depth: depth + 1) : nil
        case .read(_, .local(let local)):
            return isRewritten(local, context) || isCaptured(local, context) ? nil : context.value(of: local).flatMap { old($0, context, depth: depth + 1) }
        case .compute(_, .symbol(_), let operands):
            return old(among: operands, context, depth: depth)
        case .call(let call):
            switch call.callee {
            case .initializer(let type): return Self.shapes.contains(type.name) ? old(among: call.arguments.map(\.value), context, depth: depth) : nil
            case .name(let name): return name.hasSuffix("Make") && Self.shapes.contains(String(name.dropLast(4))) ? old(among: call.arguments.map(\.value), context, depth: depth) : nil
            default: return nil
            }
        default: return nil
        }
    }

    private static let shapes: Set<String> = ["CGSize", "CGRect", "CGPoint", "UIEdgeInsets", "CGFloat"]

    private func old(among operands: [Operand], _ context: BodyContext, depth: Int) -> String? {
        let names = operands.map { old($0, context, depth: depth + 1) }
        let isPlain = zip(operands, names).allSatisfy { $1 != nil || isConstant($0, context) }
        return isPlain ? names.lazy.compactMap { $0 }.first : nil
    }

    /// Whether a view shows what was before the transition, and is to lie where that was.
    private func isSnapshot(_ operand: Operand, _ context: BodyContext) -> Bool {
        EventCode(input: input, type: member.owner).names(of: operand, context).contains { $0.hasPrefix("snapshot") || $0.hasPrefix("resizableSnapshot") }
    }

    private func isConstant(_ operand: Operand, _ context: BodyContext) -> Bool {
        switch operand {
        case .constant: true
        case .register(let register):
            // A constant of Objective-C, as UIUserInterfaceSizeClassCompact.
            if case .read(_, .name(let name))? = context.definition(of: register)?.kind { name.first?.isUppercase ?? false } else { false }
        default: false
        }
    }

    private func isOwnView(_ operand: Operand, _ context: BodyContext) -> Bool {
        guard case .register(let register) = operand else { return false }
        switch context.definition(of: register)?.kind {
        case .read(_, .name("view")), .read(_, .member(.selfObject, "view")): return input.program.members(named: "view", on: member.owner).isEmpty
        default: return false
        }
    }

    private func isOwnTraits(_ operand: Operand, _ context: BodyContext) -> Bool {
        guard case .register(let register) = operand else { return false }
        switch context.definition(of: register)?.kind {
        case .read(_, .name("traitCollection")), .read(_, .member(.selfObject, "traitCollection")): return true
        case .read(_, .member(let base, "traitCollection")): return isOwnView(base, context)
        default: return false
        }
    }

    /// Whether a local gets another value than the one that it is declared with.
    private func isRewritten(_ local: LocalID, _ context: BodyContext) -> Bool {
        context.body[local].isMutable && context.body.block.containsStatement { if case .write(.local(local), _) = $0.kind { true } else { false } }
    }

    /// Whether a closure uses the local, which then keeps the old value on purpose.
    private func isCaptured(_ local: LocalID, _ context: BodyContext) -> Bool {
        var found = false
        context.body.block.forEachStatement { statement in
            guard case .closure(_, let closure) = statement.kind else { return }
            closure.block.forEachStatement { if case .read(_, .local(local)) = $0.kind { found = true } }
        }
        return found
    }
}
