import ProgramModel
import SwiftFrontEnd
import Testing

@Suite struct TypeInferenceTests {
    /// The type of the receiver of the call `….probe()` in `Probe.run`, as text, with how it is known.
    private func receiver(_ code: String, others: String = "") -> String {
        let project = InlineProject("class Probe: UIViewController {\n\(code)\n}", others)
        let program = project.program
        let type = project.type("Probe")
        guard let id = type.membersByName["run"]?.first, let body = program[id].body else { return "no body" }
        let context = BodyContext(body: body, selfType: type.id, scope: Scope(file: 0, typeName: "Probe"), isStatic: false)
        var found = "no call"
        body.block.forEachStatement { statement in
            guard let call = statement.call, case .member(let operand, "probe") = call.callee else { return }
            let inferred = TypeInference(program).type(of: operand, in: context)
            found = inferred.map { "\($0.reference) \($0.provenance)" } ?? "unknown"
        }
        return found
    }

    @Test(arguments: [
        ("var p: UIView?; func run() { p?.probe() }", "UIView declared"),
        ("func run() { let v = UIImageView(); v.probe() }", "UIImageView initializer"),
        ("func run(_ v: UIView) { v.probe() }", "UIView declared"),
        ("func make() -> UIView? { nil }\nfunc run() { make()!.probe() }", "UIView returnType"),
        ("func run() { view.superview?.probe() }", "UIView platformData"),
        ("func run() { self.view.probe() }", "UIView platformData"),
        ("func run() { for child in children { child.probe() } }", "UIViewController platformData"),
        ("func run() { children[0].probe() }", "UIViewController platformData"),
        ("func run() { if let c = children.first as? Probe { c.probe() } }", "Probe declared"),
        ("func run(_ x: Any) { (x as! UIView).probe() }", "UIView declared"),
        ("lazy var label: UIImageView = UIImageView()\nfunc run() { label.probe() }", "UIImageView declared"),
        ("lazy var label = { let l = UIImageView(); return l }()\nfunc run() { label.probe() }", "UIImageView initializer"),
        ("let model = Model()\nfunc run() { model.view.probe() }", "UIView initializer"),
        ("func run() { work { [weak self] in self?.probe() } }", "Probe declared"),
        ("func run() { work { [weak self] in guard let self else { return }; self.probe() } }", "Probe declared"),
        ("func run() { Model.shared.probe() }", "Model initializer"),
        ("func run() { globalView.probe() }", "UIView declared"),
        ("func run() { switch x { case let v as UIView: v.probe()\ndefault: break } }", "UIView declared"),
        ("func run() { unknown().probe() }", "unknown"),
        ("func run() { let x = other; x.probe() }", "unknown"),
    ])
    func receiverType(_ code: String, _ expected: String) {
        #expect(receiver(code, others: "class Model { static let shared = Model()\n let view: UIView }\nvar globalView: UIView") == expected)
    }

    /// A protocol stands for its conformers; a method that only one type has tells the type.
    @Test func receiversOfCalls() throws {
        let project = InlineProject(
            "protocol Player { func play() }\nclass A: Player { func play() {} }\nclass B: A {}\nstruct C: Player { func play() {} }",
            "class Only { func onlyHere(_ x: Int) {} }",
            "class Probe { var player: Player?\n func run() { player?.play(); mystery().onlyHere(3); mystery().play() } }")
        let program = project.program
        let type = project.type("Probe")
        let id = try #require(type.membersByName["run"]?.first)
        let body = try #require(program[id].body)
        let context = BodyContext(body: body, selfType: type.id, scope: Scope(file: 2, typeName: "Probe"), isStatic: false)
        var found: [String] = []
        body.block.forEachStatement { statement in
            guard let call = statement.call, case .member = call.callee else { return }
            let receivers = TypeInference(program).receivers(of: call, in: context)
            found.append(receivers.types.map { program[$0].name }.joined(separator: "|") + " \(receivers.provenance)")
        }
        #expect(found == ["A|B|C declared", "Only uniqueSelector", " unknown"])
    }
}
