/// The rules for a signature: the covered parts, their form, and the place of the signature.
///
/// Write your own for other servers; a scheme is a function of values.
public protocol SignatureScheme: Sendable {
    /// Returns the request with its signature added.
    /// - Parameters:
    ///   - request: The request as it will be sent, without the signature.
    ///   - context: The key, the freshness and the body's hash.
    /// - Throws: ``SigningError`` for an unsuitable request or key; then nothing is sent.
    func sign(_ request: HTTP.Request, _ context: SigningContext) throws -> HTTP.Request

    /// The header fields that the scheme adds. They are not sent to another origin.
    var signatureFields: [String] { get }

    /// Returns the hash algorithm for the body; `nil` means that the signature does not cover the body.
    ///
    /// With an algorithm, a one-shot body is refused, because hashing would consume it.
    func bodyHash(for request: HTTP.Request) -> HashAlgorithm?

    /// Returns the header fields that a signature covers, besides those that the scheme adds. They must reach the
    /// transport unchanged. Defaults to none.
    func coveredFields(of request: HTTP.Request) -> [String]

    /// Returns the signatures that a response asks for, in order of preference. The first one with a key and all
    /// covered parts is made, and the request is sent once more. Defaults to none.
    ///
    /// A signature confirms the parts that it covers: fulfil only requests of listed servers, and within limits.
    /// - Parameters:
    ///   - response: The response to the signed request.
    ///   - request: The request before it was signed.
    func signatureRequests(of response: HTTP.Response, to request: HTTP.Request)
        -> [RequestedSignature]

    /// Throws if the scheme was made with invalid values. Called when a pipeline is built. The default does nothing.
    func validate() throws
}

extension SignatureScheme {
    public func coveredFields(of request: HTTP.Request) -> [String] { [] }

    public func signatureRequests(
        of response: HTTP.Response,
        to request: HTTP.Request
    ) -> [RequestedSignature] { [] }

    public func validate() throws {}
}

/// A signature that a server asks for in its response, for a ``SignatureScheme``.
public struct RequestedSignature: Sendable {
    /// The server's label for the signature; reported in ``Event/Name/signatureRequested``.
    public var label: String
    /// The id of the requested key; `nil` leaves the choice to the call and the key store.
    public var keyID: String?
    /// The scheme for the signature.
    public var scheme: any SignatureScheme

    /// Creates a signature request.
    /// - Parameters:
    ///   - label: The server's label for the signature.
    ///   - keyID: The id of the requested key. Defaults to the choice of the call and the key store.
    ///   - scheme: The scheme for the signature.
    public init(label: String, keyID: String? = nil, scheme: any SignatureScheme) {
        self.label = label
        self.keyID = keyID
        self.scheme = scheme
    }
}

/// The signed text, to compare with the text that a server expected.
///
/// Secrets in the text are replaced by `<secret>`.
public struct SignatureExplanation: Sendable, Hashable {
    /// The request in a form that the server can rebuild, if the scheme signs a hash of it.
    public let canonicalRequest: String?
    /// The text that was signed.
    public let stringToSign: String

    /// Creates an explanation.
    /// - Parameters:
    ///   - canonicalRequest: The request in a form that the server can rebuild. Defaults to none.
    ///   - stringToSign: The text that was signed, without secrets.
    public init(canonicalRequest: String? = nil, stringToSign: String) {
        self.canonicalRequest = canonicalRequest
        self.stringToSign = stringToSign
    }
}
