import Foundation
import ProgramModel
#if canImport(FoundationXML)
import FoundationXML
#endif

/// Reads storyboards and xibs.
public enum InterfaceReader {
    /// The facts of a file's bytes; half a file gives none, for what is missing from it would be taken for absent.
    public static func facts(of bytes: [UInt8]) -> Result<InterfaceFacts, ResourceFault> {
        // The parser of the free Foundation traps on names and values that are no UTF-8.
        guard String(validating: bytes, as: UTF8.self) != nil else { return .failure(ResourceFault(message: "the file is not UTF-8 and is skipped")) }
        // Interface Builder writes no document type; the entities of one could make a small file a large one.
        guard Data(bytes).range(of: Data("<!DOCTYPE".utf8)) == nil else {
            return .failure(ResourceFault(message: "the file declares a document type, which no storyboard or xib does, and is skipped"))
        }
        let document = InterfaceDocument()
        let end = parse(bytes, document)
        if document.isArchive { return archivedFacts(of: bytes) }
        if let fault = document.fault { return .failure(fault) }
        // The free Foundation calls half a file well-formed.
        guard end.isRead, document.isClosed else { return .failure(notWellFormed(line: end.line)) }
        guard let kind = document.kind else { return .failure(ResourceFault(message: "the file is no storyboard or xib and is skipped")) }
        return .success(InterfaceFacts(kind: kind, isCocoaTouch: document.isCocoaTouch, initialController: document.initialController, objects: document.objects))
    }

    /// The facts of a xib in the form of Xcode 4 and earlier.
    private static func archivedFacts(of bytes: [UInt8]) -> Result<InterfaceFacts, ResourceFault> {
        let archive = InterfaceArchive()
        let end = parse(bytes, archive)
        guard end.isRead, archive.isClosed else { return .failure(notWellFormed(line: end.line)) }
        guard archive.type.hasPrefix("com.apple.InterfaceBuilder"), let interface = ArchivedInterface(archive) else {
            return .failure(ResourceFault(message: "the file is no storyboard or xib and is skipped"))
        }
        return .success(interface.facts)
    }

    /// Hands the elements to a delegate, and says in which line the parser stopped.
    private static func parse(_ bytes: [UInt8], _ delegate: some XMLParserDelegate) -> (isRead: Bool, line: Int) {
        let parser = XMLParser(data: Data(bytes))
        parser.shouldResolveExternalEntities = false
        parser.delegate = delegate
        let isRead = parser.parse()
        return (isRead, parser.lineNumber)
    }

    private static func notWellFormed(line: Int) -> ResourceFault {
        ResourceFault(message: "the file is no well-formed XML\(line > 0 ? " (line \(line))" : "") and is skipped")
    }
}

/// What has been read of a document so far.
private final class InterfaceDocument: NSObject, XMLParserDelegate {
    var kind: InterfaceFacts.Kind?
    var isCocoaTouch = false
    var initialController: String?
    var objects: [InterfaceObject] = []
    var fault: ResourceFault?
    /// Whether it has the form of Xcode 4 and earlier, which says the same in other words.
    private(set) var isArchive = false
    /// Whether the end of the outermost element was seen.
    private(set) var isClosed = false
    private var scene: String?
    /// For each open element the object that it is, if it is one.
    private var open: [(element: String, object: Int?)] = []
    /// What decides of the sizes of the objects, by their index.
    private var sizes: [Int: WrittenSize] = [:]
    /// The objects that stack views arrange, by their index.
    private var arranged: Set<Int> = []

    func parser(_ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?, attributes: [String: String] = [:]) {
        if open.isEmpty { begin(element, attributes, parser) }
        guard fault == nil else { return }
        var object: Int?
        if open.last?.element == "connections" {
            if let owner = open.lazy.compactMap(\.object).last, let connection = connection(element, attributes, line: parser.lineNumber) {
                objects[owner].connections.append(connection)
            }
        } else if element == "scene" {
            scene = attributes["sceneID"]
        } else if element == "userDefinedRuntimeAttribute" {
            if let owner = open.lazy.compactMap(\.object).last, let path = attributes["keyPath"] { objects[owner].runtimeAttributes.append(path) }
        } else if let id = attributes["id"], !open.isEmpty {
            let owner = open.lazy.compactMap(\.object).last
            if element == "constraint", let owner {
                sizes[owner, default: WrittenSize()].note(constraint: attributes, of: objects[owner].id)
            }
            object = objects.count
            objects.append(self.object(element, id: id, attributes, line: parser.lineNumber))
            // A view without constraints in an interface that has some keeps its mask, or none that would change its size.
            let isFixed = attributes["fixedFrame"] == "YES"
            let follows = open.last?.element == "subviews" && (isFixed || attributes["translatesAutoresizingMaskIntoConstraints"] != "NO")
            let isOfStack = owner.map { objects[$0].element == "stackView" } ?? true
            if isOfStack, open.last?.element == "subviews" { arranged.insert(objects.count - 1) }
            sizes[objects.count - 1] = WrittenSize(
                followsMask: follows && !isOfStack, hasMask: isFixed, stretched: element == "stackView" ? WrittenSize.stretched(byStack: attributes) : nil)
        } else if let owner = open.lazy.compactMap(\.object).last {
            sizes[owner, default: WrittenSize()].note(element, attributes)
            // One that differs by size class, or is left out, decides nothing.
            if element == "variation", objects[owner].element == "constraint", let view = objects[owner].parent {
                sizes[view]?.drop(constraint: objects[owner].id)
            }
        }
        open.append((element, object))
    }

