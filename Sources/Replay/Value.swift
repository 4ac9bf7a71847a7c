import ProgramModel
import SourceText

/// The place of an object in the heap of one run.
public struct ObjectID: Hashable, Comparable, Sendable {
    public let index: Int

    package init(index: Int) { self.index = index }

    /// Orders objects as they were made.
    public static func < (left: ObjectID, right: ObjectID) -> Bool { left.index < right.index }
}

/// A value of the statement language, as SEMANTICS.md lists them.
public enum Value: Hashable, Sendable {
    case null
    case void
    case boolean(Bool)
    case integer(Int)
    /// A number that is no integer, as written.
    case number(String)
    case string(String)
    case selector(String)
    case keyPath(String)
    /// An enum case or a named constant of a type, with what it carries.
    case named(String, [Value])
    case tuple([Value])
    case collection([Value])
    case object(ObjectID)
    case closure(Int)
    /// A method of an object as a value: `self.tick`.
    case method(ObjectID, String)
    case type(String)
    /// A value that the text does not tell; the same number is the same value.
    case unknown(Int)

    /// Whether it is a value that the text tells in full and that holds nothing.
    package var isPlain: Bool {
        switch self {
        case .boolean, .integer, .string, .selector, .keyPath: true
        case .named(_, let parts): parts.isEmpty
        default: false
        }
    }

    /// Whether it is, or has among its parts, something that can be kept alive.
    var mayHold: Bool {
        switch self {
        case .object, .method, .closure, .tuple, .collection, .named: true
        default: false
        }
    }
}

/// What an object is.
public enum ObjectKind: Hashable, Sendable {
    case project(TypeID)
    /// An object of a class of the SDK or of a library.
    case platform(String)
}

/// One object of the heap.
public struct HeapObject: Hashable, Sendable {
    public package(set) var kind: ObjectKind
    /// The number of the event in which it was made.
    package var madeIn: Int
    /// The stored properties; those of `weakFields` do not keep alive.
    public package(set) var fields: [String: Value] = [:]
    public package(set) var weakFields: Set<String> = []
    public package(set) var isFreed = false
    /// Whether the object is a static or global one: what it does beside is its own affair.
    package var isShared = false
    /// Whether the SDK made and has it: cells of a list, what a segue leads to.
    package var isOfSDK = false
    /// Where a field was last written; for a method of some object, where that object gave it away.
    package var writes: [String: Site] = [:]

    /// Whether it lives with others, whoever here only knows it.
    package var isOfOthers: Bool { isShared || isOfSDK }
}

/// A property that a run has emptied.
package struct Emptied: Hashable, Sendable {
    package let object: ObjectID
    package let field: String
    /// The base name of the member that did.
    package let member: String

    package init(_ object: ObjectID, _ field: String, by member: String) {
        self.object = object
        self.field = field
        self.member = member
    }
}

/// A closure with what it was made over.
package struct ClosureValue: Sendable {
    package let closure: Closure
    package var frame: Int
    package var captured: NumberedValues<LocalID>
    package let weakCaptures: Set<LocalID>
    /// What the closure keeps alive beside its captures: self, and the frame's locals that it mentions, in order of their numbers.
    package let holdsSelf: Bool
    package let locals: [LocalID]
    package let site: Site
    /// The number of the event in which it was made.
    package var madeIn: Int
}

/// A place in the sources with the statement that stands there.
public struct Site: Hashable, Sendable {
    public let file: Int
    public let span: SourceSpan
    /// The member whose body it is, for the report.
    public let member: String
    /// The type whose member it is; nil outside types.
    public let type: TypeID?
}

/// What the frames of one body have in common: what the text says.
package final class FrameText: Sendable {
    package let context: BodyContext
    /// The registers whose values some statement uses.
    let used: Set<Register>
    /// What somebody asks for of its values.
    let demanded: DemandedValues
    package let file: Int
    let member: String
    /// The type that declares the body: where `super` begins.
    let declaringType: TypeID?

    init(context: BodyContext, used: Set<Register>, demanded: DemandedValues, file: Int, member: String, declaringType: TypeID?) {
        self.context = context
        self.used = used
        self.demanded = demanded
        self.file = file
        self.member = member
        self.declaringType = declaringType
    }
}

/// The registers and locals of one running body.
package struct Frame: Sendable {
    let text: FrameText
    package var context: BodyContext { text.context }
    var used: Set<Register> { text.used }
    var demanded: DemandedValues { text.demanded }
    package var file: Int { text.file }
    var member: String { text.member }
    /// The base name of the member whose body runs.
    var baseMember: String { String(member.prefix { $0 != "(" && $0 != ":" }) }
    var declaringType: TypeID? { text.declaringType }
    package var selfValue: Value
    /// The frame in which a closure was made.
    package var parent: Int?
    /// The frame of the body that ran this one.
    package var caller: Int?
    /// The object whose initialiser runs: its observers do not.
    let initializing: ObjectID?
    /// Whether somebody uses what the body returns.
    var isResultUsed = true
    package var locals = NumberedValues<LocalID>()
    package var registers = NumberedValues<Register>()
    /// The statement that is running.
    var at: Site?
}

/// The place from which a register was read, to store changed values back to.
package enum Origin: Hashable, Sendable {
    case local(frame: Int, LocalID)
    case field(ObjectID, String)
    case shared(String)
    /// A property of nil, in Objective-C.
    case ofNothing
}

/// How the running of a block ends.
package enum Flow: Equatable {
    case normal
    case returned(Value)
    case threw(Value)
    case broke(String?)
    case continued(String?)
    case fellThrough
    case trapped
    /// The bounds of the run are reached.
    case stopped
}
