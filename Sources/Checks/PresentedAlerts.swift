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

/// The search for what an iPad shows as a popover and nobody tells where.
private struct PopoverSearch {
    private let input: CheckInput
    private let place: BodyOccurrence

    /// Nil where the class presents in a way of its own.
    init?(input: CheckInput, place: BodyOccurrence) {
        // A class that presents in a way of its own may set the source there.
        let program = input.program
        let hasOwnWay = program.members(named: "present", on: place.member.owner).contains { program[$0].kind == .function && Self.mayTellWhere(program[$0]) }
            || program.extensionFunctions(named: "present").contains { program[$0].fullName.hasPrefix("present(_:animated:") && Self.mayTellWhere(program[$0]) }
        guard !hasOwnWay, !input.isForTelevision(place.context.scope.file) else { return nil }
        (self.input, self.place) = (input, place)
    }

    /// Whether a way to present may set the source: it gives what it presents to others than its superclass, or has to do with popovers.
    private static func mayTellWhere(_ member: MemberFacts) -> Bool {
        guard member.isOverride, let body = member.body, let shown = body.parameters.first, !member.isPartial else { return true }
        var reads: Set<Register> = []
        return body.block.containsStatement { statement in
            if case .read(let register, .local(shown)) = statement.kind { reads.insert(register) }
            if tellsOfDevices(statement) || setsSource(statement) { return true }
            if case .write(_, .register(let register)) = statement.kind, reads.contains(register) { return true }
            guard let call = statement.call else { return false }
            if case .superMember("present") = call.callee { return false }
            return call.arguments.contains { if case .register(let register) = $0.value { reads.contains(register) } else { false } }
        }
    }

    /// Whether the code on the way to a statement asks what device it is on, or sets a source for something: not that of closures or
    /// branches beside the way.
    private func isAware(around target: Statement, in block: Block) -> Bool {
        // What stands around a closure ran long before it, for other things: only what it asked, and left for, tells of the closure.
        var isDirect = false
        block.forEachStatement(enteringClosures: false) { if $0.id == target.id { isDirect = true } }
        return block.contains { statement in
            // Of a statement that the target stands in, only the way to it counts: that is where it stands, and what is asked before.
            if let way = statement.innerBlocks(enteringClosures: true).first(where: { $0.containsStatement { $0.id == target.id } }) {
                return Self.tellsOfDevices(statement) || Self.asked(by: statement).contains(where: Self.tells) || isAware(around: target, in: way)
            }
            return isDirect ? Self.tells([statement]) : Self.asked(by: statement).contains(where: Self.tells)
        }
    }

    /// Whether some statement, closures left out, asks what device it is on, or sets a source.
    private static func tells(_ block: Block) -> Bool {
        var found = false
        block.forEachStatement(enteringClosures: false) { if tellsOfDevices($0) { found = true } }
        return found
    }

    /// What a statement evaluates before it takes one of its ways.
    private static func asked(by statement: Statement) -> [Block] {
        if case .branch(let clauses, _, _) = statement.kind { clauses.map(\.setup) } else { [] }
    }

    private static func tellsOfDevices(_ statement: Statement) -> Bool {
        func tells(_ name: String) -> Bool {
            let lower = name.lowercased()
            // `rightBarButtonItem` is no source.
            return ["barbuttonitem", "setbarbuttonitem"].contains(lower)
                || ["idiom", "ipad", "ispad", "iphone", "isphone", "sizeclass", "popover", "sourceview", "sourceitem", "ismac"].contains(where: lower.contains)
        }
        switch statement.kind {
        case .read(_, .name(let name)), .read(_, .member(_, let name)), .write(.member(_, let name), _), .write(.name(let name), _): return tells(name)
        case .call(let call):
            return (call.callee.baseName.map(tells) ?? false) || call.arguments.contains { if case .constant(let constant) = $0.value { tells("\(constant)") } else { false } }
        case .configuration(let condition, _, _): return "\(condition)".contains("tvOS")
        case .opaque(let part): return part.reads.contains(where: tells)
        default: return false
        }
    }

