import Testing

/// Objects that functions make and return, and that others of the class keep.
@Suite struct ReturnedObjectTests {
    private static let bar = """
        import UIKit
        final class Bar: UIView {
            var host: Screen
            init(host: Screen) { self.host = host; super.init(frame: .zero) }
            required init?(coder: NSCoder) { fatalError() }
        }
        final class Screen: UIViewController {
            private var bar: Bar?

        """

    /// Each returns what the other made: neither is followed without end.
    @Test func functionsThatReturnEachOthersResultAreFollowedOnlySoFar() {
        let found = InlineLint.findings(Self.bar + """
                func first() -> Bar { isEditing ? second() : Bar(host: self) }
                func second() -> Bar { isEditing ? first() : Bar(host: self) }
            }
            """)
        #expect(found.isEmpty)
    }

    @Test func whatComesThroughTwoFunctionsIsKept() {
        let found = InlineLint.findings(Self.bar + """
                func make() -> Bar { let made = Bar(host: self); return made }
                func ready() -> Bar { let made = make(); return made }
                override func viewDidLoad() { super.viewDidLoad(); bar = ready() }
            }
            """)
        #expect(found == ["3 strong_delegate"])
    }
}
