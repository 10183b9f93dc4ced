/// An input or output that can say in a few words, and without secrets, what it is.
///
/// Events show it where a call begins and a stage is left.
public protocol Summarizable: Sendable {
    /// A few words, as in `503 Service Unavailable`.
    var summary: String { get }

    /// Facts for those who look closer, by key, shown as the call's sink allows. Reported where a
    /// transport is entered and left. Defaults to none.
    func attributes(on call: Call) -> [String: Event.Value]
}

extension Summarizable {
    public func attributes(on call: Call) -> [String: Event.Value] { [:] }
}
