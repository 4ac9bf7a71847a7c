import Foundation
import ProgramModel
#if canImport(FoundationXML)
import FoundationXML
#endif

/// The tree of values of a xib in the form of Xcode 4 and earlier: an archive of Interface Builder's own objects, which name each other by ids.
///
/// Values are told by their index, and hold the indices of those that stand in them, so a file however deep is read without recursion.
final class InterfaceArchive: NSObject, XMLParserDelegate {
    /// One value: an object, a reference to one, a string, a number, a collection.
    struct Value {
        /// `object`, `reference`, `string`, `array`, `int` …
        let element: String
        /// The name under which it stands in its owner.
        let key: String?
        let className: String?
        /// The id of the object that a reference leads to.
        let reference: String?
        var text: String
        var children: [Int] = []
        let line: Int
    }

    private(set) var values: [Value] = []
    /// Whether the end of the outermost element was seen.
    private(set) var isClosed = false
    /// `com.apple.InterfaceBuilder3.CocoaTouch.XIB`.
    private(set) var type = ""
    private var indices: [String: Int] = [:]
    private var open: [Int] = []

    func parser(_ parser: XMLParser, didStartElement element: String, namespaceURI: String?, qualifiedName: String?, attributes: [String: String] = [:]) {
        if open.isEmpty { type = attributes["type"] ?? "" }
        let index = values.count
        values.append(Value(
            element: element, key: attributes["key"], className: attributes["class"], reference: attributes["ref"], text: attributes["value"] ?? "",
            line: parser.lineNumber))
        if let id = attributes["id"] { indices[id] = index }
        if let owner = open.last { values[owner].children.append(index) }
        open.append(index)
    }

    func parser(_ parser: XMLParser, foundCharacters text: String) {
        if let index = open.last, Self.textual.contains(values[index].element) { values[index].text += text }
    }

    func parser(_ parser: XMLParser, didEndElement element: String, namespaceURI: String?, qualifiedName: String?) {
        _ = open.popLast()
        isClosed = open.isEmpty
    }

    private static let textual: Set<String> = ["string", "characters", "int", "integer", "bool", "real", "double", "float"]

    /// The first value of a key, wherever it stands.
    func first(_ key: String) -> Int? { values.firstIndex { $0.key == key } }

    /// What stands in a value under a key: the object itself where a reference stands there.
    func value(_ key: String, of owner: Int) -> Int? {
        values[owner].children.first { values[$0].key == key }.flatMap(resolved)
    }

    /// The text of a string or number that stands in a value under a key.
    func text(_ key: String, of owner: Int) -> String? {
        guard let found = value(key, of: owner) else { return nil }
        // A string that was edited last keeps its letters in a value of its own.
        let text = values[found].text.isEmpty ? values[found].children.first { values[$0].key == "NS.bytes" }.map { values[$0].text } ?? "" : values[found].text
        return text.isEmpty ? nil : text
    }

    /// The elements of a collection.
    func elements(of collection: Int) -> [Int] {
        values[collection].children.filter { values[$0].key != "EncodedWithXMLCoder" }.compactMap(resolved)
    }

    /// The keys and values of a dictionary, which has been written in three ways over the years.
    func entries(of dictionary: Int) -> [(key: String, value: Int)] {
        if let keys = value("dict.sortedKeys", of: dictionary), let contents = value("dict.values", of: dictionary) {
            return zip(elements(of: keys), elements(of: contents)).map { (values[$0].text, $1) }
        }
        let written = values[dictionary].children.compactMap { child in values[child].key.map { (key: $0, value: child) } }
        let prefix = "NS.object."
        return written.compactMap { key, child in
            guard !key.hasPrefix("NS.key."), let value = resolved(child) else { return nil }
            guard key.hasPrefix(prefix) else { return (key, value) }
            return written.first { $0.key == "NS.key." + key.dropFirst(prefix.count) }.map { (values[$0.value].text, value) }
        }
    }

    private func resolved(_ index: Int) -> Int? {
        guard values[index].element == "reference" else { return values[index].element == "nil" ? nil : index }
        return values[index].reference.flatMap { indices[$0] }
    }
}
