import CLibYAML
import SourceText

/// One node of a YAML document with the place where it begins.
public struct YAMLNode: Sendable {
    /// What the node holds.
    public indirect enum Value: Sendable {
        /// A scalar, and whether it was quoted.
        case scalar(String, isQuoted: Bool)
        case sequence([YAMLNode])
        /// The pairs in order of the text.
        case mapping([(key: String, value: YAMLNode, position: SourcePosition)])
    }

    public let value: Value
    public let position: SourcePosition
}

/// A data file that cannot be used, with the place and what is allowed there.
public struct RuleDataError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file as the caller names it.
    public let file: String
    public let line: Int
    /// The key whose value is wrong, where there is one.
    public let key: String?
    public let message: String

    /// One line: file, line, key and what is wrong.
    public var description: String {
        "\(file):\(line): " + (key.map { "key '\($0)': " } ?? "") + message
    }
}

extension YAMLNode {
    /// Reads the one document of a text with libyaml; anchors' copies and tags are not used by any data of ours.
    public static func parse(_ text: String, file: String) throws(RuleDataError) -> YAMLNode {
        var parser = yaml_parser_t()
        guard yaml_parser_initialize(&parser) == 1 else {
            throw RuleDataError(file: file, line: 1, key: nil, message: "libyaml could not be started")
        }
        defer { yaml_parser_delete(&parser) }
        var document = yaml_document_t()
        var bytes = Array(text.utf8)
        // The input pointer must outlive the parser's use of it, so everything happens inside the closure.
        let result: Result<YAMLNode, RuleDataError> = bytes.withUnsafeMutableBufferPointer { buffer in
            yaml_parser_set_input_string(&parser, buffer.baseAddress, buffer.count)
            guard yaml_parser_load(&parser, &document) == 1 else {
                let problem = parser.problem.map { String(cString: $0) } ?? "it is no YAML"
                return .failure(RuleDataError(file: file, line: Int(parser.problem_mark.line) + 1, key: nil, message: "cannot be read as YAML: \(problem)"))
            }
            defer { yaml_document_delete(&document) }
            guard let root = yaml_document_get_root_node(&document) else {
                return .failure(RuleDataError(file: file, line: 1, key: nil, message: "the file is empty"))
            }
            return Result { () throws(RuleDataError) in try node(root, &document, file, depth: 0) }
        }
        return try result.get()
    }

    private static func node(
        _ pointer: UnsafeMutablePointer<yaml_node_t>, _ document: inout yaml_document_t, _ file: String, depth: Int
    ) throws(RuleDataError) -> YAMLNode {
        let mark = pointer.pointee.start_mark
        let position = SourcePosition(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
        guard depth < 64 else { throw RuleDataError(file: file, line: position.line, key: nil, message: "values are nested more than 64 deep") }
        func child(_ index: Int32) throws(RuleDataError) -> YAMLNode {
            guard let next = yaml_document_get_node(&document, index) else {
                throw RuleDataError(file: file, line: position.line, key: nil, message: "a value is missing")
            }
            return try node(next, &document, file, depth: depth + 1)
        }
        switch pointer.pointee.type {
        case YAML_SCALAR_NODE:
            let scalar = pointer.pointee.data.scalar
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            return YAMLNode(value: .scalar(text, isQuoted: scalar.style != YAML_PLAIN_SCALAR_STYLE), position: position)
        case YAML_SEQUENCE_NODE:
            var items: [YAMLNode] = []
            var item = pointer.pointee.data.sequence.items.start
            while let current = item, current < pointer.pointee.data.sequence.items.top {
                items.append(try child(current.pointee))
                item = current + 1
            }
            return YAMLNode(value: .sequence(items), position: position)
        case YAML_MAPPING_NODE:
            var pairs: [(key: String, value: YAMLNode, position: SourcePosition)] = []
            var pair = pointer.pointee.data.mapping.pairs.start
            while let current = pair, current < pointer.pointee.data.mapping.pairs.top {
                let key = try child(current.pointee.key)
                guard case .scalar(let name, _) = key.value else {
                    throw RuleDataError(file: file, line: key.position.line, key: nil, message: "a key must be a plain word")
                }
                if pairs.contains(where: { $0.key == name }) {
                    throw RuleDataError(file: file, line: key.position.line, key: name, message: "the key stands here twice")
                }
                pairs.append((name, try child(current.pointee.value), key.position))
                pair = current + 1
            }
            return YAMLNode(value: .mapping(pairs), position: position)
        default:
            throw RuleDataError(file: file, line: position.line, key: nil, message: "a value is missing")
        }
    }
}
