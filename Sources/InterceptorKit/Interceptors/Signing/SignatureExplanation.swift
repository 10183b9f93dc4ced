/// What a signature was made over, to compare with what a server says it expected.
///
/// Secrets that are part of such a text are left out of it: they read `<secret>`.
public struct SignatureExplanation: Sendable, Hashable {
    /// The request in the form both sides can rebuild, where a scheme signs a hash of that.
    public let canonicalRequest: String?
    /// What goes into the signature.
    public let stringToSign: String

    /// Creates an explanation.
    /// - Parameters:
    ///   - canonicalRequest: The request in the form that both sides can rebuild. Defaults to none.
    ///   - stringToSign: What goes into the signature, without secrets.
    public init(canonicalRequest: String? = nil, stringToSign: String) {
        self.canonicalRequest = canonicalRequest
        self.stringToSign = stringToSign
    }
}
