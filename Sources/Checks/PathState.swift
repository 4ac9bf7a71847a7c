import ProgramModel
import SourceText

/// Where a path stands: how often super was called, and what was assumed on the way.
struct PathState: Hashable {
    /// 0, 1, or 2 for more.
    var calls = 0
    /// The place of the call that made it two.
    var secondCall: SourceSpan?
    /// The outcomes of conditions met, by their text.
    var choices: [String: Bool] = [:]
    /// The configuration in which the path exists.
    var configuration = ConfigurationCondition.always
    /// Whether something on the path could not be read.
    var metOpaque = false
    /// Whether the path is for a system or a superclass that may not have the method at all.
    var mayLackMethod = false

    var lackingMethod: PathState {
        var state = self
        state.mayLackMethod = true
        return state
    }
}
