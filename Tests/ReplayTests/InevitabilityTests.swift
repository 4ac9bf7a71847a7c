import Analysis
import ProgramModel
import Replay
import SwiftFrontEnd
import Testing

@testable import Simulation

/// What is confirmed because every way leads to it, beside the runs of those ways.
@Suite struct InevitabilityTests {
    /// Whether what the exploration of class `A` found is inevitable, beside what concrete runs of the same events say.
    /// `isOfOwnCode` asks the class's own code alone, about the family of what was found.
    private func answers(_ text: String, isOfOwnCode: Bool) -> [(holds: Bool, isCertain: Bool, isSpared: Bool)] {
        let file = ProgramFile(path: "A.swift", facts: SwiftFrontEnd.facts(of: text), units: [0])
        let program = Analysis.link([file], units: [LinkUnit(name: "app")], library: AutomatonTests.library)
        let replay = Replay(program: program, library: AutomatonTests.library)
        guard let type = program.types.first(where: { $0.name == "A" }), let subject = replay.subject(of: type.id, outside: replay.outsideCallers(of: type.id)),
              let exploration = Simulation(replay).explored(type.id, goesOn: false).exploration else { return [] }
        return exploration.found.flatMap { found in
            found.runs.filter { !$0.contains(where: \.isLikelyOnly) }.prefix(2).flatMap { run -> [(Bool, Bool, Bool)] in
                var (study, checkpoints) = (ReplayStudy(), Checkpoints())
                let outcomes = subject.runs.explore(run, &study, &checkpoints).filter { $0.violation.rule == found.violation.rule && $0.violation.site == found.violation.site }
                let family = isOfOwnCode ? replay.library.family(named: found.violation.family) : nil
                var inevitability = Inevitability(
                    family.map { replay.subject(subject, about: $0) } ?? subject, isNarrow: isOfOwnCode, bounds: SimulationBounds(),
                    tellingBodies: replay.exceptionalAcquisitions(of: subject))
                return outcomes.map { (inevitability.answer(for: $0.violation, along: run) == .holds, $0.isCertain, $0.isSpared) }
            }
        }
    }

    @Test(arguments: [false, true]) func nothingIsInevitableThatARunIsSpared(isOfOwnCode: Bool) {
        var chance = RandomControllerTests.Chance(state: 20_261_123)
        var counts = (certain: 0, spared: 0)
        for _ in 0..<DifferentialTests.controllers {
            let text = DifferentialTests.controller(&chance)
            for answer in answers(text, isOfOwnCode: isOfOwnCode) {
                if answer.isSpared { counts.spared += 1 } else if answer.isCertain, answer.holds { counts.certain += 1 }
                #expect(!(answer.holds && answer.isSpared), "a run is spared what is called inevitable\n\(text)")
            }
        }
        #expect(counts.certain > 10 && counts.spared > 5, "\(counts)")
    }
}
