import ProgramModel

/// The SDK classes above a type.
struct PlatformChain {
    /// The SDK classes, nearest first.
    let classes: [String]
    /// Whether a base that neither the project nor the data knows stands between, and only its name or what is overridden of it tells what it is.
    let isByNameOnly: Bool
}

extension Program {
    /// Whether the code that is compiled with a file has more windows, views and controllers of AppKit than of UIKit.
    func isForAppKit(_ file: Int) -> Bool {
        let units = Set(files[file].units)
        func isUI(_ type: TypeID) -> Bool { isType(type, kindOf: "NSResponder") || isType(type, kindOf: "UIResponder") }
        var beside = types.filter { !units.isDisjoint(with: files[$0.file].units) }
        // A plug-in with no view of its own is for what the project is for.
        if !beside.contains(where: { isUI($0.id) }) { beside = types }
        return beside.count { isType($0.id, kindOf: "NSResponder") } > beside.count { isType($0.id, kindOf: "UIResponder") }
    }
}

extension CheckInput {
    /// The SDK classes that a type descends from, before them those of libraries and users that the data knows and the project has; nil when the chain is ambiguous, unknown or leads to none.
    func platformChain(of type: TypeID) -> PlatformChain? {
        switch program.ancestry(of: type).root {
        case .platform(let name):
            let known = program.ancestry(of: type).projectTypes.map { program[$0].name }.filter(program.platform.libraryClasses.contains)
            return PlatformChain(classes: known + program.platform.ancestry(of: name), isByNameOnly: false)
        case .foreign(let name):
            return (program.platformClass(of: type) ?? program.platform.guessedClass(named: name, usedIn: program.files[program[type].file].facts)).map {
                PlatformChain(classes: program.platform.ancestry(of: $0), isByNameOnly: true)
            }
        case .none, .ambiguous:
            return nil
        }
    }
}
