import Testing

/// What the pages' examples leave out: paths, closures, helpers and chains of classes.
@Suite struct SuperCallTests {
    /// The findings of one override of `viewDidLoad` with this body, as rule ids.
    private func rules(_ body: String, members: String = "", base: String = "UIViewController") -> [String] {
        InlineLint.findings("class A: \(base) {\n override func viewDidLoad() {\n\(body)\n }\n\(members)\n}").map { String($0.split(separator: " ")[1]) }
    }

    @Test(arguments: [
        "super.viewDidLoad()",
        "if a { super.viewDidLoad() } else { super.viewDidLoad(); b() }",
        "guard a else { super.viewDidLoad(); return }\nsuper.viewDidLoad()",
        "guard a else { fatalError() }\nsuper.viewDidLoad()",
        "defer { super.viewDidLoad() }\nif a { return }",
        "do { try x() } catch { log() }\nsuper.viewDidLoad()",
        "switch a { case .b: super.viewDidLoad()\n case .c, .d: super.viewDidLoad()\n default: super.viewDidLoad() }",
        "if flag { super.viewDidLoad() }\nmore()\nif !flag { super.viewDidLoad() }",
        "if flag == 3 { super.viewDidLoad() }\nif flag != 3 { super.viewDidLoad(); return }",
        "UIView.performWithoutAnimation { super.viewDidLoad() }",
        "DispatchQueue.main.async { [weak self] in guard self != nil else { return }\n super.viewDidLoad() }",
        "let work = { super.viewDidLoad() }\nwork()",
        "func work() { super.viewDidLoad() }\nif a { work() } else { work() }",
        "({ super.viewDidLoad() })()",
        "#if DEBUG\nsuper.viewDidLoad()\n#else\nsuper.viewDidLoad()\n#endif",
        "#if os(iOS)\nsuper.viewDidLoad()\n#endif",
        "while true { super.viewDidLoad(); break }",
        "guard title != nil else { super.viewDidLoad(); return }\ndefer { super.viewDidLoad() }\ntitle = x",
        "let base = super.viewDidLoad\nmeasure(base)",
        "autoreleasepool(invoking: super.viewDidLoad)",
        "switch m { case .a: super.viewDidLoad()\n case .b, .c: break }\nswitch m { case .b, .c: super.viewDidLoad()\n default: break }",
        "let steps = [{ super.viewDidLoad() }]\nfor step in steps { step() }",
        "queue += [{ super.viewDidLoad() }]\nflush()",
        "let t = (up: { super.viewDidLoad() }, down: 3)\nt.up()",
        "let w: (() -> Void)? = { super.viewDidLoad() }\nw?()",
        "if n > 0 { super.viewDidLoad() }\nif n <= 0 { super.viewDidLoad() }",
        "var called = false\nif c { super.viewDidLoad(); called = true }\nif !called { super.viewDidLoad() }",
        "for flag in [true] { super.viewDidLoad() }",
        "if let s { super.viewDidLoad() } else if s == nil { super.viewDidLoad() }",
        "constraints { make in if a { return }\n make() }\nsuper.viewDidLoad()",
    ])
    func silent(_ body: String) {
        #expect(rules(body) == [])
    }

    @Test(arguments: [
        ("setUp()", "missing_super_call"),
        ("func never() { super.viewDidLoad() }", "missing_super_call"),
        ("guard a else { return }\nsuper.viewDidLoad()", "conditional_super_call"),
        ("if a { super.viewDidLoad() }", "conditional_super_call"),
        ("switch a { case .b: super.viewDidLoad()\n default: break }", "conditional_super_call"),
        ("guard ready else { return }\ndefer { super.viewDidLoad() }", "conditional_super_call"),
        ("switch m { case .a, .b: x()\n case .c: y() }\nswitch m { case .a: return\n case .b, .c: break }\nsuper.viewDidLoad()", "conditional_super_call"),
        ("super.viewDidLoad()\nif a { super.viewDidLoad() }", "conditional_super_call"),
        ("for x in list { super.viewDidLoad() }", "conditional_super_call"),
        ("do { try x()\n super.viewDidLoad() } catch { log() }", "conditional_super_call"),
        ("if a, b { super.viewDidLoad() } else if a { super.viewDidLoad() }", "conditional_super_call"),
        ("let x = a ?? { super.viewDidLoad() }()", "conditional_super_call"),
        ("super.viewWillAppear(false)", "wrong_super_call"),
    ])
    func reported(_ body: String, _ rule: String) {
        #expect(rules(body) == [rule])
    }

