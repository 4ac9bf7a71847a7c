import Findings
import ProgramModel
import SourceText

/// Writes findings of Objective-C files as the language writes its members: `viewWillAppear:` and `[super viewWillAppear:]`.
enum ObjectiveCSpelling {
    static func apply(to findings: [Finding], in program: Program) -> [Finding] {
        let files = Dictionary(program.files.enumerated().filter { $0.element.facts.language == .objectiveC }.map { ($0.element.path, $0.offset) }) { first, _ in first }
        return files.isEmpty ? findings : findings.map { finding in
            files[finding.path].map { spelled(finding, in: program.files[$0].facts) } ?? finding
        }
    }

    private static func spelled(_ finding: Finding, in facts: FileFacts) -> Finding {
        // Methods share base names, as `viewWillMove(toWindow:)` and `viewWillMove(toSuperview:)` do: what a finding says of super is of its own.
        let all = facts.types.flatMap(\.members)
        let members = all.filter { $0.fullName == finding.member } + all.filter { $0.fullName != finding.member }
        var message = finding.message.replacing("'deinit'", with: "'dealloc'").replacing("'super.dealloc'", with: "'[super dealloc]'")
        for member in members where member.kind == .function || member.kind == .initializer {
            guard message.contains(member.baseName) else { continue }
            let selector = name(of: member, at: finding.span)
            message = message.replacing("'\(member.fullName)'", with: "'\(selector)'").replacing("'super.\(member.baseName)'", with: "'[super \(selector)]'")
        }
        let around = members.first { $0.fullName == finding.member && $0.span.contains(finding.span.start) && !$0.bodies.isEmpty } ?? members.first { $0.fullName == finding.member }
        return finding.with(message: message, member: around.map { name(of: $0, at: finding.span) } ?? finding.member)
    }

    /// The selector of a member; of a property the one whose code is at the place.
    private static func name(of member: MemberFacts, at span: SourceSpan) -> String {
        switch member.kind {
        case .deinitializer: "dealloc"
        case .property:
            if let set = member.accessors?.set, set.span.contains(span.start), member.accessors?.get?.span != set.span {
                "set\(member.baseName.prefix(1).uppercased())\(member.baseName.dropFirst()):"
            } else {
                member.baseName
            }
        default: member.attributes.first { $0.name == "objc" }?.arguments ?? member.baseName
        }
    }
}
