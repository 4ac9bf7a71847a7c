/// Links the facts of all files into a program.
public enum Linker {
    /// The program; the same files in the same order give the same program.
    public static func link(_ written: [ProgramFile], units: [LinkUnit], platform: PlatformKnowledge, resources: ProjectResources = ProjectResources()) -> Program {
        var files = BorderNames.adding(to: written)
        var declarations: [DeclarationID] = []
        var extensions: [DeclarationID] = []
        // Where its sources are here, a header that the Swift compiler wrote declares their types a second time.
        let writtenInSwift = Set(files.lazy.filter { $0.facts.language == .swift }.flatMap { $0.facts.types.lazy.map(\.name) })
        for (file, one) in files.enumerated() {
            let isMadeBySwift = one.path.hasSuffix("-Swift.h")
            for (index, type) in one.facts.types.enumerated() where !isMadeBySwift || !writtenInSwift.contains(type.name) {
                let id = DeclarationID(file: file, index: index)
                if type.kind == .extension { extensions.append(id) } else { declarations.append(id) }
            }
        }
        func facts(_ id: DeclarationID) -> TypeFacts { files[id.file].facts.types[id.index] }

        let aliases = aliasTable(files)
        var typesByName: [String: [TypeID]] = [:]
        for (index, id) in declarations.enumerated() { typesByName[facts(id).name, default: []].append(TypeID(index)) }

        let (attached, ambiguous) = attach(extensions, to: declarations, typesByName, aliases, files)
        files = ViewEvents.adding(to: files, types: declarations.enumerated().map { index, id in [id] + (attached[index] ?? []) })
        var owners: [DeclarationID: [TypeID]] = [:]
        var types: [ProgramType] = []
        for (index, id) in declarations.enumerated() {
            let all = [id] + (attached[index] ?? [])
            for declaration in all { owners[declaration, default: []].append(TypeID(index)) }
            var members: [String: [MemberID]] = [:]
            for declaration in all {
                for (position, member) in facts(declaration).members.enumerated() {
                    members[member.baseName, default: []].append(MemberID(declaration: declaration, index: position))
                }
            }
            // The accessors that an Objective-C implementation writes belong to the property that the interface declares.
            for (name, ids) in members where ids.count > 1 {
                func member(_ id: MemberID) -> MemberFacts { facts(id.declaration).members[id.index] }
                guard ids.contains(where: { files[$0.declaration.file].facts.language == .objectiveC && member($0).accessors != nil }) else { continue }
                members[name] = ids.filter { member($0).kind != .property || member($0).accessors != nil }
            }
            types.append(ProgramType(
                id: TypeID(index), name: facts(id).name, kind: facts(id).kind, declarations: all, superclass: .none,
                conformances: all.flatMap { facts($0).inherited }, condition: facts(id).condition,
                hasAmbiguousExtensions: ambiguous.contains(index), membersByName: members))
        }

        let unlinked = Program(files: files, units: units, platform: platform, types: types, owners: owners, typesByName: typesByName, aliasesByName: aliases)
        for index in types.indices where types[index].kind == .class {
            types[index] = types[index].below(superclass(of: types[index], in: unlinked))
        }
        let extended = extendedTypes(files, owners, platform, first: types.count)
        return Program(
            files: files, units: units, platform: platform, types: types, extendedTypes: extended,
            extendedOwners: Dictionary(uniqueKeysWithValues: extended.flatMap { type in type.declarations.map { ($0, type.id) } }), owners: owners, typesByName: typesByName, aliasesByName: aliases,
            membersBySelector: memberTable(types, written, \.selector), functionsByName: functions(types, files),
            extensionFunctionsByName: extensionMembers(files, owners) { ($0.kind == .function || $0.kind == .initializer) && $0.body != nil },
            extensionPropertiesByName: extensionMembers(files, owners) { $0.kind == .property && $0.type != nil },
            closureTakersByName: closureTakers(types, files), functionsByBaseName: functionsByBaseName(files), functionNames: functionNames(files), conformersByName: conformers(types), freeMembersByName: freeMembers(files),
            resources: resources)
    }

