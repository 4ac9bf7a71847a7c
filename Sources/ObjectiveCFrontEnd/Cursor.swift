internal import CLibClang

/// One node of the tree of libclang; alive as long as its unit.
struct Cursor {
    let raw: CXCursor
    let unit: TranslationUnit

    private var clang: LibClang { unit.clang }

    var kind: CXCursorKind { raw.kind }
    var spelling: String { clang.text(clang.cursorSpelling(raw)) }
    var type: ObjectiveCType { ObjectiveCType(raw: clang.cursorType(raw), clang: clang) }
    /// The type of the value of an expression: libclang has none of its own for what a property gives.
    var valueType: ObjectiveCType {
        let inner = essence
        if inner.kind == CXCursor_MemberRefExpr, let declaration = inner.referenced {
            return declaration.kind == CXCursor_ObjCInstanceMethodDecl || declaration.kind == CXCursor_ObjCClassMethodDecl ? declaration.resultType : declaration.type
        }
        return inner.type
    }
    var resultType: ObjectiveCType { ObjectiveCType(raw: clang.cursorResultType(raw), clang: clang) }
    var isInMainFile: Bool { clang.isInMainFile(clang.cursorLocation(raw)) != 0 }
    /// Whether it is an implementation that the text begins, though a macro gives the class's name.
    var isImplementationHere: Bool {
        (kind == CXCursor_ObjCImplementationDecl || kind == CXCursor_ObjCCategoryImplDecl) && unit.isHere(clang.rangeStart(clang.cursorExtent(raw)))
    }
    var isOptionalRequirement: Bool { clang.isOptional(raw) != 0 }
    var isStatic: Bool { clang.storageClass(raw) == CX_SC_Static }
    /// Whether it only names what is defined elsewhere.
    var isExtern: Bool { clang.storageClass(raw) == CX_SC_Extern }

    /// What the node names; nil where that is not known.
    var referenced: Cursor? {
        let found = clang.cursorReferenced(raw)
        return clang.isNull(found) != 0 ? nil : Cursor(raw: found, unit: unit)
    }

    /// The declaration around a declaration.
    var parent: Cursor? {
        let found = clang.semanticParent(raw)
        return clang.isNull(found) != 0 ? nil : Cursor(raw: found, unit: unit)
    }

    /// The offsets at which the node begins and ends in the text; what a macro makes has the place of the macro's use.
    var offsets: (start: Int, end: Int) {
        let extent = clang.cursorExtent(raw)
        return (offset(clang.rangeStart(extent)), offset(clang.rangeEnd(extent)))
    }

    /// The offset of the name that a declaration declares.
    var nameOffset: Int { offset(clang.cursorLocation(raw)) }

    /// The words of a message's selector as they are spelled, be it in a macro; a part without a word is a colon.
    var selectorWords: [String] {
        var words: [String] = []
        while words.count < Self.longestSelector {
            let range = clang.nameRange(raw, UInt32(words.count), 0)
            if clang.isNullRange(range) != 0 { break }
            words.append(unit.word(at: clang.rangeStart(range)))
        }
        return words
    }

    private static let longestSelector = 64

    /// Whether a message is sent to a value, and not to a class, to `super` or to what `alloc` gives.
    var isDynamicCall: Bool { clang.isDynamicCall(raw) != 0 }

    private func offset(_ location: CXSourceLocation) -> Int {
        var offset: UInt32 = 0
        clang.fileLocation(location, nil, nil, nil, &offset)
        return Int(offset)
    }

    var children: [Cursor] {
        final class Found {
            var cursors: [CXCursor] = []
        }
        let found = Found()
        _ = withExtendedLifetime(found) {
            clang.visitChildren(raw, { child, _, data in
                guard let data else { return CXChildVisit_Break }
                Unmanaged<Found>.fromOpaque(data).takeUnretainedValue().cursors.append(child)
                return CXChildVisit_Continue
            }, Unmanaged.passUnretained(found).toOpaque())
        }
        return found.cursors.map { Cursor(raw: $0, unit: unit) }
    }

    /// The expression inside parentheses, implicit casts and other nodes with one child that change nothing.
    var essence: Cursor {
        var current = self
        while current.kind == CXCursor_ParenExpr || current.kind == CXCursor_UnexposedExpr || current.kind == CXCursor_ObjCBridgedCastExpr {
            let inner = current.children.filter(\.isExpression)
            guard inner.count == 1, let only = inner.first else { return current }
            current = only
        }
        return current
    }

    /// The expression inside parentheses and casts of all kinds.
    var withoutCasts: Cursor {
        var current = essence
        while current.kind == CXCursor_CStyleCastExpr, let inner = current.children.last(where: \.isExpression) { current = inner.essence }
        return current
    }

    /// The attributes of a property, as bits of `CXObjCPropertyAttrKind`.
    var propertyAttributes: UInt32 { clang.propertyAttributes(raw, 0) }
    var getterName: String { clang.text(clang.propertyGetter(raw)) }
    var setterName: String { clang.text(clang.propertySetter(raw)) }

    /// The integer or string that a constant expression stands for.
    var constant: (integer: Int?, text: String?) {
        guard let result = clang.evaluate(raw) else { return (nil, nil) }
        defer { clang.disposeEvaluation(result) }
        switch clang.evaluatedKind(result) {
        case CXEval_Int: return (Int(clang.evaluatedInteger(result)), nil)
        case CXEval_ObjCStrLiteral, CXEval_StrLiteral, CXEval_CFStr: return (nil, clang.evaluatedText(result).map { String(cString: $0) })
        default: return (nil, nil)
        }
    }
}
