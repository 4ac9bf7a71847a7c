import ProgramModel
import SourceText

/// Where the project's code gives `self` away as a delegate or data source, found in one pass.
struct DelegateGifts: Sendable {
    /// One place at which an object becomes another one's delegate.
    struct Gift: Hashable, Sendable {
        /// The type whose property takes the delegate.
        let receiver: TypeID
        let property: String
        /// The class of the object that is given.
        let giver: TypeID
        let file: Int
        let span: SourceSpan
        /// The giver's properties that keep the receiver, as far as the text names them.
        let keepers: Set<String>
        /// Whether the receiver is the one object of its class that lives as long as the app.
        var isForLife = false
        /// Whether the receiver is the giver itself.
        var isToItself = false
        /// Whether the giver keeps the receiver; one that knows it weakly is kept by it.
        var keepsReceiver = true

        /// The circle that it closes.
        var circle: DelegateCircle { DelegateCircle(giver: giver, receiver: receiver, property: property, keepers: keepers) }
    }

    /// One place at which a delegate is set to nil.
    struct TakingBack: Sendable {
        /// The type whose code does it.
        let owner: TypeID
        /// The type whose property is set; nil where nobody knows.
        let receiver: TypeID?
        /// The properties of the owner from which the receiver came, as far as the text names them.
        let keepers: Set<String>
        /// Whether it is done as the owner goes: an owner that is part of the circle never does.
        let isAtEnd: Bool

        /// Whether it can end what the gift began: the object of another property than the one given to stays as it is.
        fileprivate func ends(_ gift: Gift) -> Bool {
            owner != gift.giver || !isAtEnd && (keepers.isEmpty || gift.keepers.isEmpty || !keepers.isDisjoint(with: gift.keepers))
        }
    }

    /// One call that hands self to a method of another object.
    struct Handing: Sendable {
        let search: GiftSearch
        let call: Call
        let span: SourceSpan
        /// Whether it is done as the owner goes.
        let isAtEnd: Bool
    }

    /// The gifts after which the giver keeps the receiver, by the receiver's type.
    private(set) var kept: [TypeID: [Gift]] = [:]
    /// The names of the properties into which objects put themselves that know the receiver weakly, by the receiver's type.
    private(set) var ownedByReceiver: [TypeID: Set<String>] = [:]
    /// Where an object hands itself to another one that it keeps in a property, when it makes it or by a property that names no
    /// delegate, by the type of the other.
    private(set) var toKept: [TypeID: [Gift]] = [:]
    /// The names of the properties of those.
    private(set) var namesToKept: Set<String> = []
    /// The gifts to objects that the giver was not seen to keep, as to one that it makes and presents, by the receiver's type.
    private(set) var loose: [TypeID: [Gift]] = [:]
    /// Where code sets properties to nil, by name: somebody takes the delegate back.
    private(set) var takenBack: [String: [TakingBack]] = [:]

    /// Where code hands its object to another one's method, by the method's full name.
    private(set) var handings: [String: [Handing]] = [:]

    /// The types whose code puts itself into such a property of another object, by the property's name.
    private var givers: [String: Set<TypeID>] = [:]

    /// Whether setting the property to nil ends a gift: who takes back what it gave itself leaves the objects that others use as they are.
    func ends(_ gift: Gift, _ takingBack: TakingBack) -> Bool {
        takingBack.ends(gift) && !(gift.isToItself && takingBack.owner != gift.giver && givers[gift.property]?.contains(takingBack.owner) ?? false)
    }

    /// Reads every body of the program.
    init(_ program: Program, inference: TypeInference) {
        program.forEachBody { member, body in
            let (mayGive, mayAssemble) = Self.interest(of: body)
            guard mayGive || mayAssemble else { return }
            let (context, file) = (member.context(of: body), member.id.declaration.file)
            if mayAssemble { read(AssembledObjects(program: program, inference: inference, context: context, owner: member.owner), inFile: file) }
            if mayGive { read(GiftSearch(program: program, inference: inference, context: context, file: file, owner: member.owner, member: member.facts)) }
        }
    }

