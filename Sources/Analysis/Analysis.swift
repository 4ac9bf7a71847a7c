import Checks
import Findings
import ProgramModel
import Replay
import RuleLibrary
import Simulation
import SourceText

/// What of the rules runs.
public struct RuleSelection: Sendable {
    /// The only rules to run; nil for those that are on by default.
    public let only: Set<String>?
    /// Rules that do not run.
    public let disabled: Set<String>
    /// The files to report on, by their paths in the report; nil for all.
    public let paths: Set<String>?

    /// Makes a selection.
    public init(only: Set<String>? = nil, disabled: Set<String> = [], paths: Set<String>? = nil) {
        self.only = only
        self.disabled = disabled
        self.paths = paths
    }

    /// Whether the rule runs.
    public func includes(_ rule: RuleDescription) -> Bool {
        !disabled.contains(rule.id) && (only.map { $0.contains(rule.id) } ?? rule.isEnabled)
    }
}

/// What decides the simulated rules.
public enum Engine: String, Sendable, CaseIterable {
    /// The fixed point over all states, with concrete runs that confirm.
    case fixpoint
    /// Sequences of events up to a bound: the oracle of tests.
    case enumerate
}

/// Does independent pieces of work, on as many threads as it likes.
public protocol WorkPool: Sendable {
    /// The results of the work for 0 up to `count`, in that order.
    func map<Result: Sendable>(_ count: Int, _ work: @escaping @Sendable (Int) -> Result) -> [Result]
}

/// The way from linked sources to a report.
public enum Analysis {
    /// What the rule data knows of the SDK.
    public static func platform(of library: RuleLibrary) -> PlatformKnowledge { PlatformKnowledge(library) }

    /// Links the files with what the rule data knows of the SDK.
    public static func link(_ files: [ProgramFile], units: [LinkUnit], library: RuleLibrary, resources: ProjectResources = ProjectResources()) -> Program {
        Linker.link(files, units: units, platform: PlatformKnowledge(library), resources: resources)
    }

    /// Runs the selected rules over the program; files of others are linked, not judged.
    public static func report(
        on program: Program, library: RuleLibrary, selection: RuleSelection, targets: UnitTargets = UnitTargets(), problems: [Problem], pool: some WorkPool,
        engine: Engine = .fixpoint, showsRefuted: Bool = false
    ) -> Report {
        let active = Set(library.rules.values.filter(selection.includes).map(\.id))
        let checks = Check.all.filter { !active.isDisjoint(with: $0.rules) }
        // Some of what a rule reports may be read and some of it run: what becomes of a resource is always run.
        let simulated = Set(library.rules.values.filter { $0.decidedBy == .simulation }.map(\.id) + library.families.flatMap(\.rules.values)).intersection(active)
        let lifetimes = OwnerLifetimes(program)
        let replay = simulated.isEmpty && active.isDisjoint(with: Check.reproducing) ? nil : Replay(program: program, library: library, lifetimes: lifetimes, parts: pool.map(program.files.count) { file in
            Replay.relevance(ofFile: file, in: program, library: library)
        }, targets: targets)
        let input = CheckInput(program: program, library: library, targets: targets, lifetimes: lifetimes) { replay?.reproduction(of: $0) }
        let own = program.files.indices.filter { !program.files[$0].isThirdParty }
        let judged = Set(own.filter { selection.paths?.contains(program.files[$0].path) ?? true })
        let foreign = Set(program.files.filter(\.isThirdParty).map(\.path))
        // What is wrong in a file may show only where the classes of another run: all of them run, whatever is reported on.
        let files = pool.map(own.count) { index -> (findings: [Finding], simulated: SimulatedFile) in
            let file = own[index]
            let simulated = simulated.isEmpty ? SimulatedFile() : replay.map { simulate(typesToRun(in: file, of: program), $0, engine) } ?? SimulatedFile()
            let ran = simulated.findings + (showsRefuted ? simulated.refuted(in: program, library) : [])
            let oldest = targets.targets(ofUnits: program.files[file].units).without(systemsWithout(file, of: program))
            let read = judged.contains(file) ? Check.findings(of: checks, in: file, of: input) : []
            // What a class inherits from a library is the library's to mend.
            let found = (read + ran.filter { !foreign.contains($0.path) }).filter { active.contains($0.rule) }
            return (found.map { weighed($0, on: oldest, library) }, simulated)
        }
        let shown = applySuppressions(to: files.flatMap(\.findings), in: judged.sorted(), of: program, library, active)
        let found = ObjectiveCSpelling.apply(to: withoutRepetitions(withoutConsequences(shown, library), library), in: program)
        return Report(
            findings: lowered(found, in: program, library, lifetimes), problems: problems, fileCount: judged.count,
            typeCount: program.types.count { !program.files[$0.file].isThirdParty },
            sites: sites(of: files.flatMap(\.simulated.verdicts)), statesOfClasses: files.flatMap(\.simulated.states))
    }

