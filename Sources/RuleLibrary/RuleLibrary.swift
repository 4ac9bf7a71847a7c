import Findings

/// The data of Rules/, parsed and checked; a class, so that what runs by it passes it on as one reference.
public final class RuleLibrary: Sendable {
    /// The rules by id.
    public let rules: [String: RuleDescription]
    /// The lifecycles by class.
    public let lifecycles: [String: LifecycleClass]
    public let frameworks: [PlatformFramework]
    /// The delegate properties of the SDK that point without holding, by class.
    public let unsafeDelegates: [String: Set<String>]
    /// The properties of the SDK that hold their object weakly, by class.
    public let weakSlots: [String: Set<String>]
    /// The properties of the SDK whose closure is let go when it has run, by class.
    public let spentSlots: [String: Set<String>]
    /// Of the weak slots those that only pointed to their object before a version of the system, by class.
    public let weakSince: [(changes: DeploymentTargets, slots: [String: Set<String>])]
    /// Who calls the methods of the SDK's protocols of delegates, by protocol.
    public let delegateSlots: [String: DelegateSlot]
    /// The full names of methods that are called each time somebody chooses something.
    public let choices: Set<String>
    /// The events that controls of the SDK never send, by class.
    public let unsentEvents: [String: Set<String>]
    /// The classes whose objects post the notifications of the SDK, by the notification's name in Objective-C; `nil` for those without an object.
    public let notificationSenders: [String: String]
    /// The calls and properties of which one switches a notification on, by its name in Objective-C.
    public let notificationSwitches: [String: [String]]
    /// The automata in order of their names.
    public let automata: [Automaton]
    /// The properties of all automata that say, as an object leaves, that it goes for good.
    public let leaving: Set<String>
    /// The families of resources in order of their names.
    public let families: [ResourceFamily]
    private let familiesByName: [String: ResourceFamily]
    private let familiesByCall: [String: [ResourceFamily]]
    /// The calls that arm what may fire once, by their full names.
    private let arming: [String: ResourceFamily.Operation]
    /// The properties of tokens that tell whether a registration lives.
    public let livenessNames: Set<String>
    /// The properties of what is observed that tell whether somebody observes it.
    public let observationNames: Set<String>
    /// What the SDK does with closures.
    public let closureRoles: [String: ClosureRoles.Role]
    /// Selectors of Objective-C with their full Swift names: those of the lifecycles, and others that the plain rule does not give.
    public let selectorNames: [String: String]
    /// What of views the layout sets; nil without a file of it.
    public let geometry: GeometryKnowledge?
    /// What belongs to the main thread; nil without a file of it.
    public let threads: ThreadKnowledge?
    /// What is begun and must be ended.
    public let pairs: [ResourcePair]
    /// What of the SDK an app may only use if its Info.plist says so.
    public let capabilities: [Capability]

    /// The rules in order of their ids.
    public var orderedRules: [RuleDescription] { rules.values.sorted { $0.id < $1.id } }

