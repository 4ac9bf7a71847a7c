import Findings
import ProgramModel

extension Check {
    /// Handlers of the rows of a form that hold the screen that shows the form.
    static let formCircles = Check(rules: ["closure_retains_controller"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.bodies(inFile: file).compactMap { FormCircles(input: input, file: file, place: $0).finding() }
    }
}

/// The search in one body.  Eureka's README, callbacks: a row keeps its handlers, a form its rows, and the controller the form.
private struct FormCircles {
    let input: CheckInput
    let file: Int
    let place: BodyOccurrence

    private var program: Program { input.program }
    private var owner: TypeID { place.member.owner }

    private static let handlers: Set<String> = [
        "onChange", "onCellSelection", "cellUpdate", "cellSetup", "onCellHighlightChanged", "onRowValidationChanged", "onExpandInlineRow", "onCollapseInlineRow",
    ]

    /// The first handler of the body that holds the screen: the rows of one method are one mistake.
    func finding() -> Finding? {
        guard isForm, !place.member.facts.isStatic else { return nil }
        var first: Statement?
        place.body.block.forEachStatement { statement in
            guard first == nil, let call = statement.call, case .member(_, let name) = call.callee, Self.handlers.contains(name) else { return }
            for argument in call.arguments {
                guard first == nil, case .register(let register) = argument.value, let made = place.context.definition(of: register), case .closure(_, let closure) = made.kind,
                      place.holdsSelf(closure, in: program) else { continue }
                first = made
            }
        }
        guard let first else { return nil }
        return input.finding(
            "closure_retains_controller",
            "the row keeps this closure and the form of the '\(place.member.typeName)' keeps the row, while the closure holds the '\(place.member.typeName)': neither is ever freed; capture 'self' weakly",
            at: first.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
    }

    /// Whether the class shows a form of its own, which nothing empties.
    private var isForm: Bool {
        let chain = program.chain(of: owner)
        let isOfLibrary = if case .foreign("FormViewController") = program.ancestry(of: owner).root { true } else { false }
        guard isOfLibrary || chain.dropFirst().contains(where: { program[$0].name == "FormViewController" }), !input.clears("form", of: owner) else { return false }
        return !input.empties("form", of: owner)
    }
}
