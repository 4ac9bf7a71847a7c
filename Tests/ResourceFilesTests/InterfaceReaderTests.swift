import Foundation
import ProgramModel
import ResourceFiles
import Testing

@Suite struct InterfaceReaderTests {
    static let storyboard = """
        <?xml version="1.0" encoding="UTF-8"?>
        <document type="com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB" version="3.0" initialViewController="nav">
            <scenes>
                <scene sceneID="s1">
                    <objects>
                        <navigationController id="nav" sceneMemberID="viewController">
                            <connections><segue destination="list" kind="relationship" relationship="rootViewController" id="r"/></connections>
                        </navigationController>
                    </objects>
                </scene>
                <scene sceneID="s2">
                    <objects>
                        <tableViewController storyboardIdentifier="List" id="list" customClass="ListController" customModule="App" customModuleProvider="target" sceneMemberID="viewController">
                            <tableView key="view" id="table">
                                <prototypes>
                                    <tableViewCell reuseIdentifier="Row" id="cell" customClass="Row">
                                        <connections>
                                            <segue destination="detail" kind="show" identifier="Show" destinationCreationSelector="make:" id="s"/>
                                            <outletCollection property="buttons" destination="button" id="c"/>
                                        </connections>
                                    </tableViewCell>
                                </prototypes>
                                <connections>
                                    <outlet property="dataSource" destination="list" id="d"/>
                                    <outletCollection property="gestureRecognizers" destination="tap" id="g"/>
                                </connections>
                            </tableView>
                        </tableViewController>
                        <placeholder placeholderIdentifier="IBFirstResponder" id="first" sceneMemberID="firstResponder"/>
                        <tapGestureRecognizer id="tap"><connections><action selector="tapped:" destination="list" id="a"/></connections></tapGestureRecognizer>
                        <exit id="exit" sceneMemberID="exit"/>
                    </objects>
                </scene>
                <scene sceneID="s3">
                    <objects>
                        <viewControllerPlaceholder storyboardName="Other" referencedIdentifier="There" id="detail" sceneMemberID="viewController"/>
                    </objects>
                </scene>
                <scene sceneID="s4">
                    <objects>
                        <viewController id="zoom" sceneMemberID="viewController">
                            <scrollView key="view" adjustsFontForContentSizeCategory="YES" minimumZoomScale="0.5" maximumZoomScale="4" id="scroll">
                                <subviews>
                                    <button id="button" title="A &amp; B">
                                        <userDefinedRuntimeAttributes><userDefinedRuntimeAttribute type="number" keyPath="layer.cornerRadius"/></userDefinedRuntimeAttributes>
                                        <connections>
                                            <action selector="go:" destination="zoom" eventType="touchUpInside" id="b"/>
                                            <segue destination="exit" kind="unwind" unwindAction="back:" id="u"/>
                                            <unheardOf destination="zoom" id="x"/>
                                        </connections>
                                    </button>
                                </subviews>
                            </scrollView>
                        </viewController>
                    </objects>
                </scene>
            </scenes>
        </document>
        """

    private func read(_ text: String) throws -> InterfaceFacts { try InterfaceReader.facts(of: Array(text.utf8)).get() }

    private func fault(_ text: String) -> String {
        switch InterfaceReader.facts(of: Array(text.utf8)) {
        case .success: "none"
        case .failure(let fault): fault.message
        }
    }

    @Test func scenesAndTheirControllers() throws {
        let facts = try read(Self.storyboard)
        #expect(facts.kind == .storyboard && facts.isCocoaTouch)
        #expect(facts.initialController == "nav")
        #expect(facts.objects.filter(\.isSceneController).map(\.id) == ["nav", "list", "detail", "zoom"])
        let list = try #require(facts.object("list"))
        #expect([list.customClass, list.customModule, list.storyboardIdentifier, list.scene] == ["ListController", "App", "List", "s2"])
        let reference = try #require(facts.object("detail"))
        #expect([reference.referencedStoryboard, reference.referencedIdentifier] == ["Other", "There"])
        #expect(reference.isPlaceholder)
        #expect(try #require(facts.object("first")).isPlaceholder && #require(facts.object("exit")).isPlaceholder)
    }

    @Test func objectsLieInEachOther() throws {
        let facts = try read(Self.storyboard)
        let cell = try #require(facts.object("cell"))
        #expect(cell.parent.map { facts.objects[$0].id } == "table")
        #expect(cell.reuseIdentifier == "Row")
        #expect(try #require(facts.object("tap")).parent == nil)
        #expect(try #require(facts.object("tap")).scene == "s2")
        #expect(cell.line == 16)
    }

