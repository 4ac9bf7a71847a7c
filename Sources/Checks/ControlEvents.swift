import ProgramModel

extension BodyContext {
    /// The events of a control that an operand names, in Swift's spelling; nil where the text does not tell all of them.
    func controlEvents(_ operand: Operand) -> Set<String>? {
        func event(_ name: String) -> String {
            let short = name.hasPrefix("UIControlEvent") ? String(name.dropFirst("UIControlEvent".count)) : name
            return short.prefix(1).lowercased() + short.dropFirst()
        }
        switch operand {
        case .constant(.implicitMember(let name)): return [event(name)]
        case .register(let register):
            switch definition(of: register)?.kind {
            case .read(_, .member(.type(let type), let name)): return type.name.hasSuffix("Event") || type.name == "UIControlEvents" ? [event(name)] : nil
            case .compute(_, .array, let operands), .compute(_, .symbol("|"), let operands):
                let parts = operands.map(controlEvents)
                return parts.contains { $0 == nil } ? nil : parts.reduce(into: []) { $0.formUnion($1 ?? []) }
            default: return nil
            }
        default: return nil
        }
    }
}
