/// Facts with the members that the linker adds to what the text declares.
extension TypeFacts {
    func adding(_ more: [MemberFacts]) -> TypeFacts {
        guard !more.isEmpty else { return self }
        return TypeFacts(
            kind: kind, name: name, genericParameters: genericParameters, inherited: inherited, attributes: attributes, modifiers: modifiers, members: members + more, cases: cases,
            payload: payload, condition: condition, isLocal: isLocal, isPartial: isPartial, span: span, nameSpan: nameSpan)
    }
}

extension FileFacts {
    func with(_ types: [TypeFacts]) -> FileFacts {
        FileFacts(
            language: language, imports: imports, types: types, members: members, aliases: aliases, topLevel: topLevel, steering: steering, syntaxErrors: syntaxErrors,
            lineCount: lineCount, messageCount: messageCount, lostMessageCount: lostMessageCount, isOfEarlierSwift: isOfEarlierSwift, countsReferences: countsReferences, namedTypes: namedTypes)
    }
}

extension ProgramFile {
    func with(_ facts: FileFacts) -> ProgramFile {
        ProgramFile(path: path, facts: facts, units: units, isThirdParty: isThirdParty, isTest: isTest, isLeftOut: isLeftOut, isSampled: isSampled)
    }
}
