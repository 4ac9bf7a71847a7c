import ProgramModel

/// Reads the facts of a xib out of its archive.
///
/// The archive has a list of records, one an object, with its number, its owner and its place in the tree; a list of connections; and a
/// dictionary of what is said of each object by its number, such as `12.CustomClassName`.
struct ArchivedInterface {
    private let archive: InterfaceArchive
    private let records: [Record]
    /// The records' indices by that of the object.
    private let recordsByObject: [Int: Int]
    /// What is said of an object, by its number and the name of the property.
    private let properties: [String: Int]
    /// The records of the constraints that stand in a view, by the view's index.
    private let constraints: [Int: [Record]]
    /// Whether constraints decide of sizes.
    private let usesConstraints: Bool

    /// What is written of one object.
    private struct Record {
        let id: String
        /// The index of its value.
        let object: Int
        /// The index of the value of the object that it lies in.
        let owner: Int?
    }

    /// The reader of an archive; nil where the archive holds no interface.
    init?(_ archive: InterfaceArchive) {
        guard let container = archive.first("IBDocument.Objects"), let list = archive.value("objectRecords", of: container),
              let ordered = archive.value("orderedObjects", of: list) else { return nil }
        self.archive = archive
        records = archive.elements(of: ordered).compactMap { record in
            // The list of all that lies in nothing else has a record as well.
            guard let id = archive.text("objectID", of: record), id != "0", let object = archive.value("object", of: record), archive.values[object].element == "object" else { return nil }
            return Record(id: id, object: object, owner: archive.value("parent", of: record))
        }
        constraints = Dictionary(grouping: records.filter { archive.values[$0.object].className == "IBNSLayoutConstraint" && $0.owner != nil }) { $0.owner ?? 0 }
        recordsByObject = Dictionary(records.enumerated().map { ($1.object, $0) }) { first, _ in first }
        let said = archive.value("flattenedProperties", of: container).map(archive.entries) ?? []
        properties = Dictionary(said.map { ($0.key, $0.value) }) { first, _ in first }
        usesConstraints = archive.first("IBDocument.UseAutolayout").map { archive.values[$0].text == "YES" } ?? false
    }

    /// What the xib says.
    var facts: InterfaceFacts {
        let order = recordsInTreeOrder
        let places = Dictionary(order.enumerated().map { (records[$1].object, $0) }) { first, _ in first }
        var objects = order.map { record(records[$0], places) }
        for connection in archive.first("connectionRecords").map(archive.elements) ?? [] {
            guard let inner = archive.value("connection", of: connection), let source = archive.value("source", of: inner), let destination = archive.value("destination", of: inner),
                  let name = archive.text("label", of: inner), let kind = kind(of: inner, name) else { continue }
            // An action stands at the control that sends it; AppKit writes the target first.
            let isTargetFirst = archive.values[inner].className == "IBActionConnection"
            let (from, to) = isTargetFirst ? (destination, source) : (source, destination)
            guard let place = places[from], let goal = recordsByObject[to] else { continue }
            objects[place].connections.append(InterfaceConnection(kind: kind, destination: records[goal].id, line: archive.values[connection].line))
        }
        return InterfaceFacts(kind: .nib, isCocoaTouch: archive.type.contains("CocoaTouch"), objects: objects)
    }

    /// The records' indices, each after that of the object that it lies in.
    private var recordsInTreeOrder: [Int] {
        var children: [Int: [Int]] = [:]
        for (index, record) in records.enumerated() {
            if let owner = record.owner.flatMap({ recordsByObject[$0] }), owner != index { children[owner, default: []].append(index) }
        }
        let inner = Set(children.values.joined())
        var order: [Int] = []
        var seen: Set<Int> = []
        // Records that lie in each other, which Interface Builder never writes, come last.
        for root in records.indices.filter({ !inner.contains($0) }) + records.indices {
            var waiting = [root]
            while let next = waiting.popLast() {
                guard seen.insert(next).inserted else { continue }
                order.append(next)
                waiting += (children[next] ?? []).reversed()
            }
        }
        return order
    }

    private func record(_ record: Record, _ places: [Int: Int]) -> InterfaceObject {
        let value = archive.values[record.object]
        var object = InterfaceObject(id: record.id, element: Self.element(of: value.className ?? ""), line: value.line)
        func text(_ keys: String...) -> String? { keys.lazy.compactMap { archive.text($0, of: record.object) }.first }
        object.customClass = properties[record.id + ".CustomClassName"].map { archive.values[$0].text } ?? text("NSClassName", "NSWindowClass")
        object.parent = record.owner.flatMap { places[$0] }
        object.placeholder = text("IBProxiedObjectIdentifier")
        object.reuseIdentifier = text("IBUIReuseIdentifier")
        object.minimumZoomScale = text("IBUIMinimumZoomScale").flatMap(Double.init)
        object.maximumZoomScale = text("IBUIMaximumZoomScale").flatMap(Double.init)
        object.fixedDimensions = size(of: record).fixedDimensions
        object.runtimeAttributes = runtimeAttributes(of: record)
        return object
    }

