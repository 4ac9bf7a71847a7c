import Analysis
import Findings
import ProgramModel
import RuleLibrary
import Testing

/// The severity of a missing source follows the devices that the app is built for.
@Suite struct DeviceFamilyTests {
    private func severity(_ configuration: UnitConfiguration?) -> [Severity] {
        let text = """
            final class Screen: UIViewController {
                func share(_ url: URL) {
                    present(UIActivityViewController(activityItems: [url], applicationActivities: nil), animated: true)
                }
            }
            """
        let resources = ProjectResources(configurations: configuration.map { [0: $0] } ?? [:])
        let selection = RuleSelection(only: ["alert_source_missing"])
        return InlineLint.report([("File.swift", text)], resources: resources, selection: selection).findings.map(\.finding.severity)
    }

    private func list(_ families: Set<Int>?) -> PropertyListFacts {
        var list = PropertyListFacts()
        list.deviceFamilies = families
        return list
    }

    @Test func severities() {
        #expect(severity(nil) == [.warning])
        #expect(severity(UnitConfiguration(propertyLists: [list(nil)], isWhole: true)) == [.warning])
        #expect(severity(UnitConfiguration(propertyLists: [list([1])], isWhole: true)) == [.note])
        #expect(severity(UnitConfiguration(propertyLists: [list([1, 2])], isWhole: true)) == [.error])
        #expect(severity(UnitConfiguration(propertyLists: [], deviceFamilies: [6], isWhole: true)) == [.error])
        #expect(severity(UnitConfiguration(propertyLists: [list([1]), list(nil)], isWhole: true)) == [.warning])
    }
}
