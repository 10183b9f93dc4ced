/// An error of libcurl, the cause of a `TransportError`.
public struct CurlError: Error, Sendable, Hashable {
    /// libcurl's number of the error, a `CURLcode` (see libcurl-errors(3)).
    public let code: Int
    /// libcurl's text, in English; may name hosts and addresses.
    public let text: String

    /// Creates an error.
    public init(code: Int, text: String) {
        self.code = code
        self.text = text
    }
}

extension CurlError: CustomStringConvertible {
    /// The error as text, as in `libcurl error 7: Couldn't connect to server`.
    public var description: String { "libcurl error \(code): \(text)" }
}
