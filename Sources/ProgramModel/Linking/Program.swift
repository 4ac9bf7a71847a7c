/// The place of a linked type in `Program.types`.
public struct TypeID: Hashable, Comparable, Sendable {
    public let index: Int

    /// Makes the id of this place.
    public init(_ index: Int) {
        self.index = index
    }

    /// Orders types as the files and their texts do.
    public static func < (left: TypeID, right: TypeID) -> Bool { left.index < right.index }
}

/// The place of a declaration: the file, and the index into its `FileFacts.types`.
public struct DeclarationID: Hashable, Sendable {
    public let file: Int
    public let index: Int

    /// Makes the id of this place.
    public init(file: Int, index: Int) {
        self.file = file
        self.index = index
    }
}

/// The place of a member: its declaration, and the index into the declaration's members.
public struct MemberID: Hashable, Sendable {
    public let declaration: DeclarationID
    public let index: Int

    /// Makes the id of this place.
    public init(declaration: DeclarationID, index: Int) {
        self.declaration = declaration
        self.index = index
    }
}

/// Sources that are compiled together: a target of a project or package, or a folder where there is no project.
public struct LinkUnit: Hashable, Sendable {
    /// The name of the target, or the path of the folder.
    public let name: String
    /// Whether the unit holds tests.
    public let isTest: Bool
    /// Whether `async` code that belongs to no actor runs where it is called, or all code belongs to the main actor (SE-0461, SE-0466).
    public let keepsAsyncOnCaller: Bool

    /// Makes a unit.
    public init(name: String, isTest: Bool = false, keepsAsyncOnCaller: Bool = false) {
        self.name = name
        self.isTest = isTest
        self.keepsAsyncOnCaller = keepsAsyncOnCaller
    }
}

/// One file with its facts and the units that compile it.
public struct ProgramFile: Sendable {
    /// The path as the report names it.
    public let path: String
    /// The last part of the path.
    public var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    public let facts: FileFacts
    /// Indices into the program's units; never empty.
    public let units: [Int]
    /// Whether the file is code of others (Pods, Carthage): linked, not reported.
    public let isThirdParty: Bool
    /// Whether the file belongs to tests.
    public let isTest: Bool
    /// Whether the project that it lies in compiles it into nothing.
    public let isLeftOut: Bool
    /// Whether only sample apps compile the file, from outside their own folders: it is code of a library, which others use in other ways.
    public let isSampled: Bool

    /// Makes a file.
    public init(path: String, facts: FileFacts, units: [Int], isThirdParty: Bool = false, isTest: Bool = false, isLeftOut: Bool = false, isSampled: Bool = false) {
        self.isLeftOut = isLeftOut
        self.isSampled = isSampled
        self.path = path
        self.facts = facts
        self.units = units
        self.isThirdParty = isThirdParty
        self.isTest = isTest
    }
}

/// What a class inherits from.
public enum Superclass: Hashable, Sendable {
    /// Nothing, or protocols only.
    case none
    case project(TypeID)
    /// A class of the SDK or of a known library.
    case platform(String)
    /// A name that neither the project nor the data knows; it may be a protocol of a module that is not here.
    case foreign(String)
    /// Several types of the project could be meant.
    case ambiguous([TypeID])
}

/// A type with its extensions; a class, for it is looked up often and never changes.
public final class ProgramType: Sendable {
    public let id: TypeID
    public let name: String
    public let kind: TypeFacts.Kind
    /// The declaration first, then the extensions in order of the files.
    public let declarations: [DeclarationID]
    public let superclass: Superclass
    /// The protocols of the declaration and the extensions, as written.
    public let conformances: [TypeReference]
    /// The configuration in which the type exists.
    public let condition: ConfigurationCondition
    /// Whether some extension might belong to another type of the same name.
    public let hasAmbiguousExtensions: Bool
    /// The members of all declarations by base name.
    public let membersByName: [String: [MemberID]]

    init(
        id: TypeID, name: String, kind: TypeFacts.Kind, declarations: [DeclarationID], superclass: Superclass, conformances: [TypeReference],
        condition: ConfigurationCondition, hasAmbiguousExtensions: Bool, membersByName: [String: [MemberID]]
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.declarations = declarations
        self.superclass = superclass
        self.conformances = conformances
        self.condition = condition
        self.hasAmbiguousExtensions = hasAmbiguousExtensions
        self.membersByName = membersByName
    }

    /// The name without those of the types that it is nested in.
    public var shortName: String { Self.shortName(of: name) }

