import Foundation
import PackagePlugin

/// Turns the files of Rules/ into one Swift source, so that the binary carries its rule data.
@main
struct EmbedRules: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let rules = context.package.directoryURL.appending(path: "Rules")
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedRules.swift")
        var inputs: [URL] = []
        if let files = FileManager.default.enumerator(at: rules, includingPropertiesForKeys: nil) {
            for case let file as URL in files where file.pathExtension == "yml" { inputs.append(file) }
        }
        inputs.sort { $0.path < $1.path }
        return [.buildCommand(displayName: "Embedding Rules/", executable: try context.tool(named: "EmbedRulesTool").url,
                              arguments: [rules.path, output.path], inputFiles: inputs, outputFiles: [output])]
    }
}
