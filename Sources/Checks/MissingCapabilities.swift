import Findings
import ProgramModel
import RuleLibrary
import SourceText

extension Check {
    /// Uses of what the system gives only to apps whose Info.plist says so.
    static let missingCapabilities = Check(rules: ["capability_missing"]) { input, file in
        guard let app = AppConfiguration(of: file, input.program) else { return [] }
        return input.bodies(inFile: file).flatMap { place -> [Finding] in
            var found: [Finding] = []
            place.body.block.forEachStatement { statement in
                for capability in input.library.capabilities where capability.uses.contains(where: { input.uses($0, statement, place.context) }) {
                    guard let missing = app.missing(capability), !input.asks(for: capability) else { continue }
                    found.append(input.finding(
                        "capability_missing", "this needs '\(missing.name)'\(missing.list) in Info.plist, which has none, so \(capability.harm): add it",
                        at: statement.span, in: file, type: place.member.typeName, member: place.member.facts.fullName))
                }
            }
            return found
        }
    }
}

/// The Info.plists of the apps that a file belongs to.
private struct AppConfiguration {
    private let configurations: [UnitConfiguration]

    /// Keys that only the lists of iOS apps have.
    private static let keysOfApps = ["LSRequiresIPhoneOS", "UILaunchStoryboardName", "UILaunchScreen", "UIMainStoryboardFile", "UIApplicationSceneManifest", "UISupportedInterfaceOrientations", "UIRequiredDeviceCapabilities"]

    /// Nil where the file is part of a framework, or where not every key is known.
    init?(of file: Int, _ program: Program) {
        guard let all = program.configurations(ofFile: file) else { return nil }
        // An extension asks by the list of its own, and often shares files with its app.
        let own = all.filter { !$0.propertyLists.contains(where: \.isExtension) }
        guard !own.isEmpty, own.allSatisfy({ $0.isWhole && Self.isApp($0) }) else { return nil }
        configurations = own
    }

    private static func isApp(_ one: UnitConfiguration) -> Bool {
        func hasKey(_ keys: some Sequence<String>) -> Bool { keys.contains { key in keysOfApps.contains { key.hasPrefix($0) } } }
        return hasKey(one.addedKeys.keys) && one.propertyLists.isEmpty
            || !one.propertyLists.isEmpty && one.propertyLists.allSatisfy { ($0.packageType ?? "APPL") == "APPL" && (hasKey($0.keys) || hasKey(one.addedKeys.keys)) }
    }

    /// What none of the lists has; nil where one of them has it.
    func missing(_ capability: Capability) -> (name: String, list: String)? {
        for one in configurations {
            if capability.keys.contains(where: { key in one.addedKeys[key] != nil || one.propertyLists.contains { $0.keys.contains(key) } }) { return nil }
            if let mode = capability.backgroundMode {
                if one.addedKeys["UIBackgroundModes"] != nil || one.propertyLists.contains(where: { $0.backgroundModes.contains(mode) || $0.filledInKeys.contains("UIBackgroundModes") }) { return nil }
            }
        }
        if let mode = capability.backgroundMode { return (mode, " among 'UIBackgroundModes'") }
        return capability.keys.first.map { ($0, "") }
    }
}

extension CheckInput {
    /// Whether code asks the list for one of the keys, and may do without.
    fileprivate func asks(for capability: Capability) -> Bool {
        program.files.contains { file in
            !file.isTest && (file.facts.types.flatMap(\.members) + file.facts.members).flatMap(\.bodies).contains { _, body in
                var found = false
                func note(_ operand: Operand?) { if case .constant(.string(let text))? = operand, capability.keys.contains(text) || text == "UIBackgroundModes" { found = true } }
                body.block.forEachStatement { statement in
                    switch statement.kind {
                    case .call(let call), .collection(_, let call): for argument in call.arguments { note(argument.value) }
                    case .read(_, .element(_, let arguments)): for argument in arguments { note(argument.value) }
                    case .declare(_, let value): note(value)
                    case .write(_, let value): note(value)
                    case .exit(.returns(let value)): note(value)
                    case .compute(_, _, let operands): operands.forEach(note)
                    default: break
                    }
                }
                return found
            }
        }
    }

    fileprivate func uses(_ use: Capability.Use, _ statement: Statement, _ context: BodyContext) -> Bool {
        switch (use.kind, statement.kind) {
        case (.write(let property, let word), .write(.member(let receiver, let written), let value)):
            return written == property && names(value, word, context) && isOf(use.owner, receiver, context)
        case (.call(let name, let word), .call(let call)):
            guard call.callee.baseName == name else { return false }
            if let word, !call.arguments.contains(where: { names($0.value, word, context) }) { return false }
            switch call.callee {
            case .name: return use.owner == nil && !program.hasFreeMember(named: name) && !program.hasFunction(named: name)
            case .member(let receiver, _): return isOf(use.owner, receiver, context)
            default: return false
            }
        case (.make(let label), .call(let call)):
            guard case .initializer(let type) = call.callee, type.name == use.owner, case .platform = program.resolve(type.unwrapped, in: context.scope) else { return false }
            return label == nil || call.arguments.first?.label == label && call.arguments.first?.value != .constant(.null)
        default: return false
        }
    }

    /// Whether the receiver is the class, or an object of it.
    private func isOf(_ owner: String?, _ receiver: Operand, _ context: BodyContext) -> Bool {
        guard let owner, let type = inference.type(of: receiver, in: context) else { return false }
        switch inference.resolve(type) {
        case .platform(let known): return program.platform.isClass(known, kindOf: owner)
        // A class that is not in the tables keeps its name.
        case .unknown(let name): return name == owner
        case .project(let types): return types.count == 1 && program.isType(types[0], kindOf: owner) && program.members(named: "sourceType", on: types[0]).isEmpty
        }
    }

    /// Whether the operand is a constant whose name ends in the word.
    private func names(_ operand: Operand, _ word: String, _ context: BodyContext) -> Bool {
        switch operand {
        case .constant(.implicitMember(let name)): return name.lowercased().hasSuffix(word.lowercased())
        case .constant(.boolean(let value)): return word == "\(value)"
        case .register(let register):
            switch context.definition(of: register)?.kind {
            case .read(_, .member(.type, let name)), .read(_, .name(let name)): return name.lowercased().hasSuffix(word.lowercased())
            default: return false
            }
        default: return false
        }
    }
}
