/// The screens of an app that stay from its start to its end: the root of its window, and what stands in containers and properties there.
///
/// They are never freed, so a circle between them and what they hold costs nothing.
struct RootScreens: Sendable {
    /// The classes of which every object is such a screen, or a view that such a screen keeps.
    private(set) var types: Set<TypeID> = []

    private let program: Program
    private let constructions: Constructions
    private let traffic: ScreenTraffic

    /// Reads the main storyboards and the code that sets the root of a window.
    init(_ program: Program, _ constructions: Constructions, isDelegateOfApp: (TypeID) -> Bool) {
        self.program = program
        self.constructions = constructions
        // The sample of a library that an app took in shows windows of its own.
        let hasApp = program.types.contains { isDelegateOfApp($0.id) && !SampleFolders.contain(program.files[$0.file].path) }
        traffic = ScreenTraffic(program, withSamples: !hasApp)
        let candidates = program.types.filter { type in
            type.kind == .class && !program.files[type.file].isTest && ["UIViewController", "UIView"].contains { program.isType(type.id, kindOf: $0) }
        }.map(\.id)
        let onScreen = sceneRoots()
        var roots: Set<TypeID> = []
        // Each app of a project, and each delegate of one, sets its own root.
        // A class of windows of its own kind shows beside the main one.
        let settings = traffic.roots.filter { !($0.owner.map { program.isType($0, kindOf: "UIWindow") } ?? false) }
        let setters = settings.compactMap { setter in setter.owner.map { (delegate: $0, member: setter.member) } }
        if setters.count == settings.count, Set(setters.map(\.delegate)).count == setters.count, !setters.isEmpty,
           setters.allSatisfy({ isDelegateOfApp($0.delegate) && happensOnce($0.member, in: $0.delegate) }) {
            let launching = Dictionary(uniqueKeysWithValues: setters.map { ($0.delegate, members(reachedFrom: $0.member, of: $0.delegate)) })
            roots = Set(candidates.filter { isMade($0, in: launching) })
        } else if settings.isEmpty {
            roots = Set(candidates.filter { isOnly(onScreen, $0) })
        }
        types = roots
        var count = -1
        while count != types.count {
            count = types.count
            for type in candidates where !types.contains(type) && (isContained(type) || isKeptView(type, onScreen: roots.isEmpty || !settings.isEmpty ? [] : onScreen)) { types.insert(type) }
        }
        // What inherits such a screen is another class; what others inherit has objects of theirs.
        let bases = Set(program.types.filter { $0.kind == .class }.flatMap { program.chain(of: $0.id).dropFirst() })
        types.subtract(bases)
    }

    // MARK: Code

    /// The objects of a class that storyboards and xibs make; the owner of a xib is made by code.
    private func madeByFiles(_ type: TypeID) -> [InterfaceObjectID] { program.interfaceObjects(of: type).filter { !program[$0].isPlaceholder } }

    /// Whether only the launch runs a member of the app's delegate, as far as the code shows.
    private func happensOnce(_ member: String, in delegate: TypeID) -> Bool {
        let launches = program.members(of: delegate).map { program[$0].fullName }.filter { name in Self.launches.contains { name.contains($0) } }
        let base = String(member.prefix { $0 != "(" && $0 != ":" })
        return launches.contains { members(reachedFrom: $0, of: delegate).contains(member) } && (launches.contains(member) || !traffic.calledOnOthers.contains(base))
    }

    /// What the names of the events with which an app or a scene begins have in them.
    private static let launches = ["didFinishLaunching", "DidFinishLaunching", "willConnectTo"]

    /// The names of the members that a member of a class calls on itself, with its own.
    private func members(reachedFrom name: String, of type: TypeID) -> Set<String> {
        let members = program.members(of: type).map { program[$0] }
        return Set(members.filter { $0.fullName == name }.reaching(among: members).map(\.fullName))
    }

    /// Whether only these members make objects of a class, each class in one place, and none of them shows screens that go again.
    private func isMade(_ type: TypeID, in members: [TypeID: Set<String>]) -> Bool {
        let places = constructions.places(of: program[type].shortName)
        guard !places.isEmpty, Set(places.map(\.owner)).count == places.count, madeByFiles(type).isEmpty else { return false }
        return places.allSatisfy { place in place.owner.map { (members[$0]?.contains(place.member) ?? false) && !traffic.shows($0, place.member) } ?? false }
    }

