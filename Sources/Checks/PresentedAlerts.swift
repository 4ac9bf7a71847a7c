import Findings
import ProgramModel
import SourceText

extension Check {
    /// Alerts that nobody can leave, that have a second cancel action, and sheets that an iPad cannot place.
    static let presentedAlerts = Check(rules: ["alert_without_exit", "alert_source_missing"]) { input, file in
        input.bodies(inFile: file).flatMap { place -> [Finding] in
            guard place.body.isPresenting else { return [] }
            var found = place.madeObjects { $0.name == "UIAlertController" }.flatMap { made in
                PresentedAlert(input: input, place: place, made: made)?.findings(file) ?? []
            }
            if let search = PopoverSearch(input: input, place: place) { found += search.findings(file) }
            return found
        }
    }
}

extension BodyContext {
    /// The name of the case that an argument or a written value is, in the spellings of both languages.
    func caseName(_ operand: Operand?, prefix: String) -> String? {
        var name: String
        switch operand {
        case .constant(.implicitMember(let text)): name = text
        case .register(let register):
            switch definition(of: register)?.kind {
            case .read(_, .member(.type, let text)), .read(_, .name(let text)): name = text
            default: return nil
            }
        default: return nil
        }
        if name.hasPrefix(prefix) { name = String(name.dropFirst(prefix.count)) }
        return name.prefix(1).lowercased() + name.dropFirst()
    }
}

extension Call {
    /// Whether the call presents its first argument as UIKit does.
    var presents: Bool { callee.baseName == "present" && arguments.first?.label == nil && arguments.dropFirst().first?.label == "animated" }
}

extension Body {
    /// Whether the body presents something, or adds an action to it.
    fileprivate var isPresenting: Bool {
        var found = false
        block.forEachStatement { if let call = $0.call, call.presents || call.callee.baseName == "addAction" { found = true } }
        return found
    }
}

/// An alert or a sheet that a body makes and presents, and that no other code gets.
private struct PresentedAlert {
    private enum Style: String {
        case alert, actionSheet
    }

    private let input: CheckInput
    private let place: BodyOccurrence
    private let made: MadeObject
    private let style: Style
    private let presentation: Statement?
    /// The calls of `addAction`, each with what the text tells of the action.
    private let actions: [(statement: Statement, action: Action?)]

    /// An action that the body makes.
    private struct Action {
        let style: String
        /// Whether choosing it does anything but leave the alert.
        let hasHandler: Bool
    }

    /// Calls of an alert that add no way out.
    private static let harmless: Set<String> = ["addAction", "addTextField", "addTextFieldWithConfigurationHandler", "setTitle", "setMessage", "setPreferredAction", "loadViewIfNeeded"]

    init?(input: CheckInput, place: BodyOccurrence, made: MadeObject) {
        let style = made.call.arguments.first { $0.label == "preferredStyle" }?.value
        guard case .platform = input.program.resolve(made.type.unwrapped, in: place.context.scope), !made.uses.isMixed,
              let style = place.context.caseName(style, prefix: "UIAlertControllerStyle").flatMap(Style.init(rawValue:)) else { return nil }
        (self.input, self.place, self.made, self.style) = (input, place, made, style)
        var presentation: Statement?
        var actions: [(Statement, Action?)] = []
        for (use, statement) in made.uses.all {
            switch use {
            case .set, .read: continue
            case .called(let call):
                guard let name = call.callee.baseName, Self.harmless.contains(name) else { return nil }
                if name == "addAction" { actions.append((statement, Self.action(call.arguments.first?.value, place))) }
            case .given(let call, let argument):
                guard call.presents, argument == call.arguments.first else { return nil }
                presentation = presentation ?? statement
            case .kept, .returned, .other: return nil
            }
        }
        (self.presentation, self.actions) = (presentation, actions)
    }