    @Test func connections() throws {
        let facts = try read(Self.storyboard)
        func kinds(_ id: String) throws -> [InterfaceConnection.Kind] { try #require(facts.object(id)).connections.map(\.kind) }
        #expect(try kinds("nav") == [.segue(.init(kind: "relationship", relationship: "rootViewController"))])
        #expect(try kinds("cell") == [.segue(.init(kind: "show", identifier: "Show", creator: "make:")), .outletCollection("buttons")])
        #expect(try kinds("table") == [.outlet("dataSource"), .outletCollection("gestureRecognizers")])
        #expect(try kinds("tap") == [.action(selector: "tapped:", event: nil)])
        #expect(try kinds("button") == [.action(selector: "go:", event: "touchUpInside"), .segue(.init(kind: "unwind", unwindAction: "back:"))])
        #expect(try #require(facts.object("button")).connections.map(\.destination) == ["zoom", "exit"])
        #expect(try #require(facts.object("nav")).connections.map(\.line) == [7])
    }

    @Test func valuesThatAreSetThere() throws {
        let facts = try read(Self.storyboard)
        let scroll = try #require(facts.object("scroll"))
        #expect(scroll.minimumZoomScale == 0.5 && scroll.maximumZoomScale == 4 && scroll.adjustsFontForContentSizeCategory)
        #expect(try #require(facts.object("button")).runtimeAttributes == ["layer.cornerRadius"])
    }

    /// A view is as high as what it holds between its edges; a constraint that only some size classes have holds nothing.
    @Test(arguments: [("", Set(["height"])), ("<variation key=\"heightClass=compact\" constant=\"3\"/>", Set())])
    func whatHoldsAViewOfFixedSizeHasOne(_ pair: (more: String, fixed: Set<String>)) throws {
        let facts = try read("""
            <document type="com.apple.InterfaceBuilder3.CocoaTouch.XIB" version="3.0"><objects>
                <view translatesAutoresizingMaskIntoConstraints="NO" id="row"><rect key="frame" x="0" y="0" width="90" height="60"/>
                    <subviews><imageView translatesAutoresizingMaskIntoConstraints="NO" id="icon"><rect key="frame" x="20" y="10" width="40" height="40"/>
                        <constraints><constraint firstAttribute="width" constant="40" id="w"/><constraint firstAttribute="height" constant="40" id="h"/></constraints></imageView></subviews>
                    <constraints><constraint firstItem="icon" firstAttribute="top" secondItem="row" secondAttribute="top" constant="10" id="t"/>
                        <constraint firstAttribute="bottom" secondItem="icon" secondAttribute="bottom" constant="10" id="b">\(pair.more)</constraint>
                        <constraint firstItem="icon" firstAttribute="leading" secondItem="row" secondAttribute="leading" constant="20" id="l"/></constraints>
                </view>
            </objects></document>
            """)
        #expect(facts.object("row")?.fixedDimensions == pair.fixed)
    }

    @Test func nibsOfBothPlatforms() throws {
        let facts = try read("""
            <document type="com.apple.InterfaceBuilder3.Cocoa.XIB" version="3.0">
                <objects>
                    <customObject id="-2" userLabel="File's Owner" customClass="Window"><connections><outlet property="window" destination="w" id="o"/></connections></customObject>
                    <window id="w"><view key="contentView" id="v"><subviews><button id="b"><buttonCell key="cell" id="bc"/>
                        <connections><action selector="go:" target="-2" id="a"/></connections></button></subviews></view></window>
                </objects>
            </document>
            """)
        #expect(facts.kind == .nib && !facts.isCocoaTouch)
        #expect(facts.object("-2")?.customClass == "Window")
        #expect(facts.object("b")?.connections == [InterfaceConnection(kind: .action(selector: "go:", event: nil), destination: "-2", line: 5)])
    }

    @Test func whatCannotBeRead() {
        #expect(fault("").hasPrefix("the file is no well-formed XML"))
        #expect(fault("no xml at all").hasPrefix("the file is no well-formed XML"))
        #expect(fault(String(Self.storyboard.prefix(900))).hasPrefix("the file is no well-formed XML (line "))
        #expect(fault("<html><body/></html>") == "the file is no storyboard or xib and is skipped")
    }

    @Test func entitiesAreRefused() {
        let bomb = """
            <?xml version="1.0"?>
            <!DOCTYPE document [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
            <document type="x"><objects><view id="&b;"/></objects></document>
            """
        #expect(fault(bomb).contains("declares a document type"))
        let outside = """
            <!DOCTYPE document [<!ENTITY a SYSTEM "file:///etc/passwd">]>
            <document type="x"><objects><view id="v">&a;</view></objects></document>
            """
        #expect(fault(outside).contains("declares a document type"))
    }

    @Test func largeFilesAreReadOrRefused() throws {
        func text(_ count: Int) -> String {
            let views = (0..<count).map { "<view contentMode=\"scaleToFill\" translatesAutoresizingMaskIntoConstraints=\"NO\" id=\"v\($0)\"/>\n" }.joined()
            return "<document type=\"x\"><objects>\(views)</objects></document>"
        }
        #expect(try read(text(10_000)).objects.count == 10_000)
        // From ten megabytes on the parser of the free Foundation gives up.
        let large = text(125_000)
        #expect(large.utf8.count > 10_000_000)
        switch InterfaceReader.facts(of: Array(large.utf8)) {
        case .success(let facts): #expect(facts.objects.count == 125_000)
        case .failure(let fault): #expect(fault.message.hasSuffix("and is skipped"))
        }
        #expect(fault(String(repeating: "<view id=\"v\">", count: 5_000)).hasSuffix("and is skipped"))
    }

    /// Every beginning of a file, and the file with a byte changed, gives facts or a sentence.
    @Test func brokenFilesNeverEndTheRun() {
        let bytes = Array(Self.storyboard.utf8)
        for length in stride(from: 0, to: bytes.count, by: 37) {
            if case .success = InterfaceReader.facts(of: Array(bytes.prefix(length))) { Issue.record("\(length) bytes are no whole file") }
        }
        for index in stride(from: 3, to: bytes.count, by: 41) {
            var changed = bytes
            changed[index] = UInt8(truncatingIfNeeded: index * 7)
            if case .failure(let fault) = InterfaceReader.facts(of: changed) { #expect(fault.message.hasSuffix("is skipped")) }
        }
    }
}
