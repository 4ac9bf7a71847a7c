import ProgramModel
import ResourceFiles
import Testing

/// Xibs in the form of Xcode 4 and earlier.
@Suite struct ArchivedInterfaceTests {
    private func archive(_ objects: String, connections: String = "", records: String, properties: String, type: String = "CocoaTouch", rest: String = "") -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <archive type="com.apple.InterfaceBuilder3.\(type).XIB" version="8.00">
        <data>
        <array class="NSMutableArray" key="IBDocument.RootObjects" id="1000">\(objects)</array>
        <object class="IBObjectContainer" key="IBDocument.Objects">
        <array class="NSMutableArray" key="connectionRecords">\(connections)</array>
        <object class="IBMutableOrderedSet" key="objectRecords"><array key="orderedObjects">
        <object class="IBObjectRecord"><int key="objectID">0</int><array key="object" id="0"/><reference key="children" ref="1000"/><nil key="parent"/></object>
        \(records)
        </array></object>
        \(properties)
        </object>\(rest)
        </data>
        </archive>
        """
    }

    private func record(_ id: Int, _ object: Int, in parent: Int = 0) -> String {
        "<object class=\"IBObjectRecord\"><int key=\"objectID\">\(id)</int><reference key=\"object\" ref=\"\(object)\"/><reference key=\"parent\" ref=\"\(parent)\"/></object>\n"
    }

    private func connection(_ kind: String, _ label: String, _ source: Int, _ destination: Int, _ more: String = "") -> String {
        """
        <object class="IBConnectionRecord"><object class="\(kind)" key="connection"><string key="label">\(label)</string>
        <reference key="source" ref="\(source)"/><reference key="destination" ref="\(destination)"/>\(more)</object></object>
        """
    }

    private let owner = "<object class=\"IBProxyObject\" id=\"101\"><string key=\"IBProxiedObjectIdentifier\">IBFilesOwner</string></object>"

    private func facts(_ text: String) throws -> InterfaceFacts { try InterfaceReader.facts(of: Array(text.utf8)).get() }

    private func view(_ id: Int, _ className: String, mask: Int, frame: String, _ more: String = "") -> String {
        "<object class=\"\(className)\" id=\"\(id)\"><int key=\"NSvFlags\">\(mask)</int>\(more)<string key=\"NSFrame\">\(frame)</string></object>\n"
    }

    @Test func aNameThatWasEditedLastIsRead() throws {
        let object = "<object class=\"NSCustomObject\" id=\"101\"><object class=\"NSMutableString\" key=\"NSClassName\"><characters key=\"NS.bytes\">NSApplication</characters></object></object>"
        let facts = try facts(archive(object, records: record(-2, 101), properties: "", type: "Cocoa"))
        #expect(facts.objects.first { $0.id == "-2" }?.customClass == "NSApplication")
    }

    @Test func objectsAndConnections() throws {
        let inner = view(103, "IBUIButton", mask: 292, frame: "{{20, 20}, {72, 37}}") + view(104, "IBUITextField", mask: 290, frame: "{{20, 60}, {280, 31}}")
        let facts = try facts(archive(
            owner + view(102, "IBUIView", mask: 274, frame: "{{0, 20}, {320, 460}}", "<array key=\"NSSubviews\">\(inner)</array>"),
            connections: connection("IBCocoaTouchOutletConnection", "view", 101, 102) + connection("IBCocoaTouchOutletCollectionConnection", "fields", 101, 104)
                + connection("IBCocoaTouchEventConnection", "go:", 103, 101, "<int key=\"IBEventType\">7</int>"),
            records: record(5, 104, in: 102) + record(1, 102) + record(-1, 101) + record(4, 103, in: 102),
            properties: """
                <dictionary class="NSMutableDictionary" key="flattenedProperties">
                <string key="-1.CustomClassName">LoginController</string><string key="4.CustomClassName">RoundButton</string><string key="4.IBPluginDependency">x</string>
                <object class="NSMutableDictionary" key="4.IBAttributePlaceholdersKey">
                <string key="NS.key.0">IBUserDefinedRuntimeAttributesPlaceholderName</string>
                <object class="IBUserDefinedRuntimeAttributesPlaceholder" key="NS.object.0"><array key="userDefinedRuntimeAttributes">
                <object class="IBUserDefinedRuntimeAttribute"><string key="keyPath">layer.cornerRadius</string></object></array></object></object>
                </dictionary>
                """))
        #expect(facts.kind == .nib && facts.isCocoaTouch)
        #expect(facts.objects.map(\.id) == ["1", "5", "4", "-1"])
        #expect(facts.objects.map(\.element) == ["view", "textField", "button", "placeholder"])
        #expect(facts.objects.map(\.parent) == [nil, 0, 0, nil])
        #expect(facts.objects.map(\.fixedDimensions) == [[], ["height"], ["width", "height"], []])
        #expect(facts.object("-1")?.customClass == "LoginController" && facts.object("-1")?.placeholder == "IBFilesOwner")
        #expect(facts.object("-1")?.connections.map(\.kind) == [.outlet("view"), .outletCollection("fields")])
        #expect(facts.object("-1")?.connections.map(\.destination) == ["1", "5"])
        #expect(facts.object("4")?.customClass == "RoundButton" && facts.object("4")?.runtimeAttributes == ["layer.cornerRadius"])
        #expect(facts.object("4")?.connections.map(\.kind) == [.action(selector: "go:", event: "touchUpInside")])
    }

    /// Xcode 3 writes the list of all that lies in nothing else as an object.
    @Test func theListOfAllIsNoObject() throws {
        let text = archive(owner, records: record(-1, 101), properties: "").replacing("<array key=\"object\" id=\"0\"/>", with: "<object class=\"NSArray\" key=\"object\" id=\"0\"/>")
        let facts = try facts(text)
        #expect(facts.objects.map(\.id) == ["-1"] && facts.objects.map(\.parent) == [nil])
    }

    @Test func sortedKeysOfInterfaceBuilder3() throws {
        let facts = try facts(archive(
            owner + view(102, "IBUITableViewCell", mask: 292, frame: "{{0, 0}, {320, 44}}", "<string key=\"IBUIReuseIdentifier\">Row</string>"),
            records: record(-1, 101) + record(2, 102),
            properties: """
                <object class="NSMutableDictionary" key="flattenedProperties">
                <bool key="EncodedWithXMLCoder">YES</bool>
                <object class="NSArray" key="dict.sortedKeys"><bool key="EncodedWithXMLCoder">YES</bool><string>-1.CustomClassName</string><string>2.CustomClassName</string></object>
                <object class="NSMutableArray" key="dict.values"><bool key="EncodedWithXMLCoder">YES</bool><string>ListController</string><string>Row</string></object>
                </object>
                """))
        #expect(facts.objects.map(\.customClass) == ["ListController", "Row"])
        #expect(facts.object("2")?.reuseIdentifier == "Row" && facts.object("2")?.element == "tableViewCell")
    }

    @Test func appKitWritesTheTargetFirst() throws {
        let facts = try facts(archive(
            "<object class=\"NSCustomObject\" id=\"201\"><string key=\"NSClassName\">WindowController</string></object>"
                + "<object class=\"NSWindowTemplate\" id=\"202\"><string key=\"NSWindowClass\">MainWindow</string></object>" + view(203, "NSButton", mask: 268, frame: "{{0, 0}, {90, 32}}"),
            connections: connection("IBActionConnection", "save:", 201, 203) + connection("IBOutletConnection", "window", 201, 202) + connection("IBBindingConnection", "value", 203, 201),
            records: record(-2, 201) + record(1, 202) + record(7, 203, in: 202), properties: "", type: "Cocoa"))
        #expect(!facts.isCocoaTouch)
        #expect(facts.objects.map(\.element) == ["customObject", "window", "button"])
        #expect(facts.objects.map(\.customClass) == ["WindowController", "MainWindow", nil])
        #expect(facts.object("7")?.connections.map(\.kind) == [.action(selector: "save:", event: nil)])
        #expect(facts.object("7")?.connections.map(\.destination) == ["-2"])
        #expect(facts.object("-2")?.connections.map(\.kind) == [.outlet("window")])
    }

    @Test func constraintsFixSizes() throws {
        func constraint(_ id: Int, _ attribute: Int, _ constant: Int, relation: Int = 0) -> String {
            """
            <object class="IBNSLayoutConstraint" id="\(id)"><reference key="firstItem" ref="103"/><int key="firstAttribute">\(attribute)</int><int key="relation">\(relation)</int>
            <nil key="secondItem"/><int key="secondAttribute">0</int><object class="IBLayoutConstant" key="constant"><double key="value">\(constant)</double></object>
            <float key="priority">1000</float></object>
            """
        }
        let image = view(103, "IBUIImageView", mask: 292, frame: "{{0, 0}, {80, 60}}", constraint(110, 7, 80) + constraint(111, 8, 60, relation: 1))
        let facts = try facts(archive(
            owner + view(102, "IBUIView", mask: 274, frame: "{{0, 0}, {320, 460}}", "<array key=\"NSSubviews\">\(image)</array>"),
            records: record(-1, 101) + record(1, 102) + record(2, 103, in: 102) + record(3, 110, in: 103) + record(4, 111, in: 103),
            properties: "", rest: "<bool key=\"IBDocument.UseAutolayout\">YES</bool>"))
        #expect(facts.object("2")?.fixedDimensions == ["width"])
        #expect(facts.object("3")?.element == "constraint" && facts.object("3")?.parent == 2)
    }

    @Test func recordsThatLieInEachOtherAreKept() throws {
        let facts = try facts(archive(
            view(102, "IBUIView", mask: 274, frame: "{{0, 0}, {1, 1}}") + view(103, "IBUIView", mask: 274, frame: "{{0, 0}, {1, 1}}"),
            records: record(1, 102, in: 103) + record(2, 103, in: 102) + record(3, 999), properties: ""))
        #expect(facts.objects.map(\.id) == ["1", "2"])
    }

    @Test func whatCannotBeRead() {
        func fault(_ text: String) -> String { if case .failure(let fault) = InterfaceReader.facts(of: Array(text.utf8)) { fault.message } else { "" } }
        let whole = archive(owner, records: record(-1, 101), properties: "")
        #expect(fault(String(whole.prefix(whole.count - 60))).hasPrefix("the file is no well-formed XML (line "))
        #expect(fault("<archive type=\"com.apple.InterfaceBuilder3.CocoaTouch.XIB\"><data/></archive>") == "the file is no storyboard or xib and is skipped")
        #expect(fault(whole.replacing("com.apple.InterfaceBuilder3", with: "org.example")) == "the file is no storyboard or xib and is skipped")
    }
}
