/// The names by which the other language calls the functions of a project: Swift calls `startWithCallback:` as `start(callback:)`, and Objective-C
/// calls `start(callback:)` as `startWithCallback:`.  Each name that is called so is a member of its own, whose code calls the function.
/// Source: SE-0005, "Better Translation of Objective-C APIs Into Swift"; `ObjectiveCSelector` for the way back.
enum BorderNames {
    /// The files with the members that the other language's calls name.
    static func adding(to files: [ProgramFile]) -> [ProgramFile] {
        let languages = Set(files.lazy.map(\.facts.language))
        guard languages.count > 1 else { return files }
        let calls = languages.reduce(into: [:]) { calls, language in calls[language] = calledNames(in: files.lazy.filter { $0.facts.language == language }) }
        return files.map { file in
            guard let called = calls[file.facts.language == .swift ? .objectiveC : .swift], !called.isEmpty else { return file }
            let types = file.facts.types.map { type in type.adding(others(of: type, in: file.facts.language, called)) }
            return file.with(file.facts.with(types))
        }
    }

    /// How the code calls each base name: the labels, `nil` for arguments without one, and for trailing closures whatever their labels are.
    private struct CallForm: Hashable {
        let labels: [String?]
        let trailing: Int
    }

    private static func calledNames(in files: some Sequence<ProgramFile>) -> [String: Set<CallForm>] {
        var found: [String: Set<CallForm>] = [:]
        func collect(_ body: Body) {
            body.block.forEachStatement { statement in
                guard let call = statement.call, case .member(_, let name) = call.callee, !call.arguments.isEmpty else { return }
                found[name, default: []].insert(CallForm(labels: call.arguments.map(\.label), trailing: call.arguments.count { $0.isTrailing }))
            }
        }
        for file in files {
            for member in file.facts.types.flatMap(\.members) + file.facts.members { member.bodies.forEach { collect($0.body) } }
            file.facts.topLevel.map(collect)
        }
        return found
    }

    private static func others(of type: TypeFacts, in language: SourceLanguage, _ called: [String: Set<CallForm>]) -> [MemberFacts] {
        guard type.kind == .class || type.kind == .extension else { return [] }
        let own = Set(type.members.map(\.fullName))
        var seen: Set<String> = []
        return type.members.flatMap { member -> [MemberFacts] in
            guard member.kind == .function, member.body != nil, !member.isUnlisted, !member.parameters.isEmpty, !member.parameters.contains(where: \.isVariadic) else { return [] }
            let fitting = names(of: member, in: language).filter { name in called[name.base]?.contains { name.fits($0.labels, trailing: $0.trailing) } ?? false }
            // What a trailing closure's label is no call tells; one name does for all of them.
            let written = fitting.filter { name in called[name.base]?.contains { $0.labels == name.labels } ?? false }
            return (written.isEmpty ? Array(fitting.prefix(1)) : written)
                .compactMap { member.forwarding(as: $0, in: type) }
                .filter { !own.contains($0.fullName) && seen.insert($0.fullName).inserted }
        }
    }

    private static func names(of member: MemberFacts, in language: SourceLanguage) -> [Name] {
        if language == .objectiveC { return SwiftSpelling.names(of: member) }
        guard let selector = member.selector, selector.hasSuffix(":") else { return [] }
        let parts = selector.dropLast().split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == member.parameters.count, parts[0] != member.baseName else { return [] }
        return [Name(base: parts[0], labels: [nil] + parts.dropFirst().map { $0.isEmpty ? nil : $0 })]
    }

    /// A name of a function in the other language, with a label for each parameter.
    struct Name: Hashable {
        let base: String
        let labels: [String?]

        /// Whether a call with these labels means it, the last of them being of closures behind the parentheses.
        func fits(_ called: [String?], trailing: Int) -> Bool {
            called.count == labels.count && called.dropLast(trailing).elementsEqual(labels.dropLast(trailing))
        }
    }
}