    /// The last part of a name with dots.
    package static func shortName(of name: String) -> String { name.split(separator: ".").last.map(String.init) ?? name }
    /// Whether it only shows others in Xcode's canvas.
    public var isPreview: Bool { conformances.contains { $0.name == "PreviewProvider" } }

    /// The same type with the superclass that was found for it.
    func below(_ superclass: Superclass) -> ProgramType {
        ProgramType(
            id: id, name: name, kind: kind, declarations: declarations, superclass: superclass, conformances: conformances, condition: condition,
            hasAmbiguousExtensions: hasAmbiguousExtensions, membersByName: membersByName)
    }

    /// The file that declares the type.
    public var file: Int { declarations[0].file }
}

/// The classes above a type.
public struct Ancestry: Sendable {
    /// Where the chain leaves the project.
    public enum Root: Hashable, Sendable {
        case none
        case platform(String)
        case foreign(String)
        /// Several types could be meant, or the chain runs in a circle.
        case ambiguous
    }

    /// The project's classes above the type, nearest first.
    public let projectTypes: [TypeID]
    public let root: Root
}

/// The facts of all files, linked; a class, so that what runs on it passes it on as one reference.
public final class Program: Sendable {
    public let files: [ProgramFile]
    public let units: [LinkUnit]
    public let platform: PlatformKnowledge
    public let types: [ProgramType]
    /// The classes of the SDK as extensions in one file make them: subclasses of themselves with those members.  No name leads to
    /// one; their ids follow those of `types`.
    public let extendedTypes: [ProgramType]
    /// Which of them a declaration is part of.
    let extendedOwners: [DeclarationID: TypeID]
    /// The types of each declaration; an extension may belong to several.
    let owners: [DeclarationID: [TypeID]]
    let typesByName: [String: [TypeID]]
    let aliasesByName: [String: [(file: Int, alias: AliasFacts)]]
    /// The members that answer an Objective-C selector.
    let membersBySelector: [String: [MemberID]]
    /// The functions of types by full name; those of protocols are left out.
    let functionsByName: [String: [MemberID]]
    /// The functions of types, protocols and extensions that have code, by base name.
    let functionsByBaseName: [String: [MemberID]]
    /// The functions and initialisers of extensions of types that the project does not declare, by base name.
    let extensionFunctionsByName: [String: [MemberID]]
    /// The properties with a written type of extensions of types that the project does not declare.
    let extensionPropertiesByName: [String: [MemberID]]
    /// The static functions of types that are given a closure, by base name.
    let closureTakersByName: [String: [MemberID]]
    /// The names of the cases of enums that may carry a closure.
    private let closureCases: Set<String>
    /// The base names of all functions of the project.
    let functionNames: Set<String>
    /// The types whose declaration or extension names the protocol.
    let conformersByName: [String: [TypeID]]
    /// Functions and variables outside types, by base name.
    let freeMembersByName: [String: [(file: Int, index: Int)]]
    /// Storyboards, xibs and property lists.
    public let resources: ProjectResources
    let interfaceObjectsByType: [TypeID: [InterfaceObjectID]]
    let outletsByName: [String: [ConnectedOutlet]]
    /// The classes outside tests by the name that storyboards and xibs call them.
    let classesByRuntimeName: [String: [TypeID]]
    /// Whether some text of the program's own is of before Swift 3, and so all of it: no compiler takes both.
    public let isOfEarlierSwift: Bool
    /// The classes above each type.
    private let ancestries: [Ancestry]
    /// The class of the SDK above each type, guessed where its base is not here.
    private let platformClasses: [String?]

