import Testing

@Suite struct DirectCallTests {
    private func lines(_ code: String) -> [String] {
        InlineLint.findings("class Child: UIViewController {}\nprotocol Presenter { func viewDidLoad() }\n" + code)
    }

    @Test(arguments: [
        "class A: UIViewController { func f() { viewDidLoad() } }",
        "class A: UIViewController { func f() { self.viewWillAppear(true) } }",
        "class A: UIViewController { var c: Child?; func f() { c?.viewDidAppear(false) } }",
        "class A: UIViewController { func f() { children.forEach { _ in }; children[0].viewDidLoad() } }",
        "class A: UIViewController { func f() { UIView.animate(withDuration: 1) { [weak self] in self?.viewDidLayoutSubviews() } } }",
        "class A: UIView { func f() { layoutSubviews() } }",
        "func boot(_ c: Child) { c.viewDidLoad() }",
        "extension UIViewController { func reload() { viewDidLoad() } }",
        "let c = Child()\nc.viewWillAppear(true)",
        "class A: UIViewController { func f() { children.first?.viewDidLoad() } }",
        "class A: UIViewController { func f() { children.forEach { $0.viewDidAppear(true) } } }",
        "func f(_ c: Child) {}\nclass A { let child = Child(); func f() { child.viewDidLoad() } }",
    ])
    func reported(_ code: String) {
        #expect(lines(code).map { $0.split(separator: " ")[1] } == ["direct_lifecycle_call"])
    }

    @Test(arguments: [
        "class A: UIViewController { var presenter: Presenter!; override func viewDidLoad() { super.viewDidLoad(); presenter.viewDidLoad() } }",
        "class A: UIViewController { var model: Unknown!; func f() { model.viewDidLoad() } }",
        "class A { func viewDidLoad() {}; func f() { viewDidLoad() } }",
        "class A: UIViewController { var c: Child; override func viewWillAppear(_ animated: Bool) { super.viewWillAppear(animated); c.viewWillAppear(animated) } }",
        "class A: UIViewController { var c: Child; override var shouldAutomaticallyForwardAppearanceMethods: Bool { false }\n func f() { c.viewDidAppear(true) } }",
        "class A: UIViewController { func viewDidLoad(with x: Int) {}; func f() { viewDidLoad(with: 3) } }",
        "class A: UIViewController { func f() { setNeedsLayout(); beginAppearanceTransition(true, animated: false) } }",
        "class A: UIView { func draw(_ text: String) {}; func f() { draw(\"x\" as String) } }",
        "class A: UIView { override func prepareForInterfaceBuilder() { super.prepareForInterfaceBuilder(); awakeFromNib() } }",
        "class A: UIViewController { func viewWillAppear(_ animated: Bool) async {}\n func f() async { await viewWillAppear(true) } }",
        "class A: UIViewController { func viewDidAppear(then done: () -> Void) { done() }\n func f() { viewDidAppear { print(1) } } }",
        "class A { var child: Presenter!\n func f() { if let child = child as? UIViewController { use(child) } else { child.viewDidLoad() } } }",
        "class A { var child: Presenter!\n func f() { guard let child = child as? UIViewController else { child.viewDidLoad(); return }; use(child) } }",
        "struct P: PreviewProvider { static var previews: some View { let c = Child(); c.viewDidLoad(); return c } }",
        "#Preview { let c = Child(); c.viewDidLoad(); return c }",
    ])
    func silent(_ code: String) {
        #expect(lines(code) == [])
    }
}
