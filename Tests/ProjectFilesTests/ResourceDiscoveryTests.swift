import Findings
import Foundation
import ProgramModel
import ProjectFiles
import SwiftFrontEnd
import Testing

@Suite struct ResourceDiscoveryTests {
    private static func list(_ families: String) -> String { "<plist version=\"1.0\"><dict><key>UIDeviceFamily</key><array>\(families)</array></dict></plist>" }
    private static let scene = "<document type=\"com.apple.InterfaceBuilder3.CocoaTouch.Storyboard.XIB\"><scenes/></document>"

    /// What is read below the paths, and the families of each source as its units say.
    private func find(_ files: [String: String], _ paths: [String] = [""]) throws -> (interfaces: [String], families: [String: [Int]], found: ResourceDiscovery) {
        try withFolder(files) { folder in
            let discovery = SourceDiscovery.find(paths.map { $0.isEmpty ? folder : "\(folder)/\($0)" }, workingFolder: folder)
            let sources = discovery.sources.map { ($0, SwiftFrontEnd.facts(of: files[$0.reportPath] ?? "")) }
            let projects = discovery.projects.compactMap { try? XcodeProject.read($0, reportedAs: $0).get() }
            let (units, membership) = LinkUnits.assign(sources, projects: projects)
            let found = ResourceDiscovery(discovery, projects: projects, sources: discovery.sources, units: units, membership: membership, workingFolder: folder)
            let families = zip(discovery.sources, membership).map { file, units in
                (file.reportPath, units.flatMap { found.resources.configurations[$0]?.deviceFamilies?.sorted() ?? [] })
            }
            return (found.resources.interfaces.map { "\($0.path)\($0.isThirdParty ? " third party" : "")" }, Dictionary(uniqueKeysWithValues: families), found)
        }
    }

    @Test func theListNearestToTheSourcesIsTheirs() throws {
        let found = try find([
            "One/Code/A.swift": "", "One/Info.plist": Self.list("<integer>1</integer>"), "Two/B.swift": "", "Two/Two-Info.plist": Self.list("<integer>2</integer>"),
            "Three/C.swift": "", "One/Base.lproj/Main.storyboard": Self.scene, "Pods/P/P.storyboard": Self.scene,
        ])
        #expect(found.interfaces == ["One/Base.lproj/Main.storyboard", "Pods/P/P.storyboard third party"])
        #expect(found.families == ["One/Code/A.swift": [1], "Two/B.swift": [2], "Three/C.swift": []])
        #expect(found.found.resources.areInterfacesWhole && found.found.problems.isEmpty)
    }

    @Test func aPackageHasNoListOfTheAppAboveIt() throws {
        let found = try find(["Info.plist": Self.list("<integer>1</integer>"), "Kit/Package.swift": "", "Kit/Sources/A.swift": ""])
        #expect(found.families["Kit/Sources/A.swift"] == [])
    }

    @Test func aFileGivenAloneComesWithWhatLiesBeside() throws {
        let found = try find([
            "App/A.swift": "", "App/B.swift": "", "App/Info.plist": Self.list("<integer>2</integer>"), "App/Main.storyboard": Self.scene,
            "App/Base.lproj/Start.storyboard": Self.scene, "App/Other/Deep.storyboard": Self.scene,
        ], ["App/A.swift"])
        #expect(found.interfaces == ["App/Base.lproj/Start.storyboard", "App/Main.storyboard"])
        #expect(found.families == ["App/A.swift": [2]])
    }

    @Test func whatNoTargetCopiesBesideItsNamesakeWasLeftBehind() throws {
        let project = """
            // !$*UTF8*$!
            { rootObject = ROOT; objects = {
                ROOT = {isa = PBXProject; mainGroup = MAIN; targets = (APP); };
                MAIN = {isa = PBXGroup; sourceTree = "<group>"; children = (A, V); };
                A = {isa = PBXFileReference; path = A.swift; sourceTree = "<group>"; };
                V = {isa = PBXVariantGroup; name = Main.storyboard; sourceTree = "<group>"; children = (BASE, NL); };
                BASE = {isa = PBXFileReference; path = "Base.lproj/Main.storyboard"; sourceTree = "<group>"; };
                NL = {isa = PBXFileReference; path = "nl.lproj/Main.strings"; sourceTree = "<group>"; };
                APP = {isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.application"; buildPhases = (P, R); };
                P = {isa = PBXSourcesBuildPhase; files = (F); }; F = {isa = PBXBuildFile; fileRef = A; };
                R = {isa = PBXResourcesBuildPhase; files = (G); }; G = {isa = PBXBuildFile; fileRef = V; };
            }; }
            """
        let found = try find([
            "App.xcodeproj/project.pbxproj": project, "A.swift": "", "Base.lproj/Main.storyboard": Self.scene, "old.lproj/Main.storyboard": Self.scene, "Other.storyboard": Self.scene,
        ])
        #expect(found.interfaces == ["Base.lproj/Main.storyboard", "Other.storyboard"])
        #expect(found.found.resources.areInterfacesWhole)
        // A nib that is no XML may have anything.
        let compiled = try find(["App.xcodeproj/project.pbxproj": project.replacingOccurrences(of: "Main.storyboard", with: "MainMenu.nib"), "A.swift": "", "Other.xib": Self.scene])
        #expect(!compiled.found.resources.areInterfacesWhole)
    }

