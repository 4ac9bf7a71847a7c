/// What of views the layout sets, and what keeps a size or place that was computed from it;
/// a class, so that looking up one of its many lists copies none.
public final class GeometryKnowledge: Sendable {
    /// The classes whose objects have a size that the layout sets.
    public let classes: [String]
    /// Classes whose objects have their size from the start.
    public let sizedClasses: Set<String>
    /// The SDK classes whose objects are given their size before those who use them get them.
    public let sizedForUse: Set<String>
    /// Properties that are final only after a layout.
    public let reads: Set<String>
    /// Properties that keep what they are given until somebody sets them again.
    public let keeps: Set<String>
    /// Types whose initialisers make a value from values.
    public let carrierTypes: Set<String>
    /// The beginnings of the names of functions and methods that make a value from values.
    public let carrierCalls: [String]
    /// The base names of the calls that add to a path.
    public let pathCalls: Set<String>
    /// The names of properties and functions that say where a frame begins; where bounds begin is no matter of the layout.
    public let beginnings: Set<String>
    /// The names of properties and functions that take one dimension of a size, by the dimension, `width` or `height`.
    public let dimensions: [String: Set<String>]
    /// The ends of names under which categories and extensions set a frame or a part of it, without case.
    public let frameParts: [String]
    /// The base names of calls that make what a nib holds.
    public let loadsNib: Set<String>
    /// The base names of calls that give a view its size.
    public let sizes: Set<String>
    /// Properties and beginnings of calls after which the layout decides of an object.
    public let laidOutBy: [String]
    /// What begins so as well, and has nothing to do with the layout: `fillColor`.
    public let notLaidOutBy: Set<String>
    /// Calls that lay out at once.
    public let laysOut: Set<String>
    /// Properties whose views get their size from the one who holds them.
    public let fittedBy: Set<String>
    /// The properties that say how far a controller's view goes below bars.
    public let bars: Set<String>
    /// The base names of methods that run again when the size changes.
    public let refreshes: Set<String>
    /// The names of what calls a method for each frame: a class that is made, or the base name of a method that makes one.
    public let frames: Set<String>
    /// Views whose sizes a nib gives for good, so that what is read before the layout is no mistake by itself.
    public let sizedByNib: [String]
    /// The beginnings of the full names of a list's calls that give a view which may have been used before.
    public let usedAgain: [String]
    /// The full names of a delegate's methods that are told of a view, their second argument, each time it is used again.
    public let shownAgain: Set<String>
    /// The beginnings of the full names of class methods that make a view or layer anew.
    public let factories: [String]
    /// How methods begin by which views are told what to show, before they are laid out.
    public let configures: [String]
    /// How methods begin by which cells are given what they show, beside those.
    public let configuresCells: [String]
    /// The base names of the methods that the layout calls.
    public let layouts: Set<String>

    /// The lists to which calls add that give a view, layer or controller one thing more, by the base names of the calls.
    public let addedTo: [String: String]
    /// The base names of calls that take it away again.
    public let removes: Set<String>
    /// The base names of calls that activate constraints, and of those that let constraints go or replace all.
    public let constrains: Set<String>
    public let unconstrains: Set<String>
    /// The base names of methods that run again only when somebody asks for it, or when a view goes: constraints that they make do no harm.
    public let seldom: Set<String>
    /// The properties whose object is in use while the screen is: a new one loses what the old one was doing.
    public let replaced: Set<String>
    /// The lists of what was added that properties show, by the names of the properties: set or emptied, they take it away.
    public let listedBy: [String: String]

    init(_ reader: RecordReader) throws(RuleDataError) {
        var reader = reader
        _ = try reader.text("geometry")
        _ = try reader.text("source")
        classes = try reader.texts("classes")
        sizedClasses = Set(try reader.texts("sized_classes"))
        sizedForUse = Set(try reader.texts("sized_for_use"))
        reads = Set(try reader.texts("reads"))
        keeps = Set(try reader.texts("keeps"))
        carrierTypes = Set(try reader.texts("carrier_types"))
        carrierCalls = try reader.texts("carrier_calls")
        pathCalls = Set(try reader.texts("path_calls"))
        beginnings = Set(try reader.texts("beginnings"))
        dimensions = ["width": Set(try reader.texts("widths")), "height": Set(try reader.texts("heights"))]
        frameParts = try reader.texts("frame_parts")
        loadsNib = Set(try reader.texts("loads_nib"))
        sizes = Set(try reader.texts("sizes"))
        laidOutBy = try reader.texts("laid_out_by")
        notLaidOutBy = Set(try reader.texts("not_laid_out_by"))
        laysOut = Set(try reader.texts("lays_out"))
        fittedBy = Set(try reader.texts("fitted_by"))
        bars = Set(try reader.texts("bars"))
        refreshes = Set(try reader.texts("refreshes"))
        frames = Set(try reader.texts("frames"))
        sizedByNib = try reader.texts("sized_by_nib")
        usedAgain = try reader.texts("used_again")
        shownAgain = Set(try reader.texts("shown_again"))
        factories = try reader.texts("factories")
        configures = try reader.texts("configures")
        configuresCells = try reader.texts("configures_cells")
        layouts = Set(try reader.texts("layouts"))
        addedTo = Dictionary(try reader.words("adds").map { ($0.key, $0.value) }) { first, _ in first }
        removes = Set(try reader.texts("removes"))
        constrains = Set(try reader.texts("constrains"))
        unconstrains = Set(try reader.texts("unconstrains"))
        seldom = Set(try reader.texts("seldom"))
        listedBy = Dictionary(try reader.words("lists").map { ($0.key, $0.value) }) { first, _ in first }
        replaced = Set(try reader.texts("replaced"))
        try reader.finish()
    }

    /// The calls that take away what was added or constrained.
    public var takesAway: Set<String> { removes.union(unconstrains) }

    /// Whether a method of this full name tells a view, or a cell, what to show.
    public func prepares(_ fullName: String, cell isCell: Bool) -> Bool {
        configures.contains { fullName.hasPrefix($0) } || isCell && configuresCells.contains { fullName.hasPrefix($0) }
    }

    /// Whether a call of this full name gives a cell, header or other view that a list may have used before.
    public func givesAgain(_ fullName: String) -> Bool { usedAgain.contains { fullName.hasPrefix($0) } }

    /// Whether a class method of this full name makes a view or layer anew.
    public func makesNew(_ fullName: String) -> Bool { factories.contains { fullName.hasPrefix($0) } }

    /// Whether a call of this base name makes a value from its arguments and its receiver.
    public func carries(_ baseName: String) -> Bool { carrierCalls.contains { baseName.hasPrefix($0) } }

    /// Whether the layout decides of an object after this property or call of it.
    public func laysOutLater(_ name: String) -> Bool { name.hasSuffix("Anchor") || !notLaidOutBy.contains(name) && laidOutBy.contains { name.hasPrefix($0) } }

    /// The dimension that a property or function of this name takes of a size.
    public func dimension(takenBy name: String) -> String? { dimensions.first { $0.value.contains(name) }?.key }

    /// Whether a property of this name, which the SDK does not have, sets a frame or a part of it.
    public func setsFrame(_ name: String) -> Bool {
        let lower = name.lowercased()
        return frameParts.contains { lower.hasSuffix($0) }
    }

    /// Whether a write to a property of this name tells of sizes and places: it keeps one, or says who sets them.
    public func decidesOfSizes(_ name: String) -> Bool { keeps.contains(name) || laysOutLater(name) || name == "autoresizingMask" }
}
