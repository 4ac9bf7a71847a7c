/// The types that the receiver of a call can have, and how that is known.
public struct Receivers: Hashable, Sendable {
    /// Types of the project; several for a protocol, which any conformer may stand for.
    public let types: [TypeID]
    /// The class of the SDK, where the receiver is one.
    public let platformClass: String?
    public let provenance: TypeProvenance
    /// Whether the call is on the type itself.
    public let isMetatype: Bool

    /// Nothing is known.
    public static let unknown = Receivers(types: [], platformClass: nil, provenance: .unknown, isMetatype: false)
}

extension TypeInference {
    /// The receivers of a call: by the type of the receiver, else by the only type of the project that has such a method.
    public func receivers(of call: Call, in context: BodyContext) -> Receivers {
        let receiver: Operand
        switch call.callee {
        case .member(let operand, _): receiver = operand
        case .name, .superMember: receiver = .selfObject
        default: return .unknown
        }
        if let inferred = type(of: receiver, in: context) {
            switch resolve(inferred) {
            case .platform(let name):
                return Receivers(types: [], platformClass: name, provenance: inferred.provenance, isMetatype: inferred.isMetatype)
            case .project(let candidates):
                let types = candidates.flatMap { candidate in
                    program[candidate].kind == .protocol ? program.conformers(to: program[candidate].name) : [candidate]
                }
                return Receivers(types: types, platformClass: nil, provenance: inferred.provenance, isMetatype: inferred.isMetatype)
            case .unknown:
                return .unknown
            }
        }
        guard let name = call.fullName else { return .unknown }
        let owners = Set(program.functions(named: name).flatMap { program.owners(of: $0.declaration) })
        guard owners.count == 1, let only = owners.first else { return .unknown }
        return Receivers(types: [only], platformClass: nil, provenance: .uniqueSelector, isMetatype: false)
    }
}
