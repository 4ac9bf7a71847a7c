/// A property of which the text says that it closes a circle: its object is kept by the one that is put into it.
public struct DelegateCircle: Hashable, Sendable {
    /// The class of the object that gives itself away.
    public let giver: TypeID
    /// The class whose property takes it.
    public let receiver: TypeID
    public let property: String
    /// The properties of the giver that keep the receiver, as far as the text names them.
    public let keepers: Set<String>

    /// Whether runs count only where code is seen that makes objects of the giver, none of which lives as long as the app.
    public var endsForSure = false

    /// Puts together what the text tells.
    public init(giver: TypeID, receiver: TypeID, property: String, keepers: Set<String>) {
        self.giver = giver
        self.receiver = receiver
        self.property = property
        self.keepers = keepers
    }
}
