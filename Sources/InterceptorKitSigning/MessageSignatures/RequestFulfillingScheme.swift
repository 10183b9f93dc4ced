public import InterceptorKit

extension SignatureScheme {
    /// Returns this scheme, extended to fulfil signature requests within a policy's limits.
    ///
    /// After a 401 or 403 with `Accept-Signature` (RFC 9421 section 5), the request is signed as requested and sent
    /// once more, if its body can be sent again.
    /// - Parameter policy: The limits: which servers may request signatures, and which ones.
    public func fulfilling(_ policy: SignatureRequestPolicy) -> some SignatureScheme {
        RequestFulfillingScheme(base: self, policy: policy)
    }
}

private struct RequestFulfillingScheme<Base: SignatureScheme>: SignatureScheme {
    let base: Base
    let policy: SignatureRequestPolicy

    var signatureFields: [String] { base.signatureFields }

    func sign(_ request: HTTP.Request, _ context: SigningContext) throws -> HTTP.Request {
        try base.sign(request, context)
    }

    func bodyHash(for request: HTTP.Request) -> HashAlgorithm? { base.bodyHash(for: request) }

    func coveredFields(of request: HTTP.Request) -> [String] { base.coveredFields(of: request) }

    func signatureRequests(
        of response: HTTP.Response,
        to request: HTTP.Request
    ) -> [RequestedSignature] {
        guard response.status == 401 || response.status == 403,
            response.headers.contains("Accept-Signature"),
            let origin = request.url.origin, policy.origins.contains(origin)
        else { return [] }
        return policy.permitted(in: response.headers).map { signatureRequest in
            RequestedSignature(
                label: signatureRequest.label,
                keyID: signatureRequest.parameters.keyID,
                scheme: MessageSignatureScheme(
                    fulfilling: signatureRequest,
                    lifetime: policy.lifetime
                )
            )
        }
    }

    func validate() throws {
        for origin in policy.origins { try origin.validate() }
        try base.validate()
    }
}