    /// Whether a screen that stays puts the only objects of a class among its children, or keeps them in a property that it never empties.
    private func isContained(_ type: TypeID) -> Bool {
        guard program.isType(type, kindOf: "UIViewController"), madeByFiles(type).isEmpty else { return false }
        let places = constructions.places(of: program[type].shortName)
        guard places.count == 1, let place = places.first, let owner = place.owner, types.contains(owner) else { return false }
        if let property = place.keptIn, place.isForLife { return !program.clears(property, in: owner) }
        // A child that the container, or the child itself, may take out again goes.
        guard !traffic.shows(owner, place.member), !traffic.removes(owner), !traffic.removes(type) else { return false }
        let fillers = Set(traffic.containers.lazy.filter { $0.owner == owner }.map(\.member))
        if fillers.contains(where: { members(reachedFrom: $0, of: owner).contains(place.member) }) { return true }
        // The method that takes the child in is given it.
        return program.members(of: owner).map { program[$0] }.filter { place.handedTo.contains($0.baseName) }.contains { taker in
            let run = members(reachedFrom: taker.fullName, of: owner)
            return !run.isDisjoint(with: fillers) && !run.contains { traffic.shows(owner, $0) }
        }
    }

    /// Whether screens that stay keep every object of a class of views, in properties that are never emptied or in their scenes.
    private func isKeptView(_ type: TypeID, onScreen: Set<InterfaceObjectID>) -> Bool {
        guard program.isType(type, kindOf: "UIView"), !Self.reused.contains(where: { program.isType(type, kindOf: $0) }) else { return false }
        let places = constructions.places(of: program[type].shortName)
        let objects = madeByFiles(type)
        guard !places.isEmpty || !objects.isEmpty else { return false }
        return places.allSatisfy { place in
            guard let owner = place.owner, let property = place.keptIn, place.isForLife, types.contains(owner) else { return false }
            return !program.clears(property, in: owner)
        } && objects.allSatisfy { object in
            var next = program[object].parent
            while let index = next {
                let holder = InterfaceObjectID(interface: object.interface, index: index)
                if program[holder].reuseIdentifier != nil { return false }
                if program[holder].isSceneController { return onScreen.contains(holder) }
                next = program[holder].parent
            }
            return false
        }
    }

    private static let reused = ["UITableViewCell", "UICollectionReusableView", "UITableViewHeaderFooterView"]

    // MARK: Storyboards

    /// The controllers with which the main storyboards begin, and those that stand in them from the start.
    private func sceneRoots() -> Set<InterfaceObjectID> {
        let configurations = program.resources.configurations.values
        var names = Set(configurations.flatMap(Self.mainStoryboards))
        if configurations.isEmpty { names = ["Main", "MainStoryboard"] }
        var open: [InterfaceObjectID] = program.resources.interfaces.indices.compactMap { index in
            let interface = program.resources.interfaces[index]
            guard interface.facts.kind == .storyboard, interface.facts.isCocoaTouch, names.contains(String(interface.name)) else { return nil }
            return program.initialController(of: index)
        }
        var found: Set<InterfaceObjectID> = []
        while let next = open.popLast() {
            guard found.insert(next).inserted else { continue }
            if let target = program.target(ofReference: next) { open.append(target) }
            for connection in program[next].connections where connection.segue?.kind == "relationship" {
                if let destination = program.destination(of: connection, in: next.interface) { open.append(destination) }
            }
            for index in program.resources.interfaces[next.interface].facts.objects.indices where program.resources.interfaces[next.interface].facts.objects[index].scene == program[next].scene {
                for connection in program.resources.interfaces[next.interface].facts.objects[index].connections where connection.segue?.kind == "embed" {
                    if let destination = program.destination(of: connection, in: next.interface) { open.append(destination) }
                }
            }
        }
        return found
    }

