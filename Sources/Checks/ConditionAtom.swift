import ProgramModel

/// A condition as a text that is the same wherever the same thing is asked.
struct ConditionAtom {
    let text: String
    /// Whether the condition holds when the text does not.
    let isNegated: Bool
    /// The outcome, where the text of the program decides it.
    let constant: Bool?

    /// The atom of a test; nil when what is asked depends on calls, which may answer differently each time.
    init?(_ test: Test, in context: BodyContext) {
        switch test {
        case .isTrue(let value):
            self.init(truthOf: value, in: context)
        case .isPresent(let value), .matches(let value, .present(_)):
            guard let text = Self.text(of: value, in: context) else { return nil }
            self.init(text: "\(text) == nil", isNegated: true, constant: nil)
        case .matches(let value, let pattern):
            guard let text = Self.text(of: value, in: context) else { return nil }
            self.init(text: "\(text) ~ \(Self.text(of: pattern))", isNegated: false, constant: nil)
        }
    }

    /// Whether a place of this name is part of an atom's text; asked for each write on each way, so by bytes.
    static func mentions(_ name: String, in text: String) -> Bool {
        let (name, text) = (name.utf8, text.utf8)
        guard let first = name.first else { return true }
        var start = text.startIndex
        while let place = text[start...].firstIndex(of: first) {
            if text[place...].starts(with: name) { return true }
            start = text.index(after: place)
        }
        return false
    }

    private init(text: String, isNegated: Bool, constant: Bool?) {
        self.text = text
        self.isNegated = isNegated
        self.constant = constant
    }

    private init?(truthOf value: Operand, in context: BodyContext) {
        if case .constant(.boolean(let constant)) = value {
            self.init(text: "", isNegated: false, constant: constant)
            return
        }
        if case .register(let register) = value, case .compute(_, .symbol(let symbol), let operands)? = context.definition(of: register)?.kind {
            if symbol == "prefix !", let inner = operands.first, let atom = ConditionAtom(truthOf: inner, in: context) {
                self.init(text: atom.text, isNegated: !atom.isNegated, constant: atom.constant)
                return
            }
            if let opposite = ["<=": ">", ">=": "<"][symbol], operands.count == 2,
               let left = Self.text(of: operands[0], in: context), let right = Self.text(of: operands[1], in: context) {
                self.init(text: "\(left) \(opposite) \(right)", isNegated: true, constant: nil)
                return
            }
            if symbol == "<" || symbol == ">", operands.count == 2,
               let left = Self.text(of: operands[0], in: context), let right = Self.text(of: operands[1], in: context) {
                self.init(text: "\(left) \(symbol) \(right)", isNegated: false, constant: nil)
                return
            }
            if symbol == "==" || symbol == "!=", operands.count == 2,
               let left = Self.text(of: operands[0], in: context), let right = Self.text(of: operands[1], in: context) {
                self.init(text: "\(left) == \(right)", isNegated: symbol == "!=", constant: nil)
                return
            }
        }
        guard let text = Self.text(of: value, in: context) else { return nil }
        self.init(text: text, isNegated: false, constant: nil)
    }

    /// The text of a value that is read from places only.
    static func text(of operand: Operand, in context: BodyContext) -> String? {
        switch operand {
        case .selfObject: return "self"
        case .type(let type): return type.description
        case .constant(.null): return "nil"
        case .constant(let constant): return "\(constant)"
        case .register(let register):
            guard let statement = context.definition(of: register) else { return nil }
            switch statement.kind {
            case .read(_, let place):
                return name(of: place, in: context)
            case .compute(_, let operation, let operands):
                let texts = operands.compactMap { text(of: $0, in: context) }
                return texts.count == operands.count ? "\(operation)(\(texts.joined(separator: ", ")))" : nil
            default:
                return nil
            }
        }
    }

    /// The text of a place; self's properties are written the same with and without `self.`.
    static func name(of place: Place, in context: BodyContext) -> String? {
        switch place {
        case .local(let local): "\(context.body[local].name)#\(local.index)"
        case .name(let name): name
        case .member(.selfObject, let name): name
        case .member(let base, let name): text(of: base, in: context).map { "\($0).\(name)" }
        case .superMember(let name): name
        case .element: nil
        }
    }

    /// The text of a pattern, names that it binds left out.
    static func text(of pattern: Pattern) -> String {
        switch pattern {
        case .wildcard, .bind: "_"
        case .value(let value): "\(value)"
        case .enumCase(let name, _): name
        case .tuple(let parts): "(" + parts.map(text).joined(separator: ",") + ")"
        case .type(let type, let inner): "\(text(of: inner)) as \(type)"
        case .present(let inner): "some \(text(of: inner))"
        }
    }
}
