import Findings

extension Check {
    /// Files whose text is not the language: what stands there is judged with care only.
    static let unparsableSource = Check(rules: ["unparsable_source"]) { input, file in
        guard let first = input.program.files[file].facts.syntaxErrors.first else { return [] }
        return [input.finding(
            "unparsable_source", "\(first.message), so \(first.endsReading ? "the file" : "the code around it") is not judged", at: first.span, in: file, type: "", member: "")]
    }
}
