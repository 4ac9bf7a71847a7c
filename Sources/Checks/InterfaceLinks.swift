import ProgramModel

/// The connections of all storyboards and xibs by their names, and what code writes, found in one pass.
struct InterfaceLinks: Sendable {
    /// The classes of the objects that have an outlet of a name; nil for an object whose class is not the project's, or not told.
    private(set) var owners: [String: Set<TypeID?>] = [:]
    /// The names before the first colon of the selectors that something sends.
    private(set) var actions: Set<String> = []
    /// The names of properties and variables that code writes; of projects without storyboards and xibs none is looked for.
    private(set) var written: Set<String> = []
    /// The classes of whose objects code uses an outlet that nothing sets and that must be there, by name, its own observers left out; nil
    /// where nobody knows the class.
    private(set) var users: [String: Set<TypeID?>] = [:]

    init(_ program: Program, inference: TypeInference) {
        guard !program.resources.interfaces.isEmpty else { return }
        for interface in program.resources.interfaces {
            for object in interface.facts.objects {
                for connection in object.connections {
                    switch connection.kind {
                    case .outlet(let name), .outletCollection(let name):
                        let classes = object.customClass.map(program.classes) ?? []
                        owners[name, default: []].formUnion(classes.isEmpty ? [nil] : classes.map { $0 })
                    case .action(let selector, _): note(selector)
                    case .segue(let segue): for selector in [segue.unwindAction, segue.creator] { if let selector { note(selector) } }
                    }
                }
            }
        }
        for file in program.files {
            for (_, body) in (file.facts.types.flatMap(\.members) + file.facts.members).flatMap(\.bodies) {
                body.block.forEachStatement { statement in
                    switch statement.kind {
                    case .write(.name(let name), _), .write(.member(_, let name), _): written.insert(name)
                    case .opaque(let part): written.formUnion(part.writes)
                    default: break
                    }
                }
            }
        }
        readUses(program, inference)
    }

    private mutating func readUses(_ program: Program, _ inference: TypeInference) {
        // Only of those that nobody sets and whose use ends the app is it asked.
        let outlets = Set(program.files.flatMap(\.facts.types).flatMap(\.members).filter { $0.isOutlet && $0.isImplicitlyUnwrapped && !written.contains($0.baseName) }.map(\.baseName))
        guard !outlets.isEmpty else { return }
        program.forEachBody { member, body in
            let context = member.context(of: body)
            body.block.forEachStatement { statement in
                switch statement.kind {
                case .read(_, let place):
                    guard let name = place.propertyName, outlets.contains(name), users[name]?.contains(nil) != true else { break }
                    if place.ownName != nil {
                        if member.facts.baseName != name { users[name, default: []].insert(member.owner) }
                    } else if case .member(let base, _) = place {
                        users[name, default: []].insert(type(of: base, context, inference))
                    }
                case .opaque(let part): for name in part.reads where outlets.contains(name) { users[name, default: []].insert(nil) }
                default: break
                }
            }
        }
    }

    private func type(of operand: Operand, _ context: BodyContext, _ inference: TypeInference) -> TypeID? {
        guard let inferred = inference.type(of: operand, in: context), case .project(let types) = inference.resolve(inferred), types.count == 1 else { return nil }
        return types[0]
    }

    private mutating func note(_ selector: String) { actions.insert(String(selector.prefix { $0 != ":" })) }

    /// Whether some object sends a selector that a method of this name can answer; until Swift 3 the first label was no part of it.
    func sends(_ name: String) -> Bool { actions.contains(name) || actions.contains { $0.hasPrefix("\(name)With") } }
}

extension CheckInput {
    /// A class with its superclasses and subclasses in the project.
    func family(of type: TypeID) -> Set<TypeID> { Set(program.chain(of: type)).union(subclasses(of: type)) }

    /// The project's classes below a class.
    func subclasses(of type: TypeID) -> [TypeID] {
        program.types.filter { $0.kind == .class && $0.id != type && program.ancestry(of: $0.id).projectTypes.contains(type) }.map(\.id)
    }

    /// Whether a class that storyboards and xibs name can be this one only, and all its code down to the SDK's class is here.
    func isWhollyLinked(_ type: TypeID) -> Bool {
        guard case .platform = program.ancestry(of: type).root, program.classes(namedInInterface: program[type].name).count == 1 else { return false }
        return program.chain(of: type).allSatisfy { link in
            !program[link].hasAmbiguousExtensions && program.members(of: link).allSatisfy { !program[$0].isPartial }
        }
    }
}
