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

    @Test func methodsThatSomebodyCallsAreHelpers() {
        #expect(findings("func viewWillAppear() {}\nfunc f() { viewWillAppear() }") == 0)
        #expect(findings("@objc func viewDidApear() {}\nfunc f() { g(#selector(viewDidApear)) }") == 0)
        #expect(findings("func viewDidApear() {}", base: "UIViewController, Seen", others: "protocol Seen { func viewDidApear() }") == 0)
        #expect(findings("func viewWillAppear() {}", base: "Unknown") == 0)
    }
}
