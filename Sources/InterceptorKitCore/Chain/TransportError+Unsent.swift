/// What every transport says of an input that it did not begin to send.
extension TransportError {
    /// The transport was closed before.
    /// - Parameter host: Where the input would have gone, as events and messages may show it.
    public static func closedBeforeSending(host: String) -> TransportError {
        TransportError(
            .closed,
            "The transport is closed; nothing was sent to \(host). Make a new transport.",
            isUnsent: true
        )
    }

    /// The call's deadline came before.
    /// - Parameter host: Where the input would have gone, as events and messages may show it.
    public static func deadlinePassedBeforeSending(host: String) -> TransportError {
        TransportError(
            .timedOut,
            "The call's deadline passed before anything was sent to \(host).",
            isUnsent: true
        )
    }
}
