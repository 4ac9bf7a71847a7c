/// What a storyboard or xib says of the size of one view.
struct WrittenSize {
    /// Whether the view is sized by its autoresizing mask where it has one.
    private let followsMask: Bool
    private var mask: [String: String]?
    /// The size in the file, with which the view is loaded: `width` and `height`, in points.
    private var frame: [String: Double] = [:]
    /// The constants of the constraints that speak of a dimension alone, by the constraints' ids.
    private var constants: [String: (dimension: String, constant: Double)] = [:]
    /// The constraints that bind one dimension to the other.
    private var ratios: Set<String> = []
    /// The constraints that bind an edge of a view in it to its own edge, by their ids, with how far inside it is, in points.
    private var edges: [String: (child: String, edge: String, inset: Double)] = [:]
    /// The constraints that stand in it and give two views one dimension, by their ids.
    private var equals: [String: Equality] = [:]
    /// The dimension that a stack view gives all views in it which it arranges; nil where it gives none.
    private let stretched: String?
    /// The sizes that views in it have from the time when they are loaded, by the views' ids.
    private var sizesOfChildren: [String: [String: Double]] = [:]

    /// Makes the size of which nothing was read; `hasMask` says whether no word of a mask means one that leaves the size as it is.
    init(followsMask: Bool = false, hasMask: Bool = false, stretched: String? = nil) {
        (self.followsMask, self.stretched) = (followsMask, stretched)
        mask = hasMask ? [:] : nil
    }

    /// The dimension that a stack view with these attributes gives what it arranges: across its axis, where it says nothing else.
    static func stretched(byStack attributes: [String: String]) -> String? {
        guard attributes["alignment"] ?? "fill" == "fill" else { return nil }
        return attributes["axis"] == "vertical" ? "width" : "height"
    }

    /// A constraint that stands in a view and speaks of its own width or height alone decides it, unless it only bounds it.
    mutating func note(constraint attributes: [String: String], of view: String) {
        guard attributes["relation"] ?? "equal" == "equal", attributes["priority"] ?? "1000" == "1000", let id = attributes["id"] else { return }
        let (first, second) = (attributes["firstItem"] ?? view, attributes["secondItem"] ?? view)
        if (first == view) != (second == view), let edge = attributes["firstAttribute"], attributes["secondAttribute"] == edge {
            let constant = attributes["constant"].flatMap(Double.init) ?? 0
            let isBeginning = ["leading", "left", "top"].contains(edge)
            edges[id] = (first == view ? second : first, edge, (first == view) == isBeginning ? -constant : constant)
        }
        guard let dimension = attributes["firstAttribute"], Self.dimensions.contains(dimension) else { return }
        if attributes["secondAttribute"] == dimension, attributes["multiplier"] == nil, attributes["constant"] == nil {
            equals[id] = Equality(first: first, second: second, dimension: dimension)
        }
        guard first == view, second == view else { return }
        if attributes["secondItem"] == nil, attributes["secondAttribute"] == nil {
            constants[id] = (dimension, attributes["constant"].flatMap(Double.init) ?? 0)
        } else if let other = attributes["secondAttribute"], Self.dimensions.contains(other), dimension != other {
            ratios.insert(id)
        }
    }

    /// An element that stands in the view.
    mutating func note(_ element: String, _ attributes: [String: String]) {
        switch (element, attributes["key"]) {
        case ("autoresizingMask", _): mask = attributes
        case ("rect", "frame"):
            for dimension in Self.dimensions { frame[dimension] = attributes[dimension].flatMap(Double.init) }
        case ("exclude", _): attributes["reference"].map { drop(constraint: $0) }
        default: break
        }
    }

    /// A view that stands in this one and was read to its end.
    mutating func note(child: String, _ size: WrittenSize) {
        let fixed = size.fixedDimensions
        sizesOfChildren[child] = size.frame.filter { fixed.contains($0.key) }
    }

    /// Forgets a constraint that does not always hold.
    mutating func drop(constraint id: String) {
        constants[id] = nil
        edges[id] = nil
        equals[id] = nil
        ratios.remove(id)
    }

    /// The dimensions that the view has from the time when it is loaded, and `ratio` where one follows from the other.
    var fixedDimensions: Set<String> {
        var found: Set<String> = []
        // Image views are drawn by a frame that is a point or two off what the constraint says of their alignment rectangle.
        for (dimension, constant) in constants.values where frame[dimension].map({ abs($0 - constant) < 2 }) ?? false { found.insert(dimension) }
        if !ratios.isEmpty { found.insert("ratio") }
        // What holds a view of such a size between two of its edges follows from that.
        for (child, size) in sizesOfChildren {
            let bound = edges.values.filter { $0.child == child }.map(\.edge)
            for dimension in size.keys where Self.ends[dimension]?.contains(where: { $0.allSatisfy(bound.contains) }) ?? false { found.insert(dimension) }
        }
        if followsMask, let mask {
            if mask["widthSizable"] != "YES" { found.insert("width") }
            if mask["heightSizable"] != "YES" { found.insert("height") }
        }
        return found
    }

    /// The dimensions that a view in this one takes from it: what lies between two of its edges, or is stretched, and was loaded so.
    func dimensions(givenTo child: String, _ size: WrittenSize, isArranged: Bool) -> Set<String> {
        Set(Self.dimensions.filter { dimension in
            guard let whole = frame[dimension], let part = size.frame[dimension] else { return false }
            if isArranged { return stretched == dimension && abs(whole - part) < 2 }
            return Self.ends[dimension]?.contains { pair in
                let insets = pair.map { end in edges.values.filter { $0.child == child && $0.edge == end }.map(\.inset) }
                // Where several bind one edge, nobody knows which of them holds.
                guard insets.allSatisfy({ $0.count == 1 }) else { return false }
                return abs(whole - insets.joined().reduce(0, +) - part) < 2
            } ?? false
        })
    }

    /// That two views have one dimension in common.
    struct Equality {
        let first: String
        let second: String
        let dimension: String
    }

    /// What the constraints that stand in it say of two views of one size, in no order.
    var equalities: [Equality] { Array(equals.values) }

    /// Whether two views are loaded with the same size in a dimension.
    func isLoadedLike(_ other: WrittenSize, in dimension: String) -> Bool {
        guard let own = frame[dimension], let others = other.frame[dimension] else { return false }
        return abs(own - others) < 2
    }

    private static let dimensions = ["width", "height"]
    /// The edges between which a dimension lies.
    private static let ends = ["width": [["leading", "trailing"], ["left", "right"]], "height": [["top", "bottom"]]]
}
