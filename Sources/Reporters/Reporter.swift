import Findings

/// A form in which a report is written.
public enum Reporter: String, CaseIterable, Sendable {
    case text, xcode, json

    /// The whole report as text that ends in a line end, or is empty.
    public func render(_ report: Report, toolVersion: String, style: TextStyle) -> String {
        switch self {
        case .text: TextReport.render(report, style: style)
        case .xcode: XcodeReport.render(report)
        case .json: JSONReport.render(report, toolVersion: toolVersion)
        }
    }
}

/// How text for people looks.
public struct TextStyle: Sendable {
    /// Whether colours are used; only on a terminal.
    public let isColoured: Bool
    /// Whether problems and the closing summary are left out.
    public let isQuiet: Bool

    /// Makes a style.
    public init(isColoured: Bool, isQuiet: Bool) {
        self.isColoured = isColoured
        self.isQuiet = isQuiet
    }
}