    init(
        files: [ProgramFile], units: [LinkUnit], platform: PlatformKnowledge, types: [ProgramType], extendedTypes: [ProgramType] = [],
        extendedOwners: [DeclarationID: TypeID] = [:], owners: [DeclarationID: [TypeID]], typesByName: [String: [TypeID]],
        aliasesByName: [String: [(file: Int, alias: AliasFacts)]], membersBySelector: [String: [MemberID]] = [:], functionsByName: [String: [MemberID]] = [:],
        extensionFunctionsByName: [String: [MemberID]] = [:], extensionPropertiesByName: [String: [MemberID]] = [:],
        closureTakersByName: [String: [MemberID]] = [:], functionsByBaseName: [String: [MemberID]] = [:], functionNames: Set<String> = [],
        conformersByName: [String: [TypeID]] = [:], freeMembersByName: [String: [(file: Int, index: Int)]] = [:], resources: ProjectResources = ProjectResources()
    ) {
        (self.files, self.units, self.platform, self.types, self.resources) = (files, units, platform, types, resources)
        (self.extendedTypes, self.extendedOwners, self.owners) = (extendedTypes, extendedOwners, owners)
        (self.typesByName, self.aliasesByName, self.conformersByName) = (typesByName, aliasesByName, conformersByName)
        (self.membersBySelector, self.functionsByName, self.functionNames) = (membersBySelector, functionsByName, functionNames)
        (self.extensionFunctionsByName, self.extensionPropertiesByName) = (extensionFunctionsByName, extensionPropertiesByName)
        (self.freeMembersByName, self.closureTakersByName) = (freeMembersByName, closureTakersByName)
        self.functionsByBaseName = functionsByBaseName
        closureCases = Self.closureCases(types, files)
        isOfEarlierSwift = files.contains { $0.facts.isOfEarlierSwift && !$0.isThirdParty }
        ancestries = (types + extendedTypes).map { Self.ancestry(of: $0, in: types) }
        platformClasses = Self.platformClasses(types + extendedTypes, ancestries, files, platform)
        classesByRuntimeName = resources.classesByRuntimeName(types, in: files)
        interfaceObjectsByType = resources.interfaceObjectsByType(classesByRuntimeName)
        outletsByName = resources.outletsByName(interfaceObjectsByType)
    }

    public subscript(_ type: TypeID) -> ProgramType { type.index < types.count ? types[type.index] : extendedTypes[type.index - types.count] }

    public subscript(_ declaration: DeclarationID) -> TypeFacts { files[declaration.file].facts.types[declaration.index] }

    public subscript(_ member: MemberID) -> MemberFacts { files[member.declaration.file].facts.types[member.declaration.index].members[member.index] }

    /// Whether code that is not here may know a member by its name: its module offers it, or a header of its class lists it.
    public func isOffered(_ member: MemberID) -> Bool {
        let facts = self[member]
        if files[member.declaration.file].facts.language == .objectiveC { return !facts.isUnlisted }
        return facts.modifiers.contains { ["public", "open", "dynamic"].contains($0) } || facts.attributes.contains { $0.name == "objc" && $0.arguments != nil }
    }

    /// The types that a declaration is part of: one, but for an extension that several targets compile.
    public func owners(of declaration: DeclarationID) -> [TypeID] { owners[declaration] ?? [] }

    /// Every member of the type's declarations, in order of the declarations.
    public func members(of type: TypeID) -> [MemberID] {
        self[type].declarations.flatMap { declaration in
            self[declaration].members.indices.map { MemberID(declaration: declaration, index: $0) }
        }
    }

    /// A class with its superclasses in the project, nearest first.
    public func chain(of type: TypeID) -> [TypeID] { [type] + ancestry(of: type).projectTypes }

    /// The classes above a type, up to where they leave the project.
    public func ancestry(of type: TypeID) -> Ancestry { ancestries[type.index] }

    private static func ancestry(of type: ProgramType, in types: [ProgramType]) -> Ancestry {
        var chain: [TypeID] = []
        var current = type
        while true {
            switch current.superclass {
            case .none: return Ancestry(projectTypes: chain, root: .none)
            case .platform(let name): return Ancestry(projectTypes: chain, root: .platform(name))
            case .foreign(let name): return Ancestry(projectTypes: chain, root: .foreign(name))
            case .ambiguous: return Ancestry(projectTypes: chain, root: .ambiguous)
            case .project(let next):
                if next == type.id || chain.contains(next) { return Ancestry(projectTypes: chain, root: .ambiguous) }
                chain.append(next)
                current = types[next.index]
            }
        }
    }

    /// The platform class that a type descends from, where the chain is known or a method that it overrides tells what its base is.
    public func platformClass(of type: TypeID) -> String? { platformClasses[type.index] }

    /// Whether the type descends from the platform class.
    public func isType(_ type: TypeID, kindOf platformClass: String) -> Bool {
        self.platformClass(of: type).map { platform.isClass($0, kindOf: platformClass) } ?? false
    }

    /// The members that answer a selector, in order of the files.
    public func members(answering selector: String) -> [MemberID] { membersBySelector[selector] ?? [] }

    /// The functions of the project's types of this full name, in order of the files.
    public func functions(named fullName: String) -> [MemberID] { functionsByName[fullName] ?? [] }

    /// The project's types that conform to a protocol by a declaration or extension of their own or of a superclass.
    public func conformers(to name: String) -> [TypeID] { conformersByName[name] ?? [] }

