import Findings
import ProgramModel

extension Check {
    /// Drawing of a text view that goes by its text, where code sets the text and nothing asks for a redraw: what the keyboard changes is
    /// told by a notification, what code sets is not (UITextView.textDidChangeNotification page).
    static let staleTextDrawings = Check(rules: ["needs_display_missing"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).compactMap { member in
            guard member.facts.fullName == "draw(_:)", let drawn = TextDrawing(input: input, drawing: member) else { return nil }
            let program = input.program
            let who: String
            if let write = drawn.unheardWrite {
                let place = write.member.declaration.file == file ? "line \(write.statement.span.start.line)" : "\(program.files[write.member.declaration.file].name):\(write.statement.span.start.line)"
                who = "'\(program[write.member].baseName)' sets the text (\(place))"
            } else if program[member.owner].declarations.contains(where: { !Set(program[$0].modifiers).isDisjoint(with: ["public", "open"]) }) {
                who = "whoever uses the module may set the text"
            } else {
                return nil
            }
            let isSwift = program.files[file].facts.language == .swift
            return input.finding(
                "needs_display_missing",
                "'\(isSwift ? "draw(_:)" : "drawRect:")' goes by '\(drawn.property)', and \(who), of which no notification tells: the view goes on showing what it drew for the old one; ask for a redraw where the text is set, in an override of 'text'",
                at: member.facts.nameSpan, in: file, type: member.typeName, member: member.facts.fullName)
        }
    }
}

/// A text view whose drawing reads the text that it inherits.
private struct TextDrawing {
    /// What of the text the drawing reads.
    let property: String
    private let input: CheckInput
    private let type: TypeID

    private static let texts = ["text", "attributedText"]

    /// Nil for views of other kinds, and where the class hears of every change of its text or draws again for other reasons.
    init?(input: CheckInput, drawing: MemberOccurrence) {
        let program = input.program
        guard program.isType(drawing.owner, kindOf: "UITextView"), let body = drawing.facts.body, !drawing.facts.isPartial else { return nil }
        (self.input, type) = (input, drawing.owner)
        let chain = program.chain(of: drawing.owner)
        guard (Self.texts + ["setText", "setAttributedText", "observeValue", "observeValueForKeyPath"]).allSatisfy({ name in chain.allSatisfy { program[$0].membersByName[name] == nil } }) else { return nil }
        var found: String?
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .read(_, let place): if let name = place.ownName, ["text", "attributedText", "hasText"].contains(name) { found = found ?? name }
            case .call(let call): if call.callee.baseName == "hasText" { found = found ?? "hasText" }
            default: break
            }
        }
        guard let found else { return nil }
        property = found
        // Each change of the text lays the view out again.
        for id in chain.flatMap({ program.members(of: $0) }) where ["layoutSubviews", "setContentSize", "contentSize"].contains(program[id].baseName) {
            for (_, body) in program[id].bodies where body.block.calledNames.contains("setNeedsDisplay") { return nil }
        }
    }

    /// The code that sets the text of such a view and asks for no redraw.
    var unheardWrite: NamedWrites.Place? {
        Self.texts.lazy.flatMap { input.writes[$0] }.first { place in
            let program = input.program
            guard place.base != .selfObject, let owner = program.owners(of: place.member.declaration).first else { return false }
            let context = program.context(of: place.body, in: place.member, as: owner)
            guard let inferred = input.inference.type(of: place.base, in: context), !inferred.isMetatype, case .project(let types) = input.inference.resolve(inferred),
                  types.contains(where: { program.chain(of: $0).contains(type) }) else { return false }
            return place.body.block.calledNames.isDisjoint(with: ["setNeedsDisplay", "display"])
        }
    }
}
