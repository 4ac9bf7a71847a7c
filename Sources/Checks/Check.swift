import SourceText
import Findings
import ProgramModel
import RuleLibrary

/// A static rule family: a function from the linked program to the findings in one of its files.
public struct Check: Sendable {
    /// The rules that the check reports.
    public let rules: [String]
    let run: @Sendable (CheckInput, Int) -> [Finding]

    /// What the checks find in one file, given by its index; its members and bodies are looked up once for all of them.
    public static func findings(of checks: [Check], in file: Int, of input: CheckInput) -> [Finding] {
        let reading = input.reading(file)
        return checks.flatMap { $0.run(reading, file) }
    }

    /// Every static check.
    public static let all: [Check] = [
        superCalls,
        directLifecycleCalls,
        lifecycleSignatures,
        containedQueries,
        strongDelegates,
        selfCircles,
        backReferences,
        listenerLists,
        givenCircles,
        localCircles,
        reactiveCircles,
        signalCircles,
        formCircles,
        otherCenters,
        observerCalls,
        repeatedAwakes,
        dequeuedAdditions,
        rowActions,
        resubscribedViews,
        repeatedSubscriptions,
        mistakenRemovals,
        forgottenKeyPaths,
        selfInInitialValues,
        outletsBeforeLoad,
        unclearedDelegates,
        pointingDelegates,
        unresolvedSelectors,
        unhandledGestureEnds,
        offMainUses,
        publishedChanges,
        containmentCalls,
        backgroundWork,
        keptAnimations,
        endlessTasks,
        unbalancedPairs,
        accumulatedGestureDeltas,
        idleRecognizers,
        lostWeakObjects,
        lostConstraints,
        openDelegateProtocols,
        presentedAlerts,
        assumedSplitIndexes,
        unscheduledTimers,
        forsakenTimers,
        disposedSubscriptions,
        forsakenTokens,
        misnamedTokenRemovals,
        unkeptTimers,
        forsakenObservations,
        rearmedTimers,
        keyValueObservations,
        unsentControlEvents,
        zoomSettings,
        earlyPresentations,
        viewsLoadedEarly,
        oldGeometryReads,
        layoutFeedbacks,
        earlyContexts,
        mainThreadWaits,
        unseenCallbacks,
        memoryWarningLosses,
        lateTabItems,
        clobberedTexts,
        heavyLayouts,
        staleDrawings,
        staleTextDrawings,
        unheardNotifications,
        lateSaves,
        endlessAnimations,
        looseNotifications,
        unseenFirstValues,
        missedUpdates,
        lastingPauses,
        unconnectedOutlets,
        assumedDestinations,
        unreachableAppEvents,
        unsupportedOrientations,
        skippedInitializers,
        unsizedScrollViews,
        exitlessModals,
        lateSetups,
        earlyWork,
        unlinkedDelegates,
        duplicateActions,
        fixedFonts,
        missingCapabilities,
        unheardDismissals,
        unregisteredKeyPaths,
        observedChanges,
        unparsableSource,
    ]
}

extension Check {
    /// The rules whose checks ask for runs of what they suspect.
    public static let reproducing: Set<String> = ["strong_delegate"]
}

/// What every check looks at.
public struct CheckInput: Sendable {
    public let program: Program
    public let library: RuleLibrary
    let targets: UnitTargets
    let lifetimes: OwnerLifetimes
    let inference: TypeInference
    let lifecycleNames: LifecycleNames
    let names: UsedNames
    let writes: NamedWrites
    let notifications: NotificationTraffic
    let keyPaths: KeyPathTraffic
    let delegateGifts: DelegateGifts
    let delegateWrites: DelegateWrites
    let earlyUses: EarlyOutletUses
    private(set) var pairEnds = PairEnds()
    let interfaceLinks: InterfaceLinks
    let models: ObservedModels
    private(set) var offMainUses = OffMainUses()
    /// What runs show of a circle; nil where they do not show it.
    let reproduction: @Sendable (DelegateCircle) -> Finding?
    /// The file that the checks look at, with its members and bodies.
    private var read: FileReading?

    /// Puts the program and the rule data together; `reproduction` runs what a check suspects.
    public init(
        program: Program, library: RuleLibrary, targets: UnitTargets = UnitTargets(), lifetimes: OwnerLifetimes, reproduction: @escaping @Sendable (DelegateCircle) -> Finding? = { _ in nil }
    ) {
        self.reproduction = reproduction
        self.program = program
        self.library = library
        self.targets = targets
        self.lifetimes = lifetimes
        inference = TypeInference(program)
        lifecycleNames = LifecycleNames(library)
        names = UsedNames(program)
        writes = NamedWrites(program)
        notifications = NotificationTraffic(program)
        keyPaths = KeyPathTraffic(program, inference: inference)
        delegateGifts = DelegateGifts(program, inference: inference)
        delegateWrites = DelegateWrites(program, library)
        earlyUses = EarlyOutletUses(program)
        interfaceLinks = InterfaceLinks(program, inference: inference)
        models = ObservedModels(program)
        pairEnds = PairEnds(self)
        offMainUses = OffMainUses(self)
    }

    /// The same input for those who look at one file: its members and bodies are at hand.
    func reading(_ file: Int) -> CheckInput {
        var reading = self
        reading.read = FileReading(file: file, members: members(inFile: file), bodies: bodies(inFile: file))
        return reading
    }

    /// The oldest systems that a file is compiled for.
    func targets(ofFile file: Int) -> DeploymentTargets { targets.targets(ofUnits: program.files[file].units) }

    /// A finding of a static rule, with the severity that the rule's data gives it.
    func finding(_ rule: String, _ message: String, at span: SourceSpan, in file: Int, type: String, member: String, trace: [TraceStep] = []) -> Finding {
        Finding(rule: rule, severity: library.rules[rule]?.severity ?? .warning, message: message, path: program.files[file].path, span: span,
                type: type, member: member, trace: trace)
    }
}

extension CheckInput {
    /// The members of a file, as `Program.occurrences(inFile:)` tells them.
    func members(inFile file: Int) -> [MemberOccurrence] {
        if let read, read.file == file { return read.members }
        return program.occurrences(inFile: file)
    }

    /// The bodies of a file's members, each with what its registers and locals stand for; none in a file of tests.
    func bodies(inFile file: Int) -> [BodyOccurrence] {
        guard !program.files[file].isTest else { return [] }
        if let read, read.file == file { return read.bodies }
        return members(inFile: file).flatMap { member in
            member.facts.bodies.map { _, body in BodyOccurrence(member: member, body: body, context: member.context(of: body)) }
        }
    }

    /// Whether the type drives controllers as only tests and previews may.
    func isTestOrPreview(_ type: TypeID) -> Bool {
        program.isType(type, kindOf: "XCTestCase") || program[type].isPreview
    }

    /// Whether a rule about Cocoa's classes may speak of the type: tests are only judged as tests.
    func isJudged(_ type: TypeID, chain: [String]) -> Bool {
        !program.files[program[type].file].isTest || chain.contains("XCTestCase")
    }
}
