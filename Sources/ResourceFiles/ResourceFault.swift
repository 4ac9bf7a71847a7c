/// Why a file gives no facts: one clause that says what happens now.
public struct ResourceFault: Error, Hashable, Sendable {
    public let message: String
}
