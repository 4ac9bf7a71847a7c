import ProgramModel
import SwiftFrontEnd
import Testing

@Suite struct InterfaceLinkingTests {
    private static func object(_ id: String, _ name: String?) -> InterfaceObject {
        var object = InterfaceObject(id: id, element: "view", line: 1)
        object.customClass = name
        return object
    }

    private func program(_ text: String, _ objects: [InterfaceObject], test: String = "") -> Program {
        let files = [
            ProgramFile(path: "A.swift", facts: SwiftFrontEnd.facts(of: text), units: [0]),
            ProgramFile(path: "T.swift", facts: SwiftFrontEnd.facts(of: test), units: [1], isTest: true),
        ]
        let list = PropertyListFacts()
        let resources = ProjectResources(
            interfaces: [.init(path: "Base.lproj/Main.storyboard", facts: InterfaceFacts(kind: .storyboard, isCocoaTouch: true, objects: objects))],
            configurations: [0: UnitConfiguration(propertyLists: [list], isWhole: true)])
        return Linker.link(files, units: [LinkUnit(name: "app"), LinkUnit(name: "tests", isTest: true)], platform: InlineProject.platform, resources: resources)
    }

    @Test func objectsAreFoundByTheNameAtRunTime() {
        let program = program(
            "class Face: UIView {}\n@objc(OldName) class New: UIView {}\nstruct Outer { class Inner: UIView {} }\nprotocol Shape {}",
            [Self.object("a", "Face"), Self.object("b", "OldName"), Self.object("c", "Inner"), Self.object("d", "Shape"), Self.object("e", nil), Self.object("f", "Face")],
            test: "class Face: UIView {}")
        func ids(_ name: String) -> [String] { program.types.first { $0.name == name }.map { program.interfaceObjects(of: $0.id).map { program[$0].id } } ?? [] }
        #expect(ids("Face") == ["a", "f"])
        #expect(ids("New") == ["b"])
        #expect(ids("Outer.Inner").isEmpty && ids("Shape").isEmpty)
        #expect(program.classes(namedInInterface: "Face").count == 1, "a test's class is in no storyboard")
        #expect(program.classes(namedInInterface: "UIView").isEmpty)
        #expect(program.resources.interfaces[0].name == "Main")
    }

    @Test func aFileHasTheListsOfItsUnits() {
        let program = program("class A {}", [])
        #expect(program.configurations(ofFile: 0)?.count == 1)
        #expect(program.configurations(ofFile: 1) == nil)
    }

    @Test func familiesAreKnownWhereEachListSays() {
        var phone = PropertyListFacts(), pad = PropertyListFacts()
        (phone.deviceFamilies, pad.deviceFamilies) = ([1], [2])
        #expect(UnitConfiguration(propertyLists: [phone, pad], isWhole: true).deviceFamilies == [1, 2])
        #expect(UnitConfiguration(propertyLists: [phone, PropertyListFacts()], isWhole: true).deviceFamilies == nil)
        #expect(UnitConfiguration(propertyLists: [phone], deviceFamilies: [2], isWhole: true).deviceFamilies == [2], "the settings win")
    }
}
