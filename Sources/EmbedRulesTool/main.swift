// Writes a Swift source that holds every .yml file below a folder as a string literal.
//
//     EmbedRulesTool RULES_FOLDER OUTPUT_FILE
import Foundation

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
    FileHandle.standardError.write(Data("EmbedRulesTool: expected a rules folder and an output file\n".utf8))
    exit(1)
}
let folder = URL(fileURLWithPath: arguments[1]).standardizedFileURL
var names: [String] = []
if let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) {
    for case let file as URL in files where file.pathExtension == "yml" {
        names.append(String(file.standardizedFileURL.path.dropFirst(folder.path.count + 1)))
    }
}
names.sort()

var source = """
// Written by EmbedRulesTool from Rules/.
let embeddedRuleFiles: [(path: String, text: String)] = [

"""
for name in names {
    let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    // A literal with enough number signs needs no escapes, whatever the file holds.
    var fence = "#"
    while text.contains("\"" + fence) || text.contains("\\" + fence) { fence += "#" }
    source += "    (path: \"\(name)\", text: \(fence)\"\"\"\n\(text)\n\"\"\"\(fence)),\n"
}
source += "]\n"
try source.write(toFile: arguments[2], atomically: true, encoding: .utf8)
