import Findings
import ProgramModel

extension Program {
    /// The flags of conditional compilation with which a class is run: those of the first system that its superclass, the `#if` around it
    /// and the systems of its targets leave; of an app for iOS where they leave none.
    func configuration(toRun type: TypeID, on targets: UnitTargets) -> Configuration {
        let isOfAppKit = ["NSResponder", "NSWindowController"].contains { isType(type, kindOf: $0) }, isOfUIKit = isType(type, kindOf: "UIResponder")
        let systems = targets.known(ofUnits: files[self[type].file].units).map { Set($0.oldest.keys) }
        let known: [(AppleSystem, Configuration)] = Array(zip([.iOS, .macOS, .tvOS, .watchOS], Configuration.ofSystems))
        let left = known.filter { system, configuration in
            if isOfAppKit, system != .macOS { return false }
            if isOfUIKit, system == .macOS || system == .watchOS { return false }
            return self[type].condition.holds(under: configuration)
        }
        return (left.first { systems?.contains($0.0) ?? true } ?? left.first ?? known[0]).1
    }
}
