import SourceText
import Findings
import ProgramModel
import RuleLibrary

/// A static rule family: a function from the linked program to the findings in one of its files.
public struct Check: Sendable {
    /// The rules that the check reports.
    public let rules: [String]
    let run: @Sendable (CheckInput, Int) -> [Finding]

    /// The findings of the check in one file, given by its index.
    public func findings(in file: Int, of input: CheckInput) -> [Finding] {
        run(input, file)
    }

    /// Every static check.
    public static let all: [Check] = [
        superCalls,
        directLifecycleCalls,
        lifecycleSignatures,
        containedQueries,
        strongDelegates,
        givenCircles,
        observerCalls,
        mistakenRemovals,
        forgottenKeyPaths,
        selfInInitialValues,
        outletsBeforeLoad,
        unclearedDelegates,
        unresolvedSelectors,
        unhandledGestureEnds,
        offMainUses,
        containmentCalls,
        backgroundWork,
        endlessTasks,
        unbalancedPairs,
        accumulatedGestureDeltas,
        idleRecognizers,
        lostWeakObjects,
        openDelegateProtocols,
        presentedAlerts,
        assumedSplitIndexes,
        unscheduledTimers,
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
        unparsableSource,
    ]
}

/// What every check looks at.
public struct CheckInput: Sendable {
    public let program: Program
    public let library: RuleLibrary
    let targets: UnitTargets
    let inference: TypeInference
    let lifecycleNames: LifecycleNames
    let names: UsedNames
    let writes: NamedWrites
    let notifications: NotificationTraffic
    let keyPaths: KeyPathTraffic
    let delegateGifts: DelegateGifts
    let delegateWrites: DelegateWrites
    let earlyUses: EarlyOutletUses
    let pairEnds: PairEnds
    let interfaceLinks: InterfaceLinks
    private(set) var offMainUses = OffMainUses()

    /// Puts the program and the rule data together.
    public init(program: Program, library: RuleLibrary, targets: UnitTargets = UnitTargets()) {
        self.program = program
        self.library = library
        self.targets = targets
        inference = TypeInference(program)
        lifecycleNames = LifecycleNames(library)
        names = UsedNames(program)
        writes = NamedWrites(program)
        notifications = NotificationTraffic(program)
        keyPaths = KeyPathTraffic(program, inference: inference)
        delegateGifts = DelegateGifts(program, inference: inference)
        delegateWrites = DelegateWrites(program, library)
        earlyUses = EarlyOutletUses(program)
        pairEnds = PairEnds(program, library)
        interfaceLinks = InterfaceLinks(program)
        offMainUses = OffMainUses(self)
    }

    /// The oldest systems that a file is compiled for.
    func targets(ofFile file: Int) -> DeploymentTargets { targets.targets(ofUnits: program.files[file].units) }

    /// A finding of a static rule, with the severity that the rule's data gives it.
    func finding(_ rule: String, _ message: String, at span: SourceSpan, in file: Int, type: String, member: String) -> Finding {
        Finding(rule: rule, severity: library.rules[rule]?.severity ?? .warning, message: message, path: program.files[file].path, span: span,
                type: type, member: member)
    }
}

/// A member of a file together with the type that it belongs to there.
struct MemberOccurrence {
    let id: MemberID
    let facts: MemberFacts
    let owner: TypeID
    let typeName: String
}

/// One body of a member.
struct BodyOccurrence {
    let member: MemberOccurrence
    let body: Body
    let context: BodyContext
}

extension CheckInput {
    /// The members of a file that belong to a linked type, in order of the text; of an extension with several owners the first, of one of an SDK class that class.
    func members(inFile file: Int) -> [MemberOccurrence] {
        program.files[file].facts.types.indices.flatMap { index -> [MemberOccurrence] in
            let declaration = DeclarationID(file: file, index: index)
            guard let owner = program.ownerOrExtended(of: declaration) else { return [] }
            return program[declaration].members.indices.map { position in
                let id = MemberID(declaration: declaration, index: position)
                return MemberOccurrence(id: id, facts: program[id], owner: owner, typeName: program[owner].name)
            }
        }
    }

    /// The bodies of a file's members, each with what its registers and locals stand for; none in a file of tests.
    func bodies(inFile file: Int) -> [BodyOccurrence] {
        guard !program.files[file].isTest else { return [] }
        return members(inFile: file).flatMap { member in
            member.facts.bodies.map { _, body in
                let scope = Scope(file: file, typeName: member.typeName)
                return BodyOccurrence(member: member, body: body, context: BodyContext(body: body, selfType: member.owner, scope: scope, isStatic: member.facts.isStatic))
            }
        }
    }

    /// Whether the type drives controllers as only tests and previews may.
    func isTestOrPreview(_ type: TypeID) -> Bool {
        program.isType(type, kindOf: "XCTestCase") || program[type].conformances.contains { $0.name == "PreviewProvider" }
    }

    /// Whether a rule about Cocoa's classes may speak of the type: tests are only judged as tests.
    func isJudged(_ type: TypeID, chain: [String]) -> Bool {
        !program.files[program[type].file].isTest || chain.contains("XCTestCase")
    }
}