    /// The systems on which a file cannot run, whatever its unit is built for: a pod of several systems has files of one as well.
    private static func systemsWithout(_ file: Int, of program: Program) -> Set<AppleSystem> {
        let classes = program.files[file].facts.types.indices.flatMap { program.owners(of: DeclarationID(file: file, index: $0)) }.compactMap { program.platformClass(of: $0) }
        let isOfUIKit = classes.contains { program.platform.isClass($0, kindOf: "UIResponder") }
        let isOfAppKit = classes.contains { program.platform.isClass($0, kindOf: "NSResponder") }
        guard isOfUIKit != isOfAppKit else { return [] }
        return isOfUIKit ? [.macOS] : [.iOS, .tvOS, .watchOS, .visionOS]
    }

    /// The finding with the weight that it has on the oldest systems that its code runs on.
    private static func weighed(_ finding: Finding, on targets: DeploymentTargets, _ library: RuleLibrary) -> Finding {
        guard finding.status != .refuted else { return finding }
        for impact in library.rules[finding.rule]?.impacts ?? [] where impact.severity.outweighs(finding.severity) {
            guard let (system, target, change) = targets.system(before: impact.before) else { continue }
            var heavier = finding
            heavier.severity = impact.severity
            heavier.message += "; before \(system.rawValue) \(change) \(impact.harm), and the deployment target is \(target)"
            return heavier
        }
        return finding
    }

    /// The findings, with those as notes that are about code which nothing compiles, about runs of a class that nothing names, so that they
    /// do not happen as it stands, or about an object that is kept too long where it stays as long as the app anyway.
    private static func lowered(_ findings: [Finding], in program: Program, _ library: RuleLibrary, _ lifetimes: OwnerLifetimes) -> [Finding] {
        let unnamed = UnnamedClasses(program)
        let files = Dictionary(program.files.indices.map { (program.files[$0].path, $0) }, uniquingKeysWith: { first, _ in first })
        // Who writes what happens at the end of an object counts on its end.
        func hasEnd(_ type: TypeID) -> Bool { program.chain(of: type).contains { program.members(of: $0).contains { program[$0].kind == .deinitializer } } }
        func reason(_ finding: Finding) -> String? {
            guard let file = files[finding.path] else { return nil }
            if program.files[file].isLeftOut { return "no target of the project compiles this file, so its code does not run" }
            guard let index = program.files[file].facts.types.firstIndex(where: { $0.name == finding.type }),
                  let type = program.owners(of: DeclarationID(file: file, index: index)).first else { return nil }
            // What a class is bound to by contract it is bound to before somebody uses it.
            if finding.status != .static, unnamed.contains(type) { return "nothing in the app names '\(finding.type)', so this code does not run as it stands" }
            guard !finding.isStray, let harm = library.rules[finding.rule]?.harm, lifetimes.areNeverFreed(type), harm == .keeps || !hasEnd(type) else { return nil }
            return "the one '\(finding.type)' is kept as long as the app runs anyway, so nothing is lost"
        }
        return findings.map { finding in
            guard finding.severity != .note, let reason = reason(finding) else { return finding }
            var lighter = finding
            lighter.severity = .note
            lighter.message += "; \(reason)"
            return lighter
        }
    }

