/// Which classes have objects that live as long as the app, so that nothing that they keep is a leak.
public struct OwnerLifetimes: Sendable {
    private let program: Program
    private let constructions: Constructions
    private static let delegates: Set<String> = [
        "UIApplicationDelegate", "NSApplicationDelegate", "WKApplicationDelegate", "WKExtensionDelegate", "UISceneDelegate", "UIWindowSceneDelegate",
    ]

    /// What a screen runs once: what it makes there it makes once.
    private static let once: Set<String> = ["viewDidLoad()", "loadView()", "awakeFromNib()"]

    /// The classes that inherit directly from each.
    private let heirs: [TypeID: [TypeID]]
    private let environments: Set<String>
    private let apps: AppUnits
    /// The files in folders of samples.
    private let samples: Set<Int>
    private var screens: Set<TypeID> = []
    /// The types whose objects last as long as the app, and those that do so with the screens.  Checks ask for each body.
    private var lasting: Set<TypeID> = []
    private var shownAsLong: Set<TypeID> = []

    /// Reads where the program makes its objects.
    public init(_ program: Program) {
        self.program = program
        constructions = Constructions(program)
        var heirs: [TypeID: [TypeID]] = [:]
        for type in program.types where type.kind == .class {
            if let base = program.chain(of: type.id).dropFirst().first { heirs[base, default: []].append(type.id) }
        }
        self.heirs = heirs
        environments = Self.environments(of: program)
        apps = AppUnits(program)
        samples = Set(program.files.indices.filter { SampleFolders.contain(program.files[$0].path) })
        screens = RootScreens(program, constructions, isDelegateOfApp: isDelegateOfApp).types
        lasting = Set(program.types.map(\.id).filter { lasts($0, seen: []) })
        shownAsLong = Set(program.types.map(\.id).filter { lasts($0, seen: [], withScreens: true) })
    }

    /// The structures that the app keeps for good, by their short names: those that are the type of a global or static variable, and of
    /// no variable of an object.
    private static func environments(of program: Program) -> Set<String> {
        let structures = Set(program.types.filter { $0.kind == .struct }.map(\.shortName))
        var (forGood, ofObjects): (Set<String>, Set<String>) = ([], [])
        func read(_ member: MemberFacts, isGlobal: Bool) {
            guard member.kind == .property, member.isStored, let name = member.type?.unwrapped.name.split(separator: ".").last.map(String.init), structures.contains(name) else { return }
            if isGlobal || member.isStatic { forGood.insert(name) } else { ofObjects.insert(name) }
        }
        for file in program.files where !file.isTest {
            for member in file.facts.members { read(member, isGlobal: true) }
            for member in file.facts.types.flatMap(\.members) { read(member, isGlobal: false) }
        }
        return forGood.subtracting(ofObjects)
    }

    /// Whether nobody but the apps that are here makes objects of the class, where there are any: a library's sample is not all who use it.
    public func areOfAppsAlone(_ type: TypeID) -> Bool { apps.isEmpty || apps.haveAlone(program[type]) }

    /// Whether there is one object of the class for the whole life of the app: a delegate of it, a shared one, or what only those make
    /// for themselves.
    public func lastAsLongAsTheApp(_ type: TypeID) -> Bool { lasting.contains(type) }

    /// Whether objects of the class are never freed, be it that they last as long as the app or that they are on the screen as long, with
    /// what only those make for themselves: a circle around them costs nothing, though what they begin at each appearance may pile up.
    ///
    /// What a library has is there for other apps as well, whatever its sample does with it.
    public func areNeverFreed(_ type: TypeID) -> Bool {
        apps.haveAlone(program[type]) && shownAsLong.contains(type)
    }

    /// Whether objects of the class are known to come and go: screens are shown and go, operations are done, and others where code makes them.
    public func isKnownToEnd(_ type: TypeID) -> Bool {
        ["UIResponder", "NSResponder", "Operation"].contains { program.isType(type, kindOf: $0) } || constructions.isMade(program[type].shortName)
    }

    /// Whether objects of the class may be made by a plain `init`: where code makes some, or such as inherit it, it makes one so.
    public func mayBeMadeWithoutArguments(_ type: TypeID) -> Bool {
        var (family, pending): (Set<TypeID>, [TypeID]) = ([type], [type])
        while let next = pending.popLast() { pending += (heirs[next] ?? []).filter { family.insert($0).inserted } }
        let names = family.map { program[$0].shortName }
        return names.contains(where: constructions.isMadeWithoutArguments) || !names.contains(where: constructions.isMade)
    }

