import Findings
import ProgramModel

extension Check {
    /// Observers that are taken from the default centre, and that another centre has.
    static let otherCenters = Check(rules: ["observer_unbalanced"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        // Only what is taken away in the file can be taken from the wrong centre.
        let removing = input.members(inFile: file).filter { member in
            member.facts.bodies.contains { $0.body.block.containsStatement { $0.call?.callee.baseName == "removeObserver" } }
        }
        var seen: Set<TypeID> = []
        return removing.map(\.owner).filter { seen.insert($0).inserted }.flatMap { OtherCenters(input: input, owner: $0).findings(inFile: file) }
    }
}

/// The registrations and removals of one class by the centre that they ask.
private struct OtherCenters {
    /// Which centre a call asks.
    private enum Center: Equatable {
        case standard
        /// One with a name of its own: the workspace's, or one in a property.
        case other(String)
    }

    private struct Removal {
        let file: Int
        let member: MemberFacts
        let typeName: String
        let statement: Statement
        let center: Center?
    }

    private let input: CheckInput
    private let owner: TypeID
    private var added: [Center?] = []
    /// The properties of which the objects are registered in place of the class's own.
    private var addedParts: [String] = []
    private var removed: [Center?] = []
    private var removals: [Removal] = []
    /// The centres that gave the tokens in a property, by its name, and those that are asked to let go of them.
    private var given: [String: [Center?]] = [:]
    private var returned: [String: [(center: Center?, removal: Removal)]] = [:]
    /// Whether the class names the default centre for other things than removals: what a property holds may be that one.
    private var mayBeStandard = false

    private var program: Program { input.program }

    init(input: CheckInput, owner: TypeID) {
        (self.input, self.owner) = (input, owner)
        let program = input.program
        for type in program.chain(of: owner) {
            for declaration in program[type].declarations {
                for member in program[declaration].members {
                    if member.parameters.contains(where: { ["NotificationCenter", "NSNotificationCenter"].contains($0.type.unwrapped.name) && $0.hasDefault }) { mayBeStandard = true }
                    for (_, body) in member.bodies {
                        let context = BodyContext(body: body, selfType: type, scope: Scope(file: declaration.file, typeName: program[type].name), isStatic: member.isStatic)
                        body.block.forEachStatement { statement in
                            if case .write(let place, let value) = statement.kind, let name = place.ownName?.withoutUnderscore, let center = Self.center(givingToken: value, context) {
                                given[name, default: []].append(center)
                            }
                            if let call = statement.call, case .member(let receiver, "removeObserver") = call.callee, call.arguments.count == 1, let first = call.arguments.first?.value,
                               let name = context.ownProperty(behind: first) {
                                returned[name, default: []].append((Self.center(receiver, context), Removal(file: declaration.file, member: member, typeName: program[type].name, statement: statement, center: nil)))
                            }
                            if let call = statement.call, case .member(let receiver, "addObserver") = call.callee, Self.center(receiver, context) != nil, let first = call.arguments.first?.value, first != .selfObject {
                                addedParts.append(context.ownProperty(behind: first) ?? "")
                            }
                            if case .write(_, let value) = statement.kind, Self.center(value, context) == .standard { mayBeStandard = true }
                            if case .exit(.returns(let value)) = statement.kind, Self.center(value, context) == .standard { mayBeStandard = true }
                            guard let call = statement.call, case .member(let receiver, let name) = call.callee, call.arguments.first?.value == .selfObject,
                                  !call.arguments.contains(where: { ["forKeyPath", "keyPath"].contains($0.label) }) else { return }
                            let center = Self.center(receiver, context)
                            switch name {
                            case "addObserver": added.append(center)
                            case "removeObserver":
                                removed.append(center)
                                removals.append(Removal(file: declaration.file, member: member, typeName: program[type].name, statement: statement, center: center))
                            default: break
                            }
                        }
                    }
                }
            }
        }
    }

    /// Where all is added to one centre and all is taken from another, nothing is.
    func findings(inFile file: Int) -> [Finding] { observersLeft(inFile: file) + tokensLeft(inFile: file) }

