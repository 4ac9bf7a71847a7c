import Findings
import ProgramModel

extension Check {
    /// Answers about orientation in controllers that are only ever shown inside others, which UIKit does not ask.
    static let containedQueries = Check(rules: ["lifecycle_signature_mismatch"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).compactMap { ContainedQueryCheck(input: input, file: file, occurrence: $0).finding() }
    }
}

/// The check of one member.
private struct ContainedQueryCheck {
    let input: CheckInput
    let file: Int
    let occurrence: MemberOccurrence

    /// What UIKit asks only the outermost controller.  Source: the pages of these properties.
    private static let queries: Set<String> = ["supportedInterfaceOrientations", "shouldAutorotate", "preferredInterfaceOrientationForPresentation"]
    /// The controllers that show others.
    private static let containers = ["UINavigationController", "UITabBarController", "UISplitViewController", "UIPageViewController"]

    private var program: Program { input.program }

    func finding() -> Finding? {
        guard occurrence.facts.isOverride, Self.queries.contains(occurrence.facts.baseName),
              program.isType(occurrence.owner, kindOf: "UIViewController"), !isContainer(occurrence.owner),
              !containersForward(), isOnlyContained() else { return nil }
        let name = occurrence.facts.baseName
        return input.finding(
            "lifecycle_signature_mismatch",
            "'\(name)' is never asked: '\(occurrence.typeName)' is only shown inside another controller, and UIKit asks the outermost one",
            at: occurrence.facts.nameSpan, in: file, type: occurrence.typeName, member: occurrence.facts.fullName)
    }

    private func isContainer(_ type: TypeID) -> Bool {
        Self.containers.contains { program.isType(type, kindOf: $0) }
    }

    /// Whether some container of the project answers itself, and may pass the question on.
    private func containersForward() -> Bool {
        program.types.contains { type in
            guard Self.queries.contains(where: { type.membersByName[$0] != nil }) else { return false }
            // An extension of the SDK's class belongs to no type of the project.
            return isContainer(type.id) || !type.conformances.isEmpty && type.kind == .protocol
        } || program.files.contains { file in
            file.facts.types.contains { type in
                type.kind == .extension && Self.containers.contains(type.name) && type.members.contains { Self.queries.contains($0.baseName) }
            }
        }
    }

    /// Whether code makes objects of the type, and hands every one of them to a container.
    private func isOnlyContained() -> Bool {
        let places = input.names.constructions[program[occurrence.owner].name] ?? []
        let hasSubclass = program.types.contains { $0.superclass == .project(occurrence.owner) }
        return !places.isEmpty && !hasSubclass && places.allSatisfy(containsAll)
    }

    private func containsAll(_ place: UsedNames.Place) -> Bool {
        let context = BodyContext(body: place.body, selfType: place.owner, scope: Scope(file: place.file, typeName: ""), isStatic: false)
        var made: Set<Register> = []
        var contained: Set<Register> = []
        var isHandedElsewhere = false
        place.body.block.forEachStatement { statement in
            if let call = statement.call {
                if case .initializer(let type) = call.callee, type.name == program[occurrence.owner].name { made.insert(call.result) }
                let handed = call.arguments.flatMap { origins(of: $0.value, context) }
                if Self.isContaining(call) { contained.formUnion(handed) } else if call.callee.baseName == "present" || call.callee.baseName == "show" {
                    isHandedElsewhere = isHandedElsewhere || !made.isDisjoint(with: handed)
                }
            }
            if case .write(.member(_, "viewControllers"), let value) = statement.kind { contained.formUnion(origins(of: value, context)) }
        }
        return !isHandedElsewhere && made.isSubset(of: contained)
    }

    /// Whether the call puts its argument into a container.
    private static func isContaining(_ call: Call) -> Bool {
        switch call.callee {
        case .initializer(let type): type.name.hasSuffix("NavigationController") && call.arguments.first?.label == "rootViewController"
        case .member(_, let name), .name(let name): ["pushViewController", "addChild", "setViewControllers"].contains(name)
        default: false
        }
    }

    /// The registers that an operand's value may come from: through locals and array literals.
    private func origins(of operand: Operand, _ context: BodyContext, depth: Int = 0) -> [Register] {
        guard depth < 5, case .register(let register) = operand, let statement = context.definition(of: register) else { return [] }
        switch statement.kind {
        case .call(let call): return [call.result]
        case .compute(_, .array, let operands): return operands.flatMap { origins(of: $0, context, depth: depth + 1) }
        case .compute(_, .forceUnwrap, let operands): return operands.flatMap { origins(of: $0, context, depth: depth + 1) }
        case .read(_, .local(let local)): return context.value(of: local).map { origins(of: $0, context, depth: depth + 1) } ?? []
        default: return []
        }
    }
}
