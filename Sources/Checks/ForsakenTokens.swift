import Findings
import ProgramModel
import RuleLibrary
import SourceText

extension Check {
    /// Tokens of block observers whose property is set to nil where the observer was to end: the notification centre has it all the same.
    static let forsakenTokens = Check(rules: ["observation_token_not_removed"]) { input, file in
        guard !input.program.files[file].isTest else { return [] }
        var classes: [TypeID: ForsakenTokens] = [:]
        return input.bodies(inFile: file).flatMap { place -> [Finding] in
            // The runs show what becomes of what the lifecycle registers.
            guard place.member.facts.kind == .function, !place.member.facts.isOverride else { return [] }
            let kept = ForsakenTokens.kept(in: place.context, input.library)
            guard !kept.isEmpty else { return [] }
            let known = classes[place.member.owner] ?? ForsakenTokens(input.program, place.member.owner)
            classes[place.member.owner] = known
            return kept.compactMap { name, span in
                guard let clearer = known.forgetter(of: name), !input.isRead(name, outside: place.member.owner) else { return nil }
                return input.finding(
                    "observation_token_not_removed",
                    "'\(clearer.name)' sets '\(name)' to nil (line \(clearer.line)) and nothing gives this token back: the notification centre keeps the block and goes on calling it; give the token to 'removeObserver' first",
                    at: span, in: file, type: place.member.typeName, member: place.member.facts.fullName)
            }
        }
    }
}

/// What a class does with the properties that may hold tokens.
private struct ForsakenTokens {
    /// A function that sets a property to nil.
    struct Clearer {
        let name: String
        let line: Int
    }

    /// The properties whose values code of the class hands on, or asks for more than whether they are there.
    private var used: Set<String> = []
    /// The first function that sets a property to nil, by its name.
    private var clearers: [String: Clearer] = [:]

    init(_ program: Program, _ type: TypeID) {
        for id in program.chain(of: type).flatMap(program.members) {
            let member = program[id]
            // A property that looks at its values may give the old one back.
            if member.accessors != nil { used.insert(member.baseName.withoutUnderscore) }
            if member.kind == .function, let property = member.baseName.propertyItSets { used.insert(property) }
            for (_, body) in member.bodies {
                body.block.forEachStatement { statement in
                    switch statement.kind {
                    case .write(let place, .constant(.null)):
                        guard let name = place.ownName?.withoutUnderscore, member.kind == .function, clearers[name] == nil else { break }
                        clearers[name] = Clearer(name: member.fullName, line: statement.span.start.line)
                    case .read(let register, let place):
                        // Nobody knows what a function that was not read whole does with what it reads.
                        guard let name = place.ownName?.withoutUnderscore, !used.contains(name), member.isPartial || ValueUses(of: [register], in: body).isUsed else { break }
                        used.insert(name)
                    case .opaque(let part): used.formUnion(part.reads.map(\.withoutUnderscore))
                    default: break
                    }
                }
            }
        }
    }

    /// The function that sets a property to nil, if none does anything else with its value.
    func forgetter(of name: String) -> Clearer? { used.contains(name) ? nil : clearers[name] }

    /// The own properties that a body gives the token of a block observer, with the places of the registrations.
    static func kept(in context: BodyContext, _ library: RuleLibrary) -> [(name: String, span: SourceSpan)] {
        var found: [(name: String, span: SourceSpan)] = []
        context.body.block.forEachStatement { statement in
            guard case .write(let place, let value) = statement.kind, let name = place.ownName?.withoutUnderscore, case .register(let register) = context.uncast(value),
                  let made = context.definition(of: register), let called = made.call?.fullName, library.families(acquiredBy: called).contains(where: { $0.name == "block_observer" }),
                  !found.contains(where: { $0.name == name }) else { return }
            found.append((name, made.span))
        }
        return found
    }
}

extension CheckInput {
    /// Whether code of other classes reads a property of the name of another object.
    func isRead(_ property: String, outside type: TypeID) -> Bool {
        let own = Set(program.chain(of: type))
        return program.files.indices.contains { file in
            bodies(inFile: file).contains { place in
                !own.contains(place.member.owner) && place.body.block.containsStatement { statement in
                    switch statement.kind {
                    case .read(_, .member(let base, property)): base != .selfObject
                    // A subclass knows it by its name.
                    case .read(_, let read): read.ownName?.withoutUnderscore == property && program.chain(of: place.member.owner).contains(type)
                    default: false
                    }
                }
            }
        }
    }
}

extension ValueUses {
    /// Whether more is done with the value than to look whether it is there.
    fileprivate var isUsed: Bool { !all.isEmpty || isMixed }
}
