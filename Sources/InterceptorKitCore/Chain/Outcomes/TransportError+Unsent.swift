/// The errors that every transport throws for an input that it did not begin to send.
extension TransportError {
    /// Returns the error for a transport that was closed before the send.
    /// - Parameter host: The host, as events and messages may show it.
    public static func closedBeforeSending(host: String) -> TransportError {
        TransportError(
            .closed,
            "The transport is closed; nothing was sent to \(host). Make a new transport.",
            isUnsent: true
        )
    }

    /// Returns the error for a deadline that passed before the send.
    /// - Parameter host: The host, as events and messages may show it.
    public static func deadlinePassedBeforeSending(host: String) -> TransportError {
        TransportError(
            .timedOut,
            "The call's deadline passed before anything was sent to \(host).",
            isUnsent: true
        )
    }
}
