import ProgramModel
import RuleLibrary

extension Relevance {
    /// What one file adds.
    public struct Part: Sendable {
        /// The code that does something of interest itself, with the names that acquire or release.
        private(set) var seeds: [CodeNode: Set<String>] = [:]
        /// The code that reads or sets sizes and places.
        private(set) var geometrySeeds: Set<CodeNode> = []
        /// The base names of the members that release something.
        private(set) var releasers: Set<String> = []
        /// What each piece of code uses.
        private(set) var uses: [CodeNode: Set<Use>] = [:]
        /// The base names that a member of a base name uses.
        private(set) var names: [String: Set<String>] = [:]
        /// The properties that the conditions of a piece of code read, and those that it writes.
        private(set) var tests: [CodeNode: Set<Use>] = [:]
        private(set) var writes: [CodeNode: Set<Use>] = [:]
        /// The properties that are set to nil anywhere.
        private(set) var cleared: Set<String> = []
        /// The properties of other objects on whose value code calls what releases: `client.session.invalidateAndCancel()`.
        private(set) var releasedOfOthers: Set<Use> = []
        /// Whether code ends a subject of Combine.
        private(set) var endsSubjects = false
        /// Whether code says how far the views of controllers go below bars.
        private(set) var setsBars = false
        /// The classes of controllers that say it of their own views only.
        private(set) var ownBars: Set<TypeID> = []
        /// The classes of which objects are made, by their short names, and whether who makes them gives each a frame that is to stay.
        private(set) var lastingFrames: [String: Bool] = [:]
        /// Whether who makes them gives each a frame of numbers, and lays it out nowhere.
        private(set) var constantFrames: [String: Bool] = [:]

        private let program: Program
        private let resourceNames: ResourceNames
        private let library: RuleLibrary
        private let resolver: Uses

        /// Reads the bodies of one file.
        init(of file: Int, in program: Program, names: ResourceNames, library: RuleLibrary) {
            self.program = program
            self.library = library
            resourceNames = names
            resolver = Uses(program)
            let facts = program.files[file].facts
            let lookups = Lookups(program)
            for (index, type) in facts.types.enumerated() {
                let declaration = DeclarationID(file: file, index: index)
                let owner = program.owners(of: declaration).first
                for (position, member) in type.members.enumerated() {
                    read(member, node: .member(MemberID(declaration: declaration, index: position)), owner: owner, typeName: type.name, file: file, lookups)
                }
                // A subclass makes what its superclass makes.
                for inherited in type.inherited {
                    uses[.making(ProgramType.shortName(of: type.name)), default: []].insert(.node(.making(ProgramType.shortName(of: inherited.name))))
                }
            }
            for member in facts.members { read(member, node: .free(member.baseName), owner: nil, typeName: "", file: file, lookups) }
        }

        private mutating func read(_ member: MemberFacts, node: CodeNode, owner: TypeID?, typeName: String, file: Int, _ lookups: Lookups) {
            let isPartOfMaking = owner != nil && member.isPartOfMaking
            let scope = Scope(file: file, typeName: owner.map { program[$0].name } ?? typeName)
            for (accessor, body) in member.bodies {
                let isMaking = isPartOfMaking && accessor == nil
                let user = isMaking ? .making(ProgramType.shortName(of: typeName)) : node
                let name = isMaking ? "init \(ProgramType.shortName(of: typeName))" : member.baseName
                let named = ClassSlice.mentioned(in: body, of: resourceNames.all)
                if !named.isEmpty || StrongClosures.areKept(in: body, owner: owner, program: program, library: library, lookups: lookups) {
                    seeds[user, default: []].formUnion(named)
                }
                if let geometry = library.geometry, ClassSlice.touches(geometry, in: body) { geometrySeeds.insert(user) }
                if ClassSlice.mentions(body, resourceNames.releasing) { releasers.insert(name) }
                let context = BodyContext(body: body, selfType: owner, scope: scope, isStatic: member.isStatic)
                readUses(of: body, by: user, name, context, isEnd: member.kind == .deinitializer || member.isWithdrawnEvent)
                tests[user, default: []].formUnion(ConditionReading.properties(readIn: body, context, resolver))
            }
        }