    /// Reads data files; the folder (`rules`, `lifecycles`, `automata`, `platform`) says what a file holds.
    public init(files: [(path: String, text: String)]) throws(RuleDataError) {
        var rules: [String: RuleDescription] = [:]
        var lifecycles: [String: LifecycleClass] = [:]
        var frameworks: [PlatformFramework] = []
        var automata: [Automaton] = []
        var families: [ResourceFamily] = []
        var closureRoles: [String: ClosureRoles.Role] = [:]
        var geometry: GeometryKnowledge?
        var threads: ThreadKnowledge?
        var pairs: [ResourcePair] = []
        var capabilities: [Capability] = []
        var selectorNames: [String: String] = [:]
        for file in files {
            let node = try YAMLNode.parse(file.text, file: file.path)
            switch file.path.split(separator: "/").dropLast().last.map(String.init) {
            case "rules":
                let rule = try RuleDescription(RecordReader(node, file: file.path, name: "a rule"))
                guard file.path.hasSuffix("/\(rule.id).yml") || file.path == "\(rule.id).yml" else {
                    throw RuleDataError(file: file.path, line: 1, key: "id", message: "must be the name of the file, not '\(rule.id)'")
                }
                rules[rule.id] = rule
            case "lifecycles":
                let lifecycle = try LifecycleClass(RecordReader(node, file: file.path, name: "a lifecycle"))
                guard lifecycles.updateValue(lifecycle, forKey: lifecycle.name) == nil else {
                    throw RuleDataError(file: file.path, line: 1, key: "class", message: "'\(lifecycle.name)' has a lifecycle in another file already")
                }
            case "platform":
                frameworks.append(try PlatformFramework(RecordReader(node, file: file.path, name: "a framework")))
            case "automata":
                automata.append(try Automaton(RecordReader(node, file: file.path, name: "an automaton")))
            case "resources":
                let reader = try RecordReader(node, file: file.path, name: "a family of resources")
                if reader.has("closures") {
                    closureRoles.merge(try ClosureRoles(reader).roles) { first, _ in first }
                } else {
                    families.append(try ResourceFamily(reader))
                }
            case "geometry":
                geometry = try GeometryKnowledge(RecordReader(node, file: file.path, name: "knowledge of geometry"))
            case "threads":
                threads = try ThreadKnowledge(RecordReader(node, file: file.path, name: "knowledge of threads"))
            case "pairs":
                pairs += try ResourcePair.read(RecordReader(node, file: file.path, name: "pairs"))
            case "capabilities":
                capabilities += try Capability.read(RecordReader(node, file: file.path, name: "capabilities"))
            case "names":
                var reader = try RecordReader(node, file: file.path, name: "names of another language")
                _ = (try reader.text("names"), try reader.text("source"))
                for row in try reader.words("selectors") { selectorNames[row.key] = row.value }
                try reader.finish()
            default:
                let folders = "'rules', 'lifecycles', 'automata', 'resources', 'geometry', 'threads', 'pairs', 'capabilities', 'names' or 'platform'"
                throw RuleDataError(file: file.path, line: 1, key: nil, message: "must stand in a folder \(folders)")
            }
        }
        self.rules = rules
        self.lifecycles = lifecycles
        self.frameworks = frameworks
        func sets(_ rows: [(key: String, value: String)]) -> [String: Set<String>] {
            Dictionary(rows.map { ($0.key, Set($0.value.split(separator: " ").map(String.init))) }, uniquingKeysWith: { $0.union($1) })
        }
        unsafeDelegates = sets(frameworks.flatMap(\.unsafeDelegates))
        weakSlots = sets(frameworks.flatMap(\.weakSlots))
        spentSlots = sets(frameworks.flatMap(\.spentSlots))
        weakSince = frameworks.flatMap(\.weakSince).map { ($0.changes, sets($0.slots)) }
        delegateSlots = Dictionary(frameworks.flatMap(\.delegateSlots).compactMap { row in DelegateSlot(row.value).map { (row.key, $0) } }, uniquingKeysWith: { first, _ in first })
        unsentEvents = sets(frameworks.flatMap(\.unsentEvents))
        choices = Set(frameworks.flatMap(\.choices))
        notificationSenders = Dictionary(frameworks.flatMap(\.notificationSenders).map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
        notificationSwitches = Dictionary(
            frameworks.flatMap(\.notificationSwitches).map { ($0.key, $0.value.split(separator: " ").map(String.init)) }, uniquingKeysWith: { first, _ in first })
        self.automata = automata.sorted { $0.name < $1.name }
        leaving = Set(automata.flatMap(\.leaving))
        let ordered = families.sorted { $0.name < $1.name }
        self.families = ordered
        familiesByName = Dictionary(ordered.map { ($0.name, $0) }) { first, _ in first }
        var familiesByCall: [String: [ResourceFamily]] = [:]
        for family in ordered {
            for name in Set((family.acquire + family.release).flatMap(\.names)) { familiesByCall[name, default: []].append(family) }
        }
        self.familiesByCall = familiesByCall
        arming = Dictionary(
            ordered.flatMap(\.acquire).filter(\.isRearmed).flatMap { operation in operation.names.map { ($0.hasPrefix("static ") ? String($0.dropFirst(7)) : $0, operation) } },
            uniquingKeysWith: { first, _ in first })
        livenessNames = Set(ordered.compactMap(\.liveness))
        observationNames = Set(ordered.compactMap(\.shownBy))
        self.closureRoles = closureRoles
        self.geometry = geometry
        self.threads = threads
        self.pairs = pairs
        self.capabilities = capabilities
        for method in lifecycles.values.sorted(by: { $0.name < $1.name }).flatMap(\.methods) where selectorNames[method.selector] == nil {
            selectorNames[method.selector] = method.name
        }
        self.selectorNames = selectorNames
    }

    /// The data that the binary carries, which a test reads, so that a broken file never ships; then the files that a user adds.
    public static func embedded(adding files: [(path: String, text: String)] = []) throws(RuleDataError) -> RuleLibrary {
        try RuleLibrary(files: embeddedRuleFiles + files)
    }

    /// The family of this name.
    public func family(named name: String) -> ResourceFamily? { familiesByName[name] }

    /// The families that a call of this full name may acquire or release something of, in order of their names.
    public func families(calling fullName: String) -> [ResourceFamily] { familiesByCall[fullName] ?? [] }

    /// The families of which a call of this full name acquires something, in order of their names.
    public func families(acquiredBy fullName: String) -> [ResourceFamily] {
        families(calling: fullName).filter { family in family.acquire.contains { $0.names.contains(fullName) } }
    }

    /// Whether what a call of this full name arms fires again and again; nil where it arms nothing, or the text does not tell.  `flag` reads
    /// the literal that the call has at a position, counted from 0.
    public func isRepeated(armedBy fullName: String?, flag: (Int) -> Bool?) -> Bool? {
        guard let fullName, let operation = arming[fullName] else { return nil }
        guard let position = operation.repeats else { return false }
        return flag(position)
    }

    /// The automaton by which the objects of a class live, given its ancestry (protocols included), nearest first.
    public func automaton(forAncestry ancestry: [String]) -> Automaton? {
        for name in ancestry {
            if let found = automata.first(where: { $0.classes.contains(name) }) { return found }
        }
        return automata.first { $0.classes.isEmpty }
    }

    /// The initialiser that a plain `init` calls on the object itself, by the nearest class that has one; `classes` begin with the nearest.
    public func initializerOfInit(inAncestry classes: [String]) -> String? { classes.lazy.compactMap { self.lifecycles[$0]?.initializerOfInit }.first }

    /// What is known of a method for classes with this chain of platform superclasses, nearest first: the nearest class that
    /// speaks of the method decides.
    public func method(named fullName: String, inAncestry ancestry: [String]) -> (owner: String, method: LifecycleClass.Method)? {
        for name in ancestry {
            if let method = lifecycles[name]?.methods.first(where: { $0.names.contains(fullName) }) { return (name, method) }
        }
        return nil
    }

    /// Whether a lifecycle of these classes speaks of a method of this base name.
    public func knowsMethod(_ baseName: String, inAncestry ancestry: [String]) -> Bool {
        ancestry.contains { lifecycles[$0]?.methods.contains { $0.names.contains { ResourceFamily.baseName(of: $0) == baseName } } ?? false }
    }
}
