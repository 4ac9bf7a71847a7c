/// What a project says outside its sources: storyboards, xibs and the Info.plists of its targets.
public struct ProjectResources: Sendable {
    /// A storyboard or xib that was read.
    public struct Interface: Sendable {
        /// The path as the report names it.
        public let path: String
        public let facts: InterfaceFacts
        /// Whether it lies in other people's code.
        public let isThirdParty: Bool

        /// Makes an interface.
        public init(path: String, facts: InterfaceFacts, isThirdParty: Bool = false) {
            self.path = path
            self.facts = facts
            self.isThirdParty = isThirdParty
        }

        /// The name under which code loads it.
        public var name: Substring { path[(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)...].prefix { $0 != "." } }
    }

    public let interfaces: [Interface]
    /// Whether every storyboard and xib that was found could be read: only then can a connection be called missing.
    public let areInterfacesWhole: Bool
    /// What is known of the Info.plist of each unit, by the unit's index; units of which nothing is known are left out.
    public let configurations: [Int: UnitConfiguration]

    /// Puts together what was read.
    public init(interfaces: [Interface] = [], areInterfacesWhole: Bool = true, configurations: [Int: UnitConfiguration] = [:]) {
        self.interfaces = interfaces
        self.areInterfacesWhole = areInterfacesWhole
        self.configurations = configurations
    }
}

/// What is known of the Info.plist with which one unit is built.
public struct UnitConfiguration: Sendable {
    /// The files: several where configurations have different ones.
    public let propertyLists: [PropertyListFacts]
    /// The keys that the build adds, with their values as written.
    public let addedKeys: [String: String]
    /// 1 iPhone, 2 iPad, 6 Mac, as the settings or the lists say; nil where they do not.
    public let deviceFamilies: Set<Int>?
    /// Whether no key can come from elsewhere.
    public let isWhole: Bool

    /// Makes a configuration.
    public init(propertyLists: [PropertyListFacts], addedKeys: [String: String] = [:], deviceFamilies: Set<Int>? = nil, isWhole: Bool) {
        self.propertyLists = propertyLists
        self.addedKeys = addedKeys
        let listed = propertyLists.compactMap(\.deviceFamilies)
        self.deviceFamilies = deviceFamilies ?? (listed.isEmpty || listed.count < propertyLists.count ? nil : listed.reduce(into: Set()) { $0.formUnion($1) })
        self.isWhole = isWhole
    }

    /// The orientations of a device, `iphone` or `ipad`, in each of its lists; nil where one says nothing, or the build fills it in.
    public func orientations(of device: String) -> [[String]]? {
        let key = "UISupportedInterfaceOrientations"
        if let added = addedKeys["\(key)_\(device == "ipad" ? "iPad" : "iPhone")"] ?? addedKeys[key] { return added.contains("$") ? nil : [added.split(separator: " ").map(String.init)] }
        let known = propertyLists.filter { !$0.filledInKeys.contains { $0.hasPrefix(key) } }.compactMap { $0.orientations(of: device) }
        return known.isEmpty || known.count < propertyLists.count ? nil : known
    }
}

/// The place of an object: the interface, and the index into its objects.
public struct InterfaceObjectID: Hashable, Sendable {
    public let interface: Int
    public let index: Int

    /// Makes the id of this place.
    public init(interface: Int, index: Int) {
        self.interface = interface
        self.index = index
    }
}

extension Program {
    public subscript(_ id: InterfaceObjectID) -> InterfaceObject { resources.interfaces[id.interface].facts.objects[id.index] }

    /// The objects whose custom class can be this type.
    public func interfaceObjects(of type: TypeID) -> [InterfaceObjectID] { interfaceObjectsByType[type] ?? [] }

    /// The project's classes that the name in a storyboard or xib can mean; none for a class of the SDK or of a module that is not here.
    public func classes(namedInInterface name: String) -> [TypeID] { classesByRuntimeName[name] ?? [] }

    /// The object that a connection of an interface leads to.
    public func destination(of connection: InterfaceConnection, in interface: Int) -> InterfaceObjectID? {
        resources.interfaces[interface].facts.objects.firstIndex { $0.id == connection.destination }.map { InterfaceObjectID(interface: interface, index: $0) }
    }

