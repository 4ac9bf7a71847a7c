import Findings
import ProgramModel

extension Check {
    /// What is paused when the app resigns and what nothing resumes.
    static let lastingPauses = Check(rules: ["app_lifecycle_unbalanced"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).compactMap { LastingPause(input: input, file: file, member: $0)?.finding() }
    }
}

/// What one method that runs when the app resigns pauses.
private struct LastingPause {
    private let input: CheckInput
    private let file: Int
    private let member: MemberOccurrence

    private var program: Program { input.program }

    private static let resigning: Set<String> = ["applicationWillResignActive(_:)", "sceneWillResignActive(_:)", "applicationDidEnterBackground(_:)", "sceneDidEnterBackground(_:)"]
    private static let returns = [
        "applicationWillResignActive": "applicationDidBecomeActive", "sceneWillResignActive": "sceneDidBecomeActive",
        "applicationDidEnterBackground": "applicationWillEnterForeground", "sceneDidEnterBackground": "sceneWillEnterForeground",
    ]
    private static let delegates: Set<String> = ["UIApplicationDelegate", "UISceneDelegate", "UIWindowSceneDelegate"]
    private static let pauses: Set<String> = ["isPaused", "paused"]

    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        guard Self.resigning.contains(member.facts.fullName), !member.facts.isPartial,
              input.program.chain(of: member.owner).contains(where: { input.program[$0].conformances.contains { Self.delegates.contains($0.name) } }) else { return nil }
        (self.input, self.file, self.member) = (input, file, member)
    }

    func finding() -> Finding? {
        var paused: (holder: String, property: String, step: EventCode.Step)?
        EventCode(input: input, type: member.owner).visit(member, file: file) { step in
            guard paused == nil, case .write(.member(.register(let base), let property), .constant(.boolean(true))) = step.statement.kind, Self.pauses.contains(property),
                  let holder = Self.holder(step.context.definition(of: base)) else { return }
            paused = (holder, property, step)
        }
        guard let paused, let type = ownObject(paused.holder), !isResumed(paused.property, in: type), !mayResume(paused.holder, paused.property), let back = Self.returns[member.facts.baseName] else { return nil }
        return input.finding(
            "app_lifecycle_unbalanced",
            "'\(paused.holder)' is paused here, and nothing sets '\(paused.property)' back: one call or a look at another app stops it for good; set it back in '\(back)'",
            at: paused.step.entry, in: file, type: member.typeName, member: member.facts.fullName)
    }

    private static func holder(_ statement: Statement?) -> String? {
        switch statement?.kind {
        case .read(_, .name(let name)), .read(_, .member(.selfObject, let name)): name
        default: nil
        }
    }

    /// The class of the object that a private property holds for good; nil where others may hold it as well.
    private func ownObject(_ name: String) -> TypeID? {
        let properties = program.members(named: name, on: member.owner)
        guard properties.count == 1, let id = properties.first else { return nil }
        let facts = program[id]
        guard facts.isStored, facts.isPrivate || program.files[file].facts.language == .objectiveC, !facts.isStatic, !facts.isOutlet, input.writes[name].allSatisfy({ $0.base == .selfObject }) else { return nil }
        let context = member.context(of: member.facts.body!)
        guard let type = input.inference.type(of: .name(name), in: context), type.provenance <= .returnType, !type.isMetatype, case .project(let types) = input.inference.resolve(type),
              types.count == 1, program[types[0]].kind == .class else { return nil }
        return types[0]
    }

    /// Whether the object resumes by itself, or somebody is told when it is paused.
    private func isResumed(_ property: String, in type: TypeID) -> Bool {
        guard let id = program.members(named: property, on: type).first, program[id].isStored, program[id].accessors == nil, program[id].attributes.isEmpty else { return true }
        return program.chain(of: type).flatMap { program.members(of: $0) }.contains { id in
            program[id].isPartial || program[id].bodies.contains { _, body in
                var found = false
                body.block.forEachStatement { statement in
                    switch statement.kind {
                    case .write(.name(property), let value), .write(.member(_, property), let value): if value != .constant(.boolean(true)) { found = true }
                    case .call(let call): if call.callee.baseName == "toggle" || call.arguments.contains(where: { $0.value == .selfObject }) { found = true }
                    case .opaque: found = true
                    default: break
                    }
                }
                return found
            }
        }
    }

    /// Whether other code of the class sets the property back, or gives the object to somebody who may.
    private func mayResume(_ holder: String, _ property: String) -> Bool {
        // In Objective-C other classes may reach the object through the property.
        let isSetBack = input.writes[property].contains { if case .write(_, .constant(.boolean(true))) = $0.statement.kind { false } else { true } }
        if program.files[file].facts.language == .objectiveC, isSetBack { return true }
        for id in program.chain(of: member.owner).flatMap({ program.members(of: $0) }) where program[id].baseName != holder {
            if program[id].isPartial { return true }
            for (_, body) in program[id].bodies {
                var registers: Set<Register> = []
                body.block.forEachStatement { statement in
                    if case .read(let register, _) = statement.kind, Self.holder(statement) == holder { registers.insert(register) }
                }
                for (use, _) in ValueUses(of: registers, in: body).all {
                    switch use {
                    case .set(property, .constant(.boolean(true))), .read, .called: break
                    case .set(let other, _): if other == property { return true }
                    case .given, .kept, .returned, .other: return true
                    }
                }
            }
        }
        return false
    }
}
