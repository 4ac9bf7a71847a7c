/// The folders and projects of sample apps, known by their names: what such an app does with a library, others need not do.
public enum SampleFolders {
    private static let words: Set<String> = ["example", "examples", "demo", "demos", "sample", "samples"]

    /// Whether a folder or a project is there for samples, by one of the words of its name: `PagerDemo`, `Demo-Swift`, `samples`.
    public static func isName(_ name: String) -> Bool {
        var word = ""
        func isWord(_ word: String) -> Bool {
            let plain = word.lowercased()
            return plain.contains("example") || words.contains(plain) || ["demo", "demos"].contains(where: plain.hasSuffix)
        }
        for letter in name {
            if !letter.isLetter || letter.isUppercase && word.last?.isLowercase == true {
                if isWord(word) { return true }
                word = ""
            }
            if letter.isLetter { word.append(letter) }
        }
        return isWord(word)
    }

    /// Whether a file lies in such a folder: `Examples/Shop/Shop/AppDelegate.m`.
    public static func contain(_ path: String) -> Bool { path.split(separator: "/").dropLast().contains { isName(String($0)) } }
}
