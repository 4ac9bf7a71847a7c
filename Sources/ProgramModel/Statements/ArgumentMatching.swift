extension MemberFacts {
    /// Whether a call of its name can mean the function.
    public func accepts(_ call: Call) -> Bool { arguments(of: call) != nil }

    /// The numbers of the arguments for each parameter, none where a default stands in; nil when the labels, in their order, do not fit.
    public func arguments(of call: Call) -> [[Int]]? {
        var next = 0
        var matched: [[Int]] = []
        for (position, parameter) in parameters.enumerated() {
            guard next < call.arguments.count else {
                guard parameter.hasDefault || parameter.isVariadic else { return nil }
                matched.append([])
                continue
            }
            let argument = call.arguments[next]
            // A trailing closure passes over a value with a default when a function is to come, or what has no default and may be one by another name.
            let isForLater = argument.isTrailing && parameter.hasDefault && parameter.type.name != "->"
                && parameters[(position + 1)...].contains { $0.type.name == "->" || !$0.hasDefault && !$0.isVariadic }
            if (argument.isTrailing && !isForLater) || (!argument.isTrailing && argument.label == parameter.label) {
                var taken = [next]
                next += 1
                while parameter.isVariadic, next < call.arguments.count, call.arguments[next].label == nil, !call.arguments[next].isTrailing {
                    taken.append(next)
                    next += 1
                }
                matched.append(taken)
            } else if parameter.hasDefault || parameter.isVariadic {
                matched.append([])
            } else {
                return nil
            }
        }
        return next == call.arguments.count ? matched : nil
    }

    /// The same for a call that may leave the first label out, as before Swift 3.
    public func argumentsOfAnySwift(of call: Call) -> [[Int]]? {
        arguments(of: call) ?? (acceptsWithoutFirstLabel(call) ? parameters.indices.map { [$0] } : nil)
    }

    /// Whether a call can mean the function that leaves its first label out, as before Swift 3.
    public func acceptsWithoutFirstLabel(_ call: Call) -> Bool {
        guard parameters.count == call.arguments.count, call.arguments.first?.label == nil else { return false }
        return zip(parameters, call.arguments).dropFirst().allSatisfy { $0.label == $1.label || $1.isTrailing }
    }
}
