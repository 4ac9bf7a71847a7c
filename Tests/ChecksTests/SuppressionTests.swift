import Analysis
import Testing

@Suite struct SuppressionTests {
    private func lint(_ comment: (Int, String), selection: RuleSelection = RuleSelection()) -> [String] {
        var lines = ["class A: UIViewController {", "", "    override func viewDidLoad() {}", "", "}"]
        lines[comment.0 - 1] += comment.1
        return InlineLint.report([("F.swift", lines.joined(separator: "\n"))], selection: selection).findings.map { "\($0.finding.span.start.line) \($0.finding.rule)" }
    }

    @Test(arguments: [
        (2, "// lifelint:disable:next missing_super_call - nothing there"), (3, " // lifelint:disable:this missing_super_call"),
        (4, "// lifelint:disable:previous all"), (1, " // lifelint:disable missing_super_call"), (5, " // lifelint:disable:file missing_super_call"),
    ])
    func hidden(_ line: Int, _ comment: String) {
        #expect(lint((line, comment)) == [])
    }

    @Test func uselessCommentsAreReported() {
        #expect(lint((4, "// lifelint:disable missing_super_call")) == ["3 missing_super_call", "4 superfluous_suppression"])
        #expect(lint((2, "// lifelint:disable:next wrong_super_call")) == ["2 superfluous_suppression", "3 missing_super_call"])
        #expect(lint((2, "// lifelint:disable:next no_such_rule")) == ["2 superfluous_suppression", "3 missing_super_call"])
    }

    @Test func commentsForRulesThatDoNotRunAreLeftAlone() {
        #expect(lint((2, "// lifelint:disable:next wrong_super_call"), selection: RuleSelection(disabled: ["wrong_super_call"])) == ["3 missing_super_call"])
    }

    @Test func regionsEndWhereTheyAreEnded() {
        let text = """
            // lifelint:disable missing_super_call
            class A: UIViewController { override func viewDidLoad() {} }
            // lifelint:enable missing_super_call
            class B: UIViewController { override func viewDidLoad() {} }
            """
        #expect(InlineLint.findings(text) == ["4 missing_super_call"])
    }

    @Test func rulesOfOneRegionEndOneByOne() {
        let text = """
            // lifelint:disable missing_super_call, wrong_super_call
            class A: UIViewController { override func viewDidLoad() { super.viewDidAppear(true) } }
            class B: UIViewController { override func viewDidLoad() {} }
            // lifelint:enable missing_super_call
            class C: UIViewController { override func viewDidLoad() { super.viewDidAppear(true) } }
            class D: UIViewController { override func viewDidLoad() {} }
            // lifelint:enable wrong_super_call
            class E: UIViewController { override func viewDidLoad() { super.viewDidAppear(true) } }
            """
        #expect(InlineLint.findings(text) == ["6 missing_super_call", "8 wrong_super_call"])
    }

    @Test func attributesAndLongCallsBelongToTheComment() {
        #expect(InlineLint.findings("""
            class A: UIViewController {
                // lifelint:disable:next missing_super_call: it does nothing
                @MainActor
                override func viewDidLoad() {}
                func f() {
                    navigationController?
                        .topViewController?
                        .viewDidLoad() // lifelint:disable:this direct_lifecycle_call
                }
            }
            """) == [])
    }

    /// A protocol's extension that registers for whoever conforms, and a class that does, in another file.
    private func conformer(_ comment: String) -> [(path: String, text: String)] {
        let registrar = """
            protocol Registrar: AnyObject {}
            extension Registrar {
                func register() {
                    \(comment)
                    NotificationCenter.default.addObserver(forName: .init("a"), object: nil, queue: nil) { _ in self.changed() }
                }
                func changed() {}
            }
            """
        return [("Registrar.swift", registrar), ("Screen.swift", """
            final class Screen: UIViewController, Registrar {
                // lifelint:disable:next closure_retains_controller
                private let shade = UIView()

                override func viewDidLoad() {
                    super.viewDidLoad()
                    register()
                }
            }
            """)]
    }

    @Test func commentsSpeakOfTheirOwnFile() {
        let hidden = InlineLint.report(conformer("// lifelint:disable:next all")).findings
        #expect(hidden.map { "\($0.finding.path) \($0.finding.span.start.line) \($0.finding.rule)" } == ["Screen.swift 2 superfluous_suppression"])
    }

    @Test func whatAnotherFilesClassShowsIsReportedWhereItStands() {
        let files = conformer("")
        let all = InlineLint.report(files).findings.map(\.finding).filter { $0.path == "Registrar.swift" }
        #expect(all.map(\.rule) == ["closure_retains_controller"])
        #expect(InlineLint.report(files, selection: RuleSelection(paths: ["Registrar.swift"])).findings.map(\.finding) == all)
        #expect(InlineLint.report(files, selection: RuleSelection(paths: ["Screen.swift"])).findings.map(\.finding.rule) == ["superfluous_suppression"])
    }

    @Test func selection() {
        #expect(lint((2, ""), selection: RuleSelection(only: ["wrong_super_call"])) == [])
        #expect(lint((2, ""), selection: RuleSelection(disabled: ["missing_super_call"])) == [])
    }
}
