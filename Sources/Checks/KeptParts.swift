import ProgramModel

/// What a view or controller keeps as a part of what it shows, and what its functions make for it.
extension GiftSearch {
    /// The list in which a controller has its children, or a view or controller its subviews, from a statement on that makes objects such; most
    /// statements are none.
    func listOfParts(in statement: Statement, _ isOne: (Operand) -> Bool) -> String? {
        let list: String
        switch statement.kind {
        case .write(let place, let value):
            guard place.ownName == "viewControllers", isOne(value), program.members(named: "viewControllers", on: owner).isEmpty else { return nil }
            list = "viewControllers"
        case .call(let call):
            guard let first = call.arguments.first?.value else { return nil }
            switch call.callee {
            case .name("addChild"), .name("addChildViewController"), .member(.selfObject, "addChild"), .member(.selfObject, "addChildViewController"): list = "children"
            case .name("setViewControllers"), .member(.selfObject, "setViewControllers"): list = "viewControllers"
            case .name("addSubview"), .member(_, "addSubview"), .member(_, "addArrangedSubview"), .name("insertSubview"), .member(_, "insertSubview"):
                return isOne(first) && program.isInterfaceObject(owner) && isPartOfOwnViews(call) && !takesViewsOut ? Self.subviews : nil
            default: return nil
            }
            guard isOne(first) else { return nil }
        default: return nil
        }
        return ["UIViewController", "NSViewController"].contains { program.isType(owner, kindOf: $0) } ? list : nil
    }

    /// What stands for the views inside a view or the view of a controller.
    static let subviews = "subviews"

    /// Whether a call adds to the object's own view, or to one that a property of it holds.
    private func isPartOfOwnViews(_ call: Call) -> Bool {
        switch call.callee {
        case .name: return true
        case .member(.selfObject, _): return true
        case .member(.register(let receiver), _):
            guard case .read(_, let place)? = context.definition(of: receiver)?.kind, let name = place.ownName else { return false }
            return name == "view" || name == "contentView" || program.keeps(name, of: owner)
        default: return false
        }
    }

    /// Whether code of the class takes some view out again.
    private var takesViewsOut: Bool {
        program.chain(of: owner).flatMap { program.members(of: $0) }.contains { id in
            program[id].bodies.contains { !$0.body.block.calledNames.isDisjoint(with: ["removeFromSuperview", "removeArrangedSubview"]) || $0.body.block.readNames.contains("removeFromSuperview") }
        }
    }

    /// Through how many functions that return it an object comes to the one that keeps it at most.
    private static let mostReturns = 3

    /// The stored properties of self into which its code puts what the function of this body returns: `bar = makeBar()`.
    func propertiesKeepingResult(depth: Int) -> Set<String> {
        guard member.kind == .function, depth < Self.mostReturns else { return [] }
        var found: Set<String> = []
        for id in program.chain(of: owner).flatMap({ program.members(of: $0) }) where program[id].fullName != member.fullName {
            for (_, body) in program[id].bodies where body.block.namesCalledOnSelf.contains(member.baseName) {
                let caller = GiftSearch(
                    program: program, inference: inference, context: program.context(of: body, in: id, as: owner), file: id.declaration.file, owner: owner, member: program[id])
                var results: Set<Register> = []
                body.block.forEachStatement { statement in
                    guard let call = statement.call, call.fullName == member.fullName else { return }
                    switch call.callee {
                    case .name, .member(.selfObject, _): results.insert(call.result)
                    default: break
                    }
                }
                if !results.isEmpty { found.formUnion(caller.propertiesKeeping(results, [], depth: depth + 1)) }
            }
        }
        return found
    }
}
