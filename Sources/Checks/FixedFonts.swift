import Findings
import ProgramModel
import RuleLibrary

extension Check {
    /// Fonts of the user's text size that are set once and stay when the user chooses another size.
    static let fixedFonts = Check(rules: ["content_size_not_followed"]) { input, file in
        input.bodies(inFile: file).flatMap { place -> [Finding] in
            var found: [Finding] = []
            // A closure in a function may run at any time; that of an initial value makes the view.
            place.body.block.forEachStatement(enteringClosures: place.member.facts.kind == .property) { statement in
                guard case .write(.member(let view, "font"), let value) = statement.kind, FixedFont.isPreferred(value, place.context) else { return }
                if let finding = FixedFont(input: input, file: file, place: place, statement: statement, view: view)?.finding() { found.append(finding) }
            }
            return found
        }
    }
}

/// One preferred font that a view is given.
private struct FixedFont {
    private let input: CheckInput
    private let file: Int
    private let place: BodyOccurrence
    private let statement: Statement
    /// The view as the text names it there: a chain of properties of self, or a local.
    private let view: String
    /// The properties of self that hold it.
    private let properties: Set<String>
    private let family: Set<TypeID>

    private static let follows = "adjustsFontForContentSizeCategory"
    private static let views = ["UILabel", "UITextField", "UITextView"]

    private var program: Program { input.program }

    init?(input: CheckInput, file: Int, place: BodyOccurrence, statement: Statement, view: Operand) {
        let program = input.program
        guard program[place.member.owner].kind == .class, ["UIView", "UIViewController"].contains(where: { program.isType(place.member.owner, kindOf: $0) }),
              let name = Self.name(of: view, place.context), let type = input.inference.type(of: view, in: place.context), !type.isMetatype,
              // A class of the project may follow the size by itself.
              case .platform(let known) = input.inference.resolve(type), Self.views.contains(known) else { return nil }
        (self.input, self.file, self.place, self.statement, self.view) = (input, file, place, statement, name)
        family = input.family(of: place.member.owner)
        guard name.contains("#") else {
            properties = [name]
            // What an initial value sets of another view is no part of making one.
            if place.member.facts.kind == .property { return nil }
            return
        }
        // `button.titleLabel` of a button that becomes a property.
        let (made, rest) = (name.prefix { $0 != "." }, name.drop { $0 != "." })
        var properties: Set<String> = []
        place.body.block.forEachStatement { statement in
            switch statement.kind {
            case .write(.name(let property), let value), .write(.member(.selfObject, let property), let value):
                if Self.name(of: value, place.context) ?? "" == made { properties.insert(property + rest) }
            case .exit(.returns(let value)):
                if place.member.facts.kind == .property, Self.name(of: value, place.context) ?? "" == made { properties.insert(place.member.facts.baseName + rest) }
            default: break
            }
        }
        self.properties = properties
    }

