/// What libcurl says went wrong: the cause of a `TransportError`.
public struct CurlError: Error, Sendable, Hashable {
    /// libcurl's number for it, a `CURLcode` (see libcurl-errors(3)).
    public let code: Int
    /// libcurl's words for it, in English; may name hosts and addresses.
    public let text: String

    /// Creates an error.
    public init(code: Int, text: String) {
        self.code = code
        self.text = text
    }
}

extension CurlError: CustomStringConvertible {
    /// As in `libcurl error 7: Couldn't connect to server`.
    public var description: String { "libcurl error \(code): \(text)" }
}
