/// An input or output that can say in a few words, and without secrets, what it is.
///
/// Events show it where a call begins and a stage is left.
public protocol Summarizable: Sendable {
    /// A few words, as in `503 Service Unavailable`. An ``Event/Value/code(_:text:)`` makes them only for
    /// those who read them.
    func summary(on call: Call) -> Event.Value

    /// More facts, by key, shown as the call allows. Reported where a transport is entered and left.
    /// Defaults to none.
    func attributes(on call: Call) -> Event.Attributes
}

extension Summarizable {
    public func attributes(on call: Call) -> Event.Attributes { [:] }
}
