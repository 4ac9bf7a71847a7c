import ProgramModel

/// The outcomes of what the text leaves open, fixed for one run: the first ones are given, later ones take the default.
package struct Choices: Sendable {
    /// The flags of conditional compilation.
    let configuration: Configuration
    /// The outcomes given, in order of the questions.
    private(set) var given: [Bool]
    /// The outcomes taken, in order of the questions.
    package private(set) var taken: [Bool] = []
    /// Where each was asked.
    private(set) var asked: [Fork] = []
    /// The statement that is asking, and whether its arms do more than set values.
    var at: (place: BodyPlace?, matters: Bool) = (nil, true)
    /// Whether the next questions have no other answer than yes.
    var isForced = false
    /// Questions already answered: a value that is unknown stays the same value.
    package var answers: [Question: Bool] = [:]

    /// Something that can be asked of an unknown value.
    package enum Question: Hashable, Sendable {
        case isTrue(Int)
        case isPresent(Int)
        case matches(Int, String)
        case equals(Int, Value)
        /// Whether somebody outside calls a closure.
        case isCalled(Int)
        /// A question that may be answered otherwise each time.
        case other(Int)

        /// The number of the value.
        package var number: Int {
            switch self {
            case .isTrue(let number), .isPresent(let number), .matches(let number, _), .equals(let number, _), .isCalled(let number), .other(let number): number
            }
        }

        /// What is asked, whatever the value.
        var text: String {
            switch self {
            case .isTrue, .other: "true"
            case .isPresent: "present"
            case .isCalled: "called"
            case .matches(_, let pattern): pattern
            case .equals(_, let value): value.clause
            }
        }
    }

    /// A question of the code: what tells one way of going on from another in the text.
    struct Fork: Hashable, Sendable {
        let place: BodyPlace?
        let text: String
        /// Whether one of the ways does more than set values.
        let matters: Bool

        /// Where it stands among the questions: file, line, column.
        var order: (Int, Int, Int) { (place?.file ?? 0, place?.line ?? 0, place?.column ?? 0) }

        /// What an outcome means, as a clause.
        func title(_ outcome: Bool) -> String {
            switch text {
            case "true": outcome ? "the condition holds" : "the condition does not hold"
            case "present": outcome ? "the value is there" : "the value is nil"
            case "called": outcome ? "the closure is called" : "the closure is not called"
            default: outcome ? "the value matches '\(text)'" : "the value does not match '\(text)'"
            }
        }
    }

    /// The ways that the run went at the questions.
    var ways: Set<PendingChoices.Way> { Set(zip(asked, taken).map { PendingChoices.Way(fork: $0, outcome: $1) }) }

    init(given: [Bool], configuration: Configuration) {
        self.given = given
        self.configuration = configuration
    }

    /// Goes on with other outcomes for the questions to come; those already answered must agree.
    mutating func resume(given: [Bool]) {
        self.given = given
    }

    /// Forgets the questions that were asked, and keeps what was answered.
    package mutating func beginAnew() {
        given = []
        taken = []
        asked = []
        at = (nil, true)
    }

    /// Which of several ways to go on is taken: the first by default.
    mutating func choose(among count: Int, at place: BodyPlace) -> Int {
        for index in 0..<(count - 1) {
            let isChosen = taken.count < given.count ? given[taken.count] : true
            taken.append(isChosen)
            asked.append(Fork(place: place, text: "true", matters: true))
            if isChosen { return index }
        }
        return count - 1
    }

    /// The outcome; the same question has the same outcome for the whole run.
    mutating func answer(_ question: Question) -> Bool {
        if let known = answers[question] { return known }
        if isForced {
            answers[question] = true
            return true
        }
        let outcome = taken.count < given.count ? given[taken.count] : true
        taken.append(outcome)
        asked.append(Fork(place: at.place, text: question.text, matters: at.matters))
        answers[question] = outcome
        return outcome
    }
}

extension Value {
    /// The value as a reader of the text knows it, for a clause like "the value matches '3'".
    fileprivate var clause: String {
        switch self {
        case .null: "nil"
        case .void: "()"
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .number(let text), .string(let text), .selector(let text), .keyPath(let text), .type(let text): text
        case .named(let name, _), .method(_, let name): name
        case .tuple, .collection, .object, .closure, .unknown: "what it is compared with"
        }
    }
}
