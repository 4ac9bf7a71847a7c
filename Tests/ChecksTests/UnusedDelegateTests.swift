import Analysis
import ProgramModel
import Testing

/// A strong delegate of an app's helper that nobody sets holds nobody.
@Suite struct UnusedDelegateTests {
    private static let parser = """
        import UIKit
        public protocol ParserDelegate: AnyObject { func parsed() }
        public final class Parser { public var delegate: ParserDelegate? }
        """
    private static let screen = "import UIKit\nfinal class Screen: UIViewController { let parser = Parser() }"
    private static let giver = """
        import UIKit
        final class Other: ParserDelegate {
            func use(_ parser: Parser) { parser.delegate = self }
            func parsed() {}
        }
        """

    private static func rules(_ texts: [String], isApp: Bool) -> [String] {
        let app = "import UIKit\n@main final class App: UIResponder, UIApplicationDelegate { var window: UIWindow? }"
        let files = (texts + (isApp ? [app] : [])).enumerated().map { (path: "File\($0).swift", text: $1) }
        return InlineLint.report(files).findings.map(\.finding).filter { $0.rule == "strong_delegate" && $0.severity != .note }.map(\.path)
    }

    @Test func anAppWhereNobodySetsItIsSilent() {
        #expect(Self.rules([Self.parser, Self.screen], isApp: true).isEmpty)
    }

    @Test func anAppWhereSomebodySetsItIsNot() {
        #expect(Self.rules([Self.parser, Self.screen, Self.giver], isApp: true) == ["File0.swift"])
    }

    @Test func aLibraryIsThereForOthers() {
        #expect(Self.rules([Self.parser, Self.screen], isApp: false) == ["File0.swift"])
    }
}
