import RuleLibrary

/// The lifecycle methods of all classes by their base names, for a quick look before a slow one.
struct LifecycleNames: Sendable {
    /// Base names of methods that only Cocoa may call.
    let calledByCocoaOnly: Set<String>
    /// Base names of every method of role lifecycle.
    let lifecycle: Set<String>

    init(_ library: RuleLibrary) {
        var direct: Set<String> = []
        var lifecycle: Set<String> = []
        for method in library.lifecycles.values.flatMap(\.methods) {
            for name in method.names.map({ String($0.prefix { $0 != "(" }) }) {
                if method.directCall == .warning, method.role == .lifecycle || method.role == .drawing { direct.insert(name) }
                if method.role == .lifecycle { lifecycle.insert(name) }
            }
        }
        calledByCocoaOnly = direct
        self.lifecycle = lifecycle
    }
}
