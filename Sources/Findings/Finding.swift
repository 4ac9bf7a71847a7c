import SourceText

/// How much a finding weighs: an error is a crash or certain breakage, a warning misbehaviour, a note hygiene.
public enum Severity: String, Hashable, Sendable, CaseIterable {
    case error, warning, note

    /// Whether it is graver than the other.
    public func outweighs(_ other: Severity) -> Bool {
        (Self.allCases.firstIndex(of: self) ?? 0) < (Self.allCases.firstIndex(of: other) ?? 0)
    }
}

/// How sure a finding is.
public enum Status: String, Hashable, Sendable {
    /// The rule needs no simulation.
    case `static`
    /// The replay reproduced the violation.
    case confirmed
    /// The violation happens under named assumptions.
    case likely
    /// The analysis could not decide, for a named reason.
    case unconfirmed
    /// Every run is fine; shown on request only.
    case refuted
}

/// Something that a finding takes for granted, with the place that it speaks of.
public struct Assumption: Hashable, Sendable {
    public let path: String
    public let line: Int
    public let text: String

    /// Makes an assumption about a line of a file.
    public init(path: String, line: Int, text: String) {
        self.path = path
        self.line = line
        self.text = text
    }
}

/// One step of the run that breaks.
public struct TraceStep: Hashable, Sendable {
    /// What happens: an event's name, or the member that runs.
    public let event: String
    /// The file; empty for events that run no code of the project.
    public let path: String
    /// The line, from 1; 0 where there is no file.
    public let line: Int
    /// What changes by it.
    public let note: String

    /// Makes a step.
    public init(event: String, path: String, line: Int, note: String) {
        self.event = event
        self.path = path
        self.line = line
        self.note = note
    }
}

/// A change of the text that mends a finding.
public struct Fix: Hashable, Sendable {
    /// Whether the change keeps what the program does apart from the defect.
    public enum Safety: String, Hashable, Sendable {
        case safe, unsafe
    }

    /// What the change does, as a verb phrase.
    public let title: String
    public let safety: Safety
    public let edits: [TextEdit]

    /// Makes a fix.
    public init(title: String, safety: Safety, edits: [TextEdit]) {
        self.title = title
        self.safety = safety
        self.edits = edits
    }
}

/// One defect at one place.
public struct Finding: Hashable, Sendable {
    public let rule: String
    public var severity: Severity
    public let status: Status
    /// What is wrong and why it matters: lower case, one clause, no full stop.
    public var message: String
    public let path: String
    public let span: SourceSpan
    /// The qualified name of the type; empty outside types.
    public let type: String
    /// The member as its language writes it: `viewWillAppear(_:)`, `viewWillAppear:`.
    public let member: String
    public let assumptions: [Assumption]
    /// Why a finding is unconfirmed.
    public let reason: String?
    public var trace: [TraceStep]
    public let fixes: [Fix]
    /// Whether what is kept too long is another object than the one whose code it is, so that how long that lives says nothing.
    public var isStray = false

    /// Makes a finding; what a static rule has no use for is empty.
    public init(
        rule: String, severity: Severity, status: Status = .static, message: String, path: String, span: SourceSpan, type: String, member: String,
        assumptions: [Assumption] = [], reason: String? = nil, trace: [TraceStep] = [], fixes: [Fix] = []
    ) {
        self.rule = rule
        self.severity = severity
        self.status = status
        self.message = message
        self.path = path
        self.span = span
        self.type = type
        self.member = member
        self.assumptions = assumptions
        self.reason = reason
        self.trace = trace
        self.fixes = fixes
    }

    /// The same finding, as sure as a run that shows it makes it.
    public func reproduced(by run: Finding) -> Finding {
        Finding(
            rule: rule, severity: severity, status: run.status, message: message, path: path, span: span, type: type, member: member, assumptions: run.assumptions, reason: run.reason,
            trace: run.trace, fixes: fixes)
    }

    /// The same finding in other words.
    public func with(message: String, member: String) -> Finding {
        Finding(
            rule: rule, severity: severity, status: status, message: message, path: path, span: span, type: type, member: member, assumptions: assumptions,
            reason: reason, trace: trace, fixes: fixes)
    }
}
