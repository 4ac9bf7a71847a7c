extension [String: Set<String>] {
    /// These names, and those that call them, directly or through others, where this says what each name calls.
    public func namesLeading(to names: Set<String>) -> Set<String> {
        var found = names
        while let more = first(where: { !found.contains($0.key) && !$0.value.isDisjoint(with: found) })?.key { found.insert(more) }
        return found
    }
}
