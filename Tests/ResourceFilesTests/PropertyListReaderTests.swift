import Foundation
import ProgramModel
import ResourceFiles
import Testing

@Suite struct PropertyListReaderTests {
    private static let list = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
            <key>CFBundlePackageType</key><string>APPL</string>
            <key>CFBundleName</key><string>$(PRODUCT_NAME)</string>
            <key>NSCameraUsageDescription</key><string>To take pictures</string>
            <key>UIApplicationSceneManifest</key>
            <dict>
                <key>UISceneConfigurations</key>
                <dict>
                    <key>UIWindowSceneSessionRoleApplication</key>
                    <array><dict>
                        <key>UISceneDelegateClassName</key><string>$(PRODUCT_MODULE_NAME).SceneDelegate</string>
                        <key>UISceneStoryboardFile</key><string>Main</string>
                    </dict></array>
                </dict>
            </dict>
            <key>UIBackgroundModes</key><array><string>audio</string></array>
            <key>UIDeviceFamily</key><array><integer>1</integer><string>2</string></array>
            <key>UIMainStoryboardFile</key><string>Start</string>
            <key>UISupportedInterfaceOrientations</key><array><string>UIInterfaceOrientationPortrait</string></array>
            <key>UISupportedInterfaceOrientations~ipad</key><array><string>UIInterfaceOrientationLandscapeLeft</string></array>
        </dict>
        </plist>
        """

    private func read(_ text: String) throws -> PropertyListFacts { try PropertyListReader.facts(of: Array(text.utf8)).get() }

    @Test func whatAnInfoListSays() throws {
        let facts = try read(Self.list)
        #expect(facts.keys.contains("NSCameraUsageDescription"))
        #expect(facts.filledInKeys == ["CFBundleName"])
        #expect(facts.packageType == "APPL")
        #expect(facts.sceneManifest == .init(delegates: ["SceneDelegate"], storyboards: ["Main"]))
        #expect(facts.backgroundModes == ["audio"])
        #expect(facts.deviceFamilies == [1, 2])
        #expect(facts.mainStoryboards == ["Start"])
        #expect(facts.orientations["UISupportedInterfaceOrientations"] == ["UIInterfaceOrientationPortrait"])
        #expect(facts.orientations["UISupportedInterfaceOrientations~ipad"] == ["UIInterfaceOrientationLandscapeLeft"])
        #expect(facts.classNames == ["SceneDelegate"])
        #expect(!facts.isExtension)
    }

    @Test func theBinaryFormSaysTheSame() throws {
        let value = try PropertyListSerialization.propertyList(from: Data(Self.list.utf8), options: [], format: nil)
        let binary = try PropertyListSerialization.data(fromPropertyList: value, format: .binary, options: 0)
        #expect(try PropertyListReader.facts(of: [UInt8](binary)).get() == read(Self.list))
    }

    @Test func valuesOfOtherTypesArePassedOver() throws {
        let facts = try read("""
            <plist version="1.0"><dict>
                <key>UIApplicationSceneManifest</key><string>x</string><key>UIDeviceFamily</key><string>1</string>
                <key>UIBackgroundModes</key><dict/><key>NSExtension</key><dict/>
            </dict></plist>
            """)
        #expect(facts.sceneManifest == nil && facts.deviceFamilies == nil && facts.backgroundModes.isEmpty)
        #expect(facts.isExtension)
    }

    @Test func whatCannotBeRead() {
        func fault(_ bytes: [UInt8]) -> String? { if case .failure(let fault) = PropertyListReader.facts(of: bytes) { fault.message } else { nil } }
        #expect(fault(Array("<plist><dict>".utf8)) == "the file is no property list and is skipped")
        #expect(fault([0, 1, 2, 3]) == "the file is no property list and is skipped")
        #expect(fault(Array("<plist version=\"1.0\"><array/></plist>".utf8)) == "the property list is no dictionary and is skipped")
    }
}