    /// The functions, or with `init` the initialisers, of this base name that extensions add to types of the SDK or of libraries, in order
    /// of the files.
    public func extensionFunctions(named name: String) -> [MemberID] { extensionFunctionsByName[name] ?? [] }

    /// The functions of objects that the project adds to a class of the SDK above a class, and that a call of this base name can mean.
    public func functionsAdded(above type: TypeID, named name: String, meantBy call: Call) -> [MemberID] {
        guard let known = platformClass(of: type) else { return [] }
        return extensionFunctions(named: name).filter { !self[$0].isStatic && self[$0].accepts(call) && platform.isClass(known, kindOf: self[$0.declaration].name) }
    }

    /// The full names of what the functions of a base name that the project adds to classes of the SDK call on their objects:
    /// `timer.invalidateIfValid()`.
    public func callsOnSelf(byAdded name: String) -> Set<String> {
        extensionFunctions(named: name).filter { !self[$0].isStatic }.reduce(into: []) { found, id in
            self[id].body?.block.forEachStatement { statement in
                if let inner = statement.call, inner.callee.nameCalledOnSelf != nil, let full = inner.fullName { found.insert(full) }
            }
        }
    }

    /// The one static function of the program that a call with a closure can mean where the type is left out, as in `.create { … }`; nil
    /// where there are several, or where a case of an enum may be meant.
    public func closureTaker(_ name: String, _ call: Call) -> MemberID? {
        let extended = extensionFunctions(named: name).filter { self[$0].isStatic && self[$0].kind == .function }
        let fitting = ((closureTakersByName[name] ?? []) + extended).filter { self[$0].accepts(call) }
        // The labels tell a function from a case, and so does an enum whose cases carry no closure.
        guard fitting.count == 1, call.arguments.contains(where: { $0.label != nil }) || !closureCases.contains(name) else { return nil }
        return fitting[0]
    }

    private static func closureCases(_ types: [ProgramType], _ files: [ProgramFile]) -> Set<String> {
        Set(types.lazy.filter { $0.kind == .enum }.flatMap { type -> [String] in
            let facts = type.declarations.map { files[$0.file].facts.types[$0.index] }
            return facts.contains { $0.payload.contains { $0.unwrapped.name == "->" } } ? facts.flatMap(\.cases) : []
        })
    }

    /// Whether a call runs a closure with its receiver and gives the receiver back, as `then` of a library does or of the project's own.
    public func givesBackReceiver(_ call: Call) -> Bool {
        guard let name = call.callee.baseName, platform.givingBack.contains(name), call.arguments.count == 1 else { return false }
        return !hasFunction(named: name) || call.fullName.map { functions(named: $0).allSatisfy { self[$0].type?.name == "Self" } } ?? false
    }

    /// The property that an extension of the project gives to a class of the SDK or to one above it.
    public func extensionProperty(named name: String, ofPlatformClass known: String) -> MemberID? {
        guard let candidates = extensionPropertiesByName[name] else { return nil }
        let classes = platform.ancestry(of: known)
        return candidates.first { classes.contains(self[$0.declaration].name) }
    }

    /// The property that an extension of the project gives to all optional values, or to those of one kind.
    public func optionalProperty(named name: String) -> MemberID? {
        extensionPropertiesByName[name]?.first { self[$0.declaration].name == "Optional" }
    }

    /// Whether the type is a class of the SDK as extensions in one file make it.
    public func isExtended(_ type: TypeID) -> Bool { type.index >= types.count }

    /// The type that a declaration is part of; for an extension of a class of the SDK that class as the file extends it.
    public func ownerOrExtended(of declaration: DeclarationID) -> TypeID? {
        owners(of: declaration).first ?? extendedOwners[declaration]
    }

    /// The functions with code, of whatever type, that a call of this base name can mean by its labels.
    public func functions(named baseName: String, accepting call: Call) -> [MemberID] {
        (functionsByBaseName[baseName] ?? []).filter { self[$0].accepts(call) || self[$0].acceptsWithoutFirstLabel(call) }
    }

    /// Whether any function of the project has this base name.
    public func hasFunction(named name: String) -> Bool { functionNames.contains(name) }

    /// Whether a declaration of this base name stands outside types.
    public func hasFreeMember(named name: String) -> Bool { freeMembersByName[name] != nil }

    /// Free functions and variables of this base name.
    public func freeMembers(named name: String) -> [(file: Int, member: MemberFacts)] {
        (freeMembersByName[name] ?? []).map { ($0.file, files[$0.file].facts.members[$0.index]) }
    }

