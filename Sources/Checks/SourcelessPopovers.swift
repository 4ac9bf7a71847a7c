import Findings
import ProgramModel
import SourceText

/// The search for what an iPad shows as a popover and nobody tells where.
struct PopoverSearch {
    let input: CheckInput
    let place: BodyOccurrence
    /// The reads of a popover's controller that give it no source: only its rectangle or its looks.
    private let idleReads: Set<Int32>

    /// Nil where the class presents in a way of its own.
    init?(input: CheckInput, place: BodyOccurrence) {
        // A class that presents in a way of its own may set the source there.
        let program = input.program
        let hasOwnWay = program.members(named: "present", on: place.member.owner)
            .contains { Self.mayTakeController($0, program) && Self.mayTellWhere(program[$0]) }
            || program.extensionFunctions(named: "present").contains { program[$0].fullName.hasPrefix("present(_:animated:") && Self.mayTellWhere(program[$0]) }
        guard !hasOwnWay, !input.isForTelevision(place.context.scope.file) else { return nil }
        (self.input, self.place) = (input, place)
        // A delegate may tell where as the popover is about to be shown.
        let isToldLater = program.chain(of: place.member.owner).contains { type in Self.delegateTells.contains { program[type].membersByName[$0] != nil } }
        idleReads = Self.idleReads(in: place.body, isToldLater ? Self.sourceless : Self.sourceless.union(["delegate"]))
    }

    /// How the methods of a popover's delegate are called that may give it a source.
    private static let delegateTells = ["prepareForPopoverPresentation", "popoverPresentationController"]

    private static func idleReads(in body: Body, _ sourceless: Set<String>) -> Set<Int32> {
        var found: Set<Int32> = []
        body.block.forEachStatement { statement in
            guard case .read(let register, .member(_, "popoverPresentationController")) = statement.kind else { return }
            let uses = ValueUses(of: [register], in: body)
            let isIdle = !uses.isMixed && !uses.all.isEmpty && uses.all.allSatisfy { use, _ in if case .set(let name, _) = use { sourceless.contains(name) } else { false } }
            if isIdle { found.insert(statement.id) }
        }
        return found
    }

    /// The properties of a popover's controller that can be set beside a source, and are none.
    private static let sourceless: Set<String> = ["sourceRect", "permittedArrowDirections", "canOverlapSourceViewRect", "backgroundColor", "popoverLayoutMargins", "passthroughViews"]

