import Findings
import ProgramModel
import SourceText

extension Check {
    /// `awakeFromNib` of an object that owns several nibs, each of which sends it again when it is loaded.
    static let repeatedAwakes = Check(rules: ["repeated_setup"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).flatMap { RepeatedAwake(input: input, file: file, member: $0)?.findings() ?? [] }
    }
}

/// One `awakeFromNib` that nothing keeps from doing its work again.
private struct RepeatedAwake {
    private let input: CheckInput
    private let file: Int
    private let member: MemberOccurrence
    private let body: Body

    private var program: Program { input.program }

    /// A call that sends `awakeFromNib` to self.
    private struct Load {
        let title: String
        let span: SourceSpan
        let isInitial: Bool
    }

    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        guard member.facts.baseName == "awakeFromNib", member.facts.kind == .function, !member.facts.isPartial, let body = member.facts.body,
              // UIKit does not send it to the owner of a nib.
              !["UIResponder", "UIGestureRecognizer"].contains(where: { input.program.isType(member.owner, kindOf: $0) }) else { return nil }
        (self.input, self.file, self.member, self.body) = (input, file, member, body)
    }

    func findings() -> [Finding] {
        guard !isGuarded, let load = further else { return [] }
        var found: [Finding] = []
        for statement in body.block {
            guard let call = statement.call, let what = Self.accumulated(by: call), !removes(before: statement.span) else { continue }
            found.append(input.finding(
                "repeated_setup",
                "'awakeFromNib' runs again when '\(load.title)' loads a nib with this object as its owner (line \(load.span.start.line)), and \(what) once more each time; do it once, behind a flag",
                at: statement.span, in: file, type: member.typeName, member: member.facts.fullName))
        }
        return found
    }

    /// What a call adds that is there already the second time.
    private static func accumulated(by call: Call) -> String? {
        switch call.callee.baseName {
        case "addObserver"? where call.arguments.first?.value == .selfObject: "the observer is added"
        case "addTrackingArea"?: "a tracking area is added"
        default: nil
        }
    }

    private func removes(before place: SourceSpan) -> Bool {
        body.block.containsStatement { statement in
            statement.span.start < place.start && ["removeObserver", "removeTrackingArea"].contains(statement.call?.callee.baseName ?? "")
        }
    }

    /// Whether the method may leave before its work: what it asks is a flag as far as anybody knows.
    private var isGuarded: Bool {
        body.block.contains { statement in
            switch statement.kind {
            case .branch(_, let then, let otherwise): [then, otherwise].contains { $0.lastExit != nil }
            default: statement.call?.callee.baseName == "dispatch_once"
            }
        }
    }

    /// A load beside the one that sends the first `awakeFromNib`.
    private var further: Load? {
        let all = program.chain(of: member.owner).flatMap { program.members(of: $0) }.flatMap { id in
            program[id].bodies.flatMap { loads(in: $0.body, isInitial: program[id].kind == .initializer) }
        }
        let later = all.filter { !$0.isInitial }
        // What a nib makes, or what has a nib of its own, is awake before it loads another.
        let hasNib = ["NSWindowController", "NSViewController", "NSDocument"].contains { program.isType(member.owner, kindOf: $0) }
            || program.interfaceObjects(of: member.owner).contains { !program[$0].isPlaceholder }
        return hasNib ? later.first : all.count > 1 ? all.last : nil
    }

    private func loads(in body: Body, isInitial: Bool) -> [Load] {
        var found: [Load] = []
        body.block.forEachStatement { statement in
            guard let call = statement.call, let name = call.callee.baseName, ["loadNibNamed", "makeView", "makeViewWithIdentifier"].contains(name),
                  call.arguments.contains(where: { $0.label == "owner" && $0.value == .selfObject }),
                  // UIKit's has options.
                  !call.arguments.contains(where: { $0.label == "options" }) else { return }
            found.append(Load(title: name, span: statement.span, isInitial: isInitial))
        }
        return found
    }
}