    /// What the simulation of the classes of one file showed.
    private struct SimulatedFile: Sendable {
        var findings: [Finding] = []
        var verdicts: [Simulation.Verdict] = []
        var states: [Int] = []

        /// The places where nothing is wrong, for each rule that could be broken there.
        func refuted(in program: Program, _ library: RuleLibrary) -> [Finding] {
            verdicts.filter { $0.status == .refuted }.flatMap { verdict -> [Finding] in
                guard let family = library.family(named: verdict.family) else { return [] }
                return Set(family.rules.values).sorted().map { rule in
                    Finding(
                        rule: rule, severity: .note, status: .refuted, message: "no run of the object goes wrong with this \(family.title)",
                        path: program.files[verdict.site.file].path, span: verdict.site.span,
                        type: verdict.site.type.map { program[$0].name } ?? "", member: verdict.site.member)
                }
            }
        }
    }

    private static func simulate(_ types: [TypeID], _ replay: Replay, _ engine: Engine) -> SimulatedFile {
        guard engine == .fixpoint else { return SimulatedFile(findings: types.flatMap(replay.findings)) }
        var file = SimulatedFile()
        for type in types {
            let study = Simulation(replay).study(of: type)
            file.findings += study.findings
            file.verdicts += study.verdicts
            if study.states > 0 { file.states.append(study.states) }
        }
        return file
    }

    /// One place of one file may be run in several classes: what goes wrong in any counts; else the runs of the classes that acquire
    /// it themselves say whether it is fine, and of those the worst counts.
    private static func sites(of all: [Simulation.Verdict]) -> [String: SimulatedSites] {
        struct Place: Hashable {
            let site: Site
            let family: String
        }
        let order: [Status] = [.confirmed, .likely, .unconfirmed, .refuted]
        let owned = Set(all.filter(\.isOwn).map { Place(site: $0.site, family: $0.family) })
        var verdicts: [Place: Simulation.Verdict] = [:]
        for verdict in all {
            let place = Place(site: verdict.site, family: verdict.family)
            guard verdict.isOwn || !owned.contains(place) || verdict.status == .confirmed || verdict.status == .likely else { continue }
            let known = verdicts[place].flatMap { order.firstIndex(of: $0.status) } ?? order.count
            if (order.firstIndex(of: verdict.status) ?? order.count) < known { verdicts[place] = verdict }
        }
        var sites: [String: SimulatedSites] = [:]
        for verdict in verdicts.values { sites[verdict.family, default: SimulatedSites()].add(verdict.status, reason: verdict.reason) }
        return sites
    }

    /// The states that an object of each class of this name can reach.
    public static func stateGraphs(ofTypesNamed name: String, in program: Program, library: RuleLibrary, targets: UnitTargets = UnitTargets()) -> [StateGraph] {
        let simulation = Simulation(Replay(program: program, library: library, targets: targets))
        let types = program.types.filter { program.hasLife($0.id) && ($0.name == name || $0.name.hasSuffix(".\(name)")) && !program.files[$0.file].isTest }
        return types.map { simulation.graph(of: $0.id) }
    }

    /// What the runs of the classes of a file showed, with the names of the classes.
    public static func studies(ofFile path: String, in program: Program, library: RuleLibrary, targets: UnitTargets = UnitTargets()) -> [(type: String, study: ReplayStudy)] {
        guard let file = program.files.firstIndex(where: { $0.path == path }) else { return [] }
        let replay = Replay(program: program, library: library, targets: targets)
        return typesToRun(in: file, of: program).map { (program[$0].name, replay.study(of: $0)) }
    }

