import Findings
import ProgramModel

extension Program {
    /// The flags of conditional compilation with which a class is run: those of the first system that its superclass, the `#if` around it
    /// and the systems of its targets leave; of an app for iOS where they leave none.
    func configuration(toRun type: TypeID, on targets: UnitTargets) -> Configuration {
        let isOfAppKit = isType(type, kindOf: "NSResponder"), isOfUIKit = isType(type, kindOf: "UIResponder")
        let built = targets.known(ofUnits: files[self[type].file].units).map { Set($0.oldest.keys.map(\.rawValue)) }
        let left = Configuration.ofSystems.filter { system, configuration in
            if isOfAppKit, system != "macOS" { return false }
            if isOfUIKit, system == "macOS" || system == "watchOS" { return false }
            return self[type].condition.holds(under: configuration)
        }
        return (left.first { built?.contains($0.system) ?? true } ?? left.first ?? Configuration.ofSystems[0]).configuration
    }
}
