import Findings
import ProgramModel
import SourceText

extension Check {
    /// Initialisers that a storyboard or xib never calls, and those that it calls in vain.
    static let skippedInitializers = Check(rules: ["storyboard_init_skipped"]) { input, file in
        guard !input.program.resources.interfaces.isEmpty, !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).compactMap { member in
            guard member.facts.kind == .initializer, let body = member.facts.body, !member.facts.isPartial else { return nil }
            return SkippedInitializer(input: input, file: file, member: member)?.finding(body)
        }
    }
}

/// An initialiser of a class of which a storyboard or xib makes objects and code does not.
private struct SkippedInitializer {
    private let input: CheckInput
    private let file: Int
    private let member: MemberOccurrence
    /// The name of the storyboard or xib.
    private let maker: Substring

    /// The initialisers for objects that code makes, by the class that declares them.
    private static let forCode: Set<String> = ["init(nibName:bundle:)", "init(frame:)", "init(style:reuseIdentifier:)"]
    private static let roots = ["UIViewController", "UIView", "NSViewController", "NSView"]

    /// What makes a scene's controller with a closure of the code, with the label and with a trailing closure.
    private static let creators: Set<String> = [
        "instantiateViewController(identifier:creator:)", "instantiateViewController(identifier:_:)", "instantiateInitialViewController(creator:)", "instantiateInitialViewController(_:)",
        "instantiateController(identifier:creator:)", "instantiateController(identifier:_:)", "instantiateInitialController(creator:)", "instantiateInitialController(_:)",
    ]

    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        let program = input.program
        let type = member.owner
        guard member.facts.fullName == "init(coder:)" || Self.forCode.contains(member.facts.fullName), Self.roots.contains(where: { program.isType(type, kindOf: $0) }),
              input.isWhollyLinked(type) else { return nil }
        // AppKit makes the custom views of a nib with `init(frame:)`, unless the file says that it prefers coders.
        guard !program.isType(type, kindOf: "NSView") else { return nil }
        // A subclass has initialisers of its own, and what code makes too may be left over in the storyboard.
        guard input.names.constructions[program[type].name] == nil, !input.names.registered.contains(program[type].name), input.subclasses(of: type).isEmpty,
              let maker = program.interfaceObjects(of: type).first(where: { Self.makes(program[$0], $0.interface, program) }),
              !program[maker].isSceneController || input.names.called.isDisjoint(with: Self.creators) else { return nil }
        (self.input, self.file, self.member, self.maker) = (input, file, member, program.resources.interfaces[maker.interface].name)
    }

    /// Whether the file makes the object, and no code does for a segue that leads to it.
    private static func makes(_ object: InterfaceObject, _ interface: Int, _ program: Program) -> Bool {
        guard !object.isPlaceholder else { return false }
        return !program.resources.interfaces[interface].facts.objects.contains { other in
            other.connections.contains { $0.destination == object.id && $0.segue?.creator != nil }
        }
    }

    func finding(_ body: Body) -> Finding? {
        if member.facts.fullName == "init(coder:)" {
            guard body.block.contains(where: { $0.kind == .exit(.trap) }) else { return nil }
            var found = report("'\(maker)' makes a '\(member.typeName)' with this initialiser, which ends the app; call 'super.init(coder:)', or take the class out of '\(maker)'")
            found.severity = .error
            return found
        }
        guard let property = properties(setIn: body).first(where: isSetNowhereElse) else {
            return setUpOfOnly(body).map { report("'\(maker)' makes a '\(member.typeName)' with 'init(coder:)', so '\($0)' is never called as it is here, and what it sets up is missing; call it in both initialisers") }
        }
        return report("'\(maker)' makes a '\(member.typeName)' with 'init(coder:)', so '\(property)' is never set as it is here; set it in a function that both initialisers call")
    }

    private func report(_ message: String) -> Finding {
        input.finding("storyboard_init_skipped", message, at: member.facts.nameSpan, in: file, type: member.typeName, member: member.facts.fullName)
    }

    /// The function of the class that this initialiser calls, and that nothing else ever does: what sets the view up.
    private func setUpOfOnly(_ body: Body) -> String? {
        let program = input.program
        return body.block.namesCalledOnSelf.first { name in
            guard let id = program[member.owner].membersByName[name]?.first, program[id].kind == .function, !program[id].isStatic, !program[id].isOverride, program[id].body?.block.isEmpty == false,
                  program.ancestry(of: member.owner).projectTypes.allSatisfy({ program[$0].membersByName[name] == nil }) else { return false }
            return program.files.indices.allSatisfy { file in
                program.files[file].facts.types.flatMap(\.members).allSatisfy { other in
                    other.fullName == member.facts.fullName && other.body == body || other.bodies.allSatisfy { _, body in
                        !body.block.containsStatement { statement in
                            switch statement.kind {
                            case .opaque(let part): return part.reads.contains(name)
                            case .read(_, let place): return place.propertyName == name
                            default: return statement.call.map { $0.callee.baseName == name || $0.handlers.contains(name) } ?? false
                            }
                        }
                    }
                }
            }
        }
    }

    /// The properties of the class that the body sets itself, in order of the text.
    private func properties(setIn body: Body) -> [String] {
        var names: [String] = []
        body.block.forEachStatement(enteringClosures: false) { statement in
            switch statement.kind {
            case .write(.name(let name), _), .write(.member(.selfObject, let name), _):
                let isOwn = (input.program[member.owner].membersByName[name] ?? []).contains { input.program[$0].isStored && !input.program[$0].isStatic }
                if isOwn, !names.contains(name) { names.append(name) }
            default: break
            }
        }
        return names
    }

    /// Whether only this initialiser sets the property: neither another one, nor code of any class or a lazy value.
    private func isSetNowhereElse(_ property: String) -> Bool {
        let program = input.program
        let declared = (program[member.owner].membersByName[property] ?? []).map { program[$0] }
        guard declared.allSatisfy({ !$0.isOutlet && !$0.isConstant && !$0.modifiers.contains("lazy") && ($0.accessors?.all.isEmpty ?? true) }) else { return false }
        for (index, one) in program.files.enumerated() {
            for (position, type) in one.facts.types.enumerated() {
                let isOwn = program.owners(of: DeclarationID(file: index, index: position)).contains(member.owner)
                for other in type.members where !(isOwn && other.fullName == member.facts.fullName) {
                    for (_, body) in other.bodies where writes(body, property, asSelf: isOwn) { return false }
                }
            }
            for (_, body) in one.facts.members.flatMap(\.bodies) where writes(body, property, asSelf: false) { return false }
        }
        return true
    }

    /// Whether a body writes the property of some object; what it writes by the name alone is its own object's.
    private func writes(_ body: Body, _ property: String, asSelf isOwn: Bool) -> Bool {
        var found = false
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .write(.name(property), _), .write(.member(.selfObject, property), _): if isOwn { found = true }
            case .write(.member(_, property), _): found = true
            case .collection(_, let call):
                // What is added later makes up for it.
                if case .member(.register(let receiver), _) = call.callee, isOwn, names(body, receiver) == property { found = true }
            case .opaque(let part): if part.writes.contains(property) { found = true }
            default: break
            }
        }
        return found
    }

    /// The property that a register was read from.
    private func names(_ body: Body, _ register: Register) -> String? {
        var name: String?
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .read(register, .name(let read)), .read(register, .member(.selfObject, let read)): name = read
            default: break
            }
        }
        return name
    }
}
