import ProgramModel
import RuleLibrary

extension Replay {
    /// Whether everyone who calls a method of a cell calls another one of it before, which leads to what takes something away.
    func isPrepared(_ type: TypeID, for method: String, _ geometry: GeometryKnowledge) -> Bool {
        let members = program.chain(of: type).flatMap { program.members(of: $0) }.map { program[$0] }
        let takers = Set(members.filter { $0.bodies.contains { !$0.body.block.calledNames.isDisjoint(with: geometry.takesAway) } }.map(\.baseName))
        guard !takers.isEmpty else { return false }
        let calls = Dictionary(members.flatMap { member in member.bodies.map { (member.baseName, $0.body.block.namesCalledOnSelf) } }, uniquingKeysWith: { $0.union($1) })
        let emptying = calls.namesLeading(to: takers).subtracting([ResourceNames.baseName(method)])
        var (isCalled, isAlwaysEmptied) = (false, true)
        for member in program.files.lazy.filter({ !$0.isTest }).flatMap(\.facts.types).flatMap(\.members) {
            for (_, body) in member.bodies {
                var isEmptied = false
                body.block.forEachStatement { statement in
                    guard let call = statement.call, case .member(let cell, let name) = call.callee, cell != .selfObject else { return }
                    if emptying.contains(name) { isEmptied = true }
                    guard call.fullName == method else { return }
                    isCalled = true
                    if !isEmptied { isAlwaysEmptied = false }
                }
            }
        }
        return isCalled && isAlwaysEmptied
    }
}
