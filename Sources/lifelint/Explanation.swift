import Analysis
import Findings
import Foundation
import ProgramModel
import ProjectFiles
import Replay
import Reporters
import RuleLibrary

/// What `explain` says of one line: the finding with its run, or what was tried there and why it is fine.
enum Explanation {
    static func text(path: String, line: Int, program: Program, library: RuleLibrary, targets: UnitTargets, report: Report) -> String {
        let all = report.findings.filter { $0.finding.span.start.line <= line && line <= max($0.finding.span.end.line, $0.finding.span.start.line) }
        let here = all.filter { $0.finding.status != .refuted }
        if !here.isEmpty {
            let shown = Report(findings: here.map(\.finding), problems: [], fileCount: 1, typeCount: 0)
            return Reporter.text.render(shown, toolVersion: toolVersion, style: TextStyle(isColoured: false, isQuiet: true))
        }
        let file = program.files.firstIndex { $0.path == path } ?? 0
        let studies = Analysis.studies(ofFile: path, in: program, library: library, targets: targets)
        // Every state that the object can reach was looked at, so that there is nothing that nobody has tried.
        let refuted = all.map(\.finding.rule)
        var text = refuted.isEmpty ? "" : "\(path):\(line): refuted: no state that the object can reach breaks \(refuted.joined(separator: ", "))\n"
        var otherLines: Set<Int> = []
        for (type, study) in studies {
            for watched in study.watched where watched.site.file == file {
                let span = watched.site.span
                guard span.start.line <= line, line <= span.end.line else {
                    otherLines.insert(span.start.line)
                    continue
                }
                text += "\(path):\(span.start.line): \(title(of: watched.title, library)) acquired in '\(type).\(watched.site.member)'\n"
                text += "    tried: \(study.sequences.count) sequences of events, \(study.runs) runs; it was acquired in \(watched.runs) of them, and no run ends badly\n"
                for release in watched.releases {
                    text += "    released in '\(release.member)'  \(program.files[release.file].path):\(release.span.start.line)\n"
                }
                if watched.releases.isEmpty { text += "    no run releases it; nothing needs it to, or somebody outside may\n" }
                for (holder, runs) in study.holders.prefix(3) { text += "    in \(runs) runs the object is not freed: it is held by \(holder)\n" }
                text += unfinished(study, program)
            }
            if study.livesAsLongAsTheApp { text += "    '\(type)' lives as long as the app: what it keeps is no leak\n" }
        }
        if text.isEmpty {
            text = "\(path):\(line): nothing here is watched\n"
            if !otherLines.isEmpty { text += "    watched lines of this file: \(otherLines.sorted().map(String.init).joined(separator: ", "))\n" }
            for (type, study) in studies where study.isCandidate {
                text += "    '\(type)': \(study.sequences.count) sequences of events, \(study.runs) runs, \(study.steps) statements\n" + unfinished(study, program)
            }
        }
        return text
    }

    private static func title(of family: String, _ library: RuleLibrary) -> String {
        library.family(named: family)?.titleWithArticle ?? family
    }

    private static func unfinished(_ study: ReplayStudy, _ program: Program) -> String {
        var text = study.unfinished == 0 ? "" : "    \(study.unfinished) of the runs did not come to their end\n"
        for (shortcoming, runs) in study.shortcomings {
            text += "    in \(runs) runs \(shortcoming.reason.rawValue) in '\(shortcoming.site.member)'  "
                + "\(program.files[shortcoming.site.file].path):\(shortcoming.site.span.start.line)\n"
        }
        return text
    }
}