    func finding() -> Finding? {
        guard isOnce(place.member.id, depth: 0), !reactsToSize, !isFollowedInNib, !isFollowed, !isSetAgain else { return nil }
        let local = String(view.prefix { $0 != "#" } + view.drop { $0 != "." })
        let name = properties.min() ?? (view.contains("#") ? local : view)
        return input.finding(
            "content_size_not_followed",
            "'\(name)' gets the font of the text size that the user has chosen now, once, and keeps it when the user chooses another: set '\(Self.follows)' of it to true",
            at: statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
    }

    /// Whether the value is a font of a text style.
    static func isPreferred(_ value: Operand, _ context: BodyContext) -> Bool {
        guard case .register(let register) = value, case .call(let call)? = context.definition(of: register)?.kind,
              // A method of an extension may make any font.
              call.callee.baseName == "preferredFont" && call.arguments.first?.label == "forTextStyle" || call.callee.baseName == "preferredFontForTextStyle" else { return false }
        switch call.callee {
        case .implicitMember: return true
        case .member(.type(let type), _): return type.name == "UIFont"
        default: return false
        }
    }

    /// A view as a chain of properties or a local that the body makes; nil for what comes from elsewhere.
    private static func name(of operand: Operand, _ context: BodyContext, depth: Int = 0) -> String? {
        guard depth < 8, case .register(let register) = operand, let statement = context.definition(of: register) else { return nil }
        switch statement.kind {
        case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)): return name
        case .read(_, .member(let base, let name)):
            if context.isSelf(base) { return name }
            return Self.name(of: base, context, depth: depth + 1).map { "\($0).\(name)" }
        case .read(_, .local(let local)):
            guard let value = context.value(of: local) else { return nil }
            if let name = Self.name(of: value, context, depth: depth + 1) { return name }
            guard case .register(let made) = value, case .call(let call)? = context.definition(of: made)?.kind, case .initializer = call.callee else { return nil }
            return "\(context.body[local].name)#\(local.index)"
        case .assign(_, let value): return Self.name(of: value, context, depth: depth + 1)
        case .compute(_, .forceUnwrap, let operands): return operands.first.flatMap { Self.name(of: $0, context, depth: depth + 1) }
        default: return nil
        }
    }

    // MARK: Whether the code runs once

    private static let once: Set<String> = ["viewDidLoad()", "loadView()", "awakeFromNib()"]

    /// Whether a member runs once for each object: an initialiser, the initial value of a property, and what only such members call.
    private func isOnce(_ id: MemberID, depth: Int) -> Bool {
        let member = program[id]
        switch member.kind {
        case .initializer: return true
        case .property: return member.accessors?.get == nil && member.accessors?.set == nil && member.body != nil && !member.isStatic && member.accessors?.didSet == nil
        case .function:
            if Self.once.contains(member.fullName) { return true }
            // A selector, or a place that does not call, may run it at any time.
            guard depth < 4, !member.isStatic, !member.isOverride, !input.names.called.contains(member.baseName) else { return false }
            let callers = callers(of: member.baseName)
            return !callers.isEmpty && callers.allSatisfy { caller in
                caller.map { $0 != id && family.contains(program.owners(of: $0.declaration).first ?? place.member.owner) && isOnce($0, depth: depth + 1) } ?? false
            }
        default: return false
        }
    }

    /// The members that call something of this name; nil for code that belongs to no type, and for closures that run later.
    private func callers(of name: String) -> [MemberID?] {
        var found: [MemberID?] = []
        for (index, one) in program.files.enumerated() {
            for (position, type) in one.facts.types.enumerated() {
                for (member, facts) in type.members.enumerated() {
                    for (_, body) in facts.bodies {
                        if body.block.mentions(call: name, enteringClosures: false) {
                            found.append(MemberID(declaration: DeclarationID(file: index, index: position), index: member))
                        } else if body.block.mentions(call: name, enteringClosures: true) {
                            found.append(facts.kind == .property ? MemberID(declaration: DeclarationID(file: index, index: position), index: member) : nil)
                        }
                    }
                }
            }
            if (one.facts.members.flatMap(\.bodies).map(\.body) + [one.facts.topLevel].compactMap { $0 }).contains(where: { $0.block.mentions(call: name, enteringClosures: true) }) { found.append(nil) }
        }
        return found
    }

    // MARK: Who follows

    /// Whether the class, or an object that is no view and may tell it, hears of another size.
    private var reactsToSize: Bool {
        if family.contains(where: { program[$0].membersByName["traitCollectionDidChange"] != nil }) { return true }
        return program.files.enumerated().contains { index, one in
            guard !one.isTest else { return false }
            return one.facts.types.enumerated().contains { position, type in
                let owner = program.owners(of: DeclarationID(file: index, index: position)).first
                let isOwn = owner.map(family.contains) ?? false
                guard isOwn || !["View", "Cell", "Controller", "Label"].contains(where: { type.name.hasSuffix($0) }) else { return false }
                return type.members.flatMap(\.bodies).contains { hearsOfSize($0.body) && (isOwn || tellsOthers($0.body, owner)) }
            } || one.facts.members.flatMap(\.bodies).contains { hearsOfSize($0.body) }
        }
    }

    private func hearsOfSize(_ body: Body) -> Bool {
        var found = false
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .read(_, .member(.type(let type), let name)): if type.name == "UIContentSizeCategory" && name.hasPrefix("didChange") || isSizeName(name) { found = true }
            case .read(_, .name(let name)), .read(_, .member(_, let name)): if isSizeName(name) { found = true }
            case .call(let call): if call.callee.baseName == "registerForTraitChanges" || call.arguments.contains(where: isSizeName) { found = true }
            case .opaque(let part): if (part.reads + part.writes).contains(where: { $0.contains("ontentSizeCategory") }) { found = true }
            default: break
            }
        }
        return found
    }

    private func isSizeName(_ name: String) -> Bool { name.hasPrefix("UIContentSizeCategoryDidChange") }

    private func isSizeName(_ argument: Argument) -> Bool {
        if case .constant(.implicitMember(let name)) = argument.value { isSizeName(name) } else { false }
    }

    /// Whether what an observer of the size does may reach other objects: one that only counts does not.
    private func tellsOthers(_ body: Body, _ owner: TypeID?) -> Bool {
        guard let owner else { return true }
        var handlers: [MemberID]? = []
        body.block.forEachStatement { statement in
            guard case .call(let call) = statement.kind, call.arguments.contains(where: isSizeName) else { return }
            let selector = call.arguments.lazy.compactMap { if case .constant(.selector(let text)) = $0.value { text } else { nil } }.first
            let functions = selector.map { program.members(named: String($0.prefix { $0 != "(" }), on: owner) } ?? []
            handlers = functions.isEmpty ? nil : handlers.map { $0 + functions }
        }
        guard let handlers, !handlers.isEmpty else { return true }
        return handlers.contains { id in
            var reaches = program[id].body == nil
            program[id].body?.block.forEachStatement { statement in
                switch statement.kind {
                case .read, .compute, .assign, .branch, .write(.name, _), .write(.member(.selfObject, _), _), .write(.local, _), .exit: break
                default: reaches = true
                }
            }
            return reaches
        }
    }

    /// Whether a storyboard or xib lets the view follow, or might.
    private var isFollowedInNib: Bool {
        guard let property = properties.first?.split(separator: ".").first.map(String.init), properties.count == 1 else { return false }
        guard program.chain(of: place.member.owner).contains(where: { program[$0].membersByName[property]?.contains { program[$0].isOutlet } ?? false }) else { return false }
        guard program.resources.areInterfacesWhole else { return true }
        return family.flatMap { program.interfaceObjects(of: $0) }.contains { id in
            let views = program[id].connections.filter { $0.kind == .outlet(property) }.map(\.destination)
            return program.resources.interfaces[id.interface].facts.objects.contains { views.contains($0.id) && ($0.adjustsFontForContentSizeCategory || $0.runtimeAttributes.contains(Self.follows)) }
        }
    }

    /// Whether code lets the view follow, or a view of which nobody can say that it is another.
    private var isFollowed: Bool {
        program.files.enumerated().contains { index, one in
            guard !one.isTest else { return false }
            return one.facts.types.enumerated().contains { position, type in
                let owner = program.owners(of: DeclarationID(file: index, index: position)).first
                let isOwn = owner.map(family.contains) ?? false
                return type.members.contains { member in
                    member.bodies.contains { _, body in
                        var found = false
                        var context: BodyContext?
                        body.block.forEachStatement { statement in
                            guard !found, let base = Self.followed(statement) else { return }
                            let known = context ?? BodyContext(body: body, selfType: owner, scope: Scope(file: index, typeName: type.name), isStatic: member.isStatic)
                            context = known
                            guard let name = Self.name(of: base, known) else {
                                // The receiver is a parameter, an element, or self in an extension: the function may be called for this view, and an appearance is for all.
                                found = isOwn || isAppearance(base, known) || callsHelper(member.baseName)
                                return
                            }
                            found = isOwn ? name.contains("#") ? name == view && body == place.body : properties.contains(name) : mayBeIt(name)
                        }
                        return found
                    }
                }
            } || one.facts.members.contains { member in
                member.bodies.contains { _, body in
                    var found = false
                    body.block.forEachStatement { if Self.followed($0) != nil { found = true } }
                    return found && callsHelper(member.baseName)
                }
            }
        }
    }

    /// Whether what another class calls so, a property of some object, may be the view.
    private func mayBeIt(_ name: String) -> Bool {
        name.contains(".") && properties.contains { $0.split(separator: ".").last == name.split(separator: ".").last }
    }

    /// The view whose font follows from a statement on.
    private static func followed(_ statement: Statement) -> Operand? {
        switch statement.kind {
        case .write(.member(let base, follows), _): return base
        case .write(.name(follows), _): return .selfObject
        case .call(let call):
            guard case .member(let base, let name) = call.callee, name == "setAdjustsFontForContentSizeCategory" || name == "setValue" && call.arguments.contains(where: { $0.value == .constant(.string(follows)) }) else { return nil }
            return base
        case .opaque(let part): return (part.reads + part.writes).contains(follows) ? .selfObject : nil
        default: return nil
        }
    }

    private func isAppearance(_ base: Operand, _ context: BodyContext) -> Bool {
        guard case .register(let register) = base, case .call(let call)? = context.definition(of: register)?.kind else { return false }
        return call.callee.baseName?.hasPrefix("appearance") ?? false
    }

    /// Whether the class calls or makes something by the name of a function that lets a view follow.
    private func callsHelper(_ name: String) -> Bool {
        family.contains { type in
            program.members(of: type).contains { id in
                program[id].bodies.contains { $0.body.block.mentions(call: name, enteringClosures: true) || $0.body.block.mentionsRead(of: name) }
            }
        }
    }

    /// Whether code of another time, or another class, sets the font as well, or another font takes its place.
    private var isSetAgain: Bool {
        for one in input.writes["font"] {
            guard one.statement.span != statement.span || one.member != place.member.id else { continue }
            let owner = program.owners(of: one.member.declaration).first
            let context = BodyContext(body: one.body, selfType: owner, scope: Scope(file: one.member.declaration.file, typeName: program[one.member.declaration].name), isStatic: false)
            guard case .write(_, let value) = one.statement.kind, let name = Self.name(of: one.base, context) else { continue }
            if owner.map(family.contains) ?? false {
                guard name.contains("#") ? name == view && one.member == place.member.id : properties.contains(name) else { continue }
                if !Self.isPreferred(value, context) || !isOnce(one.member, depth: 0) { return true }
            } else if mayBeIt(name) {
                return true
            }
        }
        return false
    }
}

extension Block {
    /// Whether a statement calls something of this name.
    fileprivate func mentions(call name: String, enteringClosures: Bool) -> Bool {
        var found = false
        forEachStatement(enteringClosures: enteringClosures) { if $0.call?.callee.baseName == name { found = true } }
        return found
    }

    fileprivate func mentionsRead(of name: String) -> Bool {
        var found = false
        forEachStatement {
            switch $0.kind {
            case .read(_, .name(name)), .read(_, .member(_, name)): found = true
            case .write(.member(_, name), _), .write(.name(name), _): found = true
            default: break
            }
        }
        return found
    }
}
