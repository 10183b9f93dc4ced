import InterceptorKit

/// A request that is answered by the server itself before the connection closes.
struct RequestRefusal: Error, Hashable {
    let status: HTTP.Status
    let sentence: String

    static func malformed(_ sentence: String) -> Self { Self(status: 400, sentence: sentence) }
}

extension RequestRefusal {
    static func headTooLarge(limit: Int) -> Self {
        Self(status: 431, sentence: "The request's head is larger than \(limit) bytes.")
    }

    static func bodyTooLarge(limit: Int) -> Self {
        Self(status: 413, sentence: "The request's body is larger than \(limit) bytes.")
    }
}
