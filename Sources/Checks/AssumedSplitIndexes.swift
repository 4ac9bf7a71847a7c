import Findings
import ProgramModel

extension Check {
    /// Columns of a split view controller that are taken by a number, as if it had as many at all times.
    static let assumedSplitIndexes = Check(rules: ["split_index_assumed"]) { input, file in
        input.bodies(inFile: file).flatMap { place -> [Finding] in
            guard !isCalledWithTwoColumns(place.member, input.program), !asksForColumns(place.body) else { return [] }
            var found: [Finding] = []
            place.body.block.forEachStatement { statement in
                guard case .read(_, .element(let list, let arguments)) = statement.kind, arguments.count == 1, arguments[0].label == nil, case .constant(.integer(let index)) = arguments[0].value, index > 0,
                      isColumns(list, place, input) else { return }
                found.append(input.finding(
                    "split_index_assumed",
                    "a split view controller that is collapsed has one column only, so that 'viewControllers[\(index)]' ends the app there: ask 'isCollapsed' or the count first, or take 'viewController(for:)'",
                    at: statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName))
            }
            return found
        }
    }

    /// Whether the list is what a split view controller shows.
    private static func isColumns(_ list: Operand, _ place: BodyOccurrence, _ input: CheckInput) -> Bool {
        guard case .register(let register) = list else { return false }
        let split: Operand
        switch place.context.definition(of: register)?.kind {
        case .read(_, .member(let base, "viewControllers")): split = base
        case .read(_, .name("viewControllers")): split = .selfObject
        case .read(_, .local(let local)):
            guard !place.body[local].isMutable || input.program.files[place.context.scope.file].facts.language == .objectiveC, let value = place.context.value(of: local) else { return false }
            return isColumns(value, place, input)
        case .compute(_, .forceUnwrap, let operands): return operands.first.map { isColumns($0, place, input) } ?? false
        default: return false
        }
        guard let type = input.inference.type(of: split, in: place.context), !type.isMetatype else { return false }
        return switch input.inference.resolve(type) {
        case .platform(let name): input.program.platform.isClass(name, kindOf: "UISplitViewController")
        // A property of that name of the project's own may hold something else.
        case .project(let types):
            types.count == 1 && input.program.isType(types[0], kindOf: "UISplitViewController") && input.program.members(named: "viewControllers", on: types[0]).isEmpty
        case .unknown: false
        }
    }

    /// Whether UIKit calls the function while there are two columns for sure: before the split view controller is on screen, or
    /// as it collapses or separates.
    private static func isCalledWithTwoColumns(_ member: MemberOccurrence, _ program: Program) -> Bool {
        switch member.facts.baseName {
        case "application", "scene", "splitViewController", "primaryViewController": true
        case "viewDidLoad", "awakeFromNib", "init", "loadView": program.isType(member.owner, kindOf: "UISplitViewController")
        default: false
        }
    }

    /// Whether the body asks how many columns there are or what device it is on, or sets the columns itself.
    private static func asksForColumns(_ body: Body) -> Bool {
        let questions: Set<String> = ["isCollapsed", "collapsed", "count", "indices", "userInterfaceIdiom", "horizontalSizeClass", "displayMode", "isEmpty", "endIndex"]
        var found = false
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .read(_, .name(let name)), .read(_, .member(_, let name)): if questions.contains(name) || name.lowercased().contains("ipad") { found = true }
            case .write(.name("viewControllers"), _), .write(.member(_, "viewControllers"), _), .opaque: found = true
            case .call(let call): if let name = call.callee.baseName, ["count", "setViewControllers", "setViewController", "isCollapsed"].contains(name) || name.lowercased().contains("ipad") { found = true }
            default: break
            }
        }
        return found
    }
}
