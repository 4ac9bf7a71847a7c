import ProgramModel
import RuleLibrary

/// Where an acquisition is told.
extension Machine {
    /// The site of an acquisition: of a helper that is told what to listen for, or with which closure, the call of it, for the helper does as it
    /// is told and its callers may each be wrong in their own way.
    func acquisitionSite(_ call: Call, _ family: ResourceFamily, _ operation: ResourceFamily.Operation, at site: Site, in frame: Int) -> Site {
        let helper = world.frames[frame]
        guard helper.parent == nil, helper.declaringType != nil, let caller = helper.caller, world.frames[caller].declaringType != nil, case .object = helper.selfValue,
              world.frames[caller].selfValue == helper.selfValue, let place = world.frames[caller].at else { return site }
        let told = operation.key.prefix(family.tokenEnd == .none || family.holdsClosure ? 1 : 0).compactMap { $0 < call.arguments.count ? call.arguments[$0].value : nil }
            + (family.holdsClosure ? call.arguments.map(\.value).filter { isClosure($0, in: frame) } : [])
        return told.contains { isParameter($0, of: helper) } ? place : site
    }

    private func isClosure(_ operand: Operand, in frame: Int) -> Bool {
        guard case .register(let register) = operand, let value = world.frames[frame].registers[register] else { return false }
        return holdsClosures(value)
    }

    private func isParameter(_ operand: Operand, of frame: Frame) -> Bool {
        guard case .register(let register) = operand, case .read(_, .local(let local))? = frame.context.definition(of: register)?.kind else { return false }
        return frame.context.body.parameters.contains(local)
    }
}