/// How Swift may spell a method of Objective-C.
private enum SwiftSpelling {
    /// The names that the importer can have given; which it gave hangs on types that may not be here, so a call decides.
    static func names(of member: MemberFacts) -> [BorderNames.Name] {
        guard member.parameters[0].label == nil else { return [] }
        let words = words(of: member.baseName)
        guard words.count > 1 else { return [] }
        let others = member.parameters.dropFirst().map { parameter in parameter.label.map { labels(of: $0, parameter.type) } ?? [nil] }
        var firsts: [(base: String, labels: [String?])] = []
        if let split = words.indices.dropFirst().last(where: { ObjectiveCSelector.isPreposition(words[$0].lowercased()) }) {
            let base = words[..<split].joined()
            let rest = words[split...].joined()
            let label = words[split] == "With" && split + 1 < words.count ? words[(split + 1)...].joined() : rest
            let texts = label == rest ? [rest] : [label, rest]
            firsts.append((base, texts.flatMap { labels(of: ObjectiveCSelector.label(of: $0), member.parameters[0].type) }))
        }
        if let shorter = withoutType(words, member.parameters[0].type), let first = shorter.first, !ObjectiveCSelector.isPreposition(first) {
            firsts.append((shorter.joined(), [nil]))
        }
        return firsts.flatMap { base, labels in
            others.reduce(labels.map { [$0] }) { names, next in names.flatMap { name in next.map { name + [$0] } } }.map { BorderNames.Name(base: base, labels: $0) }
        }
    }

    /// A label as it is written, and without the words that only repeat the type.
    private static func labels(of label: String, _ type: TypeReference) -> [String?] {
        let words = words(of: label)
        guard let shorter = withoutType(words, type) else { return [label] }
        return [label, shorter.joined()]
    }

    /// The words before those that repeat the end of the type's name; nil where none does, or nothing would be left.
    private static func withoutType(_ words: [String], _ type: TypeReference) -> [String]? {
        let name: [String] = switch type.unwrapped.name {
        case "Int", "UInt": ["Index"]
        case "->": ["Block"]
        default: Self.words(of: type.unwrapped.name)
        }
        let common = zip(words.reversed(), name.reversed()).prefix { $0.lowercased() == $1.lowercased() }.count
        return common > 0 && common < words.count ? Array(words.dropLast(common)) : nil
    }

    /// `loadURLForItem` is `load`, `URL`, `For` and `Item`.
    private static func words(of name: String) -> [String] {
        var words: [String] = []
        let letters = Array(name)
        for (index, letter) in letters.enumerated() {
            let isFirst = letter.isUppercase && (index > 0 && !letters[index - 1].isUppercase || index + 1 < letters.count && letters[index + 1].isLowercase)
            if words.isEmpty || isFirst { words.append(String(letter)) } else { words[words.count - 1].append(letter) }
        }
        return words
    }
}

extension MemberFacts {
    /// The member of another name whose code calls this one with what it is given.
    fileprivate func forwarding(as name: BorderNames.Name, in type: TypeFacts) -> MemberFacts? {
        guard name.labels.count == parameters.count else { return nil }
        let locals = parameters.indices.map { LocalID($0) }
        let reads = locals.map { local in Statement(id: local.index, span: nameSpan, kind: .read(Register(Int(local.index)), .local(local))) }
        let result = Register(locals.count)
        let receiver: Operand = isStatic ? .type(TypeReference(type.name)) : .selfObject
        let call = Call(
            result: result, callee: .member(receiver, baseName), arguments: zip(parameters, locals).map { Argument(label: $0.label, value: .register(Register(Int($1.index)))) },
            mayThrow: modifiers.contains("throws"), maySuspend: modifiers.contains("async"))
        let block = reads + [
            Statement(id: Int32(locals.count), span: nameSpan, kind: .call(call)),
            Statement(id: Int32(locals.count + 1), span: nameSpan, kind: .exit(.returns(.register(result)))),
        ]
        let body = Body(
            locals: parameters.map { Local(name: $0.name, type: $0.type, isMutable: false) }, parameters: locals, block: block, registerCount: locals.count + 1,
            statementCount: block.count, span: nameSpan)
        return MemberFacts(
            kind: .function, baseName: name.base,
            parameters: zip(parameters, name.labels).map { Parameter(label: $1, name: $0.name, type: $0.type, hasDefault: $0.hasDefault, defaultValue: $0.defaultValue) },
            type: self.type, modifiers: modifiers.filter { $0 != "override" }, body: body, condition: condition, span: nameSpan, nameSpan: nameSpan)
    }
}
