import Testing

@Suite struct SignatureTests {
    private func findings(_ member: String, base: String = "UIViewController", others: String = "") -> Int {
        InlineLint.findings("class A: \(base) {\n\(member)\n}\n\(others)").count { $0.hasSuffix("lifecycle_signature_mismatch") }
    }

    @Test(arguments: [
        "func viewDidApear(_ animated: Bool) {}", "func viewWillAppear() {}", "func viewDidLoadd() {}", "func viewdidload() {}",
        "func viewWillAppear(animated: Bool) {}", "func veiwDidLoad() {}", "func viewDidLayoutSubview() {}",
    ])
    func reported(_ member: String) {
        #expect(findings(member) == 1)
    }

    @Test(arguments: [
        "func viewDidLoadData() {}", "func viewWillAppearAgain(_ animated: Bool) {}", "func viewDidAppear2() {}",
        "override func viewDidLoad() { super.viewDidLoad() }", "static func viewWillAppear() {}",
        "func viewDidLoad(with model: Int, completion: () -> Void) {}",
    ])
    func silent(_ member: String) {
        #expect(findings(member) == 0)
    }

    @Test func whatOthersCallIsNoSlip() {
        #expect(findings("@IBAction func viewWillAppear(sender: Any) {}") == 0)
        #expect(findings("@objc(loadViews) func loadViews() {}") == 0)
        #expect(findings("@available(*, unavailable) func viewDidLoadd() {}") == 0)
        #expect(findings("func viewDidLoaded() {}", base: "UIViewController, FeedInput") == 0, "a protocol that is not here may ask for it")
        #expect(findings("func viewDidAppear(tracking: Bool) {}", base: "UIViewController, Both",
                         others: "protocol Tracking { func viewDidAppear(tracking: Bool) }\ntypealias Both = Tracking & Codable") == 0)
        #expect(findings("func viewDidLoaded() {}", base: "UIViewController, UITableViewDelegate") == 1)
    }

    @Test func methodsThatSomebodyCallsAreHelpers() {
        #expect(findings("func viewWillAppear() {}\nfunc f() { viewWillAppear() }") == 0)
        #expect(findings("@objc func viewDidApear() {}\nfunc f() { g(#selector(viewDidApear)) }") == 0)
        #expect(findings("func viewDidApear() {}", base: "UIViewController, Seen", others: "protocol Seen { func viewDidApear() }") == 0)
        #expect(findings("func viewWillAppear() {}", base: "Unknown") == 0)
    }

    /// What a contained controller says of orientations is not asked.
    @Test func queriesOfContainedControllers() {
        let detail = "class Detail: UIViewController { override var supportedInterfaceOrientations: UIInterfaceOrientationMask { .portrait } }\n"
        func count(_ use: String, _ more: String = "") -> Int {
            InlineLint.findings(detail + "class Root: UIViewController { func open() { \(use) } }\n" + more).count { $0.contains("lifecycle_signature_mismatch") }
        }
        #expect(count("navigationController?.pushViewController(Detail(), animated: true)") == 1)
        #expect(count("let d = Detail(); let n = UINavigationController(rootViewController: d); present(n, animated: true)") == 1)
        #expect(count("tabs.viewControllers = [Detail(), Root()]") == 1)
        #expect(count("let d = Detail(); present(d, animated: true)") == 0)
        #expect(count("let d = Detail(); if a { present(d, animated: true) } else { addChild(d) }") == 0)
        #expect(count("other(Detail())") == 0)
        #expect(count("") == 0, "a storyboard may show it anywhere")
        #expect(count("addChild(Detail())", "class N: UINavigationController { override var shouldAutorotate: Bool { top.shouldAutorotate } }") == 0)
        #expect(count("addChild(Detail())", "extension UINavigationController { override open var shouldAutorotate: Bool { true } }") == 0)
    }
}