    @Test func unreadableFilesAreProblemsAndTheRunGoesOn() throws {
        let found = try find(["A.swift": "", "Main.storyboard": "<document", "Good.xib": Self.scene, "Info.plist": "?"])
        #expect(found.interfaces == ["Good.xib"])
        #expect(!found.found.resources.areInterfacesWhole)
        #expect(found.found.problems.map(\.path).sorted() == ["Info.plist", "Main.storyboard"])
        #expect(found.found.problems.allSatisfy { $0.message.hasSuffix("is skipped") })
    }

    @Test func tooLargeFilesAreProblems() throws {
        let found = try find(["A.swift": "", "Main.xib": "<document type=\"x\">" + String(repeating: " ", count: 5 << 20) + "</document>"])
        #expect(found.found.problems.map(\.kind) == [.tooLarge])
        #expect(!found.found.resources.areInterfacesWhole)
    }

    /// A project whose one target compiles A.swift, with these settings of the target, of the project, and an entry beside the target's.
    private static func project(_ target: String, _ general: String = "", beside: String = "") -> String {
        """
        // !$*UTF8*$!
        { rootObject = ROOT; objects = {
            ROOT = {isa = PBXProject; mainGroup = MAIN; targets = (APP); buildConfigurationList = GL; };
            MAIN = {isa = PBXGroup; sourceTree = "<group>"; children = (A, APPFILE, PODS); };
            APPFILE = {isa = PBXFileReference; path = App.xcconfig; sourceTree = "<group>"; };
            PODS = {isa = PBXFileReference; path = "Pods/Support/Pods-App.debug.xcconfig"; sourceTree = "<group>"; };
            A = {isa = PBXFileReference; path = A.swift; sourceTree = "<group>"; };
            APP = {isa = PBXNativeTarget; name = App; productType = "com.apple.product-type.application"; buildPhases = (PH); buildConfigurationList = L; };
            PH = {isa = PBXSourcesBuildPhase; files = (F); };
            F = {isa = PBXBuildFile; fileRef = A; };
            L = {isa = XCConfigurationList; buildConfigurations = (C); };
            C = {isa = XCBuildConfiguration; name = Debug; \(beside) buildSettings = { \(target) }; };
            GL = {isa = XCConfigurationList; buildConfigurations = (GC); };
            GC = {isa = XCBuildConfiguration; name = Debug; buildSettings = { \(general) }; };
        }; }
        """
    }

    private func configuration(_ target: String, _ general: String = "", beside: String = "") throws -> UnitConfiguration? {
        let files = [
            "X.xcodeproj/project.pbxproj": Self.project(target, general, beside: beside), "A.swift": "", "Support/App.plist": Self.list("<integer>1</integer>"),
            "Info.plist": Self.list("<integer>6</integer>"),
            "App.xcconfig": "#include \"Pods/Support/Pods-App.debug.xcconfig\"\nINFOPLIST_FILE = Support/App.plist\nINFOPLIST_KEY_NSCameraUsageDescription = $(WORD)\nWORD = Pictures\n",
        ]
        return try find(files).found.resources.configurations[0]
    }

    @Test func settingsNameTheList() throws {
        #expect(try configuration("INFOPLIST_FILE = \"$(SRCROOT)/Support/$(TARGET_NAME).plist\";")?.deviceFamilies == [1])
        #expect(try configuration("", "INFOPLIST_FILE = Support/App.plist;")?.deviceFamilies == [1])
        #expect(try configuration("") == nil, "the list that only lies near is nobody's")
        #expect(try configuration("INFOPLIST_FILE = \"$(SOMEWHERE)/App.plist\";") == nil)
        #expect(try configuration("INFOPLIST_FILE = Missing.plist; TARGETED_DEVICE_FAMILY = 1;")?.isWhole == false)
    }

    /// What CocoaPods makes on each machine is not missed.
    @Test func filesOfSettingsNameThemToo() throws {
        let found = try #require(try configuration("", beside: "baseConfigurationReference = APPFILE;"))
        #expect(found.isWhole && found.addedKeys == ["NSCameraUsageDescription": "Pictures"] && found.deviceFamilies == [1])
        #expect(try configuration("INFOPLIST_FILE = Support/App.plist;", beside: "baseConfigurationReference = PODS;")?.isWhole == true)
    }

    @Test func settingsNameFamiliesAndKeys() throws {
        #expect(try configuration("INFOPLIST_FILE = Support/App.plist; TARGETED_DEVICE_FAMILY = \"1,2\";")?.deviceFamilies == [1, 2])
        #expect(try configuration("", "TARGETED_DEVICE_FAMILY = 2;")?.deviceFamilies == [2])
        #expect(try configuration("", "TARGETED_DEVICE_FAMILY = 2;", beside: "baseConfigurationReference = X;") == nil, "the configuration file may say otherwise")
        #expect(try configuration("INFOPLIST_FILE = Support/Missing.plist; SDKROOT = iphoneos;")?.deviceFamilies == [1], "what is not set is an iPhone")
        #expect(try configuration("INFOPLIST_FILE = Support/Missing.plist; SDKROOT = iphoneos; TARGETED_DEVICE_FAMILY = \"$(FAMILY)\";")?.deviceFamilies == nil)
        let generated = try #require(try configuration("GENERATE_INFOPLIST_FILE = YES; INFOPLIST_KEY_NSCameraUsageDescription = Pictures;"))
        #expect(generated.addedKeys == ["NSCameraUsageDescription": "Pictures"] && generated.isWhole)
        #expect(try configuration("INFOPLIST_FILE = Support/App.plist;", beside: "baseConfigurationReference = X;")?.isWhole == false)
    }
}