        private mutating func readUses(of body: Body, by user: CodeNode, _ name: String, _ context: BodyContext, isEnd: Bool) {
            var used: Set<Use> = []
            var usedNames: Set<String> = []
            var written: Set<Use> = []
            var empty: Set<Register> = []
            lazy var laysOut = library.geometry.map { body.laysOut($0) } ?? false
            lazy var changed = body.block.registersChangedInPlace
            /// Whether reading a property runs code, or what changes it comes by it: `list.append(item)`.
            func counts(_ use: Use, readInto register: Register) -> Bool {
                guard case .node(.member(let id)) = use, program[id].kind == .property else { return true }
                return program.runsWhenRead(id) || changed.contains(register)
            }
            /// Whether the layout decides of what a call makes, as far as the code that makes it tells.
            func decides(of made: Call) -> Bool { laysOut && (library.geometry.map { body.laysOut(made.result, $0) } ?? false) }
            body.block.forEachStatement { statement in
                if case .compute(let register, .array, []) = statement.kind { empty.insert(register) }
                if let call = statement.call {
                    used.formUnion(resolver.uses(of: call, in: context))
                    if call.fullName == "send(completion:)" { endsSubjects = true }
                    if !program.files[context.scope.file].isTest { releasedOfOthers.formUnion(propertiesReleased(by: call, in: context)) }
                    // What an object empties of its own when it is freed already frees nothing before.
                    let isOwn = if case .member(.selfObject, _) = call.callee { true } else { false }
                    if let property = call.propertyItClears, !(isEnd && isOwn) { cleared.insert(property) }
                    if case .initializer(let type) = call.callee {
                        let made = resolver.madeName(type, in: context)
                        usedNames.insert("init \(made)")
                        let lasts = isFramed(call, type, in: context) && !decides(of: call)
                        lastingFrames[made] = (lastingFrames[made] ?? true) && lasts
                        constantFrames[made] = (constantFrames[made] ?? true) && lasts && context.body.givesConstantSize(call) && !isLaidOutByOwner(call, in: context, user)
                    } else if let name = call.callee.baseName { usedNames.insert(name) }
                    for argument in call.arguments { if let place = argument.place { used.formUnion(resolver.uses(of: place, in: context)) } }
                }
                switch statement.kind {
                case .read(let register, let place):
                    used.formUnion(resolver.uses(of: place, in: context).filter { counts($0, readInto: register) })
                    place.propertyName.map { _ = usedNames.insert($0) }
                case .write(let place, let value):
                    written.formUnion(resolver.uses(of: place, in: context))
                    guard let property = place.propertyName else { break }
                    usedNames.insert(property)
                    // A view that goes below the bars is as large as the screen.
                    if library.geometry?.bars.contains(property) ?? false, value != .constant(.boolean(true)), value != .constant(.implicitMember("all")) {
                        if place.ownName != nil, let owner = context.selfType, program.isType(owner, kindOf: "UIViewController") { ownBars.insert(owner) } else { setsBars = true }
                    }
                    guard !isEnd || place.ownName == nil else { break }
                    if value == .constant(.null) { cleared.insert(property) }
                    if case .register(let register) = value, empty.contains(register) { cleared.insert(property) }
                default: break
                }
            }
            uses[user, default: []].formUnion(used)
            names[name, default: []].formUnion(usedNames)
            writes[user, default: []].formUnion(written)
        }

        /// Whether a call makes an object with a frame: the one that it gives, or one that the initialiser has.
        private func isFramed(_ call: Call, _ type: TypeReference, in context: BodyContext) -> Bool {
            if context.body.givesFrame(call) { return true }
            guard case .project(let types) = program.resolve(type, in: context.scope), types.count == 1 else { return false }
            return program.framesItself(types[0], by: call)
        }

        /// Whether code of the class that keeps in a property what a call makes lays that out.
        private func isLaidOutByOwner(_ made: Call, in context: BodyContext, _ user: CodeNode) -> Bool {
            guard let owner = context.selfType, let geometry = library.geometry else { return false }
            var names: Set<String> = []
            if case .member(let id) = user, program[id].kind == .property { names.insert(program[id].baseName.withoutUnderscore) }
            context.body.block.forEachStatement { statement in
                if case .write(let place, .register(made.result)) = statement.kind, let name = place.ownName { names.insert(name.withoutUnderscore) }
            }
            // The initial value of a stored property.
            if case .exit(.returns(.register(made.result)))? = context.body.block.last?.kind {
                for id in program.members(of: owner) where program[id].body == context.body { names.insert(program[id].baseName.withoutUnderscore) }
            }
            guard !names.isEmpty else { return false }
            return program.chain(of: owner).flatMap { program.members(of: $0) }.flatMap { program[$0].bodies }.contains { _, body in
                var sizes: Set<Register> = []
                return body.block.containsStatement { statement in
                    switch statement.kind {
                    case .read(let register, let place):
                        if let name = place.ownName, names.contains(name.withoutUnderscore) {
                            sizes.insert(register)
                            return body.laysOut(register, geometry)
                        }
                        if case .member(.register(let base), let name) = place, sizes.contains(base), GeometryLog.places.contains(name) || name == "size" { sizes.insert(register) }
                        return false
                    // Who else has it may lay it out: `self.view = palette`.
                    case .write(_, .register(let value)) where sizes.contains(value): return true
                    // Somebody sets its frame, or a part of it.
                    case .write(.member(.register(let base), let name), _): return sizes.contains(base) && (GeometryLog.places.contains(name) && name != "center" || ["size", "width", "height"].contains(name))
                    default: return false
                    }
                }
            }
        }

        /// The properties of another object whose value a call releases, by the type of that object where it is known.
        private func propertiesReleased(by call: Call, in context: BodyContext) -> [Use] {
            guard case .member(let receiver, let name) = call.callee, resourceNames.releasing.contains(name), case .register(let register) = context.uncast(receiver),
                  case .read(_, let place)? = context.definition(of: register)?.kind, case .member = place else { return [] }
            let own = context.selfType.map { program.chain(of: $0) } ?? []
            return resolver.uses(of: place, in: context).filter { use in
                if case .node(.member(let id)) = use { program.owners(of: id.declaration).allSatisfy { !own.contains($0) } } else { false }
            }
        }
    }
}

extension MemberFacts {
    /// Whether it runs when an object is made: initialisers and the initial values of properties.
    var isPartOfMaking: Bool { kind == .initializer || (kind == .property && isStored && !modifiers.contains("lazy")) }
}

extension Block {
    /// The registers whose values some statement changes in place: a part of it is set, or it is a collection that something is done with.
    fileprivate var registersChangedInPlace: Set<Register> {
        var changed: Set<Register> = []
        forEachStatement { statement in
            switch statement.kind {
            case .write(.member(.register(let base), _), _), .write(.element(.register(let base), _), _): changed.insert(base)
            case .collection(_, let call): if case .member(.register(let receiver), _) = call.callee { changed.insert(receiver) }
            default: break
            }
        }
        return changed
    }
}
