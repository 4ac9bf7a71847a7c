import ProgramModel

/// A name that is a number: of a local or of a register of one body.
package protocol NumberedName: Hashable, Sendable {
    var index: Int32 { get }
    init(_ index: Int)
}

extension LocalID: NumberedName {}
extension Register: NumberedName {}

/// The values of the locals, or of the registers, of one body, in order of their numbers.  A body sets a few of them, mostly in that
/// order, so a sorted array is found in, copied and gone through faster than a dictionary.
package struct NumberedValues<Name: NumberedName>: Sendable {
    private var entries: [NumberedValue] = []

    package init() {}

    /// The value of a name; nil where it has none.
    package subscript(_ name: Name) -> Value? {
        get { entries.place(of: name.index, isThere: true).map { entries[$0].value } }
        set {
            guard let newValue else { return remove(name) }
            set(name, newValue, nil)
        }
    }

    /// The place from which the value of a name was read.
    func origin(of name: Name) -> Origin? { entries.place(of: name.index, isThere: true).flatMap { entries[$0].origin } }

    /// Gives a name a value, and the place that it was read from.
    mutating func set(_ name: Name, _ value: Value, _ origin: Origin?) { entries.set(NumberedValue(number: name.index, value: value, origin: origin)) }

    private mutating func remove(_ name: Name) {
        if let place = entries.place(of: name.index, isThere: true) { entries.remove(at: place) }
    }

    /// The names that have values, with those, in order of their numbers.
    package var all: [(name: Name, value: Value)] { entries.map { (Name(Int($0.number)), $0.value) } }
}

/// The value of one name.
private struct NumberedValue: Sendable {
    let number: Int32
    let value: Value
    /// The place from which it was read, to store changed values back to.
    let origin: Origin?
}

extension [NumberedValue] {
    /// Where a number stands; where it would, unless it must be there.
    fileprivate func place(of number: Int32, isThere: Bool) -> Int? {
        guard let last, last.number >= number else { return isThere ? nil : count }
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle].number < number { low = middle + 1 } else { high = middle }
        }
        return isThere && self[low].number != number ? nil : low
    }

    fileprivate mutating func set(_ new: NumberedValue) {
        guard let place = place(of: new.number, isThere: false), place < count else { return append(new) }
        if self[place].number == new.number { self[place] = new } else { insert(new, at: place) }
    }
}
