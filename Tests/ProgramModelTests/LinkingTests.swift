import ProgramModel
import SwiftFrontEnd
import Testing

@Suite struct LinkingTests {
    @Test func superclassesAcrossFilesLeadToTheSDK() {
        let project = InlineProject("class Detail: Middle {}", "class Middle: Base<Int>, Codable {}", "class Base<T>: UIViewController {}")
        #expect(project.chain("Detail") == "Middle < Base < platform(\"UIViewController\")")
    }

    @Test func unknownFirstNameIsForeignAndLaterOnesAreProtocols() {
        let project = InlineProject("class A: FormController, SomeProtocol {}", "class B: UITableViewDelegate, Other {}", "class C {}")
        #expect(project.chain("A") == "foreign(\"FormController\")")
        #expect(project.chain("B") == "none")
        #expect(project.chain("C") == "none")
    }

    /// An override proves that the base has the method; where several classes have it, the imports or the name decide.
    @Test func whatIsOverriddenTellsWhatAForeignBaseIs() {
        let platform = PlatformKnowledge(
            superclasses: ["UIViewController": "NSObject", "NSViewController": "NSObject", "UIView": "NSObject", "UITableViewCell": "UIView", "UICollectionViewCell": "UIView"],
            rootClasses: ["NSObject"],
            guessedBases: [
                GuessedBase("UIViewController", ends: ["Controller"], overrides: ["viewDidLoad()"], proofs: ["viewDidLayoutSubviews()"]),
                GuessedBase("UICollectionViewCell", ends: ["CollectionCell"], overrides: ["prepareForReuse()"]),
                GuessedBase("UITableViewCell", ends: ["Cell"], overrides: ["prepareForReuse()"]),
                GuessedBase("NSViewController", ends: ["Controller"], overrides: ["viewDidLoad()"], imports: ["AppKit"]),
            ])
        func guess(_ text: String, _ name: String) -> String? {
            let project = InlineProject([("File.swift", text, [])], platform: platform)
            return project.program.platformClass(of: project.type(name).id)
        }
        #expect(guess("class A: FormController { override func viewDidLoad() {} }", "A") == "UIViewController")
        #expect(guess("class FormController: Base { override func viewDidLoad() {} }", "FormController") == "UIViewController")
        #expect(guess("import AppKit\nclass A: FormController { override func viewDidLoad() {} }", "A") == "NSViewController")
        #expect(guess("class A: FormController { override func viewDidLoad() {} }\nclass B: A {}", "B") == "UIViewController")
        #expect(guess("class A: Form { override func viewDidLayoutSubviews() {} }", "A") == "UIViewController")
        #expect(guess("class A: FormPresenter { override func viewDidLoad() {} }", "A") == nil, "a presenter has one of its own")
        #expect(guess("class A: BaseCell { override func prepareForReuse() {} }", "A") == "UITableViewCell")
        #expect(guess("class PhotoCollectionCell: Reusable { override func prepareForReuse() {} }", "PhotoCollectionCell") == "UICollectionViewCell")
        #expect(guess("class A: FormController { func viewDidLoad() {} }", "A") == nil, "without 'override' it is a method of its own")
        #expect(guess("class FormController { func viewDidLoad() {} }", "FormController") == nil)
    }

    /// A framework that was built beside its sources declares their types once more, for Objective-C.
    @Test func headersThatTheSwiftCompilerWroteDeclareNothingAnew() {
        let generated = FileFacts(language: .objectiveC, types: SwiftFrontEnd.facts(of: "class Picker: UIViewController {}\nclass Hidden: UIViewController {}").types)
        let sources = SwiftFrontEnd.facts(of: "class Picker: UIViewController {}\nclass Screen: Picker {}\nclass Other: Hidden {}")
        let program = Linker.link(
            [ProgramFile(path: "Build/Kit.framework/Headers/Kit-Swift.h", facts: generated, units: [0]), ProgramFile(path: "Kit.swift", facts: sources, units: [1])],
            units: [LinkUnit(name: "Build"), LinkUnit(name: "Kit")], platform: InlineProject.platform)
        #expect(program.types.map(\.name).sorted() == ["Hidden", "Other", "Picker", "Screen"])
        #expect(program.types.map { program.files[$0.file].path }.filter { $0.hasSuffix(".h") }.count == 1)
    }