    /// The controller with which a storyboard begins.
    func initialController(of interface: Int) -> InterfaceObjectID? {
        let facts = resources.interfaces[interface].facts
        return facts.initialController.flatMap { id in facts.objects.firstIndex { $0.id == id } }.map { InterfaceObjectID(interface: interface, index: $0) }
    }

    /// The controller that a reference to a storyboard stands for; nil for what is none, or leads to what is not here.
    public func target(ofReference id: InterfaceObjectID) -> InterfaceObjectID? {
        guard let storyboard = self[id].referencedStoryboard,
              let interface = storyboard.isEmpty ? id.interface : resources.interfaces.firstIndex(where: { $0.facts.kind == .storyboard && $0.name == storyboard }) else { return nil }
        guard let identifier = self[id].referencedIdentifier else { return initialController(of: interface) }
        return resources.interfaces[interface].facts.objects.firstIndex { $0.storyboardIdentifier == identifier }.map { InterfaceObjectID(interface: interface, index: $0) }
    }

    /// Whether every storyboard and xib that connects the outlet of a class gives these dimensions, `width` and `height`, of what it leads to
    /// for good, or of what that lies in; what lies in nothing is laid out by nobody.
    public func isFixed(_ dimensions: [String], ofOutlet outlet: String, of type: TypeID, inside: Bool = false) -> Bool {
        let connected = outletsByName[outlet] ?? []
        let chain = chain(of: type)
        let own = connected.filter { chain.contains($0.type) }
        // Objects of a class of which only subclasses are in nibs are objects of those.
        let outlets = own.isEmpty ? connected.filter { ancestry(of: $0.type).projectTypes.contains(type) } : own
        return !outlets.isEmpty && outlets.allSatisfy { outlet in
            guard let destination = outlet.destination else { return false }
            guard let parent = self[destination].parent else { return !inside && isLoose(destination) }
            let sized = inside ? self[InterfaceObjectID(interface: destination.interface, index: parent)] : self[destination]
            return dimensions.allSatisfy(sized.isFixed)
        }
    }

    /// Whether an object lies at the top of a xib and is no controller's view.
    private func isLoose(_ id: InterfaceObjectID) -> Bool {
        let facts = resources.interfaces[id.interface].facts
        return facts.kind == .nib && self[id].parent == nil && !facts.objects.contains { object in object.connections.contains { $0.kind == .outlet("view") && $0.destination == self[id].id } }
    }

    /// Whether every storyboard and xib that has objects of a class gives this dimension of them for good; false where none has any.
    public func isFixed(_ dimension: String, ofObjectsOf type: TypeID) -> Bool {
        let objects = interfaceObjects(of: type)
        return !objects.isEmpty && objects.allSatisfy { self[$0].isFixed(dimension) }
    }

    /// Whether the views of a controller are as wide as they will ever be when code makes them: its apps are for iPhones, or for these
    /// and iPads, show nothing but portrait, and no storyboard or xib has the controller.
    ///
    /// An iPad shares its screen among apps only where they support all orientations (UIRequiresFullScreen page).  A delegate of the
    /// app that allows more now and then does so for films.
    public func hasSteadyWidth(_ type: TypeID) -> Bool {
        chain(of: type).allSatisfy { interfaceObjects(of: $0).isEmpty } && isUpright(self[type].file, among: [1: "iphone", 2: "ipad"])
    }

    /// The functions by which the delegates of apps say which orientations they allow, in place of the Info.plist.
    public var functionsAllowingOrientations: [MemberID] {
        ["For", "ForWindow"].flatMap { functions(named: "application(_:supportedInterfaceOrientations\($0):)") }
    }