    /// The key paths that are set when an object is made.
    private func runtimeAttributes(of record: Record) -> [String] {
        guard let placeholders = properties[record.id + ".IBAttributePlaceholdersKey"] else { return [] }
        return archive.entries(of: placeholders).compactMap { archive.value("userDefinedRuntimeAttributes", of: $0.value) }
            .flatMap(archive.elements).compactMap { archive.text("keyPath", of: $0) }
    }

    /// What the xib says of the size of a view.
    private func size(of record: Record) -> WrittenSize {
        let isInView = record.owner.map { archive.value("NSSubviews", of: $0) != nil } ?? false
        var size = WrittenSize(followsMask: isInView && !usesConstraints)
        let numbers = (archive.text("NSFrame", of: record.object) ?? archive.text("NSFrameSize", of: record.object) ?? "")
            .split { "{}, ".contains($0) }.suffix(2)
        if numbers.count == 2 { size.note("rect", ["key": "frame", "width": String(numbers.first ?? ""), "height": String(numbers.last ?? "")]) }
        if let flags = archive.text("NSvFlags", of: record.object).flatMap({ Int($0) }) {
            size.note("autoresizingMask", ["widthSizable": flags & Self.widthSizable != 0 ? "YES" : "NO", "heightSizable": flags & Self.heightSizable != 0 ? "YES" : "NO"])
        }
        for constraint in constraints[record.object] ?? [] {
            func item(_ key: String) -> String? { archive.value(key, of: constraint.object).flatMap { recordsByObject[$0] }.map { records[$0].id } }
            var attributes = ["id": constraint.id, "relation": archive.text("relation", of: constraint.object) == "0" ? "equal" : "other"]
            attributes["priority"] = archive.text("priority", of: constraint.object)
            attributes["firstItem"] = item("firstItem")
            attributes["secondItem"] = item("secondItem")
            attributes["firstAttribute"] = archive.text("firstAttribute", of: constraint.object).flatMap { Self.dimensions[$0] }
            attributes["secondAttribute"] = archive.text("secondAttribute", of: constraint.object).flatMap { Self.dimensions[$0] }
            attributes["constant"] = archive.value("constant", of: constraint.object).flatMap { archive.text("value", of: $0) }
            size.note(constraint: attributes, of: record.id)
        }
        return size
    }

    private func kind(of connection: Int, _ name: String) -> InterfaceConnection.Kind? {
        switch archive.values[connection].className {
        case "IBCocoaTouchOutletConnection", "IBOutletConnection": .outlet(name)
        case "IBCocoaTouchOutletCollectionConnection": .outletCollection(name)
        case "IBActionConnection": .action(selector: name, event: nil)
        case "IBCocoaTouchEventConnection": .action(selector: name, event: archive.text("IBEventType", of: connection).flatMap { Self.events[$0] })
        default: nil
        }
    }

    /// The name that the later form gives to an object of a class: `button` for `IBUIButton` and `NSButton`.
    private static func element(of className: String) -> String {
        switch className {
        case "IBProxyObject": return "placeholder"
        case "IBNSLayoutConstraint": return "constraint"
        case "NSWindowTemplate": return "window"
        default: break
        }
        let prefix = ["IBUI", "IBMK", "IB", "NS"].first(where: className.hasPrefix) ?? ""
        let rest = className.dropFirst(prefix.count)
        return rest.prefix(1).lowercased() + rest.dropFirst()
    }

    /// Bits of `NSvFlags`, which are those of AppKit's masks (NSView.AutoresizingMask page).
    private static let (widthSizable, heightSizable) = (2, 16)
    /// `NSLayoutConstraint.Attribute` of the two dimensions, by its raw value.
    private static let dimensions = ["7": "width", "8": "height"]
    /// `UIControl.Event` by one more than the bit of its raw value.
    private static let events = [
        "1": "touchDown", "2": "touchDownRepeat", "3": "touchDragInside", "4": "touchDragOutside", "5": "touchDragEnter", "6": "touchDragExit",
        "7": "touchUpInside", "8": "touchUpOutside", "9": "touchCancel", "13": "valueChanged", "17": "editingDidBegin", "18": "editingChanged",
        "19": "editingDidEnd", "20": "editingDidEndOnExit"
    ]
}
