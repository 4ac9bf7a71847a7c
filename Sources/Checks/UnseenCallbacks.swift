import Findings
import ProgramModel
import SourceText

extension Check {
    /// Callbacks of Objective-C protocols that stand in an extension of a Swift protocol.
    static let unseenCallbacks = Check(rules: ["callback_in_protocol_extension"]) { input, file in
        guard !input.program.files[file].isTest, input.program.files[file].facts.language == .swift else { return [] }
        return input.program.files[file].facts.types.indices.flatMap { index in
            UnseenCallbacks(input: input, file: file, declaration: DeclarationID(file: file, index: index))?.findings() ?? []
        }
    }
}

/// The callbacks of one extension of a protocol.
private struct UnseenCallbacks {
    private let input: CheckInput
    private let file: Int
    private let declaration: DeclarationID
    /// The protocols of Cocoa that the extended one is or inherits.
    private let cocoa: [String]
    /// The classes of the project that conform to it.
    private let conformers: [TypeID]

    private var program: Program { input.program }

    /// What the delegate protocols of scrolling views inherit.
    private static let inherited: [String: [String]] = [
        "UITableViewDelegate": ["UIScrollViewDelegate"], "UICollectionViewDelegate": ["UIScrollViewDelegate"], "UITextViewDelegate": ["UIScrollViewDelegate"],
        "UICollectionViewDelegateFlowLayout": ["UICollectionViewDelegate"],
    ]
    private static let endings = ["DelegateFlowLayout", "DataSourcePrefetching", "DragDelegate", "DropDelegate", "DataSource", "Delegate", "NavigationDelegate", "UIDelegate"]

    init?(input: CheckInput, file: Int, declaration: DeclarationID) {
        let program = input.program
        let facts = program[declaration]
        guard facts.kind == .extension else { return nil }
        var names: [String] = []
        var seen: Set<String> = []
        var conforming: Set<TypeID> = []
        // The protocols above say what Cocoa calls, those below who conforms.
        var pending = [facts.name]
        while let next = pending.popLast() {
            guard seen.insert(next).inserted else { continue }
            switch program.resolve(TypeReference(next), in: Scope(file: file, typeName: "")) {
            case .project(let types):
                guard types.count == 1, program[types[0]].kind == .protocol else { continue }
                pending += program[types[0]].conformances.flatMap { program.parts(of: $0, in: Scope(file: file, typeName: "")) }.map(\.name)
                pending += program[types[0]].declarations.flatMap { program[$0].inherited.map(\.name) }
            case .platform, .unknown:
                if Self.sender(ofProtocol: next, in: program) != nil { names.append(next) }
                pending += Self.inherited[next] ?? []
            }
        }
        guard !names.isEmpty else { return nil }
        var below = [facts.name]
        var visited: Set<String> = []
        while let next = below.popLast() {
            guard visited.insert(next).inserted else { continue }
            for type in program.conformers(to: next) {
                if program[type].kind == .class { conforming.insert(type) } else if program[type].kind == .protocol { below.append(program[type].name) }
            }
        }
        (self.input, self.file, self.declaration, cocoa, conformers) = (input, file, declaration, names, conforming.sorted())
    }

    /// The class that calls a delegate protocol of Cocoa: 'UITableView' of 'UITableViewDelegate'.
    private static func sender(ofProtocol name: String, in program: Program) -> String? {
        endings.lazy.filter(name.hasSuffix).map { String(name.dropLast($0.count)) }.first(where: program.platform.isClass)
    }

    func findings() -> [Finding] {
        let facts = program[declaration]
        return facts.members.compactMap { member in
            guard member.kind == .function, member.body != nil, !member.isPartial, !member.isStatic, !member.isPrivate, let callback = callback(member),
                  !input.names.called.contains(member.fullName), !isRequirement(member), let conformer = conformers.first(where: { !answers(member, $0) }) else { return nil }
            return input.finding(
                "callback_in_protocol_extension",
                "what a Swift protocol extension adds is hidden from Objective-C, so '\(callback.sender)' never calls this '\(member.baseName)' of '\(program[conformer].name)'; put it into the class",
                at: member.nameSpan, in: file, type: facts.name, member: member.fullName)
        }
    }

    /// The protocol whose callback a function is by its name and by the type of who calls it.
    private func callback(_ member: MemberFacts) -> (protocol: String, sender: String)? {
        guard let first = member.parameters.first, first.label == nil, !first.type.isOptional else { return nil }
        for name in cocoa {
            guard let sender = Self.sender(ofProtocol: name, in: program), first.type.name == sender else { continue }
            let base = sender.dropFirst(2)
            guard member.baseName.hasPrefix(base.prefix(1).lowercased() + base.dropFirst()) else { continue }
            return (name, sender)
        }
        return nil
    }

    /// Whether a protocol of the project asks for the function, and so calls it itself.
    private func isRequirement(_ member: MemberFacts) -> Bool {
        program.types.contains { type in
            type.kind == .protocol && (type.membersByName[member.baseName] ?? []).contains { program[$0].body == nil && program[$0].fullName == member.fullName }
        }
    }

    private func answers(_ member: MemberFacts, _ type: TypeID) -> Bool {
        program.chain(of: type).contains { (program[$0].membersByName[member.baseName] ?? []).contains { program[$0].fullName == member.fullName } }
    }
}