    @Test func helpersInExtensionsBasesAndProtocols() {
        #expect(rules("setUp()", members: "private func setUp() { super.viewDidLoad() }") == [])
        #expect(rules("one()", members: "func one() { two() }\nfunc two() { super.viewDidLoad() }") == [])
        #expect(rules("one()", members: "func one() { if a { super.viewDidLoad() } }") == ["conditional_super_call"])
        #expect(rules("one(); one()", members: "func one() { super.viewDidLoad() }") == ["conditional_super_call"])
        #expect(rules("one()", members: "func one() { one() }") == ["missing_super_call"], "endless recursion ends")
        #expect(InlineLint.findings(
            "class A: Base { override func viewDidLoad() { prepare() } }",
            "class Base: UIViewController { override func viewDidLoad() { super.viewDidLoad() } }\nextension Base { func prepare() { super.viewDidLoad() } }") == [])
    }

    @Test func subclassesOfSubclassesAcrossFiles() {
        let findings = InlineLint.findings(
            "class Leaf: Middle { override func viewWillAppear(_ animated: Bool) {} }", "class Middle: Base {}",
            "class Base: UITableViewController { override func viewWillAppear(_ animated: Bool) { super.viewWillAppear(animated) } }")
        #expect(findings == ["File1:1 missing_super_call"])
    }

    @Test func overridesInExtensionsAreJudged() {
        #expect(InlineLint.findings("class A: UIViewController {}", "extension A { override func viewDidLoad() {} }") == ["File2:1 missing_super_call"])
    }

    @Test func foreignBasesAreJudgedByNameOnlyForEventsThatCanBeNobodyElses() {
        #expect(InlineLint.findings("class A: FormViewController { override func viewDidLoad() {} }") == ["1 missing_super_call"])
        #expect(InlineLint.findings("class A: FormPresenter { override func viewDidLoad() {} }") == [])
        #expect(InlineLint.findings("class A: FormViewController { override func setEditing(_ editing: Bool, animated: Bool) {} }") == [])
        #expect(InlineLint.findings("class A: FancyCell { override func prepareForReuse() {} }") == ["1 missing_super_call"])
    }

    @Test func hooksMayBeSwitchedOffOrGuarded() {
        #expect(InlineLint.findings("class A: UITableViewCell { override func setEditing(_ editing: Bool, animated: Bool) {} }") == [])
        #expect(InlineLint.findings("class A: NSView { override func setFrameSize(_ s: NSSize) { if s == size { return }; super.setFrameSize(s) } }") == [])
        #expect(InlineLint.findings("class A: NSView { override func setFrameSize(_ s: NSSize) { use(s) } }") == ["1 missing_super_call"])
        #expect(InlineLint.findings("class A: UIViewController { override func viewDidLoad() {} }") == ["1 missing_super_call"])
    }

    @Test func helpersThatThrowOrAreProperties() {
        #expect(rules("do { try setUp() } catch { print(error) }", members: "func setUp() throws { super.viewDidLoad(); try other() }") == [])
        #expect(rules("do { try setUp() } catch { print(error) }", members: "func setUp() throws { try other(); super.viewDidLoad() }") == ["conditional_super_call"])
        #expect(rules("run()", members: "lazy var run: () -> Void = { [unowned self] in super.viewDidLoad() }") == [])
        #expect(rules("configured().tag += 1", members: "func configured() -> UIView { super.viewDidLoad(); return view }") == [])
    }

    /// Many independent flags are many configurations, yet not many paths.
    @Test func flagsDoNotMultiply() {
        let flags = (0..<60).map { "#if F\($0)\nprint(\($0))\n#endif\n" }.joined()
        #expect(rules("super.viewDidLoad()\n" + flags) == [])
        #expect(rules(flags) == ["missing_super_call"])
        let leaving = (0..<12).map { "#if F\($0)\nif a\($0) { return }\n#endif\n" }.joined()
        #expect(rules(leaving + "super.viewDidLoad()").count <= 1)
    }

    @Test func viewsOfLoadView() {
        func loadView(_ body: String, base: String = "UIViewController") -> [String] {
            InlineLint.findings("class A: \(base) { override func loadView() { \(body) } }").map { String($0.split(separator: " ")[1]) }
        }
        #expect(loadView("super.loadView(); view = UIView()") == ["prohibited_super_call"])
        #expect(loadView("super.loadView(); let w = Effect(); w.addSubview(view); view = w") == [])
        #expect(loadView("if let v = make { view = v } else { super.loadView() }") == [])
        #expect(loadView("view = UIView()") == [])
        #expect(loadView("title = x") == ["missing_super_call"])
        #expect(loadView("setUp()") == [])
    }

    @Test func superOfTheProjectIsNotForbidden() {
        #expect(InlineLint.findings("class A: AsyncOperation { override func start() { super.start() } }\nclass AsyncOperation: Operation { override func start() { main() } }") == [])
        #expect(InlineLint.findings("class A: Operation { override func start() { super.start() } }") == ["1 prohibited_super_call"])
        #expect(InlineLint.findings("class A: BlockOperation { override func start() { super.start() } }") == [])
    }

    @Test func otherEvents() {
        #expect(InlineLint.findings("class A: UIViewController { override func removeFromParent() { super.willMove(toParent: nil); super.removeFromParent() } }") == [])
        #expect(InlineLint.findings("class A: NSTableView { override func viewWillMove(toWindow w: Int) { super.viewWillMove(toSuperview: nil) } }").count == 1)
        #expect(InlineLint.findings("typealias Themed = UIViewController & Themable\nclass A: Themed { override func viewDidLoad() {} }") == ["2 missing_super_call"])
    }

    @Test func brokenMembersAreNotCalledIncomplete() {
        #expect(InlineLint.findings("class A: UIViewController {\n override func viewDidLoad() {\n let x = (1 + \n }\n}") == ["3 unparsable_source"])
        // Compilers before Swift 6 take a blank before the arguments of an attribute.
        #expect(InlineLint.findings("class A: UIViewController {\n @available (*, unavailable)\n func load() {}\n}") == [])
    }

    @Test func swiftOfBeforeSwift3IsRead() {
        let old = """
            class A: UIViewController {
            override func viewDidLoad() {
            if let a = one, b = two where b.isOn { show(a) }
            guard let c = three where c.isOn else { return }
            }
            func handle(done: (String -> Void)?, inout count: Int, var rest: Int) -> Int -> Void { fatalError() }
            var reply: NSData -> Void = { _ in }
            }
            """
        #expect(InlineLint.findings(old) == ["2 missing_super_call"])
        #expect(InlineLint.findings(old.replacing("where c.isOn else", with: "where where c.isOn else")).contains("4 unparsable_source"))
    }

    @Test func testsAndOthersCodeAreNotJudged() {
        let text = "class A: UIViewController { override func viewDidLoad() {} }"
        #expect(InlineLint.report([("Tests/A.swift", text), ("Pods/A.swift", text)]).findings.isEmpty)
        #expect(InlineLint.report([("Tests/A.swift", "class T: XCTestCase { override func invokeTest() {} }")]).findings.count == 1)
    }
}
