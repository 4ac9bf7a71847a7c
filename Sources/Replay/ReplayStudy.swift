import Findings

/// What the runs of one class showed, for people who ask why there is, or is not, a finding.
public struct ReplayStudy: Sendable {
    /// A place that acquires something, as the runs saw it.
    public struct Watched: Hashable, Sendable {
        public let site: Site
        /// What is acquired, by the family's title.
        public let title: String
        /// The places that released it in some run.
        public fileprivate(set) var releases: [Site] = []
        /// In how many runs it was acquired.
        public fileprivate(set) var runs = 0
    }

    public internal(set) var findings: [Finding] = []
    /// The event names of each sequence that was tried, in order.
    public internal(set) var sequences: [[String]] = []
    /// How many runs there were, one for each choice of the undecided conditions in each sequence.
    public private(set) var runs = 0
    /// How many statements they ran.
    public private(set) var steps = 0
    /// How many of them did not come to their end.
    public private(set) var unfinished = 0
    /// What held the object at the end of runs in which it was not freed, in how many of them.
    public private(set) var holders: [(holder: String, runs: Int)] = []
    /// What runs could not do, in how many of them.
    public private(set) var shortcomings: [(shortcoming: Shortcoming, runs: Int)] = []
    /// The bodies that some run has entered.
    private(set) var covered: Set<BodyPlace> = []
    public private(set) var watched: [Watched] = []
    /// The ways that runs have gone at the questions of the code.
    var seenForks: Set<PendingChoices.Way> = []
    /// The violations that some sequence shows whatever is chosen.
    var certain: Set<Violation> = []
    /// Whether any code of the class acquires or releases something.
    public let isCandidate: Bool
    /// Whether its object lives as long as the app, so that nothing it keeps is a leak.
    public let livesAsLongAsTheApp: Bool

    package init(isCandidate: Bool = true, livesAsLongAsTheApp: Bool = false) {
        self.isCandidate = isCandidate
        self.livesAsLongAsTheApp = livesAsLongAsTheApp
    }

    mutating func note(_ world: World, isFinished: Bool, steps new: Int) {
        runs += 1
        steps += new
        if !isFinished { unfinished += 1 }
        covered.formUnion(world.entered)
        if let holder = world.heldAtTheEnd {
            if let index = holders.firstIndex(where: { $0.holder == holder }) { holders[index].runs += 1 } else { holders.append((holder, 1)) }
        }
        for shortcoming in world.shortcomings {
            if let index = shortcomings.firstIndex(where: { $0.shortcoming == shortcoming }) {
                shortcomings[index].runs += 1
            } else {
                shortcomings.append((shortcoming, 1))
            }
        }
        var seen: Set<Site> = []
        for registration in world.registrations {
            let index = watched.firstIndex { $0.site == registration.site && $0.title == registration.family } ?? watched.count
            if index == watched.count { watched.append(Watched(site: registration.site, title: registration.family)) }
            if seen.insert(registration.site).inserted { watched[index].runs += 1 }
            if let end = registration.ended, !watched[index].releases.contains(end.site) { watched[index].releases.append(end.site) }
        }
    }
}
