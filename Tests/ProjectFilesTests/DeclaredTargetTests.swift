import Findings
import Foundation
import ProjectFiles
import SwiftFrontEnd
import Testing

/// The oldest systems, as the files of a project declare them.
@Suite struct DeclaredTargetTests {
    /// The targets of the units of each file below a folder, by the file's path.
    private func targets(_ files: [String: String]) throws -> [String: [AppleSystem: SystemVersion]] {
        try withFolder(files) { folder in
            let discovery = SourceDiscovery.find([folder], workingFolder: folder)
            let sources = discovery.sources.map { ($0, SwiftFrontEnd.facts(of: files[$0.reportPath] ?? "")) }
            let projects = discovery.projects.compactMap { try? XcodeProject.read($0, reportedAs: $0).get() }
            let (units, membership) = LinkUnits.assign(sources, projects: projects)
            let known = DeclaredTargets.ofUnits(discovery, projects: projects, sources: sources, units: units, membership: membership)
            return Dictionary(uniqueKeysWithValues: zip(sources, membership).map { source, indices in
                (source.0.reportPath, indices.compactMap { known[$0] }.reduce(DeploymentTargets([:])) { $0.merging($1) }.oldest)
            })
        }
    }

    /// A project with one target and two configurations; the target's and the project's settings in the first, the second always iOS 12.
    private func project(target: String, above: String, files: String = "") -> String {
        """
        // !$*UTF8*$!
        { archiveVersion = 1; objectVersion = 56; rootObject = ROOT; objects = {
            ROOT = {isa = PBXProject; mainGroup = MAIN; projectDirPath = ""; targets = (APP); buildConfigurationList = LR; };
            MAIN = {isa = PBXGroup; sourceTree = "<group>"; children = (A, X, Y); };
            A = {isa = PBXFileReference; path = A.swift; sourceTree = "<group>"; };
            X = {isa = PBXFileReference; path = Config/App.xcconfig; sourceTree = "<group>"; };
            Y = {isa = PBXFileReference; path = Config/Project.xcconfig; sourceTree = "<group>"; };
            APP = {isa = PBXNativeTarget; name = App; buildPhases = (P); buildConfigurationList = LA; };
            P = {isa = PBXSourcesBuildPhase; files = (F); }; F = {isa = PBXBuildFile; fileRef = A; };
            LR = {isa = XCConfigurationList; buildConfigurations = (RD, RR); }; LA = {isa = XCConfigurationList; buildConfigurations = (AD, AR); };
            RD = {isa = XCBuildConfiguration; name = Debug; buildSettings = {\(above)}; \(files.contains("Y") ? "baseConfigurationReference = Y;" : "") };
            RR = {isa = XCBuildConfiguration; name = Release; buildSettings = {SDKROOT = iphoneos;}; };
            AD = {isa = XCBuildConfiguration; name = Debug; buildSettings = {\(target)}; \(files.contains("X") ? "baseConfigurationReference = X;" : "") };
            AR = {isa = XCBuildConfiguration; name = Release; buildSettings = {IPHONEOS_DEPLOYMENT_TARGET = 12.0;}; };
        }; }
        """
    }

    private func targets(_ project: String, _ more: [String: String] = [:]) throws -> [AppleSystem: SystemVersion]? {
        try targets(more.merging(["App.xcodeproj/project.pbxproj": project, "A.swift": ""]) { first, _ in first })["A.swift"]
    }

    @Test func theOldestConfigurationCounts() throws {
        #expect(try targets(project(target: "", above: "SDKROOT = iphoneos; IPHONEOS_DEPLOYMENT_TARGET = 9.3;")) == [.iOS: SystemVersion(9, 3)])
        #expect(try targets(project(target: "IPHONEOS_DEPLOYMENT_TARGET = 13.0;", above: "SDKROOT = iphoneos; IPHONEOS_DEPLOYMENT_TARGET = 9.3;")) == [.iOS: SystemVersion(12)])
    }

    @Test func onlyTheSystemsThatItIsBuiltForCount() throws {
        let both = "IPHONEOS_DEPLOYMENT_TARGET = 8.0; MACOSX_DEPLOYMENT_TARGET = 10.9;"
        #expect(try targets(project(target: "SDKROOT = macosx;", above: both)) == [.macOS: SystemVersion(10, 9), .iOS: SystemVersion(12)])
        #expect(try targets(project(target: "SUPPORTED_PLATFORMS = \"iphonesimulator iphoneos macosx\";", above: both)) == [.iOS: SystemVersion(8), .macOS: SystemVersion(10, 9)])
    }

    @Test func lettersOfAnotherCaseMeanTheSameFile() throws {
        let found = try targets(["App.xcodeproj/project.pbxproj": project(target: "", above: "SDKROOT = iphoneos; IPHONEOS_DEPLOYMENT_TARGET = 9.0;"), "a.swift": ""])
        #expect(found["a.swift"] == [.iOS: SystemVersion(9)], "the project calls it A.swift, as the disk of a Mac lets it")
    }