    /// The tokens of a property that another centre gave than the one which is to let go of them.
    private func tokensLeft(inFile file: Int) -> [Finding] {
        returned.sorted { $0.key < $1.key }.flatMap { property, ends -> [Finding] in
            guard !mayBeStandard, let centers = given[property], case .other(let name)?? = centers.first, centers.allSatisfy({ $0 == .other(name) }), ends.allSatisfy({ $0.center == .standard }) else { return [] }
            return ends.filter { $0.removal.file == file }.map { _, removal in
                input.finding(
                    "observer_unbalanced", "this asks the default centre, and the observer in '\(property)' is registered with '\(name)': nothing is removed; ask that centre",
                    at: removal.statement.span, in: file, type: removal.typeName, member: removal.member.fullName)
            }
        }
    }

    private func observersLeft(inFile file: Int) -> [Finding] {
        guard !removed.isEmpty else { return [] }
        let problem: String
        if !mayBeStandard, case .other(let name)?? = added.first, added.allSatisfy({ $0 == .other(name) }), removed.allSatisfy({ $0 == .standard }) {
            problem = "this asks the default centre, and the observers are registered with '\(name)': nothing is removed; ask that centre"
        } else if !added.isEmpty, added.allSatisfy({ $0 == .standard }), case .other(let name)?? = removed.first, name.hasSuffix("DistributedNotificationCenter"), removed.allSatisfy({ $0 == .other(name) }) {
            problem = "this asks the '\(name)', and the observers are registered with the default centre: nothing is removed; ask that centre"
        } else if added.isEmpty, let part = addedParts.first, !part.isEmpty, addedParts.allSatisfy({ $0 == part }), program.ancestry(of: owner).projectTypes.isEmpty {
            problem = "this removes the observers of 'self', and only '\(part)' is registered: nothing is removed; name '\(part)'"
        } else {
            return []
        }
        return removals.filter { $0.file == file }.map { removal in
            input.finding("observer_unbalanced", problem, at: removal.statement.span, in: file, type: removal.typeName, member: removal.member.fullName)
        }
    }

    /// The centre of which a value is the token; an inner nil where nobody knows which, an outer one for other values.
    private static func center(givingToken value: Operand, _ context: BodyContext) -> Center?? {
        guard case .register(let register) = context.uncast(value), let call = context.definition(of: register)?.call, case .member(let receiver, let name) = call.callee,
              name == "addObserverForName" || name == "addObserver" && call.arguments.first?.label == "forName" else { return nil }
        return .some(center(receiver, context))
    }

    private static func center(_ receiver: Operand, _ context: BodyContext) -> Center? {
        guard case .register(let register) = receiver else { return nil }
        switch context.definition(of: register)?.kind {
        case .read(_, .member(.type(let type), let name)): return standard(type, name)
        case .call(let call)?:
            switch call.callee {
            case .member(.type(let type), let name): return standard(type, name)
            case .member(_, "notificationCenter"): return .other("notificationCenter")
            default: return nil
            }
        case .read(_, .member(.selfObject, let name)), .read(_, .name(let name)): return named(name)
        case .read(_, .member(_, "notificationCenter")): return .other("notificationCenter")
        case .read(_, .local(let local)): return context.value(of: local).flatMap { center($0, context) }
        default: return nil
        }
    }

    private static func standard(_ type: TypeReference, _ name: String) -> Center? {
        ["NotificationCenter", "NSNotificationCenter"].contains(type.name) && ["default", "defaultCenter"].contains(name) ? .standard
            : type.name.hasSuffix("DistributedNotificationCenter") ? .other(type.name) : nil
    }

    /// A centre in a property, which by its name is no other thing; where it came from, its class says.
    private static func named(_ name: String) -> Center? {
        let plain = name.withoutUnderscore
        return ["notificationCenter", "workspaceNotificationCenter", "distributedNotificationCenter"].contains(plain) ? .other(plain) : nil
    }
}