    /// The functions and variables of no type that a file can mean by a name: its own, where it has some, as each may have a static one.
    public func freeMembers(named name: String, seenFrom file: Int) -> [(file: Int, member: MemberFacts)] {
        let all = freeMembers(named: name)
        let own = all.filter { $0.file == file }
        return own.isEmpty ? all : own
    }

    /// The members of this base name that a use on an object of the type can mean: its own first, then those of its
    /// project superclasses, then those of extensions of the project's protocols that they conform to.
    public func members(named name: String, on type: TypeID) -> [MemberID] {
        let chain = chain(of: type)
        for link in chain {
            if let found = self[link].membersByName[name] { return found }
        }
        return protocols(of: type).flatMap { self[$0].membersByName[name] ?? [] }.filter { self[$0.declaration].kind == .extension }
    }

    /// Whether a name, read as a value of an object, is a method of it; `found` are the members of that name, where they are known.
    public func isMethod(_ name: String, of type: TypeID, among found: [MemberID]? = nil) -> Bool {
        // `tableView` is the SDK's property, whatever data source methods begin with it.
        if let known = platformClass(of: type), platform.type(ofProperty: name, of: known) != nil { return false }
        // What a class of a library inherits is not here: it may be any class of the SDK that has the property.
        if case .foreign = ancestry(of: type).root, platform.isProperty(name) { return false }
        let members = found ?? members(named: name, on: type)
        // In Objective-C a method without parameters is how a class has a property that a protocol asks for.
        func isAccessor(_ id: MemberID) -> Bool { self[id].parameters.isEmpty && files[id.declaration.file].facts.language == .objectiveC }
        return members.contains { self[$0].kind == .function && !self[$0].isStatic && !isAccessor($0) } && !members.contains { self[$0].kind == .property }
    }

    /// Whether a property is an outlet of a view or controller for a view: what is shown keeps that, be the outlet weak.
    public func showsOutlet(_ name: String, of type: TypeID) -> Bool {
        guard isInterfaceObject(type), let id = members(named: name, on: type).first(where: { self[$0].isOutlet }), let written = self[id].type?.unwrapped else { return false }
        let views = ["UIView", "NSView"]
        return switch resolve(written, in: Scope(file: id.declaration.file, typeName: self[type].name)) {
        case .project(let types): types.allSatisfy { type in views.contains { isType(type, kindOf: $0) } }
        case .platform(let name): views.contains { platform.isClass(name, kindOf: $0) }
        case .unknown: false
        }
    }

    /// Whether a property of this name keeps alive what is put into it; one that a protocol asks for does unless it says otherwise.
    public func keeps(_ name: String, of type: TypeID) -> Bool {
        let properties = members(named: name, on: type).map { self[$0] }.filter { $0.kind == .property }
        return !properties.isEmpty && properties.allSatisfy { property in
            (property.isStored || self[type].kind == .protocol) && !property.isStatic
                && !property.modifiers.contains { $0.hasPrefix("weak") || $0.hasPrefix("unowned") || $0.hasPrefix("unsafe") || $0 == "assign" }
        }
    }

    /// The project's protocols that a type conforms to, those of superclasses and of the protocols themselves included.
    public func protocols(of type: TypeID) -> [TypeID] {
        var found: [TypeID] = []
        var pending = chain(of: type)
        while let next = pending.popLast() {
            for case .project(let candidates) in meanings(ofConformancesOf: next) {
                for candidate in candidates where self[candidate].kind == .protocol && !found.contains(candidate) {
                    found.append(candidate)
                    pending.append(candidate)
                }
            }
        }
        return found
    }

    /// Whether the type, a superclass in the project or one of its protocols names something that nobody knows.
    public func hasUnknownConformance(_ type: TypeID) -> Bool {
        (chain(of: type) + protocols(of: type)).contains { link in
            meanings(ofConformancesOf: link).contains { if case .unknown = $0 { true } else { false } }
        }
    }

    private func meanings(ofConformancesOf type: TypeID) -> [TypeResolution] {
        let scope = Scope(file: self[type].file, typeName: self[type].name)
        return self[type].conformances.flatMap { parts(of: $0, in: scope) }.map { resolve($0, in: scope) }
    }
}

extension Program {
    /// Whether a type is a view or a controller, which comes and goes with what is on the screen.
    public func isInterfaceObject(_ type: TypeID) -> Bool {
        ["UIView", "UIViewController", "NSView", "NSViewController", "NSWindowController", "WKInterfaceController"].contains { isType(type, kindOf: $0) }
    }
}
