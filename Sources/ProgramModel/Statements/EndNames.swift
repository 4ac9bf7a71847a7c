extension String {
    /// Whether a property of this name has a closure that is told of the end of some work, after which nobody needs it.
    public var tellsOfAnEnd: Bool {
        let lower = lowercased()
        return ["complet", "finish", "succe", "fail", "error", "cancel", "terminat", "result", "response", "animation", "dismiss"].contains(where: lower.contains)
    }
}
