import RuleLibrary
import SourceText

/// What one run knows of sizes and places that were read before the layout had set them.
struct GeometryLog: Sendable {
    /// One such read.
    struct Read: Hashable, Sendable {
        let object: ObjectID
        let property: String
        let site: Site
        let event: Int
        /// Whether the object was made without a size, so that what was read is zero.
        let isZero: Bool
        /// Whether the object had been given its place by then, from nothing that a layout sets.
        let isGiven: Bool
        /// Whether it is the frame with which the object was made, which stands where it is used.
        var isParameter = false

        /// The same, as it is read at another place.
        func used(at site: Site) -> Read { Read(object: object, property: property, site: site, event: event, isZero: isZero, isGiven: isGiven, isParameter: isParameter) }
    }

    /// The properties that place an object.
    static let places: Set<String> = ["frame", "bounds", "center"]

    /// A property of an object that keeps what was computed from a read.
    struct Kept: Hashable, Sendable {
        let object: ObjectID
        let property: String
    }

    /// The reads from which unknown values, by number, were computed.
    var values: [Int: Read] = [:]
    /// The reads from which objects, such as paths, were made.
    var objects: [ObjectID: Read] = [:]
    /// The properties of which unknown values are parts.
    var parts: [Int: Kept] = [:]
    /// The unknown values that a nib made, by number.
    var ofNibs: Set<Int> = []
    /// The objects that stand for unknown values whose properties were set.
    var holders: [Int: ObjectID] = [:]
    /// What keeps a value that was computed from a read, in order.
    private(set) var uses: [(kept: Kept, read: Read, site: Site)] = []
    /// The objects that were given their size.
    var settled: Set<ObjectID> = []
    /// The objects that were placed by what no layout sets.
    var given: Set<ObjectID> = []
    /// The objects that the layout places by constraints.
    var constrained: Set<ObjectID> = []
    /// The objects that follow the size of their superview by a mask.
    var masked: Set<ObjectID> = []
    /// The objects whose mask moves them and leaves their size as it is.
    var rigid: Set<ObjectID> = []
    /// The objects whose mask leaves their height as it is.
    var steadyHeights: Set<ObjectID> = []
    /// The objects that were made without a size.
    var empty: Set<ObjectID> = []
    /// What was set in a method that the layout calls.
    var setByLayout: Set<Kept> = []
    /// Whether the object was shown: until then what is set replaces what nobody has seen.
    var isShown = false
    /// The event in which something was laid out at once.
    var laidOutIn: Int?

    /// Another object took the place of this one.
    mutating func forget(_ object: ObjectID) { uses.removeAll { $0.kept.object == object } }

    /// Whether what a statement sets by an early read is set again by the layout.
    func isSetAgain(_ site: Site) -> Bool { uses.contains { $0.site == site && setByLayout.contains($0.kept) } }

    /// Whether an object has the size that the code gave it, and no layout changes that.
    func keepsItsSize(_ object: ObjectID) -> Bool {
        rigid.contains(object) && !constrained.contains(object) && (given.contains(object) || uses.contains { $0.kept.object == object && Self.places.contains($0.kept.property) })
    }

    /// What this event or an earlier one had set is set anew, before anybody has seen it.
    mutating func replace(_ kept: Kept, in event: Int) {
        if !isShown { uses.removeAll { $0.kept == kept && $0.read.event <= event } }
    }

    mutating func note(_ kept: Kept, _ read: Read, _ site: Site) { uses.append((kept, read, site)) }
}