    /// The classes that a file declares, or implements where a header declares them; tests are not run.
    private static func typesToRun(in file: Int, of program: Program) -> [TypeID] {
        guard !program.files[file].isTest else { return [] }
        return program.files[file].facts.types.indices.compactMap { index in
            let declaration = DeclarationID(file: file, index: index)
            guard let type = program.owners(of: declaration).first, program.hasLife(type), home(of: type, in: program) == declaration else { return nil }
            return type
        } + program.extendedTypes.filter { $0.file == file }.map(\.id)
    }

    /// The declaration that stands for a class: in Objective-C the one that has its code.
    private static func home(of type: TypeID, in program: Program) -> DeclarationID {
        let declarations = program[type].declarations
        guard program.files[declarations[0].file].facts.language == .objectiveC else { return declarations[0] }
        return declarations.first { program[$0].members.contains { !$0.bodies.isEmpty } } ?? declarations[0]
    }

    /// What goes wrong in a run because of a place that another finding reports is one defect with that: the cause stands.
    private static func withoutConsequences(_ findings: [Finding], _ library: RuleLibrary) -> [Finding] {
        struct Line: Hashable {
            let path: String
            let line: Int
        }
        struct Place: Hashable {
            let line: Line
            let rule: String
        }
        var explained: [Line: Set<String>] = [:]
        for cause in findings where cause.severity != .note {
            if let rules = library.rules[cause.rule]?.explains, !rules.isEmpty { explained[Line(path: cause.path, line: cause.span.start.line), default: []].formUnion(rules) }
        }
        // The mistake behind what runs show: it names the places that it is about.
        var told: [Line: Set<String>] = [:]
        for cause in findings where cause.status == .static && !cause.trace.isEmpty {
            let rules = library.families.filter { $0.rules.values.contains(cause.rule) }.flatMap(\.rules.values)
            for step in cause.trace { told[Line(path: step.path, line: step.line), default: []].formUnion(rules) }
        }
        let loud = Set(findings.filter { $0.severity != .note && $0.status != .static }.map { Place(line: Line(path: $0.path, line: $0.span.start.line), rule: $0.rule) })
        return findings.filter { finding in
            if finding.severity == .note, let rules = library.rules[finding.rule]?.explains, !rules.isEmpty {
                // Where it does harm, the harm is the finding.
                return !rules.contains { loud.contains(Place(line: Line(path: finding.path, line: finding.span.start.line), rule: $0)) }
            }
            if finding.status == .static || finding.status == .refuted { return true }
            if told[Line(path: finding.path, line: finding.span.start.line)]?.contains(finding.rule) ?? false { return false }
            return !finding.trace.contains { explained[Line(path: $0.path, line: $0.line)]?.contains(finding.rule) ?? false }
        }
    }

