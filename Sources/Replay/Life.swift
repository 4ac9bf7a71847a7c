/// One object on its way through a life: where a run stands after an event.
package struct Life {
    package var machine: Machine
    /// How many events are done.
    package var done: Int
    /// The numbers of the events that brought the object into use.
    package var appearances: [Int] = []
    /// Whether the object was in use and went out of it.
    package var wasUsed: Bool
}
