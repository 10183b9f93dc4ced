enum CurlFailure: Error, Equatable {
    /// The connection was silent too long.
    case silent
    /// No connection was ready or free in time.
    case noConnection
    case noThread
    case headTooLarge
    case malformedHead
    case source(SourceError)
    case sourceCancelled
    case bodyTooShort(sent: Int, stated: Int)
    case bodyTooLong(stated: Int)
    case engine(EngineFailure)
    /// The host declared the request unprocessed, and it could not be sent again from here.
    case refused(CurlError)
    /// The request was sent without a response, and libcurl wanted to resend it.
    case notRepeated(CurlError)
}

/// The unchanged error of a request's body.
struct SourceError: Equatable {
    let error: any Error

    static func == (left: Self, right: Self) -> Bool {
        String(describing: left.error) == String(describing: right.error)
    }
}

/// The error of a transfer that libcurl ended.
struct EngineFailure: Equatable {
    var error: CurlError
    /// Whether no byte of the request can have left.
    var isUnsent: Bool
}