    /// The classes of the SDK that extensions with code extend, one for each file.
    private static func extendedTypes(
        _ files: [ProgramFile], _ owners: [DeclarationID: [TypeID]], _ platform: PlatformKnowledge, first: Int
    ) -> [ProgramType] {
        var types: [ProgramType] = []
        for (file, one) in files.enumerated() {
            var byName: [String: [DeclarationID]] = [:]
            for (index, type) in one.facts.types.enumerated() where type.kind == .extension && platform.isClass(type.name) {
                let declaration = DeclarationID(file: file, index: index)
                if owners[declaration, default: []].isEmpty, type.members.contains(where: { !$0.bodies.isEmpty }) { byName[type.name, default: []].append(declaration) }
            }
            for (name, declarations) in byName.sorted(by: { $0.key < $1.key }) {
                var members: [String: [MemberID]] = [:]
                for declaration in declarations {
                    for (position, member) in one.facts.types[declaration.index].members.enumerated() {
                        members[member.baseName, default: []].append(MemberID(declaration: declaration, index: position))
                    }
                }
                types.append(ProgramType(
                    id: TypeID(first + types.count), name: name, kind: .class, declarations: declarations, superclass: .platform(name), conformances: [],
                    condition: one.facts.types[declarations[0].index].condition, hasAmbiguousExtensions: false, membersByName: members))
            }
        }
        return types
    }

    /// The members of extensions whose type no file declares.
    private static func extensionMembers(
        _ files: [ProgramFile], _ owners: [DeclarationID: [TypeID]], where isMeant: (MemberFacts) -> Bool
    ) -> [String: [MemberID]] {
        var table: [String: [MemberID]] = [:]
        for (file, one) in files.enumerated() {
            for (index, type) in one.facts.types.enumerated() where type.kind == .extension {
                let declaration = DeclarationID(file: file, index: index)
                guard owners[declaration, default: []].isEmpty else { continue }
                for (position, member) in type.members.enumerated() where isMeant(member) {
                    table[member.baseName, default: []].append(MemberID(declaration: declaration, index: position))
                }
            }
        }
        return table
    }

    /// The static functions that are given a closure.
    private static func closureTakers(_ types: [ProgramType], _ files: [ProgramFile]) -> [String: [MemberID]] {
        memberTable(types.filter { $0.kind != .protocol }, files) { member in
            member.kind == .function && member.isStatic && member.body != nil && member.parameters.contains { $0.type.unwrapped.name == "->" } ? member.baseName : nil
        }
    }

    private static func functionsByBaseName(_ files: [ProgramFile]) -> [String: [MemberID]] {
        var table: [String: [MemberID]] = [:]
        for (file, one) in files.enumerated() {
            for (index, type) in one.facts.types.enumerated() {
                for (position, member) in type.members.enumerated() where member.kind == .function && member.body != nil {
                    table[member.baseName, default: []].append(MemberID(declaration: DeclarationID(file: file, index: index), index: position))
                }
            }
        }
        return table
    }

    private static func functionNames(_ files: [ProgramFile]) -> Set<String> {
        Set(files.flatMap { file in
            (file.facts.types.flatMap(\.members) + file.facts.members).filter { $0.kind == .function }.map(\.baseName)
        })
    }

    private static func aliasTable(_ files: [ProgramFile]) -> [String: [(file: Int, alias: AliasFacts)]] {
        var table: [String: [(file: Int, alias: AliasFacts)]] = [:]
        for (file, one) in files.enumerated() {
            for alias in one.facts.aliases { table[alias.name, default: []].append((file, alias)) }
        }
        return table
    }

    /// Gives each extension to the types of its name that share a unit with it, else to the only one elsewhere.
    private static func attach(
        _ extensions: [DeclarationID], to declarations: [DeclarationID], _ typesByName: [String: [TypeID]],
        _ aliases: [String: [(file: Int, alias: AliasFacts)]], _ files: [ProgramFile]
    ) -> (attached: [Int: [DeclarationID]], ambiguous: Set<Int>) {
        var attached: [Int: [DeclarationID]] = [:]
        var ambiguous: Set<Int> = []
        for id in extensions {
            let facts = files[id.file].facts.types[id.index]
            let name = typesByName[facts.name] != nil ? facts.name : aliases[facts.name]?.first?.alias.target.name ?? facts.name
            let candidates = (typesByName[name] ?? []).map(\.index).filter {
                files[declarations[$0].file].facts.types[declarations[$0].index].condition.isCompatible(with: facts.condition)
            }
            let own = candidates.filter { index in
                let file = declarations[index].file
                return file == id.file || files[file].units.contains { files[id.file].units.contains($0) }
            }
            if !own.isEmpty {
                own.forEach { attached[$0, default: []].append(id) }
            } else if candidates.count == 1 {
                attached[candidates[0], default: []].append(id)
            } else {
                ambiguous.formUnion(candidates)
            }
        }
        return (attached, ambiguous)
    }