    func parser(_ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?) {
        guard fault == nil else { return }
        if element == "scene" { scene = nil }
        if let object = open.removeLast().object, let size = sizes[object] {
            objects[object].fixedDimensions = size.fixedDimensions
            if let parent = objects[object].parent { sizes[parent]?.note(child: objects[object].id, size) }
        }
        isClosed = open.isEmpty
        if isClosed { fixWhatFollows() }
    }

    /// What fills a view of a size that stays, or is as large as one, has such a size as well.
    private func fixWhatFollows() {
        let indices = Dictionary(objects.indices.map { (objects[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
        let equalities = sizes.values.flatMap(\.equalities)
        var grew = true
        func fix(_ index: Int, _ dimension: String, by other: Int) {
            guard objects[other].isFixed(dimension), !objects[index].isFixed(dimension) else { return }
            objects[index].fixedDimensions.insert(dimension)
            grew = true
        }
        while grew {
            grew = false
            // Views come before those in them.
            for index in objects.indices {
                guard let parent = objects[index].parent, !objects[parent].fixedDimensions.isEmpty, let size = sizes[index], let whole = sizes[parent] else { continue }
                for dimension in whole.dimensions(givenTo: objects[index].id, size, isArranged: arranged.contains(index)) { fix(index, dimension, by: parent) }
            }
            for equal in equalities {
                guard let one = indices[equal.first], let other = indices[equal.second], let size = sizes[one], sizes[other]?.isLoadedLike(size, in: equal.dimension) ?? false else { continue }
                fix(one, equal.dimension, by: other)
                fix(other, equal.dimension, by: one)
            }
        }
        sizes = [:]
    }

    private func stop(_ parser: XMLParser, _ message: String) {
        fault = fault ?? ResourceFault(message: message)
        parser.abortParsing()
    }

    private func begin(_ element: String, _ attributes: [String: String], _ parser: XMLParser) {
        switch element {
        case "document":
            kind = attributes["type"]?.contains("Storyboard") == true ? .storyboard : .nib
            isCocoaTouch = attributes["type"]?.contains("CocoaTouch") == true
            initialController = attributes["initialViewController"]
        case "archive":
            isArchive = true
            stop(parser, "the file has the form of Xcode 4 and earlier")
        default: stop(parser, "the file is no storyboard or xib and is skipped")
        }
    }

    private func object(_ element: String, id: String, _ attributes: [String: String], line: Int) -> InterfaceObject {
        var object = InterfaceObject(id: id, element: element, line: line)
        object.customClass = attributes["customClass"]
        object.customModule = attributes["customModule"]
        object.scene = scene
        object.parent = open.lazy.compactMap(\.object).last
        object.isSceneController = attributes["sceneMemberID"] == "viewController"
        object.storyboardIdentifier = attributes["storyboardIdentifier"]
        object.reuseIdentifier = attributes["reuseIdentifier"]
        object.placeholder = attributes["placeholderIdentifier"]
        if element == "viewControllerPlaceholder" { object.referencedStoryboard = attributes["storyboardName"] ?? "" }
        object.referencedIdentifier = attributes["referencedIdentifier"]
        object.minimumZoomScale = attributes["minimumZoomScale"].flatMap(Double.init)
        object.maximumZoomScale = attributes["maximumZoomScale"].flatMap(Double.init)
        object.adjustsFontForContentSizeCategory = attributes["adjustsFontForContentSizeCategory"] == "YES"
        return object
    }

    private func connection(_ element: String, _ attributes: [String: String], line: Int) -> InterfaceConnection? {
        // An action of AppKit calls its destination the target.
        guard let destination = attributes["destination"] ?? attributes["target"] else { return nil }
        let kind: InterfaceConnection.Kind? = switch element {
        case "outlet": attributes["property"].map { .outlet($0) }
        case "outletCollection": attributes["property"].map { .outletCollection($0) }
        case "action": attributes["selector"].map { .action(selector: $0, event: attributes["eventType"]) }
        case "segue": attributes["kind"].map { kind in
            .segue(InterfaceConnection.Segue(
                kind: kind, identifier: attributes["identifier"], customClass: attributes["customClass"], relationship: attributes["relationship"],
                unwindAction: attributes["unwindAction"], creator: attributes["destinationCreationSelector"]))
        }
        default: nil
        }
        return kind.map { InterfaceConnection(kind: $0, destination: destination, line: line) }
    }
}