    @Test func protocolOfTheProjectIsNoSuperclass() {
        let project = InlineProject("protocol P {}", "class A: P, UIViewController {}")
        #expect(project.chain("A") == "platform(\"UIViewController\")")
    }

    @Test func superclassesThatRunInACircleAreAmbiguous() {
        let project = InlineProject("class A: B {}", "class B: C {}", "class C: A {}")
        #expect(project.chain("A") == "B < C < ambiguous")
        #expect(InlineProject("class A: A {}").chain("A") == "none")
    }

    @Test func nestedTypesHideOuterOnes() {
        let project = InlineProject("class Base: UIView {}\nenum Outer { class Base: UIViewController {}\n class Inner: Base {} }")
        #expect(project.chain("Outer.Inner") == "Outer.Base < platform(\"UIViewController\")")
    }

    @Test func theModulesNameTellsWhichOfSeveralTypesIsMeant() {
        let project = InlineProject([
            ("Round.swift", "class InputView {}", ["Kits/Round"]), ("Flat.swift", "class InputView {}", ["Kits/Flat"]),
            ("App.swift", "import Round\nimport Flat\nclass A {}", ["app"]),
        ])
        func meaning(_ name: String) -> [String] {
            guard case .project(let types) = project.program.resolve(TypeReference(name), in: Scope(file: 2, typeName: "A")) else { return [] }
            return types.map { project.program.files[project.program[$0].file].path }
        }
        #expect(meaning("Flat.InputView") == ["Flat.swift"])
        #expect(meaning("Round.InputView") == ["Round.swift"])
        #expect(Set(meaning("InputView")).count == 2)
    }

    @Test func moduleNameBeforeATypeIsSkipped() {
        let project = InlineProject("import UIKit\nclass A: UIKit.UIViewController {}")
        #expect(project.chain("A") == "platform(\"UIViewController\")")
    }

    @Test func typeAliasesStandForTheirTarget() {
        let project = InlineProject("typealias Root = Screen\nclass Screen: UIViewController {}", "class A: Root {}\nextension Root { func more() {} }")
        #expect(project.chain("A") == "Screen < platform(\"UIViewController\")")
        #expect(project.type("Screen").membersByName["more"] != nil)
    }

    @Test func aliasesOfOneFileMeanNothingElsewhere() {
        let project = InlineProject("private typealias Root = UIView\nclass A: Root {}", "private typealias Root = UIViewController\nclass B: Root {}", "class C: Root {}")
        #expect(project.chain("A") == "platform(\"UIView\")")
        #expect(project.chain("B") == "platform(\"UIViewController\")")
        #expect(project.chain("C") == "foreign(\"Root\")")
    }

    /// Followed round and round, the aliases of each file would lead to those of all others.
    @Test func anAliasOfAModulesTypeIsNotMeantByItsLastWord() {
        let project = InlineProject((0..<40).map { ("File\($0).swift", "import SQLite\ntypealias Row = SQLite.Row\nclass A\($0): Row {}", ["app"]) })
        #expect(project.chain("A7") == "foreign(\"SQLite.Row\")")
        let own = InlineProject("import Kit\ntypealias Screen = Kit.Screen\nclass A: Screen {}", "class Kit {}")
        #expect(own.chain("A") == "foreign(\"Kit.Screen\")")
    }

    @Test func aliasesUnderConditionsMeanOneTypeForEachConfiguration() {
        let project = InlineProject("""
            #if os(macOS)
            typealias Controller = NSViewController
            #else
            typealias Controller = UIViewController
            #endif
            #if os(macOS)
            class Mac: Controller {}
            #endif
            class Both: Controller {}
            """)
        #expect(project.chain("Mac") == "platform(\"NSViewController\")")
        #expect(project.chain("Both") == "foreign(\"Controller\")", "either is possible, so neither is claimed")
    }

    @Test func twoTypesOfOneNameInTwoTargetsStayTwo() {
        let project = InlineProject([
            ("ios/Delegate.swift", "class AppDelegate: UIResponder {}", ["ios"]),
            ("mac/Delegate.swift", "class AppDelegate: NSObject {}", ["mac"]),
            ("ios/Sub.swift", "class Sub: AppDelegate {}", ["ios"]),
            ("ios/More.swift", "extension AppDelegate { func more() {} }", ["ios"]),
            ("shared/Other.swift", "class Other: AppDelegate {}", ["shared"]),
        ])
        let both = project.program.types.filter { $0.name == "AppDelegate" }
        #expect(both.count == 2)
        #expect(both.map { $0.membersByName["more"] != nil } == [true, false])
        #expect(project.type("Sub").superclass == .project(both[0].id))
        #expect(project.type("Other").superclass == .ambiguous(both.map(\.id)), "ambiguity is a value, not a guess")
    }

