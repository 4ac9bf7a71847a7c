import Findings
import ProgramModel
import SourceText

extension Check {
    /// Layout, drawing and scrolling that reads files or renders pictures each time.
    static let heavyLayouts = Check(rules: ["heavy_layout_work"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        return input.members(inFile: file).flatMap { HeavyLayouts(input: input, file: file, member: $0)?.findings() ?? [] }
    }
}

/// The work of one method that runs for every frame.
private struct HeavyLayouts {
    private let input: CheckInput
    private let file: Int
    private let member: MemberOccurrence

    private static let callbacks: [String: [String]] = [
        "viewWillLayoutSubviews()": ["UIViewController"], "viewDidLayoutSubviews()": ["UIViewController"], "viewDidLayout()": ["NSViewController"], "viewWillLayout()": ["NSViewController"],
        "layoutSubviews()": ["UIView"], "layout()": ["NSView"], "draw(_:)": ["UIView", "NSView"], "drawRect(_:)": ["UIView", "NSView"],
    ]

    init?(input: CheckInput, file: Int, member: MemberOccurrence) {
        guard member.facts.kind == .function, !member.facts.isPartial else { return nil }
        let isScroll = member.facts.fullName == "scrollViewDidScroll(_:)" && !input.names.called.contains("scrollViewDidScroll(_:)")
        guard isScroll || Self.callbacks[member.facts.fullName]?.contains(where: { input.program.isType(member.owner, kindOf: $0) }) ?? false else { return nil }
        (self.input, self.file, self.member) = (input, file, member)
    }

    func findings() -> [Finding] {
        var found: [Finding] = []
        var seen: Set<SourceSpan> = []
        EventCode(input: input, type: member.owner, followsStatics: true).visit(member, file: file) { step in
            guard !step.isConditional, let call = step.statement.call, let work = work(call, step.context), seen.insert(step.entry).inserted else { return }
            let way = step.callers.first.map { ", by '\($0)'," } ?? ""
            let path = input.program.files[step.file].path
            let trace = step.callers.isEmpty ? [] : [TraceStep(event: member.facts.baseName, path: path, line: step.statement.span.start.line, note: "by '\(step.callers.joined(separator: "', '"))'")]
            found.append(Finding(
                rule: "heavy_layout_work", severity: input.library.rules["heavy_layout_work"]?.severity ?? .warning,
                message: "\(work)\(way) on every pass of '\(member.facts.baseName)', which may run for each frame of a scroll or rotation, so that frames are dropped; do it once, or when the size has changed",
                path: input.program.files[file].path, span: step.entry, type: member.typeName, member: member.facts.fullName, trace: trace))
        }
        return found
    }

    private static let readers: Set<String> = ["Data", "NSData", "String", "NSString", "UIImage", "NSImage", "NSDictionary", "NSArray"]
    private static let makers: Set<String> = [
        "DateFormatter", "NSDateFormatter", "NumberFormatter", "NSNumberFormatter", "ISO8601DateFormatter", "NSRegularExpression", "CIContext", "JSONDecoder", "AVPlayer", "WKWebView",
    ]

    /// What a call costs that nobody wants to pay for each frame.
    private func work(_ call: Call, _ context: BodyContext) -> String? {
        switch call.callee {
        case .initializer(let type):
            if Self.readers.contains(type.name), let label = call.arguments.first?.label, ["contentsOf", "contentsOfFile", "contentsOfURL"].contains(label) { return "a file is read with '\(type.name)(\(label):)'" }
            return Self.makers.contains(type.name) && isPlatform(type, context) ? "a '\(type.name)' is made" : nil
        case .member(let receiver, let name):
            if ["image", "jpegData", "pngData", "imageWithActions"].contains(name), let type = input.inference.type(of: receiver, in: context), type.reference.name == "UIGraphicsImageRenderer" {
                return "a picture is rendered with 'UIGraphicsImageRenderer'"
            }
            if case .type(let type) = receiver, type.name == "UIImage", name == "imageWithContentsOfFile" { return "a file is read with 'imageWithContentsOfFile:'" }
            return nil
        case .name("UIGraphicsBeginImageContext"), .name("UIGraphicsBeginImageContextWithOptions"): return "a picture is rendered in an image context"
        default: return nil
        }
    }

    private func isPlatform(_ type: TypeReference, _ context: BodyContext) -> Bool {
        if case .project = input.program.resolve(type, in: context.scope) { false } else { true }
    }
}