    private static func action(_ operand: Operand?, _ place: BodyOccurrence) -> Action? {
        guard case .register(let register) = operand else { return nil }
        switch place.context.definition(of: register)?.kind {
        case .call(let call):
            guard case .initializer(let type) = call.callee, type.name == "UIAlertAction" else { return nil }
            let handler = call.arguments.first { $0.label == "handler" || $0.isTrailing }?.value
            return place.context.caseName(call.arguments.first { $0.label == "style" }?.value, prefix: "UIAlertActionStyle")
                .map { Action(style: $0, hasHandler: doesSomething(handler, place)) }
        case .read(_, .local(let local)): return place.context.value(of: local).flatMap { action($0, place) }
        case .compute(_, .forceUnwrap, let operands): return operands.first.flatMap { action($0, place) }
        default: return nil
        }
    }

    /// Whether a handler is there, and no empty closure.
    private static func doesSomething(_ handler: Operand?, _ place: BodyOccurrence) -> Bool {
        guard let handler, handler != .constant(.null) else { return false }
        if case .register(let register) = handler, case .closure(_, let closure)? = place.context.definition(of: register)?.kind { return !closure.block.isEmpty }
        return true
    }

    func findings(_ file: Int) -> [Finding] {
        func finding(_ message: String, _ span: SourceSpan) -> Finding {
            input.finding("alert_without_exit", message, at: span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
        }
        if let second = secondCancel {
            return [finding("a second action of the style 'cancel' raises an exception when it is added: give this one the style 'default'", second)]
        }
        guard let presentation else { return [] }
        if style == .alert, actions.isEmpty, !isDismissed {
            return [finding("this alert has no action and nothing here dismisses it, so whoever sees it cannot leave it: add an action", presentation.span)]
        }
        // An action that does nothing is a way out as well, and a single one is there to be acknowledged.
        if style == .actionSheet, actions.count > 1, actions.allSatisfy({ $0.action.map { $0.style != "cancel" && $0.hasHandler } ?? false }), !input.isForTelevision(file) {
            var note = finding("this sheet has no action of the style 'cancel', so on an iPhone it can only be left by doing something: add one", presentation.span)
            note.severity = .note
            return [note]
        }
        return []
    }

    /// The second cancel action of one block: both are added, whatever way the code takes to it.
    private var secondCancel: SourceSpan? {
        let cancels = Dictionary(actions.filter { $0.action?.style == "cancel" }.map { ($0.statement.id, $0.statement.span) }, uniquingKeysWith: { first, _ in first })
        guard cancels.count > 1 else { return nil }
        func search(_ block: Block) -> SourceSpan? {
            let direct = block.filter { cancels[$0.id] != nil }
            if direct.count > 1 { return direct[1].span }
            return block.lazy.flatMap { $0.innerBlocks(enteringClosures: true) }.compactMap(search).first
        }
        return search(place.body.block)
    }

    /// Whether the class dismisses what it presents; who is a parameter is somebody else.
    private var isDismissed: Bool {
        let program = input.program
        let bodies = program.chain(of: place.member.owner).flatMap { program.members(of: $0) }.flatMap { program[$0].bodies.map(\.body) }
        return bodies.contains { body in
            var parameters: Set<Register> = []
            var found = false
            body.block.forEachStatement { statement in
                if case .read(let register, .local(let local)) = statement.kind, body.parameters.contains(local) { parameters.insert(register) }
                guard let call = statement.call, let name = call.callee.baseName, name.lowercased().hasPrefix("dismiss") else { return }
                if case .member(.register(let receiver), _) = call.callee, parameters.contains(receiver) { return }
                found = true
            }
            return found
        }
    }
}

extension CheckInput {
    /// Whether a file is for Apple TV, which has no popovers and a button to go back: its imports, its folders or its targets say so.
    func isForTelevision(_ file: Int) -> Bool {
        let one = program.files[file]
        func says(_ name: String) -> Bool { ["tvos", "appletv"].contains { name.lowercased().contains($0) } }
        return says(one.path) || one.facts.imports.contains { ["TVUIKit", "TVServices", "TVMLKit"].contains($0) } || one.units.allSatisfy { says(program.units[$0].name) }
    }
}
