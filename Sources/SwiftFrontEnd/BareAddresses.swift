import ProgramModel
import SwiftSyntax

/// Objects that travel through C as bare addresses: `Unmanaged.passUnretained(self).toOpaque()` and back.  The address stands for its object,
/// as a bridged one does in Objective-C.
extension BodyLowering {
    /// The object behind a call that makes an address of it, or that gives an object back; nil for other calls.
    func addressed(_ node: FunctionCallExprSyntax) -> Operand? {
        guard node.trailingClosure == nil else { return nil }
        if let name = node.calledExpression.as(DeclReferenceExprSyntax.self)?.baseName.plainText, Self.pointers.contains(name), let only = Self.onlyArgument(of: node) {
            return lower(only)
        }
        guard let access = node.calledExpression.as(MemberAccessExprSyntax.self), let inner = access.base?.as(FunctionCallExprSyntax.self), node.arguments.isEmpty,
              let object = Self.onlyArgument(of: inner), let maker = inner.calledExpression.as(MemberAccessExprSyntax.self), let unmanaged = maker.base else { return nil }
        switch (maker.declName.baseName.plainText, access.declName.baseName.plainText) {
        case ("passUnretained", "toOpaque"), ("passRetained", "toOpaque"):
            return Self.isUnmanaged(unmanaged) ? lower(object) : nil
        case ("fromOpaque", "takeUnretainedValue"), ("fromOpaque", "takeRetainedValue"):
            guard let type = unmanaged.as(GenericSpecializationExprSyntax.self)?.genericArgumentClause.arguments.first?.argument.as(TypeSyntax.self) else { return nil }
            return Self.isUnmanaged(unmanaged) ? compute(.forcedCast(TypeReference(type)), [lower(object)], at: node) : nil
        default: return nil
        }
    }

    private static func isUnmanaged(_ type: ExprSyntax) -> Bool {
        (type.as(GenericSpecializationExprSyntax.self)?.expression ?? type).as(DeclReferenceExprSyntax.self)?.baseName.plainText == "Unmanaged"
    }

    /// The argument without a label that a call has and nothing besides.
    private static func onlyArgument(of node: FunctionCallExprSyntax) -> ExprSyntax? {
        guard node.arguments.count == 1, let only = node.arguments.first, only.label == nil else { return nil }
        return only.expression
    }

    private static let pointers: Set<String> = ["UnsafeRawPointer", "UnsafeMutableRawPointer"]
}
