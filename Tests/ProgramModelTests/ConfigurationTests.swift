import ProgramModel
import Testing

@Suite struct ConfigurationTests {
    private let ios = ConfigurationCondition.flag("os(iOS)")
    private let mac = ConfigurationCondition.flag("os(macOS)")
    private let uikit = ConfigurationCondition.flag("canImport(UIKit)")
    private let debug = ConfigurationCondition.flag("DEBUG")

    @Test func oneSystemAtATime() {
        #expect(!ios.isCompatible(with: mac))
        #expect(!ios.isCompatible(with: .not(ios)))
        #expect(ios.isCompatible(with: debug))
        #expect(!uikit.isCompatible(with: mac))
        #expect(uikit.isCompatible(with: ios))
        #expect(!ConfigurationCondition.not(uikit).isCompatible(with: ios))
        #expect(ConfigurationCondition.any([ios, mac]).isCompatible(with: mac))
        #expect(!ConfigurationCondition.all([debug, ios]).isCompatible(with: .any([mac, .not(debug)])))
    }

    @Test func manyFlagsAreNotDecided() {
        let many = (0..<9).map { ConfigurationCondition.flag("F\($0)") }
        #expect(ConfigurationCondition.all(many).isCompatible(with: .not(many[0])))
    }

    @Test func whatHoldsOnASystemToday() {
        let systems = Configuration.ofSystems.map(\.configuration)
        #expect(systems.map { ios.holds(under: $0) } == [true, false, false, false, false])
        #expect(systems.map { mac.holds(under: $0) } == [false, true, false, false, false])
        #expect(systems.map { uikit.holds(under: $0) } == [true, false, true, true, true])
        for flag in ["swift(>=5.0)", "compiler(>=6)", "canImport(SwiftUI)"] { #expect(systems.allSatisfy { ConfigurationCondition.flag(flag).holds(under: $0) }) }
        for flag in ["DEBUG", "swift(<5)", "canImport(Glibc)", "os(Linux)"] { #expect(!systems.contains { ConfigurationCondition.flag(flag).holds(under: $0) }) }
        #expect(!Configuration(["DEBUG"])["swift(>=5.0)"])
    }
}