    func findings(_ file: Int) -> [Finding] {
        (place.madeObjects { isPlatformController($0) } + fromFactories).compactMap { made in
            guard let presentation = presentation(of: made), let title = popover(made), !isAware(around: presentation, in: place.body.block) else { return nil }
            var found = input.finding(
                "alert_source_missing",
                "\(title) is a popover on an iPad, and this one has no source to point to, so presenting it there raises an exception: set 'sourceView' or 'barButtonItem' of its 'popoverPresentationController' first",
                at: presentation.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
            found.severity = severity(file) ?? found.severity
            return found
        }
    }

    /// An app that is built for an iPad or a Mac is ended there, one for iPhones alone shows a sheet; nil where nobody knows.
    private func severity(_ file: Int) -> Severity? {
        guard let configurations = input.program.configurations(ofFile: file) else { return nil }
        let families = configurations.map(\.deviceFamilies)
        if families.contains(where: { !($0 ?? []).isDisjoint(with: [2, 6]) }) { return .error }
        return families.allSatisfy { $0 == [1] } ? .note : nil
    }

    /// The controllers that functions of the project make, added to their class, and that know nothing of sources either.
    private var fromFactories: [MadeObject] {
        var found: [MadeObject] = []
        place.body.block.forEachStatement { statement in
            guard let call = statement.call, case .member(.type(let type), let name) = call.callee, isPlatformController(type) else { return }
            let factories = input.program.extensionFunctions(named: name).map { input.program[$0] }
            guard !factories.isEmpty, factories.allSatisfy({ one in
                one.isStatic && one.type.map { $0.unwrapped.name == type.name || ["instancetype", "Self"].contains($0.unwrapped.name) } ?? false
                    && !(one.body?.block.containsStatement { Self.tellsOfDevices($0) || Self.setsSource($0) } ?? true)
            }) else { return }
            found.append(MadeObject(statement: statement, call: call, type: type, uses: ValueUses(of: [call.result], in: place.body)))
        }
        return found
    }

    private func isPlatformController(_ type: TypeReference) -> Bool {
        guard case .platform(let name) = input.program.resolve(type.unwrapped, in: place.context.scope) else { return false }
        return input.program.platform.isClass(name, kindOf: "UIViewController")
    }

    /// What the object is called, if an iPad shows it as a popover.
    private func popover(_ made: MadeObject) -> String? {
        var style: String?
        for (use, _) in made.uses.all { if case .set("modalPresentationStyle", let value) = use { style = place.context.caseName(value, prefix: "UIModalPresentation") ?? "" } }
        if let style, style != "popover" { return nil }
        switch made.type.name {
        case "UIAlertController":
            let kind = place.context.caseName(made.call.arguments.first { $0.label == "preferredStyle" }?.value, prefix: "UIAlertControllerStyle")
            return kind == "actionSheet" ? "an action sheet" : nil
        case "UIActivityViewController": return "an activity controller"
        case "UIDocumentMenuViewController": return "a document menu"
        default: return style == "popover" ? "a controller of the style 'popover'" : nil
        }
    }

    private static let harmless: Set<String> = ["addAction", "addTextField", "addTextFieldWithConfigurationHandler", "setTitle", "setMessage", "setPreferredAction", "setCompletionHandler", "setCompletionWithItemsHandler", "setExcludedActivityTypes"]

    /// Whether a call runs code of the project that knows of no source either.
    private func isHarmlessExtension(_ call: Call) -> Bool {
        guard let name = call.callee.baseName else { return false }
        let program = input.program
        let called = program.extensionFunctions(named: name).map { program[$0] }
        return !called.isEmpty && called.allSatisfy { member in
            var isHarmless = true
            member.body?.block.forEachStatement { statement in
                if Self.tellsOfDevices(statement) { isHarmless = false }
                // Who is handed the object may set its source.
                if let call = statement.call, call.arguments.contains(where: { $0.value == .selfObject }) { isHarmless = false }
            }
            return isHarmless
        }
    }

    /// The statement that presents the object, if no other code gets it.
    private func presentation(of made: MadeObject) -> Statement? {
        guard let (shown, property) = presentation(in: made.uses) else { return nil }
        guard let property else { return shown }
        // What a property keeps is presented from there, and the whole class may set its source.
        guard let inProperty = presentation(in: ValueUses(of: reads(of: property), in: place.body)), inProperty.property == nil, !isClassAware else { return nil }
        return shown ?? inProperty.shown
    }

    /// The statement that presents a value, and the own property that keeps it; nil where other code gets it.
    private func presentation(in uses: ValueUses) -> (shown: Statement?, property: String?)? {
        guard !uses.isMixed else { return nil }
        var found: (shown: Statement?, property: String?) = (nil, nil)
        for (use, statement) in uses.all {
            switch use {
            case .set: continue
            case .read(let name): if name == "presentationController" { return nil }
            case .called(let call): guard let name = call.callee.baseName, Self.harmless.contains(name) || name == "dismiss" || isHarmlessExtension(call) else { return nil }
            case .given(let call, let argument):
                guard call.presents, argument == call.arguments.first else { return nil }
                found.shown = found.shown ?? statement
            case .kept(.name(let name)), .kept(.member(.selfObject, let name)):
                guard found.property == nil || found.property == name, isStored(name) else { return nil }
                found.property = name
            case .kept, .returned, .other: return nil
            }
        }
        return found
    }

    private func isStored(_ name: String) -> Bool {
        let members = input.program.members(named: name, on: place.member.owner).map { input.program[$0] }
        return !members.isEmpty && members.allSatisfy { $0.isStored && !$0.isStatic && $0.accessors == nil }
    }

    private func reads(of property: String) -> Set<Register> {
        var found: Set<Register> = []
        place.body.block.forEachStatement { statement in
            switch statement.kind {
            case .read(let result, .name(property)), .read(let result, .member(.selfObject, property)): found.insert(result)
            default: break
            }
        }
        return found
    }

    /// Whether any code of the class sets a source for something.
    private var isClassAware: Bool {
        let program = input.program
        return program.chain(of: place.member.owner).flatMap { program.members(of: $0) }.flatMap { program[$0].bodies.map(\.body) }
            .contains { $0.block.containsStatement(Self.setsSource) }
    }

    private static func setsSource(_ statement: Statement) -> Bool {
        switch statement.kind {
        case .read(_, .name(let name)), .read(_, .member(_, let name)), .write(.member(_, let name), _), .write(.name(let name), _):
            ["popoverPresentationController", "presentationController", "sourceView", "sourceItem", "barButtonItem"].contains(name)
        case .call(let call): call.callee.baseName?.lowercased().contains("popover") ?? false
        case .opaque(let part): part.reads.contains { $0.lowercased().contains("popover") }
        default: false
        }
    }
}