    private func lasts(_ type: TypeID, seen: Set<TypeID>, withScreens: Bool = false) -> Bool {
        guard !seen.contains(type), seen.count < 4 else { return false }
        if withScreens, screens.contains(type) { return true }
        func lasts(_ other: TypeID) -> Bool { self.lasts(other, seen: seen.union([type]), withScreens: withScreens) }
        if isDelegateOfApp(type) || program[type].kind == .struct && environments.contains(program[type].shortName) { return true }
        let made = constructions.places(of: program[type].shortName)
        // What the sample of a library does for good, other apps may do for a while.
        let places = isOfSample(type) ? made : made.filter { !($0.owner.map(isOfSample) ?? false) }
        guard places.isEmpty == made.isEmpty else { return program.keepsOneForAll(type) }
        if isRootView(type, places) { return true }
        if isMadeByMainNib(type) || places.isEmpty && isSharedByAnother(type) { return true }
        // What only those that inherit it are made of.  With one alone it is mostly the sample of a library that inherits what others will, too.
        if places.isEmpty, program.interfaceObjects(of: type).isEmpty, let heirs = heirs[type], heirs.count > 1 || apps.haveAlone(program[type]), heirs.allSatisfy(lasts) { return true }
        // Of a class that hands out one object other code may make more, and those end.
        let hasOthers = places.contains { place in !place.isShared && place.owner.map { $0 != type } ?? false }
        if program.keepsOneForAll(type), !hasOthers { return true }
        if !places.isEmpty, places.allSatisfy({ isKept($0, withScreens: withScreens) }) { return true }
        // A controller that the app's delegate makes is shown and goes; what it makes beside is for life.
        guard !program.isType(type, kindOf: "UIResponder"), !program.isType(type, kindOf: "NSResponder") else { return false }
        return !places.isEmpty && places.allSatisfy { place in
            // Objects that the scenes of a SwiftUI app are given are there while they are; views come and go in them.
            place.isShared || place.owner.map { program[type].kind == .class && program.isSwiftUI("App", $0) || place.isForLife && lasts($0) } ?? false
        }
    }

    /// Whether a type is declared in a folder of samples.
    private func isOfSample(_ type: TypeID) -> Bool { samples.contains(program[type].file) }

    /// Whether the app's delegate, an object of the main nib, or a screen that stays and does so once, puts an object into a property and never takes it out again.
    private func isKept(_ place: Constructions.Place, withScreens: Bool) -> Bool {
        // What the launch puts into a property of a type is there as long as the type.
        if place.isKeptByType, let owner = place.owner, isDelegateOfApp(owner) { return true }
        guard let owner = place.owner, let property = place.keptIn, !program.clears(property, in: owner) else { return false }
        if isDelegateOfApp(owner) || isMadeByMainNib(owner) { return true }
        return withScreens && screens.contains(owner) && (place.isForLife || Self.once.contains(place.member))
    }

    /// Whether the class is a delegate of the app or of its scenes, or the structure that SwiftUI takes for the app.
    public func isDelegateOfApp(_ type: TypeID) -> Bool {
        program.chain(of: type).contains { program[$0].conformances.contains { Self.delegates.contains($0.name) } } || program.isSwiftUI("App", type)
    }

    /// Whether the app of SwiftUI shows a view whatever happens, so that what that has as its own state is made once.
    private func isRootView(_ type: TypeID, _ places: [Constructions.Place]) -> Bool {
        guard program.isSwiftUI("View", type), !places.isEmpty else { return false }
        return places.allSatisfy { place in
            guard let owner = place.owner, program.isSwiftUI("App", owner) else { return false }
            return program.members(of: owner).map { program[$0] }.filter { $0.fullName == place.member }.flatMap(\.bodies).contains { Self.makes(program[type].shortName, in: $0.body.block) }
        }
    }

    /// Whether a block makes an object of a name on all its ways.
    private static func makes(_ name: String, in block: Block) -> Bool {
        block.contains { statement in
            if case .initializer(let made)? = statement.call?.callee, made.name == name { return true }
            guard statement.innerBlocks(enteringClosures: false).isEmpty else { return false }
            return statement.innerBlocks(enteringClosures: true).contains { makes(name, in: $0) }
        }
    }

    /// Whether every object of the class is one of those on top of the nib that the application itself owns, which it never lets go;
    /// windows close.
    private func isMadeByMainNib(_ type: TypeID) -> Bool {
        let made = program.interfaceObjects(of: type).filter { !program[$0].isPlaceholder }
        guard !made.isEmpty, !constructions.isMade(program[type].shortName), !["NSWindow", "NSView"].contains(where: { program.isType(type, kindOf: $0) }) else { return false }
        return made.allSatisfy { program[$0].parent == nil && ownsApplication(program.resources.interfaces[$0.interface].facts) }
    }

    /// Whether code asks for the shared object of a class of which nothing here makes one: a superclass that is not here does.
    private func isSharedByAnother(_ type: TypeID) -> Bool {
        constructions.isAskedForShared(program[type].shortName) && program.interfaceObjects(of: type).allSatisfy { program[$0].isPlaceholder }
    }

    /// Whether the owner of a nib is the application.
    private func ownsApplication(_ nib: InterfaceFacts) -> Bool {
        nib.kind == .nib && nib.objects.contains { object in
            guard object.placeholder == "IBFilesOwner" || object.id == "-2", let name = object.customClass else { return false }
            return name == "NSApplication" || program.classes(namedInInterface: name).contains { program.isType($0, kindOf: "NSApplication") }
        }
    }
}

extension Program {
    /// Whether code of a class sets a property to nil, or the property is a local name there.
    func clears(_ property: String, in type: TypeID) -> Bool {
        let members = members(of: type).map { self[$0] }
        guard members.contains(where: { $0.kind == .property && $0.baseName == property }) else { return true }
        return members.contains { member in
            member.bodies.contains { $0.body.block.clears(property) }
        }
    }
}