    private mutating func read(_ search: GiftSearch) {
        // Cells that are on the screen when it goes are not used again.
        let isAtEnd = search.member.kind == .deinitializer || search.member.baseName == "prepareForReuse"
        search.context.body.block.forEachStatement { statement in
            switch statement.kind {
            case .write(.member(let receiver, let name), .constant(.null)):
                // What an object of the SDK loses is its own.
                guard !search.isOfPlatform(receiver) else { break }
                takenBack[name, default: []].append(TakingBack(owner: search.owner, receiver: search.type(of: receiver), keepers: search.keepers(of: receiver), isAtEnd: isAtEnd))
            case .write(.name(let name), .constant(.null)): takenBack[name, default: []].append(TakingBack(owner: search.owner, receiver: search.owner, keepers: [], isAtEnd: isAtEnd))
            default: break
            }
            if case .call(let call) = statement.kind, let name = call.fullName, case .member(let receiver, _) = call.callee, receiver != .selfObject,
               call.arguments.contains(where: { $0.value == .selfObject }), !search.context.isStatic {
                handings[name, default: []].append(Handing(search: search, call: call, span: statement.span, isAtEnd: search.member.kind == .deinitializer))
            }
            if case .write(.member(let receiver, let name), .selfObject) = statement.kind, Self.isDelegateName(name), receiver != .selfObject { givers[name, default: []].insert(search.owner) }
            for gift in search.gifts(in: statement) {
                if gift.keepsReceiver { kept[gift.receiver, default: []].append(gift) } else { ownedByReceiver[gift.receiver, default: []].insert(gift.property) }
            }
            for gift in search.looseGifts(in: statement) { loose[gift.receiver, default: []].append(gift) }
            for gift in search.giftsToKept(in: statement) + search.joins(in: statement) {
                toKept[gift.receiver, default: []].append(gift)
                namesToKept.insert(gift.property)
            }
        }
    }

    /// The gifts of code that puts objects together which are not its own.
    private mutating func read(_ assembled: AssembledObjects, inFile file: Int) {
        for circle in assembled.circles() {
            let gift = Gift(receiver: circle.receiver, property: circle.property, giver: circle.giver, file: file, span: circle.span, keepers: [circle.keeper])
            if Self.isDelegateName(circle.property) {
                kept[circle.receiver, default: []].append(gift)
            } else {
                toKept[circle.receiver, default: []].append(gift)
                namesToKept.insert(circle.property)
            }
        }
    }

    /// Whether the property's name says that it holds a delegate or data source.
    static func isDelegateName(_ name: String) -> Bool {
        let lower = name.lowercased()
        return lower.hasSuffix("delegate") || lower.hasSuffix("datasource")
    }

    /// Whether any statement writes a delegate or passes self on, and whether two write properties of objects, without which none can
    /// close a circle; most bodies do neither.
    private static func interest(of body: Body) -> (mayGive: Bool, mayAssemble: Bool) {
        var mayGive = false
        var writes = 0
        body.block.forEachStatement { statement in
            if case .write(.member, .register) = statement.kind { writes += 1 }
            switch statement.kind {
            case .write(.member(_, let name), let value) where isDelegateName(name) || value == .selfObject: mayGive = mayGive || value != .constant(.void)
            case .write(.element, .selfObject): mayGive = true
            case .write(.name(let name), let value) where isDelegateName(name): mayGive = mayGive || value != .constant(.void)
            case .call(let call):
                guard call.arguments.contains(where: { $0.value == .selfObject }) else { return }
                switch call.callee {
                case .initializer: mayGive = true
                case .member(let receiver, _): mayGive = mayGive || receiver != .selfObject
                default: break
                }
            default: break
            }
        }
        return (mayGive, writes > 1)
    }
}