    @Test func fileOfTwoTargetsExtendsTheTypeOfEach() {
        let project = InlineProject([
            ("a.swift", "class Model {}", ["a"]), ("b.swift", "class Model {}", ["b"]), ("ab.swift", "extension Model { var shared: Int { 1 } }", ["a", "b"]),
        ])
        #expect(project.program.types.allSatisfy { $0.membersByName["shared"] != nil && !$0.hasAmbiguousExtensions })
    }

    @Test func extensionThatFitsSeveralForeignTypesIsNotGuessed() {
        let project = InlineProject([
            ("a.swift", "class Model {}", ["a"]), ("b.swift", "class Model {}", ["b"]), ("c.swift", "extension Model { var x: Int { 1 } }", ["c"]),
        ])
        #expect(project.program.types.allSatisfy { $0.membersByName["x"] == nil && $0.hasAmbiguousExtensions })
    }

    @Test func membersComeFromTheTypeThenItsBasesThenProtocolExtensions() {
        let project = InlineProject(
            "protocol Themed {}\nextension Themed { func apply() {}\n func setUp() {} }",
            "class Base: UIViewController, Themed { func setUp() {} }", "class Detail: Base {}\nextension Detail { func own() {} }")
        let program = project.program
        let detail = project.type("Detail").id
        func owners(_ name: String) -> [String] { program.members(named: name, on: detail).map { program[$0.declaration].name } }
        #expect(owners("own") == ["Detail"])
        #expect(owners("setUp") == ["Base"])
        #expect(owners("apply") == ["Themed"])
    }

    @Test func selectorsFindTheirMembers() {
        let project = InlineProject("""
            class A: UIViewController {
                @objc func tick() {}
                @objc func handle(_ note: Int) {}
                @objc func show(for item: Int, animated: Bool) {}
                @objc func load(url: Int) {}
                @objc(customName:) func renamed(_ x: Int) {}
            }
            """)
        for selector in ["tick", "handle:", "showFor:animated:", "loadWithUrl:", "customName:"] {
            #expect(project.program.members(answering: selector).count == 1, "\(selector)")
        }
        #expect(project.program.members(answering: "renamed:").isEmpty)
    }

    @Test func conformersIncludeSubclassesAndExtensions() {
        let project = InlineProject("protocol P {}", "class A: P {}", "class B: A {}", "class C {}\nextension C: P {}", "class D {}")
        #expect(project.program.conformers(to: "P").map { project.program[$0].name } == ["A", "B", "C"])
    }

    @Test func testsDoNotBlurWhatTheAppMeans() {
        let project = InlineProject([
            ("Base.swift", "class Base: UIViewController {}", []), ("Sub.swift", "class Sub: Base {}", []), ("Mock.swift", "class Base {}", []),
        ], tests: ["Mock.swift"])
        let sub = project.type("Sub")
        #expect(project.program.platformClass(of: sub.id) == "UIViewController")
    }

    @Test func dumpOfALinkedType() {
        let project = InlineProject([
            ("Base.swift", "class Base: UIViewController { override func viewDidLoad() {} }", []),
            ("Detail.swift", "final class Detail: Base, Codable {\n    var title = 1\n    override func viewDidLoad() {}\n    @objc func tick(_ x: Int) {}\n}", []),
            ("More.swift", "extension Detail: Equatable { override func didMove(toParent p: Int) {} }", []),
        ])
        #expect(ProgramPrinter.print(typesNamed: "Detail", of: project.program) == """
            class Detail  in app
              inherits Base < UIViewController < UIResponder < NSObject
              conforms Base, Codable, Equatable
              class  Detail.swift:1
                title  @2
                viewDidLoad()  overrides Base  -[viewDidLoad]  @3
                tick(_:)  -[tick:]  @4
              extension  More.swift:1
                didMove(toParent:)  overrides UIViewController  -[didMoveToParent:]  @1

            """)
    }
}
