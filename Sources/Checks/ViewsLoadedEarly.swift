import Findings
import ProgramModel
import SourceText

extension Check {
    /// Initialisers of controllers that use the view, which loads it before what its loading needs is there.
    static let viewsLoadedEarly = Check(rules: ["view_loaded_early"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).compactMap { ViewsLoadedEarly(input: input, file: file, member: $0)?.finding() }
    }
}

/// The loading of the view by one initialiser.
private struct ViewsLoadedEarly {
    private let input: CheckInput
    private let file: Int
    private let member: MemberOccurrence
    /// The properties that load the view when they are read.
    private let names: Set<String>

    private static let loading: [String: Set<String>] = [
        "UIViewController": ["view"], "UITableViewController": ["view", "tableView"], "UICollectionViewController": ["view", "collectionView"], "NSViewController": ["view"],
    ]
    private static let surroundings: Set<String> = ["navigationController", "tabBarController", "splitViewController", "parent", "parentViewController", "presentingViewController"]
    private static let presenting: Set<String> = ["present", "performSegue", "performSegueWithIdentifier"]

    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        let program = input.program
        guard member.facts.kind == .initializer, !member.facts.isPartial, let known = program.platformClass(of: member.owner),
              // A tab bar controller has loaded its view in the initialiser that it inherits.
              !program.platform.isClass(known, kindOf: "UITabBarController"),
              let names = program.platform.ancestry(of: known).lazy.compactMap({ Self.loading[$0] }).first else { return nil }
        let own = names.filter { name in program.chain(of: member.owner).contains { program[$0].membersByName[name] != nil } }
        guard !own.contains("view") else { return nil }
        (self.input, self.file, self.member, self.names) = (input, file, member, names.subtracting(own))
    }

    func finding() -> Finding? {
        var touch: (step: EventCode.Step, name: String)?
        var isSettled = false
        var writtenAfter: Set<String> = []
        EventCode(input: input, type: member.owner).visit(member, file: file) { step in
            guard !isSettled else { return }
            switch step.statement.kind {
            case .write(.name(let name), _), .write(.member(.selfObject, let name), _):
                // A view that is set needs no loading, and who loads it by name means it.
                if touch != nil { writtenAfter.insert(name) } else if name == "view" { isSettled = true }
            case .call(let call):
                if touch == nil, ["loadViewIfNeeded", "loadView"].contains(call.callee.baseName) { isSettled = true }
            case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)):
                guard touch == nil, names.contains(name), !step.isConditionalInCallee, step.asked.isDisjoint(with: ["isViewLoaded", "viewIfLoaded"]) else { return }
                touch = (step, name)
            default: break
            }
        }
        guard let touch, let missing = missing(writtenAfter: writtenAfter) ?? missingBelow else { return nil }
        let way = touch.step.callers.first.map { ", by '\($0)'," } ?? ""
        return input.finding(
            "view_loaded_early",
            "'\(touch.name)' is used in an initialiser\(way) and loads the view, so 'viewDidLoad' runs here, before \(missing); move this to 'viewDidLoad'",
            at: touch.step.entry, in: file, type: member.typeName, member: member.facts.fullName)
    }

    /// What the loading of the view uses that comes after the initialiser has used the view; nil where nothing does.
    private func missing(writtenAfter: Set<String>) -> String? {
        var read: [String] = []
        var surrounding: String?
        visitLoading(of: member.owner) { step in
            switch step.statement.kind {
            case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)):
                if Self.surroundings.contains(name), isInheritedProperty(name) { surrounding = surrounding ?? "there is a '\(name)', which it uses" }
                if !read.contains(name) { read.append(name) }
            case .call(let call):
                guard let name = call.callee.baseName, Self.presenting.contains(name), isInherited(name) else { return }
                switch call.callee {
                case .name, .member(.selfObject, _): surrounding = surrounding ?? "there is a window from which '\(name)' could work"
                default: break
                }
            default: break
            }
        }
        if let late = read.first(where: { writtenAfter.contains($0) && isPlain($0, of: member.owner) }) { return "'\(late)' is set, which it uses" }
        // One that calls another initialiser makes objects beside those that are made in other ways.
        guard !member.facts.modifiers.contains("convenience") else { return nil }
        if let surrounding { return surrounding }
        guard let given = givenByMakers.intersection(read.filter { isPlain($0, of: member.owner) }).min() else { return nil }
        return "whoever makes the controller has set '\(given)', which it uses"
    }

    /// Visits what the loading of the view runs in a class.
    private func visitLoading(of type: TypeID, _ visit: (EventCode.Step) -> Void) {
        for name in ["loadView", "viewDidLoad"] {
            for id in input.program.chain(of: type).flatMap({ input.program[$0].membersByName[name] ?? [] }) {
                guard let body = input.program[id].body else { continue }
                EventCode(input: input, type: type).visit(body, file: id.declaration.file, typeName: input.program[id.declaration].name, visit)
            }
        }
    }

    /// What a subclass sets after the initialiser that it calls, and needs when the view is loaded.
    private var missingBelow: String? {
        let program = input.program
        for type in input.subclasses(of: member.owner).sorted() {
            var late: Set<String> = []
            for id in program.members(of: type) where program[id].kind == .initializer {
                guard let block = program[id].body?.block,
                      let place = block.firstIndex(where: { if case .superMember("init")? = $0.call?.callee { true } else { $0.call?.callee.nameCalledOnSelf == "init" } }) else { continue }
                for case .write(let written, _) in block[(place + 1)...].map(\.kind) { if let name = written.ownName { late.insert(name) } }
            }
            guard !late.isEmpty else { continue }
            var needed: String?
            visitLoading(of: type) { step in
                if needed == nil, case .read(_, let place) = step.statement.kind, let name = place.ownName, late.contains(name), isPlain(name, of: type) { needed = name }
            }
            if let needed { return "'\(program[type].name)' has set '\(needed)', which it uses" }
        }
        return nil
    }

    /// A delegate's method may have the same name.
    private func isInheritedProperty(_ name: String) -> Bool { input.program.members(named: name, on: member.owner).allSatisfy { input.program[$0].kind == .function } }

    private func isInherited(_ name: String) -> Bool { input.program.members(named: name, on: member.owner).isEmpty }

    /// Whether a stored property has no observer, which would make up for what was missed.
    private func isPlain(_ name: String, of type: TypeID) -> Bool {
        let found = input.program.members(named: name, on: type).map { input.program[$0] }.filter { $0.kind == .property }
        return !found.isEmpty && found.allSatisfy { $0.isStored && $0.accessors == nil && !$0.isConstant }
    }

    /// The properties that code which makes such a controller sets afterwards.
    private var givenByMakers: Set<String> {
        let program = input.program
        let name = program[member.owner].name.split(separator: ".").last.map(String.init) ?? ""
        var given: Set<String> = []
        for place in input.names.constructions[name] ?? [] where !program.files[place.file].isTest {
            let context = BodyContext(body: place.body, selfType: place.owner, scope: Scope(file: place.file, typeName: place.owner.map { program[$0].name } ?? ""), isStatic: false)
            place.body.block.forEachStatement { statement in
                guard case .write(.member(let base, let property), _) = statement.kind, base != .selfObject, let type = input.inference.type(of: base, in: context),
                      case .project(let types) = input.inference.resolve(type), types == [member.owner] else { return }
                given.insert(property)
            }
        }
        return given
    }
}
