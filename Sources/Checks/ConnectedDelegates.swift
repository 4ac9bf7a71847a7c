import ProgramModel

extension CheckInput {
    /// Where a storyboard or xib connects an outlet of a view to the controller in whose view it lies: the controller keeps its view, that the
    /// views in it, and a strong outlet the controller.
    func connection(of outlet: String, ofViewsOf type: TypeID) -> (path: String, line: Int, controller: String)? {
        guard ["UIView", "NSView"].contains(where: { program.isType(type, kindOf: $0) }) else { return nil }
        func isController(_ name: String) -> Bool {
            program.classes(namedInInterface: name).contains { type in ["UIViewController", "NSViewController"].contains { program.isType(type, kindOf: $0) } }
        }
        for id in program.interfaceObjects(of: type) {
            let view = program[id]
            guard view.parent != nil, let connection = view.connections.first(where: { $0.kind == .outlet(outlet) }),
                  let owner = program.destination(of: connection, in: id.interface).map({ program[$0] }) else { continue }
            let path = program.resources.interfaces[id.interface].path
            if owner.isSceneController, owner.scene == view.scene { return (path, connection.line, owner.customClass ?? owner.element) }
            if owner.id == "-1", let name = owner.customClass, isController(name) { return (path, connection.line, name) }
        }
        return nil
    }
}