    /// A defect in a base class shows in the runs of every subclass: the surest finding of a place stands for all, and of rules
    /// that describe one defect from several sides the first by the data's precedence.  What runs show with the same words at two places
    /// of one line, as of a width and a height, is one defect.
    private static func withoutRepetitions(_ findings: [Finding], _ library: RuleLibrary) -> [Finding] {
        struct Place: Hashable {
            let path: String
            let span: SourceSpan
        }
        struct Words: Hashable {
            let rule: String
            let path: String
            let line: Int
            let message: String
        }
        func words(_ finding: Finding) -> Words? {
            guard [.confirmed, .likely].contains(finding.status) else { return nil }
            return Words(rule: finding.rule, path: finding.path, line: finding.span.start.line, message: finding.message)
        }
        func isOneDefect(_ left: Finding, _ right: Finding) -> Bool {
            // Each rule is refuted by itself.
            left.rule == right.rule
                || ([left.status, right.status].allSatisfy { $0 != .static && $0 != .refuted } && family(of: left.rule, right.rule) != nil)
        }
        func family(of first: String, _ second: String) -> ResourceFamily? {
            library.families.first { Set($0.rules.values).isSuperset(of: [first, second]) }
        }
        func rank(_ finding: Finding, beside other: Finding) -> Int {
            guard let family = family(of: finding.rule, other.rule) else { return 0 }
            return family.precedence.firstIndex { family.rules[$0] == finding.rule } ?? 0
        }
        var kept: [Place: [Int]] = [:]
        var said: [Words: Int] = [:]
        var result: [Finding] = []
        for finding in findings {
            let place = Place(path: finding.path, span: finding.span)
            guard let index = kept[place, default: []].first(where: { isOneDefect(result[$0], finding) }) ?? words(finding).flatMap({ said[$0] }) else {
                kept[place, default: []].append(result.count)
                if let words = words(finding) { said[words] = result.count }
                result.append(finding)
                continue
            }
            let known = result[index]
            let own = rank(finding, beside: known), other = rank(known, beside: finding)
            // What a run shows says more than what the text alone tells.
            let showsMore = known.status == .static && finding.status == .likely && !known.severity.outweighs(finding.severity)
            let isSurer = known.status != .confirmed && finding.status == .confirmed || known.status == .refuted && finding.status != .refuted || showsMore
            if own < other || (own == other && isSurer) { result[index] = finding }
        }
        return result
    }

    /// The lines on which members and types begin, with the lines of their names.
    private static func namedLines(_ facts: FileFacts) -> [Int: Int] {
        let members = (facts.types.flatMap(\.members) + facts.members).map { ($0.span, $0.nameSpan) } + facts.types.map { ($0.span, $0.nameSpan) }
        return Dictionary(members.map { ($0.0.start.line, $0.1.start.line) }) { first, second in max(first, second) }
    }

    /// The findings that no comment hides, each by the comments of the file that it stands in, and the comments that hide nothing.
    private static func applySuppressions(to findings: [Finding], in files: [Int], of program: Program, _ library: RuleLibrary, _ active: Set<String>) -> [Finding] {
        let places = Dictionary(grouping: findings.indices) { findings[$0].path }
        let others = Set(program.files.map(\.path)).subtracting(files.map { program.files[$0].path })
        var hidden = Set(others.flatMap { places[$0] ?? [] })
        var superfluous: [Finding] = []
        for file in files.map({ program.files[$0] }) where !file.facts.steering.isEmpty {
            let here = places[file.path] ?? []
            let (kept, idle) = Suppressions(file.facts.steering, declarations: namedLines(file.facts)).apply(to: here.map { findings[$0] })
            hidden.formUnion(Set(here).subtracting(kept.map { here[$0] }))
            superfluous += self.superfluous(idle, in: file, library, active)
        }
        return findings.indices.filter { !hidden.contains($0) }.map { findings[$0] } + superfluous
    }

    /// What is said of comments that hide nothing.
    private static func superfluous(_ idle: [SteeringComment], in file: ProgramFile, _ library: RuleLibrary, _ active: Set<String>) -> [Finding] {
        let rule = "superfluous_suppression"
        guard active.contains(rule), let severity = library.rules[rule]?.severity else { return [] }
        // A comment for a rule that does not run now may well hide something when it does.
        let useless = idle.filter { $0.rules.allSatisfy { $0 == "all" || active.contains($0) || library.rules[$0] == nil } }
        return useless.map { comment in
            let unknown = comment.rules.filter { $0 != "all" && library.rules[$0] == nil }
            let message = unknown.isEmpty
                ? "this comment hides nothing; remove it"
                : "this comment names no rule of lifelint: '\(unknown.joined(separator: "', '"))'"
            return Finding(rule: rule, severity: severity, message: message, path: file.path, span: comment.span, type: "", member: "")
        }
    }
}
