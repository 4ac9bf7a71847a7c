import Analysis
import Findings
import Testing

/// A class is run as it is compiled for the systems of its targets.
@Suite struct RunConfigurationTests {
    private static let lock = """
        final class Lock {
            init() {
                #if canImport(UIKit)
                NotificationCenter.default.addObserver(self, selector: #selector(close), name: Notification.Name("pause"), object: nil)
                NotificationCenter.default.addObserver(self, selector: #selector(close), name: Notification.Name("pause"), object: nil)
                #endif
            }

            @objc private func close() { print("closed") }
        }
        """

    private func rules(_ systems: [AppleSystem]) -> Set<String> {
        let oldest = DeploymentTargets(Dictionary(uniqueKeysWithValues: systems.map { ($0, SystemVersion(11)) }))
        let report = InlineLint.report([("Lock.swift", Self.lock)], targets: UnitTargets(known: systems.isEmpty ? [:] : [0: oldest]), selection: RuleSelection(only: ["observer_unbalanced"]))
        return Set(report.findings.map(\.finding.rule))
    }

    @Test func codeForOtherSystemsDoesNotRun() {
        #expect(rules([.macOS]).isEmpty)
        #expect(rules([.iOS]) == ["observer_unbalanced"])
        #expect(rules([.tvOS]) == ["observer_unbalanced"])
        #expect(rules([.iOS, .macOS]) == ["observer_unbalanced"])
        #expect(rules([]) == ["observer_unbalanced"])
    }
}
