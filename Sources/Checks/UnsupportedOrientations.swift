import Findings
import ProgramModel

extension Check {
    /// Controllers that want to be shown in no orientation that their app has.
    static let unsupportedOrientations = Check(rules: ["orientation_unsupported"]) { input, file in
        input.members(inFile: file).compactMap { member in
            guard member.facts.baseName == "supportedInterfaceOrientations", member.facts.parameters.isEmpty, !member.facts.isStatic, !member.facts.isPartial,
                  !input.program.files[file].isTest, input.program.isType(member.owner, kindOf: "UIViewController"),
                  let body = member.facts.kind == .property ? member.facts.accessors?.get : member.facts.body,
                  let wanted = OrientationMask(body)?.orientations, !wanted.isEmpty, let lists = input.listedOrientations(file),
                  lists.allSatisfy({ $0.isDisjoint(with: wanted) }), !input.decidesOtherwise(member.owner) else { return nil }
            let listed = lists.reduce(into: Set<String>()) { $0.formUnion($1) }.sorted().joined(separator: ", ")
            return input.finding(
                "orientation_unsupported",
                "this controller allows \(wanted.sorted().joined(separator: ", ")), and Info.plist lists only \(listed): with nothing in common UIKit raises an exception when it shows the controller; allow one of those, or list this one",
                at: member.facts.nameSpan, in: file, type: member.typeName, member: member.facts.fullName)
        }
    }
}

extension CheckInput {
    /// The orientations that each device of each target has; nil where they are not known.
    fileprivate func listedOrientations(_ file: Int) -> [Set<String>]? {
        guard let configurations = program.configurations(ofFile: file) else { return nil }
        var found: [Set<String>] = []
        for configuration in configurations {
            let sets = ["iphone", "ipad"].compactMap(configuration.orientations(of:)).joined().map { Set($0.map { $0.replacing("UIInterfaceOrientation", with: "") }) }
            guard !sets.isEmpty, !sets.contains(where: \.isEmpty) else { return nil }
            found += sets
        }
        return found.isEmpty ? nil : found
    }

    /// Whether the app delegate takes the place of the list, or the controller does not turn by itself: then nothing is raised.
    fileprivate func decidesOtherwise(_ type: TypeID) -> Bool {
        !program.functionsAllowingOrientations.isEmpty
            || family(of: type).contains { program[$0].membersByName["shouldAutorotate"]?.contains(where: mayRefuse) ?? false }
    }

    /// Whether an answer may be no: what always says yes is what the exception names.
    private func mayRefuse(_ id: MemberID) -> Bool {
        program[id].isPartial || !program[id].bodies.allSatisfy { $0.body.block.count == 1 && $0.body.block.last?.kind == .exit(.returns(.constant(.boolean(true)))) }
    }
}
