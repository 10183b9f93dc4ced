/// An input or output that can describe itself in a few words without secrets.
///
/// Events show the summary where a call begins and where a stage ends.
public protocol Summarizable: Sendable {
    /// Returns the summary, as in `503 Service Unavailable`. With ``Event/Value/code(_:text:)``, its text is
    /// made only when it is read.
    func summary(on call: Call) -> Event.Value

    /// Returns more attributes, redacted as the call requires. They are reported where a send begins and
    /// ends. Defaults to none.
    func attributes(on call: Call) -> Event.Attributes
}

extension Summarizable {
    public func attributes(on call: Call) -> Event.Attributes { [:] }
}
