/// The orientations that a body returns, where it has no choice.
public struct OrientationMask: Sendable {
    /// `Portrait`, `LandscapeLeft` …, as in an Info.plist.
    public let orientations: Set<String>

    private static let names: [String: Set<String>] = [
        "portrait": ["Portrait"], "portraitUpsideDown": ["PortraitUpsideDown"], "landscapeLeft": ["LandscapeLeft"], "landscapeRight": ["LandscapeRight"],
        "landscape": ["LandscapeLeft", "LandscapeRight"], "allButUpsideDown": ["Portrait", "LandscapeLeft", "LandscapeRight"],
        "all": ["Portrait", "PortraitUpsideDown", "LandscapeLeft", "LandscapeRight"],
    ]

    /// Reads a body; nil where it has a choice, or returns what is not known.
    public init?(_ body: Body) {
        let returned = Self.returned(by: body)
        guard returned.count == 1, let only = returned[0] else { return nil }
        self = only
    }

    private init(orientations: Set<String>) { self.orientations = orientations }

    /// What each `return` of a body gives back; nil for what is not known.
    static func returned(by body: Body) -> [OrientationMask?] {
        var values: [Register: Set<String>] = [:]
        var found: [OrientationMask?] = []
        func orientations(_ operand: Operand) -> Set<String>? {
            switch operand {
            case .constant(.implicitMember(let name)): named(name)
            case .register(let register): values[register]
            default: nil
            }
        }
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .read(let register, .member(.type, let name)), .read(let register, .name(let name)): values[register] = named(name)
            case .compute(let register, .array, let operands), .compute(let register, .symbol("|"), let operands):
                let parts = operands.map(orientations)
                values[register] = parts.contains(nil) ? nil : parts.reduce(into: Set()) { $0.formUnion($1 ?? []) }
            case .exit(.returns(let value)): found.append(orientations(value).map(OrientationMask.init))
            default: break
            }
        }
        return found
    }

    /// Whether it leaves the screen upright.
    var isUpright: Bool { orientations.isSubset(of: ["Portrait", "PortraitUpsideDown"]) }

    private static func named(_ name: String) -> Set<String>? {
        let short = name.replacing("UIInterfaceOrientationMask", with: "")
        return names[short.prefix(1).lowercased() + short.dropFirst()]
    }
}
