import ProgramModel

extension Program {
    /// Whether a method hides or disables controls, itself or by methods of its class that it calls: who sends it then takes care that the
    /// control which does is there only while it may be sent.
    func takesControlsAway(_ id: MemberID, of type: TypeID) -> Bool {
        let members = chain(of: type).flatMap { self.members(of: $0) }.map { self[$0] }
        return [self[id]].reaching(among: members).contains { member in
            member.bodies.contains { takesControlsAway($0.body, of: type, sender: member.fullName == self[id].fullName ? $0.body.parameters : []) }
        }
    }

    /// The properties by which a control is taken away, with the value that gives it back.
    private static let availability: [String: Bool] = [
        "isHidden": false, "hidden": false, "isEnabled": true, "enabled": true, "isUserInteractionEnabled": true, "userInteractionEnabled": true,
    ]

    private func takesControlsAway(_ body: Body, of type: TypeID, sender: [LocalID]) -> Bool {
        var controls: Set<Register> = []
        var found = false
        body.block.forEachStatement { statement in
            switch statement.kind {
            case .read(let register, .local(let local)) where sender.contains(local): controls.insert(register)
            case .read(let register, let place): if let name = place.ownName, isControl(name, of: type) { controls.insert(register) }
            case .compute(let register, _, let operands): if case .register(let base)? = operands.first, operands.count == 1, controls.contains(base) { controls.insert(register) }
            case .assign(let register, .register(let base)) where controls.contains(base): controls.insert(register)
            case .write(.member(.register(let base), let name), let value):
                if controls.contains(base), let back = Self.availability[name], value != .constant(.boolean(back)) { found = true }
            default: break
            }
        }
        return found
    }

    private func isControl(_ property: String, of type: TypeID) -> Bool {
        members(named: property, on: type).contains { id in
            guard self[id].kind == .property, let declared = self[id].type else { return false }
            let kinds = ["UIControl", "UIBarItem", "NSControl", "NSMenuItem"]
            return switch resolve(declared.unwrapped, in: Scope(file: id.declaration.file, typeName: self[type].name)) {
            case .platform(let name): kinds.contains { platform.isClass(name, kindOf: $0) }
            case .project(let types): types.contains { one in kinds.contains { isType(one, kindOf: $0) } }
            case .unknown: false
            }
        }
    }
}