    /// Whether the apps that a file is compiled into are for these devices, by their families, and show nothing but portrait on them,
    /// unless their delegates allow more now and then (application(_:supportedInterfaceOrientationsFor:) page).
    private func isUpright(_ file: Int, among devices: [Int: String]) -> Bool {
        guard let configurations = configurations(ofFile: file) else { return false }
        let answers = functionsAllowingOrientations.map { (self[$0].body.map(OrientationMask.returned) ?? []).map { $0?.isUpright ?? false } }
        guard answers.allSatisfy({ $0.contains(true) }) else { return false }
        let isDecidedByCode = !answers.isEmpty && !answers.joined().contains(false)
        return configurations.allSatisfy { configuration in
            guard let families = configuration.deviceFamilies, !families.isEmpty, families.isSubset(of: devices.keys) else { return false }
            return isDecidedByCode || families.compactMap { devices[$0] }.allSatisfy { device in
                configuration.orientations(of: device)?.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.hasPrefix("UIInterfaceOrientationPortrait") } } ?? false
            }
        }
    }

    /// Whether the apps that a file is compiled into are shown 320 points wide on every iPhone: they have no launch screen that could be
    /// as large as the device's (UILaunchStoryboardName page), and show nothing but portrait.
    public func isLetterboxed(_ file: Int) -> Bool {
        guard isUpright(file, among: [1: "iphone"]), let configurations = configurations(ofFile: file) else { return false }
        return configurations.allSatisfy { configuration in
            configuration.isWhole && (configuration.propertyLists.flatMap(\.keys) + configuration.addedKeys.keys).allSatisfy { !$0.hasPrefix("UILaunchStoryboard") && !$0.hasPrefix("UILaunchScreen") }
        }
    }

    /// What is known of the Info.plists of the units that compile a file, tests left out; nil where it is not known of each.
    public func configurations(ofFile file: Int) -> [UnitConfiguration]? {
        let units = files[file].units.filter { !self.units[$0].isTest }
        let known = units.compactMap { resources.configurations[$0] }
        return units.isEmpty || known.count < units.count ? nil : known
    }
}

extension ProjectResources {
    /// The classes outside tests by the name that storyboards and xibs call them.
    func classesByRuntimeName(_ types: [ProgramType], in files: [ProgramFile]) -> [String: [TypeID]] {
        guard !interfaces.isEmpty else { return [:] }
        var classes: [String: [TypeID]] = [:]
        for type in types where type.kind == .class && !files[type.file].isTest {
            // A nested class of Swift has a mangled name at run time unless it is given one.
            let named = type.declarations.lazy.compactMap { id in files[id.file].facts.types[id.index].attributes.first { $0.name == "objc" }?.arguments }.first
            classes[named ?? type.name, default: []].append(type.id)
            if named != nil { classes[type.name, default: []].append(type.id) }
        }
        return classes
    }

    /// The objects of storyboards and xibs that are of each class.
    func interfaceObjectsByType(_ classes: [String: [TypeID]]) -> [TypeID: [InterfaceObjectID]] {
        var objects: [TypeID: [InterfaceObjectID]] = [:]
        for (interface, one) in interfaces.enumerated() {
            for (index, object) in one.facts.objects.enumerated() {
                guard let name = object.customClass else { continue }
                for type in classes[name] ?? [] { objects[type, default: []].append(InterfaceObjectID(interface: interface, index: index)) }
            }
        }
        return objects
    }

    /// The outlets that storyboards and xibs connect, by their names, with the class that the object is of and what each leads to.
    func outletsByName(_ objects: [TypeID: [InterfaceObjectID]]) -> [String: [ConnectedOutlet]] {
        var found: [String: [ConnectedOutlet]] = [:]
        let indices = interfaces.map { one in Dictionary(one.facts.objects.indices.map { (one.facts.objects[$0].id, $0) }, uniquingKeysWith: { first, _ in first }) }
        for (type, ids) in objects.sorted(by: { $0.key.index < $1.key.index }) {
            for id in ids {
                for connection in interfaces[id.interface].facts.objects[id.index].connections {
                    guard case .outlet(let name) = connection.kind else { continue }
                    let destination = indices[id.interface][connection.destination].map { InterfaceObjectID(interface: id.interface, index: $0) }
                    found[name, default: []].append(ConnectedOutlet(type: type, destination: destination))
                }
            }
        }
        return found
    }
}

/// An outlet of a class that a storyboard or xib connects.
struct ConnectedOutlet: Sendable {
    let type: TypeID
    /// What it leads to; nil where that is not in the file.
    let destination: InterfaceObjectID?
}
