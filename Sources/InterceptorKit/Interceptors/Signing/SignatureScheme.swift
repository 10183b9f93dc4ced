/// How a request is signed: what is covered, in which form, and where the signature goes.
///
/// Write one for a server that wants something else; a scheme is a function of values.
public protocol SignatureScheme: Sendable {
    /// Returns the request with its signature added.
    /// - Parameters:
    ///   - request: The request as it will be sent but for the signature.
    ///   - context: The key, what makes the signature unlike any other, and the body's hash.
    /// - Throws: ``SigningError`` for a request or a key that cannot be used; nothing is sent then.
    func sign(_ request: HTTP.Request, _ context: SigningContext) throws -> HTTP.Request

    /// The header fields the scheme adds, which are not carried to another origin.
    var signatureFields: [String] { get }

    /// The hash of a request's body that the signature covers; `nil` declares the body unsigned.
    ///
    /// A body that can be read once is refused if there is one, since hashing would use it up.
    func bodyHash(for request: HTTP.Request) -> HashAlgorithm?

    /// The header fields that a signature covers, beside those it adds: what has to reach the transport
    /// as it was signed. Defaults to none.
    func coveredFields(of request: HTTP.Request) -> [String]

    /// The signatures that a response asks the same request to be sent once more with, in the order of
    /// preference; the first for which there is a key and all that it covers is made. Defaults to none.
    ///
    /// A signature says that its maker means what it covers, so obey only servers that were named, and
    /// only within bounds.
    /// - Parameters:
    ///   - response: The response to the signed request.
    ///   - request: The request before it was signed.
    func signatureRequests(of response: HTTP.Response, to request: HTTP.Request)
        -> [RequestedSignature]

    /// Throws if the scheme was made with values that cannot work; asked when a pipeline is built.
    /// Defaults to nothing.
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
