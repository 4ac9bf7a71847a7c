import Analysis
import Testing

/// What lives as long as the app, so that a circle around it costs nothing.
@Suite struct LifetimeTests {
    private static let circle = "var done: (() -> Void)?\n init() { done = { self.go() } }\n func go() {}"

    /// The lines of the circles that are told.
    private func circles(_ text: String) -> [Int] {
        InlineLint.report([("A.swift", "import UIKit\n" + text)]).findings.map(\.finding).filter { $0.rule == "closure_retains_controller" }.map(\.span.start.line)
    }

    @Test func whatTheLaunchPutsIntoAPropertyOfAType() {
        func context(_ member: String) -> String {
            """
            class Context { static var shared: Context!; lazy var loader = Loader() }
            class Loader { \(Self.circle) }
            class AppDelegate: UIResponder, UIApplicationDelegate { \(member) }
            class Login: UIViewController { func enter() { print(Context.shared.loader) } }
            """
        }
        #expect(circles(context("func application(_ a: UIApplication, didFinishLaunchingWithOptions o: [UIApplication.LaunchOptionsKey: Any]?) -> Bool { Context.shared = Context(); return true }")) == [])
        // Who makes one for itself lets it go.
        #expect(circles(context("func application(_ a: UIApplication, didFinishLaunchingWithOptions o: [UIApplication.LaunchOptionsKey: Any]?) -> Bool { let context = Context(); print(context.loader); return true }")) == [4])
    }

    /// What one class alone inherits, and that one is the screen of a sample, others will inherit, too.
    @Test func basesOfScreens() {
        func bases(_ screens: String...) -> String {
            """
            class Base: UIViewController { var done: (() -> Void)?
            override func viewDidLoad() { super.viewDidLoad(); done = { self.view.layoutIfNeeded() } } }
            \(screens.map { "class \($0): Base {}" }.joined(separator: "\n"))
            class Delegate: UIResponder, UIApplicationDelegate { \(screens.map { "let \($0.lowercased()) = \($0)()" }.joined(separator: "; ")) }
            """
        }
        #expect(circles(bases("First")) == [3])
        #expect(circles(bases("First", "Second")) == [])
    }

    /// An operation is done at some time, whoever makes it.
    @Test func operationsEnd() {
        func findings(_ base: String) -> [String] {
            InlineLint.report([("A.swift", """
                import Foundation
                final class Download: \(base), URLSessionDelegate {
                    var session: URLSession?
                    func load() { session = URLSession(configuration: .default, delegate: self, delegateQueue: nil) }
                }
                """)]).findings.map(\.finding.rule)
        }
        #expect(findings("Operation") == ["strong_delegate"])
        #expect(findings("NSObject") == [])
    }
}
