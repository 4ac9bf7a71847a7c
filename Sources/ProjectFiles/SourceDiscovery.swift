import Findings
import Foundation

/// One source file that was found.
public struct DiscoveredFile: Hashable, Sendable {
    /// The absolute path without links.
    public let path: String
    /// The path as the report writes it: relative to the working folder when it is below it.
    public let reportPath: String
    /// The folder given by the user below which the file was found; the file's own folder for a file that was given.
    public let root: String
    /// Whether the file lies in a folder of other people's code.
    public let isThirdParty: Bool

    /// Whether the file is Objective-C, by its ending.
    public var isObjectiveC: Bool { !path.hasSuffix(".swift") }
}

/// What a walk through the given paths found.
public struct Discovery: Sendable {
    public var sources: [DiscoveredFile] = []
    /// The project.pbxproj files.
    public var projects: [String] = []
    /// The precompiled headers' sources (`.pch`), which Xcode includes before each text.
    public var prefixHeaders: [String] = []
    /// The compile_commands.json files.
    public var compileCommands: [String] = []
    /// The storyboards and xibs.
    public var interfaces: [DiscoveredFile] = []
    /// The files that their names call an Info.plist.
    public var propertyLists: [DiscoveredFile] = []
    /// The Podfiles, and the specifications of pods.
    public var podfiles: [String] = []
    public var problems: [Problem] = []
    /// The given paths that lead nowhere.
    public var missing: [String] = []
}

/// Finds the files to lint.
public enum SourceDiscovery {
    /// Folders of dependencies: linked, not reported.
    static let thirdPartyFolders: Set<String> = ["Pods", "Carthage", ".build", "SourcePackages", "node_modules", "vendor", "Vendor", "ThirdParty", "Third Party"]
    /// Whether a folder is one of dependencies: by its name, or as a bundle that was built elsewhere.
    static func isThirdParty(_ name: String) -> Bool { thirdPartyFolders.contains(name) || name.hasSuffix(".framework") || name.hasSuffix(".xcframework") }
    /// Folders that hold no sources.
    static let skippedFolders: Set<String> = [".git", ".svn", ".hg", "DerivedData", ".swiftpm", "xcuserdata"]

    /// The endings of the names of files that are read.
    static let endings = [".swift", ".m", ".mm", ".h"]

    static func isInterface(_ name: String) -> Bool { name.hasSuffix(".storyboard") || name.hasSuffix(".xib") }

    /// `Info.plist`, `App-Info.plist`.
    static func isPropertyList(_ name: String) -> Bool { name.hasSuffix("Info.plist") }

    static func isSource(_ name: String) -> Bool { endings.contains(where: name.hasSuffix) }

    /// Walks the paths; links are followed once, and never back into what is walked already.
    public static func find(_ paths: [String], workingFolder: String) -> Discovery {
        var walk = Walk(workingFolder: workingFolder)
        for path in paths { walk.enter(path) }
        walk.discovery.sources.sort { $0.reportPath < $1.reportPath }
        walk.discovery.projects.sort()
        walk.discovery.prefixHeaders.sort()
        walk.discovery.podfiles.sort()
        walk.discovery.compileCommands.sort()
        walk.discovery.interfaces.sort { $0.reportPath < $1.reportPath }
        walk.discovery.propertyLists.sort { $0.reportPath < $1.reportPath }
        return walk.discovery
    }
}

/// The state of one walk.
private struct Walk {
    let workingFolder: String
    var discovery = Discovery()
    private var seen: Set<String> = []

    init(workingFolder: String) {
        self.workingFolder = workingFolder
    }

    mutating func enter(_ given: String) {
        let path = given.hasPrefix("/") ? given : workingFolder + "/" + given
        guard let real = Self.realPath(path) else {
            if Self.isLink(path) {
                discovery.problems.append(brokenLink(path))
            } else {
                discovery.missing.append(given)
            }
            return
        }
        if Self.isFolder(real) {
            walk(real, root: real, isThirdParty: false)
        } else {
            let folder = (real as NSString).deletingLastPathComponent
            add(real, root: folder, isThirdParty: false)
            addResources(in: folder)
        }
    }

    /// A file that is given alone is read with what stands beside it, so that it is judged as in a run over its folder.
    private mutating func addResources(in folder: String) {
        for place in [folder, "\(folder)/Base.lproj"] {
            for name in ((try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []).sorted() where SourceDiscovery.isInterface(name) || SourceDiscovery.isPropertyList(name) {
                if let real = Self.realPath("\(place)/\(name)"), !Self.isFolder(real) { add(real, root: folder, isThirdParty: false) }
            }
        }
    }

    private mutating func walk(_ folder: String, root: String, isThirdParty: Bool) {
        // A list instead of recursion, so that a deep tree costs no stack.
        var pending: [(folder: String, isThirdParty: Bool)] = [(folder, isThirdParty)]
        while let (folder, isThirdParty) = pending.popLast() {
            guard seen.insert(folder).inserted else { continue }
            let names: [String]
            do {
                names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
            } catch {
                let message = "the folder cannot be read and is skipped"
                discovery.problems.append(Problem(path: reported(folder), kind: .unreadable, message: message))
                continue
            }
            for name in names where !SourceDiscovery.skippedFolders.contains(name) {
                let path = folder + "/" + name
                var target = path
                if Self.isLink(path) {
                    guard let real = Self.realPath(path) else {
                        discovery.problems.append(brokenLink(path))
                        continue
                    }
                    if folder == real || folder.hasPrefix(real + "/") {
                        discovery.problems.append(Problem(
                            path: reported(path), kind: .brokenLink, message: "the link leads back to a folder that it lies in and is not followed"))
                        continue
                    }
                    // What lies below the root is found where it lies.
                    if real == root || real.hasPrefix(root + "/") { continue }
                    target = real
                }
                if SourceDiscovery.isSource(name) || SourceDiscovery.isInterface(name) || SourceDiscovery.isPropertyList(name), !Self.isFolder(target) {
                    add(target, root: root, isThirdParty: isThirdParty)
                } else if name == "project.pbxproj" {
                    discovery.projects.append(target)
                } else if name.hasSuffix(".pch"), !Self.isFolder(target) {
                    discovery.prefixHeaders.append(target)
                } else if name == "Podfile" || name.hasSuffix(".podspec"), !Self.isFolder(target) {
                    discovery.podfiles.append(target)
                } else if name == "compile_commands.json" {
                    discovery.compileCommands.append(target)
                } else if Self.isFolder(target), !name.hasPrefix(".") || name == ".build" {
                    pending.append((target, isThirdParty || SourceDiscovery.isThirdParty(name)))
                }
            }
        }
    }

    private mutating func add(_ path: String, root: String, isThirdParty: Bool) {
        guard seen.insert(path).inserted else { return }
        let file = DiscoveredFile(path: path, reportPath: reported(path), root: root, isThirdParty: isThirdParty)
        if SourceDiscovery.isInterface(path) {
            discovery.interfaces.append(file)
        } else if SourceDiscovery.isPropertyList(path) {
            discovery.propertyLists.append(file)
        } else {
            discovery.sources.append(file)
        }
    }

    private func reported(_ path: String) -> String {
        path.hasPrefix(workingFolder + "/") ? String(path.dropFirst(workingFolder.count + 1)) : path
    }

    private func brokenLink(_ path: String) -> Problem {
        let why = errno == ELOOP ? "the link runs in a circle" : "the link leads nowhere"
        return Problem(path: reported(path), kind: .brokenLink, message: "\(why) and is skipped")
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func isLink(_ path: String) -> Bool {
        let saved = errno
        defer { errno = saved }
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