    /// The names of the storyboards with which an app or its scenes begin.
    private static func mainStoryboards(_ configuration: UnitConfiguration) -> [String] {
        var names = configuration.propertyLists.flatMap { $0.mainStoryboards + ($0.sceneManifest?.storyboards ?? []) }
        names += configuration.addedKeys.filter { $0.key.hasPrefix("UIMainStoryboardFile") }.map(\.value)
        return names.map { $0.hasSuffix(".storyboard") ? String($0.dropLast(11)) : $0 }
    }

    /// Whether all objects of a class of controllers are among these, and nothing else makes or shows one of them.
    private func isOnly(_ onScreen: Set<InterfaceObjectID>, _ type: TypeID) -> Bool {
        let objects = madeByFiles(type)
        guard program.isType(type, kindOf: "UIViewController"), !objects.isEmpty, objects.allSatisfy(onScreen.contains), !constructions.isMade(program[type].shortName) else { return false }
        return objects.allSatisfy { object in
            if let identifier = program[object].storyboardIdentifier, traffic.texts.contains(identifier) { return false }
            return !program.resources.interfaces.enumerated().contains { interface, one in
                one.facts.objects.contains { source in
                    source.connections.contains { connection in
                        guard let segue = connection.segue, !["relationship", "embed", "unwind"].contains(segue.kind) else { return false }
                        guard let destination = program.destination(of: connection, in: interface) else { return false }
                        return destination == object || program.target(ofReference: destination) == object
                    }
                }
            }
        }
    }
}

/// What the code of a program does with screens.
private struct ScreenTraffic: Sendable {
    struct Place: Hashable, Sendable {
        let owner: TypeID?
        let member: String
    }

    /// Where the root of a window is set, once for each statement.
    private(set) var roots: [Place] = []
    /// Where the children of a controller are set or added.
    private(set) var containers: Set<Place> = []
    /// The texts by which storyboards are asked for controllers, and others.
    private(set) var texts: Set<String> = []
    /// The names of what is called on other objects than self.
    private(set) var calledOnOthers: Set<String> = []
    private var showing: Set<Place> = []
    private var removing: Set<TypeID> = []

    /// Reads all bodies but those of tests and of libraries, which show windows of their own.
    init(_ program: Program, withSamples: Bool) {
        for (index, file) in program.files.enumerated() where !file.isTest && !file.isThirdParty && (withSamples || !SampleFolders.contain(file.path)) {
            for (declaration, type) in file.facts.types.enumerated() {
                let owner = program.owners(of: DeclarationID(file: index, index: declaration)).first
                for member in type.members { read(member, Place(owner: owner, member: member.fullName)) }
            }
            for member in file.facts.members { read(member, Place(owner: nil, member: member.fullName)) }
        }
    }

    private mutating func read(_ member: MemberFacts, _ place: Place) {
        for (_, body) in member.bodies {
            body.block.forEachStatement { statement in
                switch statement.kind {
                case .write(let target, _): target.propertyName.map { note($0, place) }
                default:
                    guard let call = statement.call else { return }
                    for case .constant(.string(let text)) in call.arguments.map(\.value) { texts.insert(text) }
                    guard let name = call.callee.baseName else { return }
                    if let property = name.propertyItSets { note(property, place) }
                    if Self.adds.contains(name) { containers.insert(place) }
                    if Self.shows.contains(name) { showing.insert(place) }
                    if Self.ends.contains(name), let owner = place.owner { removing.insert(owner) }
                    if case .member(let receiver, _) = call.callee, receiver != .selfObject { calledOnOthers.insert(name) }
                }
            }
        }
    }

    /// Notes that a property is set.
    private mutating func note(_ name: String, _ place: Place) {
        if name == "rootViewController" { roots.append(place) }
        if name == "viewControllers" { containers.insert(place) }
    }

    /// Whether a member shows screens that go again.
    func shows(_ owner: TypeID, _ member: String) -> Bool { showing.contains(Place(owner: owner, member: member)) }

    /// Whether code of a class takes children out of containers.
    func removes(_ owner: TypeID) -> Bool { removing.contains(owner) }

    private static let shows: Set<String> = ["present", "presentViewController", "presentModalViewController", "pushViewController", "show", "showDetailViewController"]
    private static let ends: Set<String> = ["removeFromParent", "removeFromParentViewController"]
    private static let adds: Set<String> = ["addChild", "addChildViewController"]
}
