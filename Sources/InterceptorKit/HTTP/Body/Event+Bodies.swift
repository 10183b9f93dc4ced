extension Event.Name {
    /// Bytes of a request's body were sent: `bytes` so far, and `total` if it is known.
    public static let bodySent: Self = "request_body.sent"
    /// The body of a response began to arrive: `total` bytes, if that is known.
    public static let bodyBegan: Self = "response_body.began"
    /// Bytes of a response's body arrived: `bytes` so far, and `total` if it is known.
    public static let bodyReceived: Self = "response_body.received"
    /// The body of a response was read to its end, or broke off: `bytes` that arrived.
    public static let bodyEnded: Self = "response_body.ended"
}
