/// A libcurl error, which is the cause of a `TransportError`.
struct CurlError: Error, Sendable, Hashable {
    /// libcurl's error number, a `CURLcode` (see libcurl-errors(3)).
    let code: Int
    /// libcurl's text, in English; it may name hosts and addresses.
    let text: String
}

extension CurlError: CustomStringConvertible {
    /// The error as text, as in `libcurl error 7: Couldn't connect to server`.
    var description: String { "libcurl error \(code): \(text)" }
}