    /// Whether a function may be given a controller to present: `present(_ error: Error)` is of another kind.
    private static func mayTakeController(_ id: MemberID, _ program: Program) -> Bool {
        let member = program[id]
        guard member.kind == .function, member.fullName.hasPrefix("present(_:"), let shown = member.parameters.first?.type.unwrapped else { return false }
        switch program.resolve(shown, in: Scope(file: id.declaration.file, typeName: program[id.declaration].name)) {
        case .platform(let name): return program.platform.isClass(name, kindOf: "UIViewController")
        case .project(let types): return types.contains { program[$0].kind == .protocol || program.isType($0, kindOf: "UIViewController") }
        default: return !["Error", "String"].contains(shown.name)
        }
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
                return Self.tellsOfDevices(statement) || Self.asksForTelevision(statement) || Self.asked(by: statement).contains(where: tells) || isAware(around: target, in: way)
            }
            if isAside(statement) { return false }
            return isDirect ? tells([statement]) : Self.asked(by: statement).contains(where: tells)
        }
    }

    /// Whether a statement only chooses numbers and looks by the device: its ways come together again, and none makes a choice for later,
    /// presents anything or tells of devices and sources itself.
    private func isAside(_ statement: Statement) -> Bool {
        guard case .branch(_, let taken, let other) = statement.kind else { return false }
        return [taken, other].allSatisfy { way in
            !tells(way) && !way.containsStatement { inner in
                switch inner.kind {
                case .exit, .opaque, .closure, .declare, .write(.local, _): true
                case .assign(_, .constant(.implicitMember)), .assign(_, .constant(.boolean)), .assign(_, .register): true
                case .call(let call): call.presents
                default: false
                }
            }
        }
    }

    /// Whether some statement, closures left out, asks what device it is on, or sets a source.
    private func tells(_ block: Block) -> Bool {
        var found = false
        block.forEachStatement(enteringClosures: false) { if Self.tellsOfDevices($0), !idleReads.contains($0.id) { found = true } }
        return found
    }

    /// What a statement evaluates before it takes one of its ways.
    private static func asked(by statement: Statement) -> [Block] {
        if case .branch(let clauses, _, _) = statement.kind { clauses.map(\.setup) } else { [] }
    }

    /// Whether what stands in it is compiled for an Apple TV alone, or for all but that.
    private static func asksForTelevision(_ statement: Statement) -> Bool {
        if case .configuration(let condition, _, _) = statement.kind { "\(condition)".contains("tvOS") } else { false }
    }

    static func tellsOfDevices(_ statement: Statement) -> Bool {
        func tells(_ name: String) -> Bool {
            // The controller that presents is no view to point at, and `rightBarButtonItem` no source.
            let lower = name.lowercased().replacing("sourceviewcontroller", with: "")
            return ["barbuttonitem", "setbarbuttonitem"].contains(lower)
                || ["idiom", "ipad", "ispad", "iphone", "isphone", "sizeclass", "popover", "sourceview", "sourceitem", "ismac"].contains(where: lower.contains)
        }
        switch statement.kind {
        case .read(_, .name(let name)), .read(_, .member(_, let name)), .write(.member(_, let name), _), .write(.name(let name), _): return tells(name)
        case .call(let call):
            return (call.callee.baseName.map(tells) ?? false) || call.arguments.contains { if case .constant(let constant) = $0.value { tells("\(constant)") } else { false } }
        case .opaque(let part): return part.reads.contains(where: tells)
        default: return false
        }
    }

    func findings(_ file: Int) -> [Finding] {
        // A controller of the project is a popover by its style alone.
        let setsStyle = place.body.block.containsStatement { if case .write(.member(_, "modalPresentationStyle"), _) = $0.kind { true } else { false } }
        return (place.madeObjects { isPlatformController($0) || isPlainAlert($0) || setsStyle && isPlainController($0) } + fromFactories).compactMap { made in
            guard let first = presentation(of: made), let title = popover(made) else { return nil }
            // Who asks for a popover by name and sets no source asks for the exception, on whatever device.
            let asked = presentationAsPopover(made)
            let isAware = asked == nil ? isAware(around: first, in: place.body.block) : place.body.block.containsStatement { Self.setsSource($0) && !idleReads.contains($0.id) }
            guard !isAware else { return nil }
            let presentation = asked ?? first
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
        guard let configurations = input.program.configurations(ofFile: file) else {
            // Code of a package runs in the apps of the project.
            let all = input.program.resources.configurations.values
            return !all.isEmpty && all.allSatisfy { $0.deviceFamilies == [1] } ? .note : nil
        }
        let families = configurations.map(\.deviceFamilies)
        if families.contains(where: { !($0 ?? []).isDisjoint(with: [2, 6]) }) { return .error }
        return families.allSatisfy { $0 == [1] } ? .note : nil
    }

    func isPlatformController(_ type: TypeReference) -> Bool {
        guard case .platform(let name) = input.program.resolve(type.unwrapped, in: place.context.scope) else { return false }
        return input.program.platform.isClass(name, kindOf: "UIViewController")
    }

    /// Whether the class is one of the project's for alerts that knows nothing of sources and leaves their style as it is.
    private func isPlainAlert(_ type: TypeReference) -> Bool {
        guard case .project(let types) = input.program.resolve(type.unwrapped, in: place.context.scope), types.count == 1, input.program.isType(types[0], kindOf: "UIAlertController") else { return false }
        return input.program.chain(of: types[0]).allSatisfy { link in
            input.program.members(of: link).allSatisfy { id in
                let member = input.program[id]
                return member.baseName != "preferredStyle" && member.kind != .initializer && !member.isPartial
                    && member.bodies.allSatisfy { _, body in !body.block.containsStatement { Self.tellsOfDevices($0) || Self.setsSource($0) } }
            }
        }
    }

    /// Whether the class is one of the project's controllers that knows nothing of sources.
    private func isPlainController(_ type: TypeReference) -> Bool {
        guard case .project(let types) = input.program.resolve(type.unwrapped, in: place.context.scope), types.count == 1, input.program.isType(types[0], kindOf: "UIViewController"),
              !input.program.isType(types[0], kindOf: "UIAlertController") else { return false }
        return input.program.chain(of: types[0]).allSatisfy { link in
            input.program.members(of: link).allSatisfy { id in
                let member = input.program[id]
                return member.baseName != "modalPresentationStyle" && !member.isPartial && member.bodies.allSatisfy { _, body in !body.block.containsStatement { Self.tellsOfDevices($0) || Self.setsSource($0) } }
            }
        }
    }

    /// What the object is called, if an iPad shows it as a popover.
    func popover(_ made: MadeObject) -> String? {
        var style: String?
        for (use, _) in made.uses.all { if case .set("modalPresentationStyle", let value) = use { style = place.context.caseName(value, prefix: "UIModalPresentation") ?? "" } }
        // A document menu is a popover on an iPad whatever its style.
        if let style, style != "popover", made.type.name != "UIDocumentMenuViewController" { return nil }
        if made.call.arguments.isEmpty, made.type.name == "UIAlertController" || isPlainAlert(made.type) { return "an alert that is made without a style is an action sheet, which" }
        switch made.type.name {
        case "UIAlertController":
            let kind = place.context.caseName(made.call.arguments.first { $0.label == "preferredStyle" }?.value, prefix: "UIAlertControllerStyle")
            return kind == "actionSheet" ? "an action sheet" : nil
        case "UIActivityViewController": return "an activity controller"
        case "UIDocumentMenuViewController": return "a document menu"
        default: return style == "popover" ? "a controller of the style 'popover'" : nil
        }
    }

    /// The statement that presents the object right after its style was set to that of a popover.
    private func presentationAsPopover(_ made: MadeObject) -> Statement? {
        var styled: Set<Int32> = []
        var shown: [Statement] = []
        for (use, statement) in made.uses.all {
            switch use {
            case .set("modalPresentationStyle", let value) where place.context.caseName(value, prefix: "UIModalPresentation") == "popover": styled.insert(statement.id)
            case .given(let call, _) where call.presents: shown.append(statement)
            default: continue
            }
        }
        func search(_ block: Block) -> Statement? {
            if let style = block.firstIndex(where: { styled.contains($0.id) }), let found = block[style...].first(where: { one in shown.contains { $0.id == one.id } }) { return found }
            return block.lazy.flatMap { $0.innerBlocks(enteringClosures: true) }.compactMap(search).first
        }
        return search(place.body.block)
    }

    static let harmless: Set<String> = ["addAction", "addTextField", "addTextFieldWithConfigurationHandler", "setTitle", "setMessage", "setPreferredAction", "setCompletionHandler", "setCompletionWithItemsHandler", "setExcludedActivityTypes"]

    /// Whether a call runs code of the project that knows of no source either.
    func isHarmless(_ call: Call, on type: TypeReference) -> Bool {
        guard let name = call.callee.baseName else { return false }
        let program = input.program
        let called = program.extensionFunctions(named: name).map { program[$0] } + ownFunctions(named: name, on: type)
        // A library's way to add an action, which says so.
        if called.isEmpty { return name.hasPrefix("add") && name.contains("Action") && !call.arguments.contains { $0.value == .selfObject } }
        return called.allSatisfy { member in
            var isHarmless = true
            member.body?.block.forEachStatement { statement in
                if Self.tellsOfDevices(statement) { isHarmless = false }
                // Who is handed the object may set its source.
                if let call = statement.call, call.arguments.contains(where: { $0.value == .selfObject }) { isHarmless = false }
            }
            return isHarmless
        }
    }

    private func ownFunctions(named name: String, on type: TypeReference) -> [MemberFacts] {
        guard case .project(let types) = input.program.resolve(type.unwrapped, in: place.context.scope) else { return [] }
        return types.flatMap { input.program.members(named: name, on: $0) }.map { input.program[$0] }
    }

    /// The statement that presents the object, if no other code gets it.
    private func presentation(of made: MadeObject) -> Statement? {
        guard let (shown, property) = presentation(in: made.uses, of: made.type) else { return nil }
        guard let property else { return shown }
        // What a property keeps is presented from there, and the whole class may set its source.
        guard let inProperty = presentation(in: ValueUses(of: reads(of: property), in: place.body), of: made.type), inProperty.property == nil, !isClassAware else { return nil }
        return shown ?? inProperty.shown
    }

    /// The statement that presents a value, and the own property that keeps it; nil where other code gets it.
    private func presentation(in uses: ValueUses, of type: TypeReference) -> (shown: Statement?, property: String?)? {
        guard !uses.isMixed else { return nil }
        var found: (shown: Statement?, property: String?) = (nil, nil)
        for (use, statement) in uses.all {
            switch use {
            case .set: continue
            case .read(let name): if !idleReads.contains(statement.id), ["presentationController", "popoverPresentationController"].contains(name) { return nil }
            case .called(let call): guard let name = call.callee.baseName, Self.harmless.contains(name) || name == "dismiss" || isHarmless(call, on: type) else { return nil }
            case .given(let call, let argument):
                guard argument == call.arguments.first, call.presents || isPlainPresentation(call) else { return nil }
                found.shown = found.shown ?? statement
            case .kept(.name(let name)), .kept(.member(.selfObject, let name)):
                guard found.property == nil || found.property == name, isStored(name) else { return nil }
                found.property = name
            case .kept, .returned, .other: return nil
            }
        }
        return found
    }

    /// Whether a call runs a function of the project that presents its first argument and knows of no source: `present(alert)`.
    private func isPlainPresentation(_ call: Call) -> Bool {
        guard let name = call.callee.baseName else { return false }
        let program = input.program
        let functions = (program.extensionFunctions(named: name) + program.members(named: name, on: place.member.owner)).map { program[$0] }.filter { $0.kind == .function && $0.accepts(call) }
        return !functions.isEmpty && functions.allSatisfy { member in
            guard let body = member.body, let shown = body.parameters.first, !member.isPartial, !body.block.containsStatement({ Self.tellsOfDevices($0) || Self.setsSource($0) }) else { return false }
            var reads: Set<Register> = []
            return body.block.containsStatement { statement in
                if case .read(let register, .local(shown)) = statement.kind { reads.insert(register) }
                guard let inner = statement.call, inner.presents, case .register(let register)? = inner.arguments.first?.value else { return false }
                return reads.contains(register)
            }
        }
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

    static func setsSource(_ statement: Statement) -> Bool {
        switch statement.kind {
        case .read(_, .name(let name)), .read(_, .member(_, let name)), .write(.member(_, let name), _), .write(.name(let name), _):
            ["popoverPresentationController", "presentationController", "sourceView", "sourceItem", "barButtonItem"].contains(name)
        case .call(let call): call.callee.baseName?.lowercased().contains("popover") ?? false
        case .opaque(let part): part.reads.contains { $0.lowercased().contains("popover") }
        default: false
        }
    }
}
