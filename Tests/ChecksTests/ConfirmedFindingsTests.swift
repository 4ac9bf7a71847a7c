import Analysis
import Findings
import Testing

/// What makes a finding of the simulation confirmed, and not merely likely.
@Suite struct ConfirmedFindingsTests {
    @Test(arguments: [
        // What a control was given, a user sends.
        ("let button = UIButton(); button.addTarget(self, action: #selector(work), for: .touchUpInside)", "@objc func work() { HOLD }", Status.confirmed),
        ("if isEditable { let button = UIButton(); button.addTarget(self, action: #selector(work), for: .touchUpInside) }", "@objc func work() { HOLD }", .likely),
        // What nobody gives, code outside may call or not.
        ("", "func work() { HOLD }", .likely),
        ("", "@IBAction func work() { HOLD }", .likely),
        // A table asks its data source, where it has one.
        ("table.dataSource = self", "func tableView(_ tableView: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell { HOLD; return UITableViewCell() }", .confirmed),
        ("", "func tableView(_ tableView: UITableView, cellForRowAt path: IndexPath) -> UITableViewCell { HOLD; return UITableViewCell() }", .likely),
        // What is registered is called while it is.
        ("NotificationCenter.default.addObserver(self, selector: #selector(work), name: .changed, object: nil)", "@objc func work() { HOLD }", .confirmed),
        ("perform(#selector(work), with: nil, afterDelay: 1)", "@objc func work() { HOLD }", .confirmed),
    ]) func whatCocoaCallsIsNoAssumption(load: String, method: String, status: Status) {
        let report = InlineLint.report([("A.swift", """
            import UIKit
            class A: UIViewController, UITableViewDataSource {
                let table = UITableView()
                var isEditable = Bool.random()
                var onDone: (() -> Void)?
                override func viewDidLoad() { super.viewDidLoad(); \(load) }
                \(method.replacing("HOLD", with: "onDone = { self.title = nil }"))
                func tableView(_ tableView: UITableView, numberOfRowsInSection section: Int) -> Int { 1 }
            }
            """)])
        let found = report.findings.map(\.finding).filter { $0.rule == "closure_retains_controller" }
        #expect(found.map(\.status) == [status])
        #expect(found.allSatisfy { $0.assumptions.isEmpty == (status == .confirmed) })
        #expect(found.allSatisfy { $0.trace.contains { $0.event.hasPrefix("Cocoa calls ") } == (status == .confirmed) })
    }

    /// A view of the project that asks more than there is time for, and does nothing to what the class has.
    private static let busyView = """
        class Busy: UIView {
            var states: [String: Int] = [:]
            weak var delegate: Busy?
            func load(_ name: String) {
        \((0..<40).map { "        if let one = states[\"\($0)\"], one > \($0) { delegate?.load(name); states[name] = one } else { states[\"\($0)\"] = name.count; layoutIfNeeded() }" }.joined(separator: "\n"))
            }
        }
        """

    @Test(arguments: [
        // The second step of a display link belongs to its family.
        ("link = CADisplayLink(target: self, selector: #selector(step)); busy.load(title!); link?.add(to: .main, forMode: .common)", Status.confirmed),
        ("link = CADisplayLink(target: self, selector: #selector(step)); busy.load(title!); start()", .confirmed),
        ("link = CADisplayLink(target: self, selector: #selector(step)); busy.load(title!); if let index = titles.first, index == title { link?.add(to: .main, forMode: .common) }", .likely),
    ]) func ownCodeTellsWhereOthersAskTooMuch(load: String, status: Status) {
        let report = InlineLint.report([("A.swift", """
            import UIKit
            class A: UIViewController {
                let busy = Busy()
                var titles: [String] = []
                var link: CADisplayLink?
                override func viewDidLoad() { super.viewDidLoad(); \(load) }
                func start() { link?.add(to: .main, forMode: .common) }
                @objc func step() {}
            }
            \(Self.busyView)
            """)])
        #expect(report.findings.map(\.finding.status) == [status])
    }
}
