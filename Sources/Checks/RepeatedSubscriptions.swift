import Findings
import ProgramModel
import SourceText

extension Check {
    /// Subscriptions of RxSwift that each appearance or layout makes once more, into a bag that lives as long as the screen.
    static let repeatedSubscriptions = Check(rules: ["repeated_setup"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).compactMap { RepeatedSubscriptions(input: input, file: file, member: $0)?.finding() }
    }
}

/// The search in what one event runs that comes again while its object lives.
private struct RepeatedSubscriptions {
    private let input: CheckInput
    private let file: Int
    private let member: MemberOccurrence

    private var program: Program { input.program }

    private static let events: [(kind: String, names: Set<String>)] = [
        ("UIViewController", ["viewWillAppear(_:)", "viewDidAppear(_:)", "viewWillLayoutSubviews()", "viewDidLayoutSubviews()"]),
        ("NSViewController", ["viewWillAppear()", "viewDidAppear()", "viewWillLayout()", "viewDidLayout()"]), ("UIView", ["layoutSubviews()"]), ("NSView", ["layout()"]),
    ]

    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        let isEvent = member.facts.isOverride && Self.events.contains { $0.names.contains(member.facts.fullName) && input.program.isType(member.owner, kindOf: $0.kind) }
        guard isEvent || Self.preparesCell(member, input) else { return nil }
        (self.input, self.file, self.member) = (input, file, member)
    }

    /// Whether a cell is told so what to show, each time that it is used again: a method that others call and no beginning of its own does.
    private static func preparesCell(_ member: MemberOccurrence, _ input: CheckInput) -> Bool {
        let (program, facts) = (input.program, member.facts)
        guard facts.kind == .function, !facts.isStatic, !facts.isPrivate, !facts.isOverride, input.library.geometry?.prepares(facts.fullName, cell: true) ?? false, input.names.called.contains(facts.fullName),
              ["UITableViewCell", "UICollectionReusableView"].contains(where: { program.isType(member.owner, kindOf: $0) }) else { return false }
        return !program.chain(of: member.owner).flatMap(program.members).contains { program[$0].body?.block.namesCalledOnSelf.contains(facts.baseName) ?? false }
    }

    /// The first such subscription that the event makes without a condition: all of them are one mistake.
    func finding() -> Finding? {
        var first: (entry: SourceSpan, line: Int, bag: String)?
        EventCode(input: input, type: member.owner).visit(member, file: file) { step in
            guard first == nil, !step.isConditional, !step.isLater, case .call = step.statement.kind, let (token, place) = step.context.kept(by: step.statement), let bag = place.ownName, isOfTheObject(bag), isEndless(token, step.context) else { return }
            first = (step.entry, step.statement.span.start.line, bag)
        }
        guard let first else { return nil }
        let place = first.line == first.entry.start.line ? "" : " (line \(first.line))"
        return input.finding(
            "repeated_setup",
            "each time '\(member.facts.fullName)' runs this subscribes once more\(place), and '\(first.bag)' keeps the subscriptions before: what is sent is handled several times; "
                + "subscribe once, or put a new bag there first",
            at: first.entry, in: file, type: member.typeName, member: member.facts.fullName)
    }

    /// Whether the bag is one that the object has from the beginning, and nobody puts another one in its place.
    private func isOfTheObject(_ bag: String) -> Bool {
        program.members(named: bag, on: member.owner).contains { program[$0].kind == .property && program[$0].isStored && !program[$0].isStatic } && input.places(writing: bag, of: member.owner).isEmpty
    }

    /// What only sequences without an end are given to: `drive` and `bind` show what they tell.
    private static let showing: Set<String> = ["drive", "bind", "bindNext", "bindTo", "emit"]

    /// Whether the sequence that is subscribed to has no end, as far as the text tells.
    private func isEndless(_ token: Operand, _ context: BodyContext) -> Bool {
        var names: Set<String> = []
        let links = context.chain(behind: token)
        for link in links { if let name = link.call?.callee.baseName { names.insert(name) } }
        // What the first of the calls is made on: `button.rx.tap`.
        var source = links.last?.value
        while case .register(let register)? = source, case .read(_, .member(let base, let name))? = context.definition(of: register)?.kind, names.insert(name).inserted { source = base }
        return names.isDisjoint(with: LastingSequences.endings) && (!names.isDisjoint(with: Self.showing) || names.contains("subscribe") && (names.contains("rx") || names.contains("asDriver")))
    }
}