    private static func superclass(of type: ProgramType, in program: Program) -> Superclass {
        let declaration = program[type.declarations[0]]
        let outer = type.name.lastIndex(of: ".").map { String(type.name[..<$0]) } ?? ""
        let scope = Scope(file: type.file, typeName: outer)
        for (position, reference) in declaration.inherited.enumerated() {
            let parts = program.parts(of: reference, in: scope)
            if parts != [reference] {
                // `Base & Protocol` may name the superclass in any place.
                for part in parts {
                    if case .found(let found) = superclass(part, position: 1, scope, type, program) { return found }
                }
                continue
            }
            switch superclass(reference, position: position, scope, type, program) {
            case .found(let found): return found
            case .noClass: continue
            }
        }
        return .none
    }

    private enum Candidate {
        case found(Superclass)
        case noClass
    }

    private static func superclass(
        _ reference: TypeReference, position: Int, _ scope: Scope, _ type: ProgramType, _ program: Program
    ) -> Candidate {
        switch program.resolve(reference, in: scope, under: type.condition) {
        case .project(let found):
            let classes = found.filter { program[$0].kind == .class && $0 != type.id }
            if classes.isEmpty { return .noClass }
            return .found(classes.count == 1 ? .project(classes[0]) : .ambiguous(classes))
        case .platform(let name):
            return program.platform.isClass(name) ? .found(.platform(name)) : .noClass
        case .unknown(let name):
            // Swift wants the superclass first; an unknown name further on can only be a protocol.
            return position == 0 ? .found(.foreign(name)) : .noClass
        }
    }

    private static func functions(_ types: [ProgramType], _ files: [ProgramFile]) -> [String: [MemberID]] {
        memberTable(types.filter { $0.kind != .protocol }, files) { $0.kind == .function ? $0.fullName : nil }
    }

    /// The members of the types by a name; a member of an extension that belongs to several types stands there once.
    private static func memberTable(_ types: [ProgramType], _ files: [ProgramFile], _ name: (MemberFacts) -> String?) -> [String: [MemberID]] {
        var table: [String: [MemberID]] = [:]
        var seen: Set<DeclarationID> = []
        for id in types.flatMap(\.declarations) where seen.insert(id).inserted {
            for (index, member) in files[id.file].facts.types[id.index].members.enumerated() {
                if let name = name(member) { table[name, default: []].append(MemberID(declaration: id, index: index)) }
            }
        }
        return table
    }

    private static func conformers(_ types: [ProgramType]) -> [String: [TypeID]] {
        var direct: [String: [TypeID]] = [:]
        for type in types {
            for name in Set(type.conformances.flatMap { $0.name == "&" ? $0.arguments.map(\.name) : [$0.name] }) {
                direct[name, default: []].append(type.id)
            }
        }
        // A subclass conforms to what its superclasses conform to, and who conforms to a protocol to those that it refines.
        var subclasses: [TypeID: [TypeID]] = [:]
        for type in types {
            if case .project(let base) = type.superclass { subclasses[base, default: []].append(type.id) }
            if type.kind == .protocol { subclasses[type.id, default: []] += direct[type.name] ?? [] }
        }
        return direct.mapValues { conformers in
            var all = Set(conformers)
            var pending = conformers
            while let next = pending.popLast() {
                for subclass in subclasses[next] ?? [] where all.insert(subclass).inserted { pending.append(subclass) }
            }
            return all.sorted()
        }
    }

    private static func freeMembers(_ files: [ProgramFile]) -> [String: [(file: Int, index: Int)]] {
        var table: [String: [(file: Int, index: Int)]] = [:]
        for (file, one) in files.enumerated() {
            for (index, member) in one.facts.members.enumerated() { table[member.baseName, default: []].append((file, index)) }
        }
        return table
    }
}
