/// How a transfer can fail that libcurl carries.
enum CurlFailure: Error, Equatable {
    /// The connection was silent too long.
    case silent
    /// No connection was ready or free in time.
    case noConnection
    case noThread
    case headTooLarge
    case malformedHead
    /// The request's body stream threw.
    case source(SourceError)
    case sourceCancelled
    case bodyTooShort(sent: Int, stated: Int)
    case bodyTooLong(stated: Int)
    case engine(EngineFailure)
    /// The host said that it did not take the request, and it could not be sent again from here.
    case refused(CurlError)
    /// It was sent and not answered, and libcurl wanted to send it again.
    case notRepeated(CurlError)
}

/// What a request's body threw, as it is.
struct SourceError: Equatable {
    let error: any Error

    static func == (left: Self, right: Self) -> Bool {
        String(describing: left.error) == String(describing: right.error)
    }
}

/// A transfer that libcurl ended, and what the loop knows of it.
struct EngineFailure: Equatable {
    var error: CurlError
    /// Whether no byte of the request can have left.
    var isUnsent: Bool
}