    @Test func configurationFilesAreReadWithWhatTheyInclude() throws {
        let files = [
            "Config/App.xcconfig": "#include \"Shared.xcconfig\"\nIPHONEOS_DEPLOYMENT_TARGET = $(OLDEST) // of all\nIPHONEOS_DEPLOYMENT_TARGET[sdk=x*] = 5.0\n",
            "Config/Shared.xcconfig": "OLDEST = 8.4\n#include \"App.xcconfig\"\n", "Config/Project.xcconfig": "IPHONEOS_DEPLOYMENT_TARGET = 7.0\n",
        ]
        #expect(try targets(project(target: "", above: "SDKROOT = iphoneos;", files: "X Y"), files) == [.iOS: SystemVersion(8, 4)])
        #expect(try targets(project(target: "", above: "SDKROOT = iphoneos;", files: "Y"), files) == [.iOS: SystemVersion(7)])
        // The project's own settings win over its file; a variable that leads nowhere, or to itself, says nothing.
        #expect(try targets(project(target: "", above: "IPHONEOS_DEPLOYMENT_TARGET = 10.0;", files: "Y"), files) == [.iOS: SystemVersion(10)])
        #expect(try targets(project(target: "IPHONEOS_DEPLOYMENT_TARGET = \"$(NOWHERE)\";", above: "")) == [.iOS: SystemVersion(12)])
        #expect(try targets(project(target: "IPHONEOS_DEPLOYMENT_TARGET = \"$(IPHONEOS_DEPLOYMENT_TARGET)\";", above: "")) == [.iOS: SystemVersion(12)])
    }

    @Test func packagesAndPodfilesSayTheirs() throws {
        let found = try targets([
            "Package.swift": "let package = Package(name: \"P\", platforms: [.iOS(.v13), .macOS(\"10.15.4\"), .tvOS(.v12)], targets: [.target(name: \"Core\")])",
            "Sources/Core/A.swift": "", "App/Podfile": "# platform :ios, '5.0'\nplatform :ios, \"8.0\"\ntarget 'App' do\nend\n", "App/Main.swift": "",
        ])
        #expect(found["Sources/Core/A.swift"] == [.iOS: SystemVersion(13), .macOS: SystemVersion(10, 15), .tvOS: SystemVersion(12)])
        #expect(found["App/Main.swift"] == [.iOS: SystemVersion(8)])
    }

    @Test func podsSayTheirsAndTheProjectsOfTheRunSpeakForTheRest() throws {
        let pod = "Pod::Spec.new do |s|\n  # s.platform = :ios, '4.0'\n  s.platform = :ios, '7.0'\n  s.osx.deployment_target = \"10.9\"\n  s.dependency 'B', '5.0'\nend\n"
        #expect(try targets(["A.podspec": pod, "Source/A.swift": ""])["Source/A.swift"] == [.iOS: SystemVersion(7), .macOS: SystemVersion(10, 9)])
        let sample = project(target: "", above: "SDKROOT = iphoneos; IPHONEOS_DEPLOYMENT_TARGET = 8.0;")
        let found = try targets(["Sample/App.xcodeproj/project.pbxproj": sample, "Sample/A.swift": "", "Library/L.swift": ""])
        #expect(found["Library/L.swift"] == [.iOS: SystemVersion(8)], "a library without a target of its own is built for what its sample is built for")
    }

    @Test func versionsAreNumbersAndNotTexts() throws {
        #expect(try #require(SystemVersion("10.9")) < #require(SystemVersion("10.11")))
        #expect(["", "x", "9.", "1.2.3.4", "-1", "9.0 "].allSatisfy { SystemVersion($0) == nil })
        let eight = UnitTargets(known: [0: DeploymentTargets([.iOS: SystemVersion(8)])], given: DeploymentTargets([.macOS: SystemVersion(10, 9)]))
        #expect(eight.targets(ofUnits: [0, 1]).oldest == [.iOS: SystemVersion(8), .macOS: SystemVersion(10, 9)])
        #expect(eight.targets(ofUnits: [1]).oldest[.iOS] == SystemVersion(15))
    }

    @Test func conditionsThatAlwaysHold() {
        let targets = DeploymentTargets([.iOS: SystemVersion(14), .macOS: SystemVersion(10, 15)])
        #expect(targets.satisfy(availability: "#available(iOS 11.0, *)"), "the star stands for macOS")
        #expect(targets.satisfy(availability: "#available(iOS 14, macOS 10.15, *)"))
        #expect(!targets.satisfy(availability: "#available(iOS 14.1, *)"))
        #expect(!targets.satisfy(availability: "#available(iOS 13, macOS 11, *)"))
        #expect(!targets.satisfy(availability: "#available(iOS thirteen, *)") && !targets.satisfy(availability: "#available"))
        #expect(!DeploymentTargets([:]).satisfy(availability: "#available(iOS 8, *)"))
        let units = UnitTargets(known: [0: targets])
        #expect(units.known(ofUnits: [1]) == nil && units.known(ofUnits: [0, 1]) == targets)
        #expect(UnitTargets(given: targets).known(ofUnits: [1])?.oldest[.iOS] == SystemVersion(14))
    }
}
