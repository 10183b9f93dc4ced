/// The text that a signature was made over, to compare with the text that a server expected.
///
/// Secrets in such a text are replaced by `<secret>`.
public struct SignatureExplanation: Sendable, Hashable {
    /// The request in the form that both sides can rebuild, if a scheme signs a hash of it.
    public let canonicalRequest: String?
    /// The text that was signed.
    public let stringToSign: String

    /// Creates an explanation.
    /// - Parameters:
    ///   - canonicalRequest: The request in the form that both sides can rebuild. Defaults to none.
    ///   - stringToSign: The text that was signed, without secrets.
    public init(canonicalRequest: String? = nil, stringToSign: String) {
        self.canonicalRequest = canonicalRequest
        self.stringToSign = stringToSign
    }
}
